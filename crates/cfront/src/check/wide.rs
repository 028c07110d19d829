//! Arithmetic with bit-fields wider than `int`.
//!
//! C leaves it open what they are promoted to (6.3.1.1). For gcc a bit-field of 40 bits has a type of 40 bits, in which it
//! computes: a wider one goes before a narrower one, an unsigned one before a signed one of the same width. Unsigned results
//! lose what does not fit, signed ones overflow. No type here has such a width, so the computation is done in the declared
//! type: what comes of unsigned numbers is cut to the width, and signed numbers are computed in the highest bits of the
//! type, so that they overflow there. [`State::widths`](super::State) says of which values that was done: they have the
//! width still, until they are converted.

use super::{Checked, Checker};
use crate::hir::{BinaryOp, ExprId, UnaryOp};
use crate::source::Span;
use crate::types::{IntInfo, TypeId};

impl Checker<'_> {
    /// The width and sign of a value that gcc computes with in fewer bits than its type has.
    pub(super) fn wide_bit_field(&self, operand: ExprId) -> Option<IntInfo> {
        let info = self.program.types.int_info(self.type_of(operand))?;
        let bits = self.bit_field_value(operand).filter(|&width| width > 32 && width < info.bits)?;
        Some(IntInfo { bits, signed: info.signed })
    }

    /// What two operands are computed in, if that is the width of one of them, and the type that has room for it.
    pub(super) fn wide_computation(&self, a: ExprId, b: ExprId) -> Option<(IntInfo, TypeId)> {
        let types = &self.program.types;
        let own = |operand: ExprId| {
            let declared = types.int_info(self.type_of(operand))?;
            Some(self.wide_bit_field(operand).unwrap_or(declared))
        };
        let (x, y) = (own(a)?, own(b)?);
        let first = x.bits > y.bits || x.bits == y.bits && !x.signed;
        let winner = if first { a } else { b };
        Some((self.wide_bit_field(winner)?, self.promoted(self.type_of(winner), Some(64))))
    }

    /// The value as one of the width.
    pub(super) fn fitted(&mut self, value: ExprId, width: IntInfo, ty: TypeId) -> Checked<ExprId> {
        let fits = self.fits_width(value, width);
        let value = self.promote(value)?;
        let value = self.convert(value, ty)?;
        Ok(if fits { value } else { self.cut(value, width) })
    }

    /// Whether no value of the operand is outside of the width.
    pub(super) fn fits_width(&self, operand: ExprId, width: IntInfo) -> bool {
        if let Some(value) = self.int_value(operand) {
            return width.contains(value);
        }
        let declared = self.program.types.int_info(self.type_of(operand));
        let own = self.wide_bit_field(operand).or(declared);
        own.is_some_and(|own| width.min() <= own.min() && own.max() <= width.max())
    }

    /// An operation whose operands have the width. What is kept of its result has it too.
    pub(super) fn in_width(
        &mut self,
        op: BinaryOp,
        [left, right]: [ExprId; 2],
        width: IntInfo,
        span: Span,
    ) -> ExprId {
        use BinaryOp::*;
        let ty = self.type_of(left);
        if op.is_comparison() {
            return self.binary_node(op, left, right, TypeId::INT, span);
        }
        if width.signed && matches!(op, Add | Sub | Mul) {
            let raised = self.raised(left, width);
            let right = if op == Mul { right } else { self.raised(right, width) };
            let result = self.binary_node(op, raised, right, ty, span);
            return self.lowered(result, width);
        }
        let result = self.binary_node(op, left, right, ty, span);
        match op {
            Add | Sub | Mul | Shl => self.cut(result, width),
            Div if width.signed => self.cut(result, width),
            _ => self.of_width(result, width),
        }
    }

    pub(super) fn unary_in_width(
        &mut self,
        op: UnaryOp,
        value: ExprId,
        width: IntInfo,
        span: Span,
    ) -> ExprId {
        let ty = self.type_of(value);
        if width.signed && op == UnaryOp::Neg {
            let raised = self.raised(value, width);
            let result = self.unary_node(op, raised, ty, span);
            return self.lowered(result, width);
        }
        let result = self.unary_node(op, value, ty, span);
        self.cut(result, width)
    }

    /// The value that the lowest bits have.
    fn cut(&mut self, value: ExprId, width: IntInfo) -> ExprId {
        if width.signed {
            let raised = self.raised(value, width);
            return self.lowered(raised, width);
        }
        let (ty, span) = (self.type_of(value), self.span_of(value));
        let mask = self.int(width.max(), ty, span);
        let result = self.binary_node(BinaryOp::BitAnd, value, mask, ty, span);
        self.of_width(result, width)
    }

    /// The value in the highest bits of its type: there it overflows if it leaves the width.
    fn raised(&mut self, value: ExprId, width: IntInfo) -> ExprId {
        self.shifted(BinaryOp::Shl, value, width)
    }

    fn lowered(&mut self, value: ExprId, width: IntInfo) -> ExprId {
        let result = self.shifted(BinaryOp::Shr, value, width);
        self.of_width(result, width)
    }

    fn shifted(&mut self, op: BinaryOp, value: ExprId, width: IntInfo) -> ExprId {
        let (ty, span) = (self.type_of(value), self.span_of(value));
        let bits = self.program.types.int_info(ty).map_or(width.bits, |info| info.bits);
        let by = self.int(i128::from(bits - width.bits), TypeId::INT, span);
        self.binary_node(op, value, by, ty, span)
    }

    /// Says that the value has the width.
    pub(super) fn of_width(&mut self, value: ExprId, width: IntInfo) -> ExprId {
        self.state.widths.insert(value, width.bits);
        value
    }
}
