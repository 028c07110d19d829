#include <assert.h>

// The median of 5 samples by comparisons in a fixed order.
short __VERIFIER_nondet_short(void);

static short s[5];

static void order(int i, int j) {
    if (s[i] > s[j]) {
        short t = s[i];
        s[i] = s[j];
        s[j] = t;
    }
}

int main(void) {
    short given[5];
    for (int i = 0; i < 5; i++)
        given[i] = s[i] = __VERIFIER_nondet_short();
    order(0, 1);
    order(3, 4);
    order(0, 3);
    order(1, 4);
    order(1, 2);
    order(2, 3);
    order(1, 2);
    int below = 0, above = 0;
    for (int i = 0; i < 5; i++) {
        below += given[i] < s[2];
        above += given[i] > s[2];
    }
    assert(below <= 2 && above <= 2);
    return 0;
}
