//! Horn clauses from the question to a checked answer: simplification, engines, the way back, and
//! the checkers of `certificate`.
//!
//! Several engines may race: each works in its own thread on its own copy of the terms, and the first
//! checked answer stops the others. Members are data. A worker takes the next member when it is free,
//! so the order is a schedule, and a member's share bounds the part of the remaining time that it may
//! use.

use crate::horn::{HornVerdict, NewSolver, Reason};
use crate::{bmc, duality, pdr};
use craig_base::{Budget, CancelToken, Stats, StopReason, Stopwatch};
use craig_certificate::{HornRejection, check_derivation, check_model};
use craig_chc::{BackError, Derivation, Interpretation, Simplified, System, WitnessError, consistent};
use craig_smt::Solver;
use craig_term::Terms;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Duration;

/// An engine for Horn clauses with its switches.
#[derive(Clone, Debug)]
pub enum HornEngine {
    Pdr(pdr::Options),
    Duality(duality::Options),
    Bmc(bmc::Options),
}

impl HornEngine {
    pub fn name(&self) -> &'static str {
        match self {
            HornEngine::Pdr(_) => "pdr",
            HornEngine::Duality(_) => "duality",
            HornEngine::Bmc(_) => "bmc",
        }
    }

    /// Runs the engine on clauses as they are; its answer is not checked.
    pub fn search(
        &self,
        terms: &mut Terms,
        system: &System,
        new_solver: NewSolver<'_>,
        budget: &Budget,
        stats: &mut Stats,
    ) -> HornVerdict {
        match self {
            HornEngine::Pdr(options) => pdr::solve(terms, system, options, new_solver, budget, stats),
            HornEngine::Duality(options) => duality::solve(terms, system, options, new_solver, budget, stats),
            HornEngine::Bmc(options) => bmc::solve(terms, system, options, new_solver, budget, stats),
        }
    }
}

#[derive(Clone, Debug)]
pub struct HornMember {
    pub engine: HornEngine,
    /// The part of the remaining time that this member may use, in per cent.
    pub share: u32,
}

/// An answer that the checkers accepted.
#[derive(Clone, Debug)]
pub enum HornAnswer {
    Sat(Interpretation),
    Unsat(Derivation),
    Unknown(Reason),
    /// An answer that was not accepted, or a defect on the way to it.
    Defect(String),
}

/// What became of a question. Terms of the answer belong to `terms`.
pub struct HornReport {
    pub answer: HornAnswer,
    pub terms: Terms,
    /// Who answered.
    pub engine: &'static str,
    pub stats: Stats,
    /// How long the check of the answer took.
    pub checking: Duration,
}

/// Makes solvers, from any thread.
pub type SolverFactory<'a> = &'a (dyn Fn() -> Box<dyn Solver> + Sync);

