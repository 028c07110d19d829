//! Constrained Horn clauses over bit-vectors (CHC-COMP's track BV), by integers and back.
//!
//! A word becomes an integer with a range, and every operator its exact meaning on integers (`integers.rs`), so that
//! engines for integers decide the clauses: a model of one system is a model of the other. The way back writes the model
//! over words that are wide enough (`words.rs`). None of this is trusted: models and derivations are checked against the
//! clauses as they were written, by circuits ([`Clauses::check_model`], [`Clauses::check_derivation`]).

mod clause;
mod dag;
mod integers;
#[cfg(test)]
mod tests;
mod words;

use crate::script::Script;
use clause::{Parts, parts};
use craig_base::{Budget, Map};
use craig_term::quote_symbol;
use craig_term::smtlib::{CommandInput, Position, Response, Result, Sexpr, Tree};
use integers::Integers;
use std::fmt::{self, Write};
use words::Words;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Bool,
    Word(usize),
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Word(width) => write!(f, "(_ BitVec {width})"),
        }
    }
}

/// The widest word: longer ones would be integers of more digits than is good for anyone.
const MOST_BITS: usize = 1 << 10;

fn sort(sexpr: Sexpr<'_>) -> Result<Sort> {
    let parts: Vec<&str> = sexpr.children().map(|part| part.text()).collect();
    match (sexpr.symbol(), &parts[..]) {
        (Some("Bool"), _) => Ok(Sort::Bool),
        (None, ["_", "BitVec", width]) => match width.parse() {
            Ok(width @ 1..=MOST_BITS) => Ok(Sort::Word(width)),
            _ => Err(sexpr.error("a word has at least one bit, and not too many")),
        },
        _ => Err(sexpr.error("clauses over bit-vectors are about words and truth values only")),
    }
}

/// Horn clauses as they were written.
pub struct Clauses {
    predicates: Vec<(String, Vec<Sort>)>,
    /// `(assert ...)`.
    asserted: Vec<Tree>,
}

/// An atom of a derivation: a predicate, and the words that it holds for, as numbers or truth values.
struct Step {
    /// None of the last one.
    atom: Option<(String, Vec<String>)>,
    clause: usize,
    premises: Vec<usize>,
}

impl Clauses {
    /// Whether a script is about words.
    pub fn are_in(text: &str) -> bool {
        text.contains("BitVec")
    }

    pub fn read(text: &str) -> Result<Clauses> {
        let mut clauses = Clauses { predicates: Vec::new(), asserted: Vec::new() };
        let mut input = CommandInput::new(text.as_bytes());
        while let Ok(Some(tree)) = input.next_command() {
            let tree = tree?;
            let root = tree.root();
            let children: Vec<Sexpr<'_>> = root.children().collect();
            match (children.first().and_then(|name| name.symbol()), &children[1.min(children.len())..]) {
                (Some("declare-fun"), [name, sorts, result]) if sort(*result)? == Sort::Bool => {
                    let Some(name) = name.symbol() else { return Err(name.error("expected a name")) };
                    let sorts = sorts.children().map(sort).collect::<Result<_>>()?;
                    clauses.predicates.push((name.to_string(), sorts));
                }
                (Some("assert"), [_]) => clauses.asserted.push(tree),
                (
                    Some(
                        "set-logic" | "set-info" | "set-option" | "check-sat" | "get-model" | "exit"
                        | "get-proof" | "get-info",
                    ),
                    _,
                ) => {}
                _ => return Err(root.error("this is not known in clauses over bit-vectors")),
            }
        }
        Ok(clauses)
    }

