//! The effect of a loop-free segment, by forward symbolic execution that merges at joins.
//!
//! From a cutpoint on, every location gets a condition and a state, both terms over the state at
//! the cutpoint and over fresh inputs; where paths meet, the states are merged by `ite`.

use crate::frames::{Frame, Frames};
use crate::invariant::components;
use crate::known::constants;
use crate::meaning::Meaning;
use crate::state::{State, initial};
use craig_base::{IndexVec, Map, OrderedSet};
use craig_num::Int;
use craig_program::{Cell, ExprId, LocId, Place, Proc, ProcId, Program, StateVar, Stmt, Type, VarId};
use craig_term::{Op, TermId, Terms};

/// The arrival of the segment at one of the locations where it ends.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub location: LocId,
    /// Holds iff this arrival happens (given the assumptions of the segment).
    pub condition: TermId,
    pub state: State,
    /// At the head of a loop through which the segment went, the state in which it was entered.
    pub entered: Option<State>,
}

/// A statement that has no meaning here, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMeaning(pub String);

/// What a segment has to know of the procedures around it.
pub trait Surroundings {
    /// Whether anything that is asked about can happen from the location on.
    fn matters(&self, location: LocId) -> bool;

    /// Whether anything that is asked about can happen within a call of the procedure.
    fn may_fail(&self, callee: ProcId) -> bool;

    /// What is kept at the head of a loop, if the segment goes through it.
    fn frame(&self, _head: LocId) -> Option<&Frame> {
        None
    }

    /// The effect of a call on the state. `condition` holds iff the call is reached; what the rest
    /// of the path may assume joins the assumptions of `meaning`.
    fn call(
        &mut self,
        tm: &mut Terms,
        meaning: &mut Meaning<'_>,
        state: &mut State,
        call: Call<'_>,
        condition: TermId,
    ) -> Result<(), NoMeaning>;
}

/// A call statement.
#[derive(Clone, Copy, Debug)]
pub struct Call<'p> {
    pub callee: ProcId,
    pub args: &'p [ExprId],
    pub result: Option<Place>,
}

/// For programs of one procedure.
#[derive(Default)]
pub struct NoCalls {
    pub frames: Frames,
    /// The locations from which there is a way to the error or to what else is asked about, unless all are.
    pub matters: Option<IndexVec<LocId, bool>>,
}

impl Surroundings for NoCalls {
    fn matters(&self, location: LocId) -> bool {
        self.matters.as_ref().is_none_or(|matters| matters[location])
    }

    fn may_fail(&self, _callee: ProcId) -> bool {
        true
    }

    fn frame(&self, head: LocId) -> Option<&Frame> {
        self.frames.get(&head)
    }

    fn call(
        &mut self,
        _tm: &mut Terms,
        meaning: &mut Meaning<'_>,
        _state: &mut State,
        call: Call<'_>,
        _condition: TermId,
    ) -> Result<(), NoMeaning> {
        Err(NoMeaning(format!("a call of {} in the inlined view", meaning.program.procs[call.callee].name)))
    }
}

/// Runs from `start` until the first location of `stops`, the error or the exit. Returns one
/// arrival per location reached, and the translation, which knows the operations that have no exact meaning.
/// `precondition` is what is known at the start.
pub fn arrivals<'p>(
    tm: &mut Terms,
    program: &'p Program,
    proc: &Proc,
    start: LocId,
    precondition: TermId,
    stops: &OrderedSet<LocId>,
    around: &mut dyn Surroundings,
) -> Result<(Vec<Arrival>, Meaning<'p>), NoMeaning> {
    let order = segment_order(program, proc, start, stops, around)?;
    let mut meaning = Meaning::new(program);
    let mut incoming: Map<LocId, Vec<(TermId, State)>> = Map::default();
    let known = known_state(tm, program, proc, precondition);
    incoming.insert(start, vec![(tm.bool(true), known)]);
    let mut arrivals = Vec::new();
    let mut entered: Map<LocId, State> = Map::default();
    for (position, &location) in order.iter().enumerate() {
        let Some(branches) = incoming.remove(&location) else { continue };
        let (mut condition, mut state) = merge(tm, program, branches);
        if position > 0 && ends_here(proc, location, stops) {
            arrivals.push(Arrival { location, condition, state, entered: None });
            continue;
        }
        if let Some(frame) = around.frame(location) {
            let before = Some(state.clone());
            arrivals.push(Arrival { location, condition, state: state.clone(), entered: before });
            entered.insert(location, state.clone());
            let known = frame.enter(tm, &mut meaning, &mut state);
            condition = tm.and2(condition, known);
        }
        let mut ways = Vec::new();
        let outgoing = &proc.locations[location].outgoing;
        for &id in outgoing {
            let edge = &proc.edges[id];
            let leads_on = around.matters(edge.to);
            if program.is_closed(&edge.stmt) {
                continue;
            }
            let mut after =
                if outgoing.last() == Some(&id) { std::mem::take(&mut state) } else { state.clone() };
            let passes = match &edge.stmt {
                Stmt::Call { callee, .. } if !leads_on && !around.may_fail(*callee) => continue,
                Stmt::Call { callee, args, result } => {
                    let call = Call { callee: *callee, args, result: *result };
                    around.call(tm, &mut meaning, &mut after, call, condition)?;
                    tm.bool(true)
                }
                stmt => step(tm, &mut meaning, &mut after, stmt)?,
            };
            let assumed = std::mem::take(&mut meaning.assumptions);
            if leads_on {
                ways.push(Way { to: edge.to, passes, assumed, after });
            }
        }
        let choices = choices(tm, &ways);
        for (Way { to, passes, mut assumed, after }, choice) in ways.into_iter().zip(choices) {
            assumed.extend([passes, choice, condition]);
            let taken = tm.and(&assumed);
            if tm.is_false(taken) {
                continue;
            }
            // A loop back to the start ends the segment there: it is a stop like any other.
            if to == start || leads_back(around, location, to) {
                let entered = entered.get(&to).cloned();
                arrivals.push(Arrival { location: to, condition: taken, state: after, entered });
            } else {
                incoming.entry(to).or_default().push((taken, after));
            }
        }
    }
    Ok((arrivals, meaning))
}

