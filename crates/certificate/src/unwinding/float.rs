//! Floating point for the checker: every operation yields an exact number `n * 2^x` (and whether there is a rest below
//! it), and [`encode`] rounds that to the nearest value, ties to even. A NaN may have any sign and payload.

use super::gates::{FALSE, Gates, Lit, TRUE, Word, as_number, number, widened};
use super::order::{self, Operator};

/// The numbers of bits of a format.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub exponent: usize,
    pub fraction: usize,
    /// The bit in front of the fraction is a part of the pattern.
    pub explicit: bool,
}

pub(super) const F32: Format = Format { exponent: 8, fraction: 23, explicit: false };
pub(super) const F64: Format = Format { exponent: 11, fraction: 52, explicit: false };
pub(super) const F80: Format = Format { exponent: 15, fraction: 63, explicit: true };

impl Format {
    fn bias(self) -> i64 {
        (1i64 << (self.exponent - 1)) - 1
    }

    /// The place of the sign.
    pub fn top(self) -> usize {
        self.exponent + self.fraction + usize::from(self.explicit)
    }

    /// Bits of the exponents that are calculated with: sums of two, and some more.
    fn work(self) -> usize {
        self.exponent.max(11) + 5
    }
}

fn integer(width: usize, value: i64) -> Word {
    number(width, value as i128 as u128)
}

fn negative(word: &[Lit]) -> Lit {
    word[word.len() - 1]
}

struct Decoded {
    nan: Lit,
    infinite: Lit,
    zero: Lit,
    sign: Lit,
    /// The value is `significand * 2^(exponent - fraction)`.
    exponent: Word,
    significand: Word,
}

fn decode(g: &mut Gates, f: Format, a: &[Lit]) -> Decoded {
    let (fraction, field) = (&a[..f.fraction], &a[f.top() - f.exponent..f.top()]);
    let ones = vec![TRUE; f.exponent];
    let special = g.equal(field, &ones);
    let (some_fraction, normal) = (g.any(fraction), g.any(field));
    let first = if f.explicit { a[f.fraction] } else { normal };
    let mut significand = fraction.to_vec();
    significand.push(first);
    let width = f.work();
    let least = integer(width, 1 - f.bias());
    let wide = widened(field, width, false);
    let unbiased = g.difference_of(&wide, &integer(width, f.bias()));
    // An exponent without the bit in front is none of a number.
    let broken = g.and(normal, -first);
    let payload = g.and(special, some_fraction);
    let nan = g.or(broken, payload);
    let some_digit = if f.explicit { g.or(first, some_fraction) } else { some_fraction };
    Decoded {
        nan,
        infinite: g.and(special, -nan),
        zero: -g.or(normal, some_digit),
        sign: a[f.top()],
        exponent: g.choose_word(normal, &unbiased, &least),
        significand,
    }
}

/// One pattern for each number: a bit in front where the exponent is zero means that it is one.
fn canonical(g: &mut Gates, f: Format, a: &[Lit]) -> Word {
    let mut word = a.to_vec();
    if f.explicit {
        let normal = g.any(&a[f.top() - f.exponent..f.top()]);
        let least = g.and(a[f.fraction], -normal);
        word[f.top() - f.exponent] = g.or(word[f.top() - f.exponent], least);
    }
    word
}

/// Moves the highest one to the top, and says how far, in so many bits.
fn raise(g: &mut Gates, word: &[Lit], width: usize) -> (Word, Word) {
    let length = word.len();
    let mut word = word.to_vec();
    let mut distance = integer(width, 0);
    for stage in (0..8).rev().filter(|&stage| 1 << stage < length) {
        let by = 1usize << stage;
        let empty = -g.any(&word[word.len() - by..]);
        let mut moved = vec![FALSE; by];
        moved.extend_from_slice(&word[..word.len() - by]);
        word = g.choose_word(empty, &moved, &word);
        distance[stage] = empty;
    }
    (word, distance)
}

