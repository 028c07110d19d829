//! Guesses about words and their bits, from what they are in runs: bounds that are powers of two, bits that never change,
//! few values, distances that wrap, and what one flag says about another. In formulas over integers a bit is
//! `x div 2^i mod 2`.

use super::super::houdini::samples::State;
use crate::view::blocks::InlinedView;
use craig_base::OrderedSet;
use craig_num::Int;
use craig_program::{Cell, CutId, IntType, StateVar, Type, VarId};
use craig_term::{TermId, Terms};

/// Variables that are looked at.
const MAX_VARS: usize = 30;
/// Variables of which each two are compared.
const MAX_COMPARED: usize = 12;
/// A variable with at most so many values is a state of something.
const MAX_VALUES: usize = 8;
/// Facts of which each two are compared.
const MAX_FLAGS: usize = 24;
/// Cells of memory that are looked at, and the size of their objects.
const MAX_CELLS: usize = 40;
const MAX_OBJECT: u64 = 64;
/// Bits of which sums are looked at.
const MAX_COLUMNS: usize = 160;
/// Numbers of the program that may be bounds.
const MAX_CONSTANTS: usize = 40;

/// A variable or cell of some integer type, and what it is in each of the states.
struct Word {
    term: TermId,
    int: IntType,
    values: Vec<i128>,
    different: OrderedSet<i128>,
}

/// The guesses at a cutpoint.
pub fn about_words(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    cut: CutId,
    states: &[State],
    constants: &OrderedSet<Int>,
) -> Vec<TermId> {
    let mut words = Vec::new();
    let mut flags: Vec<(TermId, Vec<bool>)> = Vec::new();
    for constant in &view.encoding.states[cut] {
        let StateVar::Var(var) = constant.var else { continue };
        let Some(values) = values(states, var) else { continue };
        match view.program.vars[var].ty {
            Type::Int(int) if words.len() < MAX_VARS => {
                let different = values.iter().copied().collect();
                words.push(Word { term: constant.current, int, values, different });
            }
            Type::Bool => flags.push((constant.current, values.iter().map(|&value| value != 0).collect())),
            _ => {}
        }
    }
    words.extend(cells(tm, view, cut, states));
    let constants: Vec<i128> =
        constants.iter().filter_map(Int::to_i128).filter(|&c| c > 1).take(MAX_CONSTANTS).collect();
    let mut found = Vec::new();
    for word in &words {
        bounds(tm, word, &constants, &mut found);
        bits(tm, word, &mut found, &mut flags);
    }
    for (i, a) in words.iter().enumerate().take(MAX_COMPARED) {
        for b in words[..i].iter().filter(|b| b.int == a.int) {
            distances(tm, a, b, &constants, &mut found);
            masks(tm, a, b, &mut found);
        }
    }
    flags.truncate(MAX_FLAGS);
    for (i, (a, of_a)) in flags.iter().enumerate() {
        for (b, of_b) in &flags[..i] {
            implications(tm, (*a, of_a), (*b, of_b), &mut found);
        }
    }
    found
}

/// What small static objects hold, wherever a word of a region may lie.
fn cells(tm: &mut Terms, view: &InlinedView<'_>, cut: CutId, states: &[State]) -> Vec<Word> {
    let mut words = Vec::new();
    for constant in &view.encoding.states[cut] {
        let StateVar::Region(region) = constant.var else { continue };
        let Cell::Scalar(ty @ Type::Int(int)) = view.program.regions[region].cell else { continue };
        let size = u64::from(view.program.size_of(ty));
        for &object in &view.program.regions[region].objects {
            let object = &view.program.objects[object];
            let offsets = (0..object.size / size).map(|i| i * size);
            for address in offsets.map(|offset| object.address + offset) {
                let values: Option<Vec<i128>> =
                    states.iter().map(|state| state.cell(view.original, address, ty)).collect();
                if words.len() < MAX_CELLS
                    && object.size <= MAX_OBJECT
                    && let Some(values) = values.filter(|values| !values.is_empty())
                {
                    let index = tm.int(address);
                    let term = tm.select(constant.current, index);
                    let different = values.iter().copied().collect();
                    words.push(Word { term, int, values, different });
                }
            }
        }
    }
    words
}

/// The bits of words at a cutpoint, those of narrow ones first, as truth values.
pub fn columns(tm: &mut Terms, view: &InlinedView<'_>, cut: CutId) -> Vec<TermId> {
    let width = |var: StateVar| match var {
        StateVar::Var(var) => match view.program.vars[var].ty {
            Type::Int(int) => Some(usize::from(int.bits)),
            Type::Bool => Some(0),
            _ => None,
        },
        StateVar::Region(_) => None,
    };
    let constants = view.encoding.states[cut].iter();
    let mut words: Vec<(usize, TermId)> =
        constants.filter_map(|constant| Some((width(constant.var)?, constant.current))).collect();
    words.sort_by_key(|&(width, _)| width);
    let mut columns = Vec::new();
    for (width, x) in words {
        if columns.len() + width > MAX_COLUMNS {
            break;
        }
        match width {
            0 => columns.push(x),
            _ => columns.extend((0..width as u8).map(|i| bit(tm, x, i))),
        }
    }
    columns
}

/// What a variable is in each of the states; nothing if there is one in which it is nothing.
fn values(states: &[State], var: VarId) -> Option<Vec<i128>> {
    let values: Option<Vec<i128>> = states.iter().map(|state| state.values.get(&var).copied()).collect();
    values.filter(|values| !values.is_empty())
}

