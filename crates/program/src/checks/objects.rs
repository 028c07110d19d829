//! The static objects of a region, as far as accesses are tested against them. Programs have thousands of accesses
//! and of string literals, so what can be known of all accesses is found once.

use super::memory::Access;
use crate::expr::ExprId;
use crate::ir::{MemoryObject, Program, RegionId, VarId};
use craig_base::IndexVec;
use std::ops::Range;

/// The objects of each region.
pub type Objects = IndexVec<RegionId, RegionObjects>;

pub struct RegionObjects {
    all: Vec<StaticObject>,
    /// Addresses from the first byte of a constant object on, to the last of the same or a later one. Between them
    /// nothing in the region can be written.
    constants: Vec<Range<u64>>,
}

/// What accesses need to know of a [`MemoryObject`].
pub struct StaticObject {
    address: u64,
    size: u64,
    constant: bool,
    live: Option<VarId>,
    sealed: Option<VarId>,
}

impl RegionObjects {
    pub fn of_all(program: &Program) -> Objects {
        program.regions.indices().map(|region| RegionObjects::new(program, region)).collect()
    }

    fn new(program: &Program, region: RegionId) -> RegionObjects {
        let ids = &program.regions[region].objects;
        let mut all: Vec<StaticObject> =
            ids.iter().map(|&id| StaticObject::new(&program.objects[id])).collect();
        all.sort_by_key(|object| object.address);
        let mut constants: Vec<Range<u64>> = Vec::new();
        let mut before_is_constant = false;
        for object in &all {
            let end = object.address + object.size;
            match constants.last_mut().filter(|_| before_is_constant && object.constant) {
                Some(range) => range.end = range.end.max(end),
                None if object.constant => constants.push(object.address..end),
                None => {}
            }
            before_is_constant = object.constant;
        }
        RegionObjects { all, constants }
    }

    /// Those that are there for an access of this kind, some of them at some times only.
    pub fn accessible(&self, access: Access) -> impl Iterator<Item = &StaticObject> {
        self.all.iter().filter(move |object| access == Access::Read || !object.constant)
    }

    /// Where no access of this kind can begin, as only constant objects are there.
    pub fn constants(&self, access: Access) -> &[Range<u64>] {
        if access == Access::Write { &self.constants } else { &[] }
    }
}

impl StaticObject {
    fn new(object: &MemoryObject) -> StaticObject {
        let &MemoryObject { address, size, constant, live, sealed, .. } = object;
        StaticObject { address, size, constant, live, sealed }
    }

    /// Whether accesses of this kind are undefined at some times.
    pub fn may_be_closed(&self, access: Access) -> bool {
        self.live.is_some() || (access == Access::Write && self.sealed.is_some())
    }

    pub fn may_be_sealed(&self) -> bool {
        self.sealed.is_some()
    }

    /// That the object exists, and may be written if it is.
    pub fn is_open(&self, program: &mut Program, access: Access) -> ExprId {
        let mut open = Vec::new();
        open.extend(self.live.map(|live| program.var_expr(live)));
        if let Some(sealed) = self.sealed.filter(|_| access == Access::Write) {
            let sealed = program.var_expr(sealed);
            open.push(program.exprs.not(sealed));
        }
        program.all(&open)
    }

    /// Whether `bytes` bytes at the address lie within the object, alive or not.
    pub fn encloses(&self, program: &mut Program, addr: ExprId, bytes: u64) -> ExprId {
        if bytes > self.size {
            return program.exprs.bool(false);
        }
        let first = program.address(i128::from(self.address));
        let last = program.address(i128::from(self.address + self.size - bytes));
        let (above, below) = (program.le(first, addr), program.le(addr, last));
        program.all(&[above, below])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Cell, Region, Span};
    use crate::testing::Builder;
    use crate::types::Type;

    #[test]
    fn constants_without_others_between_are_one_range() {
        let mut program = Builder::new().program;
        for (address, constant) in [(100, true), (200, true), (300, false), (400, true), (500, true)] {
            program.objects.push(MemoryObject {
                name: "o".into(),
                address,
                size: 8,
                span: Span::default(),
                init: Vec::new(),
                zeroed: true,
                function: false,
                constant,
                automatic: false,
                live: None,
                sealed: None,
            });
        }
        let region = program.regions.push(Region {
            name: "ints".into(),
            cell: Cell::Scalar(Type::I32),
            zeroed: true,
            objects: program.objects.indices().collect(),
            allocated: false,
        });
        let found = RegionObjects::new(&program, region);
        assert_eq!(found.constants(Access::Write), [100..208, 400..508]);
        assert_eq!(found.accessible(Access::Write).count(), 1);
        assert!(found.constants(Access::Read).is_empty());
        assert_eq!(found.accessible(Access::Read).count(), 5);
    }
}
