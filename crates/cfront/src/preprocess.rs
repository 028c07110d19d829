//! From files to text: `.i` is taken as it is, everything else goes through the system's C preprocessor.

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
}

impl Options {
    pub fn new(model: DataModel) -> Options {
        Options { model, include_dirs: Vec::new(), defines: Vec::new() }
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
    if path.extension().is_some_and(|e| e == "i") {
        return fs::read(path).map_err(PreprocessError::Read);
    }
    // Tell a missing file from a failing preprocessor.
    fs::metadata(path).map_err(PreprocessError::Read)?;
    let compilers = [std::env::var("CC").unwrap_or_default(), "cc".into(), "gcc".into(), "clang".into()];
    for compiler in compilers.iter().filter(|c| !c.is_empty()) {
        match run(compiler, path, options, false) {
            Err(PreprocessError::NoCompiler) => continue,
            // 32-bit headers are often not installed: the 64-bit ones serve, but for one generated file.
            Err(PreprocessError::Failed(message)) if options.model == DataModel::Ilp32 => {
                return run(compiler, path, options, true).map_err(|_| PreprocessError::Failed(message));
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
) -> Result<Vec<u8>, PreprocessError> {
    let mut command = Command::new(compiler);
    command.arg("-E").arg("-w").stdin(Stdio::null());
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
