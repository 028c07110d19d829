//! Proofs as text, so that they can be checked later and elsewhere.
//!
//! ```text
//! (set-info :craig-proof invariant)
//! (set-info :data-model ilp32)
//! (set-info :arithmetic assume-no-overflow)
//! (assert (! (<= 0 i!2) :named l7)) ; loop.c:5:3
//! ```
//!
//! The commands are SMT-LIB. An assertion gives the formula that its name stands for: in an `invariant`
//! or in `frames`, a location of the program without calls that inlining makes; in `contracts`, `p2.requires`,
//! `p2.ensures` and `p2.l7` for the second procedure and its locations, or `p2.l7.requires` and
//! `p2.l7.ensures` for a loop that is proved as a procedure of its own. Symbols are those of the program's
//! state ([`Program::state_name`](craig_program::Program::state_name)), with `@` for the state at the entry
//! of a procedure, and need no declaration; nor do `sum-of` and its like ([`craig_smt::aggregates`]). All these
//! names are the same in every run. Comments are for people.

use crate::invariant::Invariant;
use crate::state::{at_entry, initial};
use crate::summaries::{Contract, Summaries, Triple};
use craig_base::Index;
use craig_program::{Arithmetic, DataModel, LocId, Proc, ProcId, Program, StateVar};
use craig_smt::aggregates::Kind;
use craig_term::smtlib::{Command, CommandInput, Error, Position, Reader, Tree};
use craig_term::{Substitution, TermId, Terms, quote_symbol};
use std::fmt::Write;

/// The languages of proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofKind {
    Invariant,
    /// The same, where clauses go through the heads of loops.
    Frames,
    Contracts,
    /// Nothing but that the program has only one run.
    Run,
    Unwinding,
    Induction,
    /// Several proofs, each about some checks.
    Parts,
}

impl ProofKind {
    pub fn name(self) -> &'static str {
        match self {
            ProofKind::Invariant => "invariant",
            ProofKind::Frames => "frames",
            ProofKind::Contracts => "contracts",
            ProofKind::Run => "run",
            ProofKind::Unwinding => "unwinding",
            ProofKind::Induction => "induction",
            ProofKind::Parts => "parts",
        }
    }

    /// What the text is meant to be; none if it is no proof.
    pub fn of(text: &str) -> Option<ProofKind> {
        let kind = text.lines().find_map(|line| line.trim_start().strip_prefix("(set-info :craig-proof "))?;
        let kinds = [
            ProofKind::Frames,
            ProofKind::Contracts,
            ProofKind::Run,
            ProofKind::Unwinding,
            ProofKind::Induction,
            ProofKind::Parts,
        ];
        Some(kinds.into_iter().find(|other| kind.starts_with(other.name())).unwrap_or(ProofKind::Invariant))
    }
}

/// The invariant of the program without calls as text.
pub fn write_invariant(terms: &Terms, program: &Program, invariant: &Invariant) -> String {
    let kind = if invariant.frames { ProofKind::Frames } else { ProofKind::Invariant };
    invariant_text(terms, program, kind, invariant)
}

pub(crate) fn invariant_text(
    terms: &Terms,
    program: &Program,
    kind: ProofKind,
    invariant: &Invariant,
) -> String {
    let mut text = header_text(program, kind);
    let proc = &program.procs[program.entry];
    for (&location, &formula) in &invariant.formulas {
        let comment = place(program, proc, location);
        write_formula(&mut text, terms, &location.to_string(), formula, &comment);
    }
    text
}

/// That the program has only one run, which ends without the error: to be run again.
pub fn write_run(program: &Program) -> String {
    header_text(program, ProofKind::Run)
}

pub fn write_summaries(terms: &Terms, program: &Program, summaries: &Summaries) -> String {
    let mut text = header_text(program, ProofKind::Contracts);
    for (&id, contract) in &summaries.contracts {
        let proc = &program.procs[id];
        write_formula(&mut text, terms, &format!("{id}.requires"), contract.requires, &proc.name);
        write_formula(&mut text, terms, &format!("{id}.ensures"), contract.ensures, &proc.name);
        for (&location, &formula) in &contract.invariants {
            let comment = place(program, proc, location);
            write_formula(&mut text, terms, &format!("{id}.{location}"), formula, &comment);
        }
        for (&location, triple) in &contract.loops {
            let comment = place(program, proc, location);
            write_formula(&mut text, terms, &format!("{id}.{location}.requires"), triple.requires, &comment);
            write_formula(&mut text, terms, &format!("{id}.{location}.ensures"), triple.ensures, &comment);
        }
    }
    text
}

/// Reads an invariant of the program without calls. An error is a text that is no proof, or the proof
/// of something else.
pub fn read_invariant(terms: &mut Terms, program: &Program, text: &str) -> Result<Invariant, Error> {
    let frames = ProofKind::of(text) == Some(ProofKind::Frames);
    let kind = if frames { ProofKind::Frames } else { ProofKind::Invariant };
    Ok(Invariant { frames, ..read_annotation(terms, program, kind, text)? })
}

pub(crate) fn read_annotation(
    terms: &mut Terms,
    program: &Program,
    kind: ProofKind,
    text: &str,
) -> Result<Invariant, Error> {
    let proc = &program.procs[program.entry];
    let mut invariant = Invariant::default();
    read_formulas(terms, program, kind, text, |name, formula| {
        let location = location(proc, name)?;
        invariant.formulas.insert(location, formula).is_none().then_some(())
    })?;
    Ok(invariant)
}

