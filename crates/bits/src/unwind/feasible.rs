//! Whether a run comes to the head of a loop again. Where constants do not tell, a solver is asked, with little patience: what it
//! excludes needs no copies of the loop, nor of what follows, and loops end where their runs do, not at a common bound.

use crate::{Bit, Circuit, Clauses};
use craig_base::Budget;
use craig_sat::{Outcome, Solver};

/// For one question.
const MOST_CONFLICTS: u64 = 1_000;
/// The gates of all questions together: each has to give all of them values.
const MOST_WORK: usize = 12_000_000;

#[derive(Debug, Default)]
pub(super) struct Feasible {
    solver: Solver,
    clauses: Clauses,
    /// How many of the constraints, facts and escapes the solver knows.
    constraints: usize,
    facts: usize,
    escapes: usize,
    work: usize,
}

impl Feasible {
    /// Whether no run has this guard, for sure: none that satisfies the constraints and has not escaped.
    pub fn is_never(
        &mut self,
        circuit: &Circuit,
        constraints: &[Bit],
        escapes: &[Bit],
        guard: Bit,
        budget: &Budget,
    ) -> bool {
        self.work += circuit.len();
        if self.work > MOST_WORK {
            return false;
        }
        let (solver, clauses) = (&mut self.solver, &mut self.clauses);
        for &constraint in constraints[self.constraints..].iter().chain(&circuit.facts()[self.facts..]) {
            clauses.demand(circuit, solver, constraint);
        }
        for &escape in &escapes[self.escapes..] {
            clauses.demand(circuit, solver, !escape);
        }
        (self.constraints, self.facts, self.escapes) =
            (constraints.len(), circuit.facts().len(), escapes.len());
        let here = clauses.literal(circuit, solver, guard);
        solver.limit_conflicts(Some(MOST_CONFLICTS));
        solver.solve(&[here], budget) == Outcome::Unsat
    }
}
