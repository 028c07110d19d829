//! Values for the variables of the clauses that a derivation uses.

use crate::system::{Derivation, System};
use craig_base::Budget;
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{TermId, Terms, Value};

/// Why a derivation could not be completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessError {
    /// A step is no instance of its clause.
    NoInstance,
    Unknown(UnknownReason),
}

/// Finds, for every step, values of the clause's variables that make it an instance.
pub fn complete_derivation(
    terms: &mut Terms,
    system: &System,
    derivation: &mut Derivation,
    budget: &Budget,
) -> Result<(), WitnessError> {
    for id in derivation.steps.indices() {
        let step = &derivation.steps[id];
        let clause = &system.clauses[step.clause];
        let mut parts = vec![clause.constraint];
        if let Some(head) = &clause.head {
            equate(terms, &head.args, &step.values, &mut parts);
        }
        for (application, &premise) in clause.body.iter().zip(&step.premises) {
            equate(terms, &application.args, &derivation.steps[premise].values, &mut parts);
        }
        let instance = terms.and(&parts);
        let mut solver = NativeSolver::default();
        solver.assert(terms, instance);
        match solver.check(terms, &[], budget) {
            Answer::Unsat => return Err(WitnessError::NoInstance),
            Answer::Unknown(reason) => return Err(WitnessError::Unknown(reason)),
            Answer::Sat => {}
        }
        let model = solver.model().cloned().unwrap_or_default();
        let mut witness = Vec::new();
        for variable in clause.variables(terms) {
            let value = terms.eval(variable, &model).map_err(|_| WitnessError::NoInstance)?;
            witness.push((variable, value));
        }
        derivation.steps[id].witness = witness;
    }
    Ok(())
}

fn equate(terms: &mut Terms, args: &[TermId], values: &[Value], parts: &mut Vec<TermId>) {
    for (&arg, value) in args.iter().zip(values) {
        if let Some(value) = terms.value_term(value, terms.sort(arg)) {
            parts.push(terms.eq(arg, value));
        }
    }
}
