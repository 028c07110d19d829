//! A call as two steps of the caller: into the callee, and from the callee's exit on.
//!
//! The first leads from the state before the call to the state at the callee's entry, whose arguments are
//! evaluated; the second from the callee's exit, with what the caller kept, to the state after the call. What
//! happens in between is the callee's own affair, or that of its summary.

use super::block::{BlockEncoding, Output};
use super::builder::source_range;
use super::names::StateNames;
use super::{Encoder, Environment, Value, in_range};
use crate::analysis::Ranges;
use crate::cutpoints::CutId;
use crate::effects::{Effect, StateIndex};
use crate::expr::ExprId;
use crate::interval::Interval;
use crate::ir::{EdgeId, LocId, Place, ProcId, Program, RegionId, Scope, Stmt, VarId};
use crate::state::StateVar;
use crate::types::Type;
use craig_base::{Map, OrderedMap};
use craig_term::{TermId, Terms};

/// A call between cutpoints of its caller.
#[derive(Clone, Debug)]
pub struct CallEncoding {
    pub edge: EdgeId,
    pub callee: ProcId,
    pub from: CutId,
    /// From the state before the call to the state at the callee's entry, which is the target.
    pub enter: BlockEncoding,
    /// The state at the callee's exit, by constants of this call.
    pub returned: Vec<(StateVar, TermId)>,
    /// From there to the state after the call; none if nothing that matters follows, or the callee never returns.
    /// The constants of `returned` are among its auxiliaries.
    pub leave: Option<(CutId, BlockEncoding)>,
}

/// A call to be encoded.
#[derive(Clone, Copy)]
pub struct CallSite<'a> {
    pub callee: ProcId,
    program: &'a Program,
    caller: ProcId,
    edge: EdgeId,
    args: &'a [ExprId],
    result: Option<Place>,
    /// What is known in the caller.
    ranges: &'a Ranges,
}

impl<'a> CallSite<'a> {
    /// The call on an edge, if it is one.
    pub fn new(program: &'a Program, caller: ProcId, edge: EdgeId, ranges: &'a Ranges) -> Option<Self> {
        let Stmt::Call { callee, args, result } = &program.procs[caller].edges[edge].stmt else {
            return None;
        };
        Some(CallSite { callee: *callee, program, caller, edge, args, result: *result, ranges })
    }

    fn source(&self) -> LocId {
        self.program.procs[self.caller].edges[self.edge].from
    }

    /// The step to the callee's entry, and to the given state there.
    pub fn enter(&self, entry: &[StateVar], terms: &mut Terms, names: &mut StateNames) -> BlockEncoding {
        let program = self.program;
        let mut state = CallState::new(self, names);
        let mut encoder = self.encoder(terms);
        let (values, mut conditions) = encoder.exprs(self.args, &mut state);
        let params = &program.procs[self.callee].params;
        let mut outputs = Vec::new();
        for &var in entry {
            let value = match var {
                StateVar::Var(id) if params.contains(&id) => {
                    let position = params.iter().position(|&param| param == id);
                    match position.and_then(|position| values.get(position)).and_then(Option::as_ref) {
                        Some(value) => value.term,
                        None => any_of_type(&mut encoder, &mut conditions, program.vars[id].ty).term,
                    }
                }
                StateVar::Var(id) if !matches!(program.vars[id].scope, Scope::Global { .. }) => {
                    // A local that is read before it is assigned.
                    any_of_type(&mut encoder, &mut conditions, program.vars[id].ty).term
                }
                StateVar::Var(_) | StateVar::Region(_) => state.current(&mut encoder, var),
            };
            let next = state.names.next(program, encoder.terms, var);
            outputs.push(Output { var, next, value });
        }
        state.block(self, encoder, program.procs[self.callee].entry, conditions, outputs)
    }

    /// The step from the callee's exit, where ranges may be known, to the state after the call. Also the constants for
    /// the state at the exit.
    pub fn leave(
        &self,
        (exit, at_exit): (&[StateVar], &Ranges),
        effect: &Effect,
        after: &[StateVar],
        terms: &mut Terms,
        names: &mut StateNames,
    ) -> (BlockEncoding, Vec<(StateVar, TermId)>) {
        let program = self.program;
        let index = StateIndex::new(program);
        let mut state = CallState::new(self, names);
        let mut encoder = self.encoder(terms);
        let mut conditions = Vec::new();
        let mut constants = Vec::new();
        let mut returned = None;
        for &var in exit {
            let value = match var {
                StateVar::Var(id) => {
                    let ty = program.vars[id].ty;
                    let sort = encoder.sort(ty);
                    let term = encoder.auxiliary("out", sort);
                    let range = source_range(program, at_exit, program.procs[self.callee].exit, var);
                    if ty != Type::Bool {
                        conditions.push(in_range(encoder.terms, term, &range));
                    }
                    Value { term, range }
                }
                StateVar::Region(_) => {
                    let sort = encoder.terms.array_sort(Terms::INT, Terms::INT);
                    Value { term: encoder.auxiliary("out", sort), range: Interval::ALL }
                }
            };
            constants.push((var, value.term));
            if Some(var) == program.procs[self.callee].result.map(StateVar::Var) {
                returned = Some(value);
            } else if effect.writes.contains(index.of(var)) {
                state.after.insert(var, value);
            }
        }
        conditions.append(&mut assign_result(&mut encoder, &mut state, self.result, returned));
        let mut outputs = Vec::new();
        for &var in after {
            let value = match state.after.get(&var) {
                Some(value) => value.term,
                None => state.current(&mut encoder, var),
            };
            let next = state.names.next(program, encoder.terms, var);
            outputs.push(Output { var, next, value });
        }
        let target = program.procs[self.caller].edges[self.edge].to;
        (state.block(self, encoder, target, conditions, outputs), constants)
    }

