//! Floating point, exactly as the machine does it. Values are bit patterns.

use crate::numbers::as_integer;
use crate::outcome::Undefined;
use craig_num::Extended;
use craig_program::{BinaryOp, FloatType, IntType, Type, UnaryOp};
use std::cmp::Ordering;

fn single(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

/// Only called for types of floats; others would be `double`.
fn float_type(ty: Type) -> FloatType {
    match ty {
        Type::Float(float) => float,
        _ => FloatType::F64,
    }
}

pub fn unary(op: UnaryOp, ty: Type, a: u128) -> i128 {
    match op {
        // C has no complement of a float; the type checker rejects it.
        UnaryOp::Not => a as i128,
        UnaryOp::Neg => (a ^ 1 << (8 * float_type(ty).bytes() - 1)) as i128,
    }
}

pub fn binary(op: BinaryOp, ty: Type, a: u128, b: u128) -> i128 {
    let ty = float_type(ty);
    if op.is_comparison() {
        return i128::from(compare(op, ty, a, b));
    }
    ty.calculate(op, a, b) as i128
}

fn compare(op: BinaryOp, ty: FloatType, a: u128, b: u128) -> bool {
    let order = match ty {
        // Conversion to double is exact, so one comparison serves both.
        FloatType::F32 => f64::from(single(a)).partial_cmp(&f64::from(single(b))),
        FloatType::F64 => double(a).partial_cmp(&double(b)),
        FloatType::F80 => Extended::from_bits(a).compare(Extended::from_bits(b)),
    };
    match op {
        BinaryOp::Eq => order == Some(Ordering::Equal),
        BinaryOp::Ne => order != Some(Ordering::Equal),
        BinaryOp::Lt => order == Some(Ordering::Less),
        _ => matches!(order, Some(Ordering::Less | Ordering::Equal)),
    }
}

/// The integer `value` (`unsigned`: its 128-bit pattern) rounded to the nearest float.
pub fn to_float(to: FloatType, value: i128, unsigned: bool) -> i128 {
    match (to, unsigned) {
        (FloatType::F32, false) => i128::from((value as f32).to_bits()),
        (FloatType::F32, true) => i128::from((value as u128 as f32).to_bits()),
        (FloatType::F64, false) => i128::from((value as f64).to_bits()),
        (FloatType::F64, true) => i128::from((value as u128 as f64).to_bits()),
        (FloatType::F80, false) => Extended::from_int(value < 0, value.unsigned_abs()).to_bits() as i128,
        (FloatType::F80, true) => Extended::from_int(false, value as u128).to_bits() as i128,
    }
}

/// A float converted to any type. To an integer it is truncated; one that does not fit is undefined.
pub fn from_float(from: Type, to: Type, pointer: IntType, bits: u128) -> Result<i128, Undefined> {
    let from = float_type(from);
    if let Type::Float(to) = to {
        return Ok(convert(from, to, bits));
    }
    let int = as_integer(to, pointer).unwrap_or(IntType::BOOL);
    if int == IntType::BOOL {
        return Ok(i128::from(compare(BinaryOp::Ne, from, bits, 0)));
    }
    let (negative, magnitude) = from.number(bits).to_int().ok_or(Undefined::FloatOutOfRange)?;
    let most = if negative { int.min().unsigned_abs() } else { int.max() };
    if magnitude > most {
        return Err(Undefined::FloatOutOfRange);
    }
    Ok(if negative { (magnitude as i128).wrapping_neg() } else { magnitude as i128 })
}

fn convert(from: FloatType, to: FloatType, bits: u128) -> i128 {
    match (from, to) {
        _ if from == to => bits as i128,
        // The host's conversions, which make NaNs quiet.
        (FloatType::F32, FloatType::F64) => i128::from(f64::from(single(bits)).to_bits()),
        (FloatType::F64, FloatType::F32) => i128::from((double(bits) as f32).to_bits()),
        _ => match from.number(bits) {
            number if number.is_nan() => to.nearest(Extended::NAN) as i128,
            number => to.nearest(number) as i128,
        },
    }
}
