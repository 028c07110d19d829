#include <assert.h>

// A number in groups of 7 bits there and back.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned number = __VERIFIER_nondet_uint(), rest = number, again = 0;
    unsigned char bytes[5];
    int length = 0;
    do {
        assert(length < 4);
        bytes[length] = rest & 127;
        rest >>= 7;
        if (rest)
            bytes[length] |= 128;
        length++;
    } while (rest);
    for (int i = 0; i < length; i++) {
        assert((bytes[i] >> 7) == (i + 1 < length));
        again |= (unsigned)(bytes[i] & 127) << 7 * i;
    }
    assert(again == number);
    return 0;
}
