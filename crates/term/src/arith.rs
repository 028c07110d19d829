//! Constructors for arithmetic, and the linear view of terms.
//!
//! Sums are kept in normal form, so [`Terms::linear`] only reads one node. Division and remainder
//! are Euclidean, as in SMT-LIB; by a numeral they are normalised (`mod` has reduced coefficients
//! and a positive divisor), by anything else they stay opaque. Products of sums are multiplied out, unless
//! that makes too many summands: so equal polynomials are one term. A product of two non-numerals is an
//! opaque summand.

use crate::store::{Op, SortId, TermId, Terms};
use craig_base::{Map, Set};
use craig_num::{Int, Rat};

/// A choice among numerals that is compared with another number is followed as long as it has no more nodes.
const LARGEST_CHOICE: usize = 3000;
/// Products of sums with more summands are not multiplied out.
const MAX_EXPANDED: usize = 64;

/// `sum of coefficient * term + constant`; terms ascend and are not numerals, sums or multiples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearSum {
    pub terms: Vec<(TermId, Rat)>,
    pub constant: Rat,
}

impl LinearSum {
    /// Nothing, with room for so many summands and for one in any case.
    fn with_capacity(summands: usize) -> Self {
        LinearSum { terms: Vec::with_capacity(summands.max(2)), constant: Rat::default() }
    }

    /// Adds `factor * t`, leaving the terms unsorted.
    fn push(&mut self, terms: &Terms, factor: &Rat, t: TermId) {
        match terms.op(t) {
            Op::Number(_) => self.constant += factor * number(terms, t),
            Op::Add => {
                for &arg in terms.args(t) {
                    match terms.op(arg) {
                        Op::Number(_) => self.constant += factor * number(terms, arg),
                        _ => self.push_monomial(terms, factor, arg),
                    }
                }
            }
            _ => self.push_monomial(terms, factor, t),
        }
    }

    fn push_monomial(&mut self, terms: &Terms, factor: &Rat, t: TermId) {
        match *terms.args(t) {
            [c, x] if terms.op(t) == Op::Scale => self.terms.push((x, factor * number(terms, c))),
            _ => self.terms.push((t, factor.clone())),
        }
    }

    /// Sorts, and adds up what belongs to one term.
    fn normalise(&mut self) {
        if self.terms.len() > 1 {
            if !self.terms.is_sorted_by_key(|&(t, _)| t) {
                self.terms.sort_by_key(|&(t, _)| t);
            }
            self.terms.dedup_by(|later, kept| {
                let same = later.0 == kept.0;
                if same {
                    kept.1 += &later.1;
                }
                same
            });
        }
        self.terms.retain(|(_, c)| !c.is_zero());
    }

    /// How many summands there are.
    fn parts(&self) -> usize {
        self.terms.len() + usize::from(!self.constant.is_zero())
    }

    fn scale(&mut self, factor: &Rat) {
        for (_, c) in &mut self.terms {
            *c *= factor;
        }
        self.constant *= factor;
    }
}

fn number(terms: &Terms, t: TermId) -> &Rat {
    terms.number(t).expect("a numeral")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Le,
    Lt,
    Eq,
}

impl Terms {
    pub fn int(&mut self, value: impl Into<Int>) -> TermId {
        self.numeral(Rat::from(value.into()), Self::INT)
    }

    pub fn real(&mut self, value: impl Into<Rat>) -> TermId {
        self.numeral(value.into(), Self::REAL)
    }

    /// The value of an integer numeral.
    pub fn int_value(&self, t: TermId) -> Option<Int> {
        if self.is_int(t) { self.number(t).map(|value| value.numer().clone()) } else { None }
    }

    /// Any arithmetic term as a sum; what is not linear is an opaque summand.
    pub fn linear(&self, t: TermId) -> LinearSum {
        debug_assert!(self.is_arith(t));
        let mut sum = LinearSum::with_capacity(self.args(t).len());
        sum.push(self, &Rat::from(1), t);
        sum
    }

    /// The term of a sum; the inverse of [`linear`](Self::linear).
    pub fn from_linear(&mut self, mut sum: LinearSum, sort: SortId) -> TermId {
        sum.normalise();
        self.build_sum(&sum, sort)
    }

