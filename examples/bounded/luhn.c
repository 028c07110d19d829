#include <assert.h>

// Luhn's digit notices when one of 5 digits is another.
unsigned __VERIFIER_nondet_uint(void);

static unsigned check(const unsigned *digits) {
    unsigned sum = 0;
    for (int i = 0; i < 5; i++) {
        unsigned d = digits[i];
        if (i % 2 == 0) {
            d *= 2;
            if (d > 9)
                d -= 9;
        }
        sum += d;
    }
    return sum % 10;
}

int main(void) {
    unsigned digits[5], place = __VERIFIER_nondet_uint() % 5;
    for (int i = 0; i < 5; i++)
        digits[i] = __VERIFIER_nondet_uint() % 10;
    unsigned before = check(digits), old = digits[place];
    digits[place] = __VERIFIER_nondet_uint() % 10;
    if (digits[place] != old)
        assert(check(digits) != before);
    return 0;
}
