//! The forms in which results leave the tool. Each writer is a function from plain data to text;
//! none of them knows an engine, and none of them reads a clock.
//!
//! | file | what |
//! |---|---|
//! | `run` | a test as the run that it causes |
//! | `json` | JSON values, written and read |
//! | `answer` | the report on a task: the text and the object of `--json` |
//! | `page` | one HTML page to look at |
//! | `advice` | what to try when there is no answer |
//! | `assumption` | what an answer takes for granted |
//! | `c_expr`, `expression` | C expressions, and those of a program as such |
//! | `safety`, `formula`, `accesses` | proofs as C: invariants of loops, contracts of functions |
//! | `essential` | conjunctions without what follows from the rest |
//! | `readable` | C expressions as mathematicians write them: `0 <= i < n` |
//! | `source` | a message with its line of source, for inputs that are not C |
//! | `witness` | verification witnesses 2.0 (YAML) |
//! | `suite` | the checks of a question, for continuous integration and overviews |
//! | `ci`, `fingerprint` | annotations, JUnit, baselines; what a finding is known by when lines move |
//! | `sarif` | SARIF 2.1.0, for editors and code review |
//! | `sha256`, `time`, `xml` | what these formats need: file hashes, ISO 8601, escapes |
//!
//! Field names and orders of the exchange formats follow their public descriptions. They are tested
//! here for shape only; no conformance is claimed.

mod accesses;
mod advice;
pub(crate) mod answer;
pub(crate) mod assumption;
mod c_expr;
mod ci;
mod conversions;
mod elements;
mod essential;
pub(crate) mod expression;
pub(crate) mod fingerprint;
pub(crate) mod formula;
mod in_c;
pub mod json;
mod names;
pub(crate) mod page;
mod pointers;
mod readable;
pub(crate) mod run;
pub(crate) mod safety;
mod sarif;
pub(crate) mod sha256;
pub(crate) mod source;
pub(crate) mod suite;
pub(crate) mod time;
pub(crate) mod witness;
pub(crate) mod xml;

pub use assumption::Assumption;
pub use c_expr::{CExpr, Comparison};
pub use ci::{Baseline, github, junit};
pub use in_c::Stated;
pub use run::view::Detail;
pub use run::{Event, Origin, Step, Target};
pub use sarif::sarif;
pub use suite::{Checked, State, Suite};

/// A place in a C file, lines and columns from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// As it was named.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, if it is known.
    pub column: Option<u32>,
    /// The function around it, if that is worth saying.
    pub function: Option<String>,
}

/// A fact that holds whenever a place is reached, as a C expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The head of a loop.
    pub location: Location,
    /// What holds there.
    pub expression: CExpr,
    /// How many facts about the model of memory, such as where the next object will lie, are left out: a proof needs
    /// them, a reader does not.
    pub left_out: usize,
    /// What of it an expression of C can say that means the same, if anything.
    pub in_c: Option<Stated>,
}

/// What a function requires of its callers and ensures when it returns. Parameters are those at the
/// entry; `\result` is the returned value and `\old(g)` a global at the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// With the function's name.
    pub location: Location,
    /// What holds at every call.
    pub requires: CExpr,
    /// What holds at every return.
    pub ensures: CExpr,
}
