//! Exact cases of operations that are otherwise only approximated.
//!
//! An operation on two variables may have no linear term, but with a constant for one of them it has. Where a
//! model gave the wrong result to such an operation, the values of its operands are worth a case: if an operand
//! has this value, the result is that of the linear term. Cases are facts, so that formulas with them describe
//! the same program, more precisely.

use super::{Encoder, Operation, Value};
use crate::expr::BinaryOp;
use crate::types::{IntType, Type};
use craig_num::Int;
use craig_term::TermId;

/// A value of an operand for which an operation is to be exact: of the right one, or of either one for `&`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExactCase {
    pub op: BinaryOp,
    pub operand: Int,
}

impl Operation {
    /// The cases that a model misses which gives `result` to this operation on `a` and `b`.
    pub fn missed_cases(&self, a: i128, b: i128, result: i128) -> Vec<ExactCase> {
        let correct = match self.op {
            BinaryOp::And => Some(a & b),
            BinaryOp::Div => a.checked_div(b),
            BinaryOp::Rem => a.checked_rem(b),
            BinaryOp::Shr => u32::try_from(b).ok().and_then(|b| a.checked_shr(b)),
            BinaryOp::Shl => shifted_left(self.ty, a, b),
            _ => None,
        };
        if correct.is_none_or(|correct| correct == result) {
            return Vec::new();
        }
        let case = |operand: i128| ExactCase { op: self.op, operand: operand.into() };
        if self.op == BinaryOp::And { vec![case(b), case(a)] } else { vec![case(b)] }
    }
}

/// `a << b` within an integer type of at most 64 bits.
fn shifted_left(ty: Type, a: i128, b: i128) -> Option<i128> {
    let Type::Int(IntType { bits, signed }) = ty else { return None };
    if bits > 64 || !(0..i128::from(bits)).contains(&b) {
        return None;
    }
    let unused = 128 - u32::from(bits);
    let top = a.wrapping_shl(b as u32).wrapping_shl(unused);
    Some(if signed { top >> unused } else { ((top as u128) >> unused) as i128 })
}

impl Encoder<'_> {
    /// Says what `result` is in the cases that are asked for.
    pub(super) fn exact_cases(&mut self, op: BinaryOp, ty: Type, a: &Value, b: &Value, result: TermId) {
        let cases: Vec<Int> =
            self.exact.iter().filter(|case| case.op == op).map(|case| case.operand.clone()).collect();
        for operand in cases {
            for (variable, constant) in [(a, b), (b, a)] {
                if constant.range.contains(&operand)
                    && let Some(exact) = self.with_constant(op, ty, variable, &operand)
                {
                    let numeral = self.terms.int(operand.clone());
                    let here = self.terms.eq(constant.term, numeral);
                    let same = self.terms.eq(result, exact.term);
                    let case = self.terms.implies(here, same);
                    self.require(case);
                }
                if op != BinaryOp::And {
                    break;
                }
            }
        }
    }

    /// The operation with a constant as its right operand. It must have no side conditions of its own.
    fn with_constant(&mut self, op: BinaryOp, ty: Type, a: &Value, constant: &Int) -> Option<Value> {
        match op {
            BinaryOp::And => self.mask(a, constant),
            BinaryOp::Div if !constant.is_zero() => Some(self.divide_by(a, constant)),
            BinaryOp::Rem if !constant.is_zero() => Some(self.remainder_by(a, constant)),
            BinaryOp::Shl => self.shift_left_by(a, constant, ty),
            BinaryOp::Shr => self.shift_right_by(a, constant),
            _ => None,
        }
    }
}
