//! RefineWithGeneralization: predicates that the tests suggest.
//!
//! All states of a region that tests have visited lie between bounds, one pair for each variable. If
//! those bounds exclude the step across the frontier, a minimal set of them does, and its conjunction
//! is the generalisation: in Figure 9 that is `x >= 0` where weakest preconditions give `y + x < 0`,
//! `y + 2x < 0`, and so on. Otherwise an interpolant between path and step is taken.

use super::{Search, Stop};
use crate::yogi::partition::RegionId;
use crate::yogi::symbolic::Question;
use craig_program::StateVar;
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::TermId;

/// States of a region that are looked at for bounds.
const MAX_STATES: usize = 1000;

impl Search<'_> {
    /// A predicate that holds of all states from which the step can be made, and of none that the
    /// tests of the region have visited, or at least not of the one at hand.
    pub(super) fn refine_with_generalization(
        &mut self,
        question: &Question,
        from: RegionId,
        to: RegionId,
    ) -> Result<Option<TermId>, Stop> {
        self.yogi.stats.add("generalisations", 1);
        match self.bounds_of_tests(question, from, to)? {
            Some(bounds) => Ok(Some(self.yogi.tm.not(bounds))),
            None => self.interpolant(question, from, to),
        }
    }

    /// Bounds of the region's states without which the step can be made, as few as possible.
    fn bounds_of_tests(
        &mut self,
        question: &Question,
        from: RegionId,
        to: RegionId,
    ) -> Result<Option<TermId>, Stop> {
        let bounds = self.bounds(from);
        let mut solver = NativeSolver::default();
        for part in self.yogi.step_formula(from, question.block, to) {
            solver.assert(self.yogi.tm, part);
        }
        self.yogi.stats.add("solver calls", 1);
        match solver.check(self.yogi.tm, &bounds, self.yogi.budget) {
            Answer::Unsat => {}
            Answer::Sat => return Ok(None),
            Answer::Unknown(reason) => {
                self.yogi.budget.check()?;
                self.yogi.stats.add("bounds undecided", 1);
                let _ = reason;
                return Ok(None);
            }
        }
        let mut core: Vec<TermId> = solver.core().to_vec();
        let mut i = core.len();
        while i > 0 {
            i -= 1;
            let mut fewer = core.clone();
            fewer.remove(i);
            self.yogi.stats.add("solver calls", 1);
            if solver.check(self.yogi.tm, &fewer, self.yogi.budget) == Answer::Unsat {
                core = fewer;
            }
            self.yogi.budget.check()?;
        }
        Ok(Some(self.yogi.tm.and(&core)))
    }

    /// `x >= least` and `x <= greatest` for each number of the region's states.
    fn bounds(&mut self, region: RegionId) -> Vec<TermId> {
        let region = &self.yogi.query.partition.regions[region];
        let state = &self.yogi.query.graph.points[region.point].state;
        let mut bounds = Vec::new();
        for (i, &(component, constant)) in state.iter().enumerate() {
            if !matches!(component, StateVar::Var(_)) || !self.yogi.tm.is_int(constant) {
                continue;
            }
            let values =
                region.nodes.iter().take(MAX_STATES).map(|&node| self.yogi.forest.nodes[node].values[i]);
            let (Some(least), Some(greatest)) = (values.clone().min(), values.max()) else { continue };
            let (least, greatest) = (self.yogi.tm.int(least), self.yogi.tm.int(greatest));
            bounds.push(self.yogi.tm.ge(constant, least));
            bounds.push(self.yogi.tm.le(constant, greatest));
        }
        bounds
    }
}
