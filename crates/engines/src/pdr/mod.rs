//! `pdr`: generalised property-directed reachability for Horn clauses.
//!
//! After Hoder and Bjørner (*Generalized Property Directed Reachability*, SAT 2012) and Komuravelli,
//! Gurfinkel and Chaki (*SMT-Based Model Checking for Recursive Programs*, CAV 2014): 002 compares
//! itself with this family.
//!
//! | notion | here |
//! |---|---|
//! | frame: what a predicate over-approximates at a level | the [`Lemma`](frames::Lemma)s of a predicate with that level or more |
//! | proof obligation, query, goal | [`Obligation`](obligations::Obligation): a cube, a predicate, a level |
//! | Decide | [`Pdr::expand`] makes an obligation for one atom of a rule's body, by projection |
//! | Conflict, Leaf | [`Pdr::block`] learns a lemma, generalised in `generalise` |
//! | must summary, reach fact | [`Fact`](facts::Fact): a cube that is derivable, with its rule and premises |
//! | Propagate, Induction | [`Pdr::propagate`] |
//!
//! Level 0 of every predicate is `false`; an obligation at level `n` is about derivations of depth
//! at most `n`. The goal is asked for at levels 1, 2, ... A rule with several atoms in its body is
//! taken atom by atom: atoms that were found derivable must lie in a fact, the others may be anything
//! that their frames allow, and the first of those becomes an obligation.
//!
//! Invariants: a lemma at level `n` holds for all atoms with derivations of depth `n`; frames only
//! get stronger towards level 0; each point of a fact is derivable from points of its premises.

mod context;
mod facts;
mod frames;
mod generalise;
mod obligations;

#[cfg(test)]
mod tests;

use crate::horn::{HornVerdict, Reason, RuleId, Rules};
use context::Context;
use craig_base::{Budget, IndexVec, Stats};
use craig_chc::{Interpretation, PredicateId, System};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{TermId, Terms};
use facts::{FactId, Facts};
use frames::Frames;
use obligations::{ObligationId, Obligations};

/// How an engine gets its solvers.
pub type NewSolver<'a> = &'a dyn Fn() -> Box<dyn Solver>;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Keep obligations that were blocked and ask them again at higher levels.
    pub preserve_goals: bool,
    /// The highest level to look at.
    pub bound: Option<usize>,
}

/// Solves a system of Horn clauses.
pub fn solve(
    terms: &mut Terms,
    system: &System,
    options: &Options,
    new_solver: NewSolver<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> HornVerdict {
    let mut pdr = Pdr::new(terms, system, options, new_solver, budget);
    let verdict = pdr.run().unwrap_or_else(HornVerdict::Unknown);
    pdr.report(stats);
    verdict
}

/// The search state.
struct Pdr<'a> {
    terms: &'a mut Terms,
    options: &'a Options,
    budget: &'a Budget,
    rules: Rules,
    /// One solver for the rules of each predicate.
    contexts: IndexVec<PredicateId, Context>,
    frames: Frames,
    facts: Facts,
    obligations: Obligations,
    /// The level at which the goal is asked for.
    level: usize,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    obligations: u64,
    lemmas: u64,
    dropped_literals: u64,
    facts: u64,
    checks: u64,
}

/// How an attempt to derive an obligation ended.
enum Expansion {
    /// It is derivable.
    Derived(FactId),
    /// An atom of the body has to be looked at first.
    Child(ObligationId),
    /// Not derivable at its level: the literals that show it, and whether the level matters.
    Blocked { core: Vec<TermId>, at_every_level: bool },
}

impl<'a> Pdr<'a> {
    fn new(
        terms: &'a mut Terms,
        system: &System,
        options: &'a Options,
        new_solver: NewSolver<'_>,
        budget: &'a Budget,
    ) -> Self {
        let rules = Rules::new(terms, system);
        let mut contexts = IndexVec::new();
        for predicate in rules.predicates.indices() {
            contexts.push(Context::new(terms, &rules, predicate, new_solver));
        }
        let frames = Frames::new(rules.predicates.len());
        let facts = Facts::new(rules.predicates.len());
        Pdr {
            terms,
            options,
            budget,
            rules,
            contexts,
            frames,
            facts,
            obligations: Obligations::default(),
            level: 0,
            counts: Counts::default(),
        }
    }

    fn run(&mut self) -> Result<HornVerdict, Reason> {
        self.open_level();
        loop {
            self.open_level();
            if let Some(fact) = self.block_goal()? {
                return Ok(HornVerdict::Unsat(self.derivation(fact)?));
            }
            if let Some(level) = self.propagate()? {
                return Ok(HornVerdict::Sat(self.interpretation(level)));
            }
            if self.options.bound == Some(self.level) {
                return Err(Reason::Bounded(self.level));
            }
        }
    }

    /// Makes room for one more level. Level 0 is opened first, and stays `false`.
    fn open_level(&mut self) {
        let level = self.contexts[self.rules.goal].levels();
        for predicate in self.rules.predicates.indices() {
            self.contexts[predicate].open_level(self.terms);
        }
        if level == 0 {
            for predicate in self.rules.predicates.indices() {
                self.add_lemma(predicate, Vec::new(), Terms::FALSE, Some(0));
            }
        }
        self.level = level;
    }

