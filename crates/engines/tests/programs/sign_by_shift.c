// Absolute values by shifts: the sign mask is all ones or all zeros.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int peak = 0;
    while (__VERIFIER_nondet_int()) {
        short sample = __VERIFIER_nondet_int();
        int sign = sample >> 15;
        int size = (sample ^ sign) - sign;
        peak ^= (peak ^ size) & -(peak < size);
        if (peak < size || peak > 32768) reach_error();
    }
    return 0;
}
