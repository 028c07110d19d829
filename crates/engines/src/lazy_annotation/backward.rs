//! Strengthening by backward abstract interpretation.
//!
//! From the goals backwards, the states from which one may be reached are over-approximated by bounds on linear
//! forms: those that the atoms of the labels at a location compare with numbers. The best bounds of a predecessor
//! come from optimisation over the formula of the step ([`best`]), bounds that keep growing are widened. States
//! that labels without bounds exclude are left out, and so are those that the invariant excludes. In the fixed
//! point every state outside is a label without bounds, justified by the others: a state outside steps to states
//! outside.

use super::Stop;
use super::annotation::Label;
use super::search::Search;
use craig_base::{IndexVec, OrderedSet};
use craig_domains::Domain;
use craig_domains::templates::{Bounds, TemplateDomain, best};
use craig_program::{CutEdgeId, CutId};
use craig_term::{Op, TermId, Terms};

/// More edges, or more forms at a location, would cost more than the search.
const MAX_EDGES: usize = 300;
const MAX_FORMS: usize = 24;
/// After so many changes of a location its bounds are widened.
const PATIENCE: usize = 3;

impl Search<'_> {
    /// Adds labels without bounds for the states from which no goal can be reached.
    pub(super) fn strengthen_backwards(&mut self) -> Result<(), Stop> {
        let cuts = &self.encoding.cuts;
        if cuts.edges.len() > MAX_EDGES {
            return Ok(());
        }
        let forms = self.compared_forms();
        let mut domain = TemplateDomain::default();
        let mut reaching: IndexVec<CutId, Bounds> = IndexVec::from_elem(domain.bottom(), forms.len());
        reaching[cuts.error] = domain.top();
        let mut changes: IndexVec<CutId, usize> = IndexVec::from_elem(0, forms.len());
        let mut waiting: OrderedSet<CutEdgeId> =
            cuts.cutpoints[cuts.error].incoming.iter().copied().collect();
        while let Some(edge) = waiting.pop() {
            self.budget.check()?;
            let (from, to) = (cuts.edges[edge].from, cuts.edges[edge].to);
            let before = self.before(edge, &mut domain, &reaching[to], &forms[from]);
            if domain.leq(&before, &reaching[from]) {
                continue;
            }
            let joined = domain.join(&reaching[from], &before);
            changes[from] += 1;
            reaching[from] =
                if changes[from] > PATIENCE { domain.widen(&reaching[from], &joined) } else { joined };
            waiting.extend(&cuts.cutpoints[from].incoming);
        }
        for (edge, ends) in cuts.edges.enumerated() {
            let inside = domain.gamma(self.tm, &reaching[ends.from]);
            let nothing_behind = reaching[ends.to].0.is_none();
            let outside = if nothing_behind { Terms::TRUE } else { self.tm.not(inside) };
            if !self.tm.is_false(outside) {
                self.add_label(edge, Label::always(outside));
            }
        }
        Ok(())
    }

    /// Bounds for the states from which the edge leads to states within the bounds behind it.
    fn before(
        &mut self,
        edge: CutEdgeId,
        domain: &mut TemplateDomain,
        behind: &Bounds,
        forms: &[TermId],
    ) -> Bounds {
        let from = self.encoding.cuts.edges[edge].from;
        let inside = domain.gamma(self.tm, behind);
        let mut known = vec![self.blocks.facts(from), self.blocks.at_target(self.tm, edge, inside)];
        known.extend(&self.invariants[from]);
        for label in self.annotation[edge].iter().filter(|label| label.bounds.is_unbounded()) {
            known.push(self.tm.not(label.formula));
        }
        self.stats.add("backward steps", 1);
        let solver = self.blocks.solver(self.tm, edge);
        best(self.tm, solver, &known, forms, forms, self.budget).unwrap_or_else(|_| domain.top())
    }

    /// For each location the linear forms that its labels compare with numbers, in both directions.
    fn compared_forms(&mut self) -> IndexVec<CutId, Vec<TermId>> {
        let mut all = IndexVec::new();
        for cutpoint in &self.encoding.cuts.cutpoints {
            let labels = cutpoint.outgoing.iter().flat_map(|&edge| &self.annotation[edge]);
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
