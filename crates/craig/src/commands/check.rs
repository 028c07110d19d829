//! `craig check`: is the error reachable?

use crate::answer::{self, Answer};
use crate::arguments::{Common, Limits};
use crate::artifacts::Artifacts;
use crate::c_input::CInput;
use crate::report::outcome::{self, Certificate, CertificateKind, Outcome};
use crate::report::{failing_run, safety};
use crate::session::{Session, end_by, peak_memory_mb};
use crate::{ExitStatus, Failure, summary_cache, test_cache};
use craig_base::{Budget, Stats};
use craig_engines::lazy_annotation::Learning;
use craig_engines::portfolio::{self, Fate, Member, Report};
use craig_engines::sharing::Shared;
use craig_engines::{Engine, Proof, Verdict, dash, lazy_annotation, random, synergy, ufo, vinta, whale};
use craig_exec::{Limits as ExecLimits, Test};
use craig_program::horn::Contexts;
use craig_program::{CallGraph, NoteKind, Program};
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Decide whether an error can be reached in a C program.
///
/// Prints `safe`, `unsafe` or `unknown` first; exit code 0, 1 or 2.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub input: CInput,
    #[command(flatten)]
    pub limits: Limits,
    /// One engine instead of the portfolio (see `craig engines`).
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// For `ufo` and `vinta`: predicate abstraction for the labels of new nodes.
    #[arg(long, value_enum, value_name = "POST")]
    pub post: Option<Post>,
    /// For `ufo`: use interpolants for predicates only, and build the graph anew.
    #[arg(long)]
    pub eager: bool,
    /// For `ufo` and `vinta`: how interpolants label the graph; `vinta` restricts them by default.
    #[arg(long, value_enum, value_name = "HOW")]
    pub refine: Option<Refine>,
    /// For `vinta`: the abstract domain.
    #[arg(long, value_enum, value_name = "DOMAIN")]
    pub domain: Option<Domain>,
    /// For `vinta`: labels at a loop head before widening starts.
    #[arg(long, value_name = "N")]
    pub widen_after: Option<usize>,
    /// Keep contracts of functions in this folder, and try those of earlier runs first.
    #[arg(long, value_name = "FOLDER")]
    pub summary_cache: Option<PathBuf>,
    /// Begin with the tests of this folder, and keep those of this run there.
    #[arg(long, value_name = "FOLDER")]
    pub test_cache: Option<PathBuf>,
    /// Threads for the portfolio; by default the number of cores.
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub artifacts: Artifacts,
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

const fn ufo(post: ufo::Post, eager: bool) -> Engine {
    Engine::Ufo(ufo::Config { post, eager, cover: ufo::Cover::ActiveHeads, refine: ufo::Refine::Dag })
}

/// Takes what a member with an abstract domain has left.
const RESTRICTED: Engine = Engine::Ufo(ufo::Config {
    post: ufo::Post::Cartesian,
    eager: false,
    cover: ufo::Cover::ActiveHeads,
    refine: ufo::Refine::Restricted,
});

const fn vinta(domain: vinta::Domain) -> Engine {
    Engine::Vinta(vinta::Config {
        domain,
        predicates: ufo::Post::None,
        widen_after: 3,
        stop_at_constants: true,
        refine: ufo::Refine::Restricted,
    })
}

const WHALE: Engine = Engine::Whale(whale::Config::new());

const RANDOM: Engine = Engine::Random(random::Config { runs: 2_000, steps: 2_000_000 });

