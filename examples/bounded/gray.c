#include <assert.h>

// Gray codes of neighbours differ in one bit, and are read back.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned number = __VERIFIER_nondet_uint(), next = number + 1;
    unsigned code = number ^ number >> 1, difference = code ^ next ^ next >> 1;
    assert(difference != 0 && (difference & (difference - 1)) == 0);
    for (int shift = 1; shift < 32; shift *= 2)
        code ^= code >> shift;
    assert(code == number);
    return 0;
}
