//! Integers of any size.

use crate::{ParseNumberError, gcd_u64};
use dashu::base::{Abs, DivEuclid, Gcd, RemEuclid, Signed};
use dashu::integer::{IBig, UBig};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// An integer: an `i64` inline, a boxed big integer beyond.
#[derive(Clone, PartialEq, Eq)]
pub struct Int(pub(crate) Repr);

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Repr {
    Small(i64),
    /// Never a value that fits an `i64`.
    Big(Box<IBig>),
}

use Repr::{Big, Small};

impl Int {
    pub const ZERO: Int = Int(Small(0));
    pub const ONE: Int = Int(Small(1));
    pub const MINUS_ONE: Int = Int(Small(-1));

    #[inline]
    pub(crate) fn from_wide(value: i128) -> Int {
        match i64::try_from(value) {
            Ok(small) => Int(Small(small)),
            Err(_) => Int::boxed(IBig::from(value)),
        }
    }

    pub(crate) fn from_big(value: IBig) -> Int {
        match i64::try_from(&value) {
            Ok(small) => Int(Small(small)),
            Err(_) => Int::boxed(value),
        }
    }

    #[cold]
    fn boxed(value: IBig) -> Int {
        Int(Big(Box::new(value)))
    }

    pub(crate) fn to_big(&self) -> IBig {
        match &self.0 {
            Small(value) => IBig::from(*value),
            Big(value) => (**value).clone(),
        }
    }

    /// 2 to the power `k`.
    pub fn pow2(k: u32) -> Int {
        if k < 63 { Int(Small(1 << k)) } else { Int::from_big(IBig::from(UBig::ONE << k as usize)) }
    }

    pub fn pow(&self, exponent: u32) -> Int {
        match self.0 {
            Small(value) => match value.checked_pow(exponent) {
                Some(power) => Int(Small(power)),
                None => Int::from_big(self.to_big().pow(exponent as usize)),
            },
            Big(ref value) => Int::from_big(value.pow(exponent as usize)),
        }
    }

    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
    }

    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    pub fn is_even(&self) -> bool {
        match &self.0 {
            Small(value) => value & 1 == 0,
            Big(_) => self.rem_euclid(&Int::from(2)).is_zero(),
        }
    }

    /// -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(value) => value.signum() as i32,
            Big(value) => {
                if value.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    pub fn abs(&self) -> Int {
        match &self.0 {
            Small(value) => Int::from_wide((*value as i128).abs()),
            Big(value) => Int::from_big((**value).clone().abs()),
        }
    }

    /// The non-negative greatest common divisor; `gcd(0, 0) = 0`.
    #[inline]
    pub fn gcd(&self, other: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &other.0) {
            return Int::from_wide(gcd_u64(a.unsigned_abs(), b.unsigned_abs()) as i128);
        }
        if self.is_zero() || other.is_zero() {
            return if self.is_zero() { other.abs() } else { self.abs() };
        }
        Int::from_big(IBig::from(self.to_big().gcd(&other.to_big())))
    }

    /// The non-negative least common multiple; zero if either is zero.
    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        (self / &self.gcd(other) * other).abs()
    }

    /// The quotient for which the remainder is in `0..|divisor|`, as `div` of SMT-LIB. The divisor
    /// must not be zero.
    pub fn div_euclid(&self, divisor: &Int) -> Int {
        match (&self.0, &divisor.0) {
            (Small(a), Small(b)) => match a.checked_div_euclid(*b) {
                Some(small) => Int(Small(small)),
                None => Int::from_wide((*a as i128).div_euclid(*b as i128)),
            },
            _ => Int::from_big(self.to_big().div_euclid(divisor.to_big())),
        }
    }

    /// The remainder in `0..|divisor|`, as `mod` of SMT-LIB. The divisor must not be zero.
    pub fn rem_euclid(&self, divisor: &Int) -> Int {
        match (&self.0, &divisor.0) {
            (Small(a), Small(b)) => match a.checked_rem_euclid(*b) {
                Some(small) => Int(Small(small)),
                None => Int::from_wide((*a as i128).rem_euclid(*b as i128)),
            },
            _ => Int::from_big(IBig::from(self.to_big().rem_euclid(divisor.to_big()))),
        }
    }

    /// The quotient rounded down. The divisor must not be zero.
    pub fn div_floor(&self, divisor: &Int) -> Int {
        if divisor.is_negative() { (-self).div_euclid(&-divisor) } else { self.div_euclid(divisor) }
    }

    /// The quotient rounded up. The divisor must not be zero.
    pub fn div_ceil(&self, divisor: &Int) -> Int {
        -(-self).div_floor(divisor)
    }

    /// Whether `divisor` divides this number; zero divides only zero.
    pub fn is_multiple_of(&self, divisor: &Int) -> bool {
        if divisor.is_zero() { self.is_zero() } else { self.rem_euclid(divisor).is_zero() }
    }

    /// `self += a * b` in one step.
    #[inline]
    pub fn add_mul(&mut self, a: &Int, b: &Int) {
        if let (Small(s), Small(x), Small(y)) = (&mut self.0, &a.0, &b.0) {
            let sum = *s as i128 + *x as i128 * *y as i128;
            match i64::try_from(sum) {
                Ok(small) => *s = small,
                Err(_) => *self = Int::boxed(IBig::from(sum)),
            }
            return;
        }
        *self = &*self + &(a * b);
    }

    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(value) => Some(value),
            Big(_) => None,
        }
    }

    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Small(value) => Some(*value as i128),
            Big(value) => i128::try_from(&**value).ok(),
        }
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Small(value) => *value as f64,
            Big(value) => value.to_f64().value(),
        }
    }
}

impl Default for Int {
    fn default() -> Int {
        Int::ZERO
    }
}

impl Hash for Int {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Small(value) => value.hash(state),
            Big(value) => value.hash(state),
        }
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            // A boxed value lies outside the range of the inline ones.
            (Small(_), Big(_)) => 0.cmp(&other.signum()),
            (Big(_), Small(_)) => self.signum().cmp(&0),
        }
    }
}

impl PartialOrd for Int {
    #[inline]
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Int {
    #[inline]
    fn from(value: i64) -> Int {
        Int(Small(value))
    }
}

impl From<i32> for Int {
    #[inline]
    fn from(value: i32) -> Int {
        Int(Small(value as i64))
    }
}

impl From<u64> for Int {
    fn from(value: u64) -> Int {
        Int::from_wide(value as i128)
    }
}

impl From<i128> for Int {
    fn from(value: i128) -> Int {
        Int::from_wide(value)
    }
}

impl FromStr for Int {
    type Err = ParseNumberError;

    /// Decimal digits, with an optional `-` in front.
    fn from_str(text: &str) -> Result<Int, ParseNumberError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ParseNumberError);
        }
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Int(Small(small)));
        }
        IBig::from_str_radix(text, 10).map(Int::from_big).map_err(|_| ParseNumberError)
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(value) => fmt::Display::fmt(value, f),
            Big(value) => fmt::Display::fmt(value, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
