//! Procedures, statements, variables and memory.

use crate::checks::CheckSet;
use crate::expr::{ExprId, Exprs};
use crate::provenance::Provenance;
use crate::source_types::SourceTypes;
use crate::types::Type;
use crate::words::Words;
use craig_base::{IndexVec, index_type};
use std::sync::Arc;

index_type!(pub VarId, "v");
index_type!(pub LocId, "l");
index_type!(pub EdgeId, "t");
index_type!(pub ProcId, "p");
index_type!(pub RegionId, "m");
index_type!(pub ObjectId, "o");

/// The sizes of C's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DataModel {
    #[default]
    Lp64,
    Ilp32,
}

impl DataModel {
    pub fn pointer_bits(self) -> u8 {
        match self {
            DataModel::Lp64 => 64,
            DataModel::Ilp32 => 32,
        }
    }

    pub fn pointer_bytes(self) -> u32 {
        u32::from(self.pointer_bits() / 8)
    }
}

/// What a signed result that does not fit its type means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Arithmetic {
    /// Undefined behaviour: the path ends, and `safe` says that it assumed none.
    #[default]
    AssumeNoOverflow,
    /// Two's complement.
    Wrap,
    /// All integers, unsigned too, are unbounded, as in the papers. Casts keep the value.
    Ideal,
}

/// A place in the C source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Index into [`Program::files`].
    pub file: u32,
    /// From 1; 0 where there is no source.
    pub line: u32,
    pub column: u32,
}

/// A stretch of a file in which there are no checks of some kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unchecked {
    pub from: Span,
    pub to: Span,
    pub kinds: CheckSet,
}

/// A program with one entry and an error location in each procedure.
///
/// **Memory** is one flat address space. Every static object has a fixed address; objects are
/// far enough apart that an index slightly out of bounds hits no other object. `Alloc` takes the
/// next free addresses from [`Program::next_address`]: addresses are never reused. Regions split
/// the cells by what can alias: a load and a store can touch the same bytes only if they name the
/// same region. Bytes of an object that were never written hold the initialiser of the object,
/// or an arbitrary value, the same at each read, where it has none.
///
/// **Errors**: the program is unsafe if, from [`Program::entry`] with arbitrary arguments, the
/// error location of any procedure on the call stack is reached. A location without outgoing edges
/// other than exit and error ends the program silently (`exit`, `abort`).
#[derive(Clone, Debug)]
pub struct Program {
    pub data_model: DataModel,
    pub arithmetic: Arithmetic,
    /// Engines start from the program as it is: no intervals are computed in advance, and no loop is left out.
    /// So is what they find the algorithm's own.
    pub plain: bool,
    pub exprs: Exprs,
    pub vars: IndexVec<VarId, Var>,
    pub regions: IndexVec<RegionId, Region>,
    pub objects: IndexVec<ObjectId, MemoryObject>,
    pub procs: IndexVec<ProcId, Proc>,
    pub entry: ProcId,
    /// The global that holds the next free address, present if there is an `Alloc`.
    pub next_address: Option<VarId>,
    /// Variables whose `Alloc` makes an automatic object: a `Free` of such a variable is the end of its
    /// scope, and nothing else may free it.
    pub automatic: Vec<VarId>,
    /// The global that holds the address of the tracked object, once [`crate::instrument`] has added it.
    pub tracked: Option<VarId>,
    /// What can fail, once [`crate::instrument`] has made errors of it.
    pub checks: Vec<Check>,
    /// Why memory may be split into `regions`; holds for the program as the front end made it.
    pub provenance: Arc<Provenance>,
    pub files: Vec<Arc<str>>,
    /// What the program's authors want unchecked.
    pub unchecked: Vec<Unchecked>,
    /// The C types, for reports.
    pub source_types: Arc<SourceTypes>,
    /// What the user must know: assumptions, over-approximations, unmodelled functions.
    pub notes: Vec<Note>,
    pub words: Words,
}

#[derive(Clone, Debug)]
pub struct Var {
    pub name: Arc<str>,
    pub ty: Type,
    pub scope: Scope,
    pub span: Span,
    /// The variable of the original program that this copy (made by inlining) stands for.
    pub origin: Option<VarId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// With the value at program start.
    Global {
        init: i128,
    },
    Local(ProcId),
}

