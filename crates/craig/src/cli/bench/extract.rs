//! From what a run printed to what it answered.

use super::manifest::Kind;
use super::process::{End, Measurement};
use crate::cli::bench::answer::{Answer, Verdict};
use crate::report::json::Json;
use craig_base::StopReason;
use std::time::Duration;

pub const TIMEOUT: &str = "timeout";
pub const MEMORY: &str = "memory";

/// What a run answered, and its statistics where it gave any as JSON.
pub fn extract(kind: Kind, this_tool: bool, timeout: Duration, run: &Measurement) -> (Answer, Option<Json>) {
    let unknown = |reason: String| (Answer::Unknown(reason), None);
    match run.end {
        End::TimeLimit => return unknown(TIMEOUT.to_string()),
        End::MemoryLimit => return unknown(MEMORY.to_string()),
        End::Signal(signal) => return unknown(format!("crash (signal {signal})")),
        End::Exit(_) if run.wall > timeout => return unknown(TIMEOUT.to_string()),
        End::Exit(code) if this_tool && code >= 64 => {
            return unknown(format!("error (exit {code}): {}", first_line(&run.stderr)));
        }
        End::Exit(_) => {}
    }
    if this_tool && let Ok(report) = Json::parse(run.stdout.trim()) {
        return (from_report(kind, &report), report.get("stats").cloned());
    }
    (from_lines(kind, run), None)
}

/// From the object that `--json` prints.
fn from_report(kind: Kind, report: &Json) -> Answer {
    let word = report.get("verdict").and_then(Json::as_str).unwrap_or("");
    match from_word(kind, word) {
        Some(verdict) => Answer::Verdict(verdict),
        None => Answer::Unknown(classify(
            report.get("reason").and_then(Json::as_str).unwrap_or("no reason given"),
        )),
    }
}

/// From the first line that begins with an answer; of a script of formulas, from all of them.
fn from_lines(kind: Kind, run: &Measurement) -> Answer {
    let mut answers = Vec::new();
    for line in run.stdout.lines() {
        let line = line.trim();
        let end = line.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len());
        let word = line[..end].to_ascii_lowercase();
        if let Some(verdict) = from_word(kind, &word) {
            answers.push(verdict);
            if kind != Kind::Smt {
                break;
            }
        }
        match word.as_str() {
            "unknown" => {
                let reason = line[end..].trim_matches([':', ' ', '(', ')']);
                let reason = if reason.is_empty() { first_line(&run.stderr) } else { reason };
                return Answer::Unknown(classify(if reason.is_empty() { "no reason given" } else { reason }));
            }
            "timeout" if line.len() == end => return Answer::Unknown(TIMEOUT.to_string()),
            _ => {}
        }
    }
    if let Some(verdict) = Verdict::of_answers(&answers) {
        return Answer::Verdict(verdict);
    }
    let complaint = if run.stderr.trim().is_empty() { &run.stdout } else { &run.stderr };
    match (run.end, first_line(complaint)) {
        (End::Exit(code), "") => Answer::Unknown(format!("no answer (exit {code})")),
        (End::Exit(code), line) => Answer::Unknown(format!("no answer (exit {code}): {line}")),
        _ => Answer::Unknown("no answer".to_string()),
    }
}

/// A limit that the tool kept itself is the same reason as one that it was made to keep.
fn classify(reason: &str) -> String {
    if reason.contains(&StopReason::Timeout.to_string()) || reason == "timeout" || reason == "canceled" {
        TIMEOUT.to_string()
    } else if reason.contains(&StopReason::Memory.to_string()) || reason == "memout" {
        MEMORY.to_string()
    } else {
        reason.to_string()
    }
}

/// Reads the word by which some tool answers a question of this kind.
fn from_word(kind: Kind, word: &str) -> Option<Verdict> {
    let holds = match word {
        "safe" | "true" => Some(true),
        "unsafe" | "false" => Some(false),
        _ => None,
    };
    match kind {
        Kind::C => holds.map(|holds| if holds { Verdict::Safe } else { Verdict::Unsafe }),
        // A model of the clauses is a proof of the program they came from.
        Kind::Horn if holds.is_some() => holds.map(|holds| if holds { Verdict::Sat } else { Verdict::Unsat }),
        Kind::Horn | Kind::Smt => match word {
            "sat" => Some(Verdict::Sat),
            "unsat" => Some(Verdict::Unsat),
            _ => None,
        },
    }
}

fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(end: End, stdout: &str, stderr: &str) -> Measurement {
        Measurement {
            end,
            stdout: stdout.to_string(),
            stderr: stderr.to_string(),
            wall: Duration::from_secs(1),
            cpu: Duration::ZERO,
            peak_memory: 0,
        }
    }

    fn answer(kind: Kind, this_tool: bool, run: &Measurement) -> String {
        match extract(kind, this_tool, Duration::from_secs(10), run).0 {
            Answer::Verdict(verdict) => verdict.to_string(),
            Answer::Unknown(reason) => format!("? {reason}"),
        }
    }

    #[test]
    fn answers_of_peers() {
        let ok = |text| run(End::Exit(0), text, "");
        assert_eq!(answer(Kind::Smt, false, &ok("(warning)\nunsat\n(error ...)")), "unsat");
        assert_eq!(answer(Kind::C, false, &ok("FALSE(unreach-call)\n")), "unsafe");
        assert_eq!(answer(Kind::Horn, false, &ok("safe\n")), "sat");
        assert_eq!(answer(Kind::C, false, &ok("sat\n")), "? no answer (exit 0): sat");
        assert_eq!(answer(Kind::Smt, false, &ok("timeout\n")), "? timeout");
        assert_eq!(answer(Kind::Smt, false, &ok("unknown\n")), "? no reason given");
        assert_eq!(
            answer(Kind::C, false, &run(End::Exit(1), "", "bad: x\n")),
            "? no answer (exit 1): bad: x"
        );
    }

    #[test]
    fn answers_of_this_tool() {
        let report = r#"{"verdict": "unsafe", "reason": null, "stats": {"tests": 3}}"#;
        let (found, stats) = extract(Kind::C, true, Duration::from_secs(10), &run(End::Exit(1), report, ""));
        assert_eq!(found, Answer::Verdict(Verdict::Unsafe));
        assert_eq!(stats, Some(Json::object([("tests", Json::from(3))])));
        let report = r#"{"verdict": "unknown", "reason": "the time limit was reached"}"#;
        assert_eq!(answer(Kind::C, true, &run(End::Exit(2), report, "")), "? timeout");
        assert_eq!(answer(Kind::C, true, &run(End::Exit(2), "unknown: recursion\n", "")), "? recursion");
        assert_eq!(
            answer(Kind::C, true, &run(End::Exit(65), "safe", "a.c:1:2: no")),
            "? error (exit 65): a.c:1:2: no"
        );
    }

    #[test]
    fn an_answer_that_comes_late_or_from_a_killed_run_does_not_count() {
        assert_eq!(answer(Kind::Smt, false, &run(End::TimeLimit, "sat", "")), "? timeout");
        assert_eq!(answer(Kind::Smt, false, &run(End::MemoryLimit, "sat", "")), "? memory");
        assert_eq!(answer(Kind::Smt, false, &run(End::Signal(11), "sat", "")), "? crash (signal 11)");
        let late = Measurement { wall: Duration::from_secs(11), ..run(End::Exit(0), "sat", "") };
        assert_eq!(answer(Kind::Smt, false, &late), "? timeout");
    }
}
