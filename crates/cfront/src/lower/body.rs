//! The builder of one procedure: where statements go, temporaries, values, scopes.

use craig_base::{IndexVec, Map, Set};
use craig_program as ir;
use ir::{CheckKind, ExprId, InputSource, LocId, NoteKind, Stmt, Type, VarId};
use std::sync::Arc;

use super::alloca::Allocas;
use super::layout::leaf_type;
use super::library::Actual;
use super::passing::Passing;
use super::scope::Scoped;
use super::{IndirectCall, Lowering, Shape, Storage, empty_proc};
use crate::hir::{self, Body as HirBody, FunctionId, LabelId, LocalId, PlaceId};
use crate::source::Span;
use crate::types::TypeId;

/// The value of a C expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Void,
    Scalar(ExprId),
    /// Of a split record: one expression per leaf, of the leaf's exact type.
    Leaves(Vec<ExprId>),
    /// Of another record: the address of an object that holds it.
    Memory(ExprId),
}

impl Value {
    /// The same value in an object of its own, if it is in one.
    pub fn on_its_own(self, body: &mut Body<'_, '_>, ty: TypeId) -> Value {
        let Value::Memory(from) = self else { return self };
        let copy = body.stack_temporary(ty);
        body.copy_memory(copy, from, ty);
        Value::Memory(copy)
    }
}

pub(super) struct Body<'l, 'a> {
    pub lw: &'l mut Lowering<'a>,
    pub id: ir::ProcId,
    pub proc: ir::Proc,
    pub function: Option<FunctionId>,
    pub locals: IndexVec<LocalId, Storage>,
    /// Where the next statement starts.
    pub here: LocId,
    pub span: ir::Span,
    /// Where `break` and `continue` lead, and the scope there.
    pub breaks: Vec<(LocId, usize)>,
    pub continues: Vec<(LocId, usize)>,
    /// The additional arguments of a variadic function.
    pub extra: Option<VarId>,
    /// Where a result that travels in memory goes.
    pub result_address: Option<VarId>,
    pub labels: IndexVec<LabelId, LocId>,
    /// The declarations seen at each label.
    pub label_scopes: IndexVec<LabelId, Option<usize>>,
    /// The declarations seen at each jump, and where it starts.
    pub jumps: Vec<(usize, LabelId, LocId)>,
    pub scope: usize,
    /// Locals that exist from the entry of their block on, for jumps and in memory.
    pub begun: Set<LocalId>,
    /// Those whose declaration a jump within their block may pass over.
    pub passed_over: Set<LocalId>,
    /// What was declared, and the enclosing scope.
    pub scopes: Vec<(Option<Scoped>, usize)>,
    pub allocas: Allocas,
    /// The arrays that variables point into from their declaration on, as far as that was asked.
    pub decayed: Map<LocalId, Option<PlaceId>>,
    /// Objects for values on their way.
    pub value_objects: Set<VarId>,
    pub passing: Passing,
    /// What is known of the arguments of this instance of a library function.
    pub actuals: Vec<Actual>,
    /// For variables that may be read before they are written: whether they were.
    pub flags: Map<VarId, VarId>,
    /// The function of the library whose effect is lowered here.
    pub modelled: Option<&'a str>,
    /// The place that an assignment writes, in words.
    pub writing: Option<String>,
    /// The call whose result is not used.
    pub discarded: Option<hir::ExprId>,
    /// Values of an initialiser that were evaluated before, because their order makes a difference.
    pub initial_values: Map<hir::ExprId, Value>,
    /// Where the code proper begins, after what must run at the entry.
    start: LocId,
}

