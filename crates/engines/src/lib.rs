//! The verification algorithms, one module each, to be read next to their papers.

pub mod bits;
pub mod blocks;
pub mod bmc;
pub mod clauses;
pub mod cover;
pub mod dash;
pub mod duality;
pub mod each;
pub mod functions;
pub mod horn;
pub mod impact;
pub mod lazy_annotation;
pub mod path;
pub mod pdr;
pub mod portfolio;
pub mod procedures;
pub mod race;
pub mod random;
pub mod sharing;
pub mod solve;
pub mod synergy;
pub mod table;
pub mod ufo;
mod verdict;
mod verify;
pub mod view;
pub mod vinta;
pub mod whale;
pub mod yogi;

pub use verdict::{Finding, Reason};
pub use verify::{Engine, INLINE_LIMIT, Proof, Verdict, verify, verify_sharing};
