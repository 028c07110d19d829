//! The interpreter: it follows the code, and leaves all that concerns values to [`Values`].

use crate::code::{At, Code, Instr, Slot, U32, U64};
use crate::input::Source;
use crate::leap::{Most, State, leap};
use crate::memory::Memory;
use crate::outcome::{Halt, Outcome, Site};
use crate::values::Values;
use craig_base::{Budget, Index, IndexVec};
use craig_program::{BinaryOp, IntType, ProcId, Program, Type, VarId};

/// What a run may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Statements; checked where control branches, so a straight run of code may end a little later.
    pub steps: u64,
    /// Calls active at once.
    pub depth: usize,
    /// So many steps are taken one by one before rounds of a loop are taken at once.
    pub stepwise: u64,
    pub budget: Budget,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: u64::MAX, depth: 100_000, stepwise: 0, budget: Budget::unlimited() }
    }
}

/// The state of a run, as seen by an observer.
pub trait StateView {
    /// The value of a variable: of the innermost active call, if it is local. `None` if the values
    /// are symbolic. Floats as bits.
    fn value(&self, var: VarId) -> Option<i128>;
    fn memory(&self) -> Option<&Memory>;
    /// The call sites of the active calls, outermost first.
    fn calls(&self) -> Vec<Site>;
    fn depth(&self) -> usize;
    /// What the call that has just returned gave.
    fn returned(&self) -> Option<i128>;
}

/// Told of every edge in a run of code that was compiled for [`Detail::Edges`](crate::Detail::Edges).
pub trait Observer {
    /// The edge is taken now; the state is the one before its statement. An assumption holds.
    fn edge(&mut self, _site: Site, _state: &dyn StateView) {}
    /// The call on this edge has returned, and its result is assigned.
    fn returned(&mut self, _site: Site, _state: &dyn StateView) {}
    /// How many edges may be taken from now on without a word of them, as many rounds of a loop at once.
    fn skippable(&self) -> u64 {
        0
    }
    /// So many were.
    fn skipped(&mut self, _edges: u64) {}
    /// The run is over.
    fn finished(&mut self, _outcome: &Outcome, _state: &dyn StateView) {}
}

/// Between two looks at the clock.
pub(crate) const STEPS_PER_CHECK: u32 = 1 << 20;
/// The same after many rounds of a loop at once.
const STEPS_AFTER_LEAP: i64 = 1 << 12;
/// No leap goes further: steps are counted in words.
const MOST_STEPS: u64 = 1 << 62;

/// A run of a program in progress.
pub struct Machine<'c, V: Values> {
    program: &'c Program,
    code: &'c Code,
    pub values: V,
    slots: Vec<V::Value>,
    stack: Vec<Frame>,
    /// Slots of suspended calls of procedures that were called again.
    saved: Vec<V::Value>,
    active: IndexVec<ProcId, u32>,
    /// What the last call returned, and its type.
    result: Option<V::Value>,
    result_type: Type,
    pc: usize,
    steps: u64,
    /// After so many steps it is worth to look for a loop that only counts.
    leap_at: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub proc: ProcId,
    pub return_to: usize,
    /// The slots of the procedure's previous call are at the end of `saved`.
    pub saved: bool,
}

struct View<'a, V: Values> {
    program: &'a Program,
    code: &'a Code,
    values: &'a V,
    slots: &'a [V::Value],
    stack: &'a [Frame],
    result: Option<(Type, &'a V::Value)>,
}

impl<V: Values> StateView for View<'_, V> {
    fn value(&self, var: VarId) -> Option<i128> {
        let slot = self.code.var_slots[var];
        self.values.known(self.program.vars[var].ty, &self.slots[slot.index()])
    }

    fn memory(&self) -> Option<&Memory> {
        self.values.memory()
    }

    fn calls(&self) -> Vec<Site> {
        let callers = self.stack.iter().skip(1);
        callers.map(|frame| self.code.sites[frame.return_to - 1].0).collect()
    }

    fn depth(&self) -> usize {
        self.stack.len()
    }

    fn returned(&self) -> Option<i128> {
        let (ty, value) = self.result?;
        self.values.known(ty, value)
    }
}

impl<'c, V: Values> Machine<'c, V> {
    /// At the start of `program`, from which `code` was compiled for values of this kind.
    pub fn new(program: &'c Program, code: &'c Code, mut values: V) -> Self {
        let zero = values.constant(Type::I32, 0);
        let mut slots = vec![zero; code.slots];
        for &(slot, ty, value) in code.constants.iter().chain(&code.globals) {
            slots[slot.index()] = values.constant(ty, value);
        }
        Machine {
            program,
            code,
            values,
            slots,
            stack: Vec::new(),
            saved: Vec::new(),
            active: IndexVec::from_elem(0, code.procs.len()),
            result: None,
            result_type: Type::I32,
            pc: 0,
            steps: 0,
            leap_at: 0,
        }
    }

