//! Operations whose result C does not define.

use super::{Question, Violation};
use crate::expr::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::ir::{Arithmetic, CheckKind, Program};
use crate::types::{IntType, Type};
use craig_num::Extended;

/// How this very operation can be undefined, given that its operands are not.
pub fn violations(
    program: &mut Program,
    id: ExprId,
    is_offset: bool,
    question: Question<'_>,
) -> Vec<Violation> {
    let Question { wanted, span, .. } = question;
    let mut found = Vec::new();
    let mut add = |kind: CheckKind, condition: Option<ExprId>, what: &'static str, at: String| {
        if let Some(condition) = condition {
            found.push(Violation { kind, condition, what, of: format!("in `{at}`") });
        }
    };
    let shown = |program: &Program| program.say_value(id, span);
    match program.exprs.get(id) {
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor)
            if wanted.contains(CheckKind::Division) && matches!(program.exprs.ty(id), Type::Int(_)) =>
        {
            let zero = program.exprs.constant(program.exprs.ty(divisor), 0);
            let is_zero = program.exprs.binary(BinaryOp::Eq, divisor, zero, program.data_model);
            add(CheckKind::Division, Some(is_zero), "division by zero", shown(program));
        }
        Expr::Binary(BinaryOp::Shl | BinaryOp::Shr, value, by) if wanted.contains(CheckKind::Shift) => {
            let condition = shift_out_of_range(program, value, by);
            add(CheckKind::Shift, condition, "shift out of range", shown(program));
        }
        Expr::Cast(Type::Int(int), value)
            if wanted.contains(CheckKind::Overflow) && program.arithmetic != Arithmetic::Ideal =>
        {
            let condition = does_not_fit(program, value, int);
            add(CheckKind::Overflow, condition, "conversion out of range", shown(program));
        }
        _ => {}
    }
    // An offset that leaves its type leads out of every object.
    let (kind, what) = if is_offset {
        (CheckKind::Memory, "offset beyond all memory")
    } else {
        (CheckKind::Overflow, "signed overflow")
    };
    if wanted.contains(CheckKind::Overflow) && program.arithmetic == Arithmetic::Wrap {
        // No machine has the quotient, so that it does not wrap around either.
        let condition = quotient_overflow(program, id);
        add(CheckKind::Overflow, condition, "signed overflow", shown(program));
    }
    if wanted.contains(kind) && program.arithmetic == Arithmetic::AssumeNoOverflow {
        let condition = overflow(program, id);
        if is_offset && program.said_value(id, span).is_none() {
            // The multiplication by the size of an element stands nowhere in the source.
            found.extend(condition.map(|condition| Violation { kind, condition, what, of: String::new() }));
        } else {
            add(kind, condition, what, shown(program));
        }
    }
    found
}

/// That a floating number, without its fraction, is none of the type.
fn does_not_fit(program: &mut Program, value: ExprId, int: IntType) -> Option<ExprId> {
    let Type::Float(float) = program.exprs.ty(value) else { return None };
    if int == IntType::BOOL {
        return None;
    }
    let model = program.data_model;
    let number = |value: i128| Extended::from_int(value < 0, value.unsigned_abs());
    let constant = |program: &mut Program, value: Extended| program.exprs.float(float, float.nearest(value));
    // One less than the least number may be no floating number; the nearest one is the least number then.
    let below = int.min().checked_sub(1).filter(|&below| {
        float.number(float.nearest(number(below))).to_int() == Some((true, below.unsigned_abs()))
    });
    // A power of two, hence exact.
    let end = constant(program, Extended::from(2f64.powi(i32::from(int.bits) - i32::from(int.signed))));
    let above = if let Some(below) = below {
        let below = constant(program, number(below));
        program.exprs.binary(BinaryOp::Lt, below, value, model)
    } else {
        let least = constant(program, number(int.min()));
        program.exprs.binary(BinaryOp::Le, least, value, model)
    };
    let below = program.exprs.binary(BinaryOp::Lt, value, end, model);
    let fits = program.exprs.binary(BinaryOp::And, above, below, model);
    Some(program.exprs.not(fits))
}

