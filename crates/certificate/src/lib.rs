//! Proofs and tests, and the checkers that accept or reject them.
//!
//! Nothing here is used by an engine in its search, and nothing here uses an engine: the checkers
//! have their own translation of programs into terms ([`meaning`], [`segment`]).

mod file;
mod horn;
mod invariant;
pub mod meaning;
mod memory;
mod refute;
pub mod segment;
pub mod state;
mod summaries;

pub use file::{is_proof, read_invariant, write_invariant};
pub use horn::{HornRejection, check_derivation, check_model};
pub use invariant::{Invariant, Rejection, check_invariant, initial_condition};
pub use summaries::{Contract, Summaries, SummaryRejection, check_summaries};
