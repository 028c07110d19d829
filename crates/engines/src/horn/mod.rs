//! What the engines for Horn clauses share.

mod implicant;
mod project;

#[cfg(test)]
mod tests;

pub use implicant::implicant;
pub use project::project;
