//! Values of the unwinding: bits, and what is known of the addresses among them.

use crate::{Bit, Circuit, words};
use std::rc::Rc;

/// How many possible values are told apart.
const MOST_VALUES: usize = 32;
/// Into how many objects an address may point before that says nothing.
const MOST_BASES: usize = 8;

#[derive(Clone, Debug)]
pub(super) struct Word {
    pub bits: Vec<Bit>,
    pub hint: Hint,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    Nothing,
    /// The value is one of these: a fact.
    Values(Rc<[u64]>),
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
    pub fn values(&self) -> Option<Rc<[u64]>> {
        match (&self.hint, self.as_address()) {
            (_, Some(value)) => Some(Rc::from([value])),
            (Hint::Values(values), None) => Some(values.clone()),
            _ => None,
        }
    }

    /// The hint for this word at another width.
    pub fn extended(&self, width: usize, signed: bool) -> Hint {
        let Some(values) = self.values() else { return Hint::Nothing };
        let (from, mask) = (self.bits.len() as u32, u64::MAX >> (64 - width));
        let extend = |value: u64| {
            let negative = signed && from < 64 && value >> (from - 1) & 1 != 0;
            (if negative { value | u64::MAX << from } else { value }) & mask
        };
        Hint::Values(sorted(values.iter().map(|&value| extend(value))))
    }

    /// `a` if the condition holds, and `b` otherwise.
    pub fn mux(circuit: &mut Circuit, condition: Bit, a: &Word, b: &Word, objects: &Objects) -> Word {
        let bits = words::mux(circuit, condition, &a.bits, &b.bits);
        let hint = match (a.values(), b.values()) {
            (Some(x), Some(y)) if x.len() + y.len() <= MOST_VALUES => {
                Hint::Values(sorted(x.iter().chain(y.iter()).copied()))
            }
            _ => objects.either(a, b),
        };
        Word { bits, hint }
    }

    /// The hint for the result of an arithmetic operation.
    pub fn derived(
        a: &Word,
        b: &Word,
        operation: Option<&dyn Fn(u64, u64) -> u64>,
        objects: &Objects,
    ) -> Hint {
        if let (Some(operation), Some(x), Some(y)) = (operation, a.values(), b.values())
            && x.len() * y.len() <= MOST_VALUES
        {
            return Hint::Values(sorted(x.iter().flat_map(|&x| y.iter().map(move |&y| operation(x, y)))));
        }
        objects.either(a, b)
    }
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
    pub extents: std::collections::BTreeMap<u64, u64>,
    /// The least distance between two objects.
    pub gap: u64,
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
            _ => Some(sorted(word.values()?.iter().filter_map(|&value| self.base(value)))),
        }
    }

    /// What a word that may have changed still is, if it was an address: a guess.
    pub fn origin(&self, word: &Word) -> Hint {
        match self.bases(word) {
            Some(bases) if !bases.is_empty() => Hint::Bases(bases),
            _ => Hint::Nothing,
        }
    }

    fn either(&self, a: &Word, b: &Word) -> Hint {
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
