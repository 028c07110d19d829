//! Operators. Each operation is written once, on references; the other forms forward to it.

use crate::gcd_u64;
use crate::int::{Int, Repr as IntRepr};
use crate::rat::{Rat, Repr as RatRepr};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

#[inline]
fn int_add(a: &Int, b: &Int) -> Int {
    match (&a.0, &b.0) {
        (IntRepr::Small(x), IntRepr::Small(y)) => match x.checked_add(*y) {
            Some(sum) => Int(IntRepr::Small(sum)),
            None => Int::from_wide(*x as i128 + *y as i128),
        },
        _ => Int::from_big(a.to_big() + b.to_big()),
    }
}

#[inline]
fn int_sub(a: &Int, b: &Int) -> Int {
    match (&a.0, &b.0) {
        (IntRepr::Small(x), IntRepr::Small(y)) => match x.checked_sub(*y) {
            Some(difference) => Int(IntRepr::Small(difference)),
            None => Int::from_wide(*x as i128 - *y as i128),
        },
        _ => Int::from_big(a.to_big() - b.to_big()),
    }
}

#[inline]
fn int_mul(a: &Int, b: &Int) -> Int {
    match (&a.0, &b.0) {
        (IntRepr::Small(x), IntRepr::Small(y)) => match x.checked_mul(*y) {
            Some(product) => Int(IntRepr::Small(product)),
            None => Int::from_wide(*x as i128 * *y as i128),
        },
        _ => Int::from_big(a.to_big() * b.to_big()),
    }
}

/// Rounds toward zero, as `/` on machine integers does.
#[inline]
fn int_div(a: &Int, b: &Int) -> Int {
    match (&a.0, &b.0) {
        (IntRepr::Small(x), IntRepr::Small(y)) => match x.checked_div(*y) {
            Some(quotient) => Int(IntRepr::Small(quotient)),
            None => Int::from_wide(*x as i128 / *y as i128),
        },
        _ => Int::from_big(a.to_big() / b.to_big()),
    }
}

#[inline]
fn int_rem(a: &Int, b: &Int) -> Int {
    match (&a.0, &b.0) {
        (IntRepr::Small(x), IntRepr::Small(y)) => match x.checked_rem(*y) {
            Some(remainder) => Int(IntRepr::Small(remainder)),
            None => Int::from_wide(*x as i128 % *y as i128),
        },
        _ => Int::from_big(a.to_big() % b.to_big()),
    }
}

#[inline]
fn int_neg(a: &Int) -> Int {
    match &a.0 {
        IntRepr::Small(x) => Int::from_wide(-(*x as i128)),
        IntRepr::Big(x) => Int::from_big(-(**x).clone()),
    }
}

#[inline]
fn rat_add(a: &Rat, b: &Rat) -> Rat {
    match (&a.0, &b.0) {
        (RatRepr::Small(n1, d1), RatRepr::Small(n2, d2)) => {
            if (d1.get() | d2.get()) == 1 {
                return Rat::from_coprime(*n1 as i128 + *n2 as i128, 1);
            }
            add_fractions(*n1, d1.get(), *n2 as i128, d2.get())
        }
        _ => Rat::from_big(a.to_big() + b.to_big()),
    }
}

#[inline]
fn rat_sub(a: &Rat, b: &Rat) -> Rat {
    match (&a.0, &b.0) {
        (RatRepr::Small(n1, d1), RatRepr::Small(n2, d2)) => {
            if (d1.get() | d2.get()) == 1 {
                return Rat::from_coprime(*n1 as i128 - *n2 as i128, 1);
            }
            add_fractions(*n1, d1.get(), -(*n2 as i128), d2.get())
        }
        _ => Rat::from_big(a.to_big() - b.to_big()),
    }
}

/// Knuth, volume 2, section 4.5.1: only divisors of `gcd(d1, d2)` can cancel. The second numerator
/// is wide because it may be the negated least `i64`; no sum here exceeds 2^127.
fn add_fractions(n1: i64, d1: i64, n2: i128, d2: i64) -> Rat {
    let common = gcd_u64(d1 as u64, d2 as u64);
    let (n1, d1, d2) = (n1 as i128, d1 as i128, d2 as i128);
    if common == 1 {
        return Rat::from_coprime(n1 * d2 + n2 * d1, d1 * d2);
    }
    let rest = quotient(d1, common);
    let sum = n1 * quotient(d2, common) + n2 * rest;
    let cancel = gcd_u64(remainder(sum, common), common);
    Rat::from_coprime(quotient(sum, cancel), rest * quotient(d2, cancel))
}

/// Division of a wide number that is usually small, or by one: dividing 128 bits is slow.
#[inline]
pub(crate) fn quotient(dividend: i128, divisor: u64) -> i128 {
    if divisor == 1 {
        return dividend;
    }
    match (i64::try_from(dividend), i64::try_from(divisor)) {
        (Ok(dividend), Ok(divisor)) => (dividend / divisor) as i128,
        _ => dividend / divisor as i128,
    }
}

/// The magnitude of the remainder.
#[inline]
fn remainder(dividend: i128, divisor: u64) -> u64 {
    match u64::try_from(dividend.unsigned_abs()) {
        Ok(dividend) => dividend % divisor,
        Err(_) => (dividend.unsigned_abs() % divisor as u128) as u64,
    }
}

