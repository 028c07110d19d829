// Numbers of 16 bits, `_Float16`: kept as their bits, and computed with as `float`.

enum { nearest = 0, down = 0x400, up = 0x800, towards_zero = 0xc00 };

int __craig_fegetround(void);

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

// In the direction of rounding.
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
    if (rest == 0x7ff0000000000000)
        return sign | 0x7c00;
    // The bits of the result are those above the last ones, `lost` of which are too many.
    int lost = 42, direction = __craig_fegetround();
    if (rest >= 0x3f10000000000000)
        rest = rest - 0x3f00000000000000;
    else {
        // Below 2^-14 all are multiples of 2^-24.
        int exponent = (int)(rest >> 52);
        if (exponent != 0)
            rest = (rest & 0xfffffffffffff) | 0x10000000000000;
        lost = exponent < 0x3f1 - 12 ? 54 : 42 + (0x3f1 - exponent);
    }
    unsigned long long unit = 1ULL << lost, below = rest & (unit - 1), half = unit >> 1;
    unsigned found = (unsigned)(rest >> lost);
    _Bool outwards = direction == (sign != 0 ? down : up);
    if (found >= 0x7c00)
        return sign | (direction == nearest || outwards ? 0x7c00 : 0x7bff);
    if (direction == nearest ? below > half || (below == half && (found & 1) != 0) : outwards && below != 0)
        found = found + 1;
    return sign | found;
}
