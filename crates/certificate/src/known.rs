//! Variables that a formula fixes to a number.
//!
//! A clause of a proof is checked from the states that satisfy a formula. Where that formula says
//! `x == 37`, the checker runs the segment with 37 in place of `x`: masks, factors and shift distances
//! that are constants have an exact meaning, others only an approximate one.

use craig_base::{Map, OrderedMap};
use craig_num::Int;
use craig_term::{Op, TermId, Terms};
use std::rc::Rc;

/// Formulas with more nodes are not looked at.
const MAX_NODES: usize = 20_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bounds {
    low: Option<Int>,
    high: Option<Int>,
}

impl Bounds {
    fn meet(&mut self, other: &Bounds) {
        if let Some(low) = &other.low
            && self.low.as_ref().is_none_or(|mine| mine < low)
        {
            self.low = Some(low.clone());
        }
        if let Some(high) = &other.high
            && self.high.as_ref().is_none_or(|mine| mine > high)
        {
            self.high = Some(high.clone());
        }
    }

    fn join(&self, other: &Bounds) -> Bounds {
        let low = self.low.as_ref().zip(other.low.as_ref()).map(|(a, b)| a.min(b).clone());
        let high = self.high.as_ref().zip(other.high.as_ref()).map(|(a, b)| a.max(b).clone());
        Bounds { low, high }
    }
}

type AllBounds = OrderedMap<TermId, Bounds>;

/// The integer constants that have one value only wherever the formula holds, with that value.
pub fn constants(tm: &Terms, formula: TermId) -> Vec<(TermId, Int)> {
    let order = tm.postorder(&[formula]);
    if order.len() > MAX_NODES {
        return Vec::new();
    }
    let mut known: Map<TermId, Rc<AllBounds>> = Map::default();
    for t in order.into_iter().filter(|&t| tm.is_bool(t)) {
        let bounds = match tm.op(t) {
            Op::And => conjunction(tm.args(t), &known),
            Op::Or => disjunction(tm.args(t), &known),
            Op::Not => atom(tm, tm.args(t)[0], false),
            _ => atom(tm, t, true),
        };
        known.insert(t, Rc::new(bounds));
    }
    let Some(bounds) = known.get(&formula) else { return Vec::new() };
    let fixed = bounds.iter().filter_map(|(&symbol, Bounds { low, high })| {
        let (low, high) = (low.as_ref()?, high.as_ref()?);
        (low == high).then(|| (symbol, low.clone()))
    });
    fixed.collect()
}

fn conjunction(args: &[TermId], known: &Map<TermId, Rc<AllBounds>>) -> AllBounds {
    let mut all = AllBounds::default();
    for arg in args {
        for (&symbol, bounds) in known[arg].iter() {
            all.entry(symbol).or_default().meet(bounds);
        }
    }
    all
}

fn disjunction(args: &[TermId], known: &Map<TermId, Rc<AllBounds>>) -> AllBounds {
    let Some((first, rest)) = args.split_first() else { return AllBounds::default() };
    let mut all = (*known[first]).clone();
    for arg in rest {
        let other = &known[arg];
        all = all
            .into_iter()
            .filter_map(|(symbol, bounds)| Some((symbol, bounds.join(other.get(&symbol)?))))
            .collect();
    }
    all
}

/// What a comparison of a symbol with a number, or its negation, says.
fn atom(tm: &Terms, t: TermId, positive: bool) -> AllBounds {
    let mut all = AllBounds::default();
    let &[left, right] = tm.args(t) else { return all };
    // The symbol and its sign, and the number on the other side.
    let (symbol, negated, number, symbol_is_left) = match (symbol(tm, left), tm.int_value(right)) {
        (Some((symbol, negated)), Some(number)) => (symbol, negated, number, true),
        _ => match (tm.int_value(left), symbol(tm, right)) {
            (Some(number), Some((symbol, negated))) => (symbol, negated, number, false),
            _ => return all,
        },
    };
    let number = if negated { -number } else { number };
    let bounds = match (tm.op(t), positive) {
        (Op::Eq, true) => Bounds { low: Some(number.clone()), high: Some(number) },
        (Op::Le, _) => {
            let is_upper = (symbol_is_left != negated) == positive;
            // The negation is strict: one less, or one more.
            let number = match (positive, is_upper) {
                (true, _) => number,
                (false, true) => number - Int::ONE,
                (false, false) => number + Int::ONE,
            };
            if is_upper {
                Bounds { low: None, high: Some(number) }
            } else {
                Bounds { low: Some(number), high: None }
            }
        }
        _ => return all,
    };
    all.insert(symbol, bounds);
    all
}

/// `x` or `-x` for an integer constant `x`.
fn symbol(tm: &Terms, t: TermId) -> Option<(TermId, bool)> {
    if tm.sort(t) != Terms::INT {
        return None;
    }
    match tm.op(t) {
        Op::Const(_) => Some((t, false)),
        Op::Scale => {
            let &[factor, inner] = tm.args(t) else { return None };
            let is_minus = tm.int_value(factor)? == Int::MINUS_ONE;
            (is_minus && matches!(tm.op(inner), Op::Const(_))).then_some((inner, true))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_found_through_cases() {
        let mut tm = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| tm.declare_const(name, Terms::INT).expect("new"));
        let n = |tm: &mut Terms, n: i64| tm.int(n);
        let (three, four, five) = (n(&mut tm, 3), n(&mut tm, 4), n(&mut tm, 5));
        let x_is_3 = tm.eq(x, three);
        let (y_low, y_high) = (tm.ge(y, four), tm.le(y, four));
        let above = tm.gt(y, five);
        let not_above_5 = tm.not(above);
        let left = tm.and(&[x_is_3, y_low, y_high]);
        let z_is_5 = tm.eq(z, five);
        let (x_low, x_high) = (tm.ge(x, three), tm.lt(x, four));
        let right = tm.and(&[x_low, x_high, z_is_5, not_above_5]);
        let both = tm.or2(left, right);
        assert_eq!(constants(&tm, left), [(x, Int::from(3)), (y, Int::from(4))]);
        assert_eq!(constants(&tm, both), [(x, Int::from(3))]);
    }
}
