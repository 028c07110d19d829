//! The search: propagate, learn from conflicts, decide; theories at each fixpoint.

use super::NativeSolver;
use super::clauses::ClauseRef;
use super::lit::Lit;
use super::sat::{Reason, Truth};
use super::theory::{FinalCheck, Lemma, add_explanation};
use crate::proof::{Certificate, Leaf};
use crate::solver::UnknownReason;
use craig_base::{Budget, Index};
use craig_term::Terms;

/// How a search ended.
pub(super) enum Outcome {
    Sat,
    /// With the assumptions that were needed.
    Unsat(Vec<Lit>),
    Unknown(UnknownReason),
}

/// Conflicts between two looks at the budget.
const CONFLICTS_PER_POLL: u64 = 64;
/// Decisions between two looks at the budget.
const DECISIONS_PER_POLL: u64 = 1024;

/// When to restart: the recent clauses are worse than the average (Glucose).
#[derive(Clone)]
struct Restarts {
    fast: f64,
    slow: f64,
    since: u64,
}

impl Restarts {
    fn learned(&mut self, lbd: u32) {
        let lbd = f64::from(lbd);
        self.fast += (lbd - self.fast) / 32.0;
        self.slow += (lbd - self.slow) / 4096.0;
        self.since += 1;
    }

    fn due(&self) -> bool {
        self.since >= 50 && self.fast > 1.2 * self.slow
    }
}

impl NativeSolver {
    /// Looks for an assignment under which all clauses and assumptions hold.
    pub(super) fn search(&mut self, terms: &mut Terms, assumptions: &[Lit], budget: &Budget) -> Outcome {
        let mut restarts = Restarts { fast: 0.0, slow: 8.0, since: 0 };
        let mut polled = self.sat.counters.conflicts;
        let limit = self.sat.counters.conflicts.saturating_add(self.options.conflicts);
        let mut decisions = 0;
        if let Err(reason) = budget.check() {
            return Outcome::Unknown(UnknownReason::Stopped(reason));
        }
        self.split_equalities();
        loop {
            if self.sat.refuted.is_some() {
                return Outcome::Unsat(Vec::new());
            }
            let conflict = match self.propagate(budget) {
                Ok(conflict) => conflict,
                Err(reason) => return Outcome::Unknown(UnknownReason::Stopped(reason)),
            };
            if let Some(conflict) = conflict {
                self.sat.counters.conflicts += 1;
                if self.sat.decision_level() == 0 {
                    self.sat.refute(conflict);
                    return Outcome::Unsat(Vec::new());
                }
                let lbd = self.learn(conflict);
                restarts.learned(lbd);
                if self.sat.counters.conflicts - polled >= CONFLICTS_PER_POLL {
                    polled = self.sat.counters.conflicts;
                    if let Err(reason) = budget.check() {
                        return Outcome::Unknown(UnknownReason::Stopped(reason));
                    }
                }
                continue;
            }
            if self.sat.counters.conflicts > limit {
                return Outcome::Unknown(UnknownReason::Conflicts);
            }
            if restarts.due() {
                restarts.since = 0;
                restarts.fast = restarts.slow;
                self.sat.counters.restarts += 1;
                let keep = assumptions.len() as u32;
                self.backtrack(keep.min(self.sat.decision_level()));
                continue;
            }
            self.sat.reduce_if_due();
            match self.decide(assumptions) {
                Decision::Made => {}
                Decision::Core(core) => return Outcome::Unsat(core),
                Decision::Complete => match self.complete(terms, budget) {
                    Ok(None) => {}
                    Ok(Some(outcome)) => return outcome,
                    Err(reason) => return Outcome::Unknown(UnknownReason::Stopped(reason)),
                },
            }
            decisions += 1;
            if decisions % DECISIONS_PER_POLL == 0
                && let Err(reason) = budget.check()
            {
                return Outcome::Unknown(UnknownReason::Stopped(reason));
            }
        }
    }

    /// Adds the three cases of each equality that may have to be false. With them bounds decide
    /// equalities, too; to wait until a model violates one costs many conflicts.
    pub(super) fn split_equalities(&mut self) {
        for index in 0..self.arith.negated_equalities.len() {
            let equality = self.arith.negated_equalities[index];
            if self.arith.split.contains(&equality) || self.close_triangles(equality) {
                continue;
            }
            self.arith.split.insert(equality);
            let lits = self.trichotomy(equality);
            self.add_lemma(&lits, Certificate::Trichotomy);
        }
    }

