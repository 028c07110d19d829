//! What the interval analysis found out, for the encoders and for proofs.

use crate::encode::ExactCase;
use crate::interval::Interval;
use crate::ir::{LocId, VarId};
use craig_base::{OrderedMap, OrderedSet};

/// Intervals that hold whenever a location is reached. What is not mentioned has the range of its
/// type.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    known: OrderedMap<LocId, OrderedMap<VarId, Interval>>,
    unreachable: OrderedSet<LocId>,
    /// Values for which operations are to be exact: found by refinement, not by the analysis.
    pub exact: OrderedSet<ExactCase>,
}

impl Ranges {
    /// Nothing beyond the types.
    pub fn none() -> Self {
        Ranges::default()
    }

    pub fn at(&self, location: LocId, var: VarId) -> Option<&Interval> {
        self.known.get(&location)?.get(&var)
    }

    /// All that is known at a location.
    pub fn all_at(&self, location: LocId) -> impl Iterator<Item = (VarId, &Interval)> {
        self.known.get(&location).into_iter().flatten().map(|(&var, interval)| (var, interval))
    }

    /// Whether the location is never reached.
    pub fn is_unreachable(&self, location: LocId) -> bool {
        self.unreachable.contains(&location)
    }

    pub(crate) fn set_unreachable(&mut self, location: LocId) {
        self.unreachable.insert(location);
    }

    /// Adds what is known; contradictory facts mean that the location is never reached.
    pub fn restrict(&mut self, location: LocId, var: VarId, interval: &Interval) {
        let known = self.known.entry(location).or_default().entry(var).or_insert(Interval::ALL);
        match known.meet(interval) {
            Some(both) => *known = both,
            None => self.set_unreachable(location),
        }
    }

    /// Adds all that `other` knows.
    pub(crate) fn restrict_all(&mut self, other: &Ranges) {
        for (&location, known) in &other.known {
            for (&var, interval) in known {
                self.restrict(location, var, interval);
            }
        }
        self.unreachable.extend(other.unreachable.iter().copied());
    }
}
