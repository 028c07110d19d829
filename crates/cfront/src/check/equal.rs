//! `==` and `!=` between structures, which harnesses for CBMC use: all members are equal.
//!
//! C has no such comparison, so there is a warning. Padding does not count. Unions and arrays within are refused: nothing
//! says which member of a union, or how deep an array, is meant.

use super::{Checked, Checker, Operand, error};
use crate::hir::{BinaryOp, ExprId, ExprKind, LogicalOp, PlaceId, PlaceKind};
use crate::source::Span;
use crate::types::{RecordKind, TypeId};

impl Checker<'_> {
    /// The comparison, if both operands have one structure type.
    pub(super) fn compare_structures(
        &mut self,
        op: BinaryOp,
        (left, right): (ExprId, ExprId),
        span: Span,
    ) -> Option<Checked<ExprId>> {
        let types = &self.program.types;
        let record = types.as_record(self.type_of(left))?;
        let is_same = types.as_record(self.type_of(right)) == Some(record);
        if !is_same || types.record(record).kind != RecordKind::Struct || types.record(record).body.is_none()
        {
            return None;
        }
        self.warn(span, "C does not compare structures: their members are compared, as CBMC does");
        let (left, right) = (self.place_of(left, span), self.place_of(right, span));
        Some(self.compare_members(op, left, right, span))
    }

    /// Where a value is read from.
    fn place_of(&mut self, value: ExprId, span: Span) -> PlaceId {
        match self.program.exprs[value].kind {
            ExprKind::Load(place) => place,
            _ => {
                let ty = self.type_of(value);
                self.place(PlaceKind::Temporary(value), ty, span)
            }
        }
    }

    fn compare_members(
        &mut self,
        op: BinaryOp,
        left: PlaceId,
        right: PlaceId,
        span: Span,
    ) -> Checked<ExprId> {
        // Pairs of places, in the order of the members; what is inside of one comes in its place.
        let mut pending = vec![(left, right)];
        let mut all: Option<ExprId> = None;
        while let Some((left, right)) = pending.pop() {
            let ty = self.program.places[left].ty;
            if let Some(record) = self.program.types.as_record(ty.ty) {
                if self.program.types.record(record).kind != RecordKind::Struct {
                    return error(span, "structures with unions inside are not compared");
                }
                for field in (0..self.program.types.fields(record).len()).rev() {
                    let inner = self.program.types.fields(record)[field].ty;
                    let member = |checker: &mut Self, of| {
                        checker.place(PlaceKind::Field { record: of, field }, inner, span)
                    };
                    pending.push((member(self, left), member(self, right)));
                }
                continue;
            }
            if !self.program.types.is_scalar(ty.ty) {
                return error(span, "structures with arrays inside are not compared");
            }
            let (left, right) = (self.value(Operand::Place(left))?, self.value(Operand::Place(right))?);
            let compared = self.binary(op, left, right, span)?;
            let joint = if op == BinaryOp::Eq { LogicalOp::And } else { LogicalOp::Or };
            all = Some(match all {
                None => compared,
                Some(before) => self.logical_node(joint, before, compared, span),
            });
        }
        // Two structures without members are equal.
        Ok(all.unwrap_or_else(|| self.int(i128::from(op == BinaryOp::Eq), TypeId::INT, span)))
    }
}
