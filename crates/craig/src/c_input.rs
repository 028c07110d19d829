//! C programs from the command line: which files, how they are read, and what they become.

use crate::Failure;
use crate::arguments::DataModel;
use crate::session::Session;
use craig_cfront::harness::{Inputs, Unsupported};
use craig_cfront::{lower, preprocess, types};
use craig_program::{Arithmetic, NoteKind, Program};
use std::path::PathBuf;

/// Which C program, and what its parts mean.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "The program")]
pub struct CInput {
    /// C files; `.c` goes through the system's preprocessor, `.i` is taken as it is.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The sizes of C's types.
    #[arg(long, value_enum, value_name = "MODEL", default_value_t)]
    pub data_model: DataModel,
    /// The function to start at, with arbitrary arguments.
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub entry: String,
    /// A function whose call is an error, besides `reach_error` and `__VERIFIER_error`.
    #[arg(long = "error-function", value_name = "FUNCTION")]
    pub error_functions: Vec<String>,
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
}

impl CInput {
    /// Reads, checks and lowers the program. Warnings are said, errors returned.
    pub fn load(&self, session: &Session) -> Result<Program, Failure> {
        for file in &self.files {
            if let Err(error) = std::fs::File::open(file) {
                return Err(Failure::MissingInput(file.clone(), error));
            }
        }
        let loaded = craig_cfront::load(&self.files, &self.reading(), &self.lowering());
        let rendered = loaded.diagnostics.render(&loaded.sources);
        let Some(program) = loaded.program else { return Err(Failure::BadInput(rendered)) };
        if !rendered.is_empty() {
            session.detail(rendered.trim_end());
        }
        for note in program.notes.iter().filter(|note| note.kind == NoteKind::Warning) {
            session.note(format!("warning: {}{}", place(&program, note.span), note.text));
        }
        Ok(program)
    }

    /// The program with the inputs of a run fixed, as C.
    pub fn fixed(&self, inputs: &Inputs) -> Result<String, Unsupported> {
        craig_cfront::fixed(&self.files, &self.reading(), &self.lowering(), inputs)
    }

    fn reading(&self) -> preprocess::Options {
        let model = match self.data_model {
            DataModel::Lp64 => types::DataModel::Lp64,
            DataModel::Ilp32 => types::DataModel::Ilp32,
        };
        let mut options = preprocess::Options::new(model);
        options.include_dirs.clone_from(&self.include);
        options.defines.clone_from(&self.define);
        options
    }

    fn lowering(&self) -> lower::Options {
        lower::Options {
            entry: self.entry.clone(),
            arithmetic: self.arithmetic(),
            error_functions: self.error_functions.clone(),
        }
    }

    fn arithmetic(&self) -> Arithmetic {
        match (self.wrap, self.ideal_integers) {
            (true, _) => Arithmetic::Wrap,
            (_, true) => Arithmetic::Ideal,
            _ => Arithmetic::AssumeNoOverflow,
        }
    }
}

/// `file:line:column: `, or nothing where there is no source.
pub fn place(program: &Program, span: craig_program::Span) -> String {
    match program.files.get(span.file as usize) {
        Some(file) if span.line > 0 => format!("{file}:{}:{}: ", span.line, span.column),
        _ => String::new(),
    }
}
