//! Witnesses of other verifiers: are they right?
//!
//! What a witness says is put into the program (`craig_cfront::witness`), and the program is checked like any other.
//! The invariants of a correctness witness are assertions: it is confirmed if these and the property are proved. A
//! violation witness leaves only the runs that it means: it is confirmed if one of them fails at its target, and the
//! same inputs make the program itself fail there.

mod read;

use crate::check::{CheckReport, Options, Report, Verdict};
use crate::error::Error;
use crate::report::source::render;
use crate::task::{DEFAULT_CHECKS, Loaded, Source, Task, Warning};
use craig_cfront::witness::{
    FILE, Invariant, Map, Place, Unplaced, Waypoint, with_invariants, with_waypoints,
};
use craig_exec::{Outcome, replay};
use craig_program::{Check, CheckKind};
use read::{Content, Witness};

/// What becomes of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// It shows what it claims: that the program is safe, or that it is not.
    Confirmed(Verdict),
    /// What it claims is not so.
    Refuted(String),
    /// Neither is known.
    Unknown(String),
}

/// The answer to a question about a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessReport {
    /// The answer.
    pub answer: Confirmation,
    /// What its author should know.
    pub warnings: Vec<Warning>,
}

/// Checks a verification witness, format 2.x, of any verifier against the program that it is about. Where the source
/// does not say which data model and property are meant, those of the witness are. `name` is that of the witness, for
/// messages.
pub fn confirm(
    source: &Source,
    name: &str,
    witness: &str,
    options: &Options,
) -> Result<WitnessReport, Error> {
    let read = Witness::parse(witness)
        .map_err(|(line, message)| Error::BadInput(render(name, witness, line as u32, 1, &message)))?;
    let mut source = source.clone();
    source.data_model = source.data_model.or(read.data_model);
    if source.checks.is_empty() {
        match read.properties {
            Some(properties) => properties.into_iter().for_each(|property| source.adopt(property)),
            None => {
                return Ok(unknown("its property is not one that Craig checks"));
            }
        }
    }
    let task = Task::resolve(&source, &DEFAULT_CHECKS)?;
    if read.data_model.is_some_and(|model| model != task.data_model) {
        return Ok(unknown("it is about another data model"));
    }
    let mut warnings = Vec::new();
    if !task.files.iter().any(|file| read.hashes.contains(&file.sha256)) {
        let text = "the witness is about other files: their hashes differ".to_string();
        warnings.push(Warning { location: None, text });
    }
    let answer = match read.content {
        Content::Invariants(invariants) => confirm_invariants(&task, &invariants, options)?,
        Content::Waypoints(waypoints) => confirm_waypoints(&task, &waypoints, options)?,
        Content::Unsupported(what) => Confirmation::Unknown(format!("{what} is not understood")),
    };
    Ok(WitnessReport { answer, warnings })
}

fn unknown(why: &str) -> WitnessReport {
    WitnessReport { answer: Confirmation::Unknown(why.to_string()), warnings: Vec::new() }
}

/// What makes the evaluation of a condition undefined.
const UNDEFINED: [CheckKind; 4] =
    [CheckKind::Memory, CheckKind::Overflow, CheckKind::Division, CheckKind::Shift];

/// The task with other texts, in which only these checks fail; or why they cannot be read.
fn load(
    task: &Task,
    units: Vec<craig_cfront::Text>,
    keep: impl Fn(&Loaded, &Check) -> bool,
) -> Result<Loaded, String> {
    let mut task = task.with_units(units);
    task.checks.extend(UNDEFINED.into_iter().chain([CheckKind::Error]));
    let mut loaded = task.load().map_err(|error| match error {
        // A condition may speak of what is not there.
        Error::BadInput(message) => message.lines().next().unwrap_or_default().to_string(),
        error => error.to_string(),
    })?;
    let dropped: Vec<bool> = loaded.program.checks.iter().map(|check| !keep(&loaded, check)).collect();
    for check in (0..dropped.len()).filter(|&check| dropped[check]) {
        loaded.program.without_check(check);
    }
    let mut dropped = dropped.into_iter();
    loaded.program.checks.retain(|_| dropped.next() == Some(false));
    Ok(loaded)
}

fn file<'l>(loaded: &'l Loaded, check: &Check) -> &'l str {
    loaded.program.files.get(check.span.file as usize).map_or("", |file| file)
}

fn unplaced(place: &Place, why: &str) -> Confirmation {
    let column = place.column.map_or_else(String::new, |column| format!(":{column}"));
    Confirmation::Unknown(format!("{}:{}{column}: {why}", place.file, place.line))
}

