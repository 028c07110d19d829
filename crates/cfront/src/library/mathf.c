// <math.h> for `float`. What is exact in binary floating point is computed; of the others the contract is
// what C and IEEE 754 promise: the range, and the result at special arguments.

_Bool __craig_any_bool(void);
float __craig_any_float(void);
void __craig_assume(_Bool);

float __craig_fabsf(float x) {
    return x <= 0 ? 0 - x : x;
}

// Where either is no number, the other.
float __craig_fmaxf(float x, float y) {
    if (x != x)
        return y;
    return y > x ? y : x;
}

float __craig_fminf(float x, float y) {
    if (x != x)
        return y;
    return y < x ? y : x;
}

float __craig_fdimf(float x, float y) {
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0;
}

float __craig_nanf(const char *tag) {
    return __builtin_nanf("");
}

// Numbers of this magnitude have no fraction.
static _Bool __craig_integralf(float x) {
    return !(-8388608.0f < x && x < 8388608.0f);
}

float __craig_truncf(float x) {
    if (__craig_integralf(x) || x == 0)
        return x;
    return x < 0 && x > -1 ? -(float)0 : (float)(long long)x;
}

float __craig_floorf(float x) {
    float whole;
    if (__craig_integralf(x) || x == 0)
        return x;
    whole = (float)(long long)x;
    return whole > x ? whole - 1 : whole;
}

float __craig_ceilf(float x) {
    float whole;
    if (__craig_integralf(x) || x == 0)
        return x;
    if (x < 0 && x > -1)
        return -(float)0;
    whole = (float)(long long)x;
    return whole < x ? whole + 1 : whole;
}

// Halfway cases go away from zero.
float __craig_roundf(float x) {
    float whole, rest;
    if (__craig_integralf(x) || x == 0)
        return x;
    whole = (float)(long long)x;
    rest = x - whole;
    if (rest >= (float)0.5)
        return whole + 1;
    if (rest <= -(float)0.5)
        return whole - 1;
    return whole == 0 && x < 0 ? -(float)0 : whole;
}

long __craig_lroundf(float x) {
    return (long)__craig_roundf(x);
}

long long __craig_llroundf(float x) {
    return (long long)__craig_roundf(x);
}

// In some direction of rounding.
float __craig_rintf(float x) {
    float result, low;
    if (__craig_integralf(x) || x == 0)
        return x;
    low = __craig_floorf(x);
    if (low == x)
        return x;
    result = __craig_any_float();
    __craig_assume(result == low || result == low + 1);
    return result;
}

float __craig_nearbyintf(float x) {
    return __craig_rintf(x);
}

long __craig_lrintf(float x) {
    return (long)__craig_rintf(x);
}

long long __craig_llrintf(float x) {
    return (long long)__craig_rintf(x);
}

float __craig_modff(float x, float *whole) {
    float part = __craig_truncf(x);
    *whole = part;
    return x - x != 0 ? 0 : x - part;
}

// Of what is no number the sign may be either.
static _Bool __craig_negativef(float x) {
    if (x != x)
        return __craig_any_bool();
    return x < 0 || (x == 0 && 1 / x < 0);
}

float __craig_copysignf(float x, float y) {
    return __craig_negativef(x) == __craig_negativef(y) ? x : -x;
}

// The sign of the dividend, and less than the divisor.
float __craig_fmodf(float x, float y) {
    float result, size = __craig_fabsf(y);
    if (x != x || y != y || x - x != 0 || y == 0)
        return __builtin_nanf("");
    if (__craig_fabsf(x) < size)
        return x;
    result = __craig_any_float();
    __craig_assume(-size < result && result < size && (x < 0 ? result <= 0 : result >= 0));
    return result;
}

float __craig_remainderf(float x, float y) {
    float result, size = __craig_fabsf(y);
    if (x != x || y != y || x - x != 0 || y == 0)
        return __builtin_nanf("");
    result = __craig_any_float();
    __craig_assume(-size <= result + result && result + result <= size);
    return result;
}

float __craig_sqrtf(float x) {
    float result;
    if (x < 0)
        return __builtin_nanf("");
    if (x != x || x == 0 || x == 1 || x == __builtin_inff())
        return x;
    result = __craig_any_float();
    __craig_assume(x < 1 ? x < result && result <= 1 : 1 <= result && result < x);
    return result;
}

float __craig_cbrtf(float x) {
    float result;
    if (x != x || x == 0 || x == 1 || x == -1 || x - x != 0)
        return x;
    result = __craig_any_float();
    __craig_assume(result == result && (x < 0 ? result < 0 : result > 0));
    return result;
}

float __craig_sinf(float x) {
    float result = __craig_any_float();
    if (x - x != 0)
        return __builtin_nanf("");
    if (x == 0)
        return x;
    __craig_assume(-1 <= result && result <= 1);
    return result;
}

