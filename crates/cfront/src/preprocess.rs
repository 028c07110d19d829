//! From files to text: `.i` without definitions is taken as it is, everything else goes through the system's C
//! preprocessor, unless it has neither directives nor words that could be macros. To start a compiler takes longer than
//! to answer many a question about a small program.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::types::DataModel;

/// What is passed on to the preprocessor, and the sizes of types.
#[derive(Clone, Debug)]
pub struct Options {
    pub model: DataModel,
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// `-D`: `NAME` or `NAME=VALUE`
    pub defines: Vec<String>,
    /// Everything else that the preprocessor is told, as a compiler takes it; these come before the definitions.
    pub flags: Vec<String>,
}

impl Options {
    pub fn new(model: DataModel) -> Options {
        Options { model, include_dirs: Vec::new(), defines: Vec::new(), flags: Vec::new() }
    }
}

#[derive(Debug)]
pub enum PreprocessError {
    /// The file cannot be read.
    Read(io::Error),
    /// None of the compilers that were tried exists.
    NoCompiler,
    /// The preprocessor refused; this is what it said.
    Failed(String),
}

impl std::fmt::Display for PreprocessError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PreprocessError::Read(error) => write!(f, "cannot be read: {error}"),
            PreprocessError::NoCompiler => write!(
                f,
                "needs a C compiler for its preprocessor, and none of `$CC`, `cc`, `gcc` and `clang` can be run; \
                 install one, or preprocess elsewhere and give the `.i` file"
            ),
            PreprocessError::Failed(message) => write!(f, "cannot be preprocessed:\n{message}"),
        }
    }
}

/// The preprocessed text of a file.
pub fn preprocess(path: &Path, options: &Options) -> Result<Vec<u8>, PreprocessError> {
    // This also tells a missing file from a failing preprocessor.
    let text = fs::read(path).map_err(PreprocessError::Read)?;
    if path.extension().is_some_and(|e| e == "i") && !has_directives(&text) {
        return Ok(text);
    }
    if options.defines.is_empty() && options.flags.is_empty() && is_preprocessed(&text) {
        let name = path.display().to_string();
        if !name.contains(['"', '\\']) {
            let mut marked = format!("# 1 \"{name}\"\n").into_bytes();
            marked.extend(text);
            return Ok(marked);
        }
    }
    // Annotations are comments; those of the headers come along.
    let keep_comments = ["/*@", "//@"].iter().any(|a| text.windows(3).any(|three| three == a.as_bytes()));
    let given = std::env::var("CC").unwrap_or_default();
    let compilers = [&given, "cc", "gcc", "clang", "cpp"];
    for compiler in compilers.into_iter().filter(|c| !c.is_empty()) {
        match run(compiler, path, options, false, keep_comments) {
            Err(PreprocessError::NoCompiler) => continue,
            // 32-bit headers are often not installed: the 64-bit ones serve, but for one generated file.
            Err(PreprocessError::Failed(message)) if options.model == DataModel::Ilp32 => {
                return run(compiler, path, options, true, keep_comments)
                    .map_err(|_| PreprocessError::Failed(message));
            }
            result => return result,
        }
    }
    Err(PreprocessError::NoCompiler)
}

fn run(
    compiler: &str,
    path: &Path,
    options: &Options,
    borrow_headers: bool,
    keep_comments: bool,
) -> Result<Vec<u8>, PreprocessError> {
    let mut command = Command::new(compiler);
    command.arg("-E").arg("-w").stdin(Stdio::null());
    // The macros of glibc's <ctype.h> look into tables; the functions of the same names say what they mean.
    command.arg("-D__NO_CTYPE");
    if keep_comments {
        command.arg("-C");
    }
    if options.model == DataModel::Ilp32 {
        command.arg("-m32");
    }
    let mut stubs = None;
    if borrow_headers {
        let directory = std::env::temp_dir().join(format!("craig-headers-{}", std::process::id()));
        if fs::create_dir_all(directory.join("gnu")).is_ok()
            && fs::write(directory.join("gnu/stubs-32.h"), "").is_ok()
        {
            command.arg("-idirafter").arg(&directory);
            stubs = Some(directory);
        }
        for directory in ["/usr/include/x86_64-linux-gnu", "/usr/include"] {
            command.arg("-idirafter").arg(directory);
        }
    }
    command.args(&options.flags);
    for directory in &options.include_dirs {
        command.arg("-I").arg(directory);
    }
    for define in &options.defines {
        command.arg(format!("-D{define}"));
    }
    // The language is C whatever the file is called.
    command.arg("-x").arg("c").arg(path);
    let output = command.output();
    if let Some(directory) = stubs {
        let _ = fs::remove_dir_all(directory);
    }
    match output {
        Err(_) => Err(PreprocessError::NoCompiler),
        Ok(output) if output.status.success() => Ok(output.stdout),
        Ok(output) => {
            Err(PreprocessError::Failed(String::from_utf8_lossy(&output.stderr).trim_end().to_string()))
        }
    }
}

