#include <assert.h>

// What is decoded from UTF-8 is encoded as the same bytes.
unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char text[4], again[4];

// The length of the character, or 0.
static unsigned decode(unsigned *c) {
    unsigned lead = text[0], length, least;
    if (lead < 0x80) {
        *c = lead;
        return 1;
    }
    if (lead >> 5 == 6) {
        length = 2;
        *c = lead & 31;
        least = 0x80;
    } else if (lead >> 4 == 14) {
        length = 3;
        *c = lead & 15;
        least = 0x800;
    } else if (lead >> 3 == 30) {
        length = 4;
        *c = lead & 7;
        least = 0x10000;
    } else
        return 0;
    for (unsigned i = 1; i < length; i++) {
        if (text[i] >> 6 != 2)
            return 0;
        *c = *c << 6 | (text[i] & 63);
    }
    if (*c < least || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000))
        return 0;
    return length;
}

static unsigned encode(unsigned c) {
    if (c < 0x80) {
        again[0] = c;
        return 1;
    }
    unsigned length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (unsigned i = length - 1; i > 0; i--) {
        again[i] = 0x80 | (c & 63);
        c >>= 6;
    }
    again[0] = (0xf00 >> length & 0xff) | c;
    return length;
}

int main(void) {
    unsigned c;
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_uchar();
    unsigned length = decode(&c);
    if (length > 0) {
        assert(encode(c) == length);
        for (unsigned i = 0; i < length; i++)
            assert(again[i] == text[i]);
    }
    return 0;
}
