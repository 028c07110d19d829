//! Systems of linear equalities over the integers.
//!
//! Equalities are solved one after the other. One with a coefficient ±1 defines a variable, which is
//! then replaced everywhere. In any other, the variable with the smallest coefficient is exchanged
//! for a fresh one, `t = x + Σ qᵢ yᵢ` with rounded quotients `qᵢ`, which is a unimodular change of
//! variables and makes the coefficients smaller, as Euclid's algorithm does (Griggio, *A practical
//! approach to satisfiability modulo linear integer arithmetic*, section 4).
//!
//! Each equality carries the multipliers with which it was put together from the given ones. If the
//! greatest common divisor `g` of its coefficients does not divide its constant, then the
//! multipliers over `g` are the certificate: fresh variables are integer combinations of the
//! original ones, so the coefficients stay integers in terms of those.

use super::{Conflict, EqualityTerm, Simplex};
use craig_num::{Int, Rat};

/// `Σ coefficient * variable = constant`, in increasing order of variables.
#[derive(Clone, Debug, Default)]
struct Equality {
    terms: Vec<(u32, Int)>,
    constant: Int,
    /// Which multiples of the given equalities were added up.
    multipliers: Vec<(u32, Rat)>,
}

/// An equality in which a variable has coefficient one or minus one, and is defined by it.
struct Solved {
    var: u32,
    equality: Equality,
}

impl Simplex {
    /// Whether the equalities that bounds imply have an integer solution.
    pub(super) fn check_diophantine(&self) -> Result<(), Conflict> {
        let mut given = Vec::new();
        let mut solved: Vec<Solved> = Vec::new();
        let mut fresh = self.variables.len() as u32;
        for (var, variable) in self.variables.enumerated() {
            if !variable.is_int {
                continue;
            }
            let Some((lower, upper)) = variable.fixed() else { continue };
            let Some(constant) = lower.value.value.to_int() else { continue };
            let terms = match &variable.definition {
                None => vec![(var.0, Int::ONE)],
                Some(definition) => definition.terms.iter().map(|(v, c)| (v.0, c.clone())).collect(),
            };
            let multipliers = vec![(given.len() as u32, Rat::ONE)];
            given.push(EqualityTerm {
                var,
                lower: lower.reason,
                upper: upper.reason,
                coefficient: Rat::ZERO,
            });
            solve(Equality { terms, constant, multipliers }, &mut solved, &mut fresh)
                .map_err(|multipliers| certificate(&given, multipliers))?;
        }
        Ok(())
    }
}

fn certificate(given: &[EqualityTerm], multipliers: Vec<(u32, Rat)>) -> Conflict {
    let term =
        |(index, coefficient): (u32, Rat)| EqualityTerm { coefficient, ..given[index as usize].clone() };
    Conflict::Diophantine(multipliers.into_iter().map(term).collect())
}

/// Adds one equality to the solved ones. The error is the multipliers that refute the system.
fn solve(mut equality: Equality, solved: &mut Vec<Solved>, fresh: &mut u32) -> Result<(), Vec<(u32, Rat)>> {
    for definition in solved.iter() {
        equality.eliminate(definition);
    }
    loop {
        let divisor = equality.terms.iter().fold(Int::ZERO, |divisor, (_, c)| divisor.gcd(c));
        if divisor.is_zero() {
            // Equal to an earlier one; a constant other than zero has a conflict without integers.
            return Ok(());
        }
        equality.divide(&divisor)?;
        let Some((var, least)) = equality.terms.iter().min_by_key(|(_, c)| c.abs()).cloned() else {
            return Ok(());
        };
        if least.abs().is_one() {
            solved.push(Solved { var, equality });
            return Ok(());
        }
        let definition = Solved { var, equality: exchange(&equality, var, &least, *fresh) };
        *fresh += 1;
        equality.eliminate(&definition);
        solved.push(definition);
    }
}

/// `x + Σ qᵢ yᵢ - t = 0` for a fresh `t`, where the `qᵢ` are the rounded quotients by the
/// coefficient of `x`.
fn exchange(equality: &Equality, var: u32, least: &Int, fresh: u32) -> Equality {
    let two = Int::from(2);
    let mut terms: Vec<(u32, Int)> = Vec::with_capacity(equality.terms.len() + 1);
    for (other, coefficient) in &equality.terms {
        let nearest = (coefficient * &two + least).div_floor(&(least * &two));
        let quotient = if *other == var { Int::ONE } else { nearest };
        if !quotient.is_zero() {
            terms.push((*other, quotient));
        }
    }
    terms.push((fresh, Int::MINUS_ONE));
    Equality { terms, constant: Int::ZERO, multipliers: Vec::new() }
}

impl Equality {
    fn eliminate(&mut self, definition: &Solved) {
        let Ok(position) = self.terms.binary_search_by_key(&definition.var, |(var, _)| *var) else { return };
        let own = &self.terms[position].1;
        let Ok(other) = definition.equality.terms.binary_search_by_key(&definition.var, |(var, _)| *var)
        else {
            return;
        };
        // The other coefficient is one or minus one, so that multiplying is dividing.
        let factor = -(own * &definition.equality.terms[other].1);
        self.constant.add_mul(&factor, &definition.equality.constant);
        self.terms =
            merge(&self.terms, &definition.equality.terms, |sum, c| sum.add_mul(&factor, c), Int::is_zero);
        let factor = Rat::from_int(factor);
        self.multipliers = merge(
            &self.multipliers,
            &definition.equality.multipliers,
            |sum, c| sum.add_mul(&factor, c),
            Rat::is_zero,
        );
    }

    /// Divides by the divisor of all coefficients. The error is the multipliers with which the
    /// constant is not an integer.
    fn divide(&mut self, divisor: &Int) -> Result<(), Vec<(u32, Rat)>> {
        if divisor.is_one() {
            return Ok(());
        }
        let factor = Rat::new(Int::ONE, divisor.clone());
        for (_, multiplier) in &mut self.multipliers {
            *multiplier *= &factor;
        }
        if !self.constant.is_multiple_of(divisor) {
            return Err(std::mem::take(&mut self.multipliers));
        }
        self.constant /= divisor;
        for (_, coefficient) in &mut self.terms {
            *coefficient /= divisor;
        }
        Ok(())
    }
}

/// Adds two sums that are ordered by their keys, dropping zeros.
fn merge<T: Clone + Default>(
    a: &[(u32, T)],
    b: &[(u32, T)],
    add: impl Fn(&mut T, &T),
    is_zero: impl Fn(&T) -> bool,
) -> Vec<(u32, T)> {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let key = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => x.0.min(y.0),
            (Some(x), None) => x.0,
            (None, Some(y)) => y.0,
            (None, None) => break,
        };
        let mut value = T::default();
        if a.get(i).is_some_and(|x| x.0 == key) {
            value = a[i].1.clone();
            i += 1;
        }
        if b.get(j).is_some_and(|y| y.0 == key) {
            add(&mut value, &b[j].1);
            j += 1;
        }
        if !is_zero(&value) {
            sum.push((key, value));
        }
    }
    sum
}
