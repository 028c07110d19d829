//! Interpolants of two sets of bits that cannot all be true, from a refutation of their clauses.
//!
//! K. McMillan, *Interpolation and SAT-based Model Checking*, CAV 2003: each clause of the proof has a partial interpolant;
//! resolution on a variable of the first side alone is a disjunction, on any other a conjunction. The dual of it, with
//! the sides and their roles exchanged, comes from the same proof; the smaller one is taken.
//!
//! Gates that both sides have are variables that both sides share, since they depend on inputs that both have. So `x < y`,
//! where both sides ask for it, is one variable, and not as many as `x` and `y` have bits.

use crate::{Bit, Circuit, Clauses, Sink};
use craig_base::{Budget, Map, StopReason};
use craig_sat::{Lit, Outcome, Proof, Solver, Var};

/// How large a refutation may get on the way, in words of 4 bytes.
const REFUTATION_LIMIT: usize = 1 << 26;

#[derive(Default)]
struct Collected {
    variables: u32,
    clauses: Vec<Vec<Lit>>,
}

impl Sink for Collected {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var(self.variables - 1)
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.clauses.push(lits.to_vec());
    }
}

/// What an interpolant is made from.
struct Question<'c> {
    circuit: &'c mut Circuit,
    clauses: Vec<Vec<Lit>>,
    /// Which of them are of the first side.
    is_first: Vec<bool>,
    /// For each variable its gate.
    gates: Vec<Bit>,
    /// For each variable whether it is of one side alone: the first, the second.
    local: [Vec<bool>; 2],
}

/// A bit that follows from all of `first`, and contradicts all of `second`; it depends on inputs of both sides only. None if all
/// of them can be true.
pub(crate) fn interpolant(
    circuit: &mut Circuit,
    first: &[Bit],
    second: &[Bit],
    budget: &Budget,
) -> Result<Option<Bit>, String> {
    let sides = [first, second].map(|side| circuit.cone(side.iter().copied()));
    let (mut collected, mut known) = (Collected::default(), Clauses::default());
    // Gates first, assertions later, so that it is plain whose a clause is.
    for &bit in first.iter().chain(second) {
        known.literal(circuit, &mut collected, bit);
    }
    let mut gates = vec![Bit::FALSE; collected.variables as usize];
    for index in 0..circuit.len() {
        if let Some(lit) = known.known(Bit::of_gate(index)) {
            gates[lit.var().index()] = Bit::of_gate(index);
        }
    }
    let inside = |side: usize, var: Var| sides[side].get(gates[var.index()].gate()) == Some(&true);
    let mut is_first: Vec<bool> =
        collected.clauses.iter().map(|clause| clause.iter().all(|lit| inside(0, lit.var()))).collect();
    for (side, bits) in [first, second].into_iter().enumerate() {
        for &bit in bits {
            let lit = known.literal(circuit, &mut collected, bit);
            collected.add_clause(&[lit]);
            is_first.push(side == 0);
        }
    }
    let mut solver = Solver::with_proof(collected.variables, &collected.clauses, REFUTATION_LIMIT);
    match solver.solve(&[], budget) {
        Outcome::Sat => return Ok(None),
        Outcome::Stopped(reason) => return Err(reason.to_string()),
        Outcome::Unsat => {}
    }
    let Some(proof) = solver.proof().map(Proof::trimmed) else { return Err(StopReason::Memory.to_string()) };
    let vars = || (0..collected.variables).map(Var);
    let local = [0, 1].map(|side| vars().map(|var| !inside(1 - side, var)).collect());
    let mut question = Question { circuit, clauses: collected.clauses, is_first, gates, local };
    let found = [0, 1].map(|side| question.by_proof(&proof, side, budget));
    let mut best: Option<(usize, Bit)> = None;
    for bit in found {
        let bit = bit?;
        let size = circuit.cone([bit]).into_iter().filter(|&inside| inside).count();
        if best.is_none_or(|(least, _)| size < least) {
            best = Some((size, bit));
        }
    }
    Ok(best.map(|(_, bit)| bit))
}

impl Question<'_> {
    fn bit(&self, lit: Lit) -> Bit {
        self.gates[lit.var().index()].negate_if(lit.is_negated())
    }

    /// The interpolant by McMillan's rules with this side as the first; negated, if that is the second.
    fn by_proof(&mut self, proof: &Proof, side: usize, budget: &Budget) -> Result<Bit, String> {
        let clauses = std::mem::take(&mut self.clauses);
        let mut partial: Map<u32, Bit> = Map::default();
        let mut last = Bit::TRUE;
        let mut steps = 0u32;
        let mut stopped = Ok(());
        let is_whole = proof.resolve(self.gates.len(), &clauses, |chain| {
            steps += 1;
            if steps.is_multiple_of(1 << 10) && stopped.is_ok() {
                stopped = budget.check();
            }
            if stopped.is_err() {
                return;
            }
            let mut bit = self.of_clause(&mut partial, &clauses, chain.first, side);
            for &(pivot, number) in chain.resolved {
                let other = self.of_clause(&mut partial, &clauses, number, side);
                bit = match self.local[side][pivot.index()] {
                    true => self.circuit.or(bit, other),
                    false => self.circuit.and(bit, other),
                };
            }
            partial.insert(chain.number, bit);
            last = bit;
        });
        self.clauses = clauses;
        stopped.map_err(|reason| reason.to_string())?;
        if !is_whole {
            return Err("the refutation has a step that does not follow".to_string());
        }
        Ok(last.negate_if(side == 1))
    }

    fn of_clause(
        &mut self,
        partial: &mut Map<u32, Bit>,
        given: &[Vec<Lit>],
        number: u32,
        side: usize,
    ) -> Bit {
        if let Some(&known) = partial.get(&number) {
            return known;
        }
        let place = number as usize - 1;
        let bit = match self.is_first[place] == (side == 0) {
            true => {
                let shared = given[place].iter().filter(|lit| !self.local[side][lit.var().index()]);
                let bits: Vec<Bit> = shared.map(|&lit| self.bit(lit)).collect();
                bits.into_iter().fold(Bit::FALSE, |any, bit| self.circuit.or(any, bit))
            }
            false => Bit::TRUE,
        };
        partial.insert(number, bit);
        bit
    }
}
