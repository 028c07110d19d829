//! Rational numbers of any size.

use crate::int::{Int, Repr as IntRepr};
use crate::ops::quotient;
use crate::{ParseNumberError, gcd_u64};
use dashu::base::{Abs, Signed};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroI64;
use std::str::FromStr;

/// A rational: two `i64` inline, a boxed big rational beyond.
#[derive(Clone, PartialEq, Eq)]
pub struct Rat(pub(crate) Repr);

/// The zero that a denominator can never be tells the two variants apart, so a `Rat` is two words.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Repr {
    /// Numerator and positive denominator, coprime.
    Small(i64, NonZeroI64),
    /// Never a value of which both parts fit an `i64`.
    Big(Box<RBig>),
}

use Repr::{Big, Small};

const DENOMINATOR_ONE: NonZeroI64 = NonZeroI64::new(1).expect("one is not zero");

impl Rat {
    pub const ZERO: Rat = Rat(Small(0, DENOMINATOR_ONE));
    pub const ONE: Rat = Rat(Small(1, DENOMINATOR_ONE));
    pub const MINUS_ONE: Rat = Rat(Small(-1, DENOMINATOR_ONE));

    /// `numerator / denominator`; the denominator must not be zero.
    pub fn new(numerator: Int, denominator: Int) -> Rat {
        if let (IntRepr::Small(n), IntRepr::Small(d)) = (&numerator.0, &denominator.0) {
            return Rat::reduce(*n as i128, *d as i128);
        }
        Rat::from_big(RBig::from_parts_signed(numerator.to_big(), denominator.to_big()))
    }

    #[inline]
    pub fn from_int(value: Int) -> Rat {
        match value.0 {
            IntRepr::Small(n) => Rat(Small(n, DENOMINATOR_ONE)),
            IntRepr::Big(n) => Rat(Big(Box::new(RBig::from(*n)))),
        }
    }

    /// A quotient of two numbers below 2^64 in magnitude, not necessarily coprime.
    fn reduce(numerator: i128, denominator: i128) -> Rat {
        assert!(denominator != 0, "a rational with denominator zero");
        let divisor = gcd_u64(numerator.unsigned_abs() as u64, denominator.unsigned_abs() as u64);
        let (numerator, denominator) =
            if denominator < 0 { (-numerator, -denominator) } else { (numerator, denominator) };
        Rat::from_coprime(quotient(numerator, divisor), quotient(denominator, divisor))
    }

    /// Coprime parts with a positive denominator.
    #[inline]
    pub(crate) fn from_coprime(numerator: i128, denominator: i128) -> Rat {
        if let (Ok(n), Ok(d)) = (i64::try_from(numerator), i64::try_from(denominator))
            && let Some(d) = NonZeroI64::new(d)
        {
            return Rat(Small(n, d));
        }
        Rat::boxed(numerator, denominator)
    }

    #[cold]
    fn boxed(numerator: i128, denominator: i128) -> Rat {
        let denominator = UBig::from(denominator.unsigned_abs());
        Rat(Big(Box::new(RBig::from_parts(IBig::from(numerator), denominator))))
    }

    pub(crate) fn from_big(value: RBig) -> Rat {
        if let (Ok(n), Ok(d)) = (i64::try_from(value.numerator()), i64::try_from(value.denominator()))
            && let Some(d) = NonZeroI64::new(d)
        {
            return Rat(Small(n, d));
        }
        Rat(Big(Box::new(value)))
    }

