//! The unwinding itself.
//!
//! A point of the unwinding is a location in a call, in an iteration of each loop around it. Points are
//! visited in an order in which every point comes after all that lead to it: by their keys, which name the
//! places of the calls and, for each loop, the place of its head and the iteration. So all paths to a point
//! have been merged into one state when it is visited.
//!
//! A guard is made of decisions only. What must hold for a path to go on (assumptions, and that nothing is
//! undefined) is a constraint of the whole circuit: *if a run comes here, this holds*. A run that has reached the
//! error, or a bound, comes nowhere else, so no constraint takes it away.

use super::Unsupported;
use super::arithmetic::width;
use super::feasible::Feasible;
use super::induction::Heads;
use super::inputs::Inputs;
use super::memory::{Context, Memory};
use super::plan::{Plan, plans};
use super::state::{State, Variables};
use super::under::{Known, Under};
use super::word::{Objects, Word};
use crate::{Bit, Circuit, words};
use craig_base::{Budget, IndexVec, Map, OrderedMap, OrderedSet};
use craig_exec::Site;
use craig_program::{EdgeId, ExprId, LocId, ProcId, Program, Scope, Stmt, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Gates that are worth solving.
const MOST_GATES: usize = 3_000_000;
const MOST_POINTS: usize = 500_000;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Iterations of a loop that depend on inputs, and calls of one procedure that are active at once.
    pub decided: u32,
    /// Iterations that do not.
    pub free: u32,
    /// Bytes of an object whose size depends on inputs.
    pub object: u64,
}

pub(super) struct Unwinder<'p> {
    pub program: &'p Program,
    pub circuit: Circuit,
    pub objects: Objects,
    pub inputs: Inputs,
    /// What is known where the unwinding is.
    pub under: Under,
    pub orders: Map<ExprId, Rc<[ExprId]>>,
    /// Loops of the entry procedure that are cut at their heads.
    pub heads: Option<Heads<'p>>,
    pub bounds: Bounds,
    trust_hints: bool,
    pub plans: IndexVec<ProcId, Plan>,
    /// The place of a variable among the globals, or among the locals of its procedure.
    pub slots: IndexVec<VarId, usize>,
    frames: Vec<Frame>,
    pub pending: BTreeMap<Vec<u32>, Point>,
    /// What every run must satisfy.
    pub constraints: Vec<Bit>,
    /// Runs that reach an error, that are cut off at a bound, and that leave the guesses about addresses.
    pub errors: Vec<Bit>,
    pub cuts: Vec<Bit>,
    pub escapes: Vec<Bit>,
    /// Loops of the entry procedure whose iterations depend on inputs, or are cut off.
    pub decided: OrderedSet<LocId>,
    /// The largest object whose size depends on inputs.
    pub largest: u64,
    /// How often each loop was entered again at most, and how many calls of a procedure were active.
    pub iterations: OrderedMap<(ProcId, LocId), u32>,
    /// Which iterations these are, each with its condition.
    pub entered: OrderedMap<(ProcId, LocId), Vec<(u32, Bit)>>,
    pub depths: OrderedMap<ProcId, u32>,
    /// Where iterations are left out that no run has.
    pub feasible: Option<Feasible>,
    /// Which these are.
    pub never: BTreeSet<Vec<u32>>,
}

/// A call that is unwound.
struct Frame {
    proc: ProcId,
    caller: Option<Caller>,
    /// The key of the call.
    key: Vec<u32>,
    /// What happens after the return can fail.
    matters_after: bool,
    /// How many calls of the same procedure are active, this one included.
    depth: u32,
}

#[derive(Clone)]
struct Caller {
    frame: usize,
    edge: EdgeId,
    loops: Vec<Loop>,
}

/// Where the unwinding is in a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    pub iteration: u32,
    /// Iterations that began with another guard than the one before.
    decided: u32,
    guard: Bit,
}

#[derive(Clone)]
pub(super) struct Point {
    frame: usize,
    pub location: LocId,
    pub loops: Vec<Loop>,
    pub state: State,
}

