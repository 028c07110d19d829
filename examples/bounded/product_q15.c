#include <assert.h>

// A product of fractions in 16 bits, with the one case that does not fit.
short __VERIFIER_nondet_short(void);

static short product(short a, short b) {
    int exact = (int)a * b;
    if (a == -32768 && b == -32768)
        return 32767;
    return (exact + 16384) >> 15;
}

int main(void) {
    short a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
    short p = product(a, b);
    if (a >= 0 && b >= 0)
        assert(p >= 0 && p <= a + 1);
    if (a < 0 && b < 0)
        assert(p >= 0);
    return 0;
}
