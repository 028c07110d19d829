//! Models of the simpler system as models of the original one.

use super::{BackError, Eliminated, Simplified};
use crate::system::{Clause, Interpretation, PredicateId, System};
use craig_base::Budget;
use craig_smt::interpolate::{self, Failure, Interpolation};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason, project};
use craig_term::{Model, Op, Substitution, TermId, Terms};

impl Simplified {
    /// Gives every eliminated predicate a formula, from the last one to the first.
    pub fn model(
        &self,
        terms: &mut Terms,
        original: &System,
        mut model: Interpretation,
        budget: &Budget,
    ) -> Result<Interpretation, BackError> {
        if let Some((before, located, simpler)) = self.located.as_deref() {
            let by_location = simpler.model(terms, &located.system, model, budget)?;
            model = located.model(terms, before, &by_location);
        }
        for eliminated in self.eliminated.iter().rev() {
            match eliminated {
                Eliminated::Empty(predicate) => model.formulas[*predicate] = Terms::FALSE,
                Eliminated::Unused(predicate) => model.formulas[*predicate] = Terms::TRUE,
                Eliminated::Constants(constants) => {
                    for &((predicate, position), value) in constants {
                        let parameter = original.predicates[predicate].parameters[position];
                        let same = terms.eq(parameter, value);
                        model.formulas[predicate] = terms.and2(model.formulas[predicate], same);
                    }
                }
                Eliminated::Inlined { predicate, defining, using } => {
                    let formula = restore(terms, original, &model, *predicate, defining, using, budget)?;
                    model.formulas[*predicate] = formula;
                }
            }
        }
        Ok(model)
    }
}

/// A formula between what derives a predicate and what its uses can bear.
fn restore(
    terms: &mut Terms,
    system: &System,
    model: &Interpretation,
    predicate: PredicateId,
    defining: &[Clause],
    using: &[Clause],
    budget: &Budget,
) -> Result<TermId, BackError> {
    let parameters = system.predicates[predicate].parameters.clone();
    let mut cases = Vec::new();
    for clause in defining {
        let mut parts = vec![clause.constraint];
        for atom in &clause.body {
            parts.push(model.apply(terms, system, atom));
        }
        if let Some(head) = &clause.head {
            for (&parameter, &arg) in parameters.iter().zip(&head.args) {
                parts.push(terms.eq(parameter, arg));
            }
        }
        cases.push(terms.and(&parts));
    }
    let derived = terms.or(&cases);
    if terms.free_consts(derived).iter().all(|x| parameters.contains(x)) {
        return Ok(derived);
    }
    let mut formulas = Vec::new();
    for clause in using {
        let mut parts = vec![clause.constraint];
        let mut renamed: Vec<(TermId, TermId)> = Vec::new();
        for atom in &clause.body {
            if atom.predicate == predicate {
                for (&parameter, &arg) in parameters.iter().zip(&atom.args) {
                    if matches!(terms.op(arg), Op::Const(_)) && renamed.iter().all(|&(x, _)| x != arg) {
                        renamed.push((arg, parameter));
                    } else {
                        parts.push(terms.eq(parameter, arg));
                    }
                }
            } else {
                parts.push(model.apply(terms, system, atom));
            }
        }
        if let Some(head) = &clause.head {
            let holds = model.apply(terms, system, head);
            parts.push(terms.not(holds));
        }
        let violation = terms.and(&parts);
        let violation = Substitution::from_pairs(renamed).apply(terms, violation);
        if terms.free_consts(violation).iter().all(|x| parameters.contains(x)) {
            // The weakest formula that the clause can bear; what derives the predicate implies it.
            formulas.push(terms.not(violation));
            continue;
        }
        match interpolate::binary(terms, derived, violation, &interpolate::Options::default(), budget) {
            Interpolation::Interpolants(formula) => formulas.push(formula),
            Interpolation::Sat(_) => {
                return Err(BackError::Wrong("an inlined predicate has no interpretation"));
            }
            Interpolation::Unknown(Failure::Solver(UnknownReason::Stopped(reason))) => {
                return Err(BackError::Unknown(UnknownReason::Stopped(reason)));
            }
            Interpolation::Unknown(_) => return exact(terms, derived, &parameters, budget),
        }
    }
    Ok(terms.and(&formulas))
}

/// `derived`, without all that is no parameter.
fn exact(
    terms: &mut Terms,
    derived: TermId,
    parameters: &[TermId],
    budget: &Budget,
) -> Result<TermId, BackError> {
    let local: Vec<TermId> =
        terms.free_consts(derived).into_iter().filter(|x| !parameters.contains(x)).collect();
    let mut solver = NativeSolver::default();
    let next_model = |terms: &mut Terms, formula: TermId| -> Result<Option<Model>, UnknownReason> {
        solver.assert(terms, formula);
        match solver.check(terms, &[], budget) {
            Answer::Sat => Ok(solver.model().cloned()),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(reason),
        }
    };
    project::eliminate(terms, derived, &local, next_model).map_err(|error| match error {
        project::EliminateError::Oracle(reason) => BackError::Unknown(reason),
        project::EliminateError::Project(_) => BackError::Wrong("a predicate could not be projected"),
    })
}
