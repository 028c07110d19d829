#include <assert.h>

// A code of 7 bits for 4 finds the one that was flipped.
unsigned __VERIFIER_nondet_uint(void);

static unsigned parity(unsigned x) {
    x ^= x >> 4;
    x ^= x >> 2;
    return (x ^ x >> 1) & 1;
}

// Bit i - 1 is that with the number i; 1, 2 and 4 are checks.
static unsigned encode(unsigned d) {
    unsigned code = (d & 1) << 2 | (d & 14) << 3;
    code |= parity(code & 0x55);
    code |= parity(code & 0x66) << 1;
    return code | parity(code & 0x78) << 3;
}

static unsigned decode(unsigned code) {
    unsigned wrong = parity(code & 0x55) | parity(code & 0x66) << 1 | parity(code & 0x78) << 2;
    if (wrong)
        code ^= 1u << (wrong - 1);
    return (code >> 2 & 1) | (code >> 3 & 14);
}

int main(void) {
    unsigned data = __VERIFIER_nondet_uint() & 15, flipped = __VERIFIER_nondet_uint();
    unsigned code = encode(data);
    if (flipped < 7)
        code ^= 1u << flipped;
    assert(decode(code) == data);
    return 0;
}
