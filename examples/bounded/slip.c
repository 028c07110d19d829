#include <assert.h>

// Frames with escapes (SLIP), 4 bytes of any kind there and back.
unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 4, END = 0xc0, ESC = 0xdb, ESC_END = 0xdc, ESC_ESC = 0xdd };

int main(void) {
    unsigned char data[SIZE], sent[2 * SIZE + 1], again[SIZE + 1];
    unsigned length = 0, at = 0, out = 0;
    for (int i = 0; i < SIZE; i++)
        data[i] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < SIZE; i++) {
        if (data[i] == END) {
            sent[length++] = ESC;
            sent[length++] = ESC_END;
        } else if (data[i] == ESC) {
            sent[length++] = ESC;
            sent[length++] = ESC_ESC;
        } else
            sent[length++] = data[i];
    }
    sent[length++] = END;
    while (sent[at] != END) {
        unsigned char c = sent[at++];
        if (c == ESC)
            c = sent[at++] == ESC_END ? END : ESC;
        assert(out < SIZE);
        again[out++] = c;
    }
    assert(at + 1 == length && out == SIZE);
    for (int i = 0; i < SIZE; i++)
        assert(again[i] == data[i]);
    return 0;
}
