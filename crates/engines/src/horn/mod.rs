//! What the engines for Horn clauses share: their answer, rules in the form that they search over,
//! the annotation of levels with lemmas, implicants and projection.

mod annotation;
mod arrays;
mod context;
mod equality;
mod farkas;
mod frames;
mod implicant;
mod instance;
mod project;
mod rules;

#[cfg(test)]
pub(crate) mod suite;
#[cfg(test)]
mod tests;

pub use annotation::{Annotation, Blocked};
pub use context::{Context, Question};
pub use equality::solution;
pub use frames::Frames;
pub use implicant::implicant;
pub use instance::Instance;
pub use project::project;
pub use rules::{BodyAtom, Rule, RuleId, Rules};

use craig_base::StopReason;
use craig_chc::{Derivation, Interpretation};
use craig_smt::interpolate::Failure;
use craig_smt::{Solver, UnknownReason};
use craig_term::EvalError;
use std::fmt;

/// How an engine gets its solvers.
pub type NewSolver<'a> = &'a dyn Fn() -> Box<dyn Solver>;

/// The answer to a system of Horn clauses. It is not yet checked.
#[derive(Clone, Debug)]
pub enum HornVerdict {
    Sat(Interpretation),
    Unsat(Derivation),
    Unknown(Reason),
}

/// Why an engine has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Stopped(StopReason),
    /// A question without which the search cannot go on.
    Solver(UnknownReason),
    /// A model of the solver could not be evaluated.
    Evaluation(EvalError),
    /// A refutation without interpolants.
    Interpolation(Failure),
    /// Something that cannot be happened. It is a bug, but not a wrong answer.
    Internal(&'static str),
    /// A derivation that relies on what an uninterpreted function is.
    Functions,
    /// A model for all functions that satisfy the axioms; but there may be none.
    Axioms,
    /// Every derivation up to this depth was excluded, and that is all that was asked for.
    Bounded(usize),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped(reason) => reason.fmt(f),
            Reason::Solver(reason) => reason.fmt(f),
            Reason::Evaluation(error) => write!(f, "a model could not be evaluated: {error}"),
            Reason::Interpolation(failure) => write!(f, "no interpolant: {failure}"),
            Reason::Internal(what) => write!(f, "internal error: {what}"),
            Reason::Functions => f.write_str("false is derivable for some of the uninterpreted functions"),
            Reason::Axioms => f.write_str("there is a model, but the axioms may contradict each other"),
            Reason::Bounded(depth) => write!(f, "no derivation up to depth {depth}"),
        }
    }
}

impl From<StopReason> for Reason {
    fn from(reason: StopReason) -> Self {
        Reason::Stopped(reason)
    }
}

impl From<EvalError> for Reason {
    fn from(error: EvalError) -> Self {
        Reason::Evaluation(error)
    }
}

impl From<UnknownReason> for Reason {
    fn from(reason: UnknownReason) -> Self {
        match reason {
            UnknownReason::Stopped(reason) => Reason::Stopped(reason),
            other => Reason::Solver(other),
        }
    }
}

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Solver(reason) => reason.into(),
            other => Reason::Interpolation(other),
        }
    }
}
