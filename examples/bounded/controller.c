#include <assert.h>

// A controller whose sum is limited gives what is limited, for 3 errors of any size.
short __VERIFIER_nondet_short(void);

static int limit(int x, int most) {
    return x > most ? most : x < -most ? -most : x;
}

int main(void) {
    int sum = 0, last = 0;
    for (int i = 0; i < 3; i++) {
        int error = __VERIFIER_nondet_short();
        sum = limit(sum + error, 100000);
        int output = limit((300 * error + 20 * sum + 50 * (error - last)) >> 8, 1000);
        last = error;
        assert(sum >= -100000 && sum <= 100000);
        assert(output >= -1000 && output <= 1000);
    }
    return 0;
}
