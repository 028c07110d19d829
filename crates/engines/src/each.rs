//! An answer for each check of a program.
//!
//! All checks are asked for together: one proof covers them all. Where one fails, its test is kept, the check is
//! left out, and the rest is asked for again; where there is no answer, the checks are divided and each half is
//! asked for alone, down to single ones, as long as there is time. A check that is left out ends the run where it
//! fails (or lets it go on, as its kind says), so `safe` for a check covers the runs that failed no earlier one.

use crate::verdict::Reason;
use crate::verify::Verdict;
use craig_base::Budget;
use craig_exec::{Limits, Outcome, Test, replay};
use craig_program::Program;
use std::time::Duration;

/// What became of the checks of a program, in their order.
pub struct Answers<F> {
    pub checks: Vec<Answer>,
    /// What was found in each round that gave an answer.
    pub rounds: Vec<F>,
}

#[derive(Clone, Debug)]
pub enum Answer {
    /// By the proof that was found in this round.
    Safe { round: usize },
    /// By the test that was found in this round.
    Unsafe { round: usize, test: Test },
    Unknown(Reason),
}

/// Something that was found about a program.
pub trait Found {
    fn verdict(&self) -> &Verdict;
}

/// Checks that are still to be asked for together.
struct Group {
    checks: Vec<usize>,
}

/// Decides all checks by asking about programs in which some of them are left out.
pub fn decide<F: Found, E>(
    program: &Program,
    budget: &Budget,
    mut ask: impl FnMut(&Program, &Budget) -> Result<F, E>,
) -> Result<Answers<F>, E> {
    let mut checks: Vec<Option<Answer>> = vec![None; program.checks.len()];
    let mut rounds = Vec::new();
    let mut groups = vec![Group { checks: (0..program.checks.len()).collect() }];
    while let Some(mut group) = groups.pop() {
        if group.checks.is_empty() {
            continue;
        }
        let alone = restricted_to(program, &group.checks);
        let share = share_of_time(budget, groups.len(), group.checks.len());
        let found = ask(&alone, &share.map_or_else(|| budget.clone(), |time| budget.clone().with_timeout(time)))?;
        let round = rounds.len();
        match found.verdict() {
            Verdict::Safe(_) => {
                for check in group.checks {
                    checks[check] = Some(Answer::Safe { round });
                }
            }
            Verdict::Unsafe(test) => {
                let test = test.clone();
                let Some(failed) = failed_check(&alone, &test, budget) else {
                    let why = "the failing run breaks no check that is known".to_string();
                    group.checks.iter().for_each(|&check| {
                        checks[check] = Some(Answer::Unknown(Reason::Internal(why.clone())));
                    });
                    continue;
                };
                checks[failed] = Some(Answer::Unsafe { round, test });
                group.checks.retain(|&check| check != failed);
                groups.push(group);
            }
            Verdict::Unknown(reason) => {
                if group.checks.len() == 1 || budget.check().is_err() {
                    for check in group.checks {
                        checks[check] = Some(Answer::Unknown(reason.clone()));
                    }
                } else {
                    let second = group.checks.split_off(group.checks.len() / 2);
                    groups.push(Group { checks: second });
                    groups.push(group);
                }
                continue;
            }
        }
        rounds.push(found);
    }
    let unanswered = || Answer::Unknown(Reason::Internal("the check was not asked for".to_string()));
    Ok(Answers { checks: checks.into_iter().map(|answer| answer.unwrap_or_else(unanswered)).collect(), rounds })
}

/// The program in which only these checks fail.
fn restricted_to(program: &Program, checks: &[usize]) -> Program {
    let mut restricted = program.clone();
    for check in (0..program.checks.len()).filter(|check| !checks.contains(check)) {
        restricted.without_check(check);
    }
    restricted
}

/// Half of the time that is left for a group that can be divided, when others wait as well their part of it.
fn share_of_time(budget: &Budget, waiting: usize, checks: usize) -> Option<Duration> {
    let left = budget.time_left()?;
    if waiting == 0 && checks == 1 {
        return None;
    }
    let parts = waiting as u32 + 1;
    Some(if checks > 1 { left * 2 / (3 * parts) } else { left / parts })
}

/// The check that a failing run breaks.
fn failed_check(program: &Program, test: &Test, budget: &Budget) -> Option<usize> {
    let limits = Limits { budget: budget.clone(), ..Limits::default() };
    match replay(program, test, &limits).outcome {
        Outcome::ReachedError(site) => program.check_at(site.proc, site.edge),
        _ => None,
    }
}