impl<'p> Unwinder<'p> {
    pub fn new(program: &'p Program, bounds: Bounds, trust_hints: bool) -> Self {
        let mut slots = IndexVec::from_elem(0, program.vars.len());
        for (slot, var) in program.globals().enumerate() {
            slots[var] = slot;
        }
        for proc in &program.procs {
            for (slot, &var) in proc.locals.iter().enumerate() {
                slots[var] = slot;
            }
        }
        Unwinder {
            program,
            circuit: Circuit::default(),
            objects: Objects {
                gap: program.data_model.guard_bytes(),
                pointer: usize::from(program.data_model.pointer_bits()),
                ..Objects::default()
            },
            inputs: Inputs::default(),
            under: Under::default(),
            orders: Map::default(),
            heads: None,
            bounds,
            trust_hints,
            plans: plans(program),
            slots,
            frames: Vec::new(),
            pending: BTreeMap::new(),
            constraints: Vec::new(),
            errors: Vec::new(),
            cuts: Vec::new(),
            escapes: Vec::new(),
            decided: OrderedSet::default(),
            largest: 0,
            iterations: OrderedMap::default(),
            entered: OrderedMap::default(),
            depths: OrderedMap::default(),
            feasible: None,
            never: BTreeSet::new(),
        }
    }

