//! Library functions that gcc knows without a declaration: for `__builtin_memcpy` and the like, and for calls
//! of undeclared functions, which get these types instead of `int f()`.

use super::Checker;
use super::scope::Binding;
use crate::hir::{Function, FunctionId, Linkage};
use crate::lex::Symbol;
use crate::source::Span;
use crate::types::{FunctionType, QualType, Qualifiers, TypeId};

/// Names by signature: the result, then the parameters, one letter each ([`Checker::letter_type`]).
const SIGNATURES: &[(&str, &str)] = &[
    ("v", "abort"),
    ("vi", "exit _exit _Exit"),
    ("pz", "malloc alloca"),
    ("pzz", "calloc aligned_alloc"),
    ("ppz", "realloc"),
    ("vp", "free"),
    ("ppPz", "memcpy memmove mempcpy"),
    ("ppiz", "memset"),
    ("iPPz", "memcmp bcmp"),
    ("pPiz", "memchr"),
    ("vpz", "bzero"),
    ("zS", "strlen"),
    ("zSz", "strnlen"),
    ("ssS", "strcpy strcat stpcpy"),
    ("ssSz", "strncpy strncat stpncpy"),
    ("iSS", "strcmp strcasecmp strcoll"),
    ("iSSz", "strncmp strncasecmp"),
    ("sSi", "strchr strrchr index rindex"),
    ("sSS", "strstr strpbrk"),
    ("zSS", "strspn strcspn"),
    ("sS", "strdup"),
    ("sSz", "strndup"),
    ("iS.", "printf scanf"),
    ("isS.", "sprintf"),
    ("iszS.", "snprintf"),
    ("iSS.", "sscanf"),
    ("ipS.", "fprintf fscanf"),
    ("iSa", "vprintf"),
    ("isSa", "vsprintf"),
    ("iszSa", "vsnprintf"),
    ("ipSa", "vfprintf"),
    ("iS", "puts"),
    ("iSp", "fputs"),
    (
        "ii",
        "putchar abs isalpha isdigit isalnum isspace isupper islower isprint ispunct isxdigit iscntrl isgraph \
            isblank toupper tolower",
    ),
    ("ll", "labs"),
    ("LL", "llabs"),
    ("iP", "__VERIFIER_craig_zeroed"),
    ("zP", "__CPROVER_POINTER_OBJECT __CPROVER_OBJECT_SIZE __ESBMC_POINTER_OBJECT __ESBMC_get_object_size"),
    ("lP", "__CPROVER_POINTER_OFFSET __ESBMC_POINTER_OFFSET"),
    ("iPPP", "__CPROVER_pointer_in_range __CPROVER_pointer_in_range_dfcc"),
    ("iPP", "__CPROVER_same_object __ESBMC_same_object"),
    ("iP.", "__CPROVER_r_ok __CPROVER_w_ok __CPROVER_rw_ok __ESBMC_r_ok __ESBMC_w_ok"),
    ("iP", "__CPROVER_DYNAMIC_OBJECT __CPROVER_LIVE_OBJECT __CPROVER_WRITEABLE_OBJECT __CPROVER_is_freeable"),
    ("iPzPz", "__VERIFIER_craig_separated"),
    ("vPP", "__CPROVER_array_copy __CPROVER_array_replace"),
    ("bPP", "__CPROVER_array_equal __CPROVER_pointer_equals"),
    ("vpz", "__CPROVER_havoc_slice"),
    ("pzb", "__CPROVER_allocate"),
    // Inputs of harnesses have the type that their name says.
    ("b", "nondet_bool __VERIFIER_nondet_bool"),
    ("c", "nondet_char __VERIFIER_nondet_char"),
    ("C", "nondet_uchar __VERIFIER_nondet_uchar nondet_unsigned_char"),
    ("h", "nondet_short __VERIFIER_nondet_short"),
    ("H", "nondet_ushort __VERIFIER_nondet_ushort nondet_unsigned_short"),
    ("i", "nondet_int __VERIFIER_nondet_int"),
    (
        "u",
        "nondet_uint __VERIFIER_nondet_uint nondet_unsigned nondet_unsigned_int __VERIFIER_nondet_unsigned",
    ),
    ("l", "nondet_long __VERIFIER_nondet_long"),
    ("z", "nondet_size_t __VERIFIER_nondet_size_t"),
    ("m", "nondet_ulong __VERIFIER_nondet_ulong nondet_unsigned_long"),
    ("L", "nondet_longlong __VERIFIER_nondet_longlong nondet_long_long"),
    ("M", "nondet_ulonglong __VERIFIER_nondet_ulonglong nondet_unsigned_long_long"),
    ("d", "nondet_double __VERIFIER_nondet_double"),
    ("fH", "__craig_float_of_half"),
    ("Hd", "__craig_float_to_half"),
    ("f", "nondet_float __VERIFIER_nondet_float"),
    ("CC", "__craig_clang_bitreverse8"),
    ("HH", "__craig_clang_bitreverse16"),
    ("uu", "__craig_clang_bitreverse32"),
    ("MM", "__craig_clang_bitreverse64"),
    ("CCC", "__craig_clang_rotateleft8 __craig_clang_rotateright8"),
    ("HHH", "__craig_clang_rotateleft16 __craig_clang_rotateright16"),
    ("uuu", "__craig_clang_rotateleft32 __craig_clang_rotateright32"),
    ("MMM", "__craig_clang_rotateleft64 __craig_clang_rotateright64"),
];

