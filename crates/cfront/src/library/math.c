// <math.h> for the type REAL, with its suffix _T after each name. What is exact in binary floating point is
// computed; of the others the contract is what C and IEEE 754 promise: the range, and the result at special
// arguments. WHOLE is where numbers cease to have a fraction, SMALL where sums of two squares do, LEAST the smallest that is not subnormal, DIGITS
// how many a number has. WIDE is the type that `round.c` computes in, with the suffix _R.

_Bool __craig_any_bool(void);
int __craig_any_int(void);
REAL ANY(void);
REAL __craig_remainder_of_T(REAL, REAL);
void __craig_assume(_Bool);
int __craig_fegetround(void);
REAL __craig_copysign_T(REAL, REAL);
WIDE __craig_rounded_root_R(WIDE, int digits);
WIDE __craig_rounded_fma_R(WIDE, WIDE, WIDE, int digits);
WIDE __craig_float_neighbour_R(WIDE, _Bool above, int digits);
REAL __craig_float_whole_T(REAL, int direction);
_Bool __craig_float_sign(double);
int __craig_float_exponent_R(WIDE);
_Bool __craig_float_is_power_R(WIDE);
WIDE __craig_float_scaled_R(WIDE, int);
int __craig_float_magnitude_R(WIDE);

// Comparisons are easier to prove things about than differences.
int __craig_isfinite_T(REAL x) {
    return -__builtin_inf_T() < x && x < __builtin_inf_T();
}

REAL __craig_fabs_T(REAL x) {
    return x < 0 ? -x : x == 0 ? (REAL)0 : x;
}

// Where either is no number, the other. Of two zeros C lets either be the greater one.
REAL __craig_fmax_T(REAL x, REAL y) {
    if (x != x)
        return y;
    if (x == 0 && y == 0 && __craig_float_sign(x) != __craig_float_sign(y))
        return __craig_any_bool() ? x : y;
    return y > x ? y : x;
}

REAL __craig_fmin_T(REAL x, REAL y) {
    if (x != x)
        return y;
    if (x == 0 && y == 0 && __craig_float_sign(x) != __craig_float_sign(y))
        return __craig_any_bool() ? x : y;
    return y < x ? y : x;
}

REAL __craig_fdim_T(REAL x, REAL y) {
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0;
}

REAL __craig_nan_T(const char *tag) {
    return __builtin_nan_T("");
}

// Numbers of this magnitude have no fraction.
static _Bool __craig_integral_T(REAL x) {
    return !(-WHOLE < x && x < WHOLE);
}

// What is assumed of results is true of all of them: it is for those who do not follow the bits.

REAL __craig_trunc_T(REAL x) {
    REAL whole;
    if (__craig_integral_T(x) || x == 0)
        return x;
    if (-1 < x && x < 1)
        return x < 0 ? -(REAL)0 : 0;
    whole = __craig_float_whole_T(x, 0);
    __craig_assume(x < 0 ? x <= whole && whole <= -1 : 1 <= whole && whole <= x);
    return whole;
}

REAL __craig_floor_T(REAL x) {
    REAL whole;
    if (__craig_integral_T(x) || x == 0)
        return x;
    if (-1 < x && x < 1)
        return x < 0 ? -1 : 0;
    whole = __craig_float_whole_T(x, x < 0);
    __craig_assume(x - 1 <= whole && whole <= x && (x < 0 || 1 <= whole));
    return whole;
}

REAL __craig_ceil_T(REAL x) {
    REAL whole;
    if (__craig_integral_T(x) || x == 0)
        return x;
    if (-1 < x && x < 1)
        return x < 0 ? -(REAL)0 : 1;
    whole = __craig_float_whole_T(x, x > 0);
    __craig_assume(x <= whole && whole <= x + 1 && (x > 0 || whole <= -1));
    return whole;
}

// Halfway cases go away from zero.
REAL __craig_round_T(REAL x) {
    REAL whole;
    if (__craig_integral_T(x) || x == 0)
        return x;
    if (-1 < x && x < 1) {
        whole = x <= -(REAL)0.5 || x >= (REAL)0.5;
        return x < 0 ? -whole : whole;
    }
    whole = __craig_float_whole_T(x, 2);
    __craig_assume(x - (REAL)0.5 <= whole && whole <= x + (REAL)0.5);
    return whole;
}

