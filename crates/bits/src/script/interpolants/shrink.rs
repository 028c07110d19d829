//! Interpolants are made smaller: a gate is left out where what is left still separates the sides.

use super::judge::{Judge, Judgement};
use crate::{Bit, Circuit};
use craig_base::Budget;

/// Questions that are asked for one interpolant.
const MOST_QUESTIONS: usize = 400;
/// Cases are kept that spoke against a change; most others are wrong for the same reason.
const MOST_CASES: usize = 64;
/// Gates that are looked at.
const MOST_WORK: usize = 1 << 30;

/// From the output on, each gate is tried as a constant and as one of its operands.
pub(super) fn shrink(circuit: &mut Circuit, judge: &mut Judge, mut bit: Bit, budget: &Budget) -> Bit {
    let mut cases: [Vec<Vec<bool>>; 2] = Default::default();
    let (mut asked, mut work) = (0, 0);
    let mut at = bit.gate();
    loop {
        let inside = circuit.cone([bit]);
        let Some(gate) = (1..=at.min(bit.gate())).rev().find(|&index| inside[index]) else { return bit };
        work += 4 * circuit.len() * (1 + cases[0].len() + cases[1].len());
        if work > MOST_WORK || budget.check().is_err() {
            return bit;
        }
        let mut smaller = None;
        let operands = circuit.gate(gate).operands();
        for with in [Bit::FALSE, Bit::TRUE].into_iter().chain(operands).collect::<Vec<_>>() {
            let changed = replaced(circuit, &inside, bit, gate, with);
            if changed == bit || wrong_in_a_case(circuit, &cases, changed) {
                continue;
            }
            if asked == MOST_QUESTIONS {
                return bit;
            }
            asked += 1;
            match judge.judge(circuit, changed, budget) {
                Judgement::Separates => {
                    smaller = Some(changed);
                    break;
                }
                Judgement::Against(side, values) if cases[side].len() < MOST_CASES => {
                    cases[side].push(values)
                }
                Judgement::Against(..) => {}
                Judgement::GivenUp => return bit,
            }
        }
        match smaller {
            // Its gates are others.
            Some(changed) => (bit, at) = (changed, changed.gate()),
            None => at = gate - 1,
        }
    }
}

/// What becomes of a bit with another one in the place of a gate.
fn replaced(circuit: &mut Circuit, inside: &[bool], bit: Bit, gate: usize, with: Bit) -> Bit {
    let mut images: Vec<Bit> = (0..=bit.gate()).map(Bit::of_gate).collect();
    images[gate] = with;
    for index in (gate + 1..=bit.gate()).filter(|&index| inside[index]) {
        let image = |operand: Bit| images[operand.gate()].negate_if(operand.is_negated());
        if let Some(again) = circuit.again(circuit.gate(index), image) {
            images[index] = again;
        }
    }
    images[bit.gate()].negate_if(bit.is_negated())
}

/// In cases of the first side it has to hold, in those of the second not.
fn wrong_in_a_case(circuit: &Circuit, cases: &[Vec<Vec<bool>>; 2], bit: Bit) -> bool {
    let inside = circuit.cone([bit]);
    let holds = |case: &Vec<bool>| {
        let input = |input: Bit| case.get(input.gate()).copied().unwrap_or(false);
        let values = circuit.evaluate_where(|index| inside[index], input);
        values[bit.gate()] != bit.is_negated()
    };
    !cases[0].iter().all(holds) || cases[1].iter().any(holds)
}
