//! Integers within artificial bounds.
//!
//! Splitting need not end on an unbounded problem: the rational solutions of one choice of literals
//! may run away along a ray without integers. After a few hundred splits the search is therefore
//! repeated with all integer variables within `-B..B`, as assumptions, for growing `B`. A model found
//! there is a model; a refutation that needs none of the bounds is a refutation. What remains is
//! searched without bounds again, as long as the caller allows.

use super::NativeSolver;
use super::atoms::{ArithAtom, Relation};
use super::lit::Lit;
use super::search::Outcome;
use crate::solver::UnknownReason;
use craig_base::Budget;
use craig_num::Rat;
use craig_term::Terms;

/// Splits before bounds are tried.
const FREE_SPLITS: u64 = 300;
/// Splits within one pair of bounds.
const BOUNDED_SPLITS: u64 = 3000;
const BOUNDS: [i64; 3] = [16, 512, 1 << 20];

impl NativeSolver {
    /// As [`search`](Self::search), but with a remedy for splits without end.
    pub(super) fn search_integers(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Lit],
        budget: &Budget,
    ) -> Outcome {
        let allowed = self.options.splits;
        self.arith.simplex.begin_query(allowed.min(FREE_SPLITS));
        let first = self.search(terms, assumptions, budget);
        if !matches!(first, Outcome::Unknown(UnknownReason::Splits)) || allowed <= FREE_SPLITS {
            return first;
        }
        for bound in BOUNDS {
            self.backtrack(0);
            let limits = self.integer_bounds(bound);
            let mut assumed = assumptions.to_vec();
            assumed.extend(&limits);
            self.arith.simplex.begin_query(BOUNDED_SPLITS);
            match self.search(terms, &assumed, budget) {
                Outcome::Sat => return Outcome::Sat,
                Outcome::Unsat(core) if core.iter().all(|lit| !limits.contains(lit)) => {
                    return Outcome::Unsat(core);
                }
                Outcome::Unsat(_) | Outcome::Unknown(UnknownReason::Splits) => self.core_step = None,
                unknown => return unknown,
            }
        }
        self.backtrack(0);
        self.arith.simplex.begin_query(allowed);
        self.search(terms, assumptions, budget)
    }

    /// The literals `-bound <= x` and `x <= bound` of all integer variables.
    fn integer_bounds(&mut self, bound: i64) -> Vec<Lit> {
        let variables: Vec<_> = self.arith.atoms.variables().map(|(_, var)| var).collect();
        let mut limits = Vec::with_capacity(2 * variables.len());
        for form in variables {
            if self.arith.simplex.is_int(form) {
                let upper = ArithAtom { form, relation: Relation::Le, bound: Rat::from(bound) };
                let below = ArithAtom { form, relation: Relation::Le, bound: Rat::from(-bound - 1) };
                limits.push(self.atom_literal(upper, None));
                limits.push(!self.atom_literal(below, None));
            }
        }
        for &lit in &limits {
            self.needs(lit);
        }
        limits
    }
}
