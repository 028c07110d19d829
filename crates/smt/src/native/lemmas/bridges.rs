//! Lemmas that interpolation can use.
//!
//! Equal arguments have equal results, but if `x` is known to the first parts of an interpolation
//! problem only and `y` to the last, then no part can say that `f(x)` equals `f(y)`. Where a term `z`
//! between them has the same value, two lemmas do: one for `f(x)` and `f(z)`, one for `f(z)` and
//! `f(y)`. Such a *bridge* has one application for each border between parts that it crosses.
//!
//! That `z` equals `x` may be an accident of the present assignment. The lemmas are true all the same,
//! and as a bridge is built of no larger terms than those it connects, there are finitely many.

use super::snapshot::{Key, Snapshot};
use crate::proof::Axiom;
use craig_base::OrderedMap;
use craig_term::{Op, SortId, TermId, Terms};

/// The first and the last of some parts; empty if the first comes after the last.
type Interval = (i64, i64);

pub(super) struct Bridges<'a> {
    snapshot: &'a Snapshot<'a>,
    /// Known terms by their values.
    by_value: OrderedMap<(SortId, Key), Vec<TermId>>,
}

impl<'a> Bridges<'a> {
    pub fn new(terms: &Terms, snapshot: &'a Snapshot<'a>) -> Self {
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
        Bridges { snapshot, by_value }
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
    fn parts_of(&self, terms: &Terms, list: &[TermId]) -> Interval {
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
    fn between(&self, terms: &Terms, from: &[TermId], to: &[TermId]) -> Vec<Vec<TermId>> {
        let (near, far) = (self.parts_of(terms, from), self.parts_of(terms, to));
        if is_empty(near) || is_empty(far) || !is_empty(intersection(near, far)) {
            return Vec::new();
        }
        let (first, last, ascending) =
            if near.1 < far.0 { (near.1, far.0, true) } else { (far.1, near.0, false) };
        let mut lists: Vec<Vec<TermId>> = Vec::new();
        for border in first..last {
            let list: Option<Vec<TermId>> =
                from.iter().zip(to).map(|(&a, &b)| self.across(terms, a, b, border)).collect();
            let Some(list) = list else { return Vec::new() };
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
    fn across(&self, terms: &Terms, a: TermId, b: TermId, border: i64) -> Option<TermId> {
        let spans = &self.snapshot.solver.lemmas.spans;
        let value = (terms.sort(a), self.snapshot.key(terms, a)?);
        let most = size(terms, a).max(size(terms, b));
        let candidates = self.by_value.get(&value)?.iter().copied();
        candidates
            .filter(|&t| {
                let (first, last) = spans.interval(terms, t);
                first <= border && border < last && size(terms, t) <= most
            })
            .min_by_key(|&t| self.rank(terms, t))
    }
}

pub(super) const EVERYWHERE: Interval = (0, u32::MAX as i64);

pub(super) fn intersection(a: Interval, b: Interval) -> Interval {
    (a.0.max(b.0), a.1.min(b.1))
}

fn is_empty(interval: Interval) -> bool {
    interval.0 > interval.1
}

/// The pairs of different neighbours.
fn steps<T: Copy + PartialEq>(piers: &[T]) -> impl Iterator<Item = (T, T)> {
    piers.windows(2).map(|pair| (pair[0], pair[1])).filter(|(left, right)| left != right)
}

fn size(terms: &Terms, t: TermId) -> usize {
    terms.postorder(&[t]).len()
}