    /// Statements executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The value of a global, or of a variable of a procedure in its innermost call.
    pub fn slot_of(&self, var: VarId) -> &V::Value {
        &self.slots[self.code.var_slots[var].index()]
    }

    /// The procedure of the innermost active call.
    pub fn innermost(&self) -> ProcId {
        self.stack.last().map_or(self.code.entry, |frame| frame.proc)
    }

    /// Runs the program to its end, or to a limit.
    pub fn run(&mut self, limits: &Limits, observer: &mut dyn Observer) -> Outcome {
        let outcome = match self.enter_program() {
            Ok(()) => self.execute(limits, observer),
            Err((halt, site)) => halted(halt, site),
        };
        observer.finished(&outcome, &self.view());
        outcome
    }

    fn enter_program(&mut self) -> Result<(), (Halt, Site)> {
        let entry = &self.code.procs[self.code.entry];
        self.pc = entry.start as usize;
        let at = At { code: self.code, pc: entry.start };
        for &(slot, ty) in &entry.params {
            let value =
                self.values.input(Source::Argument, ty, at).map_err(|halt| (halt, entry.entry_site))?;
            self.slots[slot.index()] = value;
        }
        self.active[self.code.entry] += 1;
        self.stack.push(Frame { proc: self.code.entry, return_to: 0, saved: false });
        Ok(())
    }

