//! The scalar types of the program model. Aggregates exist only in C: the front end splits them
//! into scalars or places them in memory.

use crate::expr::BinaryOp;
use craig_num::Extended;
use std::fmt;

/// An integer type of exact width. `_Bool` is the unsigned type of one bit (stored in one byte).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IntType {
    /// 1, 8, 16, 32, 64 or 128; bit-fields have any width between.
    pub bits: u8,
    pub signed: bool,
}

impl IntType {
    pub const BOOL: IntType = IntType { bits: 1, signed: false };
    pub const I32: IntType = IntType { bits: 32, signed: true };
    pub const U8: IntType = IntType { bits: 8, signed: false };

    pub const fn signed(bits: u8) -> Self {
        IntType { bits, signed: true }
    }

    pub const fn unsigned(bits: u8) -> Self {
        IntType { bits, signed: false }
    }

    pub fn min(self) -> i128 {
        match (self.signed, self.bits) {
            (false, _) => 0,
            (true, bits) => i128::MIN >> (128 - u32::from(bits)),
        }
    }

    /// The largest value, as the unsigned 128-bit number that holds it for every type.
    pub fn max(self) -> u128 {
        let value_bits = u32::from(self.bits) - u32::from(self.signed);
        if value_bits == 0 { 0 } else { u128::MAX >> (128 - value_bits) }
    }

    /// The value of this type that is congruent to `value` modulo 2^bits. For `unsigned __int128`
    /// the result is the bit pattern, read as `i128`.
    pub fn wrap(self, value: i128) -> i128 {
        let unused = 128 - u32::from(self.bits);
        let shifted = value << unused;
        if self.signed { shifted >> unused } else { ((shifted as u128) >> unused) as i128 }
    }

    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        u32::from(self.bits).div_ceil(8).next_power_of_two()
    }
}

impl fmt::Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatType {
    F32,
    F64,
    /// x86's `long double`: 80 bits in an object of 12 or 16 bytes, whose last ones are never touched.
    F80,
}

impl FloatType {
    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        match self {
            FloatType::F32 => 4,
            FloatType::F64 => 8,
            FloatType::F80 => 10,
        }
    }

    /// The pattern of the number of this type that is nearest.
    pub fn nearest(self, value: Extended) -> u128 {
        match self {
            FloatType::F32 => value.to_f32().to_bits().into(),
            FloatType::F64 => value.to_f64().to_bits().into(),
            FloatType::F80 => value.to_bits(),
        }
    }

    /// The number with this pattern.
    pub fn number(self, bits: u128) -> Extended {
        match self {
            FloatType::F32 => f32::from_bits(bits as u32).into(),
            FloatType::F64 => f64::from_bits(bits as u64).into(),
            FloatType::F80 => Extended::from_bits(bits),
        }
    }

    /// What an operator of arithmetic makes of two patterns, rounded to the nearest number. The remainder, which is no
    /// operator of C for floats, is that of `fmod`.
    pub fn calculate(self, op: BinaryOp, a: u128, b: u128) -> u128 {
        match self {
            FloatType::F32 => {
                let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                let result = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    _ => a % b,
                };
                result.to_bits().into()
            }
            FloatType::F64 => {
                let (a, b) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
                let result = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    _ => a % b,
                };
                result.to_bits().into()
            }
            FloatType::F80 => {
                let (a, b) = (Extended::from_bits(a), Extended::from_bits(b));
                let result = match op {
                    BinaryOp::Add => a.plus(b),
                    BinaryOp::Sub => a.minus(b),
                    BinaryOp::Mul => a.times(b),
                    BinaryOp::Div => a.divided_by(b),
                    _ => a.remainder(b),
                };
                result.to_bits()
            }
        }
    }

    /// A number for a pattern, in the order of the floats: those of NaNs are beyond those of the infinities, and the zeros
    /// have one.
    pub fn rank(self, bits: u128) -> i128 {
        let sign = 1 << (8 * self.bytes() - 1);
        let magnitude = (bits & (sign - 1)) as i128;
        if bits & sign == 0 { magnitude } else { -magnitude }
    }

    /// The pattern with this number.
    pub fn of_rank(self, rank: i128) -> u128 {
        let sign = 1 << (8 * self.bytes() - 1);
        rank.unsigned_abs() | if rank < 0 { sign } else { 0 }
    }
}

impl fmt::Display for FloatType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", 8 * self.bytes())
    }
}

/// The type of a variable, an expression or a memory cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// A truth value: the result of a comparison. Never the type of memory.
    Bool,
    Int(IntType),
    /// An address. Pointers are plain addresses in one flat space (see [`crate::Program`]).
    Pointer,
    Float(FloatType),
}

impl Type {
    pub const I32: Type = Type::Int(IntType::I32);

    pub fn as_int(self) -> Option<IntType> {
        match self {
            Type::Int(int) => Some(int),
            _ => None,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Type::Float(_))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Int(int) => int.fmt(f),
            Type::Pointer => f.write_str("ptr"),
            Type::Float(float) => float.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrap_is_exact_modulo_the_width() {
        assert_eq!(IntType::signed(8).wrap(200), -56);
        assert_eq!(IntType::unsigned(8).wrap(-1), 255);
        assert_eq!(IntType::BOOL.wrap(3), 1);
        assert_eq!((IntType::I32.min(), IntType::I32.max()), (i128::from(i32::MIN), i32::MAX as u128));
        assert_eq!(IntType::unsigned(64).max(), u128::from(u64::MAX));
        assert_eq!(IntType::signed(128).wrap(i128::MIN), i128::MIN);
    }
}
