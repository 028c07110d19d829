//! A refutation as resolutions: each learned clause as a chain that begins with one clause and resolves with others.
//!
//! A step of a proof says which clauses yield another by unit propagation, in the order in which they are used. Going back
//! from the conflict, a clause is resolved with the reason of each literal that it has and that propagation made false.

use crate::literal::{Lit, Var};
use crate::proof::Proof;

/// How one step of a proof is reached. Clauses have the numbers of the proof.
#[derive(Debug)]
pub struct Chain<'c> {
    /// Of the clause that is derived.
    pub number: u32,
    pub first: u32,
    pub resolved: &'c [(Var, u32)],
}

impl Proof {
    /// Visits all steps in order; false if one of them does not follow by unit propagation.
    pub fn resolve(&self, variables: usize, given: &[Vec<Lit>], mut visit: impl FnMut(&Chain<'_>)) -> bool {
        let mut learned: Vec<Vec<Lit>> = Vec::with_capacity(self.steps());
        let mut values = vec![0i8; 2 * variables];
        let mut marked = vec![false; 2 * variables];
        let mut trail: Vec<(Lit, Option<u32>)> = Vec::new();
        let mut resolved = Vec::new();
        for index in 0..self.steps() {
            let (codes, antecedents) = self.step(index);
            let lits: Vec<Lit> = codes.iter().map(|&code| Lit::from_code(code)).collect();
            let clause = |number: u32| -> &[Lit] {
                let number = number as usize - 1;
                given.get(number).unwrap_or_else(|| &learned[number - given.len()])
            };
            let mut assign = |values: &mut [i8], lit: Lit, reason: Option<u32>| {
                values[lit.index()] = 1;
                values[(!lit).index()] = -1;
                trail.push((lit, reason));
            };
            for &lit in &lits {
                assign(&mut values, !lit, None);
            }
            let mut conflict = None;
            for &number in antecedents {
                let mut open = clause(number).iter().filter(|lit| values[lit.index()] >= 0);
                let Some(&unit) = open.next() else {
                    conflict = Some(number);
                    break;
                };
                // A literal may be there twice.
                if open.all(|&lit| lit == unit) && values[unit.index()] == 0 {
                    assign(&mut values, unit, Some(number));
                }
            }
            let Some(first) = conflict else { return false };
            resolved.clear();
            clause(first).iter().for_each(|lit| marked[lit.index()] = true);
            for &(lit, reason) in trail.iter().rev() {
                let is_there = std::mem::take(&mut marked[(!lit).index()]);
                if let Some(number) = reason.filter(|_| is_there) {
                    resolved.push((lit.var(), number));
                    clause(number).iter().filter(|&&other| other != lit).for_each(|other| {
                        marked[other.index()] = true;
                    });
                }
            }
            visit(&Chain { number: self.given() + index as u32 + 1, first, resolved: &resolved });
            for (lit, _) in trail.drain(..) {
                values[lit.index()] = 0;
                values[(!lit).index()] = 0;
            }
            learned.push(lits);
        }
        true
    }
}
