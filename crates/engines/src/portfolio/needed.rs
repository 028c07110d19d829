//! What a proof needs of its invariant.
//!
//! An engine's invariant says all that the search has met, such as what held in each of the first rounds of a loop. Readers want
//! what the proof stands on. So parts of small invariants are left out, one at a time, as long as the checker accepts
//! the rest, the largest first: conjuncts, which makes the invariant weaker, and ways of disjunctions that no run takes or
//! that others allow, which makes it stronger. What is left is a proof like any other, and the
//! checker's last word was about it as it is.

use crate::verify::Proof;
use craig_base::{Budget, Set};
use craig_certificate::{Invariant, check_invariant};
use craig_program::{LocId, Program, StateVar, Type};
use craig_term::{Op, TermId, Terms};
use std::time::Duration;

/// Larger invariants are left as they are.
const MAX_NODES: usize = 600;
/// How often the checker is asked at most.
const MAX_CHECKS: usize = 150;
/// What one question and all of them may cost. Small invariants take a few milliseconds; for others, the time that the answer
/// took is a measure.
const TIME_OF_ONE: Duration = Duration::from_millis(60);
const TIME: Duration = Duration::from_millis(400);
const SMALL: usize = 100;

/// The proof, with an invariant that says less if one was found. `taken` is how long the search for it took.
pub fn needed(proof: Proof, taken: Duration) -> Proof {
    let Proof::Invariant { mut terms, inlined, invariant } = proof else { return proof };
    let formulas: Vec<TermId> = invariant.formulas.values().copied().collect();
    let time = match terms.postorder(&formulas).len() {
        nodes if nodes > MAX_NODES => return Proof::Invariant { terms, inlined, invariant },
        nodes if nodes <= SMALL => TIME,
        _ => TIME.min(taken / 25),
    };
    let invariant = reduced(&mut terms, &inlined.program, invariant, time);
    Proof::Invariant { terms, inlined, invariant }
}

fn reduced(terms: &mut Terms, program: &Program, invariant: Invariant, time: Duration) -> Invariant {
    let budget = Budget::unlimited().with_timeout(time);
    let trees = invariant.formulas.iter().map(|(&location, &formula)| (location, Tree::of(terms, formula)));
    let trees: Vec<(LocId, Tree)> = trees.collect();
    let pointers = program.vars.enumerated().filter(|(_, var)| var.ty == Type::Pointer);
    let pointers = pointers.map(|(var, _)| program.state_name(StateVar::Var(var))).collect();
    let mut search = Search { pointers, frames: invariant.frames, trees, checks: MAX_CHECKS };
    for parts in [Parts::Disjuncts, Parts::Conjuncts, Parts::Disjuncts, Parts::Conjuncts] {
        for place in 0..search.trees.len() {
            search.without(terms, program, place, parts, &budget);
        }
    }
    let found = search.invariant(terms);
    // Rebuilding keeps the meaning, not always the form.
    let is_news = found.formulas != invariant.formulas;
    let accepted =
        is_news && check_invariant(terms, program, &found, &Budget::unlimited().with_timeout(TIME)).is_ok();
    if accepted { found } else { invariant }
}

/// What is left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    Conjuncts,
    Disjuncts,
}

struct Search {
    /// The variables that are pointers.
    pointers: Set<String>,
    frames: bool,
    trees: Vec<(LocId, Tree)>,
    checks: usize,
}

impl Search {
    fn invariant(&self, terms: &mut Terms) -> Invariant {
        let formulas = self.trees.iter().map(|(location, tree)| (*location, tree.term(terms)));
        Invariant { formulas: formulas.collect(), frames: self.frames }
    }

    /// Tries to leave each part of a formula out.
    fn without(&mut self, terms: &mut Terms, program: &Program, place: usize, parts: Parts, budget: &Budget) {
        let mut paths = Vec::new();
        self.trees[place].1.paths(terms, parts, &mut Vec::new(), &mut paths);
        paths.sort_by_key(|(path, size)| (path.len(), std::cmp::Reverse(*size)));
        for (path, _) in paths {
            if self.trees[place].1.at(&path).is_some_and(|part| part.is_about_pointer(terms, &self.pointers))
            {
                continue;
            }
            if self.checks == 0 || budget.check().is_err() {
                return;
            }
            let Some(removed) = self.trees[place].1.replace(&path, None) else { continue };
            self.checks -= 1;
            let smaller = self.invariant(terms);
            let patience = budget.clone().with_timeout(TIME_OF_ONE);
            if check_invariant(terms, program, &smaller, &patience).is_err() {
                self.trees[place].1.replace(&path, Some(removed));
            }
        }
    }
}

