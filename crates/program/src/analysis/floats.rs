//! Intervals of floats, by their ranks ([`FloatType::rank`]). Rounding never changes an order, so what comes of the ends of
//! intervals is an end of the result, exactly.

use crate::effects::stmt_operands;
use crate::expr::{BinaryOp, Expr};
use crate::interval::Interval;
use crate::ir::{Edge, Program};
use crate::types::{FloatType, IntType, Type};
use craig_num::{Extended, Int};
use std::collections::BTreeSet;

/// Powers of two up to this are thresholds, and their inverses.
const MAX_POWER: i32 = 40;
/// With more thresholds than this, widening to them costs more than it gives.
const MAX_THRESHOLDS: usize = 400;

fn infinity(ty: FloatType) -> i128 {
    ty.rank(ty.nearest(f64::INFINITY.into()))
}

/// All numbers and infinities.
pub(super) fn numbers(ty: FloatType) -> Interval {
    Interval::new(-infinity(ty), infinity(ty))
}

/// Whether there is no NaN among the floats.
pub(super) fn is_number(ty: FloatType, interval: &Interval) -> bool {
    interval.is_within(&numbers(ty))
}

pub(super) fn constant(ty: FloatType, bits: u128) -> Interval {
    let known = Interval::constant(ty.rank(bits));
    if is_number(ty, &known) { known } else { Interval::ALL }
}

/// The patterns at the ends, if there is no NaN.
fn ends(ty: FloatType, interval: &Interval) -> Option<[u128; 2]> {
    let (lo, hi) = interval.bounds().filter(|_| is_number(ty, interval))?;
    Some([ty.of_rank(lo.to_i128()?), ty.of_rank(hi.to_i128()?)])
}

/// From the least to the greatest of these, if there is no NaN among them.
fn hull(ty: FloatType, patterns: impl IntoIterator<Item = u128>) -> Interval {
    let ranks: Vec<i128> = patterns.into_iter().map(|bits| ty.rank(bits)).collect();
    match (ranks.iter().min(), ranks.iter().max()) {
        (Some(&lo), Some(&hi)) if is_number(ty, &Interval::new(lo, hi)) => Interval::new(lo, hi),
        _ => Interval::ALL,
    }
}

pub(super) fn binary(ty: FloatType, op: BinaryOp, a: &Interval, b: &Interval) -> Interval {
    let (Some(x), Some(y)) = (ends(ty, a), ends(ty, b)) else { return Interval::ALL };
    let is_infinite = |interval: &Interval| {
        [-infinity(ty), infinity(ty)].into_iter().any(|end| interval.contains(&Int::from(end)))
    };
    let has_zero = |interval: &Interval| interval.contains(&Int::ZERO);
    // Between the ends there may be what has no result.
    let undetermined = match op {
        BinaryOp::Mul => is_infinite(a) && has_zero(b) || has_zero(a) && is_infinite(b),
        BinaryOp::Div => has_zero(b) || is_infinite(a) && is_infinite(b),
        BinaryOp::Add | BinaryOp::Sub => false,
        _ => true,
    };
    if undetermined {
        return Interval::ALL;
    }
    hull(ty, x.into_iter().flat_map(|x| y.map(|y| ty.calculate(op, x, y))))
}

/// A value of another type as a float.
pub(super) fn converted(to: FloatType, from: Type, a: &Interval) -> Interval {
    if let Type::Float(from) = from {
        return match ends(from, a) {
            Some(ends) => hull(to, ends.map(|bits| to.nearest(from.number(bits)))),
            None => Interval::ALL,
        };
    }
    let ends = a.bounds().and_then(|(lo, hi)| Some([lo.to_i128()?, hi.to_i128()?]));
    let rounded = |value: i128| match to {
        FloatType::F32 => (value as f32).to_bits().into(),
        FloatType::F64 => (value as f64).to_bits().into(),
        FloatType::F80 => Extended::from_int(value < 0, value.unsigned_abs()).to_bits(),
    };
    ends.map_or(Interval::ALL, |ends| hull(to, ends.map(rounded)))
}

/// Floats without their fractions; one that does not fit has no value. None if there is nothing to say.
pub(super) fn truncated(ty: FloatType, a: &Interval, to: IntType) -> Option<Interval> {
    let [lo, hi] = ends(ty, a)?.map(|bits| {
        let number = ty.number(bits);
        let (negative, magnitude) = number.to_int()?;
        let magnitude = Int::from(i128::try_from(magnitude).ok()?);
        Some(if negative { -magnitude } else { magnitude })
    });
    let bounds = Interval::of_type(to);
    let found = Interval { lo: lo.or(bounds.lo.clone()), hi: hi.or(bounds.hi.clone()) };
    (found.lo <= found.hi).then_some(found)
}

/// What is known of both sides of a comparison that is as expected; none if it never is.
pub(super) fn compared(
    ty: FloatType,
    (op, expected): (BinaryOp, bool),
    a: &Interval,
    b: &Interval,
) -> Option<(Option<Interval>, Option<Interval>)> {
    let all = numbers(ty);
    let ordered = is_number(ty, a) && is_number(ty, b);
    // Only for formats in which each rank is that of a number is the next rank that of the next number.
    let step = Int::from(i64::from(ty != FloatType::F80));
    let strictly = |strict: bool| if strict { step.clone() } else { Int::ZERO };
    let limit = |end: &Option<Int>, infinity: &Option<Int>| end.clone().or(infinity.clone());
    let at_most = |of: &Interval, strict: bool| {
        let hi = limit(&of.hi, &all.hi)? - strictly(strict);
        Interval { lo: all.lo.clone(), hi: Some(hi) }.meet(&all)
    };
    let at_least = |of: &Interval, strict: bool| {
        let lo = limit(&of.lo, &all.lo)? + strictly(strict);
        Interval { lo: Some(lo), hi: all.hi.clone() }.meet(&all)
    };
    Some(match (op, expected) {
        (BinaryOp::Lt | BinaryOp::Le, true) => {
            let strict = op == BinaryOp::Lt;
            (Some(at_most(b, strict)?), Some(at_least(a, strict)?))
        }
        (BinaryOp::Lt | BinaryOp::Le, false) if ordered => {
            let strict = op == BinaryOp::Le;
            (Some(at_least(b, strict)?), Some(at_most(a, strict)?))
        }
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => (Some(b.meet(&all)?), Some(a.meet(&all)?)),
        _ => (None, None),
    })
}

