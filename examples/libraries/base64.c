// Base64 (RFC 4648) between buffers of any size.
//
// safe: --entry base64_encode
// safe: --entry base64_decode
// unsafe: -DBUG1 --entry base64_encode
// unsafe: -DBUG2 --entry base64_decode
#include <stddef.h>
#include <stdint.h>

static const char alphabet[64] = {
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S', 'T', 'U', 'V',
    'W', 'X', 'Y', 'Z', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r',
    's', 't', 'u', 'v', 'w', 'x', 'y', 'z', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '/'};

/* Returns how many characters were written; `*complete` tells whether that is all. */
/*@ requires \valid_read(in + (0..n-1)) && \valid(out + (0..room-1)) && \valid(complete);
  @ requires \separated(in, out, complete); */
size_t base64_encode(const uint8_t *in, size_t n, char *out, size_t room, int *complete) {
    size_t from = 0, to = 0;
    *complete = 0;
    while (from < n) {
        unsigned left = n - from < 3 ? (unsigned)(n - from) : 3;
        uint8_t a = in[from];
#ifdef BUG1 /* reads a second byte that may not be there */
        uint8_t b = in[from + 1];
#else
        uint8_t b = left > 1 ? in[from + 1] : 0;
#endif
        uint8_t c = left > 2 ? in[from + 2] : 0;
        if (room - to < 4)
            return to;
        out[to] = alphabet[a / 4];
        out[to + 1] = alphabet[a % 4 * 16 + b / 16];
        out[to + 2] = left > 1 ? alphabet[b % 16 * 4 + c / 64] : '=';
        out[to + 3] = left > 2 ? alphabet[c % 64] : '=';
        to += 4;
        from += left;
    }
    *complete = 1;
    return to;
}

static int digit(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    return c == '/' ? 63 : -1;
}

/* Returns how many bytes were written; stops at the first character that is none of base64. */
/*@ requires \valid_read(in + (0..n-1)) && \valid(out + (0..room-1)) && \separated(in, out); */
size_t base64_decode(const char *in, size_t n, uint8_t *out, size_t room) {
    size_t from, to = 0;
    unsigned bits = 0, have = 0;
    for (from = 0; from < n; from++) {
        int value = digit(in[from]);
        if (value < 0)
            break;
        bits = (bits % 64) * 64 + (unsigned)value;
        have += 6;
        if (have >= 8) {
            have -= 8;
#ifdef BUG2 /* off by one */
            if (to > room)
#else
            if (to >= room)
#endif
                break;
            out[to++] = (uint8_t)(bits >> have);
        }
    }
    return to;
}
