//! x86's 80-bit numbers, which write the bit in front of the fraction that other formats hide. They become numbers of
//! the format [`EXTENDED`] before an operation, and the bit is put back after it.

use super::EXTENDED;
use crate::circuit::{Bit, Circuit};
use crate::words;

const FRACTION: usize = EXTENDED.fraction;

/// Without the bit in front. Where there is none and the exponent asks for one, it is no number; where there is one and
/// the exponent is zero, the exponent means one.
pub fn hidden(c: &mut Circuit, a: &[Bit]) -> Vec<Bit> {
    let first = a[FRACTION];
    let mut word = [&a[..FRACTION], &a[FRACTION + 1..]].concat();
    let some = words::any(c, &word[FRACTION..word.len() - 1]);
    let least = c.and(first, !some);
    word[FRACTION] = c.or(word[FRACTION], least);
    let missing = c.and(some, !first);
    // What it carries does not matter: operations make NaNs of their own.
    let no_number = vec![Bit::TRUE; word.len()];
    words::mux(c, missing, &no_number, &word)
}

/// With the bit in front: every number has it but those with the least exponent.
pub fn written(c: &mut Circuit, a: &[Bit]) -> Vec<Bit> {
    let first = words::any(c, &a[FRACTION..a.len() - 1]);
    [&a[..FRACTION], &[first], &a[FRACTION..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::{self, DOUBLE, Rounding, SINGLE};
    use craig_num::Extended;

    const SAMPLES: [u128; 16] = [
        0,
        1,
        0x0000_7fff_ffff_ffff_ffff,
        // A first bit without exponent, and the number that it means.
        0x0000_8000_0000_0000_0001,
        0x0001_8000_0000_0000_0001,
        0x3fff_8000_0000_0000_0000,
        0x3fff_8000_0000_0000_0001,
        0x3ffe_ffff_ffff_ffff_ffff,
        0x3ffb_cccc_cccc_cccc_cccd,
        0x4000_c000_0000_0000_0000,
        0x403e_ffff_ffff_ffff_ffff,
        0x7ffe_ffff_ffff_ffff_ffff,
        0x7fff_8000_0000_0000_0000,
        0x7fff_c000_0000_0000_0000,
        // Exponents without a first bit.
        0x3fff_4000_0000_0000_0000,
        0x7fff_0000_0000_0000_0000,
    ];

    /// Patterns are constants, but for what is arbitrary in a NaN.
    fn same(got: &[Bit], expected: Extended) -> bool {
        match words::as_constant(got) {
            Some(bits) => bits == expected.to_bits(),
            None => expected.is_nan(),
        }
    }

    #[test]
    fn operations_are_those_of_the_processor() {
        let patterns: Vec<u128> = SAMPLES.iter().flat_map(|&bits| [bits, bits | 1 << 79]).collect();
        let c = &mut Circuit::default();
        for (x, y) in patterns.iter().flat_map(|&x| patterns.iter().map(move |&y| (x, y))) {
            let (p, q) = (Extended::from_bits(x), Extended::from_bits(y));
            let (wx, wy) = (words::constant(80, x), words::constant(80, y));
            let (a, b) = (hidden(c, &wx), hidden(c, &wy));
            let r = Rounding::NEAREST;
            let results = [
                (p.plus(q), float::add(c, EXTENDED, r, &a, &b)),
                (p.minus(q), float::add(c, EXTENDED, r, &a, &float::negate(&b))),
                (p.times(q), float::multiply(c, EXTENDED, r, &a, &b)),
                (p.divided_by(q), float::divide(c, EXTENDED, r, &a, &b)),
            ];
            for (i, (expected, got)) in results.into_iter().enumerate() {
                let got = written(c, &got);
                assert!(
                    same(&got, expected),
                    "operation {i} on {x:x} and {y:x}: not {:x}",
                    expected.to_bits()
                );
            }
            let order = p.compare(q);
            assert_eq!(
                float::less(c, EXTENDED, &a, &b) == Bit::TRUE,
                order.is_some_and(|order| order.is_lt())
            );
            assert_eq!(
                float::equal(c, EXTENDED, &a, &b) == Bit::TRUE,
                order.is_some_and(|order| order.is_eq())
            );
        }
    }

    #[test]
    fn conversions_are_those_of_the_processor() {
        let c = &mut Circuit::default();
        for x in SAMPLES.iter().flat_map(|&bits| [bits, bits | 1 << 79]) {
            let number = Extended::from_bits(x);
            let word = words::constant(80, x);
            let a = hidden(c, &word);
            let double = float::convert(c, EXTENDED, DOUBLE, Rounding::NEAREST, &a);
            let bits = words::as_constant(&double).map(|bits| bits as u64);
            assert!(number.is_nan() || bits == Some(number.to_f64().to_bits()), "{x:x} to double");
            let single = float::convert(c, EXTENDED, SINGLE, Rounding::NEAREST, &a);
            let bits = words::as_constant(&single).map(|bits| bits as u32);
            assert!(number.is_nan() || bits == Some(number.to_f32().to_bits()), "{x:x} to float");
            let again = float::convert(c, DOUBLE, EXTENDED, Rounding::NEAREST, &double);
            let again = written(c, &again);
            assert!(number.is_nan() || same(&again, Extended::from(number.to_f64())), "{x:x} from double");
            let (integer, fits) = float::to_integer(c, EXTENDED, Rounding::TOWARDS_ZERO, &a, 64, true);
            let whole =
                number.to_int().filter(|&(negative, magnitude)| magnitude < (1 << 63) + u128::from(negative));
            assert_eq!(fits == Bit::TRUE, whole.is_some(), "{x:x} to an integer");
            if let Some((negative, magnitude)) = whole {
                let value = if negative { (magnitude as u64).wrapping_neg() } else { magnitude as u64 };
                assert_eq!(words::as_constant(&integer), Some(value.into()));
            }
            let word = words::constant(64, x & u128::from(u64::MAX));
            let of = float::from_integer(c, EXTENDED, Rounding::NEAREST, &word, false);
            let of = written(c, &of);
            assert!(same(&of, Extended::from_int(false, x & u128::from(u64::MAX))));
        }
    }
}