/// By less than zero or at least the width.
fn shift_out_of_range(program: &mut Program, value: ExprId, by: ExprId) -> Option<ExprId> {
    let (Type::Int(int), Type::Int(of_amount)) = (program.exprs.ty(value), program.exprs.ty(by)) else {
        return None;
    };
    if let Some(amount) = program.exprs.as_const(by) {
        let out = !(0..i128::from(int.bits)).contains(&amount);
        return out.then(|| program.exprs.bool(true));
    }
    let model = program.data_model;
    let most = program.exprs.int(of_amount, i128::from(int.bits) - 1);
    let above = program.exprs.binary(BinaryOp::Lt, most, by, model);
    if !of_amount.signed {
        return Some(above);
    }
    let zero = program.exprs.int(of_amount, 0);
    let below = program.exprs.binary(BinaryOp::Lt, by, zero, model);
    Some(program.exprs.binary(BinaryOp::Or, below, above, model))
}

/// That the least number is divided by -1.
fn quotient_overflow(program: &mut Program, id: ExprId) -> Option<ExprId> {
    let Type::Int(int) = program.exprs.ty(id) else { return None };
    let Expr::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) = program.exprs.get(id) else { return None };
    if !int.signed {
        return None;
    }
    let (least, minus_one) = (program.exprs.int(int, int.min()), program.exprs.int(int, -1));
    let is_least = program.exprs.binary(BinaryOp::Eq, a, least, program.data_model);
    let is_minus_one = program.exprs.binary(BinaryOp::Eq, b, minus_one, program.data_model);
    Some(program.exprs.binary(BinaryOp::And, is_least, is_minus_one, program.data_model))
}

/// That a signed operation leaves its type, computed in a wider one if there is one.
fn overflow(program: &mut Program, id: ExprId) -> Option<ExprId> {
    let Type::Int(int) = program.exprs.ty(id) else { return None };
    if !int.signed {
        return None;
    }
    let (op, a, b) = match program.exprs.get(id) {
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b)
            if program.exprs.ty(a) == Type::Int(int) =>
        {
            (op, a, b)
        }
        Expr::Unary(UnaryOp::Neg, a) => (BinaryOp::Sub, program.exprs.int(int, 0), a),
        _ => return quotient_overflow(program, id),
    };
    if int.bits > 64 {
        return widest_overflow(program, int, op, a, b);
    }
    let model = program.data_model;
    let wide = Type::Int(IntType::signed(if int.bits <= 32 { 64 } else { 128 }));
    let (a, b) = (program.exprs.cast(wide, a), program.exprs.cast(wide, b));
    let exact = program.exprs.binary(op, a, b, model);
    let (least, most) =
        (program.exprs.constant(wide, int.min()), program.exprs.constant(wide, int.max() as i128));
    let below = program.exprs.binary(BinaryOp::Lt, exact, least, model);
    let above = program.exprs.binary(BinaryOp::Lt, most, exact, model);
    Some(program.exprs.binary(BinaryOp::Or, below, above, model))
}

/// The same for `__int128`, than which nothing is wider: what it would be modulo 2^128 is on the wrong side. Every
/// operation here is defined, whatever the operands are.
fn widest_overflow(
    program: &mut Program,
    int: IntType,
    op: BinaryOp,
    a: ExprId,
    b: ExprId,
) -> Option<ExprId> {
    let model = program.data_model;
    let exprs = &mut program.exprs;
    let (signed, unsigned) = (Type::Int(int), Type::Int(IntType::unsigned(int.bits)));
    let (x, y) = (exprs.cast(unsigned, a), exprs.cast(unsigned, b));
    let wrapped = exprs.binary(op, x, y, model);
    let wrapped = exprs.cast(signed, wrapped);
    let zero = exprs.int(int, 0);
    if op != BinaryOp::Mul {
        let falls = exprs.binary(BinaryOp::Lt, wrapped, a, model);
        let should_fall = match op {
            BinaryOp::Add => exprs.binary(BinaryOp::Lt, b, zero, model),
            _ => exprs.binary(BinaryOp::Lt, zero, b, model),
        };
        let should_not = exprs.not(should_fall);
        return Some(exprs.ite(falls, should_not, should_fall));
    }
    let (one, minus_one, least) = (exprs.int(int, 1), exprs.int(int, -1), exprs.int(int, int.min()));
    let is_zero = exprs.binary(BinaryOp::Eq, a, zero, model);
    let is_minus_one = exprs.binary(BinaryOp::Eq, a, minus_one, model);
    let by = exprs.ite(is_minus_one, one, a);
    let by = exprs.ite(is_zero, one, by);
    let quotient = exprs.binary(BinaryOp::Div, wrapped, by, model);
    let differs = exprs.binary(BinaryOp::Ne, quotient, b, model);
    let is_least = exprs.binary(BinaryOp::Eq, b, least, model);
    let (no, otherwise) = (exprs.bool(false), exprs.ite(is_minus_one, is_least, differs));
    Some(exprs.ite(is_zero, no, otherwise))
}
