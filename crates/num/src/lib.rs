//! Exact numbers for the solver: [`Int`] and [`Rat`]. And [`Extended`], the floating numbers that no Rust type has.
//!
//! Nearly every number that a verification task produces fits a machine word, so both types hold
//! machine words inline and fall back to `dashu` only when a result does not fit. Results are
//! computed in `i128`, where no intermediate value of one operation can overflow, and then
//! narrowed; only a failed narrowing takes the slow path.
//!
//! Invariant: representations are canonical. A value that fits the inline form is never boxed, a
//! rational has a positive denominator coprime to its numerator. Hence equality and hashing may
//! look at the representation alone.
//!
//! ```
//! use craig_num::{Int, Rat};
//!
//! let large = Int::from(i64::MAX) * Int::from(4i64);
//! assert_eq!(large.to_string(), "36893488147419103228");
//! let third: Rat = "1/3".parse().expect("a number");
//! assert!((third * Rat::from(Int::from(3i64))).is_one());
//! ```

mod extended;
mod int;
mod ops;
mod rat;

pub use extended::Extended;
pub use int::Int;
pub use rat::Rat;

use std::fmt;

/// The text was not a number of the expected form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseNumberError;

impl fmt::Display for ParseNumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a number")
    }
}

impl std::error::Error for ParseNumberError {}

/// Binary greatest common divisor; `gcd(0, n) = n`.
#[inline]
pub(crate) fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a <= 1 || b <= 1 {
        return if a == 0 {
            b
        } else if b == 0 {
            a
        } else {
            1
        };
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        a = low;
        b = high - low;
    }
    a << shift
}

#[cfg(test)]
mod tests;
