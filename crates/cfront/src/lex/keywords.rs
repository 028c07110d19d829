//! Keywords with the alternative spellings of GNU C.

macro_rules! keywords {
    ($($name:ident $($text:literal)+,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Keyword { $($name),* }

        /// In the order in which [`super::Names`] interns them.
        pub const KEYWORDS: &[(&str, Keyword)] = &[$($(($text, Keyword::$name),)+)*];
    };
}

keywords! {
    // Types and qualifiers.
    Void "void", Char "char", Short "short", Int "int", Long "long", Float "float", Double "double",
    Signed "signed" "__signed" "__signed__", Unsigned "unsigned", Bool "_Bool" "__CPROVER_bool",
    Complex "_Complex" "__complex__" "__complex", Imaginary "_Imaginary",
    Int128 "__int128" "__int128_t", UnsignedInt128 "__uint128_t",
    Float16 "_Float16", Float128 "_Float128" "__float128", Float64x "_Float64x" "__float80", Float64 "_Float64" "_Float32x", Float32 "_Float32",
    VaList "__builtin_va_list", SizeType "__CPROVER_size_t",
    Struct "struct", Union "union", Enum "enum",
    Typeof "typeof" "__typeof__" "__typeof", AutoType "__auto_type",
    Const "const" "__const" "__const__", Volatile "volatile" "__volatile__" "__volatile",
    Restrict "restrict" "__restrict" "__restrict__", Atomic "_Atomic",
    // Storage and functions.
    Typedef "typedef", Extern "extern", Static "static", Auto "auto", Register "register",
    Inline "inline" "__inline" "__inline__", Noreturn "_Noreturn", ThreadLocal "_Thread_local" "__thread",
    Alignas "_Alignas", Attribute "__attribute__" "__attribute", Asm "asm" "__asm__" "__asm",
    Extension "__extension__", StaticAssert "_Static_assert", Label "__label__",
    // Statements.
    If "if", Else "else", While "while", Do "do", For "for", Switch "switch", Case "case",
    Default "default", Break "break", Continue "continue", Return "return", Goto "goto",
    // Expressions.
    Sizeof "sizeof", Alignof "_Alignof", PreferredAlignof "__alignof__" "__alignof", Generic "_Generic",
    Real "__real__" "__real", Imag "__imag__" "__imag",
    VaArg "__builtin_va_arg", ConvertVector "__builtin_convertvector", Offsetof "__builtin_offsetof",
    TypesCompatible "__builtin_types_compatible_p", ChooseExpr "__builtin_choose_expr",
}
