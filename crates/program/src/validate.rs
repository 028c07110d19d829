//! Whether a program is well-formed: what the front end promises and everyone else relies on.

use crate::expr::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::ir::{Cell, LocId, Place, Proc, ProcId, Program, RegionId, Scope, Stmt, VarId};
use crate::types::{IntType, Type};
use craig_base::{IndexVec, Set};

/// Every violation, in the order of the program; empty for a well-formed one.
pub fn validate(program: &Program) -> Vec<String> {
    let mut validator = Validator { program, checked: Set::default(), problems: Vec::new() };
    validator.objects();
    if program.procs.get(program.entry).is_none() {
        validator.problem("the entry procedure does not exist".to_string());
    }
    for (id, proc) in program.procs.enumerated() {
        validator.proc(id, proc);
    }
    validator.problems
}

struct Validator<'p> {
    program: &'p Program,
    /// Expressions whose types are right.
    checked: Set<ExprId>,
    problems: Vec<String>,
}

impl Validator<'_> {
    fn problem(&mut self, text: String) {
        self.problems.push(text);
    }

    fn objects(&mut self) {
        let program = self.program;
        let mut ranges: Vec<(u64, u64)> = program.objects.iter().map(|o| (o.address, o.size)).collect();
        ranges.sort_unstable();
        for pair in ranges.windows(2) {
            if pair[0].0 + pair[0].1 > pair[1].0 {
                self.problem(format!("static objects overlap at {:#x}", pair[1].0));
            }
        }
        for object in &program.objects {
            for &(offset, region, ty, _) in &object.init {
                self.access(region, ty, &format!("the initialiser of {}+{offset}", object.name));
            }
        }
    }

    fn access(&mut self, region: RegionId, ty: Type, what: &str) {
        match self.program.regions.get(region).map(|region| region.cell) {
            None => self.problem(format!("{what}: {region} does not exist")),
            Some(Cell::Scalar(cell)) if cell != ty => {
                self.problem(format!("{what}: access as {ty} to a region of {cell}"));
            }
            Some(_) if ty == Type::Bool => self.problem(format!("{what}: memory of type bool")),
            Some(_) => {}
        }
    }

    fn proc(&mut self, id: ProcId, proc: &Proc) {
        let program = self.program;
        let name = &proc.name;
        for &var in proc.params.iter().chain(&proc.result).chain(&proc.locals) {
            if program.vars.get(var).is_none_or(|v| v.scope != Scope::Local(id)) {
                self.problem(format!("{name}: {var} is not a local of it"));
            }
        }
        for &var in proc.params.iter().chain(&proc.result) {
            if !proc.locals.contains(&var) {
                self.problem(format!("{name}: {var} is missing from the list of locals"));
            }
        }
        self.graph(proc);
        for (edge_id, edge) in proc.edges.enumerated() {
            let place = format!("{name} {edge_id} (line {})", edge.span.line);
            self.stmt(id, &edge.stmt, &place);
        }
    }

    fn graph(&mut self, proc: &Proc) {
        let count = proc.locations.len();
        let exists = |id: LocId| (id.0 as usize) < count;
        if ![proc.entry, proc.exit, proc.error].into_iter().all(exists) {
            self.problem(format!("{}: entry, exit or error does not exist", proc.name));
            return;
        }
        let mut degrees: IndexVec<LocId, (usize, usize)> = IndexVec::from_elem((0, 0), count);
        for (id, edge) in proc.edges.enumerated() {
            if !exists(edge.from) || !exists(edge.to) {
                self.problem(format!("{}: {id} leads nowhere", proc.name));
                continue;
            }
            degrees[edge.from].0 += 1;
            degrees[edge.to].1 += 1;
            if !proc.locations[edge.from].outgoing.contains(&id)
                || !proc.locations[edge.to].incoming.contains(&id)
            {
                self.problem(format!("{}: {id} is missing from the adjacency lists", proc.name));
            }
        }
        for (id, location) in proc.locations.enumerated() {
            if (location.outgoing.len(), location.incoming.len()) != degrees[id] {
                self.problem(format!("{}: the adjacency lists of {id} hold foreign edges", proc.name));
            }
        }
        for end in [proc.exit, proc.error] {
            if degrees[end].0 > 0 {
                self.problem(format!("{}: {end} has outgoing edges", proc.name));
            }
        }
    }

    fn stmt(&mut self, proc: ProcId, stmt: &Stmt, at: &str) {
        let program = self.program;
        match stmt {
            Stmt::Skip => {}
            Stmt::Assume(condition) => self.expr_of(proc, *condition, Type::Bool, at),
            Stmt::Assign(place, value) => {
                if let Some(ty) = self.place(proc, *place, at) {
                    self.expr_of(proc, *value, ty, at);
                }
            }
            Stmt::Input(place, _) => {
                self.place(proc, *place, at);
            }
            Stmt::Call { callee, args, result } => {
                let Some(callee) = program.procs.get(*callee) else {
                    self.problem(format!("{at}: the callee does not exist"));
                    return;
                };
                if callee.params.len() != args.len() {
                    self.problem(format!("{at}: {} arguments for {}", args.len(), callee.name));
                }
                for (&param, &arg) in callee.params.iter().zip(args) {
                    self.expr_of(proc, arg, program.vars[param].ty, at);
                }
                if let Some(place) = result {
                    let ty = self.place(proc, *place, at);
                    if ty.is_some() && ty != callee.result.map(|var| program.vars[var].ty) {
                        self.problem(format!("{at}: the result of {} has another type", callee.name));
                    }
                }
            }
            Stmt::Alloc { var, size } => {
                if self.place(proc, Place::Var(*var), at) != Some(Type::Pointer) {
                    self.problem(format!("{at}: an allocation needs a variable of pointer type"));
                }
                self.expr_of(
                    proc,
                    *size,
                    Type::Int(IntType::unsigned(program.data_model.pointer_bits())),
                    at,
                );
                if program.next_address.is_none_or(|next| program.vars[next].ty != Type::Pointer) {
                    self.problem(format!("{at}: an allocation in a program without next address"));
                }
            }
            Stmt::Free(pointer) => self.expr_of(proc, *pointer, Type::Pointer, at),
        }
    }

    fn place(&mut self, proc: ProcId, place: Place, at: &str) -> Option<Type> {
        match place {
            Place::Var(var) => self.var(proc, var, at),
            Place::Memory { region, addr, ty } => {
                self.expr_of(proc, addr, Type::Pointer, at);
                self.access(region, ty, at);
                Some(ty)
            }
        }
    }

    fn var(&mut self, proc: ProcId, var: VarId, at: &str) -> Option<Type> {
        let Some(known) = self.program.vars.get(var) else {
            self.problem(format!("{at}: {var} does not exist"));
            return None;
        };
        if let Scope::Local(owner) = known.scope {
            let listed = || self.program.procs.get(owner).is_some_and(|p| p.locals.contains(&var));
            if owner != proc || !listed() {
                self.problem(format!("{at}: {} is not a local of this procedure", known.name));
            }
        }
        Some(known.ty)
    }

    fn expr_of(&mut self, proc: ProcId, root: ExprId, ty: Type, at: &str) {
        let exprs = &self.program.exprs;
        if exprs.ty(root) != ty {
            self.problem(format!(
                "{at}: {} instead of {ty}: {}",
                exprs.ty(root),
                self.program.show_expr(root)
            ));
        }
        for id in exprs.postorder(&[root]) {
            if let Expr::Var(var) = exprs.get(id)
                && let Some(declared) = self.var(proc, var, at)
                && declared != exprs.ty(id)
            {
                self.problem(format!("{at}: {} used as {}", self.program.vars[var].name, exprs.ty(id)));
            }
            if self.checked.insert(id)
                && let Err(problem) = self.node(id, at)
            {
                self.problem(format!("{at}: {problem}: {}", self.program.show_expr(id)));
            }
        }
    }

    fn node(&mut self, id: ExprId, at: &str) -> Result<(), &'static str> {
        let program = self.program;
        let exprs = &program.exprs;
        let ty = exprs.ty(id);
        let ensure = |holds: bool, problem| if holds { Ok(()) } else { Err(problem) };
        match exprs.get(id) {
            Expr::Const(declared, value) => {
                ensure(declared == ty && !ty.is_float(), "a constant of another type")?;
                match ty {
                    Type::Int(int) => ensure(int.bits == 128 || int.wrap(value) == value, "out of range"),
                    Type::Pointer => {
                        let address = IntType::unsigned(program.data_model.pointer_bits());
                        ensure(address.wrap(value) == value, "not an address")
                    }
                    _ => Ok(()),
                }
            }
            Expr::Float(float, _) => ensure(ty == Type::Float(float), "a float of another type"),
            Expr::Var(_) => Ok(()),
            Expr::Load { region, addr, ty: loaded } => {
                self.access(region, loaded, at);
                ensure(loaded == ty && exprs.ty(addr) == Type::Pointer, "a load of another type")
            }
            Expr::Unary(op, a) => {
                let fits = match op {
                    UnaryOp::Neg => matches!(ty, Type::Int(_) | Type::Float(_)),
                    UnaryOp::Not => matches!(ty, Type::Int(_) | Type::Bool),
                };
                ensure(fits && exprs.ty(a) == ty, "an operand of another type")
            }
            Expr::Binary(op, a, b) => binary(op, exprs.ty(a), exprs.ty(b), ty, program),
            Expr::Cast(to, a) => {
                let from = exprs.ty(a);
                let has_one = from != Type::Bool || to.as_int().is_none_or(|int| int.max() > 0);
                ensure(to == ty && from != ty && has_one, "a cast to another type")
            }
            Expr::Ite(c, a, b) => {
                let same = exprs.ty(a) == ty && exprs.ty(b) == ty;
                ensure(same && exprs.ty(c) == Type::Bool, "branches of another type")
            }
        }
    }
}

