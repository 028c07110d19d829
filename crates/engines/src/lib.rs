//! The verification algorithms, one module each, to be read next to their papers.

pub mod horn;
pub mod pdr;
