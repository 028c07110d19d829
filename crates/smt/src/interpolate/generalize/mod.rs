//! Simpler interpolants (paper 002, section 4, and *Beautiful interpolants*, which it cites).
//!
//! An interpolant from a proof has the shape of the proof. [`generalize`] takes one that is known and
//! looks for a simpler one, by solver calls:
//!
//! 1. conjuncts are dropped as long as the rest contradicts `B`, then, in each clause that remains,
//!    disjuncts as long as the clause follows from `A`, then conjuncts again ([`Effort::Drop`]);
//!    greedily, the largest first;
//! 2. if something else than one clause is left, an interpolant is built from samples
//!    ([`Effort::Separate`], see [`separate`]): implicants of `A` and of `B`, and half-spaces with small
//!    coefficients that separate as many pairs of them as possible.
//!
//! Every step is confirmed by the solver, so the result is an interpolant whatever was given up on the
//! way; the smallest formula wins. Whether that is the better one for an engine is for the engine to
//! say: what is dropped from a clause makes the interpolant stronger, which need not help.

mod separate;
#[cfg(test)]
mod tests;

use super::minimize::irredundant;
use super::simplify::{arguments, simplify};
use crate::native::{NativeSolver, Options};
use crate::solver::{Answer, Solver};
use craig_base::Budget;
use craig_term::{Op, TermId, Terms};
pub use separate::separate;

/// How much to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Drop conjuncts and disjuncts.
    #[default]
    Drop,
    /// Also look for half-spaces that separate samples.
    Separate,
}

/// Conflicts that one solver call may have.
const MAX_CONFLICTS: u64 = 500;
/// More clauses, or more disjuncts of a clause, are not looked at one by one.
const MAX_WIDTH: usize = 40;

/// An interpolant of `a` and `b` that is not larger than the given one.
pub fn generalize(
    terms: &mut Terms,
    a: TermId,
    b: TermId,
    interpolant: TermId,
    effort: Effort,
    budget: &Budget,
) -> TermId {
    let dropped = drop_parts(terms, a, b, interpolant, budget);
    if effort == Effort::Drop || is_clause(terms, dropped) {
        return dropped;
    }
    match separate(terms, a, b, budget) {
        Some(separating) => {
            let separating = drop_parts(terms, a, b, separating, budget);
            if terms.dag_size(separating) < terms.dag_size(dropped) { separating } else { dropped }
        }
        None => dropped,
    }
}

fn is_clause(terms: &Terms, formula: TermId) -> bool {
    let is_literal = |t: TermId| {
        let (atom, _) = terms.strip_not(t);
        !matches!(terms.op(atom), Op::And | Op::Or | Op::Ite) && !is_bool_equality(terms, atom)
    };
    match terms.op(formula) {
        Op::Or => terms.args(formula).iter().all(|&arg| is_literal(arg)),
        _ => is_literal(formula),
    }
}

fn is_bool_equality(terms: &Terms, t: TermId) -> bool {
    terms.op(t) == Op::Eq && terms.is_bool(terms.arg(t, 0))
}

fn solver_with(terms: &mut Terms, formula: TermId) -> NativeSolver {
    let mut solver =
        NativeSolver::new(Options { preprocess: false, conflicts: MAX_CONFLICTS, ..Options::default() });
    solver.assert(terms, formula);
    solver
}

/// Without the conjuncts and disjuncts that are not needed.
fn drop_parts(terms: &mut Terms, a: TermId, b: TermId, interpolant: TermId, budget: &Budget) -> TermId {
    let conjuncts = arguments(terms, Op::And, interpolant);
    if conjuncts.len() > MAX_WIDTH {
        return interpolant;
    }
    let mut against_b = solver_with(terms, b);
    let conjuncts = minimal(terms, &mut against_b, conjuncts, budget);
    let mut from_a = solver_with(terms, a);
    let mut clauses = Vec::with_capacity(conjuncts.len());
    for conjunct in conjuncts {
        let disjuncts = arguments(terms, Op::Or, conjunct);
        let width = disjuncts.len();
        let negations: Vec<TermId> = disjuncts.into_iter().map(|disjunct| terms.not(disjunct)).collect();
        let needed =
            if width > MAX_WIDTH { negations } else { minimal(terms, &mut from_a, negations, budget) };
        let needed: Vec<TermId> = needed.into_iter().map(|negation| terms.not(negation)).collect();
        clauses.push(terms.or(&needed));
    }
    // A clause that lost disjuncts may make others needless.
    let clauses = minimal(terms, &mut against_b, clauses, budget);
    let joined = terms.and(&clauses);
    let result = simplify(terms, joined);
    if terms.dag_size(result) <= terms.dag_size(interpolant) { result } else { interpolant }
}

/// A part of the assumptions that still contradicts what the solver knows, and of which none can be
/// left out; all of them if the solver cannot tell.
fn minimal(terms: &mut Terms, solver: &mut NativeSolver, all: Vec<TermId>, budget: &Budget) -> Vec<TermId> {
    if all.len() == 1 {
        return all;
    }
    if solver.check(terms, &all, budget) != Answer::Unsat {
        return all;
    }
    let mut needed = solver.core().to_vec();
    needed.sort_by_key(|&t| std::cmp::Reverse(terms.dag_size(t)));
    irredundant(terms, solver, needed, budget)
}
