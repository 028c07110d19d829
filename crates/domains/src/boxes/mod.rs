//! BOXES: finite unions of boxes, kept as decision diagrams over tests `x <= k`.
//!
//! A. Gurfinkel and S. Chaki, *Boxes: a symbolic abstract domain of boxes*, SAS 2010. Join and
//! difference are exact. See [`diagram`] for the representation.
//!
//! Widening: of the new element, all tests are quantified away that neither the old one has nor a threshold allows,
//! and that do not lie between tests of the old one for the same dimension. So what grows beyond all that is
//! known of a dimension grows for ever, as boxes do, and what is new between known boxes is kept as it is: gaps are
//! not filled. The result contains the new element and has tests from a finite set, and there are finitely many
//! diagrams over those, so chains end. So that they end soon, a dimension with many tests gets no more of them.
//! On one box this is the widening of boxes.

mod diagram;

use crate::interval_box::within;
use crate::{Cube, Domain, IntervalDomain, abstraction};
use craig_base::{Budget, Map};
use craig_num::Int;
use craig_program::Interval;
use craig_term::{TermId, Terms};
pub use diagram::DiagramId;
use diagram::Diagrams;
use std::collections::BTreeSet;

/// How large elements may become; beyond, their hull takes their place.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Boxes over the dimensions of one statement.
    pub cubes: usize,
    /// Nodes of an element.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { cubes: 128, nodes: 500 }
    }
}

/// A dimension with more tests than this gets no new ones between them by widening.
const MAX_TESTS: usize = 64;

/// The domain of boxes, with the store of its diagrams.
#[derive(Clone, Debug)]
pub struct BoxesDomain {
    diagrams: Diagrams,
    /// Ascending.
    thresholds: Vec<Int>,
    limits: Limits,
}

impl BoxesDomain {
    /// `thresholds` in ascending order. When the budget is used up, operations yield everything.
    pub fn new(thresholds: Vec<Int>, budget: &Budget) -> Self {
        debug_assert!(thresholds.is_sorted());
        BoxesDomain { diagrams: Diagrams::new(budget), thresholds, limits: Limits::default() }
    }

    pub fn with_limits(self, limits: Limits) -> Self {
        BoxesDomain { limits, ..self }
    }

    /// The states of `a` that are not in `b`.
    pub fn difference(&mut self, a: DiagramId, b: DiagramId) -> DiagramId {
        self.diagrams.difference(a, b)
    }

    /// The number of nodes of a diagram.
    pub fn size(&self, element: DiagramId) -> usize {
        self.diagrams.reachable(element).len()
    }

    /// The least box around the element.
    pub fn hull(&mut self, element: DiagramId) -> DiagramId {
        let mut hull = DiagramId::TRUE;
        if element == DiagramId::FALSE {
            return element;
        }
        for dimension in self.diagrams.support(element) {
            let interval = self.range(element, dimension);
            let slab = self.slab(dimension, &interval);
            hull = self.diagrams.and(hull, slab);
        }
        hull
    }

    /// The interval around all values of a dimension.
    fn range(&mut self, element: DiagramId, dimension: TermId) -> Interval {
        let values = self.diagrams.project(element, &[dimension]);
        let intervals = self.diagrams.paths(values, usize::MAX).unwrap_or_default();
        let mut intervals = intervals.iter().map(|cube| cube.get(&dimension).unwrap_or(&Interval::ALL));
        let first = intervals.next().cloned().unwrap_or(Interval::ALL);
        intervals.fold(first, |range, interval| range.join(interval))
    }
}

impl Domain for BoxesDomain {
    type Element = DiagramId;

    fn top(&mut self) -> DiagramId {
        DiagramId::TRUE
    }

    fn bottom(&mut self) -> DiagramId {
        DiagramId::FALSE
    }

    fn leq(&mut self, a: &DiagramId, b: &DiagramId) -> bool {
        self.diagrams.difference(*a, *b) == DiagramId::FALSE
    }

    fn join(&mut self, a: &DiagramId, b: &DiagramId) -> DiagramId {
        self.diagrams.or(*a, *b)
    }

