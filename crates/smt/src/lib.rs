//! The SMT solver: CDCL(T) with proofs, and interpolants from them.

pub mod arith;
pub mod native;
pub mod process;

mod solver;
pub mod project;
pub mod proof;
pub use native::NativeSolver;
pub use solver::{Answer, Solver, UnknownReason, Unsupported};
