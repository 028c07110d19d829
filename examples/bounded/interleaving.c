#include <assert.h>

// The bits of two numbers of 16 bits in turn, and apart again.
unsigned __VERIFIER_nondet_uint(void);

static unsigned spread(unsigned x) {
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

static unsigned gather(unsigned x) {
    x &= 0x55555555;
    x = (x | x >> 1) & 0x33333333;
    x = (x | x >> 2) & 0x0f0f0f0f;
    x = (x | x >> 4) & 0x00ff00ff;
    return (x | x >> 8) & 0x0000ffff;
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint() & 0xffff, b = __VERIFIER_nondet_uint() & 0xffff;
    unsigned code = spread(a) | spread(b) << 1;
    assert(gather(code) == a && gather(code >> 1) == b);
    return 0;
}
