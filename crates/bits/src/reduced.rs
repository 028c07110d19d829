//! A circuit under constraints: bits that these fix are constants, and bits that they make equal are one bit.
//!
//! Where a program assumes `x <= 13` of an input, most bits of `x` are zero in every run, sums of such words repeat
//! their sign, and what `y == x - z` says is no condition but the definition of `y`. A solver would look at each of these
//! bits in each conflict.

use crate::circuit::{Bit, Circuit, Gate};
use craig_base::{Map, OrderedSet};
use std::borrow::Cow;

/// Constraints that are simpler may fix more bits.
const MOST_ROUNDS: usize = 8;

/// The circuit that is left, and what became of the bits of the one before.
pub(crate) struct Reduced<'c> {
    pub circuit: Cow<'c, Circuit>,
    /// What is still to be demanded.
    pub constraints: Vec<Bit>,
    /// For each gate of the circuit before; nothing if it is the same circuit.
    images: Option<Vec<Bit>>,
}

impl<'c> Reduced<'c> {
    pub fn new(circuit: &'c Circuit, constraints: Vec<Bit>) -> Self {
        let mut reduced = Reduced { circuit: Cow::Borrowed(circuit), constraints, images: None };
        for _ in 0..MOST_ROUNDS {
            let settled = Settled::new(&reduced.circuit, &reduced.constraints);
            if settled.tells_nothing(&reduced.circuit, &reduced.constraints) {
                break;
            }
            let (circuit, constraints, next) = settled.rebuild(&reduced.circuit);
            let images = match reduced.images {
                None => next,
                Some(images) => images.into_iter().map(|bit| image(&next, bit)).collect(),
            };
            reduced = Reduced { circuit: Cow::Owned(circuit), constraints, images: Some(images) };
        }
        reduced
    }

    pub fn image(&self, bit: Bit) -> Bit {
        self.images.as_ref().map_or(bit, |images| image(images, bit))
    }
}

fn image(images: &[Bit], bit: Bit) -> Bit {
    images[bit.gate()].negate_if(bit.is_negated())
}

/// What holds whenever one of these does, as far as conjunctions show it.
pub(crate) fn common(circuit: &Circuit, goals: impl Iterator<Item = Bit>) -> Vec<Bit> {
    let mut common: Option<OrderedSet<Bit>> = None;
    for goal in goals.filter(|&goal| goal != Bit::FALSE) {
        let mut conjuncts: OrderedSet<Bit> = OrderedSet::default();
        let mut open = vec![goal];
        while let Some(bit) = open.pop() {
            match circuit.as_and(bit) {
                Some((a, b)) => open.extend([a, b]),
                None => {
                    conjuncts.insert(bit);
                }
            }
        }
        match &mut common {
            None => common = Some(conjuncts),
            Some(common) => common.retain(|bit| conjuncts.contains(bit)),
        }
        if common.as_ref().is_some_and(|common| common.is_empty()) {
            break;
        }
    }
    common.unwrap_or_default().into_iter().collect()
}

/// What follows from constraints at once: the gates that are constant, or equal to an earlier one.
#[derive(Default)]
struct Settled {
    same: Map<usize, Bit>,
    contradiction: bool,
}

impl Settled {
    fn new(circuit: &Circuit, constraints: &[Bit]) -> Self {
        let mut settled = Settled::default();
        let mut holds: Vec<Bit> = constraints.to_vec();
        while let Some(bit) = holds.pop() {
            let bit = settled.find(bit);
            match bit.as_constant() {
                Some(value) => settled.contradiction |= !value,
                None => {
                    settled.same.insert(bit.gate(), Bit::constant(!bit.is_negated()));
                    match circuit.gate(bit.gate()) {
                        Gate::And(a, b) if !bit.is_negated() => holds.extend([a, b]),
                        Gate::Xor(a, b) => settled.unite(a, b.negate_if(!bit.is_negated()), &mut holds),
                        _ => {}
                    }
                }
            }
        }
        settled
    }

    /// The earliest bit that is known to be the same.
    fn find(&self, mut bit: Bit) -> Bit {
        while let Some(same) = self.same.get(&bit.gate()) {
            bit = same.negate_if(bit.is_negated());
        }
        bit
    }

