//! `craig explain`: what is known at a line.

use crate::check::{Options, Report};
use crate::cli::arguments::{Common, Limits};
use crate::cli::c_input::CInput;
use crate::cli::session::{Session, end_by};
use crate::cli::status::ExitStatus;
use crate::error::Error;
use crate::report::Location;
use crate::report::json::Json;
use crate::report::run::{Step, steps};
use crate::task::Loaded;
use std::fmt::Write as _;
use std::io::Write;

/// Say what is known at a line of a C program: its checks, the invariants of the loops around it, the contract of its
/// function, and what failing runs do there.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub input: CInput,
    /// The line, of the file that is named first.
    #[arg(long, value_name = "N")]
    pub line: u32,
    #[command(flatten)]
    pub limits: Limits,
}

/// More passes of one run are only counted.
const PASSES: usize = 5;

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let last_word = end_by(&arguments.limits, common.json, ExitStatus::Unknown, session);
    let loaded = arguments.input.load(session)?;
    let limits = arguments.limits.of(session);
    let report = loaded.check(&Options { seed: common.seed, limits, ..Options::default() })?;
    let text = explanation(&loaded, &report, arguments.line);
    last_word.take();
    if common.json {
        let object = Json::object([
            ("line", Json::from(arguments.line)),
            ("verdict", report.verdict.word().into()),
            ("known", Json::array(text.lines())),
        ]);
        writeln!(session.out, "{object}")?;
    } else {
        write!(session.out, "{text}")?;
    }
    Ok(ExitStatus::Success)
}

fn explanation(loaded: &Loaded, report: &Report, line: u32) -> String {
    let file = loaded.task.files.first().map_or("", |file| file.name.as_str());
    let here = |at: &Location| at.file == file && at.line == line;
    let mut text = String::new();
    let source = loaded.task.text_of(file).unwrap_or_default();
    let quoted = source.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default();
    let _ = writeln!(text, "{file}:{line}: {}", quoted.trim());
    let checks = report.checks.iter().filter(|check| check.location.as_ref().is_some_and(here));
    for check in checks.clone() {
        let word = match check.verdict.word() {
            "safe" => "never",
            "unsafe" => "can happen",
            _ => "not decided",
        };
        let reason = check.verdict.reason().map_or_else(String::new, |reason| format!(" ({reason})"));
        let _ = writeln!(text, "{word}: {} [{}]{reason}", check.words, check.kind.name());
    }
    if checks.count() == 0 {
        let _ = writeln!(text, "nothing is checked on this line");
    }
    let function = function_at(loaded, file, line);
    // The loop around a line, if there is one, begins before it.
    let before = report.invariants.iter().filter(|invariant| {
        let at = &invariant.location;
        at.file == file && at.line <= line && function_at(loaded, file, at.line) == function
    });
    if let Some(invariant) = before.max_by_key(|invariant| invariant.location.line) {
        let expression = invariant.expression.readable();
        let _ = writeln!(text, "at the loop of line {}: {expression}", invariant.location.line);
    }
    let name = function.as_deref();
    for contract in report.contracts.iter().filter(|contract| contract.location.function.as_deref() == name) {
        let (requires, ensures) = (contract.requires.readable(), contract.ensures.readable());
        let _ = writeln!(text, "{} requires {requires} and ensures {ensures}", name.unwrap_or_default());
    }
    for check in report.checks.iter().filter(|check| check.test.is_some()) {
        let Some(test) = &check.test else { continue };
        let run = steps(&loaded.program, test, &craig_exec::Limits::default());
        let passes: Vec<&Step> = run.iter().filter(|step| here(&step.location)).collect();
        if !passes.is_empty() {
            let _ = writeln!(text, "in the run to \"{}\":", check.words);
        }
        for step in passes.iter().take(PASSES) {
            let _ = writeln!(text, "  {}{}", step.event, if step.matters { "  <-" } else { "" });
        }
        if passes.len() > PASSES {
            let _ = writeln!(text, "  ... and {} more steps here", passes.len() - PASSES);
        }
    }
    text
}

/// The function that begins last before a line.
fn function_at(loaded: &Loaded, file: &str, line: u32) -> Option<String> {
    let program = &loaded.program;
    let in_file =
        |span: craig_program::Span| program.files.get(span.file as usize).is_some_and(|name| &**name == file);
    let before = program.procs.iter().filter(|proc| in_file(proc.span) && proc.span.line <= line);
    before.max_by_key(|proc| proc.span.line).map(|proc| proc.name.to_string())
}
