//! Proofs as they are found: each learned clause with the clauses that yield it by unit propagation.

use crate::literal::Lit;
use std::fmt::Write;

/// The learned clauses of a refutation. Clauses that were given have the numbers from 1 in the order in
/// which they were added; a learned clause has the next number.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    given: u32,
    /// For each step the number of literals and of antecedents, the literals, the antecedents.
    words: Vec<u32>,
    /// Where each step begins.
    starts: Vec<usize>,
}

impl Proof {
    pub(crate) fn new(given: u32) -> Self {
        Proof { given, ..Proof::default() }
    }

    pub(crate) fn push(&mut self, lits: &[Lit], antecedents: &[u32]) -> u32 {
        self.starts.push(self.words.len());
        self.words.extend([lits.len() as u32, antecedents.len() as u32]);
        self.words.extend(lits.iter().map(|lit| lit.code()));
        self.words.extend_from_slice(antecedents);
        self.given + self.starts.len() as u32
    }

    /// How much memory it needs, in words.
    pub fn size(&self) -> usize {
        self.words.len()
    }

    pub fn steps(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn given(&self) -> u32 {
        self.given
    }

    pub(crate) fn step(&self, index: usize) -> (&[u32], &[u32]) {
        let start = self.starts[index];
        let (lits, antecedents) = (self.words[start] as usize, self.words[start + 1] as usize);
        let body = &self.words[start + 2..start + 2 + lits + antecedents];
        body.split_at(lits)
    }

    /// Only the steps that the last one needs, numbered again.
    pub fn trimmed(&self) -> Proof {
        let given = self.given as usize;
        let mut needed = vec![false; self.steps()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for index in (0..self.steps()).rev() {
            if needed[index] {
                for &antecedent in self.step(index).1 {
                    if antecedent as usize > given {
                        needed[antecedent as usize - given - 1] = true;
                    }
                }
            }
        }
        let mut numbers = vec![0; self.steps()];
        let mut trimmed = Proof::new(self.given);
        for index in (0..self.steps()).filter(|&index| needed[index]) {
            let (lits, antecedents) = self.step(index);
            let lits: Vec<Lit> = lits.iter().map(|&code| Lit::from_code(code)).collect();
            let renumbered: Vec<u32> = antecedents
                .iter()
                .map(|&id| if id as usize > given { numbers[id as usize - given - 1] } else { id })
                .collect();
            numbers[index] = trimmed.push(&lits, &renumbered);
        }
        trimmed
    }

    /// As LRAT: `number literals 0 antecedents 0`, one line for each step.
    pub fn lrat(&self) -> String {
        let mut text = String::with_capacity(self.words.len() * 6);
        for index in 0..self.steps() {
            let (lits, antecedents) = self.step(index);
            let _ = write!(text, "{} ", self.given as usize + index + 1);
            for &code in lits {
                let _ = write!(text, "{:?} ", Lit::from_code(code));
            }
            text.push('0');
            for antecedent in antecedents {
                let _ = write!(text, " {antecedent}");
            }
            text.push_str(" 0\n");
        }
        text
    }
}
