//! What became of the questions about a project: rows of a table, as text and as JSON.

use super::Question;
use crate::report::json::Json;
use crate::report::{Checked, State, Suite};
use std::fmt::Write;
use std::time::Duration;

/// How a question ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No check can fail.
    Proved,
    /// A check can.
    Refuted,
    /// No check is known to fail, and not every one to hold.
    Open(String),
    /// The program is not understood.
    Refused(String),
    /// Craig broke.
    Broken(String),
}

impl Outcome {
    /// In one word.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Proved => "proved",
            Outcome::Refuted => "refuted",
            Outcome::Open(_) => "open",
            Outcome::Refused(_) => "refused",
            Outcome::Broken(_) => "broken",
        }
    }

    /// Why it is neither proved nor refuted.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Outcome::Proved | Outcome::Refuted => None,
            Outcome::Open(why) | Outcome::Refused(why) | Outcome::Broken(why) => Some(why),
        }
    }
}

/// The answer to one question.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was asked.
    pub question: Question,
    /// The files that were linked.
    pub files: Vec<String>,
    /// What came out.
    pub outcome: Outcome,
    /// The checks, and how long it took.
    pub suite: Suite,
    /// Whether the answer is that of an earlier run.
    pub recalled: bool,
    /// The page about it, as seen from the overview.
    pub page: Option<String>,
}

impl Row {
    /// Of a question without an answer.
    pub fn without_answer(question: &Question, files: Vec<String>, outcome: Outcome, time: Duration) -> Row {
        let suite = Suite { name: question.function.clone(), checks: Vec::new(), time };
        Row { question: question.clone(), files, outcome, suite, recalled: false, page: None }
    }

    /// Of what `craig check --json` printed; nothing if that is no report.
    pub fn of_report(question: &Question, files: Vec<String>, report: &Json, time: Duration) -> Option<Row> {
        let reason = || report.get("reason").and_then(Json::as_str).unwrap_or_default().to_string();
        let outcome = match report.get("verdict")?.as_str()? {
            "safe" => Outcome::Proved,
            "unsafe" => Outcome::Refuted,
            "unknown" => Outcome::Open(reason()),
            _ => return None,
        };
        let mut row = Row::without_answer(question, files, outcome, time);
        row.recalled = report.get("engine").and_then(Json::as_str) == Some(crate::check::RESULT_CACHE);
        // A process that is ended by its limits has no time to say more.
        if let Some(suite) = Suite::of_json(&question.function, &question.place, report, time) {
            row.suite = suite;
        }
        Some(row)
    }

    pub(super) fn proved(&self) -> usize {
        self.suite.count(|state| *state == State::Holds)
    }

    pub(super) fn refuted(&self) -> usize {
        self.suite.count(|state| *state == State::Fails)
    }

    pub(super) fn open(&self) -> usize {
        self.suite.count(|state| matches!(state, State::Open(_)))
    }

    /// What continuous integration is told: the checks, or that there is no answer.
    fn told(&self) -> Suite {
        let mut suite = self.suite.clone();
        let is_told = suite.findings().next().is_some();
        if let Some(why) = self.outcome.reason().filter(|_| !is_told) {
            let Question { function, place, .. } = &self.question;
            suite.checks.push(Checked::open_question(function, place, why));
        }
        suite
    }

    /// The same of a question that is about nothing if nothing can fail.
    pub fn with_something_to_check(mut self) -> Row {
        if self.outcome == Outcome::Proved && self.suite.checks.is_empty() {
            self.outcome = Outcome::Open("there is nothing to check".to_string());
        }
        self
    }

    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.question.place.file, self.question.place.line)
    }

    fn json(&self) -> Json {
        let place = &self.question.place;
        let findings = self.suite.findings().map(Checked::to_string);
        Json::object([
            ("function", Json::from(self.question.function.as_str())),
            ("file", place.file.as_str().into()),
            ("line", place.line.into()),
            ("linked", Json::array(self.files.iter().map(String::as_str))),
            ("answer", self.outcome.word().into()),
            ("reason", self.outcome.reason().map_or(Json::Null, Json::from)),
            ("proved", self.proved().into()),
            ("refuted", self.refuted().into()),
            ("open", self.open().into()),
            ("findings", Json::array(findings)),
            ("seconds", self.suite.time.as_secs_f64().into()),
            ("recalled", self.recalled.into()),
        ])
    }
}

