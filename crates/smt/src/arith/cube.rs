//! A cube of side one inside the polyhedron contains an integer point.
//!
//! After Bromberger and Weidenbach, *Fast cube tests for LIA constraint solving* (IJCAR 2016): with
//! every constraint moved inwards by what rounding can change its form, a solution may be rounded to
//! the nearest integers. This finds solutions of systems without small bounds, in which branching
//! would follow a cone for ever. A single variable and a difference of two variables need no room:
//! rounding is monotone and their bounds are integers.

use super::{ArithVar, Bound, BoundKind, Definition, DeltaRat, Simplex};
use craig_base::{Budget, StopReason};
use craig_num::{Int, Rat};

impl Simplex {
    /// Tries to find an integer solution by rounding. The bounds are unchanged, and the values obey
    /// them if they did before, unless the budget ran out.
    pub(super) fn cube_test(&mut self, budget: &Budget) -> Result<bool, StopReason> {
        let level = self.level();
        self.push();
        let rounded = if self.shrink() && self.check_within(budget)? { Some(self.rounded()) } else { None };
        self.backtrack_to(level);
        if let Some(rounded) = &rounded {
            self.move_to(rounded);
        }
        self.check_within(budget)?;
        Ok(rounded.is_some())
    }

    fn check_within(&mut self, budget: &Budget) -> Result<bool, StopReason> {
        Ok(self.check(budget)?.is_ok())
    }

    /// Moves all bounds inwards, as far as rounding needs room. `false` if there is no room.
    fn shrink(&mut self) -> bool {
        for var in self.variables.indices() {
            let variable = &self.variables[var];
            let Some(definition) = &variable.definition else { continue };
            let (lower, upper) = (variable.lower.as_ref(), variable.upper.as_ref());
            if (lower.is_none() && upper.is_none()) || (variable.is_int && is_difference(definition)) {
                continue;
            }
            let room = DeltaRat::from(self.rounding_room(definition));
            let lower = lower.map(|bound| {
                let mut value = bound.value.clone();
                value += &room;
                Bound { value, reason: bound.reason }
            });
            let upper = upper.map(|bound| Bound { value: &bound.value - &room, reason: bound.reason });
            if let (Some(lower), Some(upper)) = (&lower, &upper)
                && lower.value > upper.value
            {
                return false;
            }
            for (kind, bound) in [(BoundKind::Lower, lower), (BoundKind::Upper, upper)] {
                if let Some(bound) = bound {
                    self.replace_bound(var, kind, bound);
                }
            }
            self.restore_bounds_of(var);
        }
        true
    }

    /// Rounding changes each integer variable that is not fixed by at most one half.
    fn rounding_room(&self, definition: &Definition) -> Rat {
        let free = |var: ArithVar| self.variables[var].is_int && self.variables[var].fixed().is_none();
        let sum: Rat = definition.key.iter().filter(|(var, _)| free(*var)).map(|(_, c)| c.abs()).sum();
        sum * half()
    }

    /// The values of the original variables, with integer variables rounded to the nearest integer.
    fn rounded(&self) -> Vec<DeltaRat> {
        let round = |value: &DeltaRat| {
            let raised = DeltaRat { value: &value.value + half(), delta: value.delta.clone() };
            DeltaRat::from(Rat::from_int(raised.floor()))
        };
        let values = self.variables.iter().map(|v| if v.is_int { round(&v.value) } else { v.value.clone() });
        values.collect()
    }

    /// Gives the original variables the given values.
    fn move_to(&mut self, values: &[DeltaRat]) {
        for var in self.variables.indices() {
            let variable = &self.variables[var];
            if !variable.in_tableau || self.tableau.is_basic(var.0) {
                continue;
            }
            let mut target = DeltaRat::ZERO;
            match &variable.definition {
                None => target = values[var.0 as usize].clone(),
                Some(definition) => {
                    for (inner, coefficient) in &definition.key {
                        target.add_mul(coefficient, &values[inner.0 as usize]);
                    }
                }
            }
            let change = &target - &variable.value;
            if change != DeltaRat::ZERO {
                self.update(var, &change);
            }
        }
    }
}

fn is_difference(definition: &Definition) -> bool {
    match &*definition.key {
        [(_, a), (_, b)] => (a.is_one() && (-b).is_one()) || ((-a).is_one() && b.is_one()),
        _ => false,
    }
}

fn half() -> Rat {
    Rat::new(Int::ONE, Int::from(2))
}
