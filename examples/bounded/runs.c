#include <assert.h>

// Runs of equal bytes as a byte and a count, 5 bytes there and back.
unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 5 };

int main(void) {
    unsigned char data[SIZE], packed[2 * SIZE], again[SIZE];
    unsigned length = 0, out = 0;
    for (int i = 0; i < SIZE; i++)
        data[i] = __VERIFIER_nondet_uchar();
    for (unsigned i = 0; i < SIZE;) {
        unsigned count = 1;
        while (i + count < SIZE && data[i + count] == data[i])
            count++;
        packed[length++] = data[i];
        packed[length++] = count;
        i += count;
    }
    for (unsigned i = 0; i < length; i += 2)
        for (unsigned j = 0; j < packed[i + 1]; j++) {
            assert(out < SIZE);
            again[out++] = packed[i];
        }
    assert(out == SIZE);
    for (int i = 0; i < SIZE; i++)
        assert(again[i] == data[i]);
    return 0;
}