#[inline]
fn rat_mul(a: &Rat, b: &Rat) -> Rat {
    match (&a.0, &b.0) {
        (RatRepr::Small(n1, d1), RatRepr::Small(n2, d2)) => {
            if (d1.get() | d2.get()) == 1 {
                return Rat::from_coprime(*n1 as i128 * *n2 as i128, 1);
            }
            multiply_fractions(*n1 as i128, d1.get() as i128, *n2 as i128, d2.get() as i128)
        }
        _ => Rat::from_big(a.to_big() * b.to_big()),
    }
}

#[inline]
fn rat_div(a: &Rat, b: &Rat) -> Rat {
    assert!(!b.is_zero(), "division by zero");
    match (&a.0, &b.0) {
        (RatRepr::Small(n1, d1), RatRepr::Small(n2, d2)) => {
            let sign = n2.signum() as i128;
            multiply_fractions(*n1 as i128, d1.get() as i128, sign * d2.get() as i128, sign * *n2 as i128)
        }
        _ => Rat::from_big(a.to_big() / b.to_big()),
    }
}

/// Each part is at most 2^63 in magnitude, both fractions are reduced.
fn multiply_fractions(n1: i128, d1: i128, n2: i128, d2: i128) -> Rat {
    let cross1 = gcd_u64(n1.unsigned_abs() as u64, d2 as u64);
    let cross2 = gcd_u64(n2.unsigned_abs() as u64, d1 as u64);
    let numerator = quotient(n1, cross1) * quotient(n2, cross2);
    Rat::from_coprime(numerator, quotient(d1, cross2) * quotient(d2, cross1))
}

#[inline]
fn rat_neg(a: &Rat) -> Rat {
    match &a.0 {
        RatRepr::Small(n, d) => Rat::from_coprime(-(*n as i128), d.get() as i128),
        RatRepr::Big(value) => Rat::from_big(-(**value).clone()),
    }
}

macro_rules! binary_operator {
    ($type:ty, $trait:ident, $method:ident, $core:path) => {
        impl $trait<&$type> for &$type {
            type Output = $type;
            #[inline]
            fn $method(self, other: &$type) -> $type {
                $core(self, other)
            }
        }
        impl $trait<$type> for &$type {
            type Output = $type;
            #[inline]
            fn $method(self, other: $type) -> $type {
                $core(self, &other)
            }
        }
        impl $trait<&$type> for $type {
            type Output = $type;
            #[inline]
            fn $method(self, other: &$type) -> $type {
                $core(&self, other)
            }
        }
        impl $trait<$type> for $type {
            type Output = $type;
            #[inline]
            fn $method(self, other: $type) -> $type {
                $core(&self, &other)
            }
        }
    };
}

macro_rules! assigning_operator {
    ($type:ty, $trait:ident, $method:ident, $core:path) => {
        impl $trait<&$type> for $type {
            #[inline]
            fn $method(&mut self, other: &$type) {
                *self = $core(self, other);
            }
        }
        impl $trait<$type> for $type {
            #[inline]
            fn $method(&mut self, other: $type) {
                *self = $core(self, &other);
            }
        }
    };
}

macro_rules! negation {
    ($type:ty, $core:path) => {
        impl Neg for &$type {
            type Output = $type;
            #[inline]
            fn neg(self) -> $type {
                $core(self)
            }
        }
        impl Neg for $type {
            type Output = $type;
            #[inline]
            fn neg(self) -> $type {
                $core(&self)
            }
        }
    };
}

macro_rules! sum {
    ($type:ty) => {
        impl std::iter::Sum for $type {
            fn sum<I: Iterator<Item = $type>>(items: I) -> $type {
                items.fold(<$type>::ZERO, |total, item| total + item)
            }
        }
        impl<'a> std::iter::Sum<&'a $type> for $type {
            fn sum<I: Iterator<Item = &'a $type>>(items: I) -> $type {
                items.fold(<$type>::ZERO, |total, item| total + item)
            }
        }
    };
}

binary_operator!(Int, Add, add, int_add);
binary_operator!(Int, Sub, sub, int_sub);
binary_operator!(Int, Mul, mul, int_mul);
binary_operator!(Int, Div, div, int_div);
binary_operator!(Int, Rem, rem, int_rem);
assigning_operator!(Int, AddAssign, add_assign, int_add);
assigning_operator!(Int, SubAssign, sub_assign, int_sub);
assigning_operator!(Int, MulAssign, mul_assign, int_mul);
assigning_operator!(Int, DivAssign, div_assign, int_div);
negation!(Int, int_neg);
sum!(Int);

binary_operator!(Rat, Add, add, rat_add);
binary_operator!(Rat, Sub, sub, rat_sub);
binary_operator!(Rat, Mul, mul, rat_mul);
binary_operator!(Rat, Div, div, rat_div);
assigning_operator!(Rat, AddAssign, add_assign, rat_add);
assigning_operator!(Rat, SubAssign, sub_assign, rat_sub);
assigning_operator!(Rat, MulAssign, mul_assign, rat_mul);
assigning_operator!(Rat, DivAssign, div_assign, rat_div);
negation!(Rat, rat_neg);
sum!(Rat);
