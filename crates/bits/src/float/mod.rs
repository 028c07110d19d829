//! IEEE 754 floating point. Values are their bit patterns.
//!
//! An operation takes its operands apart ([`unpack`]), computes exactly, with what is below the last digit collected in
//! one sticky bit, and rounds once ([`round`]). Every format with at least two bits of exponent and one of fraction will
//! do. Where the way of rounding is constant, its gates fold away.

mod arithmetic;
mod conversions;
pub mod extended;
pub(crate) mod order;
#[cfg(test)]
mod tests;

pub use arithmetic::{add, divide, fused, multiply, remainder, square_root};
pub use conversions::{convert, from_integer, from_rational, round_to_integral, to_integer, to_rational};

use crate::circuit::{Bit, Circuit};
use crate::words;

/// A format by its numbers of bits: exponent, and fraction without the hidden bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Format {
    pub exponent: usize,
    pub fraction: usize,
    /// SMT-LIB has one NaN. Elsewhere the payload and the sign of a NaN that an operation makes are arbitrary, as
    /// processors and compilers differ in them.
    pub one_nan: bool,
}

pub const SINGLE: Format = Format { exponent: 8, fraction: 23, one_nan: false };
pub const DOUBLE: Format = Format { exponent: 11, fraction: 52, one_nan: false };
/// What x86's 80 bits are without the bit that others hide ([`extended`]).
pub const EXTENDED: Format = Format { exponent: 15, fraction: 63, one_nan: false };

impl Format {
    pub fn width(self) -> usize {
        1 + self.exponent + self.fraction
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Wide enough for sums of the exponents of normalised numbers, with sign.
    fn exponent_width(self) -> usize {
        (self.exponent - 1).max(digits(self.fraction)) + 4
    }
}

/// How many binary digits the number has.
fn digits(number: usize) -> usize {
    (usize::BITS - number.leading_zeros()) as usize
}

/// Which way results are rounded: at most one is true, and none means towards zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounding {
    /// To the nearest, ties to even.
    pub even: Bit,
    /// To the nearest, ties away from zero.
    pub away: Bit,
    /// Towards plus infinity.
    pub up: Bit,
    /// Towards minus infinity.
    pub down: Bit,
}

impl Rounding {
    pub const TOWARDS_ZERO: Rounding =
        Rounding { even: Bit::FALSE, away: Bit::FALSE, up: Bit::FALSE, down: Bit::FALSE };
    pub const NEAREST: Rounding = Rounding { even: Bit::TRUE, ..Rounding::TOWARDS_ZERO };

    /// Whether what is cut off makes the magnitude greater by one: `odd` is the last bit kept, `guard` the first one
    /// cut off, `sticky` whether any other is set.
    fn increments(self, c: &mut Circuit, sign: Bit, odd: Bit, guard: Bit, sticky: Bit) -> Bit {
        let odd_or_more = c.or(odd, sticky);
        let to_even = c.and(guard, odd_or_more);
        let inexact = c.or(guard, sticky);
        let outwards = self.outwards(c, sign);
        let parts = [(self.even, to_even), (self.away, guard), (outwards, inexact)];
        parts.into_iter().fold(Bit::FALSE, |any, (mode, condition)| {
            let part = c.and(mode, condition);
            c.or(any, part)
        })
    }

    /// Whether all that is inexact is rounded away from zero.
    fn outwards(self, c: &mut Circuit, sign: Bit) -> Bit {
        let (up, down) = (c.and(self.up, !sign), c.and(self.down, sign));
        c.or(up, down)
    }
}

/// A number taken apart: `significand * 2^(exponent - fraction)`, with the highest bit of the significand set. Of zero,
/// exponent and significand mean nothing.
struct Unpacked {
    nan: Bit,
    infinite: Bit,
    zero: Bit,
    sign: Bit,
    /// Two's complement, without bias.
    exponent: Vec<Bit>,
    significand: Vec<Bit>,
}

fn signed(width: usize, value: i64) -> Vec<Bit> {
    words::constant(width, value as i128 as u128)
}

fn fields(f: Format, a: &[Bit]) -> (&[Bit], &[Bit], Bit) {
    (&a[..f.fraction], &a[f.fraction..f.width() - 1], a[f.width() - 1])
}

