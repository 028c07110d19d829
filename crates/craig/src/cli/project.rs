//! `craig check --project`: the functions of a project, each checked by a process of its own.
//!
//! Units are preprocessed once, into a folder that is removed at the end. A process for each function keeps
//! the limits of one from being those of another, and what breaks one of them from breaking the rest. The processes run
//! here, or as jobs of a cluster; what becomes of their output is the same.

use crate::cli::arguments::{Cli, Common, DataModel};
use crate::cli::bench::process::{self, End, Measurement};
use crate::cli::commands::check::{Arguments, Format, judged};
use crate::cli::parallel::in_parallel;
use crate::cli::session::Session;
use crate::cli::slurm::{self, Campaign, Run};
use crate::cli::status::ExitStatus;
use crate::cli::units::{format_duration, format_size};
use crate::error::Error;
use crate::limits::cores;
use crate::output;
use crate::project::database::{self, Compiled};
use crate::project::result::{Outcome, Row, Table};
use crate::project::{Question, Selection, Unit, questions};
use crate::report::json::Json;
use crate::report::page::below_overview;
use crate::report::sha256::sha256;
use crate::report::{State, github};
use crate::task::front_end_model;
use clap::CommandFactory;
use clap::parser::ValueSource;
use craig_base::Map;
use craig_cfront::preprocess;
use craig_program::Arithmetic;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where answers are kept, beside the database.
const CACHE: &str = "craig-cache";

/// Where a cluster finds the units and leaves the results, beside the database.
const CAMPAIGN: &str = "craig-slurm";

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let start = Instant::now();
    if let Some(option) = arguments.artifacts.about_one_program() {
        return Err(Error::Usage(format!("{option} is about one program, and here are many functions")));
    }
    let database = database(arguments);
    let compiled = match &database {
        Some(database) => database::read(database)?,
        None => arguments.input.files.iter().map(|file| plain(file)).collect::<Result<_, Error>>()?,
    };
    let mut work = Work {
        arguments,
        seed: common.seed,
        this_tool: std::env::current_exe()?,
        passed_on: passed_on(&session.arguments)?,
        folder: Folder::new(arguments)?,
        cache: cache(arguments),
        units: Vec::new(),
    };
    let mut table = Table::default();
    let questions = work.questions(&compiled, &mut table, session)?;
    if questions.is_empty() && !work.units.is_empty() {
        session.note(match (&arguments.input.entry, arguments.all_functions) {
            (None, false) => {
                "note: no function that was asked for has a contract or is called `*_harness`: choose some with --entry \
                 'PATTERN', or take all with --all-functions"
            }
            _ => "note: no function fits what was asked for",
        });
    }
    let functions = Functions::new(&work, &questions);
    let rows = match &arguments.slurm.slurm {
        Some(options) => functions.on_slurm(options, session)?,
        None => functions.here(session)?,
    };
    let interrupted = rows.iter().any(Option::is_none);
    table.rows = rows.into_iter().flatten().collect();
    table.time = start.elapsed();
    let suites = table.suites();
    // What was not asked is not known.
    let baseline = if interrupted { None } else { arguments.artifacts.baseline(&suites)? };
    arguments.artifacts.write_findings(&suites, baseline.as_ref())?;
    match arguments.format {
        _ if common.json => writeln!(session.out, "{}", table.json())?,
        Format::Json => writeln!(session.out, "{}", table.json())?,
        Format::Github => write!(session.out, "{}{}", table.text(), github(&suites))?,
        Format::Text => write!(session.out, "{}", table.text())?,
    }
    if let Some(folder) = &arguments.artifacts.report {
        for page in table.rows.iter().filter_map(|row| row.page.as_ref()).map(|page| folder.join(page)) {
            // A question without an answer has none.
            if let Ok(text) = fs::read_to_string(&page) {
                output::write(&page, below_overview(&text))?;
            }
        }
        let name = database.as_ref().map_or_else(String::new, |file| file.display().to_string());
        session.note(crate::cli::artifacts::write_page(folder, &table.page(&name))?);
    }
    if interrupted {
        return Ok(ExitStatus::Interrupted);
    }
    let new = baseline.map(|baseline| judged(&baseline, &suites, session));
    Ok(status(&table, new))
}