fn bounds(tm: &mut Terms, word: &Word, constants: &[i128], found: &mut Vec<TermId>) {
    let (Some(&least), Some(&most)) = (word.different.iter().min(), word.different.iter().max()) else {
        return;
    };
    let x = word.term;
    let powers = (0..word.int.bits).map(|j| 1i128 << j);
    for limit in powers.clone().map(|power| power - 1).chain(constants.iter().copied()).chain([most]) {
        if most <= limit {
            let limit = tm.int(limit);
            found.push(tm.le(x, limit));
        }
        if most < limit {
            let limit = tm.int(limit);
            found.push(tm.lt(x, limit));
        }
    }
    for limit in powers.map(|power| -power).chain(constants.iter().copied()).chain([0, 1, least]) {
        if limit <= least {
            let limit = tm.int(limit);
            found.push(tm.le(limit, x));
        }
    }
    if !word.different.contains(&0) {
        let zero = tm.int(0);
        let is_zero = tm.eq(x, zero);
        found.push(tm.not(is_zero));
    }
    if word.different.len() <= MAX_VALUES {
        let mut values: Vec<i128> = word.different.iter().copied().collect();
        values.sort_unstable();
        let cases: Vec<TermId> = values.into_iter().map(|value| is(tm, x, value)).collect();
        found.push(tm.or(&cases));
    }
}

/// Bits that are the same in all states; and what changes in a word with few values.
fn bits(tm: &mut Terms, word: &Word, found: &mut Vec<TermId>, flags: &mut Vec<(TermId, Vec<bool>)>) {
    let is_set = |value: i128, i: u8| value >> i & 1 != 0;
    let few = (2..=MAX_VALUES).contains(&word.different.len());
    for i in 0..word.int.bits {
        let first = is_set(word.values[0], i);
        let changes = word.values.iter().any(|&value| is_set(value, i) != first);
        if changes && !few {
            continue;
        }
        let bit = bit(tm, word.term, i);
        if changes {
            flags.push((bit, word.values.iter().map(|&value| is_set(value, i)).collect()));
        } else {
            found.push(if first { bit } else { tm.not(bit) });
        }
    }
    if few && word.different.len() > 2 {
        for &value in &word.different {
            flags.push((is(tm, word.term, value), word.values.iter().map(|&other| other == value).collect()));
        }
    }
}

fn is(tm: &mut Terms, x: TermId, value: i128) -> TermId {
    let value = tm.int(value);
    tm.eq(x, value)
}

fn bit(tm: &mut Terms, x: TermId, i: u8) -> TermId {
    let power = tm.int(Int::pow2(u32::from(i)));
    let shifted = tm.div(x, power);
    let two = tm.int(2);
    let lowest = tm.modulo(shifted, two);
    is(tm, lowest, 1)
}

/// What holds of `a - b` and `a + b`, as words.
fn distances(tm: &mut Terms, a: &Word, b: &Word, constants: &[i128], found: &mut Vec<TermId>) {
    let modulus = 1i128 << a.int.bits.min(100);
    let size = tm.int(modulus);
    for (sign, (x, y)) in [(-1, (a, b)), (-1, (b, a)), (1, (a, b))] {
        let all: OrderedSet<i128> =
            x.values.iter().zip(&y.values).map(|(x, y)| (x + sign * y).rem_euclid(modulus)).collect();
        let (Some(&least), Some(&most)) = (all.iter().min(), all.iter().max()) else { continue };
        let combined = if sign < 0 { tm.sub(x.term, y.term) } else { tm.add2(x.term, y.term) };
        let wrapped = tm.modulo(combined, size);
        if least == most {
            found.push(is(tm, wrapped, least));
        }
        let powers = (0..a.int.bits).map(|j| (1i128 << j) - 1);
        for limit in powers.chain(constants.iter().copied()).chain([most]) {
            if (most..2 * most + 64).contains(&limit) {
                let limit = tm.int(limit);
                found.push(tm.le(wrapped, limit));
            }
        }
    }
}

/// Words as sets of bits: disjoint, one part of the other, or together everything; bit by bit.
fn masks(tm: &mut Terms, a: &Word, b: &Word, found: &mut Vec<TermId>) {
    let all = (1i128 << a.int.bits.min(100)) - 1;
    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
        let side = |value: i128, wanted: bool| if wanted { value } else { !value };
        if a.values.iter().zip(&b.values).any(|(&a, &b)| side(a, x) & side(b, y) & all != 0) {
            continue;
        }
        for i in 0..a.int.bits {
            let (of_a, of_b) = (bit(tm, a.term, i), bit(tm, b.term, i));
            let not_x = if x { tm.not(of_a) } else { of_a };
            let not_y = if y { tm.not(of_b) } else { of_b };
            found.push(tm.or2(not_x, not_y));
        }
    }
}

fn implications(
    tm: &mut Terms,
    (a, of_a): (TermId, &[bool]),
    (b, of_b): (TermId, &[bool]),
    found: &mut Vec<TermId>,
) {
    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
        // Never both at once.
        if of_a.iter().zip(of_b).all(|(&a, &b)| (a, b) != (x, y)) {
            let not_x = if x { tm.not(a) } else { a };
            let not_y = if y { tm.not(b) } else { b };
            found.push(tm.or2(not_x, not_y));
        }
    }
}
