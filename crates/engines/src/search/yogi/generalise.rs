//! RefineWithGeneralization (003, section 5): predicates that the tests suggest.
//!
//! All states of a region that tests have visited lie between bounds, one pair for each variable. If
//! those bounds exclude the step across the frontier, a minimal set of them does, and its conjunction
//! is the generalisation: in Figure 9 of 003 that is `x >= 0` where weakest preconditions give `y + x < 0`,
//! `y + 2x < 0`, and so on.

use super::partition::RegionId;
use super::search::Yogi;
use crate::verdict::Reason;
use craig_program::StateVar;
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::TermId;

/// States of a region that are looked at for bounds.
const MAX_STATES: usize = 1000;

impl Yogi<'_> {
    /// Whether a point was split so often that predicates should be generalised.
    pub fn is_split_often(&self, region: RegionId, patience: Option<usize>) -> bool {
        let point = self.query.partition.regions[region].point;
        patience.is_some_and(|patience| self.query.partition.at[point].len() > patience)
    }

    /// Bounds that hold in all tests of the region and without which the step can be made, as few as possible;
    /// none if they do not exclude it. The calls of the solver go to that statistic.
    pub fn bounds_of_tests(
        &mut self,
        region: RegionId,
        step: &[TermId],
        calls: &'static str,
    ) -> Result<Option<TermId>, Reason> {
        self.stats.add("generalisations", 1);
        let bounds = self.bounds(region);
        let mut solver = NativeSolver::default();
        for &part in step {
            solver.assert(self.tm, part);
        }
        self.stats.add(calls, 1);
        if solver.check(self.tm, &bounds, self.budget) != Answer::Unsat {
            self.budget.check()?;
            return Ok(None);
        }
        let mut core: Vec<TermId> = solver.core().to_vec();
        let mut i = core.len();
        while i > 0 {
            i -= 1;
            let mut fewer = core.clone();
            fewer.remove(i);
            self.stats.add(calls, 1);
            if solver.check(self.tm, &fewer, self.budget) == Answer::Unsat {
                core = fewer;
            }
            self.budget.check()?;
        }
        Ok(Some(self.tm.and(&core)))
    }

    /// `x >= least` and `x <= greatest` for each number of the region's states.
    fn bounds(&mut self, region: RegionId) -> Vec<TermId> {
        let region = &self.query.partition.regions[region];
        let state = &self.query.graph.points[region.point].state;
        let mut bounds = Vec::new();
        for (i, &(component, constant)) in state.iter().enumerate() {
            if !matches!(component, StateVar::Var(_)) || !self.tm.is_int(constant) {
                continue;
            }
            let values = region.nodes.iter().take(MAX_STATES).map(|&node| self.forest.nodes[node].values[i]);
            let (Some(least), Some(greatest)) = (values.clone().min(), values.max()) else { continue };
            let (least, greatest) = (self.tm.int(least), self.tm.int(greatest));
            bounds.push(self.tm.ge(constant, least));
            bounds.push(self.tm.le(constant, greatest));
        }
        bounds
    }
}
