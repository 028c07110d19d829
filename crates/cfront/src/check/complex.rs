//! Complex numbers: records of a real and an imaginary part, whose operators are functions of `library/complex.c`.

use super::scope::Binding;
use super::{Checked, Checker, Operand, error, unsupported};
use crate::ast::UnaryOp;
use crate::hir::{
    BinaryOp, ExprId, ExprKind, Function, InitItem, InitValue, Initializer, Linkage, LocalOrigin, PlaceKind,
};
use crate::library::PREFIX;
use crate::source::Span;
use crate::types::{FieldSpec, FunctionType, RecordAttributes, RecordKind, TypeId};
use craig_num::Extended;

impl Checker<'_> {
    /// The type of complex numbers with parts of this type.
    pub(super) fn complex_type(&mut self, real: TypeId) -> TypeId {
        if let Some(&(_, complex)) = self.state.complex.iter().find(|(part, _)| *part == real) {
            return complex;
        }
        let tag = Some("_Complex".to_string());
        let (record, ty) = self.types().new_record(RecordKind::Struct, tag, Span::NONE);
        let parts = ["real", "imaginary"].map(|name| FieldSpec {
            name: Some(name.to_string()),
            ty: real.into(),
            width: None,
            align: None,
            type_align: None,
            packed: false,
        });
        let completed = self.types().complete_record(record, parts.into(), RecordAttributes::default());
        completed.expect("the size is small");
        self.state.complex.push((real, ty));
        ty
    }

    /// The type of the parts, if the type is complex.
    pub(super) fn complex_parts(&self, ty: TypeId) -> Option<TypeId> {
        self.state.complex.iter().find(|(_, complex)| *complex == ty).map(|(real, _)| *real)
    }

    /// The number with these parts.
    pub(super) fn complex_number(&mut self, real: ExprId, imaginary: ExprId, span: Span) -> Checked<ExprId> {
        let part = self.type_of(real);
        let ty = self.complex_type(part);
        let size = self.program.types.size_of(part).unwrap_or(8);
        let Some(function) = self.function.as_mut() else {
            return unsupported(span, "complex numbers outside of functions are not modelled");
        };
        let local = function.add_local(String::new(), ty.into(), LocalOrigin::CompoundLiteral, span);
        let item = |offset, value| InitItem { offset, ty: part, bits: None, value: InitValue::Expr(value) };
        let init = Initializer { items: vec![item(0, real), item(size, imaginary)], replaced: Vec::new() };
        let place = self.place(PlaceKind::Initialized { local, init }, ty, span);
        Ok(self.expr(ExprKind::Load(place), ty, span))
    }

    /// `__real__` and `__imag__`, of real numbers too.
    pub(super) fn complex_part(&mut self, op: UnaryOp, operand: Operand, span: Span) -> Checked<Operand> {
        let field = usize::from(op == UnaryOp::Imag);
        let ty = self.operand_type(operand).ty;
        let Some(part) = self.complex_parts(ty) else {
            let value = self.value(operand)?;
            if !self.program.types.is_arithmetic(self.type_of(value)) {
                return error(span, "a number is needed");
            }
            if op == UnaryOp::Real {
                return Ok(Operand::Value(value));
            }
            let zero = self.int(0, TypeId::INT, span);
            let zero = self.convert(zero, ty)?;
            return Ok(Operand::Value(self.expr(ExprKind::Comma(value, zero), ty, span)));
        };
        let record = match operand {
            Operand::Place(place) => place,
            Operand::Value(value) | Operand::Function(value) => {
                self.place(PlaceKind::Temporary(value), ty, span)
            }
        };
        Ok(Operand::Place(self.place(PlaceKind::Field { record, field }, part, span)))
    }

    /// A conversion to or from a complex type.
    pub(super) fn complex_conversion(&mut self, expr: ExprId, to: TypeId) -> Checked<ExprId> {
        let span = self.span_of(expr);
        match (self.complex_parts(self.type_of(expr)), self.complex_parts(to)) {
            (Some(part), None) if to == TypeId::BOOL => {
                let truth = self.complex_call("complex_truth", vec![expr], part, TypeId::INT, span)?;
                self.convert(truth, to)
            }
            (Some(_), None) if self.program.types.is_arithmetic(to) => {
                let part = self.complex_part(UnaryOp::Real, Operand::Value(expr), span)?;
                let part = self.value(part)?;
                self.convert(part, to)
            }
            (None, Some(part)) if self.program.types.is_arithmetic(self.type_of(expr)) => {
                let real = self.convert(expr, part)?;
                let zero = self.float(Extended::ZERO, part, span);
                self.complex_number(real, zero, span)
            }
            (Some(from), Some(part)) => {
                let name = match part {
                    TypeId::FLOAT => "complex_to_float",
                    TypeId::DOUBLE => "complex_to_double",
                    _ => "complex_to_long",
                };
                self.complex_call(name, vec![expr], from, to, span)
            }
            _ => error(span, "only numbers become complex ones, or they numbers"),
        }
    }

    /// An operator with a complex operand.
    pub(super) fn complex_binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        let parts = [left, right].map(|operand| self.complex_parts(self.type_of(operand)));
        let mut types = [left, right].map(|operand| self.type_of(operand));
        for (ty, part) in types.iter_mut().zip(parts) {
            *ty = part.unwrap_or(*ty);
            if !self.program.types.is_arithmetic(*ty) {
                return error(span, "this operator does not apply to these operands");
            }
        }
        let part = self.common_type(types[0], types[1]);
        let complex = self.complex_type(part);
        let mut operands = Vec::new();
        for (operand, parts) in [left, right].into_iter().zip(parts) {
            operands.push(self.convert(operand, if parts.is_some() { complex } else { part })?);
        }
        let (mut a, mut b) = (operands[0], operands[1]);
        let one_is_real = parts[0].is_none() || parts[1].is_none();
        let name = match op {
            BinaryOp::Add if one_is_real => "complex_add_real",
            BinaryOp::Mul if one_is_real => "complex_mul_real",
            BinaryOp::Sub if parts[1].is_none() => "complex_sub_real",
            BinaryOp::Div if parts[1].is_none() => "complex_div_real",
            BinaryOp::Add => "complex_add",
            BinaryOp::Sub => "complex_sub",
            BinaryOp::Mul => "complex_mul",
            BinaryOp::Div => "complex_div",
            BinaryOp::Eq | BinaryOp::Ne => "complex_equal",
            _ => return error(span, "this operator does not apply to complex numbers"),
        };
        if name.ends_with("_real") {
            if parts[0].is_none() {
                (a, b) = (b, a);
            }
        } else {
            (a, b) = (self.convert(a, complex)?, self.convert(b, complex)?);
        }
        if op.is_comparison() {
            let equal = self.complex_call(name, vec![a, b], part, TypeId::INT, span)?;
            let zero = self.int(0, TypeId::INT, span);
            let op = if op == BinaryOp::Eq { BinaryOp::Ne } else { BinaryOp::Eq };
            return Ok(self.binary_node(op, equal, zero, TypeId::INT, span));
        }
        self.complex_call(name, vec![a, b], part, complex, span)
    }

    pub(super) fn complex_unary(&mut self, op: UnaryOp, value: ExprId, span: Span) -> Checked<ExprId> {
        let complex = self.type_of(value);
        let part = self.complex_parts(complex).unwrap_or(TypeId::DOUBLE);
        match op {
            UnaryOp::Neg => self.complex_call("complex_neg", vec![value], part, complex, span),
            UnaryOp::BitNot => self.complex_call("conj", vec![value], part, complex, span),
            UnaryOp::Not => {
                let truth = self.complex_call("complex_truth", vec![value], part, TypeId::INT, span)?;
                self.unary_arithmetic(op, truth, span)
            }
            _ => Ok(value),
        }
    }

    /// A call of a function of the library for numbers with such parts.
    fn complex_call(
        &mut self,
        name: &str,
        args: Vec<ExprId>,
        part: TypeId,
        result: TypeId,
        span: Span,
    ) -> Checked<ExprId> {
        let suffix = match part {
            TypeId::FLOAT => "f",
            TypeId::DOUBLE => "",
            TypeId::LONG_DOUBLE => "l",
            _ => return unsupported(span, "complex numbers of this type are not modelled"),
        };
        let text = format!("{PREFIX}{name}{suffix}");
        let Some(symbol) = self.names.lookup(&text) else {
            return unsupported(span, "complex numbers are not modelled without the library");
        };
        let function = match self.state.external.get(&symbol) {
            Some(Binding::Function(function)) => *function,
            _ => {
                let params = args.iter().map(|&arg| self.type_of(arg)).collect();
                let ty = FunctionType { result, params, variadic: false, prototyped: true };
                let ty = self.types().function(ty);
                let function = self.program.functions.push(Function {
                    name: text,
                    ty,
                    linkage: Linkage::External,
                    no_return: false,
                    weak: false,
                    span: Span::NONE,
                    body: None,
                });
                self.state.external.insert(symbol, Binding::Function(function));
                function
            }
        };
        let operand = self.function_operand(function, span);
        let pointer = self.value(operand)?;
        self.call_pointer(pointer, args, span)
    }
}
