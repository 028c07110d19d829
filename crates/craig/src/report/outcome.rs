//! The answer to a task, as text and as the object of `--json`.

use super::json::Json;
use super::{Location, Step};
use crate::ExitStatus;
use crate::answer::{Answer, Verdict};
use craig_base::Stats;
use std::fmt::Write;

/// Everything that `check` and `solve` say about a task.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The input files.
    pub task: Vec<String>,
    pub answer: Answer,
    pub engine: String,
    pub seconds: f64,
    pub memory_mb: f64,
    /// Present for every answer but `unknown`.
    pub certificate: Option<Certificate>,
    /// What the answer takes for granted, such as that no signed arithmetic overflows.
    pub assumptions: Vec<String>,
    /// For `safe`: which invariant holds where, in C.
    pub invariants: Vec<Invariant>,
    /// For `safe`: what the functions require and ensure, in C.
    pub contracts: Vec<Contract>,
    /// For `unsafe`: the failing run.
    pub trace: Vec<Step>,
    /// What became of the members of a portfolio.
    pub members: Vec<Member>,
    pub stats: Stats,
}

/// A member of a portfolio: its answer, or why it has none.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub name: String,
    pub answer: String,
    pub seconds: f64,
}

/// What the answer was checked with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    pub kind: CertificateKind,
    pub checked: bool,
    /// How long the check took.
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateKind {
    Invariant,
    Summaries,
    Unwinding,
    Test,
    Model,
    Derivation,
}

impl CertificateKind {
    pub fn name(self) -> &'static str {
        match self {
            CertificateKind::Invariant => "invariant",
            CertificateKind::Summaries => "summaries",
            CertificateKind::Unwinding => "unwinding",
            CertificateKind::Test => "test",
            CertificateKind::Model => "model",
            CertificateKind::Derivation => "derivation",
        }
    }
}

/// A fact that holds whenever a place is reached, as a C expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    pub location: Location,
    pub expression: String,
}

/// What a function requires of its callers and ensures when it returns. Parameters are those at the
/// entry; `\result` is the returned value and `\old(g)` a global at the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// With the function's name.
    pub location: Location,
    pub requires: String,
    pub ensures: String,
}

impl Outcome {
    /// `check` says its answer with the exit code too.
    pub fn exit_status(&self) -> ExitStatus {
        match self.answer {
            Answer::Verdict(Verdict::Safe | Verdict::Sat | Verdict::Unsat) => ExitStatus::Success,
            Answer::Verdict(Verdict::Unsafe) => ExitStatus::Unsafe,
            Answer::Unknown(_) => ExitStatus::Unknown,
        }
    }

    pub fn json(&self) -> Json {
        let certificate = self.certificate.map_or(Json::Null, |certificate| {
            Json::object([
                ("kind", Json::from(certificate.kind.name())),
                ("checked", certificate.checked.into()),
                ("seconds", rounded(certificate.seconds)),
            ])
        });
        let mut members = vec![
            ("task", Json::array(self.task.iter().map(String::as_str))),
            ("verdict", self.answer.name().into()),
            ("reason", self.answer.reason().into()),
            ("engine", self.engine.as_str().into()),
            ("seconds", rounded(self.seconds)),
            ("memory_mb", rounded(self.memory_mb)),
            ("certificate", certificate),
        ];
        if !self.assumptions.is_empty() {
            members.push(("assumptions", Json::array(self.assumptions.iter().map(String::as_str))));
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
            members.push(("members", Json::array(self.members.iter().map(member_json))));
        }
        members.push(("stats", (&self.stats).into()));
        Json::object(members)
    }

