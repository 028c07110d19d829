// A counter in Gray code, kept beside the counter.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned n = 0, gray = 0;
    while (__VERIFIER_nondet_int()) {
        n++;
        gray = n ? gray ^ (n & -n) : 0;
        if (gray != (n ^ (n >> 1))) reach_error();
    }
    return 0;
}
