//! The C front end: C11 with the GNU extensions of preprocessed Linux and CIL code.
//!
//! The way of the data: [`preprocess`] makes text out of files, [`lex`] and [`parse`] make a syntax tree
//! ([`ast`]) out of text, [`check`] makes one typed program ([`hir`]) out of the syntax trees of all
//! translation units, and [`lower`] makes control-flow graphs out of that. [`load`] does all of it.
//!
//! Nothing here panics on user input: depth and size limits are diagnostics. Trees have bounded depth, so
//! that walking them by recursion is fine on a stack as large as [`with_deep_stack`] gives.
//!
//! ```
//! use craig_cfront::{load_texts, lower, types::DataModel};
//!
//! let text = "int main(void) { int x = 6; return 7 * x; }";
//! let texts = vec![("answer.i".to_string(), text.as_bytes().to_vec())];
//! let loaded = load_texts(texts, DataModel::Lp64, &lower::Options::default());
//! assert_eq!(loaded.program.expect("a program").procs.len(), 1);
//! ```

use std::path::Path;

pub mod ast;
pub mod check;
pub mod contract;
pub mod definitions;
pub mod diagnostics;
mod dialect;
pub mod harness;
pub mod hir;
pub mod lex;
pub mod library;
pub mod lower;
pub mod outline;
pub mod parse;
mod pragma;
pub mod preprocess;
pub mod slic;
pub mod source;
pub mod types;
pub mod witness;

use diagnostics::{Diagnostic, Diagnostics};
use preprocess::Options;
use source::{Sources, Span};

/// What reading a program leaves: a program unless there were errors, and in any case the texts that the
/// diagnostics refer to.
#[derive(Debug)]
pub struct Read {
    pub program: Option<hir::Program>,
    pub sources: Sources,
    pub diagnostics: Diagnostics,
}

/// What loading a program leaves: as [`Read`], in the form that engines work on.
#[derive(Debug)]
pub struct Loaded {
    pub program: Option<craig_program::Program>,
    pub sources: Sources,
    pub diagnostics: Diagnostics,
}

/// A preprocessed text with the name of its file.
pub type Text = (String, Vec<u8>);

/// What a program is made of.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    pub units: Vec<Text>,
    /// SLIC rules ([`slic`]), to be woven into the program.
    pub rules: Vec<Text>,
    /// Models of functions besides those of [`library`], which they precede.
    pub models: Vec<Text>,
    /// What is said about the function under test.
    pub specification: contract::Specification,
}

impl From<Vec<Text>> for Texts {
    fn from(units: Vec<Text>) -> Self {
        Texts { units, ..Texts::default() }
    }
}

/// All the way from C files to the program model, the library's models included.
pub fn load<P: AsRef<Path>>(paths: &[P], reading: &Options, lowering: &lower::Options) -> Loaded {
    match preprocess_files(paths, reading) {
        Ok(texts) => load_texts(texts, reading.model, lowering),
        Err(diagnostics) => Loaded { program: None, sources: Sources::new(), diagnostics },
    }
}

/// As [`load`], from preprocessed texts with the names of their files.
pub fn load_texts(texts: impl Into<Texts>, model: types::DataModel, options: &lower::Options) -> Loaded {
    let texts = texts.into();
    with_deep_stack(move || {
        let Read { program, sources, mut diagnostics } = read_specified(texts, model, &options.entry);
        let program = program.and_then(|program| lower::lower(&program, &sources, options, &mut diagnostics));
        Loaded { program, sources, diagnostics }
    })
}

/// The texts with the inputs of a run fixed, as one C program; see [`mod@harness`].
pub fn fixed(
    texts: impl Into<Texts>,
    model: types::DataModel,
    lowering: &lower::Options,
    inputs: &harness::Inputs,
) -> Result<String, harness::Unsupported> {
    let texts = texts.into();
    with_deep_stack(move || {
        let Read { program, sources, .. } = read_specified(texts, model, &lowering.entry);
        let program =
            program.ok_or_else(|| harness::Unsupported("the program is not valid C".to_string()))?;
        harness::harness(&program, &sources, lowering, inputs)
    })
}