    fn view(&self) -> View<'_, V> {
        View {
            program: self.program,
            code: self.code,
            values: &self.values,
            slots: &self.slots,
            stack: &self.stack,
            result: self.result.as_ref().map(|result| (self.result_type, result)),
        }
    }

    /// The site of the current instruction, with the steps of its unfinished run of code counted.
    fn stop_at(&mut self, pc: usize, fuel: i64, granted: u64) -> Site {
        let (site, pending) = self.code.sites[pc];
        self.steps = (granted as i64 - fuel) as u64 + u64::from(pending);
        self.pc = pc;
        site
    }

    /// Takes many rounds of the loop around this instruction at once, where that is possible; then the run goes on at
    /// the instruction that is returned.
    #[cold]
    #[inline(never)]
    fn leap(
        &mut self,
        pc: usize,
        limits: &Limits,
        fuel: &mut i64,
        granted: &mut u64,
        observer: &mut dyn Observer,
    ) -> Option<usize> {
        if !V::LEAPS || *granted < self.leap_at.max(limits.stepwise) {
            return None;
        }
        let pointer = IntType::unsigned(self.program.data_model.pointer_bits());
        let steps = limits.steps.min(MOST_STEPS).saturating_sub(*granted);
        let most = Most { steps, edges: observer.skippable(), depth: limits.depth };
        let slots = self.slots.iter().chain(&self.result).cloned().collect();
        let state = State { pc, slots, stack: self.stack.clone() };
        let Some(mut leap) = leap(self.code, &mut self.values, &state, pointer, most) else {
            self.leap_at = 2 * *granted;
            return None;
        };
        self.result = leap.state.slots.drain(self.code.slots..).next();
        self.slots = leap.state.slots;
        self.stack = leap.state.stack;
        self.active.iter_mut().for_each(|active| *active = 0);
        self.stack.iter().for_each(|frame| self.active[frame.proc] += 1);
        observer.skipped(leap.edges);
        // Where one loop was left like this, there may be others.
        let unused = (*fuel - STEPS_AFTER_LEAP).max(0);
        *fuel -= unused;
        *granted = *granted - unused as u64 + leap.steps;
        Some(leap.state.pc)
    }

    fn execute(&mut self, limits: &Limits, observer: &mut dyn Observer) -> Outcome {
        const I32: Type = Type::I32;

        let code = self.code;
        let instrs = code.instrs.as_slice();
        let mut pc = self.pc;
        // Steps that may still be made before the next look at the limits, and all that were granted.
        let mut granted = limits.steps.min(u64::from(STEPS_PER_CHECK));
        let mut fuel = granted as i64;

        macro_rules! get {
            ($slot:expr) => {
                &self.slots[$slot.index()]
            };
        }
        macro_rules! set {
            ($slot:expr, $value:expr) => {{
                let value = $value;
                self.slots[$slot.index()] = value;
            }};
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(halt) => return halted(halt, self.stop_at(pc - 1, fuel, granted)),
                }
            };
        }
        macro_rules! at {
            () => {
                At { code, pc: (pc - 1) as u32 }
            };
        }
        macro_rules! binary {
            ($op:ident, $ty:expr, $to:expr, $a:expr, $b:expr) => {
                set!($to, attempt!(self.values.binary(BinaryOp::$op, $ty, get!($a), get!($b))))
            };
        }
        macro_rules! count {
            ($count:expr) => {
                fuel -= i64::from($count);
                if fuel < 0 {
                    if let Some(outcome) = refill(limits, &mut fuel, &mut granted) {
                        self.stop_at(pc - 1, fuel, granted);
                        return outcome;
                    }
                    if let Some(after) = self.leap(pc - 1, limits, &mut fuel, &mut granted, observer) {
                        pc = after;
                        continue;
                    }
                }
            };
        }
        macro_rules! branch {
            ($op:ident, $ty:expr, $a:expr, $b:expr, $count:expr, $target:expr) => {{
                count!($count);
                let holds = attempt!(self.values.compare(BinaryOp::$op, $ty, get!($a), get!($b), at!()));
                if !holds {
                    pc = $target as usize;
                }
            }};
        }

        loop {
            let instr = instrs[pc];
            pc += 1;
            match instr {
                Instr::Move { to, a } => set!(to, get!(a).clone()),
                Instr::AddI32 { to, a, b } => binary!(Add, I32, to, a, b),
                Instr::SubI32 { to, a, b } => binary!(Sub, I32, to, a, b),
                Instr::MulI32 { to, a, b } => binary!(Mul, I32, to, a, b),
                Instr::AddU32 { to, a, b } => binary!(Add, U32, to, a, b),
                Instr::SubU32 { to, a, b } => binary!(Sub, U32, to, a, b),
                Instr::MulU32 { to, a, b } => binary!(Mul, U32, to, a, b),
                Instr::AddU64 { to, a, b } => binary!(Add, U64, to, a, b),
                Instr::AddPointer { to, a, b } => binary!(Add, Type::Pointer, to, a, b),
                Instr::Binary { op, ty, to, a, b } => {
                    let result = general_binary(&mut self.values, op, ty, get!(a), get!(b));
                    set!(to, attempt!(result));
                }
                Instr::Unary { op, ty, to, a } => set!(to, attempt!(self.values.unary(op, ty, get!(a)))),
                Instr::Cast { from, ty, to, a } => {
                    set!(to, attempt!(self.values.cast(from, ty, get!(a))));
                }
                Instr::Load { region, ty, to, addr } => {
                    set!(to, attempt!(self.values.load(region, ty, get!(addr), at!())));
                }
                Instr::Store { region, ty, addr, value } => {
                    attempt!(self.values.store(region, ty, get!(addr), get!(value), at!()));
                }
                Instr::Input { ty, to } => {
                    set!(to, attempt!(self.values.input(Source::Statement, ty, at!())));
                }
                Instr::InputLocal { ty, to } => {
                    set!(to, attempt!(self.values.input(Source::Local, ty, at!())));
                }
                Instr::Allocate { to, size, lifetime } => {
                    let next = code.next_address.unwrap_or(to);
                    let address = get!(next).clone();
                    let after = attempt!(self.values.allocate(&address, get!(size), lifetime));
                    set!(next, after);
                    set!(to, address);
                }
                Instr::Free { addr, lifetime } => attempt!(self.values.free(get!(addr), lifetime)),

                Instr::Jump { target, count } => {
                    count!(count);
                    pc = target as usize;
                }
                Instr::Count { count } => {
                    count!(count);
                }
                Instr::Branch { count, condition, target } => {
                    count!(count);
                    if !attempt!(self.values.holds(get!(condition), at!())) {
                        pc = target as usize;
                    }
                }
                Instr::BranchEqI32 { count, a, b, target } => branch!(Eq, I32, a, b, count, target),
                Instr::BranchNeI32 { count, a, b, target } => branch!(Ne, I32, a, b, count, target),
                Instr::BranchLtI32 { count, a, b, target } => branch!(Lt, I32, a, b, count, target),
                Instr::BranchLeI32 { count, a, b, target } => branch!(Le, I32, a, b, count, target),
                Instr::BranchLtU32 { count, a, b, target } => branch!(Lt, U32, a, b, count, target),
                Instr::BranchLeU32 { count, a, b, target } => branch!(Le, U32, a, b, count, target),
                Instr::BranchEq { ty, count, a, b, target } => branch!(Eq, ty, a, b, count, target),
                Instr::BranchNe { ty, count, a, b, target } => branch!(Ne, ty, a, b, count, target),
                Instr::BranchLt { ty, count, a, b, target } => branch!(Lt, ty, a, b, count, target),
                Instr::BranchLe { ty, count, a, b, target } => branch!(Le, ty, a, b, count, target),
                Instr::Select { first, count, table } => {
                    let conditions = &self.slots[first.index()..first.index() + count as usize];
                    match attempt!(self.values.select(conditions, at!())) {
                        Some(choice) => pc = code.targets[table as usize + choice] as usize,
                        None => return Outcome::AssumptionFailed(self.stop_at(pc - 1, fuel, granted)),
                    }
                }

                Instr::Call { callee, args } => {
                    if self.stack.len() >= limits.depth {
                        return Outcome::DepthLimit(self.stop_at(pc - 1, fuel, granted));
                    }
                    self.call(callee, args as usize, pc);
                    pc = code.procs[callee].start as usize;
                }
                Instr::Result { to } => {
                    if let Some(result) = self.result.clone() {
                        set!(to, result);
                    }
                }
                Instr::Return => match self.leave() {
                    Ok(return_to) => pc = return_to,
                    Err(result) => {
                        self.stop_at(pc - 1, fuel, granted);
                        return Outcome::Returned(result);
                    }
                },

                Instr::Edge => observer.edge(code.sites[pc - 1].0, &self.view()),
                Instr::Returned => observer.returned(code.sites[pc - 1].0, &self.view()),

                Instr::Error => return Outcome::ReachedError(self.stop_at(pc - 1, fuel, granted)),
                Instr::End => return Outcome::Ended(self.stop_at(pc - 1, fuel, granted)),
                Instr::AssumptionFailed => {
                    return Outcome::AssumptionFailed(self.stop_at(pc - 1, fuel, granted));
                }
            }
        }
    }

    /// Enters `callee` from the instruction before `return_to`.
    #[inline(never)]
    fn call(&mut self, callee: ProcId, args: usize, return_to: usize) {
        let target = &self.code.procs[callee];
        let args = &self.code.lists[args..args + target.params.len()];
        let saved = self.active[callee] > 0;
        if saved {
            // The arguments may be variables of the very slots that are to be reused.
            let values: Vec<V::Value> = args.iter().map(|arg| self.slots[arg.index()].clone()).collect();
            self.saved.extend_from_slice(&self.slots[target.frame.clone()]);
            for (&(param, _), value) in target.params.iter().zip(values) {
                self.slots[param.index()] = value;
            }
        } else {
            for (&(param, _), arg) in target.params.iter().zip(args) {
                self.slots[param.index()] = self.slots[arg.index()].clone();
            }
        }
        self.active[callee] += 1;
        self.stack.push(Frame { proc: callee, return_to, saved });
    }

    /// Leaves the innermost call; `Err` with the result if that was the entry of the program.
    #[inline(never)]
    fn leave(&mut self) -> Result<usize, Option<i128>> {
        let Some(frame) = self.stack.pop() else { return Err(None) };
        let proc = &self.code.procs[frame.proc];
        self.active[frame.proc] -= 1;
        if self.stack.is_empty() {
            let known = |(slot, ty): (Slot, Type)| self.values.known(ty, &self.slots[slot.index()]);
            return Err(proc.result.and_then(known));
        }
        self.result = proc.result.map(|(slot, ty)| {
            self.result_type = ty;
            self.slots[slot.index()].clone()
        });
        if frame.saved {
            let start = self.saved.len() - proc.frame.len();
            for (slot, value) in proc.frame.clone().zip(self.saved.drain(start..)) {
                self.slots[slot] = value;
            }
        }
        Ok(frame.return_to)
    }
}

/// Kept out of the loop: all operations on all types are a lot of code.
#[inline(never)]
fn general_binary<V: Values>(
    values: &mut V,
    op: BinaryOp,
    ty: Type,
    a: &V::Value,
    b: &V::Value,
) -> Result<V::Value, Halt> {
    values.binary(op, ty, a, b)
}

/// Grants more steps, unless a limit is reached.
#[cold]
#[inline(never)]
fn refill(limits: &Limits, fuel: &mut i64, granted: &mut u64) -> Option<Outcome> {
    if *granted >= limits.steps {
        // Several steps are counted at once, and the first beyond the limit ends the run.
        *fuel = (*fuel).max(-1);
        return Some(Outcome::StepLimit);
    }
    if let Err(reason) = limits.budget.check() {
        return Some(Outcome::Stopped(reason));
    }
    let more = (limits.steps - *granted).min(u64::from(STEPS_PER_CHECK));
    *fuel += more as i64;
    *granted += more;
    None
}

#[cold]
fn halted(halt: Halt, site: Site) -> Outcome {
    match halt {
        Halt::Undefined(what) => Outcome::Undefined(what, site),
        Halt::NoInput => Outcome::NoInput(site),
    }
}
