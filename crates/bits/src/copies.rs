//! Words that are copies: which of a few words each is, and when.
//!
//! Programs that elect a leader, sort, or hand messages round compare numbers with which they never compute: each is one of a few
//! inputs or constants, chosen by conditions. In the bits of such a choice that cannot be seen, and a solver that is to find
//! out which of four inputs is the greatest needs hundreds of thousands of conflicts for it. So a word that is a choice between
//! inputs and constants has its *sources*, each with its condition, of which exactly one holds whatever the inputs are: a
//! choice has the sources of both sides under its condition. Two such words are compared source by source: the comparison
//! holds if it does for a pair whose conditions both hold. That is exact, and comparisons of the same two inputs are the same
//! gates wherever copies of them went.
//!
//! Sources are kept without the bits in front that only repeat the sign. What is made wider by its sign is so the same
//! word, and as a number with sign it is the same as its source.

use crate::circuit::{Bit, Circuit, Gate};
use crate::words::{extend, significant};
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

/// The sources of choices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies(Map<Rc<[Bit]>, Sources>);

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
    circuit.copies.0.insert(choice[..significant(choice)].into(), chosen);
}

/// A comparison of two words of one width, by their sources where they are copies.
pub(crate) fn compare(
    circuit: &mut Circuit,
    a: &[Bit],
    b: &[Bit],
    plain: impl Fn(&mut Circuit, &[Bit], &[Bit]) -> Bit,
) -> Bit {
    let (Some(x), Some(y)) = (sources(circuit, a), sources(circuit, b)) else { return plain(circuit, a, b) };
    let pairs = x.len() * y.len();
    if pairs == 1 || pairs > MOST_PAIRS {
        return plain(circuit, a, b);
    }
    let mut holds = Bit::FALSE;
    for (left, is_left) in x.iter() {
        for (right, is_right) in y.iter() {
            let here = circuit.and(*is_left, *is_right);
            if here != Bit::FALSE {
                let pair = plain(circuit, &extend(left, a.len(), true), &extend(right, b.len(), true));
                let pair = circuit.and(here, pair);
                holds = circuit.or(holds, pair);
            }
        }
    }
    holds
}

/// Those of a choice; an input or a constant is its own.
fn sources(circuit: &Circuit, word: &[Bit]) -> Option<Sources> {
    let short = &word[..significant(word)];
    if let Some(known) = circuit.copies.0.get(short) {
        return Some(known.clone());
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
    use crate::words;

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
        for (a, b) in [(&first, &second), (&second, &third), (&third, &first), (&third, &minus_one)] {
            let (wide_a, wide_b) = (extend(a, 5, true), extend(b, 5, true));
            assert!(sources(&circuit, &wide_a).is_some_and(|found| found.len() > 1));
            let less = |circuit: &mut Circuit, a: &[Bit], b: &[Bit]| words::less(circuit, a, b, true);
            let by_sources = [
                compare(&mut circuit, &wide_a, &wide_b, words::equal),
                compare(&mut circuit, &wide_a, &wide_b, less),
                compare(&mut circuit, a, b, |circuit, a, b| words::less(circuit, a, b, false)),
            ];
            let by_bits = [
                words::equal(&mut circuit, a, b),
                words::less(&mut circuit, a, b, true),
                words::less(&mut circuit, a, b, false),
            ];
            for assignment in 0..1u32 << 12 {
                // The inputs are the first gates after the constant.
                let values = circuit.evaluate(|bit| assignment >> (bit.gate() - 1) & 1 != 0);
                let value = |bit: &Bit| values[bit.gate()] != bit.is_negated();
                assert!(by_sources.iter().map(value).eq(by_bits.iter().map(value)), "{assignment:b}");
            }
        }
    }
}
