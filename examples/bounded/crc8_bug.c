#include <assert.h>

// A CRC of 3 bytes by a table of 16 entries is that bit by bit.
unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char step(unsigned char crc) {
    return crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1;
}

int main(void) {
    unsigned char table[16], bitwise = 0, quick = 0;
    for (int i = 0; i < 16; i++) {
        unsigned char entry = i << 4;
        for (int j = 0; j < 4; j++)
            entry = step(entry);
        table[i] = entry;
    }
    for (int i = 0; i < 3; i++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        bitwise ^= byte;
        for (int j = 0; j < 8; j++)
            bitwise = step(bitwise);
        quick = quick << 4 ^ table[quick >> 4 ^ byte >> 4];
        quick = quick << 4 ^ table[quick >> 4 ^ byte >> 4];
    }
    assert(bitwise == quick);
    return 0;
}
