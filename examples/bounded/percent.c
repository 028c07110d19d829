#include <assert.h>

// What is written with %41 in a name is never longer than before, in any 7 bytes.
unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 7 };

static int digit(unsigned char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int main(void) {
    unsigned char text[SIZE + 1], out[SIZE + 1];
    unsigned at = 0, length = 0, escapes = 0;
    for (int i = 0; i < SIZE; i++)
        text[i] = __VERIFIER_nondet_uchar();
    text[SIZE] = 0;
    while (text[at]) {
        if (text[at] == '%' && digit(text[at + 1]) >= 0 && digit(text[at + 2]) >= 0) {
            out[length] = digit(text[at + 1]) * 16 + digit(text[at + 2]);
            at += 3;
            escapes++;
        } else {
            out[length] = text[at];
            at++;
        }
        length++;
    }
    assert(at <= SIZE);
    assert(length + 2 * escapes == at);
    return 0;
}
