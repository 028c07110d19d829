//! The propositional core: assignment, two watched literals, decisions, clause management.
//!
//! After MiniSat, with blocking literals in the watches, literal block distance (Glucose) to judge
//! learned clauses, and a proof step behind every clause. What theories do is decided outside
//! ([`search`](super::search)); the core only knows that some variables are atoms of a theory and
//! that a reason may have to be asked for.
//!
//! Invariants: `lits[0]` and `lits[1]` of an attached clause are watched; the reason clause of a
//! literal has it in front; every literal on level 0 has a unit proof step.

use super::clauses::{ClauseRef, Clauses};
use super::heap::VarHeap;
use super::lit::{Lit, Var};
use crate::proof::{Leaf, ProofLog, StepId};
use craig_base::Index;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A decision or an assumption; on level 0, a unit clause.
    None,
    Clause(ClauseRef),
    /// A theory implied it and will explain when asked.
    Theory,
}

#[derive(Clone, Copy)]
pub(crate) struct Watch {
    clause: ClauseRef,
    /// Another literal of the clause; if it is true, the clause need not be looked at.
    blocker: Lit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Truth {
    False,
    True,
    Unknown,
}

/// What happened so far, for statistics.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SatCounters {
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    pub restarts: u64,
}

/// A point in time, as far as clauses are concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClauseMark {
    end: ClauseRef,
    moves: u64,
}

/// Conflicts until learned clauses are looked through for the first time, and how many more it takes each time.
const FIRST_REDUCTION: u64 = 2000;
const LATER_REDUCTION: u64 = 300;

#[derive(Clone)]
pub(crate) struct Sat {
    pub clauses: Clauses,
    /// Input clauses and lemmas that are kept.
    pub problem: Vec<ClauseRef>,
    pub learnts: Vec<ClauseRef>,
    /// Explanations of theory propagations; they are reasons but are not watched.
    pub explanations: Vec<ClauseRef>,
    watches: Vec<Vec<Watch>>,
    values: Vec<Truth>,
    pub levels: Vec<u32>,
    pub reasons: Vec<Reason>,
    pub trail: Vec<Lit>,
    pub trail_limits: Vec<usize>,
    /// Everything before it on the trail has been propagated through clauses.
    pub head: usize,
    /// The proof step of the unit clause, for variables assigned on level 0.
    pub unit_steps: Vec<StepId>,
    /// Place on the trail, which orders the resolutions of minimisation.
    pub positions: Vec<u32>,
    pub activity: Vec<f64>,
    pub activity_step: f64,
    pub clause_activity_step: f32,
    heap: VarHeap,
    phases: Vec<bool>,
    pub is_theory_atom: Vec<bool>,
    pub proof: ProofLog,
    /// The proof step of the empty clause, once level 0 is contradictory.
    pub refuted: Option<StepId>,
    pub counters: SatCounters,
    /// After how many conflicts learned clauses are looked through, over all checks: a solver that is asked thousands of short
    /// questions would never forget anything otherwise.
    reduce_at: u64,
    reduce_step: u64,
    /// How often clauses were moved.
    moves: u64,
    // Scratch of conflict analysis.
    pub seen: Vec<u8>,
    pub marked: Vec<Var>,
    pub level_stamps: Vec<u32>,
    pub stamp: u32,
}

impl Sat {
    pub fn new(proofs: bool) -> Self {
        Sat {
            clauses: Clauses::default(),
            problem: Vec::new(),
            learnts: Vec::new(),
            explanations: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            trail: Vec::new(),
            trail_limits: Vec::new(),
            head: 0,
            unit_steps: Vec::new(),
            positions: Vec::new(),
            activity: Vec::new(),
            activity_step: 1.0,
            clause_activity_step: 1.0,
            heap: VarHeap::default(),
            phases: Vec::new(),
            is_theory_atom: Vec::new(),
            proof: ProofLog::new(proofs),
            refuted: None,
            moves: 0,
            counters: SatCounters::default(),
            reduce_at: FIRST_REDUCTION,
            reduce_step: FIRST_REDUCTION,
            seen: Vec::new(),
            marked: Vec::new(),
            level_stamps: vec![0],
            stamp: 0,
        }
    }

    pub fn vars(&self) -> usize {
        self.levels.len()
    }

    pub fn new_var(&mut self) -> Var {
        let var = Var::from_usize(self.vars());
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        self.values.extend([Truth::Unknown; 2]);
        self.levels.push(0);
        self.reasons.push(Reason::None);
        self.unit_steps.push(ProofLog::NONE);
        self.positions.push(0);
        self.activity.push(0.0);
        self.phases.push(false);
        self.is_theory_atom.push(false);
        self.seen.push(0);
        self.level_stamps.push(0);
        self.heap.grow_to(self.levels.len());
        self.heap.insert(var, &self.activity);
        var
    }

