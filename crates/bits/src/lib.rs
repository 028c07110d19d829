//! Circuits for machine arithmetic: gates that are shared and folded as they are made ([`Circuit`]), words of
//! them ([`words`]), their clauses ([`Clauses`]), and whole
//! programs of them ([`unwind`]), SMT-LIB scripts ([`script`]) and Horn clauses over words ([`horn`]).
//!
//! ```
//! use craig_bits::{Bit, Circuit};
//!
//! let mut circuit = Circuit::default();
//! let a = circuit.input();
//! assert_eq!(circuit.and(a, a), a);
//! assert_eq!(circuit.xor(a, a), Bit::constant(false));
//! ```

mod circuit;
mod clauses;
mod copies;
pub mod float;
pub mod horn;
mod interpolate;
mod origins;
mod read;
mod reduced;
pub mod script;
#[cfg(test)]
mod tests;
pub mod unwind;
pub mod words;

pub use circuit::{Bit, Circuit};
pub use clauses::{Clauses, Sink};