/// All answers.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// In the order of the questions.
    pub rows: Vec<Row>,
    /// Files that could not be read, and why.
    pub unread: Vec<(String, String)>,
    /// How long everything took.
    pub time: Duration,
}

/// So many findings of a function are listed.
const LISTED: usize = 20;

impl Table {
    /// How many functions ended like this.
    pub fn count(&self, word: &str) -> usize {
        self.rows.iter().filter(|row| row.outcome.word() == word).count()
    }

    /// What continuous integration is told, function by function.
    pub fn suites(&self) -> Vec<Suite> {
        self.rows.iter().map(Row::told).collect()
    }

    /// As one JSON object.
    pub fn json(&self) -> Json {
        let unread = self.unread.iter().map(|(file, why)| {
            Json::object([("file", Json::from(file.as_str())), ("reason", why.as_str().into())])
        });
        Json::object([
            ("functions", Json::array(self.rows.iter().map(Row::json))),
            ("unread", Json::array(unread)),
            ("seconds", self.time.as_secs_f64().into()),
        ])
    }

    /// What was found, then the table and the sums.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (file, why) in &self.unread {
            let _ = writeln!(text, "{file}: not read: {why}");
        }
        for row in &self.rows {
            let found = row.suite.findings().filter(|check| check.state == State::Fails);
            for finding in found.clone().take(LISTED) {
                let _ = writeln!(text, "{finding}, in `{}`", row.question.function);
            }
            let more = found.count().saturating_sub(LISTED);
            if more > 0 {
                let _ = writeln!(text, "{}: ... and {more} more in `{}`", row.place(), row.question.function);
            }
            if let Some(why) = row.outcome.reason() {
                let _ = writeln!(
                    text,
                    "{}: {}: {why}, in `{}`",
                    row.place(),
                    row.outcome.word(),
                    row.question.function
                );
            }
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let names = self.rows.iter().map(|row| row.question.function.len()).chain([8]).max().unwrap_or(8);
        let places = self.rows.iter().map(|row| row.place().len()).chain([5]).max().unwrap_or(5);
        let _ = writeln!(
            text,
            "{:names$}  {:places$}  answer   proved  refuted  open    time",
            "function", "where"
        );
        for row in &self.rows {
            let _ = writeln!(
                text,
                "{:names$}  {:places$}  {:7}  {:6}  {:7}  {:4}  {:>6}",
                row.question.function,
                row.place(),
                row.outcome.word(),
                row.proved(),
                row.refuted(),
                row.open(),
                if row.recalled {
                    "kept".to_string()
                } else {
                    format!("{:.1} s", row.suite.time.as_secs_f64())
                },
            );
        }
        let _ = writeln!(text, "{}", self.sums());
        text
    }

    /// Everything in one line.
    pub(super) fn sums(&self) -> String {
        let outcomes = ["proved", "refuted", "open", "refused", "broken"];
        let counts = outcomes.iter().map(|word| (self.count(word), word)).filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
        let sum = |of: fn(&Row) -> usize| self.rows.iter().map(of).sum::<usize>();
        let recalled = self.rows.iter().filter(|row| row.recalled).count();
        format!(
            "{} functions: {}; checks: {} proved, {} refuted, {} open; {recalled} from the cache; {:.1} s",
            self.rows.len(),
            if counts.is_empty() { "none".to_string() } else { counts.join(", ") },
            sum(Row::proved),
            sum(Row::refuted),
            sum(Row::open),
            self.time.as_secs_f64(),
        )
    }
}
