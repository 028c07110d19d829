//! `craig test`: tests for all that can be reached, and proofs that the rest cannot.

use crate::arguments::{Common, Limits};
use crate::c_input::CInput;
use crate::commands::check;
use crate::report::json::Json;
use crate::report::safety::report_location;
use crate::report::sha256::sha256;
use crate::report::testcomp::{self, Metadata, TestCase};
use crate::report::time::iso8601;
use crate::session::{Session, end_by};
use crate::{ExitStatus, Failure, harness};
use craig_base::{Budget, Stats};
use craig_engines::cover::{self, Criterion, GoalId, Goals, Report, Status};
use craig_engines::lazy_annotation::{self, Learning};
use craig_engines::path::reached_error;
use craig_exec::{Source, Test, replay, show_value};
use craig_program::{InputSource, Program, Stmt};
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Generate tests that reach what can be reached, and prove that the rest cannot.
///
/// Every goal (a basic block, a branch, a line) gets a test that was replayed, or a checked proof that
/// no run reaches it; what is neither within the limits is listed as open, with the reason.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub input: CInput,
    /// What the tests shall reach.
    #[arg(long, value_enum, value_name = "GOALS", default_value_t = Cover::Blocks)]
    pub cover: Cover,
    /// A folder for the tests: as `craig run --inputs` takes them, as a Test-Comp suite, and as C files
    /// that repeat the run when compiled.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// All engines that help, or one alone.
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Searcher::All)]
    pub engine: Searcher,
    /// How many runs with random inputs are made before.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub random: u64,
    #[command(flatten)]
    pub limits: Limits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Cover {
    Blocks,
    Branches,
    Lines,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Searcher {
    /// Lazy annotation, and for what it leaves open concolic runs and the portfolio of `craig check`.
    All,
    /// The search that learns from its failures.
    LazyAnnotation,
    /// The same search without learning: paths are enumerated.
    Dart,
    /// Only the runs with random inputs.
    Random,
}

/// How many statements a test may execute.
const STEPS: u64 = 200_000;

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Failure> {
    let start = Instant::now();
    end_by(&arguments.limits, common.json, ExitStatus::Unknown);
    let program = arguments.input.load_without_errors(session)?;
    // The tests are worth nothing if there is no time left to write them.
    let patience = arguments.limits.timeout.saturating_sub(start.elapsed()) * 9 / 10;
    let budget = Budget::unlimited()
        .with_timeout(patience)
        .with_memory_limit(arguments.limits.memory)
        .with_cancel(session.cancel.clone());
    let criterion = match arguments.cover {
        Cover::Blocks => Criterion::Blocks,
        Cover::Branches => Criterion::Branches,
        Cover::Lines => Criterion::Lines,
    };
    let in_source = |proc| {
        let file = program.files.get(program.procs[proc].span.file as usize);
        file.is_some_and(|name| !name.starts_with('<'))
    };
    let goals = Goals::of(&program, criterion, in_source);
    let search = |learn| lazy_annotation::Config { learn, procedures: false };
    let config = cover::Config {
        random_runs: arguments.random,
        steps: STEPS,
        lazy_annotation: match arguments.engine {
            Searcher::All | Searcher::LazyAnnotation => Some(search(Learning::Interpolants)),
            Searcher::Dart => Some(search(Learning::Nothing)),
            Searcher::Random => None,
        },
        others: match arguments.engine {
            Searcher::All => check::portfolio(&program),
            Searcher::LazyAnnotation | Searcher::Dart | Searcher::Random => &[],
        },
        workers: std::thread::available_parallelism().map_or(1, NonZero::get),
    };
    // What is proved is known at the end only.
    let template = "{bar:30} {pos} of {len} goals reached, the rest open {elapsed}";
    let progress = session.progress_bar(goals.goals.len(), template);
    progress.enable_steady_tick(Duration::from_millis(500));
    let mut stats = Stats::default();
    let report = cover::cover(&program, goals, &config, &budget, &mut stats, &|reached| {
        progress.set_position(reached as u64);
    });
    progress.finish_and_clear();
    for (name, value) in stats.iter() {
        session.detail(format!("  {name}: {value}"));
    }
    if let Some(folder) = &arguments.out {
        arguments.write_suite(&program, &report, folder, session)?;
    }
    let summary = arguments.summary(&program, &report, &stats, start);
    if common.json {
        writeln!(session.out, "{summary}")?;
    } else {
        write!(session.out, "{}", arguments.text(&program, &report))?;
    }
    Ok(ExitStatus::Success)
}

impl Arguments {
    fn text(&self, program: &Program, report: &Report) -> String {
        let Counts { covered, dead, open } = Counts::of(report);
        let mut text = format!(
            "{} goals: {covered} reached by {} tests, {dead} proved unreachable, {open} open\n",
            report.status.len(),
            report.tests.len()
        );
        for (id, status) in report.status.enumerated() {
            let what = match status {
                Status::Covered(_) => continue,
                Status::Dead => "unreachable".to_string(),
                Status::Open(why) => format!("open: {why}"),
            };
            text.push_str(&format!("{}: {what}\n", place(program, report, id)));
        }
        text
    }

    fn summary(&self, program: &Program, report: &Report, stats: &Stats, start: Instant) -> Json {
        let Counts { covered, dead, open } = Counts::of(report);
        let count = |n: usize| Json::from(n as f64);
        let goals = report.status.enumerated().map(|(id, status)| {
            let (status, detail) = match status {
                Status::Covered(test) => ("reached", count(*test)),
                Status::Dead => ("unreachable", Json::Null),
                Status::Open(why) => ("open", Json::from(why.as_str())),
            };
            Json::object([
                ("place", Json::from(place(program, report, id).as_str())),
                ("status", Json::from(status)),
                ("detail", detail),
            ])
        });
        let goals: Vec<Json> = goals.collect();
        let progress = report.progress.iter().map(|point| {
            Json::object([
                ("backtracks", Json::from(point.backtracks as f64)),
                ("reached", count(point.covered)),
            ])
        });
        let progress: Vec<Json> = progress.collect();
        Json::object([
            ("goals", count(report.status.len())),
            ("reached", count(covered)),
            ("unreachable", count(dead)),
            ("open", count(open)),
            ("tests", count(report.tests.len())),
            ("backtracks", Json::from(stats.count("backtracks") as f64)),
            ("random", Json::from(stats.count("random runs") as f64)),
            ("seconds", Json::from(start.elapsed().as_secs_f64())),
            ("list", Json::Array(goals)),
            ("progress", Json::Array(progress)),
        ])
    }

    fn write_suite(
        &self,
        program: &Program,
        report: &Report,
        folder: &Path,
        session: &Session,
    ) -> Result<(), Failure> {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join("metadata.xml"), testcomp::metadata(&self.metadata(program)?))?;
        let limits = craig_exec::Limits { steps: STEPS, ..craig_exec::Limits::default() };
        for (number, test) in report.tests.iter().enumerate() {
            std::fs::write(folder.join(format!("test-{number}.txt")), test.to_string())?;
            let case = testcomp::test_case(&test_case(program, test, &limits));
            std::fs::write(folder.join(format!("testcase-{number}.xml")), case)?;
            match self.input.fixed(&harness::inputs(program, test, &limits)) {
                Ok(text) => std::fs::write(folder.join(format!("harness-{number}.c")), text)?,
                Err(unsupported) => {
                    session.note(format!("no harness for test {number}: {}", unsupported.0));
                }
            }
        }
        std::fs::write(folder.join("summary.txt"), self.text(program, report))?;
        Ok(())
    }

    fn metadata(&self, program: &Program) -> Result<Metadata, Failure> {
        let file = &self.input.files[0];
        let entry = program.procs[program.entry].name.to_string();
        let edges = match self.cover {
            Cover::Blocks => "@BASICBLOCKENTRY",
            Cover::Branches => "@DECISIONEDGE",
            Cover::Lines => "@LINE",
        };
        Ok(Metadata {
            specification: format!("COVER( init({entry}()), FQL(COVER EDGES({edges})) )"),
            program_file: file.display().to_string(),
            program_hash: sha256(&std::fs::read(file)?),
            entry_function: entry,
            pointer_bits: program.data_model.pointer_bits(),
            creation_time: iso8601(SystemTime::now()),
        })
    }
}

