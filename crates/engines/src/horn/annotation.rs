//! An over-approximation of every predicate at every level, and the questions asked about it.
//!
//! This is what `pdr` calls frames and 002 calls the annotation of an unwinding: the predicates at
//! level `n` stand for what has derivations of height at most `n`. Since more height allows more,
//! what holds at a level holds below it too, and a lemma is kept once, with its highest level. To see what that is
//! good for, levels can be made independent of each other, as 002 has them.
//!
//! Invariants: level 0 of every predicate is `false`; a lemma at level `n` follows, by every rule of
//! its predicate, from the lemmas at level `n - 1` and itself.

use super::context::{Context, Question};
use super::frames::Frames;
use super::{NewSolver, Reason, Rules};
use craig_base::{Budget, IndexVec, Set, Stats};
use craig_chc::{Interpretation, PredicateId};
use craig_smt::Answer;
use craig_smt::interpolate::checked::is_excluded;
use craig_term::{TermId, Terms};
use std::time::Duration;

pub struct Annotation {
    pub rules: Rules,
    /// One solver for the rules of each predicate.
    pub contexts: IndexVec<PredicateId, Context>,
    pub frames: Frames,
    chain: bool,
    /// The level at which the goal is asked for.
    pub level: usize,
    pub counts: Counts,
}

#[derive(Default)]
pub struct Counts {
    pub lemmas: u64,
    pub dropped_literals: u64,
    pub checks: u64,
    pub interpolation_time: Duration,
}

/// Why a cube cannot be derived.
#[derive(Clone, Debug)]
pub struct Blocked {
    pub core: Vec<TermId>,
    pub at_every_level: bool,
}

impl Annotation {
    /// Level 0 only. Levels are a chain, unless a lemma is to count at the level alone for which it was learned.
    pub fn new(
        terms: &mut Terms,
        rules: Rules,
        chain: bool,
        new_solver: NewSolver<'_>,
        budget: &Budget,
    ) -> Self {
        let mut contexts = IndexVec::new();
        for predicate in rules.predicates.indices() {
            contexts.push(Context::new(terms, &rules, predicate, new_solver));
        }
        let frames = Frames::new(rules.predicates.len(), chain);
        let counts = Counts::default();
        let mut annotation = Annotation { rules, contexts, frames, chain, level: 0, counts };
        annotation.open_level(terms);
        for predicate in annotation.rules.predicates.indices() {
            annotation.add_lemma(terms, predicate, Vec::new(), Terms::FALSE, Some(0), budget);
        }
        annotation
    }

    /// Makes room for one more level.
    pub fn open_level(&mut self, terms: &mut Terms) {
        self.level = self.contexts[self.rules.goal].levels();
        for predicate in self.rules.predicates.indices() {
            self.contexts[predicate].open_level(terms, self.chain);
        }
    }

