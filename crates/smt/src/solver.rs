//! What a solver is to the engines, whichever it is.

use craig_base::{Budget, StopReason};
use craig_term::{Model, TermId, Terms};
use std::fmt;

/// The answer to a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Neither is known.
    Unknown(UnknownReason),
}

/// Why a solver has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// The budget was used up.
    Stopped(StopReason),
    /// Integer splits ran on without an end in sight.
    Splits,
    /// More conflicts than the caller wanted to pay for.
    Conflicts,
    /// The formula has something that this solver only abstracts, and its model does not hold.
    Unsupported(Unsupported),
    /// An external solver gave no usable answer.
    Backend(String),
}

/// What the native solver treats as unknown where it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// `forall` and `exists`.
    Quantifier,
    /// Products and quotients of variables.
    Nonlinear,
    /// Functions and sorts that nothing interprets.
    Functions,
    /// `select` and `store`.
    Arrays,
    /// Data types, whose constructors are functions to the solver.
    Data,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unsupported::Quantifier => "quantifiers",
            Unsupported::Nonlinear => "nonlinear arithmetic",
            Unsupported::Functions => "uninterpreted functions or sorts",
            Unsupported::Arrays => "arrays",
            Unsupported::Data => "data types",
        })
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Stopped(reason) => reason.fmt(f),
            UnknownReason::Splits => f.write_str("too many integer splits"),
            UnknownReason::Conflicts => f.write_str("too many conflicts"),
            UnknownReason::Unsupported(what) => write!(f, "no complete procedure for {what}"),
            UnknownReason::Backend(message) => write!(f, "the external solver failed: {message}"),
        }
    }
}

/// An incremental solver.
///
/// Laws: after `Sat`, every assertion and assumption is true in [`model`](Solver::model). After
/// `Unsat`, the assertions and [`core`](Solver::core) together have no model. `pop` forgets exactly
/// what was asserted since the matching `push`.
pub trait Solver {
    /// Opens a scope.
    fn push(&mut self);

    /// Without a matching `push` this does nothing.
    fn pop(&mut self);

    /// Asserts a formula, until the current scope is closed.
    fn assert(&mut self, terms: &mut Terms, formula: TermId);

    /// Whether all that is asserted has a model in which the assumptions hold as well.
    fn check(&mut self, terms: &mut Terms, assumptions: &[TermId], budget: &Budget) -> Answer;

    /// How many conflicts a check may have from now on. A solver that does not count them has as many as it needs.
    fn limit_conflicts(&mut self, _conflicts: u64) {}

    /// The model of the last check, if it was `Sat`.
    fn model(&self) -> Option<&Model>;

    /// The assumptions that the last check needed, if it was `Unsat`.
    fn core(&self) -> &[TermId];
}
