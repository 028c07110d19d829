//! Words that are copies: which of a few words each is, and when.
//!
//! Programs that elect a leader, sort, or hand messages round compare numbers with which they never compute: each is one of a few
//! inputs or constants, chosen by conditions. In the bits of such a choice that cannot be seen, and a solver that is to find
//! out which of four inputs is the greatest needs hundreds of thousands of conflicts for it. So a word that is a choice between
//! inputs and constants has its *sources*, each with its condition, of which exactly one holds whatever the inputs are: a
//! choice has the sources of both sides under its condition. Two such words are compared source by source: the comparison
//! holds if it does for a pair whose conditions both hold. That is exact, and comparisons of the same two inputs are the same
//! gates wherever copies of them went. That these are orders is said in facts: otherwise it would have to be found out bit by bit.
//!
//! Sources are kept without the bits in front that only repeat the sign. What is made wider by its sign is so the same
//! word, and as a number with sign it is the same as its source. What is made wider by a zero has sources that are.

use crate::circuit::{Bit, Circuit, Gate};
use crate::words::{self, extend, significant};
use craig_base::Map;
use std::rc::Rc;

/// How many sources are told apart: where values are computed and chosen again and again, every one would be a new source.
const MOST_SOURCES: usize = 12;
/// How many pairs of sources one comparison is made of.
const MOST_PAIRS: usize = 64;
/// Narrower inputs are flags, about which bits say all.
const LEAST_WIDTH: usize = 3;

/// Each with the condition under which the word is this one.
type Sources = Rc<[(Rc<[Bit]>, Bit)]>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    /// The sources of choices.
    sources: Map<Rc<[Bit]>, Sources>,
    /// Of sources as numbers without sign and with it.
    orders: [Orders; 2],
}

/// Sources that were compared, by their places, and which are less than which.
#[derive(Clone, Debug, Default)]
struct Orders {
    sources: Vec<Rc<[Bit]>>,
    less: Map<(usize, usize), Bit>,
}

impl Orders {
    fn number(&mut self, source: &Rc<[Bit]>) -> Option<usize> {
        let known = self.sources.iter().position(|known| known == source);
        if known.is_none() && self.sources.len() < MOST_SOURCES {
            self.sources.push(source.clone());
            return Some(self.sources.len() - 1);
        }
        known
    }
}

/// Notes that a word is the first of two if a condition holds, and otherwise the second.
pub(crate) fn is_choice(circuit: &mut Circuit, choice: &[Bit], condition: Bit, a: &[Bit], b: &[Bit]) {
    if choice == a || choice == b {
        return;
    }
    let (Some(x), Some(y)) = (sources(circuit, a), sources(circuit, b)) else { return };
    let mut both: Vec<(Rc<[Bit]>, Bit, Bit)> =
        x.iter().map(|(source, here)| (source.clone(), *here, Bit::FALSE)).collect();
    for (source, here) in y.iter() {
        match both.iter_mut().find(|(known, ..)| known == source) {
            Some((_, _, in_b)) => *in_b = *here,
            None => both.push((source.clone(), Bit::FALSE, *here)),
        }
    }
    if both.len() > MOST_SOURCES || both.iter().all(|(source, ..)| is_constant(source)) {
        return;
    }
    let chosen = both.into_iter().map(|(source, x, y)| (source, circuit.mux(condition, x, y)));
    let chosen: Sources = chosen.filter(|&(_, here)| here != Bit::FALSE).collect();
    circuit.copies.sources.insert(choice[..significant(choice)].into(), chosen);
}

/// How words are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Relation {
    Equal,
    Less { signed: bool },
}

impl Relation {
    fn of(self, circuit: &mut Circuit, a: &[Bit], b: &[Bit]) -> Bit {
        match self {
            Relation::Equal => words::equal(circuit, a, b),
            Relation::Less { signed } => words::less(circuit, a, b, signed),
        }
    }
}

/// A comparison of two words of one width, by their sources where they are copies.
pub(crate) fn compare(circuit: &mut Circuit, relation: Relation, a: &[Bit], b: &[Bit]) -> Bit {
    let pairs = match (sources(circuit, a), sources(circuit, b)) {
        (Some(x), Some(y)) if (2..=MOST_PAIRS).contains(&(x.len() * y.len())) => (x, y),
        _ => return relation.of(circuit, a, b),
    };
    let mut holds = Bit::FALSE;
    for (left, is_left) in pairs.0.iter() {
        for (right, is_right) in pairs.1.iter() {
            let here = circuit.and(*is_left, *is_right);
            if here != Bit::FALSE {
                let pair = between(circuit, relation, left, right);
                let pair = circuit.and(here, pair);
                holds = circuit.or(holds, pair);
            }
        }
    }
    holds
}

/// The comparison of two sources, which does not depend on how often their signs are repeated.
fn between(circuit: &mut Circuit, relation: Relation, a: &Rc<[Bit]>, b: &Rc<[Bit]>) -> Bit {
    let width = a.len().max(b.len());
    let (wide_a, wide_b) = (extend(a, width, true), extend(b, width, true));
    let holds = relation.of(circuit, &wide_a, &wide_b);
    if let Relation::Less { signed } = relation {
        let opposite = relation.of(circuit, &wide_b, &wide_a);
        let equal = words::equal(circuit, &wide_a, &wide_b);
        is_order(circuit, signed, [a, b], [holds, opposite, equal]);
    }
    holds
}

