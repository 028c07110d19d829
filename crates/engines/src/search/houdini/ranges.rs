//! Guesses about every element of arrays: `for all k: 0 <= k < i implies a[k] == b[k]`.
//!
//! After G. Fedyukovich, S. Prabhu, K. Madhukar and A. Gupta, *Quantified Invariants via Syntax-Guided Synthesis* (CAV
//! 2019): what blocks say of the element that they are at may hold of all elements that they have been at. What is
//! said comes from assertions, conditions and assignments; the range is between where blocks are, where loops
//! begin, and where they end.

use super::comparisons::{has_op, is_about_type, solved};
use super::elements::without_wrap;
use super::properties::{Properties, Sources, Width, numbers_of};
use crate::view::blocks::InlinedView;
use craig_base::{Map, OrderedSet, Set};
use craig_num::{Int, Rat};
use craig_program::CutId;
use craig_term::{Op, Substitution, TermId, Terms};

/// Ends of ranges with one number.
const MAX_BOUNDS: usize = 8;
/// Combinations of where loops begin and end.
const MAX_COMBINED: usize = 40;
/// Ends of ranges for two numbers.
const MAX_ENDS: usize = 10;
/// Guesses at one cutpoint.
const MAX_GUESSES: usize = 5_000;
/// Strides of loops, each with all of its remainders.
const MAX_STRIDE: i64 = 4;

/// Where something may be said of elements.
pub(super) struct Ranges {
    /// The numbers of elements that are accessed.
    numbers: OrderedSet<TermId>,
    /// What index variables are compared with.
    limits: Map<TermId, OrderedSet<TermId>>,
    /// Other variables at which ranges may end.
    variables: Vec<TermId>,
    /// Index variables that move by more than one, and by how much.
    strides: OrderedSet<(TermId, Int)>,
}

impl Ranges {
    pub fn new(tm: &mut Terms, sources: &Sources<'_>, width: Width) -> Ranges {
        let Sources { view, elements, comparisons, equal, moving } = sources;
        let mut ranges = Ranges {
            numbers: elements.accesses.iter().map(|access| access.number).collect(),
            limits: Map::default(),
            variables: if width == Width::Narrow { Vec::new() } else { numbers_of(tm, view) },
            strides: moving.iter().filter(|(_, by)| is_stride(by)).cloned().collect(),
        };
        let constants = view.encoding.states.iter().flatten();
        let known: Set<TermId> = constants.clone().map(|constant| constant.current).collect();
        let mut renaming =
            Substitution::from_pairs(constants.map(|constant| (constant.next, constant.current)));
        let indices: OrderedSet<TermId> =
            ranges.numbers.iter().flat_map(|&number| tm.free_consts(number)).collect();
        for atoms in comparisons {
            // Loops begin with what is assigned to their variables.
            let begun: Vec<TermId> = atoms.iter().map(|&atom| renaming.apply(tm, atom)).collect();
            let begun: Vec<TermId> = begun.into_iter().filter(|&atom| tm.op(atom) == Op::Eq).collect();
            let is_known = |atom: &TermId| tm.free_consts(*atom).iter().all(|c| known.contains(c));
            let of_state: Vec<TermId> = atoms.iter().copied().filter(is_known).collect();
            ranges.find_limits(tm, &indices, &begun);
            ranges.find_limits(tm, &indices, &of_state);
            let elsewhere = by_equalities(tm, &indices, equal, &of_state);
            ranges.find_limits(tm, &indices, &elsewhere);
        }
        ranges
    }

    /// What index variables are compared with: beyond it, ranges end.
    fn find_limits(&mut self, tm: &mut Terms, indices: &OrderedSet<TermId>, atoms: &[TermId]) {
        for &atom in atoms {
            if !tm.is_int(tm.arg(atom, 0)) || has_op(tm, atom, Op::Select) || is_about_type(tm, atom) {
                continue;
            }
            let (left, right) = (tm.arg(atom, 0), tm.arg(atom, 1));
            let difference = tm.sub(left, right);
            let sum = without_wrap(tm, difference);
            for &x in indices {
                let Some((_, factor)) = sum.terms.iter().find(|(t, _)| *t == x) else { continue };
                if *factor != Rat::ONE && *factor != Rat::MINUS_ONE {
                    continue;
                }
                let whole = tm.from_linear(sum.clone(), Terms::INT);
                let rest = if factor.is_one() { tm.sub(x, whole) } else { tm.add2(x, whole) };
                let is_upper = tm.op(atom) == Op::Le && factor.is_one();
                let distance = tm.int(i64::from(is_upper));
                let end = tm.add2(rest, distance);
                self.limits.entry(x).or_default().insert(end);
            }
        }
    }

