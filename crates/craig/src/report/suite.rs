//! The checks of one question in the form that continuous integration and overviews need: plain data, made from a
//! [`Report`], or from what another process printed of one.

use super::Location;
use super::json::Json;
use super::sha256::sha256;
use crate::check::{Report, Verdict};
use craig_program::CheckKind;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// What was checked together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suite {
    /// The files, or the function.
    pub name: String,
    /// All checks.
    pub checks: Vec<Checked>,
    /// How long that took.
    pub time: Duration,
}

/// One check with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What could go wrong; nothing if it is a whole question that has no answer.
    pub kind: Option<CheckKind>,
    /// Where; the start of the program, or the function, if that is not known.
    pub location: Location,
    /// In words.
    pub words: String,
    /// Whether it can.
    pub state: State,
    /// What it is known by when lines move.
    pub fingerprint: String,
    /// The run in which it does, if it is the one that is shown.
    pub trace: Vec<(Location, String)>,
}

/// Whether a check holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// In every run.
    Holds,
    /// Not known, and why.
    Open(String),
    /// In some run it does not.
    Fails,
}

impl Checked {
    /// The name of the kind of check, or `unknown`.
    pub fn kind_name(&self) -> &'static str {
        self.kind.map_or("unknown", CheckKind::name)
    }

    /// What is wrong, for someone who sees nothing else of it.
    pub fn message(&self) -> String {
        match &self.state {
            State::Open(reason) => format!("not decided: {} ({reason})", self.words),
            State::Holds | State::Fails => self.words.clone(),
        }
    }

    /// A question without an answer.
    pub fn open_question(function: &str, place: &Location, why: &str) -> Checked {
        let words = format!("`{function}`");
        let file = place.file.rsplit('/').next().unwrap_or_default();
        Checked {
            kind: None,
            location: place.clone(),
            fingerprint: sha256(format!("question\n{function}\n{file}").as_bytes())[..16].to_string(),
            words,
            state: State::Open(why.to_string()),
            trace: Vec::new(),
        }
    }

    fn of_json(check: &Json, place: &Location, trace: &[(Location, String)]) -> Option<Checked> {
        let text = |name: &str| check.get(name).and_then(Json::as_str);
        let kind = text("kind")?;
        let state = match text("verdict")? {
            "safe" => State::Holds,
            "unsafe" => State::Fails,
            _ => State::Open(text("reason").unwrap_or_default().to_string()),
        };
        let location = location(check).unwrap_or_else(|| place.clone());
        // The run that is shown is that of the failure in which it ends.
        let is_shown = state == State::Fails
            && trace.last().is_some_and(|(end, _)| (&location.file, location.line) == (&end.file, end.line));
        Some(Checked {
            kind: CheckKind::ALL.into_iter().find(|known| known.name() == kind),
            location,
            words: text("words")?.to_string(),
            state,
            fingerprint: text("fingerprint")?.to_string(),
            trace: if is_shown { trace.to_vec() } else { Vec::new() },
        })
    }
}

/// As a compiler would warn of it.
impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.state {
            State::Holds => "safe",
            State::Open(_) => "unknown",
            State::Fails => "unsafe",
        };
        let at = &self.location;
        let place = format!("{}:{}:{}", at.file, at.line, at.column.unwrap_or(1));
        write!(f, "{place}: {word}: {} [{}]", self.words, self.kind_name())
    }
}

impl Suite {
    /// Of the object that `craig check --json` prints about a function; nothing if it is none.
    pub fn of_json(function: &str, place: &Location, report: &Json, time: Duration) -> Option<Suite> {
        let Some(Json::Array(checks)) = report.get("checks") else { return None };
        let trace: Vec<(Location, String)> = match report.get("trace") {
            Some(Json::Array(steps)) => steps
                .iter()
                .filter_map(|step| Some((location(step)?, step.get("message")?.as_str()?.to_string())))
                .collect(),
            _ => Vec::new(),
        };
        let checks = checks.iter().map(|check| Checked::of_json(check, place, &trace));
        Some(Suite { name: function.to_string(), checks: checks.collect::<Option<_>>()?, time })
    }

