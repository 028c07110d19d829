// Binary floating point in integers, rounded in the direction of <fenv.h>: what programs that set it compute with
// (lower/rounding.rs), and square roots and `fma`, which are exact but for one rounding. All numbers are passed as
// `double`; `digits` says of which type the result is: 24 for `float`, 53 for `double`.

typedef unsigned __int128 wide;

// The directions, as <fenv.h> of x86 has them.
enum { nearest = 0, down = 0x400, up = 0x800, towards_zero = 0xc00 };

static int __craig_direction;

int __craig_fegetround(void) {
    return __craig_direction;
}

int __craig_fesetround(int direction) {
    if (direction != nearest && direction != down && direction != up && direction != towards_zero)
        return 1;
    __craig_direction = direction;
    return 0;
}

// `value` times 2 to the power of `exponent`; the last bit of `value` also stands for all that was lost behind it.
struct __craig_number {
    _Bool negative;
    wide value;
    int exponent;
};

union __craig_image {
    double number;
    unsigned long long bits;
};

// The bit for the sign.
_Bool __craig_sign(double x) {
    union __craig_image image;
    image.number = x;
    return (image.bits >> 63) != 0;
}

// The power of two that a normal number is at least, and whether it is a power of two.
int __craig_exponent(double x) {
    union __craig_image image;
    image.number = x;
    return ((int)(image.bits >> 52) & 2047) - 1023;
}

_Bool __craig_is_power(double x) {
    union __craig_image image;
    image.number = x;
    return (image.bits & 0xfffffffffffffull) == 0;
}

static _Bool __craig_is_finite(double x) {
    return -__builtin_inf() < x && x < __builtin_inf();
}

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

// How many binary digits there are.
static int __craig_length(wide m) {
    int n = 0;
    if (m >> 64) {
        n = n + 64;
        m = m >> 64;
    }
    if (m >> 32) {
        n = n + 32;
        m = m >> 32;
    }
    if (m >> 16) {
        n = n + 16;
        m = m >> 16;
    }
    if (m >> 8) {
        n = n + 8;
        m = m >> 8;
    }
    if (m >> 4) {
        n = n + 4;
        m = m >> 4;
    }
    if (m >> 2) {
        n = n + 2;
        m = m >> 2;
    }
    if (m >> 1) {
        n = n + 1;
        m = m >> 1;
    }
    return n + (int)m;
}

// Shifted to the right; what is lost is in the last bit.
static wide __craig_shifted(wide m, int n) {
    if (n <= 0)
        return m;
    if (n > 127)
        return m != 0;
    return m >> n | ((m & (((wide)1 << n) - 1)) != 0);
}

static double __craig_rounded(struct __craig_number n, int digits, int direction) {
    int least = digits == 24 ? -149 : -1074, most = digits == 24 ? 128 : 1024;
    int lost = __craig_length(n.value) - digits, rest, length;
    wide m;
    unsigned long long kept;
    union __craig_image result;
    if (lost < least - n.exponent)
        lost = least - n.exponent;
    if (lost < 0)
        lost = 0;
    // Two digits more: the first that is lost, and whether there are others.
    m = lost < 2 ? n.value << (2 - lost) : __craig_shifted(n.value, lost - 2);
    kept = (unsigned long long)(m >> 2);
    rest = (int)(m & 3);
    n.exponent = n.exponent + lost;
    if (direction == nearest ? rest > 2 || (rest == 2 && (kept & 1))
                             : rest > 0 && direction == (n.negative ? down : up))
        kept = kept + 1;
    if (kept >> digits) {
        kept = kept >> 1;
        n.exponent = n.exponent + 1;
    }
    length = __craig_length(kept);
    if (kept == 0)
        result.bits = 0;
    else if (n.exponent + length > most) {
        if (direction == nearest || direction == (n.negative ? down : up))
            result.bits = 0x7ff0000000000000ull;
        else
            result.bits = digits == 24 ? 0x47efffffe0000000ull : 0x7fefffffffffffffull;
    } else if (n.exponent + length > -1022)
        result.bits = ((unsigned long long)(n.exponent + length + 1022) << 52)
                      + ((kept << (53 - length)) & 0xfffffffffffffull);
    else
        result.bits = kept << (n.exponent + 1074);
    if (n.negative)
        result.bits = result.bits | 0x8000000000000000ull;
    return result.number;
}

// With 126 binary digits: there is room for a carry, and more than enough behind a result.
static struct __craig_number __craig_aligned(struct __craig_number n) {
    int shift = 126 - __craig_length(n.value);
    n.value = n.value << shift;
    n.exponent = n.exponent - shift;
    return n;
}