/// Lowers a function with a body into the procedure declared for it.
pub(super) fn lower_function(lw: &mut Lowering<'_>, function: FunctionId, id: ir::ProcId) {
    let source = &lw.hir.functions[function];
    let Some(hir_body) = &source.body else { return };
    let mut body = Body::open(lw, id);
    body.function = Some(function);
    body.labels = hir_body.labels.iter().map(|_| body.proc.add_location(body.span)).collect();
    body.label_scopes = hir_body.labels.iter().map(|_| None).collect();
    body.place_locals(function, hir_body);
    body.declare_interface(function, hir_body);
    let entry = body.here;
    body.start = body.proc.add_location(body.span);
    body.here = body.start;
    if super::library::is_error(body.lw.options, &source.name, true, hir_body.params.len()) {
        // Who calls it by its name never comes here, but who calls it through a pointer.
        body.error(format!("`{}` is called", source.name));
        body.here = body.new_location();
    } else {
        body.function_body(hir_body.block);
    }
    body.at(hir_body.end);
    body.fall_off(function);
    body.cross_scopes();
    body.here = entry;
    body.end_allocas();
    body.begin_passing();
    let start = body.start;
    body.goto(start);
    body.close();
}

impl<'l, 'a> Body<'l, 'a> {
    /// Continues at the entry of a procedure.
    pub fn open(lw: &'l mut Lowering<'a>, id: ir::ProcId) -> Self {
        let name = lw.out.procs[id].name.clone();
        let span = lw.out.procs[id].span;
        let proc = std::mem::replace(&mut lw.out.procs[id], empty_proc(name, span));
        Body {
            here: proc.entry,
            start: proc.entry,
            id,
            proc,
            function: None,
            locals: IndexVec::new(),
            span,
            breaks: Vec::new(),
            continues: Vec::new(),
            extra: None,
            result_address: None,
            labels: IndexVec::new(),
            label_scopes: IndexVec::new(),
            jumps: Vec::new(),
            scope: 0,
            begun: Set::default(),
            passed_over: Set::default(),
            scopes: vec![(None, 0)],
            allocas: Allocas::default(),
            decayed: Map::default(),
            value_objects: Set::default(),
            passing: Passing::default(),
            actuals: std::mem::take(&mut lw.actuals),
            flags: Map::default(),
            modelled: None,
            writing: None,
            discarded: None,
            initial_values: Map::default(),
            lw,
        }
    }

    pub fn close(mut self) {
        self.require_unassigned_globals();
        self.lw.out.procs[self.id] = self.proc;
    }

    /// Whether this is what calls the function under test, with any arguments.
    pub fn is_start(&self) -> bool {
        let name = self.function.map(|function| self.hir().functions[function].name.as_str());
        name.is_some_and(|name| name.starts_with(crate::contract::PREFIX))
    }

    /// Later statements come from this place.
    pub fn at(&mut self, span: Span) {
        if span != Span::NONE {
            self.span = self.lw.span(span);
        }
    }

