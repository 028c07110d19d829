//! From procedures to register code.
//!
//! Locations are laid out along chains: the code of an edge is followed by the code of its target
//! unless that has been placed before. Two complementary assumptions become one fused compare and
//! branch; exclusive ones (a `switch`) a chain of them; anything else evaluates all conditions and
//! selects.

mod branch;
mod expr;
mod liveness;

pub use liveness::read_before_assigned;

use crate::code::{Code, Detail, Instr, ProcCode, Slot};
use crate::machine::STEPS_PER_CHECK;
use crate::memory::Lifetime;
use crate::outcome::Site;
use crate::values::Values;
use craig_base::{Index, IndexVec, Map};
use craig_program::{EdgeId, Expr, ExprId, LocId, Place, Proc, ProcId, Program, Scope, Stmt, Type, VarId};

/// Compiles all procedures, for values of the kind `V`.
pub fn compile<V: Values>(program: &Program, detail: Detail) -> Code {
    let mut compiler = Compiler::new(program, detail, V::identity_cast);
    let procs = program.procs.indices().map(|id| compiler.procedure(id)).collect();
    compiler.finish(procs)
}

/// At most this many statements may be counted by one branch.
const MAX_COUNT: u32 = 250;

struct Compiler<'p> {
    program: &'p Program,
    detail: Detail,
    identity_cast: fn(&Program, Type, Type) -> bool,
    code: Code,
    locals: IndexVec<ProcId, Vec<VarId>>,
    constant_slots: Map<ExprId, Slot>,
    /// Temporaries of the current statement, and the most that any statement needs. They are numbered
    /// from zero and moved after all other slots at the end.
    temps: u32,
    max_temps: u32,
    /// The statement that is being compiled.
    site: Site,
    /// Statements of the current straight run of code that no instruction has counted yet.
    count: u32,
    placed: IndexVec<LocId, Option<u32>>,
    /// Instructions whose target is the code of a location.
    fixups: Vec<(usize, LocId)>,
    pending: Vec<Pending>,
}

/// Code that is still to be placed.
enum Pending {
    /// The edge that a branch or a table entry leads to.
    Edge(Patch, EdgeId),
    /// The same for an edge whose assumption has not been tested.
    Test(Patch, EdgeId),
    /// Where a failed assumption on this edge goes.
    Failure(Patch, EdgeId),
    Location(LocId),
}

#[derive(Clone, Copy)]
enum Patch {
    /// The code that was emitted last falls through: this must be placed next.
    Next,
    Instr(usize),
    Table(usize),
}

