//! Reports as text, and as the objects of `--json`.

use super::assumption::in_words;
use super::json::Json;
use super::run::view::{self, Line};
use super::{Contract, Detail, Event, Invariant, Location, Origin, Step};
use crate::check::{Certificate, CheckReport, Report, Verdict};
use crate::solve::SolveReport;
use craig_engines::Reason;
use craig_engines::portfolio::race::Fate;
use std::fmt::Write;
use std::time::Duration;

impl Report {
    /// As one JSON object.
    pub fn json(&self) -> Json {
        let mut members = head(&self.task, self.verdict.word(), self.verdict.reason());
        members.extend(costs(&self.engine, self.time, self.memory_mb, self.certificate.as_ref()));
        members.push(("checks", Json::array(self.checks.iter().map(check_json))));
        if !self.assumptions.is_empty() {
            members.push((
                "assumptions",
                Json::array(self.assumptions.iter().map(|assumed| assumed.text.as_str())),
            ));
        }
        if !self.invariants.is_empty() {
            members.push(("invariants", Json::array(self.invariants.iter().map(invariant_json))));
        }
        if !self.contracts.is_empty() {
            members.push(("contracts", Json::array(self.contracts.iter().map(contract_json))));
        }
        if !self.trace.is_empty() {
            members.push(("trace", Json::array(self.trace.iter().map(step_json))));
        }
        if !self.members.is_empty() {
            members.push(("members", Json::array(self.members.iter().map(fate_json))));
        }
        members.push(("stats", (&self.stats()).into()));
        Json::object(members)
    }

    /// The answer on the first line, and after it what a reader wants to know about it.
    pub fn text(&self, detail: Detail) -> String {
        let mut text = first_line(self.verdict.word(), self.verdict.reason());
        text.push_str(&self.open_checks());
        // Loops of the library's models, and those that stand for functions without a body, are none of the reader's
        // business.
        let in_source =
            |invariant: &&Invariant| !invariant.location.file.starts_with('<') && invariant.location.line > 0;
        for Invariant { location, expression, left_out, .. } in self.invariants.iter().filter(in_source) {
            let _ = match expression.as_truth() {
                Some(true) if *left_out > 0 => {
                    writeln!(
                        text,
                        "{}: the loop needs only facts about Craig's model of memory",
                        place(location)
                    )
                }
                Some(false) => writeln!(text, "{}: the loop is never reached", place(location)),
                Some(true) => writeln!(text, "{}: the loop needs no invariant", place(location)),
                None => writeln!(text, "{}: loop invariant {}", place(location), expression.readable()),
            };
        }
        for Contract { location, requires, ensures } in &self.contracts {
            let function = location.function.as_deref().unwrap_or("?");
            let _ = writeln!(text, "{}: contract of {function}", place(location));
            let (requires, ensures) = (requires.readable(), ensures.readable());
            let _ = writeln!(text, "  requires {requires};\n  ensures {ensures};");
        }
        text.push_str(&self.run_text(detail));
        for (number, step) in self.next_steps().iter().enumerate() {
            let _ = writeln!(text, "{}{step}", if number == 0 { "next: " } else { "or: " });
        }
        text.push_str(&in_words(&self.assumptions));
        text
    }
}