fn binary(op: BinaryOp, a: Type, b: Type, result: Type, program: &Program) -> Result<(), &'static str> {
    use BinaryOp::*;
    let number = |ty| matches!(ty, Type::Int(_) | Type::Float(_));
    let integer = |ty| matches!(ty, Type::Int(_));
    let distance = Type::Int(IntType::signed(program.data_model.pointer_bits()));
    let fits = match op {
        Add if a == Type::Pointer => integer(b) && result == Type::Pointer,
        Sub if a == Type::Pointer && b == Type::Pointer => result == distance,
        Sub if a == Type::Pointer => integer(b) && result == Type::Pointer,
        Add | Sub | Mul | Div => number(a) && a == b && result == a,
        Rem => integer(a) && a == b && result == a,
        Shl | Shr => integer(a) && integer(b) && result == a,
        And | Or | Xor => (integer(a) || a == Type::Bool) && a == b && result == a,
        Eq | Ne => a == b && result == Type::Bool,
        Lt | Le => a == b && a != Type::Bool && result == Type::Bool,
    };
    if fits { Ok(()) } else { Err("operands of other types") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Builder, ENTRY, EXIT};

    #[test]
    fn a_condition_must_be_a_truth_value() {
        let mut builder = Builder::new();
        let one = builder.program.exprs.int(IntType::I32, 1);
        let proc = builder.proc;
        builder.program.procs[proc].add_edge(ENTRY, EXIT, Stmt::Assume(one), Default::default());
        assert_eq!(validate(&builder.program).len(), 1);
        let program = &mut builder.program;
        let truth = program.exprs.bool(true);
        let edge = program.procs[proc].edges.indices().next_back().expect("an edge was added");
        program.procs[proc].edges[edge].stmt = Stmt::Assume(truth);
        assert_eq!(validate(program), Vec::<String>::new());
    }
}
