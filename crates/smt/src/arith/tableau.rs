//! The sparse tableau: each row defines a basic variable by non-basic ones.
//!
//! A row stands for `den * basic = Σ coeff * var` with integer coefficients and `den > 0`, without
//! a common divisor. Integers spare the many small gcds of rational rows: a pivot multiplies and
//! adds, and reduces a row only where its denominator is not one.
//!
//! Rows and columns point at each other by position, so an entry is found from either side and
//! removed in constant time. Columns list only rows in which the variable is non-basic; a basic
//! variable has an empty column.

use craig_num::{Int, Rat};

/// One non-basic variable of a row.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub var: u32,
    /// Where this entry stands in the column of `var`.
    column_position: u32,
    pub coeff: Int,
}

/// Where a variable occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub row: u32,
    pub position: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub basic: u32,
    pub den: Int,
    pub entries: Vec<Entry>,
}

impl Row {
    /// `basic` grows by this much for each unit of the variable at `position`.
    #[inline]
    pub fn rate(&self, position: u32) -> Rat {
        let coeff = self.entries[position as usize].coeff.clone();
        if self.den.is_one() { Rat::from_int(coeff) } else { Rat::new(coeff, self.den.clone()) }
    }
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    rows: Vec<Row>,
    free_rows: Vec<u32>,
    columns: Vec<Vec<Occurrence>>,
    /// The row of each basic variable, `NONE` for the others.
    row_of: Vec<u32>,
    scratch: Scratch,
}

/// The source row of a substitution, and where each variable stands in it.
#[derive(Clone, Debug, Default)]
struct Scratch {
    den: Int,
    entries: Vec<SourceEntry>,
    position: Vec<u32>,
    round: u32,
}

#[derive(Clone, Debug)]
struct SourceEntry {
    var: u32,
    /// The round in which the target row last had this variable too.
    met: u32,
    coeff: Int,
}

impl Tableau {
    pub fn add_var(&mut self) {
        self.columns.push(Vec::new());
        self.row_of.push(NONE);
        self.scratch.position.push(NONE);
    }

    /// Forgets the variables from `len` on; none of them may be in a row.
    pub fn truncate_vars(&mut self, len: usize) {
        debug_assert!(self.columns[len..].iter().all(Vec::is_empty));
        debug_assert!(self.row_of[len..].iter().all(|&r| r == NONE));
        self.columns.truncate(len);
        self.row_of.truncate(len);
        self.scratch.position.truncate(len);
    }

    #[inline]
    pub fn is_basic(&self, var: u32) -> bool {
        self.row_of[var as usize] != NONE
    }

    /// The row that defines `var`, if it is basic.
    #[inline]
    pub fn row_index(&self, var: u32) -> Option<u32> {
        let row = self.row_of[var as usize];
        (row != NONE).then_some(row)
    }

    #[inline]
    pub fn row(&self, row: u32) -> &Row {
        &self.rows[row as usize]
    }

    #[inline]
    pub fn column(&self, var: u32) -> &[Occurrence] {
        &self.columns[var as usize]
    }

    /// The number of row slots, some of which may be free.
    pub fn row_slots(&self) -> u32 {
        self.rows.len() as u32
    }

    pub fn is_row(&self, row: u32) -> bool {
        let basic = self.rows[row as usize].basic;
        basic != NONE
    }

    /// Makes `basic` basic with `den * basic = Σ terms`, where the terms may mention basic variables.
    pub fn add_row(&mut self, basic: u32, den: Int, terms: impl Iterator<Item = (u32, Int)>) -> u32 {
        debug_assert!(self.row_of[basic as usize] == NONE && self.columns[basic as usize].is_empty());
        let row = match self.free_rows.pop() {
            Some(row) => row,
            None => {
                self.rows.push(Row { basic: NONE, den: Int::ONE, entries: Vec::new() });
                self.rows.len() as u32 - 1
            }
        };
        self.rows[row as usize].basic = basic;
        self.rows[row as usize].den = den;
        self.row_of[basic as usize] = row;
        let mut defined = Vec::new();
        for (var, coeff) in terms {
            push_entry(&mut self.rows[row as usize], row, &mut self.columns[var as usize], var, coeff);
            if self.row_of[var as usize] != NONE {
                defined.push(var);
            }
        }
        for var in defined {
            let occurrence = self.columns[var as usize][0];
            debug_assert!(occurrence.row == row && self.columns[var as usize].len() == 1);
            self.load_source(self.row_of[var as usize]);
            self.substitute(row, occurrence.position);
            self.unload_source();
        }
        row
    }

    /// Drops the row of a basic variable, which then is in no row at all.
    pub fn remove_row(&mut self, row: u32) {
        while let Some(last) = self.rows[row as usize].entries.len().checked_sub(1) {
            self.remove_entry(row, last as u32);
        }
        let basic = std::mem::replace(&mut self.rows[row as usize].basic, NONE);
        self.row_of[basic as usize] = NONE;
        self.free_rows.push(row);
    }

