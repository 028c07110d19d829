//! Checkers for the two answers to a system of Horn clauses.
//!
//! A model is accepted if every clause is valid in it: one solver query each, with the solver's
//! proof checked. A derivation is accepted if each step is an instance of its clause: that is plain
//! evaluation, no solver takes part.

use crate::data::{Explained, Meaning};
use crate::quantifiers::Quantifiers;
use crate::refute::{Judge, MAX_QUESTIONS, Refuted, of_products};
use craig_base::{Set, StopReason};
use craig_chc::{ClauseId, Derivation, Interpretation, StepId, System};
use craig_smt::native::Options;
use craig_smt::proof::Refutation;
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason, Unsupported, proof};
use craig_term::{Model, TermId, Terms, Value};
use std::fmt;

/// Why an answer is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornRejection {
    /// The clause does not hold in the model.
    Clause(Place),
    /// The solver could not decide whether the clause holds.
    Undecided(Place, UnknownReason),
    /// The solver's proof that the clause holds is wrong: a bug of the solver.
    Proof(Place),
    /// A function by recursion is not defined as one.
    Fold,
    /// The step is not an instance of its clause.
    Step(StepId),
    /// The derivation does not end in `false`.
    NoGoal,
    Stopped(StopReason),
}

/// What has to hold in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Clause(ClauseId),
    /// What it says about all data, by its number.
    Fact(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Clause(clause) => write!(f, "clause {}", clause.0),
            Place::Fact(number) => write!(f, "fact {number}"),
        }
    }
}

impl fmt::Display for HornRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HornRejection::Clause(clause) => write!(f, "{clause} does not hold in the model"),
            HornRejection::Undecided(clause, reason) => {
                write!(f, "it is undecided whether {clause} holds in the model: {reason}")
            }
            HornRejection::Proof(clause) => write!(f, "the proof of {clause} is wrong"),
            HornRejection::Fold => f.write_str("a function of the model is not defined by recursion"),
            HornRejection::Step(step) => {
                write!(f, "step {} of the derivation is not an instance of its clause", step.0)
            }
            HornRejection::NoGoal => f.write_str("the derivation does not end in false"),
            HornRejection::Stopped(reason) => reason.fmt(f),
        }
    }
}

/// Accepts an interpretation that makes every clause of the system valid.
pub fn check_model<'a>(
    terms: &mut Terms,
    system: &System,
    model: &Interpretation,
    judge: impl Into<Judge<'a>>,
) -> Result<(), HornRejection> {
    let judge = judge.into();
    let meaning = Meaning::new(terms, &model.folds).ok_or(HornRejection::Fold)?;
    if system.clauses.iter().any(|clause| meaning.defines_part_of(terms, &clause.roots())) {
        return Err(HornRejection::Fold);
    }
    for (fact, violation) in meaning.violations(terms) {
        judge.budget.check().map_err(HornRejection::Stopped)?;
        check_clause(terms, Place::Fact(fact), &violation, judge)?;
    }
    for (id, clause) in system.clauses.enumerated() {
        judge.budget.check().map_err(HornRejection::Stopped)?;
        for violation in model.violations(terms, system, clause) {
            let violation = meaning.explain(terms, violation);
            check_clause(terms, Place::Clause(id), &violation, judge)?;
        }
    }
    Ok(())
}

/// Accepts a clause whose violation is refuted, with a checked proof. Quantifiers are instantiated as often as models
/// ask for it; a model that no instance excludes leaves the clause undecided. Of products to which models give wrong values,
/// facts are added.
fn check_clause(
    terms: &mut Terms,
    id: Place,
    violation: &Explained,
    judge: Judge<'_>,
) -> Result<(), HornRejection> {
    let Explained { formula: violation, laws } = violation;
    let mut quantifiers = Quantifiers::default();
    let mut formulas = vec![quantifiers.remove(terms, *violation)];
    formulas.extend(laws);
    formulas.extend(quantifiers.differences(terms, &formulas));
    let mut lemmas = laws.clone();
    let mut corrections = 0..MAX_QUESTIONS;
    loop {
        let mut solver = NativeSolver::new(Options {
            proofs: true,
            preprocess: false,
            products: false,
            ..Options::default()
        });
        for &formula in &formulas {
            solver.assert(terms, formula);
        }
        match solver.check(terms, &[], judge.budget) {
            Answer::Sat => {
                let model = solver.model().cloned().unwrap_or_default();
                let instances = quantifiers.violated(terms, &formulas, &model);
                if instances.is_empty() {
                    return Err(if formulas == [*violation] {
                        HornRejection::Clause(id)
                    } else {
                        HornRejection::Undecided(id, UnknownReason::Unsupported(Unsupported::Quantifier))
                    });
                }
                formulas.extend(instances);
            }
            Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(HornRejection::Stopped(reason)),
            Answer::Unknown(reason) => {
                let known: Set<TermId> = formulas.iter().copied().collect();
                let facts = match solver.candidate() {
                    Some(model) if corrections.next().is_some() => {
                        of_products(terms, &formulas, model, &known)
                    }
                    _ => Vec::new(),
                };
                if facts.is_empty() {
                    return Err(HornRejection::Undecided(id, reason));
                }
                lemmas.extend_from_slice(&facts);
                formulas.extend(facts);
            }
            Answer::Unsat => {
                let refutation =
                    solver.refutation().and_then(|root| Refutation::extract(solver.proof(), root).ok());
                if refutation.is_none_or(|refutation| {
                    proof::check_against(terms, &solver, &formulas, &refutation).is_err()
                }) {
                    return Err(HornRejection::Proof(id));
                }
                let otherwise = &HornRejection::Clause(id);
                judge.tell(terms, Refuted { formulas: &[*violation], lemmas: &lemmas, otherwise });
                return Ok(());
            }
        }
    }
}

