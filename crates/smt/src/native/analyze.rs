//! Conflict analysis: the first unique implication point, recursive minimisation, and the chain of
//! resolutions behind the learned clause.
//!
//! In proof order the chain is: the false clause, the reasons met on the way back along the trail,
//! the reasons by which minimisation removed literals (again latest first), and last the unit
//! clauses of literals on level 0.

use super::clauses::ClauseRef;
use super::lit::{Lit, Var};
use super::sat::{Reason, Sat};
use crate::proof::StepId;
use craig_base::Index;

const UNSEEN: u8 = 0;
/// In the clause that is being derived, or resolved away on the last level.
const SOURCE: u8 = 1;
/// Implied by literals of the clause.
const REMOVABLE: u8 = 2;
/// Known not to be implied.
const FAILED: u8 = 3;
/// On level 0; its unit clause is part of the chain.
const FIXED: u8 = 4;

pub(crate) struct Learned {
    /// The asserting literal first, then one of the highest remaining level.
    pub lits: Vec<Lit>,
    pub backtrack_level: u32,
    pub lbd: u32,
    pub step: StepId,
}

/// Gives the reason clause of a literal that a theory implied; the literal is its first.
pub(crate) trait Explain {
    fn explain(&mut self, sat: &mut Sat, lit: Lit) -> ClauseRef;
}

impl Sat {
    /// The reason clause of a true literal that is no decision.
    fn reason_clause(&mut self, lit: Lit, theory: &mut impl Explain) -> Option<ClauseRef> {
        match self.reasons[lit.var().index()] {
            Reason::None => None,
            Reason::Clause(clause) => Some(clause),
            Reason::Theory => {
                let clause = theory.explain(self, lit);
                self.reasons[lit.var().index()] = Reason::Clause(clause);
                Some(clause)
            }
        }
    }

    fn mark(&mut self, var: Var, mark: u8) {
        if self.seen[var.index()] == UNSEEN {
            self.marked.push(var);
        }
        self.seen[var.index()] = mark;
    }

    fn clear_marks(&mut self) {
        for var in std::mem::take(&mut self.marked) {
            self.seen[var.index()] = UNSEEN;
        }
    }

