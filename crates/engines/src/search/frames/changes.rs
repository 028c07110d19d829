//! What one round of a loop does to a part of the state, whichever way it takes.

use crate::search::houdini::{within_types, without_wrap};
use craig_base::{OrderedMap, Set};
use craig_num::Int;
use craig_program::encode::BlockEncoding;
use craig_term::{Op, Substitution, TermId, Terms};

/// So many ways are told apart.
const MAX_WAYS: usize = 32;
/// What a round adds at most; more comes from numbers that wrap around.
const MAX_STEP: i64 = 1 << 31;

/// The values that a term may have, by the way that is taken.
pub(super) fn values(tm: &Terms, block: &BlockEncoding, term: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen: Set<TermId> = Set::default();
    let mut pending = vec![term];
    while let Some(t) = pending.pop() {
        if seen.len() == MAX_WAYS || !seen.insert(t) {
            continue;
        }
        let ways = ways(tm, block, t);
        if ways.is_empty() {
            found.push(t);
        }
        pending.extend(ways);
    }
    found
}

/// What a round writes into an array, as addresses and values; `None` if it does something else with it.
pub(super) fn writes(
    tm: &Terms,
    block: &BlockEncoding,
    array: TermId,
    after: TermId,
) -> Option<Vec<(TermId, TermId)>> {
    let mut found = Vec::new();
    let mut seen: Set<TermId> = Set::default();
    let mut pending = vec![after];
    while let Some(t) = pending.pop() {
        if t == array || !seen.insert(t) {
            continue;
        }
        if seen.len() > MAX_WAYS {
            return None;
        }
        if tm.op(t) == Op::Store {
            found.push((tm.arg(t, 1), tm.arg(t, 2)));
            pending.push(tm.arg(t, 0));
            continue;
        }
        let ways = ways(tm, block, t);
        if ways.is_empty() {
            return None;
        }
        pending.extend(ways);
    }
    Some(found)
}

/// What may be added to a number, where it is always one of few.
pub(super) fn possible_steps(
    tm: &mut Terms,
    block: &BlockEncoding,
    now: TermId,
    after: &[TermId],
) -> Vec<Int> {
    let mut steps = Vec::new();
    for &after in after {
        for value in values(tm, block, after) {
            let step = tm.sub(value, now);
            let step = tm.int_value(step);
            steps.extend(step.filter(|step| *step != Int::ZERO && step.abs() < Int::from(MAX_STEP)));
        }
    }
    steps.sort_unstable();
    steps.dedup();
    steps
}

/// By how much every round changes numbers that do not leave their types, where that is always the same.
pub(super) fn steady_steps(tm: &mut Terms, block: &BlockEncoding) -> OrderedMap<TermId, Int> {
    let mut steps = OrderedMap::default();
    for output in &block.outputs {
        let Some(&now) = block.inputs.get(&output.var).filter(|&&now| tm.is_int(now)) else { continue };
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

/// The terms of which a term is one, if it depends on the way: at a join, and where a case is distinguished.
fn ways(tm: &Terms, block: &BlockEncoding, t: TermId) -> Vec<TermId> {
    if tm.op(t) == Op::Ite {
        return vec![tm.arg(t, 1), tm.arg(t, 2)];
    }
    block.definitions.iter().filter(|(_, defined, _)| *defined == t).map(|(_, _, value)| *value).collect()
}
