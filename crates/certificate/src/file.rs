//! Proofs as text, so that they can be checked later and elsewhere.
//!
//! ```text
//! (set-info :craig-proof invariant)
//! (set-info :data-model ilp32)
//! (set-info :arithmetic assume-no-overflow)
//! (assert (! (<= 0 i!2) :named l7)) ; loop.c:5:3
//! ```
//!
//! The commands are SMT-LIB. Each assertion is the formula of the location that it is named after, in the
//! program without calls that inlining makes; its symbols are the program's state
//! ([`Program::state_name`](craig_program::Program::state_name)) and need no declaration. Both namings are the same in every run.
//! Comments are for people.

use crate::invariant::{Invariant, components};
use crate::state;
use craig_base::Index;
use craig_program::{Arithmetic, DataModel, LocId, Program};
use craig_term::smtlib::{Command, CommandInput, Error, Position, Reader, Tree};
use craig_term::{Terms, quote_symbol};
use std::fmt::Write;

const KIND: (&str, &str) = ("craig-proof", "invariant");

/// The invariant of the program without calls as text.
pub fn write_invariant(terms: &Terms, program: &Program, invariant: &Invariant) -> String {
    let mut text = String::new();
    for (keyword, value) in header(program) {
        let _ = writeln!(text, "(set-info :{keyword} {value})");
    }
    let proc = &program.procs[program.entry];
    for (&location, &formula) in &invariant.formulas {
        let span = proc.locations[location].span;
        let _ = write!(text, "(assert (! {} :named {location}))", terms.to_smtlib(formula));
        match program.files.get(span.file as usize) {
            Some(file) if span.line > 0 => {
                let _ = writeln!(text, " ; {file}:{}:{}", span.line, span.column);
            }
            _ => text.push('\n'),
        }
    }
    text
}

/// Whether the text is meant to be a proof.
pub fn is_proof(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(&format!("(set-info :{} ", KIND.0)))
}

/// Reads an invariant of the program without calls. An error is a text that is no proof, or the proof
/// of something else.
pub fn read_invariant(terms: &mut Terms, program: &Program, text: &str) -> Result<Invariant, Error> {
    let proc = &program.procs[program.entry];
    let mut reader = Reader::new();
    for component in components(program, proc) {
        let name = quote_symbol(&program.state_name(component));
        let sort = state::sort(terms, program, component);
        let declaration = format!("(declare-const {name} {})", terms.sort_name(sort));
        let tree = Tree::parse(declaration, Position { line: 1, column: 1 })?;
        reader.command(terms, &tree)?;
    }
    let mut expected = header(program).into_iter();
    let mut invariant = Invariant::default();
    let mut input = CommandInput::new(text.as_bytes());
    // Reading from memory does not fail.
    while let Ok(Some(tree)) = input.next_command() {
        let tree = tree?;
        let wrong = |message: String| tree.root().error(message);
        match (expected.next(), reader.command(terms, &tree)?) {
            (Some((keyword, value)), Command::SetInfo { keyword: found, value: given })
                if found.trim_start_matches(':') == keyword =>
            {
                if given != value {
                    return Err(wrong(format!("the proof is for {keyword} {given}, the program is {value}")));
                }
            }
            (Some((keyword, value)), _) => {
                return Err(wrong(format!("expected `(set-info :{keyword} {value})`")));
            }
            (None, Command::Assert { term, name: Some(name) }) => {
                let number = name.strip_prefix('l').and_then(|digits| digits.parse::<u32>().ok());
                let location = number.map(LocId).filter(|location| location.index() < proc.locations.len());
                let Some(location) = location else {
                    return Err(wrong(format!("the program has no location `{name}`")));
                };
                // The reader takes care that no name is given twice; `l01` is another name.
                invariant.formulas.insert(location, term);
            }
            (None, _) => return Err(wrong("expected `(assert (! FORMULA :named LOCATION))`".to_string())),
        }
    }
    match expected.next() {
        None => Ok(invariant),
        Some((keyword, value)) => Err(Error {
            position: Position { line: 1, column: 1 },
            message: format!("expected `(set-info :{keyword} {value})`"),
        }),
    }
}

/// What a proof is about, as keywords and values.
fn header(program: &Program) -> [(&'static str, &'static str); 3] {
    let model = match program.data_model {
        DataModel::Lp64 => "lp64",
        DataModel::Ilp32 => "ilp32",
    };
    let arithmetic = match program.arithmetic {
        Arithmetic::AssumeNoOverflow => "assume-no-overflow",
        Arithmetic::Wrap => "wrap",
        Arithmetic::Ideal => "ideal",
    };
    [KIND, ("data-model", model), ("arithmetic", arithmetic)]
}