/// A failure before what is open, and both before success; to have asked nothing is no success. With a baseline, the
/// worst of what it does not know counts.
fn status(table: &Table, new: Option<State>) -> ExitStatus {
    let worst = new.unwrap_or_else(|| match table.rows.iter().find(|row| row.outcome.reason().is_some()) {
        _ if table.count("refuted") > 0 => State::Fails,
        Some(_) => State::Open(String::new()),
        None => State::Holds,
    });
    match worst {
        _ if table.count("broken") > 0 => ExitStatus::Internal,
        State::Fails => ExitStatus::Unsafe,
        State::Open(_) => ExitStatus::Unknown,
        State::Holds if table.rows.is_empty() || !table.unread.is_empty() => ExitStatus::Unknown,
        State::Holds => ExitStatus::Success,
    }
}

/// The database: in a folder, the one that build systems put there.
fn database(arguments: &Arguments) -> Option<PathBuf> {
    let project = arguments.project.clone()?;
    if !project.is_dir() {
        return Some(project);
    }
    let inside = ["compile_commands.json", "build/compile_commands.json"].map(|name| project.join(name));
    let known = inside.iter().find(|path| path.is_file());
    Some(known.unwrap_or(&inside[0]).clone())
}

/// A file without a database.
fn plain(file: &Path) -> Result<Compiled, Error> {
    fs::metadata(file).map_err(|error| Error::MissingInput(file.to_path_buf(), error))?;
    Ok(Compiled { file: file.to_path_buf(), ..Compiled::default() })
}

fn cache(arguments: &Arguments) -> Option<PathBuf> {
    let beside = database(arguments).map(|database| database.with_file_name(CACHE));
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
    /// Those that could be read.
    units: Vec<Prepared<'a>>,
}

/// A unit as the processes get it.
struct Prepared<'a> {
    compiled: &'a Compiled,
    /// Preprocessed, and called after what is in it: another text is another command.
    text: PathBuf,
}