    /// The same clauses over integers.
    pub fn over_integers(&self) -> Result<String> {
        let mut out = "(set-logic HORN)\n".to_string();
        for (name, sorts) in &self.predicates {
            let sorts: Vec<&str> =
                sorts.iter().map(|sort| if *sort == Sort::Bool { "Bool" } else { "Int" }).collect();
            let _ = writeln!(out, "(declare-fun {} ({}) Bool)", quote_symbol(name), sorts.join(" "));
        }
        for tree in &self.asserted {
            let parts = parts(tree, &self.predicates)?;
            let mut integers = Integers::default();
            integers.predicates.extend(self.predicates.iter().map(|(name, _)| name.clone()));
            let mut body = Vec::new();
            for (name, sort) in &parts.variables {
                body.extend(integers.variable(name, *sort));
            }
            for (text, negated) in parts.body() {
                let own = Tree::parse(text, parts.position)?;
                let id = integers.truth(own.root())?;
                body.push(if negated { integers.dag.node("not", &[id]) } else { id });
            }
            let head = Tree::parse(parts.head().unwrap_or("false".to_string()), parts.position)?;
            let head = integers.truth(head.root())?;
            let all = integers.dag.node("true", &[]);
            let all = if body.is_empty() { all } else { integers.dag.node("and", &body) };
            let clause = integers.dag.node("=>", &[all, head]);
            let bound = parts.variables.iter().map(|(name, sort)| {
                format!("({} {})", quote_symbol(name), if *sort == Sort::Bool { "Bool" } else { "Int" })
            });
            let bound = bound.collect::<Vec<_>>().join(" ");
            let text = integers.dag.write(clause);
            let _ = match bound.is_empty() {
                true => writeln!(out, "(assert {text})"),
                false => writeln!(out, "(assert (forall ({bound}) {text}))"),
            };
        }
        out.push_str("(check-sat)\n");
        Ok(out)
    }

    /// The definitions of a model over integers as definitions over words.
    pub fn over_words(&self, model: &str) -> Result<String> {
        let sorts: Map<&str, &Vec<Sort>> =
            self.predicates.iter().map(|(name, sorts)| (name.as_str(), sorts)).collect();
        let mut out = String::new();
        let mut input = CommandInput::new(model.as_bytes());
        while let Ok(Some(tree)) = input.next_command() {
            let tree = tree?;
            let name = tree.root().children().nth(1).and_then(|name| name.symbol());
            let Some(sorts) = name.and_then(|name| sorts.get(name)) else {
                return Err(tree.root().error("a predicate that is not known"));
            };
            out.push_str(&Words::definition(tree.root(), sorts)?);
        }
        Ok(out)
    }

