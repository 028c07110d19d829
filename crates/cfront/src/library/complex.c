// Complex numbers of the type REAL, with its suffix _T: what the operators mean, and <complex.h>.

REAL ANY(void);
REAL __craig_hypot_T(REAL, REAL);
REAL __craig_atan2_T(REAL, REAL);
REAL __craig_fabs_T(REAL);
REAL __craig_copysign_T(REAL, REAL);
int __craig_isinf_T(REAL);

REAL _Complex __craig_complex_add_T(REAL _Complex a, REAL _Complex b) {
    __real__ a = __real__ a + __real__ b;
    __imag__ a = __imag__ a + __imag__ b;
    return a;
}

REAL _Complex __craig_complex_sub_T(REAL _Complex a, REAL _Complex b) {
    __real__ a = __real__ a - __real__ b;
    __imag__ a = __imag__ a - __imag__ b;
    return a;
}

// Where infinities make both parts no numbers, gcc looks for better ones.
REAL _Complex __craig_complex_mul_T(REAL _Complex a, REAL _Complex b) {
    REAL _Complex result;
    REAL x = __real__ a * __real__ b - __imag__ a * __imag__ b;
    REAL y = __real__ a * __imag__ b + __imag__ a * __real__ b;
    if (x != x && y != y) {
        x = ANY();
        y = ANY();
    }
    __real__ result = x;
    __imag__ result = y;
    return result;
}

// With a real number there is no other part.
REAL _Complex __craig_complex_add_real_T(REAL _Complex a, REAL b) {
    __real__ a = __real__ a + b;
    return a;
}

REAL _Complex __craig_complex_sub_real_T(REAL _Complex a, REAL b) {
    __real__ a = __real__ a - b;
    return a;
}

REAL _Complex __craig_complex_mul_real_T(REAL _Complex a, REAL b) {
    __real__ a = __real__ a * b;
    __imag__ a = __imag__ a * b;
    return a;
}

REAL _Complex __craig_complex_div_real_T(REAL _Complex a, REAL b) {
    __real__ a = __real__ a / b;
    __imag__ a = __imag__ a / b;
    return a;
}

// Neither so large nor so small that a quotient's intermediate results could be.
static _Bool __craig_is_moderate_T(REAL x) {
    REAL size = __craig_fabs_T(x);
    return x == 0 || ((REAL)1e-15 <= size && size <= (REAL)1e15);
}

// Of `float` as gcc computes it, with more digits, and of the others by Smith's method (Communications of the ACM 5, 1962),
// which gcc has where nothing comes near the ends of the range. Elsewhere the quotient is open.
REAL _Complex __craig_complex_div_T(REAL _Complex u, REAL _Complex v) {
    REAL _Complex result;
    REAL a = __real__ u, b = __imag__ u, c = __real__ v, d = __imag__ v, x, y;
    if (!__craig_is_moderate_T(a) || !__craig_is_moderate_T(b) || !__craig_is_moderate_T(c)
        || !__craig_is_moderate_T(d) || (c == 0 && d == 0)) {
        x = ANY();
        y = ANY();
    } else if (DIGITS == 24) {
        double denominator = (double)c * (double)c + (double)d * (double)d;
        x = (REAL)(((double)a * (double)c + (double)b * (double)d) / denominator);
        y = (REAL)(((double)b * (double)c - (double)a * (double)d) / denominator);
    } else if (__craig_fabs_T(c) < __craig_fabs_T(d)) {
        REAL ratio = c / d, denominator = c * ratio + d;
        x = (a * ratio + b) / denominator;
        y = (b * ratio - a) / denominator;
    } else {
        REAL ratio = d / c, denominator = d * ratio + c;
        x = (b * ratio + a) / denominator;
        y = (b - a * ratio) / denominator;
    }
    __real__ result = x;
    __imag__ result = y;
    return result;
}

REAL _Complex __craig_complex_neg_T(REAL _Complex a) {
    __real__ a = -__real__ a;
    __imag__ a = -__imag__ a;
    return a;
}

REAL _Complex __craig_conj_T(REAL _Complex a) {
    __imag__ a = -__imag__ a;
    return a;
}

int __craig_complex_equal_T(REAL _Complex a, REAL _Complex b) {
    return __real__ a == __real__ b && __imag__ a == __imag__ b;
}

int __craig_complex_truth_T(REAL _Complex a) {
    return __real__ a != 0 || __imag__ a != 0;
}

REAL __craig_creal_T(REAL _Complex a) {
    return __real__ a;
}

REAL __craig_cimag_T(REAL _Complex a) {
    return __imag__ a;
}

REAL __craig_cabs_T(REAL _Complex a) {
    return __craig_hypot_T(__real__ a, __imag__ a);
}

REAL __craig_carg_T(REAL _Complex a) {
    return __craig_atan2_T(__imag__ a, __real__ a);
}

// All infinities are one.
REAL _Complex __craig_cproj_T(REAL _Complex a) {
    if (__craig_isinf_T(__real__ a) || __craig_isinf_T(__imag__ a)) {
        __imag__ a = __craig_copysign_T(0, __imag__ a);
        __real__ a = __builtin_inf_T();
    }
    return a;
}

float _Complex __craig_complex_to_float_T(REAL _Complex a) {
    float _Complex result;
    __real__ result = (float)__real__ a;
    __imag__ result = (float)__imag__ a;
    return result;
}

double _Complex __craig_complex_to_double_T(REAL _Complex a) {
    double _Complex result;
    __real__ result = (double)__real__ a;
    __imag__ result = (double)__imag__ a;
    return result;
}

long double _Complex __craig_complex_to_long_T(REAL _Complex a) {
    long double _Complex result;
    __real__ result = (long double)__real__ a;
    __imag__ result = (long double)__imag__ a;
    return result;
}
