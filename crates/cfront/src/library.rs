//! The C library, written in C and carried in the binary, one file for each header in `library/`.
//!
//! A function `__craig_strlen` there stands for `strlen` wherever a program calls that and does not define it.
//! What C leaves open is a value of `__craig_any_T`, what only the model leaves open one of `__craig_any_approximate_T`, so
//! that runs which read it say so. What C promises is a `__craig_assume`, and what it asks of
//! the caller a `__craig_require`, or a `__craig_require_apart` of what is copied: a copy to a place before its source ends
//! like any other though they overlap, so that this can be asked after it, with the size that was found. (One to a place
//! after its source never ends if they overlap, and leaves the object.) Every call gets its own copy, so that what it is
//! given does not alias across calls; so no function there may call itself. The texts are not preprocessed, and
//! a definition begins at the start of its line: that is how a file is known to have it ([`defined`]). Files are read where a
//! program may need them.

use crate::hir::{FunctionId, Linkage, Program};
use std::sync::LazyLock;

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
    "outcome_",
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
    "files.c",
    "format.c",
    "fortify.c",
    "getopt.c",
    "half.c",
    "harness.c",
    "main.c",
    "network.c",
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
    "threads.c",
    "time.c",
    "wchar.c",
    "wctype.c",
    "wide.c",
);

/// A file of the library, which is made when it is asked for.
struct File {
    path: String,
    text: &'static str,
    /// Of a template, what becomes of its names.
    meanings: &'static [(&'static str, &'static str)],
    /// What a template calls `IMAGE`.
    image: &'static str,
}

impl File {
    fn text(&self) -> String {
        match self.meanings {
            [] => self.text.to_string(),
            meanings => meant(self.text.replace("IMAGE", self.image), meanings),
        }
    }

    /// The names of the functions that are defined there.
    fn defines(&self) -> impl Iterator<Item = String> {
        let image = if self.text.contains("IMAGE") { self.image } else { "" };
        let suffixes = self.meanings.iter().filter(|(from, _)| from.starts_with('_'));
        definitions(self.text)
            .chain(definitions(image))
            .map(move |name| meant(name.to_string(), suffixes.clone()))
    }
}

fn meant<'a>(text: String, meanings: impl IntoIterator<Item = &'a (&'static str, &'static str)>) -> String {
    meanings.into_iter().fold(text, |text, (from, to)| text.replace(from, to))
}

/// All files, in the order in which a function is looked for.
fn files() -> impl Iterator<Item = File> {
    let plain =
        FILES.iter().map(|&(name, text)| File { path: name.to_string(), text, meanings: &[], image: "" });
    let templates = TEMPLATES.iter().flat_map(|&(name, text, suffixes)| {
        MATH.iter().filter(|(suffix, _)| suffixes.contains(suffix)).map(move |&(suffix, meanings)| File {
            path: format!("<library>/{name}{suffix}.c"),
            text,
            meanings,
            image: IMAGES[usize::from(suffix == "l")],
        })
    });
    plain.chain(templates)
}

/// The file of this number, by its name and text.
pub(crate) fn file(number: usize) -> Option<(String, Vec<u8>)> {
    files().nth(number).map(|file| (file.path.clone(), file.text().into_bytes()))
}

/// The functions of the library, each with the number of the first file that defines it.
pub(crate) fn defined() -> &'static [(String, usize)] {
    static DEFINED: LazyLock<Vec<(String, usize)>> = LazyLock::new(|| {
        let of_file =
            |(number, file): (usize, File)| file.defines().map(|name| (name, number)).collect::<Vec<_>>();
        files().enumerate().flat_map(of_file).collect()
    });
    &DEFINED
}

/// The names of functions that a text defines, by the convention of the library.
fn definitions(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        at += line.len();
        (at - line.len(), line)
    });
    let is_start =
        |line: &str| line.as_bytes().first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_');
    let outer = lines.filter(move |(_, line)| is_start(line));
    outer.flat_map(move |(start, line)| {
        line.match_indices(PREFIX).filter_map(move |(offset, _)| {
            let at = start + offset;
            let end = text[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
            is_definition(text.as_bytes(), at).then(|| &text[at..at + end])
        })
    })
}

/// Whether the name at this byte is that of a function which is defined there: its line is not indented, by
/// the convention of the library, and a brace comes before a semicolon.
pub(crate) fn is_definition(text: &[u8], at: usize) -> bool {
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let end = text[at..].iter().find(|&&byte| byte == b'{' || byte == b';');
    !text[start].is_ascii_whitespace() && end == Some(&b'{')
}

/// The functions that have a model, each with the file that it is in.
pub fn models() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for file in files() {
        let text = file.text();
        for line in text.lines().filter(|line| !line.starts_with("static ")) {
            let defined = line
                .split_once('(')
                .map(|(head, _)| head)
                .filter(|_| line.ends_with('{') || line.ends_with('}'));
            let name = defined.and_then(|head| head.rsplit([' ', '*']).next());
            let name = name.and_then(|name| name.strip_prefix(PREFIX));
            found.extend(
                name.filter(|name| !is_helper(name)).map(|name| (name.to_string(), file.path.clone())),
            );
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What has a model is found where it is, and every function is read with its file.
    #[test]
    fn files_define_what_they_are_read_for() {
        let first = |name: &str| defined().iter().find(|(known, _)| known == name).map(|&(_, file)| file);
        let paths: Vec<String> = files().map(|file| file.path).collect();
        for (name, path) in models() {
            let found = first(&format!("{PREFIX}{name}")).map(|file| paths[file].as_str());
            assert_eq!(found, Some(path.as_str()), "{name}");
        }
        for (name, number) in defined() {
            let (path, text) = file(*number).expect("a file");
            let text = String::from_utf8(text).expect("letters");
            assert!(definitions(&text).any(|known| known == name), "{name} in {path}");
        }
    }
}
