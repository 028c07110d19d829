/* Gulavani and others, SYNERGY, figure 7 (a program of DART): only x == 10 gets through. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

void foo(int x, int y) {
    __VERIFIER_assume(x > -1000000 && x < 1000000);
    if (x != y)
        if (2 * x == x + 10)
            reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    foo(x, y);
    return 0;
}
