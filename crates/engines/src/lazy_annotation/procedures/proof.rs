//! From labels to contracts: what a function requires is that no goal is reached, and it ensures that it
//! does not end where labels say that it cannot.

use super::labels::Known;
use super::{QUESTIONS, Search};
use crate::functions::NodeId;
use craig_base::{Index, IndexVec};
use craig_certificate::{Summaries, Triple};
use craig_program::encode::StateNames;
use craig_term::{Substitution, TermId};

impl Search<'_> {
    /// The contracts that the labels without bounds describe.
    pub(super) fn summaries(&mut self) -> Summaries {
        let mut triples = IndexVec::new();
        let mut names = StateNames::default();
        for id in self.view.functions.indices() {
            let [goal, exit] = QUESTIONS.map(|question| {
                self.holds_at(id, NodeId::from_usize(0), question, &Known::Unbounded).formula
            });
            let function = &self.view.functions[id];
            let mut pairs: Vec<(TermId, TermId)> = Vec::new();
            for slot in &function.params {
                pairs.push((slot.constant, names.entry(self.program, self.terms, slot.var)));
            }
            for slot in &function.returns {
                pairs.push((slot.constant, names.current(self.program, self.terms, slot.var)));
            }
            let mut rename = Substitution::from_pairs(pairs);
            let excluded = rename.apply(self.terms, exit);
            triples
                .push(Triple { requires: rename.apply(self.terms, goal), ensures: self.terms.not(excluded) });
        }
        self.view.contracts(self.program, &triples)
    }
}