/// Whether an edge closes a loop through whose head the segment goes.
fn leads_back(around: &dyn Surroundings, from: LocId, to: LocId) -> bool {
    around.frame(to).is_some_and(|frame| frame.contains(from))
}

/// An edge out of a location.
struct Way {
    to: LocId,
    /// Its guard.
    passes: TermId,
    /// What must hold for the path to go on.
    assumed: Vec<TermId>,
    after: State,
}

/// A condition for each way under which it is taken, such that no two hold at once: where ways meet again, the
/// condition tells whose state it is. Of ways that exclude each other anyway, nothing is asked; between others, an
/// arbitrary choice decides.
fn choices(tm: &mut Terms, ways: &[Way]) -> Vec<TermId> {
    let mut exclusive = true;
    for (i, a) in ways.iter().enumerate() {
        exclusive &= ways[..i].iter().all(|b| exclude(tm, a.passes, b.passes));
    }
    let mut rest = tm.bool(true);
    let mut choices = Vec::new();
    for _ in ways {
        if exclusive {
            choices.push(rest);
            continue;
        }
        let this = tm.fresh_const("way", Terms::BOOL);
        choices.push(tm.and2(rest, this));
        let other = tm.not(this);
        rest = tm.and2(rest, other);
    }
    choices
}

/// Whether it is plain that two conditions do not hold at once.
fn exclude(tm: &mut Terms, a: TermId, b: TermId) -> bool {
    let other_value = tm.op(a) == Op::Eq
        && tm.op(b) == Op::Eq
        && tm.arg(a, 0) == tm.arg(b, 0)
        && matches!((tm.number(tm.arg(a, 1)), tm.number(tm.arg(b, 1))), (Some(x), Some(y)) if x != y);
    other_value || {
        let both = tm.and2(a, b);
        tm.is_false(both)
    }
}

/// The state at the start, with the values that are known instead of the variables.
fn known_state(tm: &mut Terms, program: &Program, proc: &Proc, precondition: TermId) -> State {
    let values: Map<TermId, Int> = constants(tm, precondition).into_iter().collect();
    let mut state = State::default();
    for component in components(program, proc) {
        let symbol = initial(tm, program, component);
        if let Some(value) = values.get(&symbol) {
            let value = tm.int(value.clone());
            state.set(component, value);
        }
    }
    state
}

fn ends_here(proc: &Proc, location: LocId, stops: &OrderedSet<LocId>) -> bool {
    location == proc.error || location == proc.exit || stops.contains(&location)
}

/// The locations of the segment in topological order, or an error if there is a cycle that no
/// stop cuts.
fn segment_order(
    program: &Program,
    proc: &Proc,
    start: LocId,
    stops: &OrderedSet<LocId>,
    around: &dyn Surroundings,
) -> Result<Vec<LocId>, NoMeaning> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Active,
        Done,
    }
    let mut marks: Map<LocId, Mark> = Map::default();
    let mut order = Vec::new();
    let mut stack = vec![(start, 0usize)];
    marks.insert(start, Mark::Active);
    while let Some((location, next)) = stack.last_mut() {
        let location = *location;
        let ends = location != start && ends_here(proc, location, stops);
        let edge = if ends { None } else { proc.locations[location].outgoing.get(*next) };
        let Some(&edge) = edge else {
            marks.insert(location, Mark::Done);
            order.push(location);
            stack.pop();
            continue;
        };
        *next += 1;
        let to = proc.edges[edge].to;
        let is_back = to == start || leads_back(around, location, to);
        if is_back || !around.matters(to) || program.is_closed(&proc.edges[edge].stmt) {
            continue;
        }
        match marks.get(&to) {
            None => {
                marks.insert(to, Mark::Active);
                stack.push((to, 0));
            }
            Some(Mark::Done) => {}
            Some(Mark::Active) => {
                return Err(NoMeaning(format!("the loop through {to} is not cut by any invariant")));
            }
        }
    }
    order.reverse();
    Ok(order)
}

