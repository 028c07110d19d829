//! `craig solve`: constrained Horn clauses.

use crate::answer::{Answer, Verdict};
use crate::arguments::{Common, Limits};
use crate::report::outcome::{Certificate, CertificateKind, Outcome};
use crate::report::source;
use crate::session::{Session, end_by};
use crate::{ExitStatus, Failure};
use craig_base::{Budget, Stats, Stopwatch};
use craig_certificate::{check_derivation, check_model};
use craig_chc::{
    BackError, ReadError, Simplified, System, complete_derivation, read_system, simplify, write_derivation,
    write_model,
};
use craig_engines::horn::{HornVerdict, Reason};
use craig_engines::{bmc, duality, pdr};
use craig_smt::process::ProcessSolver;
use craig_smt::{NativeSolver, Solver};
use craig_term::Terms;
use std::fs;
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// Decide whether constrained Horn clauses have a model.
///
/// The first line of output is sat, unsat or unknown; after sat follows a model, after unsat a
/// derivation of false. Both were checked.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The clauses, in the HORN logic of SMT-LIB; standard input if it is `-`.
    file: PathBuf,
    /// The algorithm.
    #[arg(long, value_enum, default_value_t = HornEngine::Pdr)]
    engine: HornEngine,
    /// Who answers the engine's questions. Answers are checked by the native solver in any case.
    #[arg(long, value_enum, default_value_t = SolverName::Native)]
    solver: SolverName,
    #[command(flatten)]
    limits: Limits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum HornEngine {
    /// Property-directed reachability.
    Pdr,
    /// Lazy annotation.
    Duality,
    /// Unfolding with lazy inlining.
    Bmc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SolverName {
    Native,
    /// The `z3` in the search path.
    Z3,
}

impl HornEngine {
    fn name(self) -> &'static str {
        match self {
            HornEngine::Pdr => "pdr",
            HornEngine::Duality => "duality",
            HornEngine::Bmc => "bmc",
        }
    }
}

pub fn run(arguments: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Failure> {
    let watch = Stopwatch::start();
    end_by(&arguments.limits, common.json);
    let budget = Budget::unlimited()
        .with_timeout(arguments.limits.timeout)
        .with_memory_limit(arguments.limits.memory)
        .with_cancel(session.cancel.clone());
    let text = read(&arguments.file)?;
    let mut terms = Terms::new();
    let system = read_system(&mut terms, text.as_bytes()).map_err(|error| match error {
        ReadError::Io(error) => Failure::MissingInput(arguments.file.clone(), error),
        ReadError::Input(error) => {
            let path = arguments.file.display().to_string();
            Failure::BadInput(source::render(
                &path,
                &text,
                error.position.line,
                error.position.column,
                &error.message,
            ))
        }
    })?;
    let mut stats = Stats::default();
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
    stats.add("clauses", system.clauses.len() as u64);
    stats.add("simplified clauses", simplified.system.clauses.len() as u64);
    let verdict = match arguments.engine {
        HornEngine::Pdr => pdr::solve(
            &mut terms,
            &simplified.system,
            &pdr::Options::default(),
            &new_solver,
            &budget,
            &mut stats,
        ),
        HornEngine::Duality => duality::solve(
            &mut terms,
            &simplified.system,
            &duality::Options::default(),
            &new_solver,
            &budget,
            &mut stats,
        ),
        HornEngine::Bmc => bmc::solve(
            &mut terms,
            &simplified.system,
            &bmc::Options::default(),
            &new_solver,
            &budget,
            &mut stats,
        ),
    };
    let verdict = back(&mut terms, &system, &simplified, verdict, &budget)?;
    let checking = Stopwatch::start();
    let (answer, kind, details) = accept(&mut terms, &system, verdict, &budget)?;
    let outcome = Outcome {
        task: vec![arguments.file.display().to_string()],
        answer,
        engine: arguments.engine.name().to_string(),
        seconds: watch.elapsed().as_secs_f64(),
        memory_mb: crate::session::peak_memory_mb(),
        certificate: kind.map(|kind| Certificate {
            kind,
            checked: true,
            seconds: checking.elapsed().as_secs_f64(),
        }),
        assumptions: Vec::new(),
        invariants: Vec::new(),
        contracts: Vec::new(),
        trace: Vec::new(),
        stats,
    };
    if common.json {
        writeln!(session.out, "{}", outcome.json())?;
    } else {
        write!(session.out, "{}", outcome.text())?;
        write!(session.out, "{details}")?;
        for (name, value) in outcome.stats.iter() {
            session.detail(format!("{name}: {value}"));
        }
    }
    Ok(outcome.exit_status())
}

fn read(file: &PathBuf) -> Result<String, Failure> {
    let missing = |error: io::Error| Failure::MissingInput(file.clone(), error);
    if file.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(missing)?;
        return Ok(text);
    }
    fs::read_to_string(file).map_err(missing)
}

/// The engine's answer, in terms of the original clauses.
fn back(
    terms: &mut Terms,
    system: &System,
    simplified: &Simplified,
    verdict: HornVerdict,
    budget: &Budget,
) -> Result<HornVerdict, Failure> {
    let result = match verdict {
        HornVerdict::Sat(model) => simplified.model(terms, system, model, budget).map(HornVerdict::Sat),
        HornVerdict::Unsat(derivation) => {
            simplified.derivation(terms, system, &derivation, budget).map(HornVerdict::Unsat)
        }
        HornVerdict::Unknown(reason) => Ok(HornVerdict::Unknown(reason)),
    };
    match result {
        Ok(verdict) => Ok(verdict),
        Err(BackError::Unknown(reason)) => Ok(HornVerdict::Unknown(reason.into())),
        Err(BackError::Wrong(what)) => Err(Failure::Internal(what.to_string())),
    }
}

/// Checks what an engine found, and writes it down. A wrong answer is an internal error.
fn accept(
    terms: &mut Terms,
    system: &System,
    verdict: HornVerdict,
    budget: &Budget,
) -> Result<(Answer, Option<CertificateKind>, String), Failure> {
    let unknown = |reason: String| Ok((Answer::Unknown(reason), None, String::new()));
    match verdict {
        HornVerdict::Unknown(Reason::Internal(what)) => Err(Failure::Internal(what.to_string())),
        HornVerdict::Unknown(reason) => unknown(reason.to_string()),
        HornVerdict::Sat(model) => match check_model(terms, system, &model, budget) {
            Ok(()) => {
                let text = write_model(terms, system, &model);
                Ok((Answer::Verdict(Verdict::Sat), Some(CertificateKind::Model), text))
            }
            Err(craig_certificate::HornRejection::Stopped(reason)) => unknown(reason.to_string()),
            Err(craig_certificate::HornRejection::Undecided(_, reason)) => unknown(reason.to_string()),
            Err(rejection) => Err(Failure::Internal(rejection.to_string())),
        },
        HornVerdict::Unsat(mut derivation) => {
            if let Err(error) = complete_derivation(terms, system, &mut derivation, budget) {
                return match error {
                    craig_chc::WitnessError::Unknown(reason) => unknown(reason.to_string()),
                    craig_chc::WitnessError::NoInstance => Err(Failure::Internal(
                        "a step of the derivation is no instance of its clause".to_string(),
                    )),
                };
            }
            check_derivation(terms, system, &derivation)
                .map_err(|rejection| Failure::Internal(rejection.to_string()))?;
            let text = write_derivation(terms, system, &derivation);
            Ok((Answer::Verdict(Verdict::Unsat), Some(CertificateKind::Derivation), text))
        }
    }
}
