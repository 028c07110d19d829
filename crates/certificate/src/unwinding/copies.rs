//! Comparisons of words that were chosen among words given from outside.
//!
//! A number that a program only hands on is, wherever it turns up, one of a few free or constant words. The sources of a
//! word are such words with conditions, of which exactly one holds, whatever the free variables are, and then the word and
//! this source are the same number with sign. That is kept by construction: a free or constant word is its only source, and
//! a choice has the sources of both sides, each under its condition there and that of the choice. A relation between two words
//! then holds if and only if, for the sources whose conditions hold, it does; and it is said so, for all pairs. What two free words
//! are to each other is one gate, of which all comparisons of their copies are made. That "less" is a total order on numbers is added
//! as facts ([`Gates::facts`]), which hold for all values of the free variables.
//!
//! Words are looked up without the bits in front that repeat the sign, which do not change the number. Numbers without sign that are
//! made wider by their sign stay in the same order as well: those whose highest bit is set are above all others, in any width.

use super::gates::{FALSE, Gate, Gates, Lit, TRUE, as_number, widened};
use super::meaning::{less, needed};
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

/// What can hold between words.
#[derive(Clone, Copy)]
pub(super) enum Relation {
    Equal,
    Less { signed: bool },
}

#[derive(Default)]
pub(super) struct Copies {
    /// Of choices, by what is needed of their literals.
    choices: Map<Box<[Lit]>, Rc<Sources>>,
    /// Without sign and with it.
    known: [Known; 2],
}

/// Sources that were compared, and which of them, by their places, are less than which.
#[derive(Default)]
struct Known {
    sources: Vec<Box<[Lit]>>,
    less: Map<(usize, usize), Lit>,
}

impl Known {
    /// Of the first few.
    fn place(&mut self, source: &[Lit]) -> Option<usize> {
        let place = self.sources.iter().position(|known| **known == *source).unwrap_or(self.sources.len());
        if place == self.sources.len() && place < MOST {
            self.sources.push(source.into());
        }
        (place < self.sources.len()).then_some(place)
    }
}

impl Gates {
    fn sources(&self, word: &[Lit]) -> Option<Rc<Sources>> {
        let word = &word[..needed(word)];
        if let Some(sources) = self.copies.choices.get(word) {
            return Some(sources.clone());
        }
        if let [low @ .., FALSE] = word
            && let Some(sources) = self.copies.choices.get(low)
        {
            // Made wider without sign, and so are its sources.
            let wider = |(source, here): &(Box<[Lit]>, Lit)| {
                let mut wide = widened(source, low.len(), true);
                wide.push(FALSE);
                (wide[..needed(&wide)].into(), *here)
            };
            return Some(Rc::new(sources.iter().map(wider).collect()));
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
        self.copies.choices.insert(word[..needed(word)].into(), Rc::new(sources));
    }

    /// Whether a relation holds between two words of one width.
    pub fn related(&mut self, relation: Relation, a: &[Lit], b: &[Lit]) -> Lit {
        let pairs = match (self.sources(a), self.sources(b)) {
            (Some(x), Some(y)) if (2..=MOST_PAIRS).contains(&(x.len() * y.len())) => (x, y),
            _ => return self.relation(relation, a, b),
        };
        let mut related = FALSE;
        for (left, is_left) in pairs.0.iter() {
            for (right, is_right) in pairs.1.iter() {
                let here = self.and(*is_left, *is_right);
                if here != FALSE {
                    let between = self.of_sources(relation, left, right);
                    let both = self.and(here, between);
                    related = self.or(related, both);
                }
            }
        }
        related
    }

    fn relation(&mut self, relation: Relation, a: &[Lit], b: &[Lit]) -> Lit {
        match relation {
            Relation::Equal => self.equal(a, b),
            Relation::Less { signed } => less(self, signed, a, b),
        }
    }

    /// In any width that both need the result is the same, with sign and without.
    fn of_sources(&mut self, relation: Relation, a: &[Lit], b: &[Lit]) -> Lit {
        let width = a.len().max(b.len());
        let (wide_a, wide_b) = (widened(a, width, true), widened(b, width, true));
        let result = self.relation(relation, &wide_a, &wide_b);
        if let Relation::Less { signed } = relation {
            let more = less(self, signed, &wide_b, &wide_a);
            let same = self.equal(&wide_a, &wide_b);
            self.compared(signed, [a, b], [result, more, same]);
        }
        result
    }

    /// Two sources and how they compare: the facts about it that go without saying for numbers, and not for gates.
    fn compared(&mut self, signed: bool, pair: [&[Lit]; 2], [less, more, same]: [Lit; 3]) {
        let known = &mut self.copies.known[usize::from(signed)];
        let [Some(p), Some(q)] = pair.map(|source| known.place(source)) else { return };
        if p == q || known.less.contains_key(&(p, q)) {
            return;
        }
        known.less.insert((p, q), less);
        known.less.insert((q, p), more);
        let mut facts = vec![vec![less, more, same]];
        facts.extend([vec![-less, -more], vec![-less, -same], vec![-more, -same]]);
        for r in 0..known.sources.len() {
            // x < y and y < z imply x < z.
            for [x, y, z] in [[p, q, r], [q, p, r], [p, r, q], [q, r, p], [r, p, q], [r, q, p]] {
                let orders = (known.less.get(&(x, y)), known.less.get(&(y, z)), known.less.get(&(x, z)));
                if let (Some(&first), Some(&second), Some(&both)) = orders {
                    facts.push(vec![-first, -second, both]);
                }
            }
        }
        for fact in facts {
            let fact = self.any(&fact);
            self.facts.push(fact);
        }
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
            let below = Relation::Less { signed: false };
            pairs.push((g.related(Relation::Equal, &wide_a, &wide_b), g.equal(a, b)));
            pairs.push((g.related(below, a, b), g.below(a, b)));
            let (long_a, long_b) = (widened(a, 5, false), widened(b, 5, false));
            assert!(g.sources(&long_a).is_some_and(|sources| sources.len() > 1));
            pairs.push((g.related(Relation::Less { signed: true }, &long_a, &long_b), g.below(a, b)));
            pairs.push((g.related(below, &wide_a, &wide_b), g.below(&wide_a, &wide_b)));
            pairs.push((g.related(Relation::Less { signed: true }, a, b), less(&mut g, true, a, b)));
        }
        for assignment in 0..1u32 << 12 {
            let free: Vec<bool> = (0..12).map(|i| assignment >> i & 1 != 0).collect();
            let values = g.simulate(&free);
            let value = |lit: Lit| values[lit.unsigned_abs() as usize - 1] == (lit > 0);
            assert!(pairs.iter().all(|&(one, other)| value(one) == value(other)), "{assignment:b}");
            assert!(g.facts.iter().all(|&fact| value(fact)), "{assignment:b}");
        }
    }
}
