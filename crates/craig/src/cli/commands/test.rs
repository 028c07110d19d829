//! `craig test`: tests for all that can be reached, and proofs that the rest cannot.

use crate::adopt;
use crate::cli::arguments::{Common, Limits};
use crate::cli::artifacts::write_page;
use crate::cli::c_input::CInput;
use crate::cli::driver::{driver, seen_from};
use crate::cli::session::{Session, end_by};
use crate::cli::status::ExitStatus;
use crate::cli::testcomp::{self, Metadata, TestCase};
use crate::cli::without::Part;
use crate::error::Error;
use crate::output;
use crate::report::Location;
use crate::report::answer::location_members;
use crate::report::assumption::in_words;
use crate::report::json::Json;
use crate::report::time::iso8601;
use crate::task::Loaded;
use crate::test::{Criterion, GoalReport, STEPS, Searcher, Status, TestFinding, TestOptions, TestReport};
use craig_engines::path::reached_error;
use craig_engines::search::lazy_annotation::{COMPLETE_PATHS, Config, Learning};
use craig_exec::{Source, Test, replay, show_value};
use craig_program::{InputSource, Program, Stmt};
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

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
    /// A page to look at, `index.html`: sources with what is reached, proved unreachable and open, and the tests.
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Tests to begin with: files, or folders of them. KLEE's `.ktest`, Test-Comp's XML, files of a libFuzzer corpus and
    /// Craig's own are known by their contents.
    #[arg(long, value_name = "PATH")]
    pub tests: Vec<PathBuf>,
    /// All engines that help, or one alone.
    #[arg(long, value_enum, value_name = "NAME", default_value_t = SearcherName::All)]
    pub engine: SearcherName,
    /// Parts of lazy annotation to leave out, so that what they give can be measured.
    #[arg(long, value_enum, value_name = "PARTS", value_delimiter = ',')]
    pub without: Vec<Part>,
    /// Start from the program as it is: nothing is known of it in advance by intervals, and no loop is left out.
    #[arg(long)]
    pub plain: bool,
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
pub enum SearcherName {
    /// Lazy annotation, and for what it leaves open concolic runs and the portfolio of `craig check`.
    All,
    /// The search that learns from its failures.
    LazyAnnotation,
    /// The same with summaries of procedures, also where there is no recursion.
    LazyAnnotationProcedures,
    /// The same with weakest preconditions instead of interpolants.
    LazyAnnotationWp,
    /// The same search without learning: paths are enumerated.
    Dart,
    /// Only the runs with random inputs.
    Random,
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let last_word = end_by(&arguments.limits, common.json, ExitStatus::Unknown, session);
    let tests = adopt::read_all(&arguments.tests)?;
    let mut loaded = arguments.input.load_without_errors(session)?;
    loaded.program.plain = arguments.plain;
    let options = TestOptions {
        cover: match arguments.cover {
            Cover::Blocks => Criterion::Blocks,
            Cover::Branches => Criterion::Branches,
            Cover::Lines => Criterion::Lines,
        },
        engine: arguments.searcher()?,
        tests,
        random_runs: arguments.random,
        seed: common.seed,
        limits: arguments.limits.of(session),
    };
    // What is proved is known at the end only.
    let template = "{bar:30} {pos} of {len} goals reached, the rest open {elapsed}";
    let progress = session.progress_bar(0, template);
    progress.enable_steady_tick(Duration::from_millis(500));
    // Whoever stops the search keeps the tests that it has found.
    let written = arguments.out.as_ref().map(|folder| arguments.begin_suite(&loaded, folder)).transpose()?;
    let report = loaded.test(&options, &|reached, goals, tests| {
        progress.set_length(goals as u64);
        progress.set_position(reached as u64);
        if let Some(written) = &written {
            written.add(tests);
        }
    });
    progress.finish_and_clear();
    last_word.take();
    for (name, value) in report.stats.iter() {
        session.number(format!("  {name}: {value}"));
    }
    if let Some(written) = written {
        arguments.end_suite(written, &report, session)?;
    }
    if let Some(folder) = &arguments.report {
        session.note(write_page(folder, &loaded.test_page(&report, summary(&report)))?);
    }
    if common.json {
        writeln!(session.out, "{}", summary(&report))?;
    } else {
        write!(session.out, "{}", text(&report))?;
    }
    if session.cancel.is_cancelled() {
        return Ok(ExitStatus::Interrupted);
    }
    Ok(ExitStatus::Success)
}

