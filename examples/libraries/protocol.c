// Messages of fields: a byte of type, two bytes of length, and so many bytes of value.
//
// safe: --entry message_check
// safe: --entry message_sum
// safe: --entry message_write
// unsafe: -DBUG1 --entry message_check
// unsafe: -DBUG2 --entry message_sum
#include <stddef.h>
#include <stdint.h>

static size_t length_at(const uint8_t *p) {
    return (size_t)p[0] * 256 + p[1];
}

/* How many fields there are; -1 if the message is cut off. */
/*@ requires \valid_read(message + (0..n-1)) && n <= 1000000; */
int message_check(const uint8_t *message, size_t n) {
    size_t at = 0;
    int fields = 0;
    while (at < n) {
        size_t length;
#ifdef BUG1 /* type and one byte of length are not enough */
        if (n - at < 2)
#else
        if (n - at < 3)
#endif
            return -1;
        length = length_at(message + at + 1);
        at += 3;
        if (length > n - at)
            return -1;
        at += length;
        fields++;
    }
    return fields;
}

/* The sum of the values of one type. */
/*@ requires \valid_read(message + (0..n-1)) && n <= 1000000; */
unsigned message_sum(const uint8_t *message, size_t n, uint8_t type) {
    size_t at = 0;
    unsigned sum = 0;
    while (n - at >= 3) {
        size_t length = length_at(message + at + 1), i;
        uint8_t found = message[at];
        at += 3;
#ifdef BUG2 /* believes what the message says */
        if (length > n)
#else
        if (length > n - at)
#endif
            break;
        if (found == type)
            for (i = 0; i < length; i++)
                sum += message[at + i];
        at += length;
    }
    return sum;
}

/* Adds a field; the new length, or 0 if there is no room. */
/*@ requires \valid(message + (0..room-1)) && used <= room;
  @ requires \valid_read(value + (0..n-1)) && \separated(message, value);
  @ ensures \result <= room; */
size_t message_write(uint8_t *message, size_t room, size_t used, uint8_t type, const uint8_t *value, size_t n) {
    size_t i;
    if (n > 65535 || room - used < 3 || n > room - used - 3)
        return 0;
    message[used] = type;
    message[used + 1] = (uint8_t)(n / 256);
    message[used + 2] = (uint8_t)(n % 256);
    for (i = 0; i < n; i++)
        message[used + 3 + i] = value[i];
    return used + 3 + n;
}
