//! Operations without an exact meaning in linear arithmetic: products, quotients and remainders of two variables,
//! and their common bits.
//!
//! Their results are constants, restricted by facts that always hold. Where these are too few, the operands of a
//! model that is no execution say which facts are missing ([`Meaning::facts_at`]).

use crate::meaning::{Meaning, power};
use craig_base::Map;
use craig_num::Int;
use craig_program::{Arithmetic, IntType, Type};
use craig_term::{Model, Op, TermId, Terms, Value};

/// An operation whose result has no term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Inexact {
    Quotient,
    Remainder,
    /// `&`; the other bit operations follow from it.
    Conjunction,
}

impl Meaning<'_> {
    /// Signs, and growth, of a product of two terms: what linear reasoning can use of it.
    pub(crate) fn product_facts(&mut self, tm: &mut Terms, a: TermId, b: TermId, product: TermId) {
        if tm.number(a).is_some() || tm.number(b).is_some() {
            return;
        }
        let zero = tm.int(0);
        let (a0, b0) = (tm.ge(a, zero), tm.ge(b, zero));
        let (p0, pn) = (tm.ge(product, zero), tm.le(product, zero));
        let same_sign = tm.iff(a0, b0);
        let (za, zb) = (tm.eq(a, zero), tm.eq(b, zero));
        let null = tm.or2(za, zb);
        let is_null = tm.eq(product, zero);
        let null_iff = tm.iff(null, is_null);
        let sign = tm.ite(same_sign, p0, pn);
        // Otherwise the product is at least as large as either factor.
        let magnitude = |tm: &mut Terms, t: TermId| {
            let (minus_t, natural) = (tm.neg(t), tm.ge(t, zero));
            tm.ite(natural, t, minus_t)
        };
        let [size_a, size_b, size] = [a, b, product].map(|t| magnitude(tm, t));
        let (grows_a, grows_b) = (tm.ge(size, size_a), tm.ge(size, size_b));
        let grows = tm.and2(grows_a, grows_b);
        let large = tm.or2(null, grows);
        self.assumptions.extend([null_iff, sign, large]);
        let one = tm.int(1);
        for (x, y) in [(a, b), (b, a)] {
            let (is_one, is_y) = (tm.eq(x, one), tm.eq(product, y));
            let unit = tm.implies(is_one, is_y);
            self.assumptions.push(unit);
        }
        // What fits into a byte or two has a product of twice the width.
        for bits in [8, 16] {
            let most = power(bits) - Int::from(1);
            let between = |tm: &mut Terms, t: TermId, most: &Int| {
                let (low, high) = (tm.int(-most), tm.int(most.clone()));
                let bounds = [tm.le(low, t), tm.le(t, high)];
                tm.and(&bounds)
            };
            let narrow = [between(tm, a, &most), between(tm, b, &most)];
            let (narrow, short) = (tm.and(&narrow), between(tm, product, &(&most * &most)));
            self.assumptions.push(tm.implies(narrow, short));
        }
        if a == b {
            let (la, na) = (tm.ge(product, a), tm.neg(a));
            let lna = tm.ge(product, na);
            self.assumptions.extend([la, lna]);
        }
    }

    /// Quotient and remainder, truncated towards zero; a zero divisor ends the path.
    pub(crate) fn divide(&mut self, tm: &mut Terms, a: TermId, b: TermId) -> (TermId, TermId) {
        let zero = tm.int(0);
        let nonnegative = tm.ge(a, zero);
        let minus_a = tm.neg(a);
        let magnitude = tm.ite(nonnegative, a, minus_a);
        if let Some(divisor) = tm.int_value(b) {
            if divisor.is_zero() {
                self.assumptions.push(tm.bool(false));
                return (zero, zero);
            }
            let up = tm.div(a, b);
            let down = tm.div(minus_a, b);
            let down = tm.neg(down);
            let quotient = tm.ite(nonnegative, up, down);
            let back = tm.mul(quotient, b);
            return (quotient, tm.sub(a, back));
        }
        let is_zero = tm.eq(b, zero);
        let nonzero = tm.not(is_zero);
        self.assumptions.push(nonzero);
        let quotient = self.inexact(tm, Inexact::Quotient, a, b);
        let remainder = self.inexact(tm, Inexact::Remainder, a, b);
        let b_nonnegative = tm.ge(b, zero);
        let minus_b = tm.neg(b);
        let b_magnitude = tm.ite(b_nonnegative, b, minus_b);
        let (minus_r, minus_q) = (tm.neg(remainder), tm.neg(quotient));
        let facts = [
            tm.lt(remainder, b_magnitude),
            tm.lt(minus_r, b_magnitude),
            tm.le(quotient, magnitude),
            tm.le(minus_q, magnitude),
            tm.le(remainder, magnitude),
            tm.le(minus_r, magnitude),
        ];
        self.assumptions.extend(facts);
        let (r0, rn) = (tm.ge(remainder, zero), tm.le(remainder, zero));
        let remainder_sign = tm.ite(nonnegative, r0, rn);
        let same_sign = tm.iff(nonnegative, b_nonnegative);
        let (q0, qn) = (tm.ge(quotient, zero), tm.le(quotient, zero));
        let quotient_sign = tm.ite(same_sign, q0, qn);
        self.assumptions.extend([remainder_sign, quotient_sign]);
        // A smaller dividend is the remainder; otherwise the divisor can be taken away at least once.
        let smaller = tm.lt(magnitude, b_magnitude);
        let (none, whole) = (tm.eq(quotient, zero), tm.eq(remainder, a));
        let nothing_taken = tm.and2(none, whole);
        let difference = tm.sub(magnitude, b_magnitude);
        let (r_low, r_high) = (tm.le(minus_r, difference), tm.le(remainder, difference));
        let some = tm.not(none);
        let taken = tm.and(&[some, r_low, r_high]);
        let size = tm.ite(smaller, nothing_taken, taken);
        // The divisors 1 and -1 change the sign at most; all others at least halve.
        let (one, minus_one) = (tm.int(1), tm.int(-1));
        let (is_one, is_minus_one) = (tm.eq(b, one), tm.eq(b, minus_one));
        let (same, negated) = (tm.eq(quotient, a), tm.eq(quotient, minus_a));
        let double = tm.add2(quotient, quotient);
        let minus_double = tm.neg(double);
        let (half, minus_half) = (tm.le(double, magnitude), tm.le(minus_double, magnitude));
        let halved = tm.and2(half, minus_half);
        let others = tm.ite(is_minus_one, negated, halved);
        let by_divisor = tm.ite(is_one, same, others);
        self.assumptions.extend([size, by_divisor]);
        (quotient, remainder)
    }

    fn inexact(&mut self, tm: &mut Terms, what: Inexact, a: TermId, b: TermId) -> TermId {
        *self.inexact.entry((what, a, b)).or_insert_with(|| tm.fresh_const("inexact", Terms::INT))
    }

    /// Facts that exclude a model which gives wrong results to inexact operations: what the result is if one
    /// operand has the value that it has in the model, that it is the same for the same operands, and how long a result of
    /// `|` can be. None if all results are right.
    pub fn facts_at(&mut self, tm: &mut Terms, model: &Model) -> Vec<TermId> {
        let mut facts = Vec::new();
        let mut same: Map<(Inexact, i128, i128), (TermId, TermId, TermId)> = Map::default();
        for ((what, a, b), result) in self.inexact.clone() {
            let number = |t: TermId| match tm.eval(t, model) {
                Ok(Value::Int(n)) => n.to_i128(),
                _ => None,
            };
            let (Some(x), Some(y), Some(z)) = (number(a), number(b), number(result)) else { continue };
            // The order of terms is not that of their values.
            let is_turned = what == Inexact::Conjunction && y < x;
            let (least, most) = if is_turned { ((b, y), (a, x)) } else { ((a, x), (b, y)) };
            let first = same.entry((what, least.1, most.1)).or_insert((least.0, most.0, result));
            if first.2 != result && number(first.2) != Some(z) {
                let alike = [tm.eq(first.0, least.0), tm.eq(first.1, most.0)];
                let (alike, is_same) = (tm.and(&alike), tm.eq(first.2, result));
                facts.push(tm.implies(alike, is_same));
            }
            let right = match what {
                Inexact::Quotient => x.checked_div(y),
                Inexact::Remainder => x.checked_rem(y),
                Inexact::Conjunction => Some(x & y),
            };
            if right.is_none_or(|right| right == z) {
                continue;
            }
            match what {
                Inexact::Conjunction => {
                    facts.push(self.conjunction_at(tm, a, (b, y), result));
                    facts.push(self.conjunction_at(tm, b, (a, x), result));
                    facts.push(length_of_disjunction(tm, a, b, result, x.max(y)));
                }
                Inexact::Quotient | Inexact::Remainder => {
                    let divisor = tm.int(y);
                    let (quotient, remainder) = self.divide(tm, a, divisor);
                    let exact = if what == Inexact::Quotient { quotient } else { remainder };
                    let (here, is_exact) = (tm.eq(b, divisor), tm.eq(result, exact));
                    facts.push(tm.implies(here, is_exact));
                    let [quotient, remainder] =
                        [Inexact::Quotient, Inexact::Remainder].map(|part| self.inexact(tm, part, a, b));
                    let taken = tm.mul(b, quotient);
                    let whole = tm.add2(taken, remainder);
                    facts.push(tm.eq(a, whole));
                }
            }
        }
        facts
    }

    /// `common` is `a & mask` where `b` is the mask.
    fn conjunction_at(
        &mut self,
        tm: &mut Terms,
        a: TermId,
        (b, mask): (TermId, i128),
        common: TermId,
    ) -> TermId {
        let exact = self.masked(tm, a, Int::from(mask));
        let mask = tm.int(mask);
        let (here, is_exact) = (tm.eq(b, mask), tm.eq(common, exact));
        tm.implies(here, is_exact)
    }

    pub(crate) fn conjunction(&mut self, tm: &mut Terms, int: IntType, a: TermId, b: TermId) -> TermId {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return a;
        }
        let common = self.inexact(tm, Inexact::Conjunction, a, b);
        let zero = tm.int(0);
        let (a0, b0, c0) = (tm.ge(a, zero), tm.ge(b, zero), tm.ge(common, zero));
        let (ca, cb) = (tm.le(common, a), tm.le(common, b));
        let either = tm.or2(a0, b0);
        // The sign bit is set iff it is set in both; below a non-negative operand, `&` only clears.
        let sign = tm.iff(c0, either);
        let below_a = tm.implies(a0, ca);
        let below_b = tm.implies(b0, cb);
        let neither = tm.not(either);
        let both_negative = tm.and2(ca, cb);
        let negative = tm.implies(neither, both_negative);
        let in_range = self.in_range(tm, Type::Int(int), common);
        // The result of `|` lies in the type as well.
        let sum = tm.add2(a, b);
        let disjunction = tm.sub(sum, common);
        let or_in_range = self.in_range(tm, Type::Int(int), disjunction);
        let (one, da, db) = (tm.int(1), tm.ge(disjunction, a), tm.ge(disjunction, b));
        let grows_a = tm.implies(b0, da);
        let grows_b = tm.implies(a0, db);
        let (za, zb) = (tm.eq(a, zero), tm.eq(b, zero));
        let (oa, ob, oc) = (tm.eq(a, one), tm.eq(b, one), tm.eq(common, one));
        let ones = tm.and2(oa, ob);
        let bits_a = tm.or2(za, oa);
        let bits_b = tm.or2(zb, ob);
        let bits = tm.and2(bits_a, bits_b);
        let zc = tm.eq(common, zero);
        let bit = tm.ite(ones, oc, zc);
        let single_bits = tm.implies(bits, bit);
        let null = tm.or2(za, zb);
        let null_common = tm.implies(null, zc);
        self.assumptions.extend([sign, below_a, below_b, negative, in_range, or_in_range]);
        let (equal, is_a) = (tm.eq(a, b), tm.eq(common, a));
        let idempotent = tm.implies(equal, is_a);
        self.assumptions.extend([grows_a, grows_b, single_bits, null_common, idempotent]);
        if self.program.arithmetic != Arithmetic::Ideal {
            self.ends_of_the_word(tm, int, (a, b), common);
        }
        for (low, high) in [(a, b), (b, a)] {
            // Where one number ends before the other begins, as in `low | high << 8`.
            let zeros = zero_bits(tm, high, &mut 100);
            if zeros > 0 {
                let limit = tm.int(power(zeros));
                let (natural, small) = (tm.ge(low, zero), tm.lt(low, limit));
                let below = tm.and2(natural, small);
                let disjoint = tm.implies(below, zc);
                self.assumptions.push(disjoint);
            }
        }
        common
    }

    /// A word of ones leaves the other operand as it is; the first bit of an unsigned word is set in `&` iff it is set
    /// in both, and in `|` only if it is set in one.
    fn ends_of_the_word(&mut self, tm: &mut Terms, int: IntType, (a, b): (TermId, TermId), common: TermId) {
        let bits = u32::from(int.bits);
        let word = tm.int(if int.signed { Int::from(-1) } else { power(bits) - Int::from(1) });
        for (mask, other) in [(a, b), (b, a)] {
            let (full, kept) = (tm.eq(mask, word), tm.eq(common, other));
            let transparent = tm.implies(full, kept);
            self.assumptions.push(transparent);
        }
        if int.signed {
            return;
        }
        let first = tm.int(power(bits - 1));
        let (fa, fb, fc) = (tm.ge(a, first), tm.ge(b, first), tm.ge(common, first));
        let (both, neither) = (tm.and2(fa, fb), [tm.not(fa), tm.not(fb)]);
        let neither = tm.and(&neither);
        let sum = tm.add2(a, b);
        let union = tm.sub(sum, common);
        let short = tm.lt(union, first);
        let facts = [tm.iff(fc, both), tm.implies(neither, short)];
        self.assumptions.extend(facts);
    }
}

