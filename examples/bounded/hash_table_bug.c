#include <assert.h>

// A table of 4 places: what was put in is found, and nothing else.
unsigned __VERIFIER_nondet_uint(void);

enum { SIZE = 4 };
static unsigned keys[SIZE];
static int used[SIZE];

static unsigned place(unsigned key) {
    unsigned at = (key ^ key >> 7 ^ key >> 16) % SIZE;
    for (int i = 0; i < SIZE && used[at] && keys[at] != key; i++)
        at = (at + 2) % SIZE;
    return at;
}

int main(void) {
    unsigned given[3], other = __VERIFIER_nondet_uint();
    int is_one = 0;
    for (int i = 0; i < 3; i++) {
        given[i] = __VERIFIER_nondet_uint();
        is_one |= given[i] == other;
        unsigned at = place(given[i]);
        used[at] = 1;
        keys[at] = given[i];
    }
    for (int i = 0; i < 3; i++)
        assert(used[place(given[i])] && keys[place(given[i])] == given[i]);
    assert((used[place(other)] && keys[place(other)] == other) == is_one);
    return 0;
}
