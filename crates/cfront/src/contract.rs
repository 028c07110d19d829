//! Specifications of functions: what a caller must see to, and what the function then promises.
//!
//! They come from the command line (`--requires`), from ACSL in comments and from CBMC's contracts, and all become
//! ordinary C before the program is type-checked: a function that makes the arguments and calls the one under test
//! ([`start`]), assertions and loop invariants where they stand ([`annotate`]), and bodies that stand for
//! functions whose contract replaces them ([`replace`]). So every engine, the checker, runs and harnesses see C only.

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::Program;
use crate::source::{Sources, Span};
use crate::{Read, Text};
use std::collections::BTreeSet;

mod annotate;
pub(crate) mod assigns;
mod behaviour;
mod clause;
mod output;
mod predicate;
mod replace;
pub(crate) mod scan;
mod start;
mod translate;
mod uninterpreted;

pub(crate) use clause::is_access;
pub use start::{PREFIX, SHARED};

/// What is said about the function under test besides what its source says.
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// Conditions, each under a name for messages.
    pub requires: Vec<Text>,
    /// Functions whose contract stands for their body.
    pub replaced: Vec<String>,
    /// Functions whose body is taken out: `NAME` or `FILE:NAME`.
    pub removed: Vec<String>,
    /// Instead of the call, fail: whether the requirements can be met is the question.
    pub probe: bool,
}

/// A condition: bytes of a text.
#[derive(Clone, Copy, Debug)]
struct Clause {
    /// The number of the text.
    unit: usize,
    start: usize,
    end: usize,
    /// `a <= b < c` is a chain.
    chains: bool,
    /// The number of the behaviour that it is a clause of.
    behaviour: Option<usize>,
}

#[derive(Clone, Debug, Default)]
struct Contract {
    requires: Vec<Clause>,
    ensures: Vec<Clause>,
    assigns: Vec<Clause>,
    frees: Vec<Clause>,
    behaviours: Vec<Behaviour>,
    claims: Vec<Claim>,
    /// What is not understood, each with what is said about it.
    unread: Vec<(Clause, String)>,
}

/// A case of ACSL: its clauses are about calls that its assumptions hold for.
#[derive(Clone, Debug, Default)]
struct Behaviour {
    name: String,
    assumes: Vec<Clause>,
}

/// That one of several behaviours applies to each call, or no two do.
#[derive(Clone, Debug)]
struct Claim {
    at: Clause,
    complete: bool,
    /// All, if none is named.
    names: Vec<String>,
}

impl Contract {
    fn add(&mut self, word: &str, clause: Clause) {
        match word {
            "requires" => self.requires.push(clause),
            "ensures" => self.ensures.push(clause),
            "assigns" => self.assigns.push(clause),
            "frees" => self.frees.push(clause),
            "assumes" => {
                let behaviour = clause.behaviour.and_then(|number| self.behaviours.get_mut(number));
                behaviour.into_iter().for_each(|behaviour| behaviour.assumes.push(clause));
            }
            _ => {}
        }
    }

    fn is_empty(&self) -> bool {
        self.requires.is_empty()
            && self.ensures.is_empty()
            && self.assigns.is_empty()
            && self.claims.is_empty()
            && self.unread.is_empty()
    }

    /// The number of the behaviour of this name.
    fn behaviour(&mut self, name: &str) -> usize {
        let known = self.behaviours.iter().position(|behaviour| behaviour.name == name);
        known.unwrap_or_else(|| {
            self.behaviours.push(Behaviour { name: name.to_string(), assumes: Vec::new() });
            self.behaviours.len() - 1
        })
    }

    fn extend(&mut self, other: &Contract) {
        // Several units may include the header that states it.
        let numbers: Vec<usize> = other.behaviours.iter().map(|known| self.behaviour(&known.name)).collect();
        for (behaviour, &number) in other.behaviours.iter().zip(&numbers) {
            if self.behaviours[number].assumes.is_empty() {
                self.behaviours[number].assumes = behaviour.assumes.clone();
            }
        }
        let own = |clause: &Clause| Clause { behaviour: clause.behaviour.map(|n| numbers[n]), ..*clause };
        self.requires.extend(other.requires.iter().map(own));
        self.ensures.extend(other.ensures.iter().map(own));
        self.assigns.extend(other.assigns.iter().map(own));
        self.frees.extend(other.frees.iter().map(own));
        self.claims.extend(other.claims.iter().cloned());
        self.unread.extend(other.unread.iter().cloned());
    }