/// The syntax trees of the texts as text, as [`ast::print`] writes them, or what is wrong with them.
pub fn syntax(texts: Vec<Text>) -> Result<String, String> {
    with_deep_stack(move || {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let mut shown = String::new();
        for (path, text) in texts {
            let Some(unit) = sources.add(&path, text) else { continue };
            let mut names = lex::Names::default();
            let tokens = match lex::tokenize(sources.text(unit), sources.base(unit), &mut names) {
                Ok(tokens) => tokens,
                Err(error) => {
                    diagnostics.add(error);
                    continue;
                }
            };
            let mut parser = parse::Parser::new(sources.text(unit), sources.base(unit), &tokens, &names);
            let mut externals = Vec::new();
            while let Some(external) = parser.next_external() {
                match external {
                    Ok(external) => externals.push(external),
                    Err(error) => diagnostics.add(*error),
                }
            }
            shown.push_str(&format!("file {path}\n{}", ast::print::show(&externals, &names, &sources)));
        }
        if diagnostics.has_errors() { Err(diagnostics.render(&sources)) } else { Ok(shown) }
    })
}

/// The texts of the files; a file that cannot be read or preprocessed is an error.
pub fn preprocess_files<P: AsRef<Path>>(paths: &[P], options: &Options) -> Result<Vec<Text>, Diagnostics> {
    let mut texts = Vec::new();
    let mut diagnostics = Diagnostics::new();
    for path in paths {
        let path = path.as_ref();
        match preprocess::preprocess(path, options) {
            Ok(text) => texts.push((path.display().to_string(), text)),
            Err(error) => {
                diagnostics.add(Diagnostic::error(Span::NONE, format!("`{}` {error}", path.display())));
            }
        }
    }
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(texts) }
}

/// Reads, checks and links the texts as they are, without the library. Call it within [`with_deep_stack`].
pub fn read_texts(texts: impl Into<Texts>, model: types::DataModel) -> Read {
    read_all(texts.into(), false, model)
}

/// Reads the texts with the library and with specifications as C.
fn read_specified(mut texts: Texts, model: types::DataModel, entry: &str) -> Read {
    let specification = std::mem::take(&mut texts.specification);
    let specified =
        contract::specified(texts.units, entry, &specification, |units| read_all(units.into(), false, model));
    if specified.diagnostics.has_errors() {
        return Read { program: None, sources: specified.sources, diagnostics: specified.diagnostics };
    }
    texts.units = specified.units;
    let mut read = read_all(texts, true, model);
    if let Some(program) = &mut read.program {
        program.assumptions.extend(specified.assumptions);
        let warnings = specified.diagnostics.iter();
        program.warnings = warnings.map(|d| (specified.sources.locate(d.span), d.message.clone())).collect();
    }
    read
}

fn read_all(texts: Texts, with_library: bool, model: types::DataModel) -> Read {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let mut add = |texts: Vec<Text>| {
        let mut added = Vec::new();
        for (path, text) in texts {
            match sources.add(&path, text) {
                Some(text) => added.push(text),
                None => diagnostics.add(Diagnostic::error(
                    Span::NONE,
                    format!("`{path}` is too large; up to 4 GB of source are read"),
                )),
            }
        }
        added
    };
    let units = add(texts.units);
    let rules = add(texts.rules);
    let models = add(texts.models);
    let program = if diagnostics.has_errors() {
        None
    } else {
        check::check_program(&mut sources, &units, &rules, &models, with_library, model, &mut diagnostics)
    };
    Read { program, sources, diagnostics }
}

/// Runs `work` on a thread with a stack that is deep enough to walk any tree that the parser accepts.
pub fn with_deep_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    const STACK: usize = 1 << 29;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.expect("a thread can be started").join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