/// Shifts to the right; the second result says whether a one was lost.
fn lower(g: &mut Gates, word: &[Lit], distance: &[Lit]) -> (Word, Lit) {
    let mut word = word.to_vec();
    let mut lost = FALSE;
    for (stage, &bit) in distance.iter().enumerate() {
        let by = if stage < 10 { 1usize << stage } else { word.len() };
        let by = by.min(word.len());
        let gone = g.any(&word[..by]);
        let lost_here = g.and(bit, gone);
        lost = g.or(lost, lost_here);
        let mut moved = word[by..].to_vec();
        moved.resize(word.len(), FALSE);
        word = g.choose_word(bit, &moved, &word);
    }
    (word, lost)
}

/// The value nearest to `n * 2^x`, or to a little more if there is a rest.
fn encode(g: &mut Gates, f: Format, sign: Lit, n: &[Lit], x: &[Lit], rest: Lit) -> Word {
    // At least the bits of the format, and two more.
    let pad = (f.fraction + 3).saturating_sub(n.len());
    let mut padded = vec![FALSE; pad];
    padded.extend_from_slice(n);
    let zero = -g.any(&padded);
    let width = x.len().max(f.work());
    let (raised, distance) = raise(g, &padded, width);
    let length = raised.len();
    // The exponent of the highest bit.
    let highest = g.sum(&widened(x, width, true), &integer(width, length as i64 - 1 - pad as i64), FALSE);
    let exponent = g.difference_of(&highest, &distance);
    let missing = g.difference_of(&integer(width, 1 - f.bias()), &exponent);
    let is_missing = g.any(&missing);
    let subnormal = g.and(is_missing, -negative(&missing));
    let distance: Word = missing.iter().map(|&lit| g.and(lit, subnormal)).collect();
    let cut = length - 1 - f.fraction;
    // The bits that are kept with one below them, and whether anything is below that.
    let below = g.any(&raised[..cut - 1]);
    let (kept, lost) = lower(g, &raised[cut - 1..], &distance[..width - 1]);
    let below = g.or(below, lost);
    let below = g.or(below, rest);
    let more_than_half = g.or(below, kept[1]);
    let up = g.and(kept[0], more_than_half);
    let field = g.sum(&exponent, &integer(width, f.bias()), FALSE);
    let mut magnitude: Word = kept[1..=f.fraction].to_vec();
    magnitude.extend(field[..f.exponent].iter().map(|&lit| g.and(lit, -subnormal)));
    let nothing = vec![FALSE; magnitude.len()];
    let mut magnitude = g.sum(&magnitude, &nothing, up);
    if f.explicit {
        let first = g.any(&magnitude[f.fraction..]);
        magnitude.insert(f.fraction, first);
    }
    let nothing = vec![FALSE; f.top()];
    let room = g.difference_of(&integer(width, f.bias()), &exponent);
    let magnitude = g.choose_word(negative(&room), &infinity(f), &magnitude);
    let mut result = g.choose_word(zero, &nothing, &magnitude);
    result.push(sign);
    result
}

/// Without its sign.
fn infinity(f: Format) -> Word {
    let mut word = vec![FALSE; f.fraction];
    word.resize(f.top(), TRUE);
    word
}

fn special(g: &mut Gates, f: Format, result: Word, sign: Lit, infinite: Lit, nan: Lit) -> Word {
    let mut endless = infinity(f);
    endless.push(sign);
    let result = g.choose_word(infinite, &endless, &result);
    let mut unknown = g.free_word(f.fraction - 1);
    unknown.resize(f.top(), TRUE);
    unknown.push(g.free());
    g.choose_word(nan, &unknown, &result)
}

pub(super) fn negated(a: &[Lit]) -> Word {
    let (sign, rest) = (a[a.len() - 1], &a[..a.len() - 1]);
    rest.iter().copied().chain([-sign]).collect()
}

