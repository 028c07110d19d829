//! Linear arithmetic for DPLL(T): the general simplex method with exact numbers.
//!
//! After Dutertre and de Moura, *A fast linear-arithmetic solver for DPLL(T)* (CAV 2006).
//!
//! | paper | here |
//! |---|---|
//! | tableau, basic and non-basic variables | [`tableau`] |
//! | β, lᵢ, uᵢ | `Variable::value`, `Variable::lower`, `Variable::upper` |
//! | AssertUpper, AssertLower | [`Simplex::assert_bound`] |
//! | Check | [`Simplex::check`] |
//! | pivotAndUpdate | `Simplex::pivot_and_update` |
//! | unate propagation, bound refinement | [`propagate`] |
//! | strict inequalities, Q_δ | [`DeltaRat`] |
//!
//! Departures:
//! - A form gets its row only when it is first bounded, and loses it when nothing bounds it any
//!   more (at [`Simplex::release`] and [`Simplex::collect_idle_rows`]). A search decides only some
//!   of the atoms it knows; rows of the others would be updated at every pivot for nothing.
//! - Backtracking restores bounds and nothing else. Rather than the last feasible assignment we keep
//!   the current one, and remember which basic variables may violate their bounds.
//! - The leaving variable is the least one; the entering variable is first the one with the
//!   shortest column, and after many pivots the least one too (Bland), which terminates.
//!
//! Everything that is concluded comes with a certificate over the *reasons* of bounds, which are
//! opaque numbers (literals) of the caller: Farkas coefficients, or multipliers of equalities for
//! the integers ([`diophantine`]). Integers are branched on at original variables first, so that a split does not mix the
//! parts of an interpolation problem; at forms only where that does not end ([`integer`], [`lattice`]).
//!
//! Invariants: a non-basic variable is within its bounds; a basic variable has the value that its
//! row gives it; a basic variable outside its bounds is in the queue of infeasible ones.

mod bounds;
mod certificate;
mod cube;
mod delta;
mod diophantine;
mod forms;
mod integer;
mod lattice;
mod model;
mod optimize;
mod propagate;
mod search;
mod tableau;

pub use bounds::BoundKind;
pub use certificate::{Conflict, EqualityTerm, FarkasTerm, Reason};
pub use delta::DeltaRat;
pub use forms::Mark;
pub use integer::IntegerCheck;
pub use optimize::Maximum;
pub use propagate::{Explanation, ExplanationId, Propagation};

use bounds::{Bound, Level, Undo};
use craig_base::{IndexVec, Map, index_type};
use craig_num::{Int, Rat};
use propagate::Propagator;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tableau::Tableau;

index_type!(
    /// An arithmetic variable: an original one, or the name of a linear form over those.
    pub ArithVar, "a"
);

/// How much work was done, for statistics and for choosing heuristics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub checks: u64,
    pub pivots: u64,
    pub conflicts: u64,
    pub splits: u64,
    pub cube_tests: u64,
    pub cubes: u64,
    pub propagations: u64,
    pub rows_added: u64,
}

/// The state of linear arithmetic.
#[derive(Clone, Default)]
pub struct Simplex {
    variables: IndexVec<ArithVar, Variable>,
    forms: Map<Box<[(ArithVar, Rat)]>, ArithVar>,
    tableau: Tableau,
    undo: Vec<Undo>,
    levels: Vec<Level>,
    /// Contains every basic variable outside its bounds, and perhaps others.
    infeasible: BinaryHeap<Reverse<u32>>,
    /// Integer splits that [`Simplex::check_integers`] may still ask for.
    splits_left: u64,
    splits_made: u64,
    /// How many splits to wait before the next cube test, and how many after that.
    cube_wait: (u32, u32),
    propagator: Propagator,
    counters: Counters,
}

#[derive(Clone)]
struct Variable {
    value: DeltaRat,
    lower: Option<Bound>,
    upper: Option<Bound>,
    is_int: bool,
    /// Whether the tableau knows this variable; always so for original variables.
    in_tableau: bool,
    in_queue: bool,
    /// What a form stands for; `None` for an original variable.
    definition: Option<Box<Definition>>,
}

/// `den * form = Σ coefficient * variable`.
#[derive(Clone, Debug)]
struct Definition {
    key: Box<[(ArithVar, Rat)]>,
    terms: Box<[(ArithVar, Int)]>,
    den: Int,
}

impl Simplex {
    pub fn new() -> Simplex {
        Simplex::default()
    }

    pub fn counters(&self) -> Counters {
        self.counters
    }

    pub fn is_int(&self, var: ArithVar) -> bool {
        self.variables[var].is_int
    }

    pub fn lower(&self, var: ArithVar) -> Option<&DeltaRat> {
        self.variables[var].lower.as_ref().map(|bound| &bound.value)
    }

    pub fn upper(&self, var: ArithVar) -> Option<&DeltaRat> {
        self.variables[var].upper.as_ref().map(|bound| &bound.value)
    }

    /// The current value, which obeys all bounds after a successful [`check`](Simplex::check).
    pub fn value(&self, var: ArithVar) -> DeltaRat {
        let variable = &self.variables[var];
        match &variable.definition {
            Some(definition) if !variable.in_tableau => self.evaluate(definition),
            _ => variable.value.clone(),
        }
    }

    fn evaluate(&self, definition: &Definition) -> DeltaRat {
        let mut sum = DeltaRat::ZERO;
        for (var, coefficient) in &definition.key {
            sum.add_mul(coefficient, &self.variables[*var].value);
        }
        sum
    }
}

#[cfg(test)]
pub(crate) use tests::Random;

#[cfg(test)]
mod tests;
