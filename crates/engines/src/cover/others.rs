//! Other engines: a portfolio that is asked for any of the goals that are open.
//!
//! The error of the instrumented program is then the union of these goals. An answer `unsafe` is a test for one of
//! them at least, and the question is asked again for the rest; `safe` is one checked proof for all.

use super::{Covering, GoalId, Status};
use crate::portfolio;
use crate::portfolio::sharing::Shared;
use crate::verdict::Reason;
use crate::verify::Verdict;
use craig_base::{Budget, Set, Stats};
use craig_exec::{Detail, Executable, Input, ListOracle, Source, Test};
use craig_program::Program;
use std::time::{Duration, Instant};

/// What share of the time that is left, in per cent, a question about a single goal may take.
const GOAL_SHARE: u32 = 10;
/// How long lazy annotation may at first go without a new goal, and what part of the whole time, in per cent, if
/// that is less.
const WAIT: Duration = Duration::from_secs(1);
const WAIT_SHARE: u32 = 10;

/// How long nothing new was reached, and how long that is fine.
pub(super) struct Patience {
    since: Instant,
    wait: Duration,
}

impl Patience {
    pub fn of(budget: &Budget) -> Self {
        let wait = budget.remaining().map_or(WAIT, |remaining| WAIT.min(remaining * WAIT_SHARE / 100));
        Patience { since: Instant::now(), wait }
    }

    /// Something new was reached.
    pub fn begin(&mut self) {
        self.since = Instant::now();
    }
}

impl Covering<'_> {
    /// For a search that goes on: if it has not reached anything for long, others are asked for the goals that it
    /// may still decide, for as long as it has tried; after that it may try twice as long. Says whether goals were
    /// decided.
    pub(super) fn consult(&mut self, given_up: &Set<GoalId>, stats: &mut Stats) -> bool {
        if self.config.others.is_empty() || self.patience.since.elapsed() < self.patience.wait {
            return false;
        }
        let mut decided = false;
        loop {
            let open: Vec<GoalId> = self.open_goals().filter(|goal| !given_up.contains(goal)).collect();
            let budget = self.budget.clone().with_timeout(self.patience.wait);
            if open.is_empty() || self.ask(&open, &budget, stats).is_err() {
                self.patience.wait *= 2;
                self.patience.begin();
                return decided;
            }
            decided = true;
        }
    }

    /// Asks for any of the open goals until there is none, or no answer; then for one after another, since
    /// one that cannot be decided hides the others.
    pub(super) fn ask_others(&mut self, stats: &mut Stats) -> Option<Reason> {
        let mut why = loop {
            let open: Vec<GoalId> = self.open_goals().collect();
            if open.is_empty() {
                return None;
            }
            if let Err(reason) = self.ask(&open, self.budget, stats) {
                break reason;
            }
        };
        for goal in self.open_goals().collect::<Vec<_>>() {
            if self.is_open(goal) && self.budget.check().is_ok() {
                let budget = self.part_of_time(GOAL_SHARE);
                if let Err(reason) = self.ask(&[goal], &budget, stats) {
                    why = reason;
                }
            }
        }
        self.open_goals().next().map(|_| why)
    }

    /// Asks for any of the goals. Then at least one is reached, or all are dead, or it is unknown.
    fn ask(&mut self, goals: &[GoalId], budget: &Budget, stats: &mut Stats) -> Result<(), Reason> {
        let program = self.report.goals.ending_at(self.program, goals);
        stats.add("questions to other engines", 1);
        let (others, workers) = (&self.config.others, self.config.workers);
        let report = portfolio::run(&program, others, workers, &Shared::default(), budget)
            .map_err(|contradiction| Reason::Internal(contradiction.to_string()))?;
        match report.answer {
            Verdict::Safe(_) => {
                goals.iter().for_each(|&goal| self.report.status[goal] = Status::Dead);
                Ok(())
            }
            Verdict::Unsafe(test) => match self.try_inputs(&test.values()).is_empty() {
                true => Err(Reason::NotReplayed("the test reaches no goal".to_string())),
                false => Ok(()),
            },
            Verdict::Unknown(reason) => Err(reason),
        }
    }

    /// The inputs of a test of the instrumented program that the program asks for as well.
    pub(super) fn without_guards(&self, instrumented: &Program, test: &Test) -> Vec<i128> {
        let values = test.values();
        let executable = Executable::new(instrumented, Detail::Outcome);
        let run = executable.run(&mut ListOracle::new(&values), &self.limits());
        let asked = |input: &&Input| {
            let site = input.at.site;
            let inserted = site.edge.0 as usize >= self.program.procs[site.proc].edges.len();
            !(inserted && input.at.source == Source::Statement)
        };
        run.inputs.iter().filter(asked).map(|input| input.value).collect()
    }
}
