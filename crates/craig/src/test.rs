//! Tests for all that can be reached, and proofs that the rest cannot.

use crate::adopt::{Recorded, adopted};
use crate::error::Error;
use crate::limits::{Limits, cores};
use crate::report::expression::Expressions;
use crate::report::safety::report_location;
use crate::report::{Assumption, Location};
use crate::task::{Loaded, Source};
use craig_base::Stats;
use craig_engines::cover::{self, Goals};
use craig_engines::portfolio::each::Effort;
use craig_engines::portfolio::schedule;
use craig_engines::search::lazy_annotation::{self, Learning};
use craig_exec::{Outcome, Test, replay};
use craig_program::Stmt;
use std::time::{Duration, Instant};

pub use craig_engines::cover::{Criterion, Progress, Status};

/// What to look for, and how.
#[derive(Clone, Debug)]
pub struct TestOptions {
    /// What the tests shall reach.
    pub cover: Criterion,
    /// All engines that help, or one alone.
    pub engine: Searcher,
    /// Tests to begin with, of whatever format.
    pub tests: Vec<Recorded>,
    /// How many runs with random inputs are made before.
    pub random_runs: u64,
    /// Seed of every pseudo-random choice; the same seed gives the same run.
    pub seed: u64,
    /// What the tests may cost.
    pub limits: Limits,
}

impl Default for TestOptions {
    fn default() -> Self {
        TestOptions {
            cover: Criterion::Blocks,
            engine: Searcher::All,
            tests: Vec::new(),
            random_runs: 100,
            seed: 0,
            limits: Limits::default(),
        }
    }
}

/// Who looks for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searcher {
    /// Lazy annotation, and for what it leaves open concolic runs and the default portfolio of `check`.
    All,
    /// The search that learns from its failures, or one without learning, alone.
    Annotation(lazy_annotation::Config),
    /// Only the runs with random inputs.
    Random,
}

/// A test suite, and what it is worth.
#[derive(Clone, Debug)]
pub struct TestReport {
    /// What was to be reached.
    pub goals: Vec<GoalReport>,
    /// The tests, each of which was replayed.
    pub tests: Vec<Test>,
    /// What the tests and proofs take for granted.
    pub assumptions: Vec<Assumption>,
    /// What goes wrong in their runs.
    pub findings: Vec<TestFinding>,
    /// How lazy annotation went on.
    pub progress: Vec<Progress>,
    /// The numbers of the search.
    pub stats: Stats,
    /// How long everything took.
    pub time: Duration,
}

/// Something to be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalReport {
    /// Where, with the function.
    pub location: Location,
    /// Whether it is reached, cannot be reached, or is open.
    pub status: Status,
    /// For a way out of a branch: the condition under which it is taken.
    pub direction: Option<String>,
}

/// Something that goes wrong in the runs of tests: an error, or behaviour that C leaves undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFinding {
    /// Where, with the function.
    pub location: Location,
    /// What.
    pub words: String,
    /// The numbers of the tests.
    pub tests: Vec<usize>,
}

/// How many statements a test may execute.
pub(crate) const STEPS: u64 = 200_000;

/// Generates tests that reach what can be reached, and proves that the rest cannot.
///
/// ```
/// let source = craig::Source::text(
///     "int nondet(void);
///      int main(void) { int x = nondet(); if (x == 12345) return 1; if (x > 5 && x < 3) return 2; return 3; }",
/// );
/// let report = craig::test(&source, &craig::TestOptions::default())?;
/// let count = |wanted: fn(&craig::Status) -> bool| report.goals.iter().filter(|goal| wanted(&goal.status)).count();
/// assert_eq!(count(|status| matches!(status, craig::Status::Dead)), 1);
/// assert_eq!(count(|status| matches!(status, craig::Status::Open(_))), 0);
/// # Ok::<(), craig::Error>(())
/// ```
pub fn test(source: &Source, options: &TestOptions) -> Result<TestReport, Error> {
    Ok(Loaded::for_runs(source)?.test(options, &|_, _, _| {}))
}

