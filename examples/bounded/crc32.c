#include <assert.h>

// A CRC notices when one bit of 2 bytes is flipped.
unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);

static unsigned crc32(const unsigned char *data, int length) {
    unsigned crc = 0xffffffff;
    for (int i = 0; i < length; i++) {
        crc ^= data[i];
        for (int j = 0; j < 8; j++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

int main(void) {
    unsigned char data[2], broken[2];
    unsigned bit = __VERIFIER_nondet_uint();
    if (bit >= 16)
        return 0;
    for (int i = 0; i < 2; i++)
        broken[i] = data[i] = __VERIFIER_nondet_uchar();
    broken[bit / 8] ^= 1 << bit % 8;
    assert(crc32(data, 2) != crc32(broken, 2));
    return 0;
}
