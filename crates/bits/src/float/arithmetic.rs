//! Sums, products, quotients, roots and remainders.

use super::order::{self, Kind};
use super::{Format, Rounding, Unpacked};
use super::{cases, classes, digits, fields, fit, nan, normalise, round, shift_sticky, signed};
use super::{signed_infinity, signed_zero, unpack};
use crate::circuit::{Bit, Circuit};
use crate::words;

/// A finite number with as many digits as it needs: its significand is from 1 to 2, or less where it is the smaller
/// operand or the exponent is the least.
struct Exact {
    sign: Bit,
    exponent: Vec<Bit>,
    significand: Vec<Bit>,
}

/// The rounded sum of two finite numbers, the greater magnitude first; their exponents differ by `distance`.
fn sum(
    c: &mut Circuit,
    f: Format,
    rounding: Rounding,
    large: &Exact,
    small: &Exact,
    distance: &[Bit],
) -> Vec<Bit> {
    // Three digits more are enough: a sum that loses more than one digit in front is exact.
    let longer = |word: &[Bit]| [&[Bit::FALSE; 3], word].concat();
    let (x, y) = (longer(&large.significand), longer(&small.significand));
    let y = shift_sticky(c, &y, distance);
    let differ = c.xor(large.sign, small.sign);
    let x = words::zero_extend(&x, x.len() + 1);
    let y: Vec<Bit> = words::zero_extend(&y, x.len()).into_iter().map(|bit| c.xor(bit, differ)).collect();
    let sum = words::add(c, &x, &y, differ).0;
    let nothing = !words::any(c, &sum);
    let (normal, shift) = normalise(c, &sum);
    let width = large.exponent.len();
    let above = words::add(c, &large.exponent, &signed(width, 1), Bit::FALSE).0;
    let exponent = words::sub(c, &above, &words::zero_extend(&shift, width));
    let significand = fit(c, f, &normal);
    let rounded = round(c, f, rounding, large.sign, &exponent, &significand);
    // What cancels is positive, or negative if that is the way of rounding.
    let (both, any) = (c.and(large.sign, small.sign), c.or(large.sign, small.sign));
    let down = c.and(any, rounding.down);
    let negative = c.or(both, down);
    words::mux(c, nothing, &signed_zero(f, negative), &rounded)
}

pub fn add(c: &mut Circuit, f: Format, rounding: Rounding, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    // One order of the operands, so that sums commute.
    let (a, b) = (a.min(b), a.max(b));
    let ((nan_a, infinite_a, _), (nan_b, infinite_b, _)) = (classes(c, f, a), classes(c, f, b));
    let top = f.width() - 1;
    let swap = words::less(c, &a[..top], &b[..top], false);
    let large = words::mux(c, swap, b, a);
    let small = words::mux(c, swap, a, b);
    // Nothing needs to be normalised: the sum of subnormal numbers is exact.
    let mut parts = |word: &[Bit]| {
        let (fraction, exponent, sign) = fields(f, word);
        let normal = words::any(c, exponent);
        let significand = [fraction, &[normal]].concat();
        let mut exponent = exponent.to_vec();
        exponent[0] = c.or(exponent[0], !normal);
        Exact { sign, exponent, significand }
    };
    let (mut x, y) = (parts(&large), parts(&small));
    let distance = words::sub(c, &x.exponent, &y.exponent);
    let width = f.exponent_width();
    x.exponent = words::sub(c, &words::zero_extend(&x.exponent, width), &signed(width, f.bias()));
    let rounded = sum(c, f, rounding, &x, &y, &distance);
    let differ = c.xor(x.sign, y.sign);
    let infinite = c.or(infinite_a, infinite_b);
    let infinities = c.and(infinite_a, infinite_b);
    let opposite = c.and(infinities, differ);
    let some_nan = c.or(nan_a, nan_b);
    let invalid = c.or(some_nan, opposite);
    let result = nan(c, f);
    // The larger of the two is the infinite one.
    let result = cases(c, rounded, vec![(infinite, signed_infinity(f, x.sign)), (invalid, result)]);
    order::is_result(c, Kind::Sum, f, rounding, [a, b], &result);
    result
}

