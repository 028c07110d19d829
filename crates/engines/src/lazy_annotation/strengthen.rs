//! Inductive strengthening: the greatest inductive subset of the labels without their bounds, under an
//! invariant from the labels' atoms.
//!
//! The invariant is the strongest that Cartesian predicate abstraction finds: at each location, those of
//! the atoms and their negations that hold in all reachable states, as far as these atoms can tell. A
//! label need only be justified for states that satisfy it. What the invariant says once stays among the
//! predicates, so the invariant only grows, and what was once justified stays so.

use super::Stop;
use super::annotation::{Bounds, Label};
use super::search::Search;
use craig_base::{IndexVec, OrderedSet};
use craig_program::CutEdgeId;
use craig_smt::{Answer, Solver};
use craig_term::{Op, TermId};

/// More predicates would cost more than the search.
const MAX_PREDICATES: usize = 400;

/// A label of the unbounded annotation.
struct Candidate {
    formula: TermId,
    alive: bool,
    /// Whether it must be looked at (again): something that its justification used has gone.
    stale: bool,
    /// The labels of edges out of the target that justify it.
    because: Vec<(CutEdgeId, TermId)>,
}

impl Candidate {
    fn new(label: &Label) -> Self {
        // What has no bounds is justified by what has none.
        let stale = !label.bounds.is_unbounded();
        Candidate { formula: label.formula, alive: true, stale, because: Vec::new() }
    }
}

type Candidates = IndexVec<CutEdgeId, Vec<Candidate>>;

