//! Programs made by hand, statement after statement: for tests, examples and measurements.

use crate::expr::{BinaryOp, ExprId, Exprs};
use crate::ir::*;
use crate::types::Type;
use crate::words::Words;
use craig_base::IndexVec;
use std::sync::Arc;

/// Builds one procedure at a time. Locations 0, 1 and 2 of each are entry, exit and error.
pub struct Builder {
    pub program: Program,
    pub proc: ProcId,
    /// Where the next statement goes.
    pub at: LocId,
}

pub const I32: Type = Type::I32;
pub const ENTRY: LocId = LocId(0);
pub const EXIT: LocId = LocId(1);
pub const ERROR: LocId = LocId(2);

/// A program without procedures.
pub fn empty_program(data_model: DataModel) -> Program {
    Program {
        data_model,
        arithmetic: Arithmetic::AssumeNoOverflow,
        plain: false,
        exprs: Exprs::default(),
        vars: IndexVec::new(),
        regions: IndexVec::new(),
        objects: IndexVec::new(),
        procs: IndexVec::new(),
        entry: ProcId(0),
        next_address: None,
        automatic: Vec::new(),
        tracked: None,
        checks: Vec::new(),
        provenance: Arc::default(),
        files: vec!["test.c".into()],
        unchecked: Vec::new(),
        source_types: Default::default(),
        notes: Vec::new(),
        words: Words::default(),
    }
}

/// Adds a procedure with nothing in it.
pub fn add_proc(program: &mut Program, name: &str) -> ProcId {
    let mut proc = Proc {
        obligations: Vec::new(),
        assumed: Vec::new(),
        name: name.into(),
        span: Span::default(),
        params: Vec::new(),
        result: None,
        locals: Vec::new(),
        locations: IndexVec::new(),
        edges: IndexVec::new(),
        entry: ENTRY,
        exit: EXIT,
        error: ERROR,
    };
    for _ in 0..3 {
        proc.add_location(Span::default());
    }
    program.procs.push(proc)
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// A program whose entry is `main` with an `int` result, and nothing in it.
    pub fn new() -> Self {
        let mut builder = Builder { program: empty_program(DataModel::Lp64), proc: ProcId(0), at: ENTRY };
        builder.begin("main", &[]);
        builder
    }

    /// Begins a new procedure with `int` parameters and an `int` result.
    pub fn begin(&mut self, name: &str, params: &[&str]) -> ProcId {
        self.proc = add_proc(&mut self.program, name);
        self.at = ENTRY;
        let result = self.local("result", I32);
        let params = params.iter().map(|param| self.local(param, I32)).collect();
        let proc = &mut self.program.procs[self.proc];
        proc.result = Some(result);
        proc.params = params;
        self.proc
    }

    pub fn local(&mut self, name: &str, ty: Type) -> VarId {
        let scope = Scope::Local(self.proc);
        let var =
            self.program.vars.push(Var { name: name.into(), ty, scope, span: Span::default(), origin: None });
        self.program.procs[self.proc].locals.push(var);
        var
    }

    pub fn global(&mut self, name: &str, ty: Type, init: i128) -> VarId {
        let scope = Scope::Global { init };
        self.program.vars.push(Var { name: name.into(), ty, scope, span: Span::default(), origin: None })
    }

    pub fn region(&mut self, cell: Cell) -> RegionId {
        self.program.regions.push(Region {
            name: "heap".into(),
            cell,
            zeroed: false,
            objects: Vec::new(),
            allocated: true,
        })
    }

    pub fn var(&mut self, var: VarId) -> ExprId {
        self.program.var_expr(var)
    }

    pub fn int(&mut self, value: i128) -> ExprId {
        self.program.exprs.constant(I32, value)
    }

    pub fn constant(&mut self, ty: Type, value: i128) -> ExprId {
        self.program.exprs.constant(ty, value)
    }

    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let model = self.program.data_model;
        self.program.exprs.binary(op, a, b, model)
    }

    pub fn location(&mut self) -> LocId {
        self.program.procs[self.proc].add_location(Span::default())
    }

    pub fn edge(&mut self, from: LocId, to: LocId, stmt: Stmt) -> EdgeId {
        let line = self.program.procs[self.proc].edges.len() as u32 + 1;
        self.program.procs[self.proc].add_edge(from, to, stmt, Span { file: 0, line, column: 1 })
    }

    pub fn stmt(&mut self, stmt: Stmt) {
        let next = self.location();
        self.edge(self.at, next, stmt);
        self.at = next;
    }

    pub fn assign(&mut self, var: VarId, value: ExprId) {
        self.stmt(Stmt::Assign(Place::Var(var), value));
    }

    pub fn input(&mut self, var: VarId) {
        self.stmt(Stmt::Input(Place::Var(var), InputSource::Call("nondet".into())));
    }

    pub fn store(&mut self, region: RegionId, addr: ExprId, ty: Type, value: ExprId) {
        self.stmt(Stmt::Assign(Place::Memory { region, addr, ty }, value));
    }

    /// Goes on in the first location if the condition holds, else in the second.
    pub fn branch(&mut self, condition: ExprId) -> (LocId, LocId) {
        let (yes, no) = (self.location(), self.location());
        let negation = self.program.exprs.not(condition);
        self.edge(self.at, yes, Stmt::Assume(condition));
        self.edge(self.at, no, Stmt::Assume(negation));
        (yes, no)
    }

    pub fn goto(&mut self, to: LocId) {
        self.edge(self.at, to, Stmt::Skip);
    }

    pub fn give(&mut self, value: ExprId) {
        let result = self.program.procs[self.proc].result.expect("int result");
        let exit = self.program.procs[self.proc].exit;
        self.edge(self.at, exit, Stmt::Assign(Place::Var(result), value));
    }
}
