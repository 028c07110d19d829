//! The inline paths against `dashu` on random values around every representation limit.

use crate::{Int, Rat};
use dashu::base::{DivEuclid, Gcd, RemEuclid};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Small numbers, limits of the word sizes with neighbours, and numbers of random width.
    fn integer(&mut self) -> IBig {
        let near = self.below(5) as i128 - 2;
        let wide = match self.below(6) {
            0 | 1 => near,
            2 => self.below(2000) as i128 - 1000,
            3 => i64::MAX as i128 + near,
            4 => i64::MIN as i128 + near,
            _ => ((self.next() as i128) << 63 | self.next() as i128) >> self.below(127),
        };
        let wide = if self.below(2) == 0 { wide } else { -wide };
        if self.below(12) == 0 { IBig::from(wide) * IBig::from(i128::MAX) } else { IBig::from(wide) }
    }

    fn rational(&mut self) -> RBig {
        let numerator = self.integer();
        loop {
            let denominator = self.integer();
            if denominator != IBig::ZERO {
                return RBig::from_parts_signed(numerator, denominator);
            }
        }
    }
}

fn hash_of<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn assert_int(actual: Int, expected: IBig) {
    assert_eq!(actual.to_big(), expected);
    let again = Int::from_big(expected.clone());
    assert_eq!(actual, again, "not canonical: {expected}");
    assert_eq!(hash_of(&actual), hash_of(&again));
    assert_eq!(actual.to_i64(), i64::try_from(&expected).ok());
    assert_eq!(actual.to_i128(), i128::try_from(&expected).ok());
}

fn assert_rat(actual: Rat, expected: RBig) {
    assert_eq!(actual.to_big(), expected);
    let again = Rat::from_big(expected.clone());
    assert_eq!(actual, again, "not canonical: {expected}");
    assert_eq!(hash_of(&actual), hash_of(&again));
}

#[test]
fn numbers_are_two_words() {
    assert_eq!((size_of::<Int>(), size_of::<Rat>()), (16, 16));
}

#[test]
fn integer_operations_agree_with_big_integers() {
    let mut random = Random(1);
    for _ in 0..20_000 {
        let (x, y, z) = (random.integer(), random.integer(), random.integer());
        let (a, b, c) = (Int::from_big(x.clone()), Int::from_big(y.clone()), Int::from_big(z.clone()));
        assert_int(&a + &b, &x + &y);
        assert_int(&a - &b, &x - &y);
        assert_int(&a * &b, &x * &y);
        assert_int(-&a, -x.clone());
        assert_int(a.abs(), if x < IBig::ZERO { -x.clone() } else { x.clone() });
        let mut sum = a.clone();
        sum.add_mul(&b, &c);
        assert_int(sum, &x + &y * &z);
        assert_eq!(a.cmp(&b), x.cmp(&y));
        assert_eq!(a.signum(), x.cmp(&IBig::ZERO) as i32);
        assert_eq!(a.to_string(), x.to_string());
        assert_eq!(a.to_string().parse(), Ok(a.clone()));
        if x != IBig::ZERO || y != IBig::ZERO {
            let divisor = a.gcd(&b);
            assert_int(divisor.clone(), IBig::from((&x).gcd(&y)));
            assert_eq!(a.lcm(&b) * divisor, (&a * &b).abs());
        }
        if y != IBig::ZERO {
            assert_int(&a / &b, &x / &y);
            assert_int(&a % &b, &x % &y);
            assert_int(a.div_euclid(&b), (&x).div_euclid(&y));
            assert_int(a.rem_euclid(&b), IBig::from((&x).rem_euclid(&y)));
            assert_int(a.div_floor(&b), RBig::from_parts_signed(x.clone(), y.clone()).floor());
            assert_int(a.div_ceil(&b), RBig::from_parts_signed(x.clone(), y.clone()).ceil());
            assert_eq!(a.is_multiple_of(&b), (&x).rem_euclid(&y) == UBig::ZERO);
        }
    }
}

#[test]
fn rational_operations_agree_with_big_rationals() {
    let mut random = Random(2);
    for _ in 0..20_000 {
        let (x, y, z) = (random.rational(), random.rational(), random.rational());
        let (a, b, c) = (Rat::from_big(x.clone()), Rat::from_big(y.clone()), Rat::from_big(z.clone()));
        assert_rat(&a + &b, &x + &y);
        assert_rat(&a - &b, &x - &y);
        assert_rat(&a * &b, &x * &y);
        assert_rat(-&a, -x.clone());
        assert_rat(a.abs(), if x < RBig::ZERO { -x.clone() } else { x.clone() });
        let mut sum = a.clone();
        sum.add_mul(&b, &c);
        assert_rat(sum, &x + &y * &z);
        assert_eq!(a.cmp(&b), x.cmp(&y));
        assert_eq!(a.signum(), x.cmp(&RBig::ZERO) as i32);
        assert_int(a.floor(), x.floor());
        assert_int(a.ceil(), x.ceil());
        assert_int(a.numer(), x.numerator().clone());
        assert_int(a.denom(), IBig::from(x.denominator().clone()));
        assert_eq!(a.is_integer(), x.is_int());
        assert_eq!(Rat::from_int(a.floor()) + a.fract(), a);
        assert_eq!(Rat::new(a.numer(), a.denom()), a);
        assert_eq!(a.to_string().parse(), Ok(a.clone()));
        if y != RBig::ZERO {
            assert_rat(&a / &b, &x / &y);
            assert_rat(b.recip(), RBig::ONE / &y);
        }
    }
}

#[test]
fn text_is_read_strictly() {
    let rat = |text: &str| text.parse::<Rat>().ok();
    assert_eq!(rat("-1.50"), Some(Rat::new(Int::from(-3), Int::from(2))));
    assert_eq!(rat("-0.5"), rat("-1/2"));
    assert_eq!(rat("6/-4"), rat("-1.5"));
    assert_eq!(rat("123456789012345678901234567890.0"), rat("123456789012345678901234567890"));
    for bad in ["", "-", "1.", ".5", "-.5", "1/0", "1_0", "+1", "0x1", "1e3", "1.-5", "--1"] {
        assert_eq!(rat(bad), None, "{bad:?}");
    }
}

#[test]
fn powers_of_two() {
    for k in 0..200 {
        assert_int(Int::pow2(k), IBig::from(2).pow(k as usize));
        assert_eq!(Int::pow2(k), Int::from(2).pow(k));
    }
    assert!(Int::pow2(100).is_even() && !(Int::pow2(100) + Int::ONE).is_even());
}

/// The remainder of numbers of one size can be of another, which takes another way of division.
#[test]
fn divisors_of_long_numbers() {
    for bits in (1_000..40_000).step_by(3_000) {
        let long = Int::from(3).pow(bits);
        for part in [2, 3, 7] {
            let other = &long + &Int::from(3).pow(bits / part);
            assert_eq!(long.gcd(&other), Int::from(3).pow(bits / part));
        }
    }
}
