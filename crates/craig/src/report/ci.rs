//! What continuous integration reads: annotations of GitHub's actions, JUnit's XML, and baselines.

use super::json::Json;
use super::suite::{Checked, State, Suite, findings};
use super::xml::escape;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Every finding as a workflow command, which GitHub shows at its line.
pub fn github(suites: &[Suite]) -> String {
    let mut text = String::new();
    for check in findings(suites) {
        let level = if check.state == State::Fails { "error" } else { "warning" };
        let mut properties = vec![format!("title={}", property(check.kind_name()))];
        let at = &check.location;
        properties.push(format!("file={}", property(&at.file)));
        properties.push(format!("line={}", at.line));
        properties.extend(at.column.map(|column| format!("col={column}")));
        let _ = writeln!(text, "::{level} {}::{}", properties.join(","), data(&check.message()));
    }
    text
}

/// Every check as a test case of JUnit: a failure if it fails, skipped if it is open.
pub fn junit(suites: &[Suite]) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for suite in suites {
        let _ = writeln!(
            xml,
            "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" errors=\"0\" time=\"{:.3}\">",
            escape(&suite.name),
            suite.checks.len(),
            suite.count(|state| *state == State::Fails),
            suite.count(|state| matches!(state, State::Open(_))),
            suite.time.as_secs_f64()
        );
        suite.checks.iter().for_each(|check| test_case(&mut xml, check));
        xml.push_str("</testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn test_case(xml: &mut String, check: &Checked) {
    let (at, kind) = (&check.location, check.kind_name());
    let class = format!("{}.{}", at.file, at.function.as_deref().unwrap_or(kind));
    let name = format!("{}:{} {kind}: {}", at.file, at.line, check.words);
    let _ = write!(xml, "<testcase classname=\"{}\" name=\"{}\"", escape(&class), escape(&name));
    match &check.state {
        State::Holds => xml.push_str("/>\n"),
        State::Fails => {
            let steps = check.trace.iter().map(|(at, words)| format!("{}: {words}\n", at.line));
            let (message, run) = (escape(&check.words), escape(&steps.collect::<String>()));
            let _ =
                writeln!(xml, "><failure message=\"{message}\" type=\"{kind}\">{run}</failure></testcase>");
        }
        State::Open(reason) => {
            let _ = writeln!(xml, "><skipped message=\"{}\"/></testcase>", escape(reason));
        }
    }
}

/// Findings that are known already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeSet<String>);

impl Baseline {
    /// All that is found.
    pub fn of(suites: &[Suite]) -> (Baseline, Json) {
        let findings = findings(suites);
        let baseline = Baseline(findings.iter().map(|check| check.fingerprint.clone()).collect());
        let entries = findings.iter().map(|check| {
            let verdict = if check.state == State::Fails { "unsafe" } else { "unknown" };
            Json::object([
                ("fingerprint", Json::from(check.fingerprint.as_str())),
                ("verdict", verdict.into()),
                ("kind", check.kind_name().into()),
                ("file", check.location.file.as_str().into()),
                ("words", check.words.as_str().into()),
            ])
        });
        let object = Json::object([("version", Json::from(1u32)), ("findings", Json::array(entries))]);
        (baseline, object)
    }

    /// From the text of a baseline file.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        let json = Json::parse(text).map_err(|error| error.to_string())?;
        let Some(Json::Array(findings)) = json.get("findings") else {
            return Err("a baseline is an object with `findings`".to_string());
        };
        let prints = findings.iter().filter_map(|finding| finding.get("fingerprint")?.as_str());
        Ok(Baseline(prints.map(str::to_string).collect()))
    }

    /// Whether a finding is known.
    pub fn knows(&self, check: &Checked) -> bool {
        self.0.contains(&check.fingerprint)
    }

    /// The worst state that is not known already, and how many findings are.
    pub fn judge(&self, suites: &[Suite]) -> (State, usize) {
        let (known, new): (Vec<_>, Vec<_>) =
            findings(suites).into_iter().partition(|check| self.knows(check));
        let worst = new.into_iter().map(|check| &check.state).max();
        (worst.cloned().unwrap_or(State::Holds), known.len())
    }
}

/// The message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::suite::tests::report;

    #[test]
    fn annotations_are_escaped() {
        assert_eq!(
            github(&[report().suite()]),
            "::error title=memory,file=a.c,line=5,col=5::100%25 <invalid>, really\n"
        );
    }

    #[test]
    fn junit_counts_and_shows_the_run() {
        let xml = junit(&[report().suite()]);
        assert!(xml.contains("tests=\"1\" failures=\"1\" skipped=\"0\""), "{xml}");
        assert!(xml.contains("100% &lt;invalid&gt;, really"), "{xml}");
        assert!(xml.contains("3: x = 5\n"), "{xml}");
    }

    #[test]
    fn what_is_in_the_baseline_does_not_fail() {
        let suites = [report().suite()];
        let (baseline, json) = Baseline::of(&suites);
        assert_eq!(Baseline::parse(&json.pretty()), Ok(baseline.clone()));
        assert_eq!(baseline.judge(&suites), (State::Holds, 1));
        assert_eq!(Baseline::default().judge(&suites), (State::Fails, 0));
        assert!(Baseline::parse("[]").is_err());
    }
}
