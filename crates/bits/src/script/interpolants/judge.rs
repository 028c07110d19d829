//! Whether a bit separates two sides: two questions to solvers that know one side each.

use crate::{Bit, Circuit, Clauses};
use craig_base::Budget;
use craig_sat::{Outcome, Solver};

/// Conflicts that all questions together may need, and a single one.
const MOST_CONFLICTS: u64 = 40_000;
const MOST_AT_ONCE: u64 = 4_000;

struct Oracle {
    solver: Solver,
    clauses: Clauses,
}

pub(super) struct Judge {
    oracles: [Oracle; 2],
    left: u64,
}

pub(super) enum Judgement {
    /// It follows from the first side, and contradicts the second.
    Separates,
    /// What all gates are in a case of this side that speaks against it.
    Against(usize, Vec<bool>),
    GivenUp,
}

impl Judge {
    pub fn new(circuit: &Circuit, sides: [&[Bit]; 2]) -> Self {
        let oracles = sides.map(|bits| {
            let mut oracle = Oracle { solver: Solver::new(), clauses: Clauses::default() };
            for &bit in bits {
                let lit = oracle.clauses.literal(circuit, &mut oracle.solver, bit);
                oracle.solver.add_clause(&[lit]);
            }
            oracle
        });
        Judge { oracles, left: MOST_CONFLICTS }
    }

    /// Without limits on the conflicts.
    pub fn finally(circuit: &Circuit, sides: [&[Bit]; 2], bit: Bit, budget: &Budget) -> Judgement {
        let mut judge = Judge::new(circuit, sides);
        judge.left = u64::MAX;
        judge.judge(circuit, bit, budget)
    }

    pub fn judge(&mut self, circuit: &Circuit, bit: Bit, budget: &Budget) -> Judgement {
        for (side, asked) in [!bit, bit].into_iter().enumerate() {
            let Oracle { solver, clauses } = &mut self.oracles[side];
            let lit = clauses.literal(circuit, solver, asked);
            let before = solver.conflicts();
            solver.limit_conflicts((self.left < u64::MAX).then_some(self.left.min(MOST_AT_ONCE)));
            let outcome = solver.solve(&[lit], budget);
            if self.left < u64::MAX {
                self.left = self.left.saturating_sub(solver.conflicts() - before);
            }
            match outcome {
                Outcome::Unsat => {}
                Outcome::Stopped(_) => return Judgement::GivenUp,
                Outcome::Sat => {
                    let value = |input| clauses.known(input).is_some_and(|lit| solver.model(lit));
                    return Judgement::Against(side, circuit.evaluate(value));
                }
            }
        }
        Judgement::Separates
    }
}
