//! Sums and products of words as polynomials modulo a power of two: what is equal by the laws of a ring is one word, and
//! needs no search.

use super::sorts::Word;
use crate::{Bit, Circuit, words};
use craig_base::Map;
use std::collections::BTreeMap;

/// Polynomials with more terms are words like others.
const MOST_TERMS: usize = 24;
/// The widest coefficients.
const MOST_BITS: usize = 128;

/// Coefficients by products of words, which are named by sorted numbers. No coefficient is zero.
type Polynomial = BTreeMap<Vec<usize>, u128>;

#[derive(Default)]
pub(super) struct Polynomials {
    atoms: Map<Word, usize>,
    of: Map<Word, Polynomial>,
    /// By width.
    known: Map<(usize, Polynomial), Word>,
}

fn mask(width: usize) -> u128 {
    u128::MAX >> (MOST_BITS - width)
}

impl Polynomials {
    fn of(&mut self, word: &Word) -> Polynomial {
        if let Some(known) = self.of.get(word) {
            return known.clone();
        }
        let term = match words::as_constant(word) {
            Some(value) => (Vec::new(), value),
            None => {
                let number = self.atoms.len();
                (vec![*self.atoms.entry(word.clone()).or_insert(number)], 1)
            }
        };
        let polynomial: Polynomial = [term].into_iter().filter(|(_, factor)| *factor != 0).collect();
        self.known.entry((word.len(), polynomial.clone())).or_insert_with(|| word.clone());
        polynomial
    }

    /// The word that `make` makes, which must be `operator` of these, or an equal one that is there already.
    pub fn apply(
        &mut self,
        circuit: &mut Circuit,
        operator: &str,
        a: &Word,
        b: &Word,
        make: impl FnOnce(&mut Circuit) -> Vec<Bit>,
    ) -> Word {
        let width = a.len();
        if width > MOST_BITS {
            return make(circuit).into();
        }
        let (x, y) = (self.of(a), self.of(b));
        let Some(polynomial) = combine(operator, width, &x, &y) else { return make(circuit).into() };
        let key = (width, polynomial);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let word: Word = match key.1.keys().all(Vec::is_empty) {
            true => words::constant(width, key.1.values().copied().next().unwrap_or(0)).into(),
            false => make(circuit).into(),
        };
        self.of.entry(word.clone()).or_insert_with(|| key.1.clone());
        self.known.insert(key, word.clone());
        word
    }
}

fn combine(operator: &str, width: usize, x: &Polynomial, y: &Polynomial) -> Option<Polynomial> {
    let mut sum = Polynomial::default();
    let mut add = |product: Vec<usize>, factor: u128| {
        let entry = sum.entry(product).or_insert(0);
        *entry = entry.wrapping_add(factor) & mask(width);
    };
    match operator {
        "bvmul" => {
            if x.len() * y.len() > MOST_TERMS {
                return None;
            }
            for (p, m) in x.iter() {
                for (q, n) in y.iter() {
                    let mut product = [&p[..], q].concat();
                    product.sort_unstable();
                    add(product, m.wrapping_mul(*n));
                }
            }
        }
        _ => {
            x.iter().for_each(|(product, factor)| add(product.clone(), *factor));
            for (product, factor) in y.iter() {
                add(product.clone(), if operator == "bvsub" { factor.wrapping_neg() } else { *factor });
            }
        }
    }
    let sum: Polynomial = sum.into_iter().filter(|(_, factor)| *factor != 0).collect();
    (sum.len() <= MOST_TERMS).then_some(sum)
}
