//! Comparisons in formulas, as guesses are made of them.

use crate::view::blocks::InlinedView;
use craig_base::Set;
use craig_num::{Int, Rat};
use craig_term::{LinearSum, Op, TermId, Terms};

/// The comparisons of numbers in each block, but for those that are known anyway.
pub(super) fn of_blocks(tm: &mut Terms, view: &InlinedView<'_>) -> Vec<Vec<TermId>> {
    let mut known_anyway: Set<TermId> = Set::default();
    for cut in view.encoding.cuts.cutpoints.indices() {
        let facts = view.encoding.range_facts(view.program, tm, cut);
        known_anyway.extend(atoms(tm, facts));
    }
    let blocks = view.encoding.blocks.iter();
    let atoms = blocks.map(|block| atoms(tm, block.formula));
    atoms.map(|atoms| atoms.into_iter().filter(|atom| !known_anyway.contains(atom)).collect()).collect()
}

/// The comparisons of numbers in a formula.
fn atoms(tm: &Terms, formula: TermId) -> Vec<TermId> {
    let all = tm.postorder(&[formula]).into_iter();
    all.filter(|&t| matches!(tm.op(t), Op::Le | Op::Eq) && tm.is_int(tm.arg(t, 0))).collect()
}

/// A comparison as one of a sum with zero.
fn difference(tm: &mut Terms, atom: TermId) -> LinearSum {
    let (left, right) = (tm.arg(atom, 0), tm.arg(atom, 1));
    let difference = tm.sub(left, right);
    tm.linear(difference)
}

pub(super) fn has_op(tm: &Terms, formula: TermId, op: Op) -> bool {
    tm.postorder(&[formula]).into_iter().any(|t| tm.op(t) == op)
}

/// Whether a comparison is with the end of a type, or nearly so: blocks speak of these wherever they read.
pub(super) fn is_about_type(tm: &mut Terms, atom: TermId) -> bool {
    let sum = difference(tm, atom);
    let Some(constant) = sum.constant.to_int() else { return true };
    let size = constant.abs();
    let is_end = |bits: u32| (&size - &Int::pow2(bits)).abs() <= Int::from(if bits < 15 { 1 } else { 2 });
    sum.terms.len() == 1 && (7..=64).any(is_end)
}

/// A comparison, its opposite, and what is weaker or stronger than both.
pub(super) fn directions(tm: &mut Terms, atom: TermId) -> Vec<TermId> {
    let (a, b) = (tm.arg(atom, 0), tm.arg(atom, 1));
    let mut all = vec![atom, tm.not(atom), tm.le(a, b), tm.le(b, a)];
    if tm.op(atom) == Op::Le {
        all.push(tm.eq(a, b));
    }
    all
}

/// The variables that an equality defines, each with its value.
pub(super) fn solved(tm: &mut Terms, equality: TermId) -> Vec<(TermId, TermId)> {
    let sum = difference(tm, equality);
    let whole = tm.from_linear(sum.clone(), Terms::INT);
    let mut found = Vec::new();
    for (x, factor) in sum.terms {
        if factor.is_one() {
            found.push((x, tm.sub(x, whole)));
        } else if factor == Rat::MINUS_ONE {
            found.push((x, tm.add2(x, whole)));
        }
    }
    found
}
