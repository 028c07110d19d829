//! An answer for each check of a program.
//!
//! All checks are asked for together: one proof covers them all. Where that does not come, those that a member could
//! have proved without the others ([`Reason::AllBut`]) are asked for alone, or else those that intervals exclude. Of the
//! others, where one fails, its test is kept, the check is left out, and the rest is asked for again; where there is no
//! answer, they are divided, down to single ones. This is done twice: with short questions, and with what is open then as
//! long as there is time. A check that is left out ends the run where it fails (or lets it go on, as its kind says), so
//! `safe` for a check covers the runs that failed no earlier one.

use crate::portfolio::race::Report;
use crate::verdict::Reason;
use crate::verify::{INLINE_LIMIT, Verdict};
use craig_base::{Budget, StopReason};
use craig_exec::{Limits, Outcome, Test, replay};
use craig_program::{Program, inline, simplify};
use std::time::{Duration, Instant};

/// What was found about a program in one round of questions.
pub type Found = Report<Verdict>;

/// What became of the checks of a program, in their order.
pub struct Answers {
    pub checks: Vec<Answer>,
    /// What was found, round by round; the first failure, if there is one, comes first.
    pub rounds: Vec<Found>,
    /// Which checks each round was about.
    pub groups: Vec<Vec<usize>>,
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

/// How hard a question is worth trying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// With those who are quick, and for a short time.
    Short,
    Full,
}

/// Decides the checks by asking about programs in which some of them are left out. First many short questions, as long
/// as they pay: one check that is hard for everybody keeps all others from being proved together with it. After each
/// answer `tell` hears what is known of the checks.
pub fn decide<E>(
    program: &Program,
    until: Until,
    budget: &Budget,
    tell: impl FnMut(&[Option<Answer>]),
    ask: impl FnMut(&Program, Effort, &Budget) -> Result<Found, E>,
) -> Result<Answers, E> {
    let mut decision = Decision {
        program,
        until,
        tell,
        ask,
        start: Instant::now(),
        budget: budget.clone(),
        is_shortened: false,
        checks: vec![None; program.checks.len()],
        rounds: Vec::new(),
        groups: Vec::new(),
    };
    let open = decision.by_short_questions()?;
    if !open.is_empty() || program.checks.is_empty() {
        decision.by_full_questions(open)?;
    }
    let not_asked = || Answer::Unknown(Reason::AnotherFailed);
    Ok(Answers {
        checks: decision.checks.into_iter().map(|answer| answer.unwrap_or_else(not_asked)).collect(),
        rounds: decision.rounds,
        groups: decision.groups,
    })
}

struct Decision<'p, T, F> {
    program: &'p Program,
    until: Until,
    tell: T,
    ask: F,
    start: Instant,
    budget: Budget,
    /// A check has failed, and the others get less time.
    is_shortened: bool,
    checks: Vec<Option<Answer>>,
    rounds: Vec<Found>,
    groups: Vec<Vec<usize>>,
}

/// What a question about a group of checks was good for.
enum Came {
    Proof,
    /// This one fails; the others are open still.
    Failure {
        failed: usize,
    },
    /// That is all that was asked for.
    End,
    Nothing(Reason),
}