/// NaN, infinite, zero.
pub fn classes(c: &mut Circuit, f: Format, a: &[Bit]) -> (Bit, Bit, Bit) {
    let (fraction, exponent, _) = fields(f, a);
    let special = words::all(c, exponent);
    let some_fraction = words::any(c, fraction);
    let some_exponent = words::any(c, exponent);
    let nan = c.and(special, some_fraction);
    let infinite = c.and(special, !some_fraction);
    let nonzero = c.or(some_exponent, some_fraction);
    (nan, infinite, !nonzero)
}

fn unpack(c: &mut Circuit, f: Format, a: &[Bit]) -> Unpacked {
    let (nan, infinite, zero) = classes(c, f, a);
    let (fraction, exponent, sign) = fields(f, a);
    let normal = words::any(c, exponent);
    let mut significand = fraction.to_vec();
    significand.push(normal);
    let (mut significand, shift) = normalise(c, &significand);
    // The digits of zero are never asked for.
    significand[f.fraction] = Bit::TRUE;
    let width = f.exponent_width();
    // Subnormal numbers have the exponent of the least normal ones.
    let mut biased = words::zero_extend(exponent, width);
    biased[0] = c.or(biased[0], !normal);
    let unbiased = words::sub(c, &biased, &signed(width, f.bias()));
    let exponent = words::sub(c, &unbiased, &words::zero_extend(&shift, width));
    Unpacked { nan, infinite, zero, sign, exponent, significand }
}

/// Shifted to the left until the highest bit is set, and by how much.
fn normalise(c: &mut Circuit, word: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let mut word = word.to_vec();
    let stages = (0..).find(|&i| 1usize << i >= word.len()).unwrap_or(0);
    let mut amount = vec![Bit::FALSE; stages];
    for i in (0..stages).rev() {
        let distance = 1usize << i;
        if distance >= word.len() {
            continue;
        }
        let top = words::any(c, &word[word.len() - distance..]);
        amount[i] = !top;
        let moved: Vec<Bit> =
            (0..word.len()).map(|j| if j < distance { Bit::FALSE } else { word[j - distance] }).collect();
        word = words::mux(c, top, &word, &moved);
    }
    (word, amount)
}

/// To the right, with the bits that leave collected in the lowest one.
fn shift_sticky(c: &mut Circuit, word: &[Bit], amount: &[Bit]) -> Vec<Bit> {
    let mut word = word.to_vec();
    for (i, &bit) in amount.iter().enumerate() {
        let distance = if i < 16 { 1usize << i } else { usize::MAX };
        let mut moved: Vec<Bit> = (0..word.len())
            .map(|j| j.checked_add(distance).and_then(|from| word.get(from)).copied().unwrap_or(Bit::FALSE))
            .collect();
        let lost = words::any(c, &word[..distance.min(word.len())]);
        moved[0] = c.or(moved[0], lost);
        word = words::mux(c, bit, &moved, &word);
    }
    word
}

/// The amount with fewer digits, at least `most` where it was.
fn saturated(c: &mut Circuit, amount: &[Bit], most: usize) -> Vec<Bit> {
    let (low, high) = amount.split_at(digits(most).min(amount.len()));
    let far = words::any(c, high);
    low.iter().map(|&bit| c.or(bit, far)).collect()
}

/// Packs `significand * 2^exponent`, where the significand has its highest bit set and stands for a number from 1 to 2,
/// and has a guard bit and a sticky bit below the bits of the format.
fn round(
    c: &mut Circuit,
    f: Format,
    rounding: Rounding,
    sign: Bit,
    exponent: &[Bit],
    significand: &[Bit],
) -> Vec<Bit> {
    debug_assert_eq!(significand.len(), f.fraction + 3);
    let width = exponent.len();
    let least = signed(width, 1 - f.bias());
    let subnormal = words::less(c, exponent, &least, true);
    let distance = words::sub(c, &least, exponent);
    // Beyond the length of the significand nothing but the sticky bit is left.
    let amount = saturated(c, &distance[..width - 1], significand.len());
    let amount: Vec<Bit> = amount.into_iter().map(|bit| c.and(bit, subnormal)).collect();
    let shifted = shift_sticky(c, significand, &amount);
    let biased = words::add(c, exponent, &signed(width, f.bias()), Bit::FALSE).0;
    let biased: Vec<Bit> = biased[..f.exponent].iter().map(|&bit| c.and(bit, !subnormal)).collect();
    let mut packed: Vec<Bit> = shifted[2..2 + f.fraction].to_vec();
    packed.extend(biased);
    // Rounding up carries into the exponent where it must, up to infinity.
    let more = rounding.increments(c, sign, shifted[2], shifted[1], shifted[0]);
    let zeros = words::constant(packed.len(), 0);
    let packed = words::add(c, &packed, &zeros, more).0;
    let greatest = signed(width, f.bias());
    let overflow = words::less(c, &greatest, exponent, true);
    // Infinity, or the greatest number.
    let (outwards, nearest) = (rounding.outwards(c, sign), c.or(rounding.even, rounding.away));
    let infinite = c.or(outwards, nearest);
    let mut beyond = vec![!infinite; f.fraction];
    beyond.push(infinite);
    beyond.extend(vec![Bit::TRUE; f.exponent - 1]);
    let mut result = words::mux(c, overflow, &beyond, &packed);
    result.push(sign);
    result
}

