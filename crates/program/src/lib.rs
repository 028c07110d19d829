//! Programs as the engines see them.
//!
//! A [`Program`] is a set of procedures, each a graph of locations whose edges carry one statement
//! over typed variables and memory regions. The C front end produces it; `exec` runs it; the
//! encoders turn it into terms. Each of the three follows the meaning that is fixed in the
//! documentation of [`Expr`], [`Stmt`] and [`Program`], and is tested against the others.

mod expr;
mod graph;
mod ir;
mod layout;
mod print;
mod state;
mod types;
mod wto;

pub use graph::Digraph;
pub use wto::{Component, Wto, WtoElement};
pub use expr::{BinaryOp, Expr, ExprId, Exprs, UnaryOp};
pub use ir::{
    Arithmetic, Cell, DataModel, Edge, EdgeId, InputSource, LocId, Location, MemoryObject, Note, NoteKind,
    ObjectId, Place, Proc, ProcId, Program, Region, RegionId, Scope, Span, Stmt, Var, VarId,
};
pub use layout::{ALIGNMENT, GUARD_BYTES, next_allocation};
pub use state::StateVar;
pub use types::{FloatType, IntType, Type};
