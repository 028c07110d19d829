//! The unbounded integers of the papers ([`Arithmetic::Ideal`](craig_program::Arithmetic::Ideal)),
//! as far as 128 bits carry them: a run that leaves that range stops and says so.
//!
//! Integer types only say what a division or a shift needs; conversions between integers keep the
//! value. Pointers are addresses all the same.

use crate::float;
use crate::numbers::{Numbers, Wide};
use crate::outcome::Undefined;
use craig_program::{BinaryOp, IntType, Program, Type, UnaryOp};

pub struct Ideal {
    /// For pointers, truth values and floats.
    bounded: Wide,
    pointer: IntType,
}

impl Numbers for Ideal {
    type Word = i128;
    const UNBOUNDED: bool = true;

    fn new(program: &Program) -> Self {
        Ideal { bounded: Wide::new(program), pointer: IntType::unsigned(program.data_model.pointer_bits()) }
    }

    fn identity_cast(_program: &Program, from: Type, to: Type) -> bool {
        match (from, to) {
            (Type::Bool | Type::Int(IntType::BOOL), Type::Int(_) | Type::Bool) => true,
            (Type::Int(_) | Type::Pointer, Type::Int(to)) => to != IntType::BOOL,
            _ => from == to,
        }
    }

    fn word(&self, ty: Type, value: i128) -> i128 {
        match ty {
            Type::Int(_) => value,
            _ => self.bounded.word(ty, value),
        }
    }

    fn value(&self, _ty: Type, word: i128) -> i128 {
        word
    }

    fn word_of_bits(&self, ty: Type, bits: u128) -> i128 {
        self.bounded.word_of_bits(ty, bits)
    }

    fn is_true(word: i128) -> bool {
        word != 0
    }

    fn address(word: i128) -> u64 {
        word as u64
    }

    fn unary(&self, op: UnaryOp, ty: Type, a: i128) -> Result<i128, Undefined> {
        match (ty, op) {
            (Type::Int(_), UnaryOp::Neg) => a.checked_neg().ok_or(Undefined::BeyondIdealRange),
            (Type::Int(_), UnaryOp::Not) => Ok(!a),
            _ => self.bounded.unary(op, ty, a),
        }
    }

    fn binary(&self, op: BinaryOp, ty: Type, a: i128, b: i128) -> Result<i128, Undefined> {
        let Type::Int(int) = ty else { return self.bounded.binary(op, ty, a, b) };
        let exact = match op {
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Sub => a.checked_sub(b),
            BinaryOp::Mul => a.checked_mul(b),
            BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(Undefined::DivisionByZero),
            BinaryOp::Div => a.checked_div(b),
            BinaryOp::Rem => a.checked_rem(b),
            BinaryOp::Shl | BinaryOp::Shr if b < 0 || b >= i128::from(int.bits) => {
                return Err(Undefined::ShiftOutOfRange);
            }
            BinaryOp::Shl => {
                let shifted = a.wrapping_shl(b as u32);
                (shifted.wrapping_shr(b as u32) == a).then_some(shifted)
            }
            BinaryOp::Shr => Some(a.wrapping_shr(b as u32)),
            BinaryOp::And => Some(a & b),
            BinaryOp::Or => Some(a | b),
            BinaryOp::Xor => Some(a ^ b),
            BinaryOp::Eq => Some(i128::from(a == b)),
            BinaryOp::Ne => Some(i128::from(a != b)),
            BinaryOp::Lt => Some(i128::from(a < b)),
            BinaryOp::Le => Some(i128::from(a <= b)),
        };
        exact.ok_or(Undefined::BeyondIdealRange)
    }

    fn cast(&self, from: Type, to: Type, a: i128) -> Result<i128, Undefined> {
        match (from, to) {
            (Type::Float(_), Type::Bool | Type::Int(IntType::BOOL)) => self.bounded.cast(from, to, a),
            (_, Type::Bool | Type::Int(IntType::BOOL)) => Ok(i128::from(a != 0)),
            (Type::Float(_), Type::Int(_)) => {
                let widest = Type::Int(IntType::signed(128));
                float::from_float(from, widest, self.pointer, a as u128)
            }
            (_, Type::Int(_)) => Ok(a),
            (Type::Int(_), Type::Float(to)) => Ok(float::to_float(to, a, false)),
            _ => self.bounded.cast(from, to, a),
        }
    }
}
