//! Many runs as job arrays of Slurm.
//!
//! There is no scheduler here, and no state but files. The runs that are left are dealt out to jobs. What a job has to do
//! stands in a file; the job is this tool again (`craig job`), which makes its runs and adds a line for each to a file of
//! its own. When no job is in Slurm's queue any more, the lines are collected; whatever is then missing, because a node was
//! lost or a job killed, is dealt out again.
//!
//! The submitter may die at any time: the jobs are called after their folder, so that the same command finds those that
//! are still there, waits for them, and goes on. A job that Slurm starts again looks for what it has done before. Should a
//! run be made twice all the same, its result counts once.

use crate::cli::arguments::Limits;
use crate::cli::bench::process::{self, Measurement};
use crate::cli::parallel::in_parallel;
use crate::cli::units::{format_duration, format_size};
use crate::output;
use crate::report::json::Json;
use crate::report::sha256::sha256;
use craig_base::{CancelToken, Set};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const POLL: Duration = Duration::from_secs(2);
/// How many arrays in a row may end without a single new result.
const ATTEMPTS: usize = 3;

/// The folder for the files of the jobs, which goes when there is a result of every run.
const FILES: &str = "jobs";

/// Options of the commands that can make their runs on a cluster.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "On a cluster")]
pub struct Options {
    /// Make the runs as a job array of Slurm, with these options for sbatch: --slurm='--partition=long --mem=5G'.
    ///
    /// The command waits for the jobs; given again after it was stopped, it finds them.
    #[arg(long, value_name = "OPTIONS", num_args = 0..=1, default_missing_value = "", require_equals = true)]
    pub slurm: Option<String>,
    /// How many jobs the array has at most.
    #[arg(long, value_name = "N", default_value_t = 1000, require_equals = true, requires = "slurm")]
    pub slurm_jobs: usize,
}

/// A process to be run, under a name by which its result is known.
pub struct Run {
    pub name: String,
    pub command: Vec<OsString>,
}

/// The runs of a campaign, and what has become of them.
pub trait Work {
    /// The numbers of the runs without a result.
    fn missing(&self) -> Vec<usize>;
    fn run(&self, number: usize) -> Run;
    /// Takes a result; `false` if there is one already, or if nothing has this name.
    fn take(&mut self, name: &str, result: &Measurement) -> io::Result<bool>;
}

/// Where and how the runs are made.
pub struct Campaign<'a> {
    /// For the files of the jobs, seen by all nodes. What belongs to the campaign is called after it.
    pub folder: &'a Path,
    /// For `sbatch`.
    pub options: &'a str,
    /// How many jobs an array has at most.
    pub jobs: usize,
    /// How many runs a job makes at a time.
    pub at_a_time: usize,
    /// Of each run.
    pub limits: &'a Limits,
}

/// Submits, waits and submits again, until there is a result of every run. Some are missing in the end if this is
/// cancelled, which leaves the jobs alone, or if arrays bring no new ones.
pub fn campaign(
    campaign: &Campaign<'_>,
    work: &mut impl Work,
    cancel: &CancelToken,
    note: impl Fn(String),
) -> io::Result<()> {
    let files = campaign.folder.join(FILES);
    fs::create_dir_all(&files)?;
    let name = job_name(campaign.folder)?;
    let mut attempts = 0;
    loop {
        if !wait(&name, cancel, &note)? {
            note("the jobs go on; the same command waits for them again".to_string());
            return Ok(());
        }
        let news = collect(&files, work)?;
        let missing = work.missing();
        if missing.is_empty() {
            return fs::remove_dir_all(files);
        }
        attempts = if news { 0 } else { attempts };
        if attempts == ATTEMPTS {
            note(format!("{} runs bring no result; see {}", missing.len(), files.display()));
            return Ok(());
        }
        attempts += 1;
        let jobs = campaign.jobs.clamp(1, missing.len());
        for job in 0..jobs {
            deal_out(&files, job, missing.iter().skip(job).step_by(jobs).map(|&run| work.run(run)))?;
        }
        let job = submit(campaign, &name, &files, jobs)?;
        note(format!("{jobs} jobs are submitted as {job}"));
    }
}

