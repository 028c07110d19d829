//! Calls: what is passed to the callee, and the state behind the call.
//!
//! The terms are over the current constants of the caller and, for what the callee returns, over constants
//! of the call's own. How the callee's entry and exit are related is not said here.

use super::{Encoder, Environment, StateNames, Value, type_range};
use crate::Interval;
use crate::effects::{Effect, StateIndex};
use crate::ir::{Edge, Place, ProcId, Program, RegionId, Scope, Stmt, VarId};
use crate::state::StateVar;
use crate::types::Type;
use craig_base::Map;
use craig_term::{TermId, Terms};

/// A call up to the entry of the callee.
#[derive(Clone, Debug)]
pub struct CallEncoding {
    pub callee: ProcId,
    /// The value of each component of the callee's entry state.
    pub arguments: Vec<(StateVar, TermId)>,
    /// What must hold for the call to be made.
    pub condition: TermId,
    place: Option<Place>,
}

/// What a call leaves behind.
#[derive(Clone, Debug)]
pub struct ReturnEncoding {
    /// For each component of the callee's exit state, the constant for it.
    pub results: Vec<(StateVar, TermId)>,
    /// What holds behind the call, `condition` included.
    pub guard: TermId,
    after: Map<StateVar, Value>,
}

impl CallEncoding {
    /// The call on an edge; `entry` is the state at the callee's entry. None if the edge is no call.
    pub fn new(
        program: &Program,
        edge: &Edge,
        entry: &[StateVar],
        terms: &mut Terms,
        names: &mut StateNames,
    ) -> Option<Self> {
        let Stmt::Call { callee, args, result } = &edge.stmt else { return None };
        let mut state = CallState { names, facts: Vec::new(), after: Map::default() };
        let mut encoder = Encoder::new(program, terms);
        let (values, mut conditions) = encoder.exprs(args, &mut state);
        let params = &program.procs[*callee].params;
        let mut arguments = Vec::new();
        for &var in entry {
            let passed = match var {
                StateVar::Var(id) if params.contains(&id) => {
                    let position = params.iter().position(|&param| param == id);
                    match position.and_then(|position| values.get(position)).and_then(Option::as_ref) {
                        Some(value) => value.term,
                        None => any_of_type(&mut encoder, &mut conditions, program.vars[id].ty),
                    }
                }
                StateVar::Var(id) if matches!(program.vars[id].scope, Scope::Global { .. }) => {
                    state.names.current(program, encoder.terms, var)
                }
                StateVar::Region(_) => state.names.current(program, encoder.terms, var),
                // A local that is read before it is assigned.
                StateVar::Var(id) => any_of_type(&mut encoder, &mut conditions, program.vars[id].ty),
            };
            arguments.push((var, passed));
        }
        conditions.append(&mut state.facts);
        let condition = encoder.terms.and(&conditions);
        Some(CallEncoding { callee: *callee, arguments, condition, place: *result })
    }

    /// The call if it returns; `exit` is the state at the callee's exit, `effect` what the callee does.
    pub fn returns(
        &self,
        program: &Program,
        exit: &[StateVar],
        effect: &Effect,
        terms: &mut Terms,
        names: &mut StateNames,
    ) -> ReturnEncoding {
        let index = StateIndex::new(program);
        let mut state = CallState { names, facts: Vec::new(), after: Map::default() };
        let mut encoder = Encoder::new(program, terms);
        let mut conditions = vec![self.condition];
        let mut results = Vec::new();
        let mut returned = None;
        for &var in exit {
            let sort = match var {
                StateVar::Var(id) => encoder.sort(program.vars[id].ty),
                StateVar::Region(_) => encoder.terms.array_sort(Terms::INT, Terms::INT),
            };
            let constant = encoder.auxiliary("out", sort);
            results.push((var, constant));
            let range = match var {
                StateVar::Var(id) => {
                    let value = Value { term: constant, range: type_range(program, program.vars[id].ty) };
                    conditions.push(encoder.in_type(&value, program.vars[id].ty));
                    value.range
                }
                StateVar::Region(_) => Interval::ALL,
            };
            let value = Value { term: constant, range };
            if Some(var) == program.procs[self.callee].result.map(StateVar::Var) {
                returned = Some(value);
            } else if effect.writes.contains(index.of(var)) {
                state.after.insert(var, value);
            }
        }
        conditions.append(&mut assign_result(&mut encoder, &mut state, self.place, returned));
        conditions.append(&mut state.facts);
        let guard = encoder.terms.and(&conditions);
        ReturnEncoding { results, guard, after: state.after }
    }
}

impl ReturnEncoding {
    /// The value of a component of the caller's state behind the call.
    pub fn value(
        &self,
        program: &Program,
        terms: &mut Terms,
        names: &mut StateNames,
        var: StateVar,
    ) -> TermId {
        match self.after.get(&var) {
            Some(value) => value.term,
            None => names.current(program, terms, var),
        }
    }
}

fn any_of_type(encoder: &mut Encoder<'_>, conditions: &mut Vec<TermId>, ty: Type) -> TermId {
    let value = encoder.any_value("any", ty);
    conditions.push(encoder.in_type(&value, ty));
    value.term
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
        None => {
            let value = encoder.any_value("any", ty);
            conditions.push(encoder.in_type(&value, ty));
            Some(value)
        }
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
    /// The ranges of the variables that were read.
    facts: Vec<TermId>,
    after: Map<StateVar, Value>,
}

impl Environment for CallState<'_> {
    fn var(&mut self, encoder: &mut Encoder<'_>, var: VarId) -> Value {
        if let Some(value) = self.after.get(&StateVar::Var(var)) {
            return value.clone();
        }
        let ty = encoder.program.vars[var].ty;
        let term = self.names.current(encoder.program, encoder.terms, StateVar::Var(var));
        let value = Value { term, range: encoder.type_range(ty) };
        let fact = encoder.in_type(&value, ty);
        self.facts.push(fact);
        value
    }

    fn region(&mut self, encoder: &mut Encoder<'_>, region: RegionId) -> TermId {
        match self.after.get(&StateVar::Region(region)) {
            Some(value) => value.term,
            None => self.names.current(encoder.program, encoder.terms, StateVar::Region(region)),
        }
    }
}
