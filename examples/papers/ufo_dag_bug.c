/* Like ufo_dag.c, but the fifth round makes x negative. */
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
            x = 3 - i;
        i = i + 1;
    }
    if (x < 0)
        reach_error();
    return 0;
}