    /// `sum <= 0`, `sum < 0` if `strict`.
    pub fn linear_le(&mut self, mut sum: LinearSum, strict: bool, sort: SortId) -> TermId {
        sum.normalise();
        self.atom(sum, if strict { Relation::Lt } else { Relation::Le }, sort)
    }

    /// `sum = 0`.
    pub fn linear_eq(&mut self, mut sum: LinearSum, sort: SortId) -> TermId {
        sum.normalise();
        self.atom(sum, Relation::Eq, sort)
    }

    fn build_sum(&mut self, sum: &LinearSum, sort: SortId) -> TermId {
        if sum.terms.is_empty() {
            return self.numeral(sum.constant.clone(), sort);
        }
        let mut args = Vec::with_capacity(sum.terms.len() + 1);
        if !sum.constant.is_zero() {
            args.push(self.numeral(sum.constant.clone(), sort));
        }
        for (t, c) in &sum.terms {
            args.push(if c.is_one() {
                *t
            } else {
                let factor = self.numeral(c.clone(), sort);
                self.intern(Op::Scale, sort, &[factor, *t])
            });
        }
        if let [single] = args[..] { single } else { self.intern(Op::Add, sort, &args) }
    }

    pub fn add(&mut self, args: &[TermId]) -> TermId {
        debug_assert!(!args.is_empty() && args.iter().all(|&a| self.sort(a) == self.sort(args[0])));
        let sort = self.sort(args[0]);
        let one = Rat::from(1);
        let mut sum = LinearSum::with_capacity(args.len());
        for &arg in args {
            sum.push(self, &one, arg);
        }
        self.from_linear(sum, sort)
    }

