//! Which runs there are, which of them are left to do, and doing them.

use super::extract::extract;
use super::manifest::Task;
use super::participant::Participant;
use super::process::{self, Measurement};
use super::results::{Key, ResultsFile, Row};
use super::table::{Cells, Table};
use crate::cli::arguments::Limits;
use crate::cli::parallel::in_parallel;
use crate::cli::slurm::{Run, Work};
use craig_base::CancelToken;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What all runs of a benchmark have in common.
pub struct Setting {
    pub this_tool: PathBuf,
    pub limits: Limits,
    pub seed: u64,
    /// How many runs at a time.
    pub jobs: usize,
}

/// A benchmark that is being made: every task with every participant.
///
/// Runs have numbers. Those of one task stand together; who begins changes from task to task, so that no tool always finds
/// the file in the cache.
pub struct Schedule {
    tasks: Vec<Task>,
    participants: Vec<Participant>,
    setting: Setting,
    file: ResultsFile,
    cells: Cells,
    /// The tasks, ordered by name.
    by_name: Vec<u32>,
}

impl Schedule {
    /// With the rows that the file of results already has. Those of other tasks, participants or limits are left out.
    pub fn new(
        tasks: Vec<Task>,
        participants: Vec<Participant>,
        setting: Setting,
        results: &Path,
    ) -> io::Result<Schedule> {
        let mut by_name: Vec<u32> = (0..tasks.len() as u32).collect();
        by_name.sort_by_key(|&task| &tasks[task as usize].name);
        let mut cells = Cells::new(tasks.len(), participants.len());
        let file = ResultsFile::open(results, |row| {
            if let Some((task, participant)) =
                place(&tasks, &by_name, &participants, &setting.limits, &cells, &row.key)
            {
                cells.set(task, participant, &row);
            }
        })?;
        Ok(Schedule { tasks, participants, setting, file, cells, by_name })
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.tasks.len() * self.participants.len()
    }

    /// Makes the runs of which there is no row yet, and hands each row to `done` when it is in the file. An error means
    /// that a program could not be started or a row not be written.
    pub fn execute(&mut self, cancel: &CancelToken, done: impl Fn(&Row) + Sync) -> io::Result<()> {
        let numbers = self.missing();
        let Schedule { tasks, participants, setting, file, cells, .. } = self;
        let output = Mutex::new((file, cells));
        let failed = AtomicBool::new(false);
        let work = |&number: &usize| -> io::Result<()> {
            if cancel.is_cancelled() || failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let (task, participant) = run_of(number, participants.len());
            let (of_task, of_participant) = (&tasks[task], &participants[participant]);
            let command = command(of_task, of_participant, setting);
            let run = process::run(&command, &setting.limits, cancel).map_err(|error| {
                let program = command.first().map(|word| word.to_string_lossy()).unwrap_or_default();
                io::Error::new(error.kind(), format!("{program}: {error}"))
            })?;
            let Some(run) = run else { return Ok(()) };
            let row = row(of_task, of_participant, setting, &run);
            let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
            output.0.append(&row)?;
            output.1.set(task, participant, &row);
            done(&row);
            Ok(())
        };
        let ends = in_parallel(setting.jobs, &numbers, |number| {
            work(number).inspect_err(|_| failed.store(true, Ordering::Relaxed))
        });
        ends.into_iter().collect()
    }

    /// All rows there are.
    pub fn into_table(self) -> Table {
        Table {
            participants: self.participants.into_iter().map(|participant| participant.name).collect(),
            timeout: self.setting.limits.timeout.as_secs_f64(),
            tasks: self.tasks,
            cells: self.cells,
        }
    }
}

/// The same by the jobs of a cluster.
impl Work for Schedule {
    fn missing(&self) -> Vec<usize> {
        let is_left = |&number: &usize| {
            let (task, participant) = run_of(number, self.participants.len());
            !self.cells.has(task, participant)
        };
        (0..self.runs()).filter(is_left).collect()
    }

    fn run(&self, number: usize) -> Run {
        let (task, participant) = run_of(number, self.participants.len());
        let (task, participant) = (&self.tasks[task], &self.participants[participant]);
        Run {
            name: Key::new(task, participant, &self.setting.limits).word(),
            command: command(task, participant, &self.setting),
        }
    }

    fn take(&mut self, name: &str, result: &Measurement) -> io::Result<bool> {
        let Schedule { tasks, participants, setting, file, cells, by_name } = self;
        let place = Key::of_word(name)
            .and_then(|key| place(tasks, by_name, participants, &setting.limits, cells, &key));
        let Some((task, participant)) = place else { return Ok(false) };
        let row = row(&tasks[task], &participants[participant], setting, result);
        file.append(&row)?;
        cells.set(task, participant, &row);
        Ok(true)
    }
}

/// Task and participant of a run.
fn run_of(number: usize, participants: usize) -> (usize, usize) {
    let (task, turn) = (number / participants, number % participants);
    (task, (task + turn) % participants)
}

/// Where the result of a run belongs, if it is still missing there. A manifest may name a task twice.
fn place(
    tasks: &[Task],
    by_name: &[u32],
    participants: &[Participant],
    limits: &Limits,
    cells: &Cells,
    key: &Key,
) -> Option<(usize, usize)> {
    let participant = participants.iter().position(|participant| participant.name == key.participant)?;
    let start = by_name.partition_point(|&task| tasks[task as usize].name < key.task);
    let mut named = by_name[start..].iter().map(|&task| task as usize);
    named.by_ref().take_while(|&task| tasks[task].name == key.task).find_map(|task| {
        let fits = !cells.has(task, participant)
            && Key::new(&tasks[task], &participants[participant], limits) == *key;
        fits.then_some((task, participant))
    })
}

fn command(task: &Task, participant: &Participant, setting: &Setting) -> Vec<OsString> {
    participant.command(&setting.this_tool, task, &setting.limits, setting.seed)
}

fn row(task: &Task, participant: &Participant, setting: &Setting, run: &Measurement) -> Row {
    let (answer, stats) = extract(task.kind, participant.is_this_tool(), setting.limits.timeout, run);
    Row {
        key: Key::new(task, participant, &setting.limits),
        expected: task.expected,
        answer,
        seconds: run.wall.as_secs_f64(),
        cpu_seconds: run.cpu.as_secs_f64(),
        memory_mb: run.peak_memory as f64 / f64::from(1 << 20),
        stats: stats.map_or_else(String::new, |stats| stats.to_string()),
    }
}
