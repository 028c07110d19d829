/* Like figure 1, but safe: two deterministic loops. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int ok = 1, i = 0, j = 0;
    while (i < 20)
        i = i + 1;
    while (j < 30)
        j = j + 1;
    if (ok != 1)
        reach_error();
    return 0;
}