struct Counts {
    covered: usize,
    dead: usize,
    open: usize,
}

impl Counts {
    fn of(report: &Report) -> Self {
        let count = |which: fn(&Status) -> bool| report.status.iter().filter(|&status| which(status)).count();
        Counts {
            covered: count(|status| matches!(status, Status::Covered(_))),
            dead: count(|status| matches!(status, Status::Dead)),
            open: count(|status| matches!(status, Status::Open(_))),
        }
    }
}

fn place(program: &Program, report: &Report, goal: GoalId) -> String {
    let goal = &report.goals.goals[goal];
    let at = report_location(program, goal.span);
    let column = at.column.unwrap_or(0);
    format!("{}:{}:{column} ({})", at.file, at.line, program.procs[goal.proc].name)
}

/// What the run asked of functions of the environment, in order.
fn test_case(program: &Program, test: &Test, limits: &craig_exec::Limits) -> TestCase {
    let run = replay(program, test, limits);
    let mut case = TestCase { inputs: Vec::new(), covers_error: reached_error(&run) };
    for input in run.inputs.iter().filter(|input| input.at.source == Source::Statement) {
        let site = input.at.site;
        if let Stmt::Input(_, InputSource::Call(_)) = &program.procs[site.proc].edges[site.edge].stmt {
            let value = show_value(input.at.ty, input.value);
            case.inputs.push(testcomp::Input { value, c_type: None, variable: None });
        }
    }
    case
}
