//! SARIF 2.1.0: findings for editors and code review. The failing run is the result's code flow.

use super::json::Json;
use super::suite::{Checked, State, Suite, findings};
use super::{Baseline, Location};
use craig_program::CheckKind;

/// The log of one run of the tool.
///
/// With a baseline, results say what of it is new.
pub fn sarif(suites: &[Suite], baseline: Option<&Baseline>) -> Json {
    let rules = CheckKind::ALL.into_iter().map(|kind| (kind.name(), kind.description()));
    let rules = rules.chain([("unknown", "Whether an error can be reached is not known.")]);
    let rules =
        rules.map(|(id, what)| Json::object([("id", Json::from(id)), ("shortDescription", text(what))]));
    let driver = Json::object([
        ("name", Json::from("Craig")),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("rules", Json::array(rules)),
    ]);
    let results = findings(suites).into_iter().map(|check| result(check, baseline));
    let run = Json::object([("tool", Json::object([("driver", driver)])), ("results", Json::array(results))]);
    Json::object([
        ("$schema", Json::from("https://json.schemastore.org/sarif-2.1.0.json")),
        ("version", "2.1.0".into()),
        ("runs", Json::array([run])),
    ])
}

fn result(check: &Checked, baseline: Option<&Baseline>) -> Json {
    let (rule, level) = match check.state {
        State::Fails => (check.kind_name(), "error"),
        State::Holds | State::Open(_) => ("unknown", "note"),
    };
    let mut members = vec![
        ("ruleId", Json::from(rule)),
        ("level", level.into()),
        ("message", text(&check.message())),
        ("locations", Json::array([location(&check.location, None)])),
        ("partialFingerprints", Json::object([("craig/v1", Json::from(check.fingerprint.as_str()))])),
    ];
    if let Some(baseline) = baseline {
        members.push(("baselineState", if baseline.knows(check) { "unchanged" } else { "new" }.into()));
    }
    if !check.trace.is_empty() {
        let steps =
            check.trace.iter().map(|(at, words)| Json::object([("location", location(at, Some(words)))]));
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
    use crate::report::suite::tests::report;

    #[test]
    fn a_failing_run_is_a_code_flow() {
        let log = sarif(&[report().suite()], Some(&Baseline::default()));
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
