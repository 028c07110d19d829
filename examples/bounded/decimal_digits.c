#include <assert.h>

// Four decimal digits in 16 bits there and back.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned number = __VERIFIER_nondet_uint(), packed = 0, again = 0;
    if (number > 9999)
        return 0;
    for (unsigned i = 0, rest = number; i < 4; i++) {
        packed |= rest % 10 << 4 * i;
        rest /= 10;
    }
    for (int i = 3; i >= 0; i--) {
        assert((packed >> 4 * i & 15) < 10);
        again = again * 10 + (packed >> 4 * i & 15);
    }
    assert(again == number);
    return 0;
}
