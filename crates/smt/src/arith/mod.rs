//! Linear arithmetic.

mod delta;

pub use delta::DeltaRat;
