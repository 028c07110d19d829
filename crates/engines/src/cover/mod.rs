//! Tests for all that can be reached, and proofs that the rest cannot.
//!
//! Every goal becomes an error location of an instrumented program ([`goals`]). Goals are reached by
//! random runs first; then by lazy annotation ([`annotate`]), which goes on after each goal and in the end proves
//! that no remaining one can be reached. When it has not reached anything new for a while, other engines are
//! asked for any of the remaining goals ([`others`]): what is left then is mostly dead, and they may have
//! the better proof. What is open when lazy annotation has used its time is looked for by concolic runs
//! ([`concolic`]), and asked for once more, in the end goal by goal. Each test is replayed on the program as it was, and
//! counts for all goals that it passes; what is left when an engine answers `safe` is dead, by an
//! invariant that the common checker has accepted for exactly these goals.

mod annotate;
mod concolic;
mod goals;
mod others;

#[cfg(test)]
mod tests;

pub use goals::{Criterion, Goal, GoalId, Goals};

use crate::portfolio::race::Member;
use crate::search::lazy_annotation;
use crate::search::random::seed_of_run;
use crate::verdict::Reason;
use crate::verify::Engine;
use craig_base::{Budget, IndexVec, Stats, StopReason};
use craig_exec::{
    Coverage, Detail, Executable, InputSite, Limits, Observer, Outcome, RandomOracle, Run, Site, StateView,
    Test,
};
use craig_program::Program;
use others::Patience;

/// What share of the time, in per cent, lazy annotation may use if there are other engines.
const ANNOTATION_SHARE: u32 = 60;
/// What share of the time that lazy annotation leaves, in per cent, goes to concolic runs.
const CONCOLIC_SHARE: u32 = 30;

#[derive(Clone, Debug)]
pub struct Config {
    /// Tests that come first.
    pub tests: Vec<Test>,
    /// Of the random runs.
    pub seed: u64,
    pub random_runs: u64,
    /// How many statements one run may execute.
    pub steps: u64,
    /// Without it, there are only random runs.
    pub lazy_annotation: Option<lazy_annotation::Config>,
    /// The engines that are asked for what lazy annotation has not decided. Without any, there is lazy
    /// annotation alone.
    pub others: Vec<Member<Engine>>,
    /// How many of them work at the same time.
    pub workers: usize,
}

/// What is known of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// By the test with this number.
    Covered(usize),
    /// Proved unreachable.
    Dead,
    Open(String),
}

/// A point on the way: after so many backtracks and complete paths, so many goals were reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub backtracks: u64,
    pub paths: u64,
    pub covered: usize,
}

pub struct Report {
    pub goals: Goals,
    pub status: IndexVec<GoalId, Status>,
    pub tests: Vec<Test>,
    /// How lazy annotation went on.
    pub progress: Vec<Progress>,
}

/// Covers the goals, or proves them dead, as far as the budget allows. Whenever more are reached, `watch`
/// is told how many, and gets the tests so far, of which the last is new.
pub fn cover(
    program: &Program,
    goals: Goals,
    config: &Config,
    budget: &Budget,
    stats: &mut Stats,
    watch: &dyn Fn(usize, &[Test]),
) -> Report {
    let undecided = Status::Open("not tried".to_string());
    let status = IndexVec::from_elem(undecided, goals.goals.len());
    let report = Report { goals, status, tests: Vec::new(), progress: Vec::new() };
    let mut covering = Covering {
        program,
        executable: Executable::new(program, Detail::Edges),
        config,
        budget,
        watch,
        report,
        patience: Patience::of(budget),
    };
    for test in &config.tests {
        if budget.check().is_err() {
            break;
        }
        stats.add("given tests", 1);
        covering.try_inputs(&test.values());
    }
    covering.random_runs(stats);
    let Some(search) = config.lazy_annotation else { return covering.report };
    if let Some(why) = covering.annotate(search, stats) {
        covering.leave_open(&why);
        if config.others.is_empty() {
            return covering.report;
        }
        covering.explore(&covering.part_of_time(CONCOLIC_SHARE), stats);
        if let Some(why) = covering.ask_others(stats) {
            covering.leave_open(&why);
        }
    }
    // Parts of the time end in other words.
    if let Err(reason @ StopReason::Cancelled) = budget.check() {
        covering.leave_open(&reason.into());
    }
    covering.report
}