impl Search<'_> {
    /// Takes the bounds off all labels that justify each other without them.
    pub(super) fn strengthen(&mut self) -> Result<(), Stop> {
        self.abstract_states()?;
        let mut candidates: Candidates =
            self.annotation.iter().map(|labels| labels.iter().map(Candidate::new).collect()).collect();
        let mut waiting: Vec<CutEdgeId> = candidates.indices().collect();
        while let Some(edge) = waiting.pop() {
            for i in 0..candidates[edge].len() {
                if !candidates[edge][i].alive || !candidates[edge][i].stale {
                    continue;
                }
                self.budget.check()?;
                let formula = candidates[edge][i].formula;
                if let Some(because) = self.justify(edge, formula, &candidates)? {
                    candidates[edge][i].because = because;
                    candidates[edge][i].stale = false;
                    continue;
                }
                candidates[edge][i].alive = false;
                for &incoming in &self.encoding.cuts.cutpoints[self.encoding.cuts.edges[edge].from].incoming {
                    for other in &mut candidates[incoming] {
                        other.stale |= other.because.contains(&(edge, formula));
                    }
                    waiting.push(incoming);
                }
            }
        }
        for (labels, candidates) in self.annotation.iter_mut().zip(&candidates) {
            for (label, candidate) in labels.iter_mut().zip(candidates) {
                if candidate.alive {
                    label.bounds = Bounds::default();
                }
            }
        }
        Ok(())
    }

    /// Labels that are left at the edges out of the target and that hold after a step from the formula.
    fn justify(
        &mut self,
        edge: CutEdgeId,
        formula: TermId,
        candidates: &Candidates,
    ) -> Result<Option<Vec<(CutEdgeId, TermId)>>, Stop> {
        let target = self.encoding.cuts.edges[edge].to;
        if target == self.encoding.cuts.error {
            return Ok(self.follows(edge, formula, &[])?.map(|_| Vec::new()));
        }
        let mut because = Vec::new();
        for &next in &self.encoding.cuts.cutpoints[target].outgoing {
            let alive: Vec<TermId> = candidates[next].iter().filter(|c| c.alive).map(|c| c.formula).collect();
            match self.follows(edge, formula, &alive)? {
                Some(used) => because.extend(used.into_iter().map(|label| (next, label))),
                None => return Ok(None),
            }
        }
        Ok(Some(because))
    }

    /// Which of the labels are needed so that one of them holds after every step from the formula;
    /// none if they do not suffice, or nobody knows.
    fn follows(
        &mut self,
        edge: CutEdgeId,
        formula: TermId,
        labels: &[TermId],
    ) -> Result<Option<Vec<TermId>>, Stop> {
        if labels.iter().any(|&label| self.tm.is_true(label)) {
            return Ok(Some(labels.to_vec()));
        }
        let known = &self.invariants[self.encoding.cuts.edges[edge].from];
        let first = 1 + known.len();
        let mut assumptions = vec![formula];
        assumptions.extend(known);
        for &label in labels {
            let after = self.blocks.at_target(self.tm, edge, label);
            assumptions.push(self.tm.not(after));
        }
        let solver = self.blocks.solver(self.tm, edge);
        match solver.check(self.tm, &assumptions, self.budget) {
            Answer::Unsat => {
                let core = solver.core();
                let outside = assumptions[first..].iter();
                let used = labels.iter().zip(outside).filter(|(_, outside)| core.contains(outside));
                Ok(Some(used.map(|(&label, _)| label).collect()))
            }
            Answer::Sat => Ok(None),
            Answer::Unknown(_) => {
                self.budget.check()?;
                Ok(None)
            }
        }
    }

    /// The predicates that hold at each location whenever it is reached.
    fn abstract_states(&mut self) -> Result<(), Stop> {
        let predicates = self.predicates();
        let cuts = &self.encoding.cuts;
        for cut in cuts.cutpoints.indices().filter(|&cut| cut != cuts.entry) {
            let state = self.blocks.state(cut);
            let speaks_of_state =
                |&atom: &TermId| self.tm.free_consts(atom).iter().all(|constant| state.contains(constant));
            self.invariants[cut] = predicates.iter().copied().filter(speaks_of_state).collect();
        }
        let mut waiting: OrderedSet<CutEdgeId> = cuts.edges.indices().collect();
        while let Some(edge) = waiting.pop() {
            self.budget.check()?;
            let target = cuts.edges[edge].to;
            let before = self.invariants[target].len();
            self.keep_what_follows(edge)?;
            if self.invariants[target].len() < before {
                waiting.extend(&cuts.cutpoints[target].outgoing);
            }
        }
        Ok(())
    }

    /// Removes from the invariant of the target what need not hold behind the edge.
    fn keep_what_follows(&mut self, edge: CutEdgeId) -> Result<(), Stop> {
        let (from, target) = (self.encoding.cuts.edges[edge].from, self.encoding.cuts.edges[edge].to);
        let mut kept = std::mem::take(&mut self.invariants[target]);
        let earlier = if from == target { kept.clone() } else { self.invariants[from].clone() };
        while !kept.is_empty() {
            let behind: Vec<TermId> =
                kept.iter().map(|&atom| self.blocks.at_target(self.tm, edge, atom)).collect();
            let all = self.tm.and(&behind);
            let mut assumptions = earlier.clone();
            assumptions.push(self.tm.not(all));
            let solver = self.blocks.solver(self.tm, edge);
            let model = match solver.check(self.tm, &assumptions, self.budget) {
                Answer::Unsat => break,
                Answer::Sat => solver.model().cloned(),
                Answer::Unknown(_) => None,
            };
            self.budget.check()?;
            let size = kept.len();
            if let Some(model) = model {
                let mut holds = behind.iter().map(|&atom| self.tm.eval_bool(atom, &model) == Ok(true));
                kept.retain(|_| holds.next() == Some(true));
            }
            if kept.len() == size {
                kept.clear();
            }
        }
        self.invariants[target] = kept;
        Ok(())
    }

    /// The atoms of all labels, and their negations.
    fn predicates(&mut self) -> Vec<TermId> {
        let formulas: Vec<TermId> = self.annotation.iter().flatten().map(|label| label.formula).collect();
        let mut predicates: OrderedSet<TermId> = self.invariants.iter().flatten().copied().collect();
        for term in self.tm.postorder(&formulas) {
            if predicates.len() >= MAX_PREDICATES {
                break;
            }
            let is_atom = match self.tm.op(term) {
                Op::Le | Op::Const(_) => true,
                Op::Eq => !self.tm.is_bool(self.tm.arg(term, 0)),
                _ => false,
            };
            if is_atom && self.tm.is_bool(term) {
                predicates.insert(term);
                predicates.insert(self.tm.not(term));
            }
        }
        predicates.into_iter().collect()
    }
}