static double __craig_sum(struct __craig_number a, struct __craig_number b, int digits) {
    if (a.value == 0 && b.value == 0) {
        if (a.negative != b.negative)
            a.negative = __craig_direction == down;
        return __craig_rounded(a, digits, __craig_direction);
    }
    if (a.value == 0)
        return __craig_rounded(b, digits, __craig_direction);
    if (b.value == 0)
        return __craig_rounded(a, digits, __craig_direction);
    a = __craig_aligned(a);
    b = __craig_aligned(b);
    if (a.exponent < b.exponent) {
        struct __craig_number smaller = a;
        a = b;
        b = smaller;
    }
    b.value = __craig_shifted(b.value, a.exponent - b.exponent);
    if (a.negative == b.negative)
        a.value = a.value + b.value;
    else if (a.value > b.value)
        a.value = a.value - b.value;
    else if (a.value < b.value) {
        a.value = b.value - a.value;
        a.negative = b.negative;
    } else {
        a.value = 0;
        a.negative = __craig_direction == down;
    }
    return __craig_rounded(a, digits, __craig_direction);
}

static struct __craig_number __craig_product(double x, double y) {
    struct __craig_number a = __craig_parts(x), b = __craig_parts(y);
    a.negative = a.negative != b.negative;
    a.value = a.value * b.value;
    a.exponent = a.exponent + b.exponent;
    return a;
}

double __craig_rounded_add(double x, double y, int digits) {
    if (!__craig_is_finite(x) || !__craig_is_finite(y))
        return x + y;
    return __craig_sum(__craig_parts(x), __craig_parts(y), digits);
}

double __craig_rounded_sub(double x, double y, int digits) {
    if (!__craig_is_finite(x) || !__craig_is_finite(y))
        return x - y;
    return __craig_sum(__craig_parts(x), __craig_parts(-y), digits);
}

double __craig_rounded_mul(double x, double y, int digits) {
    if (!__craig_is_finite(x) || !__craig_is_finite(y))
        return x * y;
    return __craig_rounded(__craig_product(x, y), digits, __craig_direction);
}

double __craig_rounded_div(double x, double y, int digits) {
    struct __craig_number a, b;
    wide quotient;
    if (!__craig_is_finite(x) || !__craig_is_finite(y) || x == 0 || y == 0)
        return x / y;
    a = __craig_aligned(__craig_parts(x));
    b = __craig_parts(y);
    quotient = a.value / b.value;
    a.value = quotient << 1 | (quotient * b.value != a.value);
    a.exponent = a.exponent - b.exponent - 1;
    a.negative = a.negative != b.negative;
    return __craig_rounded(a, digits, __craig_direction);
}

double __craig_rounded_fma(double x, double y, double z, int digits) {
    if (!__craig_is_finite(x) || !__craig_is_finite(y))
        return x * y + z;
    if (!__craig_is_finite(z))
        return z;
    return __craig_sum(__craig_product(x, y), __craig_parts(z), digits);
}

// Of a positive number: 55 digits, one at a time, and whether anything is left.
double __craig_rounded_root(double x, int digits) {
    struct __craig_number n = __craig_parts(x);
    unsigned long long value, rest = 0, root = 0;
    int shift = 53 - __craig_length(n.value), i;
    if ((n.exponent - shift) & 1)
        shift = shift + 1;
    value = (unsigned long long)n.value << shift;
    n.exponent = n.exponent - shift;
    for (i = 0; i < 55; i++) {
        unsigned long long trial = root << 2 | 1;
        rest = rest << 2 | (i < 27 ? value >> (52 - 2 * i) & 3 : 0);
        root = root << 1;
        if (rest >= trial) {
            rest = rest - trial;
            root = root | 1;
        }
    }
    n.value = (wide)root << 1 | (rest > 0);
    n.exponent = (n.exponent - 56) / 2 - 1;
    return __craig_rounded(n, digits, __craig_direction);
}

// A number of the other type.
double __craig_rounded_float(double x) {
    return __craig_is_finite(x) ? __craig_rounded(__craig_parts(x), 24, __craig_direction) : x;
}

double __craig_rounded_int(_Bool negative, wide magnitude, int digits) {
    struct __craig_number n;
    n.negative = negative && magnitude > 0;
    n.value = magnitude;
    n.exponent = 0;
    return __craig_rounded(n, digits, __craig_direction);
}

// The next number above, or below: `x` and a little more or less, rounded.
double __craig_neighbour(double x, _Bool above, int digits) {
    struct __craig_number n;
    union __craig_image largest;
    largest.bits = digits == 24 ? 0x47efffffe0000000ull : 0x7fefffffffffffffull;
    if (!__craig_is_finite(x))
        return x > 0 ? (above ? x : largest.number) : (above ? -largest.number : x);
    if (x == 0) {
        n.negative = !above;
        n.value = 1;
        n.exponent = -2000;
    } else {
        n = __craig_parts(x);
        n.value = n.value << 2;
        n.exponent = n.exponent - 2;
        n.value = n.negative == above ? n.value - 1 : n.value + 1;
    }
    return __craig_rounded(n, digits, above ? up : down);
}
