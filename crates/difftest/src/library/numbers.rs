//! Functions of `<math.h>` and `<complex.h>`, each for the three floating types: `REAL` is the type, `_T` the suffix of
//! its functions.

/// The floating types: suffix, name.
pub(super) const TYPES: [(&str, &str); 3] = [("", "double"), ("f", "float"), ("l", "long double")];

/// As [`super::calls::FIXED`].
pub(super) const FIXED: &[(&str, &str)] = &[
    ("fabs_T", "real_T(fabs_T($R));"),
    ("fmax_T", "real_T(fmax_T($R, $R) + 0);"),
    ("fmin_T", "real_T(fmin_T($R, $R) + 0);"),
    ("fdim_T", "real_T(fdim_T($R, $R));"),
    ("trunc_T", "real_T(trunc_T($R));"),
    ("floor_T", "real_T(floor_T($R));"),
    ("ceil_T", "real_T(ceil_T($R));"),
    ("round_T", "real_T(round_T($R));"),
    ("roundeven_T", "real_T(roundeven_T($R));"),
    ("rint_T", "real_T(rint_T($R)); fesetround($r); real_T(rint_T(any_real_T())); fesetround(0);"),
    (
        "nearbyint_T",
        "real_T(nearbyint_T($R)); fesetround($r); real_T(nearbyint_T(any_real_T())); fesetround(0);",
    ),
    ("copysign_T", "{ REAL y = $R; real_T(copysign_T($R, y == y ? y : 1)); }"),
    ("sqrt_T", "real_T(sqrt_T($R));"),
    ("nextafter_T", "real_T(nextafter_T($R, $R));"),
    ("nexttoward_T", "real_T(nexttoward_T($R, (long double)$R));"),
    ("scalbln_T", "real_T(scalbln_T($R, $i % 1200));"),
    ("scalbn_T", "real_T(scalbn_T($R, $i % 64));"),
    ("ldexp_T", "real_T(ldexp_T($R, $i % 1200));"),
    ("modf_T", "{ REAL w; real_T(modf_T($R, &w)); real_T(w); }"),
    ("frexp_T", "{ int n; REAL d = $R; real_T(frexp_T(d, &n)); if (d - d == 0) mix(n); }"),
    ("logb_T", "real_T(logb_T($R));"),
    ("ilogb_T", "{ REAL d = $R; if (d != 0 && d - d == 0) mix(ilogb_T(d)); }"),
    ("lround_T", "mix(lround_T((REAL)$g));"),
    ("llround_T", "mix(llround_T((REAL)$g));"),
    ("lrint_T", "mix(lrint_T((REAL)$g));"),
    ("llrint_T", "mix(llrint_T((REAL)$g));"),
    ("fpclassify_T __fpclassify_T", "mix(fpclassify($R)); mix(__fpclassify_T($R));"),
    (
        "signbit_T __signbit_T",
        "{ REAL d = $R; mix(d != d ? 9 : !signbit(d)); mix(d != d ? 9 : !__signbit_T(d)); }",
    ),
    ("isnormal_T", "mix(!isnormal($R));"),
    (
        "isfinite_T finite_T __finite_T",
        "{ REAL d = $R; mix(!isfinite(d)); mix(!finite_T(d)); mix(!__finite_T(d)); }",
    ),
    ("isinf_T __isinf_T", "{ REAL d = $R; mix(!isinf(d)); mix(!isinf_T(d)); mix(__isinf_T(d)); }"),
    ("isnan_T __isnan_T", "{ REAL d = $R; mix(!isnan(d)); mix(!isnan_T(d)); mix(!__isnan_T(d)); }"),
    ("nan_T", "{ REAL d = nan_T(\"\"); mix(d != d); }"),
    (
        "cproj_T",
        "{ REAL _Complex z; REAL e; __real__ z = $R; e = $R; __imag__ z = e == e ? e : 1; z = cproj_T(z); real_T(__real__ z); real_T(__imag__ z); }",
    ),
    (
        "complex_div_T",
        "{ REAL _Complex z, w; __real__ z = (REAL)$g; __imag__ z = (REAL)$g; __real__ w = (REAL)$g; __imag__ w = (REAL)$g + 0.25f; z /= w; real_T(__real__ z + 0); real_T(__imag__ z + 0); }",
    ),
    (
        "creal_T cimag_T conj_T",
        "{ REAL _Complex z; __real__ z = $R; __imag__ z = $R; real_T(creal_T(z)); real_T(cimag_T(z)); real_T(cimag_T(conj_T(z))); }",
    ),
];

/// Functions whose results C leaves open: their names, and a call with the numbers `d` and `e`.
pub(super) const OPEN: &[(&str, &str)] = &[
    ("cbrt_T", "cbrt_T(d)"),
    ("sin_T", "sin_T(d)"),
    ("cos_T", "cos_T(d)"),
    ("tan_T", "tan_T(d)"),
    ("asin_T", "asin_T(d)"),
    ("acos_T", "acos_T(d)"),
    ("atan_T", "atan_T(d)"),
    ("sinh_T", "sinh_T(d)"),
    ("cosh_T", "cosh_T(d)"),
    ("tanh_T", "tanh_T(d)"),
    ("exp_T", "exp_T(d)"),
    ("exp2_T", "exp2_T(d)"),
    ("exp10_T", "exp10_T(d)"),
    ("log_T", "log_T(d)"),
    ("log2_T", "log2_T(d)"),
    ("log10_T", "log10_T(d)"),
    ("log1p_T", "log1p_T(d)"),
    ("expm1_T", "expm1_T(d)"),
    ("acosh_T", "acosh_T(d)"),
    ("asinh_T", "asinh_T(d)"),
    ("atanh_T", "atanh_T(d)"),
    ("erf_T", "erf_T(d)"),
    ("erfc_T", "erfc_T(d)"),
    ("tgamma_T", "tgamma_T(d)"),
    ("lgamma_T", "lgamma_T(d)"),
    ("fmod_T", "fmod_T(d, e)"),
    ("remainder_T", "remainder_T(d, e)"),
    ("drem_T", "drem_T(d, e)"),
    ("remquo_T", "({ int q; remquo_T(d, e, &q); })"),
    ("pow_T", "pow_T(d, e)"),
    ("atan2_T", "atan2_T(d, e)"),
    ("hypot_T", "hypot_T(d, e)"),
    ("sincos_T", "({ REAL s, c; sincos_T(d, &s, &c); e < 0 ? s : c; })"),
    ("cabs_T", "({ REAL _Complex z; __real__ z = d; __imag__ z = e; cabs_T(z); })"),
    ("carg_T", "({ REAL _Complex z; __real__ z = d; __imag__ z = e; carg_T(z); })"),
];

/// Likewise, of one type: its place in [`TYPES`] comes last.
pub(super) const OPEN_ONCE: &[(&str, &str, usize)] = &[
    ("strtod", "strtod(any_number(), 0)", 0),
    ("strtof", "strtof(any_number(), 0)", 1),
    ("strtold", "strtold(any_number(), 0)", 2),
    ("atof", "atof(any_number())", 0),
    ("wcstod", "wcstod(widened(any_number()), 0)", 0),
    ("wcstof", "wcstof(widened(any_number()), 0)", 1),
    ("wcstold", "wcstold(widened(any_number()), 0)", 2),
    ("drand48", "drand48()", 0),
    // Some products have more digits than the model computes with.
    ("fmal", "fmal(d, e, d)", 2),
];
