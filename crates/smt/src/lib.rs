//! An SMT solver that explains itself: CDCL(T) with proofs, and interpolants from them.
//!
//! Booleans, linear integer and real arithmetic, uninterpreted functions and arrays, quantifiers; models, unsatisfiable cores,
//! proofs, and interpolants of several shapes, all in one process and without any other solver.
//!
//! [`Context`] owns everything that is needed:
//!
//! ```
//! use craig_smt::interpolate::Interpolation;
//! use craig_smt::{Answer, Context};
//!
//! let mut context = Context::new();
//! let parts = context.read(
//!     "(declare-const x Int) (declare-const y Int) (declare-const z Int)
//!      (assert (>= x 5))
//!      (assert (= y (+ x 1)))
//!      (assert (and (= z (* 2 y)) (< z 12)))",
//! )?;
//! assert_eq!(context.check(), Answer::Unsat);
//! let parts: Vec<_> = parts.chunks(1).collect();
//! let Interpolation::Interpolants(interpolants) = context.sequence_interpolants(&parts) else { unreachable!() };
//! // What a prefix of the parts says to the rest of them, in words that both know.
//! assert_eq!(interpolants.len(), 2);
//! assert_eq!(context.show(interpolants[0]), "(> x 4)");
//! # Ok::<(), craig_smt::term::smtlib::Error>(())
//! ```
//!
//! Those who keep terms by themselves use what it is made of: a [`NativeSolver`], which is a [`Solver`], and the
//! functions of [`interpolate`].

#![warn(missing_docs)]

pub mod aggregates;
#[doc(hidden)]
pub mod arith;
mod context;
mod data;
pub mod interpolate;
pub mod native;
mod preprocess;
pub mod process;
pub mod products;
pub mod project;
pub mod proof;
mod quantified;
pub mod script;
mod solver;

pub use context::{Assertion, Context};
pub use craig_base::{Budget, CancelToken};
pub use craig_term as term;
pub use native::NativeSolver;
pub use solver::{Answer, Solver, UnknownReason, Unsupported};
