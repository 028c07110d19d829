//! Inductive strengthening: the greatest inductive subset of the labels without their bounds.

use super::Stop;
use super::annotation::{Bounds, Label};
use super::search::Search;
use craig_base::IndexVec;
use craig_program::CutEdgeId;
use craig_smt::{Answer, Solver};
use craig_term::TermId;

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
        let mut assumptions = vec![formula];
        for &label in labels {
            let after = self.blocks.at_target(self.tm, edge, label);
            assumptions.push(self.tm.not(after));
        }
        let solver = self.blocks.solver(self.tm, edge);
        match solver.check(self.tm, &assumptions, self.budget) {
            Answer::Unsat => {
                let core = solver.core();
                let outside = assumptions[1..].iter();
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
}
