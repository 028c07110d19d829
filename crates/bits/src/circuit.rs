//! Gates with structural hashing: equal gates are one gate, and what constants or equal operands decide
//! is no gate at all.

use crate::copies::Copies;
use crate::float::order::Results;
use crate::origins::Origins;
use craig_base::Map;
use std::ops::Not;
use std::rc::Rc;

/// Sums modulo two of more bits are sums of two.
const MOST_SUMMANDS: usize = 8;

/// The output of a gate, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bit(u32);

impl Bit {
    pub const FALSE: Bit = Bit(0);
    pub const TRUE: Bit = Bit(1);

    pub fn constant(value: bool) -> Bit {
        Bit(u32::from(value))
    }

    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    pub(crate) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    pub(crate) fn of_gate(index: usize) -> Bit {
        Bit((index as u32) << 1)
    }

    pub(crate) fn negate_if(self, negate: bool) -> Bit {
        Bit(self.0 ^ u32::from(negate))
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Gate {
    False,
    Input,
    And(Bit, Bit),
    /// Of two gates, neither negated.
    Xor(Bit, Bit),
    /// The second if the first, else the third.
    Mux(Bit, Bit, Bit),
    /// At least two of the three.
    Majority(Bit, Bit, Bit),
}

impl Gate {
    pub fn operands(self) -> impl Iterator<Item = Bit> {
        let operands = match self {
            Gate::False | Gate::Input => [None; 3],
            Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }
}

#[derive(Clone, Debug)]
pub struct Circuit {
    gates: Vec<Gate>,
    known: Map<Gate, Bit>,
    /// What always holds, and is hard to see from the gates alone.
    facts: Vec<Bit>,
    /// What the gates of exclusive disjunctions add up, in order: equal sums modulo two are one bit.
    summands: Map<Bit, Rc<[Bit]>>,
    sums: Map<Rc<[Bit]>, Bit>,
    /// Results of an operation that has no circuit.
    unknown: Map<[Rc<[Bit]>; 2], Rc<[Bit]>>,
    pub(crate) copies: Copies,
    pub(crate) origins: Origins,
    pub(crate) results: Results,
}

impl Default for Circuit {
    fn default() -> Self {
        Circuit {
            gates: vec![Gate::False],
            known: Map::default(),
            facts: Vec::new(),
            summands: Map::default(),
            sums: Map::default(),
            unknown: Map::default(),
            copies: Copies::default(),
            origins: Origins::default(),
            results: Results::default(),
        }
    }
}

impl Circuit {
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// Facts that help a solver: they are true in every assignment.
    pub fn facts(&self) -> &[Bit] {
        &self.facts
    }

    pub(crate) fn add_fact(&mut self, fact: Bit) {
        if fact != Bit::TRUE {
            self.facts.push(fact);
        }
    }

    pub(crate) fn gate(&self, index: usize) -> Gate {
        self.gates[index]
    }

    /// The values of all gates, from those of the inputs.
    pub(crate) fn evaluate(&self, input: impl Fn(Bit) -> bool) -> Vec<bool> {
        self.evaluate_where(|_| true, input)
    }

    /// Of some gates, with their operands; the others are false.
    pub(crate) fn evaluate_where(
        &self,
        is_asked: impl Fn(usize) -> bool,
        input: impl Fn(Bit) -> bool,
    ) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for (index, gate) in self.gates.iter().enumerate() {
            let value = |bit: Bit| values[bit.gate()] != bit.is_negated();
            values.push(match *gate {
                _ if !is_asked(index) => false,
                Gate::False => false,
                Gate::Input => input(Bit::of_gate(index)),
                Gate::And(a, b) => value(a) && value(b),
                Gate::Xor(a, b) => value(a) != value(b),
                Gate::Mux(c, a, b) => value(if value(c) { a } else { b }),
                Gate::Majority(a, b, c) => u8::from(value(a)) + u8::from(value(b)) + u8::from(value(c)) >= 2,
            });
        }
        values
    }

    /// For each gate whether some of these bits depend on it, or are it.
    pub(crate) fn cone(&self, roots: impl IntoIterator<Item = Bit>) -> Vec<bool> {
        let mut inside = vec![false; self.gates.len()];
        roots.into_iter().for_each(|root| inside[root.gate()] = true);
        // Operands come before their gates.
        for (index, gate) in self.gates.iter().enumerate().rev() {
            if inside[index] {
                gate.operands().for_each(|operand| inside[operand.gate()] = true);
            }
        }
        inside
    }

    /// A gate of this circuit or another again, with other operands; none for an input.
    pub(crate) fn again(&mut self, gate: Gate, image: impl Fn(Bit) -> Bit) -> Option<Bit> {
        Some(match gate {
            Gate::False => Bit::FALSE,
            Gate::Input => return None,
            Gate::And(a, b) => self.and(image(a), image(b)),
            Gate::Xor(a, b) => self.xor(image(a), image(b)),
            Gate::Mux(c, a, b) => self.mux(image(c), image(a), image(b)),
            Gate::Majority(a, b, c) => self.majority(image(a), image(b), image(c)),
        })
    }

    /// In the order in which they were made.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = Bit> {
        let gates = self.gates.iter().enumerate();
        gates.filter(|(_, gate)| **gate == Gate::Input).map(|(index, _)| Bit::of_gate(index))
    }

    pub fn input(&mut self) -> Bit {
        self.gates.push(Gate::Input);
        Bit::of_gate(self.gates.len() - 1)
    }

    /// The result of an operation that has no circuit, as wide as its operands: always the same of the same ones.
    pub(crate) fn unknown(&mut self, operands: [&[Bit]; 2]) -> Vec<Bit> {
        let key = operands.map(Rc::from);
        if let Some(known) = self.unknown.get(&key) {
            return known.to_vec();
        }
        let result: Vec<Bit> = operands[0].iter().map(|_| self.input()).collect();
        self.unknown.insert(key, result.clone().into());
        result
    }

    fn make(&mut self, gate: Gate) -> Bit {
        *self.known.entry(gate).or_insert_with(|| {
            self.gates.push(gate);
            Bit::of_gate(self.gates.len() - 1)
        })
    }

    pub(crate) fn as_and(&self, bit: Bit) -> Option<(Bit, Bit)> {
        match self.gates[bit.gate()] {
            Gate::And(a, b) if !bit.is_negated() => Some((a, b)),
            _ => None,
        }
    }

    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = (a.min(b), a.max(b));
        if a == Bit::FALSE || a == !b {
            return Bit::FALSE;
        }
        if a == Bit::TRUE || a == b {
            return b;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((p, q)) = self.as_and(y) {
                if x == p || x == q {
                    return y;
                }
                if x == !p || x == !q {
                    return Bit::FALSE;
                }
            }
            if let Some((p, q)) = self.as_and(!y) {
                // x and not (x and q)
                if x == !p || x == !q {
                    return x;
                }
                if x == p {
                    return self.and(x, !q);
                }
                if x == q {
                    return self.and(x, !p);
                }
            }
        }
        // The negation of a disjunction of both cases: where two branches join again.
        if let (Some((p, q)), Some((r, s))) = (self.as_and(!a), self.as_and(!b)) {
            for (p, q) in [(p, q), (q, p)] {
                if (p == r && q == !s) || (p == s && q == !r) {
                    return !p;
                }
            }
        }
        self.make(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub fn implies(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(a, !b)
    }

    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        self.xor_by(a, b, Circuit::sum_modulo_two)
    }

    /// The digit of a sum, from the carry and half of the sum: no part of further sums modulo two, which would get lost in
    /// carries.
    pub(crate) fn digit(&mut self, half: Bit, carry: Bit) -> Bit {
        self.xor_by(half, carry, |circuit, a, b| circuit.make(Gate::Xor(a, b)))
    }

    fn xor_by(&mut self, a: Bit, b: Bit, make: impl Fn(&mut Circuit, Bit, Bit) -> Bit) -> Bit {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (Bit(a.0 & !1), Bit(b.0 & !1));
        let (a, b) = (a.min(b), a.max(b));
        if a == Bit::FALSE {
            return b.negate_if(negated);
        }
        if a == b {
            return Bit::FALSE.negate_if(negated);
        }
        make(self, a, b).negate_if(negated)
    }

    /// Of two different gates, neither negated.
    fn sum_modulo_two(&mut self, a: Bit, b: Bit) -> Bit {
        let gate = Gate::Xor(a, b);
        if let Some(&known) = self.known.get(&gate) {
            return known;
        }
        let summands = |bit: &Bit| self.summands.get(bit).cloned().unwrap_or_else(|| Rc::from([*bit]));
        let (x, y) = (summands(&a), summands(&b));
        // What is in both cancels out.
        let mut sum: Vec<Bit> = Vec::with_capacity(x.len() + y.len());
        let (mut x, mut y) = (x.iter().copied().peekable(), y.iter().copied().peekable());
        loop {
            match (x.peek().copied(), y.peek().copied()) {
                (None, None) => break,
                (Some(p), Some(q)) if p == q => {
                    x.next();
                    y.next();
                }
                (Some(p), q) if q.is_none_or(|q| p < q) => sum.extend(x.next()),
                _ => sum.extend(y.next()),
            }
        }
        let result = match sum[..] {
            [] => Bit::FALSE,
            [single] => single,
            _ => {
                let sum: Rc<[Bit]> = if sum.len() > MOST_SUMMANDS { Rc::from([a, b]) } else { sum.into() };
                if let Some(&same) = self.sums.get(&sum) {
                    same
                } else {
                    let new = self.make(gate);
                    self.summands.insert(new, sum.clone());
                    self.sums.insert(sum, new);
                    return new;
                }
            }
        };
        self.known.insert(gate, result);
        result
    }

    pub fn equal(&mut self, a: Bit, b: Bit) -> Bit {
        !self.xor(a, b)
    }

    pub fn mux(&mut self, c: Bit, a: Bit, b: Bit) -> Bit {
        if c.is_negated() {
            return self.mux(!c, b, a);
        }
        if c == Bit::FALSE || a == b {
            return b;
        }
        if a == !b {
            return self.xor(c, b);
        }
        if a == Bit::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Bit::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Bit::TRUE || b == !c {
            return self.or(!c, a);
        }
        if b == Bit::FALSE || b == c {
            return self.and(c, a);
        }
        if let Gate::Mux(inner, x, _) = self.gates[a.gate()]
            && inner == c
        {
            return self.mux(c, x.negate_if(a.is_negated()), b);
        }
        if let Gate::Mux(inner, _, y) = self.gates[b.gate()]
            && inner == c
        {
            return self.mux(c, a, y.negate_if(b.is_negated()));
        }
        let negated = a.is_negated();
        self.make(Gate::Mux(c, a.negate_if(negated), b.negate_if(negated))).negate_if(negated)
    }

    pub fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut bits = [a, b, c];
        bits.sort_unstable();
        let [a, b, c] = bits;
        if a == Bit::FALSE {
            return self.and(b, c);
        }
        if a == Bit::TRUE {
            return self.or(b, c);
        }
        if a == b || b == !c {
            return a;
        }
        if a == !b || b == c {
            return c;
        }
        // The negation of a majority is the majority of the negations.
        let negated = a.is_negated();
        let gate = Gate::Majority(a.negate_if(negated), b.negate_if(negated), c.negate_if(negated));
        self.make(gate).negate_if(negated)
    }