impl<'a> Work<'a> {
    /// Reads the units, and says what is asked about them.
    fn questions(
        &mut self,
        compiled: &'a [Compiled],
        table: &mut Table,
        session: &Session,
    ) -> Result<Vec<Question>, Error> {
        let arguments = self.arguments;
        let read = in_parallel(arguments.at_a_time(), compiled, |compiled| {
            Unit::read(compiled, &self.reading(compiled))
        });
        let mut units = Vec::new();
        for (compiled, unit) in compiled.iter().zip(read) {
            for option in &compiled.unknown {
                session.note(format!("warning: {}: {option} is not modelled", compiled.file.display()));
            }
            match unit {
                Ok(unit) => {
                    let text = self.folder.0.join(format!("{}.i", sha256(&unit.text)));
                    output::write(&text, &unit.text)?;
                    self.units.push(Prepared { compiled, text });
                    units.push(unit);
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
        Ok(questions(&units, &Selection { all: arguments.all_functions, entries, filters }))
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

    /// `craig check` for one function.
    fn command(&self, question: &Question, page: Option<&String>) -> Vec<OsString> {
        let compiled = self.units[question.units[0]].compiled;
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
        command.extend(question.units.iter().map(|&unit| self.units[unit].text.clone().into()));
        command
    }
}

/// The questions, and what has been answered.
struct Functions<'a> {
    work: &'a Work<'a>,
    questions: &'a [Question],
    /// The folder of each one's page, if there are pages.
    pages: Vec<Option<String>>,
    rows: Vec<Option<Row>>,
    /// The numbers of the questions, by their commands.
    by_name: Map<String, usize>,
}

impl<'a> Functions<'a> {
    fn new(work: &'a Work<'a>, questions: &'a [Question]) -> Self {
        let pages = pages(work.arguments, questions);
        let rows = vec![None; questions.len()];
        let mut functions = Functions { work, questions, pages, rows, by_name: Map::default() };
        let names = (0..questions.len()).map(|number| (slurm::Work::run(&functions, number).name, number));
        functions.by_name = names.collect();
        functions
    }

    /// A process for each; a row is missing where it was interrupted.
    fn here(self, session: &Session) -> Result<Vec<Option<Row>>, Error> {
        let bar = session.progress_bar(self.questions.len(), "{pos} of {len} functions {wide_bar} {elapsed}");
        let (arguments, cancel) = (self.work.arguments, &session.cancel);
        let numbers: Vec<usize> = (0..self.questions.len()).collect();
        let rows = in_parallel(arguments.at_a_time(), &numbers, |&number| {
            let run = process::run(&self.command(number), &arguments.limits_of_process(), cancel);
            bar.inc(1);
            Ok(run?.map(|run| self.row(number, &run)))
        });
        bar.finish_and_clear();
        rows.into_iter().collect()
    }

    /// The same by the jobs of a cluster.
    fn on_slurm(mut self, options: &str, session: &Session) -> Result<Vec<Option<Row>>, Error> {
        let campaign = Campaign {
            folder: &self.work.folder.0,
            options,
            jobs: self.work.arguments.slurm.slurm_jobs,
            at_a_time: self.work.arguments.jobs.unwrap_or(1),
            limits: &self.work.arguments.limits_of_process(),
        };
        slurm::campaign(&campaign, &mut self, &session.cancel, |text| session.note(text))
            .map_err(|error| Error::Usage(error.to_string()))?;
        if !session.cancel.is_cancelled() {
            for number in slurm::Work::missing(&self) {
                let lost = Outcome::Open("its jobs end without a result".to_string());
                let question = &self.questions[number];
                self.rows[number] =
                    Some(Row::without_answer(question, self.files(question), lost, Duration::ZERO));
            }
        }
        Ok(self.rows)
    }

    fn command(&self, number: usize) -> Vec<OsString> {
        self.work.command(&self.questions[number], self.pages[number].as_ref())
    }

    /// The files that are linked for a question.
    fn files(&self, question: &Question) -> Vec<String> {
        let file = |&unit: &usize| self.work.units[unit].compiled.file.display().to_string();
        question.units.iter().map(file).collect()
    }

    fn row(&self, number: usize, run: &Measurement) -> Row {
        let question = &self.questions[number];
        let row = row(question, self.files(question), run);
        let row = if self.work.arguments.all_functions { row } else { row.with_something_to_check() };
        Row { page: self.pages[number].as_ref().map(|page| format!("{page}/index.html")), ..row }
    }
}

impl slurm::Work for Functions<'_> {
    fn missing(&self) -> Vec<usize> {
        (0..self.rows.len()).filter(|&number| self.rows[number].is_none()).collect()
    }

    fn run(&self, number: usize) -> Run {
        let command = self.command(number);
        let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        Run { name: words.join(" "), command }
    }

    fn take(&mut self, name: &str, result: &Measurement) -> io::Result<bool> {
        let Some(&number) = self.by_name.get(name) else { return Ok(false) };
        let row = self.row(number, result);
        Ok(self.rows[number].replace(row).is_none())
    }
}

/// Options that are the project's, or that every question gets in a form of its own.
const NOT_PASSED_ON: [&str; 25] = [
    "files",
    "project",
    "all_functions",
    "slurm",
    "slurm_jobs",
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
    "sarif",
    "junit",
    "baseline",
    "update_baseline",
];

/// The options of the command line that hold for each function.
fn passed_on(arguments: &[OsString]) -> Result<Vec<OsString>, Error> {
    let grammar = <Cli>::command();
    let matches = <Cli>::command().try_get_matches_from(arguments);
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
    /// How many processes at a time.
    fn at_a_time(&self) -> usize {
        self.jobs.unwrap_or_else(cores).max(1)
    }

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

/// A folder for preprocessed units, which goes when this does, unless jobs of a cluster still need it.
struct Folder(PathBuf);

impl Folder {
    fn new(arguments: &Arguments) -> Result<Folder, Error> {
        let path = match (&arguments.slurm.slurm, database(arguments)) {
            (None, _) => std::env::temp_dir().join(format!("craig-project-{}", std::process::id())),
            (Some(_), Some(database)) => database.with_file_name(CAMPAIGN),
            (Some(_), None) => PathBuf::from(CAMPAIGN),
        };
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !slurm::is_under_way(&self.0) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
