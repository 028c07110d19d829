//! Bounded model checking with bits, as a member of the family: [`craig_bits::unwind`] finds the answer, and a complete
//! unwinding becomes a proof when the checker's own clauses for it are refuted.

use crate::verdict::Reason;
use crate::verify::{Proof, Verdict};
use craig_base::{Budget, Stats, Stopwatch};
use craig_bits::unwind::{self, Answer, Reached, Unsupported};
use craig_certificate::{Bounds, Obligation, Unwinding, UnwindingRejection};
use craig_program::Program;

/// How large a refutation may get on the way, in words of 4 bytes.
const REFUTATION_LIMIT: usize = 1 << 26;

pub fn check(program: &Program, budget: &Budget, stats: &mut Stats) -> Verdict {
    match unwind::check(program, budget, stats) {
        Answer::Unsafe(test) => Verdict::Unsafe(test),
        Answer::Safe(reached) => {
            let watch = Stopwatch::start();
            let verdict = certify(program, reached, budget).unwrap_or_else(Verdict::Unknown);
            stats.add_time("time in certification", watch.elapsed());
            verdict
        }
        Answer::NotReplayed(why) => Verdict::Unknown(Reason::NotReplayed(why)),
        Answer::Unknown(why) => Verdict::Unknown(stopped(why)),
    }
}

pub(super) fn stopped(why: Unsupported) -> Reason {
    match why {
        Unsupported::Stopped(reason) => Reason::Stopped(reason),
        why => Reason::NotUnwound(why.to_string()),
    }
}

fn certify(program: &Program, reached: Reached, budget: &Budget) -> Result<Verdict, Reason> {
    let bounds = Bounds {
        loops: reached.iterations,
        calls: reached.depths,
        object: reached.largest,
        never: reached.never,
    };
    let refutation = refutation(Obligation::new(program, &bounds, budget), budget)?;
    Ok(Verdict::Safe(Box::new(Proof::Unwinding(Unwinding { bounds, refutation }))))
}

/// A refutation of the checker's clauses that the checker accepts.
pub(super) fn refutation(
    obligation: Result<Obligation, UnwindingRejection>,
    budget: &Budget,
) -> Result<String, Reason> {
    let rejected = |why: String| match budget.check() {
        Err(reason) => Reason::Stopped(reason),
        Ok(()) => Reason::NotUnwound(format!("the unwinding could not be checked: {why}")),
    };
    let obligation = obligation.map_err(|rejection| rejected(rejection.to_string()))?;
    let refuted = craig_sat::refute(obligation.variables, &obligation.clauses, REFUTATION_LIMIT, budget);
    let refutation = match refuted {
        Ok(Some(proof)) => proof.lrat(),
        // The checker knows less about variables that are read before they are assigned.
        Ok(None) => return Err(rejected("a run of it fails".to_string())),
        Err(reason) => return Err(Reason::Stopped(reason)),
    };
    obligation.check(&refutation).map_err(|rejection| Reason::Rejected(rejection.to_string()))?;
    Ok(refutation)
}
