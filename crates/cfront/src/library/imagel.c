union __craig_imagel {
    long double number;
    struct {
        unsigned long long significand;
        unsigned short exponent;
    } bits;
};

static struct __craig_numberl __craig_partsl(long double x) {
    struct __craig_numberl n;
    union __craig_imagel image;
    int exponent;
    image.number = x;
    exponent = image.bits.exponent & 0x7fff;
    n.negative = (image.bits.exponent & 0x8000) != 0;
    n.value = image.bits.significand;
    n.exponent = (exponent > 0 ? exponent : 1) - 16446;
    return n;
}

// A number that there is.
static long double __craig_packedl(_Bool negative, unsigned long long kept, int exponent) {
    union __craig_imagel result;
    int length = __craig_float_length(kept);
    if (kept == 0) {
        result.bits.significand = 0;
        result.bits.exponent = 0;
    } else if (exponent + length > -16382) {
        result.bits.significand = kept << (64 - length);
        result.bits.exponent = (unsigned short)(exponent + length + 16382);
    } else {
        result.bits.significand = kept << (exponent + 16445);
        result.bits.exponent = 0;
    }
    if (negative)
        result.bits.exponent = result.bits.exponent | 0x8000;
    return result.number;
}

// As of `double`, but that the bit in front of the fraction is there: what is added may carry beyond it.
long double __craig_float_wholel(long double x, int direction) {
    union __craig_imagel image;
    unsigned long long fraction, more, significand;
    image.number = x;
    significand = image.bits.significand;
    fraction = 0x7fffffffffffffffull >> (((image.bits.exponent & 0x7fff) - 16383) & 63);
    more = direction == 0 ? 0 : direction == 1 ? fraction : (fraction >> 1) + (direction == 2);
    if (direction == 3 && (significand & (fraction + 1)))
        more = more + 1;
    significand = (significand + more) & ~fraction;
    if (!(significand >> 63)) {
        significand = 0x8000000000000000ull;
        image.bits.exponent = (unsigned short)(image.bits.exponent + 1);
    }
    image.bits.significand = significand;
    return image.number;
}