    #[inline]
    pub fn value(&self, lit: Lit) -> Truth {
        self.values[lit.index()]
    }

    #[inline]
    pub fn is_true(&self, lit: Lit) -> bool {
        self.values[lit.index()] == Truth::True
    }

    #[inline]
    pub fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.index()] == Truth::False
    }

    #[inline]
    pub fn level(&self, var: Var) -> u32 {
        self.levels[var.index()]
    }

    pub fn decision_level(&self) -> u32 {
        self.trail_limits.len() as u32
    }

    /// Makes `lit` true. On level 0 its unit clause is derived from the reason.
    pub fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.value(lit), Truth::Unknown);
        let var = lit.var().index();
        self.values[lit.index()] = Truth::True;
        self.values[(!lit).index()] = Truth::False;
        self.levels[var] = self.decision_level();
        self.reasons[var] = reason;
        self.positions[var] = self.trail.len() as u32;
        self.trail.push(lit);
        if self.trail_limits.is_empty()
            && self.proof.is_enabled()
            && let Reason::Clause(clause) = reason
        {
            let step = self.derive_with_units(clause, Some(lit.var()));
            self.unit_steps[var] = step;
        }
    }

    /// Makes `lit` true on level 0 because of a unit clause.
    pub fn assign_unit(&mut self, lit: Lit, step: StepId) {
        debug_assert!(self.trail_limits.is_empty());
        self.assign(lit, Reason::None);
        self.unit_steps[lit.var().index()] = step;
    }

    /// Resolves a clause with the units of its false literals, except that of `kept`.
    fn derive_with_units(&mut self, clause: ClauseRef, kept: Option<Var>) -> StepId {
        let mut chain = vec![(self.clauses.step(clause), Var(0))];
        for lit in self.clauses.lits(clause) {
            if Some(lit.var()) != kept {
                chain.push((self.unit_steps[lit.var().index()], lit.var()));
            }
        }
        self.proof.chain(&chain)
    }

    /// Adds a clause of the input or a lemma while on level 0.
    pub fn add_clause(&mut self, lits: &[Lit], leaf: impl FnOnce() -> Leaf) {
        debug_assert!(self.trail_limits.is_empty());
        let mut sorted = lits.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        let step = self.proof.leaf(&sorted, leaf);
        self.add_proved_clause(&sorted, step);
    }

    /// Adds a clause without duplicates that has a proof step, while on level 0.
    fn add_proved_clause(&mut self, lits: &[Lit], step: StepId) {
        if self.refuted.is_some() || lits.iter().any(|&lit| self.is_true(lit)) {
            return;
        }
        let mut open: Vec<Lit> = Vec::with_capacity(lits.len());
        let mut chain = vec![(step, Var(0))];
        for &lit in lits {
            if self.is_false(lit) {
                chain.push((self.unit_steps[lit.var().index()], lit.var()));
            } else {
                open.push(lit);
            }
        }
        let step = self.proof.chain(&chain);
        match open.as_slice() {
            [] => self.refuted = Some(step),
            &[unit] => self.assign_unit(unit, step),
            _ => {
                let clause = self.clauses.add(&open, false, 0, step);
                self.problem.push(clause);
                self.attach(clause);
            }
        }
    }

    pub fn attach(&mut self, clause: ClauseRef) {
        let (a, b) = (self.clauses.lit(clause, 0), self.clauses.lit(clause, 1));
        self.watches[(!a).index()].push(Watch { clause, blocker: b });
        self.watches[(!b).index()].push(Watch { clause, blocker: a });
    }

    /// Propagates through clauses; the clause that became false, if any.
    pub fn propagate(&mut self) -> Option<ClauseRef> {
        while self.head < self.trail.len() {
            let lit = self.trail[self.head];
            self.head += 1;
            self.counters.propagations += 1;
            let mut watches = std::mem::take(&mut self.watches[lit.index()]);
            let mut kept = 0;
            let mut at = 0;
            let mut conflict = None;
            'watches: while at < watches.len() {
                let watch = watches[at];
                at += 1;
                if self.values[watch.blocker.index()] == Truth::True {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let false_lit = (!lit).0;
                let lits = self.clauses.raw_lits(watch.clause);
                if lits[0] == false_lit {
                    lits.swap(0, 1);
                }
                let first = Lit(lits[0]);
                let renewed = Watch { clause: watch.clause, blocker: first };
                if first != watch.blocker && self.values[first.index()] == Truth::True {
                    watches[kept] = renewed;
                    kept += 1;
                    continue;
                }
                for i in 2..lits.len() {
                    if self.values[lits[i] as usize] != Truth::False {
                        lits.swap(1, i);
                        let new_watch = Lit(lits[1]);
                        self.watches[(!new_watch).index()].push(renewed);
                        continue 'watches;
                    }
                }
                watches[kept] = renewed;
                kept += 1;
                if self.values[first.index()] == Truth::False {
                    conflict = Some(watch.clause);
                    self.head = self.trail.len();
                    break;
                }
                self.assign(first, Reason::Clause(watch.clause));
            }
            watches.copy_within(at.., kept);
            watches.truncate(kept + watches.len() - at);
            self.watches[lit.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Records that level 0 is contradictory because of this clause.
    pub fn refute(&mut self, conflict: ClauseRef) {
        if self.proof.is_enabled() {
            let step = self.derive_with_units(conflict, None);
            self.refuted = Some(step);
        } else {
            self.refuted = Some(ProofLog::NONE);
        }
    }

    pub fn new_decision_level(&mut self) {
        self.trail_limits.push(self.trail.len());
        // Assumptions that hold already open levels too, so there can be more levels than variables.
        if self.level_stamps.len() <= self.trail_limits.len() {
            self.level_stamps.push(0);
        }
    }

    pub fn backtrack(&mut self, level: u32) {
        if self.decision_level() <= level {
            return;
        }
        let limit = self.trail_limits[level as usize];
        for &lit in &self.trail[limit..] {
            let var = lit.var();
            self.values[lit.index()] = Truth::Unknown;
            self.values[(!lit).index()] = Truth::Unknown;
            self.phases[var.index()] = !lit.is_negated();
            self.heap.insert(var, &self.activity);
        }
        self.trail.truncate(limit);
        self.trail_limits.truncate(level as usize);
        self.head = self.head.min(limit);
    }

    /// The unassigned variable with the highest activity, in its saved phase.
    pub fn pick_branch(&mut self) -> Option<Lit> {
        while let Some(var) = self.heap.pop(&self.activity) {
            let lit = Lit::new(var, !self.phases[var.index()]);
            if self.value(lit) == Truth::Unknown {
                return Some(lit);
            }
        }
        None
    }

    pub fn bump_var(&mut self, var: Var) {
        self.activity[var.index()] += self.activity_step;
        if self.activity[var.index()] > 1e100 {
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
            self.activity_step *= 1e-100;
        }
        self.heap.increased(var, &self.activity);
    }

    pub fn bump_clause(&mut self, clause: ClauseRef) {
        let activity = self.clauses.activity(clause) + self.clause_activity_step;
        self.clauses.set_activity(clause, activity);
        if activity > 1e20 {
            for &learnt in &self.learnts {
                let scaled = self.clauses.activity(learnt) * 1e-20;
                self.clauses.set_activity(learnt, scaled);
            }
            self.clause_activity_step *= 1e-20;
        }
    }

    pub fn decay(&mut self) {
        self.activity_step /= 0.95;
        self.clause_activity_step /= 0.999;
    }

    /// The number of distinct levels among the literals.
    pub fn literal_block_distance(&mut self, lits: &[Lit]) -> u32 {
        self.stamp += 1;
        let mut distance = 0;
        for lit in lits {
            let level = self.levels[lit.var().index()] as usize;
            if self.level_stamps[level] != self.stamp {
                self.level_stamps[level] = self.stamp;
                distance += 1;
            }
        }
        distance
    }

    fn is_locked(&self, clause: ClauseRef) -> bool {
        let first = self.clauses.lit(clause, 0);
        self.is_true(first) && self.reasons[first.var().index()] == Reason::Clause(clause)
    }

    /// Forgets learned clauses if enough were learned since it did so.
    pub fn reduce_if_due(&mut self) {
        if self.counters.conflicts >= self.reduce_at {
            self.reduce_step += LATER_REDUCTION;
            self.reduce_at = self.counters.conflicts + self.reduce_step;
            self.reduce();
        }
    }

    /// Deletes the less useful half of the learned clauses, and explanations that are not needed.
    fn reduce(&mut self) {
        let mut ranked: Vec<ClauseRef> = Vec::with_capacity(self.learnts.len());
        let mut kept: Vec<ClauseRef> = Vec::new();
        for clause in std::mem::take(&mut self.learnts) {
            let used = self.clauses.take_used(clause);
            let lbd = self.clauses.lbd(clause);
            if lbd <= 2 || used && lbd <= 6 || self.clauses.len(clause) == 2 || self.is_locked(clause) {
                kept.push(clause);
            } else {
                ranked.push(clause);
            }
        }
        ranked.sort_by(|&a, &b| {
            let by_lbd = self.clauses.lbd(b).cmp(&self.clauses.lbd(a));
            by_lbd.then(self.clauses.activity(a).total_cmp(&self.clauses.activity(b)))
        });
        let half = ranked.len() / 2;
        for &clause in &ranked[..half] {
            self.clauses.delete(clause);
        }
        kept.extend_from_slice(&ranked[half..]);
        self.learnts = kept;
        self.drop_explanations();
        self.collect_garbage();
    }

    pub fn drop_explanations(&mut self) {
        for clause in std::mem::take(&mut self.explanations) {
            if self.is_locked(clause) {
                self.explanations.push(clause);
            } else {
                self.clauses.delete(clause);
            }
        }
    }

    /// Drops watches of deleted clauses, and moves the others together where that pays.
    pub fn collect_garbage(&mut self) {
        let clauses = &self.clauses;
        for watches in &mut self.watches {
            watches.retain(|watch| !clauses.is_deleted(watch.clause));
        }
        self.compact();
    }

    /// Moves clauses together where that pays. No deleted clause is watched any more.
    fn compact(&mut self) {
        if !self.clauses.should_compact() {
            return;
        }
        self.moves += 1;
        let moved = self.clauses.compact();
        let relocate = |list: &mut Vec<ClauseRef>| {
            *list = list.iter().filter_map(|&clause| moved.new_address(clause)).collect();
        };
        relocate(&mut self.problem);
        relocate(&mut self.learnts);
        relocate(&mut self.explanations);
        for watch in self.watches.iter_mut().flatten() {
            watch.clause = moved.new_address(watch.clause).expect("watched clauses are alive");
        }
        for &lit in &self.trail {
            let reason = &mut self.reasons[lit.var().index()];
            if let Reason::Clause(clause) = *reason {
                *reason = moved.new_address(clause).map_or(Reason::None, Reason::Clause);
            }
        }
    }

    /// On level 0: removes clauses that are true, and reasons, which are not asked for there.
    pub fn simplify(&mut self) {
        debug_assert!(self.trail_limits.is_empty());
        for &lit in &self.trail {
            self.reasons[lit.var().index()] = Reason::None;
        }
        for list in [&mut self.problem, &mut self.learnts, &mut self.explanations] {
            list.retain(|&clause| {
                let satisfied = self.clauses.lits(clause).any(|lit| self.values[lit.index()] == Truth::True);
                if satisfied {
                    self.clauses.delete(clause);
                }
                !satisfied
            });
        }
        self.collect_garbage();
    }

    /// What [`truncate`](Self::truncate) needs to find the clauses made from now on.
    pub fn clause_mark(&self) -> ClauseMark {
        ClauseMark { end: self.clauses.end(), moves: self.moves }
    }

    /// On level 0: forgets all variables from `vars` on, and each clause that mentions one of them
    /// or has `dead` in it; all of those were made after `mark`.
    pub fn truncate(&mut self, vars: usize, dead: Lit, mark: ClauseMark) {
        debug_assert!(self.trail_limits.is_empty());
        for &lit in &self.trail {
            self.reasons[lit.var().index()] = Reason::None;
        }
        // Unless clauses have moved since, all before the mark are older than what is forgotten: most of them, so that
        // it matters not to look at their literals. Input clauses are listed in the order of their making.
        let has_moved = mark.moves != self.moves;
        let old = if has_moved { 0 } else { self.problem.partition_point(|&clause| clause < mark.end) };
        let new_problem = self.problem.split_off(old);
        let mut unwatched: Vec<usize> = Vec::new();
        let mut survives = |clause: ClauseRef| {
            if !has_moved && clause < mark.end {
                return true;
            }
            let dies = self.clauses.lits(clause).any(|lit| lit.var().index() >= vars || lit == dead);
            if dies {
                let watched = self.clauses.lits(clause).take(2).map(|lit| !lit);
                unwatched.extend(watched.filter(|lit| lit.var().index() < vars).map(Lit::index));
                self.clauses.delete(clause);
            }
            !dies
        };
        self.problem.extend(new_problem.into_iter().filter(|&clause| survives(clause)));
        self.learnts.retain(|&clause| survives(clause));
        self.explanations.retain(|&clause| survives(clause));
        unwatched.sort_unstable();
        unwatched.dedup();
        for list in unwatched {
            self.watches[list].retain(|watch| !self.clauses.is_deleted(watch.clause));
        }
        self.trail.retain(|lit| lit.var().index() < vars);
        self.head = self.trail.len();
        for (place, &lit) in self.trail.iter().enumerate() {
            self.positions[lit.var().index()] = place as u32;
        }
        self.watches.truncate(2 * vars);
        self.values.truncate(2 * vars);
        self.levels.truncate(vars);
        self.reasons.truncate(vars);
        self.unit_steps.truncate(vars);
        self.positions.truncate(vars);
        self.activity.truncate(vars);
        self.phases.truncate(vars);
        self.is_theory_atom.truncate(vars);
        self.seen.truncate(vars);
        self.level_stamps.truncate(vars + 1);
        self.heap.truncate(vars, &self.activity);
        self.compact();
    }
}