    fn widen(&mut self, old: &DiagramId, new: &DiagramId) -> DiagramId {
        let mut allowed: Map<TermId, BTreeSet<Int>> = Map::default();
        for (dimension, bound) in self.diagrams.tests(*old) {
            allowed.entry(dimension).or_default().insert(bound);
        }
        let is_known = |dimension: TermId, bound: &Int| {
            allowed.get(&dimension).is_some_and(|tests| {
                let between = tests.first() < Some(bound) && Some(bound) < tests.last();
                tests.contains(bound) || between && tests.len() <= MAX_TESTS
            })
        };
        let thresholds = std::mem::take(&mut self.thresholds);
        let widened = self.diagrams.drop_tests(*new, |dimension, bound| {
            is_known(dimension, bound) || thresholds.binary_search(bound).is_ok()
        });
        self.thresholds = thresholds;
        widened
    }

    fn alpha(&mut self, terms: &mut Terms, formula: TermId) -> DiagramId {
        abstraction(self, terms, formula)
    }

    fn gamma(&mut self, terms: &mut Terms, element: &DiagramId) -> TermId {
        let mut formulas: Map<DiagramId, TermId> = Map::default();
        formulas.insert(DiagramId::TRUE, Terms::TRUE);
        formulas.insert(DiagramId::FALSE, Terms::FALSE);
        for id in self.diagrams.reachable(*element) {
            let node = self.diagrams.node(id).clone();
            let below = Interval { lo: None, hi: Some(node.bound.clone()) };
            let test = within(terms, node.dimension, &below);
            let (low, high) = (formulas[&node.low], formulas[&node.high]);
            formulas.insert(id, terms.ite(test, low, high));
        }
        formulas[element]
    }

    /// WIDENWITH∨ (5.4): `(⋁X ∇ (⋁X ∨ new)) \ ⋁X`.
    fn widen_with(&mut self, seen: &[DiagramId], new: &DiagramId) -> DiagramId {
        if seen.is_empty() {
            return *new;
        }
        let before = seen.iter().fold(DiagramId::FALSE, |all, &x| self.diagrams.or(all, x));
        let after = self.diagrams.or(before, *new);
        let widened = self.widen(&before, &after);
        self.diagrams.difference(widened, before)
    }

    fn widens_to_frontier(&self) -> bool {
        true
    }
}

impl IntervalDomain for BoxesDomain {
    fn is_bottom(&self, element: &DiagramId) -> bool {
        *element == DiagramId::FALSE
    }

    fn slab(&mut self, dimension: TermId, interval: &Interval) -> DiagramId {
        self.diagrams.slab(dimension, interval)
    }

    fn meet(&mut self, a: &DiagramId, b: &DiagramId) -> DiagramId {
        self.diagrams.and(*a, *b)
    }

    fn forget(&mut self, element: &DiagramId, dimensions: &[TermId]) -> DiagramId {
        self.diagrams.drop_tests(*element, |dimension, _| !dimensions.contains(&dimension))
    }

    fn outside_of(&mut self, element: &DiagramId, known: &Cube) -> DiagramId {
        self.diagrams.decide(*element, |dimension, bound| {
            let range = known.get(&dimension)?;
            if range.hi.as_ref().is_some_and(|hi| hi <= bound) {
                return Some(true);
            }
            range.lo.as_ref().is_some_and(|lo| lo > bound).then_some(false)
        })
    }

    fn cubes(&mut self, element: &DiagramId, dimensions: &[TermId]) -> Vec<Cube> {
        let projected = self.diagrams.project(*element, dimensions);
        if let Some(cubes) = self.diagrams.paths(projected, self.limits.cubes) {
            return cubes;
        }
        let hull = self.hull(projected);
        self.diagrams.paths(hull, usize::MAX).unwrap_or_default()
    }

    fn support(&self, element: &DiagramId) -> Vec<TermId> {
        self.diagrams.support(*element)
    }

    fn is_disjunctive(&self) -> bool {
        true
    }

    fn compact(&mut self, element: &DiagramId) -> DiagramId {
        if self.size(*element) > self.limits.nodes { self.hull(*element) } else { *element }
    }
}
