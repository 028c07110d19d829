/* Two counters that run apart. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int up = 0, down = 0;
    while (__VERIFIER_nondet_int() && up < 1000000) {
        up = up + 1;
        down = down - 1;
    }
    if (down > up)
        reach_error();
    return 0;
}