    pub(super) fn backtrack(&mut self, level: u32) {
        self.sat.backtrack(level);
        self.arith.backtrack(self.scopes.len() + level as usize);
        self.theory_head = self.theory_head.min(self.sat.trail.len());
    }

    fn new_level(&mut self) {
        self.sat.new_decision_level();
        self.arith.push();
    }

    /// Propagates through clauses and theories until nothing follows any more.
    fn propagate(&mut self, budget: &Budget) -> Result<Option<ClauseRef>, craig_base::StopReason> {
        loop {
            if let Some(conflict) = self.sat.propagate() {
                return Ok(Some(conflict));
            }
            while self.theory_head < self.sat.trail.len() {
                let lit = self.sat.trail[self.theory_head];
                self.theory_head += 1;
                if self.sat.is_theory_atom[lit.var().index()]
                    && self.needed[lit.index()]
                    && let Err(lemma) = self.arith.assert(lit)
                {
                    return Ok(self.theory_conflict(lemma));
                }
            }
            if self.propagate_theory() {
                continue;
            }
            if let Err(lemma) = self.arith.check(budget)? {
                return Ok(self.theory_conflict(lemma));
            }
            self.arith.simplex.propagate_rows();
            if !self.propagate_theory() {
                return Ok(None);
            }
        }
    }

    /// Assigns the literals that the theory found; whether there were any.
    fn propagate_theory(&mut self) -> bool {
        let mut implied = std::mem::take(&mut self.implied);
        self.arith.propagate(&mut implied);
        let mut any = false;
        for &propagation in &implied {
            let lit = Lit(propagation.literal);
            // Where it is false, either the theory hears of that and finds the conflict itself, or no
            // clause needs it to be false.
            if self.sat.value(lit) != Truth::Unknown {
                continue;
            }
            any = true;
            self.arith.set_explanation(propagation);
            if self.sat.decision_level() == 0 {
                let Lemma { lits, certificate } = self.arith.explanation(lit);
                let clause = add_explanation(&mut self.sat, &lits, certificate);
                self.sat.assign(lit, Reason::Clause(clause));
            } else {
                self.sat.assign(lit, Reason::Theory);
            }
        }
        implied.clear();
        self.implied = implied;
        any
    }

    /// A lemma that is false: goes back to the level where it became so. `None` if level 0 is
    /// contradictory.
    fn theory_conflict(&mut self, lemma: Lemma) -> Option<ClauseRef> {
        let level = lemma.lits.iter().map(|lit| self.sat.level(lit.var())).max().unwrap_or(0);
        let clause = add_explanation(&mut self.sat, &lemma.lits, lemma.certificate);
        self.backtrack(level);
        Some(clause)
    }

    /// Learns a clause from a conflict and goes back to where it implies a new literal.
    fn learn(&mut self, conflict: ClauseRef) -> u32 {
        let level = self.sat.clauses.lits(conflict).map(|lit| self.sat.level(lit.var())).max().unwrap_or(0);
        self.backtrack(level);
        if level == 0 {
            self.sat.refute(conflict);
            return 0;
        }
        let learned = self.sat.analyze(conflict, &mut self.arith);
        self.backtrack(learned.backtrack_level);
        if let [unit] = learned.lits[..] {
            self.sat.assign_unit(unit, learned.step);
        } else {
            let clause = self.sat.clauses.add(&learned.lits, true, learned.lbd, learned.step);
            self.sat.learnts.push(clause);
            self.sat.attach(clause);
            self.sat.bump_clause(clause);
            self.sat.assign(learned.lits[0], Reason::Clause(clause));
        }
        self.sat.decay();
        learned.lbd
    }

    fn decide(&mut self, assumptions: &[Lit]) -> Decision {
        while (self.sat.decision_level() as usize) < assumptions.len() {
            let lit = assumptions[self.sat.decision_level() as usize];
            match self.sat.value(lit) {
                Truth::True => self.new_level(),
                Truth::False => return Decision::Core(self.assumption_core(lit)),
                Truth::Unknown => {
                    self.new_level();
                    self.sat.assign(lit, Reason::None);
                    return Decision::Made;
                }
            }
        }
        let Some(lit) = self.sat.pick_branch() else { return Decision::Complete };
        let lit = self.without_commitment(lit);
        self.sat.counters.decisions += 1;
        self.new_level();
        self.sat.assign(lit, Reason::None);
        Decision::Made
    }

