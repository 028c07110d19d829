//! `craig check`: is the error reachable?

use crate::check::{self, Options, SoFar, Verdict};
use crate::cli::arguments::{Common, Limits};
use crate::cli::artifacts::Artifacts;
use crate::cli::c_input::CInput;
use crate::cli::project;
use crate::cli::session::{Session, end_by};
use crate::cli::slurm;
use crate::cli::status::ExitStatus;
use crate::cli::without::Part;
use crate::error::Error;
use crate::report::{Baseline, Detail, State, Suite, github};
use craig_engines::Engine;
use craig_engines::portfolio::race::Member;
use craig_engines::search::{ufo, vinta};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Decide whether an error can be reached in a C program.
///
/// Prints `safe`, `unsafe` or `unknown` first; exit code 0, 1 or 2.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub input: CInput,
    /// A compilation database (`compile_commands.json`): functions of this project are checked, one by one; files that
    /// are named are filters then, as are patterns for functions. `--entry` takes patterns. Without it, functions
    /// with a contract and those called `*_harness` are checked. Of a folder, the database in it or in its `build` is taken.
    #[arg(long, value_name = "FILE", help_heading = "The program")]
    pub project: Option<PathBuf>,
    /// Check every function of the files or of the project by itself, with arbitrary arguments.
    #[arg(long, help_heading = "The program")]
    pub all_functions: bool,
    /// Keep answers in this folder, and give those of earlier runs again where the function is the same; with
    /// `--project`, by default `craig-cache` beside the database.
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// With `--project`: keep no answers.
    #[arg(long, conflicts_with = "cache")]
    pub no_cache: bool,
    #[command(flatten)]
    pub slurm: slurm::Options,
    /// Stop when one check has failed, instead of deciding the others as well.
    #[arg(long)]
    pub stop_at_first: bool,
    #[command(flatten)]
    pub limits: Limits,
    /// One engine instead of the portfolio (see `craig engines`).
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// For `ufo` and `vinta`: predicate abstraction for the labels of new nodes.
    #[arg(long, value_enum, value_name = "POST")]
    pub post: Option<Post>,
    /// For `ufo`: use interpolants for predicates only, and rebuild the graph.
    #[arg(long)]
    pub eager: bool,
    /// For `ufo` and `vinta`: how interpolants label the graph; `vinta` restricts them by default.
    #[arg(long, value_enum, value_name = "HOW")]
    pub refine: Option<Refine>,
    /// For `ufo` and `vinta`: before interpolation, leave out what an unsatisfiable core does not need.
    #[arg(long)]
    pub cores: bool,
    /// For `vinta`: labels are what interpolation gives, and no disjunct of them is dropped.
    #[arg(long)]
    pub no_strengthening: bool,
    /// For `vinta`: the abstract domain.
    #[arg(long, value_enum, value_name = "DOMAIN")]
    pub domain: Option<Domain>,
    /// For `vinta`: labels at a loop head before widening starts.
    #[arg(long, value_name = "N")]
    pub widen_after: Option<usize>,
    /// For `vinta`: from then on, widen at every N-th visit of the loop head.
    #[arg(long, value_name = "N")]
    pub widen_every: Option<usize>,
    /// For `vinta`: widening does not stop at constants of the program.
    #[arg(long)]
    pub no_thresholds: bool,
    /// For `dash` and `whale`: no runs with random inputs before the search, only those that it asks for.
    #[arg(long, requires = "engine")]
    pub no_runs: bool,
    /// Start from the program as it is: nothing is known of it in advance by intervals, and no loop is left out.
    #[arg(long, requires = "engine")]
    pub plain: bool,
    /// Parts of the algorithm to leave out, so that what they give can be measured.
    #[arg(long, value_enum, value_name = "PARTS", value_delimiter = ',', requires = "engine")]
    pub without: Vec<Part>,
    /// Keep contracts of functions in this folder, and try those of earlier runs first.
    #[arg(long, value_name = "FOLDER")]
    pub summary_cache: Option<PathBuf>,
    /// Begin with the tests of this folder, and keep those of this run there.
    #[arg(long, value_name = "FOLDER")]
    pub test_cache: Option<PathBuf>,
    /// Threads for the portfolio, or functions of a project at a time; by default the number of cores.
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// How much of the failing run is printed.
    #[arg(long, value_enum, value_name = "HOW MUCH", default_value_t = Trace::Short)]
    pub trace: Trace,
    /// How the result is printed.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub artifacts: Artifacts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON object, as `--json`.
    Json,
    /// The text, and annotations that GitHub's actions show at their lines.
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Trace {
    /// The inputs and the last steps.
    Short,
    /// Every step.
    Full,
}