impl Report {
    /// The checks that are not safe as a compiler would warn of them, failures first, and how many there are.
    fn open_checks(&self) -> String {
        let mut text = String::new();
        let count = |word: &str| self.checks.iter().filter(|check| check.verdict.word() == word).count();
        let failing = self.checks.iter().filter(|check| check.verdict == Verdict::Unsafe);
        for check in failing.clone().take(LISTED) {
            let _ = writeln!(text, "{}", self.finding(check));
        }
        if failing.clone().count() > LISTED {
            let _ = writeln!(text, "... and {} more", failing.count() - LISTED);
        }
        // That others were not pursued when one had failed is said once.
        let is_told =
            |reason: &Reason| *reason != Reason::AnotherFailed || self.verdict.reason() == Some(reason);
        let open = self.checks.iter().filter(|check| check.verdict.reason().is_some_and(is_told));
        let line = |check: &CheckReport| check.location.as_ref().map(|at| (at.file.clone(), at.line));
        let mut lines: Vec<(&CheckReport, usize)> = Vec::new();
        for check in open {
            match lines.last_mut().filter(|(first, _)| line(first) == line(check)) {
                Some((_, more)) => *more += 1,
                None => lines.push((check, 0)),
            }
        }
        for (check, more) in lines.iter().take(LISTED_OPEN) {
            let more = if *more > 0 { format!(" (and {more} more on this line)") } else { String::new() };
            let _ = writeln!(text, "{}{more}", self.finding(check));
        }
        if lines.len() > LISTED_OPEN {
            let left = lines.len() - LISTED_OPEN;
            let _ = writeln!(text, "... and on {left} more lines (`--report DIR` shows all)");
        }
        if self.checks.len() > 1 {
            let (safe, unsafe_, unknown) = (count("safe"), count("unsafe"), count("unknown"));
            let all = self.checks.len();
            let _ = writeln!(text, "{all} checks: {safe} safe, {unsafe_} unsafe, {unknown} unknown");
            let given_up = |check: &&CheckReport| check.verdict.reason() == Some(&Reason::AnotherFailed);
            let left = self.checks.iter().filter(given_up).count();
            if left > 0 {
                let _ = writeln!(text, "({left} were not pursued: {})", Reason::AnotherFailed);
            }
        }
        text
    }
}

impl Report {
    /// A check that is not safe, as a compiler would warn of it.
    fn finding(&self, check: &CheckReport) -> String {
        let at = check.location.as_ref().map_or_else(String::new, |at| format!("{}: ", place(at)));
        let word = check.verdict.word();
        let reason = check.verdict.reason().filter(|&reason| Some(reason) != self.verdict.reason());
        let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        format!("{at}{word}: {} [{}]{reason}", check.words, check.kind.name())
    }

    /// The failing run: its inputs and its last steps, or all of it.
    fn run_text(&self, detail: Detail) -> String {
        let mut text = String::new();
        let write_step = |text: &mut String, step: &Step| {
            let mark = if step.matters { "  <-" } else { "" };
            let _ = writeln!(text, "{}: {}{mark}", place(&step.location), step.event);
        };
        let lines = view::folded(&self.trace);
        let from = match detail {
            Detail::Short => lines.len().saturating_sub(view::LAST),
            Detail::Full => 0,
        };
        let shown = |step: &Step| {
            lines[from..].iter().any(|line| matches!(line, Line::Step(other) if std::ptr::eq(*other, step)))
        };
        let inputs: Vec<&Step> =
            self.trace.iter().filter(|step| view::is_input(step) && from > 0 && !shown(step)).collect();
        if !inputs.is_empty() {
            let _ = writeln!(text, "inputs:");
            inputs.iter().take(view::INPUTS).for_each(|step| write_step(&mut text, step));
            if inputs.len() > view::INPUTS {
                let _ = writeln!(text, "... and {} more inputs", inputs.len() - view::INPUTS);
            }
        }
        if self.trace.is_empty() {
            return text;
        }
        let _ = match from {
            0 => writeln!(text, "the run:"),
            _ => writeln!(text, "the run ends (--trace full shows all {} steps):", self.trace.len()),
        };
        for line in &lines[from..] {
            match line {
                Line::Step(step) => write_step(&mut text, step),
                Line::Rounds { count, steps: 1 } => {
                    let _ = writeln!(text, "... {count} more such steps ...");
                }
                Line::Rounds { count, .. } => {
                    let _ = writeln!(text, "... {count} more rounds ...");
                }
            }
        }
        text.push_str(&self.births(&text));
        if self.trace.iter().any(|step| step.matters) {
            let _ = writeln!(text, "(<- marks the values that the failure depends on)");
        }
        text
    }
}

impl Report {
    /// Where the allocated objects of the text were made, if it does not say so itself.
    fn births(&self, text: &str) -> String {
        let mut births = String::new();
        for step in &self.trace {
            let Event::Allocate { object, size, .. } = &step.event else { continue };
            let mentions = text.match_indices(object.as_str());
            let is_whole = |at: usize| !text[at + object.len()..].starts_with(|c: char| c.is_ascii_digit());
            let is_mentioned = mentions.into_iter().any(|(at, _)| is_whole(at));
            if is_mentioned && !text.contains(&format!("a new object `{object}`")) {
                let _ = writeln!(births, "({object}: {size} bytes, allocated at {})", place(&step.location));
            }
        }
        births
    }
}