    pub(crate) fn to_big(&self) -> RBig {
        match &self.0 {
            Small(n, d) => RBig::from_parts(IBig::from(*n), UBig::from(d.get().unsigned_abs())),
            Big(value) => (**value).clone(),
        }
    }

    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1, DENOMINATOR_ONE))
    }

    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(n, _) => n.signum() as i32,
            Big(value) => {
                if value.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, d) => d.get() == 1,
            Big(value) => value.is_int(),
        }
    }

    pub fn numer(&self) -> Int {
        match &self.0 {
            Small(n, _) => Int::from(*n),
            Big(value) => Int::from_big(value.numerator().clone()),
        }
    }

    /// Always positive.
    pub fn denom(&self) -> Int {
        match &self.0 {
            Small(_, d) => Int::from(d.get()),
            Big(value) => Int::from_big(IBig::from(value.denominator().clone())),
        }
    }

    /// The value, if it is an integer.
    pub fn to_int(&self) -> Option<Int> {
        self.is_integer().then(|| self.numer())
    }

    pub fn floor(&self) -> Int {
        match &self.0 {
            Small(n, d) => Int::from(n.div_euclid(d.get())),
            Big(value) => Int::from_big(value.floor()),
        }
    }

    pub fn ceil(&self) -> Int {
        match &self.0 {
            Small(n, d) => {
                let floor = n.div_euclid(d.get());
                // A fraction is far from the limits, so adding one cannot overflow.
                Int::from(if d.get() == 1 { floor } else { floor + 1 })
            }
            Big(value) => Int::from_big(value.ceil()),
        }
    }

    /// The distance to the floor, in `[0, 1)`.
    pub fn fract(&self) -> Rat {
        if self.is_integer() { Rat::ZERO } else { self - &Rat::from_int(self.floor()) }
    }

    pub fn abs(&self) -> Rat {
        match &self.0 {
            Small(n, d) => Rat::from_coprime((*n as i128).abs(), d.get() as i128),
            Big(value) => Rat(Big(Box::new((**value).clone().abs()))),
        }
    }

    /// One divided by this number, which must not be zero.
    pub fn recip(&self) -> Rat {
        match &self.0 {
            Small(n, d) => {
                assert!(*n != 0, "the reciprocal of zero");
                let sign = n.signum() as i128;
                Rat::from_coprime(sign * d.get() as i128, sign * *n as i128)
            }
            Big(value) => Rat::from_big(RBig::ONE / &**value),
        }
    }

    /// `self += a * b` in one step.
    #[inline]
    pub fn add_mul(&mut self, a: &Rat, b: &Rat) {
        if let (Small(s, sd), Small(x, xd), Small(y, yd)) = (&mut self.0, &a.0, &b.0)
            && (sd.get() | xd.get() | yd.get()) == 1
        {
            let sum = *s as i128 + *x as i128 * *y as i128;
            match i64::try_from(sum) {
                Ok(small) => *s = small,
                Err(_) => *self = Rat::boxed(sum, 1),
            }
            return;
        }
        *self += &(a * b);
    }

    #[inline(never)]
    fn cmp_fractions(&self, other: &Rat) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) => (*a as i128 * d.get() as i128).cmp(&(*c as i128 * b.get() as i128)),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Small(n, d) => *n as f64 / d.get() as f64,
            Big(value) => value.to_f64().value(),
        }
    }
}

impl Default for Rat {
    fn default() -> Rat {
        Rat::ZERO
    }
}

impl Hash for Rat {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Small(n, d) => (n, d).hash(state),
            Big(value) => value.hash(state),
        }
    }
}

impl Ord for Rat {
    #[inline]
    fn cmp(&self, other: &Rat) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) if b == d => a.cmp(c),
            _ => self.cmp_fractions(other),
        }
    }
}

impl PartialOrd for Rat {
    #[inline]
    fn partial_cmp(&self, other: &Rat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<Int> for Rat {
    fn from(value: Int) -> Rat {
        Rat::from_int(value)
    }
}

macro_rules! from_machine_integer {
    ($($t:ty),*) => {$(
        impl From<$t> for Rat {
            #[inline]
            fn from(value: $t) -> Rat {
                Rat::from_int(Int::from(value))
            }
        }
    )*};
}
from_machine_integer!(i32, i64, u64, i128);

impl FromStr for Rat {
    type Err = ParseNumberError;

    /// An integer, a decimal such as `-1.50`, or a quotient such as `3/4` of integers.
    fn from_str(text: &str) -> Result<Rat, ParseNumberError> {
        if let Some((numerator, denominator)) = text.split_once('/') {
            let (numerator, denominator): (Int, Int) = (numerator.parse()?, denominator.parse()?);
            if denominator.is_zero() {
                return Err(ParseNumberError);
            }
            return Ok(Rat::new(numerator, denominator));
        }
        let Some((whole, fraction)) = text.split_once('.') else {
            return Ok(Rat::from_int(text.parse()?));
        };
        let fraction_is_digits = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
        let scale = u32::try_from(fraction.len()).map_err(|_| ParseNumberError)?;
        if !fraction_is_digits {
            return Err(ParseNumberError);
        }
        let digits: Int = format!("{whole}{fraction}").parse()?;
        if whole.strip_prefix('-').unwrap_or(whole).is_empty() {
            return Err(ParseNumberError);
        }
        Ok(Rat::new(digits, Int::from(10).pow(scale)))
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(n, d) if d.get() == 1 => write!(f, "{n}"),
            Small(n, d) => write!(f, "{n}/{d}"),
            Big(value) => write!(f, "{value}"),
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
