//! SYNERGY: tests and proofs that learn from each other, and Lee and Yannakakis's algorithm.
//!
//! B. S. Gulavani, T. A. Henzinger, Y. Kannan, A. V. Nori, S. K. Rajamani, *SYNERGY: A New Algorithm
//! for Property Checking*, FSE 2006.
//!
//! | paper | here |
//! |---|---|
//! | SYNERGY (Figure 2) | [`check`], `Search::run` |
//! | CreateAbstractProgram | `Search::is_spurious`: transitions are decided when a trace first uses them |
//! | GetAbstractTrace, GetOrderedAbstractTrace | `Partition::frontier`; of a region's states the oldest is taken |
//! | GenSuitableTest | `Search::gen_suitable_test` |
//! | Pre, the split of lines 20 and 21 | `Search::refine`, [`preimage`] |
//! | RefineWithGeneralization | in `Search::refine`, by [`crate::search::yogi::generalise`] |
//! | LEE-YANNAKAKIS (Figure 5) | [`lee_yannakakis`] |
//!
//! Departures, with reasons, beyond those of [`crate::search::yogi`]:
//!
//! - The abstract program is not computed again in each iteration. An abstract transition counts as
//!   possible until a trace wants to use it; then the solver decides. The traces that the algorithm
//!   works on are those of the paper's abstract program.
//! - Where `Pre` needs a quantifier that cannot be eliminated, the split is by the negation of an
//!   interpolant between the path of the test and the step across the frontier: the states that the
//!   path reaches lie on one side, all that can make the step on the other, which is what the paper
//!   asks of an approximation.
//! - Conditions in a row about the same variables are one step ([`Config::decisions`]; the paper has one for each).
//! - Generalisation is used at a point that was split `patience` times. The paper's tool uses it for
//!   programs on which the algorithm does not end without.
//! - After a few splits of a point `Pre` is approximated, as the paper allows ("by choosing from a certain set of
//!   predicates"): conditions of the block that no test of the region needs are left out. Exact, each branch doubles the
//!   regions of the points before it (with five locks, 1,000 refinements and no end). Approximations are guesses; when tests
//!   have shown too many to be wrong, all regions are forgotten and the tests are kept. Without
//!   generalisation (`Config::patience`) there is none of this, and the algorithm is that of Figure 2.

mod lee_yannakakis;
#[cfg(test)]
mod tests;

use crate::search::yogi::build::Extent;
use crate::search::yogi::forest::NodeId;
use crate::search::yogi::graph::BlockId;
use crate::search::yogi::partition::{Frontier, RegionId};
use crate::search::yogi::preimage::{Pre, preimage};
use crate::search::yogi::search::Yogi;
use crate::search::yogi::symbolic::Question;
use crate::verdict::{Finding, Reason};
use crate::view::blocks::InlinedView;
use craig_base::{Budget, Set, Stats};
use craig_program::Decisions;
use craig_smt::interpolate::{self, Interpolation};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{TermId, Terms};

pub use lee_yannakakis::check as check_by_bisimulation;

/// After so many splits of a point `Pre` is approximated; from the start where regions were rebuilt.
const EXACT_SPLITS: usize = 4;

#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// After how many splits of one point predicates are generalised; never, as in Figure 2, if none.
    pub patience: Option<usize>,
    /// Regions are rebuilt when tests have reached too many guesses.
    pub restarts: bool,
    /// What becomes of conditions in a row.
    pub decisions: Decisions,
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { patience: Some(16), restarts: true, decisions: Decisions::JoinedIfAlike, seed: 0 }
    }
}

/// What came of an attempt to cross the frontier.
enum Attempt {
    /// A test was added that does.
    Test,
    /// There is none.
    None(Question),
    /// Unknown.
    Unknown(Reason),
}

struct Search<'a> {
    yogi: Yogi<'a>,
    view: &'a InlinedView<'a>,
    config: Config,
    /// Abstract transitions that were decided, with the versions of their regions.
    decided: Set<(RegionId, u32, BlockId, RegionId, u32)>,
    /// Steps that LEE-YANNAKAKIS has looked for, with the version of the target.
    tried: Set<(NodeId, BlockId, RegionId, u32)>,
    /// Pairs of regions that LEE-YANNAKAKIS has made stable.
    stable: Set<(RegionId, BlockId, RegionId, u32)>,
}