    /// Whether every clause holds in a model over words, by circuits. An error says why it is not known.
    pub fn check_model(&self, model: &str, budget: &Budget) -> std::result::Result<bool, String> {
        let mut script = Script::default();
        execute(&mut script, model, budget)?;
        for tree in &self.asserted {
            let parts = parts(tree, &self.predicates).map_err(|error| error.message)?;
            let mut text = format!("(push 1)\n{}", violated(&parts));
            let head = parts.head().unwrap_or("false".to_string());
            let _ = writeln!(text, "(assert (not {head}))\n(check-sat)\n(pop 1)");
            if execute(&mut script, &text, budget)? != ["unsat"] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The steps of a derivation over integers as ones over words, if each of them is an instance of a clause.
    pub fn check_derivation(&self, derivation: &str, budget: &Budget) -> std::result::Result<String, String> {
        let steps = self.steps(derivation).ok_or("the derivation is not understood")?;
        let mut out = String::new();
        for (number, step) in steps.iter().enumerate() {
            // What the clause is for the circuits: its premises are all that is known.
            let mut text = String::new();
            for (name, sorts) in &self.predicates {
                let known: Vec<&Vec<String>> = step
                    .premises
                    .iter()
                    .filter_map(|&premise| steps[..number].get(premise)?.atom.as_ref())
                    .filter(|(other, _)| other == name)
                    .map(|(_, values)| values)
                    .collect();
                let _ = writeln!(text, "{}", membership(name, sorts, &known));
            }
            let holds = |clause: usize| -> std::result::Result<bool, String> {
                let Some(tree) = self.asserted.get(clause) else { return Ok(false) };
                let parts = parts(tree, &self.predicates).map_err(|error| error.message)?;
                let mut text = format!("{text}{}", violated(&parts));
                match (&step.atom, parts.head_with_values()) {
                    (None, None) => {}
                    (Some((name, values)), Some((head, equal))) if *name == head => {
                        let _ = writeln!(text, "(assert {})", equal(values));
                    }
                    _ => return Ok(false),
                }
                let said = execute(&mut Script::default(), &format!("{text}(check-sat)"), budget)?;
                Ok(said == ["sat"])
            };
            // A clause with a disjunction of predicates counts more than once, so the number is a hint.
            let order = std::iter::once(step.clause).chain(0..self.asserted.len());
            let mut found = None;
            for clause in order {
                if holds(clause)? {
                    found = Some(clause);
                    break;
                }
            }
            let clause = found.ok_or_else(|| format!("step {number} is no instance of a clause"))?;
            let atom = match &step.atom {
                None => "false".to_string(),
                Some((name, values)) if values.is_empty() => quote_symbol(name).to_string(),
                Some((name, values)) => format!("({} {})", quote_symbol(name), values.join(" ")),
            };
            let premises: Vec<String> = step.premises.iter().map(usize::to_string).collect();
            let _ = writeln!(out, "{number}: {atom} by clause {clause} from ({})", premises.join(" "));
        }
        match steps.last() {
            Some(Step { atom: None, .. }) => Ok(out),
            _ => Err("the derivation does not end".to_string()),
        }
    }

    /// `0: (P 1 true) by clause 2 from (3 4)`, one on each line.
    fn steps(&self, derivation: &str) -> Option<Vec<Step>> {
        let step = |line: &str| {
            let (_, line) = line.split_once(": ")?;
            let (atom, line) = line.rsplit_once(" by clause ")?;
            let (clause, premises) = line.split_once(" from (")?;
            let premises = premises.trim_end().trim_end_matches(')');
            let premises: Option<Vec<usize>> =
                premises.split_whitespace().map(|premise| premise.parse().ok()).collect();
            let tree = Tree::parse(atom.to_string(), Position { line: 1, column: 1 }).ok()?;
            let root = tree.root();
            let atom = match root.symbol() {
                Some("false") => None,
                Some(name) => Some((name.to_string(), Vec::new())),
                None => {
                    let name = root.children().next()?.symbol()?.to_string();
                    let (_, sorts) = self.predicates.iter().find(|(other, _)| *other == name)?;
                    let value = |(value, sort): (Sexpr<'_>, &Sort)| match sort {
                        Sort::Bool => value.text().to_string(),
                        Sort::Word(width) => format!("(_ bv{} {width})", value.text()),
                    };
                    Some((name, root.children().skip(1).zip(sorts).map(value).collect()))
                }
            };
            Some(Step { atom, clause: clause.parse().ok()?, premises: premises? })
        };
        derivation.lines().map(step).collect()
    }
}

/// Declarations of the variables, and that the body holds.
fn violated(parts: &Parts) -> String {
    let mut text = String::new();
    for (name, sort) in &parts.variables {
        let _ = writeln!(text, "(declare-const {} {sort})", quote_symbol(name));
    }
    for (part, negated) in parts.body() {
        let _ = match negated {
            true => writeln!(text, "(assert (not {part}))"),
            false => writeln!(text, "(assert {part})"),
        };
    }
    text
}

/// A predicate that holds for these values and no others.
fn membership(name: &str, sorts: &[Sort], known: &[&Vec<String>]) -> String {
    let parameters: Vec<String> =
        sorts.iter().enumerate().map(|(i, sort)| format!("(x{i} {sort})")).collect();
    let cases: Vec<String> = known
        .iter()
        .map(|values| {
            let same = values.iter().enumerate().map(|(i, value)| format!("(= x{i} {value})"));
            format!("(and true {})", same.collect::<Vec<_>>().join(" "))
        })
        .collect();
    let name = quote_symbol(name);
    format!("(define-fun {name} ({}) Bool (or false {}))", parameters.join(" "), cases.join(" "))
}

/// What a script says.
fn execute(script: &mut Script, text: &str, budget: &Budget) -> std::result::Result<Vec<String>, String> {
    let mut said = Vec::new();
    let mut input = CommandInput::new(text.as_bytes());
    while let Some(tree) = input.next_command().map_err(|error| error.to_string())? {
        match tree.and_then(|tree| script.execute(&tree, budget)) {
            Ok(Response::Success) => {}
            Ok(Response::Text(text)) => said.push(text),
            Ok(Response::Unknown(reason)) => return Err(reason),
            Ok(_) => return Err("a command is not known".to_string()),
            Err(error) => return Err(error.message),
        }
    }
    Ok(said)
}
