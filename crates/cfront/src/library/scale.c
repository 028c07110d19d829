// Powers of two in floating point, exact where C fixes them: what `math.c` has of each type is made of these.

union __craig_double_image {
    double number;
    unsigned long long bits;
};

// 2 to the n, for -1022 <= n <= 1023.
static double __craig_power_of_two(int n) {
    union __craig_double_image image;
    image.bits = (unsigned long long)(n + 1023) << 52;
    return image.number;
}

// x times 2 to the n, rounded once.
double __craig_scaled(double x, int n) {
    if (n > 1023) {
        x = x * 0x1p1023;
        n = n - 1023;
        if (n > 1023) {
            x = x * 0x1p1023;
            n = n - 1023;
            if (n > 1023)
                n = 1023;
        }
    } else if (n < -1022) {
        // Digits that are lost must be lost in the last step.
        x = x * (0x1p-1022 * 0x1p53);
        n = n + (1022 - 53);
        if (n < -1022) {
            x = x * (0x1p-1022 * 0x1p53);
            n = n + (1022 - 53);
            if (n < -1022)
                n = -1022;
        }
    }
    return x * __craig_power_of_two(n);
}

// The greatest n with 2 to the n at most the magnitude of x, which is finite and not zero.
int __craig_magnitude(double x) {
    union __craig_double_image image;
    int less = 0;
    if (-0x1p-1022 < x && x < 0x1p-1022) {
        x = x * 0x1p54;
        less = 54;
    }
    image.number = x;
    return ((int)(image.bits >> 52) & 2047) - 1023 - less;
}
