//! Every operation on all numbers of small formats, in all ways of rounding, against exact arithmetic.

use super::*;
use craig_num::{Int, Rat};
use std::cmp::Ordering;

const MODES: usize = 5;
/// To even, away, up, down, towards zero: as in [`Rounding`].
const EVEN: usize = 0;
const AWAY: usize = 1;
const UP: usize = 2;
const DOWN: usize = 3;

fn format(exponent: usize, fraction: usize) -> Format {
    Format { exponent, fraction, one_nan: true }
}

#[derive(Clone, Debug)]
enum Number {
    Nan,
    Infinite(bool),
    Finite(bool, Rat),
}
use Number::{Finite, Infinite, Nan};

fn rational(numerator: i64, exponent: i64) -> Rat {
    let power = Rat::from_int(Int::pow2(exponent.unsigned_abs() as u32));
    &Rat::from_int(Int::from(numerator)) * &if exponent < 0 { power.recip() } else { power }
}

/// What a pattern without sign stands for; the one of infinity for the number that would follow the greatest one.
fn magnitude(f: Format, pattern: u64) -> Rat {
    let (exponent, fraction) = ((pattern >> f.fraction) as i64, (pattern & ((1 << f.fraction) - 1)) as i64);
    let hidden = if exponent > 0 { 1 << f.fraction } else { 0 };
    rational(hidden + fraction, exponent.max(1) - f.bias() - f.fraction as i64)
}

fn infinity(f: Format) -> u64 {
    ((1 << f.exponent) - 1) << f.fraction
}

fn number(f: Format, pattern: u64) -> Number {
    let negative = pattern >> (f.width() - 1) != 0;
    let rest = pattern & ((1 << (f.width() - 1)) - 1);
    match rest.cmp(&infinity(f)) {
        Ordering::Greater => Nan,
        Ordering::Equal => Infinite(negative),
        Ordering::Less => {
            let value = magnitude(f, rest);
            Finite(negative, if negative { -&value } else { value })
        }
    }
}

/// The pattern of a magnitude that is known by comparison only.
fn rounded(f: Format, mode: usize, negative: bool, compare: &dyn Fn(&Rat) -> Ordering) -> u64 {
    let top = infinity(f);
    let (mut low, mut high) = (0, top + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if compare(&magnitude(f, middle)) == Ordering::Less { high = middle } else { low = middle }
    }
    let outwards = mode == UP && !negative || mode == DOWN && negative;
    let pattern = if low == top {
        if outwards || mode == EVEN || mode == AWAY { top } else { top - 1 }
    } else if compare(&magnitude(f, low)) == Ordering::Equal {
        low
    } else {
        let middle = &(&magnitude(f, low) + &magnitude(f, low + 1)) * &rational(1, -1);
        let more = match (mode, compare(&middle)) {
            (EVEN | AWAY, Ordering::Greater) => true,
            (EVEN | AWAY, Ordering::Less) => false,
            (EVEN, Ordering::Equal) => low % 2 == 1,
            (AWAY, Ordering::Equal) => true,
            _ => outwards,
        };
        low + u64::from(more)
    };
    pattern | u64::from(negative) << (f.width() - 1)
}

fn pattern(f: Format, mode: usize, number: Number) -> u64 {
    match number {
        Nan => infinity(f) | 1 << (f.fraction - 1),
        Infinite(negative) => infinity(f) | u64::from(negative) << (f.width() - 1),
        Finite(negative, value) => rounded(f, mode, negative, &|other| value.abs().cmp(other)),
    }
}

/// A sum or product that is zero has the sign that is given.
fn finite(value: Rat, zero: bool) -> Number {
    Finite(if value.is_zero() { zero } else { value.is_negative() }, value)
}

fn sum(mode: usize, a: Number, b: Number) -> Number {
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite(s), Infinite(t)) if s != t => Nan,
        (Infinite(s), _) | (_, Infinite(s)) => Infinite(s),
        (Finite(s, x), Finite(t, y)) => finite(&x + &y, if s == t { s } else { mode == DOWN }),
    }
}

fn product(a: Number, b: Number) -> Number {
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite(_), Finite(_, x)) | (Finite(_, x), Infinite(_)) if x.is_zero() => Nan,
        (Infinite(s) | Finite(s, _), Infinite(t)) | (Infinite(s), Finite(t, _)) => Infinite(s != t),
        (Finite(s, x), Finite(t, y)) => finite(&x * &y, s != t),
    }
}

fn quotient(a: Number, b: Number) -> Number {
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite(_), Infinite(_)) => Nan,
        (Finite(_, x), Finite(_, y)) if x.is_zero() && y.is_zero() => Nan,
        (Infinite(s), Finite(t, _)) => Infinite(s != t),
        (Finite(s, _), Infinite(t)) => Finite(s != t, Rat::from_int(Int::from(0))),
        (Finite(s, _), Finite(t, y)) if y.is_zero() => Infinite(s != t),
        (Finite(s, x), Finite(t, y)) => finite(&x * &y.recip(), s != t),
    }
}

