//! Rounding keeps the order: where one operation is applied twice, its results are in the order of its operands. A solver would
//! have to find that out from two adders or multipliers, which it rarely does; so it is told, as a fact, where two such results are
//! compared, and then where operands are results themselves.
//!
//! With `x = a + c` and `y = b + c`, rounded in the same way, `y < x` implies `b < a`: neither result is NaN, so no operand is; and
//! if `a <= b`, the exact sums are in this order, as are those with infinities, and what they are rounded to. The other
//! rules are of the same kind; of products and quotients they depend on signs.
//!
//! Any number is its sum with zero, its product with one and its quotient by one; and one is the quotient of a number and itself,
//! where it is neither zero nor infinite. So results are compared with their operands by the same rules. Half of a sum lies
//! between what was added up.

use super::{Format, Rounding, below, classes, equal, negate};
use crate::circuit::{Bit, Circuit};
use crate::words;
use craig_base::{Map, Set};
use std::rc::Rc;

/// So many pairs of results are related for one comparison.
const MOST: usize = 64;

type Bits = Rc<[Bit]>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sum,
    Product,
    Quotient,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Operation {
    kind: Kind,
    format: Format,
    rounding: Rounding,
    operands: [Bits; 2],
}

/// What results are of, and which have been related.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    operations: Map<Bits, Operation>,
    related: Set<[Bits; 2]>,
    ordered: Set<[Bits; 2]>,
}

impl Results {
    /// The same operation, with the same rounding, of which both are results.
    fn alike(&self, f: Format, x: &Bits, y: &Bits) -> Option<[Operation; 2]> {
        let of = |word: &Bits| self.operations.get(word).filter(|operation| operation.format == f);
        match (of(x), of(y)) {
            (Some(p), Some(q)) if p.kind == q.kind && p.rounding == q.rounding => {
                Some([p.clone(), q.clone()])
            }
            (p, q) => {
                let first = p.and_then(|p| Some([p.clone(), p.of_operand(y)?]));
                first.or_else(|| q.and_then(|q| Some([q.of_operand(x)?, q.clone()])))
            }
        }
    }
}

impl Operation {
    /// How an operand is the result of the same operation, as far as comparisons tell.
    fn of_operand(&self, number: &Bits) -> Option<Operation> {
        let f = self.format;
        let one = power(f, 0);
        let operands = match self.kind {
            Kind::Sum if self.operands.contains(number) => {
                [number.clone(), words::constant(f.width(), 0).into()]
            }
            Kind::Product if self.operands.contains(number) => [number.clone(), one],
            Kind::Quotient if self.operands[0] == *number => [number.clone(), one],
            Kind::Quotient if *number == one => [self.operands[1].clone(), self.operands[1].clone()],
            _ => return None,
        };
        Some(Operation { operands, ..self.clone() })
    }

    /// The sum of which this is half.
    fn halved(&self) -> Option<&Bits> {
        let [a, b] = &self.operands;
        let half = power(self.format, -1);
        match self.kind {
            Kind::Quotient => (*b == power(self.format, 1)).then_some(a),
            Kind::Product if *b == half => Some(a),
            Kind::Product if *a == half => Some(b),
            _ => None,
        }
    }
}

/// A power of two near one, which is a normal number.
fn power(f: Format, exponent: i64) -> Bits {
    words::constant(f.width(), ((f.bias() + exponent) as u128) << f.fraction).into()
}

/// If `x` is half of the sum of two, `y < x` implies that `y` is less than one of these, and the other way round: what is not above
/// `y` adds up to no more than twice that, or to infinity.
fn half_of_sum(c: &mut Circuit, f: Format, x: &Bits, y: &Bits, open: &mut Vec<[Bits; 2]>) {
    // In a format with two bits of exponent, a half is not normal.
    let Some(half) = c.results.operations.get(x).filter(|half| half.format == f && f.exponent > 2) else {
        return;
    };
    let Some(sum) = half.halved().cloned() else { return };
    let Some(added) = c.results.operations.get(&sum) else { return };
    // Towards zero, a sum beyond all numbers is the largest number.
    let nearest = [added, half].iter().all(|operation| operation.rounding == Rounding::NEAREST);
    if added.kind != Kind::Sum || added.format != f || !nearest {
        return;
    }
    let operands = added.operands.clone();
    // The sum of two that are less than half of what is beyond all numbers is a number.
    let infinite = classes(c, f, &sum).1;
    let large = operands.each_ref().map(|operand| words::all(c, &operand[f.fraction + 1..f.width() - 1]));
    let large = c.or(large[0], large[1]);
    let infinite = c.and(infinite, large);
    for is_less in [true, false] {
        let mut fact = infinite;
        let premise = if is_less { ordered(c, f, y, x) } else { ordered(c, f, x, y) };
        fact = c.or(fact, !premise);
        for operand in &operands {
            let [a, b] = if is_less { upright(f, y, operand) } else { upright(f, operand, y) };
            let less = ordered(c, f, &a, &b);
            fact = c.or(fact, less);
            open.push([a, b]);
        }
        c.add_fact(fact);
    }
}

