//! Bit-precise arithmetic on machine words.
//!
//! A value of any type lives in one word: signed integers sign-extended, unsigned integers, pointers
//! and truth values zero-extended, floats as their bits. An unsigned integer as wide as the word is
//! its bit pattern. [`Narrow`] uses 64-bit words and serves every program without `__int128`;
//! [`Wide`] uses 128-bit words.

use crate::float;
use crate::outcome::Undefined;
use craig_program::{Arithmetic, BinaryOp, IntType, Program, Type, UnaryOp};

/// How values are represented and calculated with. One instance belongs to one run.
pub trait Numbers {
    type Word: Copy + PartialEq;
    /// True if a value may lie outside of the range of its type, so that memory must keep it beside
    /// its bytes.
    const UNBOUNDED: bool;

    fn new(program: &Program) -> Self;
    /// Whether a conversion leaves every word of type `from` as it is.
    fn identity_cast(program: &Program, from: Type, to: Type) -> bool;
    /// The word of a mathematical value of type `ty` (or its bit pattern).
    fn word(&self, ty: Type, value: i128) -> Self::Word;
    /// The mathematical value (for `unsigned __int128`, and for floats, the bit pattern).
    fn value(&self, ty: Type, word: Self::Word) -> i128;
    /// The word of the value whose bytes in memory, as an unsigned number, are `bits`. A type
    /// narrower than its bytes (a truth value, a bit-field) ignores the rest.
    fn word_of_bits(&self, ty: Type, bits: u128) -> Self::Word;
    fn is_true(word: Self::Word) -> bool;
    /// The low 64 bits; all of an address.
    fn address(word: Self::Word) -> u64;
    fn unary(&self, op: UnaryOp, ty: Type, a: Self::Word) -> Result<Self::Word, Undefined>;
    /// `ty` is the type of the left operand.
    fn binary(&self, op: BinaryOp, ty: Type, a: Self::Word, b: Self::Word) -> Result<Self::Word, Undefined>;
    fn cast(&self, from: Type, to: Type, a: Self::Word) -> Result<Self::Word, Undefined>;
}

/// A two's complement machine word.
pub trait Word: Copy + Ord {
    const BITS: u32;
    const ZERO: Self;
    fn truncate(value: i128) -> Self;
    fn sign_extended(self) -> i128;
    fn zero_extended(self) -> u128;
    fn wrapping_add(self, other: Self) -> Self;
    fn wrapping_sub(self, other: Self) -> Self;
    fn wrapping_mul(self, other: Self) -> Self;
    fn checked_add(self, other: Self) -> Option<Self>;
    fn checked_sub(self, other: Self) -> Option<Self>;
    fn checked_mul(self, other: Self) -> Option<Self>;
    fn wrapping_div(self, other: Self) -> Self;
    fn wrapping_rem(self, other: Self) -> Self;
    fn unsigned_div(self, other: Self) -> Self;
    fn unsigned_rem(self, other: Self) -> Self;
    fn unsigned_less(self, other: Self) -> bool;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn shl(self, amount: u32) -> Self;
    fn arithmetic_shr(self, amount: u32) -> Self;
    fn logical_shr(self, amount: u32) -> Self;
}

macro_rules! word {
    ($signed:ty, $unsigned:ty) => {
        impl Word for $signed {
            const BITS: u32 = <$signed>::BITS;
            const ZERO: Self = 0;
            #[inline(always)]
            fn truncate(value: i128) -> Self {
                value as $signed
            }
            #[inline(always)]
            fn sign_extended(self) -> i128 {
                self as i128
            }
            #[inline(always)]
            fn zero_extended(self) -> u128 {
                self as $unsigned as u128
            }
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                <$signed>::wrapping_add(self, other)
            }
            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                <$signed>::wrapping_sub(self, other)
            }
            #[inline(always)]
            fn wrapping_mul(self, other: Self) -> Self {
                <$signed>::wrapping_mul(self, other)
            }
            #[inline(always)]
            fn checked_add(self, other: Self) -> Option<Self> {
                <$signed>::checked_add(self, other)
            }
            #[inline(always)]
            fn checked_sub(self, other: Self) -> Option<Self> {
                <$signed>::checked_sub(self, other)
            }
            #[inline(always)]
            fn checked_mul(self, other: Self) -> Option<Self> {
                <$signed>::checked_mul(self, other)
            }
            #[inline(always)]
            fn wrapping_div(self, other: Self) -> Self {
                <$signed>::wrapping_div(self, other)
            }
            #[inline(always)]
            fn wrapping_rem(self, other: Self) -> Self {
                <$signed>::wrapping_rem(self, other)
            }
            #[inline(always)]
            fn unsigned_div(self, other: Self) -> Self {
                (self as $unsigned / other as $unsigned) as $signed
            }
            #[inline(always)]
            fn unsigned_rem(self, other: Self) -> Self {
                (self as $unsigned % other as $unsigned) as $signed
            }
            #[inline(always)]
            fn unsigned_less(self, other: Self) -> bool {
                (self as $unsigned) < other as $unsigned
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn shl(self, amount: u32) -> Self {
                self.wrapping_shl(amount)
            }
            #[inline(always)]
            fn arithmetic_shr(self, amount: u32) -> Self {
                self.wrapping_shr(amount)
            }
            #[inline(always)]
            fn logical_shr(self, amount: u32) -> Self {
                (self as $unsigned).wrapping_shr(amount) as $signed
            }
        }
    };
}

