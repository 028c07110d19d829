/* Gulavani and others, SYNERGY, figure 3: the lock is held after the loop, since x == y there. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { U, L };

struct {
    int state;
} lock;

void foo(int y) {
    int x;
    lock.state = U;
    do {
        lock.state = L;
        x = y;
        if (__VERIFIER_nondet_int()) {
            lock.state = U;
            y++;
        }
    } while (x != y);
    if (lock.state != L)
        reach_error();
}

int main(void) {
    foo(__VERIFIER_nondet_int());
    return 0;
}
