//! Integer values for the integer variables.
//!
//! In this order: refute by equalities ([`diophantine`](super::diophantine)); patch the rational
//! solution, by moving non-basic variables a little; look for a cube ([`cube`](super::cube)); branch
//! on an original variable. A form needs no branch, because it is an integer when its variables are.
//!
//! Where branches on fractional values do not end the search soon, variables with few possible values
//! that meet a fractional one are fixed first, whatever their value is: typically they are remainders,
//! and with a fixed remainder the equalities decide. Later, every other split is on the row of a
//! fractional variable: the part of the row that is an integer, with coefficients rounded, has a
//! fractional value as well, and other than a variable it may be bounded on both sides (`i < r < i + 1/2`
//! with `r = j` bounds `j - i`). Later still, splits are along directions in which the polyhedron is thin
//! ([`lattice`](super::lattice)). Such splits mix variables, and so perhaps parts of an interpolation
//! problem, which is why they come late.

use super::{ArithVar, BoundKind, Conflict, DeltaRat, Simplex};
use craig_base::{Budget, StopReason};
use craig_num::{Int, Rat};

/// What the integers say about a system that has a rational solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntegerCheck {
    /// All integer variables have integer values.
    Solved,
    Conflict(Conflict),
    /// Every integer solution has `var <= floor` or `var >= floor + 1`, and the side `first` is the
    /// one to try first. Either the current value is between the two, or the split bounds a
    /// variable.
    Split {
        var: ArithVar,
        floor: Int,
        first: BoundKind,
    },
    /// More splits than allowed since [`Simplex::begin_query`].
    GiveUp,
}

/// The number of splits after which variables without bounds are looked at in boxes.
const SPLITS_BEFORE_BOXES: u64 = 8;
const SMALLEST_BOX: i64 = 32;
/// The number of splits after which rows are split as well.
const SPLITS_BEFORE_ROWS: u64 = 40;
/// The range within which a variable is fixed although its value is an integer.
const FEW_VALUES: i64 = 8;
/// The number of splits before the first cube test.
const FIRST_CUBE: u32 = 1;

impl Simplex {
    /// Starts counting splits again and allows `splits` of them.
    pub fn begin_query(&mut self, splits: u64) {
        self.splits_left = splits;
        self.splits_made = 0;
        self.cube_wait = (FIRST_CUBE, FIRST_CUBE);
    }

    /// Cube tests are rarer the more of them have failed.
    fn cube_due(&mut self) -> bool {
        let (wait, next) = &mut self.cube_wait;
        if *wait > 0 {
            *wait -= 1;
            return false;
        }
        *next = (*next * 2).max(1);
        *wait = *next;
        true
    }

    /// Looks for integer values, after a successful [`check`](Simplex::check).
    pub fn check_integers(&mut self, budget: &Budget) -> Result<IntegerCheck, StopReason> {
        if self.fractional().next().is_none() {
            return Ok(IntegerCheck::Solved);
        }
        budget.check()?;
        if let Err(conflict) = self.check_diophantine() {
            self.counters.conflicts += 1;
            return Ok(IntegerCheck::Conflict(conflict));
        }
        self.patch();
        if self.fractional().next().is_none() {
            return Ok(IntegerCheck::Solved);
        }
        if self.cube_due() {
            self.counters.cube_tests += 1;
            if self.cube_test(budget)? {
                self.counters.cubes += 1;
                return Ok(IntegerCheck::Solved);
            }
        }
        // A cube test that failed may have moved the values.
        let Some((var, floor)) = self.choose_split() else {
            return Ok(IntegerCheck::Solved);
        };
        let split = self
            .fixing_split(var)
            .or_else(|| self.thin_split(var))
            .or_else(|| self.row_split(var))
            .or_else(|| self.bounding_split(var))
            .unwrap_or(IntegerCheck::Split { var, floor, first: BoundKind::Upper });
        if self.splits_left == 0 {
            return Ok(IntegerCheck::GiveUp);
        }
        self.splits_left -= 1;
        self.counters.splits += 1;
        self.splits_made += 1;
        Ok(split)
    }

