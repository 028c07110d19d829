use super::text::scaled;
use super::*;
use crate::{Int, Rat};

fn rational(x: Extended) -> Option<Rat> {
    let Kind::Finite(Finite { significand, exponent }) = x.kind() else { return None };
    let power = Rat::from_int(Int::pow2(exponent.unsigned_abs()));
    let magnitude = Rat::from_int(significand.to_string().parse().expect("a number"));
    let value = &magnitude * &if exponent < 0 { power.recip() } else { power };
    Some(if x.is_negative() { -&value } else { value })
}

fn nearest(value: &Rat) -> Extended {
    if value.is_zero() {
        return Extended::ZERO;
    }
    let magnitude = value.abs();
    let (significand, exponent, rest) = scaled(&magnitude.numer(), &magnitude.denom());
    Extended::rounded(value.is_negative(), significand, exponent, rest)
}

/// Numbers of all kinds, near each other and far apart, from a sequence that is always the same.
fn samples(count: usize) -> Vec<Extended> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut found = Vec::new();
    for _ in 0..count {
        let significand = match next() % 6 {
            0 => FIRST,
            1 => u64::MAX,
            2 => next(),
            3 => FIRST | 1 << (next() % 63),
            4 => FIRST | next() >> (next() % 64),
            _ => FIRST | next(),
        };
        let exponent = match next() % 6 {
            0 => next() % 3,
            1 => 0x7ffc + next() % 4,
            2 => next() % 0x8000,
            _ => 0x3fff - 70 + next() % 140,
        };
        let sign = u128::from(next() & 1);
        found.push(Extended(sign << 79 | u128::from(exponent) << 64 | u128::from(significand)));
    }
    found
}

#[test]
fn operations_are_exact_but_for_one_rounding() {
    let numbers = samples(90);
    for &a in &numbers {
        for &b in &numbers {
            let (Some(x), Some(y)) = (rational(a), rational(b)) else {
                let nan = a.is_nan() || b.is_nan();
                assert_eq!(a.compare(b).is_none(), nan);
                assert!(
                    !nan || [a.plus(b), a.minus(b), a.times(b), a.divided_by(b)].iter().all(|r| r.is_nan())
                );
                continue;
            };
            let same = |got: Extended, exact: &Rat, what: &str| {
                let expected = nearest(exact);
                let equal = got == expected || got.is_zero() && expected.is_zero();
                assert!(equal, "{what} of {:x} and {:x}: {:x}, not {:x}", a.0, b.0, got.0, expected.0);
            };
            same(a.plus(b), &(&x + &y), "sum");
            same(a.minus(b), &(&x - &y), "difference");
            same(a.times(b), &(&x * &y), "product");
            if !y.is_zero() {
                same(a.divided_by(b), &(&x * &y.recip()), "quotient");
                let quotient = (&x.abs() * &y.abs().recip()).floor();
                let rest = &x.abs() - &(&y.abs() * &Rat::from_int(quotient));
                same(a.remainder(b), &if a.is_negative() { -&rest } else { rest }, "remainder");
                assert_eq!(a.remainder(b).is_negative(), a.is_negative());
            }
            assert_eq!(a.compare(b), Some(x.cmp(&y)));
        }
    }
}

#[test]
fn conversions() {
    for x in samples(600) {
        if let Some(exact) = rational(x) {
            let text = x.to_string();
            assert_eq!(Extended::parse(&text).and_then(rational), Some(exact.clone()), "{text}");
            let whole = if x.is_negative() { exact.ceil() } else { exact.floor() };
            match x.to_int() {
                Some((negative, magnitude)) => {
                    assert_eq!(whole.abs().to_string(), magnitude.to_string());
                    assert_eq!(whole.is_negative(), negative);
                }
                None => assert!(whole.abs() >= Int::pow2(128)),
            }
        }
        // What fits a `double` comes back; the host's conversion to `float` rounds as ours does.
        let double = x.to_f64();
        let again = Extended::from(double).to_f64();
        assert!(again.to_bits() == double.to_bits() || double.is_nan() && again.is_nan());
        if Extended::from(double) == x {
            assert!((double as f32).to_bits() == x.to_f32().to_bits() || double.is_nan());
        }
    }
}

#[test]
fn known_patterns() {
    let parsed = |text: &str| Extended::parse(text).map(Extended::to_bits);
    // As gcc writes them.
    assert_eq!(parsed("0.1"), Some(0x3ffb_cccc_cccc_cccc_cccd));
    assert_eq!(parsed("1.18973149535723176502e+4932"), Some(0x7ffe_ffff_ffff_ffff_ffff));
    assert_eq!(parsed("3.36210314311209350626e-4932"), Some(0x0001_8000_0000_0000_0000));
    assert_eq!(parsed("3.64519953188247460253e-4951"), Some(1));
    assert_eq!(parsed("1.0842021724855044340075e-19"), Some(0x3fc0_8000_0000_0000_0000));
    assert_eq!(parsed("1e99999999999999999999"), Some(Extended::INFINITY.to_bits()));
    assert_eq!(parsed("-1e-9999"), Some(SIGN));
    assert_eq!(parsed("1.2.3"), None);
    assert_eq!(parsed("."), None);
    assert_eq!(Extended::from(1.5).to_bits(), 0x3fff_c000_0000_0000_0000);
    assert_eq!(Extended::from(f64::from_bits(1)).to_f64().to_bits(), 1);
    assert_eq!(Extended::from_int(true, 3).to_string(), "-3.0");
    assert_eq!(Extended::from_int(false, u128::MAX).to_bits(), 0x407f_8000_0000_0000_0000);
    // A first bit without exponent is the least normal number; an exponent without first bit is no number.
    assert_eq!(Extended(FIRST.into()).compare(Extended(1 << 64 | u128::from(FIRST))), Some(Ordering::Equal));
    assert!(Extended(0x3fff << 64).is_nan() && Extended(EXPONENT).is_nan());
}
