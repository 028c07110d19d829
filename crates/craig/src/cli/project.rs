//! `craig check --project`: the functions of a project, each checked by a process of its own.
//!
//! Units are preprocessed once, into a folder that is removed at the end. A process for each function keeps
//! the limits of one from being those of another, and what breaks one of them from breaking the rest.

use crate::cli::arguments::{Cli, Common, DataModel};
use crate::cli::bench::process::{self, End, Measurement};
use crate::cli::commands::check::Arguments;
use crate::cli::session::Session;
use crate::cli::status::ExitStatus;
use crate::cli::units::{format_duration, format_size};
use crate::error::Error;
use crate::limits::cores;
use crate::project::database::{self, Compiled};
use crate::project::result::{Outcome, Row, Table};
use crate::project::{Question, Selection, Unit, questions};
use crate::report::json::Json;
use crate::task::front_end_model;
use clap::CommandFactory;
use clap::parser::ValueSource;
use craig_base::Map;
use craig_cfront::preprocess;
use craig_program::Arithmetic;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Where answers are kept, beside the database.
const CACHE: &str = "craig-cache";

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let start = Instant::now();
    if let Some(option) = arguments.artifacts.about_one_program() {
        return Err(Error::Usage(format!(
            "{option} is about one program; --report and --json are for many functions"
        )));
    }
    let compiled = match &arguments.project {
        Some(database) => database::read(database)?,
        None => arguments.input.files.iter().map(|file| plain(file)).collect::<Result<_, Error>>()?,
    };
    let jobs = arguments.jobs.unwrap_or_else(cores).max(1);
    let work = Work {
        arguments,
        seed: common.seed,
        this_tool: std::env::current_exe()?,
        passed_on: passed_on(&session.arguments)?,
        folder: Folder::new()?,
        cache: cache(arguments),
    };
    let mut table = Table::default();
    let mut units = Vec::new();
    let mut kept = Vec::new();
    let read = in_parallel(jobs, &compiled, |compiled| Unit::read(compiled, &work.reading(compiled)));
    for (compiled, unit) in compiled.iter().zip(read) {
        for option in &compiled.unknown {
            session.note(format!("warning: {}: {option} is not modelled", compiled.file.display()));
        }
        match unit {
            Ok(unit) => {
                fs::write(work.file_of(kept.len()), &unit.text)?;
                units.push(unit);
                kept.push(compiled);
            }
            Err(error) => {
                let file = compiled.file.display().to_string();
                table.unread.push((file, error.to_string().trim_end().to_string()));
            }
        }
    }
    let entries =
        arguments.input.entry.iter().flat_map(|entry| entry.split(',')).map(str::to_string).collect();
    let filters = match arguments.project {
        Some(_) => arguments.input.files.iter().map(|file| file.display().to_string()).collect(),
        None => Vec::new(),
    };
    let asked = questions(&units, &Selection { all: arguments.all_functions, entries, filters });
    let pages = pages(arguments, &asked);
    let tasks: Vec<(&Question, Option<&String>)> =
        asked.iter().zip(pages.iter().map(Option::as_ref)).collect();
    let bar = session.progress_bar(tasks.len(), "{pos} of {len} functions {wide_bar} {elapsed}");
    let cancel = session.cancel.clone();
    let rows = in_parallel(jobs, &tasks, |(question, page)| {
        let command = work.command(question, kept[question.units[0]], *page);
        let run = process::run(&command, &arguments.limits_of_process(), &cancel);
        bar.inc(1);
        let files: Vec<String> = question.units.iter().map(|&unit| units[unit].file.clone()).collect();
        Ok(run?.map(|run| {
            let row = row(question, files, &run);
            let row = if arguments.all_functions { row } else { row.with_something_to_check() };
            Row { page: page.map(|page| format!("{page}/index.html")), ..row }
        }))
    });
    bar.finish_and_clear();
    let rows = rows.into_iter().collect::<Result<Vec<Option<Row>>, Error>>()?;
    let interrupted = rows.iter().any(Option::is_none);
    table.rows = rows.into_iter().flatten().collect();
    table.time = start.elapsed();
    match common.json {
        true => writeln!(session.out, "{}", table.json())?,
        false => write!(session.out, "{}", table.text())?,
    }
    if let Some(folder) = &arguments.artifacts.report {
        session.note(crate::cli::artifacts::write_page(folder, &table.page())?);
    }
    if interrupted {
        return Ok(ExitStatus::Interrupted);
    }
    Ok(status(&table))
}

