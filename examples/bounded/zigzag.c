#include <assert.h>

// Numbers with sign as ones without: small ones stay small.
int __VERIFIER_nondet_int(void);

int main(void) {
    int number = __VERIFIER_nondet_int();
    unsigned code = (unsigned)number << 1 ^ (unsigned)(number >> 31);
    assert((int)(code >> 1 ^ -(code & 1)) == number);
    if (number >= -64 && number < 64)
        assert(code < 128);
    return 0;
}
