//! Several engines on one program: the first certified answer wins, the others stop at once.
//!
//! Members are data. Each worker takes the next member when it is free, so with fewer workers than
//! members the order is a schedule; a member's `share` bounds the part of the remaining time that it
//! may use. Two certified answers that contradict each other are a defect of Craig and are reported
//! as such, never voted on.

use crate::sharing::Shared as Facts;
use crate::verdict::Reason;
use crate::verify::{Engine, Verdict, verify_sharing};
use craig_base::{Budget, CancelToken, Stats, StopReason};
use craig_program::Program;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub name: &'static str,
    pub engine: Engine,
    /// The part of the remaining time that this member may use, in per cent.
    pub share: u32,
}

/// What became of a member.
#[derive(Clone, Debug)]
pub struct Fate {
    pub name: &'static str,
    /// `safe`, `unsafe`, or why not.
    pub answer: String,
    pub time: Duration,
    pub stats: Stats,
}

pub struct Report {
    pub verdict: Verdict,
    /// The member that answered.
    pub winner: Option<&'static str>,
    pub fates: Vec<Fate>,
}

/// Two members gave certified answers that exclude each other.
#[derive(Debug)]
pub struct Contradiction {
    pub safe: &'static str,
    pub unsafe_: &'static str,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradiction { safe, unsafe_ } = self;
        write!(f, "{safe} says safe and {unsafe_} says unsafe, both with accepted certificates")
    }
}

struct Shared<'m> {
    waiting: std::slice::Iter<'m, Member>,
    results: Vec<(usize, &'m Member, Verdict)>,
    fates: Vec<(usize, Fate)>,
    started: usize,
}

/// Runs the members on `workers` threads.
pub fn run(
    program: &Program,
    members: &[Member],
    workers: usize,
    budget: &Budget,
) -> Result<Report, Contradiction> {
    run_sharing(program, members, workers, &Facts::default(), budget)
}

/// As [`run`], with facts from outside; what the members find out is left there.
pub fn run_sharing(
    program: &Program,
    members: &[Member],
    workers: usize,
    facts: &Facts,
    budget: &Budget,
) -> Result<Report, Contradiction> {
    let answered = CancelToken::default();
    let shared =
        Mutex::new(Shared { waiting: members.iter(), results: Vec::new(), fates: Vec::new(), started: 0 });
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, members.len().max(1)) {
            scope.spawn(|| work(program, &shared, facts, &answered, budget));
        }
    });
    let shared = shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut fates = shared.fates;
    fates.sort_by_key(|&(order, _)| order);
    let fates: Vec<Fate> = fates.into_iter().map(|(_, fate)| fate).collect();

    let (winner, verdict) = decide(shared.results)?;
    Ok(Report { verdict, winner, fates })
}

/// The one answer of all members, with the order in which they started.
fn decide(results: Vec<(usize, &Member, Verdict)>) -> Result<(Option<&'static str>, Verdict), Contradiction> {
    let mut safe = None;
    let mut unsafe_ = None;
    let mut reasons: Vec<(usize, Reason)> = Vec::new();
    for (order, member, verdict) in results {
        match verdict {
            Verdict::Safe(_) => safe = safe.or(Some((member.name, verdict))),
            Verdict::Unsafe(_) => unsafe_ = unsafe_.or(Some((member.name, verdict))),
            Verdict::Unknown(reason) => reasons.push((order, reason)),
        }
    }
    match (safe, unsafe_) {
        (Some((safe, _)), Some((unsafe_, _))) => Err(Contradiction { safe, unsafe_ }),
        (Some((name, verdict)), None) | (None, Some((name, verdict))) => Ok((Some(name), verdict)),
        (None, None) => {
            reasons.sort_by_key(|&(order, _)| order);
            Ok((None, Verdict::Unknown(most_telling(reasons.into_iter().map(|(_, reason)| reason)))))
        }
    }
}