fn merge(tm: &mut Terms, program: &Program, branches: Vec<(TermId, State)>) -> (TermId, State) {
    let mut branches = branches.into_iter();
    let Some((mut condition, mut merged)) = branches.next() else {
        return (tm.bool(false), State::default());
    };
    for (taken, state) in branches {
        let components: OrderedSet<StateVar> =
            merged.changed().chain(state.changed()).map(|(component, _)| component).collect();
        for component in components {
            let (old, new) = (merged.get(tm, program, component), state.get(tm, program, component));
            if old != new {
                let joined = tm.ite(taken, new, old);
                merged.set(component, joined);
            }
        }
        condition = tm.or2(condition, taken);
    }
    (condition, merged)
}

/// Executes one statement, and returns the condition under which it lets the path go on.
fn step(
    tm: &mut Terms,
    meaning: &mut Meaning<'_>,
    state: &mut State,
    stmt: &Stmt,
) -> Result<TermId, NoMeaning> {
    let program = meaning.program;
    match stmt {
        Stmt::Skip | Stmt::Free(_) => Ok(tm.bool(true)),
        Stmt::Assume(condition) => Ok(meaning.value(tm, state, *condition)),
        Stmt::Assign(place, value) => {
            let ty = program.exprs.ty(*value);
            let value = meaning.value(tm, state, *value);
            write(tm, meaning, state, *place, ty, value);
            Ok(tm.bool(true))
        }
        Stmt::Input(place, _) => {
            let ty = program.place_type(*place);
            let value = meaning.arbitrary(tm, ty);
            write(tm, meaning, state, *place, ty, value);
            Ok(tm.bool(true))
        }
        Stmt::Alloc { var, size } => {
            let Some(next) = program.next_address else {
                return Err(NoMeaning("an allocation in a program without heap".into()));
            };
            let size = meaning.value(tm, state, *size);
            let address = state.var(tm, program, next);
            state.set(StateVar::Var(*var), address);
            let after = meaning.next_allocation(tm, address, size);
            state.set(StateVar::Var(next), after);
            let fits = meaning.in_range(tm, Type::Pointer, after);
            let others = cells_of_others(tm, program, state, *var, address);
            Ok(tm.and2(fits, others))
        }
        Stmt::Call { .. } => unreachable!("calls are left to the surroundings"),
    }
}

/// That cells near the start of a new object are zero in regions through which no access can lie in the object, as the claim
/// about memory has it (which [`crate::check_regions`] proves). The addresses are new, and no other object is as near, so
/// in every run these cells have what they had from the start. That is arbitrary: a run with any value there is one
/// with zero.
fn cells_of_others(tm: &mut Terms, program: &Program, state: &State, var: VarId, address: TermId) -> TermId {
    let claim = &program.provenance;
    let mut original = var;
    while let Some(origin) = program.vars[original].origin {
        original = origin;
    }
    let target = claim.vars.get(original).copied().flatten();
    let Some(own) = target.map(|target| &claim.classes[target.class].parts) else { return tm.bool(true) };
    let mut zero = Vec::new();
    for &(id, distance) in &claim.fields {
        let region = &program.regions[id];
        let is_arbitrary = region.allocated && !region.zeroed;
        let is_scalar = matches!(region.cell, Cell::Scalar(ty) if !ty.is_float());
        if is_arbitrary
            && is_scalar
            && distance < program.data_model.guard_bytes()
            && own.iter().all(|part| part.region != id)
        {
            let contents = state.region(tm, program, id);
            let distance = tm.int(distance);
            let at = tm.add2(address, distance);
            let (value, nothing) = (tm.select(contents, at), tm.int(0));
            zero.push(tm.eq(value, nothing));
        }
    }
    tm.and(&zero)
}

pub(crate) fn write(
    tm: &mut Terms,
    meaning: &mut Meaning<'_>,
    state: &mut State,
    place: Place,
    ty: Type,
    value: TermId,
) {
    match place {
        Place::Var(var) => {
            if !ty.is_float() {
                state.set(StateVar::Var(var), value);
            }
        }
        Place::Memory { region, addr, ty: place_ty } => {
            let addr = meaning.value(tm, state, addr);
            if let Some(contents) = meaning.store(tm, state, region, addr, place_ty, value) {
                state.set(StateVar::Region(region), contents);
            }
        }
    }
}
