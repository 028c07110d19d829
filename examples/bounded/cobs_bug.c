#include <assert.h>

// Bytes that are sent without zeros (COBS), 4 of any kind there and back.
unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 4 };

int main(void) {
    unsigned char data[SIZE], sent[SIZE + 2], again[SIZE + 2];
    unsigned length = 1, code = 0, at = 0, out = 0;
    for (int i = 0; i < SIZE; i++)
        data[i] = __VERIFIER_nondet_uchar();
    unsigned char run = 1;
    for (int i = 0; i < SIZE; i++) {
        if (data[i] == 0) {
            sent[code] = run;
            code = length++;
            run = 0;
        } else {
            sent[length++] = data[i];
            run++;
        }
    }
    sent[code] = run;
    assert(length == SIZE + 1);
    for (unsigned i = 0; i < length; i++)
        assert(sent[i] != 0);
    while (at < length) {
        unsigned count = sent[at++];
        for (unsigned i = 1; i < count; i++)
            again[out++] = sent[at++];
        if (at < length)
            again[out++] = 0;
    }
    assert(out == SIZE);
    for (int i = 0; i < SIZE; i++)
        assert(again[i] == data[i]);
    return 0;
}