pub fn signed_infinity(f: Format, sign: Bit) -> Vec<Bit> {
    let mut word = words::constant(f.fraction, 0);
    word.extend(vec![Bit::TRUE; f.exponent]);
    word.push(sign);
    word
}

pub fn signed_zero(f: Format, sign: Bit) -> Vec<Bit> {
    let mut word = words::constant(f.width() - 1, 0);
    word.push(sign);
    word
}

/// A quiet NaN: the one that there is, or any.
pub fn nan(c: &mut Circuit, f: Format) -> Vec<Bit> {
    let (payload, sign) = match f.one_nan {
        true => (words::constant(f.fraction - 1, 0), Bit::FALSE),
        false => (words::inputs(c, f.fraction - 1), c.input()),
    };
    let mut word = payload;
    word.extend(vec![Bit::TRUE; f.exponent + 1]);
    word.push(sign);
    word
}

/// The last case that holds, or the first value if none does.
fn cases(c: &mut Circuit, otherwise: Vec<Bit>, cases: Vec<(Bit, Vec<Bit>)>) -> Vec<Bit> {
    cases.into_iter().fold(otherwise, |rest, (condition, value)| words::mux(c, condition, &value, &rest))
}

pub fn negate(a: &[Bit]) -> Vec<Bit> {
    let mut word = a.to_vec();
    if let Some(sign) = word.last_mut() {
        *sign = !*sign;
    }
    word
}

pub fn equal(c: &mut Circuit, f: Format, a: &[Bit], b: &[Bit]) -> Bit {
    let ((nan_a, _, zero_a), (nan_b, _, zero_b)) = (classes(c, f, a), classes(c, f, b));
    let same = words::equal(c, a, b);
    let zeros = c.and(zero_a, zero_b);
    let equal = c.or(same, zeros);
    let nan = c.or(nan_a, nan_b);
    c.and(equal, !nan)
}

pub fn less(c: &mut Circuit, f: Format, a: &[Bit], b: &[Bit]) -> Bit {
    order::compared(c, f, a, b);
    below(c, f, a, b)
}

/// The comparison alone.
fn below(c: &mut Circuit, f: Format, a: &[Bit], b: &[Bit]) -> Bit {
    let ((nan_a, _, zero_a), (nan_b, _, zero_b)) = (classes(c, f, a), classes(c, f, b));
    let top = f.width() - 1;
    let smaller = words::less(c, &a[..top], &b[..top], false);
    let larger = words::less(c, &b[..top], &a[..top], false);
    let same_sign = c.mux(a[top], larger, smaller);
    let differ = c.xor(a[top], b[top]);
    let less = c.mux(differ, a[top], same_sign);
    let zeros = c.and(zero_a, zero_b);
    let nan = c.or(nan_a, nan_b);
    let comparable = c.and(!zeros, !nan);
    c.and(less, comparable)
}

/// The highest bits, as many as [`round`] takes, the last one sticky.
fn fit(c: &mut Circuit, f: Format, word: &[Bit]) -> Vec<Bit> {
    let wanted = f.fraction + 3;
    if word.len() <= wanted {
        let mut longer = vec![Bit::FALSE; wanted - word.len()];
        longer.extend_from_slice(word);
        return longer;
    }
    let cut = word.len() - wanted;
    let mut shorter = word[cut..].to_vec();
    let lost = words::any(c, &word[..cut]);
    shorter[0] = c.or(shorter[0], lost);
    shorter
}
