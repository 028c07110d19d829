//! BOX: one interval for each dimension.

use crate::{Domain, IntervalDomain, abstraction};
use craig_num::Int;
use craig_program::Interval;
use craig_term::{TermId, Terms};
use std::collections::BTreeMap;

/// Intervals of some dimensions; the others are free. A Boolean dimension is 0 or 1, written as
/// [`truth_interval`] says.
pub type Cube = BTreeMap<TermId, Interval>;

/// A box, or nothing. Dimensions that may have any value are not mentioned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntervalBox(pub Option<Cube>);

/// The domain of boxes.
#[derive(Clone, Debug, Default)]
pub struct BoxDomain {
    /// Ascending; widening stops at these first.
    thresholds: Vec<Int>,
}

impl BoxDomain {
    /// `thresholds` in ascending order.
    pub fn new(thresholds: Vec<Int>) -> Self {
        debug_assert!(thresholds.is_sorted());
        BoxDomain { thresholds }
    }

    fn widen_interval(&self, old: &Interval, new: &Interval) -> Interval {
        let mut widened = old.widen(new);
        if widened.lo.is_none()
            && let Some(lo) = &new.lo
        {
            let at = self.thresholds.partition_point(|threshold| threshold <= lo);
            widened.lo = at.checked_sub(1).map(|i| self.thresholds[i].clone());
        }
        if widened.hi.is_none()
            && let Some(hi) = &new.hi
        {
            let at = self.thresholds.partition_point(|threshold| threshold < hi);
            widened.hi = self.thresholds.get(at).cloned();
        }
        widened
    }
}

impl Domain for BoxDomain {
    type Element = IntervalBox;

    fn top(&mut self) -> IntervalBox {
        IntervalBox(Some(Cube::new()))
    }

    fn bottom(&mut self) -> IntervalBox {
        IntervalBox(None)
    }

    fn leq(&mut self, a: &IntervalBox, b: &IntervalBox) -> bool {
        match (&a.0, &b.0) {
            (None, _) => true,
            (_, None) => false,
            (Some(a), Some(b)) => {
                b.iter().all(|(dimension, outer)| a.get(dimension).is_some_and(|i| i.is_within(outer)))
            }
        }
    }

    fn join(&mut self, a: &IntervalBox, b: &IntervalBox) -> IntervalBox {
        let (Some(left), Some(right)) = (&a.0, &b.0) else {
            return if a.0.is_none() { b.clone() } else { a.clone() };
        };
        let both = left
            .iter()
            .filter_map(|(&dimension, interval)| Some((dimension, interval.join(right.get(&dimension)?))));
        IntervalBox(Some(both.filter(|(_, interval)| *interval != Interval::ALL).collect()))
    }

    fn widen(&mut self, old: &IntervalBox, new: &IntervalBox) -> IntervalBox {
        let (Some(before), Some(after)) = (&old.0, &new.0) else {
            return if old.0.is_none() { new.clone() } else { old.clone() };
        };
        let widened = before.iter().filter_map(|(&dimension, interval)| {
            Some((dimension, self.widen_interval(interval, after.get(&dimension)?)))
        });
        IntervalBox(Some(widened.filter(|(_, interval)| *interval != Interval::ALL).collect()))
    }

    fn alpha(&mut self, terms: &mut Terms, formula: TermId) -> IntervalBox {
        abstraction(self, terms, formula)
    }

    fn gamma(&mut self, terms: &mut Terms, element: &IntervalBox) -> TermId {
        let Some(cube) = &element.0 else { return Terms::FALSE };
        let facts: Vec<TermId> =
            cube.iter().map(|(&dimension, interval)| within(terms, dimension, interval)).collect();
        terms.and(&facts)
    }
}

impl IntervalDomain for BoxDomain {
    fn is_bottom(&self, element: &IntervalBox) -> bool {
        element.0.is_none()
    }

    fn slab(&mut self, dimension: TermId, interval: &Interval) -> IntervalBox {
        let mut cube = Cube::new();
        if *interval != Interval::ALL {
            cube.insert(dimension, interval.clone());
        }
        IntervalBox(Some(cube))
    }

    fn meet(&mut self, a: &IntervalBox, b: &IntervalBox) -> IntervalBox {
        let (Some(left), Some(right)) = (&a.0, &b.0) else { return IntervalBox(None) };
        let mut both = left.clone();
        for (&dimension, interval) in right {
            let known = both.entry(dimension).or_insert(Interval::ALL);
            match known.meet(interval) {
                Some(common) => *known = common,
                None => return IntervalBox(None),
            }
        }
        IntervalBox(Some(both))
    }

    fn forget(&mut self, element: &IntervalBox, dimensions: &[TermId]) -> IntervalBox {
        let mut element = element.clone();
        if let Some(cube) = &mut element.0 {
            cube.retain(|dimension, _| !dimensions.contains(dimension));
        }
        element
    }

    fn outside_of(&mut self, element: &IntervalBox, known: &Cube) -> IntervalBox {
        let mut element = element.clone();
        for (dimension, range) in element.0.iter_mut().flatten() {
            let Some(known) = known.get(dimension) else { continue };
            range.lo = range.lo.take().filter(|lo| known.lo.as_ref().is_none_or(|known| known < lo));
            range.hi = range.hi.take().filter(|hi| known.hi.as_ref().is_none_or(|known| known > hi));
        }
        if let Some(cube) = &mut element.0 {
            cube.retain(|_, range| *range != Interval::ALL);
        }
        element
    }

    fn cubes(&mut self, element: &IntervalBox, dimensions: &[TermId]) -> Vec<Cube> {
        let cube = element.0.iter();
        cube.map(|cube| {
            let known = dimensions.iter().filter_map(|d| Some((*d, cube.get(d)?.clone())));
            known.collect()
        })
        .collect()
    }

    fn support(&self, element: &IntervalBox) -> Vec<TermId> {
        element.0.iter().flat_map(|cube| cube.keys().copied()).collect()
    }

    fn is_disjunctive(&self) -> bool {
        false
    }
}

/// The interval of a truth value: without the end that no truth value passes, so that equal sets
/// have equal intervals.
pub(crate) fn truth_interval(value: bool) -> Interval {
    if value { Interval { lo: Some(Int::ONE), hi: None } } else { Interval { lo: None, hi: Some(Int::ZERO) } }
}

/// The formula that a dimension lies in an interval.
pub(crate) fn within(terms: &mut Terms, dimension: TermId, interval: &Interval) -> TermId {
    if terms.is_bool(dimension) {
        return match (interval.contains(&Int::ZERO), interval.contains(&Int::ONE)) {
            (true, true) => Terms::TRUE,
            (true, false) => terms.not(dimension),
            (false, true) => dimension,
            (false, false) => Terms::FALSE,
        };
    }
    if let Some(value) = interval.as_constant() {
        let value = terms.int(value.clone());
        return terms.eq(dimension, value);
    }
    let mut facts = Vec::new();
    if let Some(lo) = &interval.lo {
        let lo = terms.int(lo.clone());
        facts.push(terms.le(lo, dimension));
    }
    if let Some(hi) = &interval.hi {
        let hi = terms.int(hi.clone());
        facts.push(terms.le(dimension, hi));
    }
    terms.and(&facts)
}
