//! What interpolants, labels and lemmas must be, asked of a new solver: for assertions of debug builds, in this crate and in
//! the engines. Whatever is too large or takes too long counts as right.

use super::Dag;
use crate::native::NativeSolver;
use crate::solver::{Answer, Solver};
use craig_base::Budget;
use craig_term::{TermId, Terms};
use std::time::Duration;

/// Larger questions are as hard as what they are about.
const MAX_SIZE: usize = 3000;
const TIME: Duration = Duration::from_millis(500);

/// Whether no model of all formulas is found.
pub fn is_excluded(terms: &mut Terms, formulas: &[TermId], budget: &Budget) -> bool {
    if terms.postorder(formulas).len() > MAX_SIZE {
        return true;
    }
    let mut solver = NativeSolver::default();
    for &formula in formulas {
        solver.assert(terms, formula);
    }
    solver.check(terms, &[], &budget.clone().with_timeout(TIME)) != Answer::Sat
}

/// Whether the interpolant follows from one side, contradicts the other, and speaks of what both speak of.
pub fn separates(
    terms: &mut Terms,
    (a, b): (&[TermId], &[TermId]),
    interpolant: TermId,
    budget: &Budget,
) -> bool {
    let negated = terms.not(interpolant);
    let [in_a, in_b] = [a, b].map(|side| terms.free_consts_of(side));
    let mut symbols = terms.free_consts(interpolant).into_iter();
    symbols.all(|symbol| in_a.contains(&symbol) && in_b.contains(&symbol))
        && is_excluded(terms, &[a, &[negated]].concat(), budget)
        && is_excluded(terms, &[b, &[interpolant]].concat(), budget)
}

/// The same for every cut of some parts.
pub(super) fn all_separate(
    terms: &mut Terms,
    parts: &[TermId],
    cuts: &[Vec<bool>],
    interpolants: &[TermId],
    budget: &Budget,
) -> bool {
    cuts.iter().zip(interpolants).all(|(cut, &interpolant)| {
        let side = |in_a: bool| -> Vec<TermId> {
            parts.iter().zip(cut).filter(|(_, part)| **part == in_a).map(|(&part, _)| part).collect()
        };
        separates(terms, (&side(true), &side(false)), interpolant, budget)
    })
}

/// Whether every edge of a graph leads from label to label.
pub(super) fn is_labelled(terms: &mut Terms, graph: &Dag, labels: &[TermId], budget: &Budget) -> bool {
    graph.edges.iter().zip(labels).all(|(out, &label)| {
        out.iter().all(|edge| {
            let outside = terms.not(labels[edge.to]);
            is_excluded(terms, &[label, edge.formula, outside], budget)
        })
    })
}
