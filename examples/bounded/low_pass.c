#include <assert.h>

// A filter of first order stays between what it was given.
short __VERIFIER_nondet_short(void);

int main(void) {
    int state = __VERIFIER_nondet_short(), low = state, high = state;
    for (int i = 0; i < 4; i++) {
        int sample = __VERIFIER_nondet_short();
        low = sample < low ? sample : low;
        high = sample > high ? sample : high;
        state += (sample - state) >> 2;
        assert(low <= state && state <= high);
    }
    return 0;
}
