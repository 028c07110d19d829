/* Albarghouthi's thesis, figure 6.1: McCarthy's function never returns less than 91. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int mc91(int p) {
    int r;
    if (p > 100)
        r = p - 10;
    else
        r = mc91(mc91(p + 11));
    return r;
}

int main(void) {
    int p = __VERIFIER_nondet_int();
    if (mc91(p) < 91)
        reach_error();
    return 0;
}
