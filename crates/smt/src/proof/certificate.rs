//! Why a clause is valid in the theory, in a form that is checked by adding and comparing numbers.

use super::axiom::Axiom;
use crate::native::Lit;
use craig_num::Rat;

/// One summand of a Farkas sum: the inequality that `lit` stands for, times a positive number.
///
/// `upper` says which one: `form <= bound` or `form >= bound`. It matters for equalities, which give
/// both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FarkasTerm {
    /// The literal that states the bound.
    pub lit: Lit,
    /// Whether it is an upper bound.
    pub upper: bool,
    /// How often it is added.
    pub coefficient: Rat,
}

/// `form = bound` from two literals (the same one twice, if it is an equality), times any number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DivisibilityTerm {
    /// The literal of the lower bound.
    pub lower: Lit,
    /// The literal of the upper bound.
    pub upper: Lit,
    /// How often the equation is added.
    pub coefficient: Rat,
}

/// Why a clause of arithmetic holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// The negations of the clause's literals, as inequalities, add up to `0 <= c < 0` or `0 < 0`.
    Farkas(Vec<FarkasTerm>),
    /// The equalities add up to integer coefficients of integer variables and a constant that is
    /// no integer.
    Divisibility(Vec<DivisibilityTerm>),
    /// `form = k`, `form < k` or `form > k`. Belongs to each part that contains the equality.
    Trichotomy,
    /// An instance of an axiom of functions, arrays or uninterpreted sorts.
    Axiom(Axiom),
}
