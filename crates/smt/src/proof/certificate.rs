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
    pub lit: Lit,
    pub upper: bool,
    pub coefficient: Rat,
}

/// `form = bound` from two literals (the same one twice, if it is an equality), times any number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DivisibilityTerm {
    pub lower: Lit,
    pub upper: Lit,
    pub coefficient: Rat,
}

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