fn work<'m>(
    program: &Program,
    shared: &Mutex<Shared<'m>>,
    invariants: &Facts,
    answered: &CancelToken,
    budget: &Budget,
) {
    loop {
        let next = {
            let mut shared = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let member = shared.waiting.next();
            shared.started += 1;
            member.map(|member| (shared.started, member))
        };
        let Some((order, member)) = next else { return };
        if answered.is_cancelled() || budget.check().is_err() {
            return;
        }
        let mut own = budget.with_cancel(answered.clone());
        if let Some(remaining) = budget.remaining() {
            own = own.with_timeout(remaining * member.share / 100);
        }
        let start = Instant::now();
        let mut stats = Stats::default();
        // A member that breaks must not take the answers of the others with it.
        let attempt =
            AssertUnwindSafe(|| verify_sharing(program, member.engine, invariants, &own, &mut stats));
        let verdict = catch_unwind(attempt).unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic");
            Verdict::Unknown(Reason::Internal(message.to_string()))
        });
        let answer = match &verdict {
            Verdict::Safe(_) => "safe".to_string(),
            Verdict::Unsafe(_) => "unsafe".to_string(),
            Verdict::Unknown(reason) => reason.to_string(),
        };
        if !matches!(verdict, Verdict::Unknown(_)) {
            answered.cancel();
        }
        let fate = Fate { name: member.name, answer, time: start.elapsed(), stats };
        let mut shared = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        shared.fates.push((order, fate));
        shared.results.push((order, member, verdict));
    }
}

/// A defect first, then what is special about the program, then the limits.
fn most_telling(reasons: impl Iterator<Item = Reason>) -> Reason {
    let rank = |reason: &Reason| match reason {
        Reason::Rejected(_) | Reason::Internal(_) => 0,
        Reason::NotReplayed(_) => 1,
        Reason::NotInlined(_) => 2,
        Reason::Stopped(StopReason::Memory) => 3,
        Reason::Stopped(StopReason::Timeout) => 4,
        Reason::Interpolation(_) | Reason::Solver(_) | Reason::AllPathsTried => 5,
        Reason::Stopped(StopReason::Cancelled) => 6,
        Reason::NotUnwound(_) | Reason::RunsEnded => 7,
    };
    reasons.min_by_key(rank).unwrap_or(Reason::Stopped(StopReason::Timeout))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::Proof;
    use craig_certificate::Summaries;
    use craig_exec::Test;
    use craig_term::Terms;

    const MEMBERS: [Member; 3] = [
        Member { name: "first", engine: Engine::Impact, share: 100 },
        Member { name: "second", engine: Engine::Pdr, share: 100 },
        Member { name: "third", engine: Engine::Pdr, share: 100 },
    ];

    fn safe() -> Verdict {
        let proof = Proof::Summaries { terms: Terms::new(), summaries: Summaries::default() };
        Verdict::Safe(Box::new(proof))
    }

    fn unknown() -> Verdict {
        Verdict::Unknown(Reason::Stopped(StopReason::Timeout))
    }

    #[test]
    fn contradictory_answers_are_no_answer() {
        let [first, second, third] = &MEMBERS;
        let results =
            vec![(1, first, unknown()), (2, second, Verdict::Unsafe(Test::default())), (3, third, safe())];
        let contradiction = decide(results).err().expect("a contradiction");
        assert_eq!((contradiction.safe, contradiction.unsafe_), ("third", "second"));
    }

    #[test]
    fn one_answer_is_the_answer_and_a_defect_is_the_reason() {
        let [first, second, third] = &MEMBERS;
        let Ok((Some("second"), Verdict::Safe(_))) =
            decide(vec![(1, first, unknown()), (2, second, safe()), (3, third, unknown())])
        else {
            panic!("the second has the answer");
        };
        let broken = Verdict::Unknown(Reason::Rejected("l1".to_string()));
        let Ok((None, Verdict::Unknown(Reason::Rejected(_)))) =
            decide(vec![(1, first, unknown()), (2, second, broken)])
        else {
            panic!("a rejected certificate is what a user must hear of");
        };
    }
}
