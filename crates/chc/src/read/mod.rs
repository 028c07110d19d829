//! Horn clauses from SMT-LIB.
//!
//! An asserted formula is a conjunction of clauses up to classical rewriting: `forall` around an
//! implication, a negated `exists`, an atom, `let`s anywhere. It is negated and taken apart as a
//! conjunction: positive applications are the body, a negative one is the head, what mentions no
//! predicate is the constraint. A disjunction with predicates in it makes several clauses, if they are
//! few; else it stays a formula (see [`optional`]).
//!
//! Predicates are the declared functions with result `Bool`; other functions are part of the background
//! (see [`axioms`](crate::axioms)). Free constants are refused: their value would be part of the answer.

mod optional;

use crate::axioms::{Axiom, has_functions, instantiate};
use crate::system::{Application, Clause, Predicate, PredicateId, System};
use craig_base::{Map, OrderedMap, Set};
use craig_term::smtlib::{Command, CommandInput, Error, Reader, Tree};
use craig_term::{FunId, Op, TermId, Terms};
use std::fmt;
use std::io::BufRead;

/// Why there is no system to solve.
#[derive(Debug)]
pub enum ReadError {
    Io(std::io::Error),
    /// The input is wrong or beyond what is supported.
    Input(Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => write!(f, "{error}"),
            ReadError::Input(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<Error> for ReadError {
    fn from(error: Error) -> Self {
        ReadError::Input(error)
    }
}

/// Reads all clauses up to `exit` or the end of the input.
pub fn read_system(terms: &mut Terms, input: impl BufRead) -> Result<System, ReadError> {
    let mut input = CommandInput::new(input);
    let mut reader = Reader::new();
    let mut clauses = ClauseReader::default();
    while let Some(tree) = input.next_command().map_err(ReadError::Io)? {
        let tree = tree?;
        match reader.command(terms, &tree)? {
            Command::Declare(symbol) => clauses.declare(terms, symbol),
            Command::DeclareVar(variable) => drop(clauses.variables.insert(variable)),
            Command::Assert { term, .. } | Command::Rule(term) => clauses.assert(terms, &tree, term)?,
            Command::Query(term) => {
                let unreachable = terms.not(term);
                clauses.assert(terms, &tree, unreachable)?;
            }
            Command::Push(_) | Command::Pop(_) | Command::Reset | Command::ResetAssertions => {
                return Err(tree
                    .root()
                    .error("levels of assertions are not supported in Horn clauses")
                    .into());
            }
            Command::Exit => break,
            _ => {}
        }
    }
    clauses.define_optional(terms);
    let mut system = clauses.system;
    for clause in system.clauses.iter_mut() {
        if has_functions(terms, clause) {
            instantiate(terms, &system.axioms, clause);
        }
    }
    Ok(system)
}

/// A clause that would become more than this number of clauses keeps its disjunctions.
const MOST_ALTERNATIVES: u64 = 4;

#[derive(Default)]
struct ClauseReader {
    system: System,
    /// For a predicate, the one that says: it holds, if it is asked for.
    optional: OrderedMap<PredicateId, PredicateId>,
    predicates: Map<FunId, PredicateId>,
    variables: Set<TermId>,
}

/// A clause as far as it is taken apart.
#[derive(Clone, Default)]
struct Partial {
    /// Conjuncts of the negated clause that were not looked at yet.
    open: Vec<TermId>,
    body: Vec<Application>,
    constraint: Vec<TermId>,
    head: Option<Application>,
    bound: Vec<TermId>,
    /// Keep disjunctions.
    whole: bool,
    /// The Booleans that say which applications are asked for.
    asked: Map<TermId, TermId>,
}

impl ClauseReader {
    fn declare(&mut self, terms: &mut Terms, symbol: FunId) {
        let (parameters, result) = terms.signature(symbol);
        if result == Terms::BOOL {
            let sorts = parameters.to_vec();
            let name = terms.symbol_name(symbol).to_string();
            let predicate = Predicate::new(terms, &name, &sorts);
            self.predicates.insert(symbol, self.system.predicates.push(predicate));
        }
    }

    fn assert(&mut self, terms: &mut Terms, tree: &Tree, formula: TermId) -> Result<(), Error> {
        let with_predicates = self.with_predicates(terms, formula);
        let alternatives = self.alternatives(terms, formula, &with_predicates);
        let mut asserted = vec![formula];
        let mut partials = Vec::new();
        // Conjunctions at the top are separate clauses.
        while let Some(t) = asserted.pop() {
            match terms.op(t) {
                Op::And => asserted.extend(terms.args(t).iter().rev()),
                Op::Not if terms.op(terms.arg(t, 0)) == Op::Or => {
                    let parts = terms.args(terms.arg(t, 0)).to_vec();
                    asserted.extend(parts.into_iter().rev().map(|part| terms.not(part)));
                }
                _ => {
                    let whole =
                        alternatives.get(&t).is_some_and(|&(_, negative)| negative > MOST_ALTERNATIVES);
                    let negated = terms.not(t);
                    partials.push(Partial { open: vec![negated], whole, ..Partial::default() });
                }
            }
        }
        partials.reverse();
        while let Some(mut partial) = partials.pop() {
            match self.take_apart(terms, &with_predicates, &mut partial) {
                Ok(None) => {
                    let clause = self.finish(terms, partial).map_err(|message| tree.root().error(message))?;
                    let Some(clause) = clause else { continue };
                    if clause.body.is_empty() && clause.head.is_none() && has_functions(terms, &clause) {
                        let variables = clause.variables(terms);
                        self.system.axioms.push(Axiom { variables, formula: terms.not(clause.constraint) });
                    } else {
                        self.system.clauses.push(clause);
                    }
                }
                Ok(Some(alternatives)) => partials.extend(alternatives.into_iter().rev().map(|t| {
                    let mut alternative = partial.clone();
                    alternative.open.push(t);
                    alternative
                })),
                Err(message) => return Err(tree.root().error(message)),
            }
        }
        Ok(())
    }

    /// The subterms of `root` in which a predicate occurs.
    fn with_predicates(&self, terms: &Terms, root: TermId) -> Set<TermId> {
        let mut found = Set::default();
        for t in terms.postorder(&[root]) {
            if self.application(terms, t).is_some() || terms.args(t).iter().any(|arg| found.contains(arg)) {
                found.insert(t);
            }
        }
        found
    }

    fn application(&self, terms: &Terms, t: TermId) -> Option<Application> {
        let (Op::Const(symbol) | Op::App(symbol)) = terms.op(t) else { return None };
        let &predicate = self.predicates.get(&symbol)?;
        Some(Application { predicate, args: terms.args(t).to_vec() })
    }

    /// Sorts the open conjuncts into body, head and constraint. Stops at a disjunction with
    /// predicates, and gives its disjuncts.
    fn take_apart(
        &mut self,
        terms: &mut Terms,
        with_predicates: &Set<TermId>,
        partial: &mut Partial,
    ) -> Result<Option<Vec<TermId>>, String> {
        // Disjunctions wait, since what follows may be simple and is then not repeated.
        let mut disjunctions: Vec<TermId> = Vec::new();
        while let Some(t) = partial.open.pop() {
            let (atom, negated) = terms.strip_not(t);
            let op = terms.op(atom);
            match (op, negated) {
                (Op::And, false) | (Op::Or, true) => {
                    let parts = terms.args(atom).to_vec();
                    for part in parts.into_iter().rev() {
                        let part = if negated { terms.not(part) } else { part };
                        partial.open.push(part);
                    }
                    continue;
                }
                (Op::Exists, false) | (Op::Forall, true) => {
                    let (body, bound) = terms.args(atom).split_last().expect("a quantifier has a body");
                    partial.bound.extend_from_slice(bound);
                    let body = *body;
                    partial.open.push(if negated { terms.not(body) } else { body });
                    continue;
                }
                _ => {}
            }
            if !with_predicates.contains(&atom) {
                partial.constraint.push(t);
                continue;
            }
            if let Some(application) = self.application(terms, atom) {
                if application.args.iter().any(|arg| with_predicates.contains(arg)) {
                    return Err("a predicate is an argument of another".to_string());
                }
                if !negated {
                    partial.body.push(application);
                } else if partial.head.is_none() {
                    partial.head = Some(application);
                } else {
                    return Err("not a Horn clause: two predicates are concluded at once".to_string());
                }
                continue;
            }
            if !(partial.whole && self.keep_disjunction(terms, with_predicates, t, partial)) {
                disjunctions.push(t);
            }
        }
        let Some(split) = disjunctions.pop() else { return Ok(None) };
        partial.open = disjunctions;
        let (atom, negated) = terms.strip_not(split);
        let args = terms.args(atom).to_vec();
        let op = terms.op(atom);
        let mut sign = |t: TermId| if negated { terms.not(t) } else { t };
        match op {
            Op::Or | Op::And => {
                // What has no predicate needs no clause of its own.
                let (apart, together): (Vec<TermId>, Vec<TermId>) =
                    args.into_iter().partition(|arg| with_predicates.contains(arg));
                let mut alternatives: Vec<TermId> = apart.into_iter().map(&mut sign).collect();
                let together: Vec<TermId> = together.into_iter().map(&mut sign).collect();
                if !together.is_empty() {
                    alternatives.push(terms.or(&together));
                }
                Ok(Some(alternatives))
            }
            Op::Ite => {
                let (then, otherwise) = (sign(args[1]), sign(args[2]));
                let not_condition = terms.not(args[0]);
                Ok(Some(vec![terms.and2(args[0], then), terms.and2(not_condition, otherwise)]))
            }
            Op::Eq => {
                let right = sign(args[1]);
                let not_left = terms.not(args[0]);
                let not_right = terms.not(right);
                Ok(Some(vec![terms.and2(args[0], right), terms.and2(not_left, not_right)]))
            }
            Op::Forall | Op::Exists => {
                Err("a quantifier around predicates in the body of a clause".to_string())
            }
            _ => Err("a predicate inside of a term".to_string()),
        }
    }

    /// `None` for a clause that always holds.
    fn finish(&self, terms: &mut Terms, partial: Partial) -> Result<Option<Clause>, String> {
        let constraint = terms.and(&partial.constraint);
        let clause = Clause { body: partial.body, constraint, head: partial.head };
        let bound: Set<TermId> = partial.bound.into_iter().collect();
        let subterms = terms.postorder(&clause.roots());
        if subterms.iter().any(|&t| matches!(terms.op(t), Op::Forall | Op::Exists)) {
            return Err("quantifiers in constraints are not supported".to_string());
        }
        for t in subterms {
            if let Op::Const(symbol) = terms.op(t)
                && !bound.contains(&t)
                && !self.variables.contains(&t)
            {
                return Err(format!("the constant `{}` is not bound", terms.symbol_name(symbol)));
            }
        }
        if constraint == Terms::FALSE {
            return Ok(None);
        }
        Ok(Some(clause.renamed(terms)))
    }
}
