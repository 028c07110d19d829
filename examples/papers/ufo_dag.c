/* Albarghouthi's thesis, figure 3.2: DAG interpolants find x >= 0 in one refinement. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    int x = 0;
    while (i < n) {
        if (i <= 2)
            x = 0;
        else
            x = i;
        i = i + 1;
    }
    if (x < 0)
        reach_error();
    return 0;
}
