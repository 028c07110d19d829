//! The circuit in which interpolants are made: what parts of a script say, each by its own.
//!
//! In the circuit of a script, equal terms are one, whoever wrote them. So a term may have been made with constants that a part
//! does not mention; it does not depend on them, and they are zero here. What is no bit of a constant (a result of a
//! function, what an array holds) is an input of its own for each part, with the facts about it.

use super::super::{Part, Script};
use crate::circuit::Gate;
use crate::{Bit, Circuit};
use craig_base::{Map, OrderedSet};

/// Facts bring inputs, and these more facts, so often.
const MOST_ROUNDS: usize = 16;

/// Formulas, and the constants that they speak of.
#[derive(Clone, Default)]
pub(super) struct Side {
    pub bits: Vec<Bit>,
    pub mentioned: OrderedSet<usize>,
    pub terms: OrderedSet<String>,
}

impl Side {
    pub fn add(&mut self, other: &Side) {
        self.bits.extend(&other.bits);
        self.mentioned.extend(&other.mentioned);
        self.terms.extend(other.terms.iter().cloned());
    }
}

#[derive(Default)]
pub(super) struct Space {
    pub circuit: Circuit,
    /// The inputs of the script that are bits of constants, with the numbers of these.
    owners: Map<usize, usize>,
    /// For each of these inputs the one here.
    inputs: Map<usize, Bit>,
    /// There are inputs that are no bits of constants, and so parts do not know what others say of them.
    pub has_others: bool,
}

impl Space {
    pub fn new(script: &Script) -> Self {
        let mut space = Space::default();
        for (number, (_, value)) in script.constants.iter().enumerate() {
            for bit in value.scalar().iter().flat_map(|(_, word)| word.iter()) {
                if bit.as_constant().is_none() {
                    space.owners.insert(bit.gate(), number);
                }
            }
        }
        space
    }

    /// The conjunction of some parts.
    pub fn side(&mut self, script: &Script, parts: &[Part]) -> Side {
        let mut side = Side::default();
        for part in parts {
            side.mentioned.extend(part.mentioned.iter());
            side.terms.extend(part.terms.iter().cloned());
        }
        let mut bits: Vec<Bit> = parts.iter().map(|part| part.bit).collect();
        bits.extend(self.facts(&script.circuit, &bits, &side.mentioned));
        side.bits = self.import(&script.circuit, &bits, &side.mentioned);
        side
    }

    /// What is known about the terms of a part, and speaks of no other constants.
    fn facts(&self, circuit: &Circuit, bits: &[Bit], mentioned: &OrderedSet<usize>) -> Vec<Bit> {
        let mut chosen: OrderedSet<Bit> = OrderedSet::default();
        for _ in 0..MOST_ROUNDS {
            let inside = circuit.cone(bits.iter().chain(&chosen).copied());
            // Whether a gate depends on constants of the part alone; on inputs that are no constants; on such that are there.
            let mut traits: Vec<[bool; 3]> = Vec::with_capacity(circuit.len());
            for (index, &is_inside) in inside.iter().enumerate() {
                let gate = circuit.gate(index);
                let owner = self.owners.get(&index);
                let is_other = gate == Gate::Input && owner.is_none();
                let of = |bit: Bit| traits[bit.gate()];
                let own = owner.is_none_or(|owner| mentioned.contains(owner));
                traits.push([
                    own && gate.operands().all(|operand| of(operand)[0]),
                    is_other || gate.operands().any(|operand| of(operand)[1]),
                    is_other && is_inside || gate.operands().any(|operand| of(operand)[2]),
                ]);
            }
            let matters = |fact: &Bit| {
                let [own, others, near] = traits[fact.gate()];
                own && (near || !others)
            };
            let before = chosen.len();
            chosen.extend(circuit.facts().iter().copied().filter(matters));
            if chosen.len() == before {
                break;
            }
        }
        chosen.into_iter().collect()
    }

    /// Bits of the script's circuit in this one.
    pub fn import(&mut self, circuit: &Circuit, bits: &[Bit], mentioned: &OrderedSet<usize>) -> Vec<Bit> {
        let mut images: Map<usize, Bit> = Map::default();
        for (index, _) in
            circuit.cone(bits.iter().copied()).into_iter().enumerate().filter(|(_, inside)| *inside)
        {
            let again = self.circuit.again(circuit.gate(index), |bit| image(&images, bit));
            let bit = again.unwrap_or_else(|| match self.owners.get(&index) {
                Some(owner) if !mentioned.contains(owner) => Bit::FALSE,
                Some(_) => *self.inputs.entry(index).or_insert_with(|| self.circuit.input()),
                None => {
                    self.has_others = true;
                    self.circuit.input()
                }
            });
            images.insert(index, bit);
        }
        bits.iter().map(|&bit| image(&images, bit)).collect()
    }

    /// The inputs here that are bits of constants of the script: the constant and the place of the bit.
    pub fn names(&self, script: &Script) -> Map<Bit, (usize, usize)> {
        let mut names = Map::default();
        for (number, (_, value)) in script.constants.iter().enumerate() {
            for (place, bit) in value.scalar().iter().flat_map(|(_, word)| word.iter().enumerate()) {
                if let Some(&input) = self.inputs.get(&bit.gate()) {
                    names.insert(input, (number, place));
                }
            }
        }
        names
    }
}

fn image(images: &Map<usize, Bit>, bit: Bit) -> Bit {
    images.get(&bit.gate()).copied().unwrap_or(Bit::FALSE).negate_if(bit.is_negated())
}
