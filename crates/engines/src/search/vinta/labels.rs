//! Labels and the elements of a domain that they stand for.
//!
//! The thesis converts implicitly between both by α and γ. Here a label that came from the domain
//! keeps its element, so that only labels from refinement go through α.

use crate::search::ufo::Delay;
use craig_base::{Map, Set};
use craig_domains::Domain;
use craig_term::{TermId, Terms};

pub(super) struct Labels<D: Domain> {
    pub domain: D,
    elements: Map<TermId, D::Element>,
    /// The labels that are γ of their element, and not stronger.
    exact: Set<TermId>,
}

impl<D: Domain> Labels<D> {
    pub fn new(domain: D) -> Self {
        Labels { domain, elements: Map::default(), exact: Set::default() }
    }

    /// γ.
    pub fn label(&mut self, tm: &mut Terms, element: D::Element) -> TermId {
        let label = self.domain.gamma(tm, &element);
        self.exact.insert(label);
        self.elements.insert(label, element);
        label
    }

    pub fn is_known(&self, label: TermId) -> bool {
        self.elements.contains_key(&label)
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
