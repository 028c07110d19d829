//! Labels of edges: conditions under which no path that begins with the edge reaches a goal.

use craig_base::IndexVec;
use craig_program::CutEdgeId;
use craig_term::{Model, TermId, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// For some loop nests a bound: the label holds while τ of the nest is smaller. Without an entry, it
/// holds for every τ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds(BTreeMap<usize, u64>);

impl Bounds {
    /// `τ < bound` for one nest.
    pub fn below(nest: usize, bound: u64) -> Self {
        Bounds(BTreeMap::from([(nest, bound)]))
    }

    pub fn is_unbounded(&self) -> bool {
        self.0.is_empty()
    }

    pub fn hold(&self, tau: &[u64]) -> bool {
        self.0.iter().all(|(&nest, &bound)| tau[nest] < bound)
    }

    /// Both.
    pub fn meet(&mut self, other: &Bounds) {
        for (&nest, &bound) in &other.0 {
            let own = self.0.entry(nest).or_insert(bound);
            *own = bound.min(*own);
        }
    }

    /// As seen before an edge on which τ of the nest decreases.
    pub fn before_decrease(&mut self, nest: usize) {
        if let Some(bound) = self.0.get_mut(&nest) {
            *bound += 1;
        }
    }

    /// Whether these hold wherever the others do.
    fn are_implied_by(&self, others: &Bounds) -> bool {
        self.0.iter().all(|(nest, bound)| others.0.get(nest).is_some_and(|other| other <= bound))
    }

    pub fn nests(&self) -> impl Iterator<Item = usize> {
        self.0.keys().copied()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// Over the current constants of the source of the edge.
    pub formula: TermId,
    pub bounds: Bounds,
    /// A state that satisfies it, if one is known.
    pub example: Option<Rc<Model>>,
}

impl Label {
    pub fn always(formula: TermId) -> Self {
        Label::within(formula, Bounds::default())
    }

    pub fn within(formula: TermId, bounds: Bounds) -> Self {
        Label { formula, bounds, example: None }
    }
}

/// The annotation A: what holds for an edge is the disjunction of its labels, what holds at a location
/// the conjunction of what holds for its outgoing edges.
pub(super) type Annotation = IndexVec<CutEdgeId, Vec<Label>>;

/// Adds a label, and discards those that it subsumes: formulas that imply its own, under bounds that
/// imply its own.
pub(super) fn add(
    tm: &mut Terms,
    labels: &mut Vec<Label>,
    new: Label,
    mut implies: impl FnMut(&mut Terms, TermId, TermId) -> bool,
) {
    labels.retain(|old| {
        let excluded = |example: &Rc<Model>| tm.eval_bool(new.formula, example) == Ok(false);
        let subsumed = new.bounds.are_implied_by(&old.bounds)
            && (old.formula == new.formula
                || !old.example.as_ref().is_some_and(excluded) && implies(tm, old.formula, new.formula));
        !subsumed
    });
    labels.push(new);
}
