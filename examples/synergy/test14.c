/* Loops and branches together. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int lock = 1, x = 0, i = 0;
    if (__VERIFIER_nondet_int())
        x = x + 1;
    else
        x = x - 1;
    while (i < 30)
        i = i + 1;
    if (__VERIFIER_nondet_int())
        x = x + 1;
    else
        x = x - 1;
    if (lock != 1)
        reach_error();
    return 0;
}
