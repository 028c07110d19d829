//! Expressions: values and effects.

use craig_program as ir;
use ir::{BinaryOp, ExprId, Type};

use super::body::{Body, Value};
use super::branch::logical;
use super::passing::is_passing;
use super::visit::Node;
use super::{Shape, Storage};
use crate::hir::{self, Callee, CastKind, ExprKind, LogicalOp, PlaceKind, UnaryOp};
use crate::types::TypeId;

/// What evaluating something may do, besides giving a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Care {
    /// It may change variables or memory.
    pub effects: bool,
    /// It may be undefined: reads memory, divides, or can overflow.
    pub partial: bool,
}

impl Body<'_, '_> {
    /// What the evaluation may do.
    pub fn care(&self, root: Node) -> Care {
        let hir = self.hir();
        let mut care = Care { effects: false, partial: false };
        super::visit::walk(hir, &[root], &mut |node| {
            match node {
                Node::Stmt(_) => care.effects = true,
                Node::Place(place) => match &hir.places[place].kind {
                    PlaceKind::Initialized { .. } => care.effects = true,
                    PlaceKind::Deref(_) => care.partial = true,
                    PlaceKind::Local(local) => {
                        care.partial |= matches!(self.locals[*local], Storage::Memory(_));
                        care.partial |= self.may_be_unwritten(place);
                    }
                    PlaceKind::Global(global) => {
                        care.partial |= matches!(self.lw.globals[*global], Some(Storage::Memory(_)));
                    }
                    PlaceKind::Field { .. } | PlaceKind::Temporary(_) => {}
                },
                Node::Expr(expr) => match &hir.exprs[expr].kind {
                    ExprKind::Assign { .. }
                    | ExprKind::Update { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::Statement { .. }
                    | ExprKind::VaArg(_) => care.effects = true,
                    ExprKind::Binary(op, ..) => {
                        care.partial |= self.is_partial(*op, hir.exprs[expr].ty);
                    }
                    ExprKind::Unary(UnaryOp::Neg, _) => {
                        care.partial |= self.is_partial(hir::BinaryOp::Sub, hir.exprs[expr].ty);
                    }
                    ExprKind::Cast(CastKind::FloatToInt, _)
                    | ExprKind::PtrAdd { .. }
                    | ExprKind::PtrDiff { .. } => care.partial = true,
                    ExprKind::Cast(..) => care.partial |= self.may_lose(expr),
                    _ => {}
                },
            }
            !(care.effects && care.partial)
        });
        care
    }

    /// Whether the operation can be undefined.
    fn is_partial(&self, op: hir::BinaryOp, ty: TypeId) -> bool {
        use hir::BinaryOp::*;
        let signed = self.hir().types.int_info(ty).is_some_and(|info| info.signed);
        match op {
            Div | Rem | Shl | Shr => true,
            Add | Sub | Mul => signed && self.lw.options.arithmetic == ir::Arithmetic::AssumeNoOverflow,
            _ => false,
        }
    }

    pub(super) fn has_effects(&self, expr: hir::ExprId) -> bool {
        self.care(Node::Expr(expr)).effects
    }

    /// Neither effects nor undefined behaviour: may be evaluated even where C would not.
    pub(super) fn is_simple(&self, expr: hir::ExprId) -> bool {
        self.care(Node::Expr(expr)) == Care { effects: false, partial: false }
    }

    /// Evaluates for its effects only.
    pub fn effect(&mut self, id: hir::ExprId) {
        let hir = self.hir();
        let expr = &hir.exprs[id];
        match &expr.kind {
            ExprKind::Assign { place, value } => {
                self.assignment(*place, *value);
            }
            ExprKind::Update { place, update, .. } => {
                self.update(id, *place, update, None);
            }
            ExprKind::Cast(kind, inner) if *kind != CastKind::FloatToInt => self.effect(*inner),
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.effect(*b);
            }
            ExprKind::Call { callee, args } => {
                self.discarded = Some(id);
                self.call(id, callee, args, None);
            }
            ExprKind::Logical(op, a, b) if self.has_effects(*b) => {
                let (right, end) = (self.new_location(), self.new_location());
                match op {
                    LogicalOp::And => self.branch(*a, right, end),
                    LogicalOp::Or => self.branch(*a, end, right),
                }
                self.here = right;
                self.effect(*b);
                self.arrive(end);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let (yes, no, end) = (self.new_location(), self.new_location(), self.new_location());
                self.branch(*condition, yes, no);
                self.here = yes;
                self.effect(*then);
                self.goto(end);
                self.here = no;
                self.effect(*otherwise);
                self.arrive(end);
            }
            ExprKind::Statement { stmts, value } => {
                let scope = self.scope();
                self.begin_block(stmts);
                for &stmt in stmts {
                    self.stmt(stmt);
                }
                if let Some(value) = value {
                    self.effect(*value);
                }
                self.leave_scope(scope);
            }
            // The value is not needed, but what its evaluation does is, and that it may be undefined.
            _ => {
                let care = self.care(Node::Expr(id));
                if care.effects || care.partial {
                    let value = self.value(id);
                    self.freeze_value(value);
                }
            }
        }
    }

