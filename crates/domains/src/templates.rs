//! Template polyhedra: upper bounds of given linear forms (S. Sankaranarayanan, H. Sipma, Z. Manna,
//! *Scalable analysis of linear systems using mathematical programming*, VMCAI 2005). Octagons are the
//! templates `±x`, `±x ± y`.
//!
//! An element maps forms to bounds; which forms there are is up to whoever makes elements, so one
//! domain serves all locations. Bounds come from optimisation over a formula ([`best`]), hence no
//! closure of constraints is needed: each bound is as good as the rationals allow.

use crate::Domain;
use craig_base::{Budget, OrderedSet};
use craig_num::Int;
use craig_smt::native::{Options, UpperBound};
use craig_smt::{NativeSolver, Solver, UnknownReason};
use craig_term::{TermId, Terms};
use std::collections::BTreeMap;

/// `form <= bound` for each form that is mentioned, or nothing at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds(pub Option<BTreeMap<TermId, Int>>);

/// Models that one form may take before it counts as unbounded.
const ROUNDS: usize = 12;

/// The domain of bounds.
#[derive(Clone, Debug, Default)]
pub struct TemplateDomain {
    /// For α.
    forms: Vec<TermId>,
    /// Ascending; widening stops at these first.
    thresholds: Vec<Int>,
}

impl TemplateDomain {
    /// `thresholds` in ascending order; α bounds the given forms.
    pub fn new(forms: Vec<TermId>, thresholds: Vec<Int>) -> Self {
        debug_assert!(thresholds.is_sorted());
        TemplateDomain { forms, thresholds }
    }
}

/// The best bounds of forms over all models: `objectives` are the forms as the solver's formulas
/// have them.
pub fn best(
    terms: &mut Terms,
    solver: &mut NativeSolver,
    assumptions: &[TermId],
    forms: &[TermId],
    objectives: &[TermId],
    budget: &Budget,
) -> Result<Bounds, UnknownReason> {
    let maxima = solver.maxima(terms, assumptions, objectives, ROUNDS, budget)?;
    Ok(Bounds(maxima.map(|maxima| {
        let bounds = forms.iter().zip(maxima);
        let finite = bounds.filter_map(|(&form, bound)| match bound {
            UpperBound::AtMost(value) => Some((form, value)),
            UpperBound::None => None,
        });
        finite.collect()
    })))
}

/// The forms `x`, `-x` of each integer constant.
pub fn box_forms(terms: &mut Terms, constants: &[TermId]) -> Vec<TermId> {
    let numbers: Vec<TermId> = constants.iter().copied().filter(|&c| terms.is_int(c)).collect();
    numbers.into_iter().flat_map(|x| [x, terms.neg(x)]).collect()
}

/// The forms `±x ± y` of the given pairs.
pub fn octagon_forms(terms: &mut Terms, pairs: &[(TermId, TermId)]) -> Vec<TermId> {
    let mut forms: OrderedSet<TermId> = OrderedSet::default();
    for &(x, y) in pairs {
        let (sum, difference) = (terms.add2(x, y), terms.sub(x, y));
        forms.extend([sum, terms.neg(sum), difference, terms.neg(difference)]);
    }
    forms.into_iter().collect()
}

impl Domain for TemplateDomain {
    type Element = Bounds;

    fn top(&mut self) -> Bounds {
        Bounds(Some(BTreeMap::new()))
    }

    fn bottom(&mut self) -> Bounds {
        Bounds(None)
    }

    fn leq(&mut self, a: &Bounds, b: &Bounds) -> bool {
        match (&a.0, &b.0) {
            (None, _) => true,
            (_, None) => false,
            (Some(a), Some(b)) => b.iter().all(|(form, bound)| a.get(form).is_some_and(|own| own <= bound)),
        }
    }

    fn join(&mut self, a: &Bounds, b: &Bounds) -> Bounds {
        let (Some(left), Some(right)) = (&a.0, &b.0) else {
            return if a.0.is_none() { b.clone() } else { a.clone() };
        };
        let both =
            left.iter().filter_map(|(&form, bound)| Some((form, bound.max(right.get(&form)?).clone())));
        Bounds(Some(both.collect()))
    }

    fn widen(&mut self, old: &Bounds, new: &Bounds) -> Bounds {
        let (Some(before), Some(after)) = (&old.0, &new.0) else {
            return if old.0.is_none() { new.clone() } else { old.clone() };
        };
        let widened = before.iter().filter_map(|(&form, bound)| {
            let reached = after.get(&form)?;
            if reached <= bound {
                return Some((form, bound.clone()));
            }
            let at = self.thresholds.partition_point(|threshold| threshold < reached);
            Some((form, self.thresholds.get(at)?.clone()))
        });
        Bounds(Some(widened.collect()))
    }

    /// By optimisation; nothing is known where the solver gives up.
    fn alpha(&mut self, terms: &mut Terms, formula: TermId) -> Bounds {
        let options = Options { conflicts: 10_000, splits: 1000, ..Options::default() };
        let mut solver = NativeSolver::new(options);
        solver.assert(terms, formula);
        let forms = self.forms.clone();
        best(terms, &mut solver, &[], &forms, &forms, &Budget::unlimited()).unwrap_or_else(|_| self.top())
    }

    fn gamma(&mut self, terms: &mut Terms, element: &Bounds) -> TermId {
        let Some(bounds) = &element.0 else { return Terms::FALSE };
        let mut facts = Vec::with_capacity(bounds.len());
        for (&form, bound) in bounds {
            let bound = terms.int(bound.clone());
            facts.push(terms.le(form, bound));
        }
        terms.and(&facts)
    }
}