    /// Learns from a clause that is false and has a literal on the current level above 0.
    pub fn analyze(&mut self, conflict: ClauseRef, theory: &mut impl Explain) -> Learned {
        let proofs = self.proof.is_enabled();
        let level = self.decision_level();
        let mut chain: Vec<(StepId, Var)> = Vec::new();
        let mut fixed: Vec<Var> = Vec::new();
        let mut lits: Vec<Lit> = vec![Lit(0)];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut clause = conflict;
        let mut pivot: Option<Lit> = None;
        loop {
            if proofs {
                chain.push((self.clauses.step(clause), pivot.map_or(Var(0), Lit::var)));
            }
            if self.clauses.is_learnt(clause) {
                self.bump_clause(clause);
                self.clauses.set_used(clause);
            }
            for i in 0..self.clauses.len(clause) {
                let lit = self.clauses.lit(clause, i);
                let var = lit.var();
                if Some(lit) == pivot || self.seen[var.index()] != UNSEEN {
                    continue;
                }
                let var_level = self.level(var);
                if var_level == 0 {
                    if proofs {
                        self.mark(var, FIXED);
                        fixed.push(var);
                    }
                    continue;
                }
                self.mark(var, SOURCE);
                self.bump_var(var);
                if var_level >= level {
                    open += 1;
                } else {
                    lits.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                let lit = self.trail[at];
                if self.seen[lit.var().index()] == SOURCE {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                lits[0] = !lit;
                break;
            }
            pivot = Some(lit);
            clause = self.reason_clause(lit, theory).expect("only the last literal of a level has no reason");
        }
        self.minimize(&mut lits, &mut chain, &mut fixed, theory);
        chain.extend(fixed.iter().map(|&var| (self.unit_steps[var.index()], var)));
        self.clear_marks();
        let mut backtrack_level = 0;
        if lits.len() > 1 {
            let highest = (1..lits.len()).max_by_key(|&i| self.level(lits[i].var())).unwrap_or(1);
            lits.swap(1, highest);
            backtrack_level = self.level(lits[1].var());
        }
        let lbd = self.literal_block_distance(&lits);
        let step = self.proof.chain(&chain);
        Learned { lits, backtrack_level, lbd, step }
    }

    fn minimize(
        &mut self,
        lits: &mut Vec<Lit>,
        chain: &mut Vec<(StepId, Var)>,
        fixed: &mut Vec<Var>,
        theory: &mut impl Explain,
    ) {
        self.stamp += 1;
        for lit in &lits[1..] {
            let level = self.levels[lit.var().index()] as usize;
            self.level_stamps[level] = self.stamp;
        }
        let mut removed = Vec::new();
        let mut kept = 1;
        for i in 1..lits.len() {
            let lit = lits[i];
            if self.is_redundant(lit, theory) {
                removed.push(lit.var());
            } else {
                lits[kept] = lit;
                kept += 1;
            }
        }
        if removed.is_empty() {
            return;
        }
        lits.truncate(kept);
        if self.proof.is_enabled() {
            self.log_minimization(lits, &removed, chain, fixed);
        }
    }

    /// Whether the negation of `lit` is implied by the other literals of the clause.
    fn is_redundant(&mut self, lit: Lit, theory: &mut impl Explain) -> bool {
        if matches!(self.reasons[lit.var().index()], Reason::None) {
            return false;
        }
        // Each frame: a true literal, its reason, and the place in it to look at next.
        let Some(reason) = self.reason_clause(!lit, theory) else { return false };
        let mut stack = vec![(!lit, reason, 0)];
        while let Some((current, clause, next)) = stack.pop() {
            if next == self.clauses.len(clause) {
                if self.seen[current.var().index()] != SOURCE {
                    self.mark(current.var(), REMOVABLE);
                }
                continue;
            }
            stack.push((current, clause, next + 1));
            let other = self.clauses.lit(clause, next);
            let var = other.var();
            let level = self.level(var);
            if var == current.var() || level == 0 || matches!(self.seen[var.index()], SOURCE | REMOVABLE) {
                continue;
            }
            let hopeless = self.seen[var.index()] == FAILED
                || matches!(self.reasons[var.index()], Reason::None)
                || self.level_stamps[level as usize] != self.stamp;
            let reason = if hopeless { None } else { self.reason_clause(!other, theory) };
            let Some(reason) = reason else {
                for &(failed, _, _) in &stack {
                    if self.seen[failed.var().index()] == UNSEEN {
                        self.mark(failed.var(), FAILED);
                    }
                }
                return false;
            };
            stack.push((!other, reason, 0));
        }
        true
    }

    /// Appends the resolutions that remove the literals of `removed`.
    fn log_minimization(
        &mut self,
        lits: &[Lit],
        removed: &[Var],
        chain: &mut Vec<(StepId, Var)>,
        fixed: &mut Vec<Var>,
    ) {
        let mut in_clause = craig_base::Set::default();
        in_clause.extend(lits.iter().map(|lit| lit.var()));
        let mut resolved: Vec<Var> = removed.to_vec();
        let mut known = craig_base::Set::default();
        known.extend(removed.iter().copied());
        let mut next = 0;
        while next < resolved.len() {
            let var = resolved[next];
            next += 1;
            let Reason::Clause(clause) = self.reasons[var.index()] else { continue };
            for i in 0..self.clauses.len(clause) {
                let other = self.clauses.lit(clause, i).var();
                if self.level(other) == 0 {
                    if self.seen[other.index()] != FIXED {
                        self.mark(other, FIXED);
                        fixed.push(other);
                    }
                } else if !in_clause.contains(&other) && known.insert(other) {
                    resolved.push(other);
                }
            }
        }
        resolved.sort_by_key(|var| std::cmp::Reverse(self.positions[var.index()]));
        for var in resolved {
            if let Reason::Clause(clause) = self.reasons[var.index()] {
                chain.push((self.clauses.step(clause), var));
            }
        }
    }

    /// The assumptions from which the true literal `root` follows, and the proof of the clause that
    /// says so; none if the root is an assumption itself. Only assumptions may have been decided.
    pub fn analyze_assumption(&mut self, root: Lit, theory: &mut impl Explain) -> (Vec<Lit>, Option<StepId>) {
        let proofs = self.proof.is_enabled();
        if self.level(root.var()) == 0 {
            return (Vec::new(), Some(self.unit_steps[root.var().index()]));
        }
        let mut chain = Vec::new();
        let mut fixed = Vec::new();
        let mut assumptions = Vec::new();
        self.mark_final(root.var(), &mut fixed);
        for at in (0..self.trail.len()).rev() {
            let lit = self.trail[at];
            if self.seen[lit.var().index()] != SOURCE {
                continue;
            }
            match self.reason_clause(lit, theory) {
                None => assumptions.push(lit),
                Some(clause) => {
                    if proofs {
                        chain.push((self.clauses.step(clause), lit.var()));
                    }
                    for i in 0..self.clauses.len(clause) {
                        let other = self.clauses.lit(clause, i).var();
                        if other != lit.var() {
                            self.mark_final(other, &mut fixed);
                        }
                    }
                }
            }
        }
        chain.extend(fixed.iter().map(|&var| (self.unit_steps[var.index()], var)));
        self.clear_marks();
        let step = (!chain.is_empty()).then(|| self.proof.chain(&chain));
        (assumptions, step)
    }

    fn mark_final(&mut self, var: Var, fixed: &mut Vec<Var>) {
        if self.seen[var.index()] != UNSEEN {
            return;
        }
        if self.level(var) == 0 {
            self.mark(var, FIXED);
            fixed.push(var);
        } else {
            self.mark(var, SOURCE);
        }
    }
}
