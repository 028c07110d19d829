//! What became of the questions about a project: rows of a table, as text, as JSON and as a page.

use super::Question;
use crate::report::json::Json;
use crate::report::xml::escape;
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

/// A check that is not proved, in one line, as a compiler would warn of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it is known to fail.
    pub fails: bool,
    /// Place, verdict, words and kind.
    pub line: String,
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
    /// Checks that hold.
    pub proved: usize,
    /// Checks that can fail.
    pub refuted: usize,
    /// Checks of which neither is known.
    pub open: usize,
    /// The latter two.
    pub findings: Vec<Finding>,
    /// How long it took.
    pub time: Duration,
    /// Whether the answer is that of an earlier run.
    pub recalled: bool,
    /// The page about it, as seen from the overview.
    pub page: Option<String>,
}

impl Row {
    /// Of a question without an answer.
    pub fn without_answer(question: &Question, files: Vec<String>, outcome: Outcome, time: Duration) -> Row {
        Row {
            question: question.clone(),
            files,
            outcome,
            proved: 0,
            refuted: 0,
            open: 0,
            findings: Vec::new(),
            time,
            recalled: false,
            page: None,
        }
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
        let Some(Json::Array(checks)) = report.get("checks") else { return Some(row) };
        for check in checks {
            let text = |name: &str| check.get(name).and_then(Json::as_str).unwrap_or_default();
            let number = |name: &str| check.get(name).and_then(Json::as_f64).unwrap_or_default();
            let verdict = text("verdict");
            match verdict {
                "safe" => row.proved += 1,
                "unsafe" => row.refuted += 1,
                _ => row.open += 1,
            }
            if verdict != "safe" {
                let place = match text("file") {
                    "" => String::new(),
                    file => format!("{file}:{}:{}: ", number("line"), number("column")),
                };
                let line = format!("{place}{verdict}: {} [{}]", text("words"), text("kind"));
                row.findings.push(Finding { fails: verdict == "unsafe", line });
            }
        }
        Some(row)
    }

    /// The same of a question that is about nothing if nothing can fail.
    pub fn with_something_to_check(mut self) -> Row {
        if self.outcome == Outcome::Proved && self.proved == 0 {
            self.outcome = Outcome::Open("there is nothing to check".to_string());
        }
        self
    }

    fn place(&self) -> String {
        format!("{}:{}", self.question.place.file, self.question.place.line)
    }

    fn json(&self) -> Json {
        let place = &self.question.place;
        let findings = self.findings.iter().map(|finding| finding.line.as_str());
        Json::object([
            ("function", Json::from(self.question.function.as_str())),
            ("file", place.file.as_str().into()),
            ("line", place.line.into()),
            ("linked", Json::array(self.files.iter().map(String::as_str))),
            ("answer", self.outcome.word().into()),
            ("reason", self.outcome.reason().map_or(Json::Null, Json::from)),
            ("proved", self.proved.into()),
            ("refuted", self.refuted.into()),
            ("open", self.open.into()),
            ("findings", Json::array(findings)),
            ("seconds", self.time.as_secs_f64().into()),
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
            let found = row.findings.iter().filter(|finding| finding.fails);
            for finding in found.clone().take(LISTED) {
                let _ = writeln!(text, "{}, in `{}`", finding.line, row.question.function);
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
                row.proved,
                row.refuted,
                row.open,
                if row.recalled { "kept".to_string() } else { format!("{:.1} s", row.time.as_secs_f64()) },
            );
        }
        let _ = writeln!(text, "{}", self.sums());
        text
    }

    /// Everything in one line.
    fn sums(&self) -> String {
        let outcomes = ["proved", "refuted", "open", "refused", "broken"];
        let counts = outcomes.iter().map(|word| (self.count(word), word)).filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
        let sum = |of: fn(&Row) -> usize| self.rows.iter().map(of).sum::<usize>();
        let recalled = self.rows.iter().filter(|row| row.recalled).count();
        format!(
            "{} functions: {}; checks: {} proved, {} refuted, {} open; {recalled} from the cache; {:.1} s",
            self.rows.len(),
            if counts.is_empty() { "none".to_string() } else { counts.join(", ") },
            sum(|row| row.proved),
            sum(|row| row.refuted),
            sum(|row| row.open),
            self.time.as_secs_f64(),
        )
    }

    /// As a page, with links to those of the functions.
    pub fn page(&self) -> String {
        let mut rows = String::new();
        for row in &self.rows {
            let name = escape(&row.question.function);
            let name = match &row.page {
                Some(page) => format!("<a href=\"{}\">{name}</a>", escape(page)),
                None => name,
            };
            let word = row.outcome.word();
            let _ = writeln!(
                rows,
                "<tr><td>{name}</td><td>{}</td><td class=\"{word}\" title=\"{}\">{word}</td><td>{}</td><td>{}</td>\
                 <td>{}</td><td>{:.1} s</td></tr>",
                escape(&row.place()),
                escape(row.outcome.reason().unwrap_or_default()),
                row.proved,
                row.refuted,
                row.open,
                row.time.as_secs_f64(),
            );
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Craig</title><style>{STYLE}</style>\
             </head>\n<body><h1>{}</h1>\n<table><tr><th>function<th>where<th>answer<th>proved<th>refuted<th>open\
             <th>time</tr>\n{rows}</table></body></html>\n",
            escape(&self.sums())
        )
    }
}

const STYLE: &str = ":root{color-scheme:light dark}body{font:15px system-ui,sans-serif;margin:2em}h1{font-size:1.1em}\
    table{border-collapse:collapse}th,td{text-align:left;padding:.25em 1em .25em 0;border-bottom:1px solid #8884}\
    .proved{color:#1a7f37}.refuted,.broken{color:#cf222e}.open,.refused{color:#9a6700}";
