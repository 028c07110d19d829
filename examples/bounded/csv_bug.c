#include <assert.h>

// Fields that are separated by commas, in any 6 bytes.
unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 6 };
static unsigned char line[SIZE + 1];

int main(void) {
    unsigned start[SIZE + 1], length[SIZE + 1], fields = 0, commas = 0, total = 0;
    for (int i = 0; i < SIZE; i++)
        line[i] = __VERIFIER_nondet_uchar();
    for (unsigned i = 0; line[i] != 0; i++)
        commas += line[i] == ',';
    unsigned at = 0;
    for (;;) {
        start[fields] = at;
        while (line[at] != 0 && line[at] != ',')
            at++;
        length[fields] = at - start[fields];
        fields++;
        if (line[at] == 0 || line[at + 1] == 0)
            break;
        at++;
    }
    for (unsigned i = 0; i < fields; i++)
        total += length[i];
    assert(fields == commas + 1);
    assert(total + commas == at);
    return 0;
}