    /// Looks for a derivation of the goal at the current level.
    fn block_goal(&mut self) -> Result<Option<FactId>, Reason> {
        let root = self.obligations.add(self.rules.goal, Vec::new(), self.level, None);
        self.obligations.enqueue(root);
        while let Some(id) = self.obligations.first() {
            self.budget.check()?;
            self.counts.obligations += 1;
            match self.expand(id)? {
                Expansion::Child(child) => self.obligations.enqueue(child),
                Expansion::Derived(fact) => {
                    if self.obligations[id].predicate == self.rules.goal {
                        self.obligations.clear_queue();
                        return Ok(Some(fact));
                    }
                    self.obligations.dequeue(id);
                    self.obligations.settle(id);
                }
                Expansion::Blocked { core, at_every_level } => {
                    self.obligations.dequeue(id);
                    self.block(id, core, at_every_level)?;
                }
            }
        }
        Ok(None)
    }

    /// Learns why an obligation is not derivable, and postpones it to the next level.
    fn block(&mut self, id: ObligationId, core: Vec<TermId>, at_every_level: bool) -> Result<(), Reason> {
        let (predicate, level) = (self.obligations[id].predicate, self.obligations[id].level);
        let (cube, level) = self.generalise(predicate, core, level, at_every_level)?;
        let conjunction = self.terms.and(&cube);
        let lemma = self.terms.not(conjunction);
        self.add_lemma(predicate, cube, lemma, level);
        if self.options.preserve_goals
            && predicate != self.rules.goal
            && let Some(level) = level
            && level < self.level
        {
            self.obligations.raise(id, level + 1);
            self.obligations.enqueue(id);
        }
        Ok(())
    }

    /// Learns a lemma, and tells it to all rules that have the predicate in their body.
    fn add_lemma(&mut self, predicate: PredicateId, cube: Vec<TermId>, lemma: TermId, level: Option<usize>) {
        self.counts.lemmas += 1;
        self.frames.add(predicate, cube, lemma, level);
        debug_assert!(level == Some(0) || self.follows(predicate, lemma, level), "a lemma does not follow");
        self.tell_lemma(predicate, lemma, level);
    }

    fn tell_lemma(&mut self, predicate: PredicateId, lemma: TermId, level: Option<usize>) {
        for i in 0..self.rules.by_body[predicate].len() {
            let rule = self.rules.by_body[predicate][i];
            let head = self.rules.rules[rule].head;
            self.contexts[head].tell_lemma(self.terms, &self.rules, rule, predicate, lemma, level);
        }
    }

    /// Whether a lemma that was just added follows from the frames below its level, asked of a new
    /// solver; for debug builds.
    fn follows(&mut self, predicate: PredicateId, lemma: TermId, level: Option<usize>) -> bool {
        let below = level.map_or(usize::MAX, |level| level - 1);
        for &rule in &self.rules.by_head[predicate] {
            let rule = &self.rules.rules[rule];
            let mut parts = vec![rule.transition, self.terms.not(lemma)];
            for atom in &rule.body {
                let mut known = self.frames.formulas(atom.predicate, below);
                if atom.predicate == predicate {
                    known.push(lemma);
                }
                if below == 0 {
                    known.push(Terms::FALSE);
                }
                for formula in known {
                    parts.push(atom.instantiate(self.terms, &self.rules, formula));
                }
            }
            let violation = self.terms.and(&parts);
            let mut solver = NativeSolver::default();
            solver.assert(self.terms, violation);
            if solver.check(self.terms, &[], self.budget) == Answer::Sat {
                return false;
            }
        }
        true
    }

    /// Pushes lemmas to the highest level at which they hold. Returns a level whose frame is
    /// inductive, if there is one.
    fn propagate(&mut self) -> Result<Option<usize>, Reason> {
        for level in 1..self.level {
            for predicate in self.rules.predicates.indices() {
                for lemma in self.frames.at_level(predicate, level) {
                    let cube = self.frames.cube(predicate, lemma).to_vec();
                    if let Some(blocked) = self.blocked_at(predicate, &cube, level + 1)? {
                        let raised = if blocked.at_every_level { None } else { Some(level + 1) };
                        let formula = self.frames.raise(predicate, lemma, raised);
                        self.tell_lemma(predicate, formula, raised);
                    }
                }
            }
            if self
                .rules
                .predicates
                .indices()
                .all(|predicate| self.frames.at_level(predicate, level).is_empty())
            {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// The predicates' frames at a level, as an interpretation of the system.
    fn interpretation(&mut self, level: usize) -> Interpretation {
        let mut formulas = IndexVec::new();
        for predicate in self.rules.predicates.indices() {
            if predicate != self.rules.goal {
                let lemmas = self.frames.formulas(predicate, level);
                formulas.push(self.terms.and(&lemmas));
            }
        }
        Interpretation { formulas }
    }

    fn report(&self, stats: &mut Stats) {
        stats.add("levels", self.level as u64);
        stats.add("obligations", self.counts.obligations);
        stats.add("lemmas", self.counts.lemmas);
        stats.add("dropped literals", self.counts.dropped_literals);
        stats.add("facts", self.counts.facts);
        stats.add("solver calls", self.counts.checks);
    }
}

/// A rule of an obligation that is being derived atom by atom.
#[derive(Clone, Debug)]
struct Focus {
    rule: RuleId,
    /// For each atom of the body, whether it must lie in a fact.
    derived: Vec<bool>,
}