    /// A bit that tells two exclusive bits apart where one of them is true: what they were split by, if that
    /// can be seen, and the first of them otherwise.
    pub fn decider(&self, a: Bit, b: Bit) -> Bit {
        if let (Some((p, q)), Some((r, s))) = (self.as_and(a), self.as_and(b)) {
            for (p, q) in [(p, q), (q, p)] {
                if (p == r && q == !s) || (p == s && q == !r) {
                    return q;
                }
            }
        }
        a
    }

    /// The values of all gates, from those of the inputs in the order in which they were made.
    #[cfg(test)]
    pub(crate) fn simulate(&self, inputs: &[bool]) -> Vec<bool> {
        let lanes: Vec<u64> = inputs.iter().map(|&input| u64::from(input)).collect();
        self.simulate_lanes(&lanes).into_iter().map(|lanes| lanes & 1 != 0).collect()
    }

    /// 64 assignments at once, one in each bit.
    #[cfg(test)]
    pub(crate) fn simulate_lanes(&self, inputs: &[u64]) -> Vec<u64> {
        let mut inputs = inputs.iter();
        let mut values: Vec<u64> = Vec::with_capacity(self.gates.len());
        for &gate in &self.gates {
            let value = |bit: Bit| if bit.is_negated() { !values[bit.gate()] } else { values[bit.gate()] };
            let next = match gate {
                Gate::False => 0,
                Gate::Input => inputs.next().copied().unwrap_or(0),
                Gate::And(a, b) => value(a) & value(b),
                Gate::Xor(a, b) => value(a) ^ value(b),
                Gate::Mux(c, a, b) => value(c) & value(a) | !value(c) & value(b),
                Gate::Majority(a, b, c) => value(a) & value(b) | value(a) & value(c) | value(b) & value(c),
            };
            values.push(next);
        }
        values
    }
}
