//! A benchmark as a job array of Slurm.
//!
//! There is no scheduler here, and no state but files. The runs are dealt out to parts, each part is one job of an array,
//! and a job is this tool again, with `--part`: it makes the runs of its part that have no row yet, and writes their rows
//! into a file of its own. When no job of the array is left, the rows are moved into `results.csv`; whatever is then
//! missing, because a node was lost or a job killed, is submitted again.
//!
//! So the submitter may die at any time: the same command finds the array by the number in `slurm-job`, waits for it, and
//! goes on. Should it have died before it wrote the number down, some runs are made twice; a row counts once.

use super::results::{Key, ResultsFile, Row};
use craig_base::{CancelToken, Set};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

const JOB_NAME: &str = "craig-bench";
const POLL: Duration = Duration::from_secs(2);
/// How many arrays in a row may end without a single new row.
const ATTEMPTS: usize = 3;

/// Part `index` of `of`: every run whose number has this remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub index: usize,
    pub of: usize,
}

impl Part {
    pub fn has(self, run: usize) -> bool {
        run % self.of == self.index
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let (index, of) = text.split_once('/').ok_or("write I/N")?;
        match (index.parse(), of.parse()) {
            (Ok(index), Ok(of)) if index < of => Ok(Part { index, of }),
            _ => Err("write I/N with I less than N".to_string()),
        }
    }
}

/// The file for the rows of one job: a job that was started again has another number.
pub fn part_file(folder: &Path, part: Part) -> io::Result<PathBuf> {
    let job = std::env::var("SLURM_JOB_ID").unwrap_or_else(|_| std::process::id().to_string());
    let parts = folder.join("parts");
    fs::create_dir_all(&parts)?;
    Ok(parts.join(format!("{}-{job}.csv", part.index)))
}

/// Moves the rows of all jobs into `results.csv`, and returns all there are. No job may be writing.
pub fn gather(folder: &Path) -> io::Result<Vec<Row>> {
    let (mut results, mut rows) = ResultsFile::open(&folder.join("results.csv"))?;
    let mut known: Set<Key> = rows.iter().map(|row| row.key.clone()).collect();
    let mut files: Vec<PathBuf> = match fs::read_dir(folder.join("parts")) {
        Ok(entries) => entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    files.sort();
    for file in files {
        for row in ResultsFile::open(&file)?.1 {
            if known.insert(row.key.clone()) {
                results.append(&row)?;
                rows.push(row);
            }
        }
        fs::remove_file(&file)?;
    }
    Ok(rows)
}

/// What is submitted.
pub struct Campaign<'a> {
    /// Where the results go.
    pub folder: &'a Path,
    /// For `sbatch`.
    pub options: &'a str,
    /// The command of a job, without its part.
    pub command: Vec<OsString>,
    /// How many parts there are.
    pub parts: usize,
}

/// Submits, waits and submits again, until `missing` names no part of which a run has no row. All rows; fewer if it was
/// cancelled, which leaves the jobs alone, or if arrays end without new rows.
pub fn run(
    campaign: &Campaign<'_>,
    missing: impl Fn(&[Row]) -> Vec<usize>,
    cancel: &CancelToken,
    note: impl Fn(String),
) -> io::Result<Vec<Row>> {
    let number = campaign.folder.join("slurm-job");
    let mut rows = Vec::new();
    let mut fruitless = 0;
    loop {
        if let Ok(job) = fs::read_to_string(&number) {
            let job = job.trim().to_string();
            note(format!("waiting for job {job}"));
            while is_in_queue(&job, &note)? {
                if cancel.is_cancelled() {
                    note(format!("job {job} goes on; the same command waits for it again"));
                    return Ok(rows);
                }
                std::thread::sleep(POLL);
            }
        }
        let before = rows.len();
        rows = gather(campaign.folder)?;
        fruitless = if rows.len() > before { 0 } else { fruitless + 1 };
        let parts = missing(&rows);
        if parts.is_empty() || cancel.is_cancelled() {
            return Ok(rows);
        }
        if fruitless > ATTEMPTS {
            note(format!(
                "{} jobs end without results; their output is in {}",
                parts.len(),
                campaign.folder.display()
            ));
            return Ok(rows);
        }
        let job = submit(campaign, &parts)?;
        fs::write(&number, &job)?;
        note(format!("{} jobs are submitted as {job}", parts.len()));
    }
}

