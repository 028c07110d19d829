//! The verification algorithms, one module each, to be read next to their papers.

pub mod blocks;
pub mod bmc;
pub mod clauses;
pub mod horn;
pub mod path;
pub mod pdr;
pub mod portfolio;
pub mod procedures;
pub mod random;
pub mod synergy;
pub mod ufo;
pub mod yogi;
mod verdict;
mod verify;

pub use verdict::{Finding, Reason};
pub use verify::{Engine, Proof, Verdict, verify};
