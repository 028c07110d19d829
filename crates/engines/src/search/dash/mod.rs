//! DASH: proofs from tests, with one solver call in each iteration.
//!
//! N. E. Beckman, A. V. Nori, S. K. Rajamani, R. J. Simmons, S. D. Tetali, A. V. Thakur, *Proofs from
//! Tests*, IEEE TSE 2010 (ISSTA 2008).
//!
//! | paper | here |
//! |---|---|
//! | DASH-MAIN (Figure 13) | [`check`] for an inlined program, [`verify`] for one with procedures |
//! | DASH (Figure 8) | `Search::dash`, with the template of Figure 9 in `Search::refine_graph` |
//! | ExtendFrontier (Figures 10 and 14) | [`frontier`] |
//! | GetWholeAbstractTrace, ExecuteSymbolic (Figure 11) | [`crate::search::yogi::forest`], [`crate::search::yogi::symbolic`] |
//! | IsSAT | `Search::is_sat` |
//! | RefinePred, Aliases, WP↓α, WPα (Figure 12) | [`alias`] |
//! | DASH on the callee (line 8 of Figure 14) | [`calls`] |
//! | ComputeRefinePred | the condition of a may summary: the parts of the entry that do not lead to the target |
//! | must summaries, may summaries | [`must`], from calls in tests; [`may`], from proofs |
//! | Test | the first test, with random inputs |
//!
//! The abstraction is never checked: an abstract transition is impossible only if the template of
//! Figure 9 made it so. Lemma 2 is a statistic of every run: [`MOST_CALLS`] is one.
//!
//! Departures, with reasons, beyond those of [`crate::search::yogi`]:
//!
//! - The alias condition α is read off the state of the test, in which every address has a value, not
//!   off the symbolic memory. It is one conjunction, also for arrays whose index the path leaves
//!   open: other indices stay in the region with the predicate, where tests find them if they can.
//!   [`Config::disjunctive`] leaves both cases open for elements of one array, as section 4.2.2 has it.
//! - Conditions in a row about the same variables are one step ([`Config::decisions`]; the paper has one for each).
//! - [`Config::frontiers`] lets one question be about several frontiers ([`frontiers`]).
//! - Across an input WP would need a quantifier. Where an input is only compared with numbers, some
//!   value passes whatever the state is, and nothing is left of it. Else the one solver call asks for
//!   an interpolant between path and step, under α.
//! - The weaker predicate at a branch (section 5b) has only those conditions of the block that some
//!   state of the region fails although it satisfies the rest. That is seen by evaluation, in all
//!   states of the region and not only in that of the test: a predicate so weak that tests reach it
//!   costs more than it saves. A few random tests at the start give it something to go by.
//! - Without random tests such predicates are guesses. Tests reach the regions that they were to keep them out of,
//!   and the regions multiply (of 772 splits of a program with five locks, 568 were of such regions; with
//!   random tests, none of 133). So when too many guesses were wrong, all regions are forgotten and the
//!   tests are kept ([`crate::search::yogi::query`]).
//! - Predicates are made simpler without a solver: what a conjunct fixes is put into the others
//!   ([`crate::search::yogi::preimage`]). It is never asked whether a predicate has states at all, and one without any
//!   (`y > 999999 ∧ y = 0`, from `y = y < 1000000 ? y + 1 : 0`) would be carried around loops for ever. That is why DASH did
//!   not end on programs like Figure 3 of 003, where SYNERGY, which decides abstract transitions, does.
//! - At a point that was split [`Config::patience`] times, a predicate that the tests of the region suggest is
//!   preferred (RefineWithGeneralization of 003, [`crate::search::yogi::generalise`]). The calls of the solver for
//!   that are counted apart.
//! - What is asked for after the block is the simplest set of states that contains these regions and
//!   otherwise only regions into which the block does not lead (see [`crate::search::yogi::partition`]).
//! - The question is asked for all regions after the block that no test has visited and from which
//!   the error can still be reached (`join_targets`). One region at a time, as in the paper, regions
//!   double at every branch that two predicates are carried across.
//! - A program without recursion is inlined: one procedure without calls. With [`Config::procedures`], or where
//!   there is recursion, calls are edges. Inlined programs are simplified by the interval analysis first,
//!   procedures are not; that is why inlining solves more (`docs/experiments/dash.md`, variants).
//!
//! Departures at calls:
//!
//! - The paper starts DASH on the callee for each frontier at a call. Summaries of both kinds serve all
//!   calls here, the step that its authors announce: a frontier at a call is tried first with what proofs have
//!   excluded, then with what tests have shown; only if neither decides is the callee asked. Each attempt
//!   is an iteration with its one call of the solver. Not counted are the calls by which an interpolant for
//!   the callee is made smaller, and those that compare conditions of summaries.
//! - What the callee is asked is an interpolant between the must summaries and the step across the frontier:
//!   a relation of entry and exit that holds in all tests and excludes the step. The caller's other
//!   variables do not occur in it, so the answer is of use elsewhere.
//! - All tests start with the program, as in the paper; the states of all calls are in the forest, whoever
//!   asked for the test.
//! - A claim may be used while it is proved (see [`may`]); without that, recursion of unknown depth would be
//!   asked about level by level.

