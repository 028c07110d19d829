//! Statements.

use craig_program as ir;
use ir::{BinaryOp, InputSource, NoteKind, Stmt, Type};

use super::body::{Body, Value};
use super::layout::leaf_type;
use super::passing::makes_passing;
use super::place::Target;
use super::scope::Scoped;
use super::written::reads;
use crate::hir::{
    Asm, AsmInput, Case, ExprId, InitItem, InitValue, Initializer, LabelId, LocalId, LocalOrigin, StmtId,
    StmtKind,
};

impl Body<'_, '_> {
    pub fn stmt(&mut self, id: StmtId) {
        let hir = self.hir();
        let stmt = &hir.stmts[id];
        self.at(stmt.span);
        match &stmt.kind {
            StmtKind::Expr(value) => self.full_effect(*value),
            StmtKind::Declare { local, init, cleanup } => {
                self.declare(*local, init.as_ref());
                if let Some(call) = cleanup {
                    self.end_with_scope(Scoped::Call(*call));
                }
            }
            StmtKind::Block(stmts) => {
                let scope = self.scope();
                self.begin_block(stmts);
                for &stmt in stmts {
                    self.stmt(stmt);
                }
                self.leave_scope(scope);
            }
            StmtKind::If { condition, then, otherwise } => {
                let (yes, no, end) = (self.new_location(), self.new_location(), self.new_location());
                let passed = self.condition(*condition, yes, no);
                // What a model does for other programs only must not tell how memory of this one is used.
                let is_left_out = self.is_in_library() && self.proc.locations[yes].incoming.is_empty();
                self.here = yes;
                self.end_passed(&passed);
                if !is_left_out {
                    self.stmt(*then);
                }
                self.goto(end);
                self.here = no;
                self.end_passed(&passed);
                if let Some(otherwise) = otherwise {
                    self.stmt(*otherwise);
                }
                self.arrive(end);
            }
            StmtKind::While { condition, body } => {
                let (head, inside, end) = (self.new_location(), self.new_location(), self.new_location());
                self.arrive(head);
                let passed = self.condition(*condition, inside, end);
                self.here = inside;
                self.end_passed(&passed);
                self.loop_body(*body, head, end);
                self.goto(head);
                self.here = end;
                self.end_passed(&passed);
            }
            StmtKind::DoWhile { body, condition } => {
                let (head, check, end) = (self.new_location(), self.new_location(), self.new_location());
                self.arrive(head);
                self.loop_body(*body, check, end);
                self.arrive(check);
                self.at(hir.exprs[*condition].span);
                let again = if makes_passing(hir, *condition) { self.new_location() } else { head };
                let passed = self.condition(*condition, again, end);
                if again != head {
                    self.here = again;
                    self.end_passed(&passed);
                    self.goto(head);
                }
                self.here = end;
                self.end_passed(&passed);
            }
            StmtKind::For { init, condition, step, body } => {
                let scope = self.scope();
                self.begin_block(init);
                for &stmt in init {
                    self.stmt(stmt);
                }
                self.at(stmt.span);
                let (head, inside) = (self.new_location(), self.new_location());
                let (next, end) = (self.new_location(), self.new_location());
                self.arrive(head);
                let passed = match condition {
                    Some(condition) => self.condition(*condition, inside, end),
                    None => {
                        self.goto(inside);
                        Vec::new()
                    }
                };
                self.here = inside;
                self.end_passed(&passed);
                self.loop_body(*body, next, end);
                self.arrive(next);
                if let Some(step) = step {
                    self.at(hir.exprs[*step].span);
                    self.full_effect(*step);
                }
                self.goto(head);
                self.here = end;
                self.end_passed(&passed);
                self.leave_scope(scope);
            }
            StmtKind::Switch { value, cases, default, body } => self.switch(*value, cases, *default, *body),
            StmtKind::Label(label) => self.arrive_at_label(*label),
            StmtKind::Goto(label) => {
                let target = self.label(*label);
                self.goto(target);
            }
            StmtKind::Break => match self.breaks.last() {
                Some(&(target, scope)) => self.jump(target, scope),
                None => self.lw.unsupported(stmt.span, "'break' outside of a loop or switch"),
            },
            StmtKind::Continue => match self.continues.last() {
                Some(&(target, scope)) => self.jump(target, scope),
                None => self.lw.unsupported(stmt.span, "'continue' outside of a loop"),
            },
            StmtKind::Return(value) => self.return_value(*value),
            StmtKind::Asm(asm) => self.asm(asm, stmt.span),
        }
    }