/// Cells that may alias each other and no cell of another region.
#[derive(Clone, Debug)]
pub struct Region {
    pub name: Arc<str>,
    pub cell: Cell,
    /// True if every cell that no static object initialises starts as zero (only zero-initialised
    /// static objects live here); otherwise such cells hold arbitrary values.
    pub zeroed: bool,
    /// The static objects that have cells here: an access through this region is valid in no other.
    pub objects: Vec<ObjectId>,
    /// Whether allocated objects have cells here.
    pub allocated: bool,
}

/// How a region's contents are seen: as values of one scalar type at non-overlapping addresses, or,
/// where C code mixes views of the same memory, as bytes (little endian).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    Scalar(Type),
    Bytes,
}

/// A static object: a global, a function (for its address), or a local that needs memory and
/// has one instance.
#[derive(Clone, Debug)]
pub struct MemoryObject {
    pub name: Arc<str>,
    pub address: u64,
    pub size: u64,
    pub span: Span,
    /// Initial values of scalars: (offset, region, type, value); floats as bits.
    pub init: Vec<(u64, RegionId, Type, i128)>,
    /// Bytes without an entry in `init` are zero (static storage) or arbitrary (automatic).
    pub zeroed: bool,
    /// This is the address of a function.
    pub function: bool,
    /// A string literal, or declared `const`: writing to it is undefined.
    pub constant: bool,
    /// A local: gone when the program ends.
    pub automatic: bool,
    /// The global of type `Bool` that says whether the object exists, for an automatic one whose address
    /// may outlive it.
    pub live: Option<VarId>,
    /// The global of type `Bool` that says whether it may be written no more, for an automatic one that is declared
    /// `const`.
    pub sealed: Option<VarId>,
}

/// What a check is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CheckKind {
    /// A call of an error function, a failed assertion.
    Error,
    /// What a rule about an interface says must not be.
    Rule,
    /// An access, a `free` or a call that is not valid.
    Memory,
    /// Allocated memory to which no pointer is left.
    Leak,
    /// Memory that is allocated when the program ends.
    Cleanup,
    /// A signed result that does not fit its type.
    Overflow,
    /// A division by zero.
    Division,
    /// A shift by less than zero or at least the width.
    Shift,
    /// A value that was never written.
    Uninitialised,
    /// A conversion that changes the value.
    Conversion,
    /// An address that its type does not allow.
    Alignment,
    /// Arithmetic that leads a pointer out of its object, or a comparison or difference of pointers into
    /// different objects.
    Pointer,
}

/// Something that can fail: the edge into the error location of its procedure, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub kind: CheckKind,
    pub proc: ProcId,
    pub edge: EdgeId,
    pub span: Span,
    /// In words.
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Proc {
    pub name: Arc<str>,
    pub span: Span,
    pub params: Vec<VarId>,
    /// Holds the result at `exit`.
    pub result: Option<VarId>,
    /// All local variables, parameters and result included.
    pub locals: Vec<VarId>,
    pub locations: IndexVec<LocId, Location>,
    pub edges: IndexVec<EdgeId, Edge>,
    pub entry: LocId,
    pub exit: LocId,
    /// Reached when the property fails within this procedure. No outgoing edges.
    pub error: LocId,
    /// What the front end states that must hold.
    pub obligations: Vec<Obligation>,
    /// Where runs end that break what the program itself assumes. No outgoing edges.
    pub assumed: Vec<LocId>,
}

/// Something that must hold, and the location that is reached where it does not. No edge leaves that, so the path
/// ends there, unless [`crate::instrument`] makes checks of the ways to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    pub broken: LocId,
    pub kind: CheckKind,
    /// What is wrong then, in words.
    pub text: Arc<str>,
}

/// A control location. `edges` of the procedure are the only source of truth for successors; the
/// adjacency lists here are kept in step by [`Proc::add_edge`] and [`Proc::rebuild_adjacency`].
#[derive(Clone, Debug, Default)]
pub struct Location {
    pub span: Span,
    pub incoming: Vec<EdgeId>,
    pub outgoing: Vec<EdgeId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub from: LocId,
    pub to: LocId,
    pub stmt: Stmt,
    pub span: Span,
}

/// Where a statement writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    Var(VarId),
    /// The memory cell of type `ty` at `addr`. A write outside of a live object ends the path.
    Memory {
        region: RegionId,
        addr: ExprId,
        ty: Type,
    },
}

