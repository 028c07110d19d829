//! Guesses about numbers from the states of runs: equalities of polynomials, remainders, bounds; everywhere, and in the
//! phases of a loop, which the conditions of the program tell apart: `x < 1000 || y == x`.
//!
//! A model that contradicts an equality is one more row: from the rows then follows which equalities are left. For
//! degree one this is the analysis of Karr (*Affine relationships among variables of a program*, 1976) by models of
//! blocks, as T. Reps, M. Sagiv and G. Yorsh have it (*Symbolic implementation of the best transformer*, VMCAI 2004).

use super::Candidates;
use super::equalities::{Equality, equalities, gcd, holds};
use super::guesses::Words;
use super::pairs::Numbers;
use super::samples::State;
use crate::view::blocks::InlinedView;
use craig_base::{OrderedSet, Set};
use craig_num::{Int, Rat};
use craig_program::{CutId, StateVar, Type, VarId};
use craig_term::{Model, TermId, Terms, Value};
use std::ops::RangeInclusive;

/// Variables that are related at one cutpoint.
const MAX_COLUMNS: usize = 12;
/// Variables whose sums and differences have bounds.
const MAX_PAIRED: usize = 8;
/// Conditions that tell phases apart.
const MAX_GUARDS: usize = 24;
/// A variable with so few values has a phase for each of them.
const MAX_VALUES: usize = 11;
/// Independent monomials at one cutpoint.
const MAX_MONOMIALS: usize = 100;
/// A bound is a small number, or near to one of the program.
const SMALL: i128 = 20;
const NEAR: i128 = 4;
/// Larger numbers may have wrapped around.
const WRAPPED: i128 = 1 << 31;
/// Powers of two that a variable may have as values.
const MAX_POWER: u32 = 64;
/// In how many rows a phase must have been met.
const MIN_ROWS: usize = 4;

/// The numbers at a cutpoint, in the states of runs and in models.
pub(super) struct Relations {
    columns: Vec<TermId>,
    /// What is known of the values of each.
    ranges: Vec<Option<RangeInclusive<i128>>>,
    rows: Vec<Row>,
    guards: Vec<TermId>,
    /// What unsigned numbers wrap around at, if there are any.
    modulus: Option<Int>,
    pub degree: usize,
}

struct Row {
    values: Vec<i128>,
    /// Which of the guards hold.
    phases: Vec<bool>,
}

impl Relations {
    pub fn new(
        tm: &mut Terms,
        view: &InlinedView<'_>,
        cut: CutId,
        words: &Words,
        states: &[State],
        degree: usize,
    ) -> Relations {
        let moving: Set<TermId> = words.moving.iter().map(|(var, _)| *var).collect();
        let state = &view.encoding.states[cut];
        let mut columns = Vec::new();
        for constant in state {
            let StateVar::Var(var) = constant.var else { continue };
            if !tm.is_int(constant.current)
                || columns.len() >= MAX_COLUMNS
                || !states.iter().all(|state| state.values.contains_key(&var))
            {
                continue;
            }
            if view.program.vars[var].ty != Type::Pointer {
                columns.push((constant.current, var, 0));
            } else if degree == 1 && moving.contains(&constant.current) && !states.is_empty() {
                // A pointer that moves is as far from where it was first.
                let first = states[0].values[&var];
                let origin = tm.int(first);
                columns.push((tm.sub(constant.current, origin), var, first));
            }
        }
        let row = |state: &State| columns.iter().map(|(_, var, first)| state.values[var] - first).collect();
        let rows: Vec<Vec<i128>> = states.iter().map(row).collect();
        let unsigned = |&(_, var, _): &(TermId, VarId, i128)| match view.program.vars[var].ty {
            Type::Int(int) if !int.signed => Some(int.bits),
            _ => None,
        };
        let modulus = columns.iter().filter_map(unsigned).max().map(|bits| Int::pow2(u32::from(bits)));
        let location = view.encoding.cuts.location(cut);
        let range = |&(_, var, first): &(TermId, VarId, i128)| {
            let range = view.encoding.ranges.at(location, var)?;
            let (least, most) = range.bounds()?;
            Some(least.to_i128()?.checked_sub(first)?..=most.to_i128()?.checked_sub(first)?)
        };
        let ranges = columns.iter().map(range).collect();
        let columns: Vec<TermId> = columns.into_iter().map(|(column, ..)| column).collect();
        let known: Set<TermId> = columns.iter().copied().collect();
        let mut guards: OrderedSet<TermId> = OrderedSet::default();
        for &atom in &words.atoms {
            if guards.len() < MAX_GUARDS && tm.free_consts(atom).iter().all(|c| known.contains(c)) {
                guards.insert(atom);
            }
        }
        for (at, &column) in columns.iter().enumerate() {
            let values: OrderedSet<i128> = rows.iter().map(|row| row[at]).collect();
            if (2..=MAX_VALUES).contains(&values.len()) {
                for value in values {
                    let value = tm.int(Int::from(value));
                    guards.insert(tm.eq(column, value));
                }
            }
        }
        let guards = guards.into_iter().collect();
        let mut relations = Relations { columns, ranges, rows: Vec::new(), guards, modulus, degree };
        rows.into_iter().for_each(|values| relations.add(tm, values));
        relations
    }

