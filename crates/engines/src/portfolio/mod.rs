//! Several engines on one program; see [`race`](mod@race).

pub mod each;
pub mod joined;
pub mod needed;
pub mod race;
pub mod schedule;
mod shape;
pub mod sharing;
pub mod table;

use crate::search::random;
use crate::verdict::Reason;
use crate::verify::{Engine, Verdict, verify_sharing};
use crate::view::Prepared;
use craig_base::Budget;
use craig_program::Program;
use race::{Answer, Contradiction, Member, Report};
use sharing::Shared;

impl Answer for Verdict {
    fn word(&self) -> Result<&'static str, &Reason> {
        match self {
            Verdict::Safe(_) => Ok("safe"),
            Verdict::Unsafe(_) => Ok("unsafe"),
            Verdict::Unknown(reason) => Err(reason),
        }
    }

    fn unknown(reason: Reason) -> Self {
        Verdict::Unknown(reason)
    }
}

/// Runs the members on `workers` threads, from the facts in `shared`; what they find out is left there.
pub fn run(
    program: &Program,
    members: &[Member<Engine>],
    workers: usize,
    shared: &Shared,
    budget: &Budget,
) -> Result<Report<Verdict>, Contradiction> {
    let prepared = Prepared::new(program, budget);
    let mut report = race::race(members, workers, budget, |&engine, budget, stats| {
        verify_sharing(&prepared, engine, shared, budget, stats)
    })?;
    if report.answer.word().is_ok()
        && let Some(violation) = random::region_violation(program, budget)
    {
        let what = format!("memory is not split as the front end says: {violation}");
        report.answer = Verdict::Unknown(Reason::Internal(what));
        report.winner = None;
    }
    if let Verdict::Safe(_) = report.answer
        && let Some(what) = random::undefined_everywhere(program, budget)
    {
        report.answer = Verdict::Unknown(Reason::Undefined(what));
        report.winner = None;
    }
    Ok(report)
}
