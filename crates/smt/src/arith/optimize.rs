//! The largest value of a form, by the primal simplex method.

use super::{ArithVar, BoundKind, DeltaRat, FarkasTerm, Simplex};
use craig_base::{Budget, StopReason};
use craig_num::Rat;
use std::collections::BTreeMap;

/// The largest value of a form over the rationals, and the bounds that add up to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maximum {
    pub value: DeltaRat,
    /// The bounds, all written as `form <= constant`, add up to `objective <= value`.
    pub terms: Vec<FarkasTerm>,
}

/// What stops an increase first.
enum Limit {
    /// The variable itself reaches its bound.
    Own,
    /// The basic variable of a row reaches its bound.
    Row { row: u32, position: u32 },
}

impl Simplex {
    /// Maximises `objective` under the current bounds, after a successful
    /// [`check`](Simplex::check). `None` if there is no largest value.
    pub fn maximize(&mut self, objective: ArithVar, budget: &Budget) -> Result<Option<Maximum>, StopReason> {
        if !self.variables[objective].in_tableau {
            self.add_to_tableau(objective);
        }
        let Some(row) = self.make_basic(objective) else {
            return Ok(self.own_maximum(objective));
        };
        let mut steps = 0u64;
        loop {
            if !self.variables[objective].may_increase() {
                return Ok(self.own_maximum(objective));
            }
            let Some((entering, up)) = self.improving(row) else {
                return Ok(Some(self.optimum(row)));
            };
            let Some((step, limit)) = self.ratio_test(entering, up) else { return Ok(None) };
            self.update(entering, &step);
            if let Limit::Row { row: limiting, position } = limit
                && limiting != row
            {
                self.tableau.pivot(limiting, position);
                self.counters.pivots += 1;
            }
            steps += 1;
            if steps.is_multiple_of(64) {
                budget.check()?;
            }
        }
    }

    /// Whether all that a sum depends on in the tableau is fixed. If not, bounds may still leave it no choice.
    pub fn is_determined(&self, sum: &[(ArithVar, Rat)]) -> bool {
        let mut rates: BTreeMap<u32, Rat> = BTreeMap::new();
        for (var, coefficient) in sum {
            match self.tableau.row_index(var.0) {
                None => *rates.entry(var.0).or_default() += coefficient,
                Some(row) => {
                    for (position, entry) in self.tableau.row(row).entries.iter().enumerate() {
                        let rate = self.tableau.row(row).rate(position as u32);
                        *rates.entry(entry.var).or_default() += rate * coefficient;
                    }
                }
            }
        }
        rates.iter().all(|(&var, rate)| rate.is_zero() || self.variables[ArithVar(var)].fixed().is_some())
    }

    /// The row of a variable, which is made basic if any row mentions it. Values stay.
    fn make_basic(&mut self, var: ArithVar) -> Option<u32> {
        if let Some(row) = self.tableau.row_index(var.0) {
            return Some(row);
        }
        let occurrence = *self.tableau.column(var.0).first()?;
        self.tableau.pivot(occurrence.row, occurrence.position);
        self.counters.pivots += 1;
        Some(occurrence.row)
    }

    fn own_maximum(&self, var: ArithVar) -> Option<Maximum> {
        let bound = self.variables[var].upper.as_ref()?;
        let kind = BoundKind::Upper;
        let term = FarkasTerm { var, kind, reason: bound.reason, coefficient: Rat::ONE };
        Some(Maximum { value: bound.value.clone(), terms: vec![term] })
    }

    /// The least non-basic variable that can make the basic variable of the row larger, and whether
    /// it has to grow for that.
    fn improving(&self, row: u32) -> Option<(ArithVar, bool)> {
        let movable = |var: u32, up: bool| {
            let variable = &self.variables[ArithVar(var)];
            if up { variable.may_increase() } else { variable.may_decrease() }
        };
        let candidates = self.tableau.row(row).entries.iter().map(|e| (e.var, e.coeff.is_positive()));
        candidates.filter(|&(var, up)| movable(var, up)).min().map(|(var, up)| (ArithVar(var), up))
    }

    /// How far a non-basic variable can move until something reaches a bound. Among rows that stop
    /// it equally early, the one with the least basic variable is taken (Bland).
    fn ratio_test(&self, entering: ArithVar, up: bool) -> Option<(DeltaRat, Limit)> {
        let variable = &self.variables[entering];
        let own = if up { &variable.upper } else { &variable.lower };
        let mut best: Option<(DeltaRat, DeltaRat, u32, Limit)> = own.as_ref().map(|bound| {
            let step = &bound.value - &variable.value;
            (distance(&step), step, entering.0, Limit::Own)
        });
        for occurrence in self.tableau.column(entering.0) {
            let row = self.tableau.row(occurrence.row);
            let basic = &self.variables[ArithVar(row.basic)];
            let grows = row.entries[occurrence.position as usize].coeff.is_positive() == up;
            let Some(bound) = (if grows { &basic.upper } else { &basic.lower }) else { continue };
            let room = &bound.value - &basic.value;
            let step = room.scaled(&row.rate(occurrence.position).recip());
            let length = distance(&step);
            if best.as_ref().is_none_or(|(least, _, var, _)| (&length, row.basic) < (least, *var)) {
                let limit = Limit::Row { row: occurrence.row, position: occurrence.position };
                best = Some((length, step, row.basic, limit));
            }
        }
        best.map(|(_, step, _, limit)| (step, limit))
    }

    /// Every variable of the row is at the bound that limits the basic one.
    fn optimum(&self, row: u32) -> Maximum {
        let row = self.tableau.row(row);
        let mut terms = Vec::with_capacity(row.entries.len());
        for (position, entry) in row.entries.iter().enumerate() {
            let var = ArithVar(entry.var);
            let kind = if entry.coeff.is_positive() { BoundKind::Upper } else { BoundKind::Lower };
            if let Some(bound) = self.variables[var].bound(kind) {
                let coefficient = row.rate(position as u32).abs();
                terms.push(FarkasTerm { var, kind, reason: bound.reason, coefficient });
            }
        }
        Maximum { value: self.variables[ArithVar(row.basic)].value.clone(), terms }
    }
}

fn distance(step: &DeltaRat) -> DeltaRat {
    if *step < DeltaRat::ZERO { -step } else { step.clone() }
}