mod alias;
mod calls;
mod frontier;
mod frontiers;
mod may;
mod must;
#[cfg(test)]
mod procedures_tests;
#[cfg(test)]
mod tests;

use crate::horn::contracts::certify;
use crate::path::reached_error;
use crate::portfolio::sharing::Shared;
use crate::search::random;
use crate::search::yogi::build::Extent;
use crate::search::yogi::partition::Choice;
use crate::search::yogi::query::Query;
use crate::search::yogi::run::Plan;
use crate::search::yogi::search::Yogi;
use crate::verdict::{Finding, Reason};
use crate::verify::Verdict;
use crate::view::blocks::InlinedView;
use alias::Predicate;
use craig_base::{Budget, Stats};
use craig_exec::{Limits, replay};
use craig_program::{Decisions, Program};
use craig_smt::interpolate::Failure;
use craig_term::{TermId, Terms};
use frontier::{Attempt, Extension};
use may::{Open, Summary};
use must::MustSummaries;

/// The statistic that Lemma 2 says is one: the most calls of the solver that an iteration made.
pub const MOST_CALLS: &str = "most solver calls in an iteration";

/// Tests with random inputs before the search, and states that are recorded of each of them but the first.
const RANDOM_TESTS: (usize, usize) = (60, 100);
/// The same where there are calls, of which must summaries are made: tests are recorded to their end.
const RANDOM_TESTS_OF_CALLS: (usize, usize) = (20, usize::MAX);
/// Where there are calls, runs with random inputs that only look for the error, and may take long.
const LONG_TESTS: random::Config = random::Config { seed: 0, runs: 20, steps: 3_000_000 };

#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub seed: u64,
    /// One question for all regions after the block that lead to the error, not for one of them.
    pub join_targets: bool,
    /// How many frontiers one question may be about.
    pub frontiers: usize,
    /// Two elements of one array may be the same in α or not (section 4.2.2), whatever they are in the test.
    pub disjunctive: bool,
    /// Only the aliasing that the test met (WPα), instead of all cases (WP).
    pub aliasing: bool,
    /// Conditions of a block that no state of the region needs are left out of the predicate (section 5b).
    pub weaken: bool,
    /// Regions are rebuilt when tests have reached too many guesses.
    pub restarts: bool,
    /// Begin with random tests; the paper's experiments do not.
    pub random_tests: bool,
    /// After how many splits of one point predicates are generalised, as in [`crate::search::synergy`]; never if none.
    pub patience: Option<usize>,
    /// Figure 14 for programs without recursion as well, instead of inlining.
    pub procedures: bool,
    /// What becomes of conditions in a row.
    pub decisions: Decisions,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            seed: 0,
            join_targets: true,
            frontiers: 1,
            disjunctive: false,
            aliasing: true,
            weaken: true,
            restarts: true,
            random_tests: true,
            patience: Some(64),
            procedures: false,
            decisions: Decisions::JoinedIfAlike,
        }
    }
}

/// DASH-MAIN for a program whose entry procedure has no calls.
pub fn check(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    config: Config,
    shared: &Shared,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let yogi = Yogi::inlined(tm, view, config.seed, (Extent::TowardsError, config.decisions), budget, stats);
    let mut search = match yogi {
        Ok(yogi) => Search::new(yogi, config),
        Err(reason) => return Finding::Unknown(reason),
    };
    let found = search.run(shared, RANDOM_TESTS);
    match (found, search.yogi.forest.failed) {
        (_, Some(failed)) => Finding::Unsafe(search.yogi.test_from_witness(failed)),
        (Ok(Found::Proof { .. }), _) => Finding::Safe(search.yogi.invariant(view)),
        (Ok(Found::Unknown(reason)), _) => Finding::Unknown(reason),
        (Ok(Found::Test), _) => Finding::Unknown(Reason::internal("a target without a test")),
        (Err(reason), _) => Finding::Unknown(reason),
    }
}

/// DASH-MAIN for a program with procedures.
pub fn verify(
    program: &Program,
    config: Config,
    shared: &Shared,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    if config.random_tests
        && let Verdict::Unsafe(test) = random::check(program, LONG_TESTS, budget, stats)
    {
        return Verdict::Unsafe(test);
    }
    let mut terms = Terms::new();
    let mut search = match Yogi::procedural(&mut terms, program, config.seed, config.decisions, budget, stats)
    {
        Ok(yogi) => Search::new(yogi, config),
        Err(reason) => return Verdict::Unknown(reason),
    };
    let found = search.run(shared, RANDOM_TESTS_OF_CALLS);
    if let Some(failed) = search.yogi.forest.failed {
        let test = search.yogi.forest.tests[failed].run.test(program);
        let run = replay(program, &test, &Limits { budget: budget.clone(), ..Limits::default() });
        return if reached_error(&run) {
            Verdict::Unsafe(run.test(program))
        } else {
            Verdict::Unknown(Reason::NotReplayed("the failing test".to_string()))
        };
    }
    match found {
        Ok(Found::Proof { .. }) => {
            search.keep_proof_of_main();
            let contracts = search.contracts();
            certify(terms, program, contracts, budget, stats)
        }
        Ok(Found::Unknown(reason)) => Verdict::Unknown(reason),
        Ok(Found::Test) => Verdict::Unknown(Reason::internal("a target without a test")),
        Err(reason) => Verdict::Unknown(reason),
    }
}

