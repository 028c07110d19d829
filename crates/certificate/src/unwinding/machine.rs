//! The checker's unwinding: calls one inside the other, locations of a call in weak topological order, iteration by
//! iteration, and one state for all paths to a location.

use super::gates::{FALSE, Gates, Lit, TRUE, Word, as_number, number};
use super::induction::Cuts;
use super::meaning::bits;
use super::memory::{First, Memory};
use super::under::{Decisions, Under};
use super::{Bounds, Failure, LIMITS};
use craig_base::{Budget, IndexVec};
use craig_program::{Edge, EdgeId, ExprId, LocId, Place, ProcId, Program, Scope, Stmt, Type, VarId, Wto};
use std::collections::BTreeMap;
use std::rc::Rc;

type Values = Rc<Vec<Option<Rc<Word>>>>;

#[derive(Clone)]
pub(super) struct State {
    /// The run is here.
    pub here: Lit,
    /// The decisions on all ways here.
    pub decisions: Decisions,
    pub globals: Values,
    pub locals: Values,
    pub memory: Memory,
}

/// A call that is being unwound.
pub(super) struct Activation {
    proc: ProcId,
    /// States that wait at locations, by iterations and place.
    pub waiting: BTreeMap<Vec<u32>, (LocId, State)>,
    /// Edges of the location that was visited last, with its key.
    edges: Vec<(EdgeId, Vec<u32>, State)>,
    returned: Option<State>,
    /// The call in the activation below.
    call: Option<(EdgeId, Vec<u32>, Values)>,
    /// Errors are possible after the return.
    matters_after: bool,
}

pub(super) struct Shape {
    pub wto: Wto<LocId>,
    fails: IndexVec<LocId, bool>,
    returns: IndexVec<LocId, bool>,
}

