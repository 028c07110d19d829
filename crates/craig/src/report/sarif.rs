//! SARIF 2.1.0: findings for editors and code review. The failing run is the result's code flow.

use super::json::Json;
use super::{Location, Step};
use craig_program::CheckKind;

/// Something to look at in the source.
#[derive(Clone, Debug)]
pub struct Finding {
    pub rule: Rule,
    pub level: Level,
    pub message: String,
    pub location: Location,
    /// What it is known by when lines move.
    pub fingerprint: String,
    /// Whether a baseline knows it, if there is one.
    pub is_known: Option<bool>,
    /// The run that leads there, empty if there is none to show.
    pub trace: Vec<Step>,
}

/// What a finding is an instance of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A check fails.
    Fails(CheckKind),
    /// The tool cannot say.
    Unknown,
}

impl Rule {
    fn id(self) -> &'static str {
        match self {
            Rule::Fails(kind) => kind.name(),
            Rule::Unknown => "unknown",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Rule::Fails(kind) => kind.description(),
            Rule::Unknown => "Whether an error can be reached is not known.",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Error,
    Note,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Note => "note",
        }
    }
}

/// The log of one run of the tool.
pub fn sarif(findings: &[Finding]) -> Json {
    let rules = CheckKind::ALL.into_iter().map(Rule::Fails).chain([Rule::Unknown]);
    let driver = Json::object([
        ("name", Json::from("Craig")),
        ("version", env!("CARGO_PKG_VERSION").into()),
        (
            "rules",
            Json::array(rules.map(|rule| {
                Json::object([("id", Json::from(rule.id())), ("shortDescription", text(rule.description()))])
            })),
        ),
    ]);
    let run = Json::object([
        ("tool", Json::object([("driver", driver)])),
        ("results", Json::array(findings.iter().map(result))),
    ]);
    Json::object([
        ("$schema", Json::from("https://json.schemastore.org/sarif-2.1.0.json")),
        ("version", "2.1.0".into()),
        ("runs", Json::array([run])),
    ])
}

fn result(finding: &Finding) -> Json {
    let mut members = vec![
        ("ruleId", Json::from(finding.rule.id())),
        ("level", finding.level.name().into()),
        ("message", text(&finding.message)),
        ("locations", Json::array([location(&finding.location, None)])),
        ("partialFingerprints", Json::object([("craig/v1", Json::from(finding.fingerprint.as_str()))])),
    ];
    if let Some(is_known) = finding.is_known {
        members.push(("baselineState", Json::from(if is_known { "unchanged" } else { "new" })));
    }
    if !finding.trace.is_empty() {
        let steps = finding.trace.iter().map(|step| {
            Json::object([("location", location(&step.location, Some(&step.event.to_string())))])
        });
        let thread = Json::object([("locations", Json::array(steps))]);
        let flow = Json::object([("threadFlows", Json::array([thread]))]);
        members.push(("codeFlows", Json::array([flow])));
    }
    Json::object(members)
}

fn text(content: &str) -> Json {
    Json::object([("text", Json::from(content))])
}

fn location(location: &Location, message: Option<&str>) -> Json {
    let mut region = vec![("startLine", Json::from(location.line))];
    if let Some(column) = location.column {
        region.push(("startColumn", column.into()));
    }
    let physical = Json::object([
        ("artifactLocation", Json::object([("uri", Json::from(uri(&location.file)))])),
        ("region", Json::object(region)),
    ]);
    let mut members = vec![("physicalLocation", physical)];
    if let Some(function) = &location.function {
        let logical = Json::object([("name", Json::from(function.as_str())), ("kind", "function".into())]);
        members.push(("logicalLocations", Json::array([logical])));
    }
    if let Some(message) = message {
        members.push(("message", text(message)));
    }
    Json::object(members)
}

/// A path as a reference of RFC 3986: relative ones stay relative.
fn uri(path: &str) -> String {
    let mut reference = String::new();
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => reference.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => reference.push(char::from(byte)),
            byte => reference.push_str(&format!("%{byte:02X}")),
        }
    }
    if path.starts_with('/') { format!("file://{reference}") } else { reference }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::answer::tests::unsafe_report;

    #[test]
    fn a_failing_run_is_a_code_flow() {
        let outcome = unsafe_report();
        let end = outcome.trace.last().expect("a step").location.clone();
        let log = sarif(&[Finding {
            rule: Rule::Fails(CheckKind::Error),
            level: Level::Error,
            message: "reach_error() is called".to_string(),
            location: end,
            fingerprint: "f00d".to_string(),
            is_known: Some(false),
            trace: outcome.trace,
        }]);
        let text = log.to_string();
        assert!(text.contains(r#""version": "2.1.0""#));
        assert!(text.contains(r#""region": {"startLine": 5, "startColumn": 5}"#));
        assert!(text.contains(r#""message": {"text": "x = 5"}"#));
        assert!(text.contains(r#""partialFingerprints": {"craig/v1": "f00d"}, "baselineState": "new""#));
        assert_eq!(text.matches("physicalLocation").count(), 3);
        assert_eq!(Json::parse(&log.pretty()), Ok(log));
    }

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/tmp/a.c"), "file:///tmp/a.c");
    }
}
