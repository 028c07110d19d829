// A block check character, computed forwards and by halves.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned char all = 0, even = 0, odd = 0;
    int side = 0;
    while (__VERIFIER_nondet_int()) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        all ^= byte;
        if (side) odd ^= byte; else even ^= byte;
        side = !side;
        if (all != (even ^ odd)) reach_error();
    }
    return 0;
}
