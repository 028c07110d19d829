#include <assert.h>

// The sum of a packet with its checksum is all ones, whatever the order of bytes.
unsigned char __VERIFIER_nondet_uchar(void);

static unsigned sum(const unsigned char *data, int length, int swapped) {
    unsigned total = 0;
    for (int i = 0; i < length; i += 2)
        total += swapped ? data[i + 1] << 8 | data[i] : data[i] << 8 | data[i + 1];
    while (total >> 16)
        total = (total & 0xffff) + (total >> 16);
    return total;
}

int main(void) {
    unsigned char packet[8];
    for (int i = 0; i < 6; i++)
        packet[i] = __VERIFIER_nondet_uchar();
    unsigned checksum = ~sum(packet, 6, 0) & 0xffff;
    packet[6] = checksum >> 8;
    packet[7] = checksum & 0xff;
    assert(sum(packet, 8, 0) == 0xffff);
    assert(sum(packet, 8, 1) == 0xffff);
    return 0;
}
