// <math.h> for `long double`. What is exact in binary floating point is computed; of the others the contract is
// what C and IEEE 754 promise: the range, and the result at special arguments.

_Bool __craig_any_bool(void);
long double __craig_any_ldouble(void);
void __craig_assume(_Bool);

long double __craig_fabsl(long double x) {
    return x <= 0 ? 0 - x : x;
}

// Where either is no number, the other.
long double __craig_fmaxl(long double x, long double y) {
    if (x != x)
        return y;
    return y > x ? y : x;
}

long double __craig_fminl(long double x, long double y) {
    if (x != x)
        return y;
    return y < x ? y : x;
}

long double __craig_fdiml(long double x, long double y) {
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0;
}

long double __craig_nanl(const char *tag) {
    return __builtin_nanl("");
}

// Numbers of this magnitude have no fraction.
static _Bool __craig_integrall(long double x) {
    return !(-9223372036854775808.0L < x && x < 9223372036854775808.0L);
}

long double __craig_truncl(long double x) {
    if (__craig_integrall(x) || x == 0)
        return x;
    return x < 0 && x > -1 ? -(long double)0 : (long double)(long long)x;
}

long double __craig_floorl(long double x) {
    long double whole;
    if (__craig_integrall(x) || x == 0)
        return x;
    whole = (long double)(long long)x;
    return whole > x ? whole - 1 : whole;
}

long double __craig_ceill(long double x) {
    long double whole;
    if (__craig_integrall(x) || x == 0)
        return x;
    if (x < 0 && x > -1)
        return -(long double)0;
    whole = (long double)(long long)x;
    return whole < x ? whole + 1 : whole;
}

// Halfway cases go away from zero.
long double __craig_roundl(long double x) {
    long double whole, rest;
    if (__craig_integrall(x) || x == 0)
        return x;
    whole = (long double)(long long)x;
    rest = x - whole;
    if (rest >= (long double)0.5)
        return whole + 1;
    if (rest <= -(long double)0.5)
        return whole - 1;
    return whole == 0 && x < 0 ? -(long double)0 : whole;
}

long __craig_lroundl(long double x) {
    return (long)__craig_roundl(x);
}

long long __craig_llroundl(long double x) {
    return (long long)__craig_roundl(x);
}

// In some direction of rounding.
long double __craig_rintl(long double x) {
    long double result, low;
    if (__craig_integrall(x) || x == 0)
        return x;
    low = __craig_floorl(x);
    if (low == x)
        return x;
    result = __craig_any_ldouble();
    __craig_assume(result == low || result == low + 1);
    return result;
}

long double __craig_nearbyintl(long double x) {
    return __craig_rintl(x);
}

long __craig_lrintl(long double x) {
    return (long)__craig_rintl(x);
}

long long __craig_llrintl(long double x) {
    return (long long)__craig_rintl(x);
}

long double __craig_modfl(long double x, long double *whole) {
    long double part = __craig_truncl(x);
    *whole = part;
    return x - x != 0 ? 0 : x - part;
}

// Of what is no number the sign may be either.
static _Bool __craig_negativel(long double x) {
    if (x != x)
        return __craig_any_bool();
    return x < 0 || (x == 0 && 1 / x < 0);
}

long double __craig_copysignl(long double x, long double y) {
    return __craig_negativel(x) == __craig_negativel(y) ? x : -x;
}

// The sign of the dividend, and less than the divisor.
long double __craig_fmodl(long double x, long double y) {
    long double result, size = __craig_fabsl(y);
    if (x != x || y != y || x - x != 0 || y == 0)
        return __builtin_nanl("");
    if (__craig_fabsl(x) < size)
        return x;
    result = __craig_any_ldouble();
    __craig_assume(-size < result && result < size && (x < 0 ? result <= 0 : result >= 0));
    return result;
}

long double __craig_remainderl(long double x, long double y) {
    long double result, size = __craig_fabsl(y);
    if (x != x || y != y || x - x != 0 || y == 0)
        return __builtin_nanl("");
    result = __craig_any_ldouble();
    __craig_assume(-size <= result + result && result + result <= size);
    return result;
}

long double __craig_sqrtl(long double x) {
    long double result;
    if (x < 0)
        return __builtin_nanl("");
    if (x != x || x == 0 || x == 1 || x == __builtin_infl())
        return x;
    result = __craig_any_ldouble();
    __craig_assume(x < 1 ? x < result && result <= 1 : 1 <= result && result < x);
    return result;
}

long double __craig_cbrtl(long double x) {
    long double result;
    if (x != x || x == 0 || x == 1 || x == -1 || x - x != 0)
        return x;
    result = __craig_any_ldouble();
    __craig_assume(result == result && (x < 0 ? result < 0 : result > 0));
    return result;
}

long double __craig_sinl(long double x) {
    long double result = __craig_any_ldouble();
    if (x - x != 0)
        return __builtin_nanl("");
    if (x == 0)
        return x;
    __craig_assume(-1 <= result && result <= 1);
    return result;
}

long double __craig_cosl(long double x) {
    long double result = __craig_any_ldouble();
    if (x - x != 0)
        return __builtin_nanl("");
    if (x == 0)
        return 1;
    __craig_assume(-1 <= result && result <= 1);
    return result;
}

long double __craig_tanl(long double x) {
    if (x == 0)
        return x;
    return __craig_any_ldouble();
}

