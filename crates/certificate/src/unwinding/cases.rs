//! Words with few possible values, taken apart by cases.
//!
//! A pointer that is merged from several paths, or read from memory, has one of a few values: the addresses of a few
//! nodes, or null. Bit by bit this can hardly be seen, and each access through it would be an access to every
//! byte of every object. So a word of which it is known carries its cases: values, each with its condition, of which
//! exactly one holds whatever the free variables are. That is kept by construction: a constant is its only case, a
//! choice has the cases of both sides under its condition, and the cases of an operation are those of its
//! operands, pair by pair. An address then means the places that its cases name, and a comparison is a
//! disjunction of conditions.
//!
//! What was never written may have any value. Mixed with addresses, as in the elements of a stack, it has some cases that are known,
//! of which no two hold (`Gates::partly`); an access through it is one to the places that these name, or goes astray.
//!
//! The cases belong to the literals of a word, and not to a variable: wherever the same literals turn up again, as
//! bytes of memory put together, they have the same value.

use super::gates::{FALSE, Gates, Lit, TRUE, Word, as_number, number};
use super::under::Under;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many values are told apart.
const MOST: usize = 32;
/// Lower numbers are hardly addresses.
const LEAST_ADDRESS: u128 = 4096;

/// Values in order, each with its condition. Exactly one condition holds.
pub(super) type Cases = Rc<[(u128, Lit)]>;

impl Gates {
    /// The values that a word can have, if they are few.
    pub fn cases(&self, word: &[Lit]) -> Option<Cases> {
        match as_number(word) {
            Some(value) => Some(Rc::from([(value, TRUE)])),
            None => self.few.get(word).cloned(),
        }
    }

    fn note(&mut self, word: &[Lit], cases: BTreeMap<u128, Lit>) {
        if cases.len() <= MOST && as_number(word).is_none() {
            self.few.insert(word.into(), cases.into_iter().collect());
        }
    }

    /// The values that an address is known to have, and no others if it is said so.
    pub fn known_cases(&self, word: &[Lit]) -> (Cases, bool) {
        match self.cases(word) {
            Some(cases) => (cases, true),
            None => (self.partly.get(word).cloned().unwrap_or_default(), false),
        }
    }

    /// `a` if the condition holds, else `b`.
    pub fn select(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        let word = self.choose_word(condition, a, b);
        self.is_copy(&word, condition, a, b);
        let ((x, all_of_a), (y, all_of_b)) = (self.known_cases(a), self.known_cases(b));
        let is_exact = all_of_a && all_of_b;
        let is_address =
            word.len() == self.pointer && x.iter().chain(y.iter()).any(|&(v, _)| v >= LEAST_ADDRESS);
        if (is_exact || is_address) && as_number(&word).is_none() {
            let mut both: BTreeMap<u128, (Lit, Lit)> = BTreeMap::new();
            x.iter().for_each(|&(value, here)| both.entry(value).or_insert((FALSE, FALSE)).0 = here);
            y.iter().for_each(|&(value, here)| both.entry(value).or_insert((FALSE, FALSE)).1 = here);
            if both.len() <= MOST {
                let chosen = |(value, (x, y))| (value, self.choose(condition, x, y));
                let cases: BTreeMap<u128, Lit> =
                    both.into_iter().map(chosen).filter(|&(_, here)| here != FALSE).collect();
                if is_exact {
                    self.note(&word, cases);
                } else {
                    self.partly.insert(word.as_slice().into(), cases.into_iter().collect());
                }
            }
        }
        word
    }

