//! Several engines on one question: the first certified answer wins, the others stop at once.
//!
//! Members and answers are data, so that programs and Horn clauses have the same race. Each worker takes the next
//! member when it is free, so with fewer workers than members the order is a schedule; a member's `share` bounds
//! the part of the remaining time that it may use. A member may be there twice, with more time later; one that has said that it
//! finds nothing, however long it looks, is not asked again. Two certified answers that contradict each other are a defect
//! of Craig and are reported as such, never voted on.

use crate::verdict::Reason;
use craig_base::{Budget, CancelToken, Stats, StopReason};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a listener hears first of a member.
pub const BEGINS: &str = "begins";

/// Who takes part.
#[derive(Clone, Copy, Debug)]
pub struct Member<E> {
    pub name: &'static str,
    pub engine: E,
    /// The part of the remaining time that this member may use, in per cent.
    pub share: u32,
}

/// What a member says in the end.
pub trait Answer: Sized + Send {
    /// The word for the answer, such as `safe`, or why there is none. Different words exclude each other.
    fn word(&self) -> Result<&'static str, &Reason>;

    fn unknown(reason: Reason) -> Self;
}

/// What became of a member.
#[derive(Clone, Debug)]
pub struct Fate {
    pub name: &'static str,
    /// The word for its answer, or why there is none.
    pub answer: Result<&'static str, Reason>,
    pub time: Duration,
    pub stats: Stats,
}

/// What became of the question.
pub struct Report<A> {
    pub answer: A,
    /// The member that answered.
    pub winner: Option<&'static str>,
    /// In the order in which the members started.
    pub fates: Vec<Fate>,
}

/// Two members gave certified answers that exclude each other: each with its name and its word.
#[derive(Debug)]
pub struct Contradiction(pub [(&'static str, &'static str); 2]);

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradiction([(one, its_word), (other, word)]) = self;
        write!(f, "{one} says {its_word} and {other} says {word}, both with accepted certificates")
    }
}

struct Track<'m, E, A> {
    waiting: std::iter::Enumerate<std::slice::Iter<'m, Member<E>>>,
    finished: Vec<(usize, Fate, A)>,
}

impl<'m, E, A> Track<'m, E, A> {
    /// The next member that may find something.
    fn next(&mut self) -> Option<(usize, &'m Member<E>)> {
        let Track { waiting, finished } = self;
        let gave_up = |fate: &Fate| matches!(fate.answer, Err(Reason::NoCandidate | Reason::RunsEnded));
        waiting.find(|(_, member)| {
            !finished.iter().any(|(_, fate, _)| fate.name == member.name && gave_up(fate))
        })
    }
}

/// Runs the members on `workers` threads. `ask` runs one of them, within its own budget.
pub fn race<E: Sync, A: Answer>(
    members: &[Member<E>],
    workers: usize,
    budget: &Budget,
    ask: impl Fn(&E, &Budget, &mut Stats) -> A + Sync,
) -> Result<Report<A>, Contradiction> {
    let answered = CancelToken::default();
    let track = Mutex::new(Track { waiting: members.iter().enumerate(), finished: Vec::new() });
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, members.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let next = lock(&track).next();
                    let Some((order, member)) = next else { return };
                    if answered.is_cancelled() || budget.check().is_err() {
                        return;
                    }
                    let (fate, answer) = run(member, &answered, budget, &ask);
                    lock(&track).finished.push((order, fate, answer));
                }
            });
        }
    });
    decide(track.into_inner().unwrap_or_else(PoisonError::into_inner).finished)
}

fn lock<'t, 'm, E, A>(track: &'t Mutex<Track<'m, E, A>>) -> MutexGuard<'t, Track<'m, E, A>> {
    track.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs one member; if it has an answer, the others are told to stop.
fn run<E, A: Answer>(
    member: &Member<E>,
    answered: &CancelToken,
    budget: &Budget,
    ask: impl Fn(&E, &Budget, &mut Stats) -> A,
) -> (Fate, A) {
    let mut own = budget.with_cancel(answered.clone());
    if let Some(remaining) = budget.remaining() {
        own = own.with_timeout(remaining * member.share / 100);
    }
    let start = Instant::now();
    let mut stats = match budget.listener() {
        Some(listener) => {
            (listener.0)(member.name, BEGINS, 0);
            Stats::heard_by(listener.clone(), member.name)
        }
        None => Stats::default(),
    };
    // A member that breaks must not take the answers of the others with it.
    let attempt = AssertUnwindSafe(|| ask(&member.engine, &own, &mut stats));
    let answer = catch_unwind(attempt).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic");
        A::unknown(Reason::internal(message))
    });
    let word = answer.word().map_err(Reason::clone);
    if word.is_ok() {
        answered.cancel();
    }
    (Fate { name: member.name, answer: word, time: start.elapsed(), stats }, answer)
}

