//! Guesses about loops that put elements of memory together: `s == s@ + a[i@] + ... + a[i - 1]`, or the greatest of them.
//!
//! In each round something is added: elements that stand where an address moves by the same distance, numbers that count, and
//! constants. Counted numbers have a closed form; what elements are together has a name
//! ([`craig_smt::aggregates`]). A number that is compared with an element may become the greatest or the least of all.

use super::changes::{steady_steps, stride};
use super::rounds::Number;
use crate::search::houdini::{within_types, without_wrap};
use crate::view::blocks::InlinedView;
use craig_base::{OrderedMap, OrderedSet, Set};
use craig_num::{Int, Rat};
use craig_program::encode::BlockEncoding;
use craig_program::{CutId, Forgotten};
use craig_smt::aggregates::{Elements, Kind};
use craig_term::{Op, Substitution, TermId, Terms};

/// So many elements are looked at that a number is compared with.
const MAX_COMPARED: usize = 2;

/// What may hold at the head of a loop of the numbers that it changes.
pub(super) fn guesses(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    head: CutId,
    forgotten: &Forgotten,
    numbers: &[Number],
) -> Vec<TermId> {
    let Some(around) = view.encoding.cuts.edge_between(head, head) else { return Vec::new() };
    let block = &view.encoding.blocks[around];
    let steps = steady_steps(tm, block);
    let Some(rounds) = rounds(tm, &steps, numbers) else { return Vec::new() };
    let kept = view.encoding.states[head].iter().filter(|part| !forgotten.touches(part.var));
    let kept: Set<TermId> = kept.map(|part| part.current).collect();
    let when_entered = Substitution::from_pairs(numbers.iter().map(|number| (number.now, number.then)));
    let mut passage = Passage { kept, when_entered, steps, rounds };
    let mut found = Vec::new();
    for output in &block.outputs {
        let Some(&now) = block.inputs.get(&output.var) else { continue };
        let Some(&Number { then, .. }) = numbers.iter().find(|number| number.now == now) else { continue };
        if passage.steps.contains_key(&now) {
            continue;
        }
        let added = tm.sub(output.value, now);
        if let Some(twice) = passage.twice(tm, added) {
            let (two, change) = (Rat::from(Int::from(2)), tm.sub(now, then));
            let change = tm.scale(&two, change);
            found.push(tm.eq(change, twice));
            continue;
        }
        for read in compared_with(tm, block, now).into_iter().take(MAX_COMPARED) {
            let Some(elements) = passage.elements(tm, read, then) else { continue };
            for kind in [Kind::Greatest, Kind::Least] {
                found.extend(elements.aggregate(tm, kind).map(|of_all| tm.eq(now, of_all)));
            }
        }
    }
    found
}

/// How many rounds there were, by a number that each of them moves by one.
fn rounds(tm: &mut Terms, steps: &OrderedMap<TermId, Int>, numbers: &[Number]) -> Option<TermId> {
    numbers.iter().find_map(|&Number { now, then, .. }| match steps.get(&now)? {
        step if step.is_one() => Some(tm.sub(now, then)),
        step if (-step).is_one() => Some(tm.sub(then, now)),
        _ => None,
    })
}

/// The elements with which a round compares a number.
fn compared_with(tm: &mut Terms, block: &BlockEncoding, number: TermId) -> OrderedSet<TermId> {
    let mut found = OrderedSet::default();
    for atom in tm.postorder(&[block.formula]) {
        if tm.op(atom) != Op::Le {
            continue;
        }
        let sum = tm.linear(tm.arg(atom, 0));
        if sum.terms.iter().any(|(t, _)| *t == number) {
            found.extend(sum.terms.iter().map(|(t, _)| *t).filter(|&t| tm.op(t) == Op::Select));
        }
    }
    found
}

/// So many remainders are compared with each other.
const MAX_REMAINDERS: usize = 12;

/// What is equal has equal remainders. Who knows of two sums only that they are equal, and converts both to a narrower type,
/// would have to guess their quotients.
pub(super) fn equal_remainders(tm: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
    let parts = tm.postorder(formulas).into_iter();
    let remainders: Vec<TermId> = parts.filter(|&t| tm.op(t) == Op::Mod).take(MAX_REMAINDERS).collect();
    let mut facts = Vec::new();
    for (i, &one) in remainders.iter().enumerate() {
        for &other in &remainders[..i] {
            if tm.arg(other, 1) != tm.arg(one, 1) {
                continue;
            }
            let (number, another) = (tm.arg(one, 0), tm.arg(other, 0));
            let (alike, same) = (tm.eq(number, another), tm.eq(one, other));
            facts.push(tm.implies(alike, same));
        }
    }
    facts
}

/// All rounds that a loop has made so far.
struct Passage {
    /// What the loop does not change.
    kept: Set<TermId>,
    /// From numbers that it changes to what they were.
    when_entered: Substitution,
    steps: OrderedMap<TermId, Int>,
    rounds: TermId,
}

impl Passage {
    /// Twice of what all rounds have added, if each of them adds this; so that there are no halves.
    fn twice(&mut self, tm: &mut Terms, added: TermId) -> Option<TermId> {
        let added = without_wrap(tm, added);
        let two = Rat::from(Int::from(2));
        let is_element = |(t, _): &(TermId, Rat)| tm.op(*t) == Op::Select;
        if !added.terms.iter().any(is_element) || !added.constant.is_integer() {
            return None;
        }
        let mut all = tm.scale(&(&two * &added.constant), self.rounds);
        let zero = tm.int(0);
        for (t, factor) in added.terms {
            let part = match tm.op(t) {
                Op::Select => {
                    let sum = self.elements(tm, t, zero)?.aggregate(tm, Kind::Sum)?;
                    tm.scale(&two, sum)
                }
                _ => self.twice_counted(tm, t)?,
            };
            let part = tm.scale(&factor, part);
            all = tm.add2(all, part);
        }
        Some(all)
    }

    /// The elements of which each round reads one.
    fn elements(&mut self, tm: &mut Terms, read: TermId, start: TermId) -> Option<Elements> {
        let (array, index) = (tm.arg(read, 0), tm.arg(read, 1));
        let index = within_types(tm, index);
        let is_known = |c: &TermId| self.kept.contains(c) || self.steps.contains_key(c);
        if !self.kept.contains(&array) || !tm.free_consts(index).iter().all(is_known) {
            return None;
        }
        let stride = stride(tm, &self.steps, index).filter(|stride| !stride.is_zero())?;
        let first = self.when_entered.apply(tm, index);
        Some(Elements { array, first, stride, count: self.rounds, start })
    }

    /// Twice the sum of a number that each round moves by one.
    fn twice_counted(&mut self, tm: &mut Terms, now: TermId) -> Option<TermId> {
        let step = self.steps.get(&now).filter(|step| step.abs().is_one())?;
        let step = tm.int(step.clone());
        let then = self.when_entered.apply(tm, now);
        let [of_now, of_then] = [now, then].map(|t| {
            let square = tm.mul(t, t);
            let square = tm.mul(step, square);
            tm.sub(square, t)
        });
        Some(tm.sub(of_now, of_then))
    }
}
