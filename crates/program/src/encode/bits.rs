//! Bitwise operations as arithmetic.
//!
//! Everything comes from conjunction: `a | b = a + b - (a & b)` and `a ^ b = a + b - 2 (a & b)`
//! hold for two's complement numbers of unbounded width, and so do the facts used below. A value
//! and its low `k` bits: `a mod 2^k`, with Euclid's remainder, also for negative numbers.

use super::{Encoder, Value};
use crate::expr::BinaryOp;
use crate::interval::Interval;
use crate::ir::Arithmetic;
use crate::types::{IntType, Type};
use craig_num::Int;
use craig_term::{Op, TermId, Terms};

/// A mask with more runs of ones than this is not worth its remainders.
const MAX_RUNS: usize = 4;
/// Values of at most so many bits are combined bit by bit.
const MAX_BITS: u32 = 4;

impl Encoder<'_> {
    pub(super) fn complement(&mut self, a: &Value, ty: Type) -> Value {
        let int = self.integer_of(ty);
        let unsigned = !int.signed && self.program.arithmetic != Arithmetic::Ideal;
        let all_ones = if unsigned { Int::pow2(u32::from(int.bits)) - Int::ONE } else { Int::MINUS_ONE };
        let numeral = self.terms.int(all_ones.clone());
        let range = Interval::constant(all_ones).sub(&a.range);
        Value { term: self.terms.sub(numeral, a.term), range }
    }

    pub(super) fn bitwise(&mut self, op: BinaryOp, a: &Value, b: &Value, ty: Type) -> Value {
        if [a, b].iter().all(|value| value.range.is_within(&Interval::new(0, 1)))
            && let Some(value) = self.of_truth_values(op, a, b)
        {
            return value;
        }
        let and = self.conjunction(a, b, ty);
        if op == BinaryOp::And {
            return and;
        }
        let sum = self.terms.add2(a.term, b.term);
        let mut term = self.terms.sub(sum, and.term);
        if op == BinaryOp::Xor {
            term = self.terms.sub(term, and.term);
        }
        let range = bitwise_range(op, &a.range, &b.range).meet(&self.type_range(ty)).unwrap_or(Interval::ALL);
        let value = Value { term, range };
        if self.approximations.contains(&self.current) {
            let bounds = self.in_range(value.term, &value.range);
            self.require(bounds);
        }
        value
    }

    /// `(x == 1) | (y == 1)` and the like: a condition made of conditions, not a sum of them.
    fn of_truth_values(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
        let is_truth_value = |value: &Value| self.terms.op(value.term) == Op::Ite;
        if !is_truth_value(a) || !is_truth_value(b) {
            return None;
        }
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let [x, y] = [a, b].map(|value| self.terms.eq(value.term, one));
        let holds = match op {
            BinaryOp::And => self.terms.and2(x, y),
            BinaryOp::Or => self.terms.or2(x, y),
            BinaryOp::Xor => self.terms.xor(x, y),
            _ => return None,
        };
        Some(Value { term: self.terms.ite(holds, one, zero), range: Interval::new(0, 1) })
    }

    fn conjunction(&mut self, a: &Value, b: &Value, ty: Type) -> Value {
        if a.term == b.term {
            return a.clone();
        }
        for (mask, value) in [(a, b), (b, a)] {
            if let Some(mask) = mask.range.as_constant().cloned()
                && let Some(result) = self.mask(value, &mask)
            {
                return result;
            }
        }
        if let Some(bits) = small_width(&a.range).and_then(|x| small_width(&b.range).map(|y| x.min(y))) {
            return self.bit_by_bit(a, b, bits);
        }
        for (bit, value) in [(a, b), (b, a)] {
            if bit.range.is_within(&Interval::new(0, 1)) {
                let low = self.low_bits(value, 1);
                let one = self.terms.int(1);
                let zero = self.terms.int(0);
                let set = self.terms.eq(bit.term, one);
                return Value { term: self.terms.ite(set, low.term, zero), range: Interval::new(0, 1) };
            }
        }
        for (low, high) in [(a, b), (b, a)] {
            let zeros = trailing_zeros(self.terms, high.term);
            if low.range.is_within(&below_power(zeros)) {
                // As in `low | high << 8`: no bit is set in both.
                return Value { term: self.terms.int(0), range: Interval::constant(0) };
            }
        }
        self.approximate_conjunction(a, b, ty)
    }

    /// `value & mask`, if the mask has few runs of ones.
    pub(super) fn mask(&mut self, value: &Value, mask: &Int) -> Option<Value> {
        if mask.is_negative() {
            // value & mask = value - (value & ~mask)
            let cleared = self.mask(value, &(-mask - Int::ONE))?;
            let term = self.terms.sub(value.term, cleared.term);
            let range = bitwise_range(BinaryOp::And, &value.range, &Interval::constant(mask.clone()));
            return Some(Value { term, range });
        }
        let runs = runs_of_ones(mask)?;
        let mut term = self.terms.int(0);
        for (start, end) in runs {
            let upper = self.low_bits(value, end);
            let lower = self.low_bits(value, start);
            let run = self.terms.sub(upper.term, lower.term);
            term = self.terms.add2(term, run);
        }
        let range = bitwise_range(BinaryOp::And, &value.range, &Interval::constant(mask.clone()));
        Some(Value { term, range })
    }

    /// The lowest bits, as a number that is not negative.
    pub(super) fn low_bits(&mut self, value: &Value, bits: u32) -> Value {
        match u8::try_from(bits) {
            Ok(0) => Value { term: self.terms.int(0), range: Interval::constant(0) },
            Ok(bits) => self.wrap(value.clone(), IntType::unsigned(bits)),
            Err(_) => value.clone(),
        }
    }

    fn bit_by_bit(&mut self, a: &Value, b: &Value, bits: u32) -> Value {
        let mut term = self.terms.int(0);
        let zero = self.terms.int(0);
        for bit in 0..bits {
            let [x, y] = [a, b].map(|value| {
                let upper = self.low_bits(value, bit + 1).term;
                let lower = self.low_bits(value, bit).term;
                let weighted = self.terms.sub(upper, lower);
                let weight = self.terms.int(Int::pow2(bit));
                self.terms.eq(weighted, weight)
            });
            let both = self.terms.and2(x, y);
            let weight = self.terms.int(Int::pow2(bit));
            let part = self.terms.ite(both, weight, zero);
            term = self.terms.add2(term, part);
        }
        Value { term, range: bitwise_range(BinaryOp::And, &a.range, &b.range) }
    }

    fn approximate_conjunction(&mut self, a: &Value, b: &Value, ty: Type) -> Value {
        let (a, b) = if a.term <= b.term { (a, b) } else { (b, a) };
        let range = bitwise_range(BinaryOp::And, &a.range, &b.range)
            .meet(&self.type_range(ty))
            .unwrap_or(Interval::ALL);
        let result = self.result(BinaryOp::And, ty, a, b, range);
        let zero = self.terms.int(0);
        let same = self.terms.eq(a.term, b.term);
        let result_same = self.terms.eq(result.term, a.term);
        let idempotent = self.terms.implies(same, result_same);
        self.require(idempotent);
        let nonnegative = self.terms.ge(result.term, zero);
        let negative = self.terms.not(nonnegative);
        let [a_natural, b_natural] = [a, b].map(|value| self.terms.ge(value.term, zero));
        for (natural, value) in [(a_natural, a), (b_natural, b)] {
            let at_most = self.terms.le(result.term, value.term);
            let both = self.terms.and2(nonnegative, at_most);
            let axiom = self.terms.implies(natural, both);
            self.require(axiom);
        }
        let nothing = self.terms.eq(result.term, zero);
        for (low, high) in [(a, b), (b, a)] {
            let zeros = trailing_zeros(self.terms, high.term);
            if zeros > 0 {
                let is_low = self.in_range(low.term, &below_power(zeros));
                let disjoint = self.terms.implies(is_low, nothing);
                self.require(disjoint);
            }
        }
        let [below_a, below_b] = [a, b].map(|value| self.terms.le(result.term, value.term));
        let both = self.terms.and(&[negative, below_a, below_b]);
        let axiom = self.terms.or(&[a_natural, b_natural, both]);
        self.require(axiom);
        if self.program.arithmetic != Arithmetic::Ideal {
            self.outer_bits(a, b, result.term, self.integer_of(ty));
        }
        result
    }

    /// What masks that are made by calculation rely on: all ones change nothing, and the highest bit.
    fn outer_bits(&mut self, a: &Value, b: &Value, result: TermId, int: IntType) {
        let (ones, top) = match int.signed {
            true => (Int::MINUS_ONE, None),
            false => (Int::pow2(u32::from(int.bits)) - Int::ONE, Some(Int::pow2(u32::from(int.bits) - 1))),
        };
        for (mask, value) in [(a, b), (b, a)] {
            if mask.range.contains(&ones) {
                let numeral = self.terms.int(ones.clone());
                let is_mask = self.terms.eq(mask.term, numeral);
                let unchanged = self.terms.eq(result, value.term);
                let axiom = self.terms.implies(is_mask, unchanged);
                self.require(axiom);
            }
        }
        // The sign of a signed number says the same.
        let Some(top) = top else { return };
        let top = self.terms.int(top);
        let [in_a, in_b, in_both] = [a.term, b.term, result].map(|term| self.terms.ge(term, top));
        let everywhere = self.terms.and2(in_a, in_b);
        let axiom = self.terms.iff(everywhere, in_both);
        self.require(axiom);
        let somewhere = self.terms.or2(in_a, in_b);
        let sum = self.terms.add2(a.term, b.term);
        let disjunction = self.terms.sub(sum, result);
        let low = self.terms.lt(disjunction, top);
        let axiom = self.terms.or2(somewhere, low);
        self.require(axiom);
    }
}