fn integer(mode: usize, value: &Rat) -> Rat {
    let (low, high) = (value.floor(), value.ceil());
    let twice = value + value;
    let middle = Rat::from_int(&low + &high);
    let result = match (mode, twice.cmp(&middle)) {
        _ if low == high => low,
        (EVEN | AWAY, Ordering::Less) | (DOWN, _) => low,
        (EVEN | AWAY, Ordering::Greater) | (UP, _) => high,
        (EVEN, _) => {
            if low.is_even() {
                low
            } else {
                high
            }
        }
        (AWAY, _) => {
            if value.is_negative() {
                low
            } else {
                high
            }
        }
        _ => {
            if value.is_negative() {
                high
            } else {
                low
            }
        }
    };
    Rat::from_int(result)
}

fn remainder_of(a: Number, b: Number) -> Number {
    match (a, b) {
        (Nan | Infinite(_), _) | (_, Nan) => Nan,
        (Finite(..), Finite(_, y)) if y.is_zero() => Nan,
        (a, Infinite(_)) => a,
        (Finite(s, x), Finite(_, y)) => finite(&x - &(&y * &integer(EVEN, &(&x * &y.recip()))), s),
    }
}

/// Runs a circuit on all operands, 64 at a time, in all ways of rounding, and compares with `expected`.
fn exhaust(
    name: &str,
    widths: &[usize],
    operation: impl Fn(&mut Circuit, Rounding, &[Vec<Bit>]) -> Vec<Bit>,
    expected: impl Fn(usize, &[u64]) -> Option<u64>,
) {
    let mut c = Circuit::default();
    let [even, away, up, down] = [(); 4].map(|()| c.input());
    let operands: Vec<Vec<Bit>> = widths.iter().map(|&width| words::inputs(&mut c, width)).collect();
    let result = operation(&mut c, Rounding { even, away, up, down }, &operands);
    let bits: usize = widths.iter().sum();
    let total = 1u64 << bits;
    for mode in 0..MODES {
        for base in (0..total).step_by(64) {
            let lane = |i: usize| (0..64).fold(0, |word, j| word | ((base + j) >> i & 1) << j);
            let mut inputs: Vec<u64> = (0..4).map(|m| if m == mode { u64::MAX } else { 0 }).collect();
            inputs.extend((0..bits).map(lane));
            let values = c.simulate_lanes(&inputs);
            for j in 0..64.min(total - base) {
                let mut rest = base + j;
                let patterns: Vec<u64> = widths
                    .iter()
                    .map(|&width| {
                        let pattern = rest & ((1 << width) - 1);
                        rest >>= width;
                        pattern
                    })
                    .collect();
                let Some(expected) = expected(mode, &patterns) else { continue };
                let got = result.iter().rev().fold(0, |sum, &bit| {
                    sum << 1 | (values[bit.gate()] >> j & 1 ^ u64::from(bit.is_negated()))
                });
                assert_eq!(got, expected, "{name} of {patterns:x?} in mode {mode}");
            }
        }
    }
}

type Binary = fn(&mut Circuit, Format, Rounding, &[Bit], &[Bit]) -> Vec<Bit>;

#[test]
fn arithmetic_is_exact_and_rounded_once() {
    for f in [format(2, 1), format(3, 2), format(2, 4), format(4, 1), format(3, 3)] {
        let two = [f.width(); 2];
        let binary = |name: &str, operation: Binary, meaning: fn(usize, Number, Number) -> Number| {
            exhaust(
                name,
                &two,
                |c, mode, args| operation(c, f, mode, &args[0], &args[1]),
                |mode, args| Some(pattern(f, mode, meaning(mode, number(f, args[0]), number(f, args[1])))),
            );
        };
        binary("add", add, sum);
        binary("multiply", multiply, |_, a, b| product(a, b));
        binary("divide", divide, |_, a, b| quotient(a, b));
        binary("remainder", |c, f, _, a, b| remainder(c, f, a, b), |_, a, b| remainder_of(a, b));
        let square_root_of = |mode, args: &[u64]| {
            Some(match number(f, args[0]) {
                Finite(false, x) => rounded(f, mode, false, &|other| x.cmp(&(other * other))),
                Finite(_, x) if x.is_zero() => args[0],
                Infinite(false) => args[0],
                _ => pattern(f, mode, Nan),
            })
        };
        exhaust("square root", &two[..1], |c, mode, args| square_root(c, f, mode, &args[0]), square_root_of);
        let integral = |mode, args: &[u64]| {
            Some(match number(f, args[0]) {
                Finite(sign, x) => pattern(f, mode, finite(integer(mode, &x), sign)),
                Nan => return None,
                other => pattern(f, mode, other),
            })
        };
        exhaust("integral", &two[..1], |c, mode, args| round_to_integral(c, f, mode, &args[0]), integral);
    }
}

