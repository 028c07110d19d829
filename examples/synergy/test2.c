/* Like figure 3, with two locks that are taken and given back together. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int first = 0, second = 0, x, y = 0;
    do {
        first = 1;
        second = 1;
        x = y;
        if (__VERIFIER_nondet_int()) {
            second = 0;
            first = 0;
            y = y < 1000000 ? y + 1 : 0;
        }
    } while (x != y);
    if (first != 1 || second != 1)
        reach_error();
    return 0;
}
