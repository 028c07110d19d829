//! Why a set of bounds has no solution, in a form that needs no trust in the simplex method.

use super::{ArithVar, BoundKind};
use craig_num::Rat;

/// Why a bound holds: a number that means something to the caller, usually a literal.
pub type Reason = u32;

/// A bound that was asserted for `reason`, times a positive coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FarkasTerm {
    pub var: ArithVar,
    pub kind: BoundKind,
    pub reason: Reason,
    pub coefficient: Rat,
}

/// `var = constant` because of two bounds, times any coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EqualityTerm {
    pub var: ArithVar,
    pub lower: Reason,
    pub upper: Reason,
    pub coefficient: Rat,
}

/// A contradiction among asserted bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The bounds, all written as `form <= constant`, add up to `0 <= c` with `c < 0`, or to
    /// `0 < 0`.
    Farkas(Vec<FarkasTerm>),
    /// The equalities over integer variables add up to one with integer coefficients and a
    /// constant that is not an integer.
    Diophantine(Vec<EqualityTerm>),
}

impl Conflict {
    /// The reasons that are in contradiction, possibly with repetitions.
    pub fn reasons(&self) -> Vec<Reason> {
        match self {
            Conflict::Farkas(terms) => terms.iter().map(|term| term.reason).collect(),
            Conflict::Diophantine(terms) => terms.iter().flat_map(|term| [term.lower, term.upper]).collect(),
        }
    }
}