/// Whether the campaign in a folder is not over.
pub fn is_under_way(folder: &Path) -> bool {
    folder.join(FILES).exists()
}

/// What the jobs of a folder are called.
fn job_name(folder: &Path) -> io::Result<String> {
    let folder = folder.canonicalize()?;
    Ok(format!("craig-{}", &sha256(folder.to_string_lossy().as_bytes())[..16]))
}

/// Waits until no job of this name waits or runs; `false` if it was cancelled before. While the controller does not
/// answer, nothing is known, and nothing may be submitted.
fn wait(name: &str, cancel: &CancelToken, note: impl Fn(String)) -> io::Result<bool> {
    let mut noted = String::new();
    loop {
        let output = Command::new("squeue")
            .args(["--noheader", "--format=%F"])
            .arg(format!("--name={name}"))
            .output()
            .map_err(|error| io::Error::new(error.kind(), format!("squeue: {error}")))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let word = match output.status.success() {
            true => said.lines().next().map(|job| format!("waiting for job {}", job.trim())),
            false => Some(format!("squeue: {}", String::from_utf8_lossy(&output.stderr).trim())),
        };
        let Some(word) = word else { return Ok(true) };
        if word != noted {
            note(word.clone());
            noted = word;
        }
        if cancel.is_cancelled() {
            return Ok(false);
        }
        std::thread::sleep(POLL);
    }
}

/// Writes down what a job has to do: a line for each run, its name first.
fn deal_out(files: &Path, job: usize, runs: impl Iterator<Item = Run>) -> io::Result<()> {
    let mut text = String::new();
    for run in runs {
        let words = run.command.iter().map(|word| word.to_string_lossy().into_owned());
        text.push_str(&format!("{}\n", Json::array(std::iter::once(run.name).chain(words))));
    }
    output::write(&files.join(format!("{job}.runs")), text)
}

fn submit(campaign: &Campaign<'_>, name: &str, files: &Path, jobs: usize) -> io::Result<String> {
    let quoted = |word: &Path| format!("'{}'", word.to_string_lossy().replace('\'', "'\\''"));
    let script = format!(
        "#!/bin/sh\nexec {} job {} \"$SLURM_ARRAY_TASK_ID\" --no-config --jobs={} --timeout={} --memory={}\n",
        quoted(&std::env::current_exe()?),
        quoted(files),
        campaign.at_a_time,
        format_duration(campaign.limits.timeout),
        format_size(campaign.limits.memory),
    );
    let mut child = Command::new("sbatch")
        .args(["--parsable", "--requeue", "--open-mode=append"])
        .arg(format!("--job-name={name}"))
        .arg(format!("--array=0-{}", jobs - 1))
        .arg(format!("--output={}/%a.log", files.display()))
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

/// What a job does: those of its runs of which it has written no result down before, so many at a time. `false` if it was
/// cancelled.
pub fn job(
    files: &Path,
    number: usize,
    at_a_time: usize,
    limits: &Limits,
    cancel: &CancelToken,
) -> io::Result<bool> {
    let of_slurm = |name: &str| std::env::var(name).unwrap_or_else(|_| "0".to_string());
    // Started again by Slurm, it has the same number; the first one may still be writing on a node that was given up.
    let results =
        format!("{number}-{}-{}.results", of_slurm("SLURM_JOB_ID"), of_slurm("SLURM_RESTART_COUNT"));
    let mut done: Set<String> = Set::default();
    for file in results_of(files, &format!("{number}-"))? {
        for_each_line(&file, |line| {
            done.extend(line.get("name").and_then(Json::as_str).map(str::to_string));
            Ok(())
        })?;
    }
    let mut runs = Vec::new();
    for_each_line(&files.join(format!("{number}.runs")), |line| {
        let Json::Array(words) = line else { return Ok(()) };
        let words: Option<Vec<&str>> = words.iter().map(Json::as_str).collect();
        if let Some((name, command)) = words.as_deref().and_then(<[&str]>::split_first)
            && !done.contains(*name)
        {
            let command = command.iter().map(OsString::from).collect();
            runs.push(Run { name: name.to_string(), command });
        }
        Ok(())
    })?;
    let results = files.join(results);
    output::refuse_link(&results)?;
    let output = Mutex::new(OpenOptions::new().append(true).create(true).open(results)?);
    let ends = in_parallel(at_a_time, &runs, |run| {
        if cancel.is_cancelled() {
            return Ok(());
        }
        let program = || run.command.first().map(|word| word.to_string_lossy()).unwrap_or_default();
        let result = process::run(&run.command, limits, cancel)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", program())))?;
        let Some(result) = result else { return Ok(()) };
        let line = Json::object([("name", run.name.as_str().into()), ("result", result.json())]);
        output.lock().unwrap_or_else(PoisonError::into_inner).write_all(format!("{line}\n").as_bytes())
    });
    ends.into_iter().collect::<io::Result<()>>()?;
    Ok(!cancel.is_cancelled())
}

/// Hands over all results; whether any was new.
fn collect(files: &Path, work: &mut impl Work) -> io::Result<bool> {
    let mut news = false;
    for file in results_of(files, "")? {
        for_each_line(&file, |line| {
            let name = line.get("name").and_then(Json::as_str);
            let result = line.get("result").and_then(Measurement::of_json);
            if let (Some(name), Some(result)) = (name, result) {
                news |= work.take(name, &result)?;
            }
            Ok(())
        })?;
    }
    Ok(news)
}

/// The files of results whose names begin like this, in a fixed order.
fn results_of(files: &Path, beginning: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(files)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(beginning) && name.ends_with(".results") {
            found.push(files.join(&*name));
        }
    }
    found.sort();
    Ok(found)
}

