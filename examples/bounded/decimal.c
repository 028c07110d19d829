#include <assert.h>

// A decimal number that does not fit is noticed, in any 8 bytes after the first digits of the greatest number.
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned number = 214;
    long long exact = 214;
    int fits = 1;
    for (int i = 0; i < 8; i++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c < '0' || c > '9')
            break;
        exact = exact * 10 + (c - '0');
        if (fits && (number > 214748364 || (number == 214748364 && c > '7')))
            fits = 0;
        if (fits)
            number = number * 10 + (c - '0');
    }
    assert(fits == (exact <= 2147483647));
    if (fits)
        assert(number == exact);
    return 0;
}