word!(i64, u64);
word!(i128, u128);

/// Arithmetic on the words `W`, as the program's data model and treatment of overflow ask for.
#[derive(Clone, Copy, Debug)]
pub struct Machine<W> {
    wraps: bool,
    pointer: IntType,
    word: std::marker::PhantomData<W>,
}

pub type Narrow = Machine<i64>;
pub type Wide = Machine<i128>;

/// The value of type `ty` that is congruent to `word`.
#[inline(always)]
fn wrap<W: Word>(ty: IntType, word: W) -> W {
    let unused = W::BITS - u32::from(ty.bits);
    if unused == 0 {
        word
    } else if ty.signed {
        word.shl(unused).arithmetic_shr(unused)
    } else {
        word.shl(unused).logical_shr(unused)
    }
}

/// True if values of `ty` must be compared and divided as bit patterns.
#[inline(always)]
fn is_full_unsigned<W: Word>(ty: IntType) -> bool {
    !ty.signed && u32::from(ty.bits) == W::BITS
}

impl<W: Word> Machine<W> {
    /// A signed result: `exact` is what the word operation gave, unless it overflowed the word.
    #[inline(always)]
    fn signed_result(&self, ty: IntType, exact: Option<W>, wrapped: W) -> Result<W, Undefined> {
        match exact {
            Some(result) if wrap(ty, result) == result => Ok(result),
            _ if self.wraps => Ok(wrap(ty, wrapped)),
            _ => Err(Undefined::SignedOverflow),
        }
    }

    #[inline(always)]
    fn integer(&self, op: BinaryOp, ty: IntType, a: W, b: W) -> Result<W, Undefined> {
        let truth = |holds: bool| Ok(W::truncate(i128::from(holds)));
        let bits = u32::from(ty.bits);
        match op {
            BinaryOp::Add if ty.signed && bits < W::BITS => {
                let sum = a.wrapping_add(b);
                self.signed_result(ty, Some(sum), sum)
            }
            BinaryOp::Add if ty.signed => self.signed_result(ty, a.checked_add(b), a.wrapping_add(b)),
            BinaryOp::Add => Ok(wrap(ty, a.wrapping_add(b))),
            BinaryOp::Sub if ty.signed && bits < W::BITS => {
                let difference = a.wrapping_sub(b);
                self.signed_result(ty, Some(difference), difference)
            }
            BinaryOp::Sub if ty.signed => self.signed_result(ty, a.checked_sub(b), a.wrapping_sub(b)),
            BinaryOp::Sub => Ok(wrap(ty, a.wrapping_sub(b))),
            BinaryOp::Mul if ty.signed && 2 * bits <= W::BITS => {
                let product = a.wrapping_mul(b);
                self.signed_result(ty, Some(product), product)
            }
            BinaryOp::Mul if ty.signed => self.signed_result(ty, a.checked_mul(b), a.wrapping_mul(b)),
            BinaryOp::Mul => Ok(wrap(ty, a.wrapping_mul(b))),
            BinaryOp::Div | BinaryOp::Rem if b == W::ZERO => Err(Undefined::DivisionByZero),
            BinaryOp::Div | BinaryOp::Rem
                if ty.signed && b == W::truncate(-1) && a == W::truncate(ty.min()) =>
            {
                Err(Undefined::DivisionOverflow)
            }
            BinaryOp::Div if is_full_unsigned::<W>(ty) => Ok(a.unsigned_div(b)),
            BinaryOp::Div => Ok(a.wrapping_div(b)),
            BinaryOp::Rem if is_full_unsigned::<W>(ty) => Ok(a.unsigned_rem(b)),
            BinaryOp::Rem => Ok(a.wrapping_rem(b)),
            // The amount has a type of its own; too large an unsigned one looks negative.
            BinaryOp::Shl | BinaryOp::Shr if b < W::ZERO || b >= W::truncate(i128::from(ty.bits)) => {
                Err(Undefined::ShiftOutOfRange)
            }
            BinaryOp::Shl => {
                let amount = b.zero_extended() as u32;
                Ok(wrap(ty, a.shl(amount)))
            }
            BinaryOp::Shr if is_full_unsigned::<W>(ty) => Ok(a.logical_shr(b.zero_extended() as u32)),
            BinaryOp::Shr => Ok(a.arithmetic_shr(b.zero_extended() as u32)),
            BinaryOp::And => Ok(a.and(b)),
            BinaryOp::Or => Ok(a.or(b)),
            BinaryOp::Xor => Ok(a.xor(b)),
            BinaryOp::Eq => truth(a == b),
            BinaryOp::Ne => truth(a != b),
            BinaryOp::Lt if is_full_unsigned::<W>(ty) => truth(a.unsigned_less(b)),
            BinaryOp::Lt => truth(a < b),
            BinaryOp::Le if is_full_unsigned::<W>(ty) => truth(!b.unsigned_less(a)),
            BinaryOp::Le => truth(a <= b),
        }
    }