/// A failure before what is open, and both before success; to have asked nothing is no success.
fn status(table: &Table) -> ExitStatus {
    if table.count("broken") > 0 {
        ExitStatus::Internal
    } else if table.count("refuted") > 0 {
        ExitStatus::Unsafe
    } else if table.rows.is_empty() || table.count("proved") < table.rows.len() || !table.unread.is_empty() {
        ExitStatus::Unknown
    } else {
        ExitStatus::Success
    }
}

/// A file without a database.
fn plain(file: &Path) -> Result<Compiled, Error> {
    fs::metadata(file).map_err(|error| Error::MissingInput(file.to_path_buf(), error))?;
    Ok(Compiled { file: file.to_path_buf(), ..Compiled::default() })
}

fn cache(arguments: &Arguments) -> Option<PathBuf> {
    let beside = arguments.project.as_ref().map(|database| database.with_file_name(CACHE));
    arguments.cache.clone().or(beside).filter(|_| !arguments.no_cache)
}

/// The folder of each function's page, below that of the report.
fn pages(arguments: &Arguments, asked: &[Question]) -> Vec<Option<String>> {
    let mut seen: Map<&str, usize> = Map::default();
    let page = |question: &Question, number: usize| match number {
        1 => question.function.clone(),
        _ => format!("{}-{number}", question.function),
    };
    let mut pages = Vec::new();
    for question in asked {
        let number = seen.entry(&question.function).or_default();
        *number += 1;
        pages.push(arguments.artifacts.report.as_ref().map(|_| page(question, *number)));
    }
    pages
}

/// What every question has in common.
struct Work<'a> {
    arguments: &'a Arguments,
    seed: u64,
    this_tool: PathBuf,
    passed_on: Vec<OsString>,
    folder: Folder,
    cache: Option<PathBuf>,
}

impl Work<'_> {
    fn file_of(&self, unit: usize) -> PathBuf {
        self.folder.0.join(format!("{unit}.i"))
    }

    fn data_model(&self, compiled: &Compiled) -> crate::DataModel {
        self.arguments.input.data_model.map(DataModel::into).or(compiled.data_model).unwrap_or_default()
    }

    fn reading(&self, compiled: &Compiled) -> preprocess::Options {
        let mut reading = preprocess::Options::new(front_end_model(self.data_model(compiled)));
        reading.include_dirs.clone_from(&self.arguments.input.include);
        reading.defines.clone_from(&self.arguments.input.define);
        reading.flags = self.arguments.input.compiler_flags();
        reading
    }

    /// `craig check` for one function, whose own unit is compiled like this.
    fn command(&self, question: &Question, compiled: &Compiled, page: Option<&String>) -> Vec<OsString> {
        let mut command: Vec<OsString> = vec![self.this_tool.clone().into(), "check".into()];
        command.extend(self.passed_on.iter().cloned());
        let mut option = |name: &str, value: String| command.push(format!("--{name}={value}").into());
        option("entry", question.function.clone());
        option("seed", self.seed.to_string());
        option("timeout", format_duration(self.arguments.limits.timeout));
        option("memory", format_size(self.arguments.limits.memory));
        option("jobs", "1".to_string());
        option(
            "data-model",
            match self.data_model(compiled) {
                crate::DataModel::Ilp32 => "ilp32".to_string(),
                crate::DataModel::Lp64 => "lp64".to_string(),
            },
        );
        if let (Some(folder), Some(page)) = (&self.arguments.artifacts.report, page) {
            option("report", folder.join(page).display().to_string());
        }
        if let Some(folder) = &self.cache {
            option("cache", folder.display().to_string());
        }
        let given = self.arguments.input.source().arithmetic;
        command.extend((compiled.wraps && given == Arithmetic::AssumeNoOverflow).then(|| "--wrap".into()));
        command.extend(["--json".into(), "--quiet".into(), "--no-config".into()]);
        command.extend(question.units.iter().map(|&unit| self.file_of(unit).into()));
        command
    }
}