/// Notes that a word is the result of an operation.
pub(super) fn is_result(
    c: &mut Circuit,
    kind: Kind,
    format: Format,
    rounding: Rounding,
    operands: [&[Bit]; 2],
    result: &[Bit],
) {
    if words::as_constant(result).is_none() {
        let operation = Operation { kind, format, rounding, operands: operands.map(Bits::from) };
        c.results.operations.insert(result.into(), operation);
    }
}

/// The facts about two words that are compared.
pub(super) fn compared(c: &mut Circuit, f: Format, a: &[Bit], b: &[Bit]) {
    let mut open = vec![upright(f, a, b)];
    let mut related = 0;
    while let Some([x, y]) = open.pop() {
        if x == y || related == MOST || c.results.related.contains(&[x.clone(), y.clone()]) {
            continue;
        }
        for (x, y) in [(&x, &y), (&y, &x)] {
            half_of_sum(c, f, x, y, &mut open);
        }
        let Some([p, q]) = c.results.alike(f, &x, &y) else { continue };
        related += 1;
        let (kind, p, q) = (p.kind, p.operands, q.operands);
        for (x, y, p, q) in [(&x, &y, &p, &q), (&y, &x, &q, &p)] {
            c.results.related.insert([x.clone(), y.clone()]);
            let less = ordered(c, f, y, x);
            for (condition, consequences) in relations(c, f, kind, [x, y], p, q, &mut open) {
                let any = consequences.into_iter().fold(!condition, |any, bit| c.or(any, bit));
                let fact = c.or(!less, any);
                c.add_fact(fact);
            }
        }
    }
}

/// Under each condition one of these holds, if `y < x` does.
fn relations(
    c: &mut Circuit,
    f: Format,
    kind: Kind,
    [x, y]: [&Bits; 2],
    p: &[Bits; 2],
    q: &[Bits; 2],
    open: &mut Vec<[Bits; 2]>,
) -> Vec<(Bit, Vec<Bit>)> {
    let sign = |word: &Bits| word[f.width() - 1];
    let mut compare = |c: &mut Circuit, a: &Bits, b: &Bits| {
        let [a, b] = upright(f, a, b);
        let less = ordered(c, f, &a, &b);
        open.push([a, b]);
        less
    };
    if kind == Kind::Quotient {
        let [[a, c_a], [b, c_b]] = [p, q];
        if c_a == c_b {
            // In the order of the dividends, or the other.
            let (up, down) = (compare(c, b, a), compare(c, a, b));
            return vec![(Bit::TRUE, vec![c.mux(sign(c_a), down, up)])];
        }
        if a == b {
            // The other order, or that of the divisors, if both have the same sign.
            let (up, down) = (compare(c, c_b, c_a), compare(c, c_a, c_b));
            let same = !c.xor(sign(c_a), sign(c_b));
            return vec![(same, vec![c.mux(sign(a), up, down)])];
        }
        return Vec::new();
    }
    let shared = (0..2).flat_map(|i| [(i, 0), (i, 1)]).find(|&(i, j)| p[i] == q[j]);
    if let Some((i, j)) = shared {
        let (a, b) = (&p[1 - i], &q[1 - j]);
        let up = compare(c, b, a);
        if kind == Kind::Sum {
            return vec![(Bit::TRUE, vec![up])];
        }
        let down = compare(c, a, b);
        return vec![(Bit::TRUE, vec![c.mux(sign(&p[i]), down, up)])];
    }
    let mut found = Vec::new();
    let is_square = p[0] == p[1] && q[0] == q[1];
    // Both operands grow, of products those that are not negative.
    let signs = p.iter().chain(q).map(sign);
    let negative = signs.fold(Bit::FALSE, |any, sign| c.or(any, sign));
    let condition = if kind == Kind::Sum { Bit::TRUE } else { !negative };
    for order in [[0, 1], [1, 0]].into_iter().take(if is_square { 1 } else { 2 }) {
        found.push((condition, (0..2).map(|i| compare(c, &q[order[i]], &p[i])).collect()));
    }
    if is_square && kind == Kind::Product {
        let size = |word: &Bits| [&word[..f.width() - 1], &[Bit::FALSE]].concat();
        let negative = c.or(sign(x), sign(y));
        found.push((!negative, vec![ordered(c, f, &size(&q[0]), &size(&p[0]))]));
    }
    found
}

