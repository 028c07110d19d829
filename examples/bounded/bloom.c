#include <assert.h>

// A filter by three hash functions never forgets what it was given.
unsigned __VERIFIER_nondet_uint(void);

static unsigned filter;

static unsigned mask(unsigned key) {
    unsigned hash = key ^ key << 3 ^ key >> 15;
    return 1u << (hash & 31) | 1u << (hash >> 5 & 31) | 1u << (hash >> 10 & 31);
}

int main(void) {
    unsigned keys[4], which = __VERIFIER_nondet_uint() % 4;
    for (int i = 0; i < 4; i++) {
        keys[i] = __VERIFIER_nondet_uint();
        filter |= mask(keys[i]);
    }
    assert((filter & mask(keys[which])) == mask(keys[which]));
    return 0;
}