/// Options that are the project's, or that every question gets in a form of its own.
const NOT_PASSED_ON: [&str; 20] = [
    "files",
    "project",
    "all_functions",
    "cache",
    "no_cache",
    "entry",
    "jobs",
    "timeout",
    "memory",
    "data_model",
    "report",
    "format",
    "trace",
    "include",
    "define",
    "undefine",
    "flags",
    "summary_cache",
    "test_cache",
    "update_baseline",
];

/// The options of the command line that hold for each function.
fn passed_on(arguments: &[OsString]) -> Result<Vec<OsString>, Error> {
    let grammar = Cli::command();
    let matches = Cli::command().try_get_matches_from(arguments);
    let matches = matches.map_err(|error| Error::Usage(error.to_string()))?;
    let (Some(given), Some(check)) = (matches.subcommand_matches("check"), grammar.find_subcommand("check"))
    else {
        return Ok(Vec::new());
    };
    let mut passed = Vec::new();
    for option in check.get_arguments() {
        let id = option.get_id().as_str();
        let is_given = given.value_source(id) == Some(ValueSource::CommandLine);
        let Some(name) = option.get_long().filter(|_| is_given && !NOT_PASSED_ON.contains(&id)) else {
            continue;
        };
        if option.get_action().takes_values() {
            for value in given.get_raw(id).into_iter().flatten() {
                let mut word = OsString::from(format!("--{name}="));
                word.push(value);
                passed.push(word);
            }
        } else {
            passed.push(format!("--{name}").into());
        }
    }
    Ok(passed)
}

impl Arguments {
    /// A process keeps its limits by itself; these end one that does not.
    fn limits_of_process(&self) -> crate::cli::arguments::Limits {
        let mut limits = self.limits.clone();
        limits.timeout = limits.timeout.saturating_add(Duration::from_secs(2));
        limits.memory = limits.memory.saturating_add(limits.memory / 4);
        limits
    }
}

fn row(question: &Question, files: Vec<String>, run: &Measurement) -> Row {
    let without = |outcome| Row::without_answer(question, files.clone(), outcome, run.wall);
    let said = |stderr: &str| {
        let line = stderr.lines().find(|line| line.contains("error")).or(stderr.lines().next());
        line.unwrap_or("it says nothing").to_string()
    };
    match run.end {
        End::TimeLimit => without(Outcome::Open("timeout".to_string())),
        End::MemoryLimit => without(Outcome::Open("memory".to_string())),
        End::Exit(65) => without(Outcome::Refused(said(&run.stderr))),
        End::Exit(0..=2) => {
            let report = Json::parse(run.stdout.trim_end()).ok();
            let row = report.and_then(|report| Row::of_report(question, files.clone(), &report, run.wall));
            row.unwrap_or_else(|| without(Outcome::Broken("it gave no report".to_string())))
        }
        End::Exit(_) => without(Outcome::Broken(said(&run.stderr))),
        End::Signal(number) => without(Outcome::Broken(format!("it was ended by signal {number}"))),
    }
}

/// The results of `work` for all items, in their order, so many at a time.
fn in_parallel<T: Sync, R: Send>(jobs: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let worker = || {
        while let Some((number, item)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            items.get(number).map(|item| (number, item))
        } {
            let result = work(item);
            results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            scope.spawn(worker);
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A folder for preprocessed units, which goes when this does.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, Error> {
        let path = std::env::temp_dir().join(format!("craig-project-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
