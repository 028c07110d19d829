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

/// The minterms of the predicates that some state satisfies; `None` if there are more than `limit`.
pub fn boolean<S: Solver>(
    terms: &mut Terms,
    solver: &mut S,
    assumptions: &[TermId],
    predicates: &[TermId],
    limit: usize,
    queries: &mut u64,
    budget: &Budget,
) -> Result<Option<Vec<Vec<bool>>>, UnknownReason> {
    let mut minterms = Vec::new();
    let mut assumptions = assumptions.to_vec();
    while let Some(values) = state(terms, solver, &assumptions, predicates, queries, budget)? {
        if minterms.len() == limit {
            return Ok(None);
        }
        let seen = cube(terms, predicates, values.iter().map(|&value| Some(value)));
        assumptions.push(terms.not(seen));
        minterms.push(values);
    }
    Ok(Some(minterms))
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
