// Binary floating point in integers, rounded in the direction of <fenv.h>: what programs that set it compute with
// (lower/rounding.rs), and square roots and `fma`, which are exact but for one rounding. Numbers are passed as REAL,
// which is `double`, for `float` too, or `long double`, with the suffix _R; `digits` says of which type the result is:
// 24 for `float`, 53 for `double`, 64 for `long double`. DIGITS are those of REAL.

typedef unsigned __int128 wide;

enum { nearest = 0, down = 0x400, up = 0x800, towards_zero = 0xc00 };

REAL ANY(void);
int __craig_fegetround(void);
int __craig_float_length(wide);
wide __craig_float_shifted(wide, int);

// `value` times 2 to the power of `exponent`; the last bit of `value` also stands for all that was lost after it.
struct __craig_number_R {
    _Bool negative;
    wide value;
    int exponent;
};

IMAGE

// The power of two that a normal number is at least, and whether it is a power of two.
int __craig_float_exponent_R(REAL x) {
    struct __craig_number_R n = __craig_parts_R(x);
    return n.exponent + DIGITS - 1;
}

_Bool __craig_float_is_power_R(REAL x) {
    struct __craig_number_R n = __craig_parts_R(x);
    return n.value == (wide)1 << (DIGITS - 1);
}

// The greatest n with 2 to the n at most the magnitude of x, which is finite and not zero.
int __craig_float_magnitude_R(REAL x) {
    struct __craig_number_R n = __craig_parts_R(x);
    return n.exponent + __craig_float_length(n.value) - 1;
}

// x times 2 to the n, rounded once: digits that are lost must be lost in the last step.
REAL __craig_float_scaled_R(REAL x, int n) {
    int top = DIGITS == 53 ? 1023 : 16383;
    int low = top - 1 - DIGITS;
    if (n > top) {
        REAL large = __craig_packed_R(0, 1, top);
        x = x * large;
        n = n - top;
        if (n > top) {
            x = x * large;
            n = n - top;
            if (n > top)
                n = top;
        }
    } else if (n < 1 - top) {
        REAL small = __craig_packed_R(0, 1, -low);
        x = x * small;
        n = n + low;
        if (n < 1 - top) {
            x = x * small;
            n = n + low;
            if (n < 1 - top)
                n = 1 - top;
        }
    }
    return x * __craig_packed_R(0, 1, n);
}

static _Bool __craig_is_finite_R(REAL x) {
    return -__builtin_inf_R() < x && x < __builtin_inf_R();
}

static REAL __craig_rounded_R(struct __craig_number_R n, int digits, int direction) {
    int least = digits == 24 ? -149 : digits == 53 ? -1074 : -16445;
    int most = digits == 24 ? 128 : digits == 53 ? 1024 : 16384;
    int lost = __craig_float_length(n.value) - digits, rest;
    wide m, kept;
    if (lost < least - n.exponent)
        lost = least - n.exponent;
    if (lost < 0)
        lost = 0;
    // Two digits more: the first that is lost, and whether there are others.
    m = lost < 2 ? n.value << (2 - lost) : __craig_float_shifted(n.value, lost - 2);
    kept = m >> 2;
    rest = (int)(m & 3);
    n.exponent = n.exponent + lost;
    if (direction == nearest ? rest > 2 || (rest == 2 && (kept & 1))
                             : rest > 0 && direction == (n.negative ? down : up))
        kept = kept + 1;
    if (kept >> digits) {
        kept = kept >> 1;
        n.exponent = n.exponent + 1;
    }
    if (n.exponent + __craig_float_length(kept) > most) {
        if (direction == nearest || direction == (n.negative ? down : up))
            return n.negative ? -__builtin_inf_R() : __builtin_inf_R();
        kept = ((wide)1 << digits) - 1;
        n.exponent = most - digits;
    }
    return __craig_packed_R(n.negative, (unsigned long long)kept, n.exponent);
}

// With 126 binary digits: there is room for a carry, and more than enough after a result.
static struct __craig_number_R __craig_aligned_R(struct __craig_number_R n) {
    int shift = 126 - __craig_float_length(n.value);
    n.value = n.value << shift;
    n.exponent = n.exponent - shift;
    return n;
}

static REAL __craig_sum_R(struct __craig_number_R a, struct __craig_number_R b, int digits) {
    int direction = __craig_fegetround();
    if (a.value == 0 && b.value == 0) {
        if (a.negative != b.negative)
            a.negative = direction == down;
        return __craig_rounded_R(a, digits, direction);
    }
    if (a.value == 0)
        return __craig_rounded_R(b, digits, direction);
    if (b.value == 0)
        return __craig_rounded_R(a, digits, direction);
    a = __craig_aligned_R(a);
    b = __craig_aligned_R(b);
    if (a.exponent < b.exponent) {
        struct __craig_number_R smaller = a;
        a = b;
        b = smaller;
    }
    b.value = __craig_float_shifted(b.value, a.exponent - b.exponent);
    if (a.negative == b.negative)
        a.value = a.value + b.value;
    else if (a.value > b.value)
        a.value = a.value - b.value;
    else if (a.value < b.value) {
        a.value = b.value - a.value;
        a.negative = b.negative;
    } else {
        a.value = 0;
        a.negative = direction == down;
    }
    return __craig_rounded_R(a, digits, direction);
}

