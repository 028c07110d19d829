//! Intervals of integers, bounded or not on each side. Never empty.

use crate::types::IntType;
use craig_num::Int;
use std::fmt;

/// The integers from `lo` to `hi`; `None` is no bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interval {
    pub lo: Option<Int>,
    pub hi: Option<Int>,
}

impl Interval {
    pub const ALL: Interval = Interval { lo: None, hi: None };

    pub fn new(lo: impl Into<Int>, hi: impl Into<Int>) -> Self {
        let (lo, hi) = (lo.into(), hi.into());
        debug_assert!(lo <= hi);
        Interval { lo: Some(lo), hi: Some(hi) }
    }

    pub fn constant(value: impl Into<Int>) -> Self {
        let value = value.into();
        Interval { lo: Some(value.clone()), hi: Some(value) }
    }

    /// The values of a type.
    pub fn of_type(ty: IntType) -> Self {
        let bits = u32::from(ty.bits);
        let (lo, end) = if ty.signed {
            (-Int::pow2(bits - 1), Int::pow2(bits - 1))
        } else {
            (Int::ZERO, Int::pow2(bits))
        };
        Interval { lo: Some(lo), hi: Some(end - Int::ONE) }
    }

    pub fn as_constant(&self) -> Option<&Int> {
        if self.lo == self.hi { self.lo.as_ref() } else { None }
    }

    /// Both bounds, where there are both.
    pub fn bounds(&self) -> Option<(&Int, &Int)> {
        Some((self.lo.as_ref()?, self.hi.as_ref()?))
    }

    pub fn contains(&self, value: &Int) -> bool {
        self.lo.as_ref().is_none_or(|lo| lo <= value) && self.hi.as_ref().is_none_or(|hi| value <= hi)
    }

    pub fn is_within(&self, other: &Interval) -> bool {
        let low = match (&self.lo, &other.lo) {
            (_, None) => true,
            (Some(a), Some(b)) => a >= b,
            (None, Some(_)) => false,
        };
        let high = match (&self.hi, &other.hi) {
            (_, None) => true,
            (Some(a), Some(b)) => a <= b,
            (None, Some(_)) => false,
        };
        low && high
    }

    pub fn is_nonnegative(&self) -> bool {
        self.lo.as_ref().is_some_and(|lo| !lo.is_negative())
    }

    pub fn is_nonpositive(&self) -> bool {
        self.hi.as_ref().is_some_and(|hi| !hi.is_positive())
    }

    pub fn join(&self, other: &Interval) -> Interval {
        Interval { lo: least(&self.lo, &other.lo), hi: greatest(&self.hi, &other.hi) }
    }

    /// The common part; `None` if there is none.
    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let lo = match (&self.lo, &other.lo) {
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let hi = match (&self.hi, &other.hi) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        if let (Some(lo), Some(hi)) = (&lo, &hi)
            && lo > hi
        {
            return None;
        }
        Some(Interval { lo, hi })
    }

    /// Drops every bound that `next` moves.
    pub fn widen(&self, next: &Interval) -> Interval {
        let stable = |old: &Option<Int>, new: &Option<Int>, moved: fn(&Int, &Int) -> bool| match (old, new) {
            (Some(old), Some(new)) if !moved(old, new) => Some(old.clone()),
            _ => None,
        };
        Interval {
            lo: stable(&self.lo, &next.lo, |old, new| new < old),
            hi: stable(&self.hi, &next.hi, |old, new| new > old),
        }
    }

    pub fn add(&self, other: &Interval) -> Interval {
        let sum = |a: &Option<Int>, b: &Option<Int>| Some(a.as_ref()? + b.as_ref()?);
        Interval { lo: sum(&self.lo, &other.lo), hi: sum(&self.hi, &other.hi) }
    }

    pub fn neg(&self) -> Interval {
        Interval { lo: self.hi.as_ref().map(|hi| -hi), hi: self.lo.as_ref().map(|lo| -lo) }
    }

    pub fn sub(&self, other: &Interval) -> Interval {
        self.add(&other.neg())
    }

    pub fn mul(&self, other: &Interval) -> Interval {
        if let (Some((a, b)), Some((c, d))) = (self.bounds(), other.bounds()) {
            let mut products = [a * c, a * d, b * c, b * d];
            products.sort();
            let [lo, .., hi] = products;
            return Interval { lo: Some(lo), hi: Some(hi) };
        }
        if self.is_nonnegative() && other.is_nonnegative() {
            let lo = self.lo.as_ref().zip(other.lo.as_ref()).map(|(a, b)| a * b);
            return Interval { lo, hi: None };
        }
        Interval::ALL
    }

    /// The quotients by a positive constant, rounded down.
    pub fn div_floor(&self, divisor: &Int) -> Interval {
        let quotient = |bound: &Option<Int>| bound.as_ref().map(|bound| bound.div_floor(divisor));
        Interval { lo: quotient(&self.lo), hi: quotient(&self.hi) }
    }

    /// The largest absolute value, where there is one.
    pub fn magnitude(&self) -> Option<Int> {
        self.bounds().map(|(lo, hi)| lo.abs().max(hi.abs()))
    }

    /// From minus the magnitude to the magnitude.
    pub fn symmetric(magnitude: Option<Int>) -> Interval {
        Interval { lo: magnitude.as_ref().map(|m| -m), hi: magnitude }
    }

    /// The number of values, if it is at most `limit`.
    pub fn count_up_to(&self, limit: i64) -> Option<i64> {
        let (lo, hi) = self.bounds()?;
        (hi - lo).to_i64().and_then(|distance| distance.checked_add(1)).filter(|&count| count <= limit)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.lo {
            Some(lo) => write!(f, "[{lo}, ")?,
            None => f.write_str("(-inf, ")?,
        }
        match &self.hi {
            Some(hi) => write!(f, "{hi}]"),
            None => f.write_str("inf)"),
        }
    }
}

fn least(a: &Option<Int>, b: &Option<Int>) -> Option<Int> {
    Some(a.as_ref()?.min(b.as_ref()?).clone())
}

fn greatest(a: &Option<Int>, b: &Option<Int>) -> Option<Int> {
    Some(a.as_ref()?.max(b.as_ref()?).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_exact_on_bounds() {
        let (a, b) = (Interval::new(-3, 5), Interval::new(2, 4));
        assert_eq!(a.add(&b), Interval::new(-1, 9));
        assert_eq!(a.sub(&b), Interval::new(-7, 3));
        assert_eq!(a.mul(&b), Interval::new(-12, 20));
        assert_eq!(a.div_floor(&Int::from(2)), Interval::new(-2, 2));
        assert_eq!(a.join(&b), Interval::new(-3, 5));
        assert_eq!(a.meet(&b), Some(Interval::new(2, 4)));
        assert_eq!(Interval::new(0, 1).meet(&b), None);
        assert_eq!(a.widen(&Interval::new(-3, 6)), Interval { lo: Some(Int::from(-3)), hi: None });
        assert_eq!(format!("{}", Interval::of_type(IntType::signed(8))), "[-128, 127]");
    }
}
