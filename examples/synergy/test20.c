/* A bound that is kept by steps of two. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 10;
    while (__VERIFIER_nondet_int() && x < 1000000) {
        x = x + 2;
        y = y + 2;
    }
    if (x > y)
        reach_error();
    return 0;
}
