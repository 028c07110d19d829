//! Arithmetic with overflow, products, quotients, remainders and shifts.

use super::{Encoder, Operation, Value};
use crate::expr::BinaryOp;
use crate::interval::Interval;
use crate::ir::Arithmetic;
use crate::types::{IntType, Type};
use craig_num::{Int, Rat};
use craig_term::{TermId, Terms};

/// Wrapping around this many times is a case split; beyond, a remainder.
const MAX_QUOTIENTS: i64 = 3;
/// An operand with this many values is a case split.
const MAX_CASES: i64 = 4;
/// A shift of a constant may have this many cases: each is a numeral.
const MAX_CONSTANT_SHIFTS: i64 = 64;

impl Encoder<'_> {
    /// Brings an exact result into the type, as the program's arithmetic says.
    pub(super) fn fit(&mut self, exact: Value, ty: Type) -> Value {
        let bounds = self.type_range(ty);
        if exact.range.is_within(&bounds) {
            return exact;
        }
        let int = self.integer_of(ty);
        if !int.signed || self.program.arithmetic == Arithmetic::Wrap {
            return self.wrap(exact, int);
        }
        let missing = Interval {
            lo: bounds.lo.clone().filter(|lo| exact.range.lo.as_ref().is_none_or(|known| known < lo)),
            hi: bounds.hi.clone().filter(|hi| exact.range.hi.as_ref().is_none_or(|known| known > hi)),
        };
        let fits = self.in_range(exact.term, &missing);
        self.require(fits);
        let range = exact.range.meet(&bounds).unwrap_or(bounds);
        Value { term: exact.term, range }
    }

    /// The value of the type that is congruent modulo 2^bits.
    pub(super) fn wrap(&mut self, exact: Value, ty: IntType) -> Value {
        let bounds = Interval::of_type(ty);
        if exact.range.is_within(&bounds) {
            return exact;
        }
        let modulus = Int::pow2(u32::from(ty.bits));
        let least = bounds.lo.clone().unwrap_or(Int::ZERO);
        if let Some((lo, hi)) = exact.range.bounds() {
            let first = (lo - &least).div_floor(&modulus);
            let last = (hi - &least).div_floor(&modulus);
            if let Some(extra) = (&last - &first).to_i64().filter(|&extra| extra < MAX_QUOTIENTS) {
                return self.wrap_by_cases(exact, &least, &modulus, first, extra, bounds);
            }
        }
        let modulus = self.terms.int(modulus);
        let least = self.terms.int(least);
        let shifted = self.terms.sub(exact.term, least);
        let remainder = self.terms.modulo(shifted, modulus);
        Value { term: self.terms.add2(remainder, least), range: bounds }
    }

    /// `exact - q * modulus` for the one `q` from `first` to `first + extra` that hits the type.
    fn wrap_by_cases(
        &mut self,
        exact: Value,
        least: &Int,
        modulus: &Int,
        first: Int,
        extra: i64,
        bounds: Interval,
    ) -> Value {
        let mut shifted = |quotient: &Int| {
            let offset = self.terms.int(-(quotient * modulus));
            self.terms.add2(exact.term, offset)
        };
        let cases: Vec<(Int, TermId)> = (0..=extra)
            .map(|i| &first + Int::from(i))
            .map(|quotient| (quotient.clone(), shifted(&quotient)))
            .collect();
        let (_, mut term) = cases[cases.len() - 1].clone();
        for (quotient, value) in cases.iter().rev().skip(1) {
            let end = self.terms.int((quotient + Int::ONE) * modulus + least);
            let below = self.terms.lt(exact.term, end);
            term = self.terms.ite(below, *value, term);
        }
        let range = if extra == 0 { exact.range.sub(&Interval::constant(first * modulus)) } else { bounds };
        Value { term, range }
    }

    pub(super) fn scaled(&mut self, factor: &Int, a: &Value) -> Value {
        let term = self.terms.scale(&Rat::from(factor.clone()), a.term);
        Value { term, range: a.range.mul(&Interval::constant(factor.clone())) }
    }

    /// `f` of the value of `a`, which has few: a chain of case distinctions.
    fn by_cases(
        &mut self,
        a: &Value,
        limit: i64,
        f: &mut dyn FnMut(&mut Self, &Int) -> Option<Value>,
    ) -> Option<Value> {
        let count = a.range.count_up_to(limit)?;
        let lo = a.range.lo.clone()?;
        let mut result: Option<Value> = None;
        for i in (0..count).rev() {
            let candidate = &lo + Int::from(i);
            let Some(value) = f(self, &candidate) else { continue };
            result = Some(match result {
                None => value,
                Some(rest) => {
                    let numeral = self.terms.int(candidate);
                    let here = self.terms.eq(a.term, numeral);
                    Value {
                        term: self.terms.ite(here, value.term, rest.term),
                        range: value.range.join(&rest.range),
                    }
                }
            });
        }
        result
    }

    pub(super) fn product(&mut self, a: &Value, b: &Value, ty: Type) -> Value {
        for (constant, other) in [(a, b), (b, a)] {
            if let Some(factor) = constant.range.as_constant().cloned() {
                let exact = self.scaled(&factor, other);
                return self.fit(exact, ty);
            }
        }
        for (few, other) in [(a, b), (b, a)] {
            let split =
                self.by_cases(few, MAX_CASES, &mut |encoder, factor| Some(encoder.scaled(factor, other)));
            if let Some(exact) = split {
                return self.fit(exact, ty);
            }
        }
        self.approximations.insert(self.current);
        let term = self.terms.mul(a.term, b.term);
        let exact = Value { term, range: a.range.mul(&b.range) };
        self.product_axioms(a, b, &exact);
        self.fit(exact, ty)
    }

    /// Signs, magnitudes and units: what linear reasoning should know of a product.
    fn product_axioms(&mut self, a: &Value, b: &Value, product: &Value) {
        let bounds = self.in_range(product.term, &product.range);
        self.require(bounds);
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        for (x, y) in [(a, b), (b, a)] {
            let x_zero = self.terms.eq(x.term, zero);
            let result_zero = self.terms.eq(product.term, zero);
            let absorbed = self.terms.implies(x_zero, result_zero);
            self.require(absorbed);
            let x_one = self.terms.eq(x.term, one);
            let result_y = self.terms.eq(product.term, y.term);
            let unit = self.terms.implies(x_one, result_y);
            self.require(unit);
            if a.term == b.term {
                let at_least = self.terms.ge(product.term, x.term);
                self.require(at_least);
                break;
            }
        }
        let a_positive = self.terms.gt(a.term, zero);
        let a_negative = self.terms.lt(a.term, zero);
        let b_positive = self.terms.gt(b.term, zero);
        let b_negative = self.terms.lt(b.term, zero);
        let [minus_a, minus_b] = [a.term, b.term].map(|t| self.terms.neg(t));
        let minus_product = self.terms.neg(product.term);
        // In each quadrant the magnitude of the product is at least that of either factor.
        for (x, y, magnitude, size_a, size_b) in [
            (a_positive, b_positive, product.term, a.term, b.term),
            (a_negative, b_negative, product.term, minus_a, minus_b),
            (a_positive, b_negative, minus_product, a.term, minus_b),
            (a_negative, b_positive, minus_product, minus_a, b.term),
        ] {
            let quadrant = self.terms.and2(x, y);
            let at_least_a = self.terms.ge(magnitude, size_a);
            let at_least_b = self.terms.ge(magnitude, size_b);
            let both = self.terms.and2(at_least_a, at_least_b);
            let axiom = self.terms.implies(quadrant, both);
            self.require(axiom);
        }
    }

    /// Truncating division by a constant other than zero.
    pub(super) fn divide_by(&mut self, a: &Value, divisor: &Int) -> Value {
        let magnitude = divisor.abs();
        let numeral = self.terms.int(magnitude.clone());
        let positive = self.terms.div(a.term, numeral);
        let term = if a.range.is_nonnegative() {
            positive
        } else {
            let minus_a = self.terms.neg(a.term);
            let quotient = self.terms.div(minus_a, numeral);
            let negative = self.terms.neg(quotient);
            if a.range.is_nonpositive() {
                negative
            } else {
                let zero = self.terms.int(0);
                let nonnegative = self.terms.ge(a.term, zero);
                self.terms.ite(nonnegative, positive, negative)
            }
        };
        let truncate = |bound: &Int| {
            let quotient = bound.abs().div_floor(&magnitude);
            if bound.is_negative() { -quotient } else { quotient }
        };
        let range = Interval { lo: a.range.lo.as_ref().map(truncate), hi: a.range.hi.as_ref().map(truncate) };
        if divisor.is_negative() {
            Value { term: self.terms.neg(term), range: range.neg() }
        } else {
            Value { term, range }
        }
    }

    /// The remainder of truncating division: it has the sign of the dividend.
    pub(super) fn remainder_by(&mut self, a: &Value, divisor: &Int) -> Value {
        let magnitude = divisor.abs();
        if let Some(size) = a.range.magnitude()
            && size < magnitude
        {
            return a.clone();
        }
        let numeral = self.terms.int(magnitude.clone());
        let most = magnitude - Int::ONE;
        let positive = self.terms.modulo(a.term, numeral);
        if a.range.is_nonnegative() {
            return Value { term: positive, range: Interval::new(0, most) };
        }
        let minus_a = self.terms.neg(a.term);
        let remainder = self.terms.modulo(minus_a, numeral);
        let negative = self.terms.neg(remainder);
        if a.range.is_nonpositive() {
            return Value { term: negative, range: Interval::new(-most, 0) };
        }
        let zero = self.terms.int(0);
        let nonnegative = self.terms.ge(a.term, zero);
        let term = self.terms.ite(nonnegative, positive, negative);
        Value { term, range: Interval::new(-most.clone(), most) }
    }

    /// A divisor is not zero; says so, and gives the value of a path that cannot go on if it is.
    fn divisor_is_zero(&mut self, b: &Value, ty: Type) -> Option<Value> {
        let nonzero = self.nonzero(b);
        self.require(nonzero);
        (b.range.as_constant() == Some(&Int::ZERO))
            .then(|| Value { term: self.terms.int(0), range: self.type_range(ty) })
    }

    pub(super) fn quotient(&mut self, a: &Value, b: &Value, ty: Type) -> Value {
        if let Some(value) = self.divisor_is_zero(b, ty) {
            return value;
        }
        let exact = self.by_cases(b, MAX_CASES, &mut |encoder, divisor| {
            (!divisor.is_zero()).then(|| encoder.divide_by(a, divisor))
        });
        let exact = exact.unwrap_or_else(|| {
            let range = if a.range.is_nonnegative() && b.range.is_nonnegative() {
                Interval { lo: Some(Int::ZERO), hi: a.range.hi.clone() }
            } else {
                Interval::symmetric(a.range.magnitude())
            };
            let quotient = self.result(BinaryOp::Div, ty, a, b, range);
            let (zero, one) = (self.terms.int(0), self.terms.int(1));
            let is_one = self.terms.eq(b.term, one);
            let unit = self.terms.eq(quotient.term, a.term);
            let axiom = self.terms.implies(is_one, unit);
            self.require(axiom);
            let common = self.natural(a, b);
            let smaller = self.terms.lt(a.term, b.term);
            let vanishes = self.terms.eq(quotient.term, zero);
            let small = self.terms.implies(smaller, vanishes);
            let at_least_one = self.terms.ge(quotient.term, one);
            let large = self.terms.or2(smaller, at_least_one);
            let at_most = self.terms.le(quotient.term, a.term);
            let doubled = self.terms.add2(quotient.term, quotient.term);
            let halved = self.terms.le(doubled, a.term);
            let proper = self.terms.or2(is_one, halved);
            let facts = self.terms.and(&[small, large, at_most, proper]);
            let axiom = self.terms.implies(common, facts);
            self.require(axiom);
            let rest = self.rest(a, b, &quotient);
            let facts = [self.terms.ge(rest, zero), self.terms.lt(rest, b.term)];
            let facts = self.terms.and(&facts);
            let axiom = self.terms.implies(common, facts);
            self.require(axiom);
            quotient
        });
        self.fit(exact, ty)
    }

    /// What is left of a dividend when the divisor is taken away as often as the quotient says.
    fn rest(&mut self, a: &Value, b: &Value, quotient: &Value) -> TermId {
        let taken = self.terms.mul(b.term, quotient.term);
        self.terms.sub(a.term, taken)
    }

    pub(super) fn remainder(&mut self, a: &Value, b: &Value, ty: Type) -> Value {
        if let Some(value) = self.divisor_is_zero(b, ty) {
            return value;
        }
        let exact = self.by_cases(b, MAX_CASES, &mut |encoder, divisor| {
            (!divisor.is_zero()).then(|| encoder.remainder_by(a, divisor))
        });
        exact.unwrap_or_else(|| {
            let nonnegative = a.range.is_nonnegative();
            let range = Interval {
                lo: if nonnegative { Some(Int::ZERO) } else { a.range.lo.clone() },
                hi: if a.range.is_nonpositive() { Some(Int::ZERO) } else { a.range.hi.clone() },
            };
            let remainder = self.result(BinaryOp::Rem, ty, a, b, range);
            let size = Interval::symmetric(a.range.magnitude());
            let quotient = self.result(BinaryOp::Div, ty, a, b, size);
            let rest = self.rest(a, b, &quotient);
            let is_rest = self.terms.eq(remainder.term, rest);
            self.require(is_rest);
            // It has the sign of the dividend; its magnitude is the remainder of the magnitudes.
            let same = self.terms.eq(remainder.term, a.term);
            let (dividend, rest) = (self.signs(a), self.signs(&remainder));
            for ((a_sign, size), (_, rest)) in dividend.into_iter().zip(rest) {
                for (b_sign, divisor) in self.signs(b) {
                    let zero = self.terms.int(0);
                    let quadrant = self.terms.and2(a_sign, b_sign);
                    let at_least = self.terms.ge(rest, zero);
                    let below = self.terms.lt(rest, divisor);
                    let smaller = self.terms.lt(size, divisor);
                    let small = self.terms.implies(smaller, same);
                    let difference = self.terms.sub(size, divisor);
                    let less = self.terms.le(rest, difference);
                    let large = self.terms.or2(smaller, less);
                    let facts = self.terms.and(&[at_least, below, small, large]);
                    let axiom = self.terms.implies(quadrant, facts);
                    self.require(axiom);
                }
            }
            remainder
        })
    }

    /// That the value is not negative, and its magnitude then; that it is negative, and its magnitude then.
    fn signs(&mut self, a: &Value) -> [(TermId, TermId); 2] {
        let (zero, minus_a) = (self.terms.int(0), self.terms.neg(a.term));
        let natural = match (a.range.is_nonnegative(), &a.range.hi) {
            (true, _) => Terms::TRUE,
            (_, Some(hi)) if hi.is_negative() => Terms::FALSE,
            _ => self.terms.ge(a.term, zero),
        };
        [(natural, a.term), (self.terms.not(natural), minus_a)]
    }

    /// `0 <= a` and `0 < b`.
    fn natural(&mut self, a: &Value, b: &Value) -> TermId {
        let zero = self.terms.int(0);
        let dividend = if a.range.is_nonnegative() { Terms::TRUE } else { self.terms.ge(a.term, zero) };
        let divisor = self.terms.gt(b.term, zero);
        self.terms.and2(dividend, divisor)
    }

    /// The auxiliary for an operation that has no linear term; its range is a side condition.
    pub(super) fn result(&mut self, op: BinaryOp, ty: Type, a: &Value, b: &Value, range: Interval) -> Value {
        self.approximations.insert(self.current);
        let key = Operation { op, ty, operands: [a.term, b.term] };
        let term = match self.results.get(&key) {
            Some(&term) => term,
            None => {
                let term = self.auxiliary("op", Terms::INT);
                self.results.insert(key, term);
                term
            }
        };
        let bounds = self.in_range(term, &range);
        self.require(bounds);
        self.exact_cases(op, ty, a, b, term);
        Value { term, range }
    }

    /// The shift distance within the width of the type, as a side condition.
    fn distance(&mut self, b: &Value, ty: Type) -> Option<Value> {
        let allowed = Interval::new(0, i64::from(self.integer_of(ty).bits) - 1);
        let Some(range) = b.range.meet(&allowed) else {
            self.require(Terms::FALSE);
            return None;
        };
        if !b.range.is_within(&allowed) {
            let fits = self.in_range(b.term, &allowed);
            self.require(fits);
        }
        Some(Value { term: b.term, range })
    }

    /// Bits that leave the type are lost, also those of signed values, as gcc defines it.
    pub(super) fn shift_left(&mut self, a: &Value, b: &Value, ty: Type) -> Value {
        let Some(distance) = self.distance(b, ty) else {
            return Value { term: self.terms.int(0), range: self.type_range(ty) };
        };
        let limit = if a.range.as_constant().is_some() { MAX_CONSTANT_SHIFTS } else { MAX_CASES };
        let shifted =
            self.by_cases(&distance, limit, &mut |encoder, distance| encoder.shift_left_by(a, distance, ty));
        shifted.unwrap_or_else(|| {
            let result = self.result(BinaryOp::Shl, ty, a, b, self.type_range(ty));
            self.shift_by_zero(a, b, &result);
            result
        })
    }

    /// A shift by a constant; none if it leaves the type.
    pub(super) fn shift_left_by(&mut self, a: &Value, distance: &Int, ty: Type) -> Option<Value> {
        let int = self.integer_of(ty);
        let bits = u32::try_from(distance.to_i64()?).ok().filter(|&bits| bits < u32::from(int.bits))?;
        let factor = Int::pow2(bits);
        let exact = self.scaled(&factor, a);
        if self.program.arithmetic == Arithmetic::Ideal || exact.range.is_within(&self.type_range(ty)) {
            return Some(exact);
        }
        // Only the low bits survive; taking them first keeps the numbers small.
        let low = self.low_bits(a, u32::from(int.bits) - bits);
        let shifted = self.scaled(&factor, &low);
        Some(self.wrap(shifted, int))
    }

    /// A shift by a constant that is not negative, towards minus infinity.
    pub(super) fn shift_right_by(&mut self, a: &Value, distance: &Int) -> Option<Value> {
        let bits = u32::try_from(distance.to_i64()?).ok().filter(|&bits| bits < 128)?;
        let factor = Int::pow2(bits);
        let numeral = self.terms.int(factor.clone());
        Some(Value { term: self.terms.div(a.term, numeral), range: a.range.div_floor(&factor) })
    }

    pub(super) fn shift_right(&mut self, a: &Value, b: &Value, ty: Type) -> Value {
        let Some(distance) = self.distance(b, ty) else {
            return Value { term: self.terms.int(0), range: self.type_range(ty) };
        };
        let limit = if a.range.as_constant().is_some() { MAX_CONSTANT_SHIFTS } else { MAX_CASES };
        let shifted =
            self.by_cases(&distance, limit, &mut |encoder, distance| encoder.shift_right_by(a, distance));
        shifted.unwrap_or_else(|| {
            let zero = Interval::constant(0);
            let result = self.result(BinaryOp::Shr, ty, a, b, a.range.join(&zero));
            self.shift_by_zero(a, b, &result);
            let (zero, minus_one) = (self.terms.int(0), self.terms.int(-1));
            let nonnegative = self.terms.ge(a.term, zero);
            let at_least = self.terms.ge(result.term, zero);
            let at_most = self.terms.le(result.term, a.term);
            let below_one = self.terms.le(b.term, zero);
            let doubled = self.terms.add2(result.term, result.term);
            let halved = self.terms.le(doubled, a.term);
            let halved = self.terms.or2(below_one, halved);
            let positive = self.terms.and(&[at_least, at_most, halved]);
            let above = self.terms.ge(result.term, a.term);
            let negative_result = self.terms.le(result.term, minus_one);
            let negative = self.terms.and2(above, negative_result);
            let axiom = self.terms.ite(nonnegative, positive, negative);
            self.require(axiom);
            result
        })
    }

    fn shift_by_zero(&mut self, a: &Value, b: &Value, result: &Value) {
        let zero = self.terms.int(0);
        let none = self.terms.eq(b.term, zero);
        let same = self.terms.eq(result.term, a.term);
        let axiom = self.terms.implies(none, same);
        self.require(axiom);
    }
}
