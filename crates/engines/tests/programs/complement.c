// A register and its complement for safety, changed together.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned value = 0x1234, inverse = ~0x1234u;
    while (1) {
        unsigned mask = 1u << (__VERIFIER_nondet_uchar() & 31);
        if (__VERIFIER_nondet_int()) { value |= mask; inverse &= ~mask; }
        else { value ^= mask; inverse ^= mask; }
        if (__VERIFIER_nondet_int() && value != ~inverse) reach_error();
    }
}
