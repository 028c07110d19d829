// The parity of a word, by dropping its lowest one until none is left: the invariant is a sum of 65 bits.
// engine: bits-induction  verdict: safe
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned word = __VERIFIER_nondet_uint(), rest = word;
    unsigned char odd = 0;
    while (rest != 0) {
        rest &= rest - 1;
        odd ^= 1;
    }
    word ^= word >> 1;
    word ^= word >> 2;
    word &= 0x11111111;
    unsigned sum = 0;
    for (int i = 0; i < 32; i += 4)
        sum ^= word >> i;
    if ((sum & 1) != odd)
        reach_error();
}
