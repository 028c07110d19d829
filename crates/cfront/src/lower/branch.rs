//! Conditions as control flow.

use craig_program as ir;
use ir::{BinaryOp, ExprId, Type};

use super::body::{Body, Value};
use crate::hir::{self, CastKind, ExprKind, LogicalOp, UnaryOp};
use crate::types::TypeId;

impl Body<'_, '_> {
    /// A condition that needs control flow, as a truth value.
    pub(super) fn condition_value(&mut self, id: hir::ExprId) -> ExprId {
        let result = self.temporary(Type::Bool);
        let (yes, no, end) = (self.new_location(), self.new_location(), self.new_location());
        self.branch(id, yes, no);
        for (from, value) in [(yes, true), (no, false)] {
            self.here = from;
            let value = self.lw.out.exprs.bool(value);
            self.assign(result, value);
            self.goto(end);
        }
        self.here = end;
        self.var(result)
    }

    pub(super) fn conditional(
        &mut self,
        condition: hir::ExprId,
        then: hir::ExprId,
        otherwise: hir::ExprId,
        ty: TypeId,
    ) -> Value {
        let shape = self.lw.shape(ty);
        let vars = self.result_vars(ty);
        let (yes, no, end) = (self.new_location(), self.new_location(), self.new_location());
        self.branch(condition, yes, no);
        for (from, value) in [(yes, then), (no, otherwise)] {
            self.here = from;
            let value = self.value(value);
            self.assign_value(&vars, value);
            self.goto(end);
        }
        self.here = end;
        self.value_of_vars(shape, &vars)
    }

    /// Goes to `yes` if the scalar is not zero, else to `no`.
    pub fn branch(&mut self, id: hir::ExprId, yes: ir::LocId, no: ir::LocId) {
        let hir = self.hir();
        match &hir.exprs[id].kind {
            ExprKind::Logical(op, a, b) if self.needs_flow(id) => {
                let right = self.new_location();
                match op {
                    LogicalOp::And => self.branch(*a, right, no),
                    LogicalOp::Or => self.branch(*a, yes, right),
                }
                self.here = right;
                self.branch(*b, yes, no);
            }
            ExprKind::Unary(UnaryOp::LogicalNot, a) => self.branch(*a, no, yes),
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.branch(*b, yes, no);
            }
            ExprKind::Cast(CastKind::ToBool, a) => self.branch(*a, yes, no),
            ExprKind::Cast(CastKind::IntToInt, a) if self.keeps_truth(*a, hir.exprs[id].ty) => {
                self.branch(*a, yes, no);
            }
            ExprKind::Binary(op @ (hir::BinaryOp::Eq | hir::BinaryOp::Ne), a, b)
                if self.is_condition(*a) && super::reach::constant_int(hir, *b) == Some(0) =>
            {
                match op {
                    hir::BinaryOp::Eq => self.branch(*a, no, yes),
                    _ => self.branch(*a, yes, no),
                }
            }
            ExprKind::Conditional { condition, then, otherwise }
                if !(self.is_simple(*then) && self.is_simple(*otherwise)) =>
            {
                let (then_at, otherwise_at) = (self.new_location(), self.new_location());
                self.branch(*condition, then_at, otherwise_at);
                self.here = then_at;
                self.branch(*then, yes, no);
                self.here = otherwise_at;
                self.branch(*otherwise, yes, no);
            }
            _ => {
                let value = self.scalar(id);
                let condition = self.lw.truth(value);
                self.split(condition, yes, no);
            }
        }
    }

    /// Whether a condition cannot be one expression that is evaluated as a whole.
    pub(super) fn needs_flow(&self, id: hir::ExprId) -> bool {
        match &self.hir().exprs[id].kind {
            ExprKind::Logical(_, a, b) => !self.is_simple(*b) || self.needs_flow(*a),
            ExprKind::Unary(UnaryOp::LogicalNot, a)
            | ExprKind::Cast(CastKind::ToBool | CastKind::IntToInt, a) => self.needs_flow(*a),
            ExprKind::Conditional { then, otherwise, .. } => {
                !(self.is_simple(*then) && self.is_simple(*otherwise))
            }
            _ => false,
        }
    }

    fn keeps_truth(&self, inner: hir::ExprId, ty: TypeId) -> bool {
        let types = &self.hir().types;
        match (types.int_info(self.hir().exprs[inner].ty), types.int_info(ty)) {
            (Some(from), Some(to)) => to.bits >= from.bits,
            _ => false,
        }
    }

    /// Whether the expression is a truth value that may need control flow.
    fn is_condition(&self, id: hir::ExprId) -> bool {
        matches!(
            self.hir().exprs[id].kind,
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::LogicalNot, _) | ExprKind::Conditional { .. }
        )
    }
}

pub(super) fn logical(op: LogicalOp) -> BinaryOp {
    match op {
        LogicalOp::And => BinaryOp::And,
        LogicalOp::Or => BinaryOp::Or,
    }
}
