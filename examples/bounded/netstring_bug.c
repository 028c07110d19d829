#include <assert.h>

// Netstrings such as 2:ab, in any 6 bytes: what is inside lies in the text.
unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 6 };

int main(void) {
    unsigned char text[SIZE];
    unsigned at = 0, length = 0;
    for (int i = 0; i < SIZE; i++)
        text[i] = __VERIFIER_nondet_uchar();
    while (at < SIZE && text[at] >= '0' && text[at] <= '9') {
        length = length * 10 + (text[at] - '0');
        at++;
    }
    if (at == 0 || at >= SIZE || text[at] != ':')
        return 0;
    at++;
    if (length > SIZE - at)
        return 0;
    assert(at + length < SIZE);
    if (text[at + length] == ',')
        assert(at >= 2 && length <= 3);
    return 0;
}
