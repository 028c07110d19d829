//! What an abstract domain knows of functions before the search begins.
//!
//! Section 5.4 of the thesis restricts the interpolants of a graph by what abstract interpretation has
//! found; here the same is done with the summaries of functions. The boxes of
//! [`craig_domains::procedures`] hold for the parameters in all contexts and for what is returned in
//! all of them. They are assumed in the condition of an ARG on both sides of every call, so that
//! interpolants say only what the boxes do not; and they become part of the contracts, where the
//! checker looks at them like at everything else. A fact need not repeat what the boxes say.

use crate::view::functions::{FunctionId, Slot, View};
use craig_base::{Budget, IndexVec, Set, StopReason};
use craig_domains::procedures::ProcedureIntervals;
use craig_program::encode::{in_range, type_range};
use craig_program::{CallGraph, Interval, IntervalState, Program, StateVar, Type};
use craig_term::{TermId, Terms};

/// What is known of a function, over its parameters, returns and error.
pub struct Range {
    /// Of the parameters.
    pub entry: TermId,
    /// Of the returns, if the function does not fail.
    pub exit: TermId,
    /// What types say of the parameters, and of the returns.
    pub types: TermId,
    /// Bounds that follow from the above.
    pub bounds: Set<TermId>,
}

/// The ranges of all functions; without a domain, nothing is known beyond the types.
pub fn ranges(
    program: &Program,
    terms: &mut Terms,
    view: &View<'_>,
    with_domain: bool,
    budget: &Budget,
) -> Result<IndexVec<FunctionId, Range>, StopReason> {
    let intervals = if with_domain { ProcedureIntervals::new(program, budget)? } else { None };
    let entry_is_called = CallGraph::new(program).is_recursive(program.entry);
    let mut ranges = IndexVec::new();
    for function in &view.functions {
        let mut range =
            Range { entry: Terms::TRUE, exit: Terms::TRUE, types: Terms::TRUE, bounds: Set::default() };
        range.types = range.slots(terms, program, &function.params, None);
        let of_returns = range.slots(terms, program, &function.returns, None);
        range.types = terms.and2(range.types, of_returns);
        if let Some(intervals) = &intervals {
            let entry = intervals.at(function.proc, function.start);
            range.entry = match entry {
                Some(state) => range.slots(terms, program, &function.params, Some(state)),
                None => Terms::FALSE,
            };
            let exit = intervals.at(function.proc, program.procs[function.proc].exit);
            range.exit = match exit {
                // What the program leaves behind does not matter.
                _ if function.proc == program.entry && !entry_is_called => Terms::TRUE,
                Some(state) => range.slots(terms, program, &function.returns, Some(state)),
                None => Terms::FALSE,
            };
        }
        ranges.push(range);
    }
    Ok(ranges)
}

impl Range {
    /// What a state says of slots, or their types.
    fn slots(
        &mut self,
        terms: &mut Terms,
        program: &Program,
        slots: &[Slot],
        state: Option<&IntervalState>,
    ) -> TermId {
        let mut parts = Vec::new();
        for slot in slots {
            let StateVar::Var(var) = slot.var else { continue };
            let ty = program.vars[var].ty;
            if ty.is_float() {
                continue;
            }
            let interval = match state {
                None if ty == Type::Bool => continue,
                None => type_range(program, ty),
                Some(state) => match state.iter().find(|(known, _)| *known == var) {
                    Some((_, interval)) => interval.clone(),
                    None => continue,
                },
            };
            parts.push(self.bound(terms, slot.constant, ty, &interval));
        }
        terms.and(&parts)
    }

    fn bound(&mut self, terms: &mut Terms, constant: TermId, ty: Type, interval: &Interval) -> TermId {
        if ty == Type::Bool {
            return match interval.as_constant() {
                Some(value) if value.is_zero() => terms.not(constant),
                Some(_) => constant,
                None => Terms::TRUE,
            };
        }
        for half in
            [Interval { lo: interval.lo.clone(), hi: None }, Interval { lo: None, hi: interval.hi.clone() }]
        {
            let bound = in_range(terms, constant, &half);
            self.bounds.insert(bound);
        }
        in_range(terms, constant, interval)
    }
}
