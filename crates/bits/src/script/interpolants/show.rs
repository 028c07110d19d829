//! A bit that depends on bits of constants, as a formula of SMT-LIB.

use crate::circuit::Gate;
use crate::{Bit, Circuit};
use craig_base::Map;
use std::fmt::Write;

/// Longer formulas have a name in larger ones.
const LONGEST: usize = 400;

enum Shown {
    /// A formula and its negation.
    Formula(String, String),
    And(Vec<String>, Vec<String>),
}

impl Shown {
    fn text(&self, negated: bool) -> String {
        match self {
            Shown::Formula(text, negation) => if negated { negation } else { text }.clone(),
            Shown::And(_, negations) if negated => format!("(or {})", negations.join(" ")),
            Shown::And(parts, _) => format!("(and {})", parts.join(" ")),
        }
    }
}

/// `leaf` names an input, and its negation; none if one of them has no name.
pub(super) fn formula(
    circuit: &Circuit,
    root: Bit,
    leaf: impl Fn(Bit) -> Option<(String, String)>,
) -> Option<String> {
    let inside = circuit.cone([root]);
    let gates: Vec<usize> = (1..inside.len()).filter(|&index| inside[index]).collect();
    let mut uses: Map<usize, usize> = Map::default();
    for &index in &gates {
        circuit.gate(index).operands().for_each(|operand| *uses.entry(operand.gate()).or_insert(0) += 1);
    }
    let mut shown: Map<usize, Shown> = Map::default();
    shown.insert(0, Shown::Formula("false".to_string(), "true".to_string()));
    let (mut bound, mut count) = (String::new(), 0);
    for &index in &gates {
        let gate = circuit.gate(index);
        let text = |bit: Bit| shown[&bit.gate()].text(bit.is_negated());
        let negation = |text: &str| format!("(not {text})");
        let mut new = match gate {
            Gate::False => continue,
            Gate::Input => {
                let (text, negation) = leaf(Bit::of_gate(index))?;
                Shown::Formula(text, negation)
            }
            Gate::And(a, b) => {
                let (mut parts, mut negations) = (Vec::new(), Vec::new());
                for bit in [a, b] {
                    match &shown[&bit.gate()] {
                        Shown::And(p, n) if !bit.is_negated() => {
                            parts.extend(p.iter().cloned());
                            negations.extend(n.iter().cloned());
                        }
                        _ => {
                            parts.push(text(bit));
                            negations.push(text(!bit));
                        }
                    }
                }
                Shown::And(parts, negations)
            }
            Gate::Xor(a, b) => Shown::Formula(
                format!("(xor {} {})", text(a), text(b)),
                format!("(= {} {})", text(a), text(b)),
            ),
            Gate::Mux(c, a, b) => Shown::Formula(
                format!("(ite {} {} {})", text(c), text(a), text(b)),
                format!("(ite {} {} {})", text(c), text(!a), text(!b)),
            ),
            Gate::Majority(a, b, c) => {
                // The negation of a majority is the majority of the negations.
                let of = |[a, b, c]: [String; 3]| format!("(or (and {a} {b}) (and {a} {c}) (and {b} {c}))");
                Shown::Formula(of([a, b, c].map(text)), of([!a, !b, !c].map(text)))
            }
        };
        let used = uses.get(&index).copied().unwrap_or(0);
        let text = new.text(false);
        if gate != Gate::Input && index != root.gate() && (used > 1 || text.len() > LONGEST) {
            count += 1;
            let name = format!(".{count}");
            let _ = write!(bound, "(let (({name} {text})) ");
            new = Shown::Formula(name.clone(), negation(&name));
        }
        shown.insert(index, new);
    }
    let body = shown.get(&root.gate())?.text(root.is_negated());
    Some(format!("{bound}{body}{}", ")".repeat(count)))
}
