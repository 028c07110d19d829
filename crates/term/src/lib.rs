//! Terms: sorts, a hash-consed store with normalising constructors, traversal, substitution,
//! evaluation, SMT-LIB printing and reading.
//!
//! [`Terms`] owns every node; a [`TermId`] is a 32-bit handle, and two terms built from equal parts
//! are the same handle. Nodes sit in one arena (operator, sort, a slice of one shared argument
//! vector), so building and walking millions of them is cheap, and no function recurses over a term.
//!
//! The constructors normalise, so that different spellings of one fact become one term:
//! - conjunctions and disjunctions are flattened, sorted, without duplicates or complements;
//! - equality of Booleans has no negated argument;
//! - a sum is sorted by its summands, with one coefficient each;
//! - an arithmetic atom is `sum <= k`, `sum < k` (reals only) or `sum = k` with coprime integer
//!   coefficients, the first of them positive; over the integers bounds are tightened. `>=` and `>`
//!   are negations of those, so that an atom and its complement differ by one `not`.
//!
//! Callers respect sorts; a builder given wrong ones breaks an invariant (checked in debug builds).
//! Code that reads user input checks sorts first.
//!
//! ```
//! use craig_term::Terms;
//!
//! let mut terms = Terms::new();
//! let x = terms.declare_const("x", Terms::INT)?;
//! let (three, four) = (terms.int(3), terms.int(4));
//! assert_eq!(terms.lt(x, four), terms.le(x, three));
//! # Ok::<(), craig_term::DeclareError>(())
//! ```

mod arith;
mod array;
mod boolean;
mod data;
mod eval;
mod evaluation;
mod print;
mod script;
pub mod smtlib;
mod store;
mod traverse;

#[cfg(test)]
mod tests;

pub use arith::LinearSum;
pub use craig_num::{Int, Rat};
pub use data::{Constructor, Role};
pub use eval::{ArrayValue, EvalError, FunctionValue, Model, Value};
pub use evaluation::Evaluation;
pub use print::{quote_symbol, write_symbol};
pub use script::Declarations;
pub use store::{DeclareError, FunId, Op, Sort, SortId, TermId, Terms};
pub use traverse::Substitution;
