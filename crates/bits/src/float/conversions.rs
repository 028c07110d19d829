//! Between formats, integers and rational numbers.

use super::{Format, Rounding};
use super::{cases, digits, fields, fit, nan, normalise, round, saturated, shift_sticky, signed};
use super::{signed_infinity, signed_zero, unpack};
use crate::circuit::{Bit, Circuit};
use crate::words;
use craig_num::{Int, Rat};

/// From one format to another.
pub fn convert(c: &mut Circuit, from: Format, to: Format, rounding: Rounding, a: &[Bit]) -> Vec<Bit> {
    let a = unpack(c, from, a);
    let width = from.exponent_width().max(to.exponent_width());
    let exponent = words::extend(&a.exponent, width, true);
    let significand = fit(c, to, &a.significand);
    let rounded = round(c, to, rounding, a.sign, &exponent, &significand);
    let result = nan(c, to);
    let (zeroed, infinity) = (signed_zero(to, a.sign), signed_infinity(to, a.sign));
    cases(c, rounded, vec![(a.zero, zeroed), (a.infinite, infinity), (a.nan, result)])
}

pub fn from_integer(c: &mut Circuit, f: Format, rounding: Rounding, a: &[Bit], is_signed: bool) -> Vec<Bit> {
    let sign = if is_signed { a[a.len() - 1] } else { Bit::FALSE };
    let magnitude = words::negate_if(c, sign, a);
    let zero = !words::any(c, &magnitude);
    let (word, shift) = normalise(c, &magnitude);
    let width = f.exponent_width().max(digits(a.len()) + 2);
    let highest = signed(width, a.len() as i64 - 1);
    let exponent = words::sub(c, &highest, &words::zero_extend(&shift, width));
    let significand = fit(c, f, &word);
    let rounded = round(c, f, rounding, sign, &exponent, &significand);
    words::mux(c, zero, &signed_zero(f, Bit::FALSE), &rounded)
}

/// The integer, and whether it fits.
pub fn to_integer(
    c: &mut Circuit,
    f: Format,
    rounding: Rounding,
    a: &[Bit],
    width: usize,
    is_signed: bool,
) -> (Vec<Bit>, Bit) {
    let a = unpack(c, f, a);
    let exponent = words::extend(&a.exponent, a.exponent.len().max(digits(width) + 2), true);
    let tiny = words::less(c, &exponent, &signed(exponent.len(), -1), true);
    // One more than any exponent whose number fits.
    let small = words::less(c, &exponent, &signed(exponent.len(), width as i64), true);
    // One half moves to the place below the integers, and everything else further.
    let mut word = a.significand.clone();
    word.resize(f.fraction + width + 2, Bit::FALSE);
    let places = words::add(c, &exponent, &signed(exponent.len(), 1), Bit::FALSE).0;
    let word = words::shift_left(c, &word, &places[..digits(width)]);
    let nothing = c.or(tiny, a.zero);
    let magnitude: Vec<Bit> = word[f.fraction + 1..].iter().map(|&bit| c.and(bit, !nothing)).collect();
    let guard = c.and(word[f.fraction], !nothing);
    let below = words::any(c, &word[..f.fraction]);
    let sticky = c.or(below, tiny);
    let sticky = c.and(sticky, !a.zero);
    let more = rounding.increments(c, a.sign, magnitude[0], guard, sticky);
    let zeros = words::constant(width + 1, 0);
    let magnitude = words::add(c, &magnitude, &zeros, more).0;
    let too_large = if is_signed {
        // At most 2^(n-1), and that only if it is negated.
        let rest = words::any(c, &magnitude[..width - 1]);
        let least = c.and(a.sign, !rest);
        let high = c.and(magnitude[width - 1], !least);
        c.or(high, magnitude[width])
    } else {
        let some = words::any(c, &magnitude[..width]);
        let below_zero = c.and(a.sign, some);
        c.or(below_zero, magnitude[width])
    };
    let in_reach = c.or(small, a.zero);
    let number = c.and(!a.nan, !a.infinite);
    let reached = c.and(in_reach, number);
    let defined = c.and(reached, !too_large);
    (words::negate_if(c, a.sign, &magnitude[..width]), defined)
}

