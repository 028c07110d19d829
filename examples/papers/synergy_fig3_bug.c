/* Like synergy_fig3.c, but y is advanced only every other time that the lock is given back. */
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
            if (__VERIFIER_nondet_int())
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
