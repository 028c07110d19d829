//! A small builder for programs by hand.

use craig_base::IndexVec;
use craig_program::*;

pub struct Builder {
    pub program: Program,
    pub proc: ProcId,
    /// Where the next statement goes.
    pub at: LocId,
}

pub const I32: Type = Type::I32;

#[allow(dead_code)]
impl Builder {
    /// A program whose entry is `main` with an `int` result, and nothing in it.
    pub fn new() -> Self {
        let program = Program {
            data_model: DataModel::Lp64,
            arithmetic: Arithmetic::AssumeNoOverflow,
            exprs: Exprs::default(),
            vars: IndexVec::new(),
            regions: IndexVec::new(),
            objects: IndexVec::new(),
            procs: IndexVec::new(),
            entry: ProcId(0),
            next_address: None,
            files: vec!["test.c".into()],
            notes: Vec::new(),
        };
        let mut builder = Builder { program, proc: ProcId(0), at: LocId(0) };
        builder.begin("main", &[]);
        builder
    }

    /// Begins a new procedure with `int` parameters and an `int` result.
    pub fn begin(&mut self, name: &str, params: &[&str]) -> ProcId {
        let mut proc = Proc {
            name: name.into(),
            span: Span::default(),
            params: Vec::new(),
            result: None,
            locals: Vec::new(),
            locations: IndexVec::new(),
            edges: IndexVec::new(),
            entry: LocId(0),
            exit: LocId(1),
            error: LocId(2),
        };
        for _ in 0..3 {
            proc.add_location(Span::default());
        }
        self.proc = self.program.procs.push(proc);
        self.at = LocId(0);
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
        self.program.regions.push(Region { name: "heap".into(), cell, zeroed: false })
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
