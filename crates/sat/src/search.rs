//! The search itself: propagation, decisions, and the loop around them.

use crate::clauses::ClauseRef;
use crate::literal::{Lit, Var};
use crate::solver::{Outcome, Solver, Watch};
use craig_base::{Budget, StopReason};

/// Between two looks at the clock.
const PROPAGATIONS_PER_CHECK: u64 = 20_000;
/// A search that takes more conflicts is worth a sweep ([`crate::sweep`]).
const BEFORE_SWEEP: u64 = 2_000;

impl Solver {
    /// Looks for an assignment that satisfies all clauses and assumptions.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        let limit = self.conflict_limit;
        let first = self.conflicts + BEFORE_SWEEP;
        if self.swept < self.variables() && first < limit {
            self.conflict_limit = first;
            let outcome = self.search(assumptions, budget);
            self.conflict_limit = limit;
            if !matches!(outcome, Outcome::Stopped(_)) || budget.check().is_err() || self.proof_is_too_large()
            {
                return outcome;
            }
            self.swept = self.variables();
            self.sweep(budget);
        }
        self.search(assumptions, budget)
    }

    /// All assumptions are on one level, the first: where there are thousands, a learned clause seldom leads back among
    /// them, to assume and propagate most of them again.
    pub(crate) fn search(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        self.backtrack(0);
        self.core.clear();
        self.core_reasons.clear();
        let assumed = u32::from(!assumptions.is_empty());
        let mut check_at = 0;
        loop {
            if self.contradiction {
                return Outcome::Unsat;
            }
            if self.propagations >= check_at {
                check_at = self.propagations + PROPAGATIONS_PER_CHECK;
                if let Err(reason) = budget.check() {
                    return Outcome::Stopped(reason);
                }
                if self.conflicts > self.conflict_limit {
                    return Outcome::Stopped(StopReason::Timeout);
                }
                if self.proof_is_too_large() {
                    return Outcome::Stopped(StopReason::Memory);
                }
            }
            if let Some(conflict) = self.propagate() {
                if self.level() == 0 {
                    self.refuted_by(conflict);
                    return Outcome::Unsat;
                }
                if self.level() == assumed {
                    self.analyze_refuted(conflict);
                    return Outcome::Unsat;
                }
                self.learn_from(conflict);
            } else if self.restarts.restarting() {
                self.restart(assumed);
            } else if self.conflicts >= self.reduce_at {
                self.reduce();
            } else if self.level() < assumed {
                if let Some(failed) = self.assume(assumptions) {
                    self.analyze_final(failed);
                    return Outcome::Unsat;
                }
            } else {
                match self.next_decision() {
                    Some(lit) => self.decide(lit),
                    None => {
                        self.model = (0..self.variables() as u32)
                            .map(|var| self.value(Var(var).positive()) > 0)
                            .collect();
                        return Outcome::Sat;
                    }
                }
            }
        }
    }

    fn next_decision(&mut self) -> Option<Lit> {
        while let Some(var) = self.heap.pop(&self.activity) {
            let var = Var(var);
            if self.value(var.positive()) == 0 {
                return Some(Lit::new(var, !self.phases[var.index()]));
            }
        }
        None
    }

    /// Opens the level of the assumptions; the first one that is false, if there is one.
    fn assume(&mut self, assumptions: &[Lit]) -> Option<Lit> {
        self.trail_limits.push(self.trail.len());
        for &assumption in assumptions {
            match self.value(assumption) {
                1 => {}
                0 => self.assign(assumption, ClauseRef::NONE),
                _ => return Some(assumption),
            }
        }
        None
    }

    fn decide(&mut self, lit: Lit) {
        self.trail_limits.push(self.trail.len());
        self.assign(lit, ClauseRef::NONE);
    }

    fn restart(&mut self, assumed: u32) {
        let switched = self.restarts.restarted();
        let fixed = self.trail_limits.first().map_or(self.trail.len(), |&start| start);
        let level = match fixed > self.simplified_at {
            true => 0,
            false if switched => assumed,
            false => self.level_that_stays(assumed),
        };
        self.backtrack(level);
        if switched {
            self.best_trail = 0;
            if self.restarts.stable {
                self.phases.copy_from_slice(&self.best_phases);
            }
        }
        if level == 0 && fixed > self.simplified_at {
            self.simplify();
        }
    }

    /// The first levels would be decided again, as their variables are more active than all that are not assigned
    /// (van der Tak, Ramos and Heule, *Reusing the assignment trail in CDCL solvers*, 2011).
    fn level_that_stays(&mut self, assumed: u32) -> u32 {
        let Some(next) = self.next_decision() else { return self.level() };
        let next = next.var();
        self.heap.insert(next.0, &self.activity);
        let mut level = assumed.min(self.level());
        while let Some(&start) = self.trail_limits.get(level as usize) {
            let decided = self.trail[start].var();
            if self.activity[decided.index()] <= self.activity[next.index()] {
                break;
            }
            level += 1;
        }
        level
    }

    /// Makes a literal true. On level 0 it becomes a clause of its own.
    pub(crate) fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        let var = lit.var().index();
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.levels[var] = self.level();
        self.reasons[var] = reason;
        self.places[var] = self.trail.len() as u32;
        self.trail.push(lit);
        if self.level() == 0 && self.proof.is_some() {
            self.units[var] = if self.clauses.len(reason) == 1 {
                self.clauses.id(reason)
            } else {
                let others = self.clauses.lits(reason).filter(|&other| other != lit);
                let mut antecedents: Vec<u32> = others.map(|other| self.units[other.var().index()]).collect();
                antecedents.push(self.clauses.id(reason));
                self.derive(&[lit], &antecedents)
            };
        }
    }

    /// Unit propagation with two watched literals; a clause that became false, if there is one.
    pub(crate) fn propagate(&mut self) -> Option<ClauseRef> {
        while self.propagated < self.trail.len() {
            let made_true = self.trail[self.propagated];
            self.propagated += 1;
            self.propagations += 1;
            let made_false = !made_true;
            let mut watches = std::mem::take(&mut self.watches[made_true.index()]);
            let (mut from, mut to) = (0, 0);
            let mut conflict = None;
            'watches: while from < watches.len() {
                let watch = watches[from];
                from += 1;
                watches[to] = watch;
                to += 1;
                let blocked = self.value(watch.blocker);
                if blocked > 0 {
                    continue;
                }
                if watch.binary {
                    if blocked < 0 {
                        conflict = Some(watch.clause);
                        break;
                    }
                    self.assign(watch.blocker, watch.clause);
                    continue;
                }
                let codes = self.clauses.codes_mut(watch.clause);
                if codes[0] == made_false.code() {
                    codes.swap(0, 1);
                }
                let first = Lit::from_code(codes[0]);
                let first_value = self.values[first.index()];
                if first_value > 0 {
                    watches[to - 1].blocker = first;
                    continue;
                }
                for i in 2..codes.len() {
                    let candidate = Lit::from_code(codes[i]);
                    if self.values[candidate.index()] >= 0 {
                        codes.swap(1, i);
                        let moved = Watch { clause: watch.clause, blocker: first, binary: false };
                        self.watches[(!candidate).index()].push(moved);
                        to -= 1;
                        continue 'watches;
                    }
                }
                if first_value < 0 {
                    conflict = Some(watch.clause);
                    break;
                }
                self.assign(first, watch.clause);
            }
            watches.copy_within(from.., to);
            watches.truncate(to + watches.len() - from);
            self.watches[made_true.index()] = watches;
            if conflict.is_some() {
                self.propagated = self.trail.len();
                return conflict;
            }
        }
        None
    }

    pub(crate) fn backtrack(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        if self.restarts.stable && self.trail.len() > self.best_trail {
            self.best_trail = self.trail.len();
            for &lit in &self.trail {
                self.best_phases[lit.var().index()] = !lit.is_negated();
            }
        }
        let keep = self.trail_limits[level as usize];
        for &lit in self.trail[keep..].iter().rev() {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phases[lit.var().index()] = !lit.is_negated();
            self.heap.insert(lit.var().0, &self.activity);
        }
        self.trail.truncate(keep);
        self.trail_limits.truncate(level as usize);
        self.propagated = keep;
    }
}
