//! Guesses about numbers that loops change: in which direction they go, how far one goes while another does, and what the last
//! round has asked of them.
//!
//! `i <= n` does not hold at the head of a loop that goes on while `i < n` if `i` may begin beyond `n`; but then there is no
//! round. So it is guessed that nothing has happened yet, or that the condition held one step ago: `i == i@ or i - 1 < n`, with
//! `i@` for what `i` was when the loop was entered. Conditions are all comparisons of the loop, and their negations: those that are
//! not asked in every round are found out.

use crate::search::houdini::{within_types, without_wrap};
use crate::view::blocks::InlinedView;
use craig_base::OrderedMap;
use craig_num::{Int, Rat};
use craig_program::CutId;
use craig_program::encode::BlockEncoding;
use craig_term::{Op, Substitution, TermId, Terms};

/// What may hold at the head of a loop of the numbers that it changes. They are given with what they were when it was entered.
pub(super) fn guesses(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    head: CutId,
    numbers: &[(TermId, TermId)],
) -> Vec<TermId> {
    let mut found = Vec::new();
    for &(now, then) in numbers {
        found.extend([tm.le(then, now), tm.le(now, then)]);
    }
    if let Some(around) = view.encoding.cuts.edge_between(head, head) {
        let state: Vec<TermId> = view.encoding.states[head].iter().map(|part| part.current).collect();
        let block = &view.encoding.blocks[around];
        let steps = steps(tm, block);
        last_round(tm, block, &state, numbers, &steps, &mut found);
        found.extend(together(tm, &steps, numbers));
    }
    found
}

/// Numbers that every round moves by the same are as far from where they were as their steps say: `p - p@ == 4 * (i - i@)`.
fn together(tm: &mut Terms, steps: &OrderedMap<TermId, Int>, numbers: &[(TermId, TermId)]) -> Vec<TermId> {
    let mut moved = Vec::new();
    for &(now, then) in numbers {
        if let Some(step) = steps.get(&now) {
            moved.push((tm.sub(now, then), Rat::from(step.clone())));
        }
    }
    let Some(((first, by), others)) = moved.split_first() else { return Vec::new() };
    let equal = |(other, of_other): &(TermId, Rat)| {
        let (left, right) = (tm.scale(of_other, *first), tm.scale(by, *other));
        tm.eq(left, right)
    };
    others.iter().map(equal).collect()
}

/// By how much each round changes numbers that do not leave their types, where that is always the same.
pub(super) fn steps(tm: &mut Terms, around: &BlockEncoding) -> OrderedMap<TermId, Int> {
    let mut steps = OrderedMap::default();
    for output in &around.outputs {
        let Some(&now) = around.inputs.get(&output.var).filter(|&&now| tm.is_int(now)) else { continue };
        let difference = tm.sub(output.value, now);
        let step = without_wrap(tm, difference);
        if let Some(by) = step.constant.to_int().filter(|by| step.terms.is_empty() && !by.is_zero()) {
            steps.insert(now, by);
        }
    }
    steps
}

/// How far an address moves in one round.
pub(super) fn stride(tm: &mut Terms, steps: &OrderedMap<TermId, Int>, address: TermId) -> Option<Int> {
    let address = within_types(tm, address);
    let mut moved = Vec::new();
    for (&now, step) in steps {
        let step = tm.int(step.clone());
        moved.push((now, tm.add2(now, step)));
    }
    let next = Substitution::from_pairs(moved).apply(tm, address);
    let distance = tm.sub(next, address);
    tm.int_value(distance)
}

/// So many conditions of a loop are looked at.
const MAX_CONDITIONS: usize = 30;

fn last_round(
    tm: &mut Terms,
    around: &BlockEncoding,
    state: &[TermId],
    numbers: &[(TermId, TermId)],
    steps: &OrderedMap<TermId, Int>,
    found: &mut Vec<TermId>,
) {
    let conditions: Vec<TermId> = tm.postorder(&[around.formula]);
    let mut looked_at = 0;
    for condition in conditions {
        if tm.op(condition) != Op::Le {
            continue;
        }
        let said = tm.free_consts(condition);
        let changed: Vec<(TermId, TermId)> =
            numbers.iter().copied().filter(|(now, _)| said.contains(now)).collect();
        let reads = tm.postorder(&[condition]).into_iter().any(|t| tm.op(t) == Op::Select);
        let is_known = said.iter().all(|constant| state.contains(constant));
        if changed.is_empty() || !is_known || reads || looked_at == MAX_CONDITIONS {
            continue;
        }
        looked_at += 1;
        let unchanged: Vec<TermId> = changed.iter().map(|&(now, then)| tm.eq(now, then)).collect();
        let is_first = tm.and(&unchanged);
        for unknown in [1, -1] {
            let unknown = tm.int(unknown);
            let mut before = Vec::new();
            for &(now, _) in &changed {
                let step = steps.get(&now).map_or(unknown, |step| tm.int(step.clone()));
                before.push((now, tm.sub(now, step)));
            }
            let held = Substitution::from_pairs(before).apply(tm, condition);
            let failed = tm.not(held);
            found.extend([held, failed].map(|said| tm.or2(is_first, said)));
            if changed.iter().all(|(now, _)| steps.contains_key(now)) {
                break;
            }
        }
    }
}
