//! Variables and literals.

use std::fmt;
use std::ops::Not;

/// A propositional variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A variable or its negation: twice the variable, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Var {
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Lit {
    pub fn new(var: Var, negated: bool) -> Lit {
        Lit(var.0 << 1 | u32::from(negated))
    }

    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn code(self) -> u32 {
        self.0
    }

    pub(crate) fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    /// As in DIMACS: variables from 1, negative if negated.
    pub fn dimacs(self) -> i32 {
        let number = self.0 as i32 / 2 + 1;
        if self.is_negated() { -number } else { number }
    }

    /// The inverse of [`dimacs`](Lit::dimacs); `number` is not 0.
    pub fn from_dimacs(number: i32) -> Lit {
        Lit::new(Var(number.unsigned_abs() - 1), number < 0)
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dimacs())
    }
}
