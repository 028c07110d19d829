/* A loop that may run for ever, and a check behind it. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, lock = 1;
    while (__VERIFIER_nondet_int()) {
        x = x < 1000000 ? x + 1 : 0;
        lock = lock == 1 ? 1 : 2;
    }
    if (lock != 1)
        reach_error();
    return 0;
}
