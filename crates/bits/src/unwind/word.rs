//! Values of the unwinding: bits, and what is known of the addresses among them.
//!
//! A pointer that is merged from several paths, or read from memory, has one of a few values: the addresses of some
//! nodes, or null. Its bits do not show that, so the word says it: each value with the condition under which it is
//! this one. A choice has the cases of both sides, and an operation those of its operands, pair by pair. Then an
//! access is one to the places that the cases name, and a comparison a disjunction of conditions; the
//! bits themselves are seldom needed. What was never written has no such cases, and where it is mixed with addresses, as in the
//! elements of a stack, some are known: elsewhere, a use as an address is a guess that fails.

use super::under::Under;
use crate::{Bit, Circuit, copies, words};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many possible values are told apart.
pub(super) const MOST_VALUES: usize = 32;
/// Into how many objects an address may point before that says nothing.
const MOST_BASES: usize = 8;

#[derive(Clone, Debug)]
pub(super) struct Word {
    pub bits: Vec<Bit>,
    pub hint: Hint,
}

/// Values with their conditions.
pub(super) type Cases = Rc<[(u64, Bit)]>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    Nothing,
    /// The value is one of these, in order, and in runs that have it exactly one of their conditions holds: a fact.
    Cases(Cases),
    /// Where one of the conditions holds, of which no two do, it has this value: a fact. Elsewhere, it is no address: a guess, which
    /// every use checks.
    Partly(Cases),
    /// If it is an address, it was made from the addresses of these objects: a guess, which every use checks.
    Bases(Rc<[u64]>),
}

impl Word {
    pub fn new(bits: Vec<Bit>) -> Word {
        Word { bits, hint: Hint::Nothing }
    }

    pub fn constant(width: usize, value: u128) -> Word {
        Word::new(words::constant(width, value))
    }

    pub fn as_constant(&self) -> Option<u128> {
        words::as_constant(&self.bits)
    }

    pub fn as_address(&self) -> Option<u64> {
        self.as_constant().and_then(|value| u64::try_from(value).ok())
    }

    /// All values that it can have, if they are few.
    pub fn cases(&self) -> Option<Cases> {
        match (&self.hint, self.as_address()) {
            (_, Some(value)) => Some(Rc::from([(value, Bit::TRUE)])),
            (Hint::Cases(cases), None) => Some(cases.clone()),
            _ => None,
        }
    }

    /// The values that it is known to have, each with its condition.
    fn known(&self) -> Option<Cases> {
        match &self.hint {
            Hint::Partly(cases) => Some(cases.clone()),
            Hint::Bases(_) if self.as_address().is_none() => None,
            _ => Some(self.cases().unwrap_or_default()),
        }
    }

    /// What is known of the sum or difference with a constant, if some values are known and others are not.
    pub fn moved(&self, by: &Word, step: impl Fn(u64, u64) -> u64) -> Option<Hint> {
        let Hint::Partly(cases) = &self.hint else { return None };
        let by = by.as_address().filter(|_| by.bits.len() == self.bits.len() && by.bits.len() <= 64)?;
        let most = u64::MAX >> (64 - self.bits.len());
        let moved = cases.iter().map(|&(value, here)| (step(value, by) & most, here));
        let mut moved: Vec<(u64, Bit)> = moved.collect();
        moved.sort_unstable();
        Some(Hint::Partly(moved.into()))
    }

    /// The word with these cases, of whose conditions exactly one holds.
    pub fn of_cases(circuit: &mut Circuit, width: usize, cases: BTreeMap<u64, Bit>) -> Word {
        let bits = (0..width).map(|i| {
            let marked = cases.iter().map(|(&value, &here)| (value >> i & 1 != 0, here));
            one_of(circuit, marked.collect())
        });
        Word { bits: bits.collect(), hint: Hint::Cases(cases.into_iter().collect()) }
    }

    /// `a` if the condition holds, and `b` otherwise.
    pub fn mux(circuit: &mut Circuit, condition: Bit, a: &Word, b: &Word, objects: &Objects) -> Word {
        let bits = words::mux(circuit, condition, &a.bits, &b.bits);
        copies::is_choice(circuit, &bits, condition, &a.bits, &b.bits);
        let mut both: BTreeMap<u64, (Bit, Bit)> = BTreeMap::new();
        let is_exact = a.cases().is_some() && b.cases().is_some();
        if (is_exact || bits.len() == objects.pointer)
            && let (Some(x), Some(y)) = (a.known(), b.known())
        {
            for &(value, here) in x.iter() {
                both.entry(value).or_insert((Bit::FALSE, Bit::FALSE)).0 = here;
            }
            for &(value, here) in y.iter() {
                both.entry(value).or_insert((Bit::FALSE, Bit::FALSE)).1 = here;
            }
        }
        let has_addresses = || both.keys().any(|&value| objects.base(value).is_some());
        if both.is_empty() || both.len() > MOST_VALUES || !(is_exact || has_addresses()) {
            return Word { bits, hint: objects.either(a, b) };
        }
        let cases = both.into_iter().map(|(value, (x, y))| (value, circuit.mux(condition, x, y)));
        let cases = cases.filter(|&(_, here)| here != Bit::FALSE).collect();
        Word { bits, hint: if is_exact { Hint::Cases(cases) } else { Hint::Partly(cases) } }
    }