long double __craig_sinhl(long double x) {
    if (x == 0)
        return x;
    return __craig_any_ldouble();
}

long double __craig_asinhl(long double x) {
    if (x == 0)
        return x;
    return __craig_any_ldouble();
}

long double __craig_expm1l(long double x) {
    if (x == 0)
        return x;
    return __craig_any_ldouble();
}

long double __craig_log1pl(long double x) {
    if (x == 0)
        return x;
    return __craig_any_ldouble();
}

long double __craig_tanhl(long double x) {
    long double result = __craig_any_ldouble();
    if (x == 0 || x != x)
        return x;
    __craig_assume(-1 <= result && result <= 1 && (x < 0 ? result < 0 : result > 0));
    return result;
}

long double __craig_coshl(long double x) {
    long double result = __craig_any_ldouble();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    __craig_assume(result >= 1);
    return result;
}

long double __craig_expl(long double x) {
    long double result = __craig_any_ldouble();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    __craig_assume(x < 0 ? 0 <= result && result <= 1 : result >= 1);
    return result;
}

long double __craig_exp2l(long double x) {
    long double result = __craig_any_ldouble();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    __craig_assume(x < 0 ? 0 <= result && result <= 1 : result >= 1);
    return result;
}

long double __craig_logl(long double x) {
    long double result = __craig_any_ldouble();
    if (x != x || x < 0)
        return __builtin_nanl("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_infl();
    if (x == __builtin_infl())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

long double __craig_log2l(long double x) {
    long double result = __craig_any_ldouble();
    if (x != x || x < 0)
        return __builtin_nanl("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_infl();
    if (x == __builtin_infl())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

long double __craig_log10l(long double x) {
    long double result = __craig_any_ldouble();
    if (x != x || x < 0)
        return __builtin_nanl("");
    if (x == 1)
        return 0;
    if (x == 0)
        return -__builtin_infl();
    if (x == __builtin_infl())
        return x;
    __craig_assume(x < 1 ? result <= 0 : result >= 0);
    return result;
}

long double __craig_asinl(long double x) {
    long double result = __craig_any_ldouble();
    if (!(-1 <= x && x <= 1))
        return __builtin_nanl("");
    if (x == 0)
        return x;
    __craig_assume((long double)-1.6 <= result && result <= (long double)1.6);
    return result;
}

long double __craig_acosl(long double x) {
    long double result = __craig_any_ldouble();
    if (!(-1 <= x && x <= 1))
        return __builtin_nanl("");
    if (x == 1)
        return 0;
    __craig_assume((long double)0 <= result && result <= (long double)3.2);
    return result;
}

long double __craig_atanl(long double x) {
    long double result = __craig_any_ldouble();
    if (x != x || x == 0)
        return x;
    __craig_assume(x < 0 ? -(long double)1.6 <= result && result < 0 : 0 < result && result <= (long double)1.6);
    return result;
}

long double __craig_atan2l(long double y, long double x) {
    long double result = __craig_any_ldouble();
    if (x != x || y != y)
        return __builtin_nanl("");
    __craig_assume(-(long double)3.2 <= result && result <= (long double)3.2);
    return result;
}

long double __craig_powl(long double x, long double y) {
    long double result;
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return __builtin_nanl("");
    if (y == 1)
        return x;
    if (y == 2)
        return x * x;
    result = __craig_any_ldouble();
    if (x > 0)
        __craig_assume(result >= 0);
    return result;
}

long double __craig_hypotl(long double x, long double y) {
    long double result = __craig_any_ldouble();
    if (x == __builtin_infl() || y == __builtin_infl() || x == -__builtin_infl() || y == -__builtin_infl())
        return __builtin_infl();
    if (x != x || y != y)
        return __builtin_nanl("");
    if (x == 0)
        return __craig_fabsl(y);
    if (y == 0)
        return __craig_fabsl(x);
    __craig_assume(result >= __craig_fabsl(x) && result >= __craig_fabsl(y));
    return result;
}

int __craig___isnanl(long double x) {
    return x != x;
}

int __craig_isnanl(long double x) {
    return x != x;
}

int __craig___isinfl(long double x) {
    return x == __builtin_infl() ? 1 : x == -__builtin_infl() ? -1 : 0;
}

int __craig_isinfl(long double x) {
    return x == __builtin_infl() ? 1 : x == -__builtin_infl() ? -1 : 0;
}

int __craig___finitel(long double x) {
    return x - x == 0;
}

int __craig_finitel(long double x) {
    return x - x == 0;
}

// `__builtin_fpclassify`: one of the five numbers.
int __craig_fpclassifyl(int nan, int infinite, int normal, int subnormal, int zero, long double x) {
    if (x != x)
        return nan;
    if (x - x != 0)
        return infinite;
    if (x == 0)
        return zero;
    return -3.36210314311209350626e-4932L < x && x < 3.36210314311209350626e-4932L ? subnormal : normal;
}

// FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL of glibc.
int __craig___fpclassifyl(long double x) {
    if (x != x)
        return 0;
    if (x - x != 0)
        return 1;
    if (x == 0)
        return 2;
    return -3.36210314311209350626e-4932L < x && x < 3.36210314311209350626e-4932L ? 3 : 4;
}

int __craig___signbitl(long double x) {
    return __craig_negativel(x);
}
