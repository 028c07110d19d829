//! What an abstract domain does for the exploration: the parameter of EXPANDARG (chapter 5).
//!
//! Labels are formulas; a domain converts from and to its own elements by α and γ, and may remember
//! which element a label came from.

use super::Delay;
use super::Reason;
use crate::view::blocks::Blocks;
use craig_base::{Budget, Stats};
use craig_program::{CutEdgeId, CutId};
use craig_term::{TermId, Terms};

/// What a post may use.
pub(crate) struct Setting<'s, 'a> {
    pub tm: &'s mut Terms,
    pub blocks: &'s mut Blocks<'a>,
    pub budget: &'s Budget,
    pub stats: &'s mut Stats,
}

/// The result of COMPUTEPOST.
pub(crate) struct Posted {
    pub label: TermId,
    /// For each incoming edge whether it can be taken at all.
    pub feasible: Vec<bool>,
}

pub(crate) trait Abstraction {
    /// COMPUTEPOST: the join of the posts along the edges, each from the label of its source.
    fn post(
        &mut self,
        at: &mut Setting<'_, '_>,
        target: CutId,
        incoming: &[(CutEdgeId, TermId)],
    ) -> Result<Posted, Reason>;

    /// WIDENWITH, if at least `delay` of the labels seen at the cutpoint came from the domain.
    fn widen_with(&mut self, tm: &mut Terms, delay: Delay, seen: &[TermId], label: TermId) -> TermId;

    /// `label` implies `known`, which came from the domain: so it has that element, too.
    fn strengthened(&mut self, label: TermId, known: TermId);

    /// The disjunction of labels.
    fn union(&mut self, tm: &mut Terms, labels: &[TermId]) -> TermId;

    /// What a refined label has that labels seen at the cutpoint before have not, if the domain can tell.
    fn frontier(&mut self, tm: &mut Terms, label: TermId, seen: &[TermId]) -> TermId;

    /// Whether widening leaves out what earlier nodes of the same cutpoint have: then only the union
    /// with their labels contains all states that arrive.
    fn is_frontier(&self) -> bool;

    /// Becomes less precise, for graphs that grow too large; false if it stays as it is.
    fn coarsen(&mut self) -> bool;

    /// Becomes less precise, for a graph that is begun again: no label is a frontier.
    fn without_frontiers(&mut self);
}