fn confirm_invariants(
    task: &Task,
    invariants: &[Invariant],
    options: &Options,
) -> Result<Confirmation, Error> {
    let units = craig_cfront::with_deep_stack(|| with_invariants(task.units(), invariants));
    let units = match units {
        Ok(units) => units,
        Err(Unplaced { number, why }) => return Ok(unplaced(&invariants[number].place, why)),
    };
    // Calls of error functions must not happen even if they are not asked about: what follows them would be missed.
    let is_wanted = |kind: CheckKind| task.checks.contains(&kind);
    let loaded = load(task, units, |loaded, check| {
        is_wanted(check.kind) || check.kind == CheckKind::Error || file(loaded, check) == FILE
    });
    let report = match loaded {
        Ok(loaded) => loaded.check(options)?,
        Err(why) => return Ok(Confirmation::Unknown(why)),
    };
    let mut unknown = None;
    for check in &report.checks {
        let words = &check.words;
        let claimed = number(check)
            .and_then(|number| invariants.get(number))
            .map(|invariant| format!("{}:{}: {words}", invariant.place.file, invariant.place.line));
        match (&check.verdict, claimed) {
            (Verdict::Safe, _) => {}
            (Verdict::Unsafe, Some(claimed)) => return Ok(Confirmation::Refuted(claimed)),
            (Verdict::Unsafe, None) if is_wanted(check.kind) => {
                return Ok(Confirmation::Refuted(format!("the program is unsafe: {words}")));
            }
            (Verdict::Unsafe, None) => unknown = Some(format!("it goes on after an error: {words}")),
            (Verdict::Unknown(reason), claimed) => {
                unknown = Some(format!("{} ({reason})", claimed.as_ref().unwrap_or(words)));
            }
        }
    }
    Ok(match (unknown, &report.verdict) {
        (Some(unknown), _) => Confirmation::Unknown(unknown),
        (None, Verdict::Unknown(reason)) => Confirmation::Unknown(reason.to_string()),
        (None, _) => Confirmation::Confirmed(Verdict::Safe),
    })
}

/// The condition of the witness that a check is about.
fn number(check: &CheckReport) -> Option<usize> {
    let location = check.location.as_ref().filter(|location| location.file == FILE)?;
    (location.line as usize).checked_sub(1)
}

fn confirm_waypoints(task: &Task, waypoints: &[Waypoint], options: &Options) -> Result<Confirmation, Error> {
    let Some((target, before)) = waypoints.split_last() else {
        return Ok(Confirmation::Unknown("there is no target".to_string()));
    };
    let nothing = |why: String| Ok(Confirmation::Unknown(why));
    let around = craig_cfront::with_deep_stack(|| Map::new(task.units()).statement_around(&target.place));
    let Some(target) = around else { return Ok(unplaced(&target.place, "there is no statement")) };
    let report = match runs(task, waypoints, &target, options)? {
        Ok(report) => report,
        Err(confirmation) => return Ok(confirmation),
    };
    let options = Options { limits: options.limits.after(report.time), ..options.clone() };
    match &report.verdict {
        Verdict::Unsafe if report.checks.iter().any(is_undefined) => {
            nothing("one of its conditions is undefined in some run".to_string())
        }
        Verdict::Unsafe => {
            let Some(test) = &report.test else { return nothing("there is no test".to_string()) };
            let original = task.clone().load()?;
            let limits = craig_exec::Limits {
                budget: options.limits.budget(std::time::Duration::ZERO),
                ..craig_exec::Limits::default()
            };
            match replay(&original.program, test, &limits).outcome {
                Outcome::ReachedError(site)
                    if {
                        let check = original.program.check_at(site.proc, site.edge);
                        check.is_some_and(|check| {
                            is_within(&original, &original.program.checks[check], &target)
                        })
                    } =>
                {
                    Ok(Confirmation::Confirmed(Verdict::Unsafe))
                }
                outcome => nothing(format!("not replayed: {}", outcome.describe(&original.program))),
            }
        }
        Verdict::Safe => {
            let refuted = "no run that passes its waypoints fails at its target".to_string();
            if task.checks.iter().all(|kind| *kind == CheckKind::Error) {
                return Ok(Confirmation::Refuted(refuted));
            }
            // A run may be at the target more than once, and fail there only at the end.
            match runs(task, before, &target, &options)? {
                Ok(report) if report.verdict == Verdict::Safe => Ok(Confirmation::Refuted(refuted)),
                Ok(_) => nothing("the target is passed before the run fails there".to_string()),
                Err(confirmation) => Ok(confirmation),
            }
        }
        Verdict::Unknown(reason) => nothing(reason.to_string()),
    }
}

fn is_undefined(check: &CheckReport) -> bool {
    check.verdict == Verdict::Unsafe && number(check).is_some()
}

/// Looks for a run that passes the waypoints and fails at the target.
fn runs(
    task: &Task,
    waypoints: &[Waypoint],
    target: &(Place, Place),
    options: &Options,
) -> Result<Result<Report, Confirmation>, Error> {
    let units = craig_cfront::with_deep_stack(|| with_waypoints(task.units(), waypoints));
    let units = match units {
        Ok(units) => units,
        Err(Unplaced { number, why }) => return Ok(Err(unplaced(&waypoints[number].place, why))),
    };
    let loaded = load(task, units, |loaded, check| {
        let is_wanted = task.checks.contains(&check.kind) && is_within(loaded, check, target);
        is_wanted || (file(loaded, check) == FILE && check.kind != CheckKind::Error)
    });
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(why) => return Ok(Err(Confirmation::Unknown(why))),
    };
    if !loaded.program.checks.iter().any(|check| file(&loaded, check) != FILE) {
        return Ok(Err(unplaced(&target.0, "nothing that is checked can fail there")));
    }
    loaded.check(options).map(Ok)
}

/// Whether a check lies between two places.
fn is_within(loaded: &Loaded, check: &Check, (start, end): &(Place, Place)) -> bool {
    let at = (check.span.line, Some(check.span.column));
    file(loaded, check) == start.file && (start.line, start.column) <= at && at <= (end.line, end.column)
}