impl From<Trace> for Detail {
    fn from(trace: Trace) -> Self {
        match trace {
            Trace::Short => Detail::Short,
            Trace::Full => Detail::Full,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Post {
    None,
    Cartesian,
    Boolean,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Refine {
    /// DAG interpolants of the graph alone.
    Dag,
    /// DAG interpolants restricted by the labels that are there.
    Restricted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Domain {
    /// One interval for each variable.
    Box,
    /// Unions of boxes.
    Boxes,
    /// Bounds of the linear forms that the program compares.
    Templates,
    /// Bounds of sums and differences of two variables.
    Octagons,
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    if arguments.is_about_functions() {
        return project::run(arguments, common, session);
    }
    if arguments.slurm.slurm.is_some() {
        return Err(Error::Usage(
            "--slurm is for many functions: with --project or --all-functions".to_string(),
        ));
    }
    let start = Instant::now();
    let last_word = end_by(&arguments.limits, common.json, ExitStatus::Unknown, session);
    arguments.artifacts.prepare()?;
    let engine = arguments.engine()?;
    let mut loaded = arguments.input.load(session)?;
    loaded.program.plain = arguments.plain;
    let known = loaded.warnings().len();
    let limits = arguments.limits.of(session);
    let options = Options {
        engine,
        seed: common.seed,
        stop_at_first: arguments.stop_at_first,
        workers: arguments.jobs,
        limits: limits.clone(),
        summary_cache: arguments.summary_cache.clone(),
        test_cache: arguments.test_cache.clone(),
        // Answers that were kept have no proof with them.
        cache: arguments.cache.clone().filter(|_| !arguments.artifacts.need_proof()),
        watch: Some(session.watch(arguments.limits.timeout)),
        so_far: SoFar::default(),
    };
    let loaded = Arc::new(loaded);
    let search = {
        let (loaded, options) = (loaded.clone(), options.clone());
        move || loaded.check(&options)
    };
    let report = match last_word.unless_too_late(search) {
        Ok(report) => report,
        Err(reason) => Ok(loaded.report_so_far(&options, reason, start.elapsed())),
    };
    session.progress.finish_and_clear();
    let report = report?;
    last_word.take();
    report.warnings.iter().skip(known).for_each(|warning| session.warn(warning));
    for fate in &report.members {
        let answer = fate.answer.as_ref().map_or_else(|reason| reason.to_string(), |word| word.to_string());
        session.detail(format!("{}: {answer} after {:.2} s", fate.name, fate.time.as_secs_f64()));
        for (name, value) in fate.stats.iter() {
            session.number(format!("  {name}: {value}"));
        }
    }
    let replaying =
        craig_exec::Limits { budget: limits.budget(report.time), ..craig_exec::Limits::default() };
    let suites = [report.suite()];
    let baseline = arguments.artifacts.baseline(&suites)?;
    arguments.artifacts.write_findings(&suites, baseline.as_ref())?;
    for note in arguments.artifacts.write(&loaded, &report, &replaying)? {
        session.note(note);
    }
    match arguments.format {
        _ if common.json => writeln!(session.out, "{}", report.json())?,
        Format::Json => writeln!(session.out, "{}", report.json())?,
        Format::Github => write!(session.out, "{}{}", report.text(arguments.trace.into()), github(&suites))?,
        Format::Text => write!(session.out, "{}", report.text(arguments.trace.into()))?,
    }
    let state = match &baseline {
        Some(baseline) => judged(baseline, &suites, session),
        None => match report.verdict {
            Verdict::Safe => State::Holds,
            Verdict::Unsafe => State::Fails,
            Verdict::Unknown(reason) => State::Open(reason.to_string()),
        },
    };
    if session.cancel.is_cancelled() && state != State::Fails {
        return Ok(ExitStatus::Interrupted);
    }
    Ok(match state {
        // Nothing was checked: there is a warning, and it is no success.
        State::Holds if report.checks.is_empty() || report.vacuous => ExitStatus::Unknown,
        State::Holds => ExitStatus::Success,
        State::Fails => ExitStatus::Unsafe,
        State::Open(_) => ExitStatus::Unknown,
    })
}

/// The worst of what a baseline does not know; says how many findings it does.
pub fn judged(baseline: &Baseline, suites: &[Suite], session: &Session) -> State {
    let (state, known) = baseline.judge(suites);
    let new = if state == State::Holds { "no new findings" } else { "there are new findings" };
    session.note(format!("{new}; {known} are in the baseline"));
    state
}

impl From<Refine> for ufo::Refine {
    fn from(refine: Refine) -> Self {
        match refine {
            Refine::Dag => ufo::Refine::Dag,
            Refine::Restricted => ufo::Refine::Restricted,
        }
    }
}

impl From<Domain> for vinta::Domain {
    fn from(domain: Domain) -> Self {
        match domain {
            Domain::Box => vinta::Domain::Box,
            Domain::Boxes => vinta::Domain::Boxes,
            Domain::Templates => vinta::Domain::Templates,
            Domain::Octagons => vinta::Domain::Octagons,
        }
    }
}

impl Arguments {
    /// Whether functions are checked one by one.
    fn is_about_functions(&self) -> bool {
        let has_pattern = self.input.entry.as_ref().is_some_and(|entry| entry.contains(['*', '?', ',']));
        self.project.is_some() || self.all_functions || has_pattern
    }

    /// The engine that was asked for, if there was one, with its settings.
    fn engine(&self) -> Result<Option<Member<Engine>>, Error> {
        let widening = self.widen_after.or(self.widen_every).is_some() || self.no_thresholds;
        let vinta_options = self.domain.is_some() || widening || self.no_strengthening;
        let graph_options = self.post.is_some() || self.refine.is_some() || self.cores;
        let name = match self.engine.as_deref() {
            None if vinta_options => "vinta",
            None if graph_options || self.eager => "ufo",
            None => return Ok(None),
            Some(name) => name,
        };
        let mut member = check::engine(name)?;
        let misplaced = |options: &str| Err(Error::Usage(format!("not for the engine `{name}`: {options}")));
        let post = self.post.map(|post| match post {
            Post::None => ufo::Post::None,
            Post::Cartesian => ufo::Post::Cartesian,
            Post::Boolean => ufo::Post::Boolean,
        });
        match &mut member.engine {
            Engine::Ufo(_) if vinta_options => {
                return misplaced("--domain, --no-strengthening and how to widen");
            }
            Engine::Ufo(config) => {
                config.post = post.unwrap_or(config.post);
                config.eager |= self.eager;
                config.cores |= self.cores;
                config.refine = self.refine.map_or(config.refine, ufo::Refine::from);
            }
            Engine::Vinta(_) if self.eager => return misplaced("--eager"),
            Engine::Vinta(config) => {
                config.predicates = post.unwrap_or(config.predicates);
                config.domain = self.domain.map_or(config.domain, vinta::Domain::from);
                config.widen.after = self.widen_after.unwrap_or(config.widen.after);
                config.widen.every = self.widen_every.unwrap_or(config.widen.every);
                config.stop_at_constants &= !self.no_thresholds;
                config.cores |= self.cores;
                config.strengthen &= !self.no_strengthening;
                config.refine = self.refine.map_or(config.refine, ufo::Refine::from);
            }
            _ if vinta_options => return misplaced("--domain, --no-strengthening and how to widen"),
            _ if self.eager => return misplaced("--eager"),
            _ if graph_options => return misplaced("--post, --refine and --cores"),
            Engine::Dash(config) => config.random_tests = !self.no_runs,
            Engine::Whale(config) => config.tests &= !self.no_runs,
            _ => {}
        }
        if self.no_runs && !matches!(member.engine, Engine::Dash(_) | Engine::Whale(_)) {
            return misplaced("--no-runs");
        }
        for part in &self.without {
            if !part.leave_out(&mut member.engine) {
                return misplaced("a part of --without");
            }
        }
        Ok(Some(member))
    }
}
