//! The part of a log that a refutation needs, with all clauses written out.

use super::log::{Leaf, LogEntry, ProofLog, StepId};
use crate::native::{Lit, Var};
use craig_base::Map;

/// Where a clause comes from.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// It is given.
    Leaf(Leaf),
    /// The first clause, and those that are resolved with the result so far, each on a variable.
    Chain {
        /// The step to begin with.
        first: usize,
        /// The steps to resolve with, and on which variables.
        rest: Vec<(usize, Var)>,
    },
}

/// A clause of the refutation.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its literals.
    pub clause: Vec<Lit>,
    /// Where it comes from.
    pub kind: StepKind,
}

/// Steps in an order in which antecedents come first; the last one is the empty clause.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// Each after those that it uses; the last one is the empty clause.
    pub steps: Vec<Step>,
}

/// A log that does not say what it should; always a bug of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenChain {
    pub step: StepId,
    pub pivot: Var,
}

impl Refutation {
    /// Everything that `root`, the empty clause, depends on.
    pub fn extract(log: &ProofLog, root: StepId) -> Result<Refutation, BrokenChain> {
        let mut needed: Vec<StepId> = Vec::new();
        let mut seen = vec![false; log.len()];
        let mut stack = vec![root];
        while let Some(step) = stack.pop() {
            if std::mem::replace(&mut seen[step.0 as usize], true) {
                continue;
            }
            needed.push(step);
            if let LogEntry::Chain(chain) = log.get(step) {
                stack.extend(chain.iter().map(|&(antecedent, _)| antecedent));
            }
        }
        // A step is appended after its antecedents.
        needed.sort_unstable();
        let places: Map<StepId, usize> = needed.iter().enumerate().map(|(i, &step)| (step, i)).collect();
        let mut steps: Vec<Step> = Vec::with_capacity(needed.len());
        let mut resolvent = Resolvent::default();
        for &step in &needed {
            match log.get(step) {
                LogEntry::Leaf(lits, leaf) => {
                    steps.push(Step { clause: lits.to_vec(), kind: StepKind::Leaf(leaf.clone()) });
                }
                LogEntry::Chain(chain) => {
                    let first = places[&chain[0].0];
                    resolvent.start(&steps[first].clause);
                    let mut rest = Vec::with_capacity(chain.len() - 1);
                    for &(antecedent, pivot) in &chain[1..] {
                        let place = places[&antecedent];
                        if !resolvent.resolve(&steps[place].clause, pivot) {
                            return Err(BrokenChain { step, pivot });
                        }
                        rest.push((place, pivot));
                    }
                    let clause = resolvent.finish();
                    steps.push(Step { clause, kind: StepKind::Chain { first, rest } });
                }
            }
        }
        Ok(Refutation { steps })
    }
}

/// A clause under resolution: which literals are in it, with marks for constant-time lookup.
#[derive(Default)]
pub(crate) struct Resolvent {
    marks: Vec<bool>,
    lits: Vec<Lit>,
}

impl Resolvent {
    fn has(&self, lit: Lit) -> bool {
        self.marks.get(lit.0 as usize).copied().unwrap_or(false)
    }

    fn insert(&mut self, lit: Lit) {
        if self.marks.len() <= lit.0 as usize {
            self.marks.resize(lit.0 as usize + 1, false);
        }
        if !std::mem::replace(&mut self.marks[lit.0 as usize], true) {
            self.lits.push(lit);
        }
    }

    fn remove(&mut self, lit: Lit) {
        // The literal stays in the list; the mark decides.
        self.marks[lit.0 as usize] = false;
    }

    pub fn start(&mut self, clause: &[Lit]) {
        for &lit in clause {
            self.insert(lit);
        }
    }

    /// Resolves with `clause` on `pivot`, which must occur in both with different signs.
    pub fn resolve(&mut self, clause: &[Lit], pivot: Var) -> bool {
        let positive = Lit::new(pivot, false);
        let own = if self.has(positive) { positive } else { !positive };
        if !self.has(own) || !clause.contains(&!own) {
            return false;
        }
        self.remove(own);
        for &lit in clause {
            if lit != !own {
                self.insert(lit);
            }
        }
        true
    }

    /// The clause, sorted; the next one can start.
    pub fn finish(&mut self) -> Vec<Lit> {
        let mut clause: Vec<Lit> = Vec::with_capacity(self.lits.len());
        for lit in std::mem::take(&mut self.lits) {
            if std::mem::replace(&mut self.marks[lit.0 as usize], false) {
                clause.push(lit);
            }
        }
        clause.sort_unstable();
        clause
    }
}