/// If neither number is negative or longer than `longest`, `a | b = a + b - common` is not longer either.
fn length_of_disjunction(tm: &mut Terms, a: TermId, b: TermId, common: TermId, longest: i128) -> TermId {
    let bits = 128 - longest.max(0).leading_zeros();
    let (zero, limit) = (tm.int(0), tm.int(power(bits)));
    let sum = tm.add2(a, b);
    let disjunction = tm.sub(sum, common);
    let short = [tm.ge(a, zero), tm.ge(b, zero), tm.lt(a, limit), tm.lt(b, limit)];
    let short = tm.and(&short);
    let still_short = tm.lt(disjunction, limit);
    tm.implies(short, still_short)
}

/// How many low bits of the number are zero for sure. A sum, a choice and a remainder have at least those
/// that all their operands have; `steps` bounds how much of the term is looked at.
fn zero_bits(tm: &Terms, t: TermId, steps: &mut u32) -> u32 {
    const MOST: u32 = 127;
    if let Some(n) = tm.int_value(t) {
        return n.to_i128().map_or(0, |n| if n == 0 { MOST } else { n.trailing_zeros().min(MOST) });
    }
    if *steps == 0 {
        return 0;
    }
    *steps -= 1;
    let args = tm.args(t);
    let mut least = |args: &[TermId]| args.iter().map(|&arg| zero_bits(tm, arg, steps)).min().unwrap_or(0);
    match tm.op(t) {
        Op::Scale if tm.int_value(args[0]).is_some() => (least(&args[..1]) + least(&args[1..])).min(MOST),
        Op::Add | Op::Mod => least(args),
        Op::Ite => least(&args[1..]),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_program::build::Builder;

    /// All words of four bits, under each meaning of overflow.
    #[test]
    fn facts_about_common_bits_hold() {
        for arithmetic in [Arithmetic::AssumeNoOverflow, Arithmetic::Wrap, Arithmetic::Ideal] {
            for int in [IntType::unsigned(4), IntType::signed(4)] {
                let mut program = Builder::new().program;
                program.arithmetic = arithmetic;
                let mut tm = Terms::new();
                let [a, b] = ["a", "b"].map(|name| tm.declare_const(name, Terms::INT).expect("new"));
                let mut meaning = Meaning::new(&program);
                let common = meaning.conjunction(&mut tm, int, a, b);
                let words = int.min()..=int.max() as i128;
                for (x, y) in words.clone().flat_map(|x| words.clone().map(move |y| (x, y))) {
                    let mut model = Model::new();
                    for (t, value) in [(a, x), (b, y), (common, x & y)] {
                        model.set(t, Value::Int(Int::from(value)));
                    }
                    for &fact in &meaning.assumptions {
                        assert_eq!(tm.eval_bool(fact, &model), Ok(true), "{x} & {y}, {int:?}");
                    }
                }
            }
        }
    }
}