    /// After some splits: a variable of the row of `var` that has few values is fixed to its present
    /// one, or not.
    fn fixing_split(&self, var: ArithVar) -> Option<IntegerCheck> {
        if self.splits_made < SPLITS_BEFORE_BOXES {
            return None;
        }
        let row = self.tableau.row(self.tableau.row_index(var.0)?);
        let mut best: Option<(Rat, ArithVar)> = None;
        let mut consider = |candidate: ArithVar| {
            let variable = &self.variables[candidate];
            if let (true, Some(lower), Some(upper)) = (variable.is_int, &variable.lower, &variable.upper) {
                let range = &upper.value.value - &lower.value.value;
                if range.is_positive() && range <= Rat::from(FEW_VALUES) {
                    let found = (range, candidate);
                    if best.as_ref().is_none_or(|best| found < *best) {
                        best = Some(found);
                    }
                }
            }
        };
        for entry in &row.entries {
            match &self.variables[ArithVar(entry.var)].definition {
                None => consider(ArithVar(entry.var)),
                Some(definition) => definition.terms.iter().for_each(|(inner, _)| consider(*inner)),
            }
        }
        let (_, var) = best?;
        let variable = &self.variables[var];
        let value = variable.value.value.floor();
        let at_top =
            variable.upper.as_ref().is_some_and(|upper| upper.value.value <= Rat::from_int(value.clone()));
        Some(if at_top {
            IntegerCheck::Split { var, floor: value - Int::ONE, first: BoundKind::Lower }
        } else {
            IntegerCheck::Split { var, floor: value, first: BoundKind::Upper }
        })
    }

    /// After many splits, every other time: a split of the integer part of the row of `var`.
    fn row_split(&mut self, var: ArithVar) -> Option<IntegerCheck> {
        if self.splits_made < SPLITS_BEFORE_ROWS || self.splits_made % 2 == 1 {
            return None;
        }
        let row = self.tableau.row(self.tableau.row_index(var.0)?);
        let mut terms = vec![(var, Rat::ONE)];
        let mut value = self.variables[var].value.clone();
        for (position, entry) in row.entries.iter().enumerate() {
            let other = ArithVar(entry.var);
            let nearest =
                Rat::from_int((row.rate(position as u32) + Rat::new(Int::ONE, Int::from(2))).floor());
            if self.variables[other].is_int && !nearest.is_zero() {
                let factor = -nearest;
                value.add_mul(&factor, &self.variables[other].value);
                terms.push((other, factor));
            }
        }
        if terms.len() == 1 || value.is_integer() {
            return None;
        }
        let form = self.form(&terms)?;
        Some(IntegerCheck::Split { var: form, floor: value.floor(), first: BoundKind::Upper })
    }

    /// Branching may follow an unbounded variable for ever. After some splits, a variable is split
    /// only within bounds; where it has none it is first looked at in a box around its value.
    fn bounding_split(&self, var: ArithVar) -> Option<IntegerCheck> {
        let variable = &self.variables[var];
        if self.splits_made < SPLITS_BEFORE_BOXES || (variable.lower.is_some() && variable.upper.is_some()) {
            return None;
        }
        let mut size = Int::from(SMALLEST_BOX);
        while variable.value.value.abs() >= Rat::from_int(size.clone()) {
            size = &size + &size;
        }
        Some(if variable.upper.is_none() {
            IntegerCheck::Split { var, floor: size, first: BoundKind::Upper }
        } else {
            IntegerCheck::Split { var, floor: -size - Int::ONE, first: BoundKind::Lower }
        })
    }

    /// The original integer variables whose value is not an integer; they are all basic.
    fn fractional(&self) -> impl Iterator<Item = ArithVar> {
        self.variables
            .enumerated()
            .filter(|(_, v)| v.is_int && v.definition.is_none() && !v.value.is_integer())
            .map(|(var, _)| var)
    }

