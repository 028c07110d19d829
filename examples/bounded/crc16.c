#include <assert.h>

// The CRC of a sum of messages is the sum of their CRCs.
unsigned char __VERIFIER_nondet_uchar(void);

static unsigned short crc16(const unsigned char *data, int length) {
    unsigned short crc = 0;
    for (int i = 0; i < length; i++) {
        crc ^= data[i] << 8;
        for (int j = 0; j < 8; j++)
            crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
    }
    return crc;
}

int main(void) {
    unsigned char a[3], b[3], sum[3];
    for (int i = 0; i < 3; i++) {
        a[i] = __VERIFIER_nondet_uchar();
        b[i] = __VERIFIER_nondet_uchar();
        sum[i] = a[i] ^ b[i];
    }
    assert(crc16(sum, 3) == (crc16(a, 3) ^ crc16(b, 3)));
    return 0;
}
