// A secret that is split into three shares, which are refreshed at random.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned secret = __VERIFIER_nondet_uint(), a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned c = secret ^ a ^ b;
    while (__VERIFIER_nondet_int()) {
        unsigned r = __VERIFIER_nondet_uint();
        if (__VERIFIER_nondet_int()) { a ^= r; b ^= r; }
        else if (__VERIFIER_nondet_int()) { b ^= r; c ^= r; }
        else { unsigned t = a; a = c; c = t; }
    }
    if ((a ^ b ^ c) != secret) reach_error();
    return 0;
}
