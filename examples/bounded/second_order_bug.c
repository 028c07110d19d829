#include <assert.h>

// A filter of second order in fixed point: no sum leaves 32 bits, and the result is limited to 12.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i < 4; i++) {
        int x = __VERIFIER_nondet_int();
        if (x < -2048 || x > 2047)
            return 0;
        long long exact = 1200LL * x + 2400LL * x1 + 1200LL * x2 + 25000LL * y1 - 9000LL * y2;
        assert(exact == (int)exact);
        int y = (int)(exact >> 14);
        y = y > 2047 ? 2047 : y < -4096 ? -4096 : y;
        x2 = x1;
        x1 = x;
        y2 = y1;
        y1 = y;
        assert(y >= -2048 && y <= 2047);
    }
    return 0;
}