    fn declare(&mut self, local: LocalId, init: Option<&Initializer>) {
        let Some(init) = init else { return self.begin_local(local) };
        let hir = self.hir();
        let start = self.full_expression();
        let body = self.function.and_then(|function| hir.functions[function].body.as_ref());
        if let Some(LocalOrigin::Length { first }) = body.map(|body| body.locals[local].origin)
            && let [InitItem { value: InitValue::Expr(length), .. }] = init.items[..]
        {
            self.before_length(first, length);
        }
        match reads(hir, init, local) {
            true => self.begin_local(local),
            false => self.begin_written_local(local),
        }
        self.initialize(local, init);
        self.end_full_expression(start);
    }

    /// An expression whose value is not used.
    pub(super) fn full_effect(&mut self, value: ExprId) {
        let start = self.full_expression();
        self.effect(value);
        self.end_full_expression(start);
    }

    /// A condition, and the objects that end both where it holds and where it does not.
    fn condition(&mut self, condition: ExprId, yes: ir::LocId, no: ir::LocId) -> Vec<ir::VarId> {
        let start = self.full_expression();
        self.branch(condition, yes, no);
        self.passed_since(start)
    }

    /// The body of a function: its scope ends where the function is left.
    pub fn function_body(&mut self, id: StmtId) {
        let hir = self.hir();
        let StmtKind::Block(stmts) = &hir.stmts[id].kind else { return self.stmt(id) };
        self.at(hir.stmts[id].span);
        self.begin_block(stmts);
        stmts.iter().for_each(|&stmt| self.stmt(stmt));
    }

    fn loop_body(&mut self, body: StmtId, next: ir::LocId, end: ir::LocId) {
        self.continues.push((next, self.scope()));
        self.breaks.push((end, self.scope()));
        self.stmt(body);
        self.continues.pop();
        self.breaks.pop();
    }

    /// A chain of comparisons, then the body, whose labels the cases jump to.
    fn switch(&mut self, value: ExprId, cases: &[Case], default: Option<LabelId>, body: StmtId) {
        let end = self.new_location();
        let start = self.full_expression();
        let value = self.scalar(value);
        let value = self.freeze(value);
        self.end_full_expression(start);
        let ty = self.lw.out.exprs.ty(value);
        let scope = self.scope();
        let entries: Vec<LabelId> = cases.iter().map(|case| case.label).chain(default).collect();
        self.begin_switch(body, &entries);
        for case in cases {
            let low = self.lw.constant(ty, case.low);
            let condition = if case.low == case.high {
                self.lw.binary(BinaryOp::Eq, value, low)
            } else {
                let high = self.lw.constant(ty, case.high);
                let above = self.lw.binary(BinaryOp::Le, low, value);
                let below = self.lw.binary(BinaryOp::Le, value, high);
                self.lw.binary(BinaryOp::And, above, below)
            };
            let target = self.label(case.label);
            let next = self.new_location();
            self.split(condition, target, next);
            self.here = next;
        }
        match default {
            Some(label) => {
                let target = self.label(label);
                self.goto(target);
            }
            None => self.jump(end, scope),
        }
        self.breaks.push((end, scope));
        self.stmt(body);
        self.breaks.pop();
        self.leave_scope(scope);
        self.arrive(end);
    }

