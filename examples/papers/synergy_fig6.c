/* Gulavani and others, SYNERGY, figure 6: trivially safe, yet its bisimulation quotient is infinite. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

void foo(int y) {
    while (y > 0)
        y = y - 1;
    __VERIFIER_assume(0);
    reach_error();
}

int main(void) {
    foo(__VERIFIER_nondet_int());
    return 0;
}