    pub fn hir(&self) -> &'a hir::Program {
        self.lw.hir
    }

    // Control flow.

    pub fn new_location(&mut self) -> LocId {
        self.proc.add_location(self.span)
    }

    pub fn emit(&mut self, stmt: Stmt) -> ir::EdgeId {
        let to = self.new_location();
        let edge = self.proc.add_edge(self.here, to, stmt, self.span);
        self.here = to;
        edge
    }

    pub fn goto(&mut self, to: LocId) {
        self.proc.add_edge(self.here, to, Stmt::Skip, self.span);
        self.here = self.new_location();
    }

    /// Goes on at a location that others jump to.
    pub fn arrive(&mut self, at: LocId) {
        self.proc.add_edge(self.here, at, Stmt::Skip, self.span);
        self.here = at;
    }

    /// The program ends here without an error.
    pub fn halt(&mut self) {
        self.here = self.new_location();
    }

    /// The error, with what it means.
    pub fn error(&mut self, text: String) {
        self.say(text);
        self.goto(self.proc.error);
    }

    /// What comes now is reached only if the condition holds, unless the kind of check says otherwise.
    pub fn require(&mut self, kind: CheckKind, condition: ExprId, text: impl Into<Arc<str>>) {
        if self.lw.out.exprs.as_const(condition).is_some_and(|value| value != 0) {
            return;
        }
        let (holds, broken) = (self.new_location(), self.new_location());
        self.split(condition, holds, broken);
        self.proc.obligations.push(ir::Obligation { broken, kind, text: text.into() });
        self.here = holds;
    }

    /// C gives no meaning to coming here: the run ends, as a failed check of memory.
    pub fn undefined(&mut self, text: impl Into<Arc<str>>) {
        let never = self.lw.out.exprs.bool(false);
        self.require(CheckKind::Memory, never, text);
    }

    fn say(&mut self, text: String) {
        let span = self.span;
        self.lw.out.notes.push(ir::Note { kind: NoteKind::Property, span, text });
    }

    /// Two ways out, by a condition. What follows must begin elsewhere.
    pub fn split(&mut self, condition: ExprId, then: LocId, otherwise: LocId) {
        for (condition, to) in [(condition, then), (self.lw.out.exprs.not(condition), otherwise)] {
            match self.lw.out.exprs.as_const(condition) {
                Some(0) => {}
                Some(_) => {
                    self.proc.add_edge(self.here, to, Stmt::Skip, self.span);
                }
                None => {
                    self.proc.add_edge(self.here, to, Stmt::Assume(condition), self.span);
                }
            }
        }
        self.here = self.new_location();
    }

    // Variables.

    pub fn new_var(&mut self, name: String, ty: Type) -> VarId {
        let scope = ir::Scope::Local(self.id);
        let var = ir::Var { name: name.into(), ty, scope, span: self.span, origin: None };
        let id = self.lw.out.vars.push(var);
        self.proc.locals.push(id);
        id
    }

    /// A variable that C knows, too, by this type.
    pub fn new_source_var(&mut self, name: String, ty: Type, c_type: TypeId) -> VarId {
        let var = self.new_var(name, ty);
        self.lw.source_types.vars.insert(var, c_type);
        var
    }

    /// A variable that is written once before each use.
    pub fn temporary(&mut self, ty: Type) -> VarId {
        self.new_temporary(format!(".{}", self.proc.locals.len()), ty)
    }

    pub(super) fn new_temporary(&mut self, name: String, ty: Type) -> VarId {
        let var = self.new_var(name, ty);
        self.lw.temporaries.insert(var);
        var
    }

    pub fn var(&mut self, var: VarId) -> ExprId {
        self.lw.out.var_expr(var)
    }

    pub fn assign(&mut self, var: VarId, value: ExprId) {
        let value = self.lw.convert(value, self.lw.out.vars[var].ty);
        self.emit(Stmt::Assign(ir::Place::Var(var), value));
        self.flag(var, true);
    }

    /// As [`Self::assign`], for a value that is used nowhere else: an input or a result that was just
    /// read into a temporary goes to the variable at once.
    pub fn assign_once(&mut self, var: VarId, value: ExprId) {
        let Some(last) = self.proc.edges.indices().next_back() else { return self.assign(var, value) };
        if self.proc.edges[last].to == self.here
            && let ir::Expr::Var(from) = self.lw.out.exprs.get(value)
            && self.lw.out.vars[from].ty == self.lw.out.vars[var].ty
            && self.lw.temporaries.contains(&from)
        {
            let is_object = self.lw.out.automatic.contains(&from);
            match &mut self.proc.edges[last].stmt {
                Stmt::Input(place, _) | Stmt::Call { result: Some(place), .. }
                    if *place == ir::Place::Var(from) =>
                {
                    *place = ir::Place::Var(var);
                    return self.flag(var, true);
                }
                Stmt::Alloc { var: written, .. } if *written == from && !is_object => {
                    *written = var;
                    return self.flag(var, true);
                }
                _ => {}
            }
        }
        self.assign(var, value);
    }

    pub fn input(&mut self, ty: Type, source: InputSource) -> ExprId {
        let var = self.temporary(ty);
        self.emit(Stmt::Input(ir::Place::Var(var), source));
        self.var(var)
    }

    /// Any value, as the effect of something that is not modelled.
    pub fn unmodelled(&mut self, ty: Type, what: &str) -> ExprId {
        self.input(ty, InputSource::Unmodelled(what.into()))
    }

    /// The value as it is now, whatever happens to variables and memory later.
    pub fn freeze(&mut self, value: ExprId) -> ExprId {
        match self.lw.out.exprs.get(value) {
            ir::Expr::Const(..) | ir::Expr::Float(..) => value,
            ir::Expr::Var(var) if self.lw.temporaries.contains(&var) => value,
            _ => self.copied(value),
        }
    }

    fn copied(&mut self, value: ExprId) -> ExprId {
        let var = self.temporary(self.lw.out.exprs.ty(value));
        self.assign(var, value);
        let copy = self.var(var);
        self.lw.out.words.say_same_place(value, copy);
        copy
    }

    /// The value of a block, after its end: what it points to may have ended with the block.
    pub fn leaves_block(&mut self, value: Value) -> Value {
        let mut kept = |value: ExprId| {
            let copy = self.copied(value);
            if let ir::Expr::Var(var) = self.lw.out.exprs.get(copy) {
                self.lw.left_blocks.insert(var);
            }
            copy
        };
        match value {
            Value::Scalar(value) => Value::Scalar(kept(value)),
            Value::Leaves(leaves) => Value::Leaves(leaves.into_iter().map(kept).collect()),
            value @ (Value::Void | Value::Memory(_)) => value,
        }
    }

    pub fn freeze_value(&mut self, value: Value) -> Value {
        match value {
            Value::Void => Value::Void,
            Value::Scalar(value) => Value::Scalar(self.freeze(value)),
            Value::Leaves(leaves) => {
                Value::Leaves(leaves.into_iter().map(|leaf| self.freeze(leaf)).collect())
            }
            Value::Memory(address) => Value::Memory(self.freeze(address)),
        }
    }

    pub fn scalar_of(&mut self, value: Value, ty: Type) -> ExprId {
        match value {
            Value::Scalar(value) => value,
            // Only after an error, or where a call does not fit its function.
            Value::Void | Value::Leaves(_) | Value::Memory(_) => self.lw.zero(ty),
        }
    }

    // Locals and scopes.

    fn place_locals(&mut self, function: FunctionId, body: &HirBody) {
        let unwritten = self.declared_unwritten(body);
        for (id, local) in body.locals.enumerated() {
            self.span = self.lw.span(local.span);
            let storage = if self.lw.reach.memory_locals[function][id] {
                if self.hir().types.size_of(local.ty.ty).is_none() {
                    let name = &local.name;
                    self.lw.unsupported(local.span, format!("the local '{name}' of unknown size"));
                }
                let var = self.new_temporary(format!("&{}", local.name), Type::Pointer);
                // A declaration with an initialiser says so when it is lowered.
                let written_first =
                    local.origin != hir::LocalOrigin::Declared || self.writes_on_entry(local.ty.ty);
                self.declare_stack_object(var, local.ty.ty, &local.name, written_first);
                Storage::Memory(self.var(var))
            } else {
                let leaves = self.lw.layouts.leaves(&self.hir().types, local.ty.ty).unwrap_or_default();
                let mut vars = Vec::new();
                for leaf in leaves.iter() {
                    let ty = leaf_type(&self.hir().types, leaf).unwrap_or(Type::I32);
                    vars.push(self.new_source_var(format!("{}{}", local.name, leaf.path), ty, leaf.ty));
                }
                if matches!(local.origin, hir::LocalOrigin::Temporary | hir::LocalOrigin::Length { .. }) {
                    self.lw.temporaries.extend(vars.iter().copied());
                }
                if unwritten.contains(&id) {
                    for &var in &vars {
                        let flag = self.new_var(format!(".written.{}", self.proc.locals.len()), Type::Bool);
                        self.flags.insert(var, flag);
                    }
                }
                Storage::Vars(vars)
            };
            self.locals.push(storage);
        }
        self.span = self.proc.span;
    }

    /// Whether a declaration without initialiser writes inputs to every part of the object.
    pub fn writes_on_entry(&mut self, ty: TypeId) -> bool {
        const MAX_INPUTS: usize = 8;
        self.lw.layouts.leaves(&self.hir().types, ty).is_some_and(|leaves| leaves.len() <= MAX_INPUTS)
    }

    /// Parameters and result of the procedure.
    fn declare_interface(&mut self, function: FunctionId, body: &HirBody) {
        let types = &self.hir().types;
        let Some(ty) = types.as_function(self.hir().functions[function].ty) else { return };
        let result = ty.result;
        match self.lw.shape(result) {
            Shape::Void => {}
            Shape::Scalar(ty) => {
                self.proc.result = Some(self.new_source_var("result".to_string(), ty, result));
            }
            Shape::Leaves(_) => {
                self.lw.result_globals(function);
            }
            Shape::Memory => {
                let var = self.new_temporary("&result".to_string(), Type::Pointer);
                self.proc.params.push(var);
                self.result_address = Some(var);
            }
        }
        for &param in &body.params {
            let local = &body.locals[param];
            self.at(local.span);
            match self.locals[param].clone() {
                Storage::Vars(vars) => self.proc.params.extend(vars),
                Storage::Memory(address) => self.receive_in_memory(param, local, address),
            }
        }
        if ty.variadic {
            let var = self.new_var("...".to_string(), Type::Pointer);
            self.proc.params.push(var);
            self.extra = Some(var);
        }
        self.span = self.proc.span;
    }

    /// A parameter whose address is taken arrives in variables and is stored.
    fn receive_in_memory(&mut self, param: LocalId, local: &hir::Local, address: ExprId) {
        self.declare_in_scope(param);
        self.begin_storage(param);
        let ty = local.ty.ty;
        match self.lw.shape(ty) {
            Shape::Void => {}
            Shape::Memory => {
                let var = self.new_temporary(format!("&{}'", local.name), Type::Pointer);
                self.proc.params.push(var);
                let from = self.var(var);
                self.copy_memory(address, from, ty);
            }
            Shape::Scalar(_) | Shape::Leaves(_) => {
                let leaves = self.lw.layouts.leaves(&self.hir().types, ty).unwrap_or_default();
                let mut values = Vec::new();
                for leaf in leaves.iter() {
                    let leaf_type = leaf_type(&self.hir().types, leaf).unwrap_or(Type::I32);
                    let name = format!("{}{}'", local.name, leaf.path);
                    let var = self.new_source_var(name, leaf_type, leaf.ty);
                    self.proc.params.push(var);
                    values.push(self.var(var));
                }
                self.store_leaves(address, ty, &values);
            }
        }
    }

    /// The end of a function without `return`: `main` returns 0, others anything.
    fn fall_off(&mut self, function: FunctionId) {
        let source = InputSource::Uninitialised;
        match self.proc.result {
            Some(result) if self.hir().functions[function].name == "main" => {
                let zero = self.lw.zero(Type::I32);
                self.assign(result, zero);
            }
            Some(result) => {
                self.emit(Stmt::Input(ir::Place::Var(result), source));
            }
            None => {
                for result in self.lw.result_globals(function) {
                    self.emit(Stmt::Input(ir::Place::Var(result), source.clone()));
                }
            }
        }
        self.returns_nothing(function);
        self.call_at_end(0);
        self.leave_function();
    }

    /// A call whose targets are not known yet: an edge to be replaced.
    pub fn emit_indirect(&mut self, make: impl FnOnce(ir::ProcId, ir::EdgeId, ir::Span) -> IndirectCall) {
        let edge = self.emit(Stmt::Skip);
        let call = make(self.id, edge, self.span);
        self.lw.indirect_calls.push(call);
    }
}
