//! Have constrained Horn clauses a model?

use crate::check::{Certificate, CertificateKind, no_engine};
use crate::error::Error;
use crate::export::{Scripts, Write};
use crate::limits::{Limits, cores, peak_memory_mb};
use crate::report::source;
use crate::solve_words;
use craig_base::{Stats, StopReason};
use craig_certificate::{Judge, Refuted, check_model};
use craig_chc::{ReadError, read_system, simplify, write_derivation, write_model};
use craig_engines::Reason;
use craig_engines::horn::solve::{HornAnswer, HornEngine, run};
use craig_engines::portfolio::race::Member;
use craig_engines::portfolio::{schedule, table};
use craig_smt::process::ProcessSolver;
use craig_smt::{NativeSolver, Solver};
use craig_term::Terms;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How to look for an answer.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Who takes part; by default a portfolio. See [`clause_engine`].
    pub engines: Vec<Member<HornEngine>>,
    /// Threads; by default the number of cores, and two at least.
    pub workers: Option<usize>,
    /// Who answers the engines' questions. Answers are checked by the native solver in any case.
    pub solver: SolverName,
    /// What the answer may cost.
    pub limits: Limits,
}

/// The solvers that engines can work with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolverName {
    /// Craig's own.
    #[default]
    Native,
    /// The `z3` in the search path.
    Z3,
}

impl Default for SolveOptions {
    fn default() -> Self {
        SolveOptions {
            engines: schedule::clause_portfolio(),
            workers: None,
            solver: SolverName::default(),
            limits: Limits::default(),
        }
    }
}

/// The engine of that name, for [`SolveOptions::engines`]; [`table::CLAUSE_ENGINES`] lists them.
pub fn clause_engine(name: &str) -> Result<Member<HornEngine>, Error> {
    let entry = table::find(table::CLAUSE_ENGINES, name).ok_or_else(|| no_engine(name))?;
    Ok(Member { name: entry.name, engine: (entry.engine)(), share: 100 })
}

/// An answer in one word, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Satisfiability {
    /// The clauses have a model, which was checked.
    Sat,
    /// They have none, by a derivation of false that was checked.
    Unsat,
    /// Neither is known.
    Unknown(Reason),
}

impl Satisfiability {
    /// `sat`, `unsat` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Satisfiability::Sat => "sat",
            Satisfiability::Unsat => "unsat",
            Satisfiability::Unknown(_) => "unknown",
        }
    }

    /// Why there is no answer.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Satisfiability::Unknown(reason) => Some(reason),
            Satisfiability::Sat | Satisfiability::Unsat => None,
        }
    }
}

/// The answer to a question about clauses.
#[derive(Clone, Debug)]
pub struct SolveReport {
    /// The answer.
    pub verdict: Satisfiability,
    /// Present for every answer but `unknown`: the model as definitions, or the derivation.
    pub certificate: Option<Certificate>,
    /// Who answered, by the name by which it was asked for.
    pub engine: String,
    /// How long everything took.
    pub time: Duration,
    /// The largest memory of the process so far, in megabytes.
    pub memory_mb: f64,
    /// The numbers of all engines.
    pub stats: Stats,
    /// What else the user should know.
    pub notes: Vec<String>,
}

/// How many engines run at a time, however few cores there are: they complement each other, and whoever is first
/// should not wait for the end of another.
const FEWEST_WORKERS: usize = 2;

/// Decides whether constrained Horn clauses, in the HORN logic of SMT-LIB, have a model.
///
/// ```
/// let clauses = "(set-logic HORN) (declare-fun Even (Int) Bool)
///     (assert (Even 0))
///     (assert (forall ((x Int)) (=> (Even x) (Even (+ x 2)))))
///     (assert (forall ((x Int)) (=> (and (Even x) (= x 7)) false)))
///     (check-sat)";
/// let report = craig::solve(clauses, &craig::SolveOptions::default())?;
/// assert_eq!(report.verdict, craig::Satisfiability::Sat);
/// # Ok::<(), craig::Error>(())
/// ```
pub fn solve(clauses: &str, options: &SolveOptions) -> Result<SolveReport, Error> {
    solve_named("clauses", clauses, options, None)
}

