// returns 0
#include <complex.h>

static double complex twice(double complex z) {
    return z + z;
}

int main(void) {
    double complex a = 1.0 + 2.0 * I, b = 3.0 + 4.0 * I, c;
    float complex f = 2.0f;
    double complex numbers[2] = {a, 5};
    if (creal(a * b) != -5 || cimag(a * b) != 10)
        return 1;
    c = a - b;
    if (__real__ c != -2 || __imag__ c != -2 || c == a || c != -2.0 - 2.0 * I)
        return 2;
    __imag__ c = 7;
    c += 1;
    if (cimag(c) != 7 || creal(c) != -1 || cimag(conj(c)) != -7 || cimag(~c) != -7)
        return 3;
    if (creal(twice(a)) != 2 || cimag(twice(a) / 2.0) != 2 || creal(twice(3)) != 6)
        return 4;
    if ((_Bool)(a - a) || !a || !(a - 1.0) || (double)b != 3)
        return 5;
    if (crealf(f) != 2 || __imag__ f != 0 || cimagf(-f * f) != 0 || sizeof(f) != 8 || sizeof(a) != 16)
        return 6;
    if (carg(1.0 + 0.0 * I) != 0 || cabs(0.0 - 3.0 * I) != 3 || creal(numbers[1]) != 5)
        return 7;
    return __real__ 3 != 3 || __imag__ 3.0 != 0;
}
