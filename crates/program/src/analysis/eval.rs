//! The interval of an expression, from the intervals of its variables.

use super::{IntervalState, floats, variable_range};
use crate::encode::{bitwise_range, type_range};
use crate::expr::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::interval::Interval;
use crate::ir::{Arithmetic, Program};
use crate::types::{IntType, Type};
use craig_base::OrderedMap;
use craig_num::Int;

/// The interval of `root`; `None` if its evaluation always ends the path.
pub fn interval_of(program: &Program, root: ExprId, state: &IntervalState) -> Option<Interval> {
    interval_of_all(program, &[root], state)?.swap_remove(&root)
}

/// The intervals of all subexpressions. For floats they mean nothing.
pub fn interval_of_all(
    program: &Program,
    roots: &[ExprId],
    state: &IntervalState,
) -> Option<OrderedMap<ExprId, Interval>> {
    let mut intervals: OrderedMap<ExprId, Interval> = OrderedMap::default();
    for id in program.exprs.postorder(roots) {
        // Within an `ite` an operand may never be evaluated, so what is undefined there is unknown.
        let interval = node(program, id, &intervals, state);
        if interval.is_none() && roots.contains(&id) {
            return None;
        }
        let interval = interval.unwrap_or_else(|| range_of(program, program.exprs.ty(id)));
        intervals.insert(id, interval);
    }
    Some(intervals)
}

fn range_of(program: &Program, ty: Type) -> Interval {
    if ty == Type::Bool { Interval::new(0, 1) } else { type_range(program, ty) }
}

fn node(
    program: &Program,
    id: ExprId,
    known: &OrderedMap<ExprId, Interval>,
    state: &IntervalState,
) -> Option<Interval> {
    let exprs = &program.exprs;
    let ty = exprs.ty(id);
    if ty.is_float() && !state.floats {
        return Some(Interval::ALL);
    }
    Some(match exprs.get(id) {
        Expr::Const(ty, value) if !super::fits_i128(ty) && value < 0 => {
            Interval::constant(Int::from(value) + Int::pow2(128))
        }
        Expr::Const(_, value) => Interval::constant(value),
        Expr::Float(ty, bits) => floats::constant(ty, bits),
        Expr::Var(var) => state.known.get(&var).cloned().unwrap_or_else(|| variable_range(program, var)),
        Expr::Load { ty, .. } => range_of(program, ty),
        Expr::Unary(op, a) => {
            let a = &known[&a];
            match (op, ty) {
                // The sign of a float is that of its rank.
                (_, Type::Float(_)) => a.neg(),
                (_, Type::Bool) => Interval::constant(1).sub(a),
                (UnaryOp::Neg, _) => fit(program, a.neg(), ty)?,
                (UnaryOp::Not, _) => {
                    let unsigned = integer_of(program, ty).filter(|int| !int.signed);
                    let ones = match unsigned {
                        Some(int) if program.arithmetic != Arithmetic::Ideal => {
                            Int::pow2(u32::from(int.bits)) - Int::ONE
                        }
                        _ => Int::MINUS_ONE,
                    };
                    Interval::constant(ones).sub(a)
                }
            }
        }
        Expr::Binary(op, a, b) if let Type::Float(ty) = exprs.ty(a) => {
            let (a, b) = (&known[&a], &known[&b]);
            if !op.is_comparison() {
                floats::binary(ty, op, a, b)
            } else if floats::is_number(ty, a) && floats::is_number(ty, b) {
                comparison(op, a, b)
            } else {
                truth(None)
            }
        }
        Expr::Binary(op, a, b) => binary(program, op, exprs.ty(a), exprs.ty(b), ty, &known[&a], &known[&b])?,
        Expr::Cast(Type::Float(to), a) => floats::converted(to, exprs.ty(a), &known[&a]),
        Expr::Cast(to, a) if let Type::Float(ty) = exprs.ty(a) => {
            let bounds = range_of(program, to);
            // A truth value says whether it is zero.
            let target = integer_of(program, to).filter(|&int| int != IntType::BOOL);
            let whole = target.and_then(|int| floats::truncated(ty, &known[&a], int));
            whole.and_then(|whole| whole.meet(&bounds)).unwrap_or(bounds)
        }
        Expr::Cast(to, a) => cast(program, &known[&a], to),
        Expr::Ite(c, a, b) => match known[&c].as_constant() {
            Some(value) if value.is_zero() => known[&b].clone(),
            Some(_) => known[&a].clone(),
            None => known[&a].join(&known[&b]),
        },
    })
}

