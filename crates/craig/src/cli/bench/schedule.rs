//! Which runs are left to do, and doing them.

use super::extract::extract;
use super::manifest::Task;
use super::participant::Participant;
use super::process;
use super::results::{Key, ResultsFile, Row};
use crate::cli::arguments::Limits;
use craig_base::{CancelToken, Set};
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What all runs of a benchmark have in common.
pub struct Setting {
    pub this_tool: PathBuf,
    pub limits: Limits,
    pub seed: u64,
    /// How many runs at a time.
    pub jobs: usize,
}

/// All runs. Those of one task stand together; who begins changes from task to task, so that nobody always finds the
/// file in the cache.
pub fn all<'a>(tasks: &'a [Task], participants: &'a [Participant]) -> Vec<(&'a Task, &'a Participant)> {
    let of_task = |(turn, task): (usize, &'a Task)| {
        (0..participants.len()).map(move |i| (task, &participants[(turn + i) % participants.len()]))
    };
    tasks.iter().enumerate().flat_map(of_task).collect()
}

/// The numbers of the runs for which `rows` has no result.
pub fn pending(runs: &[(&Task, &Participant)], limits: &Limits, rows: &[Row]) -> Vec<usize> {
    let done: Set<&Key> = rows.iter().map(|row| &row.key).collect();
    let is_left = |&number: &usize| {
        let (task, participant) = runs[number];
        !done.contains(&Key::new(task, participant, limits))
    };
    (0..runs.len()).filter(is_left).collect()
}

/// Does the runs, hands each row to `done` when it is in the file, and returns the rows. After a
/// cancellation the rows of the runs that were over are returned. An error means that a program could
/// not be started or a row not be written.
pub fn execute(
    runs: &[(&Task, &Participant)],
    setting: &Setting,
    file: ResultsFile,
    cancel: &CancelToken,
    done: impl Fn(&Row) + Sync,
) -> io::Result<Vec<Row>> {
    let next = AtomicUsize::new(0);
    let output = Mutex::new((file, Vec::new()));
    let work = || -> io::Result<()> {
        let stop_others = |error| {
            next.store(runs.len(), Ordering::Relaxed);
            error
        };
        while let Some((task, participant)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if cancel.is_cancelled() {
                break;
            }
            let Some(row) = one_run(task, participant, setting, cancel).map_err(stop_others)? else { break };
            let mut output = output.lock().expect("no run panics while it holds the file");
            output.0.append(&row).map_err(stop_others)?;
            done(&row);
            output.1.push(row);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..setting.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        // All of them are waited for before the first error is passed on.
        let ends: Vec<io::Result<()>> = workers
            .into_iter()
            .map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        ends.into_iter().collect::<io::Result<()>>()
    })?;
    Ok(output.into_inner().expect("no run panics while it holds the file").1)
}

fn one_run(
    task: &Task,
    participant: &Participant,
    setting: &Setting,
    cancel: &CancelToken,
) -> io::Result<Option<Row>> {
    let command = participant.command(&setting.this_tool, task, &setting.limits, setting.seed);
    let run = process::run(&command, &setting.limits, cancel).map_err(|error| {
        let program = command.first().map(|word| word.to_string_lossy()).unwrap_or_default();
        io::Error::new(error.kind(), format!("{program}: {error}"))
    })?;
    let Some(run) = run else { return Ok(None) };
    let (answer, stats) = extract(task.kind, participant.is_this_tool(), setting.limits.timeout, &run);
    Ok(Some(Row {
        key: Key::new(task, participant, &setting.limits),
        expected: task.expected,
        answer,
        seconds: run.wall.as_secs_f64(),
        cpu_seconds: run.cpu.as_secs_f64(),
        memory_mb: run.peak_memory as f64 / f64::from(1 << 20),
        stats: stats.map_or_else(String::new, |stats| stats.to_string()),
    }))
}