/// SYNERGY for a program whose entry procedure has no calls.
pub fn check(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    config: Config,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let search = Search::new(tm, view, config, Extent::TowardsError, budget, stats);
    match search.and_then(|mut search| search.run()) {
        Ok(finding) => finding,
        Err(reason) => Finding::Unknown(reason),
    }
}

impl<'a> Search<'a> {
    fn new(
        tm: &'a mut Terms,
        view: &'a InlinedView<'a>,
        config: Config,
        extent: Extent,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Result<Self, Reason> {
        Ok(Search {
            yogi: Yogi::inlined(tm, view, config.seed, (extent, config.decisions), budget, stats)?,
            view,
            config,
            decided: Set::default(),
            tried: Set::default(),
            stable: Set::default(),
        })
    }

    /// Figure 2.
    fn run(&mut self) -> Result<Finding, Reason> {
        loop {
            self.yogi.budget.check()?;
            if let Some(failed) = self.yogi.forest.failed {
                return Ok(Finding::Unsafe(self.yogi.test_from_witness(failed)));
            }
            let Some(frontier) = self.yogi.query.get_ordered_abstract_trace() else {
                return Ok(self.conclude());
            };
            if self.is_spurious(&frontier)? {
                continue;
            }
            self.yogi.stats.add("iterations", 1);
            match frontier {
                Frontier::Start(region) => self.yogi.start_test(region)?,
                Frontier::Edge { from, block, to, .. } => {
                    let Some(node) = self.yogi.query.oldest(from, block, to) else { continue };
                    match self.gen_suitable_test(node, block, to)? {
                        Attempt::Test => {}
                        Attempt::None(question) => self.refine(&question, from, to)?,
                        Attempt::Unknown(reason) => self.yogi.give_up((node, block, to), reason),
                    }
                }
            }
        }
    }

    /// No abstract error trace is left, but for what was given up.
    fn conclude(&mut self) -> Finding {
        match self.yogi.query.gave_up() {
            Some(reason) => Finding::Unknown(reason),
            None => Finding::Safe(self.yogi.invariant(self.view)),
        }
    }

    /// Whether a transition of the trace beyond the states of the forest is one that no state has.
    fn is_spurious(&mut self, frontier: &Frontier) -> Result<bool, Reason> {
        let Frontier::Edge { from, block, to, rest } = frontier else { return Ok(false) };
        let mut at = *to;
        if self.decide(*from, *block, *to)? {
            return Ok(true);
        }
        for &(block, next) in rest {
            if self.decide(at, block, next)? {
                return Ok(true);
            }
            at = next;
        }
        Ok(false)
    }

    /// Whether an abstract transition is impossible.
    fn decide(&mut self, from: RegionId, block: BlockId, to: RegionId) -> Result<bool, Reason> {
        let (source, target) =
            (&self.yogi.query.partition.regions[from], &self.yogi.query.partition.regions[to]);
        let key = (from, source.version, block, to, target.version);
        if source.formula == Terms::TRUE && target.formula == Terms::TRUE || !self.decided.insert(key) {
            return Ok(false);
        }
        self.yogi.stats.add("transitions decided", 1);
        match self.step(from, block, to, &[])? {
            Answer::Unsat => {
                self.yogi.query.partition.exclude(from, block, to);
                Ok(true)
            }
            Answer::Sat => Ok(false),
            // A transition that cannot be excluded is possible.
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(Reason::Stopped(reason)),
            Answer::Unknown(_) => Ok(false),
        }
    }

    /// Whether a state of `from` that satisfies `more` has a step along the block into `to`.
    fn step(
        &mut self,
        from: RegionId,
        block: BlockId,
        to: RegionId,
        more: &[TermId],
    ) -> Result<Answer, Reason> {
        self.yogi.budget.check()?;
        let mut solver = NativeSolver::default();
        for part in self.yogi.step_formula(from, block, to).into_iter().chain(more.iter().copied()) {
            if self.yogi.tm.is_false(part) {
                return Ok(Answer::Unsat);
            }
            solver.assert(self.yogi.tm, part);
        }
        self.yogi.stats.add("solver calls", 1);
        Ok(solver.check(self.yogi.tm, &[], self.yogi.budget))
    }

    /// GenSuitableTest: a test that follows the path of `node` and enters `to` by the block.
    fn gen_suitable_test(&mut self, node: NodeId, block: BlockId, to: RegionId) -> Result<Attempt, Reason> {
        let target = self.yogi.query.partition.regions[to].formula;
        let code = self.yogi.query.graph.blocks[block].clone();
        let question = self.yogi.question(node, (block, &code), target, Terms::TRUE);
        let model = match self.yogi.ask(&[&question.path[..], &question.goal].concat()) {
            Ok(Some(model)) => model,
            Ok(None) => return Ok(Attempt::None(question)),
            Err(reason @ Reason::Solver(_)) => return Ok(Attempt::Unknown(reason)),
            Err(reason) => return Err(reason),
        };
        Ok(match self.yogi.follow(&question, &model, &[], &[to])? {
            None => Attempt::Test,
            Some(reason) => Attempt::Unknown(reason),
        })
    }

    /// Lines 20 and 21: the region is split so that no state of the forest can make the step.
    fn refine(&mut self, question: &Question, from: RegionId, to: RegionId) -> Result<(), Reason> {
        let pre = self.pre(question, from, to)?;
        let mut predicate = None;
        if self.yogi.is_split_often(from, self.config.patience) {
            let step = self.yogi.step_formula(from, question.block, to);
            let whole = pre.as_ref().map(|pre| self.yogi.tm.and(&[&pre.after[..], &pre.guard].concat()));
            let found = self.yogi.generalised(from, &step, whole, "solver calls")?;
            predicate = found.map(|formula| (formula, true));
        }
        if let (None, Some(Pre { after, guard })) = (predicate, pre) {
            let (guard, is_guess) = match self.approximates(from) {
                true => self.yogi.needed((from, question.node), &after, &guard)?,
                false => (guard, false),
            };
            let formula = self.yogi.tm.and(&[after, guard].concat());
            let inside = self.yogi.holds(question.node, formula)?;
            predicate = (!inside).then_some((formula, is_guess));
        }
        if predicate.is_none() {
            predicate = self.interpolant(question, from, to)?.map(|formula| (formula, false));
        }
        match predicate {
            Some((predicate, is_guess)) => {
                let new = self.yogi.split(from, question.block, &[to], predicate)?;
                if let Some(new) = new {
                    self.yogi.query.partition.regions[new].is_guess = is_guess;
                }
                if self.config.restarts && self.yogi.restart_if_due()? {
                    self.decided.clear();
                }
                Ok(())
            }
            None => {
                let why = Reason::Interpolation(interpolate::Failure::MixedReasoning);
                self.yogi.give_up((question.node, question.block, to), why);
                Ok(())
            }
        }
    }

    /// Whether `Pre` is approximated at the point of a region.
    fn approximates(&self, region: RegionId) -> bool {
        let split = self.yogi.query.known > 0 || self.yogi.is_split_often(region, Some(EXACT_SPLITS));
        self.config.patience.is_some() && split
    }

    /// `Pre(S_k)`, if it has a formula: for states of S_{k-1}, from which some regions are known to be out of reach, so that
    /// it does not matter on which side of them a state is.
    fn pre(&mut self, question: &Question, from: RegionId, to: RegionId) -> Result<Option<Pre>, Reason> {
        let query = &self.yogi.query;
        let target = query.partition.target(self.yogi.tm, &query.graph, from, question.block, &[to]);
        let block = &self.yogi.query.graph.blocks[question.block];
        let pre = preimage(self.yogi.tm, &self.yogi.query.graph, block, target, self.yogi.budget);
        self.yogi.budget.check()?;
        Ok(pre)
    }

    /// The negation of an interpolant between the path and the step.
    fn interpolant(
        &mut self,
        question: &Question,
        from: RegionId,
        to: RegionId,
    ) -> Result<Option<TermId>, Reason> {
        let step = self.yogi.step_formula(from, question.block, to);
        let path = self.yogi.path_formula(question);
        let (a, b) = (self.yogi.tm.and(&path), self.yogi.tm.and(&step));
        self.yogi.stats.add("solver calls", 1);
        self.yogi.stats.add("interpolants", 1);
        let options = interpolate::Options::default();
        let interpolant = match interpolate::binary(self.yogi.tm, a, b, &options, self.yogi.budget) {
            Interpolation::Interpolants(interpolant) => interpolant,
            _ => {
                self.yogi.budget.check()?;
                return Ok(None);
            }
        };
        let inside = self.yogi.holds(question.node, interpolant)?;
        Ok(if inside { Some(self.yogi.tm.not(interpolant)) } else { None })
    }
}
