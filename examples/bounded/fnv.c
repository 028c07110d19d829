#include <assert.h>

// Two texts of 2 bytes that differ in one place have different hashes.
unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);

static unsigned fnv(const unsigned char *text) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < 2; i++)
        hash = (hash ^ text[i]) * 16777619u;
    return hash;
}

int main(void) {
    unsigned char a[2], b[2];
    for (int i = 0; i < 2; i++)
        b[i] = a[i] = __VERIFIER_nondet_uchar();
    b[__VERIFIER_nondet_uint() % 2] = __VERIFIER_nondet_uchar();
    if (a[0] != b[0] || a[1] != b[1])
        assert(fnv(a) != fnv(b));
    return 0;
}
