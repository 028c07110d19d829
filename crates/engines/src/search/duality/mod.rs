//! `duality`: lazy annotation for Horn clauses.
//!
//! After K. L. McMillan, *Lazy Annotation Revisited*, CAV 2014 (002). The system is unwound to depth `k`; a
//! backtracking search for a derivation of the goal resolves subgoals with rules and narrows the goal
//! by decisions; where it fails, interpolants strengthen the annotation of the unwinding. When the
//! goal is refuted, the annotation is the hint from which a model of the system itself is made; else
//! `k` grows.
//!
//! | 002 | here |
//! |---|---|
//! | annotation `α` (section 3) | [`Annotation`]: lemmas of each predicate at each depth |
//! | goal `F ∣ C` | [`Goal`](goal::Goal): [`Subgoal`](goal::Subgoal)s and constraints |
//! | SEARCH (Figure 1) | [`Duality::search`] over an explicit stack of [`Frame`]s |
//! | RSTEP (Figure 1) | [`Duality::resolve`] |
//! | `ℒ_D`, decisions (section 4) | [`Decisions`] |
//! | back-jumping (section 4) | [`Duality::backtrack`]: expansions outside of the core are undone without a question |
//! | relevance score of a rule (section 4) | [`Duality::relevance`] |
//! | interpolant generalisation (section 4) | [`Duality::learn`]; by prime implicants of the prefix: [`Duality::by_samples`] |
//! | eager propagation (section 4) | [`Duality::backtrack`] |
//! | convergence phase | `converge`; LAWI, the one of the paper's experiments: [`lawi`] |
//!
//! Departures, with reasons:
//! - The predicates of the unwinding are those of the system at depths `0..k`, and stand for what has
//!   derivations of height *at most* that, so that the annotation is an expanding chain, as in `pdr`:
//!   what is learned at a depth also strengthens all smaller ones, goals and annotations carry over
//!   to the next `k`, and covering is implication between two depths, for non-linear clauses too. Without
//!   [`Options::chain`], depths are independent of each other, as in the paper.
//! - A minterm is cut down to the literals that make the rule's constraint true.
//! - Goals are kept small by eliminating what is eliminated *exactly* (`eliminate`): equalities are
//!   solved, and constants with bounds from one side only disappear. Nothing is specialised to a
//!   model, which is the trade-off that the paper holds against PDR.
//! - Where a proof has no interpolant (it mixes symbols, as proofs about arrays may), a projection of the
//!   suffix along one model is excluded instead. Every frame asks again before it believes that its
//!   resolvent is refuted, so nothing but time is lost.
//! - What was derived is kept (`facts`), so that derivations are graphs; without [`Options::facts`] they are trees.
//! - The rules of a predicate are interpolated one by one, as in Figure 1; their disjunction is then
//!   taken apart into clauses, each generalised by itself.

mod converge;
mod eliminate;
mod facts;
mod goal;
mod lawi;
mod learn;
mod samples;
mod search;

#[cfg(test)]
mod tests;

use crate::horn::{Annotation, Facts, HornVerdict, NewSolver, RuleId, Rules};
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, Map, Stats};
use craig_chc::System;
use craig_term::{TermId, Terms};
use search::Frame;
use std::time::Duration;

/// What narrows a goal after a resolution step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decisions {
    /// Nothing: the search becomes bounded model checking with interpolation.
    None,
    /// The disjunct of the rule's constraint that the model takes: a block of the program.
    Blocks,
    /// The literals of the rule's constraint that the model makes true.
    #[default]
    Minterms,
}

/// How an annotation of the unwinding becomes a model of the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Convergence {
    /// Two neighbouring depths with the same annotation.
    Covering,
    /// Also the largest inductive set of lemmas.
    #[default]
    Houdini,
    /// Also the strongest inductive conjunction over the lemmas' atoms.
    Predicates,
    /// Not of depths: nodes of an unwinding that grows one by one are covered by others (see `lawi`).
    Lawi,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub decisions: Decisions,
    pub back_jumping: bool,
    /// Rules that were not needed in the past are tried last.
    pub relevance: bool,
    /// Disjuncts of an interpolant are dropped while the rules imply the rest.
    pub generalisation: bool,
    /// Lemmas of the previous depth are propagated whenever the search backtracks.
    pub eager_propagation: bool,
    /// Generalisation may assume that what is learned held before.
    pub inductive_generalisation: bool,
    /// Interpolants that are no clauses are rebuilt from prime implicants of the prefix.
    pub samples: bool,
    /// What is learned at a depth counts at smaller ones, too.
    pub chain: bool,
    /// Subgoals are resolved with what was derived before (see `facts`).
    pub facts: bool,
    pub convergence: Convergence,
    /// The greatest depth to look at.
    pub bound: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            decisions: Decisions::Minterms,
            back_jumping: true,
            relevance: true,
            generalisation: true,
            eager_propagation: true,
            inductive_generalisation: false,
            samples: false,
            chain: true,
            facts: true,
            convergence: Convergence::Houdini,
            bound: None,
        }
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
    if options.convergence == Convergence::Lawi {
        return lawi::solve(terms, system, options, new_solver, budget, stats);
    }
    let rules = Rules::new(terms, system);
    let facts = Facts::new(rules.predicates.len());
    let relevance = IndexVec::from_elem(0, rules.rules.len());
    let annotation = Annotation::new(terms, rules, options.chain, new_solver, budget);
    let mut duality = Duality {
        terms,
        options,
        new_solver,
        budget,
        annotation,
        facts,
        relevance,
        stack: Vec::new(),
        constants: Map::default(),
        houdini: None,
        counts: Counts::default(),
    };
    let verdict = duality.run().unwrap_or_else(HornVerdict::Unknown);
    duality.report(stats);
    verdict
}

/// The search state.
struct Duality<'a> {
    terms: &'a mut Terms,
    options: &'a Options,
    new_solver: NewSolver<'a>,
    budget: &'a Budget,
    annotation: Annotation,
    facts: Facts,
    relevance: IndexVec<RuleId, i64>,
    /// One frame for each subgoal that is being derived; each expansion of the goal is in one frame.
    stack: Vec<Frame>,
    /// The constants that stand for a rule's constants in the frame at a height of the stack.
    constants: Map<(usize, TermId), TermId>,
    houdini: Option<converge::Houdini>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    resolutions: u64,
    decisions: u64,
    back_jumps: u64,
    propagations: u64,
    interpolations: u64,
    sampled: u64,
    interpolation_time: Duration,
    convergence_time: Duration,
}

impl Duality<'_> {
    fn run(&mut self) -> Result<HornVerdict, Reason> {
        loop {
            self.annotation.open_level(self.terms);
            if let Some(derivation) = self.search()? {
                return Ok(HornVerdict::Unsat(derivation));
            }
            if let Some(model) = self.converge()? {
                return Ok(HornVerdict::Sat(model));
            }
            if self.options.bound == Some(self.annotation.level) {
                return Err(Reason::Bounded(self.annotation.level));
            }
        }
    }

    fn report(&self, stats: &mut Stats) {
        self.annotation.report(stats);
        stats.add("resolution steps", self.counts.resolutions);
        stats.add("decisions", self.counts.decisions);
        stats.add("facts", self.facts.all.len() as u64);
        stats.add("back-jumps", self.counts.back_jumps);
        stats.add("propagations", self.counts.propagations);
        stats.add("interpolations", self.counts.interpolations);
        stats.add("interpolants from samples", self.counts.sampled);
        stats.add_time("interpolation", self.counts.interpolation_time);
        stats.add_time("convergence", self.counts.convergence_time);
    }
}