/// The integer as a number of the format.
pub fn round_to_integral(c: &mut Circuit, f: Format, rounding: Rounding, a: &[Bit]) -> Vec<Bit> {
    let unpacked = unpack(c, f, a);
    let width = unpacked.exponent.len();
    let highest = signed(width, f.fraction as i64);
    let broken = words::less(c, &unpacked.exponent, &highest, true);
    let distance = words::sub(c, &highest, &unpacked.exponent);
    // A guard bit and a sticky bit below the integers.
    let word = [&[Bit::FALSE; 2], &unpacked.significand[..]].concat();
    let amount = saturated(c, &distance[..width - 1], word.len());
    let word = shift_sticky(c, &word, &amount);
    let more = rounding.increments(c, unpacked.sign, word[2], word[1], word[0]);
    let integer = words::zero_extend(&word[2..], f.fraction + 2);
    let zeros = words::constant(integer.len(), 0);
    let integer = words::add(c, &integer, &zeros, more).0;
    let nothing = !words::any(c, &integer);
    let (normal, shift) = normalise(c, &integer);
    let above = signed(width, f.fraction as i64 + 1);
    let exponent = words::sub(c, &above, &words::zero_extend(&shift, width));
    let significand = fit(c, f, &normal);
    let rounded = round(c, f, rounding, unpacked.sign, &exponent, &significand);
    let special = c.or(unpacked.nan, unpacked.infinite);
    let special = c.or(special, unpacked.zero);
    let same = c.or(special, !broken);
    cases(c, rounded, vec![(nothing, signed_zero(f, unpacked.sign)), (same, a.to_vec())])
}

pub fn from_rational(c: &mut Circuit, f: Format, rounding: Rounding, value: &Rat) -> Vec<Bit> {
    if value.is_zero() {
        return signed_zero(f, Bit::FALSE);
    }
    let magnitude = value.abs();
    let exponent = logarithm(&magnitude);
    let places = f.fraction as i64 + 2;
    let scaled = &magnitude * &power_of_two(places - 1 - exponent);
    let mut whole = scaled.floor();
    let mut significand = vec![Bit::constant(!scaled.is_integer())];
    let two = Int::from(2);
    for _ in 0..places {
        significand.push(Bit::constant(!whole.is_even()));
        whole = whole.div_floor(&two);
    }
    // What is out of reach of the exponents is so at their limits too.
    let limit = 1 << (f.exponent_width() - 2);
    let exponent = signed(f.exponent_width(), exponent.clamp(-limit, limit));
    round(c, f, rounding, Bit::constant(value.is_negative()), &exponent, &significand)
}

/// The value of a constant, if it is a number.
pub fn to_rational(f: Format, a: &[Bit]) -> Option<Rat> {
    let (fraction, exponent, sign) = fields(f, a);
    let biased = words::as_constant(exponent)? as i64;
    if biased == (1 << f.exponent) - 1 {
        return None;
    }
    let mut significand = Int::from(i64::from(biased > 0));
    for bit in fraction.iter().rev() {
        significand = &(&significand + &significand) + &Int::from(i64::from(bit.as_constant()?));
    }
    let scale = power_of_two(biased.max(1) - f.bias() - f.fraction as i64);
    let magnitude = &Rat::from_int(significand) * &scale;
    Some(if sign.as_constant()? { -&magnitude } else { magnitude })
}

fn power_of_two(exponent: i64) -> Rat {
    let power = Rat::from_int(Int::pow2(exponent.unsigned_abs() as u32));
    if exponent < 0 { power.recip() } else { power }
}

/// The exponent of the greatest power of two that is at most the number.
fn logarithm(value: &Rat) -> i64 {
    let at_least = |exponent: i64| *value >= power_of_two(exponent);
    let mut step = 1;
    let mut below = if at_least(0) { 0 } else { -1 };
    while !at_least(below) {
        step *= 2;
        below = -step;
    }
    let mut above = below + 1;
    while at_least(above) {
        step *= 2;
        above = below + step;
    }
    // The number is between both.
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if at_least(middle) {
            below = middle;
        } else {
            above = middle;
        }
    }
    below
}
