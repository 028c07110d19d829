//! What is known of a file, as an editor shows it: diagnostics, hovers, lenses.

use crate::check::{CheckReport, Report, Verdict};
use crate::report::json::Json;
use crate::report::run::view::{LAST, is_input};
use crate::report::{Location, Step};
use crate::test::{Status, TestReport};

const ERROR: i128 = 1;
const INFORMATION: i128 = 3;
const HINT: i128 = 4;
/// Code that is never reached is shown faded.
const UNNECESSARY: i128 = 1;

/// The lines of a file, for ranges.
pub struct Lines(Vec<usize>);

impl Lines {
    /// The lengths of the lines as the protocol counts them, in units of UTF-16.
    pub fn new(text: &str) -> Self {
        Lines(text.lines().map(|line| line.encode_utf16().count()).collect())
    }

    /// From a place to the end of its line.
    fn range(&self, line: u32, column: Option<u32>) -> Json {
        let line = line.saturating_sub(1);
        let end = self.0.get(line as usize).copied().unwrap_or(0);
        let start = (column.unwrap_or(1).saturating_sub(1) as usize).min(end);
        let position = |character: usize| {
            Json::object([("line", Json::from(line)), ("character", Json::Integer(character as i128))])
        };
        Json::object([("start", position(start)), ("end", position(end))])
    }
}

fn diagnostic(range: Json, severity: i128, code: &str, message: &str) -> Vec<(&'static str, Json)> {
    vec![
        ("range", range),
        ("severity", Json::Integer(severity)),
        ("code", code.into()),
        ("source", "craig".into()),
        ("message", message.into()),
    ]
}

/// The findings of a check in one file. A failure has its run with it.
pub fn findings(report: &Report, runs: &[(usize, Vec<Step>)], file: &str, uri: &str, lines: &Lines) -> Json {
    let mut found = Vec::new();
    for (number, check) in report.checks.iter().enumerate() {
        let Some(at) = check.location.as_ref().filter(|at| at.file == file) else { continue };
        let (severity, message) = match &check.verdict {
            Verdict::Safe => continue,
            Verdict::Unsafe => (ERROR, check.words.clone()),
            Verdict::Unknown(reason) => (INFORMATION, format!("not decided: {} ({reason})", check.words)),
        };
        let mut members = diagnostic(lines.range(at.line, at.column), severity, check.kind.name(), &message);
        if let Some((_, steps)) = runs.iter().find(|(of, _)| *of == number) {
            let last = steps.len().saturating_sub(LAST);
            let shown = steps.iter().enumerate().filter(|(i, step)| *i >= last || is_input(step));
            let related = shown.filter(|(_, step)| step.location.file == file).map(|(_, step)| {
                let range = lines.range(step.location.line, step.location.column);
                let location = Json::object([("uri", Json::from(uri)), ("range", range)]);
                Json::object([("location", location), ("message", step.event.to_string().into())])
            });
            members.push(("relatedInformation", Json::array(related)));
        }
        found.push(Json::object(members));
    }
    Json::Array(found)
}

/// What tests left: code that is never reached, and what is open.
pub fn coverage(report: &TestReport, file: &str, lines: &Lines) -> Json {
    let goals = report.goals.iter().filter(|goal| goal.location.file == file);
    Json::array(goals.filter_map(|goal| {
        let at = &goal.location;
        let range = lines.range(at.line, at.column);
        match &goal.status {
            Status::Covered(_) => None,
            Status::Dead => {
                let mut members = diagnostic(range, HINT, "unreachable", "a way on is proved unreachable");
                members.push(("tags", Json::array([Json::Integer(UNNECESSARY)])));
                Some(Json::object(members))
            }
            Status::Open(why) => {
                let message = format!("no test takes every way on: {why}");
                Some(Json::object(diagnostic(range, INFORMATION, "open", &message)))
            }
        }
    }))
}

/// The errors of the front end: `file:line:column: error: message`.
pub fn errors(text: &str, file: &str, lines: &Lines) -> Json {
    let found = text.lines().filter_map(|line| {
        let rest = line.strip_prefix(file)?.strip_prefix(':')?;
        let (number, rest) = rest.split_once(':')?;
        let (column, message) = rest.split_once(':')?;
        let range = lines.range(number.parse().ok()?, column.parse().ok());
        let message = message.trim();
        let message = message.strip_prefix("error:").unwrap_or(message).trim();
        Some(Json::object(diagnostic(range, ERROR, "input", message)))
    });
    Json::array(found)
}

/// What is known at a line; nothing if nothing is.
pub fn hover(report: &Report, runs: &[(usize, Vec<Step>)], file: &str, line: u32) -> Option<Json> {
    const MOST: usize = 6;
    let here = |at: &Location| at.file == file && at.line == line;
    let mut parts = Vec::new();
    for invariant in report.invariants.iter().filter(|invariant| here(&invariant.location)) {
        parts.push(format!("loop invariant\n```c\n{}\n```", invariant.expression.readable()));
    }
    for contract in report.contracts.iter().filter(|contract| here(&contract.location)) {
        let (requires, ensures) = (contract.requires.readable(), contract.ensures.readable());
        parts.push(format!("```c\nrequires {requires};\nensures {ensures};\n```"));
    }
    let checks = report.checks.iter().filter(|check| check.location.as_ref().is_some_and(here));
    let word = |check: &CheckReport| match check.verdict {
        Verdict::Safe => "✔ never",
        Verdict::Unsafe => "✘ fails",
        Verdict::Unknown(_) => "? open",
    };
    let checks: Vec<String> = checks.map(|check| format!("- {}: {}", word(check), check.words)).collect();
    if !checks.is_empty() {
        parts.push(checks.join("\n"));
    }
    for (number, steps) in runs {
        let passes: Vec<&Step> = steps.iter().filter(|step| here(&step.location)).collect();
        let shown: Vec<String> =
            passes.iter().rev().take(MOST).rev().map(|step| step.event.to_string()).collect();
        if !shown.is_empty() {
            parts.push(format!(
                "in the run to *{}*\n```c\n{}\n```",
                report.checks[*number].words,
                shown.join("\n")
            ));
        }
    }
    let value = Json::object([("kind", Json::from("markdown")), ("value", parts.join("\n\n").into())]);
    (!parts.is_empty()).then(|| Json::object([("contents", value)]))
}

/// At every function: check it, cover it.
pub fn lenses(functions: &[Location], file: &str, uri: &str, lines: &Lines) -> Json {
    let functions = functions.iter().filter(|at| at.file == file);
    Json::array(functions.flat_map(|at| {
        let name = at.function.as_deref().unwrap_or_default();
        [("check", "craig.check"), ("cover", "craig.cover")].map(|(title, command)| {
            let arguments = Json::array([Json::from(uri), Json::from(name)]);
            let command = Json::object([
                ("title", Json::from(title)),
                ("command", command.into()),
                ("arguments", arguments),
            ]);
            Json::object([("range", lines.range(at.line, at.column)), ("command", command)])
        })
    }))
}
