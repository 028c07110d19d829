#include <assert.h>

// The mean of the last 4 of 6 samples lies between the least and the greatest.
short __VERIFIER_nondet_short(void);

int main(void) {
    short window[4];
    int sum = 0, low = 32767, high = -32768;
    for (int i = 0; i < 4; i++) {
        window[i] = __VERIFIER_nondet_short();
        sum += window[i];
    }
    for (int i = 0; i < 2; i++) {
        sum -= window[i];
        window[i] = __VERIFIER_nondet_short();
        sum += window[i];
    }
    for (int i = 0; i < 4; i++) {
        low = window[i] < low ? window[i] : low;
        high = window[i] > high ? window[i] : high;
    }
    assert(low <= sum >> 2 && sum >> 2 <= high);
    return 0;
}
