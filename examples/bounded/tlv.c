#include <assert.h>

// Items of a type, a length and as many bytes, in any 8 bytes.
unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 8 };

int main(void) {
    unsigned char data[SIZE];
    unsigned at = 0, sum = 0, items = 0;
    for (int i = 0; i < SIZE; i++)
        data[i] = __VERIFIER_nondet_uchar();
    while (at + 2 <= SIZE) {
        unsigned length = data[at + 1];
        if (length > SIZE - at - 2)
            break;
        for (unsigned i = 0; i < length; i++) {
            assert(at + 2 + i < SIZE);
            sum += data[at + 2 + i];
        }
        at += 2 + length;
        items++;
    }
    assert(items <= SIZE / 2);
    assert(sum <= 255 * (SIZE - 2 * items));
    return 0;
}
