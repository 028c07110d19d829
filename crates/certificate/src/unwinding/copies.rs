//! Comparisons of words that were chosen among words given from outside.
//!
//! A number that a program only hands on is, wherever it turns up, one of a few free or constant words. The sources of a
//! word are such words with conditions, of which exactly one holds, whatever the free variables are, and then the word and
//! this source are the same number with sign. That is kept by construction: a free or constant word is its only source, and
//! a choice has the sources of both sides, each under its condition there and that of the choice. A relation between two words
//! then holds if and only if, for the sources whose conditions hold, it does; and it is said so, for all pairs. What two free words
//! are to each other is one gate, of which all comparisons of their copies are made.
//!
//! Words are looked up without the bits in front that repeat the sign, which do not change the number. Where a source needs more bits
//! than the word has that is compared, it is cut off: where its condition holds, these bits repeat the sign as well.

use super::gates::{FALSE, Gate, Gates, Lit, TRUE, as_number, widened};
use super::meaning::needed;
use craig_base::Map;
use std::rc::Rc;

/// Words with more sources have none.
const MOST: usize = 12;
/// Comparisons of more pairs are made bit by bit.
const MOST_PAIRS: usize = 64;
/// Free words below this width are not worth it.
const LEAST: usize = 3;

/// Each source with its condition.
type Sources = Vec<(Box<[Lit]>, Lit)>;

/// Of choices, by what is needed of their literals.
#[derive(Default)]
pub(super) struct Copies(Map<Box<[Lit]>, Rc<Sources>>);

impl Gates {
    fn sources(&self, word: &[Lit]) -> Option<Rc<Sources>> {
        let word = &word[..needed(word)];
        if let Some(sources) = self.copies.0.get(word) {
            return Some(sources.clone());
        }
        let is_free = |&lit: &Lit| lit.abs() == TRUE || self.gate(lit) == Gate::Free;
        let is_source = as_number(word).is_some() || (word.len() >= LEAST && word.iter().all(is_free));
        is_source.then(|| Rc::new(vec![(word.into(), TRUE)]))
    }

    /// Notes that `word` is `a` if the condition holds, else `b`.
    pub fn is_copy(&mut self, word: &[Lit], condition: Lit, a: &[Lit], b: &[Lit]) {
        let (Some(of_a), Some(of_b)) = (self.sources(a), self.sources(b)) else { return };
        if word == a || word == b {
            return;
        }
        let here = |sources: &Sources, wanted: &[Lit]| {
            sources.iter().find(|(source, _)| **source == *wanted).map_or(FALSE, |&(_, here)| here)
        };
        let new = of_b.iter().filter(|(source, _)| of_a.iter().all(|(known, _)| known != source));
        let all: Vec<Box<[Lit]>> = of_a.iter().chain(new).map(|(source, _)| source.clone()).collect();
        if all.len() > MOST || all.iter().all(|source| as_number(source).is_some()) {
            return;
        }
        let mut sources = Sources::new();
        for source in all {
            let chosen = self.choose(condition, here(&of_a, &source), here(&of_b, &source));
            if chosen != FALSE {
                sources.push((source, chosen));
            }
        }
        self.copies.0.insert(word[..needed(word)].into(), Rc::new(sources));
    }

    /// Whether a relation holds between two words of one width.
    pub fn related(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        relation: impl Fn(&mut Gates, &[Lit], &[Lit]) -> Lit,
    ) -> Lit {
        let pairs = match (self.sources(a), self.sources(b)) {
            (Some(x), Some(y)) if (2..=MOST_PAIRS).contains(&(x.len() * y.len())) => (x, y),
            _ => return relation(self, a, b),
        };
        let mut related = FALSE;
        for (left, is_left) in pairs.0.iter() {
            for (right, is_right) in pairs.1.iter() {
                let here = self.and(*is_left, *is_right);
                if here != FALSE {
                    let (left, right) = (widened(left, a.len(), true), widened(right, b.len(), true));
                    let between = relation(self, &left, &right);
                    let both = self.and(here, between);
                    related = self.or(related, both);
                }
            }
        }
        related
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sources_say_of_copies_their_bits_say() {
        let mut g = Gates::new(64);
        let words: Vec<Vec<Lit>> = (0..3).map(|_| g.free_word(3)).collect();
        let conditions = g.free_word(3);
        let choose =
            |g: &mut Gates, condition: usize, a: &[Lit], b: &[Lit]| g.select(conditions[condition], a, b);
        let first = choose(&mut g, 0, &words[0], &words[1]);
        let second = choose(&mut g, 1, &first, &[TRUE, TRUE, TRUE]);
        let third = choose(&mut g, 2, &second, &words[2]);
        let mut pairs = Vec::new();
        for (a, b) in [(&first, &second), (&second, &third), (&third, &first)] {
            let (wide_a, wide_b) = (widened(a, 5, true), widened(b, 5, true));
            assert!(g.sources(&wide_a).is_some_and(|sources| sources.len() > 1));
            pairs.push((g.related(&wide_a, &wide_b, Gates::equal), g.equal(a, b)));
            pairs.push((g.related(a, b, Gates::below), g.below(a, b)));
            pairs.push((g.related(&wide_a, &wide_b, Gates::below), g.below(&wide_a, &wide_b)));
        }
        for assignment in 0..1u32 << 12 {
            let free: Vec<bool> = (0..12).map(|i| assignment >> i & 1 != 0).collect();
            let values = g.simulate(&free);
            let value = |lit: Lit| values[lit.unsigned_abs() as usize - 1] == (lit > 0);
            assert!(pairs.iter().all(|&(one, other)| value(one) == value(other)), "{assignment:b}");
        }
    }
}