/// What the lines of a file say. One that was cut off says nothing.
fn for_each_line(file: &Path, mut act: impl FnMut(&Json) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufReader::new(File::open(file)?);
    let mut line = Vec::new();
    while file.read_until(b'\n', &mut line)? > 0 {
        if let Ok(value) = Json::parse(String::from_utf8_lossy(&line).trim_end()) {
            act(&value)?;
        }
        line.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_base::Map;

    struct Words(Map<String, Option<String>>);

    impl Work for Words {
        fn missing(&self) -> Vec<usize> {
            (0..4).filter(|number| self.0[&number.to_string()].is_none()).collect()
        }

        fn run(&self, number: usize) -> Run {
            Run { name: number.to_string(), command: ["echo".into(), format!("{number}!").into()].into() }
        }

        fn take(&mut self, name: &str, result: &Measurement) -> io::Result<bool> {
            let Some(known) = self.0.get_mut(name) else { return Ok(false) };
            Ok(known.replace(result.stdout.clone()).is_none())
        }
    }

    #[test]
    fn a_job_goes_on_where_it_was_and_a_result_counts_once() {
        let files = std::env::temp_dir().join(format!("craig-jobs-{}", std::process::id()));
        fs::create_dir_all(&files).expect("a folder");
        let mut work = Words((0..4).map(|number| (number.to_string(), None)).collect());
        let limits = Limits { timeout: Duration::from_secs(60), memory: 1 << 30 };
        let run = |number| job(&files, number, 1, &limits, &CancelToken::default()).expect("a job");
        deal_out(&files, 0, [0, 2].iter().map(|&number| work.run(number))).expect("a file");
        assert!(run(0));
        assert!(collect(&files, &mut work).expect("results"));
        assert_eq!(work.missing(), [1, 3]);
        assert_eq!(work.0["2"].as_deref(), Some("2!\n"));
        assert!(!collect(&files, &mut work).expect("the same results"));
        // Half a line of another job, and a job that has nothing left to do.
        fs::write(files.join("1-7-0.results"), "{\"name\": \"1\", \"res").expect("a file");
        let before = fs::read(files.join("0-0-0.results")).expect("results");
        assert!(run(0));
        assert_eq!(fs::read(files.join("0-0-0.results")).expect("results"), before);
        assert!(!collect(&files, &mut work).expect("no new results"));
        fs::remove_dir_all(files).expect("the folder is ours");
    }
}
