#include <assert.h>

// Fletcher's checksum with one division at the end is that with one at every byte.
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        a = (a + byte) % 255;
        b = (b + a) % 255;
        c += byte;
        d += c;
    }
    assert(a == c % 255);
    assert(b == d % 255);
    return 0;
}
