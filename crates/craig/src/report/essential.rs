//! A conjunction without the parts that the others imply: the formula that a reader needs.

use craig_base::Budget;
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{TermId, Terms};
use std::time::Duration;

/// Longer conjunctions are shown as they are.
const MAX_PARTS: usize = 60;
const MAX_NODES: usize = 2000;
/// For all questions about one formula.
const TIME: Duration = Duration::from_millis(300);

/// The parts that are needed, in their order. Long parts are given up first.
pub(crate) fn essential(terms: &Terms, parts: Vec<TermId>) -> Vec<TermId> {
    let size = |part: TermId| terms.postorder(&[part]).len();
    if parts.len() < 2 || parts.len() > MAX_PARTS || terms.postorder(&parts).len() > MAX_NODES {
        return parts;
    }
    let mut order: Vec<TermId> = parts.clone();
    order.sort_by_key(|&part| std::cmp::Reverse(size(part)));
    let mut terms = terms.clone();
    let budget = Budget::unlimited().with_timeout(TIME);
    let mut kept = parts;
    for part in order {
        let mut solver = NativeSolver::default();
        for &other in kept.iter().filter(|&&other| other != part) {
            solver.assert(&mut terms, other);
        }
        let negation = terms.not(part);
        solver.assert(&mut terms, negation);
        if matches!(solver.check(&mut terms, &[], &budget), Answer::Unsat) {
            kept.retain(|&other| other != part);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_is_left_out() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.declare_const(name, Terms::INT).unwrap());
        let (zero, five) = (terms.int(0), terms.int(5));
        let parts = [terms.eq(x, y), terms.le(x, five), terms.le(zero, x)];
        let (small, negative) = (terms.le(y, five), terms.lt(y, zero));
        let redundant = terms.or(&[small, negative]);
        let all = vec![redundant, parts[0], parts[1], parts[2]];
        assert_eq!(essential(&terms, all), parts);
    }
}
