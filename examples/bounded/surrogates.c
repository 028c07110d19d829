#include <assert.h>

// A character in one or two units of 16 bits.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned c = __VERIFIER_nondet_uint(), again;
    unsigned short units[2];
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    int count = c < 0x10000 ? 1 : 2;
    if (count == 1)
        units[0] = c;
    else {
        units[0] = 0xd800 + ((c - 0x10000) >> 10);
        units[1] = 0xdc00 + ((c - 0x10000) & 1023);
    }
    if (units[0] >= 0xd800 && units[0] < 0xdc00)
        again = 0x10000 + ((units[0] - 0xd800u) << 10 | (units[1] - 0xdc00u));
    else
        again = units[0];
    assert(again == c);
    return 0;
}