/// The default portfolio, in the order in which workers take the members. The last one fixes factors of
/// products to values, where the others give up at once.
const PORTFOLIO: &[Member] = &[
    Member { name: "random", engine: RANDOM, share: 5 },
    Member { name: "vinta-boxes", engine: vinta(vinta::Domain::Boxes), share: 20 },
    Member { name: "bits", engine: Engine::Bits, share: 5 },
    Member { name: "vinta-box", engine: vinta(vinta::Domain::Box), share: 25 },
    Member { name: "pdr", engine: Engine::Pdr, share: 60 },
    Member { name: "bits-deeper", engine: Engine::Bits, share: 30 },
    Member { name: "vinta-octagons", engine: vinta(vinta::Domain::Octagons), share: 50 },
    Member { name: "ufo", engine: ufo(ufo::Post::None, false), share: 50 },
    Member { name: "whale", engine: WHALE, share: 40 },
    Member { name: "pdr-summaries", engine: Engine::PdrSummaries(Contexts::Any), share: 40 },
    Member { name: "ufo-cartesian", engine: ufo(ufo::Post::Cartesian, false), share: 60 },
    Member { name: "ufo-restricted", engine: RESTRICTED, share: 60 },
    Member { name: "ufo-boolean-eager", engine: ufo(ufo::Post::Boolean, true), share: 100 },
    Member { name: "ufo-boolean", engine: ufo(ufo::Post::Boolean, false), share: 100 },
    Member { name: "lazy-annotation", engine: annotation(Learning::Interpolants, false), share: 100 },
];

/// The members whose proofs are contracts.
const CONTRACTS: &[Member] = &[
    Member { name: "random", engine: RANDOM, share: 5 },
    Member { name: "whale", engine: WHALE, share: 100 },
    Member { name: "bits", engine: Engine::Bits, share: 5 },
    Member { name: "pdr-summaries", engine: Engine::PdrSummaries(Contexts::Any), share: 100 },
    Member { name: "lazy-annotation", engine: annotation(Learning::Interpolants, true), share: 100 },
];

