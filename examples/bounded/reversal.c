#include <assert.h>

// Bits and bytes of a word reversed twice are the word.
unsigned __VERIFIER_nondet_uint(void);

static unsigned reverse(unsigned x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

int main(void) {
    unsigned word = __VERIFIER_nondet_uint(), bit = __VERIFIER_nondet_uint() % 32;
    assert(reverse(reverse(word)) == word);
    assert((reverse(word) >> bit & 1) == (word >> (31 - bit) & 1));
    return 0;
}
