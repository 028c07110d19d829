//! Lemmas that interpolation can use.
//!
//! Equal arguments have equal results, but if `x` is known to the first parts of an interpolation
//! problem only and `y` to the last, then no part can say that `f(x)` equals `f(y)`. Where a term `z`
//! between them has the same value, two lemmas do: one for `f(x)` and `f(z)`, one for `f(z)` and
//! `f(y)`. Such a *bridge* has one application for each border between parts that it crosses.
//!
//! Where no such `z` is known, one that differs by a small number may be: what a loop wrote at `i` is at
//! `i - 2` two rounds later. Arrays are read along a path, and a bridge may change the index at each array
//! on the way ([`cross`](Bridges::cross)).
//!
//! Terms whose distance follows from equations are preferred. Otherwise, that `z` equals `x` may be an accident
//! of the present assignment. The lemmas are true all the same,
//! and as a bridge is built of no larger terms than those it connects, up to small numbers, there are
//! finitely many.

use super::snapshot::{Key, Snapshot};
use crate::proof::Axiom;
use craig_base::OrderedMap;
use craig_num::Rat;
use craig_term::{Op, SortId, TermId, Terms};

/// The first and the last of some parts; empty if the first comes after the last.
pub(super) type Interval = (i64, i64);

pub(super) struct Bridges<'a> {
    snapshot: &'a Snapshot<'a>,
    /// Known terms by their values.
    by_value: OrderedMap<(SortId, Key), Vec<TermId>>,
    /// Integer arguments of functions and indices of arrays, without the numbers in them, and with their values.
    indices: Vec<(TermId, Rat)>,
}

impl<'a> Bridges<'a> {
    pub fn new(terms: &mut Terms, snapshot: &'a Snapshot<'a>) -> Self {
        let lemmas = &snapshot.solver.lemmas;
        let mut by_value: OrderedMap<(SortId, Key), Vec<TermId>> = OrderedMap::default();
        let arguments = lemmas.log.iter().flat_map(|&t| terms.args(t)).copied();
        let mut candidates: Vec<TermId> = lemmas.spans.constants.keys().copied().collect();
        candidates.extend(lemmas.log.iter().copied().chain(arguments));
        candidates.sort_unstable();
        candidates.dedup();
        for t in candidates {
            if !terms.is_bool(t)
                && let Some(key) = snapshot.key(terms, t)
            {
                by_value.entry((terms.sort(t), key)).or_default().push(t);
            }
        }
        let places = lemmas.log.iter().flat_map(|&t| {
            let args = terms.args(t);
            match terms.op(t) {
                Op::App(_) => args,
                Op::Select | Op::Store => &args[1..2],
                _ => &[],
            }
        });
        let places: Vec<TermId> = places.copied().filter(|&t| terms.is_int(t)).collect();
        let mut indices: Vec<TermId> = places.into_iter().map(|t| without_number(terms, t)).collect();
        indices.sort_unstable();
        indices.dedup();
        let value = |t: TermId| match snapshot.key(terms, t) {
            Some(Key::Number(value)) => Some((t, value)),
            _ => None,
        };
        let indices = indices.into_iter().filter_map(value).collect();
        Bridges { snapshot, by_value, indices }
    }

    /// Whether some part can express the axiom.
    pub fn has_home(&self, terms: &Terms, axiom: &Axiom) -> bool {
        !is_empty(self.parts_of(terms, &axiom.name_and_terms().1))
    }

    /// From one index of an array to another term with its value, step by step such that some part can express
    /// each, until one is known among these parts. `None` if there is no such way.
    pub fn cross(
        &self,
        terms: &mut Terms,
        array: TermId,
        index: TermId,
        goal: Interval,
        out: &mut Vec<Axiom>,
    ) -> Option<TermId> {
        let own = self.parts_of(terms, &[array, index]);
        let goal = intersection(goal, self.parts_of(terms, &[array]));
        if is_empty(own) || is_empty(goal) {
            return None;
        }
        let borders: Vec<i64> = if own.1 < goal.0 {
            (own.1..goal.0).collect()
        } else if goal.1 < own.0 {
            (goal.1..own.0).rev().collect()
        } else {
            return Some(index);
        };
        let mut at = index;
        for border in borders {
            let next = self.across(terms, index, index, border)?;
            if next != at {
                out.push(Axiom::Read { left: (array, at), right: (array, next) });
                at = next;
            }
        }
        Some(at)
    }

    /// Replaces lemmas that no part can express by some that parts can, where there are such.
    pub fn build(&self, terms: &mut Terms, axioms: Vec<Axiom>) -> Vec<Axiom> {
        let mut out = Vec::with_capacity(axioms.len());
        for axiom in axioms {
            match axiom {
                Axiom::Congruence { left, right } => {
                    let Op::App(function) = terms.op(left) else { continue };
                    let (from, to) = (terms.args(left).to_vec(), terms.args(right).to_vec());
                    let mut piers = vec![left];
                    for arguments in self.between(terms, &from, &to) {
                        piers.push(terms.app(function, &arguments));
                    }
                    piers.push(right);
                    out.extend(steps(&piers).map(|(left, right)| Axiom::Congruence { left, right }));
                }
                Axiom::Read { left, right } if left.0 == right.0 => {
                    let mut piers = vec![left];
                    let between = self.between(terms, &[left.0, left.1], &[right.0, right.1]);
                    piers.extend(between.into_iter().map(|pair| (pair[0], pair[1])));
                    piers.push(right);
                    out.extend(steps(&piers).map(|(left, right)| Axiom::Read { left, right }));
                }
                other => out.push(other),
            }
        }
        out
    }

