//! Contracts of an earlier run, tried on a program that has changed since.
//!
//! Contracts of procedures that have not changed are taken for granted during the search: a call of
//! one is its contract, not its facts, and it is not explored. A procedure that has changed must
//! satisfy its old contract, if it has one, since its callers may rely on it; the entry procedure must
//! satisfy the property. If that succeeds, all contracts, old and new, go to the checker, which knows
//! nothing of their history. If anything does not fit, there is no answer, and the caller starts
//! afresh.

use super::{Config, Whale};
use crate::horn::contracts::certify;
use crate::verify::Verdict;
use crate::view::functions::{Function, View};
use crate::view::{Encoded, Knowledge, encode_procedures};
use craig_base::{Budget, OrderedMap, OrderedSet, Set, Stats};
use craig_certificate::Contract;
use craig_program::encode::StateNames;
use craig_program::{Granularity, ProcId, Program};
use craig_term::{Substitution, TermId, Terms};

/// What is known of the procedures of a program.
#[derive(Clone, Debug, Default)]
pub struct Known {
    pub contracts: OrderedMap<ProcId, Contract>,
    /// Those whose code is what it was when their contract was proved.
    pub unchanged: OrderedSet<ProcId>,
}

/// An answer that rests on what is known, if there is one.
pub fn check_known(
    program: &Program,
    terms: Terms,
    known: &Known,
    budget: &Budget,
    stats: &mut Stats,
) -> Option<Verdict> {
    let (knowledge, granularity, exact) = (Knowledge::Types, Granularity::Loops, OrderedSet::default());
    let encoded = encode_procedures(terms, program, knowledge, granularity, &exact, budget).ok()?;
    let Encoded { mut terms, code } = encoded;
    let view = View::new(program, &code, &mut terms, budget).ok()?;
    let mut whale = Whale::new(&mut terms, program, view, Config::default(), budget).ok()?;
    for id in whale.view.functions.indices() {
        let function = &whale.view.functions[id];
        if function.start != program.procs[function.proc].entry {
            continue;
        }
        let proc = function.proc;
        if proc == program.entry && !known.unchanged.contains(&proc) {
            if let Some(error) = function.error {
                let summary = whale.terms.not(error);
                whale.ask(id, whale.view.initial, summary);
            }
            continue;
        }
        let Some(contract) = known.contracts.get(&proc) else { continue };
        let (requires, ensures) = at_slots(whale.terms, program, function, contract)?;
        let error = function.error.map_or(Terms::FALSE, |error| error);
        let no_error = whale.terms.not(error);
        let summary = whale.terms.and2(no_error, ensures);
        if known.unchanged.contains(&proc) {
            let relation = whale.terms.implies(requires, summary);
            whale.given.insert(id, relation);
        } else {
            whale.ask(id, requires, summary);
        }
    }
    stats.add("known procedures", whale.given.len() as u64);
    let outcome = whale.run();
    whale.report(stats);
    if !matches!(outcome, Ok(None)) {
        return None;
    }
    let mut summaries = whale.summaries();
    for &proc in &known.unchanged {
        if let Some(contract) = known.contracts.get(&proc) {
            summaries.contracts.insert(proc, contract.clone());
        }
    }
    match certify(terms, program, summaries, budget, stats) {
        verdict @ Verdict::Safe(_) => Some(verdict),
        _ => None,
    }
}

/// A contract over the constants of a function; none if it speaks of something else.
fn at_slots(
    terms: &mut Terms,
    program: &Program,
    function: &Function<'_>,
    contract: &Contract,
) -> Option<(TermId, TermId)> {
    let mut names = StateNames::default();
    let mut pairs: Vec<(TermId, TermId)> = Vec::new();
    for slot in &function.params {
        pairs.push((names.entry(program, terms, slot.var), slot.constant));
    }
    for slot in &function.returns {
        pairs.push((names.current(program, terms, slot.var), slot.constant));
    }
    let known: Set<TermId> = pairs.iter().map(|&(name, _)| name).collect();
    let mut substitution = Substitution::from_pairs(pairs);
    let mut translate = |formula: TermId| {
        let own = terms.free_consts(formula).iter().all(|symbol| known.contains(symbol));
        own.then(|| substitution.apply(terms, formula))
    };
    Some((translate(contract.requires)?, translate(contract.ensures)?))
}