    /// The phase of an atom that no clause needs, if there is one: it costs the theory nothing.
    fn without_commitment(&self, lit: Lit) -> Lit {
        if self.sat.is_theory_atom[lit.var().index()]
            && self.needed[lit.index()]
            && !self.needed[(!lit).index()]
        {
            !lit
        } else {
            lit
        }
    }

    /// The assumptions that make `lit`, itself one, false.
    fn assumption_core(&mut self, lit: Lit) -> Vec<Lit> {
        // The proof treats an assumption as a unit clause, which is added when it is asked for.
        let (mut core, step) = self.sat.analyze_assumption(!lit, &mut self.arith);
        core.push(lit);
        self.core_step = step;
        core
    }

    /// All variables are assigned: asks the theories whether the integers and disequalities agree.
    fn complete(
        &mut self,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Option<Outcome>, craig_base::StopReason> {
        match self.arith.final_check(budget)? {
            FinalCheck::Consistent => {
                budget.check()?;
                Ok(self.check_structures(terms))
            }
            FinalCheck::GiveUp => Ok(Some(Outcome::Unknown(UnknownReason::Splits))),
            FinalCheck::Conflict(lemma) => {
                if let Some(conflict) = self.theory_conflict(lemma) {
                    self.sat.counters.conflicts += 1;
                    self.learn(conflict);
                }
                Ok(None)
            }
            FinalCheck::Split { atom, negated } => {
                let lit = self.atom_literal(atom, None);
                let lit = if negated { !lit } else { lit };
                let told = self.needed[lit.index()] && self.needed[(!lit).index()];
                self.needs(lit);
                self.needs(!lit);
                if self.sat.value(lit) == Truth::Unknown {
                    self.new_level();
                    self.sat.assign(lit, Reason::None);
                } else if told {
                    debug_assert!(false, "a split on an atom that the theory knows");
                    return Ok(Some(Outcome::Unknown(UnknownReason::Splits)));
                } else {
                    // It was decided before it mattered; now that it does, the theory hears of it.
                    self.retell(lit);
                }
                Ok(None)
            }
            FinalCheck::Disequality(equality) => {
                let lits = self.trichotomy(equality);
                self.arith.split.insert(equality);
                self.add_lemma(&lits, Certificate::Trichotomy);
                Ok(None)
            }
        }
    }

    /// A literal that was irrelevant for the theory when it was assigned became relevant: goes back
    /// to before its assignment.
    fn retell(&mut self, lit: Lit) {
        let level = self.sat.level(lit.var());
        if level == 0 {
            self.backtrack(0);
            self.theory_head = 0;
        } else {
            self.backtrack(level - 1);
        }
    }

    /// Adds a lemma of which at most one literal is true or open.
    fn add_lemma(&mut self, lits: &[Lit], certificate: Certificate) {
        for &lit in lits {
            if !self.needed[lit.index()] {
                self.needs(lit);
                if self.sat.is_true(lit) {
                    self.retell(lit);
                }
            }
        }
        let mut lits = lits.to_vec();
        let step = self.sat.proof.leaf(&lits, || Leaf::Theory(certificate));
        // Open and true literals are watched, then those that were falsified last.
        lits.sort_by_key(|&lit| (self.sat.is_false(lit), std::cmp::Reverse(self.sat.level(lit.var()))));
        let clause = self.sat.clauses.add(&lits, false, 0, step);
        self.sat.problem.push(clause);
        self.sat.attach(clause);
        if self.sat.is_false(lits[0]) {
            // Going back to before the first literal was falsified opens at least that one.
            let level = self.sat.level(lits[0].var());
            if level == 0 {
                self.sat.refute(clause);
                return;
            }
            self.backtrack(level - 1);
        }
        if self.sat.is_false(lits[1]) && self.sat.value(lits[0]) == Truth::Unknown {
            self.backtrack(self.sat.level(lits[1].var()));
            if lits[1..].iter().all(|&lit| self.sat.is_false(lit)) {
                self.sat.assign(lits[0], Reason::Clause(clause));
            }
        }
    }
}

enum Decision {
    Made,
    Core(Vec<Lit>),
    Complete,
}