    /// The numbers of the behaviours that a claim is about; the name that is none.
    fn claimed(&self, claim: &Claim) -> Result<Vec<usize>, String> {
        let number = |name: &String| {
            let known = self.behaviours.iter().position(|behaviour| behaviour.name == *name);
            known.ok_or_else(|| format!("there is no behavior `{name}`"))
        };
        match claim.names.is_empty() {
            true => Ok((0..self.behaviours.len()).collect()),
            false => claim.names.iter().map(number).collect(),
        }
    }

    /// Whether each call has exactly one behaviour, and all of them say what is assigned, each under its assumptions; so
    /// that they say it together.
    fn assigns_by_case(&self) -> bool {
        let are_all = |complete: bool| {
            self.claims.iter().any(|claim| claim.complete == complete && claim.names.is_empty())
        };
        let says = |number| self.assigns.iter().any(|clause| clause.behaviour == Some(number));
        are_all(true) && are_all(false) && (0..self.behaviours.len()).all(says)
    }

    /// The clauses that say what is assigned, and whether there are others that add nothing which can be checked.
    fn assigned(&self) -> (Vec<Clause>, bool) {
        let is_general = |clause: &&Clause| clause.behaviour.is_none();
        let general: Vec<Clause> = self.assigns.iter().filter(is_general).copied().collect();
        match general.is_empty() && self.assigns_by_case() {
            true => (self.assigns.clone(), false),
            false => {
                let has_others = general.len() < self.assigns.len();
                (general, has_others)
            }
        }
    }
}

/// The units with their specifications as C.
pub(crate) struct Specified {
    pub units: Vec<Text>,
    /// What answers rest on.
    pub assumptions: Vec<String>,
    pub sources: Sources,
    pub diagnostics: Diagnostics,
}

/// Turns specifications into C. `read` type-checks units.
pub(crate) fn specified(
    units: Vec<Text>,
    entry: &str,
    specification: &Specification,
    read: impl Fn(Vec<Text>) -> Read,
) -> Specified {
    let mut out = Specified {
        units,
        assumptions: Vec::new(),
        sources: Sources::new(),
        diagnostics: Diagnostics::new(),
    };
    for function in &specification.removed {
        if !replace::remove(&mut out.units, function) {
            let message = format!("there is no function '{function}' with a body to take out");
            out.diagnostics.add(Diagnostic::error(Span::NONE, message));
        }
    }
    if out.diagnostics.has_errors() {
        return out;
    }
    uninterpreted::define(&mut out.units);
    let is_called_by_us = entry != "main" || !specification.requires.is_empty();
    let mut texts: Vec<(String, String)> = Vec::new();
    for (path, text) in &out.units {
        match std::str::from_utf8(text) {
            Ok(text) => texts.push((path.clone(), text.to_string())),
            // What is not UTF-8 has no annotations.
            Err(_) => texts.push((path.clone(), String::new())),
        }
    }
    let mut contracts: Vec<(String, Contract)> = Vec::new();
    let mut warnings = Vec::new();
    for (unit, (path, text)) in texts.iter().enumerate() {
        if !annotate::concerns(text) {
            continue;
        }
        let annotated = annotate::annotated(unit, path, text);
        out.units[unit].1 = annotated.text.into_bytes();
        contracts.extend(annotated.contracts);
        warnings.extend(annotated.warnings.into_iter().map(|refusal| (unit, refusal)));
    }
    if !is_called_by_us && contracts.is_empty() && warnings.is_empty() && specification.replaced.is_empty() {
        return out;
    }
    for (function, contract) in &mut contracts {
        for clause in &mut contract.requires {
            let condition = &texts[clause.unit].1[clause.start..clause.end];
            if let Some(text) = predicate::written_out(condition, &texts) {
                *clause = Clause { unit: texts.len(), start: 0, end: text.len(), chains: false, ..*clause };
                texts.push((format!("contract of {function}"), text));
            }
        }
    }
    let number = texts.len();
    for (name, text) in &specification.requires {
        texts.push((name.clone(), String::from_utf8_lossy(text).into_owned()));
    }
    // Places are those of the texts as they were written.
    let ids: Vec<_> =
        texts.iter().map(|(path, text)| out.sources.add(path, text.clone().into_bytes())).collect();
    let place = |sources: &Sources, unit: usize, (start, end): (usize, usize)| {
        let base = ids[unit].map_or(0, |id| sources.base(id));
        Span::new(base + start as u32, base + end as u32)
    };
    for (unit, refusal) in warnings {
        let span = place(&out.sources, unit, refusal.at);
        out.diagnostics.add(Diagnostic::warning(span, refusal.message));
    }
    let of = |function: &str| {
        let mut all = Contract::default();
        contracts.iter().filter(|(name, _)| name == function).for_each(|(_, contract)| all.extend(contract));
        for clauses in [&mut all.requires, &mut all.ensures, &mut all.assigns] {
            let mut seen = BTreeSet::new();
            clauses.retain(|clause| {
                seen.insert((clause.behaviour, &texts[clause.unit].1[clause.start..clause.end]))
            });
        }
        all
    };
    let mut refused = Vec::new();
    for function in &specification.replaced {
        let contract = of(function);
        refused.extend(contract.unread.iter().map(|(clause, what)| not_read(clause, what)));
        match replace::replaced(&mut out.units, function, &contract, &texts) {
            Ok(()) => out
                .assumptions
                .push(format!("'{function}' does what its contract says: check it with --entry {function}")),
            Err(refusal) => refused.push(refusal),
        }
    }
    let mut contract = of(entry);
    if specification.replaced.iter().any(|name| name == entry) {
        // Its body is its contract.
        contract.assigns.clear();
    }
    for (unit, (_, text)) in texts.iter().enumerate().skip(number) {
        contract.requires.push(Clause { unit, start: 0, end: text.len(), chains: false, behaviour: None });
    }
    refused.extend(contract.unread.iter().map(|(clause, what)| not_read(clause, what)));
    if refused.is_empty() && (is_called_by_us || !contract.is_empty()) && !out.diagnostics.has_errors() {
        let first = read(out.units.clone());
        match first.program {
            Some(program) => {
                if let Err(refusal) = append_start(
                    &mut out,
                    (&program, &first.sources),
                    &read,
                    entry,
                    &contract,
                    &texts,
                    specification.probe,
                ) {
                    refused.push(refusal);
                }
            }
            // The errors will be found again.
            None => return out,
        }
    }
    for refusal in refused {
        let diagnostic = match refusal {
            Refused::Clause(clause, refusal) => {
                Diagnostic::error(place(&out.sources, clause.unit, refusal.at), refusal.message)
            }
            Refused::Function(message) => Diagnostic::error(Span::NONE, message),
        };
        out.diagnostics.add(diagnostic);
    }
    out
}

