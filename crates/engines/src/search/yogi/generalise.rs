//! Predicates that tests suggest: RefineWithGeneralization (003, section 5), and the weaker predicate at a branch (004,
//! section 5b).
//!
//! All states of a region that tests have visited lie between bounds, one pair for each variable. If
//! those bounds exclude the step across the frontier, a minimal set of them does, and its conjunction
//! is the generalisation: in Figure 9 of 003 that is `x >= 0` where weakest preconditions give `y + x < 0`,
//! `y + 2x < 0`, and so on. A bound that was used a few times at a point and comes again with another number is not one:
//! it follows the tests (inputs that have nothing to do with the step would be split off value by value). It is not used
//! there any more.
//!
//! Else, of the conditions of the precondition as few are kept as the tests of the region need. Such predicates are
//! guesses: tests may reach the regions that they split off, and then the regions multiply. So when too many guesses were
//! wrong, all regions are forgotten and the tests are kept, by which better ones are made (see [`super::query`]).

use super::forest::NodeId;
use super::graph::PointId;
use super::partition::RegionId;
use super::search::Yogi;
use crate::verdict::Reason;
use craig_base::Set;
use craig_program::StateVar;
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Op, TermId};

/// States of a region that are looked at for bounds.
const MAX_STATES: usize = 1000;
/// The same where it is decided which conditions of a branch matter.
const MAX_STATES_OF_BRANCH: usize = 100;
/// How often a variable may be bounded again at a point.
const MAX_USES: usize = 3;
/// How deep conjunctions and disjunctions are looked into.
const MAX_DEPTH: usize = 4;

impl Yogi<'_> {
    /// Whether a point was split so often that predicates should be generalised.
    pub fn is_split_often(&self, region: RegionId, patience: Option<usize>) -> bool {
        let point = self.query.partition.regions[region].point;
        patience.is_some_and(|patience| self.query.partition.at[point].len() > patience)
    }

    /// Of the conditions under which a block is taken, those that some state of the region needs to be kept out of the
    /// predicate, although it satisfies `after` and the conditions before. Seen by evaluation, in `node` and in all
    /// states of the region: a predicate so weak that tests reach it costs more than it saves. Also whether any was left
    /// out.
    pub fn needed(
        &self,
        (region, node): (RegionId, NodeId),
        after: &[TermId],
        guard: &[TermId],
    ) -> Result<(Vec<TermId>, bool), Reason> {
        let nodes = &self.query.partition.regions[region].nodes;
        let others = nodes.iter().copied().filter(|&other| other != node).take(MAX_STATES_OF_BRANCH);
        // The states that the predicate would wrongly take to be able to make the step.
        let mut passing: Vec<NodeId> = [node].into_iter().chain(others).collect();
        for &part in after {
            passing = self.satisfying(&passing, part)?;
        }
        let mut needed = Vec::new();
        for &part in guard {
            let still = self.satisfying(&passing, part)?;
            if still.len() < passing.len() {
                needed.push(part);
                passing = still;
            }
        }
        let is_guess = needed.len() < guard.len();
        Ok((needed, is_guess))
    }

    /// Bounds that hold in all tests of the region and without which the step can be made, as few as possible;
    /// none if they do not exclude it. The calls of the solver go to that statistic.
    fn bounds_of_tests(
        &mut self,
        region: RegionId,
        step: &[TermId],
        calls: &'static str,
    ) -> Result<Option<TermId>, Reason> {
        let bounds = self.bounds(region);
        let mut solver = NativeSolver::default();
        for &part in step {
            solver.assert(self.tm, part);
        }
        self.stats.add(calls, 1);
        let formulas: Vec<TermId> = bounds.iter().map(|bound| bound.formula).collect();
        if solver.check(self.tm, &formulas, self.budget) != Answer::Unsat {
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
        for bound in bounds.iter().filter(|bound| core.contains(&bound.formula)) {
            *self.query.bounds_used.entry(bound.form).or_default() += 1;
        }
        Ok(Some(self.tm.and(&core)))
    }

    /// A predicate for the split of a point that was split often, and that is a guess: no state of the tests satisfies
    /// it, and all do that can make the step. Bounds of the tests, or else what they need of `pre`, if it is known.
    pub fn generalised(
        &mut self,
        region: RegionId,
        step: &[TermId],
        pre: Option<TermId>,
        calls: &'static str,
    ) -> Result<Option<TermId>, Reason> {
        self.stats.add("generalisations", 1);
        if let Some(bounds) = self.bounds_of_tests(region, step, calls)? {
            return Ok(Some(self.tm.not(bounds)));
        }
        match pre {
            Some(pre) => self.weakened(region, pre),
            None => Ok(None),
        }
    }

    /// A formula that follows from `formula`, which no state of the tests satisfies, and that they do not satisfy
    /// either: of the conjuncts, at all depths, as few as the tests need. None if a test satisfies the formula.
    fn weakened(&mut self, region: RegionId, formula: TermId) -> Result<Option<TermId>, Reason> {
        let nodes: Vec<NodeId> =
            self.query.partition.regions[region].nodes.iter().copied().take(MAX_STATES).collect();
        if !self.satisfying(&nodes, formula)?.is_empty() {
            return Ok(None);
        }
        self.weaken(formula, nodes, MAX_DEPTH).map(Some)
    }

    fn weaken(&mut self, formula: TermId, nodes: Vec<NodeId>, depth: usize) -> Result<TermId, Reason> {
        let parts = self.tm.args(formula).to_vec();
        match self.tm.op(formula) {
            Op::Or if depth > 0 => {
                let mut weaker = Vec::new();
                for part in parts {
                    weaker.push(self.weaken(part, nodes.clone(), depth - 1)?);
                }
                Ok(self.tm.or(&weaker))
            }
            Op::And if depth > 0 => {
                // The part that excludes most states, and so on.
                let mut left = nodes;
                let mut rest = Vec::new();
                for part in parts {
                    let inside = self.satisfying(&left, part)?.into_iter().collect::<Set<_>>();
                    rest.push((part, inside));
                }
                let mut chosen = Vec::new();
                while !left.is_empty() {
                    let count =
                        |inside: &Set<NodeId>| left.iter().filter(|node| inside.contains(node)).count();
                    let Some(best) = (0..rest.len()).min_by_key(|&i| count(&rest[i].1)) else { break };
                    let (part, inside) = rest.swap_remove(best);
                    let (still, excluded) = left.into_iter().partition(|node| inside.contains(node));
                    left = still;
                    chosen.push(self.weaken(part, excluded, depth - 1)?);
                }
                Ok(self.tm.and(&chosen))
            }
            _ => Ok(formula),
        }
    }

    /// `x >= least` and `x <= greatest` for each number of the region's states.
    fn bounds(&mut self, region: RegionId) -> Vec<Bound> {
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
            let (above, below) = (self.tm.ge(constant, least), self.tm.le(constant, greatest));
            for (is_lower, formula) in [(true, above), (false, below)] {
                let form = (region.point, constant, is_lower);
                if self.query.bounds_used.get(&form).is_none_or(|&used| used < MAX_USES) {
                    bounds.push(Bound { form, formula });
                }
            }
        }
        bounds
    }
}

/// A bound of a variable in tests.
struct Bound {
    /// The point, the variable, and whether it is a lower bound.
    form: (PointId, TermId, bool),
    formula: TermId,
}