/// What an [`Stmt::Input`] stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputSource {
    /// The result of `__VERIFIER_nondet_*` or of a function without a body.
    Call(Arc<str>),
    /// Whether the allocation by this function succeeds.
    Allocation(Arc<str>),
    /// A variable that C leaves uninitialised.
    Uninitialised,
    /// An argument of the entry function.
    Argument,
    /// The effect of something that is over-approximated (inline assembler, floating point, ...).
    /// Executed concretely it is still an input.
    Unmodelled(Arc<str>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    Skip,
    /// Passes only where the condition (of type `Bool`) holds.
    Assume(ExprId),
    Assign(Place, ExprId),
    /// Any value of the type of the place.
    Input(Place, InputSource),
    /// Runs the callee with the values of the arguments, in the callee's own copy of its locals.
    /// The address of a `result` in memory is evaluated after the call.
    Call {
        callee: ProcId,
        args: Vec<ExprId>,
        result: Option<Place>,
    },
    /// `var` becomes [`Program::next_address`], the address of a fresh object of `size` bytes with
    /// arbitrary contents, and `next_address` moves on by [`DataModel::next_allocation`]. Where that
    /// leaves the address space, the path ends.
    Alloc {
        var: VarId,
        size: ExprId,
    },
    /// Ends the life of the object that starts at `addr` (null is allowed). Freeing anything else
    /// ends the path.
    Free(ExprId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub kind: NoteKind,
    pub span: Span,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// `safe` rests on this, and so does `unsafe`.
    Assumption,
    /// `safe` rests on this; a run does not.
    OfProofs,
    /// So it does, unless checks of this kind are asked for.
    Unchecked(CheckKind),
    /// There are more behaviours than the program has: a run that goes through this place rests on it, a proof does not.
    OverApproximation,
    Warning,
    /// The warning that there is no error to reach.
    NoErrorCall,
    /// What it means to reach the error at this place.
    Property,
    /// The same, where a rule leads there.
    BrokenRule,
}

impl NoteKind {
    pub fn is_assumption(self) -> bool {
        matches!(self, NoteKind::Assumption | NoteKind::OfProofs | NoteKind::Unchecked(_))
    }

    pub fn is_warning(self) -> bool {
        matches!(self, NoteKind::Warning | NoteKind::NoErrorCall)
    }
}

impl Proc {
    /// Whether runs end there because something does not hold that must, or is assumed.
    pub fn is_cut(&self, location: LocId) -> bool {
        self.assumed.contains(&location)
            || self.obligations.iter().any(|obligation| obligation.broken == location)
    }

    pub fn add_location(&mut self, span: Span) -> LocId {
        self.locations.push(Location { span, ..Location::default() })
    }

    pub fn add_edge(&mut self, from: LocId, to: LocId, stmt: Stmt, span: Span) -> EdgeId {
        let id = self.edges.push(Edge { from, to, stmt, span });
        self.locations[from].outgoing.push(id);
        self.locations[to].incoming.push(id);
        id
    }

    /// Recomputes the adjacency lists after `edges` was changed wholesale.
    pub fn rebuild_adjacency(&mut self) {
        for location in self.locations.iter_mut() {
            location.incoming.clear();
            location.outgoing.clear();
        }
        for (id, edge) in self.edges.enumerated() {
            self.locations[edge.from].outgoing.push(id);
            self.locations[edge.to].incoming.push(id);
        }
    }
}

impl Program {
    /// Whether a variable says which objects there are, and is none of the program's own.
    pub fn is_bookkeeping(&self, var: VarId) -> bool {
        Some(var) == self.next_address || self.vars[var].name.starts_with(".tracked.")
    }

    pub fn var_expr(&mut self, var: VarId) -> ExprId {
        let ty = self.vars[var].ty;
        self.exprs.var(var, ty)
    }

    pub fn globals(&self) -> impl Iterator<Item = VarId> {
        self.vars.enumerated().filter(|(_, var)| matches!(var.scope, Scope::Global { .. })).map(|(id, _)| id)
    }

    /// The type of what can be stored there.
    pub fn place_type(&self, place: Place) -> Type {
        match place {
            Place::Var(var) => self.vars[var].ty,
            Place::Memory { ty, .. } => ty,
        }
    }
}