long __craig_lround_T(REAL x) {
    return (long)__craig_round_T(x);
}

long long __craig_llround_T(REAL x) {
    return (long long)__craig_round_T(x);
}

// Halfway cases go to the even neighbour, whatever the direction of rounding.
REAL __craig_roundeven_T(REAL x) {
    REAL whole;
    if (__craig_integral_T(x) || x == 0)
        return x;
    if (-1 < x && x < 1) {
        whole = x < -(REAL)0.5 || x > (REAL)0.5;
        return x < 0 ? -whole : whole;
    }
    whole = __craig_float_whole_T(x, 3);
    __craig_assume(x - (REAL)0.5 <= whole && whole <= x + (REAL)0.5);
    return whole;
}

REAL __craig_rint_T(REAL x) {
    int direction = __craig_fegetround();
    if (direction == 0)
        return __craig_roundeven_T(x);
    if (direction == 0xc00)
        return __craig_trunc_T(x);
    return direction == 0x800 ? __craig_ceil_T(x) : __craig_floor_T(x);
}

REAL __craig_nearbyint_T(REAL x) {
    return __craig_rint_T(x);
}

long __craig_lrint_T(REAL x) {
    return (long)__craig_rint_T(x);
}

long long __craig_llrint_T(REAL x) {
    return (long long)__craig_rint_T(x);
}

REAL __craig_modf_T(REAL x, REAL *whole) {
    REAL part = __craig_trunc_T(x);
    *whole = part;
    if (x != x)
        return x;
    // A fraction of zero has the sign of the number.
    return __craig_copysign_T(__craig_isfinite_T(x) ? x - part : 0, x);
}

REAL __craig_ldexp_T(REAL x, int n) {
    return (REAL)__craig_float_scaled_R(x, n);
}

REAL __craig_scalbn_T(REAL x, int n) {
    return (REAL)__craig_float_scaled_R(x, n);
}

REAL __craig_scalbln_T(REAL x, long n) {
    // Beyond this all that is not zero is infinite, or zero.
    int near = n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n;
    return (REAL)__craig_float_scaled_R(x, near);
}

// What `*n` is for what is not finite is open.
REAL __craig_frexp_T(REAL x, int *n) {
    int scale;
    if (!__craig_isfinite_T(x)) {
        *n = __craig_any_int();
        return x;
    }
    if (x == 0) {
        *n = 0;
        return x;
    }
    scale = __craig_float_magnitude_R(x) + 1;
    *n = scale;
    return (REAL)__craig_float_scaled_R(x, -scale);
}

REAL __craig_logb_T(REAL x) {
    if (x == 0)
        return -__builtin_inf_T();
    if (!__craig_isfinite_T(x))
        return x < 0 ? -x : x;
    return (REAL)__craig_float_magnitude_R(x);
}

int __craig_ilogb_T(REAL x) {
    if (x == 0)
        return -2147483647 - 1;
    if (!__craig_isfinite_T(x))
        return x != x ? -2147483647 - 1 : 2147483647;
    return __craig_float_magnitude_R(x);
}

// Of what is no number the sign may be either.
static _Bool __craig_negative_T(REAL x) {
    if (x != x)
        return __craig_any_bool();
    return x == 0 ? __craig_float_sign(x) : x < 0;
}

REAL __craig_copysign_T(REAL x, REAL y) {
    return __craig_negative_T(x) == __craig_negative_T(y) ? x : -x;
}

// The sign of the dividend, and less than the divisor: for those who do not follow the computation.
static REAL __craig_rest_T(REAL x, REAL size) {
    REAL result = __craig_remainder_of_T(x, size);
    __craig_assume(-size < result && result < size && (x < 0 ? result <= 0 : result >= 0));
    return result;
}

static _Bool __craig_has_rest_T(REAL x, REAL y) {
    return y == y && y != 0 && __craig_isfinite_T(x);
}

