#include <assert.h>

// A queue of two stacks gives 5 numbers back as they came.
int __VERIFIER_nondet_int(void);

enum { SIZE = 5 };
static int in[SIZE], out[SIZE], ins, outs;

static int take(void) {
    if (outs == 0)
        while (ins > 0)
            out[outs++] = in[--ins];
    return out[--outs];
}

int main(void) {
    int values[SIZE], given = 0, taken = 0;
    for (int i = 0; i < 2 * SIZE; i++) {
        if (given < SIZE && (taken == given || __VERIFIER_nondet_int())) {
            values[given] = __VERIFIER_nondet_int();
            in[ins++] = values[given++];
        } else if (taken < given) {
            assert(take() == values[taken]);
            taken++;
        }
    }
    assert(taken == SIZE);
    return 0;
}
