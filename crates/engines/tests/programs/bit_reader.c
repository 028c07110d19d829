// A reader of bit fields: never more bits in its buffer than it counts.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned buffer = 0, count = 0;
    while (1) {
        if (count <= 24 && __VERIFIER_nondet_int()) {
            buffer |= (unsigned)__VERIFIER_nondet_uchar() << count;
            count += 8;
        } else {
            unsigned n = __VERIFIER_nondet_uchar() & 7;
            if (n <= count) {
                buffer >>= n;
                count -= n;
            }
        }
        if (count < 32 && buffer >> count) reach_error();
    }
}
