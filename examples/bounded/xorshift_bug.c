#include <assert.h>

// A step of a generator of random numbers can be undone, and only zero stays zero.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = x;
    y ^= y << 13;
    y ^= y >> 17;
    y ^= y << 5;
    assert((x == 0) == (y == 0));
    y ^= y << 5 ^ y << 10 ^ y << 15 ^ y << 20 ^ y << 25;
    y ^= y >> 17;
    y ^= y << 13 ^ y << 26;
    assert(x == y);
    return 0;
}