/// The one answer of all members, given in the order in which they finished.
fn decide<A: Answer>(mut finished: Vec<(usize, Fate, A)>) -> Result<Report<A>, Contradiction> {
    let mut said = finished.iter().filter_map(|(_, fate, _)| Some((fate.name, *fate.answer.as_ref().ok()?)));
    let first = said.next();
    if let Some((name, word)) = first
        && let Some(other) = said.find(|&(_, other)| other != word)
    {
        return Err(Contradiction([(name, word), other]));
    }
    let winner = first.map(|(name, _)| name);
    let chosen = match winner {
        Some(_) => finished.iter().position(|(_, fate, _)| fate.answer.is_ok()),
        None => {
            let ranks = finished.iter().enumerate().filter_map(|(position, (order, fate, _))| {
                Some((fate.answer.as_ref().err()?.rank(), *order, position))
            });
            ranks.min().map(|(_, _, position)| position)
        }
    };
    let answer = chosen.map(|position| finished.remove(position));
    let Some((order, fate, answer)) = answer else {
        // No member has even started: there was no time left.
        let answer = A::unknown(Reason::Stopped(StopReason::Timeout));
        return Ok(Report { answer, winner: None, fates: Vec::new() });
    };
    let others = finished.into_iter().map(|(order, fate, _)| (order, fate));
    let mut fates: Vec<(usize, Fate)> = others.chain([(order, fate)]).collect();
    fates.sort_by_key(|&(order, _)| order);
    Ok(Report { answer, winner, fates: fates.into_iter().map(|(_, fate)| fate).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Answer for Result<&'static str, Reason> {
        fn word(&self) -> Result<&'static str, &Reason> {
            self.as_ref().copied()
        }

        fn unknown(reason: Reason) -> Self {
            Err(reason)
        }
    }

    type Said = Result<&'static str, Reason>;

    fn ask(members: &[(&'static str, Said)]) -> Result<Report<Said>, Contradiction> {
        let fate = |name, said: &Said| Fate {
            name,
            answer: said.clone(),
            time: Duration::ZERO,
            stats: Stats::default(),
        };
        decide(
            members
                .iter()
                .enumerate()
                .map(|(order, (name, said))| (order, fate(*name, said), said.clone()))
                .collect(),
        )
    }

    const STOPPED: Said = Err(Reason::Stopped(StopReason::Timeout));

    #[test]
    fn contradictory_answers_are_no_answer() {
        let said = ask(&[("first", STOPPED), ("second", Ok("unsafe")), ("third", Ok("safe"))]);
        let Contradiction(words) = said.err().expect("a contradiction");
        assert_eq!(words, [("second", "unsafe"), ("third", "safe")]);
        assert!(ask(&[("first", Ok("safe")), ("second", Ok("safe"))]).is_ok());
    }

    #[test]
    fn one_answer_is_the_answer_and_a_defect_is_the_reason() {
        let report =
            ask(&[("first", STOPPED), ("second", Ok("safe")), ("third", STOPPED)]).expect("an answer");
        assert_eq!((report.winner, report.answer), (Some("second"), Ok("safe")));
        assert_eq!(
            report.fates.iter().map(|fate| fate.name).collect::<Vec<_>>(),
            ["first", "second", "third"]
        );
        let broken = Err(Reason::Rejected("l1".to_string()));
        let report = ask(&[("first", STOPPED), ("second", broken.clone())]).expect("no contradiction");
        assert_eq!((report.winner, report.answer), (None, broken));
    }

    #[test]
    fn a_member_that_finds_nothing_is_not_asked_again() {
        let member = |name, said: Said| Member { name, engine: said, share: 100 };
        let members = [
            member("guesses", Err(Reason::NoCandidate)),
            member("runs", STOPPED),
            member("guesses", Ok("safe")),
            member("runs", Ok("unsafe")),
        ];
        let report = race(&members, 1, &Budget::unlimited(), |said, _, _| said.clone());
        assert_eq!(report.expect("no contradiction").answer, Ok("unsafe"));
    }

    #[test]
    fn a_member_that_breaks_leaves_the_others_alone() {
        let members = [("ends", false), ("breaks", true)].map(|(name, breaks)| Member {
            name,
            engine: breaks,
            share: 100,
        });
        let report = race(&members, 1, &Budget::unlimited(), |&breaks, _, _| -> Said {
            if breaks { panic!("broken") } else { Err(Reason::RunsEnded) }
        });
        assert_eq!(report.expect("no contradiction").answer, Err(Reason::internal("broken")));
    }
}
