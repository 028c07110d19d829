//! Guesses about every cell of memory: what a loop that goes through it has left as it was, and what it has written.
//!
//! A loop that writes to `p + i` and counts `i` has written, whenever it is at its head, between where that address was
//! when it was entered and where it is now. All else is as it was then. What it has written is what it reads at a place
//! that moves as fast, or a value that stays the same: `memcpy`, `memmove` and `memset`, by whatever name.
//!
//! A loop that goes on only if cells are as it asks has found all of them so that it has passed: `memcmp` and `strlen`. What it
//! asks may be spread over branches, as in `isdigit(*p)`; so comparisons within the condition are guessed by themselves, and
//! their negations.

use super::changes::writes;
use crate::view::blocks::{InlinedView, conjuncts};
use craig_num::Int;
use craig_program::encode::{BlockEncoding, StateNames};
use craig_program::{CutId, Forgotten, IntType, StateVar};
use craig_term::{Op, Substitution, TermId, Terms};

/// What may hold of `cell` at the head of a loop, over the state there and the one in which the loop was entered.
pub(super) fn guesses(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    head: CutId,
    forgotten: &Forgotten,
    cell: TermId,
) -> Vec<TermId> {
    let encoding = view.encoding;
    let Some(around) = encoding.cuts.edge_between(head, head) else { return Vec::new() };
    let mut names = StateNames::default();
    let mut pairs = Vec::new();
    let (mut known, mut constant) = (Vec::new(), Vec::new());
    for part in &encoding.states[head] {
        pairs.push((part.current, names.entry(view.program, tm, part.var)));
        known.push(part.current);
        if !forgotten.touches(part.var) {
            constant.push(part.current);
        }
    }
    let mut when_entered = Substitution::from_pairs(pairs);
    let mut found = passed(tm, &encoding.blocks[around], &known, &constant, &mut when_entered, cell);
    let around = &encoding.blocks[around];
    for output in &around.outputs {
        let array = names.current(view.program, tm, output.var);
        if !matches!(output.var, StateVar::Region(_)) || output.value == array {
            continue;
        }
        let Some(writes) = writes(tm, around, array, output.value) else { continue };
        if !writes.iter().all(|&(address, _)| says(tm, address, &known)) {
            continue;
        }
        let before = when_entered.apply(tm, array);
        let (now, then) = (tm.select(array, cell), tm.select(before, cell));
        let is_as_it_was = tm.eq(now, then);
        for direction in [0, 1] {
            let mut elsewhere = Vec::new();
            for &(address, value) in &writes {
                if says(tm, address, &constant) {
                    let is_there = tm.eq(cell, address);
                    elsewhere.push(tm.not(is_there));
                    continue;
                }
                let first = when_entered.apply(tm, address);
                let outside = outside(tm, cell, first, address)[direction];
                elsewhere.push(outside);
                if let Some(written) = written(tm, &mut when_entered, value, cell, first, &known, &constant) {
                    let is_written = tm.eq(now, written);
                    found.push(tm.or2(outside, is_written));
                }
            }
            let elsewhere = tm.and(&elsewhere);
            let somewhere = tm.not(elsewhere);
            found.push(tm.or2(somewhere, is_as_it_was));
        }
    }
    found
}

/// What a loop has written to a cell that it has passed: what it copies, or the same everywhere.
fn written(
    tm: &mut Terms,
    when_entered: &mut Substitution,
    value: TermId,
    cell: TermId,
    first: TermId,
    known: &[TermId],
    constant: &[TermId],
) -> Option<TermId> {
    if tm.op(value) == Op::Select && says(tm, value, known) {
        let (source, from) = (tm.arg(value, 0), tm.arg(value, 1));
        let (source, from) = (when_entered.apply(tm, source), when_entered.apply(tm, from));
        let distance = tm.sub(cell, first);
        let from = tm.add2(from, distance);
        return Some(tm.select(source, from));
    }
    says(tm, value, constant).then_some(value)
}

/// That a cell is not between where an address was first and where it is now; upwards, and downwards.
fn outside(tm: &mut Terms, cell: TermId, first: TermId, address: TermId) -> [TermId; 2] {
    let up = [tm.lt(cell, first), tm.le(address, cell)];
    let down = [tm.le(cell, address), tm.lt(first, cell)];
    [tm.or(&up), tm.or(&down)]
}

/// Whether a term speaks of nothing else.
pub(super) fn says(tm: &Terms, t: TermId, known: &[TermId]) -> bool {
    tm.free_consts(t).iter().all(|c| known.contains(c))
}