/// The text without contracts, and the functions that have one.
pub(crate) fn plain(path: &str, text: &[u8]) -> (Vec<u8>, BTreeSet<String>) {
    match std::str::from_utf8(text) {
        Ok(known) if annotate::concerns(known) => {
            let annotated = annotate::annotated(0, path, known);
            let functions = annotated.contracts.into_iter().filter(|(_, contract)| !contract.is_empty());
            (annotated.text.into_bytes(), functions.map(|(function, _)| function).collect())
        }
        _ => (text.to_vec(), BTreeSet::new()),
    }
}

/// What cannot be done.
enum Refused {
    Clause(Clause, clause::Refusal),
    Function(String),
}

fn not_read(clause: &Clause, what: &str) -> Refused {
    Refused::Clause(*clause, clause::Refusal { at: (clause.start, clause.end), message: what.to_string() })
}

/// Adds the function that calls the entry to the unit that defines it.
fn append_start(
    out: &mut Specified,
    (program, sources): (&Program, &Sources),
    read: &impl Fn(Vec<Text>) -> Read,
    entry: &str,
    contract: &Contract,
    texts: &[(String, String)],
    probe: bool,
) -> Result<(), Refused> {
    // That there is no such function is said later.
    let Some(id) = program.function_named(entry) else { return Ok(()) };
    let function = &program.functions[id];
    let Some(body) = &function.body else { return Ok(()) };
    let unit = sources.texts().zip(0..).find(|&(text, _)| {
        let base = sources.base(text);
        (base..base + sources.text(text).len() as u32).contains(&function.span.start)
    });
    let Some((_, unit)) = unit else { return Ok(()) };
    if entry == "main" && !body.params.is_empty() {
        return Err(Refused::Function(
            "'main' is given its arguments by the system, not by a contract".to_string(),
        ));
    }
    let text = String::from_utf8_lossy(&out.units[unit].1).into_owned();
    let Some(parameters) = annotate::parameters(&text, entry) else {
        // Old-style definitions get arbitrary arguments, as before.
        return match contract.is_empty() {
            true => Ok(()),
            false => Err(Refused::Function(format!("'{entry}' needs a prototype to have a contract"))),
        };
    };
    // Of what other units say it knows nothing.
    let alone = (out.units.len() > 1).then(|| read(vec![out.units[unit].clone()]).program).flatten();
    let made = start::start((program, alone.as_ref()), id, parameters, contract, texts, probe)
        .map_err(|(clause, refusal)| Refused::Clause(clause, refusal))?;
    out.assumptions.extend(made.assumptions);
    out.units[unit].1 = (text.clone() + &made.text).into_bytes();
    Ok(())
}