/// Reads the claim that the program has only one run; it holds no formulas.
pub fn read_run(program: &Program, text: &str) -> Result<(), Error> {
    read_formulas(&mut Terms::new(), program, ProofKind::Run, text, |_, _| None)
}

/// Reads contracts of the program's procedures.
pub fn read_summaries(terms: &mut Terms, program: &Program, text: &str) -> Result<Summaries, Error> {
    let mut summaries = Summaries::default();
    read_formulas(terms, program, ProofKind::Contracts, text, |name, formula| {
        let (id, part) = name.split_once('.')?;
        let id = id.strip_prefix('p')?.parse::<u32>().ok().map(ProcId)?;
        let proc = program.procs.get(id)?;
        // What is not said is nothing.
        let nothing = || Contract::new(Terms::TRUE, Terms::TRUE);
        let contract = summaries.contracts.entry(id).or_insert_with(nothing);
        match part.split_once('.') {
            Some((head, part)) => {
                let nothing = Triple { requires: Terms::TRUE, ensures: Terms::TRUE };
                let triple = contract.loops.entry(location(proc, head)?).or_insert(nothing);
                match part {
                    "requires" => triple.requires = formula,
                    "ensures" => triple.ensures = formula,
                    _ => return None,
                }
            }
            None if part == "requires" => contract.requires = formula,
            None if part == "ensures" => contract.ensures = formula,
            None => {
                contract.invariants.insert(location(proc, part)?, formula);
            }
        }
        Some(())
    })?;
    Ok(summaries)
}

/// Calls `take` for each formula and its name; it returns none for a name that the program does not have.
fn read_formulas(
    terms: &mut Terms,
    program: &Program,
    kind: ProofKind,
    text: &str,
    mut take: impl FnMut(&str, TermId) -> Option<()>,
) -> Result<(), Error> {
    let (mut reader, mut to_state) = declarations(terms, program)?;
    let mut expected = header(program, kind).into_iter();
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
            (None, Command::Assert { term, name: Some(name), .. }) => {
                let formula = to_state.apply(terms, term);
                take(&name, formula).ok_or_else(|| wrong(format!("the program has no `{name}`")))?;
            }
            (None, _) => return Err(wrong("expected `(assert (! FORMULA :named PLACE))`".to_string())),
        }
    }
    match expected.next() {
        None => Ok(()),
        Some((keyword, value)) => Err(Error {
            position: Position { line: 1, column: 1 },
            message: format!("expected `(set-info :{keyword} {value})`"),
        }),
    }
}

/// A reader that knows the constants which stand for the program's state. They are declared before
/// anything is read: whatever the text binds, they keep their names and sorts. Where the store has constants
/// for the state already, the reader's are others, to be replaced by them.
fn declarations(terms: &mut Terms, program: &Program) -> Result<(Reader, Substitution), Error> {
    let start = Position { line: 1, column: 1 };
    let mut reader = Reader::new();
    let mut pairs = Vec::new();
    let vars = program.vars.indices().map(StateVar::Var);
    let regions = program.regions.indices().map(StateVar::Region);
    let mut scratch = Terms::new();
    for kind in Kind::ALL {
        reader.command(terms, &Tree::parse(kind.declaration(), start)?)?;
    }
    for component in vars.chain(regions) {
        for declare in [initial, at_entry] {
            let constant = declare(&mut scratch, program, component);
            let name = quote_symbol(scratch.const_name(constant).unwrap_or_default());
            let sort = scratch.sort_name(scratch.sort(constant));
            let tree = Tree::parse(format!("(declare-const {name} {sort})"), start)?;
            reader.command(terms, &tree)?;
            let constant = declare(terms, program, component);
            let sort = terms.sort(constant);
            let read = reader.value(terms, Tree::parse(name, start)?.root(), sort)?;
            if read != constant {
                pairs.push((read, constant));
            }
        }
    }
    Ok((reader, Substitution::from_pairs(pairs)))
}

fn location(proc: &Proc, name: &str) -> Option<LocId> {
    let number = name.strip_prefix('l')?.parse::<u32>().ok()?;
    Some(LocId(number)).filter(|location| location.index() < proc.locations.len())
}

fn write_formula(text: &mut String, terms: &Terms, name: &str, formula: TermId, comment: &str) {
    let _ = write!(text, "(assert (! {} :named {name}))", terms.to_smtlib(formula));
    // A file name may be anything.
    let comment: String = comment.chars().filter(|c| !c.is_control()).collect();
    let _ = writeln!(text, " ; {comment}");
}

fn place(program: &Program, proc: &Proc, location: LocId) -> String {
    let span = proc.locations[location].span;
    match program.files.get(span.file as usize) {
        Some(file) if span.line > 0 => format!("{file}:{}:{}", span.line, span.column),
        _ => proc.name.to_string(),
    }
}

pub(crate) fn header_text(program: &Program, kind: ProofKind) -> String {
    let lines = header(program, kind);
    lines.map(|(keyword, value)| format!("(set-info :{keyword} {value})\n")).concat()
}

/// What a proof is about, as keywords and values.
fn header(program: &Program, kind: ProofKind) -> [(&'static str, &'static str); 3] {
    let model = match program.data_model {
        DataModel::Lp64 => "lp64",
        DataModel::Ilp32 => "ilp32",
    };
    let arithmetic = match program.arithmetic {
        Arithmetic::AssumeNoOverflow => "assume-no-overflow",
        Arithmetic::Wrap => "wrap",
        Arithmetic::Ideal => "ideal",
    };
    [("craig-proof", kind.name()), ("data-model", model), ("arithmetic", arithmetic)]
}
