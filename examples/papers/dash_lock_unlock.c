/* Beckman and others, Proofs from Tests, figure 1: pi->lock is taken and given back in turn, and is
   none of the other two locks. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct ProtectedInt {
    int *lock;
    int *y;
};

int *lock1, *lock2;

void LockUnlock(struct ProtectedInt *pi, int x) {
    int do_return = 0;
    if (pi->lock == lock1) {
        do_return = 1;
        pi->lock = lock2;
    } else if (pi->lock == lock2) {
        do_return = 1;
        pi->lock = lock1;
    }
    /* all locks are free at first */
    *(pi->lock) = 0;
    *lock1 = 0;
    *lock2 = 0;
    if (do_return)
        return;
    do {
        if (*(pi->lock) != 0)
            reach_error();
        *(pi->lock) = 1; /* lock */
        if (*lock1 == 1 || *lock2 == 1)
            reach_error();
        x = *(pi->y);
        if (__VERIFIER_nondet_int()) {
            (*(pi->y))++;
            if (*(pi->lock) != 1)
                reach_error();
            *(pi->lock) = 0; /* unlock */
        }
    } while (x != *(pi->y));
    if (*(pi->lock) != 1)
        reach_error();
    *(pi->lock) = 0; /* unlock */
}

int a, b, c;

int main(void) {
    struct ProtectedInt pi;
    int y = __VERIFIER_nondet_int();
    int choice = __VERIFIER_nondet_int();
    lock1 = &a;
    lock2 = &b;
    pi.lock = choice == 0 ? &a : choice == 1 ? &b : &c;
    pi.y = &y;
    LockUnlock(&pi, __VERIFIER_nondet_int());
    return 0;
}
