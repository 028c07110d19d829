//! Every operation on all small words, and on random large ones, against the machine.

use crate::circuit::{Bit, Circuit};
use crate::clauses::Clauses;
use crate::words;
use craig_base::Budget;
use craig_sat::{Outcome, Solver};

fn sign(value: u128, width: usize) -> i128 {
    let unused = 128 - width as u32;
    ((value << unused) as i128) >> unused
}

fn mask(value: i128, width: usize) -> u128 {
    value as u128 & (u128::MAX >> (128 - width))
}

type Operation = fn(&mut Circuit, &[Bit], &[Bit]) -> Vec<Bit>;
type Meaning = fn(u128, u128, usize) -> Option<u128>;

/// Division by zero and shifts that are too long have no result here.
const OPERATIONS: &[(&str, Operation, Meaning)] = &[
    ("add", |c, a, b| words::add(c, a, b, Bit::FALSE).0, |a, b, w| Some(mask((a + b) as i128, w))),
    ("sub", words::sub, |a, b, w| Some(mask(a as i128 - b as i128, w))),
    ("negate", |c, a, _| words::negate(c, a), |a, _, w| Some(mask(-(a as i128), w))),
    (
        "mul",
        |c, a, b| words::multiply(c, a, b, a.len(), false),
        |a, b, w| Some(mask(a.wrapping_mul(b) as i128, w)),
    ),
    (
        "mul signed",
        |c, a, b| words::multiply(c, a, b, a.len(), true),
        |a, b, w| Some(mask(a.wrapping_mul(b) as i128, w)),
    ),
    ("div", |c, a, b| words::divide(c, a, b).0, |a, b, _| a.checked_div(b)),
    ("rem", |c, a, b| words::divide(c, a, b).1, |a, b, _| a.checked_rem(b)),
    (
        "sdiv",
        |c, a, b| words::divide_signed(c, a, b).0,
        |a, b, w| sign(a, w).checked_div(sign(b, w)).map(|q| mask(q, w)),
    ),
    (
        "srem",
        |c, a, b| words::divide_signed(c, a, b).1,
        |a, b, w| sign(a, w).checked_rem(sign(b, w)).map(|r| mask(r, w)),
    ),
    ("shl", words::shift_left, |a, b, w| (b < w as u128).then(|| mask((a << b) as i128, w))),
    ("shr", |c, a, b| words::shift_right(c, a, b, Bit::FALSE), |a, b, w| (b < w as u128).then(|| a >> b)),
    (
        "sar",
        |c, a, b| words::shift_right(c, a, b, a[a.len() - 1]),
        |a, b, w| (b < w as u128).then(|| mask(sign(a, w) >> b, w)),
    ),
    ("ult", |c, a, b| vec![words::less(c, a, b, false)], |a, b, _| Some(u128::from(a < b))),
    ("slt", |c, a, b| vec![words::less(c, a, b, true)], |a, b, w| Some(u128::from(sign(a, w) < sign(b, w)))),
    ("eq", |c, a, b| vec![words::equal(c, a, b)], |a, b, _| Some(u128::from(a == b))),
];

fn value(values: &[bool], word: &[Bit]) -> u128 {
    word.iter().rev().fold(0, |sum, bit| sum << 1 | u128::from(values[bit.gate()] != bit.is_negated()))
}

#[test]
fn operations_on_small_words() {
    for &(name, operation, meaning) in OPERATIONS {
        for width in 1..=5 {
            let mut circuit = Circuit::default();
            let (a, b) = (words::inputs(&mut circuit, width), words::inputs(&mut circuit, width));
            let result = operation(&mut circuit, &a, &b);
            for pair in 0..1u128 << (2 * width) {
                let (x, y) = (pair & ((1 << width) - 1), pair >> width);
                let Some(expected) = meaning(x, y, width) else { continue };
                let inputs: Vec<bool> = (0..2 * width).map(|i| pair >> i & 1 != 0).collect();
                let values = circuit.simulate(&inputs);
                assert_eq!(value(&values, &result), expected, "{name} {x} {y} of width {width}");
                assert!(circuit.facts().iter().all(|&fact| value(&values, &[fact]) == 1), "{name} {x} {y}");
                // One operand constant, and both.
                let mut folded = Circuit::default();
                let word = words::constant(width, x);
                let symbolic = words::inputs(&mut folded, width);
                let half = operation(&mut folded, &word, &symbolic);
                let values = folded.simulate(&inputs[width..]);
                assert_eq!(value(&values, &half), expected, "{name} constant {x} {y} of width {width}");
                let whole = operation(&mut folded, &word, &words::constant(width, y));
                assert_eq!(words::as_constant(&whole), Some(expected), "{name} {x} {y} of width {width}");
            }
        }
    }
}

