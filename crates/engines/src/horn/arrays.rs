//! Literals with arrays, before projection: what can be said without unwanted constants exactly.
//!
//! An unwanted constant that equals a term is replaced by it; so an array after a write becomes the
//! `store` of the array before. A read of a `store` then is the written element or an older one, as
//! the model says, and the equality or disequality of the two places becomes a literal. All literals
//! stay true in the model, and imply that values for the constants that were replaced exist.

use super::equality::solution;
use craig_base::Set;
use craig_term::{EvalError, Model, Op, Substitution, TermId, Terms};

/// Whether a literal has something that is neither Boolean nor arithmetic.
fn has_arrays(terms: &Terms, literals: &[TermId]) -> bool {
    terms.postorder(literals).into_iter().any(|t| {
        matches!(terms.op(t), Op::Select | Op::Store | Op::ConstArray | Op::App(_))
            || !(terms.is_bool(t) || terms.is_arith(t))
    })
}

pub(super) fn resolve(
    terms: &mut Terms,
    literals: &[TermId],
    model: &Model,
    keep: &Set<TermId>,
) -> Result<Vec<TermId>, EvalError> {
    let mut literals = literals.to_vec();
    if !has_arrays(terms, &literals) {
        return Ok(literals);
    }
    loop {
        let mut index = 0;
        while index < literals.len() {
            match solution(terms, literals[index], keep) {
                Some(pair) => {
                    literals.swap_remove(index);
                    replace(terms, &mut literals, pair);
                    index = 0;
                }
                None => index += 1,
            }
        }
        let read_of_write = |&t: &TermId| terms.op(t) == Op::Select && terms.op(terms.arg(t, 0)) == Op::Store;
        let Some(read) = terms.postorder(&literals).into_iter().find(read_of_write) else {
            return Ok(literals);
        };
        let (written, place) = (terms.arg(read, 0), terms.arg(read, 1));
        let &[before, at, element] = terms.args(written) else { unreachable!("store has three arguments") };
        let same = terms.eq(at, place);
        let (value, condition) = if terms.eval_bool(same, model)? {
            (element, same)
        } else {
            (terms.select(before, place), terms.not(same))
        };
        replace(terms, &mut literals, (read, value));
        literals.push(condition);
    }
}

fn replace(terms: &mut Terms, literals: &mut Vec<TermId>, pair: (TermId, TermId)) {
    let mut substitution = Substitution::from_pairs([pair]);
    for literal in literals.iter_mut() {
        *literal = substitution.apply(terms, *literal);
    }
    literals.retain(|&literal| literal != Terms::TRUE);
}
