//! From specifications to contracts.
//!
//! The specifications of a function together are a relation `R` of parameters, returns and error:
//! each guard implies its summary. Where a function fails, the other returns are arbitrary; so it can
//! fail only for parameters for which `R` allows the error with any returns, zeros for example. It
//! requires the opposite, and ensures `R` without the error. What the domain knows is required and ensured
//! as well.

use super::ranges::Range;
use super::{Spec, Whale};
use crate::view::functions::{Function, FunctionId};
use craig_base::{IndexVec, Map};
use craig_certificate::{Summaries, Triple};
use craig_program::Program;
use craig_program::encode::StateNames;
use craig_term::{Sort, Substitution, TermId, Terms};

impl Whale<'_> {
    /// The contracts of a safe and complete iARG.
    pub(super) fn summaries(&mut self) -> Summaries {
        let mut specs: Map<FunctionId, Vec<Spec>> = Map::default();
        for id in self.args.indices().filter(|&id| !self.is_covered(id)) {
            let arg = &self.args[id];
            specs.entry(arg.function).or_default().extend(&arg.specs);
        }
        let mut triples = IndexVec::new();
        for (id, function) in self.view.functions.enumerated() {
            let specs = specs.get(&id).map_or(&[][..], Vec::as_slice);
            triples.push(triple(self.terms, self.program, function, &self.ranges[id], specs));
        }
        self.view.contracts(self.program, &triples)
    }
}

/// What the specifications say of the way from the function's start to the exit.
fn triple(
    terms: &mut Terms,
    program: &Program,
    function: &Function<'_>,
    range: &Range,
    specs: &[Spec],
) -> Triple {
    let relation: Vec<TermId> = specs.iter().map(|spec| terms.implies(spec.guard, spec.summary)).collect();
    let relation = terms.and(&relation);
    let mut names = StateNames::default();
    let mut pairs: Vec<(TermId, TermId)> =
        function.params.iter().map(|slot| (slot.constant, names.entry(program, terms, slot.var))).collect();
    let known = Substitution::from_pairs(pairs.clone()).apply(terms, range.entry);
    let no_failure = match function.error {
        None => Terms::TRUE,
        Some(error) => {
            let mut failing = pairs.clone();
            failing.push((error, Terms::TRUE));
            for slot in &function.returns {
                failing.push((slot.constant, zero(terms, slot.constant)));
            }
            let may_fail = Substitution::from_pairs(failing).apply(terms, relation);
            terms.not(may_fail)
        }
    };
    for slot in &function.returns {
        pairs.push((slot.constant, names.current(program, terms, slot.var)));
    }
    pairs.extend(function.error.map(|error| (error, Terms::FALSE)));
    let ensures = terms.and2(relation, range.exit);
    Triple {
        requires: terms.and2(known, no_failure),
        ensures: Substitution::from_pairs(pairs).apply(terms, ensures),
    }
}

/// Some value of the constant's sort.
fn zero(terms: &mut Terms, constant: TermId) -> TermId {
    let sort = terms.sort(constant);
    match *terms.sort_of(sort) {
        Sort::Bool => Terms::FALSE,
        Sort::Array { .. } => {
            let zero = terms.int(0);
            terms.const_array(sort, zero)
        }
        _ => terms.int(0),
    }
}