float __craig_cosf(float x) {
    float result = __craig_any_float();
    if (x - x != 0)
        return __builtin_nanf("");
    if (x == 0)
        return 1;
    __craig_assume(-1 <= result && result <= 1);
    return result;
}

float __craig_tanf(float x) {
    if (x == 0)
        return x;
    return __craig_any_float();
}

float __craig_sinhf(float x) {
    if (x == 0)
        return x;
    return __craig_any_float();
}

float __craig_asinhf(float x) {
    if (x == 0)
        return x;
    return __craig_any_float();
}

float __craig_expm1f(float x) {
    if (x == 0)
        return x;
    return __craig_any_float();
}

float __craig_log1pf(float x) {
    if (x == 0)
        return x;
    return __craig_any_float();
}

float __craig_tanhf(float x) {
    float result = __craig_any_float();
    if (x == 0 || x != x)
        return x;
    __craig_assume(-1 <= result && result <= 1 && (x < 0 ? result < 0 : result > 0));
    return result;
}

float __craig_coshf(float x) {
    float result = __craig_any_float();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    __craig_assume(result >= 1);
    return result;
}

float __craig_expf(float x) {
    float result = __craig_any_float();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    __craig_assume(x < 0 ? 0 <= result && result <= 1 : result >= 1);
    return result;
}

float __craig_exp2f(float x) {
    float result = __craig_any_float();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    __craig_assume(x < 0 ? 0 <= result && result <= 1 : result >= 1);
    return result;
}

float __craig_logf(float x) {
    float result = __craig_any_float();
    if (x != x || x < 0)
        return __builtin_nanf("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_inff();
    if (x == __builtin_inff())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

float __craig_log2f(float x) {
    float result = __craig_any_float();
    if (x != x || x < 0)
        return __builtin_nanf("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_inff();
    if (x == __builtin_inff())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

float __craig_log10f(float x) {
    float result = __craig_any_float();
    if (x != x || x < 0)
        return __builtin_nanf("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_inff();
    if (x == __builtin_inff())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

float __craig_asinf(float x) {
    float result = __craig_any_float();
    if (!(-1 <= x && x <= 1))
        return __builtin_nanf("");
    if (x == 0)
        return x;
    __craig_assume((float)-1.6 <= result && result <= (float)1.6);
    return result;
}

float __craig_acosf(float x) {
    float result = __craig_any_float();
    if (!(-1 <= x && x <= 1))
        return __builtin_nanf("");
    if (x == 1)
        return 0;
    __craig_assume((float)0 <= result && result <= (float)3.2);
    return result;
}

float __craig_atanf(float x) {
    float result = __craig_any_float();
    if (x != x || x == 0)
        return x;
    __craig_assume(x < 0 ? -(float)1.6 <= result && result < 0 : 0 < result && result <= (float)1.6);
    return result;
}

float __craig_atan2f(float y, float x) {
    float result = __craig_any_float();
    if (x != x || y != y)
        return __builtin_nanf("");
    __craig_assume(-(float)3.2 <= result && result <= (float)3.2);
    return result;
}

float __craig_powf(float x, float y) {
    float result;
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return __builtin_nanf("");
    if (y == 1)
        return x;
    if (y == 2)
        return x * x;
    result = __craig_any_float();
    if (x > 0)
        __craig_assume(result >= 0);
    return result;
}

float __craig_hypotf(float x, float y) {
    float result = __craig_any_float();
    if (x == __builtin_inff() || y == __builtin_inff() || x == -__builtin_inff() || y == -__builtin_inff())
        return __builtin_inff();
    if (x != x || y != y)
        return __builtin_nanf("");
    if (x == 0)
        return __craig_fabsf(y);
    if (y == 0)
        return __craig_fabsf(x);
    __craig_assume(result >= __craig_fabsf(x) && result >= __craig_fabsf(y));
    return result;
}

int __craig___isnanf(float x) {
    return x != x;
}

int __craig_isnanf(float x) {
    return x != x;
}

int __craig___isinff(float x) {
    return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;
}

int __craig_isinff(float x) {
    return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;
}

int __craig___finitef(float x) {
    return x - x == 0;
}

int __craig_finitef(float x) {
    return x - x == 0;
}

// `__builtin_fpclassify`: one of the five numbers.
int __craig_fpclassifyf(int nan, int infinite, int normal, int subnormal, int zero, float x) {
    if (x != x)
        return nan;
    if (x - x != 0)
        return infinite;
    if (x == 0)
        return zero;
    return -1.17549435e-38f < x && x < 1.17549435e-38f ? subnormal : normal;
}

// FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL of glibc.
int __craig___fpclassifyf(float x) {
    if (x != x)
        return 0;
    if (x - x != 0)
        return 1;
    if (x == 0)
        return 2;
    return -1.17549435e-38f < x && x < 1.17549435e-38f ? 3 : 4;
}

int __craig___signbitf(float x) {
    return __craig_negativef(x);
}
