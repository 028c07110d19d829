/* Figure 1 with a short loop: the second test reaches the error. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), i = 0, c = 0;
    while (i < 5) {
        c = c + i;
        i = i + 1;
    }
    if (a == 5000)
        reach_error();
    return 0;
}
