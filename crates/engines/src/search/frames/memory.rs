//! Guesses about every cell of memory: what a loop that goes through it has left as it was, and what it has written.
//!
//! A loop that writes to `p + i` and counts `i` has written, whenever it is at its head, between where that address was
//! when it was entered and where it is now, in steps of so many bytes. All else is as it was then. What it has written is
//! made of what it reads at places that move as fast or a multiple of it, and of what stays the same: `memcpy`, `memmove` and `memset`,
//! by whatever name.
//!
//! A loop that goes on only if cells are as it asks has found all of them so that it has passed: `memcmp` and `strlen`. What it
//! asks may be spread over branches, as in `isdigit(*p)`; so comparisons within the condition are guessed by themselves, and
//! their negations.

use super::changes::{steady_steps, stride, writes};
use crate::view::blocks::{InlinedView, conjuncts, spelled_out};
use craig_base::OrderedMap;
use craig_num::{Int, Rat};
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
    let before = pairs.iter().map(|&(_, then)| then).collect();
    let when_entered = Substitution::from_pairs(pairs);
    let around = &encoding.blocks[around];
    let steps = steady_steps(tm, around);
    let mut passage = Passage { known, constant, before, when_entered, steps, cell };
    let mut found = passage.passed(tm, around);
    for output in &around.outputs {
        let array = names.current(view.program, tm, output.var);
        if !matches!(output.var, StateVar::Region(_)) || output.value == array {
            continue;
        }
        let Some(writes) = writes(tm, around, array, output.value) else { continue };
        if !writes.iter().all(|&(address, _)| says(tm, address, &passage.known)) {
            continue;
        }
        let before = passage.when_entered.apply(tm, array);
        let (now, then) = (tm.select(array, cell), tm.select(before, cell));
        let is_as_it_was = tm.eq(now, then);
        for direction in [0, 1] {
            let mut elsewhere = Vec::new();
            for &(address, value) in &writes {
                if says(tm, address, &passage.constant) {
                    let is_there = tm.eq(cell, address);
                    elsewhere.push(tm.not(is_there));
                    continue;
                }
                let first = passage.when_entered.apply(tm, address);
                let outside = outside(tm, cell, first, address)[direction];
                elsewhere.push(outside);
                if let Some(written) = passage.written(tm, address, value) {
                    let (is_written, between) = (tm.eq(now, written), passage.between(tm, address));
                    found.push(tm.or(&[outside, between, is_written]));
                }
            }
            let elsewhere = tm.and(&elsewhere);
            let somewhere = tm.not(elsewhere);
            found.push(tm.or2(somewhere, is_as_it_was));
        }
    }
    found
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

/// Whether a comparison is about one cell and otherwise a number.
fn reads_once(tm: &Terms, comparison: TermId) -> bool {
    if !matches!(tm.op(comparison), Op::Le | Op::Eq) {
        return false;
    }
    let difference = tm.args(comparison).iter().flat_map(|&side| tm.linear(side).terms);
    let parts: Vec<TermId> = difference.map(|(part, _)| part).collect();
    matches!(parts[..], [part] if tm.op(part) == Op::Select)
}

/// A loop that goes through memory, and one of the cells.
struct Passage {
    /// The state at the head.
    known: Vec<TermId>,
    /// The part of it that the loop does not change.
    constant: Vec<TermId>,
    /// The state in which the loop was entered.
    before: Vec<TermId>,
    when_entered: Substitution,
    steps: OrderedMap<TermId, Int>,
    cell: TermId,
}

impl Passage {
    /// How far an address moves in one round.
    fn stride(&self, tm: &mut Terms, address: TermId) -> Option<Int> {
        stride(tm, &self.steps, address)
    }

    /// That the cell lies between those that an address has been at.
    fn between(&mut self, tm: &mut Terms, address: TermId) -> TermId {
        match self.stride(tm, address).map(|stride| stride.abs()) {
            Some(stride) if stride > Int::ONE => {
                let first = self.when_entered.apply(tm, address);
                let distance = tm.sub(self.cell, first);
                let (stride, zero) = (tm.int(stride), tm.int(0));
                let rest = tm.modulo(distance, stride);
                let is_met = tm.eq(rest, zero);
                tm.not(is_met)
            }
            _ => Terms::FALSE,
        }
    }