/// Temporaries are marked until their final place is known.
const TEMP: u32 = 1 << 31;

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, detail: Detail, identity_cast: fn(&Program, Type, Type) -> bool) -> Self {
        let mut slots = 0;
        let mut var_slots = IndexVec::from_elem(Slot(0), program.vars.len());
        let mut globals = Vec::new();
        for (id, var) in program.vars.enumerated() {
            if let Scope::Global { init } = var.scope {
                var_slots[id] = Slot::from_usize(slots);
                globals.push((var_slots[id], var.ty, init));
                slots += 1;
            }
        }
        // An inlined program still has the variables of procedures that are gone.
        let locals: IndexVec<ProcId, Vec<VarId>> =
            program.procs.iter().map(|proc| proc.locals.clone()).collect();
        let mut procs = IndexVec::new();
        for (id, proc) in program.procs.enumerated() {
            let start = slots;
            for &var in &locals[id] {
                var_slots[var] = Slot::from_usize(slots);
                slots += 1;
            }
            let typed = |&var: &VarId| (var_slots[var], program.vars[var].ty);
            let edge = proc.locations[proc.entry].outgoing.first().copied().unwrap_or(EdgeId(0));
            procs.push(ProcCode {
                start: 0,
                frame: start..slots,
                params: proc.params.iter().map(typed).collect(),
                result: proc.result.as_ref().map(typed),
                entry_site: Site { proc: id, edge },
            });
        }
        Compiler {
            program,
            detail,
            identity_cast,
            code: Code {
                instrs: Vec::new(),
                sites: Vec::new(),
                procs,
                entry: program.entry,
                slots,
                constants: Vec::new(),
                globals,
                next_address: program.next_address.map(|var| var_slots[var]),
                var_slots,
                lists: Vec::new(),
                targets: Vec::new(),
            },
            locals,
            constant_slots: Map::default(),
            temps: 0,
            max_temps: 0,
            site: Site { proc: program.entry, edge: EdgeId(0) },
            count: 0,
            placed: IndexVec::new(),
            fixups: Vec::new(),
            pending: Vec::new(),
        }
    }

    fn finish(mut self, starts: Vec<u32>) -> Code {
        for (proc, start) in self.code.procs.iter_mut().zip(starts) {
            proc.start = start;
        }
        let first_temp = self.code.slots as u32;
        let settle = |slot: &mut Slot| {
            if slot.0 & TEMP != 0 {
                slot.0 = first_temp + (slot.0 & !TEMP);
            }
        };
        self.code
            .instrs
            .iter_mut()
            .for_each(|instr| instr.slots_mut().into_iter().flatten().for_each(settle));
        self.code.lists.iter_mut().for_each(settle);
        self.code.slots += self.max_temps as usize;
        self.code
    }

    fn proc(&self) -> &'p Proc {
        &self.program.procs[self.site.proc]
    }

    fn procedure(&mut self, id: ProcId) -> u32 {
        let start = self.code.instrs.len() as u32;
        let proc = &self.program.procs[id];
        self.site = self.code.procs[id].entry_site;
        self.placed = IndexVec::from_elem(None, proc.locations.len());
        self.count = 0;
        for var in read_before_assigned(self.program, id, &self.locals[id]) {
            let ty = self.program.vars[var].ty;
            self.emit(Instr::InputLocal { ty, to: self.code.var_slots[var] });
        }
        self.pending.push(Pending::Location(proc.entry));
        while let Some(pending) = self.pending.pop() {
            self.count = 0;
            match pending {
                Pending::Location(loc) => self.chain(loc),
                Pending::Edge(patch, edge) => {
                    self.patch(patch);
                    self.taken_edge(edge);
                }
                Pending::Test(patch, edge) => {
                    self.patch(patch);
                    self.site.edge = edge;
                    if let Stmt::Assume(condition) = proc.edges[edge].stmt {
                        let failed = self.branch(condition);
                        self.pending.push(Pending::Failure(Patch::Instr(failed), edge));
                    }
                    self.taken_edge(edge);
                }
                Pending::Failure(patch, edge) => {
                    self.patch(patch);
                    self.site.edge = edge;
                    self.emit(Instr::AssumptionFailed);
                }
            }
        }
        for (instr, loc) in std::mem::take(&mut self.fixups) {
            let target = self.placed[loc].expect("every location that is jumped to has been placed");
            *self.code.instrs[instr].target_mut().expect("only jumps wait for a location") = target;
        }
        start
    }

    fn emit(&mut self, instr: Instr) -> usize {
        self.code.instrs.push(instr);
        self.code.sites.push((self.site, self.count));
        self.code.instrs.len() - 1
    }

    fn patch(&mut self, patch: Patch) {
        let here = self.code.instrs.len() as u32;
        match patch {
            Patch::Next => {}
            Patch::Table(entry) => self.code.targets[entry] = here,
            Patch::Instr(instr) => {
                *self.code.instrs[instr].target_mut().expect("only branches are patched") = here;
            }
        }
    }

    /// Counts what has not been counted, so that a new straight run can begin here.
    fn flush(&mut self) {
        if self.count > 0 {
            let count = std::mem::take(&mut self.count);
            self.emit(Instr::Count { count });
        }
    }

    /// Code from a location on, until it ends or meets code that is already there.
    fn chain(&mut self, mut loc: LocId) {
        let proc = self.proc();
        loop {
            if let Some(start) = self.placed[loc] {
                let mut count = std::mem::take(&mut self.count);
                // A loop that does nothing is looked at by the clock each time.
                if start as usize == self.code.instrs.len() {
                    count = STEPS_PER_CHECK;
                }
                let jump = self.emit(Instr::Jump { target: 0, count });
                self.fixups.push((jump, loc));
                return;
            }
            let location = &proc.locations[loc];
            if loc == proc.error {
                self.flush();
                self.emit(Instr::Error);
                return;
            }
            if location.incoming.len() != 1 || loc == proc.entry {
                self.flush();
                self.placed[loc] = Some(self.code.instrs.len() as u32);
            } else if self.count >= MAX_COUNT {
                self.flush();
            }
            if loc == proc.exit {
                self.flush();
                self.emit(Instr::Return);
                return;
            }
            match location.outgoing.as_slice() {
                [] => {
                    self.flush();
                    let is_assumed = proc.assumed.contains(&loc);
                    self.emit(if is_assumed { Instr::AssumptionFailed } else { Instr::End });
                    return;
                }
                &[edge] => {
                    self.site.edge = edge;
                    if let Stmt::Assume(condition) = proc.edges[edge].stmt {
                        if self.program.exprs.as_const(condition) != Some(1) {
                            self.count += 1;
                            let failed = self.branch(condition);
                            self.pending.push(Pending::Failure(Patch::Instr(failed), edge));
                            self.mark_edge();
                        } else {
                            self.mark_edge();
                            self.count += 1;
                        }
                    } else {
                        self.mark_edge();
                        // A call is counted before its callee runs, all else when it is complete.
                        let is_call = matches!(proc.edges[edge].stmt, Stmt::Call { .. });
                        self.count += u32::from(is_call);
                        self.statement(edge);
                        self.count += u32::from(!is_call);
                    }
                    loc = proc.edges[edge].to;
                }
                edges => {
                    self.decide(edges);
                    return;
                }
            }
        }
    }

    fn mark_edge(&mut self) {
        if self.detail == Detail::Edges {
            self.emit(Instr::Edge);
        }
    }

    /// Code for an edge whose condition, if it has one, is known to hold, and which is counted.
    fn taken_edge(&mut self, edge: EdgeId) {
        self.site.edge = edge;
        self.mark_edge();
        let proc = self.proc();
        if !matches!(proc.edges[edge].stmt, Stmt::Assume(_)) {
            self.statement(edge);
        }
        self.chain(proc.edges[edge].to);
    }

    fn statement(&mut self, edge: EdgeId) {
        self.temps = 0;
        match &self.proc().edges[edge].stmt {
            Stmt::Skip | Stmt::Assume(_) => {}
            Stmt::Assign(Place::Var(var), value) => {
                let to = self.code.var_slots[*var];
                self.expr_into(*value, to);
            }
            &Stmt::Assign(Place::Memory { region, addr, ty }, value) => {
                let slots = self.exprs(&[addr, value]);
                self.emit(Instr::Store { region, ty, addr: slots[0], value: slots[1] });
            }
            Stmt::Input(place, _) => {
                let ty = self.program.place_type(*place);
                match *place {
                    Place::Var(var) => {
                        self.emit(Instr::Input { ty, to: self.code.var_slots[var] });
                    }
                    Place::Memory { region, addr, ty } => {
                        let addr = self.exprs(&[addr])[0];
                        let value = self.temp();
                        self.emit(Instr::Input { ty, to: value });
                        self.emit(Instr::Store { region, ty, addr, value });
                    }
                }
            }
            Stmt::Call { callee, args, result } => self.call(*callee, args, *result),
            &Stmt::Alloc { var, size } => {
                let size = self.exprs(&[size])[0];
                let lifetime = self.lifetime(Some(var));
                self.emit(Instr::Allocate { to: self.code.var_slots[var], size, lifetime });
            }
            &Stmt::Free(addr) => {
                let lifetime = self.lifetime(match self.program.exprs.get(addr) {
                    Expr::Var(var) => Some(var),
                    _ => None,
                });
                let addr = self.exprs(&[addr])[0];
                self.emit(Instr::Free { addr, lifetime });
            }
        }
    }

    /// Of the object that the variable was made for: `free` has a copy of an automatic one's address.
    fn lifetime(&self, var: Option<VarId>) -> Lifetime {
        match var {
            Some(var) if self.program.automatic.contains(&var) => Lifetime::Automatic,
            _ => Lifetime::Heap,
        }
    }

    fn call(&mut self, callee: ProcId, args: &[ExprId], result: Option<Place>) {
        let params = self.code.procs[callee].params.len();
        let slots = self.exprs(args);
        let list = self.code.lists.len() as u32;
        debug_assert_eq!(slots.len(), params, "a call has as many arguments as parameters");
        self.code.lists.extend(slots.into_iter().take(params));
        // The callee counts on its own.
        self.flush();
        self.emit(Instr::Call { callee, args: list });
        match result {
            None => {}
            Some(Place::Var(var)) => {
                self.emit(Instr::Result { to: self.code.var_slots[var] });
            }
            Some(Place::Memory { region, addr, ty }) => {
                self.temps = 0;
                let value = self.temp();
                self.emit(Instr::Result { to: value });
                let addr = self.exprs(&[addr])[0];
                self.emit(Instr::Store { region, ty, addr, value });
            }
        }
        if self.detail == Detail::Edges {
            self.emit(Instr::Returned);
        }
    }

    fn temp(&mut self) -> Slot {
        let slot = Slot(TEMP | self.temps);
        self.temps += 1;
        self.max_temps = self.max_temps.max(self.temps);
        slot
    }

    fn constant(&mut self, id: ExprId) -> Slot {
        if let Some(&slot) = self.constant_slots.get(&id) {
            return slot;
        }
        let value = match self.program.exprs.get(id) {
            Expr::Const(_, value) => value,
            Expr::Float(_, bits) => bits as i128,
            _ => 0,
        };
        let slot = Slot::from_usize(self.code.slots);
        self.code.slots += 1;
        self.code.constants.push((slot, self.program.exprs.ty(id), value));
        self.constant_slots.insert(id, slot);
        slot
    }
}
