//! Predicate abstraction (section 2.5) of the states that a solver knows: the strongest conjunction
//! of literals (Cartesian), or Boolean combination (Boolean), of given predicates.
//!
//! Every model that the solver returns decides many predicates at once, so most of the 2n questions
//! of the definition are never asked.

use craig_base::Budget;
use craig_smt::{Answer, Solver, UnknownReason};
use craig_term::{TermId, Terms};

/// For each predicate the value that it has in all states, if there is one; `None` if there are no
/// states. `queries` counts the questions.
pub fn cartesian<S: Solver>(
    terms: &mut Terms,
    solver: &mut S,
    assumptions: &[TermId],
    predicates: &[TermId],
    queries: &mut u64,
    budget: &Budget,
) -> Result<Option<Vec<Option<bool>>>, UnknownReason> {
    let Some(values) = state(terms, solver, assumptions, predicates, queries, budget)? else {
        return Ok(None);
    };
    // A predicate that is true in one state can only be implied positively.
    let mut candidates: Vec<Option<bool>> = values.into_iter().map(Some).collect();
    for i in 0..predicates.len() {
        let Some(positive) = candidates[i] else { continue };
        let violated = if positive { terms.not(predicates[i]) } else { predicates[i] };
        let mut assumptions = assumptions.to_vec();
        assumptions.push(violated);
        if let Some(values) = state(terms, solver, &assumptions, predicates, queries, budget)? {
            for (candidate, value) in candidates.iter_mut().zip(values) {
                if *candidate != Some(value) {
                    *candidate = None;
                }
            }
        }
    }
    Ok(Some(candidates))
}

/// The strongest Boolean combination of the predicates that all states satisfy, written with `names` for
/// the predicates; false if there are no states. It is built as a decision diagram, in the order of the
/// predicates: a branch is cut off where the solver finds no state, and what it needed for that cuts off
/// others without a question.
pub fn boolean<S: Solver>(
    terms: &mut Terms,
    solver: &mut S,
    assumptions: &[TermId],
    predicates: &[TermId],
    names: &[TermId],
    queries: &mut u64,
    budget: &Budget,
) -> Result<TermId, UnknownReason> {
    let mut enumeration = Enumeration { states: Vec::new(), cores: Vec::new(), asked: assumptions.to_vec() };
    // The branch that is looked at, with what was found where its predicates are true.
    let mut branch: Vec<(bool, Option<TermId>)> = Vec::new();
    loop {
        let mut found = if !enumeration.is_possible(terms, solver, predicates, &branch, queries, budget)? {
            Terms::FALSE
        } else if branch.len() < predicates.len() {
            branch.push((true, None));
            continue;
        } else {
            Terms::TRUE
        };
        // Back to the last predicate that was not looked at where it is false.
        loop {
            let Some((value, high)) = branch.pop() else { return Ok(found) };
            match high {
                None if value => {
                    branch.push((false, Some(found)));
                    break;
                }
                high => found = terms.ite(names[branch.len()], high.unwrap_or(Terms::FALSE), found),
            }
        }
    }
}

/// States beyond this number are not kept: to look for one among them takes longer than to ask.
const MAX_STATES: usize = 64;
const MAX_CORES: usize = 256;

struct Enumeration {
    /// The values of the predicates in states that were met lately.
    states: Vec<Vec<bool>>,
    /// Values that no state has together.
    cores: Vec<Vec<(usize, bool)>>,
    asked: Vec<TermId>,
}

impl Enumeration {
    /// Whether there is a state with the values of a branch.
    fn is_possible<S: Solver>(
        &mut self,
        terms: &mut Terms,
        solver: &mut S,
        predicates: &[TermId],
        branch: &[(bool, Option<TermId>)],
        queries: &mut u64,
        budget: &Budget,
    ) -> Result<bool, UnknownReason> {
        let agrees = |values: &[bool]| branch.iter().zip(values).all(|((value, _), other)| value == other);
        if self.states.iter().rev().any(|values| agrees(values)) {
            return Ok(true);
        }
        let is_here = |&(at, value): &(usize, bool)| branch.get(at).is_some_and(|(other, _)| *other == value);
        if self.cores.iter().any(|core| core.iter().all(is_here)) {
            return Ok(false);
        }
        let before = self.asked.len();
        let literals: Vec<TermId> = predicates
            .iter()
            .zip(branch)
            .map(|(&predicate, &(value, _))| if value { predicate } else { terms.not(predicate) })
            .collect();
        self.asked.extend(&literals);
        let state = state(terms, solver, &self.asked, predicates, queries, budget);
        self.asked.truncate(before);
        let possible = match state? {
            Some(values) => {
                if self.states.len() == MAX_STATES {
                    self.states.remove(0);
                }
                self.states.push(values);
                true
            }
            None => {
                let needed = solver.core();
                let core = (0..literals.len())
                    .filter(|&at| needed.contains(&literals[at]))
                    .map(|at| (at, branch[at].0))
                    .collect();
                if self.cores.len() < MAX_CORES {
                    self.cores.push(core);
                }
                false
            }
        };
        Ok(possible)
    }
}

/// The conjunction of the predicates with the given values.
pub fn cube(terms: &mut Terms, predicates: &[TermId], values: impl Iterator<Item = Option<bool>>) -> TermId {
    let mut literals = Vec::new();
    for (&predicate, value) in predicates.iter().zip(values) {
        match value {
            Some(true) => literals.push(predicate),
            Some(false) => literals.push(terms.not(predicate)),
            None => {}
        }
    }
    terms.and(&literals)
}

/// The values of the predicates in some state, under the assumptions.
fn state<S: Solver>(
    terms: &mut Terms,
    solver: &mut S,
    assumptions: &[TermId],
    predicates: &[TermId],
    queries: &mut u64,
    budget: &Budget,
) -> Result<Option<Vec<bool>>, UnknownReason> {
    *queries += 1;
    match solver.check(terms, assumptions, budget) {
        Answer::Unsat => Ok(None),
        Answer::Unknown(reason) => Err(reason),
        Answer::Sat => {
            let model = solver.model();
            let value = |&predicate: &TermId| {
                model.is_some_and(|model| terms.eval_bool(predicate, model).unwrap_or(false))
            };
            Ok(Some(predicates.iter().map(value).collect()))
        }
    }
}
