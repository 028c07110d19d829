/* The shape of figure 2.1 of Albarghouthi's thesis: two loops one after the other, then a check.
   x == y && x >= 0 is an invariant of both. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    int y = 0;
    while (__VERIFIER_nondet_int() && x < 1000000) {
        x = x + 1;
        y = y + 1;
    }
    while (x > 0) {
        x = x - 1;
        y = y - 1;
    }
    if (y != 0)
        reach_error();
    return 0;
}