/// The numbers from zero that have at most so many bits.
fn below_power(bits: u32) -> Interval {
    Interval::new(Int::ZERO, Int::pow2(bits) - Int::ONE)
}

/// Terms with more nodes are not looked at for factors that are powers of two.
const MAX_FACTOR_NODES: usize = 200;

/// A power of two that divides the term, as its exponent: low bits that are zero for sure.
fn trailing_zeros(terms: &Terms, root: TermId) -> u32 {
    // Enough for every type; zero itself has no last bit that is set.
    const ALL: u32 = 128;
    let mut least = ALL;
    let mut visited = 0;
    let mut pending = vec![(root, 0u32)];
    while let Some((t, factor)) = pending.pop() {
        visited += 1;
        if visited > MAX_FACTOR_NODES {
            return 0;
        }
        if let Some(number) = terms.int_value(t) {
            let zeros = number.to_i128().map_or(0, |n| if n == 0 { ALL } else { n.trailing_zeros() });
            least = least.min(factor + zeros);
            continue;
        }
        let args = terms.args(t);
        match terms.op(t) {
            Op::Scale => match terms.int_value(args[0]).and_then(|n| n.to_i128()) {
                Some(scale) => pending.push((args[1], factor + scale.trailing_zeros())),
                None => return 0,
            },
            Op::Add => pending.extend(args.iter().map(|&arg| (arg, factor))),
            Op::Ite => pending.extend(args[1..].iter().map(|&arg| (arg, factor))),
            // The remainder of a multiple of 2^k by a multiple of 2^k.
            Op::Mod => pending.extend(args.iter().map(|&arg| (arg, factor))),
            _ => least = least.min(factor),
        }
    }
    least.min(ALL)
}

