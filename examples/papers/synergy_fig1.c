/* Gulavani and others, SYNERGY, figure 1: refinement meets the loop counter a thousand times, a test
   finds the error at once. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void foo(int a) {
    int i = 0;
    int c = 0;
    while (i < 1000) {
        c = c + i;
        i = i + 1;
    }
    if (a <= 0)
        reach_error();
}

int main(void) {
    foo(__VERIFIER_nondet_int());
    return 0;
}
