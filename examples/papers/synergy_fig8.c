/* Gulavani and others, SYNERGY, figure 8 with ten branches: 1024 paths, one invariant. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { U, L };

struct {
    int state;
} lock;

int x0, x1, x2, x3, x4, x5, x6, x7, x8, x9;

void foo(void) {
    lock.state = L;
    if (__VERIFIER_nondet_int())
        x0 = x0 + 1;
    else
        x0 = x0 - 1;
    if (__VERIFIER_nondet_int())
        x1 = x1 + 1;
    else
        x1 = x1 - 1;
    if (__VERIFIER_nondet_int())
        x2 = x2 + 1;
    else
        x2 = x2 - 1;
    if (__VERIFIER_nondet_int())
        x3 = x3 + 1;
    else
        x3 = x3 - 1;
    if (__VERIFIER_nondet_int())
        x4 = x4 + 1;
    else
        x4 = x4 - 1;
    if (__VERIFIER_nondet_int())
        x5 = x5 + 1;
    else
        x5 = x5 - 1;
    if (__VERIFIER_nondet_int())
        x6 = x6 + 1;
    else
        x6 = x6 - 1;
    if (__VERIFIER_nondet_int())
        x7 = x7 + 1;
    else
        x7 = x7 - 1;
    if (__VERIFIER_nondet_int())
        x8 = x8 + 1;
    else
        x8 = x8 - 1;
    if (__VERIFIER_nondet_int())
        x9 = x9 + 1;
    else
        x9 = x9 - 1;
    if (lock.state != L)
        reach_error();
}

int main(void) {
    foo();
    return 0;
}
