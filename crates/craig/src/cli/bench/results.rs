//! The rows of a benchmark: a CSV file that only grows, and the table made of it.

use super::manifest::Task;
use super::participant::Participant;
use crate::cli::arguments::Limits;
use crate::cli::bench::answer::{Answer, Verdict};
use crate::cli::units::{format_duration, format_size};
use craig_base::Map;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
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
}

/// How an answer compares with what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assessment {
    Correct,
    Wrong,
    /// An answer where nobody knows the right one, or where it is disputed.
    Unchecked,
    Unknown,
}

impl Row {
    pub fn assessment(&self) -> Assessment {
        match (&self.answer, self.expected) {
            (Answer::Unknown(_), _) => Assessment::Unknown,
            (Answer::Verdict(_), None) => Assessment::Unchecked,
            (Answer::Verdict(answer), Some(expected)) if answer.agrees(expected) => Assessment::Correct,
            (Answer::Verdict(_), Some(_)) => Assessment::Wrong,
        }
    }

    /// Solved: answered, and not known to be wrong.
    pub fn solved(&self) -> bool {
        matches!(self.assessment(), Assessment::Correct | Assessment::Unchecked)
    }
}

impl Assessment {
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
    /// Opens or creates the file and reads the rows that it already has. A last line that was cut
    /// off when an earlier run was killed is removed.
    pub fn open(path: &Path) -> io::Result<(ResultsFile, Vec<Row>)> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        if complete < text.len() {
            file.set_len(complete as u64)?;
        }
        file.seek(SeekFrom::End(0))?;
        let mut results = ResultsFile { file };
        if complete == 0 {
            results.write_line(&HEADING)?;
        }
        Ok((results, text[..complete].lines().filter_map(parse_row).collect()))
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
            row.assessment().name(),
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

/// The rows of one benchmark, arranged by task and participant.
pub struct Table {
    pub tasks: Vec<Task>,
    pub participants: Vec<String>,
    /// `rows[task][participant]`; `None` where a run is missing because the benchmark was stopped.
    pub rows: Vec<Vec<Option<Row>>>,
    /// Seconds that a task may take.
    pub timeout: f64,
}

impl Table {
    /// Rows of other tasks, participants or limits are left out. What a task should have answered
    /// is taken from the manifest, which may have been corrected since.
    pub fn new(tasks: Vec<Task>, participants: &[Participant], limits: &Limits, rows: Vec<Row>) -> Table {
        let mut by_key: Map<Key, Row> = rows.into_iter().map(|row| (row.key.clone(), row)).collect();
        let rows = tasks
            .iter()
            .map(|task| {
                let row = |participant| {
                    let row = by_key.remove(&Key::new(task, participant, limits))?;
                    Some(Row { expected: task.expected, ..row })
                };
                participants.iter().map(row).collect()
            })
            .collect();
        let participants = participants.iter().map(|participant| participant.name.clone()).collect();
        Table { tasks, participants, rows, timeout: limits.timeout.as_secs_f64() }
    }

    /// One more participant, whose runs were made elsewhere.
    pub fn add(&mut self, participant: String, row_of: impl Fn(&Task) -> Row) {
        self.participants.push(participant);
        for (task, rows) in self.tasks.iter().zip(&mut self.rows) {
            rows.push(Some(row_of(task)));
        }
    }

    /// The runs of one participant, in the order of the tasks.
    pub fn of(&self, participant: usize) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter_map(move |row| row[participant].as_ref())
    }

    /// Every run.
    pub fn all(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().flatten().flatten()
    }
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
        let (mut file, old) = ResultsFile::open(&path).expect("a new file");
        assert!(old.is_empty());
        for row in &rows {
            file.append(row).expect("a row");
        }
        drop(file);
        let mut file = OpenOptions::new().append(true).open(&path).expect("the file");
        file.write_all(b"torn,z3,cut o").expect("half a row");
        drop(file);
        let (mut file, old) = ResultsFile::open(&path).expect("the same file");
        assert_eq!(old, rows);
        file.append(&row("new\nline", Answer::Verdict(Verdict::Unsat))).expect("a row");
        let (_, old) = ResultsFile::open(&path).expect("the same file");
        assert_eq!(old.len(), 3);
        assert_eq!((old[2].key.task.as_str(), old[2].assessment()), ("new line", Assessment::Wrong));
        std::fs::remove_file(path).expect("the file is ours");
    }
}
