/* Beckman and others, Proofs from Tests, figure 6: two calls of inc add two. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int inc(int y) {
    int r;
    r = y + 1;
    return r;
}

void top(int x) {
    int a, b;
    a = inc(x);
    b = inc(a);
    if (b != x + 2)
        reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x < 1000000);
    top(x);
    return 0;
}
