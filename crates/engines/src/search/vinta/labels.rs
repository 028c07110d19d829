//! Labels and the elements of a domain that they stand for.
//!
//! The thesis converts implicitly between both by α and γ. Here a label that came from the domain
//! keeps its element, so that only labels from refinement go through α.

use crate::search::ufo::Delay;
use craig_base::{Map, Set};
use craig_domains::boxes::{BoxesDomain, DiagramId};
use craig_domains::{Domain, IntervalDomain};
use craig_term::{TermId, Terms};

pub(super) struct Labels<D: Domain> {
    pub domain: D,
    elements: Map<TermId, D::Element>,
    /// The labels that are γ of their element, and not stronger.
    exact: Set<TermId>,
    /// Those with an element that are frontiers of refined labels.
    refined: Set<TermId>,
}

impl<D: Domain> Labels<D> {
    pub fn new(domain: D) -> Self {
        Labels { domain, elements: Map::default(), exact: Set::default(), refined: Set::default() }
    }

    /// γ.
    pub fn label(&mut self, tm: &mut Terms, element: D::Element) -> TermId {
        let label = self.domain.gamma(tm, &element);
        self.exact.insert(label);
        self.refined.remove(&label);
        self.elements.insert(label, element);
        label
    }

    /// Whether a label came from the domain.
    pub fn is_known(&self, label: TermId) -> bool {
        self.elements.contains_key(&label) && !self.refined.contains(&label)
    }

    /// α.
    pub fn element(&mut self, tm: &mut Terms, label: TermId) -> D::Element {
        match self.elements.get(&label) {
            Some(element) => element.clone(),
            None => self.domain.alpha(tm, label),
        }
    }

    pub fn strengthened(&mut self, label: TermId, known: TermId) {
        if let Some(element) = self.elements.get(&known).cloned()
            && !self.exact.contains(&label)
        {
            self.elements.insert(label, element);
        }
    }

    /// WIDENWITH. Labels from refinement take no part: there are finitely many of them, and what they
    /// exclude is not to come back. What was seen is left out of the result only if all labels say
    /// exactly what their elements do.
    pub fn widen_with(&mut self, tm: &mut Terms, delay: Delay, seen: &[TermId], label: TermId) -> TermId {
        let known: Vec<TermId> = seen.iter().copied().filter(|label| self.is_known(*label)).collect();
        let Some(last) = known.last() else { return label };
        if !delay.widens(known.len()) || tm.is_false(label) {
            return label;
        }
        let new = self.element(tm, label);
        let widened = if known.iter().all(|label| self.exact.contains(label)) {
            let elements: Vec<D::Element> =
                known.iter().filter_map(|label| self.elements.get(label).cloned()).collect();
            self.domain.widen_with(&elements, &new)
        } else {
            let last = self.elements[last].clone();
            let joined = self.domain.join(&last, &new);
            self.domain.widen(&last, &joined)
        };
        self.label(tm, widened)
    }

    /// The disjunction; within the domain where its joins are exact.
    pub fn union(&mut self, tm: &mut Terms, labels: &[TermId]) -> TermId {
        if !labels.iter().all(|label| self.exact.contains(label)) {
            return tm.or(labels);
        }
        let mut union = self.domain.bottom();
        for label in labels {
            union = self.domain.join(&union, &self.elements[label]);
        }
        self.domain.gamma(tm, &union)
    }
}

impl Labels<BoxesDomain> {
    /// A refined label without what is in labels seen before, as far as these are unions of boxes.
    pub fn frontier(&mut self, tm: &mut Terms, label: TermId, seen: &[TermId]) -> TermId {
        let Some(mut left) = self.precise(tm, label) else { return label };
        for &earlier in seen {
            if let Some(earlier) = self.precise(tm, earlier) {
                left = self.domain.difference(left, earlier);
            }
        }
        let frontier = self.domain.gamma(tm, &left);
        if self.exact.insert(frontier) {
            self.elements.insert(frontier, left);
            self.refined.insert(frontier);
        }
        frontier
    }

    /// The element that says exactly what a label does.
    fn precise(&mut self, tm: &mut Terms, label: TermId) -> Option<DiagramId> {
        if self.exact.contains(&label) {
            return Some(self.elements[&label]);
        }
        let inside = self.domain.alpha(tm, label);
        let negation = tm.not(label);
        let outside = self.domain.alpha(tm, negation);
        let both = self.domain.meet(&inside, &outside);
        self.domain.is_bottom(&both).then_some(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_base::Budget;
    use craig_num::Int;

    #[test]
    fn a_frontier_is_what_earlier_boxes_do_not_have() {
        let mut tm = Terms::new();
        let [x, y] = ["x", "y"].map(|name| tm.declare_const(name, Terms::INT).expect("new"));
        let upto = |tm: &mut Terms, bound: i64| {
            let bound = tm.int(Int::from(bound));
            tm.le(x, bound)
        };
        let (four, ten) = (upto(&mut tm, 4), upto(&mut tm, 10));
        let mut labels = Labels::new(BoxesDomain::new(Vec::new(), &Budget::unlimited()));
        let frontier = labels.frontier(&mut tm, ten, &[four]);
        let above = tm.not(four);
        let between = tm.and2(above, ten);
        assert_eq!(labels.element(&mut tm, frontier), labels.domain.alpha(&mut tm, between));
        // It is a union of boxes, but takes no part in widening.
        assert!(!labels.is_known(frontier) && labels.exact.contains(&frontier));
        // What is not: left out of what is taken away, and left as it is.
        let sum = tm.add(&[x, y]);
        let zero = tm.int(Int::ZERO);
        let relation = tm.le(sum, zero);
        assert_eq!(labels.frontier(&mut tm, ten, &[relation]), ten);
        assert_eq!(labels.frontier(&mut tm, relation, &[ten]), relation);
    }
}
