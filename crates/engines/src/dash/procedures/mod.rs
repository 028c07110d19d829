//! DASH for programs with recursion: Figures 13 and 14 of *Proofs from Tests*.
//!
//! | paper | here |
//! |---|---|
//! | DASH-MAIN (Figure 13) | [`verify`] |
//! | DASH on a procedure (Figure 8) | `Search::dash`, with a partition of its own for each question |
//! | F of each procedure, GetWholeAbstractTrace | [`forest`] |
//! | ExecuteSymbolic on whole traces | [`symbolic`] |
//! | ExtendFrontier at a call (Figure 14) | `Search::extend_frontier`, `Search::ask_callee` |
//! | ComputeRefinePred | the condition of a summary: the parts of the entry that do not lead to the target |
//! | must summaries | [`symbolic::Fact`], from the calls in tests |
//! | may summaries | [`summaries::Summary`], from proofs |
//!
//! Departures, with reasons:
//!
//! - The paper starts DASH anew on the callee for each frontier at a call. Summaries of both kinds serve
//!   all calls here, the step that its authors announce: a frontier at a call is tried first with what
//!   proofs have excluded, then with what tests have shown; only if neither decides is the callee asked.
//!   Each attempt is an iteration with its one call of the solver. Not counted are the calls by which
//!   an interpolant for the callee is made smaller, and those that compare conditions of summaries.
//! - What the callee is asked is an interpolant between the must summaries and the step across the frontier:
//!   a relation of entry and exit that holds in all tests and excludes the step. The caller's other
//!   variables do not occur in it, so the answer is of use elsewhere.
//! - All tests start with the program, as in the paper; the states of all calls are in the forest, whoever
//!   asked for the test.
//! - A claim may be used while it is proved (see [`summaries`]); without that, recursion of unknown
//!   depth would be asked about level by level.
//! - WP is not restricted to the aliasing of the test: regions relate the current state to the entry of the
//!   procedure, and memory at the entry is not kept.
//!
//! The proof is a contract for each procedure, which the common checker looks at.

mod calls;
mod forest;
mod graph;
mod query;
mod search;
mod summaries;
mod symbolic;
#[cfg(test)]
mod tests;

use super::Config;
use crate::path::reached_error;
use crate::procedures::certify;
use crate::random;
use crate::sharing::Shared;
use crate::verdict::Reason;
use crate::verify::Verdict;
use craig_base::{Budget, Stats};
use craig_exec::{Limits, replay};
use craig_program::Program;
use craig_term::Terms;
use forest::Plan;
use search::{End, Found, Search};
use summaries::{Claim, Summary};

/// Runs with random inputs that only look for the error, and may take long.
const LONG_TESTS: random::Config = random::Config { seed: 0, runs: 20, steps: 3_000_000 };
/// Tests with random inputs that are recorded.
const RANDOM_TESTS: usize = 20;

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
    let procedures = match graph::procedures(&mut terms, program, budget) {
        Ok(procedures) => procedures,
        Err(reason) => return Verdict::Unknown(Reason::Stopped(reason)),
    };
    let mut search = Search::new(&mut terms, program, procedures, config.seed, budget, stats);
    let random_tests = if config.random_tests { RANDOM_TESTS } else { 0 };
    let outcome = run(&mut search, shared, random_tests);
    let found = search.forest.tests.iter().skip(shared.seeds.len() + random_tests);
    shared.leave_tests(found.map(|record| record.run.test(program)));
    match outcome {
        Err(End::Failed) => {
            let failed = search.forest.failed.map(|test| search.forest.tests[test].run.test(program));
            let limits = Limits { budget: budget.clone(), ..Limits::default() };
            match failed.map(|test| replay(program, &test, &limits)) {
                Some(run) if reached_error(&run) => Verdict::Unsafe(run.test(program)),
                _ => Verdict::Unknown(Reason::NotReplayed("the failing test".to_string())),
            }
        }
        Err(End::Stop(stop)) => Verdict::Unknown(stop.reason()),
        Ok(Some(reason)) => Verdict::Unknown(reason),
        Ok(None) => {
            let contracts = search.contracts();
            certify(terms, program, contracts, budget, stats)
        }
    }
}

/// DASH-MAIN: a reason if there is no answer.
fn run(search: &mut Search<'_>, shared: &Shared, random_tests: usize) -> Result<Option<Reason>, End> {
    for seed in &shared.seeds {
        search.run_test(&Plan { values: seed.values(), ..Plan::default() })?;
    }
    for _ in 0..random_tests {
        search.run_test(&Plan::default())?;
    }
    let main = search.program.entry;
    match search.dash(main, Claim::NeverFails, None)? {
        Found::Test => Ok(Some(Reason::Internal("an error without a failing test".to_string()))),
        Found::Unknown(reason) => Ok(Some(reason)),
        Found::Proof { abstraction, .. } => {
            let invariants = search.invariants(main, &abstraction);
            let condition = search.initial();
            search.summaries.push(Summary::new(main, Claim::NeverFails, condition, invariants));
            Ok(None)
        }
    }
}
