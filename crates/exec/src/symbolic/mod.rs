//! Symbolic execution: values are terms over the inputs.
//!
//! There are two ways to walk, over the same state and the same meaning of operations (that of
//! [`craig_program::encode`]):
//!
//! - [`SymbolicExecutable::run`] is the machine of concrete runs with another kind of values: each word
//!   has a term beside it where it depends on inputs. The words decide where control goes, the terms say
//!   why: a *concolic* run, as in DART and CUTE.
//! - [`SymbolicPath`] follows edges that its owner chooses, and can be cloned at a branch:
//!   `ExecuteSymbolic` of DASH (004, Fig. 11) along an abstract trace, or the symbolic executor that lazy
//!   annotation (000) drives.
//!
//! | DASH | here |
//! |---|---|
//! | symbolic memory map S | [`SymbolicState`]: a value for each variable, an array for each region |
//! | path constraint φ₁, and φ₂ for one edge more | [`Constraint`]s in the order of the path |
//! | `SymbolicEval(e, S)` | [`SymbolicPath::evaluate`], [`SymbolicState::instantiate`] for a region's predicate |
//! | alias condition α of the test | constraints of kind [`ConstraintKind::Access`] |
//!
//! Memory: a region is an array term; cells at known addresses are kept beside it and join the array
//! only when an address that depends on inputs comes along, so a run over fixed addresses has no arrays
//! in its formulas. Nothing is replaced by its concrete value, so the constraints of a path are exact
//! where the encoder is, and [`approximated`](SymbolicRun::approximated) says where it is not. As in the
//! encoder, it is not asked whether an access is valid; in a concolic run an [`ConstraintKind::Access`]
//! says that an address that depends on inputs lies in the object that it lies in now.

mod path;
mod state;
mod values;

pub use path::{NotAPath, SymbolicPath};
pub use state::SymbolicState;
pub use values::{SymbolicExecutable, SymbolicRun};

use crate::outcome::Site;
use craig_term::TermId;

/// Something that is true of all inputs that lead along the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub term: TermId,
    pub kind: ConstraintKind,
    /// The statement that is responsible; for a branch, the edge whose condition was looked at.
    pub site: Site,
    /// How many inputs had been consumed.
    pub inputs: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// Control went this way. The negation, after all that comes before it, leads elsewhere.
    Branch,
    /// Nothing undefined happened, an input has its type, an auxiliary constant what is known of it.
    Side,
    /// An address that depends on inputs lies in the same object as in this run.
    Access,
}
