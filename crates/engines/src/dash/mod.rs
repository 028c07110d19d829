//! DASH: proofs from tests, with one solver call in each iteration.
//!
//! N. E. Beckman, A. V. Nori, S. K. Rajamani, R. J. Simmons, S. D. Tetali, A. V. Thakur, *Proofs from
//! Tests*, IEEE TSE 2010 (ISSTA 2008).
//!
//! | paper | here |
//! |---|---|
//! | DASH (Figure 8) | [`check`], `Search::run` |
//! | ExtendFrontier (Figure 10) | `Search::extend_frontier` |
//! | ExecuteSymbolic (Figure 11) | [`crate::yogi::symbolic`] |
//! | IsSAT | `Search::is_sat`, the only place that asks the solver |
//! | RefinePred, Aliases, WP↓α, WPα (Figure 12) | [`alias`] |
//! | Test | the first test, with random inputs |
//!
//! The abstraction is never checked: an abstract transition is impossible only if the template of
//! Figure 9 made it so. Lemma 2 is a statistic of every run: [`MOST_CALLS`] is one.
//!
//! Departures, with reasons, beyond those of [`crate::yogi`]:
//!
//! - The alias condition α is read off the state of the test, in which every address has a value, not
//!   off the symbolic memory. It is one conjunction, also for arrays whose index the path leaves
//!   open: other indices stay in the region with the predicate, where tests find them if they can.
//!   [`Config::disjunctive`] leaves both cases open for elements of one array, as section 4.2.2 has it.
//! - [`Config::frontiers`] lets one question be about several frontiers ([`frontiers`]).
//! - Across an input WP would need a quantifier. Where an input is only compared with numbers, some
//!   value passes whatever the state is, and nothing is left of it. Else the one solver call asks for
//!   an interpolant between path and step, under α.
//! - The weaker predicate at a branch (section 5b) has only those conditions of the block that some
//!   state of the region fails although it satisfies the rest. That is seen by evaluation, in all
//!   states of the region and not only in that of the test: a predicate so weak that tests reach it
//!   costs more than it saves. A few random tests at the start give it something to go by.
//! - What is asked for behind the block is the simplest set of states that contains these regions and
//!   otherwise only regions into which the block does not lead (see [`crate::yogi::partition`]).
//! - The question is asked for all regions behind the block that no test has visited and from which
//!   the error can still be reached (`join_targets`). One region at a time, as in the paper, regions
//!   double at every branch that two predicates are carried across.
//! - A program without recursion is inlined: a call is a block like others, and calls of the same
//!   procedure share nothing. Programs with recursion are for [`procedures`], which solves a few less of
//!   the others and takes longer (`docs/experiments/dash.md`, variants); why was not looked into.

mod alias;
mod frontiers;
pub mod procedures;
#[cfg(test)]
mod tests;

use crate::blocks::InlinedView;
use crate::sharing::Shared;
use crate::verdict::{Finding, Reason};
use crate::yogi::forest::NodeId;
use crate::yogi::graph::{BlockId, Extent};
use crate::yogi::partition::{Frontier, RegionId};
use crate::yogi::run::Plan;
use crate::yogi::search::{Stop, Yogi};
use crate::yogi::symbolic::Question;
use alias::Precondition;
use craig_base::{Budget, Stats};
use craig_smt::UnknownReason;
use craig_smt::interpolate::{self, Failure, Interpolation};
use craig_term::{Model, TermId, Terms};

/// The statistic that Lemma 2 says is one: the most calls of the solver that an iteration made.
pub const MOST_CALLS: &str = "most solver calls in an iteration";

/// Tests with random inputs before the search.
const RANDOM_TESTS: usize = 60;
/// States that are recorded of each of them but the first.
const RANDOM_STATES: usize = 100;

