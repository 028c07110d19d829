//! Goals: facts to derive and constraints to satisfy.

use craig_chc::PredicateId;
use craig_term::{TermId, Terms};
use std::collections::BTreeSet;

/// The heights of the frames whose expansions something comes from.
pub(super) type Sources = BTreeSet<usize>;

#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub formula: TermId,
    pub sources: Sources,
}

/// An atom to derive.
#[derive(Clone, Debug)]
pub(super) struct Subgoal {
    pub predicate: PredicateId,
    /// The depth of the unwinding at which it is asked for.
    pub level: usize,
    /// Distinct constants.
    pub args: Vec<TermId>,
    /// The frame whose expansion made it, and its position in the body of the rule.
    pub parent: Option<(usize, usize)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Goal {
    pub subgoals: Vec<Subgoal>,
    pub constraints: Vec<Constraint>,
}

impl Goal {
    /// Whether nothing is left to derive of what the expansion of a frame asked for. Subgoals of later ones come first.
    pub fn is_closed(&self, height: usize) -> bool {
        self.subgoals.iter().all(|subgoal| subgoal.parent.is_none_or(|(parent, _)| parent != height))
    }

    /// Adds a conjunction, conjunct by conjunct.
    pub fn add_constraint(&mut self, terms: &Terms, formula: TermId, sources: &Sources) {
        let mut work = vec![formula];
        while let Some(formula) = work.pop() {
            match terms.op(formula) {
                craig_term::Op::And => work.extend(terms.args(formula).iter().rev()),
                craig_term::Op::True => {}
                _ => self.constraints.push(Constraint { formula, sources: sources.clone() }),
            }
        }
    }
}
