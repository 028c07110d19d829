#include <assert.h>

// Base32 of 5 bytes there and back.
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char data[5], again[5];
    char text[8];
    unsigned long long word = 0, read = 0;
    for (int i = 0; i < 5; i++) {
        data[i] = __VERIFIER_nondet_uchar();
        word = word << 8 | data[i];
    }
    for (int i = 0; i < 8; i++) {
        unsigned part = word >> (35 - 5 * i) & 31;
        text[i] = part < 26 ? 'A' + part : '2' + (part - 26);
    }
    for (int i = 0; i < 8; i++)
        read = read << 5 | (text[i] >= 'A' ? text[i] - 'A' : text[i] - '2' + 26);
    for (int i = 0; i < 5; i++) {
        again[i] = read >> (32 - 8 * i);
        assert(again[i] == data[i]);
    }
    return 0;
}