/// The same for functions of `double`; with `f` and `l` behind the name, each is one of `float` and of `long double`.
const REAL: &[(&str, &str)] = &[
    (
        "dd",
        "fabs sqrt floor ceil round roundeven trunc rint nearbyint sin cos tan asin acos atan sinh cosh tanh \
            asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p logb cbrt erf erfc tgamma lgamma",
    ),
    ("ddd", "pow fmod atan2 fmin fmax fdim copysign hypot remainder drem nextafter"),
    ("dddd", "fma"),
    ("ddi", "ldexp scalbn"),
    ("ddl", "scalbln"),
    ("ddp", "frexp modf"),
    ("dddp", "remquo"),
    ("dde", "nexttoward"),
    ("id", "ilogb"),
    ("ld", "lround lrint"),
    ("Ld", "llround llrint"),
    ("vdpp", "sincos"),
    ("iiiiiid", "__craig_fpclassify"),
    ("id", "__craig_isnormal __craig_signbit __craig_isinf"),
];

/// The suffixes, and the letters of the types.
const SUFFIXES: [(&str, &str); 3] = [("", "d"), ("f", "f"), ("l", "e")];

/// All names that this module may declare.
pub(super) fn names() -> impl Iterator<Item = String> {
    let of = |table: &'static [(&str, &str)]| table.iter().flat_map(|(_, names)| names.split_whitespace());
    let real = of(REAL).flat_map(|name| SUFFIXES.map(|(suffix, _)| format!("{name}{suffix}")));
    of(SIGNATURES).map(str::to_string).chain(real)
}

fn signature(name: &str) -> Option<String> {
    let find = |table: &[(&'static str, &str)], name: &str| {
        table.iter().find(|(_, names)| names.split_whitespace().any(|n| n == name)).map(|(s, _)| *s)
    };
    let real = || {
        SUFFIXES.iter().find_map(|(suffix, letter)| {
            let signature = find(REAL, name.strip_suffix(suffix)?)?;
            Some(signature.replace('d', letter))
        })
    };
    find(SIGNATURES, name).map(str::to_string).or_else(real)
}

impl Checker<'_> {
    /// The function `X` for the name `__builtin_X`.
    pub(super) fn builtin_library_function(&mut self, name: Symbol) -> Option<FunctionId> {
        let base = self.text(name).strip_prefix("__builtin_")?;
        let base = self.names.lookup(base)?;
        self.library_function(base)
    }

    /// The library function of that name with external linkage, declared if it is not yet.
    pub(super) fn library_function(&mut self, name: Symbol) -> Option<FunctionId> {
        let text = self.text(name);
        let signature = signature(text)?;
        if let Some(Binding::Function(function)) = self.state.external.get(&name) {
            return Some(*function);
        }
        let mut letters = signature.chars();
        let result = self.letter_type(letters.next().unwrap_or('v'));
        let variadic = signature.ends_with('.');
        let params = letters.filter(|&c| c != '.').map(|c| self.letter_type(c)).collect();
        let ty = self.types().function(FunctionType { result, params, variadic, prototyped: true });
        let function = self.program.functions.push(Function {
            name: text.to_string(),
            ty,
            linkage: Linkage::External,
            no_return: matches!(text, "abort" | "exit" | "_exit" | "_Exit"),
            weak: false,
            span: Span::NONE,
            body: None,
        });
        self.state.external.insert(name, Binding::Function(function));
        Some(function)
    }

    fn letter_type(&mut self, letter: char) -> TypeId {
        let constant = |ty: TypeId| QualType::from(ty).with(Qualifiers::CONST);
        match letter {
            'b' => TypeId::BOOL,
            'c' => TypeId::CHAR,
            'C' => TypeId::UNSIGNED_CHAR,
            'h' => TypeId::SHORT,
            'H' => TypeId::UNSIGNED_SHORT,
            'u' => TypeId::UNSIGNED_INT,
            'm' => TypeId::UNSIGNED_LONG,
            'M' => TypeId::UNSIGNED_LONG_LONG,
            'i' => TypeId::INT,
            'l' => TypeId::LONG,
            'L' => TypeId::LONG_LONG,
            'z' => self.program.types.size_type(),
            'd' => TypeId::DOUBLE,
            'f' => TypeId::FLOAT,
            'e' => TypeId::LONG_DOUBLE,
            'p' => self.types().pointer_to(TypeId::VOID),
            'P' => self.types().pointer_to(constant(TypeId::VOID)),
            's' => self.types().pointer_to(TypeId::CHAR),
            'S' => self.types().pointer_to(constant(TypeId::CHAR)),
            'a' => TypeId::VA_LIST,
            _ => TypeId::VOID,
        }
    }
}
