#include <assert.h>

// The last steps of a hash function of 16 bits can be undone, so that they lose nothing.
unsigned __VERIFIER_nondet_uint(void);

static unsigned short mix(unsigned short h) {
    h ^= h >> 8;
    h *= 0xca6bu;
    return h ^ h >> 7;
}

static unsigned short undo(unsigned short h) {
    h ^= h >> 7 ^ h >> 14;
    h *= 0x9243u;
    return h ^ h >> 8;
}

int main(void) {
    unsigned short x = __VERIFIER_nondet_uint();
    assert(undo(mix(x)) == x);
    return 0;
}
