//! Variables, linear forms over them, and when forms are in the tableau.

use super::propagate::Marks;
use super::{ArithVar, Definition, DeltaRat, Simplex, Variable};
use craig_num::{Int, Rat};

/// A point in the creation of variables to which [`Simplex::release`] returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    variables: usize,
    registrations: usize,
}

impl Mark {
    /// How many variables there were.
    pub fn variables(&self) -> usize {
        self.variables
    }
}

impl Simplex {
    pub fn new_var(&mut self, is_int: bool) -> ArithVar {
        self.tableau.add_var();
        self.propagator.marks.push(Marks::default());
        self.variables.push(Variable {
            value: DeltaRat::ZERO,
            lower: None,
            upper: None,
            is_int,
            in_tableau: true,
            in_queue: false,
            definition: None,
        })
    }

    /// The variable that stands for a linear form; the same one for the same form.
    ///
    /// The terms may repeat variables and may themselves be forms. A form that is one variable with
    /// coefficient one is that variable. `None` for the empty form, which is the constant zero.
    pub fn form(&mut self, terms: &[(ArithVar, Rat)]) -> Option<ArithVar> {
        let key = self.normalise(terms);
        match &*key {
            [] => return None,
            [(var, coefficient)] if coefficient.is_one() => return Some(*var),
            _ => {}
        }
        if let Some(&var) = self.forms.get(&key) {
            return Some(var);
        }
        let den = key.iter().fold(Int::ONE, |den, (_, c)| den.lcm(&c.denom()));
        let terms: Box<[(ArithVar, Int)]> =
            key.iter().map(|(var, c)| (*var, c.numer() * (&den / &c.denom()))).collect();
        let is_int = den.is_one() && terms.iter().all(|(var, _)| self.variables[*var].is_int);
        self.tableau.add_var();
        self.propagator.marks.push(Marks::default());
        let var = self.variables.push(Variable {
            value: DeltaRat::ZERO,
            lower: None,
            upper: None,
            is_int,
            in_tableau: false,
            in_queue: false,
            definition: Some(Box::new(Definition { key: key.clone(), terms, den })),
        });
        self.forms.insert(key, var);
        Some(var)
    }

    /// Original variables in increasing order with non-zero coefficients.
    fn normalise(&self, terms: &[(ArithVar, Rat)]) -> Box<[(ArithVar, Rat)]> {
        let mut sum: Vec<(ArithVar, Rat)> = Vec::with_capacity(terms.len());
        for (var, coefficient) in terms {
            match &self.variables[*var].definition {
                None => sum.push((*var, coefficient.clone())),
                Some(definition) => {
                    sum.extend(definition.key.iter().map(|(inner, c)| (*inner, c * coefficient)));
                }
            }
        }
        sum.sort_by_key(|(var, _)| *var);
        sum.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 += &later.1;
            }
            same
        });
        sum.retain(|(_, coefficient)| !coefficient.is_zero());
        sum.into()
    }

    /// The form that `var` stands for: itself, or a sum of original variables.
    pub fn terms_of(&self, var: ArithVar) -> Vec<(ArithVar, Rat)> {
        match &self.variables[var].definition {
            None => vec![(var, Rat::ONE)],
            Some(definition) => definition.key.to_vec(),
        }
    }

    /// Whether `var` stands for a form, rather than for itself.
    pub fn is_form(&self, var: ArithVar) -> bool {
        self.variables[var].definition.is_some()
    }

    pub(super) fn add_to_tableau(&mut self, var: ArithVar) {
        let Some(definition) = self.variables[var].definition.take() else { return };
        self.variables[var].value = self.evaluate(&definition);
        let terms = definition.terms.iter().map(|(inner, c)| (inner.0, c.clone()));
        self.tableau.add_row(var.0, definition.den.clone(), terms);
        self.counters.rows_added += 1;
        let variable = &mut self.variables[var];
        variable.definition = Some(definition);
        variable.in_tableau = true;
    }

    fn remove_from_tableau(&mut self, var: ArithVar) {
        if !self.tableau.is_basic(var.0) {
            let Some(&occurrence) = self.tableau.column(var.0).first() else {
                self.variables[var].in_tableau = false;
                return;
            };
            let leaving = ArithVar(self.tableau.row(occurrence.row).basic);
            self.tableau.pivot(occurrence.row, occurrence.position);
            self.counters.pivots += 1;
            self.restore_bounds_of(leaving);
        }
        if let Some(row) = self.tableau.row_index(var.0) {
            self.tableau.remove_row(row);
        }
        self.variables[var].in_tableau = false;
    }

    /// Removes the rows of basic forms without bounds. They come back when they are needed.
    pub fn collect_idle_rows(&mut self) {
        for row in 0..self.tableau.row_slots() {
            if !self.tableau.is_row(row) {
                continue;
            }
            let var = ArithVar(self.tableau.row(row).basic);
            let variable = &self.variables[var];
            if variable.definition.is_some() && variable.lower.is_none() && variable.upper.is_none() {
                self.remove_from_tableau(var);
            }
        }
    }

    pub fn mark(&self) -> Mark {
        Mark { variables: self.variables.len(), registrations: self.propagator.registrations() }
    }

    /// Forgets the variables, forms and atoms made after `mark`; bounds of those variables must have
    /// been taken back.
    pub fn release(&mut self, mark: Mark) {
        // Once the forms are gone, no relation mentions the other variables any more, because each
        // form that used them was younger than they are.
        for index in (mark.variables..self.variables.len()).rev() {
            let var = ArithVar(index as u32);
            debug_assert!(self.variables[var].lower.is_none() && self.variables[var].upper.is_none());
            let Some(definition) = self.variables[var].definition.as_ref() else { continue };
            self.forms.remove(&definition.key);
            if self.variables[var].in_tableau {
                self.remove_from_tableau(var);
            }
        }
        self.propagator.forget(mark.registrations, mark.variables);
        self.variables.truncate(mark.variables);
        self.tableau.truncate_vars(mark.variables);
        self.infeasible.retain(|var| (var.0 as usize) < mark.variables);
    }
}
