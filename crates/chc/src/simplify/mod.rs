//! Simplification of Horn clauses, with the way back for models and derivations.
//!
//! | step | what | models go back by | derivations go back by |
//! |---|---|---|---|
//! | slicing | predicates that no clause derives, or that do not matter for `false` | `false`, `true` | nothing to do |
//! | equalities (`clause`) | `x = t` in a constraint is substituted | nothing to do | a question about the original clause |
//! | constants (`arguments`) | an argument that has one value in all that is derived is replaced by it | the same equality | nothing to do |
//! | arguments (`arguments`) | those that nothing depends on are dropped | nothing to do | values of the original atoms |
//! | inlining (`inline`) | a predicate that is not its own premise is resolved away where that does not add clauses | an interpolant between what derives it and what uses it (`model`) | the clauses behind a clause, in one question (`derivation`) |
//! | locations (`control`) | a transition system with control in its arguments gets a predicate for each location | a case for each location | values of the location |
//! | merging (`inline`) | clauses with the same head and body predicates become one, with a disjunction: large blocks | nothing to do | the same question |
//!
//! Predicates keep their numbers and those of their parameters that matter; the ones that were eliminated
//! occur in no clause any more. Slicing, inlining and merging alternate until nothing changes;
//! constants are looked for before and after, and arguments are dropped in the end. If a transition system with
//! locations is left, all of this is done once more with these.

mod arguments;
mod clause;
mod control;
mod derivation;
mod inline;
mod model;

use crate::system::{Clause, ClauseId, PredicateId, System};
use craig_base::{Budget, IndexVec, index_type};
use craig_smt::UnknownReason;
use craig_term::{TermId, Terms};
use std::fmt;

pub(crate) use arguments::{Constants, with_constants};
pub(crate) use clause::simplify as simplify_clause;

index_type!(
    /// How a clause came about.
    pub(crate) OriginId,
    "g"
);

/// Where a clause comes from. Parts come before what is made of them.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Clause(ClauseId),
    /// The atom at `position` in the body of `using` is derived by `defining`, whose body stands in
    /// its place.
    Resolve {
        using: OriginId,
        position: usize,
        defining: OriginId,
        premises: usize,
        predicate: PredicateId,
    },
    /// One of several clauses with the same head and body predicates.
    Choice(Vec<OriginId>),
}

#[derive(Clone, Debug)]
pub(crate) struct Tracked {
    pub clause: Clause,
    pub origin: OriginId,
}

/// What was known about a predicate when it left the system.
#[derive(Clone, Debug)]
pub(crate) enum Eliminated {
    /// Nothing derives it.
    Empty(PredicateId),
    /// Nothing that matters uses it.
    Unused(PredicateId),
    /// Arguments that have one value in all that is derived.
    Constants(Vec<((PredicateId, usize), TermId)>),
    Inlined {
        predicate: PredicateId,
        defining: Vec<Clause>,
        using: Vec<Clause>,
    },
}

/// A simpler system, and how to get back from it.
#[derive(Clone, Debug)]
pub struct Simplified {
    pub system: System,
    /// The origin of each clause of the system.
    clause_origins: IndexVec<ClauseId, OriginId>,
    origins: IndexVec<OriginId, Origin>,
    eliminated: Vec<Eliminated>,
    kept: arguments::Kept,
    /// Where the system is one by locations: what it is made of, how, and how that was simplified.
    located: Option<Box<(System, control::Located, Simplified)>>,
}

/// Why an answer for the simpler system is none for the original one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackError {
    Unknown(UnknownReason),
    /// The answer was wrong, or its translation is: a bug.
    Wrong(&'static str),
}

impl fmt::Display for BackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackError::Unknown(reason) => reason.fmt(f),
            BackError::Wrong(what) => f.write_str(what),
        }
    }
}

/// Which answers have to go back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answers {
    Both,
    Models,
}

/// Simplifies a system. When the budget ends, what was reached so far is the result.
pub fn simplify(terms: &mut Terms, system: &System, budget: &Budget) -> Simplified {
    simplify_for(terms, system, Answers::Both, budget)
}

/// The same, where arguments are dropped as well that only atoms of one predicate share at one position. Models go back, and
/// derivations do not: the atoms may come from different ones.
pub fn simplify_for_models(terms: &mut Terms, system: &System, budget: &Budget) -> Simplified {
    simplify_for(terms, system, Answers::Models, budget)
}

fn simplify_for(terms: &mut Terms, system: &System, answers: Answers, budget: &Budget) -> Simplified {
    let mut simplified = without_locations(terms, system, answers, budget);
    if let Some(located) = control::locate(terms, &simplified.system, budget) {
        let simpler = without_locations(terms, &located.system, answers, budget);
        let before = std::mem::replace(&mut simplified.system, simpler.system.clone());
        simplified.located = Some(Box::new((before, located, simpler)));
    }
    simplified
}

/// All steps but locations.
fn without_locations(terms: &mut Terms, system: &System, answers: Answers, budget: &Budget) -> Simplified {
    let mut origins = IndexVec::new();
    let mut clauses = Vec::new();
    for (id, original) in system.clauses.enumerated() {
        let origin = origins.push(Origin::Clause(id));
        let renamed = original.renamed(terms);
        if let Some(clause) = clause::simplify(terms, renamed) {
            clauses.push(Tracked { clause, origin });
        }
    }
    let mut work = inline::Work { clauses, origins, eliminated: Vec::new(), gone: Default::default() };
    work.slice(system);
    let constants = arguments::constants(terms, system, &work.clauses);
    arguments::substitute_constants(terms, &constants, &mut work.clauses, &mut work.eliminated);
    work.merge_all(terms, system);
    while budget.check().is_ok() && work.inline_one(terms, system) {}
    work.slice(system);
    let constants = arguments::constants(terms, system, &work.clauses);
    arguments::substitute_constants(terms, &constants, &mut work.clauses, &mut work.eliminated);
    let kept = arguments::relevant(terms, system, &constants, &work.clauses, answers);
    let mut clause_origins = IndexVec::new();
    let mut simpler = System { predicates: system.predicates.clone(), ..System::default() };
    for (predicate, kept) in simpler.predicates.iter_mut().zip(&kept) {
        arguments::retain(kept, &mut predicate.parameters);
    }
    for Tracked { mut clause, origin } in work.clauses {
        arguments::shorten(&kept, &mut clause);
        simpler.clauses.push(clause);
        clause_origins.push(origin);
    }
    Simplified {
        system: simpler,
        clause_origins,
        origins: work.origins,
        eliminated: work.eliminated,
        kept,
        located: None,
    }
}
