//! Gates and words of them, for the checker alone: literals as in DIMACS, with 1 for *true*.

use super::cases::Cases;
use super::copies::Copies;
use super::order::Results;
use super::origins::Origins;
use craig_base::{Map, Set};

pub(super) type Lit = i32;
/// From the lowest bit on.
pub(super) type Word = Vec<Lit>;

pub(super) const TRUE: Lit = 1;
pub(super) const FALSE: Lit = -1;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Gate {
    /// A variable that may have any value.
    Free,
    And(Lit, Lit),
    Xor(Lit, Lit),
    Choose(Lit, Lit, Lit),
}

/// All gates, each after its operands; the gate at index `i` is the variable `i + 1`.
pub(super) struct Gates {
    gates: Vec<Gate>,
    made: Map<Gate, Lit>,
    /// Words that have one of a few values.
    pub few: Map<Box<[Lit]>, Cases>,
    /// Addresses that have one of a few values, each under its condition, and may have any other elsewhere.
    pub partly: Map<Box<[Lit]>, Cases>,
    /// The bits of an address.
    pub pointer: usize,
    /// What holds of every quotient, or of floating numbers that are compared, and is hard to find in the gates.
    pub facts: Vec<Lit>,
    pub copies: Copies,
    pub origins: Origins,
    pub results: Results,
    /// Remainders of floats, which have no gates.
    pub remainders: Map<[Box<[Lit]>; 2], Word>,
}

impl Gates {
    /// For addresses of so many bits.
    pub fn new(pointer: usize) -> Self {
        Gates {
            gates: vec![Gate::Free],
            made: Map::default(),
            few: Map::default(),
            partly: Map::default(),
            pointer,
            facts: Vec::new(),
            copies: Copies::default(),
            origins: Origins::default(),
            results: Results::default(),
            remainders: Map::default(),
        }
    }

    pub fn count(&self) -> usize {
        self.gates.len()
    }

    pub fn free(&mut self) -> Lit {
        self.gates.push(Gate::Free);
        self.gates.len() as Lit
    }

