//! What an engine finds, before it is certified.

use crate::path::ProgramPath;
use craig_base::StopReason;
use craig_certificate::Invariant;
use craig_smt::UnknownReason;
use craig_smt::interpolate::Failure;
use std::fmt;

/// The result of a search. It becomes an answer only when the checkers have accepted it.
pub enum Finding {
    Safe(Invariant),
    Unsafe(ProgramPath),
    Unknown(Reason),
}

/// Why a search ends without a finding.
pub(crate) enum Stop {
    Budget(StopReason),
    Solver(UnknownReason),
    Interpolation(Failure),
    Internal(&'static str),
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Self {
        Stop::Budget(reason)
    }
}

impl From<Stop> for Finding {
    fn from(stop: Stop) -> Self {
        Finding::Unknown(match stop {
            Stop::Budget(reason) => Reason::Stopped(reason),
            Stop::Solver(reason) | Stop::Interpolation(Failure::Solver(reason)) => Reason::from(reason),
            Stop::Interpolation(failure) => Reason::Interpolation(failure),
            Stop::Internal(what) => Reason::Internal(what.to_string()),
        })
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Stopped(StopReason),
    Solver(UnknownReason),
    /// An infeasible path has no interpolants that the solver can compute.
    Interpolation(Failure),
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
    /// A certificate was rejected: a defect of Craig, never an answer.
    Rejected(String),
    Internal(String),
}

impl From<UnknownReason> for Reason {
    fn from(reason: UnknownReason) -> Self {
        match reason {
            UnknownReason::Stopped(reason) => Reason::Stopped(reason),
            reason => Reason::Solver(reason),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped(reason) => reason.fmt(f),
            Reason::Solver(reason) => write!(f, "the solver gave up: {reason}"),
            Reason::Interpolation(failure) => write!(f, "no interpolant was found: {failure}"),
            Reason::NotInlined(why) | Reason::NotUnwound(why) => f.write_str(why),
            Reason::NotReplayed(why) => write!(f, "a possible failure could not be replayed: {why}"),
            Reason::AllPathsTried => {
                f.write_str("all paths were tried, but without learning there is no proof")
            }
            Reason::RunsEnded => f.write_str("no random run reached the error"),
            Reason::Rejected(why) => write!(f, "the certificate was rejected: {why}"),
            Reason::Internal(why) => write!(f, "internal error: {why}"),
        }
    }
}