    /// The result of an operation and whether it is defined, from what it is for the values that its operands can
    /// have; none if these are too many. On constants the operation must give constants.
    pub fn by_cases<E>(
        &mut self,
        operands: [&[Lit]; 2],
        operation: impl Fn(&mut Gates, &[Lit], &[Lit]) -> Result<(Word, Lit), E>,
    ) -> Result<Option<(Word, Lit)>, E> {
        let [a, b] = operands;
        let (Some(x), Some(y)) = (self.cases(a), self.cases(b)) else { return Ok(None) };
        // What is constant needs no cases.
        if x.len() * y.len() > MOST || x.len() * y.len() == 1 {
            return Ok(None);
        }
        let mut results: BTreeMap<u128, Lit> = BTreeMap::new();
        let mut defined: Vec<(bool, Lit)> = Vec::new();
        let mut width = 0;
        for &(left, is_left) in x.iter() {
            for &(right, is_right) in y.iter() {
                let here = self.and(is_left, is_right);
                if here == FALSE {
                    continue;
                }
                let (word, fine) = operation(self, &number(a.len(), left), &number(b.len(), right))?;
                let Some(value) = as_number(&word) else { return Ok(None) };
                width = word.len();
                let so_far = results.get(&value).copied().unwrap_or(FALSE);
                results.insert(value, self.or(so_far, here));
                defined.push((fine == TRUE, here));
            }
        }
        let fine = self.one_of(defined);
        Ok(Some((self.of_cases(width, results), fine)))
    }

    /// Notes what is known of an address plus a constant, or minus one.
    pub fn is_moved(&mut self, result: &[Lit], address: &[Lit], by: &[Lit], step: fn(u128, u128) -> u128) {
        if result.len() == self.pointer
            && result.len() < 128
            && let (Some(cases), Some(by)) = (self.partly.get(address), as_number(by))
        {
            let wrapped = |value: u128| value & ((1 << result.len()) - 1);
            let moved = cases.iter().map(|&(value, here)| (wrapped(step(value, by)), here));
            let moved: BTreeMap<u128, Lit> = moved.collect();
            self.partly.insert(result.into(), moved.into_iter().collect());
        }
    }

    /// A word with the same value in all runs with these decisions, and with fewer cases if some are impossible.
    pub fn narrowed(&mut self, under: &Under, word: &Rc<Word>) -> Rc<Word> {
        let (cases, is_exact) = self.known_cases(word);
        if as_number(word).is_some() || cases.is_empty() {
            return word.clone();
        }
        let (mut kept, mut impossible) = (BTreeMap::new(), FALSE);
        for &(value, here) in cases.iter() {
            if under.value(self, here) == Some(false) {
                impossible = self.or(impossible, here);
            } else {
                kept.insert(value, here);
            }
        }
        if !is_exact {
            let is_known = kept.values().fold(FALSE, |known, &here| self.or(known, here));
            if under.value(self, is_known) != Some(true) {
                return word.clone();
            }
            let is_any = self.or(is_known, impossible);
            impossible = self.or(impossible, -is_any);
        }
        if impossible == FALSE {
            return word.clone();
        }
        // Elsewhere one of the conditions must still hold.
        if let Some(mut last) = kept.last_entry() {
            let here = self.or(*last.get(), impossible);
            last.insert(here);
        }
        Rc::new(self.of_cases(word.len(), kept))
    }

    /// The word with these cases, of whose conditions exactly one holds.
    pub fn of_cases(&mut self, width: usize, cases: BTreeMap<u128, Lit>) -> Word {
        let bits = (0..width).map(|i| {
            let marked = cases.iter().map(|(&value, &here)| (value >> i & 1 != 0, here));
            self.one_of(marked.collect())
        });
        let word: Word = bits.collect();
        self.note(&word, cases);
        word
    }

    /// Whether one of the cases that are marked is the one that holds.
    fn one_of(&mut self, cases: Vec<(bool, Lit)>) -> Lit {
        let marked = cases.iter().filter(|&&(marked, _)| marked).count();
        // Those that are not marked are the opposite.
        let positive = 2 * marked <= cases.len();
        let some = cases.iter().filter(|&&(marked, _)| marked == positive);
        let some = some.fold(FALSE, |some, &(_, here)| self.or(some, here));
        if positive { some } else { -some }
    }

    /// Whether a word has this value.
    pub fn is_number(&mut self, word: &[Lit], value: u64) -> Lit {
        match self.cases(word) {
            Some(cases) => {
                cases.iter().find(|&&(other, _)| other == u128::from(value)).map_or(FALSE, |&(_, here)| here)
            }
            None => self.equal(word, &number(word.len(), u128::from(value))),
        }
    }
}
