#include <assert.h>

// A round of SipHash on halves of its words can be undone.
unsigned __VERIFIER_nondet_uint(void);

static unsigned rotate(unsigned x, int by) {
    return x << by | x >> (32 - by);
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned c = __VERIFIER_nondet_uint(), d = __VERIFIER_nondet_uint();
    unsigned p = a, q = b, r = c, s = d;
    p += q;
    q = rotate(q, 5) ^ p;
    p = rotate(p, 16);
    r += s;
    s = rotate(s, 8) ^ r;
    r = rotate(r, 16);
    r = rotate(r, 16);
    s = rotate(s ^ r, 24);
    r -= s;
    p = rotate(p, 16);
    q = rotate(q ^ p, 27);
    p -= q;
    assert(a == p && b == q && c == r && d == s);
    return 0;
}
