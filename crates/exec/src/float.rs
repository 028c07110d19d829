//! Floating point, exactly as the machine does it. Values are bit patterns.

use crate::numbers::as_integer;
use crate::outcome::Undefined;
use craig_program::{BinaryOp, FloatType, IntType, Type, UnaryOp};

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn is_single(ty: Type) -> bool {
    ty == Type::Float(FloatType::F32)
}

pub fn unary(op: UnaryOp, ty: Type, a: u64) -> i128 {
    match op {
        // C has no complement of a float; the type checker rejects it.
        UnaryOp::Not => i128::from(a),
        UnaryOp::Neg if is_single(ty) => i128::from((-single(a)).to_bits()),
        UnaryOp::Neg => i128::from((-f64::from_bits(a)).to_bits()),
    }
}

pub fn binary(op: BinaryOp, ty: Type, a: u64, b: u64) -> i128 {
    if op.is_comparison() {
        // Conversion to double is exact, so one comparison serves both.
        let (a, b) = (to_double(ty, a), to_double(ty, b));
        return i128::from(match op {
            BinaryOp::Eq => a == b,
            BinaryOp::Ne => a != b,
            BinaryOp::Lt => a < b,
            _ => a <= b,
        });
    }
    if is_single(ty) {
        let (a, b) = (single(a), single(b));
        i128::from(
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                _ => a % b,
            }
            .to_bits(),
        )
    } else {
        let (a, b) = (f64::from_bits(a), f64::from_bits(b));
        i128::from(
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                _ => a % b,
            }
            .to_bits(),
        )
    }
}

pub fn to_double(ty: Type, bits: u64) -> f64 {
    if is_single(ty) { f64::from(single(bits)) } else { f64::from_bits(bits) }
}

/// The integer `value` (`unsigned`: its 128-bit pattern) rounded to the nearest float.
pub fn to_float(to: FloatType, value: i128, unsigned: bool) -> i128 {
    match (to, unsigned) {
        (FloatType::F32, false) => i128::from((value as f32).to_bits()),
        (FloatType::F32, true) => i128::from((value as u128 as f32).to_bits()),
        (FloatType::F64, false) => i128::from((value as f64).to_bits()),
        (FloatType::F64, true) => i128::from((value as u128 as f64).to_bits()),
    }
}

/// A float converted to any type. To an integer it is truncated; one that does not fit is undefined.
pub fn from_float(from: Type, to: Type, pointer: IntType, bits: u64) -> Result<i128, Undefined> {
    let value = to_double(from, bits);
    if let Type::Float(to) = to {
        return Ok(match to {
            FloatType::F32 if is_single(from) => i128::from(bits),
            FloatType::F32 => i128::from((value as f32).to_bits()),
            FloatType::F64 => i128::from(value.to_bits()),
        });
    }
    let int = as_integer(to, pointer).unwrap_or(IntType::BOOL);
    if int == IntType::BOOL {
        return Ok(i128::from(value != 0.0));
    }
    let truncated = value.trunc();
    // 2^value_bits is exactly representable, and the first value that does not fit.
    let beyond = 2f64.powi(i32::from(int.bits) - i32::from(int.signed));
    let least = if int.signed { -beyond } else { 0.0 };
    if truncated >= least && truncated < beyond {
        Ok(if truncated < 0.0 { truncated as i128 } else { truncated as u128 as i128 })
    } else {
        Err(Undefined::FloatOutOfRange)
    }
}