    /// Whether a cube is not derivable at a level; if it is `None`, the context has a model.
    pub fn blocked_at(
        &mut self,
        terms: &mut Terms,
        predicate: PredicateId,
        cube: &[TermId],
        level: usize,
        budget: &Budget,
    ) -> Result<Option<Blocked>, Reason> {
        budget.check()?;
        let question = Question { cube: cube.to_vec(), level: level - 1, focus: None };
        self.counts.checks += 1;
        match self.contexts[predicate].ask(terms, &question, budget) {
            Answer::Sat => Ok(None),
            Answer::Unsat => {
                let (core, level_needed) = self.contexts[predicate].core(&question);
                Ok(Some(Blocked { core, at_every_level: !level_needed }))
            }
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Learns a lemma, and tells it to all rules that have the predicate in their body.
    pub fn add_lemma(
        &mut self,
        terms: &mut Terms,
        predicate: PredicateId,
        cube: Vec<TermId>,
        lemma: TermId,
        level: Option<usize>,
        budget: &Budget,
    ) {
        self.counts.lemmas += 1;
        self.frames.add(predicate, cube, lemma, level);
        debug_assert!(
            level == Some(0) || self.follows(terms, predicate, lemma, level, budget),
            "a lemma does not follow"
        );
        self.tell_lemma(terms, predicate, lemma, level);
    }

    fn tell_lemma(&mut self, terms: &mut Terms, predicate: PredicateId, lemma: TermId, level: Option<usize>) {
        for i in 0..self.rules.by_body[predicate].len() {
            let rule = self.rules.by_body[predicate][i];
            let head = self.rules.rules[rule].head;
            self.contexts[head].tell_lemma(terms, &self.rules, rule, predicate, lemma, level);
        }
    }

    /// Whether a lemma that was just added follows from the frames below its level, asked of a new
    /// solver; for debug builds.
    fn follows(
        &mut self,
        terms: &mut Terms,
        predicate: PredicateId,
        lemma: TermId,
        level: Option<usize>,
        budget: &Budget,
    ) -> bool {
        let below = level.map_or(usize::MAX, |level| level - 1);
        for &rule in &self.rules.by_head[predicate] {
            let rule = &self.rules.rules[rule];
            let mut parts = vec![rule.transition, terms.not(lemma)];
            for atom in &rule.body {
                let mut known = self.frames.formulas(atom.predicate, below);
                if atom.predicate == predicate {
                    known.push(lemma);
                }
                if below == 0 {
                    known.push(Terms::FALSE);
                }
                for formula in known {
                    parts.push(atom.instantiate(terms, &self.rules, formula));
                }
            }
            if !is_excluded(terms, &parts, budget) {
                return false;
            }
        }
        true
    }

    /// Drops literals as long as the rest is not derivable at the level, assuming that it is not
    /// derivable before: a smaller cube is a stronger lemma. Returns the level at which it holds.
    pub fn generalise(
        &mut self,
        terms: &mut Terms,
        predicate: PredicateId,
        core: Vec<TermId>,
        level: usize,
        at_every_level: bool,
        budget: &Budget,
    ) -> Result<(Vec<TermId>, Option<usize>), Reason> {
        let mut cube = core;
        let mut level = if at_every_level { None } else { Some(level) };
        let mut tried: Set<TermId> = Set::default();
        while let Some(literal) = cube.iter().copied().find(|literal| !tried.contains(literal)) {
            budget.check()?;
            tried.insert(literal);
            let smaller: Vec<TermId> = cube.iter().copied().filter(|&other| other != literal).collect();
            // Without a level, the question is about the highest one, where frames are weakest.
            let below = level.map_or(self.level, |level| level - 1);
            let question = Question { cube: smaller, level: below, focus: None };
            self.counts.checks += 1;
            let context = &mut self.contexts[predicate];
            let Some((core, level_needed)) =
                context.inductive_core(terms, &self.rules, predicate, &question, budget)
            else {
                continue;
            };
            if level.is_none() && level_needed {
                continue;
            }
            self.counts.dropped_literals += 1;
            cube = core;
            if !level_needed {
                level = None;
            }
        }
        Ok((cube, level))
    }

    /// Tries to push the lemmas of a predicate that are at exactly this level to the next one.
    /// Returns whether one was pushed.
    pub fn push_lemmas(
        &mut self,
        terms: &mut Terms,
        predicate: PredicateId,
        level: usize,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        let mut pushed = false;
        for lemma in self.frames.at_level(predicate, level) {
            let cube = self.frames.cube(predicate, lemma).to_vec();
            if let Some(blocked) = self.blocked_at(terms, predicate, &cube, level + 1, budget)? {
                let raised = if blocked.at_every_level { None } else { Some(level + 1) };
                if let Some(formula) = self.frames.raise(predicate, lemma, raised) {
                    self.tell_lemma(terms, predicate, formula, raised);
                    pushed = true;
                }
            }
        }
        Ok(pushed)
    }

    /// Pushes lemmas to the highest level at which they hold. Returns a level whose frame is
    /// inductive, if there is one.
    pub fn propagate(&mut self, terms: &mut Terms, budget: &Budget) -> Result<Option<usize>, Reason> {
        for level in 1..self.level {
            let mut last = true;
            for predicate in self.rules.predicates.indices() {
                self.push_lemmas(terms, predicate, level, budget)?;
                last &= self.frames.at_level(predicate, level).is_empty();
            }
            if last {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// The predicates' frames at a level, as an interpretation of the system.
    pub fn interpretation(&self, terms: &mut Terms, level: usize) -> Interpretation {
        let mut formulas = IndexVec::new();
        for predicate in self.rules.predicates.indices() {
            if predicate != self.rules.goal {
                let lemmas = self.frames.formulas(predicate, level);
                formulas.push(terms.and(&lemmas));
            }
        }
        Interpretation::new(formulas)
    }

    pub fn report(&self, stats: &mut Stats) {
        stats.add("depth", self.level as u64);
        stats.add("lemmas", self.counts.lemmas);
        stats.add("dropped literals", self.counts.dropped_literals);
        stats.add("solver calls", self.counts.checks);
    }
}
