//! Smaller interpolants by a few local solver calls.
//!
//! From the last interpolant of a sequence to the first: conjuncts that the next step does not need
//! are dropped (the unsatisfiable core of `I_k ∧ L_k ∧ ¬I_{k+1}`), then disjuncts that the step
//! before does not need (the core of `I_{k-1} ∧ L_{k-1} ∧ ¬d_1 ∧ ... ∧ ¬d_m`). Each change is made
//! only after the solver has confirmed the implication it touches, so the sequence stays one.
//!
//! A part is represented by those of its clauses that the refutation used: they suffice, they are few,
//! and they need not be made again.

use super::simplify::simplify;
use crate::native::{Lit, NativeSolver, Options};
use crate::proof::{Leaf, Refutation, StepKind};
use crate::solver::{Answer, Solver};
use craig_base::Budget;
use craig_term::{Op, TermId, Terms};

/// Larger formulas are left alone: the calls would be as hard as the problem itself.
const MAX_SIZE: usize = 400;
/// Conflicts that one call may have.
const MAX_CONFLICTS: u64 = 200;
/// Clauses beyond this number keep their disjuncts: the calls would cost more than they save.
const MAX_CLAUSES: usize = 40;

pub(super) fn sequence(
    terms: &mut Terms,
    refuted: &NativeSolver,
    refutation: &Refutation,
    interpolants: &mut [TermId],
    budget: &Budget,
) {
    let small = |terms: &Terms, t: TermId| terms.dag_size(t) <= MAX_SIZE;
    let clauses = clauses_by_part(refutation, interpolants.len() + 1);
    let of_part = |terms: &mut Terms, part: usize| {
        let options = Options { preprocess: false, conflicts: MAX_CONFLICTS, ..Options::default() };
        let mut solver = NativeSolver::new(options);
        solver.adopt(terms, refuted, clauses[part].iter().copied());
        solver
    };
    let mut next = None;
    for k in (0..interpolants.len()).rev() {
        let after = interpolants.get(k + 1).copied().unwrap_or(Terms::FALSE);
        let before = if k == 0 { Terms::TRUE } else { interpolants[k - 1] };
        let mut current = interpolants[k];
        let mut own = None;
        if small(terms, current) {
            if small(terms, after) && terms.op(current) == Op::And {
                let solver = next.get_or_insert_with(|| of_part(terms, k + 1));
                current = needed_conjuncts(terms, solver, current, after, budget);
            }
            if small(terms, before) && has_disjuncts(terms, current) {
                let solver = own.get_or_insert_with(|| of_part(terms, k));
                current = needed_disjuncts(terms, solver, current, before, budget);
            }
            if current != interpolants[k] {
                interpolants[k] = simplify(terms, current);
            }
        }
        next = own;
    }
}

fn clauses_by_part(refutation: &Refutation, parts: usize) -> Vec<Vec<&[Lit]>> {
    let mut clauses = vec![Vec::new(); parts];
    for step in &refutation.steps {
        if let StepKind::Leaf(Leaf::Input { part }) = step.kind {
            clauses[part as usize].push(step.clause.as_slice());
        }
    }
    clauses
}

fn arguments(terms: &Terms, op: Op, t: TermId) -> Vec<TermId> {
    if terms.op(t) == op { terms.args(t).to_vec() } else { vec![t] }
}

fn has_disjuncts(terms: &Terms, formula: TermId) -> bool {
    let clauses = arguments(terms, Op::And, formula);
    clauses.len() <= MAX_CLAUSES && clauses.iter().any(|&clause| terms.op(clause) == Op::Or)
}

/// A weaker formula that still implies `after` together with the part.
fn needed_conjuncts(
    terms: &mut Terms,
    part: &mut NativeSolver,
    formula: TermId,
    after: TermId,
    budget: &Budget,
) -> TermId {
    let conjuncts = arguments(terms, Op::And, formula);
    let negated = terms.not(after);
    part.push();
    part.assert(terms, negated);
    let result = match part.check(terms, &conjuncts, budget) {
        Answer::Unsat => terms.and(part.core()),
        Answer::Sat | Answer::Unknown(_) => formula,
    };
    part.pop();
    result
}

/// A stronger formula that is still implied by `before` and the part.
fn needed_disjuncts(
    terms: &mut Terms,
    part: &mut NativeSolver,
    formula: TermId,
    before: TermId,
    budget: &Budget,
) -> TermId {
    let clauses = arguments(terms, Op::And, formula);
    part.push();
    part.assert(terms, before);
    let mut result = Vec::with_capacity(clauses.len());
    for clause in clauses {
        if terms.op(clause) != Op::Or {
            result.push(clause);
            continue;
        }
        let negations: Vec<TermId> =
            terms.args(clause).to_vec().into_iter().map(|disjunct| terms.not(disjunct)).collect();
        part.push();
        result.push(match part.check(terms, &negations, budget) {
            Answer::Unsat => {
                let needed: Vec<TermId> = part.core().iter().map(|&negation| terms.not(negation)).collect();
                terms.or(&needed)
            }
            Answer::Sat | Answer::Unknown(_) => clause,
        });
        part.pop();
    }
    part.pop();
    terms.and(&result)
}
