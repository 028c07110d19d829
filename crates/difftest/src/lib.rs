//! Random C programs, to compare Craig with a C compiler.
//!
//! A [`Task`](compare::Task) is a program, from the own generator or from Csmith, a data model and a treatment
//! of signed overflow. It is compiled and run, executed by Craig, and the results must be the same:
//! the checksum that `main` returns, or the line at which a sanitizer finds signed overflow. The run
//! also checks that the regions of the program split its memory, and that the terms of every executed
//! block are true of the states before and after it ([`encoding`]), and that what symbolic runs claim is
//! true of the inputs ([`symbolic`]). Of small programs with inputs all runs are made, and no engine may
//! contradict them ([`exhaustive`]), nor may the checker accept proofs that they contradict, however these were broken
//! ([`proofs`]); and what runs do must be possible for the checker ([`meaning`]). Broken refutations, models and
//! derivations are judged by Z3 ([`answers`]). Mutated inputs must do no harm to whatever reads them ([`fuzz`]). The models of
//! the C library are compared with the system's, call by call ([`library`]). Programs that move addresses about, half of
//! which misuse memory in the end, are compared with gcc's sanitizers ([`memory`]); and what floating numbers of all
//! types come to, executed and proved, with what gcc has ([`floats`]). All these are [`kinds`] of cases, and campaigns
//! ([`campaign`]) go through all of them by turns.

pub mod answers;
pub mod campaign;
pub mod compare;
pub mod compiler;
// Random formulas, shared with the tests of the solver.
#[path = "../../smt/tests/cross/mod.rs"]
pub mod cross;
pub mod csmith;
pub mod encoding;
pub mod exhaustive;
pub mod floats;
pub mod front_end;
pub mod fuzz;
pub mod generate;
pub mod kinds;
pub mod library;
pub mod meaning;
pub mod measure;
pub mod memory;
pub mod proofs;
pub mod recording;
pub mod rng;
pub mod symbolic;
