//! The operations of expressions as circuits, with the condition under which they are defined.

use super::Unsupported;
use crate::copies::{self, Relation};
use crate::float::{self, Format, Rounding};
use crate::{Bit, Circuit, origins, words};
use craig_program::{Arithmetic, BinaryOp, FloatType, IntType, Program, Type, UnaryOp};

/// How values of a type are represented.
pub(super) fn int_type(program: &Program, ty: Type) -> Option<IntType> {
    match ty {
        Type::Bool => Some(IntType::BOOL),
        Type::Int(int) => Some(int),
        Type::Pointer => Some(IntType::unsigned(program.data_model.pointer_bits())),
        Type::Float(_) => None,
    }
}

pub(super) fn width(program: &Program, ty: Type) -> usize {
    match int_type(program, ty) {
        Some(int) => usize::from(int.bits),
        None => 8 * program.size_of(ty) as usize,
    }
}

/// The result, and whether it is defined.
type Result2 = Result<(Vec<Bit>, Bit), Unsupported>;

pub(super) fn unary(program: &Program, c: &mut Circuit, op: UnaryOp, ty: Type, a: &[Bit]) -> Result2 {
    let Some(int) = int_type(program, ty) else {
        return Ok((float::negate(a), Bit::TRUE));
    };
    match op {
        UnaryOp::Not => Ok((words::not(a), Bit::TRUE)),
        UnaryOp::Neg => integer(program, c, BinaryOp::Sub, int, &words::constant(a.len(), 0), a),
    }
}

/// `ta` and `tb` are the types of the operands.
pub(super) fn binary(
    program: &Program,
    c: &mut Circuit,
    op: BinaryOp,
    (ta, tb): (Type, Type),
    a: &[Bit],
    b: &[Bit],
) -> Result2 {
    if let (Type::Float(ty), BinaryOp::Rem) = (ta, op) {
        return Ok((remainder(c, ty, a, b), Bit::TRUE));
    }
    if let Type::Float(ty) = ta {
        let (a, b) = (number(c, ty, a), number(c, ty, b));
        let (result, defined) = floating(c, op, format(ty), &a, &b)?;
        return Ok((if op.is_comparison() { result } else { pattern(c, ty, result) }, defined));
    }
    let (Some(int), Some(other)) = (int_type(program, ta), int_type(program, tb)) else {
        return Err(Unsupported::Floats);
    };
    if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
        return Ok(shift(c, op, int, a, other, b));
    }
    // An integer that is added to an address has a type of its own.
    let b = words::extend(b, a.len(), other.signed);
    integer(program, c, op, int, a, &b)
}

fn format(ty: FloatType) -> Format {
    match ty {
        FloatType::F32 => float::SINGLE,
        FloatType::F64 => float::DOUBLE,
        FloatType::F80 => float::EXTENDED,
    }
}

/// The number that a pattern in memory means, in the format of its type.
fn number(c: &mut Circuit, ty: FloatType, a: &[Bit]) -> Vec<Bit> {
    if ty == FloatType::F80 { float::extended::hidden(c, a) } else { a.to_vec() }
}

/// The pattern of a number of that format.
fn pattern(c: &mut Circuit, ty: FloatType, a: Vec<Bit>) -> Vec<Bit> {
    if ty == FloatType::F80 { float::extended::written(c, &a) } else { a }
}

/// Of unknown floats it may be anything, and is always the same: as many subtractions as exponents are apart have no small
/// circuit.
fn remainder(c: &mut Circuit, ty: FloatType, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    match (words::as_constant(a), words::as_constant(b)) {
        (Some(a), Some(b)) => words::constant(8 * ty.bytes() as usize, ty.calculate(BinaryOp::Rem, a, b)),
        _ => c.unknown([a, b]),
    }
}

fn floating(c: &mut Circuit, op: BinaryOp, f: Format, a: &[Bit], b: &[Bit]) -> Result2 {
    let result = match op {
        BinaryOp::Add => float::add(c, f, Rounding::NEAREST, a, b),
        BinaryOp::Sub => float::add(c, f, Rounding::NEAREST, a, &float::negate(b)),
        BinaryOp::Mul => float::multiply(c, f, Rounding::NEAREST, a, b),
        BinaryOp::Div => float::divide(c, f, Rounding::NEAREST, a, b),
        BinaryOp::Eq => vec![float::equal(c, f, a, b)],
        BinaryOp::Ne => vec![!float::equal(c, f, a, b)],
        BinaryOp::Lt => vec![float::less(c, f, a, b)],
        BinaryOp::Le => {
            let (less, equal) = (float::less(c, f, a, b), float::equal(c, f, a, b));
            vec![c.or(less, equal)]
        }
        _ => return Err(Unsupported::Floats),
    };
    Ok((result, Bit::TRUE))
}

