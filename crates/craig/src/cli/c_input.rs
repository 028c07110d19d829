//! C programs from the command line: which files, how they are read, and what they become.

use super::arguments::DataModel;
use super::session::Session;
use crate::error::Error;
use crate::task::{Loaded, Source};
use craig_program::{Arithmetic, CheckKind};
use std::path::PathBuf;

/// Which C program, and what its parts mean.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "The program")]
pub struct CInput {
    /// C files; `.c` goes through the system's preprocessor, `.i` is taken as it is. Or a task definition
    /// (`.yml`) that names them, and a property (`.prp`).
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The sizes of C's types; by default those of the task definition, or else lp64.
    #[arg(long, value_enum, value_name = "MODEL")]
    pub data_model: Option<DataModel>,
    /// The function to start at, with arbitrary arguments; by default that of the property, or else main.
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// What holds when the function is called: a C condition over its parameters and globals, with `valid(p, n)`,
    /// `fresh(p, n)` and `string(s)`.
    #[arg(long = "requires", value_name = "CONDITION")]
    pub requires: Vec<String>,
    /// The same from a file.
    #[arg(long = "requires-file", value_name = "FILE")]
    pub requires_files: Vec<PathBuf>,
    /// A function whose contract, as its source has it, stands for its body.
    #[arg(long = "replace", value_name = "FUNCTION")]
    pub replaced: Vec<String>,
    /// A function, or `FILE:FUNCTION`, whose body is left out: another definition counts, or else it may do what a
    /// function without a body may.
    #[arg(long = "without-body", value_name = "FUNCTION")]
    pub without_body: Vec<String>,
    /// A function whose call is an error, besides `reach_error` and `__VERIFIER_error`.
    #[arg(long = "error-function", value_name = "FUNCTION")]
    pub error_functions: Vec<String>,
    /// What is checked, separated by commas; by default `error,memory,overflow,division,shift` where a verdict is
    /// asked for, and `error` elsewhere.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub check: Vec<CheckName>,
    /// Allocations succeed whenever the size is possible; so they do in task definitions and with properties.
    #[arg(long)]
    pub malloc_never_fails: bool,
    /// `printf`, `puts` and `putchar` succeed; by default each may fail.
    #[arg(long)]
    pub output_never_fails: bool,
    /// All memory is one region of bytes, and no analysis says what cannot alias.
    #[arg(long)]
    pub one_region: bool,
    /// A SLIC rule that the program must keep; all files whose names match, if there is a `*` in it.
    #[arg(long = "rule", value_name = "FILE")]
    pub rules: Vec<PathBuf>,
    /// A C file with functions `__craig_NAME` that stand for functions which the program calls and does not
    /// define; see `craig show --models`.
    #[arg(long = "model", value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Signed integers wrap around (two's complement) instead of overflow being assumed away.
    #[arg(long, conflicts_with = "ideal_integers")]
    pub wrap: bool,
    /// All integers are unbounded, as in the papers.
    #[arg(long)]
    pub ideal_integers: bool,
    /// A folder to look for included files, for the preprocessor.
    #[arg(short = 'I', value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
    /// A macro definition, for the preprocessor.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// A macro that is not defined, unless by `-D`, for the preprocessor.
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,
    /// An option for the preprocessor, as compilers have it; `-std`, `-include`, `-isystem` and the like can also be
    /// given as they are.
    #[arg(long = "compiler-flag", value_name = "FLAG", hide = true, allow_hyphen_values = true)]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum CheckName {
    /// Calls of error functions, failed assertions, broken rules.
    Error,
    /// Rules of `--rule`; asked for wherever there are any.
    Rule,
    /// Invalid accesses, frees and calls.
    Memory,
    /// Signed integer overflow.
    Overflow,
    /// Division by zero.
    Division,
    /// Shifts by less than zero or at least the width.
    Shift,
    /// Allocated memory to which nothing points at the end.
    Leak,
    /// Memory that is still allocated at the end.
    Cleanup,
    /// Reads of automatic and allocated objects that were never written.
    Uninitialised,
    /// Implicit conversions to an integer type that change the value.
    Conversion,
    /// Addresses that are not aligned as the type of the access asks.
    Alignment,
    /// Pointer arithmetic that leaves its object; order and difference of pointers into different ones.
    Pointer,
    /// All of these but `cleanup`.
    All,
}

impl CheckName {
    fn kinds(self) -> Vec<CheckKind> {
        match self {
            CheckName::Error => vec![CheckKind::Error],
            CheckName::Rule => vec![CheckKind::Rule],
            CheckName::Memory => vec![CheckKind::Memory],
            CheckName::Overflow => vec![CheckKind::Overflow],
            CheckName::Division => vec![CheckKind::Division],
            CheckName::Shift => vec![CheckKind::Shift],
            CheckName::Leak => vec![CheckKind::Leak],
            CheckName::Cleanup => vec![CheckKind::Cleanup],
            CheckName::Uninitialised => vec![CheckKind::Uninitialised],
            CheckName::Conversion => vec![CheckKind::Conversion],
            CheckName::Alignment => vec![CheckKind::Alignment],
            CheckName::Pointer => vec![CheckKind::Pointer],
            CheckName::All => CheckKind::ALL.into_iter().filter(|kind| *kind != CheckKind::Cleanup).collect(),
        }
    }
}

impl CInput {
    /// The same as the library knows it.
    pub fn source(&self) -> Source {
        Source {
            data_model: self.data_model.map(DataModel::into),
            entry: self.entry.clone(),
            requires: self.requires.clone(),
            requires_files: self.requires_files.clone(),
            replaced: self.replaced.clone(),
            without_body: self.without_body.clone(),
            error_functions: self.error_functions.clone(),
            checks: self.check.iter().flat_map(|check| check.kinds()).collect(),
            malloc_never_fails: self.malloc_never_fails,
            output_never_fails: self.output_never_fails,
            one_region: self.one_region,
            rules: self.rules.clone(),
            models: self.models.clone(),
            arithmetic: match (self.wrap, self.ideal_integers) {
                (true, _) => Arithmetic::Wrap,
                (_, true) => Arithmetic::Ideal,
                _ => Arithmetic::AssumeNoOverflow,
            },
            include: self.include.clone(),
            define: self.define.clone(),
            flags: self.compiler_flags(),
            ..Source::files(&self.files)
        }
    }

    /// What the preprocessor is told besides folders and definitions.
    pub fn compiler_flags(&self) -> Vec<String> {
        self.flags.iter().cloned().chain(self.undefine.iter().map(|name| format!("-U{name}"))).collect()
    }

    /// Reads the program for a verdict, and says what its author should know.
    pub fn load(&self, session: &Session) -> Result<Loaded, Error> {
        Ok(said(Loaded::new(&self.source())?, session))
    }

    /// The same to run it.
    pub fn load_for_runs(&self, session: &Session) -> Result<Loaded, Error> {
        Ok(said(Loaded::for_runs(&self.source())?, session))
    }

    /// The same for a question that is not about error calls.
    pub fn load_without_errors(&self, session: &Session) -> Result<Loaded, Error> {
        Ok(said(Loaded::for_runs(&self.source())?.ignoring_errors(), session))
    }
}

fn said(loaded: Loaded, session: &Session) -> Loaded {
    if !loaded.diagnostics.is_empty() {
        session.detail(loaded.diagnostics.trim_end());
    }
    for warning in loaded.warnings() {
        session.warn(&warning);
    }
    loaded
}
