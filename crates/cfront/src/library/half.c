// Numbers of 16 bits, `_Float16`: kept as their bits, and computed with as `float`.

float __craig_float_of_half(unsigned short half) {
    union {
        float number;
        unsigned bits;
    } image;
    unsigned exponent = half >> 10 & 31, fraction = half & 1023;
    if (exponent == 0)
        image.number = (float)(int)fraction * 0x1p-24f;
    else
        image.bits = (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    image.bits |= (unsigned)(half >> 15) << 31;
    return image.number;
}

// To the nearest, and to the even one of two.
unsigned short __craig_float_to_half(double x) {
    union {
        double number;
        unsigned long long bits;
    } image;
    image.number = x;
    unsigned sign = image.bits >> 63 != 0 ? 0x8000 : 0;
    unsigned long long rest = image.bits & 0x7fffffffffffffff;
    if (rest > 0x7ff0000000000000)
        return sign | 0x7e00;
    if (rest >= 0x40effe0000000000)
        return sign | 0x7c00;
    if (rest >= 0x3f10000000000000) {
        rest += 0x1ffffffffff + (rest >> 42 & 1);
        return sign | (unsigned)((rest >> 42) - (1008 << 10));
    }
    // Below 2^-14 all are multiples of 2^-24, as are the sums with 1.5 * 2^28.
    image.bits = rest;
    double whole = (image.number + 0x1.8p28) - 0x1.8p28;
    return sign | (unsigned)(int)(whole * 0x1p24);
}
