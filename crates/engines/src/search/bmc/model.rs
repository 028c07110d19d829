//! A model of the clauses from an unfolding that has none.

use super::{Bmc, NodeId};

use crate::verdict::Reason;
use craig_base::{Index, IndexVec, Map};
use craig_chc::{Interpretation, PredicateId};
use craig_smt::interpolate::{self, Interpolation};
use craig_term::{Substitution, TermId, Terms};

impl Bmc<'_> {
    pub(super) fn interpretation(&mut self) -> Result<Interpretation, Reason> {
        // Children were made after their parents, and tree interpolation wants them first.
        let mut nodes: Vec<NodeId> = self.nodes.indices().collect();
        nodes.retain(|&node| self.nodes[node].expansion.is_some());
        nodes.reverse();
        let place: Map<NodeId, usize> = nodes.iter().enumerate().map(|(at, &node)| (node, at)).collect();
        let mut parts = Vec::new();
        let mut parents = Vec::new();
        for &node in &nodes {
            let node = &self.nodes[node];
            let mut formula = node.expansion.as_ref().map_or(Terms::TRUE, |expansion| expansion.formula);
            match node.parent {
                Some(parent) => parents.push(place[&parent]),
                None => formula = self.terms.and2(formula, node.active),
            }
            parts.push(formula);
        }
        let options = interpolate::Options::default();
        let interpolants = match interpolate::tree(self.terms, &parts, &parents, &options, self.budget) {
            Interpolation::Interpolants(interpolants) => interpolants,
            Interpolation::Sat(_) => return Err(Reason::internal("a refuted unfolding has a model")),
            Interpolation::Unknown(failure) => return Err(failure.into()),
        };
        let mut lemmas: IndexVec<PredicateId, Vec<TermId>> =
            IndexVec::from_elem(Vec::new(), self.rules.predicates.len());
        for (&node, interpolant) in nodes.iter().zip(interpolants) {
            let node = &self.nodes[node];
            let parameters = &self.rules.predicates[node.predicate].parameters;
            let mut pairs: Vec<(TermId, TermId)> =
                node.args.iter().copied().zip(parameters.iter().copied()).collect();
            pairs.push((node.active, Terms::TRUE));
            lemmas[node.predicate].push(Substitution::from_pairs(pairs).apply(self.terms, interpolant));
        }
        let mut formulas = IndexVec::new();
        for (predicate, lemmas) in lemmas.enumerated() {
            if predicate.index() != self.rules.goal.index() {
                formulas.push(self.terms.and(lemmas));
            }
        }
        Ok(Interpretation::new(formulas))
    }
}
