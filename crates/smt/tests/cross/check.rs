//! What has to hold for the answers to a script.

use super::generate::{Case, Event, Problem, Random, Theory};
use super::reference::Reference;
use super::{chance, interpolants, show};
use craig_base::Budget;
use craig_smt::native::Options;
use craig_smt::proof::{Refutation, check};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{TermId, Terms};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Time for one question; without an answer it does not count.
const LIMIT: Duration = Duration::from_secs(3);

#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub cases: u64,
    pub sat: u64,
    pub unsat: u64,
    /// Questions that this solver did not answer, because of the time or the theory.
    pub unknown: u64,
    pub unsupported: u64,
    pub asked_z3: u64,
    pub unknown_to_z3: u64,
    /// Contradictions that were tried on chosen values.
    pub tried: u64,
    pub proofs: u64,
    pub sequences: u64,
    pub trees: u64,
    pub state_transitions: u64,
    pub dags: u64,
    pub restricted_dags: u64,
    pub paths: u64,
    /// Contradictory parts without interpolants.
    pub no_interpolant: u64,
    /// Implications of interpolants that Z3 was asked about.
    pub confirmed_by_z3: u64,
    /// Implications of cores and interpolants that this solver could not decide.
    pub unconfirmed: u64,
    /// Sizes of interpolants, all added up, before and after generalisation.
    pub sizes: (u64, u64),
    /// The case that took longest.
    pub slowest: (Duration, u64),
}

pub struct Checker<'a> {
    pub theory: Theory,
    pub reference: Option<&'a mut Reference>,
    /// Whether Z3 is asked about this case.
    pub asks: bool,
    pub tally: Tally,
    pub random: Random,
}

impl<'a> Checker<'a> {
    pub fn new(theory: Theory, reference: Option<&'a mut Reference>) -> Self {
        Checker { theory, reference, asks: true, tally: Tally::default(), random: Random::new(0) }
    }

    /// What does not hold for this case. A panic is a failure like another.
    pub fn check(&mut self, terms: &mut Terms, case: &Case) -> Result<(), String> {
        self.random = Random::new(case.seed);
        let result = catch_unwind(AssertUnwindSafe(|| match &case.problem {
            Problem::Script(events) => self.script(terms, events),
            Problem::Parts { parts, parents } => interpolants::parts(self, terms, parts, parents),
            Problem::Graph { dag, restrictions } => interpolants::graph(self, terms, dag, restrictions),
        }));
        result.unwrap_or_else(|_| Err("a panic".to_string()))
    }

    pub fn budget(&self) -> Budget {
        Budget::unlimited().with_timeout(LIMIT)
    }

    /// Counts an answer, and compares it with that of Z3.
    pub fn count(&mut self, answer: &Answer, expected: Option<bool>) -> Result<(), String> {
        match answer {
            Answer::Sat => self.tally.sat += 1,
            Answer::Unsat => self.tally.unsat += 1,
            Answer::Unknown(UnknownReason::Unsupported(_)) => self.tally.unsupported += 1,
            Answer::Unknown(_) => self.tally.unknown += 1,
        }
        if self.asks && self.reference.is_some() && expected.is_none() {
            self.tally.unknown_to_z3 += 1;
        }
        match (answer, expected) {
            (Answer::Sat, Some(false)) => Err("sat, but Z3 says unsat".to_string()),
            (Answer::Unsat, Some(true)) => Err("unsat, but Z3 says sat".to_string()),
            _ => Ok(()),
        }
    }

