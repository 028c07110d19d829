//! A SAT solver: conflict-driven clause learning in the style of MiniSat, Glucose and CaDiCaL, with
//! answers under assumptions and proofs in LRAT (Cruz-Filipe et al., *Efficient certified RAT
//! verification*, 2017).
//!
//! The names are those of the literature: [`Solver::solve`] is the loop of propagation, conflict analysis
//! and decisions (`search.rs`), `analyze.rs` learns from conflicts, `reduce.rs` forgets what was of no use,
//! `sweep.rs` finds variables that are equal, and `proof.rs` keeps the antecedents of what was learned. Proofs are
//! checked elsewhere, by code that shares nothing with this crate.
//!
//! ```
//! use craig_base::Budget;
//! use craig_sat::{Outcome, Solver};
//!
//! let mut solver = Solver::new();
//! let [a, b] = [solver.new_var(), solver.new_var()].map(|var| var.positive());
//! solver.add_clause(&[a, b]);
//! solver.add_clause(&[!a]);
//! assert_eq!(solver.solve(&[], &Budget::unlimited()), Outcome::Sat);
//! assert!(solver.model(b));
//! assert_eq!(solver.solve(&[!b], &Budget::unlimited()), Outcome::Unsat);
//! assert_eq!(solver.core(), [!b]);
//! ```

mod analyze;
mod chains;
mod clauses;
mod heap;
mod literal;
mod proof;
mod reduce;
mod refute;
mod restart;
mod search;
mod solver;
mod sweep;
#[cfg(test)]
mod tests;

pub use chains::Chain;
pub use literal::{Lit, Var};
pub use proof::Proof;
pub use refute::refute;
pub use solver::{Outcome, Solver};
