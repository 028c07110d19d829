/* Albarghouthi's thesis, figure 5.2 (a program of Gulavani and others): with intervals alone, the
   invariant x >= 4 ==> y > 100 needs a disjunction. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    int y = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            x = x + 1;
            y = y + 100;
        } else if (x >= 4) {
            x = x + 1;
            y = y + 1;
        }
    }
    if (x >= 4 && y <= 2)
        reach_error();
    return 0;
}
