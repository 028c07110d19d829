//! An answer for each check of a program.
//!
//! All checks are asked for together: one proof covers them all. Where one fails, its test is kept, the check is
//! left out, and the rest is asked for again; where there is no answer, the checks that intervals exclude are asked
//! for alone, and the others are divided, down to single ones, as long as there is time. A check that is left out ends
//! the run where it fails (or lets it go on, as its kind says), so `safe` for a check covers the runs that failed no
//! earlier one.

use crate::portfolio::race::Report;
use crate::verdict::Reason;
use crate::verify::{INLINE_LIMIT, Verdict};
use craig_base::{Budget, Set, StopReason};
use craig_exec::{Limits, Outcome, Test, replay};
use craig_program::{EdgeId, ProcId, Program, inline, simplify};
use std::time::{Duration, Instant};

/// What was found about a program in one round of questions.
pub type Found = Report<Verdict>;

/// What became of the checks of a program, in their order.
pub struct Answers {
    pub checks: Vec<Answer>,
    /// What was found, round by round; the first failure, if there is one, comes first.
    pub rounds: Vec<Found>,
}

#[derive(Clone, Debug)]
pub enum Answer {
    Safe,
    Unsafe(Test),
    Unknown(Reason),
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Every check has its own answer.
    AllAreDecided,
    /// One check fails: the verdict is known then.
    OneFails,
}

/// Decides the checks by asking about programs in which some of them are left out.
pub fn decide<E>(
    program: &Program,
    until: Until,
    budget: &Budget,
    mut ask: impl FnMut(&Program, &Budget) -> Result<Found, E>,
) -> Result<Answers, E> {
    let start = Instant::now();
    let mut checks: Vec<Option<Answer>> = vec![None; program.checks.len()];
    let mut rounds: Vec<Found> = Vec::new();
    let mut budget = budget.clone();
    let mut is_shortened = false;
    let mut groups = vec![(0..program.checks.len()).collect::<Vec<usize>>()];
    while let Some(mut group) = groups.pop() {
        let alone = restricted_to(program, &group);
        let found = ask(&alone, &share_of_time(&budget, until, groups.len(), group.len()))?;
        match &found.answer {
            Verdict::Safe(_) => group.iter().for_each(|&check| checks[check] = Some(Answer::Safe)),
            Verdict::Unsafe(test) => {
                let failed = failed_check(&alone, test);
                if let Some(failed) = failed {
                    checks[failed] = Some(Answer::Unsafe(test.clone()));
                }
                let is_first = !rounds.iter().any(|round| matches!(round.answer, Verdict::Unsafe(_)));
                if is_first {
                    is_shortened = true;
                    budget = after_a_failure(&budget, start.elapsed());
                    rounds.insert(0, found);
                } else {
                    rounds.push(found);
                }
                if until == Until::OneFails || failed.is_none() {
                    break;
                }
                group.retain(|&check| Some(check) != failed);
                if !group.is_empty() {
                    groups.push(group);
                }
                continue;
            }
            Verdict::Unknown(reason) => {
                let has_time =
                    budget.check().is_ok() && budget.remaining().is_none_or(|left| left > SHORTEST);
                if group.len() > 1 && has_time {
                    let easy = if rounds.is_empty() { excluded(&alone, &group, &budget) } else { Vec::new() };
                    group.retain(|check| !easy.contains(check));
                    let second = group.split_off(group.len() / 2);
                    groups.extend([second, group, easy].into_iter().filter(|part| !part.is_empty()));
                } else {
                    let is_cut = is_shortened && matches!(reason, Reason::Stopped(StopReason::Timeout));
                    let reason = if is_cut { Reason::AnotherFailed } else { reason.clone() };
                    group.iter().for_each(|&check| checks[check] = Some(Answer::Unknown(reason.clone())));
                }
            }
        }
        rounds.push(found);
    }
    let not_asked = || Answer::Unknown(Reason::AnotherFailed);
    Ok(Answers {
        checks: checks.into_iter().map(|answer| answer.unwrap_or_else(not_asked)).collect(),
        rounds,
    })
}

/// With less time than this nobody finds anything.
const SHORTEST: Duration = Duration::from_millis(200);

/// The checks that cannot fail as far as intervals tell.
fn excluded(program: &Program, checks: &[usize], budget: &Budget) -> Vec<usize> {
    let Ok(inlined) = inline(program, INLINE_LIMIT) else { return Vec::new() };
    let Ok(simplified) = simplify(&inlined.program, budget) else { return Vec::new() };
    let mut open: Set<(ProcId, EdgeId)> = Set::default();
    for (edge, origin) in inlined.edges.enumerated() {
        if !simplified.program.is_closed(&simplified.program.procs[simplified.program.entry].edges[edge].stmt)
        {
            open.insert((inlined.contexts[origin.context].proc, origin.edge));
        }
    }
    let fails = |&check: &usize| open.contains(&(program.checks[check].proc, program.checks[check].edge));
    checks.iter().copied().filter(|check| !fails(check)).collect()
}

/// The program in which only these checks fail.
fn restricted_to(program: &Program, checks: &[usize]) -> Program {
    let mut restricted = program.clone();
    let mut kept = vec![false; program.checks.len()];
    checks.iter().for_each(|&check| kept[check] = true);
    for check in (0..kept.len()).filter(|&check| !kept[check]) {
        restricted.without_check(check);
    }
    restricted
}

/// A group that can be divided leaves time for its parts, and all leave time for those that wait.
fn share_of_time(budget: &Budget, until: Until, waiting: usize, checks: usize) -> Budget {
    let Some(left) = budget.remaining() else { return budget.clone() };
    let parts = waiting as u32 + 1;
    match (until, checks) {
        (Until::AllAreDecided, 2..) => budget.clone().with_timeout(left * 2 / (3 * parts)),
        _ if parts > 1 => budget.clone().with_timeout(left / parts),
        _ => budget.clone(),
    }
}

/// The verdict is known: the other checks may take as long again as the first failure took, a few times over.
fn after_a_failure(budget: &Budget, taken: Duration) -> Budget {
    let more = taken * 4 + Duration::from_secs(1);
    match budget.remaining() {
        Some(left) => budget.clone().with_timeout(more.min(left / 2)),
        None => budget.clone().with_timeout(more),
    }
}

/// The check that a failing run breaks.
fn failed_check(program: &Program, test: &Test) -> Option<usize> {
    match replay(program, test, &Limits::default()).outcome {
        Outcome::ReachedError(site) => program.check_at(site.proc, site.edge),
        _ => None,
    }
}
