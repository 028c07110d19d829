// One function of a program, for input of any length.
//
// safe: --entry checksum --requires 'valid(packet, length)'
// safe: --entry checksum --requires-file checksum.requires
// unsafe: --entry checksum_bug --requires 'valid(packet, length)'
// unsafe: --entry checksum
// vacuous: --entry checksum --requires 'valid(packet, length) && length > 20 && length < 10'
#include <stddef.h>
#include <stdint.h>

uint16_t checksum(const uint8_t *packet, size_t length) {
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < length / 2; i++)
        sum += (uint32_t)packet[2 * i] << 8 | packet[2 * i + 1];
    if (length % 2)
        sum += (uint32_t)packet[length - 1] << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

uint16_t checksum_bug(const uint8_t *packet, size_t length) {
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < length; i += 2)
        sum += (uint32_t)packet[i] << 8 | packet[i + 1];
    return (uint16_t)~sum;
}