fn truth(value: Option<bool>) -> Interval {
    match value {
        Some(value) => Interval::constant(i64::from(value)),
        None => Interval::new(0, 1),
    }
}

/// Whether `a < b` (or `a <= b`), if the intervals tell.
pub(super) fn is_below(a: &Interval, b: &Interval, strictly: bool) -> Option<bool> {
    let surely = match (&a.hi, &b.lo) {
        (Some(hi), Some(lo)) => hi < lo || (!strictly && hi == lo),
        _ => false,
    };
    let never = match (&a.lo, &b.hi) {
        (Some(lo), Some(hi)) => lo > hi || (strictly && lo == hi),
        _ => false,
    };
    if surely {
        Some(true)
    } else if never {
        Some(false)
    } else {
        None
    }
}

fn comparison(op: BinaryOp, a: &Interval, b: &Interval) -> Interval {
    let equal = || match (a.as_constant(), b.as_constant()) {
        (Some(x), Some(y)) => Some(x == y),
        _ if a.meet(b).is_none() => Some(false),
        _ => None,
    };
    truth(match op {
        BinaryOp::Eq => equal(),
        BinaryOp::Ne => equal().map(|equal| !equal),
        _ => is_below(a, b, op == BinaryOp::Lt),
    })
}

fn binary(
    program: &Program,
    op: BinaryOp,
    ta: Type,
    tb: Type,
    ty: Type,
    a: &Interval,
    b: &Interval,
) -> Option<Interval> {
    use BinaryOp::*;
    let nonzero = |b: &Interval| b.as_constant() != Some(&Int::ZERO);
    Some(match op {
        Eq | Ne | Lt | Le => comparison(op, a, b),
        And | Or | Xor if ty == Type::Bool => {
            let (x, y) = (a.as_constant().map(|x| !x.is_zero()), b.as_constant().map(|y| !y.is_zero()));
            truth(match (op, x, y) {
                (And, Some(false), _) | (And, _, Some(false)) => Some(false),
                (Or, Some(true), _) | (Or, _, Some(true)) => Some(true),
                (And, Some(x), Some(y)) => Some(x && y),
                (Or, Some(x), Some(y)) => Some(x || y),
                (Xor, Some(x), Some(y)) => Some(x != y),
                _ => None,
            })
        }
        Add | Sub => {
            let exact = if op == Add { a.add(b) } else { a.sub(b) };
            if ta == Type::Pointer || tb == Type::Pointer {
                wrap(&exact, integer_of(program, ty)?)
            } else {
                fit(program, exact, ty)?
            }
        }
        Mul => fit(program, a.mul(b), ty)?,
        Div if nonzero(b) => fit(program, quotient(a, b), ty)?,
        Rem if nonzero(b) => remainder(a, b),
        Div | Rem => return None,
        Shl | Shr => {
            let bits = i64::from(integer_of(program, ty)?.bits);
            let distance = b.meet(&Interval::new(0, bits - 1))?;
            let (least, most) = distance.bounds()?;
            let power = |k: &Int| Some(Int::pow2(u32::try_from(k.to_i64()?).ok()?));
            let (least, most) = (power(least)?, power(most)?);
            if op == Shl {
                let exact = a.mul(&Interval::new(least, most));
                if program.arithmetic == Arithmetic::Ideal {
                    exact
                } else {
                    wrap(&exact, integer_of(program, ty)?)
                }
            } else {
                a.div_floor(&least).join(&a.div_floor(&most))
            }
        }
        And | Or | Xor => {
            let bounds = type_range(program, ty);
            match (a.as_constant().and_then(Int::to_i128), b.as_constant().and_then(Int::to_i128)) {
                (Some(x), Some(y)) => Interval::constant(match op {
                    And => x & y,
                    Or => x | y,
                    _ => x ^ y,
                }),
                _ => bitwise_range(op, a, b).meet(&bounds).unwrap_or(bounds),
            }
        }
    })
}

