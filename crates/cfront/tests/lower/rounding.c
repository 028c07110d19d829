// returns 0
// The direction of rounding: each operation and conversion follows it, and nothing else does.
int fesetround(int);
int fegetround(void);
double sqrt(double);
double fma(double, double, double);
double rint(double);

enum { NEAREST = 0, DOWN = 0x400, UP = 0x800, ZERO = 0xc00 };

int main(void) {
    double one = 1, three = 3, tiny = 0x1p-60, big = 0x1.fffffffffffffp1023;
    float f = 1, g = 0x1.8p-24f;
    int n = 33554433;
    if (f + g != 0x1.000002p0f || one + tiny != 1 || (float)n != 33554432)
        return 1;
    if (fesetround(DOWN) || fegetround() != DOWN)
        return 2;
    if (f + g != 1 || one - tiny != 0x1.fffffffffffffp-1 || big + big != big)
        return 3;
    if (one / three != 0x1.5555555555555p-2 || 1 / (one - one) != -__builtin_inf())
        return 4;
    if ((float)-n != -33554436 || (float)(1 + 0x1p-30) != 1 || rint(-1.5) != -2 || rint(1.5) != 1)
        return 5;
    fesetround(UP);
    if (one + tiny != 0x1.0000000000001p0 || one / three != 0x1.5555555555556p-2 || -one / three != -0x1.5555555555555p-2)
        return 6;
    if ((float)n != 33554436 || sqrt(2) != 0x1.6a09e667f3bcdp0 || tiny * 0x1p-1074 != 0x1p-1074)
        return 7;
    fesetround(ZERO);
    if (-one - tiny != -1 || -big - big != -big || fma(one, three, -tiny) != 0x1.7ffffffffffffp1)
        return 8;
    if (fesetround(7) == 0 || fegetround() != ZERO)
        return 9;
    one -= tiny;
    if (one != 0x1.fffffffffffffp-1)
        return 10;
    return 0;
}
