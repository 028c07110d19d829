/* Like figure 3: a lock that is held after the loop, with a counter of bounded packets. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int lock = 0, x, y = 0;
    do {
        lock = 1;
        x = y;
        if (__VERIFIER_nondet_int()) {
            lock = 0;
            y = y < 1000000 ? y + 1 : 0;
        }
    } while (x != y);
    if (lock != 1)
        reach_error();
    return 0;
}