    fn as_integer(&self, ty: Type) -> Option<IntType> {
        as_integer(ty, self.pointer)
    }
}

/// The integer type that represents values of `ty`; none for floats.
pub fn as_integer(ty: Type, pointer: IntType) -> Option<IntType> {
    match ty {
        Type::Bool => Some(IntType::BOOL),
        Type::Int(int) => Some(int),
        Type::Pointer => Some(pointer),
        Type::Float(_) => None,
    }
}

impl<W: Word> Numbers for Machine<W> {
    type Word = W;
    const UNBOUNDED: bool = false;

    fn new(program: &Program) -> Self {
        Machine {
            wraps: program.arithmetic == Arithmetic::Wrap,
            pointer: IntType::unsigned(program.data_model.pointer_bits()),
            word: std::marker::PhantomData,
        }
    }

    fn identity_cast(program: &Program, from: Type, to: Type) -> bool {
        let pointer = IntType::unsigned(program.data_model.pointer_bits());
        let (Some(source), Some(target)) = (as_integer(from, pointer), as_integer(to, pointer)) else {
            return from == to;
        };
        if target == IntType::BOOL {
            return source == IntType::BOOL;
        }
        let value_bits = |ty: IntType| ty.bits - u8::from(ty.signed);
        let value_fits = value_bits(source) <= value_bits(target) && (target.signed || !source.signed);
        value_fits || u32::from(target.bits) == W::BITS
    }

    fn word(&self, ty: Type, value: i128) -> W {
        match self.as_integer(ty) {
            Some(int) => W::truncate(int.wrap(value)),
            None => W::truncate(value),
        }
    }

    fn value(&self, ty: Type, word: W) -> i128 {
        match self.as_integer(ty) {
            Some(int) if int.signed => word.sign_extended(),
            _ => word.zero_extended() as i128,
        }
    }

    #[inline(always)]
    fn word_of_bits(&self, ty: Type, bits: u128) -> W {
        let word = W::truncate(bits as i128);
        match ty {
            Type::Int(int) => wrap(int, word),
            _ => word,
        }
    }

    #[inline(always)]
    fn is_true(word: W) -> bool {
        word != W::ZERO
    }

    #[inline(always)]
    fn address(word: W) -> u64 {
        word.zero_extended() as u64
    }

    #[inline(always)]
    fn unary(&self, op: UnaryOp, ty: Type, a: W) -> Result<W, Undefined> {
        let Some(int) = self.as_integer(ty) else {
            return Ok(W::truncate(float::unary(op, ty, a.zero_extended())));
        };
        match op {
            UnaryOp::Neg => self.integer(BinaryOp::Sub, int, W::ZERO, a),
            UnaryOp::Not => Ok(wrap(int, a.xor(W::truncate(-1)))),
        }
    }

    #[inline(always)]
    fn binary(&self, op: BinaryOp, ty: Type, a: W, b: W) -> Result<W, Undefined> {
        match self.as_integer(ty) {
            Some(int) => self.integer(op, int, a, b),
            None => {
                let result = float::binary(op, ty, a.zero_extended(), b.zero_extended());
                Ok(W::truncate(result))
            }
        }
    }

