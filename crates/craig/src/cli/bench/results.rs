//! The rows of a benchmark: a CSV file that only grows.

use super::manifest::Task;
use super::participant::Participant;
use crate::cli::arguments::Limits;
use crate::cli::bench::answer::{Answer, Verdict};
use crate::cli::units::{format_duration, format_size};
use crate::output;
use crate::report::json::Json;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// The result of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub key: Key,
    pub expected: Option<Verdict>,
    pub answer: Answer,
    pub seconds: f64,
    pub cpu_seconds: f64,
    pub memory_mb: f64,
    /// The tool's own statistics as JSON, or nothing.
    pub stats: String,
}

/// What makes two runs the same measurement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub task: String,
    pub participant: String,
    /// The command with its placeholders.
    pub command: String,
    pub limits: String,
}

impl Key {
    pub fn new(task: &Task, participant: &Participant, limits: &Limits) -> Key {
        Key {
            task: task.name.clone(),
            participant: participant.name.clone(),
            command: participant.template(task.kind),
            limits: format!("{} {}", format_duration(limits.timeout), format_size(limits.memory)),
        }
    }

    /// As one word, which [`Key::of_word`] reads.
    pub fn word(&self) -> String {
        Json::array([&self.task, &self.participant, &self.command, &self.limits].map(String::as_str))
            .to_string()
    }

    pub fn of_word(word: &str) -> Option<Key> {
        let Ok(Json::Array(parts)) = Json::parse(word) else { return None };
        let parts: Option<Vec<String>> = parts.iter().map(|part| part.as_str().map(str::to_string)).collect();
        let [task, participant, command, limits] = parts?.try_into().ok()?;
        Some(Key { task, participant, command, limits })
    }
}

/// How an answer compares with what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assessment {
    Correct,
    Wrong,
    /// An answer where the right one is not known, or where it is disputed.
    Unchecked,
    Unknown,
}

impl Assessment {
    pub fn of(answer: Option<Verdict>, expected: Option<Verdict>) -> Assessment {
        match (answer, expected) {
            (None, _) => Assessment::Unknown,
            (Some(_), None) => Assessment::Unchecked,
            (Some(answer), Some(expected)) if answer.agrees(expected) => Assessment::Correct,
            (Some(_), Some(_)) => Assessment::Wrong,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Assessment::Correct => "correct",
            Assessment::Wrong => "wrong",
            Assessment::Unchecked => "unchecked",
            Assessment::Unknown => "unknown",
        }
    }
}

const HEADING: [&str; 12] = [
    "task",
    "participant",
    "command",
    "limits",
    "expected",
    "answer",
    "reason",
    "assessment",
    "seconds",
    "cpu_seconds",
    "memory_mb",
    "stats",
];

/// The CSV file of a benchmark.
pub struct ResultsFile {
    file: File,
}

impl ResultsFile {
    /// Opens or creates the file and hands over the rows that it already has. A last line that was cut
    /// off when an earlier run was killed is removed.
    pub fn open(path: &Path, mut each: impl FnMut(Row)) -> io::Result<ResultsFile> {
        output::refuse_link(path)?;
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut reader = BufReader::new(&mut file);
        let mut complete = 0;
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            complete += line.len() as u64;
            parse_row(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']))
                .into_iter()
                .for_each(&mut each);
            line.clear();
        }
        if !line.is_empty() {
            file.set_len(complete)?;
        }
        let mut results = ResultsFile { file };
        if complete == 0 {
            results.write_line(&HEADING)?;
        }
        Ok(results)
    }

    /// Adds a row; it is in the file, whole, when this returns.
    pub fn append(&mut self, row: &Row) -> io::Result<()> {
        self.write_line(&[
            &row.key.task,
            &row.key.participant,
            &row.key.command,
            &row.key.limits,
            &row.expected.map_or_else(|| "-".to_string(), |verdict| verdict.to_string()),
            &row.answer
                .verdict()
                .map_or_else(|| row.answer.name().to_string(), |verdict| verdict.to_string()),
            row.answer.reason().unwrap_or(""),
            Assessment::of(row.answer.verdict(), row.expected).name(),
            &format!("{:.3}", row.seconds),
            &format!("{:.3}", row.cpu_seconds),
            &format!("{:.1}", row.memory_mb),
            &row.stats,
        ])
    }

    fn write_line(&mut self, fields: &[&str]) -> io::Result<()> {
        let fields: Vec<String> = fields.iter().map(|field| quote(field)).collect();
        self.file.write_all(format!("{}\n", fields.join(",")).as_bytes())
    }
}

/// A field of RFC 4180. A record stays on one line, whatever a tool printed.
fn quote(field: &str) -> String {
    let field = field.replace(['\n', '\r'], " ");
    if field.contains([',', '"']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

fn split_fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let last = fields.last_mut().expect("there is always a last field");
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                last.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => last.push(c),
        }
    }
    fields
}

/// Nothing for the heading, and for a line that some other program made.
fn parse_row(line: &str) -> Option<Row> {
    let fields: [String; HEADING.len()] = split_fields(line).try_into().ok()?;
    let [
        task,
        participant,
        command,
        limits,
        expected,
        answer,
        reason,
        _,
        seconds,
        cpu_seconds,
        memory_mb,
        stats,
    ] = fields;
    Some(Row {
        key: Key { task, participant, command, limits },
        expected: Verdict::from_name(&expected),
        answer: Verdict::from_name(&answer).map_or(Answer::Unknown(reason), Answer::Verdict),
        seconds: seconds.parse().ok()?,
        cpu_seconds: cpu_seconds.parse().ok()?,
        memory_mb: memory_mb.parse().ok()?,
        stats,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(task: &str, answer: Answer) -> Row {
        let key = Key {
            task: task.to_string(),
            participant: "z3".to_string(),
            command: "z3 \"{file}\", twice".to_string(),
            limits: "60s 4G".to_string(),
        };
        Row {
            key,
            expected: Some(Verdict::Sat),
            answer,
            seconds: 1.25,
            cpu_seconds: 1.0,
            memory_mb: 12.5,
            stats: "{\"a\": 1}".to_string(),
        }
    }

    #[test]
    fn rows_survive_the_file_and_a_torn_line_does_not() {
        let path = std::env::temp_dir().join(format!("craig-results-{}.csv", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let rows = [
            row("a,b", Answer::Verdict(Verdict::Sat)),
            row("c", Answer::Unknown("error: \"x\", y".to_string())),
        ];
        let open = || {
            let mut rows = Vec::new();
            let file = ResultsFile::open(&path, |row| rows.push(row)).expect("a file");
            (file, rows)
        };
        let (mut file, old) = open();
        assert!(old.is_empty());
        for row in &rows {
            file.append(row).expect("a row");
        }
        drop(file);
        let mut file = OpenOptions::new().append(true).open(&path).expect("the file");
        file.write_all(b"torn,z3,cut o").expect("half a row");
        drop(file);
        let (mut file, old) = open();
        assert_eq!(old, rows);
        file.append(&row("new\nline", Answer::Verdict(Verdict::Unsat))).expect("a row");
        let (_, old) = open();
        assert_eq!(old.len(), 3);
        let assessment = Assessment::of(old[2].answer.verdict(), old[2].expected);
        assert_eq!((old[2].key.task.as_str(), assessment), ("new line", Assessment::Wrong));
        assert_eq!(Key::of_word(&old[0].key.word()).as_ref(), Some(&old[0].key));
        std::fs::remove_file(path).expect("the file is ours");
    }
}
