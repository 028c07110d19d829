//! Eliminating a real constant from a cube.

use super::ProjectError;
use super::cube::{Cube, Literal, add_scaled, negation, scaled, split_off};
use craig_num::Rat;
use craig_term::{LinearSum, TermId, Terms};

/// `bound < x` or `bound <= x`, or the same with `>`.
struct Bound {
    bound: LinearSum,
    strict: bool,
    value: Rat,
}

pub(super) fn eliminate(terms: &Terms, cube: &mut Cube, x: TermId) -> Result<(), ProjectError> {
    let literals = cube.take(x);
    let equality = literals.iter().position(|literal| matches!(literal, Literal::Zero(_)));
    if let Some(equality) = equality {
        let (coefficient, rest) = split_off(literals[equality].sum(), x);
        let definition = scaled(&rest, &-coefficient.recip());
        for (index, literal) in literals.iter().enumerate() {
            if index != equality {
                cube.literals.push(substitute(literal, x, &definition));
            }
        }
        return Ok(());
    }
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for literal in &literals {
        let Literal::AtMost { sum, strict } = literal else { continue };
        let (coefficient, rest) = split_off(sum, x);
        let bound = scaled(&rest, &-coefficient.recip());
        let value = cube.value(terms, &bound)?;
        let side = if coefficient.is_positive() { &mut upper } else { &mut lower };
        side.push(Bound { bound, strict: *strict, value });
    }
    // Among bounds of one value a strict one is the tightest.
    let greatest = (0..lower.len()).max_by_key(|&i: &usize| (&lower[i].value, lower[i].strict));
    let least = (0..upper.len()).min_by_key(|&i: &usize| (&upper[i].value, !upper[i].strict));
    let (Some(greatest), Some(least)) = (greatest, least) else { return Ok(()) };
    // The tightest bound of the smaller side needs fewer comparisons of an unusual kind: those with
    // its own side are usually dropped again by what the formula says anyway.
    let (tightest, same, other, sign) = if lower.len() <= upper.len() {
        (greatest, &lower, &upper, Rat::ONE)
    } else {
        (least, &upper, &lower, Rat::MINUS_ONE)
    };
    let pivot = &same[tightest];
    let mut at_most = |low: &LinearSum, high: &LinearSum, strict: bool| {
        let difference = add_scaled(low, &Rat::MINUS_ONE, high);
        let sum = if sign.is_positive() { difference } else { negation(&difference) };
        cube.literals.push(Literal::AtMost { sum, strict });
    };
    for (index, bound) in same.iter().enumerate() {
        if index != tightest {
            at_most(&bound.bound, &pivot.bound, bound.strict && !pivot.strict);
        }
    }
    for bound in other {
        at_most(&pivot.bound, &bound.bound, bound.strict || pivot.strict);
    }
    Ok(())
}

fn substitute(literal: &Literal, x: TermId, definition: &LinearSum) -> Literal {
    let replace = |sum: &LinearSum| {
        let (coefficient, rest) = split_off(sum, x);
        add_scaled(&rest, &coefficient, definition)
    };
    match literal {
        Literal::AtMost { sum, strict } => Literal::AtMost { sum: replace(sum), strict: *strict },
        Literal::Zero(sum) => Literal::Zero(replace(sum)),
        Literal::Divides { divisor, sum } => Literal::Divides { divisor: divisor.clone(), sum: replace(sum) },
    }
}
