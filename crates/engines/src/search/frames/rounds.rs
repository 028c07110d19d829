//! Guesses about numbers that loops change: in which direction they go, which go together, and what the last round has asked
//! of them. A cell of memory whose address stays the same is a number too: a field of a struct whose address was taken, say.
//!
//! `i <= n` does not hold at the head of a loop that goes on while `i < n` if `i` may begin beyond `n`; but then there is no
//! round. So it is guessed that nothing has happened yet, or that the condition held one step ago: `i == i@ or i - 1 < n`, with
//! `i@` for what `i` was when the loop was entered. Conditions are all comparisons of the loop, and their negations: those that are
//! not asked in every round are found out.
//!
//! Where one number grows by 4 and another shrinks by 1, `p - p@ == 4 * (n@ - n)`.

use super::changes::{possible_steps, steady_steps, writes};
use super::memory::says;
use crate::view::blocks::InlinedView;
use craig_base::Set;
use craig_num::{Int, Rat};
use craig_program::encode::{BlockEncoding, StateConstant, StateNames};
use craig_program::{CutId, Forgotten, StateVar};
use craig_term::{Op, Substitution, TermId, Terms};

/// What may hold at the head of a loop of the numbers that it changes.
pub(super) fn guesses(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    head: CutId,
    numbers: &[Number],
) -> Vec<TermId> {
    let mut found = Vec::new();
    for &Number { now, then, .. } in numbers {
        found.extend([tm.le(then, now), tm.le(now, then)]);
    }
    together(tm, numbers, &mut found);
    if let Some(around) = view.encoding.cuts.edge_between(head, head) {
        let state: Vec<TermId> = view.encoding.states[head].iter().map(|part| part.current).collect();
        last_round(tm, &view.encoding.blocks[around], &state, numbers, &mut found);
    }
    found
}

/// A number that a loop changes.
pub(super) struct Number {
    pub now: TermId,
    /// What it was when the loop was entered.
    pub then: TermId,
    /// What a round may add, where that is known.
    steps: Vec<Int>,
}

/// The numbers that a loop changes.
pub(super) fn numbers(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    head: CutId,
    forgotten: &Forgotten,
) -> Vec<Number> {
    let encoding = view.encoding;
    let around = encoding.cuts.edge_between(head, head).map(|around| &encoding.blocks[around]);
    let after = |var: StateVar| {
        let outputs = around.into_iter().flat_map(|around| &around.outputs);
        outputs.filter(move |output| output.var == var).map(|output| output.value).next()
    };
    let steady = around.map_or_else(Default::default, |around| steady_steps(tm, around));
    let mut names = StateNames::default();
    let (touched, others): (Vec<&StateConstant>, Vec<&StateConstant>) =
        encoding.states[head].iter().partition(|part| forgotten.touches(part.var));
    let constant: Vec<TermId> = others.iter().map(|part| part.current).collect();
    let mut numbers = Vec::new();
    for part in touched {
        let (now, then) = (part.current, names.entry(view.program, tm, part.var));
        let after = after(part.var);
        if tm.is_int(now) {
            let after: Vec<TermId> = after.into_iter().collect();
            let steps = match (steady.get(&now), around) {
                (Some(step), _) => vec![step.clone()],
                (None, Some(around)) => possible_steps(tm, around, now, &after),
                (None, None) => Vec::new(),
            };
            numbers.push(Number { now, then, steps });
            continue;
        }
        let (Some(around), Some(after)) = (around, after) else { continue };
        if !matches!(part.var, StateVar::Region(_)) {
            continue;
        }
        let writes = writes(tm, around, now, after).unwrap_or_default();
        let mut places: Vec<TermId> = writes.iter().map(|&(address, _)| address).collect();
        places.sort_unstable();
        places.dedup();
        for place in places.into_iter().filter(|&place| says(tm, place, &constant)).collect::<Vec<_>>() {
            let values: Vec<TermId> =
                writes.iter().filter(|(address, _)| *address == place).map(|(_, value)| *value).collect();
            let (now, then) = (tm.select(now, place), tm.select(then, place));
            if tm.is_int(now) && numbers.len() < MAX_NUMBERS {
                let steps = possible_steps(tm, around, now, &values);
                numbers.push(Number { now, then, steps });
            }
        }
    }
    numbers
}

/// So many numbers of a loop are looked at where cells of memory are among them.
const MAX_NUMBERS: usize = 20;
/// So many pairs of steps of a loop are compared.
const MAX_PAIRS: usize = 60;
/// So many conditions of a loop are looked at.
const MAX_CONDITIONS: usize = 30;

/// Numbers that change in the same rounds: both as often, or one at most as often as the other.
fn together(tm: &mut Terms, numbers: &[Number], found: &mut Vec<TermId>) {
    let mut pairs = 0;
    for (place, a) in numbers.iter().enumerate() {
        for b in &numbers[place + 1..] {
            for (by, other) in a.steps.iter().flat_map(|by| b.steps.iter().map(move |other| (by, other))) {
                if pairs == MAX_PAIRS {
                    return;
                }
                pairs += 1;
                let mut rounds = |number: &Number, factor: &Int| {
                    let change = tm.sub(number.now, number.then);
                    tm.scale(&Rat::from(factor.clone()), change)
                };
                let (left, right) = (rounds(a, other), rounds(b, by));
                found.extend([tm.le(left, right), tm.le(right, left)]);
            }
        }
    }
}

fn last_round(
    tm: &mut Terms,
    around: &BlockEncoding,
    state: &[TermId],
    numbers: &[Number],
    found: &mut Vec<TermId>,
) {
    let conditions: Vec<TermId> = tm.postorder(&[around.formula]);
    let mut looked_at = 0;
    for condition in conditions {
        if tm.op(condition) != Op::Le {
            continue;
        }
        let parts: Set<TermId> = tm.postorder(&[condition]).into_iter().collect();
        let changed: Vec<&Number> = numbers.iter().filter(|number| parts.contains(&number.now)).collect();
        let is_number = |t: &TermId| changed.iter().any(|number| number.now == *t);
        let reads = parts.iter().any(|t| tm.op(*t) == Op::Select && !is_number(t));
        if changed.is_empty() || !says(tm, condition, state) || reads || looked_at == MAX_CONDITIONS {
            continue;
        }
        looked_at += 1;
        let unchanged: Vec<TermId> = changed.iter().map(|number| tm.eq(number.now, number.then)).collect();
        let is_first = tm.and(&unchanged);
        // Where a number may wrap around, one is as good a guess as any.
        for unknown in [Int::from(1), Int::from(-1)] {
            let mut before = Vec::new();
            for number in &changed {
                let step = match &number.steps[..] {
                    [step] => step.clone(),
                    _ => unknown.clone(),
                };
                let step = tm.int(step);
                before.push((number.now, tm.sub(number.now, step)));
            }
            let held = Substitution::from_pairs(before).apply(tm, condition);
            let failed = tm.not(held);
            found.extend([held, failed].map(|said| tm.or2(is_first, said)));
            if changed.iter().all(|number| number.steps.len() == 1) {
                break;
            }
        }
    }
}