fn text(report: &TestReport) -> String {
    let Counts { covered, dead, open } = Counts::of(report);
    let mut text = format!(
        "{} goals: {covered} reached by {} tests, {dead} proved unreachable, {open} open\n",
        report.goals.len(),
        report.tests.len()
    );
    for GoalReport { location, status, direction } in &report.goals {
        let what = match status {
            Status::Covered(_) => continue,
            Status::Dead => "unreachable".to_string(),
            Status::Open(why) => format!("open: {why}"),
        };
        let direction = direction.as_ref().map_or_else(String::new, |condition| format!("`{condition}` "));
        text.push_str(&format!("{}: {direction}{what}\n", place(location)));
    }
    for TestFinding { location, words, tests } in &report.findings {
        let at = format!("{}:{}:{}", location.file, location.line, location.column.unwrap_or(1));
        text.push_str(&format!("{at}: finding: {words}, in {}\n", numbered(tests)));
    }
    text + &in_words(&report.assumptions)
}

/// The tests by their names.
fn numbered(tests: &[usize]) -> String {
    let names: Vec<String> = tests.iter().map(|number| format!("test-{number}")).collect();
    names.join(", ")
}

fn summary(report: &TestReport) -> Json {
    let Counts { covered, dead, open } = Counts::of(report);
    let count = |n: usize| Json::from(n as f64);
    let goals = report.goals.iter().map(|GoalReport { location, status, direction }| {
        let (status, detail) = match status {
            Status::Covered(test) => ("reached", count(*test)),
            Status::Dead => ("unreachable", Json::Null),
            Status::Open(why) => ("open", Json::from(why.as_str())),
        };
        let mut members = location_members(location);
        members.push(("place", Json::from(place(location))));
        members.push(("status", Json::from(status)));
        members.push(("direction", direction.as_deref().map_or(Json::Null, Json::from)));
        members.push(("detail", detail));
        Json::object(members)
    });
    let findings = report.findings.iter().map(|finding| {
        let mut members = location_members(&finding.location);
        members.push(("words", finding.words.as_str().into()));
        members.push(("tests", Json::array(finding.tests.iter().map(|&test| count(test)))));
        Json::object(members)
    });
    let progress = report.progress.iter().map(|point| {
        Json::object([
            ("backtracks", Json::from(point.backtracks as f64)),
            ("paths", Json::from(point.paths as f64)),
            ("reached", count(point.covered)),
        ])
    });
    Json::object([
        ("goals", count(report.goals.len())),
        ("reached", count(covered)),
        ("unreachable", count(dead)),
        ("open", count(open)),
        ("tests", count(report.tests.len())),
        ("backtracks", Json::from(report.stats.count("backtracks") as f64)),
        ("paths", Json::from(report.stats.count(COMPLETE_PATHS) as f64)),
        ("random", Json::from(report.stats.count("random runs") as f64)),
        ("seconds", Json::from(report.time.as_secs_f64())),
        ("list", Json::array(goals)),
        ("findings", Json::array(findings)),
        ("assumptions", Json::array(report.assumptions.iter().map(|assumed| assumed.text.as_str()))),
        ("progress", Json::array(progress)),
    ])
}

impl Arguments {
    /// Who looks for tests, without the parts that are left out.
    fn searcher(&self) -> Result<Searcher, Error> {
        let mut config = match self.engine {
            SearcherName::All | SearcherName::Random if !self.without.is_empty() => {
                return Err(Error::Usage("--without is for one search: with --engine".to_string()));
            }
            SearcherName::All => return Ok(Searcher::All),
            SearcherName::Random => return Ok(Searcher::Random),
            SearcherName::LazyAnnotation => Config::new(Learning::Interpolants, false),
            SearcherName::LazyAnnotationProcedures => Config::new(Learning::Interpolants, true),
            SearcherName::LazyAnnotationWp => Config::new(Learning::WeakestPreconditions, false),
            SearcherName::Dart => Config::new(Learning::Nothing, false),
        };
        if !self.without.iter().all(|part| part.leave_out_of_annotation(&mut config)) {
            return Err(Error::Usage("a part of --without is not one of lazy annotation".to_string()));
        }
        Ok(Searcher::Annotation(config))
    }

