//! A software model checker for C programs and for constrained Horn clauses.
//!
//! To every question there is one of three answers: `safe` with a proof, `unsafe` with a test that runs, or
//! `unknown` with the reason. Proofs and tests are checked before they are given, by code that shares nothing with
//! the engines that found them.
//!
//! ```
//! use craig::{Options, Source, Verdict, check};
//!
//! let source = Source::text(
//!     "extern void reach_error(void);
//!      extern int nondet(void);
//!      int main(void) {
//!          int x = 0, y = 0;
//!          while (x < 1000 && nondet()) { x = x + 1; y = y + 2; }
//!          if (y != 2 * x) reach_error();
//!          return 0;
//!      }",
//! );
//! let report = check(&source, &Options::default())?;
//! assert_eq!(report.verdict, Verdict::Safe);
//! println!("the proof:\n{}", report.certificate.expect("a checked proof").text);
//! # Ok::<(), craig::Error>(())
//! ```
//!
//! | function | question | answer |
//! |---|---|---|
//! | [`check`](check()) | can an error be reached in a C program? | [`Report`] |
//! | [`test`](test()) | which tests reach all that can be reached? | [`TestReport`] |
//! | [`solve`](solve()) | have Horn clauses a model? | [`SolveReport`] |
//! | [`validate`](validate()) | is this certificate right? | [`Judgement`] |
//! | [`confirm`](confirm()) | does this witness of another verifier show what it claims? | [`WitnessReport`] |
//!
//! None of them prints, exits or keeps state. Without [`Limits`] they may run for ever. A program that several
//! questions are asked about is read once, by [`Loaded::new`]. The command line is the feature `cli`, which is on
//! by default; a library user wants `default-features = false`.

#![warn(missing_docs)]

pub mod adopt;
mod artefacts;
mod check;
#[cfg(feature = "cli")]
pub mod cli;
mod error;
mod export;
mod harness;
mod limits;
mod output;
pub mod project;
pub mod reduce;
pub mod report;
mod result_cache;
#[doc(hidden)]
pub mod script;
mod simpler;
mod solve;
mod solve_words;
#[doc(hidden)]
pub mod summary_cache;
mod task;
mod test;
mod test_cache;
mod vacuity;
mod validate;
mod witness;
mod yaml;

pub use adopt::Recorded;
pub use check::{
    Certificate, CertificateKind, CheckReport, Happening, MILESTONES, Options, Report, SoFar, Verdict, Watch,
    check, engine,
};
pub use craig_base::{CancelToken, StopReason};
pub use craig_engines as engines;
pub use craig_engines::Reason;
pub use craig_exec::Test;
pub use craig_program::{Arithmetic, CheckKind, DataModel};
pub use error::Error;
pub use limits::Limits;
pub use solve::{Satisfiability, SolveOptions, SolveReport, SolverName, clause_engine, solve};
pub use task::{DEFAULT_CHECKS, Input, Loaded, Source, Task, TaskFile, Warning};
pub use test::{
    Criterion, GoalReport, Progress, Searcher, Status, TestFinding, TestOptions, TestReport, test,
};
pub use validate::{Judgement, validate};
pub use witness::{Confirmation, WitnessReport, confirm};
