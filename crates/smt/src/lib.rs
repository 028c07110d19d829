//! The SMT solver: CDCL(T) with proofs, and interpolants from them.

pub mod arith;
pub mod process;