impl<E, T, F> Decision<'_, T, F>
where
    T: FnMut(&[Option<Answer>]),
    F: FnMut(&Program, Effort, &Budget) -> Result<Found, E>,
{
    /// Asks for all checks together, then for halves of what is open, each time for a short time. Returns the checks that
    /// are open still.
    fn by_short_questions(&mut self) -> Result<Vec<usize>, E> {
        let all: Vec<usize> = (0..self.program.checks.len()).collect();
        if all.len() < 2 {
            return Ok(all);
        }
        let (one, all_together) =
            self.budget.remaining().map_or((SHORT, SHORT * 16), |left| (left / 20, left / 4));
        // A member that can tell which of many checks it proves is worth waiting for.
        let of_many = one * 2;
        let mut together = self.budget.clone().with_timeout(all_together);
        let patience = all.len().ilog2() + 3;
        let (mut open, mut groups, mut failures) = (Vec::new(), vec![all], 0);
        while let Some(mut group) = groups.pop() {
            if together.check().is_err() || failures > patience {
                open.append(&mut group);
                continue;
            }
            let is_first = group.len() == self.program.checks.len();
            let slice = together.clone().with_timeout(if group.len() < MANY { one } else { of_many });
            let came = self.question(&group, Effort::Short, &slice)?;
            let mut easy = match &came {
                Came::Nothing(_) if group.len() > 1 => self.proved_without_others(&group),
                _ => Vec::new(),
            };
            if is_first && easy.is_empty() && matches!(came, Came::Failure { .. } | Came::Nothing(_)) {
                easy = excluded(self.program, &group, &self.budget);
            }
            group.retain(|check| !easy.contains(check));
            match came {
                Came::Proof => failures = 0,
                Came::Failure { failed } => {
                    failures = 0;
                    group.retain(|&check| check != failed);
                    groups.push(group);
                    // The verdict is known, and all the rest gets little time.
                    together = self.budget.clone();
                }
                Came::End => return Ok(Vec::new()),
                Came::Nothing(_) => {
                    failures += 1;
                    if group.len() == 1 {
                        open.append(&mut group);
                    } else {
                        let second = group.split_off(group.len() / 2);
                        groups.extend([second, group]);
                    }
                }
            }
            groups.push(easy);
            groups.retain(|group| !group.is_empty());
        }
        open.sort_unstable();
        Ok(open)
    }

    /// Asks for the checks together, and for halves where there is no answer, as long as there is time.
    fn by_full_questions(&mut self, open: Vec<usize>) -> Result<(), E> {
        let mut groups = vec![open];
        while let Some(mut group) = groups.pop() {
            let slice = share_of_time(&self.budget, self.until, groups.len(), group.len());
            match self.question(&group, Effort::Full, &slice)? {
                Came::Proof => {}
                Came::Failure { failed } => {
                    group.retain(|&check| check != failed);
                    groups.push(group);
                }
                Came::End => return Ok(()),
                Came::Nothing(reason) => {
                    let left = self.budget.remaining();
                    let has_time = self.budget.check().is_ok() && left.is_none_or(|left| left > SHORTEST);
                    if group.len() > 1 && has_time {
                        let easy = self.proved_without_others(&group);
                        group.retain(|check| !easy.contains(check));
                        let second = group.split_off(group.len() / 2);
                        groups.extend([second, group, easy]);
                    } else {
                        let is_cut =
                            self.is_shortened && matches!(reason, Reason::Stopped(StopReason::Timeout));
                        let reason = if is_cut { Reason::AnotherFailed } else { reason };
                        for check in group.drain(..) {
                            self.checks[check] = Some(Answer::Unknown(reason.clone()));
                        }
                    }
                }
            }
            groups.retain(|group| !group.is_empty());
        }
        Ok(())
    }

    /// Asks for a group of checks, and keeps the answer.
    fn question(&mut self, group: &[usize], effort: Effort, budget: &Budget) -> Result<Came, E> {
        let alone = self.program.with_checks(group);
        let found = (self.ask)(&alone, effort, budget)?;
        let came = match &found.answer {
            Verdict::Safe(_) => {
                group.iter().for_each(|&check| self.checks[check] = Some(Answer::Safe));
                (self.tell)(&self.checks);
                Came::Proof
            }
            Verdict::Unknown(reason) => Came::Nothing(reason.clone()),
            Verdict::Unsafe(test) => {
                let failed = failed_check(&alone, test);
                if let Some(failed) = failed {
                    self.checks[failed] = Some(Answer::Unsafe(test.clone()));
                    (self.tell)(&self.checks);
                }
                if !self.is_shortened {
                    self.is_shortened = true;
                    self.budget = after_a_failure(&self.budget, self.start.elapsed());
                    self.rounds.insert(0, found);
                    self.groups.insert(0, group.to_vec());
                } else {
                    self.keep(group, found);
                }
                return Ok(match failed {
                    Some(failed) if self.until == Until::AllAreDecided => Came::Failure { failed },
                    _ => Came::End,
                });
            }
        };
        self.keep(group, found);
        Ok(came)
    }

    /// The checks of the last question that a member would have proved, had the others not been asked for.
    fn proved_without_others(&self, group: &[usize]) -> Vec<usize> {
        let fates = self.rounds.last().into_iter().flat_map(|round| &round.fates);
        let open = fates.filter_map(|fate| match &fate.answer {
            Err(Reason::AllBut(open)) => Some(open),
            _ => None,
        });
        let fewest = open.min_by_key(|open| open.len());
        let proved =
            |open: &Vec<usize>| group.iter().copied().filter(|check| !open.contains(check)).collect();
        fewest.map(proved).unwrap_or_default()
    }

    fn keep(&mut self, group: &[usize], found: Found) {
        self.rounds.push(found);
        self.groups.push(group.to_vec());
    }
}

/// So many checks are many.
const MANY: usize = 10;

/// How long a short question is where nothing is limited.
const SHORT: Duration = Duration::from_secs(2);

/// With less time than this no member finds anything.
const SHORTEST: Duration = Duration::from_millis(200);

/// The checks that cannot fail as far as intervals tell.
fn excluded(program: &Program, checks: &[usize], budget: &Budget) -> Vec<usize> {
    let Ok(inlined) = inline(program, INLINE_LIMIT) else { return Vec::new() };
    let Ok(simplified) = simplify(&inlined.program, budget) else { return Vec::new() };
    let edges = &simplified.program.procs[simplified.program.entry].edges;
    let mut failing = inlined.failing_edges(program);
    failing.retain(|_, failing| failing.iter().any(|&edge| !simplified.program.is_closed(&edges[edge].stmt)));
    checks.iter().copied().filter(|check| !failing.contains_key(check)).collect()
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
    let more = taken * 4 + Duration::from_secs(3);
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
