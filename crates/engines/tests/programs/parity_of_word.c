// The parity of a register that changes bit by bit, kept beside it.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static unsigned parity(unsigned char x) {
    x ^= x >> 4; x ^= x >> 2; x ^= x >> 1;
    return x & 1;
}
int main(void) {
    unsigned char reg = 0;
    unsigned p = 0;
    while (1) {
        reg ^= 1 << (__VERIFIER_nondet_uchar() & 7);
        p ^= 1;
        if (parity(reg) != p) reach_error();
    }
}