/// The exact product of significands, from 1 to 2, and its exponent.
fn product(c: &mut Circuit, f: Format, a: &Unpacked, b: &Unpacked) -> (Vec<Bit>, Vec<Bit>) {
    let product = words::multiply(c, &a.significand, &b.significand, 2 * (f.fraction + 1), false);
    let exponent = words::add(c, &a.exponent, &b.exponent, Bit::FALSE).0;
    settle(c, &product, &exponent)
}

/// A significand from 1 to 4 as one from 1 to 2.
fn settle(c: &mut Circuit, word: &[Bit], exponent: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let (&large, rest) = word.split_last().expect("a significand has digits");
    let doubled = [&[Bit::FALSE], rest].concat();
    let word = words::mux(c, large, word, &doubled);
    let zeros = words::constant(exponent.len(), 0);
    (word, words::add(c, exponent, &zeros, large).0)
}

/// The exponent, with its bias, of a constant that is a power of two, of either sign.
fn power_of_two(f: Format, a: &[Bit]) -> Option<u128> {
    let (fraction, exponent, sign) = fields(f, a);
    let biased = words::as_constant(exponent)?;
    sign.as_constant()?;
    let is_normal = biased > 0 && biased < (1 << f.exponent) - 1;
    (is_normal && fraction.iter().all(|&bit| bit == Bit::FALSE)).then_some(biased)
}

/// A number with a sign that may be another one.
fn signed_as(c: &mut Circuit, f: Format, a: &[Bit], other: Bit) -> Vec<Bit> {
    let (is_nan, ..) = classes(c, f, a);
    let mut same = a.to_vec();
    same[f.width() - 1] = c.xor(a[f.width() - 1], other);
    let result = nan(c, f);
    words::mux(c, is_nan, &result, &same)
}

pub fn multiply(c: &mut Circuit, f: Format, rounding: Rounding, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (a, b) = (a.min(b), a.max(b));
    for (x, y) in [(a, b), (b, a)] {
        if power_of_two(f, x) == Some(f.bias() as u128) {
            return signed_as(c, f, y, x[f.width() - 1]);
        }
    }
    let operands = [a, b];
    let (a, b) = (unpack(c, f, a), unpack(c, f, b));
    let sign = c.xor(a.sign, b.sign);
    let (word, exponent) = product(c, f, &a, &b);
    let significand = fit(c, f, &word);
    let rounded = round(c, f, rounding, sign, &exponent, &significand);
    let zero = c.or(a.zero, b.zero);
    let infinite = c.or(a.infinite, b.infinite);
    let nothing_of_all = c.and(zero, infinite);
    let some_nan = c.or(a.nan, b.nan);
    let invalid = c.or(some_nan, nothing_of_all);
    let result = nan(c, f);
    let (zeroed, infinity) = (signed_zero(f, sign), signed_infinity(f, sign));
    let result = cases(c, rounded, vec![(zero, zeroed), (infinite, infinity), (invalid, result)]);
    order::is_result(c, Kind::Product, f, rounding, operands, &result);
    result
}