    fn encoder<'t>(&'t self, terms: &'t mut Terms) -> Encoder<'t> {
        let mut encoder = Encoder::new(self.program, terms);
        encoder.exact = self.ranges.exact.clone();
        encoder
    }
}

fn any_of_type(encoder: &mut Encoder<'_>, conditions: &mut Vec<TermId>, ty: Type) -> Value {
    let value = encoder.any_value("any", ty);
    conditions.push(encoder.in_type(&value, ty));
    value
}

/// Writes the result of a call to its place, whose address is evaluated after the call.
fn assign_result(
    encoder: &mut Encoder<'_>,
    state: &mut CallState<'_>,
    result: Option<Place>,
    returned: Option<Value>,
) -> Vec<TermId> {
    let Some(place) = result else { return Vec::new() };
    let ty = encoder.program.place_type(place);
    let mut conditions = Vec::new();
    let value = match returned {
        Some(value) => Some(value),
        None if ty.is_float() => None,
        None => Some(any_of_type(encoder, &mut conditions, ty)),
    };
    match place {
        Place::Var(var) => {
            if let Some(value) = value {
                state.after.insert(StateVar::Var(var), value);
            }
        }
        Place::Memory { region, .. } if !encoder.program.is_tracked(StateVar::Region(region)) => {}
        Place::Memory { region, addr, ty } => {
            let (address, mut more) = encoder.expr(addr, state);
            conditions.append(&mut more);
            let array = state.region(encoder, region);
            if let Some(address) = address {
                let term = encoder.store(array, region, &address, ty, value.as_ref());
                conditions.extend(encoder.take_conditions());
                state.after.insert(StateVar::Region(region), Value { term, range: Interval::ALL });
            }
        }
    }
    conditions
}

/// The state at a call: current constants, and what the callee has changed.
struct CallState<'n> {
    names: &'n mut StateNames,
    ranges: &'n Ranges,
    source: LocId,
    inputs: OrderedMap<StateVar, TermId>,
    /// The ranges of the variables that were read.
    facts: Vec<TermId>,
    after: Map<StateVar, Value>,
}

impl<'n> CallState<'n> {
    fn new(call: &'n CallSite<'_>, names: &'n mut StateNames) -> Self {
        CallState {
            names,
            ranges: call.ranges,
            source: call.source(),
            inputs: OrderedMap::default(),
            facts: Vec::new(),
            after: Map::default(),
        }
    }

    fn current(&mut self, encoder: &mut Encoder<'_>, var: StateVar) -> TermId {
        let term = self.names.current(encoder.program, encoder.terms, var);
        self.inputs.insert(var, term);
        term
    }

    /// The step with these conditions and results.
    fn block(
        self,
        call: &CallSite<'_>,
        encoder: Encoder<'_>,
        target: LocId,
        mut conditions: Vec<TermId>,
        outputs: Vec<Output>,
    ) -> BlockEncoding {
        conditions.extend(self.facts);
        let guard = encoder.terms.and(&conditions);
        let mut parts: Vec<TermId> =
            outputs.iter().map(|output| encoder.terms.eq(output.next, output.value)).collect();
        parts.push(guard);
        BlockEncoding {
            source: self.source,
            target,
            formula: encoder.terms.and(&parts),
            guard,
            inputs: self.inputs,
            outputs,
            auxiliaries: encoder.auxiliaries,
            locations: OrderedMap::default(),
            edges: OrderedMap::default(),
            input_values: OrderedMap::default(),
            results: encoder.results,
            definitions: Vec::new(),
            approximations: encoder.approximations.into_iter().map(|expr| (call.edge, expr)).collect(),
        }
    }
}

impl Environment for CallState<'_> {
    fn var(&mut self, encoder: &mut Encoder<'_>, var: VarId) -> Value {
        let state = StateVar::Var(var);
        if let Some(value) = self.after.get(&state) {
            return value.clone();
        }
        let term = self.current(encoder, state);
        let range = source_range(encoder.program, self.ranges, self.source, state);
        if !encoder.terms.is_bool(term) {
            self.facts.push(in_range(encoder.terms, term, &range));
        }
        Value { term, range }
    }

    fn region(&mut self, encoder: &mut Encoder<'_>, region: RegionId) -> TermId {
        match self.after.get(&StateVar::Region(region)) {
            Some(value) => value.term,
            None => self.current(encoder, StateVar::Region(region)),
        }
    }
}