#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub seed: u64,
    /// One question for all regions behind the block that lead to the error, not for one of them.
    pub join_targets: bool,
    /// How many frontiers one question may be about.
    pub frontiers: usize,
    /// Two elements of one array may be the same in α or not (section 4.2.2), whatever they are in the test.
    pub disjunctive: bool,
    /// Begin with random tests; the paper's experiments do not.
    pub random_tests: bool,
    /// Figure 14 for programs without recursion as well, instead of inlining.
    pub procedures: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            seed: 0,
            join_targets: true,
            frontiers: 1,
            disjunctive: false,
            random_tests: true,
            procedures: false,
        }
    }
}

/// DASH for a program whose entry procedure has no calls.
pub fn check(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    config: Config,
    shared: &Shared,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let yogi = Yogi::new(tm, view, config.seed, Extent::TowardsError, budget, stats);
    match yogi.and_then(|yogi| Search { yogi, config, shared }.run()) {
        Ok(finding) => finding,
        Err(stop) => Finding::Unknown(stop.reason()),
    }
}

struct Search<'a> {
    yogi: Yogi<'a>,
    config: Config,
    /// Tests of earlier runs, and a place for those of this one.
    shared: &'a Shared,
}

/// A frontier from S_{k-1} along a block to S_k, and the question for it.
struct Attempt {
    node: NodeId,
    from: RegionId,
    block: BlockId,
    to: RegionId,
    targets: Vec<RegionId>,
    /// The states of the targets.
    target: TermId,
    question: Question,
    precondition: Precondition,
}

impl Attempt {
    fn step(&self) -> (NodeId, BlockId, RegionId) {
        (self.node, self.block, self.to)
    }
}

/// What the solver says about crossing the frontier.
enum Crossing {
    Test(Model),
    /// It cannot be crossed: an interpolant, if one was asked for.
    Infeasible(Option<TermId>),
    Unknown(Reason),
}