/// Operands that repeat their sign take shorter circuits, with the same results.
#[test]
fn operations_on_extended_words() {
    let width = 6;
    for &(name, operation, meaning) in OPERATIONS {
        for (short, other) in [(3, 3), (2, 5), (4, 1)] {
            let mut circuit = Circuit::default();
            let (a, b) = (words::inputs(&mut circuit, short), words::inputs(&mut circuit, other));
            let (long_a, long_b) = (words::extend(&a, width, true), words::extend(&b, width, true));
            let result = operation(&mut circuit, &long_a, &long_b);
            for pair in 0..1u128 << (short + other) {
                let x = mask(sign(pair & ((1 << short) - 1), short), width);
                let y = mask(sign(pair >> short, other), width);
                let Some(expected) = meaning(x, y, width) else { continue };
                let inputs: Vec<bool> = (0..short + other).map(|i| pair >> i & 1 != 0).collect();
                let values = circuit.simulate(&inputs);
                assert_eq!(value(&values, &result), expected, "{name} {x} {y}");
                assert!(circuit.facts().iter().all(|&fact| value(&values, &[fact]) == 1), "{name} {x} {y}");
            }
        }
    }
}

#[test]
fn operations_on_large_words() {
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        u128::from(seed >> 20)
    };
    for &(name, operation, meaning) in OPERATIONS {
        for width in [32, 64] {
            let mut circuit = Circuit::default();
            let (a, b) = (words::inputs(&mut circuit, width), words::inputs(&mut circuit, width));
            let result = operation(&mut circuit, &a, &b);
            for round in 0..200 {
                let limit = u128::MAX >> (128 - width);
                let x = (random() << 40 ^ random()) & limit;
                let y = ((random() << 40 ^ random()) & limit) >> (round % width as u32);
                let Some(expected) = meaning(x, y, width) else { continue };
                let bits = |value: u128| (0..width).map(move |i| value >> i & 1 != 0);
                let values = circuit.simulate(&bits(x).chain(bits(y)).collect::<Vec<_>>());
                assert_eq!(value(&values, &result), expected, "{name} {x} {y} of width {width}");
            }
        }
    }
}

/// What undoes an operation gives back the same bits.
#[test]
fn operations_that_continue_others() {
    let mut circuit = Circuit::default();
    let x = words::inputs(&mut circuit, 16);
    let times = |circuit: &mut Circuit, word: &[Bit], factor: u128| {
        let wide = words::zero_extend(&words::zero_extend(word, 16), 32);
        words::multiply(circuit, &wide, &words::constant(32, factor), 32, false)
    };
    let mixed = times(&mut circuit, &x, 0xca6b);
    let undone = times(&mut circuit, &mixed, 0x9243);
    assert_eq!(undone[..16], x);
    let twice = times(&mut circuit, &mixed, 3);
    let shifted = words::zip(&x, &words::extend(&x[3..], 16, false), |a, b| circuit.xor(a, b));
    let mut back = shifted.clone();
    for distance in [3, 6, 9, 12, 15] {
        back = words::zip(&back, &words::extend(&shifted[distance..], 16, false), |a, b| circuit.xor(a, b));
    }
    assert_eq!(back, x);
    // A checksum with a remainder in every step, and with one at the end.
    let bytes: Vec<Vec<Bit>> = (0..3).map(|i| words::zero_extend(&x[4 * i..4 * i + 4], 16)).collect();
    let fifteen = words::constant(16, 15);
    let zero = words::constant(16, 0);
    let (mut stepwise, mut total) = (zero.clone(), zero);
    for byte in &bytes {
        let sum = words::add(&mut circuit, &stepwise, byte, Bit::FALSE).0;
        crate::origins::is_sum(&mut circuit, &sum, &stepwise, byte);
        stepwise = words::remainder(&mut circuit, &sum, &fifteen);
        total = words::add(&mut circuit, &total, byte, Bit::FALSE).0;
    }
    assert_eq!(stepwise, words::remainder(&mut circuit, &total, &fifteen));
    for seed in 0..200u128 {
        let number = seed * 0x9e37 % 0x1_0000;
        let values = circuit.simulate(&(0..16).map(|i| number >> i & 1 != 0).collect::<Vec<_>>());
        assert_eq!(value(&values, &mixed), number * 0xca6b);
        assert_eq!(value(&values, &twice), (number * 0xca6b % 0x1_0000) * 3);
        assert_eq!(value(&values, &undone), number * 0xca6b % 0x1_0000 * 0x9243 % (1 << 32));
        assert_eq!(value(&values, &shifted), number ^ number >> 3);
        let digits = (number & 15) + (number >> 4 & 15) + (number >> 8 & 15);
        assert_eq!(value(&values, &stepwise), digits % 15);
    }
}

