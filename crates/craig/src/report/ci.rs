//! What continuous integration reads: annotations of GitHub's actions, JUnit's XML, and baselines.

use super::json::Json;
use super::xml::escape;
use crate::check::{CheckReport, Report, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write;

impl Report {
    /// Every finding as a workflow command, which GitHub shows at its line.
    pub fn github(&self) -> String {
        let mut text = String::new();
        for check in &self.checks {
            let (level, message) = match &check.verdict {
                Verdict::Safe => continue,
                Verdict::Unsafe => ("error", check.words.clone()),
                Verdict::Unknown(reason) => ("warning", format!("not decided: {} ({reason})", check.words)),
            };
            let mut properties = vec![format!("title={}", property(check.kind.name()))];
            if let Some(at) = &check.location {
                properties.push(format!("file={}", property(&at.file)));
                properties.push(format!("line={}", at.line));
                properties.extend(at.column.map(|column| format!("col={column}")));
            }
            let _ = writeln!(text, "::{level} {}::{}", properties.join(","), data(&message));
        }
        text
    }

    /// Every check as a test case of JUnit: a failure if it fails, skipped if it is open.
    pub fn junit(&self) -> String {
        let count = |word: &str| self.checks.iter().filter(|check| check.verdict.word() == word).count();
        let name = escape(&self.task.join(" "));
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{name}\" tests=\"{}\" \
             failures=\"{}\" skipped=\"{}\" errors=\"0\" time=\"{:.3}\">\n",
            self.checks.len(),
            count("unsafe"),
            count("unknown"),
            self.time.as_secs_f64()
        );
        for check in &self.checks {
            let at = check.location.as_ref();
            let place = at.map_or_else(String::new, |at| format!("{}:{}", at.file, at.line));
            let class = at.map_or_else(String::new, |at| {
                format!("{}.{}", at.file, at.function.as_deref().unwrap_or(check.kind.name()))
            });
            let _ = write!(
                xml,
                "<testcase classname=\"{}\" name=\"{}\"",
                escape(&class),
                escape(&format!("{place} {}: {}", check.kind.name(), check.words))
            );
            match &check.verdict {
                Verdict::Safe => xml.push_str("/>\n"),
                Verdict::Unsafe => {
                    let run: String = if check.test == self.test {
                        self.trace
                            .iter()
                            .map(|step| format!("{}: {}\n", step.location.line, step.event))
                            .collect()
                    } else {
                        String::new()
                    };
                    let (message, kind) = (escape(&check.words), check.kind.name());
                    let _ = writeln!(
                        xml,
                        "><failure message=\"{message}\" type=\"{kind}\">{}</failure></testcase>",
                        escape(&run)
                    );
                }
                Verdict::Unknown(reason) => {
                    let _ =
                        writeln!(xml, "><skipped message=\"{}\"/></testcase>", escape(&reason.to_string()));
                }
            }
        }
        xml.push_str("</testsuite>\n</testsuites>\n");
        xml
    }
}

/// Findings that are known already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeSet<String>);

impl Baseline {
    /// All that the report finds.
    pub fn of(report: &Report) -> (Baseline, Json) {
        let findings = report.checks.iter().filter(|check| check.verdict != Verdict::Safe);
        let baseline = Baseline(findings.clone().map(|check| check.fingerprint.clone()).collect());
        let entries = findings.map(|check| {
            let file = check.location.as_ref().map_or("", |at| at.file.as_str());
            Json::object([
                ("fingerprint", Json::from(check.fingerprint.as_str())),
                ("verdict", check.verdict.word().into()),
                ("kind", check.kind.name().into()),
                ("file", file.into()),
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
    pub fn knows(&self, check: &CheckReport) -> bool {
        self.0.contains(&check.fingerprint)
    }

    /// The worst answer that is not known already, and how many findings are.
    pub fn judge(&self, report: &Report) -> (Verdict, usize) {
        let (known, new): (Vec<_>, Vec<_>) = report
            .checks
            .iter()
            .filter(|check| check.verdict != Verdict::Safe)
            .partition(|check| self.knows(check));
        let worst = new.iter().find(|check| check.verdict == Verdict::Unsafe).or(new.first());
        (worst.map_or(Verdict::Safe, |check| check.verdict.clone()), known.len())
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
    use crate::report::answer::tests::unsafe_report;
    use craig_program::CheckKind;

    fn report() -> Report {
        let report = unsafe_report();
        let location = report.trace.last().map(|step| step.location.clone());
        let check = CheckReport {
            kind: CheckKind::Memory,
            location,
            words: "100% <invalid>, really".to_string(),
            verdict: Verdict::Unsafe,
            test: None,
            fingerprint: "f00d".to_string(),
        };
        Report { checks: vec![check], ..report }
    }

    #[test]
    fn annotations_are_escaped() {
        assert_eq!(
            report().github(),
            "::error title=memory,file=a.c,line=5,col=5::100%25 <invalid>, really\n"
        );
    }

    #[test]
    fn junit_counts_and_shows_the_run() {
        let xml = report().junit();
        assert!(xml.contains("tests=\"1\" failures=\"1\" skipped=\"0\""), "{xml}");
        assert!(xml.contains("100% &lt;invalid&gt;, really"), "{xml}");
        assert!(xml.contains("3: x = 5\n"), "{xml}");
    }

    #[test]
    fn what_is_in_the_baseline_does_not_fail() {
        let report = report();
        let (baseline, json) = Baseline::of(&report);
        assert_eq!(Baseline::parse(&json.pretty()), Ok(baseline.clone()));
        assert_eq!(baseline.judge(&report), (Verdict::Safe, 1));
        assert_eq!(Baseline::default().judge(&report), (Verdict::Unsafe, 0));
        assert!(Baseline::parse("[]").is_err());
    }
}
