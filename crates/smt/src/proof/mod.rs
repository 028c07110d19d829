//! Proofs: resolution with theory leaves.
//!
//! The solver only appends: a leaf when a clause enters, and for each learned clause the list of
//! its antecedents in resolution order with the variable resolved on. Nothing is reconstructed until
//! a [`Refutation`] is asked for, which keeps the steps that the empty clause needs and computes
//! their clauses. [`check`] verifies a refutation with no help from the solver, [`check_against`] also that it is one of
//! given formulas.

mod alethe;
mod axiom;
mod certificate;
mod check;
mod inputs;
mod log;
mod refutation;

pub use alethe::{Alethe, refute};
pub use axiom::{Axiom, Disjunct};
pub use certificate::{Certificate, DivisibilityTerm, FarkasTerm};
pub use check::{ProofError, check, check_against};
pub use log::{Leaf, ProofLog, StepId};
pub use refutation::{Refutation, Step, StepKind};