    /// The answer on the first line, and after it what a reader wants to know about it.
    pub fn text(&self) -> String {
        let mut text = self.answer.name().to_string();
        if let Some(reason) = self.answer.reason() {
            let _ = write!(text, ": {reason}");
        }
        text.push('\n');
        for Invariant { location, expression } in &self.invariants {
            let _ = match expression.as_str() {
                "0" => writeln!(text, "{}: the loop is never reached", place(location)),
                "1" => writeln!(text, "{}: the loop needs no invariant", place(location)),
                _ => writeln!(text, "{}: loop invariant {expression}", place(location)),
            };
        }
        for Contract { location, requires, ensures } in &self.contracts {
            let function = location.function.as_deref().unwrap_or("?");
            let _ = writeln!(text, "{}: contract of {function}", place(location));
            let _ = writeln!(text, "  requires {requires};\n  ensures {ensures};");
        }
        for Step { location, message } in &self.trace {
            let _ = writeln!(text, "{}: {message}", place(location));
        }
        if !self.assumptions.is_empty() {
            let _ = writeln!(text, "assuming: {}", self.assumptions.join("; "));
        }
        text
    }
}

fn place(location: &Location) -> String {
    match location.column {
        Some(column) => format!("{}:{}:{column}", location.file, location.line),
        None => format!("{}:{}", location.file, location.line),
    }
}

fn location_members(location: &Location) -> Vec<(&'static str, Json)> {
    vec![
        ("file", location.file.as_str().into()),
        ("line", location.line.into()),
        ("column", location.column.into()),
        ("function", location.function.as_deref().into()),
    ]
}

fn invariant_json(invariant: &Invariant) -> Json {
    let mut members = location_members(&invariant.location);
    members.push(("expression", invariant.expression.as_str().into()));
    Json::object(members)
}

fn contract_json(contract: &Contract) -> Json {
    let mut members = location_members(&contract.location);
    members.push(("requires", contract.requires.as_str().into()));
    members.push(("ensures", contract.ensures.as_str().into()));
    Json::object(members)
}

fn member_json(member: &Member) -> Json {
    Json::object([
        ("name", Json::from(member.name.as_str())),
        ("answer", member.answer.as_str().into()),
        ("seconds", rounded(member.seconds)),
    ])
}

fn step_json(step: &Step) -> Json {
    let mut members = location_members(&step.location);
    members.push(("message", step.message.as_str().into()));
    Json::object(members)
}

/// Milliseconds and kilobytes are enough.
fn rounded(value: f64) -> Json {
    ((value * 1e3).round() / 1e3).into()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn unsafe_outcome() -> Outcome {
        let location = |line, column| Location {
            file: "a.c".to_string(),
            line,
            column: Some(column),
            function: Some("main".to_string()),
        };
        Outcome {
            task: vec!["a.c".to_string()],
            answer: Answer::Verdict(Verdict::Unsafe),
            engine: "dart".to_string(),
            seconds: 0.12345,
            memory_mb: 3.0,
            certificate: Some(Certificate { kind: CertificateKind::Test, checked: true, seconds: 0.001 }),
            assumptions: vec!["no signed overflow".to_string()],
            invariants: Vec::new(),
            contracts: Vec::new(),
            trace: vec![
                Step { location: location(3, 9), message: "x = 5".to_string() },
                Step { location: location(5, 5), message: "reach_error()".to_string() },
            ],
            members: Vec::new(),
            stats: Stats::default(),
        }
    }

    #[test]
    fn the_object_has_the_fields_of_the_design() {
        let outcome = Outcome { trace: Vec::new(), assumptions: Vec::new(), ..unsafe_outcome() };
        assert_eq!(
            outcome.json().to_string(),
            r#"{"task": ["a.c"], "verdict": "unsafe", "reason": null, "engine": "dart", "seconds": 0.123, "memory_mb": 3, "certificate": {"kind": "test", "checked": true, "seconds": 0.001}, "stats": {}}"#
        );
    }

    #[test]
    fn the_first_line_is_the_answer() {
        assert_eq!(
            unsafe_outcome().text(),
            "unsafe\na.c:3:9: x = 5\na.c:5:5: reach_error()\nassuming: no signed overflow\n"
        );
        let unknown =
            Outcome { answer: Answer::Unknown("recursion: f calls f".to_string()), ..unsafe_outcome() };
        assert!(unknown.text().starts_with("unknown: recursion: f calls f\n"));
        assert_eq!(unknown.exit_status(), ExitStatus::Unknown);
    }
}
