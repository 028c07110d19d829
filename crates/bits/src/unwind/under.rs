//! What is known in the runs that come to a point: the decisions that all paths to it have taken.
//!
//! These are a tree, as dominators are. A decision is below those before it, and where paths meet, what they have in
//! common is known: the nearest node above both. So where a point can only be reached if an allocation has
//! succeeded, the addresses of runs in which it has failed are no cases any more.

use crate::circuit::Gate;
use crate::{Bit, Circuit};
use craig_base::Set;

/// How many decisions are remembered.
const MOST_DECISIONS: usize = 512;
/// How many gates deep a condition is looked into.
const DEPTH: u32 = 4;

/// The decisions up to some point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known(u32);

impl Known {
    pub const NOTHING: Known = Known(0);
}

#[derive(Clone, Copy, Debug)]
struct Decision {
    before: Known,
    depth: u32,
    decided: Bit,
}

/// All decisions, and what those hold that were asked for last.
#[derive(Clone, Debug)]
pub(super) struct Under {
    decisions: Vec<Decision>,
    at: Known,
    hold: Set<Bit>,
}

impl Default for Under {
    fn default() -> Self {
        let root = Decision { before: Known::NOTHING, depth: 0, decided: Bit::TRUE };
        Under { decisions: vec![root], at: Known::NOTHING, hold: Set::default() }
    }
}

impl Under {
    /// One more decision.
    pub fn after(&mut self, before: Known, decided: Bit) -> Known {
        if decided == Bit::TRUE {
            return before;
        }
        let depth = self.decisions[before.0 as usize].depth + 1;
        self.decisions.push(Decision { before, depth, decided });
        Known(self.decisions.len() as u32 - 1)
    }

    /// What is known where two paths meet.
    pub fn common(&self, mut a: Known, mut b: Known) -> Known {
        while a != b {
            let (x, y) = (self.decisions[a.0 as usize], self.decisions[b.0 as usize]);
            if x.depth >= y.depth {
                a = x.before;
            }
            if y.depth >= x.depth {
                b = y.before;
            }
        }
        a
    }

    /// With the decisions up to a point, the last ones if they are many.
    pub fn at(&mut self, circuit: &Circuit, known: Known) -> &Self {
        if self.at != known {
            self.at = known;
            self.hold.clear();
            let mut next = known;
            let mut work = Vec::new();
            while next != Known::NOTHING && self.hold.len() < MOST_DECISIONS {
                let Decision { before, decided, .. } = self.decisions[next.0 as usize];
                next = before;
                work.push(decided);
                while let Some(bit) = work.pop() {
                    if self.hold.insert(bit) {
                        work.extend(circuit.as_and(bit).into_iter().flat_map(|(a, b)| [a, b]));
                    }
                }
            }
        }
        self
    }

    /// The value of a condition where these hold, if a few gates show it.
    pub fn value(&self, circuit: &Circuit, bit: Bit) -> Option<bool> {
        self.look(circuit, bit, DEPTH)
    }

    /// The condition, or the constant that it is where these hold.
    pub fn simplified(&self, circuit: &Circuit, bit: Bit) -> Bit {
        self.value(circuit, bit).map_or(bit, Bit::constant)
    }

    fn look(&self, circuit: &Circuit, bit: Bit, depth: u32) -> Option<bool> {
        if let Some(value) = bit.as_constant() {
            return Some(value);
        }
        if self.hold.contains(&bit) || self.hold.contains(&!bit) {
            return Some(self.hold.contains(&bit));
        }
        let deeper = depth.checked_sub(1)?;
        let value = |bit: Bit| self.look(circuit, bit, deeper);
        let plain = match circuit.gate(bit.gate()) {
            Gate::False => Some(false),
            Gate::Input => None,
            Gate::And(a, b) => match value(a) {
                Some(true) => value(b),
                Some(false) => Some(false),
                None => value(b).filter(|&b| !b),
            },
            Gate::Xor(a, b) => Some(value(a)? != value(b)?),
            Gate::Mux(c, a, b) => match value(c) {
                Some(true) => value(a),
                Some(false) => value(b),
                None => value(a).filter(|&a| value(b) == Some(a)),
            },
            Gate::Majority(a, b, c) => {
                let votes = [value(a), value(b), value(c)];
                let count = |wanted: bool| votes.iter().filter(|&&vote| vote == Some(wanted)).count();
                [true, false].into_iter().find(|&wanted| count(wanted) >= 2)
            }
        };
        plain.map(|plain| plain != bit.is_negated())
    }
}