fn integer(program: &Program, c: &mut Circuit, op: BinaryOp, int: IntType, a: &[Bit], b: &[Bit]) -> Result2 {
    let may_overflow = int.signed && program.arithmetic == Arithmetic::AssumeNoOverflow;
    let truth = |bit: Bit| Ok((vec![bit], Bit::TRUE));
    let n = a.len();
    match op {
        BinaryOp::Add | BinaryOp::Sub => {
            let (a, b) = (words::extend(a, n + 1, true), words::extend(b, n + 1, true));
            let mut exact = match op {
                BinaryOp::Add => words::add(c, &a, &b, Bit::FALSE).0,
                _ => words::sub(c, &a, &b),
            };
            let fits = c.equal(exact[n], exact[n - 1]);
            exact.truncate(n);
            if op == BinaryOp::Add {
                origins::is_sum(c, &exact, &a[..n], &b[..n]);
            }
            Ok((exact, if may_overflow { fits } else { Bit::TRUE }))
        }
        BinaryOp::Mul if may_overflow => {
            let mut exact = words::multiply(c, a, b, 2 * n, true);
            let mut fits = Bit::TRUE;
            for i in n..2 * n {
                let same = c.equal(exact[i], exact[n - 1]);
                fits = c.and(fits, same);
            }
            exact.truncate(n);
            Ok((exact, fits))
        }
        BinaryOp::Mul => Ok((words::multiply(c, a, b, n, false), Bit::TRUE)),
        BinaryOp::Div | BinaryOp::Rem => {
            let mut defined = words::any(c, b);
            if int.signed {
                let least = words::constant(n, 1 << (n - 1));
                let (is_least, is_minus_one) = (words::equal(c, a, &least), words::all(c, b));
                let overflow = c.and(is_least, is_minus_one);
                defined = c.and(defined, !overflow);
            }
            let result = match (op, int.signed) {
                (BinaryOp::Div, true) => words::divide_signed(c, a, b).0,
                (BinaryOp::Div, false) => words::divide(c, a, b).0,
                (_, true) => words::remainder_signed(c, a, b),
                (_, false) => words::remainder(c, a, b),
            };
            Ok((result, defined))
        }
        BinaryOp::And => Ok((words::zip(a, b, |a, b| c.and(a, b)), Bit::TRUE)),
        BinaryOp::Or => Ok((words::zip(a, b, |a, b| c.or(a, b)), Bit::TRUE)),
        BinaryOp::Xor => Ok((words::zip(a, b, |a, b| c.xor(a, b)), Bit::TRUE)),
        BinaryOp::Eq => truth(copies::compare(c, Relation::Equal, a, b)),
        BinaryOp::Ne => truth(!copies::compare(c, Relation::Equal, a, b)),
        BinaryOp::Lt => truth(copies::compare(c, Relation::Less { signed: int.signed }, a, b)),
        BinaryOp::Le => truth(!copies::compare(c, Relation::Less { signed: int.signed }, b, a)),
        BinaryOp::Shl | BinaryOp::Shr => Ok(shift(c, op, int, a, int, b)),
    }
}

fn shift(c: &mut Circuit, op: BinaryOp, int: IntType, a: &[Bit], by: IntType, b: &[Bit]) -> (Vec<Bit>, Bit) {
    // Wide enough for the number of bits; a negative amount becomes a large one.
    let amount = words::extend(b, b.len().max(9), by.signed);
    let limit = words::constant(amount.len(), u128::from(int.bits));
    let defined = words::less(c, &amount, &limit, false);
    let digits = (0..).find(|&i| 1usize << i >= a.len()).unwrap_or(8);
    let amount = &amount[..digits];
    let result = match op {
        BinaryOp::Shl => words::shift_left(c, a, amount),
        _ => {
            let fill = if int.signed { a[a.len() - 1] } else { Bit::FALSE };
            words::shift_right(c, a, amount, fill)
        }
    };
    (result, defined)
}

pub(super) fn cast(program: &Program, c: &mut Circuit, from: Type, to: Type, a: &[Bit]) -> Result2 {
    if from == to {
        return Ok((a.to_vec(), Bit::TRUE));
    }
    let (source, target) = match (from, to) {
        (Type::Float(from), Type::Float(to)) => {
            let a = number(c, from, a);
            let result = float::convert(c, format(from), format(to), Rounding::NEAREST, &a);
            return Ok((pattern(c, to, result), Bit::TRUE));
        }
        (Type::Float(from), to) => {
            let Some(int) = int_type(program, to) else { return Err(Unsupported::Floats) };
            if int == IntType::BOOL {
                // A NaN is not zero.
                let is_zero = !words::any(c, &a[..a.len() - 1]);
                return Ok((vec![!is_zero], Bit::TRUE));
            }
            let (a, width) = (number(c, from, a), usize::from(int.bits));
            return Ok(float::to_integer(c, format(from), Rounding::TOWARDS_ZERO, &a, width, int.signed));
        }
        (from, Type::Float(to)) => {
            let Some(int) = int_type(program, from) else { return Err(Unsupported::Floats) };
            let result = float::from_integer(c, format(to), Rounding::NEAREST, a, int.signed);
            return Ok((pattern(c, to, result), Bit::TRUE));
        }
        (from, to) => (int_type(program, from), int_type(program, to)),
    };
    let (Some(source), Some(target)) = (source, target) else { return Err(Unsupported::Floats) };
    if target == IntType::BOOL {
        return Ok((vec![words::any(c, a)], Bit::TRUE));
    }
    Ok((words::extend(a, usize::from(target.bits), source.signed), Bit::TRUE))
}
