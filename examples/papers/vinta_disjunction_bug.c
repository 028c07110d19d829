/* Like vinta_disjunction.c, but the slow branch opens one step after the start. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    int y = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            x = x + 1;
            y = y + 100;
        } else if (x >= 0) {
            x = x + 2;
            y = y + 1;
        }
    }
    if (x >= 4 && y <= 2)
        reach_error();
    return 0;
}