    fn add(&mut self, tm: &Terms, values: Vec<i128>) {
        let mut model = Model::new();
        for (&column, &value) in self.columns.iter().zip(&values) {
            model.set(column, Value::Int(value.into()));
        }
        let phases = self.guards.iter().map(|&guard| tm.eval_bool(guard, &model) == Ok(true)).collect();
        self.rows.push(Row { values, phases });
    }

    /// The equalities that are left after a model in which terms stand for the columns.
    pub fn refine(
        &mut self,
        tm: &mut Terms,
        model: &Model,
        mut at: impl FnMut(&mut Terms, TermId) -> TermId,
    ) -> Vec<TermId> {
        let mut values = Vec::with_capacity(self.columns.len());
        for &column in &self.columns {
            let term = at(tm, column);
            let Ok(Value::Int(value)) = tm.eval(term, model) else { return Vec::new() };
            let Some(value) = value.to_i128() else { return Vec::new() };
            values.push(value);
        }
        self.add(tm, values);
        self.equalities(tm)
    }

    /// The rows in which a guard holds, or does not.
    fn phase(&self, guard: usize, holds: bool) -> Vec<Vec<i128>> {
        let rows = self.rows.iter().filter(|row| row.phases[guard] == holds);
        rows.map(|row| row.values.clone()).collect()
    }

    /// What is true under a guard, or under its negation.
    fn under(&self, tm: &mut Terms, guard: usize, holds: bool, fact: TermId) -> TermId {
        let guard = self.guards[guard];
        let otherwise = if holds { tm.not(guard) } else { guard };
        tm.or2(otherwise, fact)
    }

    fn all_rows(&self) -> Vec<Vec<i128>> {
        self.rows.iter().map(|row| row.values.clone()).collect()
    }

    /// The equalities that hold in all rows.
    pub fn equalities(&self, tm: &mut Terms) -> Vec<TermId> {
        let found = equalities(&self.all_rows(), self.degree, MAX_MONOMIALS);
        found.iter().map(|equality| self.equality(tm, equality)).collect()
    }

    fn equality(&self, tm: &mut Terms, equality: &Equality) -> TermId {
        let (sum, zero) = (self.sum(tm, equality), tm.int(0));
        tm.eq(sum, zero)
    }

    fn sum(&self, tm: &mut Terms, equality: &Equality) -> TermId {
        let mut sum = Vec::with_capacity(equality.len());
        for (monomial, factor) in equality {
            let one = tm.int(1);
            let product = monomial.iter().fold(one, |all, &column| tm.mul(all, self.columns[column]));
            sum.push(tm.scale(&Rat::from(Int::from(*factor)), product));
        }
        tm.add(&sum)
    }

    /// The equalities, and what may be left of them: a bound, or that they hold up to wrapping around.
    pub fn equal(&self, tm: &mut Terms) -> Candidates {
        let mut found = Candidates::default();
        let rows = self.all_rows();
        let small: Vec<Vec<i128>> = match &self.modulus {
            // Where numbers have wrapped around, equalities do not show.
            Some(_) => {
                rows.iter().filter(|row| row.iter().all(|value| value.abs() < WRAPPED)).cloned().collect()
            }
            None => rows.clone(),
        };
        for equality in equalities(&small, self.degree, MAX_MONOMIALS) {
            let (sum, zero) = (self.sum(tm, &equality), tm.int(0));
            if let Some(modulus) = self.modulus.as_ref().filter(|_| !holds(&rows, &equality)) {
                let modulus = tm.int(modulus.clone());
                let remainder = tm.modulo(sum, modulus);
                found.strongest.push(tm.eq(remainder, zero));
                continue;
            }
            let equality = tm.eq(sum, zero);
            let mut weaker = Vec::new();
            if self.degree == 1 {
                weaker.extend([tm.le(sum, zero), tm.le(zero, sum)]);
            }
            if let Some(modulus) = &self.modulus {
                let modulus = tm.int(modulus.clone());
                let remainder = tm.modulo(sum, modulus);
                weaker.push(tm.eq(remainder, zero));
            }
            found.strongest.push(equality);
            found.weaker.insert(equality, weaker);
        }
        found
    }