/// `a * b + d`, rounded once.
pub fn fused(c: &mut Circuit, f: Format, rounding: Rounding, a: &[Bit], b: &[Bit], d: &[Bit]) -> Vec<Bit> {
    let (a, b) = (a.min(b), a.max(b));
    let (a, b, d) = (unpack(c, f, a), unpack(c, f, b), unpack(c, f, d));
    let sign = c.xor(a.sign, b.sign);
    let (significand, exponent) = product(c, f, &a, &b);
    let zero = c.or(a.zero, b.zero);
    // Zero gets an exponent below all others, so that numbers are ordered as exponents with significands are.
    let width = f.exponent_width();
    let least = signed(width, -(1 << (width - 2)));
    let mut exact = |zero: Bit, sign: Bit, exponent: &[Bit], significand: &[Bit]| {
        let exponent = words::mux(c, zero, &least, exponent);
        let significand = significand.iter().map(|&bit| c.and(bit, !zero)).collect();
        Exact { sign, exponent, significand }
    };
    let x = exact(zero, sign, &exponent, &significand);
    let shifted = [vec![Bit::FALSE; f.fraction + 1], d.significand].concat();
    let y = exact(d.zero, d.sign, &d.exponent, &shifted);
    let whole = |number: &Exact| [&number.significand[..], &number.exponent].concat();
    let swap = words::less(c, &whole(&x), &whole(&y), true);
    let mut choose = |x: &Exact, y: &Exact| Exact {
        sign: c.mux(swap, y.sign, x.sign),
        exponent: words::mux(c, swap, &y.exponent, &x.exponent),
        significand: words::mux(c, swap, &y.significand, &x.significand),
    };
    let (large, small) = (choose(&x, &y), choose(&y, &x));
    let distance = words::sub(c, &large.exponent, &small.exponent);
    let rounded = sum(c, f, rounding, &large, &small, &distance);
    let infinite = c.or(a.infinite, b.infinite);
    let nothing_of_all = c.and(infinite, zero);
    let differ = c.xor(sign, d.sign);
    let infinities = c.and(infinite, d.infinite);
    let opposite = c.and(infinities, differ);
    let result = nan(c, f);
    cases(
        c,
        rounded,
        vec![
            (d.infinite, signed_infinity(f, d.sign)),
            (infinite, signed_infinity(f, sign)),
            (nothing_of_all, result.clone()),
            (opposite, result.clone()),
            (a.nan, result.clone()),
            (b.nan, result.clone()),
            (d.nan, result),
        ],
    )
}

pub fn divide(c: &mut Circuit, f: Format, rounding: Rounding, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    // The inverse of most powers of two is a number too.
    if let Some(inverse) = power_of_two(f, b).and_then(|biased| (2 * f.bias() as u128).checked_sub(biased))
        && inverse > 0
    {
        let exponent = words::constant(f.exponent, inverse);
        let b = [&b[..f.fraction], &exponent, &b[f.width() - 1..]].concat();
        return multiply(c, f, rounding, a, &b);
    }
    let operands = [a, b];
    let (a, b) = (unpack(c, f, a), unpack(c, f, b));
    let sign = c.xor(a.sign, b.sign);
    // From a half to 2, with three digits more than needed.
    let places = f.fraction + 4;
    let mut dividend = vec![Bit::FALSE; places - 1];
    dividend.extend_from_slice(&a.significand);
    let divisor = words::zero_extend(&b.significand, dividend.len());
    let (quotient, remainder) = words::divide(c, &dividend, &divisor);
    let mut word = quotient[..places].to_vec();
    let rest = words::any(c, &remainder);
    word[0] = c.or(word[0], rest);
    let difference = words::sub(c, &a.exponent, &b.exponent);
    let one = signed(difference.len(), 1);
    let halved = words::sub(c, &difference, &one);
    let (word, exponent) = settle(c, &word, &halved);
    let significand = fit(c, f, &word);
    let rounded = round(c, f, rounding, sign, &exponent, &significand);
    let zero = c.or(a.zero, b.infinite);
    let infinite = c.or(a.infinite, b.zero);
    let (zeros, infinities) = (c.and(a.zero, b.zero), c.and(a.infinite, b.infinite));
    let undetermined = c.or(zeros, infinities);
    let some_nan = c.or(a.nan, b.nan);
    let invalid = c.or(some_nan, undetermined);
    let result = nan(c, f);
    let (zeroed, infinity) = (signed_zero(f, sign), signed_infinity(f, sign));
    let result = cases(c, rounded, vec![(zero, zeroed), (infinite, infinity), (invalid, result)]);
    order::is_result(c, Kind::Quotient, f, rounding, operands, &result);
    result
}

