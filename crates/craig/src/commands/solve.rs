//! `craig solve`: constrained Horn clauses.

use crate::answer::{Answer, Verdict};
use crate::arguments::{Common, Limits};
use crate::report::outcome::{Certificate, CertificateKind, Outcome};
use crate::report::source;
use crate::session::{Session, end_by};
use crate::{ExitStatus, Failure};
use craig_base::{Budget, Stopwatch};
use craig_chc::{ReadError, System, read_system, simplify, write_derivation, write_model};
use craig_engines::solve::{HornAnswer, HornEngine, HornMember, HornReport, race};
use craig_engines::{bmc, duality, pdr};
use craig_smt::process::ProcessSolver;
use craig_smt::{NativeSolver, Solver};
use craig_term::Terms;
use std::fs;
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// Decide whether constrained Horn clauses have a model.
///
/// The first line of output is sat, unsat or unknown; after sat follows a model, after unsat a
/// derivation of false. Both were checked.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The clauses, in the HORN logic of SMT-LIB; standard input if it is `-`.
    file: PathBuf,
    /// The algorithm; without it, several race on the cores that there are.
    #[arg(long, value_enum, default_value_t = EngineName::Portfolio)]
    engine: EngineName,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Who answers the engine's questions. Answers are checked by the native solver in any case.
    #[arg(long, value_enum, default_value_t = SolverName::Native)]
    solver: SolverName,
    /// Look at derivations up to this height only.
    #[arg(long, value_name = "HEIGHT")]
    bound: Option<usize>,
    #[command(flatten)]
    switches: Switches,
    #[command(flatten)]
    limits: Limits,
}