    /// The ranges that make sense at a cutpoint: between where a block is and where it may have been or will be, and
    /// between two of these places.
    fn ranges(&self, tm: &mut Terms, here: &Set<TermId>) -> OrderedSet<(TermId, TermId)> {
        let (zero, one) = (tm.int(0), tm.int(1));
        let numbers: Vec<TermId> = self.numbers.iter().copied().collect();
        let is_here = |tm: &Terms, bound: TermId| tm.free_consts(bound).iter().all(|c| here.contains(c));
        let mut places = Vec::new();
        let mut ranges = OrderedSet::default();
        for number in numbers {
            let next = tm.add2(number, one);
            let mut bounds: OrderedSet<TermId> = [zero, number, next].into_iter().collect();
            places.extend([number, next]);
            // Each of its variables as it is, or where its loop begins or ends.
            let mut ends = vec![number];
            for x in tm.free_consts(number) {
                let limits = self.limits.get(&x).into_iter().flatten();
                for mut at_limit in
                    limits.map(|&limit| Substitution::from_pairs([(x, limit)])).collect::<Vec<_>>()
                {
                    let others: Vec<TermId> = ends.iter().map(|&end| at_limit.apply(tm, end)).collect();
                    ends.extend(others);
                }
                ends = ends.into_iter().collect::<OrderedSet<_>>().into_iter().take(MAX_COMBINED).collect();
            }
            bounds.extend(ends);
            // No element has a negative number.
            let is_negative =
                |tm: &Terms, t: TermId| tm.int_value(t).is_some_and(|value| value.is_negative());
            bounds.retain(|&bound| is_here(tm, bound) && !is_negative(tm, bound));
            bounds.truncate(MAX_BOUNDS);
            ranges.extend(pairs(tm, &bounds.into_iter().collect::<Vec<_>>()));
        }
        places.extend(&self.variables);
        places.retain(|&place| is_here(tm, place));
        places.truncate(MAX_BOUNDS);
        ranges.extend(pairs(tm, &places));
        ranges
    }

    /// The guesses at a cutpoint.
    pub fn guesses(
        &self,
        tm: &mut Terms,
        view: &InlinedView<'_>,
        [number, second]: [TermId; 2],
        properties: &Properties,
        cut: CutId,
    ) -> Vec<TermId> {
        let mut here: Set<TermId> =
            view.encoding.states[cut].iter().map(|constant| constant.current).collect();
        let ranges = self.ranges(tm, &here);
        let mut found: OrderedSet<TermId> = OrderedSet::default();
        let mut steps = Vec::new();
        for (x, stride) in &self.strides {
            let divisor = tm.int(stride.clone());
            let mut remainder = Int::ZERO;
            while remainder < *stride {
                let value = tm.int(remainder.clone());
                let (of_number, of_index) = (tm.modulo(number, divisor), tm.modulo(*x, divisor));
                let other = tm.eq(of_number, value);
                steps.push(tm.not(other));
                if here.contains(x) {
                    found.insert(tm.eq(of_index, value));
                }
                remainder = &remainder + &Int::ONE;
            }
        }
        let is_here = |t: &TermId| tm.free_consts(*t).iter().all(|c| here.contains(c));
        found.extend(properties.fixed.iter().copied().filter(is_here));
        found.extend(ranges.iter().flat_map(|&(low, high)| [tm.le(low, high), tm.lt(low, high)]));
        here.insert(number);
        for &property in &properties.of_one {
            if !tm.free_consts(property).iter().all(|c| here.contains(c)) {
                continue;
            }
            for &(low, high) in &ranges {
                let (below, above) = (tm.lt(number, low), tm.le(high, number));
                let guess = tm.or(&[below, above, property]);
                found.insert(guess);
                found.extend(steps.iter().map(|&step| tm.or2(step, guess)));
            }
        }
        let bounds: OrderedSet<TermId> = ranges.iter().flat_map(|&(low, high)| [low, high]).collect();
        let bounds: Vec<TermId> = bounds.into_iter().take(MAX_ENDS).collect();
        let zero = tm.int(0);
        let in_order = tm.lt(number, second);
        for &order in &properties.orders {
            if !tm.free_consts(order).iter().all(|c| here.contains(c) || *c == second) {
                continue;
            }
            for (&one, &other) in bounds.iter().flat_map(|one| bounds.iter().map(move |other| (one, other))) {
                let starts = tm.le(zero, number);
                // The first one is below a bound and the second one below another, or the second one is between them.
                let first = [tm.lt(number, one), tm.lt(second, other)];
                let second = [tm.le(one, second), tm.lt(second, other)];
                for [a, b] in [first, second] {
                    let inside = tm.and(&[starts, in_order, a, b]);
                    found.insert(tm.implies(inside, order));
                }
            }
        }
        let is_open = |guess: &TermId| !tm.is_true(*guess) && !tm.is_false(*guess);
        found.into_iter().filter(is_open).take(MAX_GUESSES).collect()
    }
}

/// Whether a loop that moves so far leaves elements out.
fn is_stride(distance: &Int) -> bool {
    *distance > Int::ONE && *distance <= Int::from(MAX_STRIDE)
}

/// Ranges between two of some bounds, without those that have at most one element.
fn pairs(tm: &mut Terms, bounds: &[TermId]) -> Vec<(TermId, TermId)> {
    let mut pairs = Vec::new();
    for (&low, &high) in bounds.iter().flat_map(|low| bounds.iter().map(move |high| (low, high))) {
        let length = tm.sub(high, low);
        if tm.int_value(length).is_none_or(|length| length > Int::ONE) {
            pairs.push((low, high));
        }
    }
    pairs
}

/// What comparisons of one index variable say of another one that equals a function of it.
fn by_equalities(
    tm: &mut Terms,
    indices: &OrderedSet<TermId>,
    equal: &[TermId],
    atoms: &[TermId],
) -> Vec<TermId> {
    let mut found = OrderedSet::default();
    for &equality in equal {
        for (x, value) in solved(tm, equality) {
            if !indices.contains(&x) {
                continue;
            }
            let mut substitution = Substitution::from_pairs([(x, value)]);
            for &atom in atoms {
                let other = substitution.apply(tm, atom);
                if other != atom && matches!(tm.op(other), Op::Le | Op::Eq) {
                    found.insert(other);
                }
            }
        }
    }
    found.into_iter().collect()
}