pub(super) struct Machine<'p> {
    pub program: &'p Program,
    bounds: &'p Bounds,
    /// Loops that are not unwound to their end.
    pub cuts: Cuts<'p>,
    pub gates: Gates,
    pub first: First,
    /// What is known where the unwinding is.
    pub under: Under,
    pub shapes: IndexVec<ProcId, Shape>,
    pub slots: IndexVec<VarId, usize>,
    pub stack: Vec<Activation>,
    /// What holds in every run that matters.
    pub assumptions: Vec<Lit>,
    /// What must be impossible: errors, runs beyond the bounds, addresses that go astray.
    pub bad: Vec<Lit>,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, bounds: &'p Bounds, cuts: Cuts<'p>) -> Self {
        let mut slots = IndexVec::from_elem(0, program.vars.len());
        program.globals().enumerate().for_each(|(slot, var)| slots[var] = slot);
        for proc in &program.procs {
            proc.locals.iter().enumerate().for_each(|(slot, &var)| slots[var] = slot);
        }
        Machine {
            program,
            bounds,
            cuts,
            gates: Gates::new(bits(program, Type::Pointer)),
            first: First::new(program),
            under: Under::new(),
            shapes: shapes(program),
            slots,
            stack: Vec::new(),
            assumptions: Vec::new(),
            bad: Vec::new(),
        }
    }

    pub fn run(&mut self, budget: &Budget) -> Result<(), Failure> {
        let program = self.program;
        let initial = |var: VarId| match program.vars[var].scope {
            Scope::Global { init } => {
                Some(Rc::new(number(bits(program, program.vars[var].ty), init as u128)))
            }
            Scope::Local(_) => None,
        };
        let globals: Values = Rc::new(program.globals().map(initial).collect());
        let state = State { here: TRUE, decisions: 0, globals, locals: Rc::default(), memory: Memory::new() };
        let params = &program.procs[program.entry].params;
        let arguments =
            params.iter().map(|&var| Rc::new(self.gates.free_word(bits(program, program.vars[var].ty))));
        let arguments = arguments.collect();
        self.begin(program.entry, arguments, None, state);
        let mut steps = 0;
        while !self.stack.is_empty() {
            steps += 1;
            budget.check().map_err(Failure::Stopped)?;
            if steps > LIMITS.steps || self.gates.count() > LIMITS.gates {
                return Err(Failure::TooLarge);
            }
            self.step()?;
        }
        Ok(())
    }

    fn begin(
        &mut self,
        proc: ProcId,
        arguments: Vec<Rc<Word>>,
        call: Option<(EdgeId, Vec<u32>)>,
        mut state: State,
    ) {
        let mut locals = vec![None; self.program.procs[proc].locals.len()];
        for (&param, argument) in self.program.procs[proc].params.iter().zip(arguments) {
            locals[self.slots[param]] = Some(argument);
        }
        let callers = std::mem::replace(&mut state.locals, Rc::new(locals));
        let matters_after = match (&call, self.stack.last()) {
            (Some((edge, _)), Some(caller)) => {
                self.matters(caller, self.program.procs[caller.proc].edges[*edge].to)
            }
            _ => false,
        };
        let activation = Activation {
            proc,
            waiting: BTreeMap::new(),
            edges: Vec::new(),
            returned: None,
            call: call.map(|(edge, key)| (edge, key, callers)),
            matters_after,
        };
        self.stack.push(activation);
        self.reach(None, self.program.procs[proc].entry, state);
    }

    fn matters(&self, activation: &Activation, location: LocId) -> bool {
        let shape = &self.shapes[activation.proc];
        shape.fails[location] || (shape.returns[location] && activation.matters_after)
    }

    /// One edge, or the next location, or the end of a call.
    fn step(&mut self) -> Result<(), Failure> {
        let Some(activation) = self.stack.last_mut() else { return Ok(()) };
        let id = activation.proc;
        if let Some((edge, key, state)) = activation.edges.pop() {
            return self.follow(id, edge, key, state);
        }
        let proc = &self.program.procs[id];
        if let Some((key, (location, state))) = activation.waiting.pop_first() {
            if location == proc.error {
                self.bad.push(state.here);
            } else if location == proc.exit {
                activation.returned = Some(state);
            } else if let Some(state) = self.at_head(id, location, &key, state)? {
                let edges = self.decide(id, location, &state)?;
                if let Some(activation) = self.stack.last_mut() {
                    activation
                        .edges
                        .extend(edges.into_iter().map(|(edge, state)| (edge, key.clone(), state)));
                }
            }
            return Ok(());
        }
        let Some(done) = self.stack.pop() else { return Ok(()) };
        let (Some(mut state), Some((edge, key, locals))) = (done.returned, done.call) else { return Ok(()) };
        let result = proc.result.map(|var| self.read(&state, var));
        state.locals = locals;
        let Some(caller) = self.stack.last().map(|caller| caller.proc) else { return Ok(()) };
        let call = &self.program.procs[caller].edges[edge];
        if let Stmt::Call { result: Some(place), .. } = call.stmt {
            let ty = self.program.place_type(place);
            let word = result.unwrap_or_else(|| Rc::new(self.gates.free_word(bits(self.program, ty))));
            if !self.assign(&mut state, place, word)? {
                return Ok(());
            }
        }
        self.reach(Some((key, call.from)), call.to, state);
        Ok(())
    }

    /// The state comes to a location of the innermost call, from another one with its key or from outside.
    fn reach(&mut self, from: Option<(Vec<u32>, LocId)>, location: LocId, state: State) {
        let Some(activation) = self.stack.last() else { return };
        if state.here == FALSE || !self.matters(activation, location) {
            return;
        }
        let proc = activation.proc;
        if self.leaves_too_early(proc, from.as_ref(), location) {
            return;
        }
        let wto = &self.shapes[proc].wto;
        // A key has the head and the iteration of each loop around, and the place.
        let mut heads: Vec<LocId> = wto.heads(location).collect();
        heads.reverse();
        let mut key = Vec::new();
        let mut inside = true;
        let mut beyond = false;
        for (i, &head) in heads.iter().enumerate() {
            let place = wto.position(head).unwrap_or(0) as u32;
            let known = from.as_ref().filter(|(before, source)| {
                inside
                    && before.len() > 2 * i + 1
                    && before[2 * i] == place
                    && wto.heads(*source).any(|around| around == head)
            });
            let iteration = match known {
                Some((before, _)) if head == location => before[2 * i + 1] + 1,
                Some((before, _)) => before[2 * i + 1],
                None => {
                    inside = false;
                    0
                }
            };
            beyond |= match self.cuts.at(self.program, proc, head) {
                // A loop that is entered elsewhere than at its head has no beginning to reason from.
                Some(_) => known.is_none() && head != location,
                None => iteration > self.bounds.loops.get(&(proc, head)).copied().unwrap_or(0),
            };
            key.extend([place, iteration]);
        }
        key.push(wto.position(location).unwrap_or(0) as u32);
        if beyond || self.is_said_never(&key) {
            self.bad.push(state.here);
            return;
        }
        let Some(activation) = self.stack.last_mut() else { return };
        let joined = match activation.waiting.remove(&key) {
            None => state,
            Some((_, other)) => join(&mut self.gates, &mut self.first, &self.under, &other, &state),
        };
        activation.waiting.insert(key, (location, joined));
    }

    /// Whether the certificate says that no run comes to this point of the innermost call.
    fn is_said_never(&self, key: &[u32]) -> bool {
        if self.bounds.never.is_empty() {
            return false;
        }
        let calls = self.stack.iter().filter_map(|activation| activation.call.as_ref());
        let mut point: Vec<u32> = Vec::new();
        for (edge, at, _) in calls {
            point.extend_from_slice(at);
            point.push(edge.0);
        }
        point.extend_from_slice(key);
        self.bounds.never.contains(&point)
    }

    /// The edges out of a location, each with the state in which it is taken.
    fn decide(
        &mut self,
        id: ProcId,
        location: LocId,
        state: &State,
    ) -> Result<Vec<(EdgeId, State)>, Failure> {
        let proc = &self.program.procs[id];
        let mut options: Vec<(EdgeId, Lit, Lit)> = Vec::new();
        for &edge in &proc.locations[location].outgoing {
            match proc.edges[edge].stmt {
                Stmt::Assume(condition) => {
                    let value = self.value(state, condition)?;
                    let astray = self.gates.and(state.here, value.astray);
                    self.bad.push(astray);
                    let under = self.under.at(&self.gates, state.decisions);
                    let holds = under.simplified(&self.gates, value.word[0]);
                    if self.gates.and(holds, value.defined) != FALSE {
                        options.push((edge, holds, value.defined));
                    }
                }
                _ => options.push((edge, TRUE, TRUE)),
            }
        }
        let pairs = (0..options.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let exclusive = pairs.fold(true, |exclusive, (i, j)| {
            exclusive & (self.gates.and(options[i].1, options[j].1) == FALSE)
        });
        let single = options.len() == 1;
        let mut rest = TRUE;
        let mut taken = Vec::new();
        for (edge, holds, defined) in options {
            let choice = if single {
                TRUE
            } else if exclusive {
                holds
            } else {
                // Which of several edges is taken is anyone's guess; it may be none.
                let free = self.gates.free();
                let choice = self.gates.and(rest, free);
                rest = self.gates.and(rest, -free);
                choice
            };
            let mut next = state.clone();
            next.here = self.gates.and(state.here, choice);
            next.decisions = self.under.decide(state.decisions, choice);
            let passes = self.gates.and(holds, defined);
            if self.assume(&next, passes) {
                taken.push((edge, next));
            }
        }
        Ok(taken)
    }

    /// Every run that is here goes on only if the condition holds; false if none does.
    pub fn assume(&mut self, state: &State, condition: Lit) -> bool {
        let assumption = self.gates.or(-state.here, condition);
        if assumption != TRUE {
            self.assumptions.push(assumption);
        }
        state.here != FALSE && condition != FALSE
    }

    fn follow(&mut self, id: ProcId, edge: EdgeId, key: Vec<u32>, mut state: State) -> Result<(), Failure> {
        let program = self.program;
        let Edge { from, to, ref stmt, .. } = program.procs[id].edges[edge];
        let goes_on = match stmt {
            Stmt::Skip | Stmt::Assume(_) => true,
            Stmt::Assign(place, value) => match self.needed(&state, *value)? {
                Some(word) => self.assign(&mut state, *place, word)?,
                None => false,
            },
            Stmt::Input(place, _) => {
                let word = self.gates.free_word(bits(program, program.place_type(*place)));
                self.assign(&mut state, *place, Rc::new(word))?
            }
            Stmt::Alloc { var, size } => match self.needed(&state, *size)? {
                Some(size) => self.allocate(&mut state, *var, &size)?,
                None => false,
            },
            Stmt::Free(address) => match self.needed(&state, *address)? {
                Some(address) => {
                    let found = state.memory.free(&mut self.gates, &address);
                    let is_null = -self.gates.any(&address);
                    let allowed = self.gates.or(found, is_null);
                    self.assume(&state, allowed)
                }
                None => false,
            },
            Stmt::Call { callee, args, .. } => {
                let mut arguments = Vec::new();
                for &arg in args {
                    match self.needed(&state, arg)? {
                        Some(word) => arguments.push(word),
                        None => return Ok(()),
                    }
                }
                let active = self.stack.iter().filter(|activation| activation.proc == *callee).count();
                if active >= self.bounds.calls.get(callee).copied().unwrap_or(0) as usize {
                    self.bad.push(state.here);
                } else {
                    self.begin(*callee, arguments, Some((edge, key)), state);
                }
                return Ok(());
            }
        };
        if goes_on {
            self.reach(Some((key, from)), to, state);
        }
        Ok(())
    }

    /// A value without which no run goes on; none if no run gets it.
    fn needed(&mut self, state: &State, id: ExprId) -> Result<Option<Rc<Word>>, Failure> {
        let value = self.value(state, id)?;
        let astray = self.gates.and(state.here, value.astray);
        self.bad.push(astray);
        Ok(self.assume(state, value.defined).then_some(value.word))
    }

    fn assign(&mut self, state: &mut State, place: Place, word: Rc<Word>) -> Result<bool, Failure> {
        match place {
            Place::Var(var) => {
                self.write(state, var, word);
                Ok(true)
            }
            Place::Memory { addr, ty, .. } => {
                let origin = self.origin(state, addr);
                let Some(address) = self.needed(state, addr)? else { return Ok(false) };
                let size = u64::from(self.program.size_of(ty));
                let signed = matches!(ty, Type::Int(int) if int.signed);
                let stored = super::gates::widened(&word, 8 * size as usize, signed);
                let under = self.under.at(&self.gates, state.decisions);
                let access =
                    state.memory.access(&mut self.gates, &self.first, under, &address, size, origin)?;
                let astray = self.gates.and(state.here, access.astray);
                self.bad.push(astray);
                state.memory.store(&mut self.gates, &mut self.first, &access, &stored);
                let allowed = self.gates.or(access.valid, access.astray);
                Ok(self.assume(state, allowed))
            }
        }
    }

    fn allocate(&mut self, state: &mut State, var: VarId, size: &[Lit]) -> Result<bool, Failure> {
        let Some(global) = self.program.next_address else {
            return Err(Failure::Unsupported("an object without an address"));
        };
        let width = bits(self.program, Type::Pointer);
        let (size, variable) = match as_number(size) {
            Some(size) => (u64::try_from(size).map_err(|_| Failure::TooLarge)?, None),
            None => {
                // What is larger is beyond the bounds.
                let most = self.bounds.object;
                let size = super::gates::widened(size, width, false);
                let larger = self.gates.below(&number(width, u128::from(most)), &size);
                let beyond = self.gates.and(state.here, larger);
                self.bad.push(beyond);
                state.here = self.gates.and(state.here, -larger);
                if most >= self.program.data_model.guard_bytes() {
                    return Err(Failure::TooLarge);
                }
                (most, Some(size))
            }
        };
        let address = self.read(state, global);
        let starts = self.gates.cases(&address).ok_or(Failure::TooLarge)?;
        let mut next: BTreeMap<u128, Lit> = BTreeMap::new();
        for &(start, condition) in starts.iter() {
            let start = u64::try_from(start).map_err(|_| Failure::TooLarge)?;
            let after = self.program.data_model.next_allocation(start, size);
            // Beyond the last address the path would end; no program that is checked here comes so far.
            let after = after.ok_or(Failure::TooLarge)?;
            let extent = (start, size);
            let (gates, first) = (&mut self.gates, &mut self.first);
            state.memory.allocate(gates, first, extent, variable.as_deref(), condition);
            next.insert(u128::from(after), condition);
        }
        let next = self.gates.of_cases(width, next);
        self.write(state, global, Rc::new(next));
        self.write(state, var, address);
        Ok(true)
    }
}

