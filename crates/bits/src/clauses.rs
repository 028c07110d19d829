//! Gates as clauses (Tseitin), those that matter and no others.

use crate::circuit::{Bit, Circuit, Gate};
use craig_sat::{Lit, Solver, Var};

/// Longer disjunctions share their gates with others.
const LONGEST_CLAUSE: usize = 8;

/// What takes clauses.
pub trait Sink {
    fn new_var(&mut self) -> Var;
    fn add_clause(&mut self, lits: &[Lit]);
}

impl Sink for Solver {
    fn new_var(&mut self) -> Var {
        Solver::new_var(self)
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        Solver::add_clause(self, lits);
    }
}

/// Which gates a solver knows.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    lits: Vec<Option<Lit>>,
}

impl Clauses {
    /// The literal of a bit; its gates become clauses of the solver where they are not yet.
    pub fn literal(&mut self, circuit: &Circuit, solver: &mut impl Sink, bit: Bit) -> Lit {
        self.lits.resize(circuit.len().max(self.lits.len()), None);
        let mut stack = vec![bit.gate()];
        while let Some(&index) = stack.last() {
            if self.lits[index].is_some() {
                stack.pop();
                continue;
            }
            let pending: Vec<usize> = (circuit.gate(index).operands())
                .map(Bit::gate)
                .filter(|&operand| self.lits[operand].is_none())
                .collect();
            if !pending.is_empty() {
                stack.extend(pending);
                continue;
            }
            stack.pop();
            let output = solver.new_var().positive();
            self.lits[index] = Some(output);
            self.define(circuit.gate(index), output, solver);
        }
        self.known(bit).expect("just made")
    }

    /// Demands that a bit holds; a short disjunction becomes one clause, without gates of its own.
    pub fn demand(&mut self, circuit: &Circuit, solver: &mut impl Sink, bit: Bit) {
        let mut parts = vec![!bit];
        let mut open = 0;
        while open < parts.len() && parts.len() <= LONGEST_CLAUSE {
            match circuit.as_and(parts[open]) {
                Some((a, b)) => {
                    parts[open] = a;
                    parts.push(b);
                }
                None => open += 1,
            }
        }
        if parts.len() > LONGEST_CLAUSE {
            parts = vec![!bit];
        }
        let clause: Vec<Lit> = parts.into_iter().map(|part| self.literal(circuit, solver, !part)).collect();
        solver.add_clause(&clause);
    }

    /// The literal of a bit that the solver knows.
    pub fn known(&self, bit: Bit) -> Option<Lit> {
        let lit = (*self.lits.get(bit.gate())?)?;
        Some(if bit.is_negated() { !lit } else { lit })
    }

    fn define(&self, gate: Gate, out: Lit, solver: &mut impl Sink) {
        let lit = |bit: Bit| self.known(bit).expect("operands come first");
        match gate {
            Gate::False => solver.add_clause(&[!out]),
            Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (lit(a), lit(b));
                solver.add_clause(&[!out, a]);
                solver.add_clause(&[!out, b]);
                solver.add_clause(&[out, !a, !b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (lit(a), lit(b));
                solver.add_clause(&[!out, a, b]);
                solver.add_clause(&[!out, !a, !b]);
                solver.add_clause(&[out, !a, b]);
                solver.add_clause(&[out, a, !b]);
            }
            Gate::Mux(c, a, b) => {
                let (c, a, b) = (lit(c), lit(a), lit(b));
                solver.add_clause(&[!c, !out, a]);
                solver.add_clause(&[!c, out, !a]);
                solver.add_clause(&[c, !out, b]);
                solver.add_clause(&[c, out, !b]);
                // Implied, and what propagation alone would not see.
                solver.add_clause(&[!out, a, b]);
                solver.add_clause(&[out, !a, !b]);
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (lit(a), lit(b), lit(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    solver.add_clause(&[out, !x, !y]);
                    solver.add_clause(&[!out, x, y]);
                }
            }
        }
    }
}