    /// Exchanges the basic variable of `row` with the one at `position`.
    pub fn pivot(&mut self, row: u32, position: u32) {
        let target = &mut self.rows[row as usize];
        let leaving = target.basic;
        let entering = target.entries[position as usize].var;
        let column_position = target.entries[position as usize].column_position;
        let coeff = std::mem::take(&mut target.entries[position as usize].coeff);
        let den = if coeff.is_positive() {
            for entry in &mut target.entries {
                entry.coeff = -&entry.coeff;
            }
            std::mem::replace(&mut target.den, coeff)
        } else {
            let old = std::mem::replace(&mut target.den, -coeff);
            -old
        };
        let entry = &mut target.entries[position as usize];
        entry.var = leaving;
        entry.coeff = den;
        entry.column_position = self.columns[leaving as usize].len() as u32;
        target.basic = entering;
        self.columns[leaving as usize].push(Occurrence { row, position });
        self.row_of[leaving as usize] = NONE;
        self.row_of[entering as usize] = row;
        self.columns[entering as usize].swap_remove(column_position as usize);
        if let Some(moved) = self.columns[entering as usize].get(column_position as usize) {
            self.rows[moved.row as usize].entries[moved.position as usize].column_position = column_position;
        }
        if self.columns[entering as usize].is_empty() {
            return;
        }
        self.load_source(row);
        while let Some(&occurrence) = self.columns[entering as usize].last() {
            self.substitute(occurrence.row, occurrence.position);
        }
        self.unload_source();
    }

    /// Copies a row for substitution into others: while entries of those come and go, the positions
    /// in the row itself still have to be kept up.
    fn load_source(&mut self, row: u32) {
        let Tableau { rows, scratch, .. } = self;
        let row = &rows[row as usize];
        scratch.den = row.den.clone();
        scratch.entries.clear();
        for (position, entry) in row.entries.iter().enumerate() {
            scratch.position[entry.var as usize] = position as u32;
            scratch.entries.push(SourceEntry { var: entry.var, met: 0, coeff: entry.coeff.clone() });
        }
        scratch.round = 0;
    }

    fn unload_source(&mut self) {
        for entry in &self.scratch.entries {
            self.scratch.position[entry.var as usize] = NONE;
        }
    }

    /// Replaces the variable at `position` of the target row by its definition, the loaded source.
    fn substitute(&mut self, row: u32, position: u32) {
        let coeff = self.remove_entry(row, position);
        let Tableau { rows, columns, scratch, .. } = self;
        // den * x = Σ (target) + coeff * y and den' * y = Σ (source) give
        // (scale * den) * x = scale * Σ (target) + factor * Σ (source).
        let divisor = if scratch.den.is_one() { Int::ONE } else { coeff.gcd(&scratch.den) };
        let (scale, factor) = if divisor.is_one() {
            (scratch.den.clone(), coeff)
        } else {
            (&scratch.den / &divisor, coeff / &divisor)
        };
        scratch.round += 1;
        let target = &mut rows[row as usize];
        let scaling = !scale.is_one();
        if scaling {
            target.den *= &scale;
        }
        let mut some_zero = false;
        for entry in &mut target.entries {
            if scaling {
                entry.coeff *= &scale;
            }
            let at = scratch.position[entry.var as usize];
            if at != NONE {
                let source = &mut scratch.entries[at as usize];
                source.met = scratch.round;
                entry.coeff.add_mul(&factor, &source.coeff);
                some_zero |= entry.coeff.is_zero();
            }
        }
        for source in &scratch.entries {
            if source.met != scratch.round {
                push_entry(
                    target,
                    row,
                    &mut columns[source.var as usize],
                    source.var,
                    &factor * &source.coeff,
                );
            }
        }
        if some_zero {
            for position in (0..self.rows[row as usize].entries.len()).rev() {
                if self.rows[row as usize].entries[position].coeff.is_zero() {
                    self.remove_entry(row, position as u32);
                }
            }
        }
        self.reduce(row);
    }

    /// Divides a row by its greatest common divisor.
    fn reduce(&mut self, row: u32) {
        let target = &mut self.rows[row as usize];
        let mut divisor = target.den.clone();
        for entry in &target.entries {
            if divisor.is_one() {
                return;
            }
            divisor = divisor.gcd(&entry.coeff);
        }
        if !divisor.is_one() {
            target.den /= &divisor;
            for entry in &mut target.entries {
                entry.coeff /= &divisor;
            }
        }
    }

    /// Takes an entry out of its row and column and returns its coefficient.
    fn remove_entry(&mut self, row: u32, position: u32) -> Int {
        let entries = &mut self.rows[row as usize].entries;
        let removed = entries.swap_remove(position as usize);
        if let Some(moved) = entries.get(position as usize) {
            self.columns[moved.var as usize][moved.column_position as usize].position = position;
        }
        let column = &mut self.columns[removed.var as usize];
        column.swap_remove(removed.column_position as usize);
        if let Some(moved) = column.get(removed.column_position as usize) {
            self.rows[moved.row as usize].entries[moved.position as usize].column_position =
                removed.column_position;
        }
        removed.coeff
    }
}

fn push_entry(row: &mut Row, index: u32, column: &mut Vec<Occurrence>, var: u32, coeff: Int) {
    let position = row.entries.len() as u32;
    row.entries.push(Entry { var, column_position: column.len() as u32, coeff });
    column.push(Occurrence { row: index, position });
}

#[cfg(test)]
impl Tableau {
    /// Checks all that the module essay promises.
    pub fn check_invariants(&self) {
        for (index, row) in self.rows.iter().enumerate() {
            if row.basic == NONE {
                assert!(row.entries.is_empty());
                continue;
            }
            assert_eq!(self.row_of[row.basic as usize], index as u32);
            assert!(self.columns[row.basic as usize].is_empty() && row.den.is_positive());
            let mut divisor = row.den.clone();
            for (position, entry) in row.entries.iter().enumerate() {
                assert!(!entry.coeff.is_zero() && !self.is_basic(entry.var));
                divisor = divisor.gcd(&entry.coeff);
                let back = self.columns[entry.var as usize][entry.column_position as usize];
                assert_eq!((back.row as usize, back.position as usize), (index, position));
            }
            assert!(divisor.is_one());
        }
        let entries: usize = self.rows.iter().map(|row| row.entries.len()).sum();
        assert_eq!(entries, self.columns.iter().map(Vec::len).sum::<usize>());
    }
}