/// Cells in one condition of a loop.
const MAX_READ: usize = 4;
/// Comparisons within the conditions of a loop.
const MAX_COMPARED: usize = 6;
/// How often a name stands for something with another name in it.
const MAX_NAMES: usize = 4;

/// A comparison without names for what was read before.
fn spelled_out(tm: &mut Terms, around: &BlockEncoding, comparison: TermId) -> TermId {
    let mut found = comparison;
    for _ in 0..MAX_NAMES {
        let names = tm.free_consts(found);
        let pairs = names.iter().filter_map(|&name| {
            let mut values = around.definitions.iter().filter(|(_, defined, _)| *defined == name);
            let (_, _, value) = values.next()?;
            values.next().is_none().then_some((name, *value))
        });
        let pairs: Vec<(TermId, TermId)> = pairs.collect();
        if pairs.is_empty() {
            break;
        }
        found = Substitution::from_pairs(pairs).apply(tm, found);
    }
    found
}

/// Whether a comparison is about one cell and otherwise a number.
fn reads_once(tm: &Terms, comparison: TermId) -> bool {
    if !matches!(tm.op(comparison), Op::Le | Op::Eq) {
        return false;
    }
    let difference = tm.args(comparison).iter().flat_map(|&side| tm.linear(side).terms);
    let parts: Vec<TermId> = difference.map(|(part, _)| part).collect();
    matches!(parts[..], [part] if tm.op(part) == Op::Select)
}

/// What a loop asks of the cells that it is at, of all that it has passed.
fn passed(
    tm: &mut Terms,
    around: &BlockEncoding,
    known: &[TermId],
    constant: &[TermId],
    when_entered: &mut Substitution,
    cell: TermId,
) -> Vec<TermId> {
    let mut found = Vec::new();
    let before: Vec<TermId> = known.iter().map(|&constant| when_entered.apply(tm, constant)).collect();
    let sayable = [constant, &before, &[cell]].concat();
    let mut conditions = conjuncts(tm, around.formula);
    let mut compared = Vec::new();
    for t in tm.postorder(&[around.formula]) {
        if matches!(tm.op(t), Op::Le | Op::Eq) && tm.is_int(tm.arg(t, 0)) && compared.len() < MAX_COMPARED {
            let comparison = spelled_out(tm, around, t);
            if reads_once(tm, comparison) && says(tm, comparison, known) && !conditions.contains(&comparison)
            {
                compared.push(comparison);
            }
        }
    }
    for comparison in compared {
        conditions.extend([comparison, tm.not(comparison)]);
    }
    for condition in conditions {
        let reads: Vec<TermId> =
            tm.postorder(&[condition]).into_iter().filter(|&t| tm.op(t) == Op::Select).collect();
        let moving: Vec<TermId> =
            reads.into_iter().filter(|&read| !says(tm, tm.arg(read, 1), constant)).collect();
        let Some(&reference) = moving.first().filter(|_| moving.len() <= MAX_READ) else { continue };
        if !says(tm, condition, known) || moving.len() == 1 && is_range_of_type(tm, condition, reference) {
            continue;
        }
        let address = tm.arg(reference, 1);
        let first = when_entered.apply(tm, address);
        let distance = tm.sub(cell, first);
        let mut pairs = Vec::new();
        for read in moving {
            let began = when_entered.apply(tm, tm.arg(read, 1));
            let at = tm.add2(began, distance);
            pairs.push((read, tm.select(tm.arg(read, 0), at)));
        }
        let there = Substitution::from_pairs(pairs).apply(tm, condition);
        if says(tm, there, &sayable) {
            for outside in outside(tm, cell, first, address) {
                found.push(tm.or2(outside, there));
            }
        }
    }
    found
}

/// Whether a condition is what the type of a cell says, of all cells of that type.
fn is_range_of_type(tm: &mut Terms, condition: TermId, cell: TermId) -> bool {
    let mut holds_for = |value: Int| {
        let value = tm.int(value);
        let there = Substitution::from_pairs([(cell, value)]).apply(tm, condition);
        tm.is_true(there)
    };
    let types = [8, 16, 32, 64].into_iter().flat_map(|bits| [IntType::signed(bits), IntType::unsigned(bits)]);
    types.into_iter().any(|ty| {
        let (least, most) = (Int::from(ty.min()), Int::from(ty.min() + (1 << ty.bits) - 1));
        let (below, above) = (least.clone() - Int::from(1), most.clone() + Int::from(1));
        holds_for(least) && holds_for(most) && !(holds_for(below) && holds_for(above))
    })
}