    /// Prefers variables with a small range, where few branches are left, then small values.
    fn choose_split(&self) -> Option<(ArithVar, Int)> {
        let cost = |var: &ArithVar| {
            let variable = &self.variables[*var];
            let range = match (&variable.lower, &variable.upper) {
                (Some(lower), Some(upper)) => Some(&upper.value.value - &lower.value.value),
                _ => None,
            };
            (range.is_none(), range.unwrap_or_default(), variable.value.value.abs(), *var)
        };
        let var = self.fractional().min_by_key(cost)?;
        Some((var, self.variables[var].value.floor()))
    }

    /// Moves non-basic variables so that basic ones become integers, where no other one suffers.
    fn patch(&mut self) {
        let fractional: Vec<ArithVar> = self.fractional().collect();
        for var in fractional {
            if !self.variables[var].value.is_integer() {
                self.patch_variable(var);
            }
        }
    }

    fn patch_variable(&mut self, var: ArithVar) {
        let Some(row) = self.tableau.row_index(var.0) else { return };
        for position in 0..self.tableau.row(row).entries.len() {
            let other = ArithVar(self.tableau.row(row).entries[position].var);
            let rate = self.tableau.row(row).rate(position as u32);
            let value = &self.variables[var].value;
            if !value.delta.is_zero() {
                return;
            }
            let steps = if self.variables[other].is_int {
                integer_steps(&value.value, &rate)
            } else {
                let up = (Rat::from_int(value.value.ceil()) - &value.value) / &rate;
                let down = (Rat::from_int(value.value.floor()) - &value.value) / &rate;
                Some([up, down])
            };
            for step in steps.into_iter().flatten() {
                let step = DeltaRat::from(step);
                if self.can_move(other, &step) {
                    self.update(other, &step);
                    return;
                }
            }
        }
    }

    /// Whether a move of a non-basic variable keeps all bounds, and all integers that are integers.
    fn can_move(&self, var: ArithVar, step: &DeltaRat) -> bool {
        let moved = |var: ArithVar, change: &DeltaRat| {
            let variable = &self.variables[var];
            let mut value = variable.value.clone();
            value += change;
            !(variable.lower.as_ref().is_some_and(|bound| value < bound.value)
                || variable.upper.as_ref().is_some_and(|bound| value > bound.value)
                || (variable.is_int && variable.value.is_integer() && !value.is_integer()))
        };
        moved(var, step)
            && self.tableau.column(var.0).iter().all(|occurrence| {
                let row = self.tableau.row(occurrence.row);
                moved(ArithVar(row.basic), &step.scaled(&row.rate(occurrence.position)))
            })
    }
}

/// The smallest integer steps up and down, in either direction, that make `value + rate * step` an
/// integer. `None` if there are none, or if they are not worth the trouble.
fn integer_steps(value: &Rat, rate: &Rat) -> Option<[Rat; 2]> {
    let modulus = rate.denom().to_i64()? as i128;
    if modulus == 1 || modulus > i32::MAX as i128 {
        return None;
    }
    // rate * step = a * step / m and value = p / q: an integer iff a * step = -p * m / q modulo m.
    let den = value.denom().to_i64()? as i128;
    if modulus % den != 0 {
        return None;
    }
    let rate = rate.numer().rem_euclid(&Int::from(modulus)).to_i64()? as i128;
    let value = value.numer().rem_euclid(&Int::from(den)).to_i64()? as i128;
    let goal = (-value * (modulus / den)).rem_euclid(modulus);
    let up = (goal * inverse(rate, modulus)).rem_euclid(modulus);
    Some([Rat::from(up), Rat::from(up - modulus)])
}

/// The inverse of `a` modulo `modulus`, to which it is coprime.
fn inverse(a: i128, modulus: i128) -> i128 {
    let (mut old, mut new) = ((a, 1), (modulus, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old.1.rem_euclid(modulus)
}
