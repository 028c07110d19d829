// <math.h> and <fenv.h>. What is exact in binary floating point is computed; of the others the contract is
// what C and IEEE 754 promise: the range, and the result at special arguments.

_Bool __craig_any_bool(void);
double __craig_any_double(void);
void __craig_assume(_Bool);

double __craig_fabs(double x) {
    return x <= 0 ? 0 - x : x;
}

// Where either is no number, the other.
double __craig_fmax(double x, double y) {
    if (x != x)
        return y;
    return y > x ? y : x;
}

double __craig_fmin(double x, double y) {
    if (x != x)
        return y;
    return y < x ? y : x;
}

double __craig_fdim(double x, double y) {
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0;
}

double __craig_nan(const char *tag) {
    return __builtin_nan("");
}

// Numbers of this magnitude have no fraction.
static _Bool __craig_integral(double x) {
    return !(-4503599627370496.0 < x && x < 4503599627370496.0);
}

double __craig_trunc(double x) {
    if (__craig_integral(x) || x == 0)
        return x;
    return x < 0 && x > -1 ? -(double)0 : (double)(long long)x;
}

double __craig_floor(double x) {
    double whole;
    if (__craig_integral(x) || x == 0)
        return x;
    whole = (double)(long long)x;
    return whole > x ? whole - 1 : whole;
}

double __craig_ceil(double x) {
    double whole;
    if (__craig_integral(x) || x == 0)
        return x;
    if (x < 0 && x > -1)
        return -(double)0;
    whole = (double)(long long)x;
    return whole < x ? whole + 1 : whole;
}

// Halfway cases go away from zero.
double __craig_round(double x) {
    double whole, rest;
    if (__craig_integral(x) || x == 0)
        return x;
    whole = (double)(long long)x;
    rest = x - whole;
    if (rest >= (double)0.5)
        return whole + 1;
    if (rest <= -(double)0.5)
        return whole - 1;
    return whole == 0 && x < 0 ? -(double)0 : whole;
}

long __craig_lround(double x) {
    return (long)__craig_round(x);
}

long long __craig_llround(double x) {
    return (long long)__craig_round(x);
}

// In some direction of rounding.
double __craig_rint(double x) {
    double result, low;
    if (__craig_integral(x) || x == 0)
        return x;
    low = __craig_floor(x);
    if (low == x)
        return x;
    result = __craig_any_double();
    __craig_assume(result == low || result == low + 1);
    return result;
}

double __craig_nearbyint(double x) {
    return __craig_rint(x);
}

long __craig_lrint(double x) {
    return (long)__craig_rint(x);
}

long long __craig_llrint(double x) {
    return (long long)__craig_rint(x);
}

double __craig_modf(double x, double *whole) {
    double part = __craig_trunc(x);
    *whole = part;
    return x - x != 0 ? 0 : x - part;
}

// Of what is no number the sign may be either.
static _Bool __craig_negative(double x) {
    if (x != x)
        return __craig_any_bool();
    return x < 0 || (x == 0 && 1 / x < 0);
}

double __craig_copysign(double x, double y) {
    return __craig_negative(x) == __craig_negative(y) ? x : -x;
}

// The sign of the dividend, and less than the divisor.
double __craig_fmod(double x, double y) {
    double result, size = __craig_fabs(y);
    if (x != x || y != y || x - x != 0 || y == 0)
        return __builtin_nan("");
    if (__craig_fabs(x) < size)
        return x;
    result = __craig_any_double();
    __craig_assume(-size < result && result < size && (x < 0 ? result <= 0 : result >= 0));
    return result;
}

double __craig_remainder(double x, double y) {
    double result, size = __craig_fabs(y);
    if (x != x || y != y || x - x != 0 || y == 0)
        return __builtin_nan("");
    result = __craig_any_double();
    __craig_assume(-size <= result + result && result + result <= size);
    return result;
}

double __craig_sqrt(double x) {
    double result;
    if (x < 0)
        return __builtin_nan("");
    if (x != x || x == 0 || x == 1 || x == __builtin_inf())
        return x;
    result = __craig_any_double();
    __craig_assume(x < 1 ? x < result && result <= 1 : 1 <= result && result < x);
    return result;
}

double __craig_cbrt(double x) {
    double result;
    if (x != x || x == 0 || x == 1 || x == -1 || x - x != 0)
        return x;
    result = __craig_any_double();
    __craig_assume(result == result && (x < 0 ? result < 0 : result > 0));
    return result;
}

double __craig_sin(double x) {
    double result = __craig_any_double();
    if (x - x != 0)
        return __builtin_nan("");
    if (x == 0)
        return x;
    __craig_assume(-1 <= result && result <= 1);
    return result;
}

double __craig_cos(double x) {
    double result = __craig_any_double();
    if (x - x != 0)
        return __builtin_nan("");
    if (x == 0)
        return 1;
    __craig_assume(-1 <= result && result <= 1);
    return result;
}

