#include <assert.h>

// A number of 8 hexadecimal digits there and back.
unsigned __VERIFIER_nondet_uint(void);

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

int main(void) {
    unsigned number = __VERIFIER_nondet_uint(), again = 0;
    char text[8];
    for (int i = 0; i < 8; i++) {
        unsigned part = number >> (28 - 4 * i) & 15;
        text[i] = part < 10 ? '0' + part : 'a' + part - 10;
    }
    for (int i = 0; i < 8; i++) {
        int d = digit(text[i]);
        assert(d >= 0);
        again = again << 4 | d;
    }
    assert(again == number);
    return 0;
}