    fn cast(&self, from: Type, to: Type, a: W) -> Result<W, Undefined> {
        let result = match (from, to) {
            (Type::Float(_), _) => float::from_float(from, to, self.pointer, a.zero_extended())?,
            (_, Type::Float(float)) => {
                let unsigned = self.as_integer(from).is_some_and(is_full_unsigned::<W>);
                float::to_float(float, self.value(from, a), unsigned)
            }
            (_, Type::Bool | Type::Int(IntType::BOOL)) => i128::from(a != W::ZERO),
            (_, Type::Int(int)) => return Ok(wrap(int, a)),
            (_, Type::Pointer) => return Ok(wrap(self.pointer, a)),
        };
        Ok(W::truncate(result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine<W>(wraps: bool) -> Machine<W> {
        Machine { wraps, pointer: IntType::unsigned(64), word: std::marker::PhantomData }
    }

    fn interesting(ty: IntType) -> Vec<i128> {
        let (least, greatest) = (ty.min(), ty.max() as i128);
        let mut values = vec![0, 1, 2, 3, 5, 7, 31, 32, 63, 64, 100];
        values.extend([least, least + 1, least / 2, greatest, greatest - 1, greatest / 2, greatest / 3]);
        values.extend([-1, -2, -7].into_iter().filter(|_| ty.signed));
        values.retain(|&value| least <= value && value <= greatest);
        values
    }

    /// The definition, on exact integers, for types of at most 64 bits.
    fn defined(wraps: bool, op: BinaryOp, ty: IntType, a: i128, b: i128) -> Result<i128, Undefined> {
        let exact = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul if !ty.signed => (a as u128).wrapping_mul(b as u128) as i128,
            BinaryOp::Mul => a * b,
            BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(Undefined::DivisionByZero),
            BinaryOp::Div | BinaryOp::Rem if ty.signed && a == ty.min() && b == -1 => {
                return Err(Undefined::DivisionOverflow);
            }
            BinaryOp::Div => a / b,
            BinaryOp::Rem => a % b,
            BinaryOp::Shl | BinaryOp::Shr if b < 0 || b >= i128::from(ty.bits) => {
                return Err(Undefined::ShiftOutOfRange);
            }
            BinaryOp::Shl => return Ok(ty.wrap(((a as u128) << b) as i128)),
            BinaryOp::Shr => a >> b,
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
            BinaryOp::Eq => return Ok(i128::from(a == b)),
            BinaryOp::Ne => return Ok(i128::from(a != b)),
            BinaryOp::Lt => return Ok(i128::from(a < b)),
            BinaryOp::Le => return Ok(i128::from(a <= b)),
        };
        if ty.signed && !wraps && ty.wrap(exact) != exact {
            return Err(Undefined::SignedOverflow);
        }
        Ok(ty.wrap(exact))
    }

    #[test]
    fn words_follow_the_definition() {
        for bits in [1u8, 5, 8, 16, 31, 32, 33, 63, 64] {
            for signed in [false, true] {
                let int = IntType { bits, signed };
                let ty = Type::Int(int);
                for wraps in [false, true] {
                    let (narrow, wide) = (machine::<i64>(wraps), machine::<i128>(wraps));
                    for op in BinaryOp::ALL {
                        for &a in &interesting(int) {
                            for &b in &interesting(int) {
                                let expected = defined(wraps, op, int, a, b);
                                let result = if op.is_comparison() { Type::Bool } else { ty };
                                let got = narrow
                                    .binary(op, ty, narrow.word(ty, a), narrow.word(ty, b))
                                    .map(|word| narrow.value(result, word));
                                assert_eq!(got, expected, "{op:?} {int} {a} {b} narrow");
                                let got = wide
                                    .binary(op, ty, wide.word(ty, a), wide.word(ty, b))
                                    .map(|word| wide.value(result, word));
                                assert_eq!(got, expected, "{op:?} {int} {a} {b} wide");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn conversions_are_modulo_the_width() {
        let (narrow, wide) = (machine::<i64>(false), machine::<i128>(false));
        for from in
            [1u8, 8, 16, 32, 64].into_iter().flat_map(|bits| [IntType::signed(bits), IntType::unsigned(bits)])
        {
            for to in [1u8, 7, 8, 16, 32, 64]
                .into_iter()
                .flat_map(|bits| [IntType::signed(bits), IntType::unsigned(bits)])
            {
                for value in interesting(from) {
                    let expected = if to == IntType::BOOL { i128::from(value != 0) } else { to.wrap(value) };
                    let (from, to) = (Type::Int(from), Type::Int(to));
                    let word = narrow.cast(from, to, narrow.word(from, value)).expect("defined");
                    assert_eq!(narrow.value(to, word), expected);
                    let word = wide.cast(from, to, wide.word(from, value)).expect("defined");
                    assert_eq!(wide.value(to, word), expected);
                }
            }
        }
    }
}