#[test]
fn clauses_mean_what_the_circuit_means() {
    // a * b == 143 with factors above one has two solutions, and a * b == 139 none.
    for (product, expected) in [(143, Outcome::Sat), (139, Outcome::Unsat)] {
        let mut circuit = Circuit::default();
        let (a, b) = (words::inputs(&mut circuit, 8), words::inputs(&mut circuit, 8));
        let result = words::multiply(&mut circuit, &a, &b, 16, false);
        let one = words::constant(8, 1);
        let conditions = [
            words::equal(&mut circuit, &result, &words::constant(16, product)),
            words::less(&mut circuit, &one, &a, false),
            words::less(&mut circuit, &one, &b, false),
        ];
        let (mut clauses, mut solver) = (Clauses::default(), Solver::new());
        let lits: Vec<_> =
            conditions.iter().map(|&bit| clauses.literal(&circuit, &mut solver, bit)).collect();
        assert_eq!(solver.solve(&lits, &Budget::unlimited()), expected);
        if expected == Outcome::Sat {
            let read = |word: &[Bit]| {
                word.iter().rev().fold(0, |sum, &bit| {
                    sum << 1 | u32::from(clauses.known(bit).is_some_and(|lit| solver.model(lit)))
                })
            };
            assert_eq!(read(&a) * read(&b), 143);
        }
    }
}

mod floats {
    use super::value;
    use crate::circuit::{Bit, Circuit};
    use crate::float::{self, DOUBLE, Format, Rounding, SINGLE};
    use crate::words;

    /// Numbers at which something happens, and random ones near each other.
    fn samples(seed: u64, count: usize, f: Format) -> Vec<u64> {
        let width = 1 + f.exponent + f.fraction;
        let top = 1u64 << (width - 1);
        let one = ((1u64 << (f.exponent - 1)) - 1) << f.fraction;
        let infinity = ((1u64 << f.exponent) - 1) << f.fraction;
        let unit = 1u64 << f.fraction;
        let mut samples = vec![0, 1, 2, 3, unit - 1, unit, unit + 1, one - 1, one, one + 1, one + unit];
        samples.extend([
            one + unit / 2,
            infinity - 1,
            infinity,
            infinity + unit / 2,
            one + 10 * unit,
            one + 31 * unit,
        ]);
        samples.extend([
            one + 30 * unit,
            one + 63 * unit,
            one + 64 * unit,
            one + 32 * unit,
            one - 3 * unit,
            5 * unit,
        ]);
        let mut state = seed;
        for _ in 0..count {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let random = state ^ state >> 29;
            samples.push(random & (top - 1));
            // Near one, so that sums and rounding matter.
            let exponent = (one >> f.fraction) - 30 + (random >> 50) % 60;
            samples.push((exponent << f.fraction) | (random & (unit - 1)));
        }
        samples.iter().flat_map(|&bits| [bits & (top - 1), bits & (top - 1) | top]).collect()
    }

    fn bits(value: u64, width: usize) -> impl Iterator<Item = bool> {
        (0..width).map(move |i| value >> i & 1 != 0)
    }

    type Operation = fn(&mut Circuit, Format, &[Bit], &[Bit]) -> Vec<Bit>;

    /// The result is a number of the format `to`, if there is one.
    fn compare(
        name: &str,
        f: Format,
        operation: Operation,
        meaning: &dyn Fn(u64, u64) -> u64,
        to: Option<Format>,
    ) {
        let width = 1 + f.exponent + f.fraction;
        let mut circuit = Circuit::default();
        let (a, b) = (words::inputs(&mut circuit, width), words::inputs(&mut circuit, width));
        let result = operation(&mut circuit, f, &a, &b);
        let samples = samples(5, 20, f);
        for (i, &x) in samples.iter().enumerate() {
            for &y in samples.iter().skip(i % 3).step_by(3) {
                let values = circuit.simulate(&bits(x, width).chain(bits(y, width)).collect::<Vec<_>>());
                let (got, expected) = (value(&values, &result) as u64, meaning(x, y));
                let nan = |pattern: u64| {
                    to.is_some_and(|to| {
                        let infinity = ((1u64 << to.exponent) - 1) << to.fraction;
                        pattern & ((1 << (to.exponent + to.fraction)) - 1) > infinity
                    })
                };
                assert!(
                    got == expected || nan(got) && nan(expected),
                    "{name} {x:#x} {y:#x}: {got:#x}, not {expected:#x}"
                );
            }
        }
    }

