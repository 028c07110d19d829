//! The verification algorithms, one module each, to be read next to their papers.
//!
//! ```
//! use craig_base::{Budget, Stats};
//! use craig_engines::portfolio::table;
//! use craig_engines::{Verdict, verify};
//!
//! let text = "void reach_error(void); int nondet(void);
//!             int main(void) { int x = nondet(); if (x > 3 && x < 3) reach_error(); return 0; }";
//! let texts = vec![("program.i".to_string(), text.as_bytes().to_vec())];
//! let (model, options) = (craig_cfront::types::DataModel::Lp64, craig_cfront::lower::Options::default());
//! let program = craig_cfront::load_texts(texts, model, &options).program.expect("a program");
//!
//! let engine = table::find(table::PROGRAM_ENGINES, "ufo").expect("an engine").engine;
//! let verdict = verify(&program, engine(), &Budget::unlimited(), &mut Stats::default());
//! assert!(matches!(verdict, Verdict::Safe(_)));
//! ```

mod clauses;
pub mod cover;
pub mod horn;
pub mod path;
pub mod portfolio;
pub mod search;
#[cfg(test)]
mod testing;
mod verdict;
mod verify;
pub mod view;

pub use verdict::{Finding, Reason};
pub use verify::{Engine, INLINE_LIMIT, Proof, Verdict, verify, verify_sharing};