REAL __craig_fmod_T(REAL x, REAL y) {
    REAL size = __craig_fabs_T(y);
    if (!__craig_has_rest_T(x, y))
        return __builtin_nan_T("");
    return __craig_fabs_T(x) < size ? x : __craig_rest_T(x, size);
}

// A rest is taken away once more where that leaves less; `left` is not negative, and below twice the size. Of two that are
// as near, the one with the even quotient, where `quotient` is even so far.
static REAL __craig_nearest_rest_T(REAL left, REAL size, int *quotient) {
    if (left + left > size) {
        left = left - size;
        *quotient = *quotient + 1;
        if (left + left >= size) {
            left = left - size;
            *quotient = *quotient + 1;
        }
    }
    __craig_assume(-size <= left + left && left + left <= size);
    return left;
}

// Multiples of the size may be beyond all numbers: then nothing is.
REAL __craig_remainder_T(REAL x, REAL y) {
    REAL left = __craig_fabs_T(x), size = __craig_fabs_T(y);
    int quotient = 0;
    if (!__craig_has_rest_T(x, y))
        return __builtin_nan_T("");
    if (x == 0)
        return x;
    if (left >= size + size)
        left = __craig_rest_T(left, size + size);
    left = __craig_nearest_rest_T(left, size, &quotient);
    return x < 0 ? -left : left;
}

REAL __craig_drem_T(REAL x, REAL y) {
    return __craig_remainder_T(x, y);
}

// `quotient` gets the last bits of the quotient, with its sign. How many is open, and what they are if there is none.
REAL __craig_remquo_T(REAL x, REAL y, int *quotient) {
    REAL left = __craig_fabs_T(x), size = __craig_fabs_T(y);
    REAL twice = size + size, fourfold = twice + twice, most = fourfold + fourfold;
    int bits = 0, more = __craig_any_int();
    if (!__craig_has_rest_T(x, y)) {
        *quotient = more;
        return __builtin_nan_T("");
    }
    if (x == 0) {
        *quotient = 0;
        return x;
    }
    if (left >= most)
        left = __craig_rest_T(left, most);
    if (left >= fourfold) {
        left = left - fourfold;
        bits = 4;
    }
    if (left >= twice) {
        left = left - twice;
        bits = bits + 2;
    }
    left = __craig_nearest_rest_T(left, size, &bits);
    if (bits == 8 && more)
        bits = 0;
    *quotient = x < 0 != y < 0 ? -bits : bits;
    return x < 0 ? -left : left;
}

REAL __craig_sqrt_T(REAL x) {
    REAL result;
    if (x < 0)
        return __builtin_nan_T("");
    if (x != x || x == 0 || x == 1 || x == __builtin_inf_T())
        return x;
    result = (REAL)__craig_rounded_root_R(x, DIGITS);
    // For those who do not follow the computation.
    __craig_assume(x < 1 ? x < result && result <= 1 : 1 <= result && result < x);
    return result;
}

REAL __craig_fma_T(REAL x, REAL y, REAL z) {
    return (REAL)__craig_rounded_fma_R(x, y, z, DIGITS);
}

REAL __craig_nextafter_T(REAL x, REAL y) {
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    return (REAL)__craig_float_neighbour_R(x, x < y, DIGITS);
}

REAL __craig_nexttoward_T(REAL x, long double y) {
    if (x != x || y != y)
        return (REAL)(x + y);
    if (x == y)
        return (REAL)y;
    return (REAL)__craig_float_neighbour_R(x, x < y, DIGITS);
}

REAL __craig_cbrt_T(REAL x) {
    REAL result;
    if (x != x || x == 0 || x == 1 || x == -1 || !__craig_isfinite_T(x))
        return x;
    result = ANY();
    __craig_assume(result == result && (x < 0 ? result < 0 : result > 0));
    return result;
}

REAL __craig_sin_T(REAL x) {
    REAL result = ANY();
    if (!__craig_isfinite_T(x))
        return __builtin_nan_T("");
    if (x == 0)
        return x;
    __craig_assume(-1 <= result && result <= 1);
    return result;
}

