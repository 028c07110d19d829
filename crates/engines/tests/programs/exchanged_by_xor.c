// Two words that are exchanged in place, over and over.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned a = 0x55aa, b = 0xaa55;
    while (__VERIFIER_nondet_int()) {
        a ^= b; b ^= a; a ^= b;
        if ((a ^ b) != 0xffff) reach_error();
    }
    return 0;
}