double __craig_tan(double x) {
    if (x == 0)
        return x;
    return __craig_any_double();
}

double __craig_sinh(double x) {
    if (x == 0)
        return x;
    return __craig_any_double();
}

double __craig_asinh(double x) {
    if (x == 0)
        return x;
    return __craig_any_double();
}

double __craig_expm1(double x) {
    if (x == 0)
        return x;
    return __craig_any_double();
}

double __craig_log1p(double x) {
    if (x == 0)
        return x;
    return __craig_any_double();
}

double __craig_tanh(double x) {
    double result = __craig_any_double();
    if (x == 0 || x != x)
        return x;
    __craig_assume(-1 <= result && result <= 1 && (x < 0 ? result < 0 : result > 0));
    return result;
}

double __craig_cosh(double x) {
    double result = __craig_any_double();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    __craig_assume(result >= 1);
    return result;
}

double __craig_exp(double x) {
    double result = __craig_any_double();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    __craig_assume(x < 0 ? 0 <= result && result <= 1 : result >= 1);
    return result;
}

double __craig_exp2(double x) {
    double result = __craig_any_double();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    __craig_assume(x < 0 ? 0 <= result && result <= 1 : result >= 1);
    return result;
}

double __craig_log(double x) {
    double result = __craig_any_double();
    if (x != x || x < 0)
        return __builtin_nan("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_inf();
    if (x == __builtin_inf())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

double __craig_log2(double x) {
    double result = __craig_any_double();
    if (x != x || x < 0)
        return __builtin_nan("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_inf();
    if (x == __builtin_inf())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

double __craig_log10(double x) {
    double result = __craig_any_double();
    if (x != x || x < 0)
        return __builtin_nan("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_inf();
    if (x == __builtin_inf())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

double __craig_asin(double x) {
    double result = __craig_any_double();
    if (!(-1 <= x && x <= 1))
        return __builtin_nan("");
    if (x == 0)
        return x;
    __craig_assume((double)-1.6 <= result && result <= (double)1.6);
    return result;
}

double __craig_acos(double x) {
    double result = __craig_any_double();
    if (!(-1 <= x && x <= 1))
        return __builtin_nan("");
    if (x == 1)
        return 0;
    __craig_assume((double)0 <= result && result <= (double)3.2);
    return result;
}

double __craig_atan(double x) {
    double result = __craig_any_double();
    if (x != x || x == 0)
        return x;
    __craig_assume(x < 0 ? -(double)1.6 <= result && result < 0 : 0 < result && result <= (double)1.6);
    return result;
}

double __craig_atan2(double y, double x) {
    double result = __craig_any_double();
    if (x != x || y != y)
        return __builtin_nan("");
    __craig_assume(-(double)3.2 <= result && result <= (double)3.2);
    return result;
}

double __craig_pow(double x, double y) {
    double result;
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return __builtin_nan("");
    if (y == 1)
        return x;
    if (y == 2)
        return x * x;
    result = __craig_any_double();
    if (x > 0)
        __craig_assume(result >= 0);
    return result;
}

double __craig_hypot(double x, double y) {
    double result = __craig_any_double();
    if (x == __builtin_inf() || y == __builtin_inf() || x == -__builtin_inf() || y == -__builtin_inf())
        return __builtin_inf();
    if (x != x || y != y)
        return __builtin_nan("");
    if (x == 0)
        return __craig_fabs(y);
    if (y == 0)
        return __craig_fabs(x);
    __craig_assume(result >= __craig_fabs(x) && result >= __craig_fabs(y));
    return result;
}

int __craig___isnan(double x) {
    return x != x;
}

int __craig_isnan(double x) {
    return x != x;
}

int __craig___isinf(double x) {
    return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0;
}

int __craig_isinf(double x) {
    return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0;
}

int __craig___finite(double x) {
    return x - x == 0;
}

int __craig_finite(double x) {
    return x - x == 0;
}

// `__builtin_fpclassify`: one of the five numbers.
int __craig_fpclassify(int nan, int infinite, int normal, int subnormal, int zero, double x) {
    if (x != x)
        return nan;
    if (x - x != 0)
        return infinite;
    if (x == 0)
        return zero;
    return -2.2250738585072014e-308 < x && x < 2.2250738585072014e-308 ? subnormal : normal;
}

// FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL of glibc.
int __craig___fpclassify(double x) {
    if (x != x)
        return 0;
    if (x - x != 0)
        return 1;
    if (x == 0)
        return 2;
    return -2.2250738585072014e-308 < x && x < 2.2250738585072014e-308 ? 3 : 4;
}

int __craig___signbit(double x) {
    return __craig_negative(x);
}

// The direction of rounding is the default, to nearest: others are not modelled.
int __craig_fegetround(void) {
    return 0;
}
