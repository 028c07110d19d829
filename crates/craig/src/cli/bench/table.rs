//! Every run of a benchmark, by task and participant, in as little memory as the reports need: 40 bytes a run. What a tool
//! said besides stays in the file of results.

use super::answer::{Answer, Verdict};
use super::manifest::Task;
use super::results::{Assessment, Row};
use super::summary::class_of;
use craig_base::Map;

/// The runs of all participants.
pub struct Table {
    pub tasks: Vec<Task>,
    pub participants: Vec<String>,
    pub cells: Cells,
    /// Seconds that a task may take.
    pub timeout: f64,
}

/// What reports say of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome<'a> {
    pub answer: Option<Verdict>,
    /// Why there is no answer.
    pub reason: &'a str,
    pub expected: Option<Verdict>,
    pub seconds: f64,
    pub memory_mb: f64,
}

impl Outcome<'_> {
    pub fn assessment(&self) -> Assessment {
        Assessment::of(self.answer, self.expected)
    }

    /// Solved: answered, and not known to be wrong.
    pub fn solved(&self) -> bool {
        matches!(self.assessment(), Assessment::Correct | Assessment::Unchecked)
    }
}

impl Table {
    /// `None` where a run is missing because the benchmark was stopped. What a task should have answered is taken from
    /// the manifest, which may have been corrected since.
    pub fn get(&self, task: usize, participant: usize) -> Option<Outcome<'_>> {
        let cell = self.cells.columns[participant][task].as_ref()?;
        Some(Outcome {
            answer: cell.answer,
            reason: self.cells.reasons.text(cell.reason),
            expected: self.tasks[task].expected,
            seconds: cell.seconds,
            memory_mb: cell.memory_mb.into(),
        })
    }

    /// One more participant, whose runs were made elsewhere.
    pub fn add(&mut self, participant: String, row_of: impl Fn(&Task) -> Row) {
        self.participants.push(participant);
        self.cells.columns.push(vec![None; self.tasks.len()]);
        for (number, task) in self.tasks.iter().enumerate() {
            self.cells.set(number, self.participants.len() - 1, &row_of(task));
        }
    }

    /// The runs of one participant, in the order of the tasks.
    pub fn of(&self, participant: usize) -> impl Iterator<Item = Outcome<'_>> {
        (0..self.tasks.len()).filter_map(move |task| self.get(task, participant))
    }

    /// What each participant made of a task.
    pub fn row(&self, task: usize) -> impl Iterator<Item = Option<Outcome<'_>>> {
        (0..self.participants.len()).map(move |participant| self.get(task, participant))
    }
}

/// What is kept of the runs.
#[derive(Default)]
pub struct Cells {
    /// Of each participant, in the order of the tasks.
    columns: Vec<Vec<Option<Cell>>>,
    reasons: Reasons,
}

#[derive(Clone)]
struct Cell {
    answer: Option<Verdict>,
    reason: u32,
    memory_mb: f32,
    seconds: f64,
}

impl Cells {
    pub fn new(tasks: usize, participants: usize) -> Cells {
        Cells { columns: vec![vec![None; tasks]; participants], reasons: Reasons::default() }
    }

    pub fn has(&self, task: usize, participant: usize) -> bool {
        self.columns[participant][task].is_some()
    }

    pub fn set(&mut self, task: usize, participant: usize, row: &Row) {
        let (answer, reason) = match &row.answer {
            Answer::Verdict(verdict) => (Some(*verdict), 0),
            Answer::Unknown(reason) => (None, self.reasons.number(reason)),
        };
        let cell = Cell { answer, reason, memory_mb: row.memory_mb as f32, seconds: row.seconds };
        self.columns[participant][task] = Some(cell);
    }
}

/// So many reasons are kept in their own words.
const REASONS: usize = 10_000;

/// Different reasons, which many runs share. Beyond [`REASONS`] only their class is kept, and then not even that.
#[derive(Default)]
struct Reasons {
    texts: Vec<String>,
    numbers: Map<String, u32>,
}

impl Reasons {
    fn number(&mut self, reason: &str) -> u32 {
        for (text, room) in [(reason, REASONS), (class_of(reason), 2 * REASONS)] {
            if let Some(&number) = self.numbers.get(text) {
                return number;
            }
            if self.texts.len() < room {
                return self.insert(text);
            }
        }
        let other = "another reason";
        self.numbers.get(other).copied().unwrap_or_else(|| self.insert(other))
    }

    fn insert(&mut self, text: &str) -> u32 {
        let number = self.texts.len() as u32;
        self.texts.push(text.to_string());
        self.numbers.insert(text.to_string(), number);
        number
    }

    fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_for_a_run_and_for_reasons_is_bounded() {
        assert!(size_of::<Option<Cell>>() <= 40);
        let mut reasons = Reasons::default();
        let first = reasons.number("error: 0");
        for number in 1..5 * REASONS {
            reasons.number(&format!("error: {number}"));
            reasons.number(&format!("class {number}: x"));
        }
        assert_eq!(reasons.number("error: 0"), first);
        assert!(reasons.texts.len() <= 2 * REASONS + 1);
        let number = reasons.number("class 1000000: y");
        assert_eq!(reasons.text(number), "another reason");
    }
}
