//! Constant folding in the constructors of expressions (C11 6.6).
//!
//! Nothing is folded whose result C leaves undefined: signed overflow and division by zero stay operations,
//! so that they can be looked for; of floating numbers division by zero is what IEEE 754 says. Left shifts of signed numbers fold as gcc computes them, modulo 2^n.

use super::Checker;
use crate::hir::{
    BinaryOp, CastKind, ExprId, ExprKind, GlobalOrigin, LogicalOp, PlaceId, PlaceKind, UnaryOp,
};
use crate::source::Span;
use crate::types::{IntInfo, TypeId};
use craig_num::Extended;

impl Checker<'_> {
    pub(super) fn int_value(&self, expr: ExprId) -> Option<i128> {
        match self.program.exprs[expr].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn float_value(&self, expr: ExprId) -> Option<Extended> {
        match self.program.exprs[expr].kind {
            ExprKind::Float(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the scalar is not zero, if that is constant.
    pub(super) fn truth(&self, expr: ExprId) -> Option<bool> {
        match self.program.exprs[expr].kind {
            ExprKind::Int(value) => Some(value != 0),
            ExprKind::Float(value) => Some(!value.is_zero()),
            ExprKind::Decay(place) => match self.program.places[place].kind {
                PlaceKind::Global(global)
                    if self.program.globals[global].origin == GlobalOrigin::StringLiteral =>
                {
                    Some(true)
                }
                _ => None,
            },
            _ => self.pointer_value(expr).map(|value| value != 0),
        }
    }

    /// The value of a pointer that is computed from an integer constant: `(T *)0`, `&((T *)0)->field`.
    pub(super) fn pointer_value(&self, expr: ExprId) -> Option<i128> {
        let mut offset = 0i128;
        let mut expr = expr;
        loop {
            match &self.program.exprs[expr].kind {
                ExprKind::Cast(CastKind::IntToPointer, operand) => {
                    return self.int_value(*operand)?.checked_add(offset);
                }
                ExprKind::Cast(CastKind::PointerToPointer, operand) => expr = *operand,
                ExprKind::PtrAdd { pointer, index, negative, scale } => {
                    let bytes = self.int_value(*index)?.checked_mul(i128::from(*scale))?;
                    offset =
                        if *negative { offset.checked_sub(bytes)? } else { offset.checked_add(bytes)? };
                    expr = *pointer;
                }
                ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                    let (pointer, bytes) = self.base_pointer(*place)?;
                    offset = offset.checked_add(bytes)?;
                    expr = pointer;
                }
                _ => return None,
            }
        }
    }

    /// The pointer that a place is a part of the target of, and the offset of that part.
    fn base_pointer(&self, place: PlaceId) -> Option<(ExprId, i128)> {
        let mut place = place;
        let mut offset = 0i128;
        loop {
            match self.program.places[place].kind {
                PlaceKind::Deref(pointer) => return Some((pointer, offset)),
                PlaceKind::Field { record, field } => {
                    let ty = self.program.places[record].ty.ty;
                    let id = self.program.types.as_record(ty)?;
                    offset += i128::from(self.program.types.fields(id).get(field)?.offset);
                    place = record;
                }
                _ => return None,
            }
        }
    }

    pub(super) fn int(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        let value = self.program.types.int_info(ty).map_or(value, |info| info.wrap(value));
        self.expr(ExprKind::Int(value), ty, span)
    }

    pub(super) fn float(&mut self, value: Extended, ty: TypeId, span: Span) -> ExprId {
        let value = match ty {
            TypeId::FLOAT => value.to_f32().into(),
            TypeId::DOUBLE => value.to_f64().into(),
            _ => value,
        };
        self.expr(ExprKind::Float(value), ty, span)
    }

    /// On an operand of promoted type `ty`; for `!`, of any scalar type, with result `int`.
    pub(super) fn unary_node(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId, span: Span) -> ExprId {
        let folded = match op {
            UnaryOp::LogicalNot => self.truth(operand).map(|truth| i128::from(!truth)),
            UnaryOp::BitNot => self.int_value(operand).map(|value| !value),
            UnaryOp::Neg => {
                if let Some(value) = self.float_value(operand) {
                    return self.float(value.negate(), ty, span);
                }
                let info = self.program.types.int_info(ty);
                self.int_value(operand)
                    .and_then(|value| value.checked_neg())
                    .filter(|&value| info.is_some_and(|info| !info.signed || info.contains(value)))
            }
        };
        match folded {
            Some(value) => self.int(value, ty, span),
            None => self.expr(ExprKind::Unary(op, operand), ty, span),
        }
    }

    /// On operands that already have the type of the computation; `ty` is that of the result.
    pub(super) fn binary_node(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        if let Some(node) = self.fold_binary(op, left, right, ty, span) {
            return node;
        }
        self.expr(ExprKind::Binary(op, left, right), ty, span)
    }

    fn fold_binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Option<ExprId> {
        if let (Some(a), Some(b)) = (self.int_value(left), self.int_value(right)) {
            let info = self.program.types.int_info(self.type_of(left))?;
            let value = fold_int(op, a, b, info)?;
            return Some(self.int(value, ty, span));
        }
        if let (Some(a), Some(b)) = (self.float_value(left), self.float_value(right)) {
            if op.is_comparison() {
                return Some(self.int(i128::from(compare_floats(op, a, b)), ty, span));
            }
            let value = match ty {
                // What is computed as `double` and rounded again is rounded as once.
                TypeId::FLOAT | TypeId::DOUBLE => {
                    let (a, b) = (a.to_f64(), b.to_f64());
                    Extended::from(match op {
                        BinaryOp::Add => a + b,
                        BinaryOp::Sub => a - b,
                        BinaryOp::Mul => a * b,
                        BinaryOp::Div => a / b,
                        _ => return None,
                    })
                }
                TypeId::LONG_DOUBLE => match op {
                    BinaryOp::Add => a.plus(b),
                    BinaryOp::Sub => a.minus(b),
                    BinaryOp::Mul => a.times(b),
                    BinaryOp::Div => a.divided_by(b),
                    _ => return None,
                },
                _ => return None,
            };
            return Some(self.float(value, ty, span));
        }
        if op.is_comparison() && self.program.types.is_pointer(self.type_of(left)) {
            let (a, b) = (self.pointer_value(left)?, self.pointer_value(right)?);
            return Some(self.int(i128::from(compare(op, a.cmp(&b))), ty, span));
        }
        None
    }

    pub(super) fn logical_node(&mut self, op: LogicalOp, left: ExprId, right: ExprId, span: Span) -> ExprId {
        // `0 && x` and `1 || x` never evaluate `x`.
        let deciding = op == LogicalOp::Or;
        let folded = match (self.truth(left), self.truth(right)) {
            (Some(a), _) if a == deciding => Some(deciding),
            (Some(_), Some(b)) => Some(b),
            _ => None,
        };
        match folded {
            Some(value) => self.int(i128::from(value), TypeId::INT, span),
            None => self.expr(ExprKind::Logical(op, left, right), TypeId::INT, span),
        }
    }

    pub(super) fn cast_node(&mut self, kind: CastKind, operand: ExprId, ty: TypeId, span: Span) -> ExprId {
        match self.fold_cast(kind, operand, ty, span) {
            Some(node) => node,
            None => self.expr(ExprKind::Cast(kind, operand), ty, span),
        }
    }

    fn fold_cast(&mut self, kind: CastKind, operand: ExprId, ty: TypeId, span: Span) -> Option<ExprId> {
        match kind {
            CastKind::IntToInt => {
                let value = self.int_value(operand)?;
                Some(self.int(value, ty, span))
            }
            CastKind::ToBool => {
                let value = self.truth(operand)?;
                Some(self.int(i128::from(value), ty, span))
            }
            CastKind::IntToFloat => {
                let value = self.int_value(operand)?;
                let huge = self.type_of(operand) == TypeId::UNSIGNED_INT128 && value < 0;
                let number = match ty {
                    TypeId::FLOAT => Extended::from(value as f32),
                    TypeId::DOUBLE => Extended::from(value as f64),
                    TypeId::LONG_DOUBLE => Extended::from_int(value < 0, value.unsigned_abs()),
                    _ if value.unsigned_abs() <= 1 << 64 => {
                        Extended::from_int(value < 0, value.unsigned_abs())
                    }
                    _ => return None,
                };
                (!huge).then(|| self.float(number, ty, span))
            }
            CastKind::FloatToInt => {
                let (negative, magnitude) = self.float_value(operand)?.to_int()?;
                let magnitude = i128::try_from(magnitude).ok()?;
                let info = self.program.types.int_info(ty)?;
                let whole = if negative { -magnitude } else { magnitude };
                info.contains(whole).then(|| self.int(whole, ty, span))
            }
            CastKind::FloatToFloat => {
                let value = self.float_value(operand)?;
                Some(self.float(value, ty, span))
            }
            CastKind::PointerToInt => {
                let value = self.pointer_value(operand)?;
                Some(self.int(value, ty, span))
            }
            _ => None,
        }
    }
}

fn fold_int(op: BinaryOp, a: i128, b: i128, info: IntInfo) -> Option<i128> {
    let unsigned_wide = info.bits == 128 && !info.signed;
    if op.is_comparison() {
        let ordering = if unsigned_wide { (a as u128).cmp(&(b as u128)) } else { a.cmp(&b) };
        return Some(i128::from(compare(op, ordering)));
    }
    if unsigned_wide {
        let (a, b) = (a as u128, b as u128);
        return Some(match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div => a.checked_div(b)?,
            BinaryOp::Rem => a.checked_rem(b)?,
            BinaryOp::Shl => a.checked_shl(u32::try_from(b).ok()?)?,
            BinaryOp::Shr => a.checked_shr(u32::try_from(b).ok()?)?,
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            _ => return None,
        } as i128);
    }
    let shift = u32::try_from(b).ok().filter(|&amount| amount < info.bits);
    let exact = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul if info.signed => a.checked_mul(b)?,
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => {
            // INT_MIN % -1 is undefined as the quotient is.
            a.checked_div(b).filter(|&quotient| !info.signed || info.contains(quotient))?;
            a.checked_rem(b)?
        }
        BinaryOp::Shl => return Some(info.wrap(a.wrapping_shl(shift?))),
        BinaryOp::Shr => a >> shift?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        _ => return None,
    };
    match info.signed {
        true => Some(exact).filter(|&value| info.contains(value)),
        false => Some(info.wrap(exact)),
    }
}

fn compare(op: BinaryOp, ordering: std::cmp::Ordering) -> bool {
    match op {
        BinaryOp::Eq => ordering.is_eq(),
        BinaryOp::Ne => ordering.is_ne(),
        BinaryOp::Lt => ordering.is_lt(),
        BinaryOp::Le => ordering.is_le(),
        BinaryOp::Gt => ordering.is_gt(),
        _ => ordering.is_ge(),
    }
}

fn compare_floats(op: BinaryOp, a: Extended, b: Extended) -> bool {
    match a.compare(b) {
        Some(ordering) => compare(op, ordering),
        None => op == BinaryOp::Ne,
    }
}
