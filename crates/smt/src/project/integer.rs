//! Eliminating an integer constant from a cube.

use super::ProjectError;
use super::cube::{Cube, Literal, add_scaled, negation, scaled, split_off};
use craig_num::{Int, Rat};
use craig_term::{LinearSum, TermId, Terms};

pub(super) fn eliminate(terms: &Terms, cube: &mut Cube, x: TermId) -> Result<(), ProjectError> {
    let literals = cube.take(x);
    let equality = (0..literals.len())
        .filter(|&index| matches!(literals[index], Literal::Zero(_)))
        .min_by_key(|&index| split_off(literals[index].sum(), x).0.abs());
    match equality {
        Some(equality) => {
            substitute_equality(cube, x, &literals, equality);
            Ok(())
        }
        None => substitute_bound(terms, cube, x, literals),
    }
}

/// With `a x = t`, each other literal is multiplied by `a`, and `a` has to divide `t`.
fn substitute_equality(cube: &mut Cube, x: TermId, literals: &[Literal], equality: usize) {
    let (mut a, rest) = split_off(literals[equality].sum(), x);
    let mut t = negation(&rest);
    if a.is_negative() {
        a = -a;
        t = rest;
    }
    let replace = |sum: &LinearSum| {
        let (coefficient, rest) = split_off(sum, x);
        add_scaled(&scaled(&rest, &a), &coefficient, &t)
    };
    for (index, literal) in literals.iter().enumerate() {
        if index == equality {
            continue;
        }
        cube.literals.push(match literal {
            Literal::AtMost { sum, strict } => Literal::AtMost { sum: replace(sum), strict: *strict },
            Literal::Zero(sum) => Literal::Zero(replace(sum)),
            Literal::Divides { divisor, sum } => {
                Literal::Divides { divisor: divisor * a.numer(), sum: replace(sum) }
            }
        });
    }
    push_divides(cube, a.numer(), t);
}

/// `bound <= factor * y` or `factor * y <= bound`, where `factor` is positive.
struct Bound {
    factor: Rat,
    bound: LinearSum,
    /// The least or greatest integer `y` in the model.
    value: Int,
}

fn substitute_bound(
    terms: &Terms,
    cube: &mut Cube,
    x: TermId,
    literals: Vec<Literal>,
) -> Result<(), ProjectError> {
    // x = period * y + residue makes every divisibility independent of y.
    let period = literals.iter().fold(Int::ONE, |period, literal| match literal {
        Literal::Divides { divisor, sum } => {
            let (coefficient, _) = split_off(sum, x);
            period.lcm(&(divisor / divisor.gcd(&coefficient.numer())))
        }
        _ => period,
    });
    let residue = Rat::from_int(cube.value_of(terms, x)?.floor().rem_euclid(&period));
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for literal in &literals {
        let (coefficient, mut rest) = split_off(literal.sum(), x);
        rest.constant.add_mul(&coefficient, &residue);
        if let Literal::Divides { divisor, .. } = literal {
            push_divides(cube, divisor.clone(), rest);
            continue;
        }
        let factor = coefficient.abs() * Rat::from_int(period.clone());
        if coefficient.is_positive() {
            let bound = negation(&rest);
            let value = (cube.value(terms, &bound)? / &factor).floor();
            upper.push(Bound { factor, bound, value });
        } else {
            let value = (cube.value(terms, &rest)? / &factor).ceil();
            lower.push(Bound { factor, bound: rest, value });
        }
    }
    // Among equally tight bounds a small factor is better: it brings the smaller divisor.
    let greatest = (0..lower.len()).max_by_key(|&i: &usize| (&lower[i].value, -&lower[i].factor));
    let least = (0..upper.len()).min_by_key(|&i: &usize| (&upper[i].value, &upper[i].factor));
    let (Some(greatest), Some(least)) = (greatest, least) else { return Ok(()) };
    let use_lower = (&lower[greatest].factor, lower.len()) <= (&upper[least].factor, upper.len());
    let pivot = if use_lower { &lower[greatest] } else { &upper[least] };
    // y is the next integer after, or before, the bound: (bound + gap) / factor.
    let factor = pivot.factor.numer();
    let value = cube.value(terms, &pivot.bound)?.floor();
    let gap = if use_lower { (-value).rem_euclid(&factor) } else { -value.rem_euclid(&factor) };
    let mut nearest = pivot.bound.clone();
    nearest.constant += Rat::from_int(gap);
    let (skip_lower, skip_upper) = if use_lower { (Some(greatest), None) } else { (None, Some(least)) };
    let mut results = Vec::new();
    for (index, bound) in lower.iter().enumerate() {
        if skip_lower != Some(index) {
            let low = scaled(&bound.bound, &pivot.factor);
            results.push(add_scaled(&low, &-&bound.factor, &nearest));
        }
    }
    for (index, bound) in upper.iter().enumerate() {
        if skip_upper != Some(index) {
            let high = scaled(&bound.bound, &-&pivot.factor);
            results.push(add_scaled(&high, &bound.factor, &nearest));
        }
    }
    cube.literals.extend(results.into_iter().map(|sum| Literal::AtMost { sum, strict: false }));
    push_divides(cube, factor, nearest);
    Ok(())
}

fn push_divides(cube: &mut Cube, divisor: Int, sum: LinearSum) {
    if !divisor.is_one() {
        cube.literals.push(Literal::Divides { divisor, sum });
    }
}
