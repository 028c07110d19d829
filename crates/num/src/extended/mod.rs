//! The 80-bit floating numbers of x86, which C has as `long double`: a sign, 15 bits of exponent, and 64 bits of
//! significand, whose first is written out.
//!
//! Every operation computes exactly, with what is below the last digit collected in one flag, and rounds once, to the
//! nearest, ties to even. Where the first bit of the significand contradicts the exponent the processor sees no
//! number, but for a first bit where the exponent is zero: that is the least normal exponent. As the type contains
//! those of `float` and `double`, a constant of any of them can be held as one of it.

mod text;

use std::cmp::Ordering;

/// A number as its pattern: significand, exponent, sign, the lowest bits first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extended(u128);

/// The bits of a format: of its exponent, and of its significand with the first one.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    digits: u32,
}

const SINGLE: Format = Format { exponent: 8, digits: 24 };
const DOUBLE: Format = Format { exponent: 11, digits: 53 };
const EXTENDED: Format = Format { exponent: 15, digits: 64 };

const EXPONENT: u128 = 0x7fff << 64;
const SIGN: u128 = 1 << 79;
const FIRST: u64 = 1 << 63;
const MASK: u128 = (1 << 80) - 1;

/// A finite number: `significand * 2^exponent`.
#[derive(Clone, Copy)]
struct Finite {
    significand: u64,
    exponent: i32,
}

enum Kind {
    Nan,
    Infinite,
    Finite(Finite),
}

impl Format {
    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Exponent and significand of the number nearest to `significand * 2^exponent`, or to a little more if there is a
    /// rest.
    fn round(self, significand: u128, exponent: i64, rest: bool) -> (u128, u64) {
        if significand == 0 {
            return (0, 0);
        }
        let least = i64::from(1 - self.bias()) - i64::from(self.digits - 1);
        let length = i64::from(128 - significand.leading_zeros());
        let unit = (exponent + length - i64::from(self.digits)).max(least);
        let lost = unit - exponent;
        let (mut kept, up) = if lost <= 0 {
            // No more than the digits of the format are left, so nothing is shifted out.
            (significand << -lost, false)
        } else if lost > 128 {
            (0, false)
        } else {
            let kept = if lost == 128 { 0 } else { significand >> lost };
            let half = significand >> (lost - 1) & 1 != 0;
            let below = rest || significand & ((1u128 << (lost - 1)) - 1) != 0;
            (kept, half && (below || kept & 1 != 0))
        };
        kept += u128::from(up);
        let mut unit = unit;
        if kept >> self.digits != 0 {
            kept >>= 1;
            unit += 1;
        }
        if kept >> (self.digits - 1) == 0 {
            return (0, kept as u64);
        }
        let field = unit - least + 1;
        if field >= (1 << self.exponent) - 1 {
            return ((1 << self.exponent) - 1, 1 << (self.digits - 1));
        }
        (field as u128, kept as u64)
    }

    /// A pattern of a format that does not write the first bit of the significand.
    fn pack(self, negative: bool, exponent: u128, significand: u64) -> u64 {
        let fraction = significand & ((1 << (self.digits - 1)) - 1);
        let width = self.exponent + self.digits - 1;
        u64::from(negative) << width | (exponent as u64) << (self.digits - 1) | fraction
    }
}

impl Extended {
    pub const ZERO: Extended = Extended(0);
    pub const INFINITY: Extended = Extended(EXPONENT | FIRST as u128);
    pub const NAN: Extended = Extended(EXPONENT | 3 << 62);

    pub fn from_bits(bits: u128) -> Self {
        Extended(bits & MASK)
    }

    pub fn to_bits(self) -> u128 {
        self.0
    }

    fn rounded(negative: bool, significand: u128, exponent: i64, rest: bool) -> Self {
        let (exponent, significand) = EXTENDED.round(significand, exponent, rest);
        Extended(exponent << 64 | u128::from(significand)).with_sign(negative)
    }

    fn with_sign(self, negative: bool) -> Self {
        Extended(self.0 & !SIGN | if negative { SIGN } else { 0 })
    }

    pub fn is_negative(self) -> bool {
        self.0 & SIGN != 0
    }

    fn kind(self) -> Kind {
        let (field, significand) = ((self.0 >> 64 & 0x7fff) as i32, self.0 as u64);
        if field != 0 && significand & FIRST == 0 || field == 0x7fff && significand != FIRST {
            return Kind::Nan;
        }
        if field == 0x7fff {
            return Kind::Infinite;
        }
        Kind::Finite(Finite { significand, exponent: field.max(1) - EXTENDED.bias() - 63 })
    }