impl Search<'_> {
    /// Figure 8.
    fn run(mut self) -> Result<Finding, Stop> {
        if self.yogi.graph.error.is_some() {
            for seed in &self.shared.seeds {
                self.yogi.run_test(&Plan { values: seed.values(), ..Plan::default() })?;
            }
            if self.yogi.forest.error.is_none() && self.config.random_tests {
                self.yogi.run_random_tests(RANDOM_TESTS, RANDOM_STATES)?;
            }
        }
        let given = self.yogi.forest.tests.len();
        let finding = self.search();
        let program = self.yogi.view.original;
        let found = self.yogi.forest.tests.iter().skip(given).map(|record| record.run.test(program));
        self.shared.leave_tests(found);
        finding
    }

    fn search(&mut self) -> Result<Finding, Stop> {
        loop {
            self.yogi.budget.check()?;
            if let Some(error) = self.yogi.forest.error {
                return Ok(Finding::Unsafe(self.yogi.test_from_witness(error)));
            }
            let Some(frontier) = self.yogi.get_ordered_abstract_trace() else {
                return Ok(self.yogi.conclude());
            };
            let before = self.yogi.stats.count("solver calls");
            self.yogi.stats.add("iterations", 1);
            match frontier {
                Frontier::Start(region) => self.yogi.start_test(region)?,
                Frontier::Edge { .. } if self.config.frontiers > 1 => self.extend_frontiers()?,
                Frontier::Edge { from, block, to, .. } => {
                    if let Some(node) = self.yogi.oldest(from, block, to) {
                        self.extend_frontier(node, from, block, to)?;
                    }
                }
            }
            let calls = self.yogi.stats.count("solver calls") - before;
            self.yogi.stats.max(MOST_CALLS, calls);
        }
    }

    /// ExtendFrontier: a test across the frontier, or a split at it.
    fn extend_frontier(
        &mut self,
        node: NodeId,
        from: RegionId,
        block: BlockId,
        to: RegionId,
    ) -> Result<(), Stop> {
        let attempt = self.attempt(node, from, block, to)?;
        self.extend(&attempt)
    }

    /// All that is needed to ask about a frontier.
    fn attempt(
        &mut self,
        node: NodeId,
        from: RegionId,
        block: BlockId,
        to: RegionId,
    ) -> Result<Attempt, Stop> {
        let targets = self.targets(from, block, to);
        let target = self.yogi.target(from, block, &targets);
        let question = self.yogi.question_within(node, from, block, target);
        let precondition = self.precondition(node, block, target)?;
        Ok(Attempt { node, from, block, to, targets, target, question, precondition })
    }

    fn extend(&mut self, attempt: &Attempt) -> Result<(), Stop> {
        let predicate = match self.is_sat(attempt)? {
            Crossing::Test(model) => return self.follow(attempt, &model),
            Crossing::Unknown(reason) => {
                self.yogi.give_up(attempt.step(), reason);
                return Ok(());
            }
            Crossing::Infeasible(Some(interpolant)) => {
                let aliases = self.yogi.tm.and(&attempt.precondition.aliases);
                let both = self.yogi.tm.and2(interpolant, aliases);
                self.yogi.tm.not(both)
            }
            Crossing::Infeasible(None) => {
                self.refine_pred(attempt.node, attempt.from, &attempt.precondition)?
            }
        };
        self.split(attempt, predicate)
    }

    fn follow(&mut self, attempt: &Attempt, model: &Model) -> Result<(), Stop> {
        if let Some(reason) = self.yogi.follow(&attempt.question, model, &attempt.targets)? {
            self.yogi.give_up(attempt.step(), reason);
        }
        Ok(())
    }

    fn split(&mut self, attempt: &Attempt, predicate: TermId) -> Result<(), Stop> {
        if self.yogi.holds(attempt.node, predicate)? {
            let why = Reason::Interpolation(Failure::MixedReasoning);
            self.yogi.give_up(attempt.step(), why);
            return Ok(());
        }
        self.yogi.split(attempt.from, attempt.block, &attempt.targets, predicate)
    }

    /// S_k, or all regions like it: without tests, behind the same block, on the way to the error.
    fn targets(&self, from: RegionId, block: BlockId, to: RegionId) -> Vec<RegionId> {
        if !self.config.join_targets {
            return vec![to];
        }
        let partition = &self.yogi.partition;
        let leading = partition.leading(&self.yogi.graph);
        let candidates = partition.at[self.yogi.graph.blocks[block].to].iter().copied();
        candidates.filter(|&region| leading[region] && partition.is_possible(from, block, region)).collect()
    }

    /// The one call of the solver. It asks for an interpolant as well where WP has a quantifier.
    fn is_sat(&mut self, attempt: &Attempt) -> Result<Crossing, Stop> {
        let Attempt { from, target, question, precondition, .. } = attempt;
        self.yogi.stats.add("solver calls", 1);
        if !precondition.is_open {
            return Ok(match question.ask(self.yogi.tm, self.yogi.budget) {
                Ok(Some(model)) => Crossing::Test(model),
                Ok(None) => Crossing::Infeasible(None),
                Err(UnknownReason::Stopped(reason)) => return Err(Stop::Budget(reason)),
                Err(reason) => Crossing::Unknown(Reason::Solver(reason)),
            });
        }
        self.yogi.stats.add("interpolants", 1);
        let path = self.yogi.path_formula(question);
        let depth = self.yogi.forest.nodes[question.node].depth + 1;
        let yogi = &mut self.yogi;
        let mut step = yogi.symbolic.step(yogi.tm, &yogi.graph, question.block, *target, depth);
        step.extend(&precondition.aliases);
        step.push(yogi.partition.regions[*from].formula);
        let (path, step) = (self.yogi.tm.and(&path), self.yogi.tm.and(&step));
        // Minimising would cost further calls.
        let options = interpolate::Options { minimize: false, ..interpolate::Options::default() };
        Ok(match interpolate::binary(self.yogi.tm, path, step, &options, self.yogi.budget) {
            Interpolation::Sat(model) => Crossing::Test(model),
            Interpolation::Interpolants(interpolant) => Crossing::Infeasible(Some(interpolant)),
            Interpolation::Unknown(Failure::Solver(UnknownReason::Stopped(reason))) => {
                return Err(Stop::Budget(reason));
            }
            Interpolation::Unknown(failure) => Crossing::Unknown(Reason::Interpolation(failure)),
        })
    }
}