    pub fn memory_context(&mut self) -> Context<'_> {
        Context {
            circuit: &mut self.circuit,
            objects: &mut self.objects,
            inputs: &mut self.inputs,
            under: &mut self.under,
            trust_hints: self.trust_hints,
        }
    }

    /// Unwinds the whole program.
    pub fn run(&mut self, budget: &Budget) -> Result<(), Unsupported> {
        self.enter_program();
        let mut points = 0;
        while let Some((key, point)) = self.pending.pop_first() {
            points += 1;
            budget.check().map_err(Unsupported::Stopped)?;
            if self.circuit.len() > MOST_GATES || points > MOST_POINTS {
                return Err(Unsupported::TooLarge);
            }
            if self.is_never(&point, budget) {
                self.never.insert(key);
            } else {
                self.visit(&key, point)?;
            }
        }
        Ok(())
    }

    /// Whether this is the head of a loop to which no run comes again.
    fn is_never(&mut self, point: &Point, budget: &Budget) -> bool {
        let Some(feasible) = &mut self.feasible else { return false };
        let guard = point.state.guard;
        let is_head = self.plans[self.frames[point.frame].proc].wto.is_head(point.location);
        let again = point.loops.last().is_some_and(|at| at.iteration > 0 && at.guard != guard);
        is_head
            && again
            && guard.as_constant().is_none()
            && feasible.is_never(&self.circuit, &self.constraints, &self.escapes, guard, budget)
    }

    fn enter_program(&mut self) {
        let program = self.program;
        let initial = |var: VarId| match program.vars[var].scope {
            Scope::Global { init } => {
                let word = Word::constant(width(program, program.vars[var].ty), init as u128);
                Some(Rc::new(word))
            }
            Scope::Local(_) => None,
        };
        let globals: Variables = Rc::new(program.globals().map(initial).collect());
        let memory = Memory::new(program, &mut self.objects);
        let mut state =
            State { guard: Bit::TRUE, known: Known::NOTHING, globals, frames: Vec::new(), memory };
        let arguments = program.procs[program.entry].params.iter().map(|&param| {
            let ty = program.vars[param].ty;
            let bits = words::inputs(&mut self.circuit, width(program, ty));
            self.inputs.argument(ty, bits.clone());
            Rc::new(Word::new(bits))
        });
        let arguments: Vec<Rc<Word>> = arguments.collect();
        self.enter(program.entry, None, Vec::new(), arguments, &mut state);
        self.arrive(self.frames.len() - 1, None, state);
    }

    /// Begins a call in `state`.
    fn enter(
        &mut self,
        id: ProcId,
        caller: Option<Caller>,
        key: Vec<u32>,
        arguments: Vec<Rc<Word>>,
        state: &mut State,
    ) {
        let program = self.program;
        let proc = &program.procs[id];
        let mut locals: Vec<Option<Rc<Word>>> = vec![None; proc.locals.len()];
        for (&param, argument) in proc.params.iter().zip(arguments) {
            locals[self.slots[param]] = Some(argument);
        }
        for &var in &self.plans[id].unassigned {
            let ty = program.vars[var].ty;
            let bits = words::inputs(&mut self.circuit, width(program, ty));
            self.inputs.local(state.guard, id, ty, bits.clone());
            locals[self.slots[var]] = Some(Rc::new(Word::new(bits)));
        }
        state.frames.push(Rc::new(locals));
        let (matters_after, depth) = match &caller {
            None => (false, 1),
            Some(caller) => {
                let frame = &self.frames[caller.frame];
                let after = program.procs[frame.proc].edges[caller.edge].to;
                let depth = 1 + self.active(caller.frame, id);
                (self.matters(caller.frame, after), depth)
            }
        };
        let deepest = self.depths.entry(id).or_insert(0);
        *deepest = depth.max(*deepest);
        self.frames.push(Frame { proc: id, caller, key, matters_after, depth });
    }

    /// How many calls of a procedure are active in a frame.
    fn active(&self, frame: usize, id: ProcId) -> u32 {
        let mut at = Some(frame);
        while let Some(frame) = at {
            if self.frames[frame].proc == id {
                return self.frames[frame].depth;
            }
            at = self.frames[frame].caller.as_ref().map(|caller| caller.frame);
        }
        0
    }

    /// Whether an error can still be reached.
    fn matters(&self, frame: usize, location: LocId) -> bool {
        let frame = &self.frames[frame];
        let plan = &self.plans[frame.proc];
        plan.can_fail[location] || (plan.can_return[location] && frame.matters_after)
    }

    /// A path comes to the entry of a call, or along an edge to a location.
    fn arrive(&mut self, frame: usize, from: Option<(&[Loop], EdgeId)>, state: State) {
        let proc = &self.program.procs[self.frames[frame].proc];
        let location = from.map_or(proc.entry, |(_, edge)| proc.edges[edge].to);
        if state.guard == Bit::FALSE || !self.matters(frame, location) {
            return;
        }
        let plan = &self.plans[self.frames[frame].proc];
        let around = &plan.loops[location];
        let mut loops: Vec<Loop> = Vec::with_capacity(around.len());
        if let Some((before, edge)) = from {
            let source = proc.edges[edge].from;
            let common = plan.loops[source].iter().zip(around).take_while(|(a, b)| a == b).count();
            let left = plan.loops[source].iter().zip(before).skip(common);
            if self.heads.as_ref().is_some_and(|heads| heads.forbid_leaving(plan, left)) {
                return;
            }
            loops.extend_from_slice(&before[..common]);
            if common == around.len() && plan.wto.is_head(location) {
                loops[common - 1].iteration += 1;
            }
        }
        let entered = &around[loops.len()..];
        if self.heads.as_ref().is_some_and(|heads| heads.forbid_entering(plan, entered, location)) {
            self.cuts.push(state.guard);
            return;
        }
        loops.resize(around.len(), Loop { iteration: 0, decided: 0, guard: state.guard });
        let mut key = self.frames[frame].key.clone();
        for (&component, at) in around.iter().zip(&loops) {
            key.extend([plan.wto.components[component].start as u32, at.iteration]);
        }
        key.push(plan.wto.position(location).unwrap_or(0) as u32);
        match self.pending.remove(&key) {
            None => {
                self.pending.insert(key, Point { frame, location, loops, state });
            }
            Some(mut other) => {
                for (old, new) in other.loops.iter_mut().zip(loops) {
                    old.decided = old.decided.max(new.decided);
                }
                other.state = State::merge(&mut self.memory_context(), &other.state, &state);
                self.pending.insert(key, other);
            }
        }
    }

    fn visit(&mut self, key: &[u32], mut point: Point) -> Result<(), Unsupported> {
        let id = self.frames[point.frame].proc;
        let proc = &self.program.procs[id];
        if point.location == proc.error {
            self.errors.push(point.state.guard);
            return Ok(());
        }
        if point.location == proc.exit {
            return self.leave(point);
        }
        let is_head = self.plans[id].wto.is_head(point.location);
        if is_head && self.heads.as_ref().is_some_and(|heads| heads.is_cut(point.location)) {
            if !self.at_cut(key, &mut point)? {
                return Ok(());
            }
        } else if is_head && let Some(innermost) = point.loops.last_mut() {
            if innermost.iteration > 0 && innermost.guard != point.state.guard {
                innermost.decided += 1;
            }
            innermost.guard = point.state.guard;
            let is_free = innermost.decided == 0 && innermost.iteration <= self.bounds.free;
            if !is_free && id == self.program.entry {
                self.decided.insert(point.location);
            }
            if innermost.decided > self.bounds.decided || innermost.iteration > self.bounds.free {
                self.cuts.push(point.state.guard);
                return Ok(());
            }
            let most = self.iterations.entry((id, point.location)).or_insert(0);
            *most = innermost.iteration.max(*most);
            let entered = self.entered.entry((id, point.location)).or_default();
            entered.push((innermost.iteration, point.state.guard));
        }
        for (edge, mut state) in self.branch(&point, id)? {
            let site = Site { proc: id, edge };
            match &proc.edges[edge].stmt {
                Stmt::Call { callee, args, .. } => {
                    self.call(key, &point, site, *callee, args, state)?;
                    continue;
                }
                stmt => {
                    if !self.execute(&mut state, stmt, site)? {
                        continue;
                    }
                }
            }
            self.arrive(point.frame, Some((&point.loops, edge)), state);
        }
        Ok(())
    }

    /// The edges that can be taken, each with the state after the decision for it.
    fn branch(&mut self, point: &Point, id: ProcId) -> Result<Vec<(EdgeId, State)>, Unsupported> {
        let proc = &self.program.procs[id];
        let guard = point.state.guard;
        let mut edges: Vec<(EdgeId, Bit, Bit)> = Vec::new();
        for &edge in &proc.locations[point.location].outgoing {
            let (mut holds, mut defined) = (Bit::TRUE, Bit::TRUE);
            if let Stmt::Assume(condition) = proc.edges[edge].stmt {
                let value = self.value(&point.state, condition)?;
                let under = self.under.at(&self.circuit, point.state.known);
                (holds, defined) = (under.simplified(&self.circuit, value.word.bits[0]), value.defined);
                self.escape(guard, value.escape);
            }
            if self.circuit.and(holds, defined) != Bit::FALSE {
                edges.push((edge, holds, defined));
            }
        }
        let mut exclusive = true;
        for i in 0..edges.len() {
            for j in 0..i {
                exclusive &= self.circuit.and(edges[i].1, edges[j].1) == Bit::FALSE;
            }
        }
        let mut taken = Vec::new();
        let mut choices = Vec::new();
        let mut others = Bit::TRUE;
        let count = edges.len();
        for (i, (edge, holds, defined)) in edges.into_iter().enumerate() {
            let decision = if count == 1 {
                Bit::TRUE
            } else if exclusive {
                holds
            } else if i + 1 == count {
                others
            } else {
                let choice = self.circuit.input();
                let decision = self.circuit.and(others, choice);
                others = self.circuit.and(others, !choice);
                decision
            };
            choices.push((holds, decision));
            let mut state = point.state.clone();
            state.guard = self.circuit.and(guard, decision);
            state.known = self.under.after(state.known, decision);
            let passes = self.circuit.and(holds, defined);
            if self.constrain(&state, passes) {
                taken.push((edge, state));
            }
        }
        if count > 1 && !exclusive {
            self.inputs.choice(guard, choices);
        }
        Ok(taken)
    }

    fn call(
        &mut self,
        key: &[u32],
        point: &Point,
        site: Site,
        callee: ProcId,
        args: &[ExprId],
        mut state: State,
    ) -> Result<(), Unsupported> {
        let mut arguments = Vec::with_capacity(args.len());
        for &arg in args {
            let Some(value) = self.demand(&state, arg)? else { return Ok(()) };
            arguments.push(value.word);
        }
        if self.active(point.frame, callee) > self.bounds.decided {
            self.cuts.push(state.guard);
            return Ok(());
        }
        let caller = Caller { frame: point.frame, edge: site.edge, loops: point.loops.clone() };
        let mut key = key.to_vec();
        key.push(site.edge.0);
        self.enter(callee, Some(caller), key, arguments, &mut state);
        self.arrive(self.frames.len() - 1, None, state);
        Ok(())
    }

    fn leave(&mut self, point: Point) -> Result<(), Unsupported> {
        let Point { frame, mut state, .. } = point;
        let Some(caller) = self.frames[frame].caller.clone() else { return Ok(()) };
        let proc = &self.program.procs[self.frames[frame].proc];
        let result = proc.result.map(|var| self.read(&state, var));
        state.frames.pop();
        let site = Site { proc: self.frames[caller.frame].proc, edge: caller.edge };
        if let Stmt::Call { result: Some(place), .. } = self.program.procs[site.proc].edges[site.edge].stmt {
            let word = result.unwrap_or_else(|| self.anything(self.program.place_type(place)));
            if !self.assign(&mut state, place, word)? {
                return Ok(());
            }
        }
        self.arrive(caller.frame, Some((&caller.loops, caller.edge)), state);
        Ok(())
    }
}