    fn unite(&mut self, a: Bit, b: Bit, holds: &mut Vec<Bit>) {
        let (a, b) = (self.find(a), self.find(b));
        let (earlier, later) = (a.min(b), a.max(b));
        match earlier.as_constant() {
            Some(value) => holds.push(later.negate_if(!value)),
            None if earlier.gate() == later.gate() => self.contradiction |= earlier != later,
            None => {
                self.same.insert(later.gate(), earlier.negate_if(later.is_negated()));
            }
        }
    }

    /// Whether nothing is settled but the constraints themselves.
    fn tells_nothing(&self, circuit: &Circuit, constraints: &[Bit]) -> bool {
        let inputs = constraints.iter().any(|bit| circuit.gate(bit.gate()) == Gate::Input);
        !self.contradiction && !inputs && self.same.len() <= constraints.len()
    }

    /// The circuit with what is settled, what is left of the constraints, and what became of the gates.
    fn rebuild(&self, old: &Circuit) -> (Circuit, Vec<Bit>, Vec<Bit>) {
        let mut circuit = Circuit::default();
        let mut constraints = if self.contradiction { vec![Bit::FALSE] } else { Vec::new() };
        let mut images: Vec<Bit> = Vec::with_capacity(old.len());
        for index in 0..old.len() {
            let same = self.same.contains_key(&index).then(|| self.find(Bit::of_gate(index)));
            let of = |bit: Bit| image(&images, bit);
            let made = match (old.gate(index), same) {
                (Gate::Input, Some(same)) => of(same),
                (gate, _) => match circuit.again(gate, of) {
                    Some(bit) => bit,
                    None => circuit.input(),
                },
            };
            let image = same.map_or(made, of);
            let agrees = circuit.equal(made, image);
            if agrees != Bit::TRUE {
                constraints.push(agrees);
            }
            images.push(image);
        }
        for &fact in old.facts() {
            circuit.add_fact(image(&images, fact));
        }
        (circuit, constraints, images)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    #[test]
    fn what_constraints_fix_needs_no_gates() {
        let mut circuit = Circuit::default();
        let [x, y, z] = [(); 3].map(|()| words::inputs(&mut circuit, 32));
        let mut constraints = Vec::new();
        let limit = words::constant(32, 13);
        for word in [&x, &y] {
            let above = words::less(&mut circuit, &limit, word, false);
            constraints.push(!above);
        }
        let difference = words::sub(&mut circuit, &x, &y);
        let is_difference = words::equal(&mut circuit, &z, &difference);
        constraints.push(is_difference);
        let reduced = Reduced::new(&circuit, constraints);
        let of = |word: &[Bit]| word.iter().map(|&bit| reduced.image(bit)).collect::<Vec<_>>();
        assert!(of(&x)[4..].iter().all(|&bit| bit == Bit::FALSE));
        assert_eq!(of(&z), of(&difference));
        assert!(of(&z)[5..].iter().all(|bit| *bit == of(&z)[4]), "{:?}", of(&z));
        // What is left is that neither is 14 or 15, and what the difference is.
        assert!(reduced.circuit.len() < 60, "{} gates", reduced.circuit.len());
    }

    #[test]
    fn goals_have_the_first_decisions_in_common() {
        let mut circuit = Circuit::default();
        let [a, b, c, d] = [(); 4].map(|()| circuit.input());
        let first = circuit.and(a, !b);
        let [one, other] = [c, d].map(|last| circuit.and(first, last));
        assert_eq!(common(&circuit, [one, Bit::FALSE, other].into_iter()), [!b, a]);
        assert!(common(&circuit, [one, d].into_iter()).is_empty());
    }

    #[test]
    fn constraints_that_contradict_each_other_stay_so() {
        let mut circuit = Circuit::default();
        let [a, b] = [(); 2].map(|()| circuit.input());
        let constraints = vec![circuit.equal(a, b), a, !b];
        assert!(Reduced::new(&circuit, constraints).constraints.contains(&Bit::FALSE));
    }
}