    fn script(&mut self, terms: &mut Terms, events: &[Event]) -> Result<(), String> {
        let checks = events.iter().filter(|event| matches!(event, Event::Check(_))).count();
        let mut balance = 0;
        for event in events {
            match event {
                Event::Push => balance += 1,
                Event::Pop if balance == 0 => return Ok(()),
                Event::Pop => balance -= 1,
                _ => {}
            }
        }
        let expected = match &mut self.reference {
            Some(reference) if self.asks => {
                self.tally.asked_z3 += checks as u64;
                let case = Case { problem: Problem::Script(events.to_vec()), seed: 0 };
                let declared = show::declarations(terms, &show::formulas(&case));
                reference.ask(&(declared + &show::events(terms, events)), checks)?
            }
            _ => vec![None; checks],
        };
        let mut expected = expected.into_iter();
        let options = Options {
            proofs: !self.asks || self.random.one_in(2),
            preprocess: !self.random.one_in(4),
            ..Options::default()
        };
        let mut solver = NativeSolver::new(options);
        let mut asserted: Vec<Vec<TermId>> = vec![Vec::new()];
        for event in events {
            match event {
                Event::Push => {
                    asserted.push(Vec::new());
                    solver.push();
                }
                Event::Pop => {
                    asserted.pop();
                    solver.pop();
                }
                Event::Assert(t) => {
                    if let Some(level) = asserted.last_mut() {
                        level.push(*t);
                    }
                    solver.assert(terms, *t);
                }
                Event::Check(assumptions) => {
                    let answer = solver.check(terms, assumptions, &self.budget());
                    self.count(&answer, expected.next().flatten())?;
                    let all: Vec<TermId> = asserted.iter().flatten().copied().collect();
                    self.verify(terms, &solver, &answer, &all, assumptions)?;
                }
            }
        }
        Ok(())
    }

    /// Models satisfy, cores contradict, proofs check.
    fn verify(
        &mut self,
        terms: &mut Terms,
        solver: &NativeSolver,
        answer: &Answer,
        asserted: &[TermId],
        assumptions: &[TermId],
    ) -> Result<(), String> {
        match answer {
            Answer::Sat => {
                let model = solver.model().ok_or("no model")?;
                match asserted.iter().chain(assumptions).find(|t| terms.eval_bool(**t, model) != Ok(true)) {
                    None => Ok(()),
                    Some(&t) => Err(format!("the model violates {}", terms.to_smtlib(t))),
                }
            }
            Answer::Unsat => {
                let core = solver.core().to_vec();
                if core.iter().any(|t| !assumptions.contains(t)) {
                    return Err("the core has more than the assumptions".to_string());
                }
                let facts: Vec<TermId> = asserted.iter().copied().chain(core).collect();
                self.tally.tried += 1;
                if let Some(model) = chance::model(terms, &facts, &mut self.random) {
                    return Err(format!("unsat, but there is a model: {model}"));
                }
                self.contradictory(terms, &facts, "the core is satisfiable")?;
                if let Some(root) = solver.refutation() {
                    let refutation =
                        Refutation::extract(solver.proof(), root).map_err(|e| format!("{e:?}"))?;
                    check(terms, solver, &refutation).map_err(|e| e.to_string())?;
                    self.tally.proofs += 1;
                }
                Ok(())
            }
            Answer::Unknown(_) => Ok(()),
        }
    }

    /// Fails with the message if the facts have a model; of one in ten Z3 is asked as well.
    pub fn contradictory(
        &mut self,
        terms: &mut Terms,
        facts: &[TermId],
        message: &str,
    ) -> Result<(), String> {
        let mut solver = NativeSolver::default();
        for &fact in facts {
            solver.assert(terms, fact);
        }
        match solver.check(terms, &[], &self.budget()) {
            Answer::Sat => return Err(message.to_string()),
            Answer::Unsat => {}
            Answer::Unknown(_) => self.tally.unconfirmed += 1,
        }
        if self.asks
            && self.random.one_in(10)
            && let Some(reference) = &mut self.reference
        {
            self.tally.confirmed_by_z3 += 1;
            if reference.satisfiable(terms, facts)? == Some(true) {
                return Err(format!("{message}, says Z3"));
            }
        }
        Ok(())
    }
}
