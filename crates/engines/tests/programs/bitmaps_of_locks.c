// Who holds a lock does not wait for it: two sets as words, changed by masks.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned held = 0, waiting = 0;
    while (1) {
        unsigned task = 1u << (__VERIFIER_nondet_uchar() & 31);
        if (__VERIFIER_nondet_int()) {
            if (!(held & task)) waiting |= task;
        } else if (__VERIFIER_nondet_int()) {
            held |= waiting & task;
            waiting &= ~task;
        } else {
            held &= ~task;
        }
        if (__VERIFIER_nondet_int() && (held & waiting)) reach_error();
    }
}
