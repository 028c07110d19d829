//! What the engines for Horn clauses share: their answer, rules in the form that they search over,
//! the annotation of levels with lemmas.

mod annotation;
pub mod cells;
mod context;
pub mod contracts;
mod farkas;
mod frames;
pub mod inlined;
mod instance;
mod rules;
pub mod solve;

#[cfg(test)]
pub(crate) mod suite;

pub use annotation::{Annotation, Blocked};
pub use context::{Context, Question};
pub use frames::Frames;
pub use instance::Instance;
pub use rules::{BodyAtom, Rule, RuleId, Rules};

use crate::verdict::Reason;
use craig_chc::{Derivation, Interpretation};
use craig_smt::Solver;

/// How an engine gets its solvers.
pub type NewSolver<'a> = &'a dyn Fn() -> Box<dyn Solver>;

/// The answer to a system of Horn clauses. It is not yet checked.
#[derive(Clone, Debug)]
pub enum HornVerdict {
    Sat(Interpretation),
    Unsat(Derivation),
    Unknown(Reason),
}