    /// What was read in the round in which an address was at the cell: of memory as it was when the loop was entered, if the
    /// loop changes it.
    fn read_there(&mut self, tm: &mut Terms, address: TermId, read: TermId) -> TermId {
        let (mut array, index) = (tm.arg(read, 0), tm.arg(read, 1));
        if !says(tm, array, &self.constant) {
            array = self.when_entered.apply(tm, array);
        }
        let first = self.when_entered.apply(tm, address);
        let distance = tm.sub(self.cell, first);
        let strides = [address, index].map(|t| self.stride(tm, t));
        let distance = match strides {
            [Some(own), Some(other)] if !own.is_zero() && other.rem_euclid(&own).is_zero() => {
                tm.scale(&Rat::from(other.div_floor(&own)), distance)
            }
            _ => distance,
        };
        let began = self.when_entered.apply(tm, index);
        let at = tm.add2(began, distance);
        tm.select(array, at)
    }

    /// What was written in the round in which an address was at the cell, if it can be told from how the loop was entered.
    fn written(&mut self, tm: &mut Terms, address: TermId, value: TermId) -> Option<TermId> {
        if !says(tm, value, &self.known) {
            return None;
        }
        let reads: Vec<TermId> =
            tm.postorder(&[value]).into_iter().filter(|&t| tm.op(t) == Op::Select).collect();
        let mut pairs = Vec::new();
        for read in reads.into_iter().take(MAX_READ) {
            pairs.push((read, self.read_there(tm, address, read)));
        }
        let there = Substitution::from_pairs(pairs).apply(tm, value);
        let sayable = [&self.constant[..], &self.before, &[self.cell]].concat();
        says(tm, there, &sayable).then_some(there)
    }

    /// What a loop asks, and what may be asked in some of its branches.
    fn conditions(&self, tm: &mut Terms, around: &BlockEncoding) -> Vec<TermId> {
        let mut conditions = conjuncts(tm, around.formula);
        let mut compared = Vec::new();
        for t in tm.postorder(&[around.formula]) {
            if matches!(tm.op(t), Op::Le | Op::Eq) && tm.is_int(tm.arg(t, 0)) && compared.len() < MAX_COMPARED
            {
                let comparison = spelled_out(tm, around, t);
                let is_new = !conditions.contains(&comparison);
                if is_new && reads_once(tm, comparison) && says(tm, comparison, &self.known) {
                    compared.push(comparison);
                }
            }
        }
        for comparison in compared {
            conditions.extend([comparison, tm.not(comparison)]);
        }
        conditions
    }

    /// What a loop asks of the cells that it is at, of all that it has passed: as they are, or, where the loop writes, as they
    /// were when it was entered.
    fn passed(&mut self, tm: &mut Terms, around: &BlockEncoding) -> Vec<TermId> {
        let mut found = Vec::new();
        let sayable = [&self.constant[..], &self.before, &[self.cell]].concat();
        for condition in self.conditions(tm, around) {
            let reads: Vec<TermId> =
                tm.postorder(&[condition]).into_iter().filter(|&t| tm.op(t) == Op::Select).collect();
            let moving: Vec<TermId> =
                reads.into_iter().filter(|&read| !says(tm, tm.arg(read, 1), &self.constant)).collect();
            let Some(&reference) = moving.first().filter(|_| moving.len() <= MAX_READ) else { continue };
            if !says(tm, condition, &self.known)
                || moving.len() == 1 && is_range_of_type(tm, condition, reference)
            {
                continue;
            }
            let address = tm.arg(reference, 1);
            let mut pairs = Vec::new();
            for read in moving {
                pairs.push((read, self.read_there(tm, address, read)));
            }
            let there = Substitution::from_pairs(pairs).apply(tm, condition);
            if says(tm, there, &sayable) {
                let first = self.when_entered.apply(tm, address);
                let between = self.between(tm, address);
                for outside in outside(tm, self.cell, first, address) {
                    found.push(tm.or(&[outside, between, there]));
                }
            }
        }
        found
    }
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
