//! Execution of programs.
//!
//! A [`Program`](craig_program::Program) is compiled once into register code ([`Executable`]) and run
//! with inputs from an [`InputOracle`]: a list, a seed, a solver's model. A run ends in an [`Outcome`]
//! and yields the inputs that it consumed, which is a [`Test`] that can be printed, read back and
//! replayed. An [`Observer`] sees every edge that is taken, with the state before it.
//!
//! | module | holds |
//! |---|---|
//! | `code`, `compile` | the instructions, and how procedures become instructions |
//! | `machine` | the interpreter: control flow, calls, steps; generic over [`values::Values`] |
//! | `leap` | many rounds of a loop that counts, at once |
//! | `concrete` | its concrete values: `numbers` (64 and 128 bits), `ideal` (unbounded), `float`, `memory` |
//! | `closed` | the same, each with whether it depends on inputs: the only run of a program without any |
//! | `input`, `test` | where inputs come from, and how they are written down |
//! | `symbolic` | its symbolic values, terms beside words; and symbolic execution along chosen paths |
//! | `regions` | an optional check that regions split memory as encoders believe |
//! | `observe` | paths, coverage, states |
//!
//! What is left open by the documentation of the program model is decided here:
//!
//! - Edges with complementary or provably exclusive conditions are tried in order. Where several
//!   edges could be taken, an input decides among them.
//! - A local variable that may be read before it is assigned is an input at the entry of its
//!   procedure.
//! - A read outside of every live object is an input at each read, and is listed in the result.
//!
//! ```
//! use craig_exec::{Detail, Executable, Limits, ListOracle, Outcome};
//! use craig_program::build::Builder;
//!
//! // int main(void) { int x = input(); return x + x; }
//! let mut main = Builder::new();
//! let x = main.local("x", craig_program::Type::I32);
//! main.input(x);
//! let value = main.var(x);
//! let twice = main.binary(craig_program::BinaryOp::Add, value, value);
//! main.give(twice);
//! let run = Executable::new(&main.program, Detail::Outcome).run(&mut ListOracle::new(&[21]), &Limits::default());
//! assert_eq!(run.outcome, Outcome::Returned(Some(42)));
//! ```

pub mod closed;
pub mod code;
mod compile;
pub mod concrete;
mod float;
mod ideal;
mod input;
pub mod leak;
mod leap;
mod machine;
mod memory;
pub mod numbers;
mod observe;
mod outcome;
mod regions;
mod run;
pub mod symbolic;
mod test;
pub mod values;

pub use code::Detail;
pub use compile::read_before_assigned;
pub use input::{Input, InputOracle, InputSite, ListOracle, RandomOracle, Source, parse_value, show_value};
pub use machine::{Limits, Observer, StateView};
pub use memory::{Lifetime, Memory, Object, Read};
pub use observe::{Coverage, NoObserver, PathRecorder, States};
pub use outcome::{Halt, Outcome, Site, Undefined};
pub use regions::{RegionViolation, ViolationKind};
pub use run::{Executable, Run, only_outcome, replay};
pub use test::{ParseError, Test, TestInput};
