//! Programs built by hand, run concretely and symbolically.

mod leaps;
mod runs;
mod symbolic;