fn submit(campaign: &Campaign<'_>, parts: &[usize]) -> io::Result<String> {
    let mut script = "#!/bin/sh\nexec".to_string();
    for word in &campaign.command {
        let word = word.to_string_lossy().replace('\'', "'\\''");
        let _ = write!(script, " '{word}'");
    }
    let _ = writeln!(script, " --part \"$SLURM_ARRAY_TASK_ID/{}\"", campaign.parts);
    let mut child = Command::new("sbatch")
        .args(["--parsable", "--requeue", "--open-mode=append"])
        .arg(format!("--job-name={JOB_NAME}"))
        .arg(format!("--array={}", ranges(parts)))
        .arg(format!("--output={}/slurm-%a.log", campaign.folder.display()))
        .args(campaign.options.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("sbatch: {error}")))?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(script.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    // The number, and after a semicolon the cluster.
    let job = said.trim().split(';').next().unwrap_or_default();
    if !output.status.success() || job.is_empty() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(io::Error::other(format!("sbatch: {}", complaint.trim())));
    }
    Ok(job.to_string())
}

/// Whether a job of the array waits or runs. While the controller does not answer, nothing is known, and nothing may be
/// submitted.
fn is_in_queue(job: &str, note: impl Fn(String)) -> io::Result<bool> {
    let output = Command::new("squeue")
        .args(["--noheader", "--format=%F"])
        .arg(format!("--name={JOB_NAME}"))
        .output()
        .map_err(|error| io::Error::new(error.kind(), format!("squeue: {error}")))?;
    if !output.status.success() {
        note(format!("squeue: {}", String::from_utf8_lossy(&output.stderr).trim()));
        return Ok(true);
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().any(|line| line.trim() == job))
}

/// `0-3,7` for 0, 1, 2, 3 and 7.
fn ranges(numbers: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let shown = ranges.into_iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    });
    shown.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::answer::{Answer, Verdict};

    #[test]
    fn parts_cover_every_run_once() {
        let parts: Vec<Part> =
            ["0/3", "1/3", "2/3"].iter().map(|text| text.parse().expect("a part")).collect();
        for run in 0..10 {
            assert_eq!(parts.iter().filter(|part| part.has(run)).count(), 1);
        }
        for wrong in ["3/3", "1", "a/b", "0/0"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }

    #[test]
    fn a_row_counts_once_whoever_wrote_it() {
        let folder = std::env::temp_dir().join(format!("craig-gather-{}", std::process::id()));
        fs::create_dir_all(folder.join("parts")).expect("a folder");
        let row = |task: &str, seconds| Row {
            key: Key {
                task: task.to_string(),
                participant: "craig".to_string(),
                command: "craig smt".to_string(),
                limits: "60s 4G".to_string(),
            },
            expected: None,
            answer: Answer::Verdict(Verdict::Sat),
            seconds,
            cpu_seconds: 0.0,
            memory_mb: 0.0,
            stats: String::new(),
        };
        for (file, tasks) in
            [("results.csv", vec!["a"]), ("parts/0-1.csv", vec!["a", "b"]), ("parts/1-2.csv", vec!["b", "c"])]
        {
            let (mut results, _) = ResultsFile::open(&folder.join(file)).expect("a new file");
            for task in tasks {
                results.append(&row(task, 1.0)).expect("a row");
            }
        }
        for _ in 0..2 {
            let rows = gather(&folder).expect("rows");
            let tasks: Vec<&str> = rows.iter().map(|row| row.key.task.as_str()).collect();
            assert_eq!(tasks, ["a", "b", "c"]);
        }
        fs::remove_dir_all(folder).expect("the folder is ours");
    }
}