/// What can be turned on and off, to measure its effect.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Switches of the engines")]
struct Switches {
    /// duality: what narrows a goal after a resolution step.
    #[arg(long, value_enum, default_value_t = Decisions::Minterms)]
    decisions: Decisions,
    /// duality: how an annotation becomes a model.
    #[arg(long, value_enum, default_value_t = Convergence::Houdini)]
    convergence: Convergence,
    /// duality: undo every expansion one by one.
    #[arg(long)]
    no_back_jumping: bool,
    /// duality: try rules in their order, whether they were of use or not.
    #[arg(long)]
    no_relevance: bool,
    /// duality: learn interpolants as they come from proofs.
    #[arg(long)]
    no_generalisation: bool,
    /// duality: propagate lemmas only when a depth is done.
    #[arg(long)]
    no_eager_propagation: bool,
    /// duality: generalise by induction, as pdr does.
    #[arg(long)]
    inductive_generalisation: bool,
    /// pdr: learn from the literals of what cannot be derived, not from their sums.
    #[arg(long)]
    no_farkas: bool,
    /// pdr: keep obligations that were blocked for higher levels.
    #[arg(long)]
    preserve_goals: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum EngineName {
    /// Those below; the first checked answer counts.
    Portfolio,
    /// Property-directed reachability.
    Pdr,
    /// Lazy annotation.
    Duality,
    /// Unfolding with lazy inlining.
    Bmc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The answer with its reason, and a model or derivation.
    Text,
    /// The conventions of CHC-COMP: the answer alone on its line, a model as a list of definitions,
    /// no derivation.
    ChcComp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SolverName {
    Native,
    /// The `z3` in the search path.
    Z3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Decisions {
    None,
    Blocks,
    Minterms,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Convergence {
    Covering,
    Houdini,
    Predicates,
}

/// How many engines of the portfolio run at a time, however few cores there are: they complement each
/// other, and whoever is first should not wait for the end of another.
const FEWEST_WORKERS: usize = 2;

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Failure> {
    let watch = Stopwatch::start();
    end_by(&arguments.limits, common.json, ExitStatus::Success);
    let budget = Budget::unlimited()
        .with_timeout(arguments.limits.timeout)
        .with_memory_limit(arguments.limits.memory)
        .with_cancel(session.cancel.clone());
    let mut terms = Terms::new();
    let system = read(arguments, &mut terms)?;
    if arguments.solver == SolverName::Z3 {
        ProcessSolver::z3().map_err(|error| Failure::Usage(error.to_string()))?;
    }
    let new_solver = || -> Box<dyn Solver> {
        match arguments.solver {
            SolverName::Native => Box::new(NativeSolver::default()),
            // It could be started a moment ago; should it be gone now, the native solver helps out.
            SolverName::Z3 => match ProcessSolver::z3() {
                Ok(solver) => Box::new(solver),
                Err(_) => Box::new(NativeSolver::default()),
            },
        }
    };
    let simplified = simplify(&mut terms, &system, &budget);
    let members = members(arguments);
    let workers = available_parallelism().map_or(1, NonZero::get).max(FEWEST_WORKERS);
    let mut report = race(&terms, &system, &simplified, &members, workers, &new_solver, &budget);
    report.stats.add("clauses", system.clauses.len() as u64);
    report.stats.add("simplified clauses", simplified.system.clauses.len() as u64);
    let (answer, kind, details) = describe(&system, &mut report, arguments.format)?;
    let outcome = Outcome {
        task: vec![arguments.file.display().to_string()],
        answer,
        engine: report.engine.to_string(),
        seconds: watch.elapsed().as_secs_f64(),
        memory_mb: crate::session::peak_memory_mb(),
        certificate: kind.map(|kind| Certificate {
            kind,
            checked: true,
            seconds: report.checking.as_secs_f64(),
        }),
        assumptions: Vec::new(),
        invariants: Vec::new(),
        contracts: Vec::new(),
        trace: Vec::new(),
        members: Vec::new(),
        stats: report.stats,
    };
    if common.json {
        writeln!(session.out, "{}", outcome.json())?;
    } else {
        match arguments.format {
            Format::Text => write!(session.out, "{}", outcome.text())?,
            Format::ChcComp => writeln!(session.out, "{}", outcome.answer.name())?,
        }
        write!(session.out, "{details}")?;
        session.detail(format!("engine: {}", outcome.engine));
        for (name, value) in outcome.stats.iter() {
            session.detail(format!("{name}: {value}"));
        }
    }
    // The first line is what counts, whatever it says.
    Ok(ExitStatus::Success)
}

fn members(arguments: &Arguments) -> Vec<HornMember> {
    let switches = &arguments.switches;
    let bound = arguments.bound;
    let pdr = HornEngine::Pdr(pdr::Options {
        farkas: !switches.no_farkas,
        preserve_goals: switches.preserve_goals,
        bound,
    });
    let bmc = HornEngine::Bmc(bmc::Options { bound });
    let duality = HornEngine::Duality(duality::Options {
        decisions: match switches.decisions {
            Decisions::None => duality::Decisions::None,
            Decisions::Blocks => duality::Decisions::Blocks,
            Decisions::Minterms => duality::Decisions::Minterms,
        },
        convergence: match switches.convergence {
            Convergence::Covering => duality::Convergence::Covering,
            Convergence::Houdini => duality::Convergence::Houdini,
            Convergence::Predicates => duality::Convergence::Predicates,
        },
        back_jumping: !switches.no_back_jumping,
        relevance: !switches.no_relevance,
        generalisation: !switches.no_generalisation,
        eager_propagation: !switches.no_eager_propagation,
        inductive_generalisation: switches.inductive_generalisation,
        bound,
    });
    let whole = |engine| HornMember { engine, share: 100 };
    match arguments.engine {
        EngineName::Pdr => vec![whole(pdr)],
        EngineName::Duality => vec![whole(duality)],
        EngineName::Bmc => vec![whole(bmc)],
        // Unfolding finds what is near, and is soon lost in what is not.
        EngineName::Portfolio => vec![whole(pdr), HornMember { engine: bmc, share: 10 }, whole(duality)],
    }
}

fn read(arguments: &Arguments, terms: &mut Terms) -> Result<System, Failure> {
    let missing = |error: io::Error| Failure::MissingInput(arguments.file.clone(), error);
    let text = if arguments.file.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(missing)?;
        text
    } else {
        fs::read_to_string(&arguments.file).map_err(missing)?
    };
    read_system(terms, text.as_bytes()).map_err(|error| match error {
        ReadError::Io(error) => missing(error),
        ReadError::Input(error) => {
            let path = arguments.file.display().to_string();
            let (line, column) = (error.position.line, error.position.column);
            Failure::BadInput(source::render(&path, &text, line, column, &error.message))
        }
    })
}

/// The answer, its certificate, and what is printed after it. A wrong answer is an internal error.
fn describe(
    system: &System,
    report: &mut HornReport,
    format: Format,
) -> Result<(Answer, Option<CertificateKind>, String), Failure> {
    match &report.answer {
        HornAnswer::Defect(what) => Err(Failure::Internal(what.clone())),
        HornAnswer::Unknown(reason) => Ok((Answer::Unknown(reason.to_string()), None, String::new())),
        HornAnswer::Sat(model) => {
            let mut text = write_model(&report.terms, system, model);
            if format == Format::ChcComp {
                text = format!("(\n{text})\n");
            }
            Ok((Answer::Verdict(Verdict::Sat), Some(CertificateKind::Model), text))
        }
        HornAnswer::Unsat(derivation) => {
            let text = match format {
                Format::Text => write_derivation(&mut report.terms, system, derivation),
                Format::ChcComp => String::new(),
            };
            Ok((Answer::Verdict(Verdict::Unsat), Some(CertificateKind::Derivation), text))
        }
    }
}
