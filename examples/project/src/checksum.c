#include "ring.h"

/* It reads one byte too many. */
/*@ requires length < 1000 && \valid_read(data + (0..length-1)); */
unsigned checksum(const unsigned char *data, unsigned length)
{
    unsigned sum = 0;
    for (unsigned i = 0; i <= length; i++)
        sum = sum * 31 + data[i];
    return sum;
}
