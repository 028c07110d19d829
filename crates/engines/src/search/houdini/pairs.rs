//! Guesses about two numbers: that one is a multiple of the other, and how fast one grows while the other counts.
//!
//! `for (i = 0; i < n * k; i += k)` keeps `i` a multiple of `k`. Remainders by a variable are not linear, but where the
//! variable has few values there is a guess for each of them, `k != 3 || i % 3 == 0`, whether or not a run met that value:
//! it is enough that all runs agree that one is a multiple of the other.
//!
//! A sum of inputs between 0 and 255 is at most 255 times the number of rounds. No run shows this exactly; but the
//! rates that matter are numbers of the program or ends of its types, and how far a sum is from such a line at most is
//! what runs do show.

use super::guesses::Words;
use craig_base::OrderedSet;
use craig_num::{Int, Rat};
use craig_term::{TermId, Terms};
use std::ops::RangeInclusive;

/// A divisor with more values has no guess for each of them.
const MAX_DIVISORS: i128 = 16;
/// With how many different divisors multiples must have been met.
const MIN_DIVISORS: usize = 3;
/// Rates that are tried, and the greatest of them.
const MAX_RATES: usize = 8;
const MAX_RATE: i128 = 1 << 20;

/// The numbers at a cutpoint, in rows of values.
pub(super) struct Numbers<'a> {
    pub columns: &'a [TermId],
    /// What is known of the values of each.
    pub ranges: &'a [Option<RangeInclusive<i128>>],
    pub rows: &'a [Vec<i128>],
}

impl Numbers<'_> {
    /// That one number is a multiple of another, for each value that the other may have.
    pub fn multiples(&self, tm: &mut Terms) -> Vec<TermId> {
        let mut found = Vec::new();
        for (divisor, range) in self.ranges.iter().enumerate() {
            let is_short = |range: &RangeInclusive<i128>| {
                range.end().checked_sub(*range.start()).is_some_and(|length| length <= MAX_DIVISORS)
            };
            let Some(range) = range.clone().filter(is_short) else { continue };
            for multiple in (0..self.columns.len()).filter(|&column| column != divisor) {
                if !self.is_multiple(multiple, divisor) {
                    continue;
                }
                let mut cases = Vec::new();
                for value in range.clone() {
                    let value = tm.int(value);
                    cases.push(tm.eq(self.columns[divisor], value));
                }
                // Nothing new, but the solver takes one case after the other, and each is easy.
                found.push(tm.or(&cases));
                for value in range.clone().filter(|value| value.abs() > 1) {
                    let [value, size, zero] = [value, value.abs(), 0].map(|n| tm.int(n));
                    let is_value = tm.eq(self.columns[divisor], value);
                    let remainder = tm.modulo(self.columns[multiple], size);
                    let divides = tm.eq(remainder, zero);
                    found.push(tm.implies(is_value, divides));
                }
            }
        }
        found
    }

    /// Whether no row contradicts it, and enough speak for it.
    fn is_multiple(&self, multiple: usize, divisor: usize) -> bool {
        let mut met = OrderedSet::default();
        for row in self.rows.iter().filter(|row| row[divisor] != 0) {
            if row[multiple].checked_rem(row[divisor]) != Some(0) {
                return false;
            }
            if row[multiple] != 0 && row[divisor].abs() > 1 {
                met.insert(row[divisor]);
            }
        }
        met.len() >= MIN_DIVISORS
    }

    /// Bounds of numbers by multiples of one that counts. `says_something` is whether a distance is worth a guess.
    pub fn rates(&self, tm: &mut Terms, words: &Words, says_something: impl Fn(i128) -> bool) -> Vec<TermId> {
        let rates: Vec<i128> = words.constants.iter().filter_map(Int::to_i128).collect();
        let rates = rates.into_iter().filter(|rate| (2..=MAX_RATE).contains(rate)).take(MAX_RATES);
        let rates: Vec<i128> = rates.collect();
        let counts = |column: &TermId| words.moving.iter().any(|(moving, _)| moving == column);
        let mut found = Vec::new();
        for (counter, &count) in self.columns.iter().enumerate().filter(|&(_, column)| counts(column)) {
            for (other, &number) in self.columns.iter().enumerate().filter(|&(_, column)| !counts(column)) {
                for &rate in &rates {
                    let distance = |row: &Vec<i128>| row[other].checked_sub(rate.checked_mul(row[counter])?);
                    let Some(distances) = self.rows.iter().map(distance).collect::<Option<Vec<i128>>>()
                    else {
                        continue;
                    };
                    let line = tm.scale(&Rat::from(Int::from(rate)), count);
                    if let Some(&most) = distances.iter().max().filter(|&&most| says_something(most)) {
                        let most = tm.int(most);
                        let bound = tm.add2(line, most);
                        found.push(tm.le(number, bound));
                    }
                    if let Some(&least) = distances.iter().min().filter(|&&least| says_something(least)) {
                        let least = tm.int(least);
                        let bound = tm.add2(line, least);
                        found.push(tm.le(bound, number));
                    }
                }
            }
        }
        found
    }
}