/// The number of bits, if the values are small and not negative.
fn small_width(range: &Interval) -> Option<u32> {
    if !range.is_nonnegative() {
        return None;
    }
    let hi = range.hi.as_ref()?;
    (0..=MAX_BITS).find(|&bits| *hi < Int::pow2(bits))
}

/// The runs of ones of a mask that is not negative, as (first bit, end).
fn runs_of_ones(mask: &Int) -> Option<Vec<(u32, u32)>> {
    let bits = u128::try_from(mask.to_i128()?).ok()?;
    let mut runs = Vec::new();
    let mut at = 0u32;
    while at < 127 && bits >> at != 0 {
        let start = at + (bits >> at).trailing_zeros();
        let end = start + (bits >> start).trailing_ones();
        runs.push((start, end));
        at = end;
    }
    (runs.len() <= MAX_RUNS).then_some(runs)
}

/// Bounds on the result of a bitwise operation on two's complement numbers.
pub fn bitwise_range(op: BinaryOp, a: &Interval, b: &Interval) -> Interval {
    let below_power = |x: &Int, y: &Int| {
        let most = x.max(y);
        let bits = (0u32..).find(|&bits| *most < Int::pow2(bits)).unwrap_or(u32::MAX);
        Int::pow2(bits) - Int::ONE
    };
    let both_natural = a.is_nonnegative() && b.is_nonnegative();
    match op {
        BinaryOp::And => {
            let hi = match (a.is_nonnegative(), b.is_nonnegative()) {
                (true, true) => match (&a.hi, &b.hi) {
                    (Some(x), Some(y)) => Some(x.min(y).clone()),
                    (x, y) => x.clone().or_else(|| y.clone()),
                },
                (true, false) => a.hi.clone(),
                (false, true) => b.hi.clone(),
                // With signs unknown the larger upper bound still holds.
                (false, false) => match (&a.hi, &b.hi) {
                    (Some(x), Some(y)) => Some(x.max(y).clone()),
                    _ => None,
                },
            };
            let lo =
                if a.is_nonnegative() || b.is_nonnegative() { Some(Int::ZERO) } else { negative_bound(a, b) };
            Interval { lo, hi }
        }
        _ if both_natural => {
            let hi = a.hi.as_ref().zip(b.hi.as_ref()).map(|(x, y)| below_power(x, y));
            Interval { lo: Some(Int::ZERO), hi }
        }
        _ => match (a.magnitude(), b.magnitude()) {
            (Some(x), Some(y)) => {
                let most = below_power(&x, &y);
                Interval { lo: Some(-&most - Int::ONE), hi: Some(most) }
            }
            _ => Interval::ALL,
        },
    }
}

/// The least result of a conjunction whose operands may both be negative.
fn negative_bound(a: &Interval, b: &Interval) -> Option<Int> {
    let least = a.lo.as_ref()?.min(b.lo.as_ref()?).clone();
    let bits = (0u32..).find(|&bits| -Int::pow2(bits) <= least)?;
    Some(-Int::pow2(bits))
}
