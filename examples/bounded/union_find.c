#include <assert.h>

// Sets of 5 elements that are joined at will: who was joined is together, and nobody else is.
unsigned __VERIFIER_nondet_uint(void);

enum { SIZE = 5 };
static unsigned parent[SIZE];

static unsigned root(unsigned x) {
    while (parent[x] != x)
        x = parent[x];
    return x;
}

int main(void) {
    unsigned together[SIZE];
    for (unsigned i = 0; i < SIZE; i++) {
        parent[i] = i;
        together[i] = i;
    }
    for (int i = 0; i < 3; i++) {
        unsigned a = __VERIFIER_nondet_uint() % SIZE, b = __VERIFIER_nondet_uint() % SIZE;
        unsigned from = together[a], to = together[b];
        parent[root(a)] = root(b);
        for (unsigned j = 0; j < SIZE; j++)
            if (together[j] == from)
                together[j] = to;
    }
    for (unsigned i = 0; i < SIZE; i++)
        for (unsigned j = 0; j < i; j++)
            assert((root(i) == root(j)) == (together[i] == together[j]));
    return 0;
}