/// Accepts a derivation of `false` in which every step is an instance of its clause.
pub fn check_derivation(
    terms: &Terms,
    system: &System,
    derivation: &Derivation,
) -> Result<(), HornRejection> {
    for (id, step) in derivation.steps.enumerated() {
        if !is_instance(terms, system, derivation, id) || step.premises.iter().any(|&premise| premise >= id) {
            return Err(HornRejection::Step(id));
        }
    }
    match derivation.steps.iter().last().and_then(|step| system.clauses.get(step.clause)) {
        Some(clause) if clause.head.is_none() => Ok(()),
        _ => Err(HornRejection::NoGoal),
    }
}

fn is_instance(terms: &Terms, system: &System, derivation: &Derivation, id: StepId) -> bool {
    let step = &derivation.steps[id];
    let Some(clause) = system.clauses.get(step.clause) else { return false };
    // Terms that are no elements could be equal although they look different.
    let values = step.witness.iter().map(|(_, value)| value).chain(&step.values);
    if values.into_iter().any(|value| matches!(value, Value::Data(t) if !terms.is_element(*t))) {
        return false;
    }
    let mut witness = Model::new();
    for (variable, value) in &step.witness {
        witness.set(*variable, value.clone());
    }
    let equal = |args: &[TermId], values: &[Value]| {
        args.len() == values.len()
            && args.iter().zip(values).all(|(&arg, value)| terms.eval(arg, &witness).as_ref() == Ok(value))
    };
    let premises_fit = step.premises.len() == clause.body.len()
        && step.premises.iter().zip(&clause.body).all(|(&premise, application)| {
            derivation.steps.get(premise).is_some_and(|earlier| {
                let concluded = system.clauses.get(earlier.clause).and_then(|clause| clause.head.as_ref());
                concluded.is_some_and(|head| head.predicate == application.predicate)
                    && equal(&application.args, &earlier.values)
            })
        });
    let head_fits = match &clause.head {
        Some(head) => equal(&head.args, &step.values),
        None => step.values.is_empty(),
    };
    premises_fit && head_fits && terms.eval_bool(clause.constraint, &witness) == Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_base::{Budget, IndexVec};
    use craig_chc::read_system;

    #[test]
    fn products_in_clauses_are_no_obstacle() {
        let text = "(declare-fun p (Int Int Int) Bool)
            (assert (forall ((c Int) (x Int) (y Int)) (=> (and (= c 0) (= y (* c x))) (p c x y))))
            (assert (forall ((c Int) (x Int) (y Int) (z Int))
                (=> (and (p c x y) (= z (+ x (* c y))) (> z x)) false)))";
        let mut terms = Terms::new();
        let system = read_system(&mut terms, text.as_bytes()).expect("clauses");
        let &[c, _, y] = &system.predicates.iter().next().expect("p").parameters[..] else {
            unreachable!("three parameters")
        };
        let zero = terms.int(0);
        let (no_factor, no_product) = (terms.eq(c, zero), terms.eq(y, zero));
        let right = terms.and2(no_factor, no_product);
        for (formula, is_right) in
            [(right, true), (no_product, true), (no_factor, true), (Terms::TRUE, false)]
        {
            let model = Interpretation::new(IndexVec::from_elem(formula, 1));
            let judgement = check_model(&mut terms, &system, &model, &Budget::unlimited());
            assert_eq!(judgement.is_ok(), is_right, "{judgement:?}");
        }
    }
}
