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
    (
        "dd",
        "fabs sqrt floor ceil round trunc rint nearbyint sin cos tan asin acos atan sinh cosh tanh exp exp2 \
            log log2 log10 cbrt",
    ),
    ("ddd", "pow fmod atan2 fmin fmax fdim copysign hypot remainder nextafter"),
    ("dddd", "fma"),
    ("ff", "fabsf sqrtf floorf ceilf roundf truncf rintf nearbyintf sinf cosf tanf expf logf"),
    ("fff", "powf fmodf fminf fmaxf fdimf copysignf"),
    ("ee", "fabsl sqrtl floorl ceill roundl truncl rintl nearbyintl"),
    ("eee", "powl fmodl fminl fmaxl fdiml copysignl"),
    ("iiiiiid", "__craig_fpclassify"),
    ("iiiiiif", "__craig_fpclassifyf"),
    ("iiiiiie", "__craig_fpclassifyl"),
    ("ld", "lround lrint"),
    ("Ld", "llround llrint"),
];

/// All names that this module may declare.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SIGNATURES.iter().flat_map(|(_, names)| names.split_whitespace())
}

fn signature(name: &str) -> Option<&'static str> {
    SIGNATURES.iter().find(|(_, names)| names.split_whitespace().any(|n| n == name)).map(|(s, _)| *s)
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