    /// All guesses.
    pub fn candidates(&self, tm: &mut Terms, words: &Words) -> Candidates {
        let mut found = self.equal(tm);
        let rows = self.all_rows();
        self.remainders(tm, &rows, None, &mut found);
        self.bounds(tm, &rows, words, &mut found);
        self.powers(tm, &rows, &mut found);
        let everywhere: Set<TermId> = found.strongest.iter().copied().collect();
        for (guard, holds) in (0..self.guards.len()).flat_map(|guard| [(guard, true), (guard, false)]) {
            let rows = self.phase(guard, holds);
            if rows.len() < MIN_ROWS || rows.len() == self.rows.len() {
                continue;
            }
            for equality in equalities(&rows, 1, MAX_MONOMIALS) {
                let fact = self.equality(tm, &equality);
                if !everywhere.contains(&fact) {
                    found.strongest.push(self.under(tm, guard, holds, fact));
                }
            }
            self.remainders(tm, &rows, Some((guard, holds)), &mut found);
        }
        found
    }

    /// Variables that are doubled and halved.
    fn powers(&self, tm: &mut Terms, rows: &[Vec<i128>], found: &mut Candidates) {
        for (at, &column) in self.columns.iter().enumerate() {
            let values: OrderedSet<i128> = rows.iter().map(|row| row[at]).collect();
            let is_power = |value: &i128| *value == 0 || (*value > 0 && value.count_ones() == 1);
            if values.len() <= MIN_ROWS || !values.iter().all(is_power) {
                continue;
            }
            let powers = (0..MAX_POWER).map(Int::pow2).chain([Int::ZERO]);
            let cases: Vec<TermId> = powers
                .map(|power| {
                    let power = tm.int(power);
                    tm.eq(column, power)
                })
                .collect();
            found.strongest.push(tm.or(&cases));
        }
    }

    /// What all values of a variable have in common as a remainder; if that does not hold, perhaps it does for a
    /// divisor.
    fn remainders(
        &self,
        tm: &mut Terms,
        rows: &[Vec<i128>],
        phase: Option<(usize, bool)>,
        found: &mut Candidates,
    ) {
        for column in 0..self.columns.len() {
            let values: OrderedSet<i128> = rows.iter().map(|row| row[column]).collect();
            let Some(&first) = values.first().filter(|_| values.len() >= MIN_ROWS) else { continue };
            let divisor = values.iter().fold(0, |divisor, value| gcd(divisor, value - first));
            let mut pending = vec![(divisor, None)];
            while let Some((divisor, stronger)) = pending.pop() {
                if divisor < 2 {
                    continue;
                }
                let [term, value] =
                    [divisor, first.rem_euclid(divisor)].map(|number| tm.int(Int::from(number)));
                let remainder = tm.modulo(self.columns[column], term);
                let mut fact = tm.eq(remainder, value);
                if let Some((guard, holds)) = phase {
                    if found.strongest.contains(&fact) {
                        break;
                    }
                    fact = self.under(tm, guard, holds, fact);
                }
                match stronger {
                    None => found.strongest.push(fact),
                    Some(stronger) => found.weaker.entry(stronger).or_default().push(fact),
                }
                let smaller = (2..=SMALL).find(|factor| divisor % factor == 0).map(|factor| divisor / factor);
                pending.extend(smaller.map(|smaller| (smaller, Some(fact))));
            }
        }
    }

    /// The least and the greatest values of variables, their sums and differences, and how they grow with one that
    /// counts, if these say something; and what are multiples of others.
    fn bounds(&self, tm: &mut Terms, rows: &[Vec<i128>], words: &Words, found: &mut Candidates) {
        let says_something = |bound: i128| {
            let near = |constant: &Int| constant.to_i128().is_some_and(|c| (bound.abs() - c).abs() <= NEAR);
            bound.abs() <= SMALL || words.constants.iter().any(near)
        };
        let numbers = Numbers { columns: &self.columns, ranges: &self.ranges, rows };
        found.strongest.extend(numbers.multiples(tm));
        found.strongest.extend(numbers.rates(tm, words, says_something));
        let mut forms: Vec<Vec<(usize, i128)>> = (0..self.columns.len()).map(|a| vec![(a, 1)]).collect();
        for a in 0..self.columns.len().min(MAX_PAIRED) {
            for b in a + 1..self.columns.len().min(MAX_PAIRED) {
                forms.extend([vec![(a, 1), (b, 1)], vec![(a, 1), (b, -1)]]);
            }
        }
        for form in forms {
            let value =
                |row: &Vec<i128>| form.iter().map(|&(column, factor)| factor * row[column]).sum::<i128>();
            let (Some(least), Some(most)) = (rows.iter().map(value).min(), rows.iter().map(value).max())
            else {
                continue;
            };
            let parts: Vec<TermId> = form
                .iter()
                .map(|&(column, factor)| tm.scale(&Rat::from(Int::from(factor)), self.columns[column]))
                .collect();
            let sum = tm.add(&parts);
            if says_something(most) {
                let most = tm.int(Int::from(most));
                found.strongest.push(tm.le(sum, most));
            }
            if says_something(least) {
                let least = tm.int(Int::from(least));
                found.strongest.push(tm.le(least, sum));
            }
        }
    }
}