/// A formula as conjunctions and disjunctions. What is left out leaves a gap, so that paths stay what they are.
enum Tree {
    And(Vec<Option<Tree>>),
    Or(Vec<Option<Tree>>),
    Leaf(TermId),
}

/// Deeper formulas are leaves.
const MAX_DEPTH: usize = 6;

impl Tree {
    fn of(terms: &mut Terms, formula: TermId) -> Tree {
        Tree::And(vec![Some(Tree::down(terms, formula, MAX_DEPTH))])
    }

    fn down(terms: &mut Terms, formula: TermId, depth: usize) -> Tree {
        let inner = if terms.op(formula) == Op::Not { terms.args(formula)[0] } else { formula };
        let is_negated = inner != formula;
        let op = terms.op(inner);
        if depth == 0 || !matches!(op, Op::And | Op::Or) {
            return Tree::Leaf(formula);
        }
        let mut parts = Vec::new();
        for part in terms.args(inner).to_vec() {
            let part = if is_negated { terms.not(part) } else { part };
            parts.push(Some(Tree::down(terms, part, depth - 1)));
        }
        if (op == Op::And) != is_negated { Tree::And(parts) } else { Tree::Or(parts) }
    }

    fn term(&self, terms: &mut Terms) -> TermId {
        match self {
            Tree::Leaf(formula) => *formula,
            Tree::And(parts) | Tree::Or(parts) => {
                let parts: Vec<TermId> = parts.iter().flatten().map(|part| part.term(terms)).collect();
                if matches!(self, Tree::And(_)) { terms.and(&parts) } else { terms.or(&parts) }
            }
        }
    }

    /// Where the parts are that can be left out, with their sizes.
    fn paths(
        &self,
        terms: &mut Terms,
        wanted: Parts,
        path: &mut Vec<usize>,
        found: &mut Vec<(Vec<usize>, usize)>,
    ) {
        let (parts, kind) = match self {
            Tree::Leaf(_) => return,
            Tree::And(parts) => (parts, Parts::Conjuncts),
            Tree::Or(parts) => (parts, Parts::Disjuncts),
        };
        for (place, part) in parts.iter().enumerate() {
            let Some(part) = part else { continue };
            path.push(place);
            if kind == wanted {
                let term = part.term(terms);
                found.push((path.clone(), terms.postorder(&[term]).len()));
            }
            part.paths(terms, wanted, path, found);
            path.pop();
        }
    }

    fn at(&self, path: &[usize]) -> Option<&Tree> {
        let Some((&place, rest)) = path.split_first() else { return Some(self) };
        let (Tree::And(parts) | Tree::Or(parts)) = self else { return None };
        parts[place].as_ref()?.at(rest)
    }

    /// Whether it says where a pointer points: a reader calls an object by the variable that points to it.
    fn is_about_pointer(&self, terms: &Terms, pointers: &Set<String>) -> bool {
        let Tree::Leaf(formula) = *self else { return false };
        let atom = if terms.op(formula) == Op::Not { terms.args(formula)[0] } else { formula };
        let &[variable, number] = terms.args(atom) else { return false };
        terms.number(number).is_some()
            && terms.const_name(variable).is_some_and(|name| pointers.contains(name))
    }

    /// Puts something else, or nothing, at a place. What was there, unless it has gone already.
    fn replace(&mut self, path: &[usize], by: Option<Tree>) -> Option<Tree> {
        let (&place, rest) = path.split_first()?;
        let (Tree::And(parts) | Tree::Or(parts)) = self else { return None };
        match rest {
            [] => std::mem::replace(&mut parts[place], by),
            _ => parts[place].as_mut()?.replace(rest, by),
        }
    }
}