    /// The value of a scalar expression.
    pub fn scalar(&mut self, id: hir::ExprId) -> ExprId {
        let value = self.value(id);
        let ty = self.lw.scalar_type(self.hir().exprs[id].ty).unwrap_or(Type::I32);
        self.scalar_of(value, ty)
    }

    /// Both values, the left one unharmed by the effects of the right one.
    fn operands(&mut self, a: hir::ExprId, b: hir::ExprId) -> (ExprId, ExprId) {
        if let Some(values) = self.in_either_order(&[a, b])
            && let [Value::Scalar(left), Value::Scalar(right)] = values[..]
        {
            return (left, right);
        }
        let mut left = self.scalar(a);
        if self.has_effects(b) {
            left = self.freeze(left);
        }
        (left, self.scalar(b))
    }

    pub fn value(&mut self, id: hir::ExprId) -> Value {
        let hir = self.hir();
        let expr = &hir.exprs[id];
        let Some(ty) = self.lw.scalar_type(expr.ty) else { return self.aggregate(id) };
        let value = match &expr.kind {
            ExprKind::Int(value) => self.lw.constant(ty, *value),
            ExprKind::Float(value) => self.lw.float(ty, *value),
            ExprKind::Load(place) => match self.volatile_read(*place, ty) {
                Some(value) => value,
                None => {
                    let target = self.place(*place);
                    self.say_place(*place, &target);
                    self.require_written(*place, &target, ty);
                    let value = self.load(&target, hir.places[*place].ty.ty);
                    self.scalar_of(value, ty)
                }
            },
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                let target = self.place(*place);
                match is_passing(hir, *place) {
                    true => self.passing_array(*place, target),
                    false => self.address(target, hir.places[*place].ty.ty),
                }
            }
            ExprKind::FunctionAddress(function) => {
                let address = self.lw.function_addresses[*function].unwrap_or(0);
                let address = self.lw.constant(Type::Pointer, i128::from(address));
                match self.lw.weak_function(*function) {
                    Some(is_there) => {
                        let is_there = self.var(is_there);
                        let null = self.lw.zero(Type::Pointer);
                        self.lw.ite(is_there, address, null)
                    }
                    None => address,
                }
            }
            ExprKind::Unary(op, a) => {
                let value = self.unary(*op, *a);
                self.say_value(value, expr.span);
                value
            }
            ExprKind::Binary(op, a, b) => {
                use hir::BinaryOp as C;
                let is_order = matches!(op, C::Lt | C::Le | C::Gt | C::Ge);
                if is_order && let Some(comes_first) = self.comes_first(*a, *b) {
                    let is_less = matches!(op, C::Lt | C::Le);
                    let truth = if is_less {
                        comes_first
                    } else {
                        self.lw.out.exprs.unary(ir::UnaryOp::Not, comes_first)
                    };
                    return Value::Scalar(self.lw.convert(truth, ty));
                }
                let (a, b) = self.operands(*a, *b);
                if self.lw.out.exprs.ty(a) == Type::Pointer {
                    self.lw.orders_addresses |= is_order;
                    self.lw.compares_addresses = true;
                    self.lw.note_decided(a, b, is_order);
                }
                let value = self.arithmetic(*op, a, b);
                self.say_value(value, expr.span);
                value
            }
            ExprKind::PtrAdd { .. } => self.pointer_sum(id, false),
            ExprKind::PtrDiff { left, right, scale } => {
                let (left, right) = self.operands(*left, *right);
                self.lw.orders_addresses = true;
                self.lw.note_decided(left, right, true);
                let distance = self.lw.binary(BinaryOp::Sub, left, right);
                self.say_value(distance, expr.span);
                if *scale > 1 {
                    let scale = self.lw.constant(ty, i128::from(*scale));
                    self.lw.binary(BinaryOp::Div, distance, scale)
                } else {
                    distance
                }
            }
            ExprKind::Logical(op, a, b) => {
                if !self.needs_flow(id) {
                    // The right operand has no effects.
                    let (a, b) = (self.scalar(*a), self.scalar(*b));
                    let (a, b) = (self.lw.truth(a), self.lw.truth(b));
                    self.lw.binary(logical(*op), a, b)
                } else {
                    self.condition_value(id)
                }
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                if self.is_simple(*then) && self.is_simple(*otherwise) {
                    let condition = self.scalar(*condition);
                    let condition = self.lw.truth(condition);
                    let (then, otherwise) = (self.scalar(*then), self.scalar(*otherwise));
                    let (then, otherwise) = (self.lw.convert(then, ty), self.lw.convert(otherwise, ty));
                    self.lw.ite(condition, then, otherwise)
                } else {
                    return self.conditional(*condition, *then, *otherwise, expr.ty);
                }
            }
            ExprKind::Assign { place, value } => match self.assignment_value(*place, *value) {
                Value::Scalar(value) => value,
                _ => self.lw.zero(ty),
            },
            ExprKind::Update { place, update, result } => self.update_value(id, *place, update, *result),
            ExprKind::Cast(kind, inner) => {
                let mut value = self.cast(*kind, *inner, expr.ty);
                self.lw.uses_addresses |= *kind == CastKind::PointerToInt;
                if self.may_lose(id) {
                    self.require_same_value(value, ty, expr.ty, self.source_text(*inner));
                }
                value = self.rounded_number(value, ty);
                if *kind == CastKind::FloatToInt {
                    self.say_value(value, expr.span);
                }
                value
            }
            ExprKind::Call { callee, args } => {
                let value = self.call(id, callee, args, None);
                self.scalar_of(value, ty)
            }
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.scalar(*b)
            }
            ExprKind::Statement { stmts, value } => {
                let value = self.statement_expression(stmts, *value);
                self.scalar_of(value, ty)
            }
            ExprKind::VaArg(list) => {
                let value = self.next_argument(*list, expr.ty);
                self.scalar_of(value, ty)
            }
        };
        Value::Scalar(self.lw.convert(value, ty))
    }

    /// A value of record type, or none.
    fn aggregate(&mut self, id: hir::ExprId) -> Value {
        let hir = self.hir();
        let expr = &hir.exprs[id];
        match &expr.kind {
            ExprKind::Load(place) => {
                let target = self.place(*place);
                self.say_place(*place, &target);
                self.load(&target, expr.ty)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise, expr.ty)
            }
            ExprKind::Assign { place, value } => self.assignment_value(*place, *value),
            ExprKind::Cast(_, inner) => {
                self.effect(*inner);
                Value::Void
            }
            ExprKind::Call { callee, args } => self.call(id, callee, args, None),
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.value(*b)
            }
            ExprKind::Statement { stmts, value } => self.statement_expression(stmts, *value),
            ExprKind::VaArg(list) => self.next_argument(*list, expr.ty),
            _ => {
                self.lw.unsupported(expr.span, format!("a value of type {}", hir.types.show(expr.ty)));
                Value::Void
            }
        }
    }

    fn statement_expression(&mut self, stmts: &[hir::StmtId], value: Option<hir::ExprId>) -> Value {
        let (scope, around) = (self.scope(), self.span);
        self.begin_block(stmts);
        for &stmt in stmts {
            self.stmt(stmt);
        }
        let value = match value {
            Some(id) => {
                let value = self.value(id);
                let value = self.leaves_block(value).on_its_own(self, self.hir().exprs[id].ty);
                if self.calls_at_end(scope) { self.freeze_value(value) } else { value }
            }
            None => Value::Void,
        };
        self.leave_scope(scope);
        self.span = around;
        value
    }

    fn unary(&mut self, op: UnaryOp, a: hir::ExprId) -> ExprId {
        let value = self.scalar(a);
        match op {
            UnaryOp::Neg => self.lw.negate(value),
            UnaryOp::BitNot => self.lw.out.exprs.unary(ir::UnaryOp::Not, value),
            UnaryOp::LogicalNot => {
                let truth = self.lw.truth(value);
                self.lw.out.exprs.not(truth)
            }
        }
    }

    pub fn arithmetic(&mut self, op: hir::BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        use hir::BinaryOp as C;
        if let Some(rounded) = self.rounded(op, a, b) {
            return rounded;
        }
        match op {
            C::Gt => self.lw.binary(BinaryOp::Lt, b, a),
            C::Ge => self.lw.binary(BinaryOp::Le, b, a),
            C::Eq | C::Ne => {
                let op = if op == C::Eq { BinaryOp::Eq } else { BinaryOp::Ne };
                self.lw.binary(op, a, b)
            }
            _ => {
                let op = match op {
                    C::Add => BinaryOp::Add,
                    C::Sub => BinaryOp::Sub,
                    C::Mul => BinaryOp::Mul,
                    C::Div => BinaryOp::Div,
                    C::Rem => BinaryOp::Rem,
                    C::Shl => BinaryOp::Shl,
                    C::Shr => BinaryOp::Shr,
                    C::BitAnd => BinaryOp::And,
                    C::BitOr => BinaryOp::Or,
                    C::BitXor => BinaryOp::Xor,
                    C::Le => BinaryOp::Le,
                    C::Lt | C::Gt | C::Ge | C::Eq | C::Ne => BinaryOp::Lt,
                };
                self.lw.binary(op, a, b)
            }
        }
    }

    /// The address that a pointer gives a place.
    pub(super) fn followed(&mut self, pointer: hir::ExprId) -> ExprId {
        match self.hir().exprs[pointer].kind {
            ExprKind::PtrAdd { .. } => self.pointer_sum(pointer, true),
            _ => self.scalar(pointer),
        }
    }

    /// A pointer and an integer are added; the sum is followed, or only computed.
    fn pointer_sum(&mut self, sum: hir::ExprId, is_followed: bool) -> ExprId {
        let hir = self.hir();
        let span = hir.exprs[sum].span;
        let ExprKind::PtrAdd { pointer: base, index, negative, scale } = hir.exprs[sum].kind else {
            return self.scalar(sum);
        };
        let (pointer, index) = self.operands(base, index);
        self.require_element(base, index, negative, span);
        if is_followed {
            self.require_part(base, index, negative, span);
        }
        let value = self.pointer_add(pointer, index, negative, scale);
        if is_followed && matches!(hir.exprs[base].kind, ExprKind::PtrAdd { .. }) {
            self.require_sum_in_part(base, value, scale, span);
        }
        self.say_value(value, span);
        value
    }

    pub fn pointer_add(&mut self, pointer: ExprId, index: ExprId, negative: bool, scale: u64) -> ExprId {
        let ty = self.lw.difference_type();
        let index = self.lw.convert(index, Type::Int(ty));
        if let Some(index) = self.lw.out.exprs.as_const(index)
            && let Some(distance) = index.checked_mul(i128::from(scale))
        {
            return self.lw.offset(pointer, if negative { -distance } else { distance });
        }
        let scale = self.lw.out.exprs.int(ty, i128::from(scale));
        let distance = if self.lw.out.exprs.as_const(scale) == Some(1) {
            index
        } else {
            self.lw.binary(BinaryOp::Mul, index, scale)
        };
        self.lw.binary(if negative { BinaryOp::Sub } else { BinaryOp::Add }, pointer, distance)
    }

    fn cast(&mut self, kind: CastKind, inner: hir::ExprId, c_type: TypeId) -> ExprId {
        // A call that returns an unknown pointer gives one to what the program takes it for.
        if kind == CastKind::PointerToPointer
            && let ExprKind::Call { callee, args } = &self.hir().exprs[inner].kind
        {
            let value = self.call(inner, callee, args, Some(c_type));
            return self.scalar_of(value, Type::Pointer);
        }
        self.scalar(inner)
    }

    // Assignment.

    // Control flow within expressions.

    /// Temporaries that can hold a value of the type.
    pub fn result_vars(&mut self, ty: TypeId) -> Vec<ir::VarId> {
        match self.lw.shape(ty) {
            Shape::Void => Vec::new(),
            Shape::Scalar(ty) => vec![self.temporary(ty)],
            Shape::Memory => vec![self.temporary(Type::Pointer)],
            Shape::Leaves(_) => {
                let leaves = self.leaves(ty);
                let types = &self.hir().types;
                let types: Vec<Type> = leaves
                    .iter()
                    .map(|leaf| super::layout::leaf_type(types, leaf).unwrap_or(Type::I32))
                    .collect();
                types.into_iter().map(|ty| self.temporary(ty)).collect()
            }
        }
    }

    pub fn value_of_vars(&mut self, shape: Shape, vars: &[ir::VarId]) -> Value {
        match (shape, vars) {
            (Shape::Scalar(_), &[var]) => Value::Scalar(self.var(var)),
            (Shape::Memory, &[var]) => Value::Memory(self.var(var)),
            (Shape::Leaves(_), vars) => Value::Leaves(vars.iter().map(|&var| self.var(var)).collect()),
            _ => Value::Void,
        }
    }

    /// The callee of a call through a pointer that is in fact a function's name.
    pub fn known_callee(&self, callee: &Callee) -> Option<hir::FunctionId> {
        match callee {
            Callee::Function(function) => Some(*function),
            Callee::Pointer(pointer) => {
                let mut pointer = *pointer;
                loop {
                    match self.hir().exprs[pointer].kind {
                        ExprKind::FunctionAddress(function) => return Some(function),
                        ExprKind::Cast(CastKind::PointerToPointer, inner) => pointer = inner,
                        _ => return None,
                    }
                }
            }
            Callee::Builtin(_) => None,
        }
    }
}
