union __craig_image {
    double number;
    unsigned long long bits;
};

static struct __craig_number __craig_parts(double x) {
    struct __craig_number n;
    union __craig_image image;
    int exponent;
    image.number = x;
    exponent = (int)(image.bits >> 52) & 2047;
    n.negative = (image.bits >> 63) != 0;
    n.value = image.bits & 0xfffffffffffffull;
    if (exponent > 0)
        n.value = n.value + 0x10000000000000ull;
    else
        exponent = 1;
    n.exponent = exponent - 1075;
    return n;
}

// A number that there is.
static double __craig_packed(_Bool negative, unsigned long long kept, int exponent) {
    union __craig_image result;
    int length = __craig_float_length(kept);
    if (kept == 0)
        result.bits = 0;
    else if (exponent + length > -1022)
        result.bits = ((unsigned long long)(exponent + length + 1022) << 52)
                      + ((kept << (53 - length)) & 0xfffffffffffffull);
    else
        result.bits = kept << (exponent + 1074);
    if (negative)
        result.bits = result.bits | 0x8000000000000000ull;
    return result.number;
}

// The next whole number in a direction: 0 towards zero, 1 away from it; or the nearest: 2 away from zero where two are,
// 3 to the even one. `x` has a magnitude of 1 at least, and some place for a fraction. What is added carries into the exponent.
double __craig_float_whole(double x, int direction) {
    union __craig_image image;
    unsigned long long fraction, more;
    image.number = x;
    fraction = 0xfffffffffffffull >> ((((image.bits >> 52) & 2047) - 1023) & 63);
    more = direction == 0 ? 0 : direction == 1 ? fraction : (fraction >> 1) + (direction == 2);
    if (direction == 3 && (image.bits & (fraction + 1)))
        more = more + 1;
    image.bits = (image.bits + more) & ~fraction;
    return image.number;
}

float __craig_float_wholef(float x, int direction) {
    union {
        float number;
        unsigned bits;
    } image;
    unsigned fraction, more;
    image.number = x;
    fraction = 0x7fffffu >> ((((image.bits >> 23) & 255) - 127) & 31);
    more = direction == 0 ? 0 : direction == 1 ? fraction : (fraction >> 1) + (direction == 2);
    if (direction == 3 && (image.bits & (fraction + 1)))
        more = more + 1;
    image.bits = (image.bits + more) & ~fraction;
    return image.number;
}
