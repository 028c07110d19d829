//! Equalities that can be solved for a constant.

use craig_base::Set;
use craig_term::{LinearSum, Op, TermId, Terms};

/// A constant outside of `keep`, with the term that a literal says it equals.
pub fn solution(terms: &mut Terms, formula: TermId, keep: &Set<TermId>) -> Option<(TermId, TermId)> {
    let (atom, negated) = terms.strip_not(formula);
    let may_go = |terms: &Terms, t: TermId| matches!(terms.op(t), Op::Const(_)) && !keep.contains(&t);
    if may_go(terms, atom) {
        return Some((atom, terms.bool(!negated)));
    }
    if terms.op(atom) != Op::Eq {
        return None;
    }
    let (left, right) = (terms.arg(atom, 0), terms.arg(atom, 1));
    if !terms.is_arith(left) {
        if negated && !terms.is_bool(left) {
            return None;
        }
        for (x, value) in [(left, right), (right, left)] {
            if may_go(terms, x) && !terms.free_consts(value).contains(&x) {
                return Some((x, if negated { terms.not(value) } else { value }));
            }
        }
        return None;
    }
    if negated {
        return None;
    }
    let sort = terms.sort(left);
    let mut sum = terms.linear(left);
    sum.constant -= &terms.linear(right).constant;
    for (x, coefficient) in &sum.terms {
        if !may_go(terms, *x) || !(sort == Terms::REAL || coefficient.abs().is_one()) {
            continue;
        }
        let factor = -coefficient.recip();
        let mut value = LinearSum { terms: Vec::new(), constant: &sum.constant * &factor };
        for (t, c) in &sum.terms {
            if t != x {
                value.terms.push((*t, c * &factor));
            }
        }
        let value = terms.from_linear(value, sort);
        if !terms.free_consts(value).contains(x) {
            return Some((*x, value));
        }
    }
    None
}