/// The default members for a program. Recursion cannot be inlined, so contracts are the only proofs there.
pub(crate) fn portfolio(program: &Program) -> &'static [Member] {
    if CallGraph::new(program).first_recursive().is_some() { CONTRACTS } else { PORTFOLIO }
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Failure> {
    let start = Instant::now();
    end_by(&arguments.limits, common.json, ExitStatus::Unknown);
    let program = arguments.input.load(session)?;
    let single = arguments.single_member(common.seed)?;
    let portfolio = if arguments.summary_cache.is_some() { CONTRACTS } else { portfolio(&program) };
    let members = single.as_ref().map_or(portfolio, std::slice::from_ref);
    let budget = Budget::unlimited()
        .with_timeout(arguments.limits.timeout.saturating_sub(start.elapsed()))
        .with_memory_limit(arguments.limits.memory)
        .with_cancel(session.cancel.clone());
    let workers =
        arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get));
    let folder = arguments.test_cache.as_ref();
    let known = folder.map(|folder| test_cache::read(folder, &arguments.input.files[0])).unwrap_or_default();
    for complaint in &known.complaints {
        session.note(format!("not a test: {complaint}"));
    }
    let cached = test_cache::failing_test(&known.tests, &program, &budget).map(|test| Report {
        verdict: Verdict::Unsafe(test),
        winner: Some("test-cache"),
        fates: Vec::new(),
    });
    let report = match cached.or_else(|| arguments.recall(&program, &budget)) {
        Some(report) => report,
        None => arguments.search(&program, members, workers, known.tests, &budget)?,
    };
    if let (Verdict::Safe(proof), Some(folder)) = (&report.verdict, &arguments.summary_cache)
        && let Proof::Summaries { terms, summaries } = &**proof
    {
        summary_cache::store(folder, &program, terms, summaries)?;
    }
    if let (Verdict::Unsafe(test), Some(folder)) = (&report.verdict, &arguments.test_cache)
        && report.winner != Some("test-cache")
    {
        test_cache::keep(folder, &arguments.input.files[0], test)?;
    }
    for fate in &report.fates {
        session.detail(format!("{}: {} after {:.2} s", fate.name, fate.answer, fate.time.as_secs_f64()));
        for (name, value) in fate.stats.iter() {
            session.detail(format!("  {name}: {value}"));
        }
    }
    let outcome = arguments.outcome(&program, &report, start.elapsed());
    let limits = ExecLimits { budget: budget.clone(), ..ExecLimits::default() };
    for note in arguments.artifacts.write(&arguments.input, &program, &report.verdict, &outcome, &limits)? {
        session.note(note);
    }
    if common.json {
        writeln!(session.out, "{}", outcome.json())?;
    } else {
        write!(session.out, "{}", outcome.text())?;
    }
    Ok(outcome.exit_status())
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
    fn single_member(&self, seed: u64) -> Result<Option<Member>, Failure> {
        let vinta_options = self.domain.is_some() || self.widen_after.is_some();
        let graph_options = self.post.is_some() || self.refine.is_some();
        let engine = match self.engine.as_deref() {
            None if vinta_options => "vinta",
            None if graph_options || self.eager => "ufo",
            None => return Ok(None),
            Some(name) => name,
        };
        let post = match self.post {
            None | Some(Post::None) => ufo::Post::None,
            Some(Post::Cartesian) => ufo::Post::Cartesian,
            Some(Post::Boolean) => ufo::Post::Boolean,
        };
        let misplaced =
            |options: &str| Err(Failure::Usage(format!("not for the engine `{engine}`: {options}")));
        let engine = match engine {
            _ if vinta_options && engine != "vinta" => return misplaced("--domain and --widen-after"),
            _ if self.eager && engine != "ufo" => return misplaced("--eager"),
            "ufo" => {
                let refine = self.refine.map_or(ufo::Refine::default(), ufo::Refine::from);
                Engine::Ufo(ufo::Config { post, eager: self.eager, refine, ..ufo::Config::default() })
            }
            "vinta" => {
                let default = vinta::Config::default();
                Engine::Vinta(vinta::Config {
                    domain: self.domain.map_or(default.domain, vinta::Domain::from),
                    predicates: post,
                    widen_after: self.widen_after.unwrap_or(default.widen_after),
                    refine: self.refine.map_or(default.refine, ufo::Refine::from),
                    ..default
                })
            }
            _ if graph_options => return misplaced("--post and --refine"),
            "impact" => Engine::Impact,
            "pdr" => Engine::Pdr,
            "pdr-summaries" => Engine::PdrSummaries(Contexts::Any),
            "whale" => WHALE,
            "whale-tree" => Engine::Whale(whale::Config { merge: false, ..whale::Config::default() }),
            "whale-tree-interpolants" => Engine::Whale(whale::Config {
                interpolants: whale::Interpolants::Tree,
                ..whale::Config::new()
            }),
            "whale-plain" => {
                Engine::Whale(whale::Config { domain: false, tests: false, ..whale::Config::new() })
            }
            "whale-paths" => Engine::Whale(whale::Config {
                expansion: whale::Expansion::Paths,
                ..whale::Config::default()
            }),
            "pdr-contexts" => Engine::PdrSummaries(Contexts::Reachable),
            "dash" => Engine::Dash(dash::Config { seed, ..dash::Config::default() }),
            "dash-directed" => {
                Engine::Dash(dash::Config { seed, random_tests: false, ..dash::Config::default() })
            }
            "dash-frontiers" => Engine::Dash(dash::Config { seed, frontiers: 4, ..dash::Config::default() }),
            "dash-disjunctive" => {
                Engine::Dash(dash::Config { seed, disjunctive: true, ..dash::Config::default() })
            }
            "dash-procedures" => {
                Engine::Dash(dash::Config { seed, procedures: true, ..dash::Config::default() })
            }
            "duality" => Engine::Duality,
            "bmc" => Engine::Bmc,
            "synergy" => Engine::Synergy(synergy::Config { seed, ..synergy::Config::default() }),
            "lee-yannakakis" => Engine::LeeYannakakis(synergy::Config { seed, ..synergy::Config::default() }),
            "lazy-annotation" => annotation(Learning::Interpolants, false),
            "lazy-annotation-procedures" => annotation(Learning::Interpolants, true),
            "lazy-annotation-wp" => annotation(Learning::WeakestPreconditions, false),
            "dart" => annotation(Learning::Nothing, false),
            "bits" => Engine::Bits,
            "random" => RANDOM,
            _ => {
                let message =
                    format!("there is no engine `{engine}` for this command; `craig engines` lists them");
                return Err(Failure::Usage(message));
            }
        };
        Ok(Some(Member { name: engine.name(), engine, share: 100 }))
    }
}