/// Beginnings of the macros with small letters that compilers define: machines, systems, compilers. Those
/// with capitals only need no list.
const PREDEFINED: &[&str] = &[
    "__aarch64",
    "__alpha",
    "__amd64",
    "__apple",
    "__arm",
    "__atom",
    "__clang",
    "__code_model",
    "__core",
    "__gnu_linux",
    "__has_",
    "__hppa",
    "__i386",
    "__i486",
    "__i586",
    "__i686",
    "__ia64",
    "__k8",
    "__linux",
    "__llvm",
    "__loongarch",
    "__m68k",
    "__mips",
    "__nocona",
    "__pentium",
    "__pic",
    "__pie",
    "__powerpc",
    "__ppc",
    "__riscv",
    "__s390",
    "__sparc",
    "__thumb",
    "__tune_",
    "__unix",
    "__x86",
    "__znver",
];
const SINGLE: &[&str] = &[
    "_FORTIFY_SOURCE",
    "_GNU_SOURCE",
    "_ILP32",
    "_LP64",
    "_OPENMP",
    "_Pragma",
    "_REENTRANT",
    "_STDC_PREDEF_H",
    "i386",
    "linux",
    "unix",
];

/// Whether a text that should be preprocessed is not.
fn has_directives(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).lines().any(|line| {
        let word = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
        ["define", "include", "if"].iter().any(|directive| word.starts_with(directive))
    })
}

/// Whether the preprocessor would change nothing that matters: line markers are the only directives, and no
/// word, be it in a comment, looks like a macro that compilers define.
fn is_preprocessed(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let unusual = ["%:", "??", "\\\n", "\\\r"];
    !unusual.iter().any(|part| text.contains(part)) && text.lines().all(is_plain)
}

fn is_plain(line: &str) -> bool {
    match line.trim_start().strip_prefix('#') {
        Some(directive) => {
            let directive = directive.trim_start();
            let marker = directive.strip_prefix("line").unwrap_or(directive);
            marker.trim_start().starts_with(|c: char| c.is_ascii_digit())
        }
        None => {
            let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            !words.filter(|word| !word.is_empty()).any(may_be_macro)
        }
    }
}

fn may_be_macro(word: &str) -> bool {
    let capitals = word.starts_with("__")
        && word.contains(|c: char| c.is_ascii_uppercase())
        && !word.contains(|c: char| c.is_ascii_lowercase());
    capitals || SINGLE.contains(&word) || PREDEFINED.iter().any(|beginning| word.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::is_preprocessed;

    #[test]
    fn what_has_directives_or_macros_goes_through_the_preprocessor() {
        let plain = [
            "int main(void) { return 0; }",
            "#line 3 \"linux/a.c\"\nint x;\n # 4\n",
            "int _L__0, __cil_tmp; // x\n",
        ];
        for text in plain {
            assert!(is_preprocessed(text.as_bytes()), "{text}");
        }
        let others = [
            "#include <a.h>\n",
            "int x; /*\n #define y\n*/",
            "int x = __LINE__;",
            "int x = __INT_MAX__;",
            "int linux;",
            "int x\\\ny;",
            "%:define x\n",
            "int x = _LP64;",
            "int x = __x86_64__;",
        ];
        for text in others {
            assert!(!is_preprocessed(text.as_bytes()), "{text}");
        }
    }
}
