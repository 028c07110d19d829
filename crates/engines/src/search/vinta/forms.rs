//! What the program itself suggests: numbers at which widening stops, and linear forms to bound.

use craig_base::{IndexVec, OrderedSet, Set};
use craig_domains::templates::{box_forms, octagon_forms};
use craig_num::Int;
use craig_program::encode::CutpointEncoding;
use craig_program::{CutId, Expr, Program, Type, stmt_operands};
use craig_term::{LinearSum, Op, Substitution, TermId, Terms};
use std::collections::BTreeSet;

/// With more constants than this, stopping at them costs more than it gives.
const MAX_THRESHOLDS: usize = 2000;
/// How many forms a cutpoint has at most beyond bounds of single constants.
const MAX_FORMS: usize = 60;

/// The constants of the program and their neighbours, ascending.
pub(super) fn thresholds(program: &Program, encoding: &CutpointEncoding) -> Vec<Int> {
    let proc = encoding.proc(program);
    let mut constants = BTreeSet::new();
    for edge in encoding.cuts.edges.iter().flat_map(|edge| &edge.segment.edges) {
        for id in program.exprs.postorder(&stmt_operands(&proc.edges[*edge].stmt)) {
            if let Expr::Const(Type::Int(_), value) = program.exprs.get(id) {
                let value = Int::from(value);
                constants.extend([&value - &Int::ONE, &value + &Int::ONE, value]);
            }
        }
        if constants.len() > MAX_THRESHOLDS {
            return Vec::new();
        }
    }
    constants.into_iter().collect()
}

/// For each cutpoint the forms to bound: all integer constants, and sums and differences of two of
/// them (octagons), or the forms over several of them that blocks compare with numbers (templates).
pub(super) fn forms(
    tm: &mut Terms,
    encoding: &CutpointEncoding,
    octagons: bool,
) -> IndexVec<CutId, Vec<TermId>> {
    let compared = compared_sums(tm, encoding);
    let mut all = IndexVec::new();
    for cut in encoding.cuts.cutpoints.indices() {
        let state: Vec<TermId> =
            encoding.states[cut].iter().map(|c| c.current).filter(|&c| tm.is_int(c)).collect();
        let mut forms = box_forms(tm, &state);
        let mut several = if octagons {
            let pairs = related_pairs(&state, &compared);
            octagon_forms(tm, &pairs)
        } else {
            let here = compared.iter().filter(|sum| sum.terms.iter().all(|(t, _)| state.contains(t)));
            let sums: Vec<TermId> =
                here.map(|sum| tm.from_linear(sum.clone(), Terms::INT)).collect::<Vec<_>>();
            sums.into_iter().flat_map(|form| [form, tm.neg(form)]).collect()
        };
        several.truncate(MAX_FORMS);
        forms.extend(several);
        all.push(forms);
    }
    all
}

/// The sums of several state constants that blocks compare with numbers, or that a block adds to in
/// both; constants of the state after a block are taken for those before it.
fn compared_sums(tm: &mut Terms, encoding: &CutpointEncoding) -> Vec<LinearSum> {
    let mut current: Set<TermId> = Set::default();
    let mut back = Vec::new();
    for constant in encoding.states.iter().flatten() {
        current.insert(constant.current);
        back.push((constant.next, constant.current));
    }
    let mut renaming = Substitution::from_pairs(back);
    let mut sums: OrderedSet<TermId> = OrderedSet::default();
    for block in &encoding.blocks {
        for t in tm.postorder(&[block.formula]) {
            let is_atom = matches!(tm.op(t), Op::Le | Op::Eq) && tm.is_int(tm.arg(t, 0));
            if is_atom {
                let form = renaming.apply(tm, tm.arg(t, 0));
                sums.insert(form);
            }
        }
    }
    let sums = sums.into_iter().map(|form| LinearSum { constant: Default::default(), ..tm.linear(form) });
    let over_state =
        |sum: &LinearSum| sum.terms.len() > 1 && sum.terms.iter().all(|(t, _)| current.contains(t));
    sums.filter(over_state).collect()
}

/// All pairs of few constants; of many, those that occur in one sum.
fn related_pairs(state: &[TermId], sums: &[LinearSum]) -> Vec<(TermId, TermId)> {
    let related = |x: TermId, y: TermId| {
        let has = |sum: &LinearSum, t: TermId| sum.terms.iter().any(|(term, _)| *term == t);
        sums.iter().any(|sum| has(sum, x) && has(sum, y))
    };
    let mut pairs = Vec::new();
    for (i, &x) in state.iter().enumerate() {
        for &y in &state[i + 1..] {
            if state.len() <= 5 || related(x, y) {
                pairs.push((x, y));
            }
        }
    }
    pairs
}
