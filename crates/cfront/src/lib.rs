//! The C front end: C11 with the GNU extensions of preprocessed Linux and CIL code.
//!
//! The way of the data: [`preprocess`] makes text out of files, [`lex`] and [`parse`] make a syntax tree
//! ([`ast`]) out of text, [`check`] makes one typed program ([`hir`]) out of the syntax trees of all
//! translation units, and lowering makes control-flow graphs out of that.
//!
//! Nothing here panics on user input: depth and size limits are diagnostics. Trees have bounded depth, so
//! that walking them by recursion is fine on a stack as large as [`with_deep_stack`] gives.

use std::path::Path;

pub mod ast;
pub mod check;
pub mod diagnostics;
pub mod hir;
pub mod lex;
pub mod parse;
pub mod preprocess;
pub mod lower;
pub mod source;
pub mod types;

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

/// Reads, checks and links the files. Call it within [`with_deep_stack`].
pub fn read_files<P: AsRef<Path>>(paths: &[P], options: &Options) -> Read {
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
    if diagnostics.has_errors() {
        return Read { program: None, sources: Sources::new(), diagnostics };
    }
    read_texts(texts, options.model)
}

/// As [`read_files`], from preprocessed texts with the names of their files.
pub fn read_texts(texts: Vec<(String, Vec<u8>)>, model: types::DataModel) -> Read {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let mut units = Vec::new();
    for (path, text) in texts {
        match sources.add(&path, text) {
            Some(unit) => units.push(unit),
            None => diagnostics.add(Diagnostic::error(
                Span::NONE,
                format!("`{path}` is too large; up to 4 GB of source are read"),
            )),
        }
    }
    let program = if diagnostics.has_errors() {
        None
    } else {
        check::check_program(&sources, &units, model, &mut diagnostics)
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
