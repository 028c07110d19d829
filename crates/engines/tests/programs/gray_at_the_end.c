// A counter in Gray code, compared when it has counted.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned short n = 0, gray = 0, steps = __VERIFIER_nondet_uint();
    while (n != steps) {
        n++;
        gray ^= n & -n;
    }
    if (gray != (unsigned short)(n ^ n >> 1)) reach_error();
    return 0;
}