/// More findings of one kind are only counted.
const LISTED: usize = 40;
/// And more lines with open checks, too.
const LISTED_OPEN: usize = 12;

fn check_json(check: &CheckReport) -> Json {
    let mut members = check.location.as_ref().map(location_members).unwrap_or_default();
    members.push(("kind", check.kind.name().into()));
    members.push(("words", check.words.as_str().into()));
    members.push(("verdict", check.verdict.word().into()));
    members.push(("fingerprint", check.fingerprint.as_str().into()));
    let reason = check.verdict.reason().map(|reason| Json::from(reason.to_string()));
    members.push(("reason", reason.unwrap_or(Json::Null)));
    Json::object(members)
}

impl SolveReport {
    /// As one JSON object.
    pub fn json(&self, task: &str) -> Json {
        let mut members = head(&[task.to_string()], self.verdict.word(), self.verdict.reason());
        members.extend(costs(&self.engine, self.time, self.memory_mb, self.certificate.as_ref()));
        members.push(("stats", (&self.stats).into()));
        Json::object(members)
    }

    /// The answer alone, with the reason if there is none.
    pub fn text(&self) -> String {
        first_line(self.verdict.word(), self.verdict.reason())
    }
}

fn first_line(word: &str, reason: Option<&Reason>) -> String {
    reason.map_or_else(|| format!("{word}\n"), |reason| format!("{word}: {reason}\n"))
}

fn head(task: &[String], word: &'static str, reason: Option<&Reason>) -> Vec<(&'static str, Json)> {
    vec![
        ("task", Json::array(task.iter().map(String::as_str))),
        ("verdict", word.into()),
        ("reason", reason.map_or(Json::Null, |reason| Json::from(reason.to_string()))),
    ]
}

fn costs(
    engine: &str,
    time: Duration,
    memory_mb: f64,
    certificate: Option<&Certificate>,
) -> Vec<(&'static str, Json)> {
    let certificate = certificate.map_or(Json::Null, |certificate| {
        Json::object([
            ("kind", Json::from(certificate.kind.name())),
            ("checked", true.into()),
            ("seconds", rounded(certificate.time.as_secs_f64())),
        ])
    });
    vec![
        ("engine", engine.into()),
        ("seconds", rounded(time.as_secs_f64())),
        ("memory_mb", rounded(memory_mb)),
        ("certificate", certificate),
    ]
}

fn place(location: &Location) -> String {
    match location.column {
        Some(column) => format!("{}:{}:{column}", location.file, location.line),
        None => format!("{}:{}", location.file, location.line),
    }
}

pub(crate) fn location_members(location: &Location) -> Vec<(&'static str, Json)> {
    vec![
        ("file", location.file.as_str().into()),
        ("line", location.line.into()),
        ("column", location.column.into()),
        ("function", location.function.as_deref().into()),
    ]
}

fn invariant_json(invariant: &Invariant) -> Json {
    let mut members = location_members(&invariant.location);
    members.push(("expression", invariant.expression.to_string().into()));
    members.push(("readable", invariant.expression.readable().to_string().into()));
    members.push(("left_out", (invariant.left_out as u64).into()));
    Json::object(members)
}

fn contract_json(contract: &Contract) -> Json {
    let mut members = location_members(&contract.location);
    members.push(("requires", contract.requires.to_string().into()));
    members.push(("ensures", contract.ensures.to_string().into()));
    members.push(("requires_readable", contract.requires.readable().to_string().into()));
    members.push(("ensures_readable", contract.ensures.readable().to_string().into()));
    Json::object(members)
}

fn fate_json(fate: &Fate) -> Json {
    let answer = match &fate.answer {
        Ok(word) => Json::from(*word),
        Err(reason) => Json::from(reason.to_string()),
    };
    Json::object([
        ("name", Json::from(fate.name)),
        ("answer", answer),
        ("seconds", rounded(fate.time.as_secs_f64())),
    ])
}