/// What came of a question about a procedure.
enum Found {
    /// A test does what was claimed to be impossible.
    Test,
    /// The target cannot be reached from entry states with the condition.
    Proof {
        condition: TermId,
    },
    Unknown(Reason),
}

struct Search<'a> {
    yogi: Yogi<'a>,
    config: Config,
    must: MustSummaries,
    may: Vec<Summary>,
    /// The claims that are being proved, each for the one before.
    open: Vec<Open>,
    /// The calls of the solver before the iteration.
    calls_before: u64,
}

impl<'a> Search<'a> {
    fn new(yogi: Yogi<'a>, config: Config) -> Self {
        Search {
            yogi,
            config,
            must: MustSummaries::default(),
            may: Vec::new(),
            open: Vec::new(),
            calls_before: 0,
        }
    }

    /// The first tests, and DASH on the entry procedure.
    fn run(&mut self, shared: &Shared, (count, states): (usize, usize)) -> Result<Found, Reason> {
        if self.yogi.query.graph.error.is_some() {
            for seed in &shared.seeds {
                self.yogi.run_test(&Plan { values: seed.values(), ..Plan::default() })?;
            }
            if self.config.random_tests && !self.yogi.is_reached() {
                self.yogi.run_random_tests(count, states)?;
            }
        }
        let given = self.yogi.forest.tests.len();
        self.calls_before = self.yogi.stats.count("solver calls");
        let found = self.dash();
        self.end_iteration();
        let tests = self.yogi.forest.tests.iter().skip(given);
        shared.leave_tests(tests.map(|record| record.run.test(self.yogi.original)));
        found
    }

    /// Figure 8, for the query at hand.
    fn dash(&mut self) -> Result<Found, Reason> {
        loop {
            if self.yogi.is_reached() {
                return Ok(Found::Test);
            }
            let Some(frontier) = self.yogi.query.get_ordered_abstract_trace() else {
                return Ok(self.conclude());
            };
            self.next_iteration()?;
            match self.extend_frontier(&frontier)? {
                Extension::Test | Extension::Summary => {}
                Extension::Refinements(refinements) => {
                    for (attempt, predicate) in refinements {
                        self.refine_graph(&attempt, &predicate)?;
                    }
                    // Random tests are what guesses go by; without them, those that the guesses led to are.
                    if self.config.restarts && !self.config.random_tests {
                        self.yogi.restart_if_due()?;
                    }
                }
                Extension::Unknown(step, reason) => self.yogi.give_up(step, reason),
            }
        }
    }

    /// DASH on another query; what is known of it is left in its place.
    fn dash_on(&mut self, query: Query) -> Result<(Found, Query), Reason> {
        let asking = std::mem::replace(&mut self.yogi.query, query);
        let found = self.yogi.place_states().and_then(|()| self.dash());
        let query = std::mem::replace(&mut self.yogi.query, asking);
        self.yogi.place_states()?;
        Ok((found?, query))
    }

    /// The template of Figure 9: the part of S_{k-1} without the predicate has no way into the targets.
    fn refine_graph(&mut self, attempt: &Attempt, predicate: &Predicate) -> Result<(), Reason> {
        if self.yogi.holds(attempt.node, predicate.formula)? {
            self.yogi.give_up(attempt.step(), Reason::Interpolation(Failure::MixedReasoning));
            return Ok(());
        }
        let Attempt { from, block, targets, .. } = attempt;
        if let Some(new) = self.yogi.split(*from, *block, targets, predicate.formula)? {
            self.yogi.query.partition.regions[new].is_guess = predicate.is_guess;
        }
        Ok(())
    }

    /// No abstract trace to the target is left, but for what was given up.
    fn conclude(&mut self) -> Found {
        if let Some(reason) = self.yogi.query.gave_up() {
            return Found::Unknown(reason);
        }
        let yogi = &mut self.yogi;
        let safe = yogi.query.safe_entries();
        let choice = |region| if safe.contains(&region) { Choice::In } else { Choice::Out };
        let condition = yogi.query.partition.formula(yogi.tm, yogi.query.graph.entry, choice);
        let condition = match &yogi.procedures[yogi.query.proc] {
            Some(procedure) => procedure.at_entry(yogi.tm, condition),
            None => condition,
        };
        Found::Proof { condition }
    }

    fn next_iteration(&mut self) -> Result<(), Reason> {
        self.end_iteration();
        self.yogi.stats.add("iterations", 1);
        Ok(self.yogi.budget.check()?)
    }

    fn end_iteration(&mut self) {
        let calls = self.yogi.stats.count("solver calls");
        self.yogi.stats.max(MOST_CALLS, calls - self.calls_before);
        self.calls_before = calls;
    }
}
