//! IEEE 754 floating point, rounded to the nearest, ties to even. Values are their bit patterns.
//!
//! The payload and the sign of a NaN that an operation makes are arbitrary, as processors and compilers differ in them.

use crate::circuit::{Bit, Circuit};
use crate::words;

/// A format by its numbers of bits: exponent, and fraction without the hidden bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub exponent: usize,
    pub fraction: usize,
}

pub const SINGLE: Format = Format { exponent: 8, fraction: 23 };
pub const DOUBLE: Format = Format { exponent: 11, fraction: 52 };

impl Format {
    fn width(self) -> usize {
        1 + self.exponent + self.fraction
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Wide enough for sums of exponents, with sign.
    fn exponent_width(self) -> usize {
        self.exponent + 3
    }
}

/// A number taken apart: `significand * 2^(exponent - fraction)`, with the highest bit of the significand set unless the
/// number is zero.
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
fn classes(c: &mut Circuit, f: Format, a: &[Bit]) -> (Bit, Bit, Bit) {
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
    let (significand, shift) = normalise(c, &significand);
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

/// Packs `significand * 2^exponent`, where the significand has its highest bit set and stands for a number from 1 to 2,
/// and has a guard bit and a sticky bit below the bits of the format.
fn round(c: &mut Circuit, f: Format, sign: Bit, exponent: &[Bit], significand: &[Bit]) -> Vec<Bit> {
    debug_assert_eq!(significand.len(), f.fraction + 3);
    let width = exponent.len();
    let least = signed(width, 1 - f.bias());
    let subnormal = words::less(c, exponent, &least, true);
    let distance = words::sub(c, &least, exponent);
    // Beyond the length of the significand nothing but the sticky bit is left.
    let digits = (0..).find(|&i| 1usize << i > significand.len()).unwrap_or(0);
    let far = words::any(c, &distance[digits..width - 1]);
    let amount: Vec<Bit> = distance[..digits]
        .iter()
        .map(|&bit| {
            let bit = c.or(bit, far);
            c.and(bit, subnormal)
        })
        .collect();
    let shifted = shift_sticky(c, significand, &amount);
    let biased = words::add(c, exponent, &signed(width, f.bias()), Bit::FALSE).0;
    let biased: Vec<Bit> = biased[..f.exponent].iter().map(|&bit| c.and(bit, !subnormal)).collect();
    let mut packed: Vec<Bit> = shifted[2..2 + f.fraction].to_vec();
    packed.extend(biased);
    // Rounding up carries into the exponent where it must.
    let odd_or_more = c.or(shifted[2], shifted[0]);
    let up = c.and(shifted[1], odd_or_more);
    let zeros = words::constant(packed.len(), 0);
    let packed = words::add(c, &packed, &zeros, up).0;
    let greatest = signed(width, f.bias());
    let overflow = words::less(c, &greatest, exponent, true);
    let mut result = words::mux(c, overflow, &infinity(f), &packed);
    result.push(sign);
    result
}

/// Exponent and fraction of infinity.
fn infinity(f: Format) -> Vec<Bit> {
    let mut word = words::constant(f.fraction, 0);
    word.extend(vec![Bit::TRUE; f.exponent]);
    word
}

fn signed_infinity(f: Format, sign: Bit) -> Vec<Bit> {
    let mut word = infinity(f);
    word.push(sign);
    word
}

fn signed_zero(f: Format, sign: Bit) -> Vec<Bit> {
    let mut word = words::constant(f.width() - 1, 0);
    word.push(sign);
    word
}

/// Some quiet NaN.
fn any_nan(c: &mut Circuit, f: Format) -> Vec<Bit> {
    let mut word = words::inputs(c, f.fraction - 1);
    word.extend(vec![Bit::TRUE; f.exponent + 1]);
    word.push(c.input());
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
    let ((nan_a, _, zero_a), (nan_b, _, zero_b)) = (classes(c, f, a), classes(c, f, b));
    let top = f.width() - 1;
    let below = words::less(c, &a[..top], &b[..top], false);
    let above = words::less(c, &b[..top], &a[..top], false);
    let same_sign = c.mux(a[top], above, below);
    let differ = c.xor(a[top], b[top]);
    let less = c.mux(differ, a[top], same_sign);
    let zeros = c.and(zero_a, zero_b);
    let nan = c.or(nan_a, nan_b);
    let comparable = c.and(!zeros, !nan);
    c.and(less, comparable)
}

pub fn add(c: &mut Circuit, f: Format, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let ((nan_a, infinite_a, _), (nan_b, infinite_b, _)) = (classes(c, f, a), classes(c, f, b));
    let top = f.width() - 1;
    let swap = words::less(c, &a[..top], &b[..top], false);
    let large = words::mux(c, swap, b, a);
    let small = words::mux(c, swap, a, b);
    let width = f.exponent_width();
    let mut parts = |word: &[Bit]| {
        let (fraction, exponent, _) = fields(f, word);
        let normal = words::any(c, exponent);
        let mut significand = vec![Bit::FALSE; 3];
        significand.extend_from_slice(fraction);
        significand.push(normal);
        let mut exponent = words::zero_extend(exponent, width);
        exponent[0] = c.or(exponent[0], !normal);
        (exponent, significand)
    };
    let ((exponent, x), (lower, y)) = (parts(&large), parts(&small));
    let distance = words::sub(c, &exponent, &lower);
    let y = shift_sticky(c, &y, &distance[..f.exponent]);
    let differ = c.xor(large[top], small[top]);
    let x = words::zero_extend(&x, x.len() + 1);
    let y: Vec<Bit> = words::zero_extend(&y, x.len()).into_iter().map(|bit| c.xor(bit, differ)).collect();
    let sum = words::add(c, &x, &y, differ).0;
    let nothing = !words::any(c, &sum);
    let (normal, shift) = normalise(c, &sum);
    let unbiased = words::sub(c, &exponent, &signed(width, f.bias() - 1));
    let exponent = words::sub(c, &unbiased, &words::zero_extend(&shift, width));
    // Two bits too many: the lowest ones become sticky.
    let mut significand = normal[2..].to_vec();
    let lost = words::any(c, &normal[..2]);
    significand[0] = c.or(significand[0], lost);
    let rounded = round(c, f, large[top], &exponent, &significand);
    let both_negative = c.and(a[top], b[top]);
    let infinite = c.or(infinite_a, infinite_b);
    let infinities = c.and(infinite_a, infinite_b);
    let opposite = c.and(infinities, differ);
    let some_nan = c.or(nan_a, nan_b);
    let nan = c.or(some_nan, opposite);
    let result = any_nan(c, f);
    // The larger of the two is the infinite one.
    let infinity = signed_infinity(f, large[top]);
    cases(c, rounded, vec![(nothing, signed_zero(f, both_negative)), (infinite, infinity), (nan, result)])
}

pub fn multiply(c: &mut Circuit, f: Format, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (a, b) = (unpack(c, f, a), unpack(c, f, b));
    let sign = c.xor(a.sign, b.sign);
    let width = f.fraction + 1;
    let product = words::multiply(c, &a.significand, &b.significand, 2 * width, false);
    let sum = words::add(c, &a.exponent, &b.exponent, Bit::FALSE).0;
    let (significand, exponent) = settle(c, f, &product, &sum);
    let rounded = round(c, f, sign, &exponent, &significand);
    let zero = c.or(a.zero, b.zero);
    let infinite = c.or(a.infinite, b.infinite);
    let nothing_of_all = c.and(zero, infinite);
    let some_nan = c.or(a.nan, b.nan);
    let nan = c.or(some_nan, nothing_of_all);
    let result = any_nan(c, f);
    let (zeroed, infinity) = (signed_zero(f, sign), signed_infinity(f, sign));
    cases(c, rounded, vec![(zero, zeroed), (infinite, infinity), (nan, result)])
}

/// A significand from 1 to 4, with one digit more, as one from 1 to 2 for [`round`].
fn settle(c: &mut Circuit, f: Format, word: &[Bit], exponent: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let large = word[word.len() - 1];
    let mut doubled = vec![Bit::FALSE];
    doubled.extend_from_slice(&word[..word.len() - 1]);
    let word = words::mux(c, large, word, &doubled);
    let zeros = words::constant(exponent.len(), 0);
    let exponent = words::add(c, exponent, &zeros, large).0;
    let cut = word.len() - (f.fraction + 3);
    let mut significand = word[cut..].to_vec();
    let lost = words::any(c, &word[..cut]);
    significand[0] = c.or(significand[0], lost);
    (significand, exponent)
}

pub fn divide(c: &mut Circuit, f: Format, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (a, b) = (unpack(c, f, a), unpack(c, f, b));
    let sign = c.xor(a.sign, b.sign);
    // From a half to 2, with three digits more than needed.
    let digits = f.fraction + 4;
    let mut dividend = vec![Bit::FALSE; digits - 1];
    dividend.extend_from_slice(&a.significand);
    let divisor = words::zero_extend(&b.significand, dividend.len());
    let (quotient, remainder) = words::divide(c, &dividend, &divisor);
    let mut word = quotient[..digits].to_vec();
    let rest = words::any(c, &remainder);
    word[0] = c.or(word[0], rest);
    let difference = words::sub(c, &a.exponent, &b.exponent);
    let one = signed(difference.len(), 1);
    let halved = words::sub(c, &difference, &one);
    let (significand, exponent) = settle(c, f, &word, &halved);
    let rounded = round(c, f, sign, &exponent, &significand);
    let zero = c.or(a.zero, b.infinite);
    let infinite = c.or(a.infinite, b.zero);
    let (zeros, infinities) = (c.and(a.zero, b.zero), c.and(a.infinite, b.infinite));
    let undetermined = c.or(zeros, infinities);
    let some_nan = c.or(a.nan, b.nan);
    let nan = c.or(some_nan, undetermined);
    let result = any_nan(c, f);
    let (zeroed, infinity) = (signed_zero(f, sign), signed_infinity(f, sign));
    cases(c, rounded, vec![(zero, zeroed), (infinite, infinity), (nan, result)])
}

/// From one format to another.
pub fn convert(c: &mut Circuit, from: Format, to: Format, a: &[Bit]) -> Vec<Bit> {
    let a = unpack(c, from, a);
    let width = from.exponent_width().max(to.exponent_width());
    let exponent = words::extend(&a.exponent, width, true);
    let significand = fit(c, to, &a.significand);
    let rounded = round(c, to, a.sign, &exponent, &significand);
    let result = any_nan(c, to);
    let (zeroed, infinity) = (signed_zero(to, a.sign), signed_infinity(to, a.sign));
    cases(c, rounded, vec![(a.zero, zeroed), (a.infinite, infinity), (a.nan, result)])
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

pub fn from_integer(c: &mut Circuit, f: Format, a: &[Bit], is_signed: bool) -> Vec<Bit> {
    let sign = if is_signed { a[a.len() - 1] } else { Bit::FALSE };
    let magnitude = words::negate_if(c, sign, a);
    let zero = !words::any(c, &magnitude);
    let (word, shift) = normalise(c, &magnitude);
    let width = f.exponent_width().max(10);
    let highest = signed(width, a.len() as i64 - 1);
    let exponent = words::sub(c, &highest, &words::zero_extend(&shift, width));
    let significand = fit(c, f, &word);
    let rounded = round(c, f, sign, &exponent, &significand);
    words::mux(c, zero, &signed_zero(f, Bit::FALSE), &rounded)
}

/// Truncated towards zero, and whether the result fits.
pub fn to_integer(c: &mut Circuit, f: Format, a: &[Bit], width: usize, is_signed: bool) -> (Vec<Bit>, Bit) {
    let a = unpack(c, f, a);
    let negative = a.exponent[a.exponent.len() - 1];
    // One more than any exponent whose number fits.
    let limit = signed(a.exponent.len(), width as i64);
    let small = words::less(c, &a.exponent, &limit, true);
    // The whole part of the significand moves into the upper half.
    let mut word = a.significand.clone();
    word.resize(f.fraction + width + 1, Bit::FALSE);
    let digits = (0..).find(|&i| 1usize << i > width).unwrap_or(0);
    let amount: Vec<Bit> = a.exponent.iter().take(digits).map(|&bit| c.and(bit, !negative)).collect();
    let word = words::shift_left(c, &word, &amount);
    let nothing = c.or(negative, a.zero);
    let magnitude: Vec<Bit> = word[f.fraction..].iter().map(|&bit| c.and(bit, !nothing)).collect();
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
    let in_reach = c.or(small, nothing);
    let number = c.and(!a.nan, !a.infinite);
    let reached = c.and(in_reach, number);
    let defined = c.and(reached, !too_large);
    (words::negate_if(c, a.sign, &magnitude[..width]), defined)
}
