// Sixteen slots as bits of a word: the lowest free one is a slot, or there is none.
// engine: bits-induction  verdict: safe
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned used = 0;
    while (1) {
        unsigned slot = __VERIFIER_nondet_uchar() & 15;
        if (__VERIFIER_nondet_int()) used |= 1u << slot;
        else used &= ~(1u << slot);
        unsigned lowest = ~used & (used + 1);
        if (lowest > 0x10000u || lowest == 0) reach_error();
        if (used >> 16) reach_error();
    }
}
