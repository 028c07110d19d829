#include <assert.h>

// A hash that is computed in two pieces is that of the whole.
unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);

static unsigned update(unsigned hash, const unsigned char *text, unsigned length) {
    for (unsigned i = 0; i < length; i++) {
        hash += text[i];
        hash += hash << 10;
        hash ^= hash >> 6;
    }
    return hash;
}

int main(void) {
    unsigned char text[4];
    unsigned cut = __VERIFIER_nondet_uint() % 5;
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_uchar();
    assert(update(update(0, text, cut), text + cut, 4 - cut) == update(0, text, 4));
    return 0;
}
