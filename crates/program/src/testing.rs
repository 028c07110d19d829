//! Hand-built programs for the tests of this crate.

pub use crate::build::{ENTRY, ERROR, EXIT};
use crate::build::{add_proc, empty_program};
use crate::expr::{BinaryOp, ExprId};
use crate::ir::*;
use crate::types::{IntType, Type};

/// Builds graphs edge by edge, where [`crate::build::Builder`] goes statement by statement.
pub struct Builder {
    pub program: Program,
    pub proc: ProcId,
}

impl Builder {
    pub fn new() -> Self {
        let mut builder = Builder { program: empty_program(DataModel::Ilp32), proc: ProcId(0) };
        builder.start_proc("main");
        builder
    }

    pub fn start_proc(&mut self, name: &str) -> ProcId {
        self.proc = add_proc(&mut self.program, name);
        self.proc
    }

    pub fn proc(&mut self) -> &mut Proc {
        &mut self.program.procs[self.proc]
    }

    fn var(&mut self, name: &str, ty: Type, scope: Scope) -> VarId {
        self.program.vars.push(Var { name: name.into(), ty, scope, span: Span::default(), origin: None })
    }

    pub fn local(&mut self, name: &str, ty: Type) -> VarId {
        let var = self.var(name, ty, Scope::Local(self.proc));
        self.proc().locals.push(var);
        var
    }

    pub fn int(&mut self, name: &str) -> VarId {
        self.local(name, Type::I32)
    }

    pub fn param(&mut self, name: &str) -> VarId {
        let var = self.int(name);
        self.proc().params.push(var);
        var
    }

    pub fn loc(&mut self) -> LocId {
        self.proc().add_location(Span::default())
    }

    pub fn edge(&mut self, from: LocId, to: LocId, stmt: Stmt) -> EdgeId {
        self.proc().add_edge(from, to, stmt, Span::default())
    }

    pub fn assign(&mut self, from: LocId, to: LocId, var: VarId, value: ExprId) -> EdgeId {
        self.edge(from, to, Stmt::Assign(Place::Var(var), value))
    }

    pub fn assume(&mut self, from: LocId, to: LocId, cond: ExprId) -> EdgeId {
        self.edge(from, to, Stmt::Assume(cond))
    }

    pub fn input(&mut self, from: LocId, to: LocId, var: VarId) -> EdgeId {
        self.edge(from, to, Stmt::Input(Place::Var(var), InputSource::Call("nondet".into())))
    }

    /// `cond` to one location and its negation to the other.
    pub fn branch(&mut self, from: LocId, then: LocId, otherwise: LocId, cond: ExprId) {
        let negated = self.program.exprs.not(cond);
        self.assume(from, then, cond);
        self.assume(from, otherwise, negated);
    }

    pub fn get(&mut self, var: VarId) -> ExprId {
        self.program.var_expr(var)
    }

    pub fn lit(&mut self, value: i128) -> ExprId {
        self.program.exprs.int(IntType::I32, value)
    }

    pub fn op(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.program.exprs.binary(op, a, b, DataModel::Ilp32)
    }

    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op(BinaryOp::Add, a, b)
    }

    pub fn lt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op(BinaryOp::Lt, a, b)
    }
}

/// `i = 0; while (i < n) i = i + 1; if (n < i) error;` with `n` an input.
pub fn counting_loop() -> Program {
    let mut b = Builder::new();
    let (i, n) = (b.int("i"), b.int("n"));
    let (l1, head, body, after) = (b.loc(), b.loc(), b.loc(), b.loc());
    let (zero, one) = (b.lit(0), b.lit(1));
    let (get_i, get_n) = (b.get(i), b.get(n));
    b.input(ENTRY, l1, n);
    b.assign(l1, head, i, zero);
    let cond = b.lt(get_i, get_n);
    b.branch(head, body, after, cond);
    let next = b.add(get_i, one);
    b.assign(body, head, i, next);
    let bad = b.lt(get_n, get_i);
    b.branch(after, ERROR, EXIT, bad);
    b.program
}
