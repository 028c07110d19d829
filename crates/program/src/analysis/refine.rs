//! What a state learns from an assumption.

use super::eval::interval_of_all;
use super::{IntervalState, floats, variable_range};
use crate::encode::type_range;
use crate::expr::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::interval::Interval;
use crate::ir::Program;
use crate::types::Type;
use craig_base::OrderedMap;
use craig_num::Int;

/// Narrows the state to where `cond` may be as expected; false if that is nowhere.
pub fn assume(program: &Program, state: &mut IntervalState, cond: ExprId, expected: bool) -> bool {
    let Some(intervals) = interval_of_all(program, &[cond], state) else { return false };
    let mut pending = vec![(cond, expected)];
    while let Some((id, expected)) = pending.pop() {
        let truth = Interval::constant(i64::from(expected));
        if intervals[&id].as_constant().is_some_and(|value| value.is_zero() == expected) {
            return false;
        }
        match program.exprs.get(id) {
            Expr::Var(var) if !meet(program, state, var, &truth) => return false,
            Expr::Unary(UnaryOp::Not, a) => pending.push((a, !expected)),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let both = (op == BinaryOp::And) == expected;
                // Of a disjunction, one side is learnt where the other is excluded.
                let excluded =
                    |side| intervals[&side].as_constant().is_some_and(|value| value.is_zero() == expected);
                if both || excluded(b) {
                    pending.push((a, expected));
                }
                if both || excluded(a) {
                    pending.push((b, expected));
                }
            }
            Expr::Binary(op, a, b) if let Type::Float(ty) = program.exprs.ty(a) => {
                let Some((for_a, for_b)) =
                    floats::compared(ty, (op, expected), &intervals[&a], &intervals[&b])
                else {
                    return false;
                };
                for (side, known) in [(a, for_a), (b, for_b)] {
                    if let Some(known) = known
                        && !narrow(program, state, &intervals, &mut pending, side, known)
                    {
                        return false;
                    }
                }
            }
            Expr::Binary(op, a, b) if op.is_comparison() => {
                if program.exprs.ty(a) == Type::Bool {
                    continue;
                }
                if !compare(program, state, &intervals, &mut pending, (op, a, b), expected) {
                    return false;
                }
            }
            Expr::Cast(Type::Bool, a) if !program.exprs.ty(a).is_float() => {
                let zero = Interval::constant(0);
                let known = if expected { exclude(&intervals[&a], &zero) } else { Some(zero) };
                let Some(known) = known else { return false };
                if !narrow(program, state, &intervals, &mut pending, a, known) {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

fn meet(program: &Program, state: &mut IntervalState, var: crate::ir::VarId, with: &Interval) -> bool {
    let known = state.known.get(&var).cloned().unwrap_or_else(|| variable_range(program, var));
    match known.meet(with) {
        Some(both) => {
            state.set(program, var, both);
            true
        }
        None => false,
    }
}

/// `interval` without a constant at one of its ends; `None` if nothing remains.
fn exclude(interval: &Interval, constant: &Interval) -> Option<Interval> {
    let Some(value) = constant.as_constant() else { return Some(interval.clone()) };
    let mut rest = interval.clone();
    if rest.lo.as_ref() == Some(value) {
        rest.lo = Some(value + Int::ONE);
    } else if rest.hi.as_ref() == Some(value) {
        rest.hi = Some(value - Int::ONE);
    }
    match rest.bounds() {
        Some((lo, hi)) if lo > hi => None,
        _ => Some(rest),
    }
}

fn compare(
    program: &Program,
    state: &mut IntervalState,
    intervals: &OrderedMap<ExprId, Interval>,
    pending: &mut Vec<(ExprId, bool)>,
    (op, a, b): (BinaryOp, ExprId, ExprId),
    expected: bool,
) -> bool {
    let (ia, ib) = (&intervals[&a], &intervals[&b]);
    let below = |limit: &Option<Int>, offset: i64| Interval {
        lo: None,
        hi: limit.as_ref().map(|limit| limit - Int::from(offset)),
    };
    let above = |limit: &Option<Int>, offset: i64| Interval {
        lo: limit.as_ref().map(|limit| limit + Int::from(offset)),
        hi: None,
    };
    let (for_a, for_b) = match (op, expected) {
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => (Some(ib.clone()), Some(ia.clone())),
        (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => (exclude(ia, ib), exclude(ib, ia)),
        // a < b
        (BinaryOp::Lt, true) => (Some(below(&ib.hi, 1)), Some(above(&ia.lo, 1))),
        (BinaryOp::Le, true) => (Some(below(&ib.hi, 0)), Some(above(&ia.lo, 0))),
        // not (a < b): b <= a
        (BinaryOp::Lt, false) => (Some(above(&ib.lo, 0)), Some(below(&ia.hi, 0))),
        _ => (Some(above(&ib.lo, 1)), Some(below(&ia.hi, 1))),
    };
    let (Some(for_a), Some(for_b)) = (for_a, for_b) else { return false };
    narrow(program, state, intervals, pending, a, for_a)
        && narrow(program, state, intervals, pending, b, for_b)
}

/// Learns that the value of `expr` lies in `known`, down to a variable where the way is invertible.
fn narrow(
    program: &Program,
    state: &mut IntervalState,
    intervals: &OrderedMap<ExprId, Interval>,
    pending: &mut Vec<(ExprId, bool)>,
    mut expr: ExprId,
    mut known: Interval,
) -> bool {
    let exprs = &program.exprs;
    loop {
        if intervals[&expr].meet(&known).is_none() {
            return false;
        }
        match exprs.get(expr) {
            Expr::Var(var) if program.vars[var].ty.is_float() && !state.floats => return true,
            Expr::Var(var) => return meet(program, state, var, &known),
            Expr::Unary(UnaryOp::Neg, a) if exprs.ty(a).is_float() => {
                known = known.neg();
                expr = a;
            }
            Expr::Cast(Type::Float(to), a) if let Type::Float(from) = exprs.ty(a) => {
                let Some(before) = floats::widened_from(from, to, &known) else { return true };
                known = before;
                expr = a;
            }
            Expr::Cast(to, a) if exprs.ty(a) == Type::Bool && to != Type::Bool => {
                if !known.contains(&Int::ZERO) {
                    pending.push((a, true));
                } else if !known.contains(&Int::ONE) {
                    pending.push((a, false));
                }
                return true;
            }
            // A conversion that keeps every value it can get here.
            Expr::Cast(to, a)
                if !exprs.ty(a).is_float()
                    && !to.is_float()
                    && to != Type::Bool
                    && intervals[&a].is_within(&type_range(program, to)) =>
            {
                expr = a;
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let Some(constant) = intervals[&b].as_constant() else { return true };
                let offset = Interval::constant(constant.clone());
                let exact = match op {
                    BinaryOp::Add => intervals[&a].add(&offset),
                    _ => intervals[&a].sub(&offset),
                };
                let int = matches!(exprs.ty(expr), Type::Int(int) if int.signed)
                    && program.arithmetic != crate::ir::Arithmetic::Wrap;
                if !int && !exact.is_within(&type_range(program, exprs.ty(expr))) {
                    return true;
                }
                known = if op == BinaryOp::Add { known.sub(&offset) } else { known.add(&offset) };
                expr = a;
            }
            _ => return true,
        }
    }
}
