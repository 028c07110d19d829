//! Interpolants of theory leaves.
//!
//! A leaf is a contradictory set of literals (the negations of its clause). Those of `A` are summed
//! up with their Farkas coefficients; shared ones count as `B`, as McMillan's labels want it, so that
//! the `A`-sets of nested cuts are nested. The sum mentions shared symbols only: what is of `A` alone
//! cancels, since nothing else mentions it.
//!
//! For a contradiction of equalities over the integers, `Σ c x = d` with integer `c` and fractional
//! `d`, the `A`-part is `Σ c' x = d'`. Variables of `A` alone have integer coefficients there, so what
//! remains of the sum over the others, minus `d'`, is an integer: a divisibility predicate. Where the
//! equality `f = k` comes from `f >= k` in one side and `f <= k` in the other, all of `f` is shared;
//! then `A` passes its bound on, and the equality counts as one of `B`.

use super::Failure;
use super::colour::{Colour, Colours};
use crate::arith::ArithVar;
use crate::native::{Lit, NativeSolver};
use crate::proof::{Axiom, Certificate, DivisibilityTerm, FarkasTerm};
use craig_num::{Int, Rat};
use craig_term::{LinearSum, TermId, Terms};
use std::collections::BTreeMap;

pub(super) fn interpolant(
    terms: &mut Terms,
    solver: &NativeSolver,
    certificate: &Certificate,
    colours: &Colours,
) -> Result<TermId, Failure> {
    match certificate {
        Certificate::Farkas(list) => farkas(terms, solver, list, colours),
        Certificate::Divisibility(list) => divisibility(terms, solver, list, colours),
        Certificate::Axiom(Axiom::Transitivity { path }) => transitivity(terms, solver, path, colours),
        Certificate::Trichotomy | Certificate::Axiom(_) => Err(Failure::MixedReasoning),
    }
}

/// The equalities of the path and the disequality of its ends are a circle. What `A` has of it are
/// arcs, whose ends `B` knows, too: they are equal, or different on the arc with the disequality.
fn transitivity(
    terms: &mut Terms,
    solver: &NativeSolver,
    path: &[TermId],
    colours: &Colours,
) -> Result<TermId, Failure> {
    let n = path.len();
    let mut of_a = Vec::with_capacity(n);
    for place in 0..n {
        let equality = terms.eq(path[place], path[(place + 1) % n]);
        let var = solver.literal_of(equality).ok_or(Failure::MixedReasoning)?;
        of_a.push(colours.of(var)? == Colour::A);
    }
    let Some(outside) = of_a.iter().position(|of_a| !of_a) else { return Ok(Terms::FALSE) };
    let mut arcs = Vec::new();
    // Once around, from after an edge that is not of `A`.
    let mut start: Option<usize> = None;
    let mut different = false;
    for place in (outside + 1..=outside + n).map(|place| place % n) {
        if of_a[place] {
            start.get_or_insert(place);
            different |= place == n - 1;
        } else if let Some(first) = start.take() {
            let equal = terms.eq(path[first], path[place]);
            arcs.push(if std::mem::take(&mut different) { terms.not(equal) } else { equal });
        }
    }
    Ok(terms.and(&arcs))
}

fn farkas(
    terms: &mut Terms,
    solver: &NativeSolver,
    list: &[FarkasTerm],
    colours: &Colours,
) -> Result<TermId, Failure> {
    let mut sum: BTreeMap<ArithVar, Rat> = BTreeMap::new();
    let mut bound = Rat::from(0);
    let mut strict = false;
    for term in list {
        if colours.of(term.lit.var())? != Colour::A {
            continue;
        }
        let (form, value, is_strict) =
            solver.literal_bound(term.lit, term.upper).ok_or(Failure::BrokenProof)?;
        let factor = if term.upper { term.coefficient.clone() } else { -&term.coefficient };
        for (var, c) in solver.simplex().terms_of(form) {
            *sum.entry(var).or_default() += c * &factor;
        }
        bound += value * factor;
        strict |= is_strict;
    }
    Ok(inequality(terms, solver, &sum, &bound, strict))
}

/// `sum <= bound`, or `sum < bound`.
fn inequality(
    terms: &mut Terms,
    solver: &NativeSolver,
    sum: &BTreeMap<ArithVar, Rat>,
    bound: &Rat,
    strict: bool,
) -> TermId {
    let integer = sum.iter().all(|(&var, c)| c.is_zero() || solver.simplex().is_int(var));
    let mut linear = LinearSum { terms: Vec::new(), constant: -bound };
    for (&var, c) in sum.iter().filter(|(_, c)| !c.is_zero()) {
        let t = solver.atoms().term(var).expect("an original variable has a term");
        linear.terms.push((if integer { t } else { terms.to_real(t) }, c.clone()));
    }
    terms.linear_le(linear, strict, if integer { Terms::INT } else { Terms::REAL })
}

fn divisibility(
    terms: &mut Terms,
    solver: &NativeSolver,
    list: &[DivisibilityTerm],
    colours: &Colours,
) -> Result<TermId, Failure> {
    let mut sum: BTreeMap<ArithVar, Rat> = BTreeMap::new();
    let mut constant = Rat::from(0);
    let mut conjuncts = Vec::new();
    for term in list {
        let lower = colours.of(term.lower.var())? == Colour::A;
        let upper = colours.of(term.upper.var())? == Colour::A;
        let of_a = |lit: Lit, is_upper: bool| solver.literal_bound(lit, is_upper).ok_or(Failure::BrokenProof);
        match (lower, upper) {
            (true, true) => {
                let (form, value, _) = of_a(term.lower, false)?;
                for (var, c) in solver.simplex().terms_of(form) {
                    *sum.entry(var).or_default() += c * &term.coefficient;
                }
                constant += value * &term.coefficient;
            }
            (true, false) | (false, true) => {
                let lit = if lower { term.lower } else { term.upper };
                let (form, value, _) = of_a(lit, upper)?;
                let sign = if upper { Rat::from(1) } else { Rat::from(-1) };
                let bound: BTreeMap<ArithVar, Rat> =
                    solver.simplex().terms_of(form).into_iter().map(|(var, c)| (var, c * &sign)).collect();
                conjuncts.push(inequality(terms, solver, &bound, &(value * sign), false));
            }
            (false, false) => {}
        }
    }
    conjuncts.push(is_integral(terms, solver, &sum, &constant));
    Ok(terms.and(&conjuncts))
}

/// `sum - constant` is an integer, for integer variables.
fn is_integral(
    terms: &mut Terms,
    solver: &NativeSolver,
    sum: &BTreeMap<ArithVar, Rat>,
    constant: &Rat,
) -> TermId {
    let fractions: Vec<(ArithVar, &Rat)> =
        sum.iter().filter(|(_, c)| !c.is_integer()).map(|(&var, c)| (var, c)).collect();
    let mut modulus = constant.denom();
    for (_, c) in &fractions {
        modulus = modulus.lcm(&c.denom());
    }
    if modulus == Int::from(1) {
        return Terms::TRUE;
    }
    let scale = Rat::from(modulus.clone());
    let mut linear = LinearSum { terms: Vec::new(), constant: -(constant * &scale) };
    for (var, c) in fractions {
        let t = solver.atoms().term(var).expect("an original variable has a term");
        linear.terms.push((t, c * &scale));
    }
    let multiple = terms.from_linear(linear, Terms::INT);
    let divisor = terms.int(modulus);
    let remainder = terms.modulo(multiple, divisor);
    let zero = terms.int(0);
    terms.eq(remainder, zero)
}
