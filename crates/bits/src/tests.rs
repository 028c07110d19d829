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
