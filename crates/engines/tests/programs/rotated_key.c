// A key that is rotated by any amount never becomes one of all zeros or all ones.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned key = 0x80000001u;
    while (1) {
        unsigned n = __VERIFIER_nondet_uchar() & 31;
        key = key << n | key >> (-n & 31);
        if (key == 0 || key == 0xffffffffu) reach_error();
    }
}
