//! Intervals of a program with procedures: what holds where a procedure begins, at its loop heads and
//! where it ends, whoever has called it.
//!
//! One state per location serves all calls (Sharir and Pnueli's functional approach with a single
//! context): a call joins its arguments and the globals into the callee's entry, and goes on with what
//! is known at the callee's exit. What the callee does not write is carried past the call. States are
//! kept where paths join. Widening happens at loop heads, and at entries and exits too: two calls of
//! one procedure in a row are a cycle here, even if the program has none.

use craig_base::{Budget, IndexVec, OrderedSet, StopReason};
use craig_program::analysis::{initial_intervals, interval_of, thresholds, transfer, widen};
use craig_program::{
    CallGraph, Effect, ExprId, IntervalState, LocId, Place, ProcId, Program, Scope, StateIndex, StateVar,
    Stmt, Type, Wto, effects,
};
use std::collections::BTreeSet;

/// A procedure without recursion may grow this many times as often as a loop before it is widened.
const PATIENCE: u32 = 4;
/// An analysis with more statements than this is given up.
const MAX_STEPS: usize = 400_000;

/// What holds at the locations of procedures.
pub struct ProcedureIntervals {
    procs: IndexVec<ProcId, Procedure>,
}

struct Procedure {
    /// The states where paths join, at the entry and at the exit; none where nothing arrives.
    joins: IndexVec<LocId, Option<IntervalState>>,
    is_join: IndexVec<LocId, bool>,
    is_head: IndexVec<LocId, bool>,
    /// The place in the order in which locations are looked at.
    order: IndexVec<LocId, usize>,
    visits: IndexVec<LocId, u32>,
    /// The joins of other procedures from which calls are reached.
    callers: OrderedSet<(ProcId, LocId)>,
}

impl ProcedureIntervals {
    /// None if the program is too large, or plain.
    pub fn new(program: &Program, budget: &Budget) -> Result<Option<Self>, StopReason> {
        if program.plain {
            return Ok(None);
        }
        let calls = CallGraph::new(program);
        let mut procs = IndexVec::new();
        for proc in &program.procs {
            let wto = Wto::new(&proc.graph(), proc.entry);
            let mut is_join: IndexVec<LocId, bool> =
                proc.locations.iter().map(|location| location.incoming.len() > 1).collect();
            let mut is_head = IndexVec::from_elem(false, proc.locations.len());
            for component in &wto.components {
                is_head[component.head] = true;
                is_join[component.head] = true;
            }
            is_join[proc.entry] = true;
            is_join[proc.exit] = true;
            procs.push(Procedure {
                joins: IndexVec::from_elem(None, proc.locations.len()),
                is_join,
                is_head,
                order: proc
                    .locations
                    .indices()
                    .map(|location| wto.position(location).unwrap_or(usize::MAX))
                    .collect(),
                visits: IndexVec::from_elem(0, proc.locations.len()),
                callers: OrderedSet::default(),
            });
        }
        let edges = program.procs.indices().filter(|&proc| calls.is_reachable(proc));
        let thresholds = thresholds(program, edges.flat_map(|proc| program.procs[proc].edges.iter()));
        let mut rank = IndexVec::from_elem(0, program.procs.len());
        for (position, component) in calls.components.iter().enumerate() {
            component.iter().for_each(|&proc| rank[proc] = position);
        }
        let index = StateIndex::new(program);
        let effects = effects(program, &calls);
        let mut analysis = Analysis {
            program,
            calls,
            effects,
            index,
            rank,
            procs,
            pending: BTreeSet::new(),
            thresholds,
            steps: 0,
        };
        analysis.arrive(program.entry, program.procs[program.entry].entry, initial_intervals(program));
        while let Some((_, _, proc, location)) = analysis.pending.pop_first() {
            budget.check()?;
            if analysis.steps > MAX_STEPS {
                return Ok(None);
            }
            analysis.walk(proc, location);
        }
        Ok(Some(ProcedureIntervals { procs: analysis.procs }))
    }

    /// What is known at an entry, an exit or a loop head; none if it is never reached.
    pub fn at(&self, proc: ProcId, location: LocId) -> Option<&IntervalState> {
        self.procs[proc].joins[location].as_ref()
    }
}

