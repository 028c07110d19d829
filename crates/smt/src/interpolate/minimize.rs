//! Smaller interpolants by a few local solver calls.
//!
//! From the last interpolant of a sequence to the first: conjuncts that the next step does not need
//! are dropped (the unsatisfiable core of `I_k ∧ L_k ∧ ¬I_{k+1}`), then disjuncts that the step
//! before does not need (the core of `I_{k-1} ∧ L_{k-1} ∧ ¬d_1 ∧ ... ∧ ¬d_m`). Each change is made
//! only after the solver has confirmed the implication it touches, so the sequence stays one.

use super::simplify::simplify;
use crate::native::{NativeSolver, Options};
use crate::solver::{Answer, Solver};
use craig_base::Budget;
use craig_term::{Op, TermId, Terms};

/// Larger formulas are left alone: the calls would be as hard as the problem itself.
const MAX_SIZE: usize = 400;
/// Conflicts that one call may have.
const MAX_CONFLICTS: u64 = 200;
/// Clauses beyond this number keep their disjuncts: the calls would cost more than they save.
const MAX_CLAUSES: usize = 40;

pub(super) fn sequence(terms: &mut Terms, parts: &[TermId], interpolants: &mut [TermId], budget: &Budget) {
    for k in (0..interpolants.len()).rev() {
        let after = interpolants.get(k + 1).copied().unwrap_or(Terms::FALSE);
        let before = if k == 0 { Terms::TRUE } else { interpolants[k - 1] };
        let small = |terms: &Terms, t: TermId| terms.dag_size(t) <= MAX_SIZE;
        let mut current = interpolants[k];
        if !small(terms, current) {
            continue;
        }
        if small(terms, after) {
            current = needed_conjuncts(terms, current, parts[k + 1], after, budget);
        }
        if small(terms, before) {
            current = needed_disjuncts(terms, current, before, parts[k], budget);
        }
        interpolants[k] = simplify(terms, current);
    }
}

fn arguments(terms: &Terms, op: Op, t: TermId) -> Vec<TermId> {
    if terms.op(t) == op { terms.args(t).to_vec() } else { vec![t] }
}

fn solver() -> NativeSolver {
    NativeSolver::new(Options { preprocess: false, conflicts: MAX_CONFLICTS, ..Options::default() })
}

/// A weaker formula that still implies `after` together with `part`.
fn needed_conjuncts(
    terms: &mut Terms,
    formula: TermId,
    part: TermId,
    after: TermId,
    budget: &Budget,
) -> TermId {
    let conjuncts = arguments(terms, Op::And, formula);
    if conjuncts.len() < 2 {
        return formula;
    }
    let mut solver = solver();
    let negated = terms.not(after);
    solver.assert(terms, part);
    solver.assert(terms, negated);
    match solver.check(terms, &conjuncts, budget) {
        Answer::Unsat => terms.and(solver.core()),
        Answer::Sat | Answer::Unknown(_) => formula,
    }
}

/// A stronger formula that is still implied by `before` and `part`.
fn needed_disjuncts(
    terms: &mut Terms,
    formula: TermId,
    before: TermId,
    part: TermId,
    budget: &Budget,
) -> TermId {
    let clauses = arguments(terms, Op::And, formula);
    if clauses.len() > MAX_CLAUSES || clauses.iter().all(|&clause| terms.op(clause) != Op::Or) {
        return formula;
    }
    let mut solver = solver();
    solver.assert(terms, before);
    solver.assert(terms, part);
    let mut result = Vec::with_capacity(clauses.len());
    for clause in clauses {
        if terms.op(clause) != Op::Or {
            result.push(clause);
            continue;
        }
        let negations: Vec<TermId> =
            terms.args(clause).to_vec().into_iter().map(|disjunct| terms.not(disjunct)).collect();
        solver.push();
        result.push(match solver.check(terms, &negations, budget) {
            Answer::Unsat => {
                let needed: Vec<TermId> = solver.core().iter().map(|&negation| terms.not(negation)).collect();
                terms.or(&needed)
            }
            Answer::Sat | Answer::Unknown(_) => clause,
        });
        solver.pop();
    }
    terms.and(&result)
}