impl Loaded {
    /// As [`test`](test()), for a program that was read before. Whenever more goals are reached, `watch` is told how many
    /// of how many, and gets the tests so far, of which the last is new.
    pub fn test(&self, options: &TestOptions, watch: &dyn Fn(usize, usize, &[Test])) -> TestReport {
        let start = Instant::now();
        let program = &self.program;
        // The tests are worth nothing if there is no time left to write them.
        let timeout = options.limits.timeout.map(|timeout| timeout.saturating_sub(self.time) * 9 / 10);
        let budget = Limits { timeout, ..options.limits.clone() }.budget(Duration::ZERO);
        let in_source = |proc| {
            let file = program.files.get(program.procs[proc].span.file as usize);
            file.is_some_and(|name| !name.starts_with('<'))
        };
        let goals = Goals::of(program, options.cover, in_source);
        let count = goals.goals.len();
        let limits =
            craig_exec::Limits { steps: STEPS, budget: budget.clone(), ..craig_exec::Limits::default() };
        let config = cover::Config {
            tests: options.tests.iter().map(|test| adopted(program, test, &limits)).collect(),
            seed: options.seed,
            random_runs: options.random_runs,
            steps: STEPS,
            lazy_annotation: match options.engine {
                Searcher::All => Some(lazy_annotation::Config::new(Learning::Interpolants, false)),
                Searcher::Annotation(config) => Some(config),
                Searcher::Random => None,
            },
            others: match options.engine {
                Searcher::All => schedule::portfolio(program, Effort::Full, options.seed),
                Searcher::Annotation(_) | Searcher::Random => Vec::new(),
            },
            workers: cores(),
        };
        let mut stats = Stats::default();
        let report = cover::cover(program, goals, &config, &budget, &mut stats, &|reached, tests| {
            watch(reached, count, tests);
        });
        let expressions = Expressions::new(program);
        let goals = report.status.enumerated().map(|(id, status)| {
            let goal = &report.goals.goals[id];
            let function = Some(program.procs[goal.proc].name.to_string());
            let location = Location { function, ..report_location(program, goal.span) };
            let way = goal.way().and_then(|edge| match program.procs[goal.proc].edges[edge].stmt {
                Stmt::Assume(condition) => expressions.way(goal.proc, edge, condition),
                _ => None,
            });
            let direction = way.map(|condition| condition.readable().to_string());
            GoalReport { location, status: status.clone(), direction }
        });
        let goals: Vec<GoalReport> = goals.collect();
        let mut assumptions = self.assumptions_of_runs(&report.tests);
        if goals.iter().any(|goal| goal.status == Status::Dead) {
            let more: Vec<_> =
                self.assumptions().into_iter().filter(|it| !assumptions.contains(it)).collect();
            assumptions.extend(more);
        }
        TestReport {
            goals,
            assumptions,
            findings: self.findings(&report.tests, &limits),
            tests: report.tests,
            progress: report.progress,
            stats,
            time: self.time + start.elapsed(),
        }
    }

    /// What goes wrong when the tests are run, each once, in the order of the tests.
    fn findings(&self, tests: &[Test], limits: &craig_exec::Limits) -> Vec<TestFinding> {
        let program = &self.program;
        let mut findings: Vec<TestFinding> = Vec::new();
        for (number, test) in tests.iter().enumerate() {
            let (site, words) = match replay(program, test, limits).outcome {
                Outcome::ReachedError(site) => {
                    let check = program.check_at(site.proc, site.edge);
                    (
                        site,
                        check.map_or("an error is reached".to_string(), |check| {
                            program.checks[check].text.clone()
                        }),
                    )
                }
                Outcome::Undefined(what, site) => (site, what.in_words().to_string()),
                _ => continue,
            };
            let function = Some(program.procs[site.proc].name.to_string());
            let location = Location { function, ..report_location(program, site.span(program)) };
            match findings.iter_mut().find(|known| known.location == location && known.words == words) {
                Some(known) => known.tests.push(number),
                None => findings.push(TestFinding { location, words, tests: vec![number] }),
            }
        }
        findings
    }
}
