//! `craig bench`: many tasks, this tool and others, one table.

use crate::cli::arguments::{Common, Limits};
use crate::cli::bench;
use crate::cli::bench::benchexec::Recorded;
use crate::cli::bench::manifest::{self, ManifestError, Selection, Task};
use crate::cli::bench::participant::Participant;
use crate::cli::bench::results::Row;
use crate::cli::bench::schedule::{Schedule, Setting};
use crate::cli::bench::summary::Summary;
use crate::cli::bench::table::Table;
use crate::cli::session::Session;
use crate::cli::slurm::{self, Campaign, Work};
use crate::cli::status::ExitStatus;
use crate::error::Error;
use crate::output;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Run many tasks with this tool and with others, and compare.
///
/// Writes results.csv, summary.txt and index.html into the output folder. A stopped benchmark goes
/// on where it was when the same command is given again. Exits with 1 if an answer was wrong.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A manifest with lines task<TAB>expected<TAB>source, or a folder with a manifest.tsv.
    suite: PathBuf,
    /// Only tasks whose path contains one of these, such as `c/loops`; `*` and `?` are wild.
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Leave out tasks whose path contains this.
    #[arg(long, value_name = "FILTER")]
    exclude: Vec<String>,
    /// The first N of the tasks only.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// A pseudo-random choice of N tasks; see --seed.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// A configuration of this tool: 'ufo=check --engine ufo {file}'. May be given more than once.
    ///
    /// {file}, {timeout} (seconds), {memory} (megabytes) and {seed} are filled in. Without any, this
    /// tool runs as `check --data-model ilp32`, `solve` or `smt`, as the task requires.
    #[arg(long, value_name = "NAME=ARGUMENTS", value_parser = Participant::own)]
    config: Vec<Participant>,
    /// Another tool: 'z3=z3 -T:{timeout} {file}'. May be given more than once.
    #[arg(long, value_name = "NAME=COMMAND", value_parser = Participant::peer)]
    peer: Vec<Participant>,
    /// Results of BenchExec (an XML file) to compare with. May be given more than once.
    #[arg(long, value_name = "FILE")]
    benchexec: Vec<PathBuf>,
    /// Run the peers, and this tool not at all.
    #[arg(long, requires = "peer", conflicts_with = "config")]
    peers_only: bool,
    /// How many runs at a time.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Where the results go.
    #[arg(short, long, value_name = "FOLDER", default_value = "bench-results")]
    output: PathBuf,
    #[command(flatten)]
    slurm: slurm::Options,
    #[command(flatten)]
    limits: Limits,
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let tasks = selected_tasks(arguments, common)?;
    let recorded = recorded(arguments)?;
    fs::create_dir_all(&arguments.output)
        .map_err(|error| Error::MissingInput(arguments.output.clone(), error))?;
    let setting = Setting {
        this_tool: std::env::current_exe()?,
        limits: arguments.limits.clone(),
        seed: common.seed,
        jobs: arguments.jobs,
    };
    let results = arguments.output.join("results.csv");
    let mut schedule = Schedule::new(tasks, participants(arguments)?, setting, &results)?;
    match &arguments.slurm.slurm {
        Some(options) => on_slurm(&mut schedule, options, arguments, session)?,
        None => here(&mut schedule, session)?,
    }
    let mut table = schedule.into_table();
    for results in &recorded {
        table.add(results.name.clone(), |task| results.row(task));
    }
    report(&table, arguments, common, session)
}

/// Makes the runs of which there are no rows yet, on this machine.
fn here(schedule: &mut Schedule, session: &Session) -> Result<(), Error> {
    let left = schedule.missing().len();
    if left < schedule.runs() {
        session.note(format!("{} runs are already done, {left} are left", schedule.runs() - left));
    }
    let bar = session.progress_bar(left, "{bar:30} {pos}/{len} {elapsed} (eta {eta}) {wide_msg}");
    let done = |row: &Row| {
        bar.inc(1);
        bar.set_message(format!("{} {}", row.key.participant, row.key.task));
        session.detail(format!(
            "{} {}: {:?} {:.2}s",
            row.key.participant, row.key.task, row.answer, row.seconds
        ));
    };
    let end = schedule.execute(&session.cancel, done);
    bar.finish_and_clear();
    end.map_err(|error| Error::Usage(format!("cannot run {error}")))
}

/// The same by the jobs of a cluster.
fn on_slurm(
    schedule: &mut Schedule,
    options: &str,
    arguments: &Arguments,
    session: &Session,
) -> Result<(), Error> {
    let campaign = Campaign {
        folder: &arguments.output,
        options,
        jobs: arguments.slurm.slurm_jobs,
        at_a_time: arguments.jobs,
        limits: &arguments.limits,
    };
    slurm::campaign(&campaign, schedule, &session.cancel, |text| session.note(text))
        .map_err(|error| Error::Usage(error.to_string()))
}

fn selected_tasks(arguments: &Arguments, common: &Common) -> Result<Vec<Task>, Error> {
    let tasks = manifest::read(&arguments.suite).map_err(|error| match error {
        ManifestError::Unreadable(path, error) => Error::MissingInput(path, error),
        ManifestError::Malformed(path, line, message) => {
            Error::BadInput(format!("{}:{line}:1: {message}", path.display()))
        }
    })?;
    let selection = Selection {
        filters: arguments.filters.clone(),
        exclude: arguments.exclude.clone(),
        sample: arguments.sample,
        limit: arguments.limit,
        seed: common.seed,
    };
    let tasks = selection.apply(tasks);
    if tasks.is_empty() {
        return Err(Error::Usage("no task is selected".to_string()));
    }
    Ok(tasks)
}

fn participants(arguments: &Arguments) -> Result<Vec<Participant>, Error> {
    let mut participants = arguments.config.clone();
    if participants.is_empty() && !arguments.peers_only {
        participants.push(Participant::by_default());
    }
    participants.extend(arguments.peer.iter().cloned());
    for (position, participant) in participants.iter().enumerate() {
        if participants[..position].iter().any(|other| other.name == participant.name) {
            return Err(Error::Usage(format!("two participants are called '{}'", participant.name)));
        }
    }
    Ok(participants)
}

fn recorded(arguments: &Arguments) -> Result<Vec<Recorded>, Error> {
    let read = |path: &PathBuf| {
        let bytes = fs::read(path).map_err(|error| Error::MissingInput(path.clone(), error))?;
        Recorded::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|message| Error::BadInput(format!("{}:1:1: {message}", path.display())))
    };
    arguments.benchexec.iter().map(read).collect()
}

fn report(
    table: &Table,
    arguments: &Arguments,
    common: &Common,
    session: &mut Session,
) -> Result<ExitStatus, Error> {
    let summary = Summary::new(table);
    let text = summary.text(table);
    let page_file = arguments.output.join("index.html");
    output::write(&arguments.output.join("summary.txt"), &text)?;
    let mut page = Vec::new();
    bench::page(&mut page, "Benchmark of Craig", table, &summary)?;
    output::write(&page_file, page)?;
    if common.json {
        writeln!(session.out, "{}", summary.json(table))?;
    } else {
        write!(session.out, "{text}")?;
    }
    session.out.flush()?;
    if session.cancel.is_cancelled() {
        session.note("interrupted; the same command goes on from here");
        return Ok(ExitStatus::Interrupted);
    }
    session.note(format!("the page is {}", page_file.display()));
    Ok(if summary.wrong.is_empty() { ExitStatus::Success } else { ExitStatus::Unsafe })
}