    pub fn free_word(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.free()).collect()
    }

    pub fn make(&mut self, gate: Gate) -> Lit {
        if let Some(&lit) = self.made.get(&gate) {
            return lit;
        }
        self.gates.push(gate);
        let lit = self.gates.len() as Lit;
        self.made.insert(gate, lit);
        lit
    }

    pub fn gate(&self, lit: Lit) -> Gate {
        self.gates[lit.unsigned_abs() as usize - 1]
    }

    pub fn conjuncts(&self, lit: Lit) -> Option<[Lit; 2]> {
        match self.gate(lit) {
            Gate::And(a, b) if lit > 0 => Some([a, b]),
            _ => None,
        }
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        if a == FALSE || b == FALSE || a == -b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if b == TRUE {
            return a;
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.conjuncts(y) {
                Some(parts) if parts.contains(&x) => return y,
                Some(parts) if parts.contains(&-x) => return FALSE,
                _ => {}
            }
            if let Some([p, q]) = self.conjuncts(-y) {
                if x == -p || x == -q {
                    return x;
                }
                if x == p {
                    return self.and(x, -q);
                }
                if x == q {
                    return self.and(x, -p);
                }
            }
        }
        // Neither x and y, nor x and not y: not x.
        if let (Some(one), Some(other)) = (self.conjuncts(-a), self.conjuncts(-b))
            && let Some(i) = (0..2).find(|&i| other.contains(&one[i]) && other.contains(&-one[1 - i]))
        {
            return -one[i];
        }
        self.make(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        -self.and(-a, -b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        self.xor_by(a, b, Gates::parity)
    }

    fn xor_by(&mut self, a: Lit, b: Lit, make: impl Fn(&mut Gates, Lit, Lit) -> Lit) -> Lit {
        let flip = (a < 0) != (b < 0);
        let (a, b) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        let plain = if a == b {
            FALSE
        } else if a == TRUE {
            -b
        } else {
            make(self, a, b)
        };
        if flip { -plain } else { plain }
    }

    /// `a` if `c`, else `b`.
    pub fn choose(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        match c {
            TRUE => a,
            FALSE => b,
            _ if a == b => a,
            _ if a == -b => self.xor(c, b),
            _ if a == TRUE || a == c => self.or(c, b),
            _ if a == FALSE || a == -c => self.and(-c, b),
            _ if b == TRUE || b == -c => self.or(-c, a),
            _ if b == FALSE || b == c => self.and(c, a),
            _ if c < 0 => self.choose(-c, b, a),
            _ if a < 0 => -self.choose(c, -a, -b),
            _ => self.make(Gate::Choose(c, a, b)),
        }
    }

    /// What makes one of two exclusive literals true and not the other, if that can be seen; else the first.
    pub fn difference(&self, a: Lit, b: Lit) -> Lit {
        if let (Some(one), Some(other)) = (self.conjuncts(a), self.conjuncts(b))
            && let Some(i) = (0..2).find(|&i| other.contains(&one[i]) && other.contains(&-one[1 - i]))
        {
            return one[1 - i];
        }
        a
    }

    pub fn choose_word(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&a, &b)| self.choose(c, a, b)).collect()
    }

    pub fn any(&mut self, word: &[Lit]) -> Lit {
        word.iter().fold(FALSE, |any, &lit| self.or(any, lit))
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // What constants decide needs no gates.
        let differ = |(&a, &b): (&Lit, &Lit)| a == -b;
        if a.iter().zip(b).any(differ) {
            return FALSE;
        }
        a.iter().zip(b).fold(TRUE, |equal, (&a, &b)| {
            let same = -self.xor(a, b);
            self.and(equal, same)
        })
    }

    /// As unsigned numbers.
    pub fn below(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        a.iter().zip(b).fold(FALSE, |below, (&a, &b)| {
            let differ = self.xor(a, b);
            self.choose(differ, b, below)
        })
    }

    /// With the carry into the lowest bit.
    pub fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Word {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            // With its carries this is no sum modulo two in which something might cancel out.
            sum.push(self.xor_by(half, carry, |gates, a, b| gates.make(Gate::Xor(a, b))));
            carry = self.choose(half, carry, a);
        }
        sum
    }

    pub fn difference_of(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let complement: Word = b.iter().map(|&lit| -lit).collect();
        self.sum(a, &complement, TRUE)
    }

    pub fn magnitude(&mut self, a: &[Lit], negative: Lit) -> Word {
        let flipped: Word = a.iter().map(|&lit| self.xor(lit, negative)).collect();
        let zero = vec![FALSE; a.len()];
        self.sum(&flipped, &zero, negative)
    }

    /// The lowest `width` bits of a product of unsigned numbers, row by row.
    pub fn product_of_rows(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Word {
        let possible = |word: &[Lit]| word.iter().filter(|&&lit| lit != FALSE).count();
        // Few rows.
        let (a, b) = if possible(b) > possible(a) { (b, a) } else { (a, b) };
        let mut total = vec![FALSE; width];
        for (i, &bit) in b.iter().enumerate().take(width).filter(|&(_, &bit)| bit != FALSE) {
            let shifted: Word = (0..width)
                .map(|j| match j.checked_sub(i).and_then(|from| a.get(from)) {
                    Some(&lit) => self.and(lit, bit),
                    None => FALSE,
                })
                .collect();
            total = self.sum(&total, &shifted, FALSE);
        }
        total
    }

    /// Quotient and remainder of unsigned numbers, for a divisor that is not zero.
    pub fn quotient(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        // What is left is below the divisor: one bit more than that has is enough before it is subtracted.
        let length = b.iter().rposition(|&lit| lit != FALSE).map_or(0, |last| last + 1);
        let divisor: Word = b[..length].iter().copied().chain([FALSE]).collect();
        let mut rest = vec![FALSE; divisor.len()];
        let mut quotient = vec![FALSE; a.len()];
        for i in (0..a.len()).rev() {
            rest.rotate_right(1);
            rest[0] = a[i];
            let fits = -self.below(&rest, &divisor);
            quotient[i] = fits;
            let less = self.difference_of(&rest, &divisor);
            rest = self.choose_word(fits, &less, &rest);
        }
        rest.truncate(length);
        rest.resize(a.len(), FALSE);
        // For a divisor that is not zero: the remainder is below it, and no result is above the dividend.
        let is_zero = -self.any(b);
        for (smaller, larger, strict) in
            [(&rest[..], b, true), (&rest[..], a, false), (&quotient[..], a, false)]
        {
            let holds = if strict { self.below(smaller, larger) } else { -self.below(larger, smaller) };
            let fact = self.or(is_zero, holds);
            self.facts.push(fact);
        }
        (quotient, rest)
    }

    /// The values of all gates, where the free ones have these in their order, after the constant.
    #[cfg(test)]
    pub fn simulate(&self, free: &[bool]) -> Vec<bool> {
        let mut free = free.iter().copied();
        let mut values = vec![true];
        for &gate in &self.gates[1..] {
            let value = |lit: Lit| values[lit.unsigned_abs() as usize - 1] == (lit > 0);
            let next = match gate {
                Gate::Free => free.next().unwrap_or(false),
                Gate::And(a, b) => value(a) && value(b),
                Gate::Xor(a, b) => value(a) != value(b),
                Gate::Choose(c, a, b) => value(if value(c) { a } else { b }),
            };
            values.push(next);
        }
        values
    }

    /// The clauses that define the gates below the literals, with their variables numbered again from 1 on;
    /// and the new number of each variable.
    pub fn clauses(&self, roots: impl IntoIterator<Item = Lit>) -> (Vec<Vec<i32>>, Map<u32, i32>) {
        let mut needed: Set<u32> = Set::default();
        let mut work: Vec<u32> = roots.into_iter().map(Lit::unsigned_abs).collect();
        work.push(1);
        while let Some(var) = work.pop() {
            if needed.insert(var) {
                work.extend(operands(self.gates[var as usize - 1]).iter().map(|lit| lit.unsigned_abs()));
            }
        }
        let mut numbers: Map<u32, i32> = Map::default();
        let mut clauses = vec![vec![1]];
        for var in (1..=self.gates.len() as u32).filter(|var| needed.contains(var)) {
            let out = numbers.len() as i32 + 1;
            numbers.insert(var, out);
            let gate = self.gates[var as usize - 1];
            let new = |lit: Lit| numbers[&lit.unsigned_abs()] * lit.signum();
            match gate {
                Gate::Free => {}
                Gate::And(a, b) => {
                    let (a, b) = (new(a), new(b));
                    clauses.extend([vec![-out, a], vec![-out, b], vec![out, -a, -b]]);
                }
                Gate::Xor(a, b) => {
                    let (a, b) = (new(a), new(b));
                    clauses.extend([vec![-out, a, b], vec![-out, -a, -b]]);
                    clauses.extend([vec![out, -a, b], vec![out, a, -b]]);
                }
                Gate::Choose(c, a, b) => {
                    let (c, a, b) = (new(c), new(a), new(b));
                    clauses.extend([vec![-c, -out, a], vec![-c, out, -a]]);
                    clauses.extend([vec![c, -out, b], vec![c, out, -b]]);
                    clauses.extend([vec![-out, a, b], vec![out, -a, -b]]);
                }
            }
        }
        (clauses, numbers)
    }
}

fn operands(gate: Gate) -> Vec<Lit> {
    match gate {
        Gate::Free => Vec::new(),
        Gate::And(a, b) | Gate::Xor(a, b) => vec![a, b],
        Gate::Choose(c, a, b) => vec![c, a, b],
    }
}

pub(super) fn number(width: usize, value: u128) -> Word {
    (0..width).map(|i| if i < 128 && value >> i & 1 != 0 { TRUE } else { FALSE }).collect()
}

pub(super) fn as_number(word: &[Lit]) -> Option<u128> {
    let mut value = 0u128;
    for (i, &lit) in word.iter().enumerate() {
        match lit {
            TRUE => value |= 1 << i,
            FALSE => {}
            _ => return None,
        }
    }
    Some(value)
}

/// As a number of `width` bits, by the sign or by zeros.
pub(super) fn widened(word: &[Lit], width: usize, signed: bool) -> Word {
    let sign = if signed { word.last().copied().unwrap_or(FALSE) } else { FALSE };
    let mut wide = word.to_vec();
    wide.resize(width, sign);
    wide
}