    pub fn add2(&mut self, a: TermId, b: TermId) -> TermId {
        self.add(&[a, b])
    }

    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.difference(a, b);
        let sort = self.sort(a);
        self.build_sum(&sum, sort)
    }

    pub fn neg(&mut self, a: TermId) -> TermId {
        self.scale(&Rat::from(-1), a)
    }

    fn difference(&self, a: TermId, b: TermId) -> LinearSum {
        debug_assert!(self.is_arith(a) && self.sort(a) == self.sort(b));
        let mut sum = LinearSum::with_capacity(self.args(a).len() + self.args(b).len());
        sum.push(self, &Rat::from(1), a);
        sum.push(self, &Rat::from(-1), b);
        sum.normalise();
        sum
    }

    /// `factor * t`; for an integer `t`, an integer factor.
    pub fn scale(&mut self, factor: &Rat, t: TermId) -> TermId {
        debug_assert!(self.sort(t) == Self::REAL || factor.is_integer());
        let mut sum = LinearSum::with_capacity(self.args(t).len());
        sum.push(self, factor, t);
        let sort = self.sort(t);
        self.from_linear(sum, sort)
    }

    /// The integer `t` divided by a number other than zero, if every coefficient of the result is whole.
    pub fn exact_quotient(&mut self, t: TermId, divisor: &Rat) -> Option<TermId> {
        debug_assert!(self.sort(t) == Self::INT);
        let factor = divisor.recip();
        let mut sum = LinearSum::default();
        sum.push(self, &factor, t);
        sum.normalise();
        let is_whole = sum.constant.is_integer() && sum.terms.iter().all(|(_, c)| c.is_integer());
        is_whole.then(|| self.from_linear(sum, Self::INT))
    }

    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.is_arith(a) && self.sort(a) == self.sort(b));
        if let Some(factor) = self.number(a).cloned() {
            return self.scale(&factor, b);
        }
        if let Some(factor) = self.number(b).cloned() {
            return self.scale(&factor, a);
        }
        let (left, right) = (self.linear(a), self.linear(b));
        if left.parts() * right.parts() > MAX_EXPANDED {
            return self.monomial(a, b);
        }
        let mut product = LinearSum { terms: Vec::new(), constant: &left.constant * &right.constant };
        for (x, c) in &left.terms {
            product.terms.push((*x, c * &right.constant));
            for (y, d) in &right.terms {
                product.terms.push((self.monomial(*x, *y), c * d));
            }
        }
        product.terms.extend(right.terms.iter().map(|(y, d)| (*y, d * &left.constant)));
        let sort = self.sort(a);
        self.from_linear(product, sort)
    }

    /// The product of terms that are taken as they are, but for the factors of opaque products.
    fn monomial(&mut self, a: TermId, b: TermId) -> TermId {
        let mut factors = Vec::new();
        for t in [a, b] {
            if self.op(t) == Op::Mul {
                factors.extend_from_slice(self.args(t));
            } else {
                factors.push(t);
            }
        }
        factors.sort_unstable();
        let sort = self.sort(a);
        self.intern(Op::Mul, sort, &factors)
    }

    /// Euclidean division of integers.
    pub fn div(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.is_int(a) && self.is_int(b));
        let Some(divisor) = self.int_value(b).filter(|d| !d.is_zero()) else {
            return self.intern(Op::Div, Self::INT, &[a, b]);
        };
        if divisor.is_negative() {
            let positive = self.int(-divisor);
            let quotient = self.div(a, positive);
            return self.neg(quotient);
        }
        // Multiples of the divisor come out; what remains has coefficients in 0..divisor.
        let (whole, rest) = self.split_by(a, &divisor);
        let whole = self.from_linear(whole, Self::INT);
        let rest = self.from_linear(rest, Self::INT);
        let quotient = match self.int_value(rest) {
            Some(_) => self.int(0),
            None => self.intern(Op::Div, Self::INT, &[rest, b]),
        };
        self.add2(whole, quotient)
    }

    /// Euclidean remainder of integers.
    pub fn modulo(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.is_int(a) && self.is_int(b));
        let Some(divisor) = self.int_value(b).filter(|d| !d.is_zero()) else {
            return self.intern(Op::Mod, Self::INT, &[a, b]);
        };
        if divisor.is_negative() {
            let positive = self.int(-divisor);
            return self.modulo(a, positive);
        }
        let (_, rest) = self.split_by(a, &divisor);
        let rest = self.from_linear(rest, Self::INT);
        match self.int_value(rest) {
            Some(_) => rest,
            None => self.intern(Op::Mod, Self::INT, &[rest, b]),
        }
    }

    /// `a = divisor * whole + rest` with the coefficients of `rest` in `0..divisor`.
    fn split_by(&self, a: TermId, divisor: &Int) -> (LinearSum, LinearSum) {
        let sum = self.linear(a);
        let split = |c: &Rat| {
            let c = c.numer();
            (Rat::from(c.div_euclid(divisor)), Rat::from(c.rem_euclid(divisor)))
        };
        let mut whole = LinearSum::default();
        let mut rest = LinearSum::default();
        for (t, c) in &sum.terms {
            let (q, r) = split(c);
            whole.terms.push((*t, q));
            rest.terms.push((*t, r));
        }
        (whole.constant, rest.constant) = split(&sum.constant);
        (whole, rest)
    }

    /// Division of reals.
    pub fn real_div(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.sort(a) == Self::REAL && self.sort(b) == Self::REAL);
        match self.number(b).filter(|d| !d.is_zero()) {
            Some(divisor) => {
                let factor = Rat::from(1) / divisor;
                self.scale(&factor, a)
            }
            None => self.intern(Op::RealDiv, Self::REAL, &[a, b]),
        }
    }

    pub fn abs(&mut self, a: TermId) -> TermId {
        let sort = self.sort(a);
        let zero = self.numeral(Rat::from(0), sort);
        let nonnegative = self.ge(a, zero);
        let negated = self.neg(a);
        self.ite(nonnegative, a, negated)
    }

    pub fn to_real(&mut self, a: TermId) -> TermId {
        if self.sort(a) == Self::REAL {
            return a;
        }
        let mut sum = self.linear(a);
        for (t, _) in &mut sum.terms {
            *t = self.intern(Op::ToReal, Self::REAL, &[*t]);
        }
        self.from_linear(sum, Self::REAL)
    }

    /// The largest integer below or equal.
    pub fn to_int(&mut self, a: TermId) -> TermId {
        if self.sort(a) == Self::INT {
            return a;
        }
        // Integral summands come out; the rest stays under the floor.
        let sum = self.linear(a);
        let mut whole = LinearSum::default();
        let mut rest = LinearSum::default();
        for (t, c) in sum.terms {
            if self.op(t) == Op::ToReal && c.is_integer() {
                whole.terms.push((self.arg(t, 0), c));
            } else {
                rest.terms.push((t, c));
            }
        }
        let floor = Rat::from(sum.constant.floor());
        rest.constant = sum.constant - &floor;
        whole.constant = floor;
        let whole = self.from_linear(whole, Self::INT);
        if rest.terms.is_empty() {
            return whole;
        }
        let rest = self.from_linear(rest, Self::REAL);
        let floor = self.intern(Op::ToInt, Self::INT, &[rest]);
        self.add2(whole, floor)
    }

    pub fn is_int_value(&mut self, a: TermId) -> TermId {
        let floor = self.to_int(a);
        let floor = self.to_real(floor);
        self.eq(floor, a)
    }

    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.difference(a, b);
        let sort = self.sort(a);
        self.atom(sum, Relation::Le, sort)
    }

    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.difference(a, b);
        let sort = self.sort(a);
        self.atom(sum, Relation::Lt, sort)
    }

    pub fn ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.le(b, a)
    }

    pub fn gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.lt(b, a)
    }

    pub(crate) fn arith_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.difference(a, b);
        let sort = self.sort(a);
        self.atom(sum, Relation::Eq, sort)
    }

    /// The canonical atom of `sum relation 0`. `sum` is normalised.
    fn atom(&mut self, mut sum: LinearSum, relation: Relation, mut sort: SortId) -> TermId {
        if sum.terms.is_empty() {
            let zero = Rat::from(0);
            return self.bool(match relation {
                Relation::Le => sum.constant <= zero,
                Relation::Lt => sum.constant < zero,
                Relation::Eq => sum.constant == zero,
            });
        }
        sort = self.strip_to_real(&mut sum, sort);
        let flipped = make_coprime(&mut sum);
        let bound = -std::mem::take(&mut sum.constant);
        if let [(t, _)] = sum.terms[..]
            && self.op(t) == Op::Ite
        {
            return self.compare_ite(t, &bound, relation, flipped, sort);
        }
        let left = self.build_sum(&sum, sort);
        self.compare(left, bound, relation, flipped, sort)
    }

    /// A real sum of integers becomes an integer sum; the sort of the result.
    fn strip_to_real(&self, sum: &mut LinearSum, sort: SortId) -> SortId {
        if sort == Self::INT || sum.terms.iter().any(|&(t, _)| self.op(t) != Op::ToReal) {
            return sort;
        }
        for (t, _) in &mut sum.terms {
            *t = self.arg(*t, 0);
        }
        sum.normalise();
        Self::INT
    }

    /// `left relation bound`, or `bound relation left` if `flipped`; `left` has coprime
    /// coefficients, the first positive.
    fn compare(
        &mut self,
        left: TermId,
        bound: Rat,
        relation: Relation,
        flipped: bool,
        sort: SortId,
    ) -> TermId {
        let integer = sort == Self::INT;
        let (op, bound, negated) = match (relation, flipped) {
            (Relation::Eq, _) => {
                if integer && !bound.is_integer() {
                    return Self::FALSE;
                }
                (Op::Eq, bound, false)
            }
            (Relation::Le, false) if integer => (Op::Le, Rat::from(bound.floor()), false),
            (Relation::Lt, false) if integer => (Op::Le, Rat::from(bound.ceil()) - Rat::from(1), false),
            (Relation::Le, true) if integer => (Op::Le, Rat::from(bound.ceil()) - Rat::from(1), true),
            (Relation::Lt, true) if integer => (Op::Le, Rat::from(bound.floor()), true),
            (Relation::Le, false) => (Op::Le, bound, false),
            (Relation::Lt, false) => (Op::Lt, bound, false),
            (Relation::Le, true) => (Op::Lt, bound, true),
            (Relation::Lt, true) => (Op::Le, bound, true),
        };
        let right = self.numeral(bound, sort);
        let atom = self.intern(op, Self::BOOL, &[left, right]);
        if negated { self.not(atom) } else { atom }
    }

    /// A comparison of an `ite` that has numerals as results: `ite(c, 1, 0) = 1` is `c`. Where only one branch is a
    /// numeral, nothing is duplicated, as that one folds away; where all results are, no arithmetic remains.
    fn compare_ite(
        &mut self,
        t: TermId,
        bound: &Rat,
        relation: Relation,
        flipped: bool,
        sort: SortId,
    ) -> TermId {
        // The numerals of an integer `ite` are integers, so a bound between two of them is tightened.
        let (bound, relation) = match relation {
            _ if sort != Self::INT || bound.is_integer() => (bound.clone(), relation),
            Relation::Eq => return Self::FALSE,
            _ if flipped => (Rat::from(bound.ceil()), Relation::Le),
            _ => (Rat::from(bound.floor()), Relation::Le),
        };
        let bound = &bound;
        let holds = |value: &Rat| match (relation, flipped) {
            (Relation::Eq, _) => value == bound,
            (Relation::Le, false) => value <= bound,
            (Relation::Lt, false) => value < bound,
            (Relation::Le, true) => value >= bound,
            (Relation::Lt, true) => value > bound,
        };
        let mut compared: Map<TermId, TermId> = Map::default();
        let mut numerals_only: Set<TermId> = Set::default();
        let mut waiting = vec![t];
        while let Some(&current) = waiting.last() {
            let result = if let Some(value) = self.number(current) {
                self.bool(holds(value))
            } else if self.op(current) != Op::Ite {
                // What follows the last numeral can itself be a sum, so it is normalised again.
                let bound = self.numeral(bound.clone(), sort);
                let (a, b) = if flipped { (bound, current) } else { (current, bound) };
                let mut sum = self.difference(a, b);
                let sort = self.strip_to_real(&mut sum, sort);
                let flipped = make_coprime(&mut sum);
                let bound = -std::mem::take(&mut sum.constant);
                let left = self.build_sum(&sum, sort);
                self.compare(left, bound, relation, flipped, sort)
            } else if self.folds(current, &mut numerals_only) {
                let &[condition, then, otherwise] = self.args(current) else {
                    unreachable!("ite has three arguments")
                };
                match (compared.get(&then), compared.get(&otherwise)) {
                    (Some(&then), Some(&otherwise)) => self.ite(condition, then, otherwise),
                    (known, _) => {
                        waiting.push(if known.is_none() { then } else { otherwise });
                        continue;
                    }
                }
            } else {
                self.compare(current, bound.clone(), relation, flipped, sort)
            };
            compared.insert(current, result);
            waiting.pop();
        }
        compared[&t]
    }

    /// Whether a comparison of this `ite` with a number is better made in its branches: one of them is a numeral, or all
    /// that can come out are numerals, of which `numerals_only` keeps what is found.
    fn folds(&self, t: TermId, numerals_only: &mut Set<TermId>) -> bool {
        let is_number = |branch: usize| self.number(self.arg(t, branch)).is_some();
        if is_number(1) || is_number(2) || numerals_only.contains(&t) {
            return true;
        }
        let mut seen: Set<TermId> = Set::default();
        let mut waiting = vec![t];
        while let Some(current) = waiting.pop() {
            if self.number(current).is_some() || numerals_only.contains(&current) || !seen.insert(current) {
                continue;
            }
            if self.op(current) != Op::Ite || seen.len() > LARGEST_CHOICE {
                return false;
            }
            waiting.extend(&self.args(current)[1..]);
        }
        numerals_only.extend(seen);
        true
    }
}

/// Scales to coprime integer coefficients with the first one positive; whether the sign changed.
fn make_coprime(sum: &mut LinearSum) -> bool {
    let flipped = sum.terms[0].1.is_negative();
    if let [(_, c)] = &mut sum.terms[..] {
        sum.constant /= &*c;
        *c = Rat::from(1);
        return flipped;
    }
    let mut denominators = Int::from(1);
    let mut numerators = Int::from(0);
    for (_, c) in &sum.terms {
        if !c.is_integer() {
            let d = c.denom();
            let common = denominators.gcd(&d);
            denominators = denominators / common * d;
        }
    }
    for (_, c) in &sum.terms {
        let scaled = c * &Rat::from(denominators.clone());
        numerators = numerators.gcd(&scaled.numer());
    }
    let mut factor = Rat::new(denominators, numerators);
    if flipped {
        factor = -factor;
    }
    if !factor.is_one() {
        sum.scale(&factor);
    }
    flipped
}
