//! The C library, written in C and carried in the binary, one file for each header in `library/`.
//!
//! A function `__craig_strlen` there stands for `strlen` wherever a program calls that and does not define it.
//! What C leaves open is a value of `__craig_any_T`, what only the model leaves open one of `__craig_any_approximate_T`, so
//! that runs which read it say so. What C promises is a `__craig_assume`, and what it asks of
//! the caller a `__craig_require`, or a `__craig_require_apart` of what is copied: a copy to a place before its source ends
//! like any other though they overlap, so that this can be asked after it, with the size that was found. (One to a place
//! after its source never ends if they overlap, and leaves the object.) Every call gets its own copy, so that what it is
//! given does not alias across calls; so no function there may call itself. The texts are not preprocessed, and
//! a definition begins at the start of its line: that is how a file is known to have it ([`crate::check`]).

use crate::hir::{FunctionId, Linkage, Program};

/// In front of the name of what a function stands for.
pub const PREFIX: &str = "__craig_";

/// In front of the name of a function that lowering knows: what pointers to it lead to.
pub(crate) const POINTER_PREFIX: &str = "__craig_pointer_";

/// How the names of functions go on that stand for nothing: others of the library call them, from other files. A
/// program may have functions of such names, which are none of the library's business.
const HELPERS: &[&str] = &[
    "clang_",
    "complex_",
    "float_",
    "format_",
    "main_arguments",
    "pointer_",
    "rounded_",
    "run_exit_handlers",
    "run_quick_handlers",
    "scan_",
    "stream_",
    "use_",
];

/// Runs what `atexit` was given; there if the program calls that.
pub(crate) const EXIT: &str = "__craig_run_exit_handlers";
pub(crate) const QUICK_EXIT: &str = "__craig_run_quick_handlers";
/// Makes the strings that `main` gets.
pub(crate) const ARGUMENTS: &str = "__craig_main_arguments";

/// Reads a text, if it is no literal.
pub(crate) const USE_TEXT: &str = "__craig_use_text";

/// Sets the direction of rounding, and functions of the files that compute with it.
pub(crate) const SET_ROUNDING: &str = "__craig_fesetround";
pub(crate) const ROUNDED: [&str; 2] = ["__craig_rounded_add", "__craig_rounded_addl"];

/// What `math.c`, `complex.c` and `round.c` are for: the suffix of the file's name, then names and what becomes of them.
const MATH: &[(&str, &[(&str, &str)])] = &[
    (
        "",
        &[
            ("REAL", "double"),
            ("ANY", "__craig_any_double"),
            ("_T", ""),
            ("WHOLE", "4503599627370496.0"),
            ("SMALL", "47453132.0"),
            ("LEAST", "2.2250738585072014e-308"),
            ("DIGITS", "53"),
            ("_R", ""),
            ("WIDE", "double"),
            ("TINY", "2.2250738585072014e-308"),
            ("WORD", "unsigned long long"),
        ],
    ),
    (
        "f",
        &[
            ("REAL", "float"),
            ("ANY", "__craig_any_float"),
            ("_T", "f"),
            ("WHOLE", "8388608.0f"),
            ("SMALL", "2048.0f"),
            ("LEAST", "1.17549435e-38f"),
            ("DIGITS", "24"),
            ("_R", ""),
            ("WIDE", "double"),
            ("TINY", "0.0f"),
        ],
    ),
    (
        "l",
        &[
            ("REAL", "long double"),
            ("ANY", "__craig_any_ldouble"),
            ("_T", "l"),
            ("WHOLE", "9223372036854775808.0L"),
            ("SMALL", "2147483648.0L"),
            ("LEAST", "3.36210314311209350626e-4932L"),
            ("DIGITS", "64"),
            ("_R", "l"),
            ("WIDE", "long double"),
            ("TINY", "3.36210314311209350626e-4932L"),
            ("WORD", "wide"),
        ],
    ),
];

/// Names, texts, and for which types they are.
const TEMPLATES: &[(&str, &str, &[&str])] = &[
    ("math", include_str!("library/math.c"), &["", "f", "l"]),
    ("complex", include_str!("library/complex.c"), &["", "f", "l"]),
    ("round", include_str!("library/round.c"), &["", "l"]),
];

/// How the bits of a number are taken apart in `round.c`.
const IMAGES: [&str; 2] = [include_str!("library/image.c"), include_str!("library/imagel.c")];

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("<library>/", $name), include_str!(concat!("library/", $name)))),*]
    };
}

/// Names and texts.
const FILES: &[(&str, &str)] = files!(
    "atexit.c",
    "clang.c",
    "ctype.c",
    "environment.c",
    "errno.c",
    "fenv.c",
    "format.c",
    "fortify.c",
    "getopt.c",
    "half.c",
    "harness.c",
    "main.c",
    "pointers.c",
    "posix.c",
    "rounding.c",
    "scan.c",
    "signal.c",
    "sort.c",
    "stdio.c",
    "stdlib.c",
    "stream.c",
    "string.c",
    "text.c",
    "time.c",
    "wchar.c",
    "wctype.c",
    "wide.c",
);

/// All names and texts.
fn own() -> Vec<(String, String)> {
    let mut found: Vec<_> = FILES.iter().map(|&(name, text)| (name.to_string(), text.to_string())).collect();
    for &(name, text, suffixes) in TEMPLATES {
        for &(suffix, meanings) in MATH.iter().filter(|(suffix, _)| suffixes.contains(suffix)) {
            let text = text.replace("IMAGE", IMAGES[usize::from(suffix == "l")]);
            let text = meanings.iter().fold(text, |text, (from, to)| text.replace(from, to));
            found.push((format!("<library>/{name}{suffix}.c"), text));
        }
    }
    found
}

/// The texts of the user's models and of the library, in the order in which a function is looked for.
pub(crate) fn texts(models: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    let own = own().into_iter().map(|(name, text)| (name, text.into_bytes()));
    models.into_iter().chain(own).collect()
}

/// The functions that have a model, each with the file that it is in.
pub fn models() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (file, text) in own() {
        for line in text.lines().filter(|line| !line.starts_with("static ")) {
            let defined = line
                .split_once('(')
                .map(|(head, _)| head)
                .filter(|_| line.ends_with('{') || line.ends_with('}'));
            let name = defined.and_then(|head| head.rsplit([' ', '*']).next());
            let name = name.and_then(|name| name.strip_prefix(PREFIX));
            found.extend(name.filter(|name| !is_helper(name)).map(|name| (name.to_string(), file.clone())));
        }
    }
    found.sort_unstable();
    found
}

/// Whether the library's function of this public name is no model of the function of this name.
pub(crate) fn is_helper(name: &str) -> bool {
    HELPERS.iter().any(|helper| name.starts_with(helper))
}

pub(crate) fn is_library(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Whether the text of this path is a model.
pub(crate) fn is_file(path: &str) -> bool {
    path.starts_with(craig_program::LIBRARY)
}

/// The name of what a function of the library stands for, and of others their own.
pub(crate) fn public_name(name: &str) -> &str {
    name.strip_prefix(POINTER_PREFIX).or(name.strip_prefix(PREFIX)).unwrap_or(name)
}

/// The function that stands for one that is not defined.
pub(crate) fn definition(program: &Program, name: &str) -> Option<FunctionId> {
    function(program, &format!("{PREFIX}{name}"))
}

/// The library's function of exactly this name.
pub(crate) fn function(program: &Program, name: &str) -> Option<FunctionId> {
    let id = program.function_named(name)?;
    let function = &program.functions[id];
    (function.body.is_some() && function.linkage == Linkage::External).then_some(id)
}
