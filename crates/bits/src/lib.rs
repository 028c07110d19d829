//! Circuits for machine arithmetic: gates that are shared and folded as they are made ([`Circuit`]), words of
//! them ([`words`]), and their clauses ([`Clauses`]).

mod circuit;
mod clauses;
#[cfg(test)]
mod tests;
pub mod words;

pub use circuit::{Bit, Circuit};
pub use clauses::Clauses;
