//! How a run ends.

use craig_base::StopReason;
use craig_program::{CheckKind, EdgeId, Obligation, ProcId, Program, Span};
use std::fmt;

/// The statement at which something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    pub proc: ProcId,
    pub edge: EdgeId,
}

impl Site {
    /// A procedure that ends where it begins has no edge: then its own place.
    pub fn span(self, program: &Program) -> Span {
        let proc = &program.procs[self.proc];
        proc.edges.get(self.edge).map_or(proc.span, |edge| edge.span)
    }

    /// `file:line:column`, or the procedure where there is no source.
    pub fn describe(self, program: &Program) -> String {
        let span = self.span(program);
        match program.files.get(span.file as usize) {
            Some(file) if span.line > 0 => format!("{file}:{}:{}", span.line, span.column),
            _ => format!("{}, edge {}", program.procs[self.proc].name, self.edge.0),
        }
    }
}

/// Why C gives the run no meaning from here on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undefined {
    SignedOverflow,
    DivisionByZero,
    /// The least value divided by -1.
    DivisionOverflow,
    ShiftOutOfRange,
    FloatOutOfRange,
    InvalidRead {
        address: u64,
    },
    InvalidWrite {
        address: u64,
    },
    InvalidFree {
        address: u64,
    },
    /// An allocation left the addresses of the data model.
    OutOfAddresses,
    /// An unbounded integer needs more than 128 bits, or is read as bytes.
    BeyondIdealRange,
}

impl Undefined {
    /// Without addresses, which say nothing to people.
    pub fn in_words(&self) -> &'static str {
        match self {
            Undefined::SignedOverflow => "signed overflow",
            Undefined::DivisionByZero => "division by zero",
            Undefined::DivisionOverflow => "division of the least value by -1",
            Undefined::ShiftOutOfRange => "shift by less than zero or at least the width",
            Undefined::FloatOutOfRange => "conversion of a float that does not fit",
            Undefined::InvalidRead { .. } => "invalid read",
            Undefined::InvalidWrite { .. } => "invalid write",
            Undefined::InvalidFree { .. } => "invalid free",
            Undefined::OutOfAddresses => "allocation beyond the address space",
            Undefined::BeyondIdealRange => "unbounded integer beyond 128 bits",
        }
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.in_words())?;
        match self {
            Undefined::InvalidRead { address } | Undefined::InvalidFree { address } => {
                write!(f, " of {address:#x}")
            }
            Undefined::InvalidWrite { address } => write!(f, " to {address:#x}"),
            _ => Ok(()),
        }
    }
}

/// Why a domain of values cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    Undefined(Undefined),
    /// The oracle has no (further) input.
    NoInput,
}

impl From<Undefined> for Halt {
    fn from(what: Undefined) -> Self {
        Halt::Undefined(what)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An error location was reached by this statement.
    ReachedError(Site),
    /// The entry procedure returned, with this value if it has one.
    Returned(Option<i128>),
    /// `exit` or `abort`: a location without successors, reached by this statement.
    Ended(Site),
    /// No edge could be taken.
    AssumptionFailed(Site),
    /// The path has no meaning in C, or none in the chosen arithmetic.
    Undefined(Undefined, Site),
    /// The oracle had no value for an input at this statement.
    NoInput(Site),
    StepLimit,
    /// More calls were active than allowed.
    DepthLimit(Site),
    Stopped(StopReason),
}

impl Outcome {
    /// Whether the run ended in a state of the program: nothing cut it off, and nothing was undefined.
    pub fn is_end(&self) -> bool {
        matches!(
            self,
            Outcome::ReachedError(_)
                | Outcome::AssumptionFailed(_)
                | Outcome::Ended(_)
                | Outcome::Returned(_)
        )
    }

    /// What must hold, and does not where the run ended: nothing asks about it, so it is no error.
    pub fn broken<'p>(&self, program: &'p Program) -> Option<&'p Obligation> {
        let Outcome::Ended(site) = self else { return None };
        let proc = &program.procs[site.proc];
        let end = proc.edges.get(site.edge)?.to;
        let is_broken = |stated: &&Obligation| {
            stated.broken == end && !matches!(stated.kind, CheckKind::Error | CheckKind::Rule)
        };
        proc.obligations.iter().find(is_broken)
    }

    /// What C leaves undefined, if the run ended by it: what a check would have found besides.
    pub fn undefined(&self, program: &Program) -> Option<String> {
        match self {
            Outcome::Undefined(what, _) => Some(what.to_string()),
            _ => self.broken(program).map(|broken| broken.text.to_string()),
        }
    }

    pub fn describe(&self, program: &Program) -> String {
        match self {
            Outcome::ReachedError(site) => format!("error reached at {}", site.describe(program)),
            Outcome::Returned(Some(value)) => format!("returned {value}"),
            Outcome::Returned(None) => "returned".to_string(),
            Outcome::Ended(site) | Outcome::Undefined(_, site) => {
                let how = match self.undefined(program) {
                    Some(what) => format!("undefined behaviour: {what}"),
                    None => "ended".to_string(),
                };
                format!("{how} at {}", site.describe(program))
            }
            Outcome::AssumptionFailed(site) => {
                format!("assumption failed at {}", site.describe(program))
            }
            Outcome::NoInput(site) => format!("no input left at {}", site.describe(program)),
            Outcome::StepLimit => "the step limit was reached".to_string(),
            Outcome::DepthLimit(site) => format!("too many active calls at {}", site.describe(program)),
            Outcome::Stopped(reason) => reason.to_string(),
        }
    }
}
