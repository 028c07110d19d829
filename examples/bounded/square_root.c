#include <assert.h>

// The whole square root of a number of 16 bits.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint() & 0xffff, root = 0;
    for (unsigned bit = 128; bit > 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= x)
            root |= bit;
    assert(root * root <= x && x < (root + 1) * (root + 1));
    return 0;
}
