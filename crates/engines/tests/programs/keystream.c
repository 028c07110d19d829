// A stream cipher: the same key on both sides, the same text.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static unsigned next(unsigned s) { return (s >> 1) ^ (-(s & 1u) & 0xd0000001u); }
int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = a;
    while (__VERIFIER_nondet_int()) {
        unsigned char text = __VERIFIER_nondet_uchar();
        unsigned char cipher = text ^ (a & 0xff);
        if ((cipher ^ (b & 0xff)) != text) reach_error();
        a = next(a);
        b = next(b);
    }
    return 0;
}
