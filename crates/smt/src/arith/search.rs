//! The search for values within all bounds.

use super::{ArithVar, BoundKind, Conflict, DeltaRat, FarkasTerm, Simplex};
use craig_base::{Budget, StopReason};
use craig_num::Rat;

/// After this many pivots in one check, entering variables are chosen by Bland's rule.
const PIVOTS_BEFORE_BLAND: u64 = 200;
/// How many pivots pass between two looks at the budget.
const PIVOTS_PER_POLL: u64 = 64;

impl Simplex {
    /// Looks for values that obey all bounds. Integer variables may get fractions.
    ///
    /// The outer error means that the budget is used up; a later check continues the search.
    pub fn check(&mut self, budget: &Budget) -> Result<Result<(), Conflict>, StopReason> {
        self.counters.checks += 1;
        let mut pivots = 0u64;
        while let Some(leaving) = self.next_infeasible() {
            let increase = self.variables[leaving].below_lower();
            let Some(row) = self.tableau.row_index(leaving.0) else { continue };
            let Some(position) = self.entering(row, increase, pivots > PIVOTS_BEFORE_BLAND) else {
                self.enqueue(leaving);
                self.counters.conflicts += 1;
                return Ok(Err(self.row_conflict(row, increase)));
            };
            self.pivot_and_update(row, position, increase);
            pivots += 1;
            if pivots.is_multiple_of(PIVOTS_PER_POLL) {
                budget.check()?;
            }
        }
        Ok(Ok(()))
    }

    /// The least basic variable that violates a bound.
    fn next_infeasible(&mut self) -> Option<ArithVar> {
        loop {
            let var = ArithVar(self.infeasible.pop()?.0);
            let variable = &mut self.variables[var];
            variable.in_queue = false;
            if self.tableau.is_basic(var.0) && (variable.below_lower() || variable.above_upper()) {
                return Some(var);
            }
        }
    }

    /// A non-basic variable of the row that can move its basic variable in the wanted direction.
    fn entering(&self, row: u32, increase: bool, bland: bool) -> Option<u32> {
        let mut best: Option<(u32, u32, u32)> = None;
        for (position, entry) in self.tableau.row(row).entries.iter().enumerate() {
            let cost = if bland { 0 } else { self.tableau.column(entry.var).len() as u32 };
            if best.is_some_and(|(least, var, _)| (cost, entry.var) >= (least, var)) {
                continue;
            }
            let variable = &self.variables[ArithVar(entry.var)];
            let movable = if entry.coeff.is_positive() == increase {
                variable.may_increase()
            } else {
                variable.may_decrease()
            };
            if movable {
                best = Some((cost, entry.var, position as u32));
            }
        }
        best.map(|(_, _, position)| position)
    }

    /// Moves the basic variable of `row` to the bound it violates and makes it non-basic.
    fn pivot_and_update(&mut self, row: u32, position: u32, increase: bool) {
        let leaving = ArithVar(self.tableau.row(row).basic);
        let entering = ArithVar(self.tableau.row(row).entries[position as usize].var);
        let variable = &self.variables[leaving];
        let target = if increase { &variable.lower } else { &variable.upper };
        let Some(target) = target else { return };
        let missing = &target.value - &variable.value;
        let change = missing.scaled(&self.tableau.row(row).rate(position).recip());
        self.update(entering, &change);
        self.tableau.pivot(row, position);
        self.counters.pivots += 1;
        let variable = &self.variables[entering];
        if variable.below_lower() || variable.above_upper() {
            self.enqueue(entering);
        }
    }

    /// Changes a non-basic variable and all basic variables that depend on it.
    pub(super) fn update(&mut self, var: ArithVar, change: &DeltaRat) {
        self.variables[var].value += change;
        let Simplex { variables, tableau, infeasible, .. } = self;
        for occurrence in tableau.column(var.0) {
            let row = tableau.row(occurrence.row);
            let basic = &mut variables[ArithVar(row.basic)];
            basic.value.add_mul(&row.rate(occurrence.position), change);
            if !basic.in_queue && (basic.below_lower() || basic.above_upper()) {
                basic.in_queue = true;
                infeasible.push(std::cmp::Reverse(row.basic));
            }
        }
    }

    /// The basic variable of the row cannot reach its bound, because every other variable of the
    /// row stands at the bound that limits it.
    fn row_conflict(&self, row: u32, increase: bool) -> Conflict {
        let row = self.tableau.row(row);
        let mut terms = Vec::with_capacity(row.entries.len() + 1);
        let mut add = |var, kind, coefficient| {
            let var = ArithVar(var);
            if let Some(bound) = self.variables[var].bound(kind) {
                terms.push(FarkasTerm { var, kind, reason: bound.reason, coefficient });
            }
        };
        let violated = if increase { BoundKind::Lower } else { BoundKind::Upper };
        add(row.basic, violated, Rat::from_int(row.den.clone()));
        for entry in &row.entries {
            let kind = if entry.coeff.is_positive() { violated.opposite() } else { violated };
            add(entry.var, kind, Rat::from_int(entry.coeff.abs()));
        }
        Conflict::Farkas(terms)
    }
}