/// Runs the members on `workers` threads.
pub fn race(
    terms: &Terms,
    system: &System,
    simplified: &Simplified,
    members: &[HornMember],
    workers: usize,
    new_solver: SolverFactory<'_>,
    budget: &Budget,
) -> HornReport {
    let answered = CancelToken::default();
    let waiting = Mutex::new(members.iter());
    let reports: Mutex<Vec<HornReport>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let next = waiting.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
            let Some(member) = next else { return };
            if answered.is_cancelled() || budget.check().is_err() {
                return;
            }
            let mut own = budget.with_cancel(answered.clone());
            if let Some(remaining) = budget.remaining() {
                own = own.with_timeout(remaining * member.share / 100);
            }
            // A member that breaks must not take the answers of the others with it.
            let attempt = AssertUnwindSafe(|| {
                solve(terms.clone(), system, simplified, &member.engine, new_solver, &own)
            });
            let report = catch_unwind(attempt).unwrap_or_else(|panic| {
                let message = panic.downcast_ref::<String>().map(String::as_str);
                let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic");
                HornReport {
                    answer: HornAnswer::Defect(message.to_string()),
                    terms: terms.clone(),
                    engine: member.engine.name(),
                    stats: Stats::default(),
                    checking: Duration::ZERO,
                }
            });
            if matches!(report.answer, HornAnswer::Sat(_) | HornAnswer::Unsat(_)) {
                answered.cancel();
            }
            reports.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(report);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, members.len().max(1)) {
            scope.spawn(work);
        }
    });
    judge(terms, reports.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// The report that counts, with the statistics of all.
fn judge(terms: &Terms, mut reports: Vec<HornReport>) -> HornReport {
    let rank = |report: &HornReport| match &report.answer {
        HornAnswer::Sat(_) | HornAnswer::Unsat(_) => 0,
        HornAnswer::Defect(_) => 1,
        HornAnswer::Unknown(Reason::Stopped(StopReason::Cancelled)) => 5,
        HornAnswer::Unknown(Reason::Stopped(_)) => 3,
        HornAnswer::Unknown(_) => 2,
    };
    let is_sat = |report: &HornReport| matches!(report.answer, HornAnswer::Sat(_));
    let is_unsat = |report: &HornReport| matches!(report.answer, HornAnswer::Unsat(_));
    let contradiction = reports.iter().any(is_sat) && reports.iter().any(is_unsat);
    let alone = reports.len() == 1;
    // Stable: among equals, the one that was there first.
    reports.sort_by_key(rank);
    let mut stats = Stats::default();
    for report in &reports {
        let prefix = if alone { String::new() } else { format!("{}: ", report.engine) };
        stats.absorb(&prefix, &report.stats);
    }
    let mut reports = reports.into_iter();
    let Some(mut report) = reports.next() else {
        return HornReport {
            answer: HornAnswer::Unknown(Reason::Stopped(StopReason::Timeout)),
            terms: terms.clone(),
            engine: "portfolio",
            stats,
            checking: Duration::ZERO,
        };
    };
    report.stats = stats;
    if contradiction {
        report.answer =
            HornAnswer::Defect("two engines gave checked answers that exclude each other".to_string());
    }
    report
}

/// One engine, and the check of its answer.
fn solve(
    mut terms: Terms,
    system: &System,
    simplified: &Simplified,
    engine: &HornEngine,
    new_solver: SolverFactory<'_>,
    budget: &Budget,
) -> HornReport {
    let mut stats = Stats::default();
    let found = engine.search(&mut terms, &simplified.system, new_solver, budget, &mut stats);
    let watch = Stopwatch::start();
    let answer = accept(&mut terms, system, simplified, found, budget).unwrap_or_else(|answer| answer);
    HornReport { answer, terms, engine: engine.name(), stats, checking: watch.elapsed() }
}

/// The answer in terms of the original clauses, if it is right. `Err` is an answer too: why there
/// is none.
fn accept(
    terms: &mut Terms,
    system: &System,
    simplified: &Simplified,
    found: HornVerdict,
    budget: &Budget,
) -> Result<HornAnswer, HornAnswer> {
    let unknown = |reason: Reason| match reason {
        Reason::Internal(what) => HornAnswer::Defect(what.to_string()),
        other => HornAnswer::Unknown(other),
    };
    let no_way_back = |error: BackError| match error {
        BackError::Unknown(reason) => HornAnswer::Unknown(reason.into()),
        BackError::Wrong(what) => HornAnswer::Defect(what.to_string()),
    };
    match found {
        HornVerdict::Unknown(reason) => Err(unknown(reason)),
        HornVerdict::Sat(model) => {
            let model = simplified.model(terms, system, model, budget).map_err(no_way_back)?;
            match check_model(terms, system, &model, budget) {
                Ok(()) if !system.axioms.is_empty() && !consistent(terms, &system.axioms, budget) => {
                    Err(HornAnswer::Unknown(Reason::Axioms))
                }
                Ok(()) => Ok(HornAnswer::Sat(model)),
                Err(HornRejection::Stopped(reason)) => Err(unknown(reason.into())),
                Err(HornRejection::Undecided(_, reason)) => Err(unknown(reason.into())),
                Err(rejection) => Err(HornAnswer::Defect(rejection.to_string())),
            }
        }
        HornVerdict::Unsat(derivation) => {
            let mut derivation =
                simplified.derivation(terms, system, &derivation, budget).map_err(no_way_back)?;
            if system.needs_functions(terms, &derivation) {
                return Err(HornAnswer::Unknown(Reason::Functions));
            }
            craig_chc::complete_derivation(terms, system, &mut derivation, budget).map_err(|error| {
                match error {
                    WitnessError::Unknown(reason) => HornAnswer::Unknown(reason.into()),
                    WitnessError::NoInstance => HornAnswer::Defect(
                        "a step of the derivation is no instance of its clause".to_string(),
                    ),
                }
            })?;
            match check_derivation(terms, system, &derivation) {
                Ok(()) => Ok(HornAnswer::Unsat(derivation)),
                Err(rejection) => Err(HornAnswer::Defect(rejection.to_string())),
            }
        }
    }
}
