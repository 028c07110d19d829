//! Simplification of one clause: equalities of its constraint are substituted.

use crate::system::{Clause, conjuncts};
use craig_base::Set;
use craig_term::{LinearSum, Op, Rat, Substitution, TermId, Terms};

/// How many equalities are substituted in one clause at most.
const ROUNDS: usize = 10_000;
/// Longer sums are not substituted: they would be repeated wherever the variable occurs.
const LONGEST_SUM: usize = 4;

/// An equivalent clause, or `None` if it always holds.
pub(crate) fn simplify(terms: &mut Terms, mut clause: Clause) -> Option<Clause> {
    for _ in 0..ROUNDS {
        if clause.constraint == Terms::FALSE {
            return None;
        }
        let pairs = definitions(terms, clause.constraint);
        if pairs.is_empty() {
            break;
        }
        clause = clause.substitute(terms, &mut Substitution::from_pairs(pairs));
    }
    Some(clause)
}

/// Variables with what they are equal to, such that no variable occurs in what another one equals.
fn definitions(terms: &mut Terms, constraint: TermId) -> Vec<(TermId, TermId)> {
    let conjuncts = conjuncts(terms, constraint);
    let mut pairs: Vec<(TermId, TermId)> = Vec::new();
    // Variables that were replaced, or that occur in a replacement.
    let mut taken: Set<TermId> = Set::default();
    for conjunct in conjuncts {
        let Some((variable, value)) = definition(terms, conjunct, &taken) else { continue };
        let inside = terms.free_consts(value);
        if taken.contains(&variable)
            || inside.contains(&variable)
            || inside.iter().any(|x| pairs.iter().any(|(y, _)| x == y))
        {
            continue;
        }
        taken.insert(variable);
        taken.extend(inside);
        pairs.push((variable, value));
    }
    pairs
}

fn definition(terms: &mut Terms, conjunct: TermId, taken: &Set<TermId>) -> Option<(TermId, TermId)> {
    let (atom, negated) = terms.strip_not(conjunct);
    if matches!(terms.op(atom), Op::Const(_)) {
        return Some((atom, terms.bool(!negated)));
    }
    if terms.op(atom) != Op::Eq {
        return None;
    }
    let (left, right) = (terms.arg(atom, 0), terms.arg(atom, 1));
    if !terms.is_arith(left) {
        let right = if negated && terms.is_bool(right) { terms.not(right) } else { right };
        if negated && !terms.is_bool(left) {
            return None;
        }
        let is_free = |t: TermId| matches!(terms.op(t), Op::Const(_)) && !taken.contains(&t);
        return if is_free(left) {
            Some((left, right))
        } else if is_free(right) {
            Some((right, left))
        } else {
            None
        };
    }
    if negated {
        return None;
    }
    let sort = terms.sort(left);
    let sum = terms.linear(left);
    let constant = terms.linear(right).constant;
    if sum.terms.len() > LONGEST_SUM {
        return None;
    }
    let solvable = |t: TermId, c: &Rat| {
        matches!(terms.op(t), Op::Const(_))
            && !taken.contains(&t)
            && (sort == Terms::REAL || c.abs().is_one())
    };
    let (variable, coefficient) = sum.terms.iter().rev().find(|(t, c)| solvable(*t, c)).cloned()?;
    // variable = (constant - rest) / coefficient
    let factor = coefficient.recip();
    let mut value = LinearSum { terms: Vec::new(), constant: (constant - &sum.constant) * &factor };
    for (t, c) in sum.terms {
        if t != variable {
            value.terms.push((t, -(c * &factor)));
        }
    }
    Some((variable, terms.from_linear(value, sort)))
}
