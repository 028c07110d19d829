//! What an engine finds, before it is certified.

use crate::path::ProgramPath;
use craig_base::StopReason;
use craig_certificate::Invariant;
use craig_smt::UnknownReason;
use craig_smt::interpolate::Failure;
use craig_smt::project::ProjectError;
use craig_term::EvalError;
use std::fmt;

/// The result of a search. It becomes an answer only when the checkers have accepted it.
pub enum Finding {
    Safe(Invariant),
    Unsafe(ProgramPath),
    Unknown(Reason),
}

impl From<Reason> for Finding {
    fn from(reason: Reason) -> Self {
        Finding::Unknown(reason)
    }
}

/// Why there is no answer, whoever was asked and whatever about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Stopped(StopReason),
    /// A question without which the search cannot go on.
    Solver(UnknownReason),
    /// A refutation has no interpolants that the solver can compute.
    Interpolation(Failure),
    /// A model of the solver could not be evaluated.
    Evaluation(EvalError),
    /// A model of the solver could not be projected.
    Projection(ProjectError),
    /// Inlining is not possible, or not affordable, for an engine that needs it.
    NotInlined(String),
    /// The program, or as much of it as is needed, cannot be made into a circuit.
    NotUnwound(String),
    /// The path found goes through something that formulas only over-approximate.
    NotReplayed(String),
    /// All paths were followed to their ends, by an engine that learns nothing from that.
    AllPathsTried,
    /// No random run came to the error.
    RunsEnded,
    /// A derivation that relies on what an uninterpreted function is.
    Functions,
    /// A model for all functions that satisfy the axioms; but there may be none.
    Axioms,
    /// What single cells say about arrays does not suffice for a proof, or there are no arrays.
    Cells(&'static str),
    /// Why forgetting memory is of no use.
    Memory(&'static str),
    /// An engine for transition systems was asked about something else.
    NoTransitionSystem,
    /// What stands in the way of an answer about data types.
    Data(&'static str),
    /// Every derivation up to this depth was excluded, and that is all that was asked for.
    Bounded(usize),
    /// Nothing meets what is assumed at the start: there is no run to check.
    Vacuous,
    /// No run that was tried gets anywhere without undefined behaviour that is not asked about: a proof would be
    /// about none of them.
    Undefined(String),
    /// What is left of the guesses does not exclude the error.
    NoCandidate,
    /// All checks but these were proved.
    AllBut(Vec<usize>),
    /// The search ended with another check, which fails, or soon after.
    AnotherFailed,
    /// What an earlier search had to say.
    Recalled(String),
    /// A certificate was rejected: a defect of Craig, never an answer.
    Rejected(String),
    /// Something that cannot happen: a defect of Craig as well.
    Internal(String),
}

impl Reason {
    pub(crate) fn internal(what: &str) -> Reason {
        Reason::Internal(what.to_string())
    }

    /// Whether Craig is to blame, and not the question or its limits.
    pub fn is_defect(&self) -> bool {
        matches!(self, Reason::Rejected(_) | Reason::Internal(_))
    }

    /// How little a reason tells: of several, the one with the lowest rank is given. A defect comes first, then
    /// what is special about the question, then the limits.
    pub(crate) fn rank(&self) -> u32 {
        match self {
            Reason::Rejected(_) | Reason::Internal(_) => 0,
            Reason::NotReplayed(_) | Reason::Functions | Reason::Axioms | Reason::Bounded(_) => 1,
            Reason::NotInlined(_)
            | Reason::AnotherFailed
            | Reason::Vacuous
            | Reason::Undefined(_)
            | Reason::Recalled(_) => 2,
            Reason::Stopped(StopReason::Memory) => 3,
            Reason::Stopped(StopReason::Timeout) => 4,
            Reason::Interpolation(_)
            | Reason::Evaluation(_)
            | Reason::Projection(_)
            | Reason::Solver(_)
            | Reason::AllPathsTried => 5,
            Reason::Stopped(StopReason::Cancelled) => 6,
            Reason::NotUnwound(_)
            | Reason::RunsEnded
            | Reason::NoCandidate
            | Reason::AllBut(_)
            | Reason::NoTransitionSystem
            | Reason::Memory(_)
            | Reason::Cells(_)
            | Reason::Data(_) => 7,
        }
    }
}

impl From<StopReason> for Reason {
    fn from(reason: StopReason) -> Self {
        Reason::Stopped(reason)
    }
}

impl From<UnknownReason> for Reason {
    fn from(reason: UnknownReason) -> Self {
        match reason {
            UnknownReason::Stopped(reason) => Reason::Stopped(reason),
            reason => Reason::Solver(reason),
        }
    }
}

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Solver(reason) => reason.into(),
            failure => Reason::Interpolation(failure),
        }
    }
}

impl From<EvalError> for Reason {
    fn from(error: EvalError) -> Self {
        Reason::Evaluation(error)
    }
}

impl From<ProjectError> for Reason {
    fn from(error: ProjectError) -> Self {
        match error {
            ProjectError::Eval(error) => Reason::Evaluation(error),
            error => Reason::Projection(error),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped(reason) => reason.fmt(f),
            Reason::Solver(reason) => write!(f, "the solver gave up: {reason}"),
            Reason::Interpolation(failure) => write!(f, "no interpolant was found: {failure}"),
            Reason::Evaluation(error) => write!(f, "a model could not be evaluated: {error}"),
            Reason::Projection(error) => write!(f, "a model could not be projected: {error}"),
            Reason::NotInlined(why) | Reason::NotUnwound(why) | Reason::Recalled(why) => f.write_str(why),
            Reason::NotReplayed(why) => write!(f, "a possible failure could not be replayed: {why}"),
            Reason::AllPathsTried => {
                f.write_str("all paths were tried, but without learning there is no proof")
            }
            Reason::NoTransitionSystem => {
                f.write_str("the clauses are no transition system over numbers and truth values")
            }
            Reason::NoCandidate | Reason::AllBut(_) => f.write_str("no guessed invariant excludes the error"),
            Reason::RunsEnded => f.write_str("no random run reached the error"),
            Reason::Functions => f.write_str("false is derivable for some of the uninterpreted functions"),
            Reason::Axioms => f.write_str("there is a model, but the axioms may contradict each other"),
            Reason::Cells(why) | Reason::Memory(why) | Reason::Data(why) => f.write_str(why),
            Reason::Bounded(depth) => write!(f, "no derivation up to depth {depth}"),
            Reason::Vacuous => {
                f.write_str("vacuous: no arguments meet the requirements, so there is nothing to check")
            }
            Reason::Undefined(what) => {
                write!(f, "every run that was tried is undefined before it could fail: {what}")
            }
            Reason::AnotherFailed => f.write_str("another check failed, and the search ended soon after"),
            Reason::Rejected(why) => write!(f, "the certificate was rejected: {why}"),
            Reason::Internal(why) => write!(f, "internal error: {why}"),
        }
    }
}
