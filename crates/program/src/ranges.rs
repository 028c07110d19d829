//! Ranges of variables at locations, found by an interval analysis.

use crate::interval::Interval;
use crate::ir::{LocId, VarId};
use craig_base::Map;

/// Intervals that hold whenever a location is reached. What is not mentioned has the range of its
/// type.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    known: Map<(LocId, VarId), Interval>,
}

impl Ranges {
    /// Nothing beyond the types.
    pub fn none() -> Self {
        Ranges::default()
    }

    pub fn at(&self, location: LocId, var: VarId) -> Option<&Interval> {
        self.known.get(&(location, var))
    }
}
