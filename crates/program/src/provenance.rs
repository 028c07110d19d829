//! What the split of memory into regions rests on.
//!
//! The front end decides by a points-to analysis which accesses can meet, and gives each its region. Here it says
//! why, as a claim that holds in every state of every run: which objects each value can have come from, and where
//! in them it points. `certificate` checks with code of its own that every statement keeps the claim and
//! that no access leaves its region under it; how the claim was found does not matter.
//!
//! Objects that one pointer can reach are a *class*: they are laid over each other, each from some offset on.
//! A class is divided into *parts*, ranges of bytes that are always accessed through the same region. Where
//! offsets are known only up to multiples of a number, as in arrays, that number is the class's *stride*.

use crate::expr::ExprId;
use crate::ir::{ObjectId, ProcId, RegionId, Var, VarId};
use craig_base::{IndexVec, index_type};

index_type!(
    /// Objects that one pointer can reach.
    pub ClassId, "k"
);

/// Where the values of a program can have come from, and which region each part of an object is accessed through.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    pub classes: IndexVec<ClassId, Class>,
    /// What each variable can point to; `None`: to nothing that can be accessed.
    pub vars: IndexVec<VarId, Option<Target>>,
    /// Where each static object begins in its class.
    pub objects: IndexVec<ObjectId, Target>,
    /// Calls through pointers: each function that the pointer can hold is compared with it.
    pub calls: Vec<(ProcId, ExprId)>,
    /// Cells that allocated objects have, with their distances from where the object begins, if not all objects have the
    /// same ones. Only a hint of what proofs may speak of.
    pub fields: Vec<(RegionId, u64)>,
}

impl Provenance {
    /// What the original of a variable can point to.
    pub fn of_var(&self, vars: &IndexVec<VarId, Var>, mut var: VarId) -> Option<Target> {
        while let Some(origin) = vars[var].origin {
            var = origin;
        }
        self.vars.get(var).copied().flatten()
    }

    /// The [fields](Self::fields) that objects of a class do not have. No access lies in these cells.
    pub fn missing(&self, class: ClassId) -> impl Iterator<Item = (RegionId, u64)> {
        let parts = &self.classes[class].parts;
        self.fields.iter().copied().filter(|(region, _)| parts.iter().all(|part| part.region != *region))
    }
}

/// A class and an offset in bytes, modulo the class's stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub class: ClassId,
    pub offset: i64,
}

#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Offsets that are equal modulo this are not told apart; 0: all are.
    pub stride: i64,
    /// In the order of their bytes, without overlaps. What no part covers is not accessed.
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub start: i64,
    pub size: i64,
    pub region: RegionId,
    /// What a value stored here can point to.
    pub content: Option<Target>,
}