    fn return_value(&mut self, value: Option<ExprId>) {
        let start = self.full_expression();
        let mut is_clean = false;
        if let Some(value) = value {
            let ty = self.hir().exprs[value].ty;
            let value = self.value(value);
            match value {
                Value::Void => {}
                Value::Scalar(value) => {
                    if let Some(result) = self.proc.result {
                        self.assign_once(result, value);
                    }
                }
                Value::Leaves(mut values) => {
                    // Where the result is kept, a call of this function by what cleans up would have its own.
                    if self.calls_at_end(0) {
                        values = values.into_iter().map(|value| self.freeze(value)).collect();
                        self.call_at_end(0);
                        is_clean = true;
                    }
                    let vars = self.function.map(|f| self.lw.result_globals(f)).unwrap_or_default();
                    for (var, value) in vars.into_iter().zip(values) {
                        self.assign(var, value);
                    }
                }
                Value::Memory(from) => {
                    if let Some(result) = self.result_address {
                        let to = self.var(result);
                        self.copy_memory(to, from, ty);
                    }
                }
            }
        }
        self.end_full_expression(start);
        if !is_clean {
            self.call_at_end(0);
        }
        self.leave_function();
    }

    /// Without instructions, outputs keep their value or get that of the input in the same place. Else
    /// they become inputs of the program, and what the code may do with memory is what a function without
    /// a body may do that is given its inputs.
    fn asm(&mut self, asm: &Asm, span: crate::source::Span) {
        let hir = self.hir();
        let empty = asm.template.trim().is_empty();
        let at = self.lw.span(span);
        let mut inputs = Vec::new();
        for (constraint, input) in &asm.inputs {
            match input {
                AsmInput::Value(value) => {
                    let lowered = self.value(*value);
                    inputs.push((constraint.as_str(), *value, self.freeze_value(lowered)));
                }
                AsmInput::Memory(place) => {
                    self.place(*place);
                }
            }
        }
        if !empty && asm.clobbers_memory() {
            let given = inputs.iter().map(|(_, value, lowered)| (*value, lowered.clone())).collect();
            self.change_what_is_given("asm", given);
            let text = format!("line {}: assembler code changes nothing but what it is given", at.line);
            self.lw.note(NoteKind::Assumption, at, text);
        }
        for (i, (constraint, place)) in asm.outputs.iter().enumerate() {
            let ty = hir.places[*place].ty.ty;
            let target = self.place(*place);
            let target = self.freeze_target(target);
            let same_place = inputs.iter().find(|(constraint, ..)| *constraint == i.to_string());
            match same_place {
                _ if empty && constraint.starts_with('+') => {}
                Some((_, _, Value::Scalar(value))) if empty => {
                    let scalar = self.lw.scalar_type(ty).unwrap_or(Type::I32);
                    let value = self.lw.convert(*value, scalar);
                    self.store(&target, ty, Value::Scalar(value));
                }
                _ => {
                    let text = format!("line {}: assembler code: its outputs are any values", at.line);
                    self.lw.note(NoteKind::OverApproximation, at, text);
                    self.havoc(&target, ty, &InputSource::Unmodelled("asm".into()));
                }
            }
        }
        for &label in &asm.labels {
            let target = self.label(label);
            let jumps = self.unmodelled(Type::Bool, "asm goto");
            let next = self.new_location();
            self.split(jumps, target, next);
            self.here = next;
        }
    }

    /// Any value for each part of an object of a split type; false if the type is another one.
    pub fn havoc(&mut self, target: &Target, ty: crate::types::TypeId, source: &InputSource) -> bool {
        match target {
            Target::Vars(vars) => {
                for &var in vars {
                    self.emit(Stmt::Input(ir::Place::Var(var), source.clone()));
                    self.flag(var, true);
                }
                true
            }
            Target::Memory(_) | Target::Bits(_) => {
                if let Some(scalar) = self.lw.scalar_type(ty) {
                    let value = self.input(scalar, source.clone());
                    self.store(target, ty, Value::Scalar(value));
                    return true;
                }
                if self.lw.layouts.leaves(&self.lw.hir.types, ty).is_none() {
                    return false;
                }
                let mut values = Vec::new();
                for leaf in self.leaves(ty).iter() {
                    let ty = leaf_type(&self.hir().types, leaf).unwrap_or(Type::I32);
                    values.push(self.input(ty, source.clone()));
                }
                self.store(target, ty, Value::Leaves(values));
                true
            }
            Target::Value(_) => false,
        }
    }
}