fn quotient(a: &Interval, b: &Interval) -> Interval {
    let truncated = |x: &Int, divisor: &Int| {
        let quotient = x.abs().div_floor(&divisor.abs());
        if x.is_negative() != divisor.is_negative() { -quotient } else { quotient }
    };
    if let (Some(divisor), Some((lo, hi))) = (b.as_constant(), a.bounds()) {
        let (x, y) = (truncated(lo, divisor), truncated(hi, divisor));
        return Interval { lo: Some((&x).min(&y).clone()), hi: Some(x.max(y)) };
    }
    if a.is_nonnegative() && b.is_nonnegative() {
        return Interval { lo: Some(Int::ZERO), hi: a.hi.clone() };
    }
    Interval::symmetric(a.magnitude())
}

fn remainder(a: &Interval, b: &Interval) -> Interval {
    if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant()) {
        let rest = x.abs().rem_euclid(&y.abs());
        return Interval::constant(if x.is_negative() { -rest } else { rest });
    }
    let by_divisor = Interval::symmetric(b.magnitude().map(|most| most - Int::ONE));
    let by_dividend = Interval {
        lo: if a.is_nonnegative() { Some(Int::ZERO) } else { a.lo.clone() },
        hi: if a.is_nonpositive() { Some(Int::ZERO) } else { a.hi.clone() },
    };
    by_divisor.meet(&by_dividend).unwrap_or(by_dividend)
}

fn cast(program: &Program, a: &Interval, to: Type) -> Interval {
    let zero = Interval::constant(0);
    match to {
        Type::Bool | Type::Int(IntType::BOOL) => truth(if *a == zero {
            Some(false)
        } else if a.contains(&Int::ZERO) {
            None
        } else {
            Some(true)
        }),
        Type::Int(_) if program.arithmetic == Arithmetic::Ideal => a.clone(),
        _ => match integer_of(program, to) {
            Some(int) => wrap(a, int),
            None => Interval::ALL,
        },
    }
}

fn integer_of(program: &Program, ty: Type) -> Option<IntType> {
    match ty {
        Type::Int(int) => Some(int),
        Type::Pointer => Some(IntType::unsigned(program.data_model.pointer_bits())),
        Type::Bool | Type::Float(_) => None,
    }
}

/// Brings an exact result into its type; `None` if it never fits and must.
fn fit(program: &Program, exact: Interval, ty: Type) -> Option<Interval> {
    let bounds = type_range(program, ty);
    if exact.is_within(&bounds) {
        return Some(exact);
    }
    let int = integer_of(program, ty)?;
    if !int.signed || program.arithmetic == Arithmetic::Wrap {
        return Some(wrap(&exact, int));
    }
    exact.meet(&bounds)
}

fn wrap(exact: &Interval, int: IntType) -> Interval {
    let bounds = Interval::of_type(int);
    let (Some((lo, hi)), Some(least)) = (exact.bounds(), &bounds.lo) else { return bounds };
    let modulus = Int::pow2(u32::from(int.bits));
    let quotient = (lo - least).div_floor(&modulus);
    if quotient != (hi - least).div_floor(&modulus) {
        return bounds;
    }
    exact.sub(&Interval::constant(quotient * modulus))
}
