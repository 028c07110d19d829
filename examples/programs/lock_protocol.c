/* Requests are served under a lock that is never taken twice and never given back twice. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int locked = 0;

void acquire(void) {
    if (locked)
        reach_error();
    locked = 1;
}

void release(void) {
    if (!locked)
        reach_error();
    locked = 0;
}

int main(void) {
    int requests, old;
    do {
        acquire();
        requests = __VERIFIER_nondet_int();
        old = requests;
        if (requests > 0) {
            release();
            requests--;
        }
    } while (requests != old);
    release();
    return 0;
}