/// Says what the order of two sources has to do with that of others: two numbers are equal, or one is less, and what is less than
/// something less is less.
fn is_order(circuit: &mut Circuit, signed: bool, pair: [&Rc<[Bit]>; 2], [less, greater, equal]: [Bit; 3]) {
    let orders = &mut circuit.copies.orders[usize::from(signed)];
    let [Some(i), Some(j)] = pair.map(|source| orders.number(source)) else { return };
    if i == j || orders.less.contains_key(&(i, j)) {
        return;
    }
    orders.less.extend([((i, j), less), ((j, i), greater)]);
    let mut facts = vec![[less, greater, equal]];
    facts.extend([
        [!less, !greater, Bit::FALSE],
        [!less, !equal, Bit::FALSE],
        [!greater, !equal, Bit::FALSE],
    ]);
    for k in 0..orders.sources.len() {
        for (a, b, c) in [(i, j, k), (j, i, k), (i, k, j), (j, k, i), (k, i, j), (k, j, i)] {
            let known = [(a, b), (b, c), (a, c)].map(|pair| orders.less.get(&pair).copied());
            if let [Some(first), Some(second), Some(both)] = known {
                facts.push([!first, !second, both]);
            }
        }
    }
    for [a, b, c] in facts {
        let either = circuit.or(a, b);
        let fact = circuit.or(either, c);
        circuit.add_fact(fact);
    }
}

/// Those of a choice; an input or a constant is its own.
fn sources(circuit: &Circuit, word: &[Bit]) -> Option<Sources> {
    let short = &word[..significant(word)];
    if let Some(known) = circuit.copies.sources.get(short) {
        return Some(known.clone());
    }
    if let [low @ .., Bit::FALSE] = short
        && let Some(known) = circuit.copies.sources.get(low)
    {
        let widened = |source: &[Bit]| {
            let mut wide = extend(source, low.len(), true);
            wide.push(Bit::FALSE);
            Rc::from(&wide[..significant(&wide)])
        };
        return Some(known.iter().map(|(source, here)| (widened(source), *here)).collect());
    }
    let is_given =
        |&bit: &Bit| bit.as_constant().is_some() || matches!(circuit.gate(bit.gate()), Gate::Input);
    let is_source = is_constant(short) || (short.len() >= LEAST_WIDTH && short.iter().all(is_given));
    is_source.then(|| Rc::from([(Rc::from(short), Bit::TRUE)]))
}

fn is_constant(word: &[Bit]) -> bool {
    word.iter().all(|bit| bit.as_constant().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_compare_as_words_do() {
        let mut circuit = Circuit::default();
        let inputs: Vec<Vec<Bit>> = (0..3).map(|_| words::inputs(&mut circuit, 3)).collect();
        let conditions = words::inputs(&mut circuit, 3);
        let minus_one = words::constant(3, 7);
        let choose = |circuit: &mut Circuit, condition: usize, a: &[Bit], b: &[Bit]| {
            let choice = words::mux(circuit, conditions[condition], a, b);
            is_choice(circuit, &choice, conditions[condition], a, b);
            choice
        };
        let first = choose(&mut circuit, 0, &inputs[0], &inputs[1]);
        let second = choose(&mut circuit, 1, &first, &minus_one);
        let third = choose(&mut circuit, 2, &second, &inputs[2]);
        for (a, b) in [(&first, &second), (&second, &third), (&third, &first)] {
            let (wide_a, wide_b) = (extend(a, 5, true), extend(b, 5, true));
            assert!(sources(&circuit, &wide_a).is_some_and(|found| found.len() > 1));
            let less = |signed| Relation::Less { signed };
            let by_sources = [
                compare(&mut circuit, Relation::Equal, &wide_a, &wide_b),
                compare(&mut circuit, less(true), &wide_a, &wide_b),
                compare(&mut circuit, less(false), a, b),
            ];
            let zero_extended = [a, b].map(|word| extend(word, 5, false));
            assert!(
                zero_extended.iter().all(|word| sources(&circuit, word).is_some_and(|found| found.len() > 1))
            );
            let [long_a, long_b] = &zero_extended;
            let by_sources = [&by_sources[..], &[compare(&mut circuit, less(true), long_a, long_b)]].concat();
            let by_bits = [
                words::equal(&mut circuit, a, b),
                words::less(&mut circuit, a, b, true),
                words::less(&mut circuit, a, b, false),
                words::less(&mut circuit, a, b, false),
            ];
            for assignment in 0..1u32 << 12 {
                // The inputs are the first gates after the constant.
                let values = circuit.evaluate(|bit| assignment >> (bit.gate() - 1) & 1 != 0);
                let value = |bit: &Bit| values[bit.gate()] != bit.is_negated();
                assert!(by_sources.iter().map(value).eq(by_bits.iter().map(value)), "{assignment:b}");
                assert!(circuit.facts().iter().all(value), "{assignment:b}");
            }
        }
    }
}