#[test]
fn a_product_and_a_sum_are_rounded_once() {
    for f in [format(2, 1), format(2, 2), format(3, 1)] {
        exhaust(
            "fused",
            &[f.width(); 3],
            |c, mode, args| fused(c, f, mode, &args[0], &args[1], &args[2]),
            |mode, args| {
                let product = product(number(f, args[0]), number(f, args[1]));
                Some(pattern(f, mode, sum(mode, product, number(f, args[2]))))
            },
        );
    }
}

#[test]
fn comparisons_order_numbers() {
    let f = format(3, 3);
    let expected = |_, args: &[u64]| {
        let order = match (number(f, args[0]), number(f, args[1])) {
            (Nan, _) | (_, Nan) => return Some(0),
            (Infinite(s), Infinite(t)) => t.cmp(&s),
            (Infinite(s), _) => {
                if s {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (_, Infinite(s)) => {
                if s {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Finite(_, x), Finite(_, y)) => x.cmp(&y),
        };
        Some(u64::from(order == Ordering::Less) | u64::from(order == Ordering::Equal) << 1)
    };
    let operation = |c: &mut Circuit, _, args: &[Vec<Bit>]| {
        vec![less(c, f, &args[0], &args[1]), equal(c, f, &args[0], &args[1])]
    };
    exhaust("less and equal", &[f.width(); 2], operation, expected);
}

#[test]
fn conversions_are_exact_and_rounded_once() {
    for (from, to) in
        [((3, 3), (2, 1)), ((3, 3), (5, 2)), ((2, 5), (4, 3)), ((4, 2), (2, 7)), ((5, 3), (2, 2))]
    {
        let (from, to) = (format(from.0, from.1), format(to.0, to.1));
        exhaust(
            "convert",
            &[from.width()],
            |c, mode, args| convert(c, from, to, mode, &args[0]),
            |mode, args| Some(pattern(to, mode, number(from, args[0]))),
        );
    }
    for f in [format(2, 1), format(3, 3), format(4, 5), format(5, 2)] {
        for (width, is_signed) in (1..=8).flat_map(|width| [(width, false), (width, true)]) {
            let value = |pattern: u64| {
                let wraps = is_signed && pattern >> (width - 1) != 0;
                pattern as i64 - if wraps { 1 << width } else { 0 }
            };
            exhaust(
                "from integer",
                &[width],
                |c, mode, args| from_integer(c, f, mode, &args[0], is_signed),
                |mode, args| Some(pattern(f, mode, finite(rational(value(args[0]), 0), false))),
            );
            let least = if is_signed { -1 << (width - 1) } else { 0 };
            let most = (1i64 << (width - usize::from(is_signed))) - 1;
            exhaust(
                "to integer",
                &[f.width()],
                |c, mode, args| {
                    let (word, defined) = to_integer(c, f, mode, &args[0], width, is_signed);
                    let word: Vec<Bit> = word.into_iter().map(|bit| c.and(bit, defined)).collect();
                    [&word[..], &[defined]].concat()
                },
                |mode, args| {
                    let Finite(_, x) = number(f, args[0]) else { return Some(0) };
                    let value = integer(mode, &x).to_int().and_then(|value| value.to_i64())?;
                    let fits = (least..=most).contains(&value);
                    Some(if fits { value as u64 & ((1 << width) - 1) | 1 << width } else { 0 })
                },
            );
        }
    }
}

#[test]
fn rational_numbers_are_rounded_once() {
    let f = format(3, 3);
    for (numerator, denominator) in (-90..90).flat_map(|n| [1, 3, 7, 32, 64, 96, 1 << 20].map(|d| (n, d))) {
        let value = Rat::new(Int::from(numerator), Int::from(denominator));
        let modes = |c: &mut Circuit, mode, _: &[Vec<Bit>]| from_rational(c, f, mode, &value);
        exhaust("from rational", &[1], modes, |mode, _| Some(pattern(f, mode, finite(value.clone(), false))));
    }
    for bits in 0..1 << f.width() {
        let expected = match number(f, bits) {
            Finite(_, value) => Some(value),
            _ => None,
        };
        assert_eq!(to_rational(f, &words::constant(f.width(), bits.into())), expected);
    }
    // Far beyond all exponents.
    let c = &mut Circuit::default();
    let huge = Rat::from_int(Int::pow2(5000));
    assert_eq!(from_rational(c, DOUBLE, Rounding::NEAREST, &huge), signed_infinity(DOUBLE, Bit::FALSE));
    let tiny = from_rational(c, DOUBLE, Rounding::NEAREST, &huge.recip());
    assert_eq!(tiny, signed_zero(DOUBLE, Bit::FALSE));
}
