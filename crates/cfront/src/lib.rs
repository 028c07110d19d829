//! The C front end: C11 with the GNU extensions of preprocessed Linux and CIL code.
//!
//! The way of the data: [`preprocess`] makes text out of files, the lexer and parser make a syntax
//! tree out of text, the checker makes one typed program ([`hir`]) out of the syntax trees of all
//! translation units, and lowering makes control-flow graphs out of that.
//!
//! Nothing here panics on user input: depth and size limits are diagnostics.

pub mod diagnostics;
pub mod hir;
pub mod source;
pub mod types;