struct Covering<'a> {
    program: &'a Program,
    executable: Executable<'a>,
    config: &'a Config,
    budget: &'a Budget,
    watch: &'a dyn Fn(usize, &[Test]),
    report: Report,
    patience: Patience,
}

impl Covering<'_> {
    fn limits(&self) -> Limits {
        Limits { steps: self.config.steps, budget: self.budget.clone(), ..Limits::default() }
    }

    fn is_open(&self, goal: GoalId) -> bool {
        matches!(self.report.status[goal], Status::Open(_))
    }

    fn open_goals(&self) -> impl Iterator<Item = GoalId> {
        self.report.status.indices().filter(|&goal| self.is_open(goal))
    }

    fn covered(&self) -> usize {
        self.report.status.iter().filter(|status| matches!(status, Status::Covered(_))).count()
    }

    fn leave_open(&mut self, why: &Reason) {
        for status in self.report.status.iter_mut().filter(|status| matches!(status, Status::Open(_))) {
            *status = Status::Open(why.to_string());
        }
    }

    fn note_progress(&mut self, stats: &Stats) {
        let (backtracks, paths) = (stats.count("backtracks"), stats.count(lazy_annotation::COMPLETE_PATHS));
        self.report.progress.push(Progress { backtracks, paths, covered: self.covered() });
    }

    fn random_runs(&mut self, stats: &mut Stats) {
        let limits = self.limits();
        let mut coverage = Coverage::new(self.program);
        let mut oracle = RandomOracle::new(self.program, 0);
        for number in 0..self.config.random_runs {
            if self.budget.check().is_err() || self.open_goals().next().is_none() {
                return;
            }
            stats.add("random runs", 1);
            let mut growing = Growing { coverage: &mut coverage, grew: false };
            oracle.reseed(seed_of_run(self.config.seed, self.config.random_runs, number));
            let run = self.executable.observe(&mut oracle, &limits, &mut growing);
            if growing.grew {
                self.take(&run, &coverage);
            }
        }
    }

    /// Keeps the test of a run that reached something new; says what.
    fn take(&mut self, run: &Run, coverage: &Coverage) -> Vec<GoalId> {
        let reached: Vec<GoalId> = self.report.goals.reached(self.program, coverage).collect();
        let new: Vec<GoalId> = reached.into_iter().filter(|&goal| self.is_open(goal)).collect();
        if !new.is_empty() {
            for &goal in &new {
                self.report.status[goal] = Status::Covered(self.report.tests.len());
            }
            self.report.tests.push(run.test(self.program));
            self.patience.begin();
            (self.watch)(self.covered(), &self.report.tests);
        }
        new
    }

    /// Runs the program with these inputs, and zeros after them; a run that would not end that way
    /// ends with the inputs.
    fn try_inputs(&mut self, values: &[i128]) -> Vec<GoalId> {
        for after in [Some(0), None] {
            let mut left = values.iter().copied();
            let mut oracle = |_: &InputSite| left.next().or(after);
            let mut coverage = Coverage::new(self.program);
            let run = self.executable.observe(&mut oracle, &self.limits(), &mut coverage);
            if after.is_none() || !matches!(run.outcome, Outcome::StepLimit) {
                return self.take(&run, &coverage);
            }
        }
        Vec::new()
    }

    /// A part, in per cent, of the time that is left.
    fn part_of_time(&self, share: u32) -> Budget {
        match self.budget.remaining() {
            Some(remaining) => self.budget.clone().with_timeout(remaining * share / 100),
            None => self.budget.clone(),
        }
    }
}

/// The coverage of many runs, and whether the last one added to it.
struct Growing<'c> {
    coverage: &'c mut Coverage,
    grew: bool,
}

impl Observer for Growing<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        if !self.coverage.covers(site) {
            self.grew = true;
            self.coverage.edge(site, state);
        }
    }
}
