//! Horn clauses from the question to a checked answer: simplification, engines, the way back, and
//! the checkers of `certificate`.
//!
//! Engines race as they do on programs; each works on its own copy of the terms.

use crate::horn::cells;
use crate::horn::{HornVerdict, NewSolver};
use crate::portfolio::race::{self, Answer, Contradiction, Member, Report};
use crate::search::data::{regular, resolution, sizes};
use crate::search::{bmc, duality, pdr, templates, tpa};
use crate::verdict::Reason;
use craig_base::{Budget, Stats, Stopwatch};
use craig_certificate::{HornRejection, check_derivation, check_model};
use craig_chc::{
    BackError, Derivation, Hints, Interpretation, Simplified, System, WitnessError, consistent, has_data,
};
use craig_smt::Solver;
use craig_term::Terms;

/// An engine for Horn clauses with its switches.
#[derive(Clone, Debug)]
pub enum HornEngine {
    Pdr(pdr::Options),
    Duality(duality::Options),
    Bmc(bmc::Options),
    Cells,
    /// Guessed bounds and comparisons.
    Houdini,
    /// Powers of the transition relation.
    Tpa,
    /// Derivations over data types.
    Resolution,
    /// Models that are finite automata over constructors.
    Regular,
    /// Models in terms of the sizes of data.
    Sizes,
}

impl HornEngine {
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
            HornEngine::Cells => cells::solve(terms, system, &Hints::default(), new_solver, budget, stats),
            HornEngine::Houdini => templates::solve(terms, system, new_solver, budget, stats),
            HornEngine::Tpa => tpa::solve(terms, system, new_solver, budget, stats),
            HornEngine::Resolution => resolution::solve(terms, system, new_solver, budget, stats),
            HornEngine::Regular => regular::solve(terms, system, budget, stats),
            HornEngine::Sizes => sizes::solve(terms, system, new_solver, budget, stats),
        }
    }

    /// Whether the engine is one for data types. Others must not be asked about them.
    fn knows_data(&self) -> bool {
        matches!(self, HornEngine::Resolution | HornEngine::Regular | HornEngine::Sizes)
    }

    /// Whether the engine wants clauses as they were read, and simplifies them by itself if at all.
    fn reads_originals(&self) -> bool {
        self.knows_data() || matches!(self, HornEngine::Cells)
    }
}

/// An answer that the checkers accepted, with the terms that it consists of.
#[derive(Debug)]
pub enum HornAnswer {
    Sat(Box<Terms>, Interpretation),
    Unsat(Box<Terms>, Derivation),
    Unknown(Reason),
}

impl Answer for HornAnswer {
    fn word(&self) -> Result<&'static str, &Reason> {
        match self {
            HornAnswer::Sat(..) => Ok("sat"),
            HornAnswer::Unsat(..) => Ok("unsat"),
            HornAnswer::Unknown(reason) => Err(reason),
        }
    }

    fn unknown(reason: Reason) -> Self {
        HornAnswer::Unknown(reason)
    }
}

/// Makes solvers, from any thread.
pub type SolverFactory<'a> = &'a (dyn Fn() -> Box<dyn Solver> + Sync);

/// Runs the members on `workers` threads.
pub fn run(
    terms: &Terms,
    system: &System,
    simplified: &Simplified,
    members: &[Member<HornEngine>],
    workers: usize,
    new_solver: SolverFactory<'_>,
    budget: &Budget,
) -> Result<Report<HornAnswer>, Contradiction> {
    let alone = members.len() == 1;
    let data = has_data(terms, system);
    let is_useful = |member: &&Member<HornEngine>| {
        let applies = match member.engine {
            HornEngine::Cells => cells::applies(terms, &simplified.system),
            HornEngine::Tpa => tpa::applies(terms, &simplified.system),
            _ => true,
        };
        alone || applies && member.engine.knows_data() == data
    };
    let members: Vec<Member<HornEngine>> = members.iter().filter(is_useful).cloned().collect();
    race::race(&members, workers, budget, |engine, budget, stats| {
        if data && !engine.knows_data() {
            return HornAnswer::Unknown(Reason::Data("this engine knows no data types"));
        }
        let mut terms = Box::new(terms.clone());
        // Neither quantifiers nor folds have a way back through simplification.
        let simplified = (!engine.reads_originals()).then_some(simplified);
        let searched = simplified.map_or(system, |simplified| &simplified.system);
        let found = engine.search(&mut terms, searched, new_solver, budget, stats);
        let watch = Stopwatch::start();
        let accepted = accept(&mut terms, system, simplified, found, budget);
        stats.add_time("time in certification", watch.elapsed());
        match accepted {
            Ok(Accepted::Sat(model)) => HornAnswer::Sat(terms, model),
            Ok(Accepted::Unsat(derivation)) => HornAnswer::Unsat(terms, derivation),
            Err(reason) => HornAnswer::Unknown(reason),
        }
    })
}

enum Accepted {
    Sat(Interpretation),
    Unsat(Derivation),
}

/// The answer in terms of the original clauses, if it is right.
fn accept(
    terms: &mut Terms,
    system: &System,
    simplified: Option<&Simplified>,
    found: HornVerdict,
    budget: &Budget,
) -> Result<Accepted, Reason> {
    let no_way_back = |error: BackError| match error {
        BackError::Unknown(reason) => Reason::from(reason),
        BackError::Wrong(what) => Reason::internal(what),
    };
    match found {
        HornVerdict::Unknown(reason) => Err(reason),
        HornVerdict::Sat(model) => {
            let model = match simplified {
                Some(simplified) => simplified.model(terms, system, model, budget).map_err(no_way_back)?,
                None => model,
            };
            match check_model(terms, system, &model, budget) {
                Ok(()) if !system.axioms.is_empty() && !consistent(terms, &system.axioms, budget) => {
                    Err(Reason::Axioms)
                }
                Ok(()) => Ok(Accepted::Sat(model)),
                Err(HornRejection::Stopped(reason)) => Err(reason.into()),
                Err(HornRejection::Undecided(_, reason)) => Err(reason.into()),
                Err(rejection) => Err(Reason::Rejected(rejection.to_string())),
            }
        }
        HornVerdict::Unsat(derivation) => {
            let mut derivation = match simplified {
                Some(simplified) => {
                    simplified.derivation(terms, system, &derivation, budget).map_err(no_way_back)?
                }
                None => derivation,
            };
            if system.needs_functions(terms, &derivation) {
                return Err(Reason::Functions);
            }
            if !has_data(terms, system) {
                craig_chc::complete_derivation(terms, system, &mut derivation, budget).map_err(|error| {
                    match error {
                        WitnessError::Unknown(reason) => reason.into(),
                        WitnessError::NoInstance => {
                            Reason::internal("a step of the derivation is no instance of its clause")
                        }
                    }
                })?;
            }
            match check_derivation(terms, system, &derivation) {
                Ok(()) => Ok(Accepted::Unsat(derivation)),
                Err(rejection) => Err(Reason::Rejected(rejection.to_string())),
            }
        }
    }
}
