#include <assert.h>

// Base64 of 3 bytes there and back.
unsigned char __VERIFIER_nondet_uchar(void);

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static unsigned value(char c) {
    if (c >= 'A' && c < 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : 63;
}

int main(void) {
    unsigned char data[3];
    char text[4];
    for (int i = 0; i < 3; i++)
        data[i] = __VERIFIER_nondet_uchar();
    unsigned word = data[0] << 16 | data[1] << 8 | data[2], again = 0;
    for (int i = 0; i < 4; i++)
        text[i] = digits[word >> (18 - 6 * i) & 63];
    for (int i = 0; i < 4; i++)
        again = again << 6 | value(text[i]);
    assert(again == word);
    assert((unsigned char)(again >> 8) == data[1]);
    return 0;
}
