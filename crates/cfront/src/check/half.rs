//! `_Float16`: a value is kept as its bits, and becomes a `float` as soon as it is read. So every operation is one of
//! `float`, and its result is rounded where it is assigned, as x86 does without instructions of its own. The conversions
//! are functions of `library/half.c`.

use craig_num::Extended;

use super::{Checked, Checker, error, unsupported};
use crate::hir::{CastKind, ExprId, ExprKind};
use crate::source::Span;
use crate::types::TypeId;

impl Checker<'_> {
    /// The value as `float`, if it is a `_Float16`.
    pub(super) fn widened(&mut self, expr: ExprId) -> Checked<ExprId> {
        if self.type_of(expr) != TypeId::FLOAT16 {
            return Ok(expr);
        }
        let span = self.span_of(expr);
        if let ExprKind::Int(bits) = self.program.exprs[expr].kind {
            return Ok(self.float(Extended::from(half_value(bits as u16)), TypeId::FLOAT, span));
        }
        let bits = self.expr(ExprKind::Cast(CastKind::IntToInt, expr), TypeId::UNSIGNED_SHORT, span);
        self.half_call("__craig_float_of_half", bits, span)
    }

    /// A number as `_Float16`.
    pub(super) fn narrowed(&mut self, expr: ExprId) -> Checked<ExprId> {
        let span = self.span_of(expr);
        let from = self.type_of(expr);
        if from == TypeId::LONG_DOUBLE {
            return unsupported(span, "a `long double` that becomes a `_Float16`");
        }
        if !self.program.types.is_arithmetic(from) {
            let from = self.show(from);
            return error(span, format!("a value of type `{from}` cannot become one of type `_Float16`"));
        }
        let number = self.convert(expr, TypeId::DOUBLE)?;
        if let Some(value) = self.float_value(number) {
            let bits = half_bits(value.to_f64());
            return Ok(self.expr(ExprKind::Int(bits.into()), TypeId::FLOAT16, span));
        }
        let bits = self.half_call("__craig_float_to_half", number, span)?;
        Ok(self.expr(ExprKind::Cast(CastKind::IntToInt, bits), TypeId::FLOAT16, span))
    }

    fn half_call(&mut self, name: &str, arg: ExprId, span: Span) -> Checked<ExprId> {
        let function = self.names.lookup(name).and_then(|symbol| self.library_function(symbol));
        let Some(function) = function else {
            return unsupported(span, "`_Float16` without the library");
        };
        let callee = crate::hir::Callee::Function(function);
        let result = match name {
            "__craig_float_of_half" => TypeId::FLOAT,
            _ => TypeId::UNSIGNED_SHORT,
        };
        Ok(self.expr(ExprKind::Call { callee, args: vec![arg] }, result, span))
    }
}

/// As `library/half.c` has it.
fn half_value(half: u16) -> f64 {
    let (exponent, fraction) = (i32::from(half >> 10 & 31), f64::from(half & 1023));
    let value = match exponent {
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        0 => fraction * 2f64.powi(-24),
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if half >> 15 == 1 { -value } else { value }
}

fn half_bits(number: f64) -> u16 {
    let sign = ((number.to_bits() >> 63) as u16) << 15;
    let rest = number.to_bits() & !(1 << 63);
    sign | match number.abs() {
        x if x.is_nan() => 0x7e00,
        x if x >= 65520.0 => 0x7c00,
        x if x >= 2f64.powi(-14) => {
            let rounded = rest + ((1 << 41) - 1) + (rest >> 42 & 1);
            ((rounded >> 42) - (1008 << 10)) as u16
        }
        x => (x * 2f64.powi(24)).round_ties_even() as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_values_go_together() {
        for half in (0..=u16::MAX).filter(|half| half >> 10 & 31 != 31 || half & 1023 == 0) {
            assert_eq!(half_bits(half_value(half)), half);
        }
        // Halfway between two, and a bit beyond.
        assert_eq!(half_bits(1.0 + 2f64.powi(-11)), 0x3c00);
        assert_eq!(half_bits(1.0 + 3.0 * 2f64.powi(-11)), 0x3c02);
        assert_eq!(half_bits(1.0 + 2f64.powi(-11) + 2f64.powi(-40)), 0x3c01);
        assert_eq!(half_bits(2f64.powi(-25)), 0);
        assert_eq!(half_bits(2f64.powi(-25) * 1.5), 1);
        assert_eq!((half_bits(65519.9), half_bits(65520.0), half_bits(f64::NAN)), (0x7bff, 0x7c00, 0x7e00));
    }
}
