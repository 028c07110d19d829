//! Floating point in programs that set the direction of rounding: sums, products and conversions that round are calls
//! of `library/rounding.c`. All other programs round to nearest.

use craig_program as ir;
use ir::{BinaryOp, ExprId, FloatType, IntType, Type};

use super::body::Body;
use crate::hir::{self, Callee, ExprKind, Program};
use crate::library;

/// Whether the program calls `fesetround`, or has its address.
pub(super) fn is_set(program: &Program) -> bool {
    library::definition(program, "fesetround").is_some()
        && program.exprs.iter().any(|expr| {
            let (ExprKind::FunctionAddress(id) | ExprKind::Call { callee: Callee::Function(id), .. }) =
                expr.kind
            else {
                return false;
            };
            let function = &program.functions[id];
            library::public_name(&function.name) == "fesetround"
                && (function.body.is_none() || library::is_library(&function.name))
        })
}

fn digits(ty: FloatType) -> u8 {
    match ty {
        FloatType::F32 => 24,
        FloatType::F64 => 53,
        FloatType::F80 => 64,
    }
}

/// The type that numbers of a type are computed in, and which of two functions does it.
fn working_type(ty: FloatType, [double, long]: [&'static str; 2]) -> (Type, &'static str) {
    match ty {
        FloatType::F32 | FloatType::F64 => (Type::Float(FloatType::F64), double),
        FloatType::F80 => (Type::Float(FloatType::F80), long),
    }
}

impl Body<'_, '_> {
    /// The direction makes a difference: not for the library, which computes what is exact.
    fn rounds(&self) -> bool {
        self.lw.sets_rounding
            && !self
                .function
                .is_some_and(|function| library::is_library(&self.hir().functions[function].name))
    }

    fn digits(&mut self, ty: FloatType) -> ExprId {
        self.lw.constant(Type::I32, digits(ty).into())
    }

    /// An operation on floating numbers, where the direction makes a difference.
    pub fn rounded(&mut self, op: hir::BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        let Type::Float(ty) = self.lw.out.exprs.ty(a) else { return None };
        let name = match op {
            hir::BinaryOp::Add => ["rounded_add", "rounded_addl"],
            hir::BinaryOp::Sub => ["rounded_sub", "rounded_subl"],
            hir::BinaryOp::Mul => ["rounded_mul", "rounded_mull"],
            hir::BinaryOp::Div => ["rounded_div", "rounded_divl"],
            _ => return None,
        };
        if !self.rounds() {
            return None;
        }
        let (working, name) = working_type(ty, name);
        let (a, b) = (self.lw.convert(a, working), self.lw.convert(b, working));
        let digits = self.digits(ty);
        let result = self.helper(name, &[a, b, digits]);
        Some(self.lw.convert(result, Type::Float(ty)))
    }

    /// The conversion of a value, rounded where it must be.
    pub fn rounded_number(&mut self, value: ExprId, ty: Type) -> ExprId {
        let Type::Float(float) = ty else { return self.lw.convert(value, ty) };
        if !self.rounds() {
            return self.lw.convert(value, ty);
        }
        match self.lw.out.exprs.ty(value) {
            Type::Float(from) if digits(from) > digits(float) => {
                let (_, name) = working_type(from, ["rounded_number", "rounded_numberl"]);
                let digits = self.digits(float);
                let result = self.helper(name, &[value, digits]);
                self.lw.convert(result, ty)
            }
            Type::Int(int) if int.bits > digits(float) => {
                let wide = Type::Int(IntType::unsigned(128));
                let (own_zero, zero) = (self.lw.zero(Type::Int(int)), self.lw.zero(wide));
                let value = self.freeze(value);
                let negative = self.lw.binary(BinaryOp::Lt, value, own_zero);
                let bits = self.lw.convert(value, wide);
                let opposite = self.lw.binary(BinaryOp::Sub, zero, bits);
                let magnitude = self.lw.ite(negative, opposite, bits);
                let (_, name) = working_type(float, ["rounded_int", "rounded_intl"]);
                let digits = self.digits(float);
                let result = self.helper(name, &[negative, magnitude, digits]);
                self.lw.convert(result, ty)
            }
            _ => self.lw.convert(value, ty),
        }
    }
}