pub fn square_root(c: &mut Circuit, f: Format, rounding: Rounding, a: &[Bit]) -> Vec<Bit> {
    let unpacked = unpack(c, f, a);
    // Twice as many digits as the root has, with an even exponent.
    let odd = unpacked.exponent[0];
    let places = f.fraction + 2;
    let even = [vec![Bit::FALSE; places], unpacked.significand, vec![Bit::FALSE]].concat();
    let doubled = [&[Bit::FALSE], &even[..even.len() - 1]].concat();
    let square = words::mux(c, odd, &doubled, &even);
    // Digit by digit, as on paper. The rest is at most twice the root.
    let (mut root, mut rest): (Vec<Bit>, Vec<Bit>) = (Vec::new(), Vec::new());
    for i in (0..places).rev() {
        rest = [&[square[2 * i], square[2 * i + 1]], &rest[..]].concat();
        let trial = [&[Bit::TRUE, Bit::FALSE], &root[..]].concat();
        let width = rest.len().max(trial.len());
        let (long, trial) = (words::zero_extend(&rest, width), words::zero_extend(&trial, width));
        let (difference, fits) = words::add(c, &long, &words::not(&trial), Bit::TRUE);
        rest = words::mux(c, fits, &difference, &long);
        rest.truncate(root.len() + 2);
        root.insert(0, fits);
    }
    let inexact = words::any(c, &rest);
    let significand = [&[inexact], &root[..]].concat();
    // Half the exponent, rounded down.
    let width = unpacked.exponent.len();
    let exponent = words::extend(&unpacked.exponent[1..], width, true);
    let rounded = round(c, f, rounding, Bit::FALSE, &exponent, &significand);
    let some = c.and(unpacked.sign, !unpacked.zero);
    let invalid = c.or(unpacked.nan, some);
    let same = c.or(unpacked.zero, unpacked.infinite);
    let result = nan(c, f);
    cases(c, rounded, vec![(same, a.to_vec()), (invalid, result)])
}

/// `a - b * n`, where `n` is the integer nearest to `a / b`, of two such the even one. The circuit has a row for each
/// difference of exponents.
pub fn remainder(c: &mut Circuit, f: Format, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (x, y) = (unpack(c, f, a), unpack(c, f, b));
    let width = x.exponent.len();
    let distance = words::sub(c, &x.exponent, &y.exponent);
    // Both in units of half the last digit of `b`; the rest is below twice the divisor before it is reduced.
    let places = f.fraction + 3;
    let double = |word: &[Bit]| words::zero_extend(&[&[Bit::FALSE], word].concat(), places);
    let divisor = double(&y.significand);
    let mut rest = double(&x.significand);
    let mut odd = Bit::FALSE;
    for i in (0..2 * f.bias() + f.fraction as i64).rev() {
        let begun = !words::less(c, &distance, &signed(width, i), true);
        let (difference, fits) = words::add(c, &rest, &words::not(&divisor), Bit::TRUE);
        let reduced = words::mux(c, fits, &difference, &rest);
        let next = if i == 0 { reduced } else { double(&reduced[..places - 1]) };
        rest = words::mux(c, begun, &next, &rest);
        odd = c.and(begun, fits);
    }
    // A number from a quarter to once the divisor is its own rest.
    let half = words::equal(c, &distance, &signed(width, -1));
    let halved = words::zero_extend(&rest[1..], places);
    let rest = words::mux(c, half, &halved, &rest);
    let twice = [&[Bit::FALSE], &rest[..]].concat();
    let whole = words::zero_extend(&divisor, places + 1);
    let (more, tie) = (words::less(c, &whole, &twice, false), words::equal(c, &whole, &twice));
    let tie = c.and(tie, odd);
    let correct = c.or(more, tie);
    let difference = words::sub(c, &divisor, &rest);
    let magnitude = words::mux(c, correct, &difference, &rest);
    let sign = c.xor(x.sign, correct);
    let nothing = !words::any(c, &magnitude);
    let (significand, shift) = normalise(c, &magnitude);
    let above = words::add(c, &y.exponent, &signed(width, 1), Bit::FALSE).0;
    debug_assert!(digits(places) < width);
    let exponent = words::sub(c, &above, &words::zero_extend(&shift, width));
    // The result has no more digits than its operands.
    let exact = round(c, f, Rounding::TOWARDS_ZERO, sign, &exponent, &significand);
    let far = words::less(c, &distance, &signed(width, -1), true);
    let small = c.or(far, y.infinite);
    let same = c.or(small, x.zero);
    let undetermined = c.or(x.infinite, y.zero);
    let some_nan = c.or(x.nan, y.nan);
    let invalid = c.or(some_nan, undetermined);
    let result = nan(c, f);
    cases(c, exact, vec![(nothing, signed_zero(f, x.sign)), (same, a.to_vec()), (invalid, result)])
}