const fn annotation(learn: Learning, procedures: bool) -> Engine {
    Engine::LazyAnnotation(lazy_annotation::Config { learn, procedures })
}

impl Arguments {
    /// Runs the members, from the tests of the cache and back into it.
    fn search(
        &self,
        program: &Program,
        members: &[Member],
        workers: usize,
        seeds: Vec<Test>,
        budget: &Budget,
    ) -> Result<Report, Failure> {
        let task = &self.input.files[0];
        let shared = Shared::with_seeds(seeds);
        let report = portfolio::run_sharing(program, members, workers, &shared, budget);
        if let Some(folder) = &self.test_cache {
            test_cache::keep_all(folder, task, &shared.into_tests())?;
        }
        report.map_err(|contradiction| Failure::Internal(contradiction.to_string()))
    }

    /// An answer from what earlier runs have left in the cache.
    fn recall(&self, program: &Program, budget: &Budget) -> Option<Report> {
        let start = Instant::now();
        let mut stats = Stats::default();
        let verdict = summary_cache::recall(self.summary_cache.as_ref()?, program, budget, &mut stats)?;
        let name = "summary-cache";
        let fate = Fate { name, answer: "safe".to_string(), time: start.elapsed(), stats };
        Some(Report { verdict, winner: Some(name), fates: vec![fate] })
    }

    fn outcome(&self, program: &Program, report: &Report, time: Duration) -> Outcome {
        let (answer, kind) = match &report.verdict {
            Verdict::Safe(proof) => {
                let kind = match **proof {
                    Proof::Invariant { .. } => CertificateKind::Invariant,
                    Proof::Summaries { .. } => CertificateKind::Summaries,
                    Proof::Unwinding(_) => CertificateKind::Unwinding,
                };
                (Answer::Verdict(answer::Verdict::Safe), Some(kind))
            }
            Verdict::Unsafe(_) => (Answer::Verdict(answer::Verdict::Unsafe), Some(CertificateKind::Test)),
            Verdict::Unknown(reason) => (Answer::Unknown(reason.to_string()), None),
        };
        let winner = report.fates.iter().find(|fate| Some(fate.name) == report.winner);
        let checking = winner.map_or(0.0, |fate| fate.stats.seconds("time in certification"));
        Outcome {
            task: self.input.files.iter().map(|file| file.display().to_string()).collect(),
            answer,
            engine: report.winner.unwrap_or("portfolio").to_string(),
            seconds: time.as_secs_f64(),
            memory_mb: peak_memory_mb(),
            certificate: kind.map(|kind| Certificate { kind, checked: true, seconds: checking }),
            assumptions: match report.verdict {
                Verdict::Safe(_) => assumptions(program),
                _ => Vec::new(),
            },
            invariants: match &report.verdict {
                Verdict::Safe(proof) => safety::invariants(program, proof),
                _ => Vec::new(),
            },
            contracts: match &report.verdict {
                Verdict::Safe(proof) => safety::contracts(program, proof),
                _ => Vec::new(),
            },
            trace: match &report.verdict {
                Verdict::Unsafe(test) => failing_run::steps(program, test),
                _ => Vec::new(),
            },
            members: report
                .fates
                .iter()
                .map(|fate| outcome::Member {
                    name: fate.name.to_string(),
                    answer: fate.answer.clone(),
                    seconds: fate.time.as_secs_f64(),
                })
                .collect(),
            stats: statistics(&report.fates),
        }
    }
}

fn assumptions(program: &Program) -> Vec<String> {
    let assumed = program.notes.iter().filter(|note| note.kind == NoteKind::Assumption);
    assumed.map(|note| note.text.clone()).collect()
}

/// The numbers of every member, each behind its name.
fn statistics(fates: &[Fate]) -> Stats {
    let mut stats = Stats::default();
    for fate in fates {
        stats.add_time(format!("{}: seconds", fate.name), fate.time);
        stats.absorb(&format!("{}: ", fate.name), &fate.stats);
    }
    stats
}