REAL __craig_cos_T(REAL x) {
    REAL result = ANY();
    if (!__craig_isfinite_T(x))
        return __builtin_nan_T("");
    if (x == 0)
        return 1;
    __craig_assume(-1 <= result && result <= 1);
    return result;
}

void __craig_sincos_T(REAL x, REAL *sine, REAL *cosine) {
    *sine = __craig_sin_T(x);
    *cosine = __craig_cos_T(x);
}

REAL __craig_tan_T(REAL x) {
    if (x == 0)
        return x;
    if (!__craig_isfinite_T(x))
        return __builtin_nan_T("");
    return ANY();
}

REAL __craig_sinh_T(REAL x) {
    if (x == 0 || !__craig_isfinite_T(x))
        return x;
    return ANY();
}

REAL __craig_asinh_T(REAL x) {
    if (x == 0 || !__craig_isfinite_T(x))
        return x;
    return ANY();
}

REAL __craig_expm1_T(REAL x) {
    if (x == -__builtin_inf_T())
        return -1;
    if (x == 0 || !__craig_isfinite_T(x))
        return x;
    return ANY();
}

REAL __craig_log1p_T(REAL x) {
    if (x < -1)
        return __builtin_nan_T("");
    if (x == -1)
        return -__builtin_inf_T();
    if (x == 0 || !__craig_isfinite_T(x))
        return x;
    return ANY();
}

REAL __craig_tanh_T(REAL x) {
    REAL result = ANY();
    if (x == 0 || x != x)
        return x;
    if (!__craig_isfinite_T(x))
        return x < 0 ? -1 : 1;
    __craig_assume(-1 <= result && result <= 1 && (x < 0 ? result < 0 : result > 0));
    return result;
}

REAL __craig_cosh_T(REAL x) {
    REAL result = ANY();
    if (x != x)
        return x;
    if (!__craig_isfinite_T(x))
        return __builtin_inf_T();
    if (x == 0)
        return 1;
    __craig_assume(result >= 1);
    return result;
}

REAL __craig_exp_T(REAL x) {
    REAL result = ANY();
    if (x == -__builtin_inf_T())
        return 0;
    if (!__craig_isfinite_T(x))
        return x;
    if (x == 0)
        return 1;
    __craig_assume(x < 0 ? 0 <= result && result <= 1 : result >= 1);
    return result;
}

REAL __craig_exp2_T(REAL x) {
    REAL result = ANY();
    if (x == -__builtin_inf_T())
        return 0;
    if (!__craig_isfinite_T(x))
        return x;
    if (x == 0)
        return 1;
    __craig_assume(x < 0 ? 0 <= result && result <= 1 : result >= 1);
    return result;
}

REAL __craig_exp10_T(REAL x) {
    REAL result = ANY();
    if (x == -__builtin_inf_T())
        return 0;
    if (!__craig_isfinite_T(x))
        return x;
    if (x == 0)
        return 1;
    __craig_assume(x < 0 ? 0 <= result && result <= 1 : result >= 1);
    return result;
}