    /// The same value in all runs with these decisions, with fewer cases if some are impossible there.
    pub fn narrowed(self: &Rc<Word>, circuit: &mut Circuit, under: &Under) -> Rc<Word> {
        let (Hint::Cases(cases) | Hint::Partly(cases)) = &self.hint else { return self.clone() };
        let possible = |&&(_, here): &&(u64, Bit)| under.value(circuit, here) != Some(false);
        let kept: BTreeMap<u64, Bit> = cases.iter().filter(possible).copied().collect();
        let is_same = kept.len() == cases.len();
        if let Hint::Partly(_) = self.hint {
            let is_known = kept.values().fold(Bit::FALSE, |known, &here| circuit.or(known, here));
            if under.value(circuit, is_known) != Some(true) {
                if is_same {
                    return self.clone();
                }
                let hint = Hint::Partly(kept.into_iter().collect());
                return Rc::new(Word { bits: self.bits.clone(), hint });
            }
        } else if is_same {
            return self.clone();
        }
        Rc::new(Word::of_cases(circuit, self.bits.len(), kept))
    }

    /// The result of an operation and whether it is defined, from what it is for the values that its operands can
    /// have; none if these are too many.
    pub fn by_cases<E>(
        circuit: &mut Circuit,
        [a, b]: [&Word; 2],
        operation: impl Fn(&mut Circuit, &[Bit], &[Bit]) -> Result<(Vec<Bit>, Bit), E>,
    ) -> Result<Option<(Word, Bit)>, E> {
        let (Some(x), Some(y)) = (a.cases(), b.cases()) else { return Ok(None) };
        // What is constant needs no cases.
        if x.len() * y.len() > MOST_VALUES || x.len() * y.len() == 1 {
            return Ok(None);
        }
        let mut results: BTreeMap<u64, Bit> = BTreeMap::new();
        let mut defined: Vec<(bool, Bit)> = Vec::new();
        let mut width = 0;
        for &(left, is_left) in x.iter() {
            for &(right, is_right) in y.iter() {
                let here = circuit.and(is_left, is_right);
                if here == Bit::FALSE {
                    continue;
                }
                let left = words::constant(a.bits.len(), u128::from(left));
                let right = words::constant(b.bits.len(), u128::from(right));
                let (bits, fine) = operation(circuit, &left, &right)?;
                let Some(value) = words::as_constant(&bits) else { return Ok(None) };
                let Ok(value) = u64::try_from(value) else { return Ok(None) };
                width = bits.len();
                let so_far = results.get(&value).copied().unwrap_or(Bit::FALSE);
                results.insert(value, circuit.or(so_far, here));
                defined.push((fine == Bit::TRUE, here));
            }
        }
        let fine = one_of(circuit, defined);
        Ok(Some((Word::of_cases(circuit, width, results), fine)))
    }
}

/// Whether one of the cases that are marked is the one that holds.
fn one_of(circuit: &mut Circuit, cases: Vec<(bool, Bit)>) -> Bit {
    let marked = cases.iter().filter(|&&(marked, _)| marked).count();
    // Those that are not marked are the opposite.
    let positive = 2 * marked <= cases.len();
    let some = cases.iter().filter(|&&(marked, _)| marked == positive);
    let some = some.fold(Bit::FALSE, |some, &(_, here)| circuit.or(some, here));
    if positive { some } else { !some }
}

fn sorted(values: impl Iterator<Item = u64>) -> Rc<[u64]> {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values.dedup();
    values.into()
}

/// Where objects begin, and how far they reach at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    pub extents: BTreeMap<u64, u64>,
    /// The least distance between two objects.
    pub gap: u64,
    /// How many bits an address has.
    pub pointer: usize,
}

impl Objects {
    /// The beginning of the object to which an address belongs: it, or the gap after it.
    pub fn base(&self, address: u64) -> Option<u64> {
        let (&start, &size) = self.extents.range(..=address).next_back()?;
        (address - start <= size.saturating_add(self.gap)).then_some(start)
    }

    pub fn bases(&self, word: &Word) -> Option<Rc<[u64]>> {
        match &word.hint {
            Hint::Bases(bases) => Some(bases.clone()),
            Hint::Partly(cases) => Some(sorted(cases.iter().filter_map(|&(value, _)| self.base(value)))),
            _ => Some(sorted(word.cases()?.iter().filter_map(|&(value, _)| self.base(value)))),
        }
    }

    /// What a word that may have changed still is, if it was an address: a guess.
    pub fn origin(&self, word: &Word) -> Hint {
        match self.bases(word) {
            Some(bases) if !bases.is_empty() => Hint::Bases(bases),
            _ => Hint::Nothing,
        }
    }

    /// The result of an operation.
    pub fn either(&self, a: &Word, b: &Word) -> Hint {
        match (self.bases(a), self.bases(b)) {
            (Some(x), Some(y)) if x.len() + y.len() <= MOST_BASES => {
                Hint::Bases(sorted(x.iter().chain(y.iter()).copied()))
            }
            // A number that is no address, added to one.
            (Some(x), None) | (None, Some(x)) if !x.is_empty() => Hint::Bases(x),
            _ => Hint::Nothing,
        }
    }

    /// From the end of the object before to the beginning of the one after.
    pub fn surroundings(&self, start: u64) -> (u64, Option<u64>) {
        // Objects of different paths may overlap.
        let before = self.extents.range(..start).map(|(&start, &size)| start + size).max().unwrap_or(0);
        let after = self.extents.range(start + 1..).next().map(|(&start, _)| start);
        (before, after)
    }
}
