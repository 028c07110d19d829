#include <assert.h>

// Six fields of 5 bits packed into bytes.
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char fields[6], packed[4] = { 0, 0, 0, 0 };
    for (int i = 0; i < 6; i++)
        fields[i] = __VERIFIER_nondet_uchar() & 31;
    for (int i = 0; i < 6; i++) {
        int bit = 5 * i;
        packed[bit / 8] |= fields[i] << bit % 8;
        if (bit % 8 > 3)
            packed[bit / 8 + 1] |= fields[i] >> (8 - bit % 8);
    }
    for (int i = 0; i < 6; i++) {
        int bit = 5 * i;
        unsigned word = packed[bit / 8];
        if (bit / 8 < 3)
            word |= packed[bit / 8 + 1] << 8;
        assert((word >> bit % 8 & 31) == fields[i]);
    }
    return 0;
}
