/* Gulavani and others, SYNERGY, figure 9: weakest preconditions alone never find x >= 0. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    int y = 0;
    while (y >= 0)
        y = y + x;
    reach_error();
    return 0;
}
