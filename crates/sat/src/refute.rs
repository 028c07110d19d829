//! Clauses as text has them, and their refutation.

use crate::literal::Lit;
use crate::proof::Proof;
use crate::solver::{Outcome, Solver};
use craig_base::{Budget, StopReason};

/// The refutation of clauses in the notation of DIMACS, cut down to what it needs, with at most `limit` words on the
/// way there. None if they have a model.
pub fn refute(
    variables: usize,
    clauses: &[Vec<i32>],
    limit: usize,
    budget: &Budget,
) -> Result<Option<Proof>, StopReason> {
    let lits = |clause: &Vec<i32>| clause.iter().map(|&number| Lit::from_dimacs(number)).collect();
    let clauses: Vec<Vec<Lit>> = clauses.iter().map(lits).collect();
    let mut solver = Solver::with_proof(variables as u32, &clauses, limit);
    match solver.solve(&[], budget) {
        Outcome::Sat => Ok(None),
        Outcome::Unsat => Ok(solver.proof().map(Proof::trimmed)),
        Outcome::Stopped(reason) => Err(reason),
    }
}