/// A step with what happened in it, in words and in parts.
pub(crate) fn step_json(step: &Step) -> Json {
    let mut members = location_members(&step.location);
    members.push(("message", step.event.to_string().into()));
    members.push(("depth", (step.depth as u64).into()));
    let (kind, target, value) = match &step.event {
        Event::Input { target, value, origin } => {
            let kind = match origin {
                Origin::Uninitialised => "uninitialised",
                Origin::Function(_) | Origin::Argument | Origin::Unmodelled(_) => "input",
            };
            (kind, target.as_ref(), Some(value.as_str()))
        }
        Event::Set { target, value } => ("set", Some(target), Some(value.as_str())),
        Event::Call { .. } => ("call", None, None),
        Event::Return { value, .. } => ("return", None, Some(value.as_str())),
        Event::Branch(_) => ("branch", None, None),
        Event::Allocate { target, .. } => ("allocate", target.as_ref(), None),
        Event::NoMemory(_) => ("no-memory", None, None),
        Event::Free(_) => ("free", None, None),
        Event::Omitted(_) => ("omitted", None, None),
        Event::Failure(_) => ("failure", None, None),
    };
    members.push(("kind", kind.into()));
    if let Some(target) = target {
        members.push(("target", target.text.as_str().into()));
        if let Some(object) = &target.object {
            members.push(("object", object.as_str().into()));
        }
    }
    if let Some(value) = value {
        members.push(("value", value.into()));
    }
    if let Event::Allocate { object, .. } = &step.event {
        members.push(("value", format!("&{object}").into()));
    }
    if let Event::Call { arguments, .. } = &step.event {
        let pairs = arguments.iter().map(|(name, value)| {
            Json::object([("name", Json::from(name.as_str())), ("value", value.as_str().into())])
        });
        members.push(("arguments", Json::array(pairs)));
    }
    if step.matters {
        members.push(("matters", true.into()));
    }
    Json::object(members)
}

/// Milliseconds and kilobytes are enough.
fn rounded(value: f64) -> Json {
    ((value * 1e3).round() / 1e3).into()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::check::{CertificateKind, Verdict};
    use crate::report::Target;

    pub fn unsafe_report() -> Report {
        let location = |line, column| Location {
            file: "a.c".to_string(),
            line,
            column: Some(column),
            function: Some("main".to_string()),
        };
        let time = Duration::from_millis(1);
        Report {
            task: vec!["a.c".to_string()],
            verdict: Verdict::Unsafe,
            checks: Vec::new(),
            assumptions: vec![crate::report::Assumption {
                text: "no signed overflow".to_string(),
                remedy: None,
            }],
            warnings: Vec::new(),
            certificate: Some(Certificate { kind: CertificateKind::Test, text: String::new(), time }),
            invariants: Vec::new(),
            contracts: Vec::new(),
            test: None,
            trace: vec![
                Step {
                    location: location(3, 9),
                    depth: 1,
                    event: Event::Set {
                        target: Target { text: "x".to_string(), object: None, is_named: false },
                        value: "5".to_string(),
                    },
                    matters: true,
                },
                Step {
                    location: location(5, 5),
                    depth: 1,
                    event: Event::Failure("reach_error() is called".to_string()),
                    matters: false,
                },
            ],
            engine: "dart".to_string(),
            time: Duration::from_micros(123_450),
            memory_mb: 3.0,
            members: Vec::new(),
            open_loop: None,
            arguments_share: false,
            vacuous: false,
        }
    }

    #[test]
    fn the_object_has_the_fields_of_the_design() {
        let report = Report { trace: Vec::new(), assumptions: Vec::new(), ..unsafe_report() };
        assert_eq!(
            report.json().to_string(),
            r#"{"task": ["a.c"], "verdict": "unsafe", "reason": null, "engine": "dart", "seconds": 0.123, "memory_mb": 3, "certificate": {"kind": "test", "checked": true, "seconds": 0.001}, "checks": [], "stats": {}}"#
        );
    }

    #[test]
    fn the_first_line_is_the_answer() {
        assert_eq!(
            unsafe_report().text(Detail::Short),
            "unsafe\nthe run:\na.c:3:9: x = 5  <-\na.c:5:5: reach_error() is called\n\
             (<- marks the values that the failure depends on)\nassuming that\n  no signed overflow\n"
        );
        let reason = Reason::NotInlined("recursion: f calls f".to_string());
        let unknown = Report { verdict: Verdict::Unknown(reason), ..unsafe_report() };
        assert!(unknown.text(Detail::Short).starts_with("unknown: recursion: f calls f\n"));
    }
}
