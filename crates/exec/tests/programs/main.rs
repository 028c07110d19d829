//! Programs built by hand, run concretely and symbolically.

mod runs;
mod symbolic;
