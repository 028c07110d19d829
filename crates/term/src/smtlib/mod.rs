//! Reading SMT-LIB 2: from bytes to commands over [`Terms`](crate::Terms).
//!
//! | file | from | to |
//! |---|---|---|
//! | `input` | any [`BufRead`](std::io::BufRead) | the text of one command at a time, for pipes as well as files |
//! | `sexpr` | that text | a flat tree of s-expressions that knows its place in the input |
//! | `command` | a tree | a [`Command`], with its terms built and its sorts checked |
//! | `data` | declarations of data types, patterns of `match` | constructors, testers, selectors |
//! | `interpolation` | the commands for interpolants | what they ask for |
//! | `recursive` | definitions by recursion | quantified equations |
//! | `scope` | declarations, definitions, `push`/`pop` | what a symbol means |
//! | `sort` | the tree of a sort | a [`SortId`](crate::SortId), or what becomes one with sorts for parameters |
//! | `term`, `operators` | the tree of a term | a [`TermId`](crate::TermId) |
//!
//! Nothing here recurses over the input, so nesting is limited by memory only. What is wrong with
//! an input is an [`Error`] with line and column. As Z3 does, an integer is accepted where a real
//! is expected (`(+ x 1)` with a real `x`), `/` divides integers too, and the Horn clause commands
//! `declare-rel`, `declare-var`, `rule` and `query` are understood beside the standard ones.
//!
//! Bound variables become fresh constants: the store wants a bound constant to occur under its
//! quantifier only, and one name may be bound many times with different sorts.

mod command;
mod data;
mod input;
mod interpolation;
mod operators;
mod recursive;
mod scope;
mod sexpr;
mod sort;
mod term;

#[cfg(test)]
mod tests;

pub use command::{Command, MAX_LEVELS, Reader, Response};
pub use input::CommandInput;
pub use interpolation::{InterpolantRequest, Partition, group, partition};
pub use operators::{call, operator};
pub use sexpr::{Kind, Sexpr, Tree};

use std::fmt;

/// A place in the input; both count from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What is wrong with an input, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub position: Position,
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.message)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;
