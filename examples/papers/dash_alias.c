/* Beckman and others, Proofs from Tests, figure 3: p differs from p1 and p2 when it is written. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void alias(int *p, int *p1, int *p2) {
    if (p == p1)
        return;
    if (p == p2)
        return;
    *p1 = 0;
    *p2 = 0;
    *p = 1;
    if (*p1 == 1 || *p2 == 1)
        reach_error();
    p = p1;
    p = p2;
}

int a, b, c;

int *choose(void) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
        return &a;
    case 1:
        return &b;
    default:
        return &c;
    }
}

int main(void) {
    int *p = choose();
    int *p1 = choose();
    int *p2 = choose();
    alias(p, p1, p2);
    return 0;
}
