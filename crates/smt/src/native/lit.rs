//! Propositional variables and literals.

use craig_base::{Index, index_type};
use std::fmt;
use std::ops::Not;

index_type!(
    /// A propositional variable of one solver.
    pub Var,
    "v"
);

/// A variable or its negation: `2 * variable + sign`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(pub u32);

impl Lit {
    /// The variable, or its negation.
    pub const fn new(var: Var, negated: bool) -> Lit {
        Lit(var.0 << 1 | negated as u32)
    }

    /// Without the sign.
    pub const fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether it is a negation.
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl Index for Lit {
    fn from_usize(index: usize) -> Self {
        Lit(u32::try_from(index).expect("fewer than 2^32 literals"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", if self.is_negated() { "-" } else { "" }, self.var())
    }
}