    /// How many checks are in such a state.
    pub fn count(&self, is_meant: fn(&State) -> bool) -> usize {
        self.checks.iter().filter(|check| is_meant(&check.state)).count()
    }

    /// What is not known to hold.
    pub fn findings(&self) -> impl Iterator<Item = &Checked> + Clone {
        self.checks.iter().filter(|check| check.state != State::Holds)
    }
}

/// What is not known to hold in any of them. What several questions find is told once, with the worst of its states.
pub fn findings(suites: &[Suite]) -> Vec<&Checked> {
    let mut findings: Vec<&Checked> = Vec::new();
    let mut position: BTreeMap<&str, usize> = BTreeMap::new();
    for check in suites.iter().flat_map(Suite::findings) {
        match position.get(check.fingerprint.as_str()) {
            Some(&known) if findings[known].state < check.state => findings[known] = check,
            Some(_) => {}
            None => {
                position.insert(&check.fingerprint, findings.len());
                findings.push(check);
            }
        }
    }
    findings
}

impl Report {
    /// What continuous integration needs of the report.
    pub fn suite(&self) -> Suite {
        let file = self.task.first().cloned().unwrap_or_default();
        let start = Location { file, line: 1, column: None, function: None };
        let checks = self.checks.iter().map(|check| {
            // The run that is shown is that of the first failure.
            let is_shown = check.test.is_some() && check.test == self.test;
            let steps = self.trace.iter().filter(|_| is_shown);
            Checked {
                kind: Some(check.kind),
                location: check.location.clone().unwrap_or_else(|| start.clone()),
                words: check.words.clone(),
                state: match &check.verdict {
                    Verdict::Safe => State::Holds,
                    Verdict::Unsafe => State::Fails,
                    Verdict::Unknown(reason) => State::Open(reason.to_string()),
                },
                fingerprint: check.fingerprint.clone(),
                trace: steps.map(|step| (step.location.clone(), step.event.to_string())).collect(),
            }
        });
        Suite { name: self.task.join(" "), checks: checks.collect(), time: self.time }
    }
}

fn location(object: &Json) -> Option<Location> {
    let number = |name: &str| object.get(name).and_then(Json::as_f64).map(|number| number as u32);
    Some(Location {
        file: object.get("file")?.as_str()?.to_string(),
        line: number("line")?,
        column: number("column"),
        function: object.get("function").and_then(Json::as_str).map(str::to_string),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::check::CheckReport;
    use crate::report::answer::tests::unsafe_report;
    use craig_exec::Test;

    pub fn report() -> Report {
        let report = Report { test: Some(Test::default()), ..unsafe_report() };
        let location = report.trace.last().map(|step| step.location.clone());
        let check = CheckReport {
            kind: CheckKind::Memory,
            location,
            words: "100% <invalid>, really".to_string(),
            verdict: Verdict::Unsafe,
            test: report.test.clone(),
            fingerprint: "f00d".to_string(),
        };
        Report { checks: vec![check], ..report }
    }

    #[test]
    fn what_another_process_prints_is_the_same() {
        let report = report();
        let suite = report.suite();
        assert_eq!(
            Suite::of_json(&suite.name, &suite.checks[0].location, &report.json(), report.time),
            Some(suite.clone())
        );
        assert_eq!(suite.checks[0].to_string(), "a.c:5:5: unsafe: 100% <invalid>, really [memory]");
    }

    #[test]
    fn what_two_questions_find_is_told_once() {
        let suite = report().suite();
        let mut open = suite.clone();
        open.checks[0].state = State::Open("timeout".to_string());
        let suites = [open, suite.clone()];
        assert_eq!(findings(&suites), [&suite.checks[0]]);
    }
}
