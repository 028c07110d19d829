//! Numbers as text: decimal and hexadecimal, rounded once.

use super::{Extended, Finite, Kind};
use crate::Int;
use std::fmt;

/// Beyond these powers of ten everything is infinite, or zero.
const LARGEST: i64 = 6_000;
/// Digits beyond these only say whether anything is left.
const DIGITS: usize = 12_000;
/// As many as tell all numbers apart.
const SIGNIFICANT: u32 = 21;

/// The significand's first 127 bits, the power of two, and whether there is more, of a quotient of positive integers.
pub(super) fn scaled(numerator: &Int, denominator: &Int) -> (u128, i64, bool) {
    let difference = bits(numerator) - bits(denominator);
    // From 125 to 127 bits are left of the point.
    let shift = 126 - difference;
    let power = Int::pow2(shift.unsigned_abs() as u32);
    let (above, below) = match shift > 0 {
        true => (numerator * &power, denominator.clone()),
        false => (numerator.clone(), denominator * &power),
    };
    let whole = above.div_floor(&below);
    let rest = &whole * &below != above;
    (whole.to_i128().unwrap_or(0) as u128, -shift, rest)
}

/// How many binary digits a positive integer has.
fn bits(number: &Int) -> i64 {
    let (mut low, mut high) = (0, 1);
    while &Int::pow2(high) <= number {
        low = high;
        high *= 2;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if &Int::pow2(middle) <= number {
            low = middle;
        } else {
            high = middle;
        }
    }
    i64::from(high)
}

impl Extended {
    /// A decimal number such as `1.5e-3`, or `inf`, with or without a sign.
    pub fn parse(text: &str) -> Option<Extended> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if matches!(text, "inf" | "infinity") {
            return Some(Extended::INFINITY.with_sign(negative));
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.trim_start_matches('+')),
            None => (text, "0"),
        };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(exponent.strip_prefix('-').unwrap_or(exponent)) {
            return None;
        }
        // An exponent that does not fit is far beyond all numbers.
        let far = if exponent.starts_with('-') { -1_000_000_000 } else { 1_000_000_000 };
        let mut exponent =
            exponent.parse::<i64>().map_or(far, |exponent| exponent.clamp(-1_000_000_000, 1_000_000_000));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = [whole, fraction].concat();
        if !is_number(&digits) {
            return None;
        }
        exponent -= fraction.len() as i64;
        let digits = digits.trim_start_matches('0');
        let (kept, cut) = digits.split_at(digits.len().min(DIGITS));
        exponent += cut.len() as i64;
        let rest = cut.bytes().any(|digit| digit != b'0');
        if kept.is_empty() {
            return Some(Extended::ZERO.with_sign(negative));
        }
        let magnitude = exponent + kept.len() as i64;
        if magnitude > LARGEST {
            return Some(Extended::INFINITY.with_sign(negative));
        }
        if magnitude < -LARGEST {
            return Some(Extended::ZERO.with_sign(negative));
        }
        let number: Int = kept.parse().ok()?;
        let power = Int::from(10).pow(exponent.unsigned_abs() as u32);
        let (significand, exponent, more) = match exponent >= 0 {
            true => scaled(&(&number * &power), &Int::ONE),
            false => scaled(&number, &power),
        };
        Some(Extended::rounded(negative, significand, exponent, more || rest))
    }

    /// `significand * 2^exponent` and a little more if there is a rest, as hexadecimal numbers are read.
    pub fn from_binary(significand: u128, exponent: i64, rest: bool) -> Extended {
        Extended::rounded(false, significand, exponent.clamp(-1_000_000, 1_000_000), rest)
    }

    /// The exact value of a finite number, as a numerator and a power of two.
    fn parts(self) -> Option<Finite> {
        match self.kind() {
            Kind::Finite(finite) => Some(finite),
            _ => None,
        }
    }
}

/// A decimal number that is read as the same one again: short where a `double` is as exact, else with 21 digits.
impl fmt::Display for Extended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let double = self.to_f64();
        let Some(Finite { significand, exponent }) = self.parts() else { return write!(f, "{double:?}") };
        let short = format!("{double:?}");
        let same = |read: Extended| read.compare(*self).is_some_and(std::cmp::Ordering::is_eq);
        if Extended::parse(&short).is_some_and(same) {
            return f.write_str(&short);
        }
        let power = Int::pow2(exponent.unsigned_abs());
        let number: Int = significand.to_string().parse().map_err(|_| fmt::Error)?;
        let (above, below) = if exponent >= 0 { (&number * &power, Int::ONE) } else { (number, power) };
        // The power of ten of the first digit, from that of two; it may be one too large.
        let first = ((i64::from(exponent) + 63 - i64::from(significand.leading_zeros())) as f64
            * std::f64::consts::LOG10_2)
            .floor() as i64
            + 1;
        let mut places = i64::from(SIGNIFICANT) - 1 - first;
        let mut digits = String::new();
        for _ in 0..3 {
            let scale = Int::from(10).pow(places.unsigned_abs() as u32);
            let (p, q) =
                if places >= 0 { (&above * &scale, below.clone()) } else { (above.clone(), &below * &scale) };
            let two = Int::from(2);
            digits = (&(&p * &two) + &q).div_floor(&(&q * &two)).to_string();
            match digits.len().cmp(&(SIGNIFICANT as usize)) {
                std::cmp::Ordering::Equal => break,
                std::cmp::Ordering::Less => places += 1,
                std::cmp::Ordering::Greater => places -= 1,
            }
        }
        let sign = if self.is_negative() { "-" } else { "" };
        let exponent = digits.len() as i64 - 1 - places;
        let (head, tail) = digits.split_at(1.min(digits.len()));
        write!(f, "{sign}{head}.{tail}e{exponent}")
    }
}
