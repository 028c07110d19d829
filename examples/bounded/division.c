#include <assert.h>

// A number of 16 bits divided by ten by a multiplication.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint() & 0xffff;
    assert(x * 0xcccdu >> 19 == x / 10);
    return 0;
}
