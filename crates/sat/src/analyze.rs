//! Conflict analysis: the first unique implication point, minimisation, and the antecedents for the proof.

use crate::clauses::ClauseRef;
use crate::literal::{Lit, Var};
use crate::solver::Solver;

/// What conflicts long ago count. Where restarts are frequent the search follows the last conflicts, as with a queue of
/// variables; with the slower decay it can be stuck, for ever as it seems, in conflicts of thirty levels.
const STABLE_DECAY: f64 = 0.95;
const FOCUSED_DECAY: f64 = 0.8;
const CLAUSE_DECAY: f32 = 0.999;
/// Clauses of at most this glue are kept for long, and used in two reductions.
pub(crate) const TIER_2: u32 = 6;

/// What a variable is for a clause that is being learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    None,
    /// In the clause.
    Literal,
    /// By what is in the clause.
    Implied,
    /// Looked at, and not implied.
    Poisoned,
    /// Implied, and its reason is among the antecedents.
    Explained,
}

impl Solver {
    /// Learns a clause from a conflict on a level above 0, and goes back to where it is a unit.
    pub(crate) fn learn_from(&mut self, conflict: ClauseRef) {
        self.conflicts += 1;
        // Variables whose reasons were resolved with, by their place on the trail.
        let mut resolved: Vec<Var> = Vec::new();
        let mut level_zero: Vec<Var> = Vec::new();
        let mut touched: Vec<Var> = Vec::new();
        let mut learned: Vec<Lit> = vec![Lit::from_code(0)];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut clause = conflict;
        let mut pivot: Option<Lit> = None;
        loop {
            self.bump_clause(clause);
            for i in 0..self.clauses.len(clause) {
                let lit = self.clauses.lit(clause, i);
                let var = lit.var();
                if Some(lit) == pivot || self.seen[var.index()] {
                    continue;
                }
                self.seen[var.index()] = true;
                touched.push(var);
                if self.levels[var.index()] == 0 {
                    level_zero.push(var);
                    continue;
                }
                self.bump(var);
                if self.levels[var.index()] == self.level() {
                    open += 1;
                } else {
                    learned.push(lit);
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].var().index()] {
                    break;
                }
            }
            let lit = self.trail[at];
            open -= 1;
            if open == 0 {
                learned[0] = !lit;
                break;
            }
            resolved.push(lit.var());
            pivot = Some(lit);
            clause = self.reasons[lit.var().index()];
        }
        self.minimise(&mut learned, &mut resolved, &mut level_zero, &mut touched);
        for var in touched {
            self.seen[var.index()] = false;
        }
        let mut antecedents = Vec::new();
        if self.proof.is_some() {
            antecedents.extend(level_zero.iter().map(|var| self.units[var.index()]));
            resolved.sort_unstable_by_key(|var| self.places[var.index()]);
            antecedents.extend(resolved.iter().map(|var| self.clauses.id(self.reasons[var.index()])));
            antecedents.push(self.clauses.id(conflict));
        }
        let id = self.derive(&learned, &antecedents);
        self.add_learned(id, learned);
        self.activity_step /= if self.restarts.stable { STABLE_DECAY } else { FOCUSED_DECAY };
        self.clause_step /= CLAUSE_DECAY;
    }

    fn add_learned(&mut self, id: u32, mut learned: Vec<Lit>) {
        // The second literal is one of the highest level among the others.
        if let Some(second) = (1..learned.len()).max_by_key(|&i| self.levels[learned[i].var().index()]) {
            learned.swap(1, second);
        }
        let clause = self.clauses.push(id, &learned, true, 0);
        let glue = self.glue_of(clause);
        self.clauses.set_glue(clause, glue);
        self.restarts.conflict(glue);
        let level = learned.get(1).map_or(0, |lit| self.levels[lit.var().index()]);
        self.backtrack(level);
        if learned.len() > 1 {
            self.clauses.set_used(clause, if glue <= TIER_2 { 2 } else { 1 });
            self.learned.push(clause);
            self.watch(clause);
        }
        self.assign(learned[0], clause);
    }

    /// The number of levels in a clause.
    fn glue_of(&mut self, clause: ClauseRef) -> u32 {
        self.level_mark += 1;
        let mut glue = 0;
        for lit in self.clauses.lits(clause) {
            let level = self.levels[lit.var().index()] as usize;
            if self.level_marks[level] != self.level_mark {
                self.level_marks[level] = self.level_mark;
                glue += 1;
            }
        }
        glue
    }

    /// Leaves out literals that the others imply (Sörensson and Biere, *Minimizing learned clauses*, 2009),
    /// with an explicit stack.
    fn minimise(
        &mut self,
        learned: &mut Vec<Lit>,
        resolved: &mut Vec<Var>,
        level_zero: &mut Vec<Var>,
        touched: &mut Vec<Var>,
    ) {
        self.level_mark += 1;
        for lit in learned.iter() {
            self.set_role(lit.var(), Role::Literal);
            self.level_marks[self.levels[lit.var().index()] as usize] = self.level_mark;
        }
        let mut kept = vec![learned[0]];
        let mut left_out = Vec::new();
        for &lit in &learned[1..] {
            if self.is_implied(lit.var()) {
                left_out.push(lit.var());
            } else {
                kept.push(lit);
            }
        }
        if self.proof.is_some() {
            self.explain(left_out, resolved, level_zero, touched);
        }
        for var in self.with_role.drain(..) {
            self.roles[var.index()] = Role::None;
        }
        *learned = kept;
    }

    /// The reasons of what is left out, down to what is kept or left out itself.
    fn explain(
        &mut self,
        mut work: Vec<Var>,
        resolved: &mut Vec<Var>,
        level_zero: &mut Vec<Var>,
        touched: &mut Vec<Var>,
    ) {
        for &var in &work {
            self.set_role(var, Role::Explained);
        }
        while let Some(var) = work.pop() {
            resolved.push(var);
            let reason = self.reasons[var.index()];
            for i in 0..self.clauses.len(reason) {
                let other = self.clauses.lit(reason, i).var();
                if self.levels[other.index()] == 0 {
                    if !self.seen[other.index()] {
                        self.seen[other.index()] = true;
                        touched.push(other);
                        level_zero.push(other);
                    }
                } else if !matches!(self.roles[other.index()], Role::Explained | Role::Literal) {
                    self.set_role(other, Role::Explained);
                    work.push(other);
                }
            }
        }
    }

    fn set_role(&mut self, var: Var, role: Role) {
        if self.roles[var.index()] == Role::None {
            self.with_role.push(var);
        }
        self.roles[var.index()] = role;
    }

    /// Whether the negation of a literal of this variable follows from the rest of the learned clause.
    fn is_implied(&mut self, var: Var) -> bool {
        if self.reasons[var.index()] == ClauseRef::NONE {
            return false;
        }
        let mut stack = vec![(var, 0usize)];
        while let Some((current, next)) = stack.pop() {
            let reason = self.reasons[current.index()];
            let mut failed = false;
            let mut descend = None;
            let mut i = next;
            while i < self.clauses.len(reason) {
                let other = self.clauses.lit(reason, i).var();
                i += 1;
                if other == current || self.levels[other.index()] == 0 {
                    continue;
                }
                match self.roles[other.index()] {
                    Role::Literal | Role::Implied | Role::Explained => continue,
                    Role::Poisoned => failed = true,
                    Role::None => {
                        let level = self.levels[other.index()] as usize;
                        if self.reasons[other.index()] == ClauseRef::NONE
                            || self.level_marks[level] != self.level_mark
                        {
                            self.set_role(other, Role::Poisoned);
                            failed = true;
                        } else {
                            descend = Some(other);
                        }
                    }
                }
                break;
            }
            if failed {
                // All that is on the stack depends on it.
                for (waiting, _) in stack.into_iter().skip(1) {
                    self.set_role(waiting, Role::Poisoned);
                }
                if current != var {
                    self.set_role(current, Role::Poisoned);
                }
                return false;
            }
            match descend {
                Some(other) => {
                    stack.push((current, i));
                    stack.push((other, 0));
                }
                None if current == var => {}
                None => self.set_role(current, Role::Implied),
            }
        }
        true
    }

    /// The assumptions that make `failed` false.
    pub(crate) fn analyze_final(&mut self, failed: Lit) {
        self.core = vec![failed];
        self.seen[failed.var().index()] = true;
        self.collect_core();
        self.seen[failed.var().index()] = false;
    }

    /// The assumptions that make a clause false, where nothing but they was decided.
    pub(crate) fn analyze_refuted(&mut self, conflict: ClauseRef) {
        self.core.clear();
        self.core_reasons = vec![conflict];
        self.mark(conflict);
        self.collect_core();
    }

    /// The assumptions that marked literals follow from.
    fn collect_core(&mut self) {
        let Some(&start) = self.trail_limits.first() else { return };
        for at in (start..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !self.seen[lit.var().index()] {
                continue;
            }
            self.seen[lit.var().index()] = false;
            match self.reasons[lit.var().index()] {
                ClauseRef::NONE => self.core.push(lit),
                reason => {
                    self.core_reasons.push(reason);
                    self.mark(reason);
                    self.seen[lit.var().index()] = false;
                }
            }
        }
    }

    /// Learns that the assumptions which were refuted last do not hold together. Where one of them turned out to be false by
    /// itself, that is known already.
    pub(crate) fn learn_core(&mut self) {
        let clause: Vec<Lit> = self.core.iter().map(|&lit| !lit).collect();
        if clause.iter().any(|&lit| self.value(lit) > 0 && self.levels[lit.var().index()] == 0) {
            return;
        }
        let reasons = std::mem::take(&mut self.core_reasons);
        let mut antecedents: Vec<u32> = Vec::new();
        if self.proof.is_some() {
            let lits = reasons.iter().flat_map(|&reason| self.clauses.lits(reason));
            let fixed = lits.filter(|lit| self.levels[lit.var().index()] == 0);
            antecedents.extend(fixed.map(|lit| self.units[lit.var().index()]));
            antecedents.sort_unstable();
            antecedents.dedup();
            antecedents.extend(reasons.iter().rev().map(|&reason| self.clauses.id(reason)));
        }
        self.backtrack(0);
        let id = self.derive(&clause, &antecedents);
        self.attach(id, clause);
    }

    /// Marks the literals of a clause that depend on decisions.
    fn mark(&mut self, clause: ClauseRef) {
        for i in 0..self.clauses.len(clause) {
            let var = self.clauses.lit(clause, i).var();
            if self.levels[var.index()] > 0 {
                self.seen[var.index()] = true;
            }
        }
    }

    pub(crate) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.activity_step;
        if *activity > 1e100 {
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
            self.activity_step *= 1e-100;
        }
        self.heap.raised(var.0, &self.activity);
    }

    fn bump_clause(&mut self, clause: ClauseRef) {
        if !self.clauses.is_learned(clause) {
            return;
        }
        let activity = self.clauses.activity(clause) + self.clause_step;
        self.clauses.set_activity(clause, activity);
        if activity > 1e20 {
            for i in 0..self.learned.len() {
                let clause = self.learned[i];
                let scaled = self.clauses.activity(clause) * 1e-20;
                self.clauses.set_activity(clause, scaled);
            }
            self.clause_step *= 1e-20;
        }
        let before = self.clauses.glue(clause);
        if before > 2 {
            let glue = self.glue_of(clause);
            if glue < before {
                self.clauses.set_glue(clause, glue);
            }
            self.clauses.set_used(clause, if glue.min(before) <= TIER_2 { 2 } else { 1 });
        }
    }
}