REAL __craig_log_T(REAL x) {
    REAL result = ANY();
    if (x != x || x < 0)
        return __builtin_nan_T("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_inf_T();
    if (x == __builtin_inf_T())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

// Exact at the powers of two, and between those of its neighbours elsewhere.
REAL __craig_log2_T(REAL x) {
    REAL result = ANY(), low;
    if (x != x || x < 0)
        return __builtin_nan_T("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_inf_T();
    if (x == __builtin_inf_T())
        return x;
    // Subnormal where the exponent is read.
    if (x < TINY) {
        __craig_assume((DIGITS == 64 ? -16500 : -1100) <= result && result <= -1000);
        return result;
    }
    low = (REAL)__craig_float_exponent_R(x);
    if (__craig_float_is_power_R(x) || !(low <= result && result <= low + 1))
        result = low;
    return result;
}

REAL __craig_log10_T(REAL x) {
    REAL result = ANY();
    if (x != x || x < 0)
        return __builtin_nan_T("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_inf_T();
    if (x == __builtin_inf_T())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

REAL __craig_acosh_T(REAL x) {
    REAL result = ANY();
    if (!(x >= 1))
        return __builtin_nan_T("");
    if (x == 1)
        return 0;
    if (x == __builtin_inf_T())
        return x;
    __craig_assume(result >= 0);
    return result;
}

REAL __craig_atanh_T(REAL x) {
    REAL result = ANY();
    if (!(-1 <= x && x <= 1))
        return __builtin_nan_T("");
    if (x == 0)
        return x;
    if (x == 1 || x == -1)
        return x * __builtin_inf_T();
    __craig_assume(x < 0 ? result < 0 : result > 0);
    return result;
}

REAL __craig_erf_T(REAL x) {
    REAL result = ANY();
    if (x != x || x == 0)
        return x;
    if (!__craig_isfinite_T(x))
        return x < 0 ? -1 : 1;
    __craig_assume(x < 0 ? -1 <= result && result <= 0 : 0 <= result && result <= 1);
    return result;
}

REAL __craig_erfc_T(REAL x) {
    REAL result = ANY();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (!__craig_isfinite_T(x))
        return x < 0 ? 2 : 0;
    __craig_assume(x < 0 ? 1 <= result && result <= 2 : 0 <= result && result <= 1);
    return result;
}

// A pole at zero, none at all at the negative integers.
REAL __craig_tgamma_T(REAL x) {
    REAL result = ANY();
    if (x != x || x == __builtin_inf_T())
        return x;
    if (x == 0)
        return __craig_float_sign(x) ? -__builtin_inf_T() : __builtin_inf_T();
    if (x < 0 && __craig_trunc_T(x) == x)
        return __builtin_nan_T("");
    if (x == 1 || x == 2)
        return 1;
    __craig_assume(result == result && (x < 0 || result > 0));
    return result;
}

REAL __craig_lgamma_T(REAL x) {
    REAL result = ANY();
    if (x != x)
        return x;
    if (!__craig_isfinite_T(x) || (x <= 0 && __craig_trunc_T(x) == x))
        return __builtin_inf_T();
    if (x == 1 || x == 2)
        return 0;
    __craig_assume(result == result);
    return result;
}

REAL __craig_asin_T(REAL x) {
    REAL result = ANY();
    if (!(-1 <= x && x <= 1))
        return __builtin_nan_T("");
    if (x == 0)
        return x;
    __craig_assume((REAL)-1.6 <= result && result <= (REAL)1.6);
    return result;
}

REAL __craig_acos_T(REAL x) {
    REAL result = ANY();
    if (!(-1 <= x && x <= 1))
        return __builtin_nan_T("");
    if (x == 1)
        return 0;
    __craig_assume((REAL)0 <= result && result <= (REAL)3.2);
    return result;
}

REAL __craig_atan_T(REAL x) {
    REAL result = ANY();
    if (x != x || x == 0)
        return x;
    __craig_assume(x < 0 ? -(REAL)1.6 <= result && result < 0 : 0 < result && result <= (REAL)1.6);
    return result;
}

// A few units in the last place about a positive constant, or its opposite.
static REAL __craig_near_T(_Bool negative, REAL x) {
    REAL result = ANY(), unit = (DIGITS == 24 ? (REAL)1.2e-7 : DIGITS == 53 ? (REAL)2.3e-16 : (REAL)1.1e-19L) * x;
    if (negative)
        __craig_assume(-x - 2 * unit <= result && result <= -x + 2 * unit);
    else
        __craig_assume(x - 2 * unit <= result && result <= x + 2 * unit);
    return result;
}

// On the axes it is nearly a constant.
REAL __craig_atan2_T(REAL y, REAL x) {
    REAL result;
    if (x != x || y != y)
        return __builtin_nan_T("");
    if (y == 0) {
        // Towards the right, or from a zero without a sign.
        if (x > 0 || (x == 0 && !__craig_float_sign(x)))
            return y;
        return __craig_near_T(__craig_float_sign(y), (REAL)3.14159265358979323846L);
    }
    if (x == 0)
        return __craig_near_T(y < 0, (REAL)1.57079632679489661923L);
    result = ANY();
    __craig_assume(-(REAL)3.2 <= result && result <= (REAL)3.2);
    return result;
}

// By squares of which each that is a factor is no larger than the result.
static REAL __craig_whole_power_T(REAL x, int n) {
    REAL result = 1;
    while (n > 0) {
        if (n & 1)
            result = result * x;
        x = x * x;
        n = n >> 1;
    }
    return result;
}

REAL __craig_pow_T(REAL x, REAL y) {
    REAL result;
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return __builtin_nan_T("");
    if (y == 1)
        return x;
    if (y == 2)
        return x * x;
    if (y == (REAL)0.5 && x == 0)
        return 0;
    if (x < 0 && __craig_isfinite_T(x) && __craig_isfinite_T(y) && __craig_trunc_T(y) != y)
        return __builtin_nan_T("");
    if (-64 < y && y < 64 && __craig_trunc_T(y) == y && -WHOLE < x && x < WHOLE && __craig_trunc_T(x) == x && x != 0) {
        result = __craig_whole_power_T(x, y < 0 ? (int)-y : (int)y);
        // All its factors are exact then, and so is what a power of two divides.
        if (-WHOLE < result && result < WHOLE) {
            if (y > 0)
                return result;
            if (__craig_float_is_power_R(result))
                return 1 / result;
        }
    }
    result = ANY();
    if (x > 0)
        __craig_assume(result >= 0);
    return result;
}


REAL __craig_hypot_T(REAL x, REAL y) {
    REAL result = ANY();
    if (x == __builtin_inf_T() || y == __builtin_inf_T() || x == -__builtin_inf_T() || y == -__builtin_inf_T())
        return __builtin_inf_T();
    if (x != x || y != y)
        return __builtin_nan_T("");
    if (x == 0)
        return __craig_fabs_T(y);
    if (y == 0)
        return __craig_fabs_T(x);
    // Of small whole numbers the sum of squares is exact, and its root may be whole, too.
    if (-SMALL < x && x < SMALL && -SMALL < y && y < SMALL && __craig_trunc_T(x) == x && __craig_trunc_T(y) == y) {
        REAL squares = x * x + y * y, root = __craig_sqrt_T(squares);
        if (root * root == squares && __craig_trunc_T(root) == root)
            return root;
    }
    __craig_assume(result >= __craig_fabs_T(x) && result >= __craig_fabs_T(y));
    return result;
}

int __craig___isnan_T(REAL x) {
    return x != x;
}

int __craig_isnan_T(REAL x) {
    return x != x;
}

int __craig___isinf_T(REAL x) {
    return x == __builtin_inf_T() ? 1 : x == -__builtin_inf_T() ? -1 : 0;
}

int __craig_isinf_T(REAL x) {
    return x == __builtin_inf_T() ? 1 : x == -__builtin_inf_T() ? -1 : 0;
}

int __craig___finite_T(REAL x) {
    return __craig_isfinite_T(x);
}

int __craig_finite_T(REAL x) {
    return __craig_isfinite_T(x);
}

// `__builtin_fpclassify`: one of the five numbers.
int __craig_fpclassify_T(int nan, int infinite, int normal, int subnormal, int zero, REAL x) {
    if (x != x)
        return nan;
    if (!__craig_isfinite_T(x))
        return infinite;
    if (x == 0)
        return zero;
    return -LEAST < x && x < LEAST ? subnormal : normal;
}

// FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL of glibc.
int __craig___fpclassify_T(REAL x) {
    if (x != x)
        return 0;
    if (!__craig_isfinite_T(x))
        return 1;
    if (x == 0)
        return 2;
    return -LEAST < x && x < LEAST ? 3 : 4;
}

int __craig___signbit_T(REAL x) {
    return __craig_negative_T(x);
}

int __craig_signbit_T(REAL x) {
    return __craig_negative_T(x);
}

int __craig_isnormal_T(REAL x) {
    return __craig_isfinite_T(x) && !(-LEAST < x && x < LEAST);
}