/// Numbers in the order of two that were negated.
fn upright(f: Format, a: &[Bit], b: &[Bit]) -> [Bits; 2] {
    let is_negated = |word: &[Bit]| word[f.width() - 1].is_negated() && word[f.width() - 1] != Bit::TRUE;
    match is_negated(a) && is_negated(b) {
        true => [negate(b).into(), negate(a).into()],
        false => [a.into(), b.into()],
    }
}

/// Whether the first number is less, with the facts that of two numbers one is less or both are equal.
fn ordered(c: &mut Circuit, f: Format, a: &[Bit], b: &[Bit]) -> Bit {
    let less = below(c, f, a, b);
    if c.results.ordered.insert([a.into(), b.into()]) && c.results.ordered.insert([b.into(), a.into()]) {
        let (more, same) = (below(c, f, b, a), equal(c, f, a, b));
        let (nan_a, nan_b) = (classes(c, f, a).0, classes(c, f, b).0);
        let nan = c.or(nan_a, nan_b);
        let (one, other) = (c.or(less, more), c.or(same, nan));
        let some = c.or(one, other);
        c.add_fact(some);
        for (x, y) in [(less, more), (less, same), (more, same)] {
            let both = c.and(x, y);
            c.add_fact(!both);
        }
    }
    less
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::{add, divide, less, multiply};

    type Operation = fn(&mut Circuit, Format, Rounding, &[Bit], &[Bit]) -> Vec<Bit>;
    const OPERATIONS: [Operation; 3] = [add, multiply, divide];
    /// The numbers of the four inputs that are the operands of two operations, and whether those are negated.
    const OPERANDS: [([usize; 4], bool); 7] = [
        ([0, 2, 1, 2], false),
        ([2, 0, 2, 1], false),
        ([2, 0, 2, 1], true),
        ([0, 2, 2, 1], false),
        ([0, 0, 1, 1], false),
        ([0, 1, 2, 3], false),
        ([0, 1, 0, 1], false),
    ];

    fn modes() -> [Rounding; 5] {
        let none = Rounding::TOWARDS_ZERO;
        [
            none,
            Rounding::NEAREST,
            Rounding { away: Bit::TRUE, ..none },
            Rounding { up: Bit::TRUE, ..none },
            Rounding { down: Bit::TRUE, ..none },
        ]
    }

    /// All facts that come of a comparison hold, whatever the operands are.
    #[test]
    fn results_are_in_the_order_of_their_operands() {
        let mut related = 0;
        for (exponent, fraction, one_nan) in [(2, 1, true), (2, 2, false), (3, 1, false)] {
            let f = Format { exponent, fraction, one_nan };
            for (rounding, first) in
                modes().into_iter().flat_map(|mode| OPERATIONS.map(|first| (mode, first)))
            {
                for (chosen, negated) in OPERANDS {
                    let mut c = Circuit::default();
                    let words: Vec<_> = (0..4).map(|_| words::inputs(&mut c, f.width())).collect();
                    let [p, q, r, s] = chosen.map(|i| words[i].clone());
                    let [q, s] = if negated { [&q, &s].map(|word| negate(word)) } else { [q, s] };
                    let x = first(&mut c, f, rounding, &p, &q);
                    let y = first(&mut c, f, rounding, &r, &s);
                    // Once more, so that operands are results.
                    let (z, w) =
                        (add(&mut c, f, rounding, &x, &words[3]), add(&mut c, f, rounding, &y, &words[3]));
                    let before = c.facts().len();
                    less(&mut c, f, &z, &w);
                    let one = power(f, 0);
                    let sum = add(&mut c, f, rounding, &p, &q);
                    let two = power(f, 1);
                    let half = divide(&mut c, f, rounding, &sum, &two);
                    let also = multiply(&mut c, f, rounding, &power(f, -1), &sum);
                    for (a, b) in [(&x, &p), (&q, &x), (&x, &one.to_vec()), (&half, &p), (&s, &also)] {
                        less(&mut c, f, a, b);
                    }
                    related += usize::from(c.facts().len() > before + 8);
                    let mut random = 1u64;
                    let mut next = || {
                        random ^= random << 13;
                        random ^= random >> 7;
                        random ^= random << 17;
                        random
                    };
                    for _ in 0..16 {
                        let inputs: Vec<u64> = (0..c.len()).map(|_| next()).collect();
                        let values = c.simulate_lanes(&inputs);
                        let always =
                            |fact: &Bit| values[fact.gate()] == if fact.is_negated() { 0 } else { !0 };
                        assert!(c.facts().iter().all(always), "{chosen:?} {negated} {rounding:?} {f:?}");
                    }
                }
            }
        }
        assert!(related > 100, "{related}");
    }
}
