//! Proofs and tests, and the checkers that accept or reject them.
//!
//! Nothing here but the language of proofs is used by an engine in its search, and nothing here uses an
//! engine: the checkers have their own translation of programs into terms ([`meaning`], [`segment`]).
//!
//! ```
//! use craig_base::Budget;
//! use craig_certificate::{Invariant, check_invariant};
//! use craig_program::build::Builder;
//! use craig_term::Terms;
//!
//! // A program that cannot fail needs no invariant.
//! let mut main = Builder::new();
//! let zero = main.int(0);
//! main.give(zero);
//! let nothing = Invariant::default();
//! let judgement = check_invariant(&mut Terms::new(), &main.program, &nothing, &Budget::unlimited());
//! assert!(judgement.is_ok());
//! ```

mod data;
mod file;
pub mod frames;
mod horn;
mod inexact;
mod invariant;
mod known;
mod lrat;
pub mod meaning;
mod memory;
mod parts;
mod quantifiers;
mod refute;
mod regions;
pub mod segment;
pub mod state;
mod summaries;
mod unwinding;

pub use file::{
    ProofKind, read_invariant, read_run, read_summaries, write_invariant, write_run, write_summaries,
};
pub use horn::{HornRejection, Place, check_derivation, check_model};
pub use invariant::{Invariant, Rejection, check_invariant, initial_condition};
pub use lrat::{LratError, check_lrat};
pub use parts::{Part, read_parts, write_parts};
pub use refute::{Judge, Observer, Refuted};
pub use regions::{RegionRejection, check_regions};
pub use summaries::{Contract, Summaries, SummaryRejection, Triple, check_summaries};
pub use unwinding::{
    Bounds, Induction, Obligation, Unwinding, UnwindingRejection, check_induction, check_unwinding,
    read_induction, read_unwinding, write_induction, write_unwinding,
};
