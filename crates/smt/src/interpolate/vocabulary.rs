//! In which part an axiom of functions or arrays belongs.
//!
//! An instance of an axiom holds everywhere, so it may be added to any part that can express it. It
//! acts like a clause of that part in every cut, so for every cut its symbols have to occur on the
//! part's side; in a sequence this means that the part lies between the first and the last
//! occurrence of each symbol. Witnesses and fresh indices are symbols of the part of their own axiom
//! alone, so they never reach an interpolant.
//!
//! An instance without such a part compares what only `A` knows with what only `B` knows.
//! Interpolation then fails with [`MixedReasoning`](super::Failure::MixedReasoning).

use crate::native::{NativeSolver, Var};
use crate::proof::{Axiom, Certificate, Leaf, Refutation, StepKind};
use craig_base::{Map, OrderedMap, OrderedSet};
use craig_term::{FunId, Op, TermId, Terms};

/// The parts of axioms, by their step; those that have none are left out.
pub(super) fn homes(
    terms: &mut Terms,
    solver: &NativeSolver,
    refutation: &Refutation,
    cuts: &[Vec<bool>],
    literal_parts: &OrderedMap<Var, Vec<u32>>,
) -> OrderedMap<usize, u32> {
    let mut homes = OrderedMap::default();
    let axioms: Vec<(usize, &Axiom)> = refutation
        .steps
        .iter()
        .enumerate()
        .filter_map(|(index, step)| match &step.kind {
            StepKind::Leaf(Leaf::Theory(Certificate::Axiom(axiom))) => Some((index, axiom)),
            _ => None,
        })
        .collect();
    if axioms.is_empty() {
        return homes;
    }
    let mut vocabulary = Vocabulary::new(terms, solver, cuts);
    // The axioms of new constants decide where these belong.
    let (first, rest): (Vec<_>, Vec<_>) =
        axioms.into_iter().partition(|(_, axiom)| new_constant(axiom).is_some());
    for (index, axiom) in first.into_iter().chain(rest) {
        let clause = &refutation.steps[index].clause;
        let formulas: Vec<TermId> = clause.iter().map(|lit| solver.formula(terms, lit.var())).collect();
        let symbols = symbols_of(terms, &formulas);
        let familiar = |part: u32| {
            clause.iter().filter(|lit| literal_parts[&lit.var()].binary_search(&part).is_ok()).count()
        };
        let candidates = vocabulary.parts_with(&symbols);
        if let Some(home) = candidates.into_iter().rev().max_by_key(|&part| familiar(part)) {
            homes.insert(index, home);
            if let Some(Op::Const(symbol)) = new_constant(axiom).map(|t| terms.op(t)) {
                vocabulary.symbols.entry(symbol).or_insert_with(|| vec![home]);
            }
        }
    }
    homes
}

/// The constant that an axiom introduces.
fn new_constant(axiom: &Axiom) -> Option<TermId> {
    match *axiom {
        Axiom::Extensionality { witness, .. } => Some(witness),
        Axiom::FreshIndex { index, .. } => Some(index),
        _ => None,
    }
}

struct Vocabulary<'a> {
    /// The parts that mention a symbol.
    symbols: Map<FunId, Vec<u32>>,
    cuts: &'a [Vec<bool>],
    parts: u32,
    /// Per symbol, whether a clause of a part may mention it.
    usable: Map<FunId, Vec<bool>>,
}

impl<'a> Vocabulary<'a> {
    fn new(terms: &Terms, solver: &NativeSolver, cuts: &'a [Vec<bool>]) -> Self {
        let mut formulas: OrderedMap<u32, Vec<TermId>> = OrderedMap::default();
        for (part, formula) in solver.parts() {
            formulas.entry(part).or_default().push(formula);
        }
        let mut symbols: Map<FunId, Vec<u32>> = Map::default();
        let mut parts = 0;
        for (&part, list) in &formulas {
            parts = parts.max(part + 1);
            for symbol in symbols_of(terms, list) {
                symbols.entry(symbol).or_default().push(part);
            }
        }
        // Preprocessing makes truth constants of its own.
        for var in solver.variables() {
            if let Some(Op::Const(symbol)) = solver.own_formula(var).map(|t| terms.op(t))
                && !solver.occurrences(var).is_empty()
            {
                symbols.entry(symbol).or_insert_with(|| solver.occurrences(var).to_vec());
            }
        }
        Vocabulary { symbols, cuts, parts, usable: Map::default() }
    }

    /// The parts whose clauses may mention all these symbols, ascending.
    fn parts_with(&mut self, symbols: &OrderedSet<FunId>) -> Vec<u32> {
        let mut common = vec![true; self.parts as usize];
        for symbol in symbols {
            let Some(own) = self.symbols.get(symbol) else { continue };
            let (cuts, parts) = (self.cuts, self.parts);
            let usable = self.usable.entry(*symbol).or_insert_with(|| usable(own, cuts, parts));
            for (known, more) in common.iter_mut().zip(usable) {
                *known &= *more;
            }
        }
        (0..self.parts).filter(|&part| common[part as usize]).collect()
    }
}

fn usable(own: &[u32], cuts: &[Vec<bool>], parts: u32) -> Vec<bool> {
    let mut usable = vec![true; parts as usize];
    for cut in cuts {
        let side = |part: u32| cut.get(part as usize).copied().unwrap_or(false);
        let in_a = own.iter().any(|&part| side(part));
        let in_b = own.iter().any(|&part| !side(part));
        for part in 0..parts {
            usable[part as usize] &= if side(part) { in_a } else { in_b };
        }
    }
    usable
}

fn symbols_of(terms: &Terms, formulas: &[TermId]) -> OrderedSet<FunId> {
    let symbols = terms.postorder(formulas).into_iter().filter_map(|t| match terms.op(t) {
        // What data types declare is known everywhere.
        Op::Const(symbol) | Op::App(symbol) => terms.role(symbol).is_none().then_some(symbol),
        _ => None,
    });
    symbols.collect()
}
