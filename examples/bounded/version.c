#include <assert.h>

// A machine of states accepts HTTP/ and two digits with a point, and nothing else, in any 8 bytes.
unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 8 };

int main(void) {
    static const char start[5] = { 'H', 'T', 'T', 'P', '/' };
    unsigned char text[SIZE];
    int state = 0;
    for (int i = 0; i < SIZE; i++)
        text[i] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < SIZE; i++) {
        unsigned char c = text[i];
        if (state >= 0 && state < 5)
            state = c == (unsigned char)start[state] ? state + 1 : -1;
        else if (state == 5 || state == 7)
            state = c >= '0' && c <= '9' ? state + 1 : -1;
        else if (state == 6)
            state = c == '.' ? 7 : -1;
    }
    if (state == 8) {
        assert(text[0] == 'H' && text[3] == 'P' && text[6] == '.');
        assert(text[7] - '0' <= 9);
    } else
        assert(state == -1);
    return 0;
}
