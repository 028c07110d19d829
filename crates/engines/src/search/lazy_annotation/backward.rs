//! Strengthening by backward abstract interpretation.
//!
//! From the goals backwards, the states from which one may be reached are over-approximated by bounds on linear
//! forms: those that the atoms of the labels at a location compare with numbers. The best bounds of a predecessor
//! come from optimisation over the formula of the step ([`best`]), bounds that keep growing are widened. States
//! that labels without bounds exclude are left out, and so are those that the invariant excludes. In the fixed
//! point every state outside is a label without bounds, justified by the others: a state outside steps to states
//! outside. A call is passed as the labels of its callee allow.

use super::Stop;
use super::annotation::{Known, Label, Question};
use super::search::Search;
use crate::view::{Action, EdgeId, NodeId};
use craig_base::{IndexVec, OrderedSet};
use craig_domains::Domain;
use craig_domains::templates::{Bounds, TemplateDomain, best};
use craig_term::{Op, TermId, Terms};

/// More edges, or more forms at a location, would cost more than the search.
const MAX_EDGES: usize = 300;
const MAX_FORMS: usize = 24;
/// After so many changes of a location its bounds are widened.
const PATIENCE: usize = 3;

impl Search<'_> {
    /// Adds labels without bounds for the states from which no goal can be reached.
    pub(super) fn strengthen_backwards(&mut self) -> Result<(), Stop> {
        let graph = self.graph;
        if graph.edges.len() > MAX_EDGES {
            return Ok(());
        }
        let forms = self.compared_forms();
        let mut domain = TemplateDomain::default();
        let mut reaching: IndexVec<NodeId, Bounds> = IndexVec::from_elem(domain.bottom(), forms.len());
        let mut changes: IndexVec<NodeId, usize> = IndexVec::from_elem(0, forms.len());
        let mut waiting: OrderedSet<EdgeId> = OrderedSet::default();
        for (id, node) in graph.nodes.enumerated().filter(|(_, node)| node.is_error) {
            reaching[id] = domain.top();
            waiting.extend(&node.incoming);
        }
        while let Some(edge) = waiting.pop() {
            self.budget.check()?;
            let (from, to) = (graph.edges[edge].from, graph.edges[edge].to);
            let before = self.before(edge, &mut domain, &reaching[to], &forms[from]);
            if domain.leq(&before, &reaching[from]) {
                continue;
            }
            let joined = domain.join(&reaching[from], &before);
            changes[from] += 1;
            reaching[from] =
                if changes[from] > PATIENCE { domain.widen(&reaching[from], &joined) } else { joined };
            waiting.extend(&graph.nodes[from].incoming);
        }
        for (edge, ends) in graph.edges.enumerated() {
            if matches!(ends.action, Action::Return) {
                continue;
            }
            let inside = domain.gamma(self.tm, &reaching[ends.from]);
            let nothing_after = reaching[ends.to].0.is_none();
            let outside = if nothing_after { Terms::TRUE } else { self.tm.not(inside) };
            if !self.tm.is_false(outside) {
                self.add_label(edge, Question::Goal, Label::always(outside));
            }
        }
        Ok(())
    }

    /// Bounds for the states from which the edge leads to states within the bounds after it.
    fn before(
        &mut self,
        edge: EdgeId,
        domain: &mut TemplateDomain,
        after: &Bounds,
        forms: &[TermId],
    ) -> Bounds {
        let from = self.graph.edges[edge].from;
        let inside = domain.gamma(self.tm, after);
        let inside = self.solvers.at_target(self.tm, self.graph, edge, inside);
        let mut known = self.assumed(edge);
        known.extend([self.graph.nodes[from].facts, inside]);
        let labels = self.known_labels(edge, Question::Goal, Known::Unbounded);
        for formula in labels.map(|label| label.formula).collect::<Vec<_>>() {
            known.push(self.tm.not(formula));
        }
        self.stats.add("backward steps", 1);
        let solver = self.solvers.step(self.tm, self.graph, edge);
        best(self.tm, solver, &known, forms, forms, self.budget).unwrap_or_else(|_| domain.top())
    }

    /// For each location the linear forms that its labels compare with numbers, in both directions.
    fn compared_forms(&mut self) -> IndexVec<NodeId, Vec<TermId>> {
        let mut all = IndexVec::new();
        for node in &self.graph.nodes {
            let labels = node.outgoing.iter().flat_map(|&edge| self.annotation.of(edge, Question::Goal));
            let formulas: Vec<TermId> = labels.map(|label| label.formula).collect();
            let mut forms: OrderedSet<TermId> = OrderedSet::default();
            for atom in self.tm.postorder(&formulas) {
                let compares =
                    matches!(self.tm.op(atom), Op::Le | Op::Eq) && self.tm.is_int(self.tm.arg(atom, 0));
                if !compares || forms.len() >= MAX_FORMS {
                    continue;
                }
                let difference = self.tm.sub(self.tm.arg(atom, 0), self.tm.arg(atom, 1));
                let mut sum = self.tm.linear(difference);
                sum.constant = 0.into();
                if sum.terms.iter().all(|(t, _)| matches!(self.tm.op(*t), Op::Const(_)))
                    && !sum.terms.is_empty()
                {
                    let form = self.tm.from_linear(sum, Terms::INT);
                    forms.extend([form, self.tm.neg(form)]);
                }
            }
            all.push(forms.into_iter().collect());
        }
        all
    }
}