    #[test]
    fn arithmetic_is_that_of_the_machine() {
        let single = |operation: fn(f32, f32) -> f32| {
            move |x: u64, y: u64| {
                u64::from(operation(f32::from_bits(x as u32), f32::from_bits(y as u32)).to_bits())
            }
        };
        let double = |operation: fn(f64, f64) -> f64| {
            move |x: u64, y: u64| operation(f64::from_bits(x), f64::from_bits(y)).to_bits()
        };
        compare(
            "add",
            SINGLE,
            |c, f, a, b| float::add(c, f, Rounding::NEAREST, a, b),
            &single(|x, y| x + y),
            Some(SINGLE),
        );
        compare(
            "mul",
            SINGLE,
            |c, f, a, b| float::multiply(c, f, Rounding::NEAREST, a, b),
            &single(|x, y| x * y),
            Some(SINGLE),
        );
        compare(
            "div",
            SINGLE,
            |c, f, a, b| float::divide(c, f, Rounding::NEAREST, a, b),
            &single(|x, y| x / y),
            Some(SINGLE),
        );
        compare(
            "add",
            DOUBLE,
            |c, f, a, b| float::add(c, f, Rounding::NEAREST, a, b),
            &double(|x, y| x + y),
            Some(DOUBLE),
        );
        compare(
            "mul",
            DOUBLE,
            |c, f, a, b| float::multiply(c, f, Rounding::NEAREST, a, b),
            &double(|x, y| x * y),
            Some(DOUBLE),
        );
        compare(
            "div",
            DOUBLE,
            |c, f, a, b| float::divide(c, f, Rounding::NEAREST, a, b),
            &double(|x, y| x / y),
            Some(DOUBLE),
        );
    }

    #[test]
    fn comparisons_are_those_of_the_machine() {
        let test = |operation: fn(f32, f32) -> bool| {
            move |x: u64, y: u64| u64::from(operation(f32::from_bits(x as u32), f32::from_bits(y as u32)))
        };
        compare("less", SINGLE, |c, f, a, b| vec![float::less(c, f, a, b)], &test(|x, y| x < y), None);
        compare("equal", SINGLE, |c, f, a, b| vec![float::equal(c, f, a, b)], &test(|x, y| x == y), None);
    }

    #[test]
    fn conversions_are_those_of_the_machine() {
        let narrow = |x: u64, _| u64::from((f64::from_bits(x) as f32).to_bits());
        let widen = |x: u64, _| f64::from(f32::from_bits(x as u32)).to_bits();
        compare(
            "narrow",
            DOUBLE,
            |c, _, a, _| float::convert(c, DOUBLE, SINGLE, Rounding::NEAREST, a),
            &narrow,
            Some(SINGLE),
        );
        compare(
            "widen",
            SINGLE,
            |c, _, a, _| float::convert(c, SINGLE, DOUBLE, Rounding::NEAREST, a),
            &widen,
            Some(DOUBLE),
        );
        let mut circuit = Circuit::default();
        let a = words::inputs(&mut circuit, 64);
        let results = [
            (float::from_integer(&mut circuit, SINGLE, Rounding::NEAREST, &a, true), 0),
            (float::from_integer(&mut circuit, SINGLE, Rounding::NEAREST, &a, false), 1),
            (float::from_integer(&mut circuit, DOUBLE, Rounding::NEAREST, &a, true), 2),
            (float::from_integer(&mut circuit, DOUBLE, Rounding::NEAREST, &a, false), 3),
        ];
        for x in samples(9, 40, DOUBLE).into_iter().chain(0..70).chain((0..64).map(|i| (1u64 << i) - 1)) {
            let values = circuit.simulate(&bits(x, 64).collect::<Vec<_>>());
            for (result, kind) in &results {
                let expected = match kind {
                    0 => u64::from((x as i64 as f32).to_bits()),
                    1 => u64::from((x as f32).to_bits()),
                    2 => (x as i64 as f64).to_bits(),
                    _ => (x as f64).to_bits(),
                };
                assert_eq!(value(&values, result) as u64, expected, "{x} of kind {kind}");
            }
        }
        for (width, is_signed) in [(8, true), (32, true), (32, false), (64, true), (64, false)] {
            let mut circuit = Circuit::default();
            let a = words::inputs(&mut circuit, 64);
            let (result, defined) =
                float::to_integer(&mut circuit, DOUBLE, Rounding::TOWARDS_ZERO, &a, width, is_signed);
            for x in samples(9, 60, DOUBLE) {
                let whole = f64::from_bits(x).trunc();
                let beyond = 2f64.powi(width as i32 - i32::from(is_signed));
                let fits = whole < beyond && whole >= if is_signed { -beyond } else { 0.0 };
                let values = circuit.simulate(&bits(x, 64).collect::<Vec<_>>());
                assert_eq!(value(&values, &[defined]) != 0, fits, "{x:#x} to {width} {is_signed}");
                if fits {
                    let expected = whole as i128 as u128 & (u128::MAX >> (128 - width));
                    assert_eq!(value(&values, &result), expected, "{x:#x} to {width} {is_signed}");
                }
            }
        }
    }
}