struct Analysis<'a> {
    program: &'a Program,
    calls: CallGraph,
    effects: IndexVec<ProcId, Effect>,
    index: StateIndex,
    /// Callees before callers.
    rank: IndexVec<ProcId, usize>,
    procs: IndexVec<ProcId, Procedure>,
    pending: BTreeSet<(usize, usize, ProcId, LocId)>,
    thresholds: Vec<craig_num::Int>,
    steps: usize,
}

impl Analysis<'_> {
    fn enqueue(&mut self, proc: ProcId, location: LocId) {
        self.pending.insert((self.rank[proc], self.procs[proc].order[location], proc, location));
    }

    /// Joins a state into the one at a location.
    fn arrive(&mut self, proc: ProcId, location: LocId, state: IntervalState) {
        let body = &self.program.procs[proc];
        let patience = if self.calls.is_recursive(proc) { 1 } else { PATIENCE };
        let at = &mut self.procs[proc];
        let updated = match &at.joins[location] {
            None => state,
            Some(old) => {
                let mut joined = old.clone();
                joined.join(self.program, &state);
                if joined == *old {
                    return;
                }
                let is_end = location == body.entry || location == body.exit;
                if at.is_head[location] || is_end {
                    at.visits[location] += 1;
                    let visits = at.visits[location];
                    let visits = if at.is_head[location] { visits } else { visits / patience };
                    joined = widen(self.program, old, &joined, visits, &self.thresholds);
                }
                joined
            }
        };
        at.joins[location] = Some(updated);
        if location == body.exit {
            for (caller, from) in at.callers.clone() {
                self.enqueue(caller, from);
            }
        } else {
            self.enqueue(proc, location);
        }
    }

    /// Follows the edges from a join through all locations with one way in, to the next joins.
    fn walk(&mut self, proc: ProcId, from: LocId) {
        let Some(state) = self.procs[proc].joins[from].clone() else { return };
        let mut stack = vec![(from, state)];
        while let Some((location, state)) = stack.pop() {
            for &id in &self.program.procs[proc].locations[location].outgoing {
                self.steps += 1;
                let edge = &self.program.procs[proc].edges[id];
                let mut after = state.clone();
                let goes_on = match &edge.stmt {
                    Stmt::Call { callee, args, result } => {
                        self.procs[*callee].callers.insert((proc, from));
                        self.call(*callee, args, *result, &mut after)
                    }
                    stmt => transfer(self.program, stmt, &mut after),
                };
                if !goes_on {
                    continue;
                }
                if self.procs[proc].is_join[edge.to] {
                    self.arrive(proc, edge.to, after);
                } else {
                    stack.push((edge.to, after));
                }
            }
        }
    }

    /// Enters a call; the state after it, if it is known to return.
    fn call(
        &mut self,
        callee: ProcId,
        args: &[ExprId],
        result: Option<Place>,
        state: &mut IntervalState,
    ) -> bool {
        let program = self.program;
        let body = &program.procs[callee];
        let is_global = |var| matches!(program.vars[var].scope, Scope::Global { .. });
        let mut entered = IntervalState::default();
        for (var, interval) in state.iter().filter(|&(var, _)| is_global(var)) {
            entered.set(program, var, interval.clone());
        }
        for (&param, &arg) in body.params.iter().zip(args) {
            if program.vars[param].ty.is_float() {
                continue;
            }
            match interval_of(program, arg, state) {
                None => return false,
                // A condition that is passed as a number has been cast.
                Some(interval) if program.vars[param].ty == program.exprs.ty(arg) => {
                    entered.set(program, param, interval);
                }
                Some(_) => {}
            }
        }
        self.arrive(callee, body.entry, entered);
        let Some(exit) = self.procs[callee].joins[body.exit].as_ref() else { return false };
        for i in self.effects[callee].writes.iter() {
            if let StateVar::Var(var) = self.index.at(i) {
                state.set(program, var, exit.get(program, var));
            }
        }
        if let Some(Place::Var(var)) = result {
            match body.result {
                Some(returned) if program.vars[returned].ty == program.vars[var].ty => {
                    let interval = exit.get(program, returned);
                    match program.vars[var].ty {
                        Type::Float(_) => {}
                        _ => state.set(program, var, interval),
                    }
                }
                _ => state.forget(var),
            }
        }
        true
    }
}