static struct __craig_number_R __craig_product_R(REAL x, REAL y) {
    struct __craig_number_R a = __craig_parts_R(x), b = __craig_parts_R(y);
    a.negative = a.negative != b.negative;
    a.value = a.value * b.value;
    a.exponent = a.exponent + b.exponent;
    return a;
}

REAL __craig_rounded_add_R(REAL x, REAL y, int digits) {
    if (!__craig_is_finite_R(x) || !__craig_is_finite_R(y))
        return x + y;
    return __craig_sum_R(__craig_parts_R(x), __craig_parts_R(y), digits);
}

REAL __craig_rounded_sub_R(REAL x, REAL y, int digits) {
    if (!__craig_is_finite_R(x) || !__craig_is_finite_R(y))
        return x - y;
    return __craig_sum_R(__craig_parts_R(x), __craig_parts_R(-y), digits);
}

REAL __craig_rounded_mul_R(REAL x, REAL y, int digits) {
    if (!__craig_is_finite_R(x) || !__craig_is_finite_R(y))
        return x * y;
    return __craig_rounded_R(__craig_product_R(x, y), digits, __craig_fegetround());
}

// A quotient of 126 digits by at most 64 has 62 at least; so does that of what is left.
REAL __craig_rounded_div_R(REAL x, REAL y, int digits) {
    struct __craig_number_R a, b;
    wide quotient, rest;
    if (!__craig_is_finite_R(x) || !__craig_is_finite_R(y) || x == 0 || y == 0)
        return x / y;
    a = __craig_aligned_R(__craig_parts_R(x));
    b = __craig_parts_R(y);
    b.value = b.value << (64 - __craig_float_length(b.value));
    b.exponent = __craig_parts_R(y).exponent - (64 - __craig_float_length(__craig_parts_R(y).value));
    quotient = a.value / b.value;
    rest = a.value - quotient * b.value;
    // Below the divisor, which has 64 digits.
    rest = rest << 62;
    a.value = quotient << 62 | rest / b.value;
    a.value = a.value | (rest - rest / b.value * b.value != 0);
    a.exponent = a.exponent - b.exponent - 62;
    a.negative = a.negative != b.negative;
    return __craig_rounded_R(a, digits, __craig_fegetround());
}

// A product of all 128 digits has no room for a sum.
REAL __craig_rounded_fma_R(REAL x, REAL y, REAL z, int digits) {
    struct __craig_number_R product;
    if (!__craig_is_finite_R(x) || !__craig_is_finite_R(y))
        return x * y + z;
    if (!__craig_is_finite_R(z))
        return z;
    product = __craig_product_R(x, y);
    if (DIGITS > 63 && __craig_float_length(product.value) > 126) {
        if ((product.value & 3) != 0)
            return ANY();
        product.value = product.value >> 2;
        product.exponent = product.exponent + 2;
    }
    return __craig_sum_R(product, __craig_parts_R(z), digits);
}

// Of a positive number: two digits more than it has, one at a time, and whether anything is left.
REAL __craig_rounded_root_R(REAL x, int digits) {
    struct __craig_number_R n = __craig_parts_R(x);
    WORD value, rest = 0, root = 0;
    int shift = DIGITS - __craig_float_length(n.value), i;
    if ((n.exponent - shift) & 1)
        shift = shift + 1;
    value = (WORD)n.value << shift;
    n.exponent = n.exponent - shift;
    for (i = 0; i < DIGITS + 2; i++) {
        WORD trial = root << 2 | 1;
        rest = rest << 2 | (i < DIGITS / 2 + 1 ? value >> (DIGITS / 2 * 2 - 2 * i) & 3 : 0);
        root = root << 1;
        if (rest >= trial) {
            rest = rest - trial;
            root = root | 1;
        }
    }
    n.value = (wide)root << 1 | (rest > 0);
    n.exponent = (n.exponent - (2 * (DIGITS + 2) - DIGITS / 2 * 2 - 2)) / 2 - 1;
    return __craig_rounded_R(n, digits, __craig_fegetround());
}

// As a number of another type.
REAL __craig_rounded_number_R(REAL x, int digits) {
    if (!__craig_is_finite_R(x))
        return x;
    return __craig_rounded_R(__craig_parts_R(x), digits, __craig_fegetround());
}

REAL __craig_rounded_int_R(_Bool negative, wide magnitude, int digits) {
    struct __craig_number_R n;
    n.negative = negative && magnitude > 0;
    n.value = magnitude;
    n.exponent = 0;
    return __craig_rounded_R(n, digits, __craig_fegetround());
}

// The next number above, or below: `x` and a little more or less, rounded.
REAL __craig_float_neighbour_R(REAL x, _Bool above, int digits) {
    struct __craig_number_R n;
    if (!__craig_is_finite_R(x)) {
        if ((x > 0) == above)
            return x;
        n.negative = x < 0;
        n.value = 1;
        n.exponent = 20000;
    } else if (x == 0) {
        n.negative = !above;
        n.value = 1;
        n.exponent = -20000;
    } else {
        n = __craig_parts_R(x);
        n.value = n.value << 2;
        n.exponent = n.exponent - 2;
        n.value = n.negative == above ? n.value - 1 : n.value + 1;
    }
    return __craig_rounded_R(n, digits, above ? up : down);
}