pub(super) fn add(g: &mut Gates, f: Format, a: &[Lit], b: &[Lit]) -> Word {
    let (a, b) = (&canonical(g, f, a), &canonical(g, f, b));
    // The same gates whichever comes first.
    let (a, b) = (a.min(b), a.max(b));
    let first_is_less = g.below(&a[..f.top()], &b[..f.top()]);
    let (large, small) = (g.choose_word(first_is_less, b, a), g.choose_word(first_is_less, a, b));
    let (large, small) = (decode(g, f, &large), decode(g, f, &small));
    let opposite = g.xor(large.sign, small.sign);
    let extra = f.fraction + 3;
    let scaled = |significand: &[Lit]| -> Word {
        let mut word = vec![FALSE; extra];
        word.extend_from_slice(significand);
        word.push(FALSE);
        word
    };
    let distance = g.difference_of(&large.exponent, &small.exponent);
    let (aligned, rest) = lower(g, &scaled(&small.significand), &distance[..f.exponent]);
    // What is subtracted has a rest: the difference is one less, and a rest.
    let addend: Word = aligned.iter().map(|&lit| g.xor(lit, opposite)).collect();
    let carry = g.and(opposite, -rest);
    let sum = g.sum(&scaled(&large.significand), &addend, carry);
    let x = g.difference_of(&large.exponent, &integer(f.work(), (f.fraction + extra) as i64));
    let nothing = -g.any(&sum);
    let both = g.and(large.sign, small.sign);
    let sign = g.choose(nothing, both, large.sign);
    let result = encode(g, f, sign, &sum, &x, rest);
    let infinite = g.or(large.infinite, small.infinite);
    let both_infinite = g.and(large.infinite, small.infinite);
    let contrary = g.and(both_infinite, opposite);
    let some_nan = g.or(large.nan, small.nan);
    let nan = g.or(some_nan, contrary);
    let result = special(g, f, result, large.sign, infinite, nan);
    order::remember(g, f, Operator::Plus, a, b, &result);
    result
}

/// The exponent of a constant `2^x` or `-2^x`.
fn logarithm(f: Format, a: &[Lit]) -> Option<i64> {
    let bits = as_number(a)?;
    let digits = bits & ((1 << (f.top() - f.exponent)) - 1);
    let field = (bits >> (f.top() - f.exponent)) as i64 & ((1 << f.exponent) - 1);
    let one = if f.explicit { 1 << f.fraction } else { 0 };
    (digits == one && field > 0 && field <= 2 * f.bias()).then(|| field - f.bias())
}

/// The number `a`, with the sign changed if that of `b` is set.
fn times_sign(g: &mut Gates, f: Format, a: &[Lit], b: Lit) -> Word {
    let number = decode(g, f, a);
    let sign = g.xor(number.sign, b);
    // As an operation would write it.
    let mut result = canonical(g, f, a);
    result[f.top()] = sign;
    special(g, f, result, sign, number.infinite, number.nan)
}

pub(super) fn multiply(g: &mut Gates, f: Format, a: &[Lit], b: &[Lit]) -> Word {
    if logarithm(f, b) == Some(0) {
        return times_sign(g, f, a, b[f.top()]);
    }
    if logarithm(f, a) == Some(0) {
        return times_sign(g, f, b, a[f.top()]);
    }
    let (p, q) = (a.min(b), a.max(b));
    let (a, b) = (decode(g, f, p), decode(g, f, q));
    let sign = g.xor(a.sign, b.sign);
    let n = g.product(&a.significand, &b.significand, 2 * f.fraction + 2);
    let sum = g.sum(&a.exponent, &b.exponent, FALSE);
    let x = g.difference_of(&sum, &integer(f.work(), 2 * f.fraction as i64));
    let result = encode(g, f, sign, &n, &x, FALSE);
    let infinite = g.or(a.infinite, b.infinite);
    let zero = g.or(a.zero, b.zero);
    let undetermined = g.and(infinite, zero);
    let some_nan = g.or(a.nan, b.nan);
    let nan = g.or(some_nan, undetermined);
    let result = special(g, f, result, sign, infinite, nan);
    order::remember(g, f, Operator::Times, p, q, &result);
    result
}

