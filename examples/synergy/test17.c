/* Figure 9 with an input: weakest preconditions alone do not end. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0;
    __VERIFIER_assume(x >= 0 && x < 1000000);
    while (y >= 0 && y < 1000000)
        y = y + x;
    if (y < 0)
        reach_error();
    return 0;
}
