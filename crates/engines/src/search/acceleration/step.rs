//! What a way from one cutpoint to another does, as terms over the state at its beginning.
//!
//! A step is exact: from every state that meets its guard, with some values of its parameters, the way is taken and ends
//! in the next state. Parameters are the inputs on the way, and how often repeated parts are.

use crate::path::{ProgramPath, number};
use craig_program::encode::{CutpointEncoding, StateConstant};
use craig_program::{CutId, EdgeId};
use craig_term::{Model, Op, Substitution, TermId, Terms};

#[derive(Clone, Debug)]
pub struct Step {
    pub from: CutId,
    pub to: CutId,
    /// All of these hold.
    pub guard: Vec<TermId>,
    /// The value of each component of the state at the end.
    pub next: Vec<TermId>,
    /// Constants of this step alone.
    pub parameters: Vec<TermId>,
    pub way: Vec<Part>,
}

/// A part of a way.
#[derive(Clone, Debug)]
pub enum Part {
    /// An input statement that is passed, with its value if that matters.
    Input(EdgeId, Option<TermId>),
    /// The same part so many times, with the same inputs each time.
    Repeat(TermId, Vec<Part>),
}

/// Inputs of a run; more of them are not written down.
const MAX_INPUTS: usize = 20_000_000;

impl Step {
    /// The constants for the state where the step begins.
    pub fn state<'e>(&self, encoding: &'e CutpointEncoding) -> &'e [StateConstant] {
        &encoding.states[self.from]
    }

    /// The same step from a state that is given as terms, with parameters of its own.
    pub fn instantiate(&self, tm: &mut Terms, encoding: &CutpointEncoding, state: &[TermId]) -> Step {
        let current = self.state(encoding).iter().map(|constant| constant.current);
        let mut substitution = Substitution::from_pairs(current.zip(state.iter().copied()));
        let parameters: Vec<TermId> =
            self.parameters.iter().map(|&parameter| renamed(tm, parameter)).collect();
        for (&old, &new) in self.parameters.iter().zip(&parameters) {
            substitution.insert(old, new);
        }
        Step {
            from: self.from,
            to: self.to,
            guard: self.guard.iter().map(|&t| substitution.apply(tm, t)).collect(),
            next: self.next.iter().map(|&t| substitution.apply(tm, t)).collect(),
            parameters,
            way: self.way.iter().map(|part| part.substituted(tm, &mut substitution)).collect(),
        }
    }

    /// This step, and then another.
    pub fn then(&self, tm: &mut Terms, encoding: &CutpointEncoding, other: &Step) -> Step {
        let other = other.instantiate(tm, encoding, &self.next);
        let mut both = self.clone();
        both.to = other.to;
        both.guard.extend(other.guard);
        both.next = other.next;
        both.parameters.extend(other.parameters);
        both.way.extend(other.way);
        both
    }

    /// With something replaced, under a condition.
    pub fn under(&self, tm: &mut Terms, condition: TermId, replaced: Option<(TermId, TermId)>) -> Step {
        let mut substitution = Substitution::from_pairs(replaced);
        let mut step = self.clone();
        step.guard = self.guard.iter().map(|&t| substitution.apply(tm, t)).collect();
        step.guard.push(condition);
        step.next = self.next.iter().map(|&t| substitution.apply(tm, t)).collect();
        step
    }

    /// Without parameters that the guard fixes to a number.
    pub fn solve_parameters(&mut self, tm: &mut Terms) -> bool {
        while let Some((parameter, value)) = self.fixed_parameter(tm) {
            let mut substitution = Substitution::from_pairs([(parameter, value)]);
            self.parameters.retain(|&other| other != parameter);
            self.guard = self.guard.iter().map(|&t| substitution.apply(tm, t)).collect();
            self.next = self.next.iter().map(|&t| substitution.apply(tm, t)).collect();
            self.way = self.way.iter().map(|part| part.substituted(tm, &mut substitution)).collect();
            if !self.flatten(tm) {
                return false;
            }
        }
        true
    }

    fn fixed_parameter(&self, tm: &mut Terms) -> Option<(TermId, TermId)> {
        for &literal in &self.guard {
            if tm.op(literal) != Op::Eq || !tm.is_int(tm.arg(literal, 0)) {
                continue;
            }
            let difference = tm.sub(tm.arg(literal, 0), tm.arg(literal, 1));
            let sum = tm.linear(difference);
            let [(parameter, ref factor)] = sum.terms[..] else { continue };
            let value = -(&sum.constant / factor);
            if self.parameters.contains(&parameter) && value.is_integer() {
                return Some((parameter, tm.int(value.numer().clone())));
            }
        }
        None
    }

    /// Whether no two unknowns are multiplied.
    pub fn is_linear(&self, tm: &Terms) -> bool {
        let roots: Vec<TermId> = self.guard.iter().chain(&self.next).copied().collect();
        !tm.postorder(&roots).iter().any(|&t| tm.op(t) == Op::Mul)
    }

    /// The guard as literals, of which there are none if it is false.
    pub fn flatten(&mut self, tm: &mut Terms) -> bool {
        let mut open = std::mem::take(&mut self.guard);
        open.reverse();
        while let Some(t) = open.pop() {
            let (inner, negated) = tm.strip_not(t);
            match tm.op(inner) {
                Op::True if !negated => {}
                Op::False if negated => {}
                Op::True | Op::False => return false,
                Op::And if !negated => open.extend(tm.args(inner).iter().rev()),
                Op::Or if negated => {
                    let parts = tm.args(inner).to_vec();
                    open.extend(parts.iter().rev().map(|&part| tm.not(part)));
                }
                _ if !self.guard.contains(&t) => self.guard.push(t),
                _ => {}
            }
        }
        true
    }
}

impl Part {
    fn substituted(&self, tm: &mut Terms, substitution: &mut Substitution) -> Part {
        match self {
            Part::Input(edge, value) => Part::Input(*edge, value.map(|value| substitution.apply(tm, value))),
            Part::Repeat(times, parts) => Part::Repeat(
                substitution.apply(tm, *times),
                parts.iter().map(|part| part.substituted(tm, substitution)).collect(),
            ),
        }
    }
}

/// Writes down the inputs along a way in a model. `None` if there are too many of them.
pub fn write_inputs(tm: &Terms, way: &[Part], model: &Model, path: &mut ProgramPath) -> Option<()> {
    // Ways are nested as loops are, to a small depth that is limited where they are made.
    for part in way {
        match part {
            Part::Input(edge, value) => {
                path.inputs.push((*edge, value.and_then(|value| tm.eval(value, model).ok())));
            }
            Part::Repeat(times, parts) => {
                let times = number(&tm.eval(*times, model).ok()?);
                let begin = path.inputs.len();
                write_inputs(tm, parts, model, path)?;
                let once: Vec<_> = path.inputs[begin..].to_vec();
                let more = usize::try_from(times.checked_sub(1)?).ok()?;
                if path.inputs.len().checked_add(once.len().checked_mul(more)?)? > MAX_INPUTS {
                    return None;
                }
                if !once.is_empty() {
                    (0..more).for_each(|_| path.inputs.extend(once.iter().cloned()));
                }
            }
        }
    }
    Some(())
}

fn renamed(tm: &mut Terms, constant: TermId) -> TermId {
    let name = tm.const_name(constant).unwrap_or("p").split('!').next().unwrap_or("p").to_string();
    tm.fresh_const(&name, tm.sort(constant))
}
