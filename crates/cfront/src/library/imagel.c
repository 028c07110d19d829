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
