//! The SMT solver: CDCL(T) with proofs, and interpolants from them.

pub mod arith;
pub mod interpolate;
pub mod native;
pub mod preprocess;
pub mod process;
pub mod products;

pub mod project;
pub mod proof;
mod solver;
pub use native::NativeSolver;
pub use solver::{Answer, Solver, UnknownReason, Unsupported};