    fn begin_suite<'l>(&self, loaded: &'l Loaded, folder: &'l Path) -> Result<Suite<'l>, Error> {
        std::fs::create_dir_all(folder)?;
        output::write(&folder.join("metadata.xml"), testcomp::metadata(&self.metadata(loaded)))?;
        Ok(Suite { loaded, folder, count: Cell::new(0), failure: RefCell::new(None) })
    }

    /// Harnesses, and what is about all tests.
    fn end_suite(&self, suite: Suite<'_>, report: &TestReport, session: &Session) -> Result<(), Error> {
        suite.add(&report.tests);
        let Suite { loaded, folder, failure, .. } = suite;
        if let Some(failure) = failure.into_inner() {
            return Err(failure.into());
        }
        let limits = limits_of_tests();
        for (number, test) in report.tests.iter().enumerate() {
            match loaded.harness(test, &limits) {
                Ok(text) => output::write(&folder.join(format!("harness-{number}.c")), text)?,
                Err(why) => session.note(format!("no harness for test {number}: {why}")),
            }
        }
        let files = loaded.task.files.iter().map(|file| Path::new(&file.name));
        let sources: Result<Vec<String>, _> = files.map(|file| seen_from(folder, file)).collect();
        if let Some(driver) = driver(&loaded.program, &report.tests, &sources?, &limits) {
            output::write(&folder.join("tests.c"), driver.tests)?;
            output::write(&folder.join("Makefile"), driver.makefile)?;
            output::write(&folder.join("CMakeLists.txt"), driver.cmake)?;
            let all = report.tests.len();
            session.note(format!("{} of {all} tests in {}", driver.count, folder.join("tests.c").display()));
        }
        output::write(&folder.join("summary.txt"), text(report))?;
        Ok(())
    }

    fn metadata(&self, loaded: &Loaded) -> Metadata {
        let task = &loaded.task;
        let edges = match self.cover {
            Cover::Blocks => "@BASICBLOCKENTRY",
            Cover::Branches => "@DECISIONEDGE",
            Cover::Lines => "@LINE",
        };
        let file = task.files.first();
        Metadata {
            specification: format!("COVER( init({}()), FQL(COVER EDGES({edges})) )", task.entry),
            program_file: file.map_or_else(String::new, |file| file.name.clone()),
            program_hash: file.map_or_else(String::new, |file| file.sha256.clone()),
            entry_function: task.entry.clone(),
            pointer_bits: task.data_model.pointer_bits(),
            creation_time: iso8601(SystemTime::now()),
        }
    }
}

fn limits_of_tests() -> craig_exec::Limits {
    craig_exec::Limits { steps: STEPS, ..craig_exec::Limits::default() }
}

/// The folder of the tests, which are written as they are found.
struct Suite<'l> {
    loaded: &'l Loaded,
    folder: &'l Path,
    count: Cell<usize>,
    failure: RefCell<Option<std::io::Error>>,
}

impl Suite<'_> {
    /// Writes those of the tests that are not there yet. A failure is told at the end.
    fn add(&self, tests: &[Test]) {
        for (number, test) in tests.iter().enumerate().skip(self.count.get()) {
            let result = self.write(number, test);
            self.count.set(number + 1);
            if let Err(failure) = result {
                self.failure.borrow_mut().get_or_insert(failure);
            }
        }
    }

    fn write(&self, number: usize, test: &Test) -> std::io::Result<()> {
        output::write(&self.folder.join(format!("test-{number}.txt")), test.to_string())?;
        let case = testcomp::test_case(&test_case(&self.loaded.program, test, &limits_of_tests()));
        output::write(&self.folder.join(format!("testcase-{number}.xml")), case)
    }
}

struct Counts {
    covered: usize,
    dead: usize,
    open: usize,
}

impl Counts {
    fn of(report: &TestReport) -> Self {
        let count =
            |which: fn(&Status) -> bool| report.goals.iter().filter(|goal| which(&goal.status)).count();
        Counts {
            covered: count(|status| matches!(status, Status::Covered(_))),
            dead: count(|status| matches!(status, Status::Dead)),
            open: count(|status| matches!(status, Status::Open(_))),
        }
    }
}

fn place(at: &Location) -> String {
    let function = at.function.as_deref().unwrap_or("?");
    format!("{}:{}:{} ({function})", at.file, at.line, at.column.unwrap_or(0))
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
