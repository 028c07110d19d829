//! Proofs that say nothing: nothing meets what a function requires, or assumptions end every run.
//!
//! For requirements, the function is replaced by an error, and somebody must find it. For assumptions, random runs nearly
//! always settle it: one that comes to its end, or goes round a loop as long as it may, is a run. Only where all of them
//! are cut off, a proof is looked for that there is no other.

use crate::check::{Options, Report, Verdict};
use crate::error::Error;
use crate::limits::Limits;
use crate::task::{Loaded, Warning};
use craig_cfront::contract::PREFIX;
use craig_engines::Reason;
use craig_engines::cover::Goals;
use craig_engines::portfolio::each::Effort;
use craig_engines::portfolio::sharing::Shared;
use craig_engines::portfolio::{self, schedule};
use craig_engines::search::random;
use std::time::Duration;

/// How long arguments are looked for.
const ARGUMENTS: Duration = Duration::from_secs(10);

/// How long a proof is looked for that assumptions end every run.
const ASSUMPTIONS: Duration = Duration::from_secs(1);

pub(crate) fn unknown_requirements() -> Warning {
    let text = "it is not known whether any arguments meet the requirements".to_string();
    Warning { location: None, text }
}

impl Loaded {
    /// Says of a proof that it says nothing, if that is so.
    pub(crate) fn look_for_a_run(&self, options: &Options, report: &mut Report) -> Result<(), Error> {
        let left = options.limits.timeout.map(|timeout| timeout.saturating_sub(report.time));
        if let Some(probe) = self.task.probe() {
            let probe = probe.load()?;
            if probe.program.procs.iter().any(|proc| proc.name.starts_with(PREFIX)) {
                return look_for_arguments(&probe, options, left, report);
            }
        }
        let time = left.map_or(ASSUMPTIONS, |left| left.min(ASSUMPTIONS));
        if !report.checks.is_empty() && self.assumptions_end_all_runs(options, time)? {
            report.vacuous = true;
            let text = "what is assumed ends every run of the program: 'safe' says nothing".to_string();
            report.warnings.push(Warning { location: None, text });
        }
        Ok(())
    }

    fn assumptions_end_all_runs(&self, options: &Options, time: Duration) -> Result<bool, Error> {
        let limits = Limits { timeout: Some(time), ..options.limits.clone() };
        let budget = limits.budget(Duration::ZERO);
        if random::goes_on(&self.program, &budget) {
            return Ok(false);
        }
        let ends = Goals::ends(&self.program);
        let all: Vec<_> = ends.goals.indices().collect();
        let program = ends.ending_at(&self.program, &all);
        let members = schedule::portfolio(&program, Effort::Short, options.seed);
        let workers = options.workers.unwrap_or_else(crate::limits::cores);
        let found = portfolio::run(&program, &members, workers, &Shared::default(), &budget)
            .map_err(|contradiction| Error::Internal(contradiction.to_string()))?;
        Ok(matches!(found.answer, craig_engines::Verdict::Safe(_)))
    }
}

/// A proof about a function whose requirements nothing meets says nothing.
fn look_for_arguments(
    probe: &Loaded,
    options: &Options,
    left: Option<Duration>,
    report: &mut Report,
) -> Result<(), Error> {
    let time = left.unwrap_or(ARGUMENTS).clamp(Duration::from_secs(1), ARGUMENTS);
    let limits = Limits { timeout: Some(time), ..options.limits.clone() };
    let options = Options { limits, workers: options.workers, ..Options::default() };
    match probe.check(&options)?.verdict {
        Verdict::Unsafe => {}
        Verdict::Safe => {
            report.verdict = Verdict::Unknown(Reason::Vacuous);
            report.certificate = None;
            report.invariants.clear();
            report.contracts.clear();
            let all = report.checks.iter_mut();
            all.for_each(|check| check.verdict = Verdict::Unknown(Reason::Vacuous));
        }
        Verdict::Unknown(_) => report.warnings.push(unknown_requirements()),
    }
    Ok(())
}