pub(super) fn divide(g: &mut Gates, f: Format, a: &[Lit], b: &[Lit]) -> Word {
    // 2^-x is a number, too, but for the largest exponent.
    if let Some(x) = logarithm(f, b).filter(|&x| x < f.bias()) {
        let mut inverse = b[..f.top() - f.exponent].to_vec();
        inverse.extend(number(f.exponent, (f.bias() - x) as u128));
        inverse.push(b[f.top()]);
        return multiply(g, f, a, &inverse);
    }
    let (p, q) = (a, b);
    let (a, b) = (decode(g, f, a), decode(g, f, b));
    let sign = g.xor(a.sign, b.sign);
    let ((above, up), (below, down)) =
        (raise(g, &a.significand, f.work()), raise(g, &b.significand, f.work()));
    let extra = f.fraction + 3;
    let mut dividend = vec![FALSE; extra];
    dividend.extend_from_slice(&above);
    let divisor = widened(&below, dividend.len(), false);
    let (n, remainder) = g.quotient(&dividend, &divisor);
    let rest = g.any(&remainder);
    let (above, below) = (g.difference_of(&a.exponent, &up), g.difference_of(&b.exponent, &down));
    let ratio = g.difference_of(&above, &below);
    let x = g.difference_of(&ratio, &integer(f.work(), extra as i64));
    let result = encode(g, f, sign, &n, &x, rest);
    // Nothing divided by something, or something by infinity.
    let vanishes = g.or(a.zero, b.infinite);
    let mut nothing = vec![FALSE; f.top()];
    nothing.push(sign);
    let result = g.choose_word(vanishes, &nothing, &result);
    let infinite = g.or(a.infinite, b.zero);
    let (zeros, infinities) = (g.and(a.zero, b.zero), g.and(a.infinite, b.infinite));
    let undetermined = g.or(zeros, infinities);
    let some_nan = g.or(a.nan, b.nan);
    let nan = g.or(some_nan, undetermined);
    let result = special(g, f, result, sign, infinite, nan);
    order::remember(g, f, Operator::Over, p, q, &result);
    result
}

pub(super) fn convert(g: &mut Gates, from: Format, to: Format, a: &[Lit]) -> Word {
    let a = decode(g, from, a);
    let x = g.difference_of(&a.exponent, &integer(from.work(), from.fraction as i64));
    let result = encode(g, to, a.sign, &a.significand, &x, FALSE);
    special(g, to, result, a.sign, a.infinite, a.nan)
}

pub(super) fn from_integer(g: &mut Gates, f: Format, a: &[Lit], signed: bool) -> Word {
    let sign = if signed { negative(a) } else { FALSE };
    let magnitude = g.magnitude(a, sign);
    encode(g, f, sign, &magnitude, &integer(f.work(), 0), FALSE)
}

/// Truncated; and whether the truncated number has this many bits.
pub(super) fn to_integer(g: &mut Gates, f: Format, a: &[Lit], width: usize, signed: bool) -> (Word, Lit) {
    let a = decode(g, f, a);
    // As an integer with the whole fraction after the point, and one bit more than the type has.
    let mut word = a.significand.clone();
    word.resize(f.fraction + 1 + width, FALSE);
    let fractional = negative(&a.exponent);
    let reversed: Word = word.iter().rev().copied().collect();
    let distance: Word = a.exponent[..f.work() - 1].iter().map(|&lit| g.and(lit, -fractional)).collect();
    let (moved, lost) = lower(g, &reversed, &distance);
    let whole: Word = moved.iter().rev().skip(f.fraction).map(|&lit| g.and(lit, -fractional)).collect();
    let too_long = g.or(lost, whole[width]);
    let beyond = if signed {
        let rest = g.any(&whole[..width - 1]);
        let least = g.and(a.sign, -rest);
        g.and(whole[width - 1], -least)
    } else {
        let some = g.any(&whole);
        g.and(a.sign, some)
    };
    let too_large = g.or(too_long, beyond);
    let no_number = g.or(a.nan, a.infinite);
    let undefined = g.or(too_large, no_number);
    (g.magnitude(&whole[..width], a.sign), -undefined)
}

pub(super) fn equal(g: &mut Gates, f: Format, a: &[Lit], b: &[Lit]) -> Lit {
    let (a, b) = (&canonical(g, f, a), &canonical(g, f, b));
    let same = g.equal(a, b);
    let (x, y) = (decode(g, f, a), decode(g, f, b));
    let zeros = g.and(x.zero, y.zero);
    let equal = g.or(same, zeros);
    let nan = g.or(x.nan, y.nan);
    g.and(equal, -nan)
}

pub(super) fn less(g: &mut Gates, f: Format, a: &[Lit], b: &[Lit]) -> Lit {
    order::relate(g, f, a, b);
    below(g, f, a, b)
}

pub(super) fn is_nan(g: &mut Gates, f: Format, a: &[Lit]) -> Lit {
    decode(g, f, a).nan
}

