//! Programs as the engines see them.
//!
//! A [`Program`] is a set of procedures, each a graph of locations whose edges carry one statement
//! over typed variables and memory regions. The C front end produces it; `exec` runs it; the
//! encoders turn it into terms. Each of the three follows the meaning that is fixed in the
//! documentation of [`Expr`], [`Stmt`] and [`Program`], and is tested against the others.
//!
//! ```
//! use craig_program::build::{Builder, ERROR, EXIT};
//! use craig_program::{BinaryOp, inline};
//!
//! // int main(void) { int x = input(); if (x < 0) error; }
//! let mut main = Builder::new();
//! let x = main.local("x", craig_program::Type::I32);
//! main.input(x);
//! let (value, zero) = (main.var(x), main.int(0));
//! let negative = main.binary(BinaryOp::Lt, value, zero);
//! let (then, otherwise) = main.branch(negative);
//! main.at = then;
//! main.goto(ERROR);
//! main.at = otherwise;
//! main.goto(EXIT);
//! assert!(inline(&main.program, 100).is_ok());
//! ```

pub mod analysis;
mod bitset;
pub mod build;
mod callgraph;
mod checks;
mod cutpoints;
mod decisions;
mod definitions;
mod effects;
pub mod encode;
mod expr;
mod frames;
mod graph;
pub mod horn;
mod inline;
mod interval;
mod ir;
mod layout;
mod liveness;
mod print;
mod provenance;
mod shared_set;
mod simplify;
mod slice;
mod source_types;
mod state;
mod tail;
#[cfg(test)]
mod testing;
mod types;
mod validate;
mod words;
mod wto;

pub use analysis::{IntervalAnalysis, IntervalState, Ranges};
pub use bitset::BitSet;
pub use callgraph::CallGraph;
pub use checks::{CheckSet, TRACKED, instrument};
pub use cutpoints::{CutEdge, CutEdgeId, CutId, Cutpoint, CutpointGraph, Granularity, Segment};
pub use decisions::Decisions;
pub use effects::{Effect, StateIndex, effects, reads, stmt_operands, written_vars};
pub use expr::{BinaryOp, Expr, ExprId, Exprs, UnaryOp};
pub use frames::{Forgotten, FramedLoop, FramedProgram};
pub use graph::Digraph;
pub use inline::{Context, ContextId, EdgeOrigin, EdgeRole, InlineError, Inlined, inline};
pub use interval::Interval;
pub use ir::{
    Arithmetic, Cell, Check, CheckKind, DataModel, Edge, EdgeId, InputSource, LocId, Location, MemoryObject,
    Note, NoteKind, ObjectId, Obligation, Place, Proc, ProcId, Program, Region, RegionId, Scope, Span, Stmt,
    Unchecked, Var, VarId,
};
pub use layout::ALIGNMENT;
pub use liveness::{FOR_PROOFS, Liveness};
pub use provenance::{Class, ClassId, Part, Provenance, Target};

pub use shared_set::SharedSet;
pub use simplify::{ScalarCell, Simplified, simplify};
pub use slice::IdleLoop;
pub use source_types::{CField, CKind, CType, CTypeId, Distance, SourceTypes};
pub use state::StateVar;
pub use tail::is_recursive;
pub use types::{FloatType, IntType, Type};
pub use validate::validate;
pub use words::{LIBRARY, LIBRARY_PARTS, Words};
pub use wto::{Component, Wto, WtoElement};