    /// Over how many parts the term is known.
    pub fn width(&self, terms: &Terms, t: TermId) -> i64 {
        self.snapshot.solver.lemmas.spans.width(terms, t)
    }

    /// The most widely known term that is equal to all of these, if no part knows them all.
    pub fn common(&self, terms: &Terms, equal: &[TermId]) -> Option<TermId> {
        if !is_empty(self.parts_of(terms, equal)) {
            return None;
        }
        let first = *equal.first()?;
        let value = (terms.sort(first), self.snapshot.key(terms, first)?);
        let most = equal.iter().map(|&t| size(terms, t)).max()?;
        let candidates = self.by_value.get(&value)?.iter().copied();
        candidates.filter(|&t| size(terms, t) <= most).min_by_key(|&t| self.rank(terms, t))
    }

    /// The parts that know all of these.
    pub fn parts_of(&self, terms: &Terms, list: &[TermId]) -> Interval {
        let spans = &self.snapshot.solver.lemmas.spans;
        list.iter().map(|&t| spans.interval(terms, t)).fold(EVERYWHERE, intersection)
    }

    /// The best comes first. A numeral has the value of a variable by accident more often than another
    /// variable has.
    fn rank(&self, terms: &Terms, t: TermId) -> (bool, std::cmp::Reverse<i64>, TermId) {
        (terms.number(t).is_some(), std::cmp::Reverse(self.width(terms, t)), t)
    }

    /// Lists of terms with the values of the one and the other, each known on both sides of a border
    /// between them; none if they need no bridge, or there is none.
    fn between(&self, terms: &mut Terms, from: &[TermId], to: &[TermId]) -> Vec<Vec<TermId>> {
        let (near, far) = (self.parts_of(terms, from), self.parts_of(terms, to));
        if is_empty(near) || is_empty(far) || !is_empty(intersection(near, far)) {
            return Vec::new();
        }
        let (first, last, ascending) =
            if near.1 < far.0 { (near.1, far.0, true) } else { (far.1, near.0, false) };
        let mut lists: Vec<Vec<TermId>> = Vec::new();
        for border in first..last {
            let mut list = Vec::with_capacity(from.len());
            for (&a, &b) in from.iter().zip(to) {
                let Some(term) = self.across(terms, a, b, border) else { return Vec::new() };
                list.push(term);
            }
            if lists.last() != Some(&list) {
                lists.push(list);
            }
        }
        if !ascending {
            lists.reverse();
        }
        lists
    }

    /// A term with the value of `a` and `b`, known to the parts before and after the border.
    fn across(&self, terms: &mut Terms, a: TermId, b: TermId, border: i64) -> Option<TermId> {
        let spans = &self.snapshot.solver.lemmas.spans;
        let key = self.snapshot.key(terms, a)?;
        let most = size(terms, a).max(size(terms, b));
        let usable = |terms: &Terms, t: TermId| {
            let (first, last) = spans.interval(terms, t);
            first <= border && border < last && size(terms, t) <= most
        };
        let equal = self.by_value.get(&(terms.sort(a), key.clone())).map_or(&[][..], Vec::as_slice);
        let equal = equal.iter().copied().filter(|&t| usable(terms, t));
        let best = equal.min_by_key(|&t| (!self.determined(terms, a, t), self.rank(terms, t)));
        let (Key::Number(value), true) = (key, terms.is_int(a)) else { return best };
        if best.is_some_and(|t| self.determined(terms, a, t)) {
            return best;
        }
        let near = self.indices.iter().filter(|(t, other)| {
            (&value - other).abs() <= Rat::from(FAR) && usable(terms, *t) && self.determined(terms, a, *t)
        });
        match near.min_by_key(|(t, other)| ((&value - other).abs(), self.rank(terms, *t))) {
            Some((t, other)) => {
                let offset = terms.int((&value - other).numer());
                Some(terms.add(&[*t, offset]))
            }
            None => best,
        }
    }

    /// Whether the difference of two numbers follows from equations, so that their distance is no accident.
    fn determined(&self, terms: &Terms, a: TermId, b: TermId) -> bool {
        if !terms.is_arith(a) {
            return false;
        }
        let mut difference = Vec::new();
        for (t, sign) in [(a, Rat::from(1)), (b, Rat::from(-1))] {
            for (summand, coefficient) in terms.linear(t).terms {
                let Some(var) = self.snapshot.variable(terms, summand) else { return false };
                difference.push((var, coefficient * &sign));
            }
        }
        self.snapshot.solver.simplex().is_determined(&difference)
    }
}

/// The largest number that a bridge adds to a term.
const FAR: i64 = 32;

/// A sum without its constant.
fn without_number(terms: &mut Terms, t: TermId) -> TermId {
    let mut sum = terms.linear(t);
    if sum.constant.is_zero() {
        return t;
    }
    sum.constant = Rat::from(0);
    terms.from_linear(sum, Terms::INT)
}

pub(super) const EVERYWHERE: Interval = (0, u32::MAX as i64);

pub(super) fn intersection(a: Interval, b: Interval) -> Interval {
    (a.0.max(b.0), a.1.min(b.1))
}

pub(super) fn is_empty(interval: Interval) -> bool {
    interval.0 > interval.1
}

/// The pairs of different neighbours.
fn steps<T: Copy + PartialEq>(piers: &[T]) -> impl Iterator<Item = (T, T)> {
    piers.windows(2).map(|pair| (pair[0], pair[1])).filter(|(left, right)| left != right)
}

fn size(terms: &Terms, t: TermId) -> usize {
    terms.postorder(&[t]).len()
}
