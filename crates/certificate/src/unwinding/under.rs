//! What is known in the runs that are at one place.
//!
//! A run is at a place because of its decisions on the way. Those that are common to all ways there hold at the place:
//! where it can only be reached if an allocation has succeeded, the addresses of runs in which it has failed are no
//! cases any more. Where two ways meet, the decisions that both began with are common. Nothing is derived from
//! decisions but what a few gates show.

use super::gates::{FALSE, Gate, Gates, Lit, TRUE};
use craig_base::Set;

/// How many decisions of a run are remembered.
const MOST_DECISIONS: usize = 512;
/// How many gates deep a condition is looked into.
const DEPTH: u32 = 4;

/// The decisions on all ways to a place, by the last of them; 0 for none.
pub(super) type Decisions = usize;

/// The tree of decisions: each with the one before, and how many there are up to it.
pub(super) struct Under {
    tree: Vec<(Decisions, usize, Lit)>,
    /// The decisions that were looked at last, with their conjuncts.
    at: Decisions,
    hold: Set<Lit>,
}

impl Under {
    pub fn new() -> Self {
        Under { tree: vec![(0, 0, TRUE)], at: 0, hold: Set::default() }
    }

    pub fn decide(&mut self, before: Decisions, choice: Lit) -> Decisions {
        if choice == TRUE {
            return before;
        }
        self.tree.push((before, self.tree[before].1 + 1, choice));
        self.tree.len() - 1
    }

    /// The decisions that both begin with.
    pub fn common(&self, mut a: Decisions, mut b: Decisions) -> Decisions {
        while a != b {
            // The one that is not nearer to the root cannot be above the other.
            let ((before_a, depth_a, _), (before_b, depth_b, _)) = (self.tree[a], self.tree[b]);
            if depth_a > depth_b {
                a = before_a;
            } else {
                b = before_b;
            }
        }
        a
    }

    /// Where these decisions hold.
    pub fn at(&mut self, gates: &Gates, decisions: Decisions) -> &Self {
        if self.at != decisions {
            self.at = decisions;
            self.hold.clear();
            let mut next = decisions;
            while next != 0 && self.hold.len() < MOST_DECISIONS {
                let (before, _, choice) = self.tree[next];
                let mut work = vec![choice];
                while let Some(lit) = work.pop() {
                    if self.hold.insert(lit) {
                        work.extend(gates.conjuncts(lit).into_iter().flatten());
                    }
                }
                next = before;
            }
        }
        self
    }

    /// The value of a condition where these hold, if it can be seen.
    pub fn value(&self, gates: &Gates, lit: Lit) -> Option<bool> {
        self.look(gates, lit, DEPTH)
    }

    /// The condition, or the constant that it is where these hold.
    pub fn simplified(&self, gates: &Gates, lit: Lit) -> Lit {
        match self.value(gates, lit) {
            Some(true) => TRUE,
            Some(false) => FALSE,
            None => lit,
        }
    }

    fn look(&self, gates: &Gates, lit: Lit, depth: u32) -> Option<bool> {
        if lit == TRUE || self.hold.contains(&lit) {
            return Some(true);
        }
        if lit == FALSE || self.hold.contains(&-lit) {
            return Some(false);
        }
        let deeper = depth.checked_sub(1)?;
        let value = |lit: Lit| self.look(gates, lit, deeper);
        let positive = match gates.gate(lit) {
            Gate::Free => None,
            Gate::And(a, b) => match value(a) {
                Some(true) => value(b),
                Some(false) => Some(false),
                None => value(b).filter(|&b| !b),
            },
            Gate::Xor(a, b) => Some(value(a)? != value(b)?),
            Gate::Choose(c, a, b) => match value(c) {
                Some(true) => value(a),
                Some(false) => value(b),
                None => value(a).filter(|&a| value(b) == Some(a)),
            },
        };
        positive.map(|positive| positive == (lit > 0))
    }
}
