/* Like figure 7, but the two conditions exclude each other. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > -1000000 && x < 1000000);
    if (x < y)
        if (2 * x == x + 10 && y <= 10)
            reach_error();
    return 0;
}