/// As [`solve`], with the name of the file for messages. With `write`, a model is checked once more, and what that
/// rests on is written as scripts for other solvers.
pub(crate) fn solve_named(
    name: &str,
    clauses: &str,
    options: &SolveOptions,
    write: Option<&mut Write<'_>>,
) -> Result<SolveReport, Error> {
    if craig_bits::horn::Clauses::are_in(clauses) {
        return solve_words::solve(name, clauses, options, write);
    }
    let start = Instant::now();
    let budget = options.limits.budget(Duration::ZERO);
    let mut terms = Terms::new();
    let system = read_system(&mut terms, clauses.as_bytes()).map_err(|error| match error {
        ReadError::Io(error) => Error::MissingInput(PathBuf::from(name), error),
        ReadError::Input(error) => {
            let (line, column) = (error.position.line, error.position.column);
            Error::BadInput(source::render(name, clauses, line, column, &error.message))
        }
    })?;
    if options.solver == SolverName::Z3 {
        ProcessSolver::z3().map_err(|error| Error::Usage(error.to_string()))?;
    }
    let new_solver = || -> Box<dyn Solver> {
        match options.solver {
            SolverName::Native => Box::new(NativeSolver::default()),
            // It could be started a moment ago; should it be gone now, the native solver helps out.
            SolverName::Z3 => match ProcessSolver::z3() {
                Ok(solver) => Box::new(solver),
                Err(_) => Box::new(NativeSolver::default()),
            },
        }
    };
    let simplified = simplify(&mut terms, &system, &budget);
    let workers = options.workers.unwrap_or_else(|| cores().max(FEWEST_WORKERS));
    let found = run(&terms, &system, &simplified, &options.engines, workers, &new_solver, &budget)
        .map_err(|contradiction| Error::Internal(contradiction.to_string()))?;
    let mut stats = Stats::default();
    for fate in &found.fates {
        let alone = options.engines.len() == 1;
        stats.absorb(&if alone { String::new() } else { format!("{}: ", fate.name) }, &fate.stats);
    }
    stats.add("clauses", system.clauses.len() as u64);
    stats.add("simplified clauses", simplified.system.clauses.len() as u64);
    let winner = found.fates.iter().find(|fate| Some(fate.name) == found.winner);
    let checking = winner.map_or(0.0, |fate| fate.stats.seconds("time in certification"));
    let certificate = |kind, text| {
        Some(Certificate { kind, text, time: Duration::try_from_secs_f64(checking).unwrap_or_default() })
    };
    let mut notes = Vec::new();
    let (verdict, certificate) = match found.answer {
        HornAnswer::Sat(mut terms, model) => {
            if let Some(write) = write {
                let scripts = Scripts::new(write);
                let observer = |terms: &mut Terms, refuted: Refuted<'_>| scripts.add(terms, refuted);
                let judge = Judge { budget: &budget, observer: Some(&observer) };
                // It was accepted before; now the time may be over.
                match check_model(&mut terms, &system, &model, judge) {
                    Ok(_) => scripts.finish()?,
                    Err(why) => notes.push(format!("not all scripts: {why}")),
                }
            }
            let text = write_model(&terms, &system, &model);
            (Satisfiability::Sat, certificate(CertificateKind::Model, text))
        }
        HornAnswer::Unsat(mut terms, derivation) => {
            let text = write_derivation(&mut terms, &system, &derivation);
            (Satisfiability::Unsat, certificate(CertificateKind::Derivation, text))
        }
        // Parts of the time end in other words.
        HornAnswer::Unknown(reason) => match budget.check() {
            Err(stop @ StopReason::Cancelled) => (Satisfiability::Unknown(stop.into()), None),
            _ => (Satisfiability::Unknown(reason), None),
        },
    };
    let asked = match &options.engines[..] {
        [only] => only.name,
        _ => "portfolio",
    };
    Ok(SolveReport {
        verdict,
        certificate,
        engine: found.winner.unwrap_or(asked).to_string(),
        time: start.elapsed(),
        memory_mb: peak_memory_mb(),
        stats,
        notes,
    })
}