/// The floats whose conversion to a larger format lies in an interval.
pub(super) fn widened_from(from: FloatType, to: FloatType, known: &Interval) -> Option<Interval> {
    if from.bytes() > to.bytes() {
        return None;
    }
    let [lo, hi] = ends(to, known)?;
    let back = |bits: u128, up: bool| {
        let near = from.nearest(to.number(bits));
        let again = to.rank(to.nearest(from.number(near)));
        let rank = from.rank(near);
        let (is_below, is_above) = (again < to.rank(bits), again > to.rank(bits));
        if up && is_below { rank + 1 } else { rank - i128::from(!up && is_above) }
    };
    let (lo, hi) = (back(lo, true), back(hi, false));
    (lo <= hi).then(|| Interval::new(lo, hi))
}

/// Adds the ranks of the constants of a program, of their opposites, and of powers of two.
pub(super) fn add_thresholds<'e>(
    program: &Program,
    edges: impl IntoIterator<Item = &'e Edge>,
    thresholds: &mut Vec<Int>,
) {
    let mut numbers: Vec<Extended> = Vec::new();
    let mut types: BTreeSet<FloatType> = BTreeSet::new();
    for edge in edges {
        for id in program.exprs.postorder(&stmt_operands(&edge.stmt)) {
            if let Type::Float(ty) = program.exprs.ty(id) {
                types.insert(ty);
            }
            match program.exprs.get(id) {
                _ if numbers.len() >= MAX_THRESHOLDS => {}
                Expr::Float(ty, bits) => numbers.push(ty.number(bits)),
                Expr::Const(_, value) => numbers.push(Extended::from_int(value < 0, value.unsigned_abs())),
                _ => {}
            }
        }
    }
    numbers.extend((-MAX_POWER..=MAX_POWER).step_by(4).map(|power| Extended::from(2f64.powi(power))));
    let mut all: BTreeSet<Int> = thresholds.drain(..).collect();
    for ty in types {
        let ranks = numbers.iter().map(|&number| ty.rank(ty.nearest(number)));
        all.extend(ranks.chain([infinity(ty)]).flat_map(|rank| [Int::from(rank), Int::from(-rank)]));
    }
    thresholds.extend(all);
}

#[cfg(test)]
mod tests {
    use super::*;

    const F32: FloatType = FloatType::F32;
    const F64: FloatType = FloatType::F64;

    fn between(lo: f64, hi: f64) -> Interval {
        Interval::new(F64.rank(lo.to_bits().into()), F64.rank(hi.to_bits().into()))
    }

    #[test]
    fn results_lie_between_those_of_the_ends() {
        let (a, b) = (between(-1.0, 2.0), between(0.5, 4.0));
        assert_eq!(binary(F64, BinaryOp::Add, &a, &b), between(-0.5, 6.0));
        assert_eq!(binary(F64, BinaryOp::Sub, &a, &b), between(-5.0, 1.5));
        assert_eq!(binary(F64, BinaryOp::Mul, &a, &b), between(-4.0, 8.0));
        assert_eq!(binary(F64, BinaryOp::Div, &a, &b), between(-2.0, 4.0));
    }

    #[test]
    fn what_may_be_nan_is_anything() {
        let (all, some) = (numbers(F64), between(-1.0, 1.0));
        assert_eq!(binary(F64, BinaryOp::Sub, &all, &all), Interval::ALL);
        assert_eq!(binary(F64, BinaryOp::Mul, &all, &some), Interval::ALL);
        assert_eq!(binary(F64, BinaryOp::Div, &some, &some), Interval::ALL);
        assert_eq!(binary(F64, BinaryOp::Add, &all, &some), all);
    }

    #[test]
    fn conversions_keep_the_order() {
        assert_eq!(converted(F64, Type::Int(IntType::I32), &Interval::new(-3, 7)), between(-3.0, 7.0));
        assert_eq!(truncated(F64, &between(-2.5, 7.75), IntType::I32), Some(Interval::new(-2, 7)));
        let narrow = widened_from(F32, F64, &between(0.1, 0.3)).expect("an interval");
        let inside = |float: f32| narrow.contains(&Int::from(F32.rank(float.to_bits().into())));
        assert!(inside(0.2) && inside(0.1) && !inside(0.099_999_99) && !inside(0.300_000_04));
    }

    #[test]
    fn comparisons_say_something_of_both_sides() {
        let (a, b) = (Interval::ALL, between(0.0, 1.0));
        let (for_a, for_b) = compared(F64, (BinaryOp::Le, true), &a, &b).expect("possible");
        assert_eq!(for_a, Some(between(f64::NEG_INFINITY, 1.0)));
        assert_eq!(for_b, Some(numbers(F64)));
        // A NaN is not below anything either.
        assert_eq!(compared(F64, (BinaryOp::Lt, false), &a, &b), Some((None, None)));
    }
}
