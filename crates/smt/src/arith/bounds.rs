//! Asserting bounds, and taking them back.

use super::propagate::PropagatorLevel;
use super::{ArithVar, Conflict, DeltaRat, FarkasTerm, Reason, Simplex, Variable};
use craig_num::Rat;
use std::cmp::Reverse;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundKind {
    Lower,
    Upper,
}

impl BoundKind {
    pub fn opposite(self) -> BoundKind {
        match self {
            BoundKind::Lower => BoundKind::Upper,
            BoundKind::Upper => BoundKind::Lower,
        }
    }

    /// Whether a bound `strong` of this kind implies a bound `weak` of this kind.
    #[inline]
    pub(super) fn implies(self, strong: &DeltaRat, weak: &DeltaRat) -> bool {
        match self {
            BoundKind::Lower => strong >= weak,
            BoundKind::Upper => strong <= weak,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub value: DeltaRat,
    pub reason: Reason,
}

/// What a bound was before it was strengthened.
#[derive(Clone)]
pub(super) struct Undo {
    var: ArithVar,
    kind: BoundKind,
    old: Option<Bound>,
}

#[derive(Clone, Copy)]
pub(super) struct Level {
    undo: usize,
    propagator: PropagatorLevel,
}

impl Variable {
    #[inline]
    pub(super) fn bound(&self, kind: BoundKind) -> Option<&Bound> {
        match kind {
            BoundKind::Lower => self.lower.as_ref(),
            BoundKind::Upper => self.upper.as_ref(),
        }
    }

    #[inline]
    pub(super) fn below_lower(&self) -> bool {
        self.lower.as_ref().is_some_and(|bound| self.value < bound.value)
    }

    #[inline]
    pub(super) fn above_upper(&self) -> bool {
        self.upper.as_ref().is_some_and(|bound| self.value > bound.value)
    }

    #[inline]
    pub(super) fn may_increase(&self) -> bool {
        self.upper.as_ref().is_none_or(|bound| self.value < bound.value)
    }

    #[inline]
    pub(super) fn may_decrease(&self) -> bool {
        self.lower.as_ref().is_none_or(|bound| self.value > bound.value)
    }

    /// The two bounds, if they leave only one value.
    pub(super) fn fixed(&self) -> Option<(&Bound, &Bound)> {
        let (lower, upper) = (self.lower.as_ref()?, self.upper.as_ref()?);
        (lower.value == upper.value).then_some((lower, upper))
    }
}

impl Simplex {
    /// Opens a level to which [`backtrack_to`](Simplex::backtrack_to) can return.
    pub fn push(&mut self) {
        self.levels.push(Level { undo: self.undo.len(), propagator: self.propagator.level() });
    }

    /// The number of open levels.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// Takes back all bounds that were asserted after `level` levels were open.
    pub fn backtrack_to(&mut self, level: usize) {
        if level >= self.levels.len() {
            return;
        }
        let target = self.levels[level];
        self.levels.truncate(level);
        self.propagator.backtrack_to(target.propagator);
        while self.undo.len() > target.undo {
            if let Some(Undo { var, kind, old }) = self.undo.pop() {
                let variable = &mut self.variables[var];
                match kind {
                    BoundKind::Lower => variable.lower = old,
                    BoundKind::Upper => variable.upper = old,
                }
                self.propagator.marks[var.0 as usize]
                    .set_bounds(variable.lower.as_ref(), variable.upper.as_ref());
            }
        }
    }

    /// Asserts `var >= value` or `var <= value` for `reason`.
    ///
    /// A strict bound is a weak one at [`DeltaRat::above`] or [`DeltaRat::below`]. A bound of an
    /// integer variable or form has to be an integer: rounding is a proof step of its own, which the
    /// caller has taken when it made the atom. After a conflict nothing has changed.
    pub fn assert_bound(
        &mut self,
        var: ArithVar,
        kind: BoundKind,
        value: DeltaRat,
        reason: Reason,
    ) -> Result<(), Conflict> {
        let variable = &mut self.variables[var];
        debug_assert!(!variable.is_int || value.is_integer(), "a bound of an integer that is not tight");
        if variable.bound(kind).is_some_and(|bound| kind.implies(&bound.value, &value)) {
            return Ok(());
        }
        let opposite = kind.opposite();
        if let Some(other) = variable.bound(opposite)
            && other.value != value
            && kind.implies(&value, &other.value)
        {
            let term = |kind, reason| FarkasTerm { var, kind, reason, coefficient: Rat::ONE };
            return Err(Conflict::Farkas(vec![term(kind, reason), term(opposite, other.reason)]));
        }
        let old = variable.bound(kind).map(|bound| &bound.value);
        self.propagator.bound_asserted(var, kind, &value, old, reason);
        self.replace_bound(var, kind, Bound { value, reason });
        if !self.variables[var].in_tableau {
            self.add_to_tableau(var);
        }
        self.restore_bounds_of(var);
        Ok(())
    }

    pub(super) fn replace_bound(&mut self, var: ArithVar, kind: BoundKind, bound: Bound) {
        let bound = Some(bound);
        let variable = &mut self.variables[var];
        let old = match kind {
            BoundKind::Lower => std::mem::replace(&mut variable.lower, bound),
            BoundKind::Upper => std::mem::replace(&mut variable.upper, bound),
        };
        self.propagator.marks[var.0 as usize].set_bounds(variable.lower.as_ref(), variable.upper.as_ref());
        self.undo.push(Undo { var, kind, old });
    }

    /// Moves a non-basic variable into its bounds; queues a basic one that is outside.
    pub(super) fn restore_bounds_of(&mut self, var: ArithVar) {
        let variable = &self.variables[var];
        let violated = if variable.below_lower() {
            &variable.lower
        } else if variable.above_upper() {
            &variable.upper
        } else {
            return;
        };
        if self.tableau.is_basic(var.0) {
            self.enqueue(var);
        } else if let Some(bound) = violated {
            let change = &bound.value - &variable.value;
            self.update(var, &change);
        }
    }

    pub(super) fn enqueue(&mut self, var: ArithVar) {
        let variable = &mut self.variables[var];
        if !variable.in_queue {
            variable.in_queue = true;
            self.infeasible.push(Reverse(var.0));
        }
    }
}
