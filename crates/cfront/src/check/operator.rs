//! Operators on values: arithmetic, comparison, assignment, the conditional (C11 6.5.3 to 6.5.16).

use super::compatible::{Quals, compatible};
use super::{Checked, Checker, Operand, error, unsupported};
use crate::ast::{self, Expr, UnaryOp};
use crate::hir::{self, BinaryOp, ExprId, ExprKind, LocalOrigin, PlaceId, Update, UpdateResult};
use crate::source::Span;
use crate::types::TypeId;

impl Checker<'_> {
    /// A left-leaning chain (`a + b + c + ...`) without recursion along it.
    pub(super) fn binary_chain(&mut self, expr: &Expr) -> Checked<Operand> {
        let mut chain = Vec::new();
        let mut leftmost = expr;
        while let ast::ExprKind::Binary(op, left, right) = &leftmost.kind {
            chain.push((*op, &**right, leftmost.span));
            leftmost = left;
        }
        let operand = self.expression(leftmost)?;
        let mut value = self.value(operand)?;
        for (op, right, span) in chain.into_iter().rev() {
            let operand = self.expression(right)?;
            let right = self.value(operand)?;
            value = self.binary(op, value, right, span)?;
        }
        Ok(Operand::Value(value))
    }

    pub(super) fn unary_arithmetic(&mut self, op: UnaryOp, value: ExprId, span: Span) -> Checked<ExprId> {
        if self.complex_parts(self.type_of(value)).is_some() {
            return self.complex_unary(op, value, span);
        }
        if let Some((lane, lanes)) = self.vector_lanes(self.type_of(value)) {
            return self.vector_unary(op, value, (lane, lanes), span);
        }
        if op == UnaryOp::Not {
            self.require_scalar(value, "the operand of `!`")?;
            return Ok(self.unary_node(hir::UnaryOp::LogicalNot, value, TypeId::INT, span));
        }
        let types = &self.program.types;
        let ty = self.type_of(value);
        let fits = if op == UnaryOp::BitNot { types.is_integer(ty) } else { types.is_arithmetic(ty) };
        if !fits {
            return self.no_operator(span, &[value]);
        }
        let width = self.wide_bit_field(value);
        let value = self.promote(value)?;
        let ty = self.type_of(value);
        Ok(match (op, width) {
            (UnaryOp::Neg, Some(width)) => self.unary_in_width(hir::UnaryOp::Neg, value, width, span),
            (UnaryOp::BitNot, Some(width)) => self.unary_in_width(hir::UnaryOp::BitNot, value, width, span),
            (UnaryOp::Neg, None) => self.unary_node(hir::UnaryOp::Neg, value, ty, span),
            (UnaryOp::BitNot, None) => self.unary_node(hir::UnaryOp::BitNot, value, ty, span),
            _ => value,
        })
    }

    fn no_operator<T>(&self, span: Span, operands: &[ExprId]) -> Checked<T> {
        let shown: Vec<String> =
            operands.iter().map(|&e| format!("`{}`", self.show(self.type_of(e)))).collect();
        error(span, format!("this operator does not apply to {}", shown.join(" and ")))
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        use BinaryOp::*;
        let (left_ty, right_ty) = (self.type_of(left), self.type_of(right));
        if self.complex_parts(left_ty).or(self.complex_parts(right_ty)).is_some() {
            return self.complex_binary(op, left, right, span);
        }
        if self.vector_lanes(left_ty).or(self.vector_lanes(right_ty)).is_some() {
            return self.vector_binary(op, left, right, span);
        }
        let types = &self.program.types;
        let arithmetic = types.is_arithmetic(left_ty) && types.is_arithmetic(right_ty);
        let integer = types.is_integer(left_ty) && types.is_integer(right_ty);
        let pointers = (types.is_pointer(left_ty), types.is_pointer(right_ty));
        match op {
            Shl | Shr if integer => {
                let width = self.wide_bit_field(left);
                let (left, right) = (self.promote(left)?, self.promote(right)?);
                let ty = self.type_of(left);
                Ok(match width {
                    Some(width) => self.in_width(op, [left, right], width, span),
                    None => self.binary_node(op, left, right, ty, span),
                })
            }
            Rem | BitAnd | BitOr | BitXor if !integer => self.no_operator(span, &[left, right]),
            Add if pointers == (true, false) && types.is_integer(right_ty) => {
                self.pointer_add(left, right, false, span)
            }
            Add if pointers == (false, true) && types.is_integer(left_ty) => {
                self.pointer_add(right, left, false, span)
            }
            Sub if pointers == (true, false) && types.is_integer(right_ty) => {
                self.pointer_add(left, right, true, span)
            }
            Sub if pointers == (true, true) => self.pointer_difference(left, right, span),
            _ if op.is_comparison() && (pointers.0 || pointers.1) => {
                let (left, right) = self.comparable_pointers(left, right, span)?;
                Ok(self.binary_node(op, left, right, TypeId::INT, span))
            }
            _ if arithmetic && !op.is_shift() => {
                let width = self.wide_computation(left, right).map(|(width, _)| width);
                let (left, right, ty) = self.usual(left, right)?;
                let result = if op.is_comparison() { TypeId::INT } else { ty };
                if matches!(op, Div | Rem) && self.int_value(right) == Some(0) {
                    self.warn(span, "division by zero");
                }
                Ok(match width {
                    Some(width) => self.in_width(op, [left, right], width, span),
                    None => self.binary_node(op, left, right, result, span),
                })
            }
            Eq | Ne => match self.compare_structures(op, (left, right), span) {
                Some(compared) => compared,
                None => self.no_operator(span, &[left, right]),
            },
            _ => self.no_operator(span, &[left, right]),
        }
    }

    /// The size of what a pointer points to; one byte for `void` and functions, as in GNU C.
    fn scale(&mut self, pointer: ExprId, span: Span) -> Checked<u64> {
        let ty = self.type_of(pointer);
        let to = self.program.types.pointee(ty).map_or(TypeId::VOID, |to| to.ty);
        match self.program.types.size_of(to) {
            Some(size) => Ok(size),
            None => error(span, format!("arithmetic on a pointer to incomplete type `{}`", self.show(to))),
        }
    }

    pub(super) fn pointer_add(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        negative: bool,
        span: Span,
    ) -> Checked<ExprId> {
        let ty = self.type_of(pointer);
        let (index, scale) = match self.variable_scale(ty, span) {
            Some(size) => (self.scaled_index(index, size, span)?, 1),
            None => (index, self.scale(pointer, span)?),
        };
        Ok(self.expr(ExprKind::PtrAdd { pointer, index, negative, scale }, ty, span))
    }

    fn pointer_difference(&mut self, left: ExprId, right: ExprId, span: Span) -> Checked<ExprId> {
        let types = &self.program.types;
        let (a, b) = (types.pointee(self.type_of(left)), types.pointee(self.type_of(right)));
        if let (Some(a), Some(b)) = (a, b)
            && !compatible(types, a.ty, b.ty, Quals::Ignore)
        {
            return error(span, "the difference of pointers to different types");
        }
        let ty = self.program.types.difference_type();
        if let Some(size) = self.variable_scale(self.type_of(left), span) {
            let bytes = self.expr(ExprKind::PtrDiff { left, right, scale: 1 }, ty, span);
            let size = self.convert(size, ty)?;
            return Ok(self.binary_node(BinaryOp::Div, bytes, size, ty, span));
        }
        let scale = self.scale(left, span)?.max(1);
        if let (Some(a), Some(b)) = (self.pointer_value(left), self.pointer_value(right))
            && let Some(bytes) = a.checked_sub(b)
        {
            return Ok(self.int(bytes / i128::from(scale), ty, span));
        }
        Ok(self.expr(ExprKind::PtrDiff { left, right, scale }, ty, span))
    }

    /// Converts both to one pointer type.
    fn comparable_pointers(&mut self, left: ExprId, right: ExprId, span: Span) -> Checked<(ExprId, ExprId)> {
        let (left_ty, right_ty) = (self.type_of(left), self.type_of(right));
        let types = &self.program.types;
        match (types.pointee(left_ty), types.pointee(right_ty)) {
            (Some(a), Some(b)) => {
                let void = a.ty == TypeId::VOID || b.ty == TypeId::VOID;
                if !void && !compatible(types, a.ty, b.ty, Quals::Ignore) {
                    self.warn(span, "comparison of pointers to different types");
                }
                let ty = if b.ty == TypeId::VOID { right_ty } else { left_ty };
                Ok((self.convert(left, ty)?, self.convert(right, ty)?))
            }
            (Some(_), None) if types.is_integer(right_ty) => {
                if !self.is_null_constant(right) {
                    self.warn(span, "comparison of a pointer and an integer");
                }
                Ok((left, self.convert(right, left_ty)?))
            }
            (None, Some(_)) if types.is_integer(left_ty) => {
                if !self.is_null_constant(left) {
                    self.warn(span, "comparison of an integer and a pointer");
                }
                Ok((self.convert(left, right_ty)?, right))
            }
            _ => self.no_operator(span, &[left, right]),
        }
    }

    /// The place that an assignment writes to.
    fn target(&mut self, expr: &Expr) -> Checked<PlaceId> {
        let Operand::Place(place) = self.expression(expr)? else {
            return error(expr.span, "only an object can be assigned to, and this is a value");
        };
        let ty = self.program.places[place].ty;
        if self.program.types.is_array(ty.ty) {
            return error(expr.span, "an array cannot be assigned to as a whole");
        }
        if !self.program.types.is_complete(ty.ty) {
            return error(expr.span, format!("an object of incomplete type `{}`", self.show(ty)));
        }
        if ty.quals.is_const() {
            self.warn(expr.span, "this object is `const`");
        }
        Ok(place)
    }

    pub(super) fn assign(&mut self, left: &Expr, right: &Expr, span: Span) -> Checked<ExprId> {
        let place = self.target(left)?;
        let ty = self.program.places[place].ty.ty;
        let operand = self.expression(right)?;
        let value = self.value(operand)?;
        let value = self.assign_convert(value, ty, "the left side")?;
        let assigned = self.expr(ExprKind::Assign { place, value }, ty, span);
        self.widened(assigned)
    }

    pub(super) fn compound_assign(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Checked<ExprId> {
        let place = self.target(left)?;
        let operand = self.expression(right)?;
        let right = self.value(operand)?;
        self.update(place, op, right, UpdateResult::New, span)
    }

    pub(super) fn increment(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Checked<ExprId> {
        let place = self.target(operand)?;
        let one = self.int(1, TypeId::INT, span);
        let (op, result) = match op {
            UnaryOp::PreIncrement => (BinaryOp::Add, UpdateResult::New),
            UnaryOp::PreDecrement => (BinaryOp::Sub, UpdateResult::New),
            UnaryOp::PostIncrement => (BinaryOp::Add, UpdateResult::Old),
            _ => (BinaryOp::Sub, UpdateResult::Old),
        };
        self.update(place, op, one, result, span)
    }

    fn update(
        &mut self,
        place: PlaceId,
        op: BinaryOp,
        right: ExprId,
        result: UpdateResult,
        span: Span,
    ) -> Checked<ExprId> {
        let ty = self.program.places[place].ty.ty;
        if ty == TypeId::FLOAT16 || self.complex_parts(ty).is_some() || self.vector_lanes(ty).is_some() {
            return self.update_by_assignment(place, op, right, result, span);
        }
        let right_ty = self.type_of(right);
        let types = &self.program.types;
        let update = if types.is_pointer(ty) {
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !types.is_integer(right_ty) {
                return self.no_operator(span, &[right]);
            }
            let to = types.pointee(ty).map_or(TypeId::VOID, |to| to.ty);
            let scale = types.size_of(to);
            let (index, scale) = match (self.variable_scale(ty, span), scale) {
                (Some(size), _) => (self.scaled_index(right, size, span)?, 1),
                (None, Some(scale)) => (right, scale),
                (None, None) => {
                    return error(
                        span,
                        format!("arithmetic on a pointer to incomplete type `{}`", self.show(to)),
                    );
                }
            };
            Update::Pointer { index, negative: op == BinaryOp::Sub, scale }
        } else {
            let both = |fits: &dyn Fn(TypeId) -> bool| fits(ty) && fits(right_ty);
            let integers_only = op.is_shift()
                || matches!(op, BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
            let fits = match integers_only {
                true => both(&|ty| types.is_integer(ty)),
                false => both(&|ty| types.is_arithmetic(ty)),
            };
            if !fits {
                return self.no_operator(span, &[right]);
            }
            let width = self.bit_field(place).map(|bits| bits.width);
            let mut right = right;
            if !op.is_shift() {
                // What does not fit a bit-field is lost in the end: only quotients depend on the width.
                let value = self.expr(ExprKind::Load(place), ty, span);
                if let Some((width, ty)) = self.wide_computation(value, right) {
                    if matches!(op, BinaryOp::Div | BinaryOp::Rem) && !self.fits_width(value, width) {
                        return unsupported(
                            span,
                            format!("a quotient in {} bits is not modelled", width.bits),
                        );
                    }
                    right = self.fitted(right, width, ty)?;
                }
            }
            let promoted = self.promoted(ty, width);
            let right = self.promote(right)?;
            if op.is_shift() {
                Update::Arithmetic { op, right, computation: promoted }
            } else {
                let computation = self.common_type(promoted, self.type_of(right));
                let right = self.convert(right, computation)?;
                Update::Arithmetic { op, right, computation }
            }
        };
        Ok(self.expr(ExprKind::Update { place, update, result }, ty, span))
    }

    pub(super) fn conditional(
        &mut self,
        condition: &Expr,
        then: Option<&Expr>,
        otherwise: &Expr,
        span: Span,
    ) -> Checked<ExprId> {
        let condition = self.condition(condition)?;
        let Some(then) = then else {
            return self.elvis(condition, otherwise, span);
        };
        let then = self.expression(then)?;
        let then = self.value(then)?;
        let otherwise = self.expression(otherwise)?;
        let otherwise = self.value(otherwise)?;
        self.conditional_node(condition, then, otherwise, span)
    }

    /// `a ?: b`: `a` goes to a temporary, which is tested and is the result.
    fn elvis(&mut self, value: ExprId, otherwise: &Expr, span: Span) -> Checked<ExprId> {
        let operand = self.expression(otherwise)?;
        let otherwise = self.value(operand)?;
        let ty = self.type_of(value);
        let Some(function) = &mut self.function else {
            // At file scope everything is constant, and evaluating it twice is the same.
            return self.conditional_node(value, value, otherwise, span);
        };
        let name = format!(".value.{}", function.locals.len());
        let local = function.add_local(name, ty.into(), LocalOrigin::Temporary, span);
        let place = self.local_place(local, ty.into(), span);
        let save = self.expr(ExprKind::Assign { place, value }, ty, span);
        let read = |checker: &mut Self| {
            let place = checker.local_place(local, ty.into(), span);
            checker.expr(ExprKind::Load(place), ty, span)
        };
        let (tested, used) = (read(self), read(self));
        let choice = self.conditional_node(tested, used, otherwise, span)?;
        let result = self.type_of(choice);
        Ok(self.expr(ExprKind::Comma(save, choice), result, span))
    }

    fn conditional_node(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        let (a, b) = (self.type_of(then), self.type_of(otherwise));
        let types = &self.program.types;
        if types.is_arithmetic(a) && types.is_arithmetic(b) {
            let width = self.wide_computation(then, otherwise);
            let (then, otherwise, ty) = self.usual(then, otherwise)?;
            let chosen = self.choose(condition, then, otherwise, ty, span);
            return Ok(match width {
                Some((width, _)) => self.of_width(chosen, width),
                None => chosen,
            });
        }
        let ty = if a == b {
            a
        } else if a == TypeId::VOID || b == TypeId::VOID {
            TypeId::VOID
        } else {
            match (types.pointee(a), types.pointee(b)) {
                (Some(_), _) if self.is_null_constant(otherwise) => a,
                (_, Some(_)) if self.is_null_constant(then) => b,
                (Some(a), Some(b)) => {
                    let void = a.ty == TypeId::VOID || b.ty == TypeId::VOID;
                    if !void && !compatible(types, a.ty, b.ty, Quals::Ignore) {
                        self.warn(span, "the branches are pointers to different types");
                    }
                    self.merge_pointees(a, b)
                }
                (Some(_), None) if types.is_integer(b) => {
                    self.warn(span, "the branches are a pointer and an integer");
                    a
                }
                (None, Some(_)) if types.is_integer(a) => {
                    self.warn(span, "the branches are an integer and a pointer");
                    b
                }
                _ => {
                    let (a, b) = (self.show(a), self.show(b));
                    return error(span, format!("the branches have different types, `{a}` and `{b}`"));
                }
            }
        };
        let then = self.convert(then, ty)?;
        let otherwise = self.convert(otherwise, ty)?;
        Ok(self.choose(condition, then, otherwise, ty, span))
    }

    fn choose(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        match self.truth(condition) {
            Some(true) => then,
            Some(false) => otherwise,
            None => self.expr(ExprKind::Conditional { condition, then, otherwise }, ty, span),
        }
    }
}
