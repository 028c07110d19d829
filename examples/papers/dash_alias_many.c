/* Beckman and others, Proofs from Tests, figure 5 with four pointers: sixteen ways to alias, of which
   one can happen where it matters. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int a, b, c, d, e;

void foo(int *p, int *p1, int *p2, int *p3, int *p4) {
    if (p == p1)
        return;
    if (p == p2)
        return;
    if (p == p3)
        return;
    if (p == p4)
        return;
    *p1 = 0;
    *p2 = 0;
    *p3 = 0;
    *p4 = 0;
    *p = 1;
    if (*p1 == 1 || *p2 == 1 || *p3 == 1 || *p4 == 1)
        reach_error();
}

int *choose(void) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
        return &a;
    case 1:
        return &b;
    case 2:
        return &c;
    case 3:
        return &d;
    default:
        return &e;
    }
}

int main(void) {
    int *p = choose();
    int *p1 = choose();
    int *p2 = choose();
    int *p3 = choose();
    int *p4 = choose();
    foo(p, p1, p2, p3, p4);
    return 0;
}
