//! `pdr`: generalised property-directed reachability for Horn clauses.
//!
//! After Hoder and Bjørner (*Generalized Property Directed Reachability*, SAT 2012) and Komuravelli,
//! Gurfinkel and Chaki (*SMT-Based Model Checking for Recursive Programs*, CAV 2014): 002 compares
//! itself with this family.
//!
//! | notion | here |
//! |---|---|
//! | frame: what a predicate over-approximates at a level | the lemmas of an [`Annotation`] with that level or more |
//! | proof obligation, query, goal | [`Obligation`](obligations::Obligation): a cube, a predicate, a level |
//! | Decide | [`Pdr::expand`] makes an obligation for one atom of a rule's body, by projection |
//! | Conflict, Leaf | [`Pdr::block`] learns a lemma, generalised by [`Annotation::add_up`] and [`Annotation::generalise`] |
//! | must summary, reach fact | `horn::facts`: a cube that is derivable, with its rule and premises |
//! | Propagate, Induction | [`Annotation::propagate`] |
//!
//! Level 0 of every predicate is `false`; an obligation at level `n` is about derivations of depth
//! at most `n`. The goal is asked for at levels 1, 2, ... A rule with several atoms in its body is
//! taken atom by atom: atoms that were found derivable must lie in a fact, the others may be anything
//! that their frames allow, and the first of those becomes an obligation.
//!
//! Invariants: a lemma at level `n` holds for all atoms with derivations of depth `n`; frames only
//! get stronger towards level 0; each point of a fact is derivable from points of its premises.

mod expand;
mod obligations;

#[cfg(test)]
mod tests;

use crate::horn::{Annotation, Blocked, FactId, Facts, HornVerdict, NewSolver, RuleId, Rules};
use crate::verdict::Reason;
use craig_base::{Budget, Map, Stats};
use craig_chc::{PredicateId, System};
use craig_term::{Op, TermId, Terms};
use obligations::{ObligationId, Obligations};

#[derive(Clone, Debug)]
pub struct Options {
    /// Add up the inequalities of what cannot be derived.
    pub farkas: bool,
    /// Keep obligations that were blocked and ask them again at higher levels.
    pub preserve_goals: bool,
    /// The highest level to look at.
    pub bound: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Options { farkas: true, preserve_goals: false, bound: None }
    }
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

/// How many lemmas that differ in numbers only are learned before inequalities are added up.
const REPETITIONS: u32 = 2;

/// The search state.
struct Pdr<'a> {
    terms: &'a mut Terms,
    options: &'a Options,
    budget: &'a Budget,
    annotation: Annotation,
    facts: Facts,
    obligations: Obligations,
    /// How many lemmas of each shape were learned.
    shapes: Map<(PredicateId, Shape), u32>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    obligations: u64,
    facts: u64,
    checks: u64,
}

/// How an attempt to derive an obligation ended.
enum Expansion {
    /// It is derivable.
    Derived(FactId),
    /// An atom of the body has to be looked at first.
    Child(ObligationId),
    /// Not derivable at its level.
    Blocked(Blocked),
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
        let facts = Facts::new(rules.predicates.len());
        let annotation = Annotation::new(terms, rules, true, new_solver, budget);
        Pdr {
            terms,
            options,
            budget,
            annotation,
            facts,
            obligations: Obligations::default(),
            shapes: Map::default(),
            counts: Counts::default(),
        }
    }

    fn run(&mut self) -> Result<HornVerdict, Reason> {
        loop {
            self.annotation.open_level(self.terms);
            if let Some(fact) = self.block_goal()? {
                let facts = &self.facts;
                let derivation = facts.derivation(self.terms, &mut self.annotation, fact, self.budget)?;
                return Ok(HornVerdict::Unsat(derivation));
            }
            if let Some(level) = self.annotation.propagate(self.terms, self.budget)? {
                return Ok(HornVerdict::Sat(self.annotation.interpretation(self.terms, level)));
            }
            if self.options.bound == Some(self.annotation.level) {
                return Err(Reason::Bounded(self.annotation.level));
            }
        }
    }

    /// Looks for a derivation of the goal at the current level.
    fn block_goal(&mut self) -> Result<Option<FactId>, Reason> {
        let root = self.obligations.add(self.annotation.rules.goal, Vec::new(), self.annotation.level, None);
        self.obligations.enqueue(root);
        while let Some(id) = self.obligations.first() {
            self.budget.check()?;
            self.counts.obligations += 1;
            match self.expand(id)? {
                Expansion::Child(child) => self.obligations.enqueue(child),
                Expansion::Derived(fact) => {
                    if self.obligations[id].predicate == self.annotation.rules.goal {
                        self.obligations.clear_queue();
                        return Ok(Some(fact));
                    }
                    self.obligations.dequeue(id);
                    self.obligations.settle(id);
                }
                Expansion::Blocked(blocked) => {
                    self.obligations.dequeue(id);
                    self.block(id, blocked)?;
                }
            }
        }
        Ok(None)
    }

    /// Learns why an obligation is not derivable, and postpones it to the next level.
    fn block(&mut self, id: ObligationId, blocked: Blocked) -> Result<(), Reason> {
        let (predicate, at) = (self.obligations[id].predicate, self.obligations[id].level);
        let Blocked { core, at_every_level } = blocked.clone();
        let (mut cube, mut level) =
            self.annotation.generalise(self.terms, predicate, core, at, at_every_level, self.budget)?;
        let repeated = self.shapes.entry((predicate, shape(self.terms, &cube))).or_default();
        *repeated += 1;
        if self.options.farkas
            && *repeated > REPETITIONS
            && let Some(Blocked { core, at_every_level }) =
                self.annotation.add_up(self.terms, predicate, &blocked, at, self.budget)?
        {
            (cube, level) =
                self.annotation.generalise(self.terms, predicate, core, at, at_every_level, self.budget)?;
        }
        let conjunction = self.terms.and(&cube);
        let lemma = self.terms.not(conjunction);
        self.annotation.add_lemma(self.terms, predicate, cube, lemma, level, self.budget);
        if self.options.preserve_goals
            && predicate != self.annotation.rules.goal
            && let Some(level) = level
            && level < self.annotation.level
        {
            self.obligations.raise(id, level + 1);
            self.obligations.enqueue(id);
        }
        Ok(())
    }

    fn report(&self, stats: &mut Stats) {
        self.annotation.report(stats);
        stats.add("resolution steps", self.counts.obligations);
        stats.add("facts", self.counts.facts);
        stats.add_time("interpolation", self.annotation.counts.interpolation_time);
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

/// Literals without their numbers.
type Shape = Vec<(TermId, Option<Op>, bool)>;

/// What cubes with other bounds of the same sums have in common.
fn shape(terms: &Terms, cube: &[TermId]) -> Shape {
    let literal = |&literal: &TermId| {
        let (atom, negated) = terms.strip_not(literal);
        match terms.op(atom) {
            op @ (Op::Le | Op::Lt | Op::Eq) if terms.number(terms.arg(atom, 1)).is_some() => {
                (terms.arg(atom, 0), Some(op), negated)
            }
            _ => (atom, None, negated),
        }
    };
    let mut shape: Shape = cube.iter().map(literal).collect();
    shape.sort_by_key(|&(t, _, negated)| (t, negated));
    shape
}
