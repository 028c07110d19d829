//! Random C programs, to compare Craig with a C compiler.

pub mod generate;
pub mod rng;