/// The comparison alone.
pub(super) fn below(g: &mut Gates, f: Format, a: &[Lit], b: &[Lit]) -> Lit {
    let (a, b) = (&canonical(g, f, a), &canonical(g, f, b));
    let (x, y) = (decode(g, f, a), decode(g, f, b));
    // Numbers in the order of their values: negative ones with all bits flipped.
    let mut key = |word: &[Lit]| -> Word {
        let sign = negative(word);
        let flipped: Word = word[..f.top()].iter().map(|&lit| g.xor(lit, sign)).collect();
        flipped.into_iter().chain([-sign]).collect()
    };
    let (p, q) = (key(a), key(b));
    let less = g.below(&p, &q);
    let zeros = g.and(x.zero, y.zero);
    let nan = g.or(x.nan, y.nan);
    let neither = g.or(zeros, nan);
    g.and(less, -neither)
}

/// Whether it is not zero; a NaN is not.
pub(super) fn is_nonzero(g: &mut Gates, a: &[Lit]) -> Lit {
    g.any(&a[..a.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_num::Extended;

    const SAMPLES: [u64; 24] = [
        0,
        1,
        3,
        0x000f_ffff_ffff_ffff,
        0x0010_0000_0000_0000,
        0x0010_0000_0000_0001,
        0x3ff0_0000_0000_0000,
        0x3ff0_0000_0000_0001,
        0x3fef_ffff_ffff_ffff,
        0x3fe0_0000_0000_0000,
        0x4008_0000_0000_0000,
        0x3fb9_9999_9999_999a,
        0x3fd5_5555_5555_5555,
        0x41df_ffff_ffc0_0000,
        0x41e0_0000_0000_0000,
        0x41ef_ffff_ffe0_0000,
        0x43e0_0000_0000_0000,
        0x4340_0000_0000_0001,
        0x7fef_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0x7ff8_0000_0000_0000,
        0x3810_0000_0000_0001,
        0x3690_0000_1000_0000,
        0x47ef_ffff_f000_0000,
    ];

    /// The value of a word of constants and of free bits, which only a NaN has.
    fn pattern(word: &[Lit]) -> u64 {
        word.iter().rev().fold(0, |value, &lit| value << 1 | u64::from(lit == TRUE))
    }

    fn signs(bits: u64, top: u64) -> [u64; 2] {
        [bits, bits | top]
    }

    #[test]
    fn operations_on_doubles() {
        let samples: Vec<u64> = SAMPLES.iter().flat_map(|&bits| signs(bits, 1 << 63)).collect();
        let mut g = Gates::new(64);
        for &x in &samples {
            for &y in &samples {
                let (a, b) = (number(64, u128::from(x)), number(64, u128::from(y)));
                let (p, q) = (f64::from_bits(x), f64::from_bits(y));
                let results = [
                    (p + q, add(&mut g, F64, &a, &b)),
                    (p - q, add(&mut g, F64, &a, &negated(&b))),
                    (p * q, multiply(&mut g, F64, &a, &b)),
                    (p / q, divide(&mut g, F64, &a, &b)),
                ];
                for (i, (expected, got)) in results.iter().enumerate() {
                    let got = f64::from_bits(pattern(got));
                    let same = expected.to_bits() == got.to_bits() || expected.is_nan() && got.is_nan();
                    assert!(same, "operation {i} on {p:e} and {q:e}: {got:e}, not {expected:e}");
                }
                assert_eq!(less(&mut g, F64, &a, &b) == TRUE, p < q, "{p:e} < {q:e}");
                assert_eq!(equal(&mut g, F64, &a, &b) == TRUE, p == q, "{p:e} == {q:e}");
            }
        }
    }

    #[test]
    fn conversions() {
        let mut g = Gates::new(64);
        for x in SAMPLES.iter().flat_map(|&bits| signs(bits, 1 << 63)) {
            let a = number(64, u128::from(x));
            let value = f64::from_bits(x);
            let narrow = f32::from_bits(pattern(&convert(&mut g, F64, F32, &a)) as u32);
            let expected = value as f32;
            assert!(
                narrow.to_bits() == expected.to_bits() || narrow.is_nan() && expected.is_nan(),
                "{value:e}"
            );
            let wide = f64::from_bits(pattern(&convert(
                &mut g,
                F32,
                F64,
                &number(32, u128::from(expected.to_bits())),
            )));
            assert!(wide.to_bits() == f64::from(expected).to_bits() || wide.is_nan(), "{expected:e}");
            for (width, signed) in [(8, true), (32, true), (32, false), (64, true), (64, false)] {
                let (result, defined) = to_integer(&mut g, F64, &a, width, signed);
                let beyond = 2f64.powi(width as i32 - i32::from(signed));
                let whole = value.trunc();
                let fits = whole < beyond && whole >= if signed { -beyond } else { 0.0 };
                assert_eq!(defined == TRUE, fits, "{value:e} to {width}");
                if fits {
                    let mask = u64::MAX >> (64 - width);
                    assert_eq!(pattern(&result), whole as i128 as u64 & mask, "{value:e} to {width}");
                }
            }
            let single = from_integer(&mut g, F32, &a, true);
            assert_eq!(pattern(&single) as u32, (x as i64 as f32).to_bits());
            let double = from_integer(&mut g, F64, &a, false);
            assert_eq!(pattern(&double), (x as f64).to_bits());
        }
    }

    #[test]
    fn numbers_that_write_their_first_bit() {
        let samples = [
            0,
            1,
            0x0000_7fff_ffff_ffff_ffff,
            0x0000_8000_0000_0000_0001,
            0x0001_8000_0000_0000_0001,
            0x3fff_8000_0000_0000_0000,
            0x3ffe_ffff_ffff_ffff_ffff,
            0x3ffb_cccc_cccc_cccc_cccd,
            0x4000_c000_0000_0000_0000,
            0x403e_ffff_ffff_ffff_ffff,
            0x7ffe_ffff_ffff_ffff_ffff,
            0x7fff_8000_0000_0000_0000,
            0x7fff_c000_0000_0000_0000,
            0x3fff_4000_0000_0000_0000,
            0x7fff_0000_0000_0000_0000u128,
        ];
        let samples: Vec<u128> = samples.iter().flat_map(|&bits| [bits, bits | 1 << 79]).collect();
        let same = |got: &[Lit], expected: Extended| match as_number(got) {
            Some(bits) => bits == expected.to_bits(),
            None => expected.is_nan(),
        };
        let mut g = Gates::new(64);
        for &x in &samples {
            let (a, p) = (number(80, x), Extended::from_bits(x));
            for &y in &samples {
                let (b, q) = (number(80, y), Extended::from_bits(y));
                let results = [
                    (p.plus(q), add(&mut g, F80, &a, &b)),
                    (p.minus(q), add(&mut g, F80, &a, &negated(&b))),
                    (p.times(q), multiply(&mut g, F80, &a, &b)),
                    (p.divided_by(q), divide(&mut g, F80, &a, &b)),
                ];
                for (i, (expected, got)) in results.iter().enumerate() {
                    assert!(
                        same(got, *expected),
                        "operation {i} on {x:x} and {y:x}, not {:x}",
                        expected.to_bits()
                    );
                }
                let order = p.compare(q);
                assert_eq!(less(&mut g, F80, &a, &b) == TRUE, order.is_some_and(|order| order.is_lt()));
                assert_eq!(equal(&mut g, F80, &a, &b) == TRUE, order.is_some_and(|order| order.is_eq()));
            }
            let double = convert(&mut g, F80, F64, &a);
            assert!(p.is_nan() || as_number(&double) == Some(p.to_f64().to_bits().into()), "{x:x} to double");
            let single = convert(&mut g, F80, F32, &a);
            assert!(p.is_nan() || as_number(&single) == Some(p.to_f32().to_bits().into()), "{x:x} to float");
            let again = convert(&mut g, F64, F80, &double);
            assert!(p.is_nan() || same(&again, p.to_f64().into()), "{x:x} from double");
            let (integer, defined) = to_integer(&mut g, F80, &a, 64, false);
            let whole = p.to_int().filter(|&(negative, magnitude)| !negative && magnitude >> 64 == 0);
            assert_eq!(defined == TRUE, whole.is_some(), "{x:x} to an integer");
            assert!(whole.is_none_or(|(_, magnitude)| as_number(&integer) == Some(magnitude)));
            let low = x & u128::from(u64::MAX);
            let of = from_integer(&mut g, F80, &number(64, low), false);
            assert!(same(&of, Extended::from_int(false, low)));
        }
    }
}
