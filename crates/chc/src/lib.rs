//! Constrained Horn clauses: the systems that engines solve, how they are read and written, and
//! simplification that knows its way back.
//!
//! | file | what |
//! |---|---|
//! | `system` | predicates and clauses; interpretations and derivations, the two kinds of answer |
//! | `read` | SMT-LIB of the `HORN` logic, and Z3's `rule`/`query` commands, into a [`System`] |
//! | `axioms` | uninterpreted functions, and what is known about them |
//! | `cells` | clauses about single cells of arrays, whose models are invariants about every element |
//! | `data` | clauses over data types in a simple form, and functions by recursion for their models |
//! | `parameters` | clauses for any bound in place of a large one |
//! | `simplify` | smaller systems, and the way back for models and derivations |
//! | `witness` | completes a derivation: values for the variables of the clauses it uses |
//! | `write` | the way back, for models too |
//!
//! A [`System`] is satisfiable if some [`Interpretation`] of its predicates makes every clause
//! valid, and unsatisfiable if there is a [`Derivation`] of `false`. Terms live in a
//! [`Terms`](craig_term::Terms) that everybody shares; a clause owns its variables, which are
//! constants that occur in no other clause.
//!
//! ```
//! use craig_term::Terms;
//!
//! let mut terms = Terms::new();
//! let text = "(set-logic HORN) (declare-fun P (Int) Bool)
//!     (assert (forall ((x Int)) (=> (= x 0) (P x))))
//!     (assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))";
//! let system = craig_chc::read_system(&mut terms, text.as_bytes()).expect("clauses");
//! assert_eq!((system.predicates.len(), system.clauses.len()), (1, 2));
//! ```

mod axioms;
mod cells;
mod data;
mod parameters;
mod read;
mod simplify;
mod system;
mod witness;
mod write;

#[cfg(test)]
mod tests;

pub use axioms::{Axiom, consistent};
pub use cells::{Cells, Hint, Hints, Sharing, cells, prune};
pub use data::{Case, Fact, Flat, Fold, Folds, NotFlat, flatten, has_data};
pub use parameters::{Parametric, parametric};
pub use read::{ReadError, read_system};
pub use simplify::{BackError, Simplified, simplify, simplify_for_models};
pub use system::{
    Application, Clause, ClauseId, Derivation, Interpretation, Predicate, PredicateId, Step, StepId, System,
};
pub use witness::{WitnessError, complete_derivation};
pub use write::{write_derivation, write_model, write_system};