/// One state for two that exclude each other.
fn join(g: &mut Gates, first: &mut First, under: &Under, a: &State, b: &State) -> State {
    let condition = g.difference(a.here, b.here);
    let mut values = |x: &Values, y: &Values| -> Values {
        if Rc::ptr_eq(x, y) {
            return x.clone();
        }
        let one = |(x, y): (&Option<Rc<Word>>, &Option<Rc<Word>>)| match (x, y) {
            (Some(x), Some(y)) if x == y => Some(x.clone()),
            (Some(x), Some(y)) => Some(Rc::new(g.select(condition, x, y))),
            _ => None,
        };
        Rc::new(x.iter().zip(y.iter()).map(one).collect())
    };
    let (globals, locals) = (values(&a.globals, &b.globals), values(&a.locals, &b.locals));
    State {
        here: g.or(a.here, b.here),
        decisions: under.common(a.decisions, b.decisions),
        globals,
        locals,
        memory: Memory::join(g, first, condition, &a.memory, &b.memory),
    }
}

fn shapes(program: &Program) -> IndexVec<ProcId, Shape> {
    let backwards = |id: ProcId| program.procs[id].graph().reversed();
    let ids: Vec<ProcId> = program.procs.indices().collect();
    let mut failing: Vec<bool> = vec![false; ids.len()];
    let fails = |id: ProcId, failing: &[bool]| {
        let proc = &program.procs[id];
        let calls = proc
            .edges
            .iter()
            .filter(|edge| matches!(edge.stmt, Stmt::Call { callee, .. } if failing[callee.0 as usize]));
        backwards(id).reachable(calls.map(|edge| edge.from).chain([proc.error]))
    };
    loop {
        let before = failing.clone();
        for &id in &ids {
            failing[id.0 as usize] |= fails(id, &failing)[program.procs[id].entry];
        }
        if failing == before {
            break;
        }
    }
    let shape = |&id: &ProcId| {
        let proc = &program.procs[id];
        Shape {
            wto: Wto::new(&proc.graph(), proc.entry),
            fails: fails(id, &failing),
            returns: backwards(id).reachable([proc.exit]),
        }
    };
    ids.iter().map(shape).collect()
}
