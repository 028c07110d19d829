//! Numbers of the form `value + k * delta` for an infinitely small positive `delta`, which turn
//! strict bounds into weak ones (Dutertre and de Moura, section 5).

use craig_num::{Int, Rat};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{AddAssign, Neg, Sub};

/// `value + delta * δ`, ordered lexicographically.
///
/// Problems without strict bounds keep `delta` zero throughout, so every operation has a path for
/// that case.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct DeltaRat {
    pub value: Rat,
    pub delta: Rat,
}

impl DeltaRat {
    pub const ZERO: DeltaRat = DeltaRat { value: Rat::ZERO, delta: Rat::ZERO };

    pub fn new(value: Rat, delta: Rat) -> DeltaRat {
        DeltaRat { value, delta }
    }

    /// The largest number below `value`: the upper bound of `x < value`.
    pub fn below(value: Rat) -> DeltaRat {
        DeltaRat { value, delta: Rat::MINUS_ONE }
    }

    /// The smallest number above `value`: the lower bound of `x > value`.
    pub fn above(value: Rat) -> DeltaRat {
        DeltaRat { value, delta: Rat::ONE }
    }

    /// The largest integer that is not above this.
    pub fn floor(&self) -> Int {
        // An integer minus something infinitely small lies below that integer.
        let below = self.value.is_integer() && self.delta.is_negative();
        self.value.floor() - if below { Int::ONE } else { Int::ZERO }
    }

    #[inline]
    pub fn is_integer(&self) -> bool {
        self.value.is_integer() && self.delta.is_zero()
    }

    /// `self += factor * other` in one step.
    #[inline]
    pub fn add_mul(&mut self, factor: &Rat, other: &DeltaRat) {
        self.value.add_mul(factor, &other.value);
        if !other.delta.is_zero() {
            self.delta.add_mul(factor, &other.delta);
        }
    }

    #[inline]
    pub fn scaled(&self, factor: &Rat) -> DeltaRat {
        let delta = if self.delta.is_zero() { Rat::ZERO } else { &self.delta * factor };
        DeltaRat { value: &self.value * factor, delta }
    }

    /// The number for a concrete `delta`.
    pub fn at(&self, delta: &Rat) -> Rat {
        &self.value + &self.delta * delta
    }
}

impl Ord for DeltaRat {
    #[inline]
    fn cmp(&self, other: &DeltaRat) -> Ordering {
        self.value.cmp(&other.value).then_with(|| self.delta.cmp(&other.delta))
    }
}

impl PartialOrd for DeltaRat {
    #[inline]
    fn partial_cmp(&self, other: &DeltaRat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<Rat> for DeltaRat {
    fn from(value: Rat) -> DeltaRat {
        DeltaRat { value, delta: Rat::ZERO }
    }
}

impl AddAssign<&DeltaRat> for DeltaRat {
    #[inline]
    fn add_assign(&mut self, other: &DeltaRat) {
        self.value += &other.value;
        if !other.delta.is_zero() {
            self.delta += &other.delta;
        }
    }
}

impl Sub for &DeltaRat {
    type Output = DeltaRat;
    #[inline]
    fn sub(self, other: &DeltaRat) -> DeltaRat {
        let delta = if other.delta.is_zero() { self.delta.clone() } else { &self.delta - &other.delta };
        DeltaRat { value: &self.value - &other.value, delta }
    }
}

impl Neg for &DeltaRat {
    type Output = DeltaRat;
    fn neg(self) -> DeltaRat {
        DeltaRat { value: -&self.value, delta: -&self.delta }
    }
}

impl fmt::Debug for DeltaRat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.delta.signum() {
            0 => write!(f, "{}", self.value),
            1 => write!(f, "{}+{}δ", self.value, self.delta),
            _ => write!(f, "{}-{}δ", self.value, -&self.delta),
        }
    }
}
