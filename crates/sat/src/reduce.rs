//! Forgetting: learned clauses that were of no use, and clauses that are true on level 0.

use crate::clauses::ClauseRef;
use crate::solver::Solver;

/// Clauses of at most this glue are kept for ever.
const TIER_1: u32 = 2;
const REDUCE_INTERVAL: u64 = 1000;

impl Solver {
    pub(crate) fn reduce(&mut self) {
        self.reductions += 1;
        self.reduce_at = self.conflicts + 2 * REDUCE_INTERVAL + REDUCE_INTERVAL / 3 * self.reductions;
        let mut candidates = Vec::new();
        for i in 0..self.learned.len() {
            let clause = self.learned[i];
            if self.clauses.glue(clause) <= TIER_1 || self.clauses.len(clause) == 2 || self.is_reason(clause)
            {
                continue;
            }
            match self.clauses.used(clause) {
                0 => candidates.push(clause),
                used => self.clauses.set_used(clause, used - 1),
            }
        }
        candidates.sort_by(|&a, &b| {
            let key = |clause| (self.clauses.glue(clause), -self.clauses.activity(clause));
            key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal).then(b.0.cmp(&a.0))
        });
        candidates.truncate(candidates.len() / 2);
        for clause in candidates {
            self.clauses.delete(clause);
        }
        self.clean();
    }

    /// Deletes the clauses that are true for ever.
    pub(crate) fn simplify(&mut self) {
        debug_assert_eq!(self.level(), 0);
        self.simplified_at = self.trail.len();
        for i in 0..self.given.len() + self.learned.len() {
            let clause =
                if i < self.given.len() { self.given[i] } else { self.learned[i - self.given.len()] };
            let holds = self.clauses.lits(clause).any(|lit| self.value(lit) > 0);
            if holds && !self.is_reason(clause) {
                self.clauses.delete(clause);
            }
        }
        self.clean();
    }

    fn is_reason(&self, clause: ClauseRef) -> bool {
        // A binary clause may imply either literal; of others it is the first.
        self.clauses
            .lits(clause)
            .take(2)
            .any(|lit| self.value(lit) > 0 && self.reasons[lit.var().index()] == clause)
    }

    /// Takes deleted clauses out of all lists, and their memory back if there is much of it.
    fn clean(&mut self) {
        let clauses = &self.clauses;
        self.given.retain(|&clause| !clauses.is_deleted(clause));
        self.learned.retain(|&clause| !clauses.is_deleted(clause));
        for watches in &mut self.watches {
            watches.retain(|watch| !clauses.is_deleted(watch.clause));
        }
        if self.clauses.wasted * 3 < self.clauses.words() {
            return;
        }
        let moved = self.clauses.collect();
        let new_place = |clause: &mut ClauseRef| *clause = ClauseRef(moved[clause.0 as usize]);
        self.given.iter_mut().for_each(new_place);
        self.learned.iter_mut().for_each(new_place);
        for watches in &mut self.watches {
            watches.iter_mut().for_each(|watch| new_place(&mut watch.clause));
        }
        for lit in &self.trail {
            let reason = &mut self.reasons[lit.var().index()];
            if *reason != ClauseRef::NONE {
                new_place(reason);
            }
        }
    }
}
