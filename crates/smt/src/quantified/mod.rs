//! Quantified formulas: witnesses, instances that a model asks for, and models in which all of them hold.
//!
//! After Y. Ge and L. de Moura, *Complete instantiation for quantified formulas in satisfiability modulo theories* (CAV
//! 2009), and the matching of D. Detlefs, G. Nelson and J. Saxe, *Simplify* (2005).
//!
//! | step | what |
//! |---|---|
//! | `ground` | each quantified formula becomes a Boolean constant; where it must be false, a witness says why |
//! | `matching` | instances whose function applications and reads occur among the ground terms, by value |
//! | `model` | whether all other instances hold in the model as well: what the model says is put into the body, and the solver looks for a counterexample, which is one more instance |
//!
//! `Unsat` rests on instances alone: a refutation of ground formulas that is found again with a proof, and checked.
//! `Sat` rests on a model in which the body of each formula was shown to hold for all values; so both are right in
//! whatever fragment the formulas are. Which of them is found depends on it: where bound constants are only arguments of
//! functions, indices of arrays, and compared with each other and with ground terms, instances soon repeat.
//!
//! This is not what checks proofs with quantifiers: `craig_certificate` instantiates by code of its own.

mod ground;
mod matching;
mod model;
#[cfg(test)]
mod tests;

use crate::native::{NativeSolver, Options};
use crate::proof::{Leaf, Refutation, StepKind, check_against};
use crate::solver::{Answer, Solver, UnknownReason, Unsupported};
use craig_base::{Budget, OrderedSet};
use craig_term::{Model, Op, Substitution, TermId, Terms};
use ground::Ground;
use model::Counterexample;

/// How often instances are added.
const MOST_ROUNDS: usize = 200;
/// How many instances there are in the end.
const MOST_INSTANCES: usize = 20_000;

/// What is known of quantified formulas.
pub(crate) struct Outcome {
    pub answer: Answer,
    /// After `Sat`.
    pub model: Option<Model>,
    /// After `Unsat`: the formulas, by number, that have no model together.
    pub needed: Vec<usize>,
}

impl Outcome {
    fn unknown(reason: UnknownReason) -> Outcome {
        Outcome { answer: Answer::Unknown(reason), model: None, needed: Vec::new() }
    }
}

/// Whether some quantifier occurs.
pub(crate) fn is_quantified(terms: &Terms, formulas: &[TermId]) -> bool {
    let is_quantifier = |t: &TermId| matches!(terms.op(*t), Op::Forall | Op::Exists);
    let inside = terms.postorder_skipping(formulas, |t| is_quantifier(&t));
    formulas.iter().any(is_quantifier) || inside.iter().any(|&t| terms.args(t).iter().any(is_quantifier))
}

/// Whether formulas have a model.
pub(crate) fn check(terms: &mut Terms, formulas: &[TermId], budget: &Budget) -> Outcome {
    let mut ground = Ground::default();
    for &formula in formulas {
        ground.add(formula);
    }
    let mut solver = NativeSolver::default();
    let mut told = 0;
    let mut instances: OrderedSet<(usize, Vec<TermId>)> = OrderedSet::default();
    for _ in 0..MOST_ROUNDS {
        ground.settle(terms);
        for &fact in &ground.facts[told..] {
            solver.assert(terms, fact);
        }
        told = ground.facts.len();
        match solver.check(terms, &[], budget) {
            Answer::Sat => {}
            Answer::Unsat => return refuted(terms, &ground.facts, formulas.len(), budget),
            Answer::Unknown(reason) => return Outcome::unknown(reason),
        }
        let Some(found) = solver.model().cloned() else { break };
        let before = instances.len();
        for (quantifier, chosen) in matching::violated(terms, &ground, &found) {
            instances.insert((quantifier, chosen));
        }
        if instances.len() == before {
            match holds(terms, &ground, &found, budget, &mut instances) {
                Ok(Some(model)) => {
                    return Outcome { answer: Answer::Sat, model: Some(model), needed: Vec::new() };
                }
                Ok(None) => {}
                Err(reason) => return Outcome::unknown(reason),
            }
        }
        if instances.len() == before || instances.len() > MOST_INSTANCES {
            break;
        }
        for at in before..instances.len() {
            let (quantifier, chosen) = instances[at].clone();
            let (guard, body) = {
                let quantifier = &ground.quantifiers[quantifier];
                let pairs = quantifier.bound.iter().copied().zip(chosen);
                (quantifier.guard, Substitution::from_pairs(pairs).apply(terms, quantifier.body))
            };
            let instance = terms.implies(guard, body);
            ground.add(instance);
        }
    }
    Outcome::unknown(UnknownReason::Unsupported(Unsupported::Quantifier))
}

/// The model in which all quantified formulas hold that should, if it is one of those that agree with what was found
/// on the ground terms. Counterexamples become instances.
fn holds(
    terms: &mut Terms,
    ground: &Ground,
    found: &Model,
    budget: &Budget,
    instances: &mut OrderedSet<(usize, Vec<TermId>)>,
) -> Result<Option<Model>, UnknownReason> {
    let mut undecided = None;
    for model in model::variants(terms, ground, found) {
        let before = instances.len();
        let mut all_hold = true;
        for (at, quantifier) in ground.quantifiers.iter().enumerate() {
            if terms.eval_bool(quantifier.guard, &model) != Ok(true) {
                continue;
            }
            match model::counterexample(terms, quantifier, ground, &model, budget) {
                Ok(None) => {}
                Ok(Some(Counterexample(chosen))) => {
                    all_hold = false;
                    instances.insert((at, chosen));
                }
                Err(reason) => {
                    all_hold = false;
                    undecided = Some(reason);
                }
            }
        }
        if all_hold {
            return Ok(Some(model));
        }
        if instances.len() > before {
            return Ok(None);
        }
    }
    match undecided {
        Some(reason) => Err(reason),
        None => Ok(None),
    }
}

/// A contradiction counts if it is found with a proof, and the proof is right.
fn refuted(terms: &mut Terms, facts: &[TermId], formulas: usize, budget: &Budget) -> Outcome {
    let options = Options { proofs: true, preprocess: false, products: false, ..Options::default() };
    let mut solver = NativeSolver::new(options);
    for (part, &fact) in facts.iter().enumerate() {
        solver.assert_in_part(terms, fact, part as u32);
    }
    match solver.check(terms, &[], budget) {
        Answer::Unsat => {}
        Answer::Sat => return Outcome::unknown(UnknownReason::Unsupported(Unsupported::Quantifier)),
        Answer::Unknown(reason) => return Outcome::unknown(reason),
    }
    let refutation = solver.refutation().and_then(|root| Refutation::extract(solver.proof(), root).ok());
    let checked = refutation.filter(|found| check_against(terms, &solver, facts, found).is_ok());
    let Some(refutation) = checked else {
        return Outcome::unknown(UnknownReason::Unsupported(Unsupported::Quantifier));
    };
    let mut needed: Vec<usize> = Vec::new();
    for step in &refutation.steps {
        if let StepKind::Leaf(Leaf::Input { part }) = step.kind
            && (part as usize) < formulas
            && !needed.contains(&(part as usize))
        {
            needed.push(part as usize);
        }
    }
    Outcome { answer: Answer::Unsat, model: None, needed }
}