    /// What the processor takes for no number.
    pub fn is_nan(self) -> bool {
        matches!(self.kind(), Kind::Nan)
    }

    pub fn is_finite(self) -> bool {
        matches!(self.kind(), Kind::Finite(_))
    }

    pub fn is_zero(self) -> bool {
        matches!(self.kind(), Kind::Finite(Finite { significand: 0, .. }))
    }

    pub fn from_int(negative: bool, magnitude: u128) -> Self {
        Extended::rounded(negative && magnitude != 0, magnitude, 0, false)
    }

    /// Without the fraction: whether it is negative, and the magnitude, if that has at most 128 bits.
    pub fn to_int(self) -> Option<(bool, u128)> {
        let Kind::Finite(Finite { significand, exponent }) = self.kind() else { return None };
        let wide = u128::from(significand);
        let magnitude = match exponent {
            _ if significand == 0 => 0,
            0.. => {
                let fits = exponent as u32 <= wide.leading_zeros();
                fits.then(|| wide << exponent)?
            }
            -63..0 => wide >> -exponent,
            _ => 0,
        };
        Some((self.is_negative() && magnitude != 0, magnitude))
    }

    fn narrowed(self, to: Format) -> u64 {
        let special = (1 << to.exponent) - 1;
        let (exponent, significand) = match self.kind() {
            // A quiet one, with as much of what it carries as there is room for.
            Kind::Nan => (special, (self.0 as u64) >> (64 - to.digits) | 1 << (to.digits - 2)),
            Kind::Infinite => (special, 0),
            Kind::Finite(Finite { significand, exponent }) => {
                to.round(u128::from(significand), i64::from(exponent), false)
            }
        };
        to.pack(self.is_negative(), exponent, significand)
    }

    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.narrowed(DOUBLE))
    }

    pub fn to_f32(self) -> f32 {
        f32::from_bits(self.narrowed(SINGLE) as u32)
    }

    /// The product of two numbers, the sum, and so on, as IEEE 754 says; of NaNs one that is quiet.
    pub fn times(self, other: Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        match (self.kind(), other.kind()) {
            (Kind::Nan, _) | (_, Kind::Nan) => Extended::NAN,
            (Kind::Infinite, Kind::Infinite) => Extended::INFINITY.with_sign(negative),
            (Kind::Infinite, Kind::Finite(x)) | (Kind::Finite(x), Kind::Infinite) => match x.significand {
                0 => Extended::NAN,
                _ => Extended::INFINITY.with_sign(negative),
            },
            (Kind::Finite(a), Kind::Finite(b)) => {
                let product = u128::from(a.significand) * u128::from(b.significand);
                let exponent = i64::from(a.exponent) + i64::from(b.exponent);
                Extended::rounded(negative, product, exponent, false)
            }
        }
    }

    pub fn divided_by(self, other: Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        match (self.kind(), other.kind()) {
            (Kind::Nan, _) | (_, Kind::Nan) | (Kind::Infinite, Kind::Infinite) => Extended::NAN,
            (Kind::Infinite, _) => Extended::INFINITY.with_sign(negative),
            (_, Kind::Infinite) => Extended::ZERO.with_sign(negative),
            (Kind::Finite(a), Kind::Finite(b)) => match (a.significand, b.significand) {
                (0, 0) => Extended::NAN,
                (0, _) => Extended::ZERO.with_sign(negative),
                (_, 0) => Extended::INFINITY.with_sign(negative),
                (x, y) => {
                    // Both with their first bit set, so that the quotient has at least 125 digits.
                    let (up, down) = (x.leading_zeros(), y.leading_zeros());
                    let (x, y) = (u128::from(x << up), u128::from(y << down));
                    let (high, left) = ((x << 64) / y, (x << 64) % y);
                    let (low, left) = ((left << 62) / y, (left << 62) % y);
                    let exponent = (a.exponent - up as i32) - (b.exponent - down as i32) - 126;
                    Extended::rounded(negative, high << 62 | low, i64::from(exponent), left != 0)
                }
            },
        }
    }

    pub fn plus(self, other: Self) -> Self {
        let (negative, opposite) = (self.is_negative(), self.is_negative() != other.is_negative());
        let (a, b) = match (self.kind(), other.kind()) {
            (Kind::Nan, _) | (_, Kind::Nan) => return Extended::NAN,
            (Kind::Infinite, Kind::Infinite) if opposite => return Extended::NAN,
            (Kind::Infinite, _) => return self,
            (_, Kind::Infinite) => return other,
            (Kind::Finite(a), Kind::Finite(b)) => (a, b),
        };
        match (a.significand, b.significand) {
            (0, 0) => return Extended::ZERO.with_sign(negative && !opposite),
            (0, _) => {
                return Extended::rounded(
                    other.is_negative(),
                    b.significand.into(),
                    b.exponent.into(),
                    false,
                );
            }
            (_, 0) => return Extended::rounded(negative, a.significand.into(), a.exponent.into(), false),
            _ => {}
        }
        let (large, small, negative) =
            if a.exponent >= b.exponent { (a, b, negative) } else { (b, a, other.is_negative()) };
        // A digit is left for the carry, and 63 are below: enough to be exact, or to know on which side of a half it is.
        let x = u128::from(large.significand) << 63;
        let distance = large.exponent.abs_diff(small.exponent);
        let y = u128::from(small.significand) << 63;
        let (y, rest) = match distance {
            0..128 => (y >> distance, y & !(u128::MAX << distance) != 0),
            _ => (0, true),
        };
        let exponent = i64::from(large.exponent) - 63;
        if !opposite {
            return Extended::rounded(negative, x + y, exponent, rest);
        }
        match x.cmp(&y) {
            Ordering::Equal if !rest => Extended::ZERO,
            Ordering::Less => Extended::rounded(!negative, y - x, exponent, rest),
            // What is subtracted is a little more: one less, and a rest.
            _ => Extended::rounded(negative, x - y - u128::from(rest), exponent, rest),
        }
    }

    pub fn minus(self, other: Self) -> Self {
        match other.is_nan() {
            true => Extended::NAN,
            false => self.plus(other.negate()),
        }
    }

    /// What is left of a number when as many of the other as fit are taken away, exactly: `fmod`.
    pub fn remainder(self, other: Self) -> Self {
        let (a, b) = match (self.kind(), other.kind()) {
            (Kind::Nan | Kind::Infinite, _) | (_, Kind::Nan) => return Extended::NAN,
            (Kind::Finite(a), Kind::Infinite) => (a, None),
            (Kind::Finite(a), Kind::Finite(b)) => (a, Some(b)),
        };
        let (rest, exponent) = match b {
            Some(b) if b.significand == 0 => return Extended::NAN,
            // A larger exponent than the least comes with a significand whose first bit is set: the number is less.
            Some(b) if a.exponent >= b.exponent => {
                let divisor = u128::from(b.significand);
                let rest = u128::from(a.significand) % divisor;
                ((b.exponent..a.exponent).fold(rest, |rest, _| (rest << 1) % divisor), b.exponent)
            }
            _ => (a.significand.into(), a.exponent),
        };
        Extended::rounded(self.is_negative(), rest, exponent.into(), false)
    }

    pub fn negate(self) -> Self {
        Extended(self.0 ^ SIGN)
    }

    /// As C compares: nothing is less than, equal to or greater than what is no number.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        let magnitude = |x: Self| match x.kind() {
            Kind::Nan => None,
            // The larger exponent wins only where the significand begins with a one; others have the least exponent.
            Kind::Infinite => Some((i32::MAX, 0)),
            Kind::Finite(Finite { significand, exponent }) => Some((exponent, significand)),
        };
        let (a, b) = (magnitude(self)?, magnitude(other)?);
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        Some(match (self.is_negative(), other.is_negative()) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => a.cmp(&b),
            (true, true) => b.cmp(&a),
        })
    }
}

impl From<f64> for Extended {
    fn from(value: f64) -> Self {
        let bits = value.to_bits();
        let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let magnitude = match field {
            0x7ff => Extended(Extended::INFINITY.0 | u128::from(fraction) << 11),
            0 => Extended::rounded(false, fraction.into(), -1074, false),
            _ => Extended::rounded(false, (fraction | 1 << 52).into(), i64::from(field - 1075), false),
        };
        magnitude.with_sign(value.is_sign_negative())
    }
}

impl From<f32> for Extended {
    fn from(value: f32) -> Self {
        Extended::from(f64::from(value))
    }
}

#[cfg(test)]
mod tests;
