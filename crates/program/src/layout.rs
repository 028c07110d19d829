//! Where objects lie. The executor and the encoders share this rule, so that an address in a model is
//! the address in the replayed run.
//!
//! C does not say where objects lie, and a pointer that leaves its object is valid nowhere. So objects are
//! far apart: with 64-bit addresses no `int` index leads from one object into another, and no address
//! is a number that programs use for something else. They take whole units of the distance between them, so that
//! where an object lies does not depend on the sizes of those before it, unless these are larger than a unit.

use crate::ir::DataModel;

/// Every object starts at a multiple of this.
pub const ALIGNMENT: u64 = 16;

impl DataModel {
    /// The least distance between two objects, a power of two.
    pub const fn guard_bytes(self) -> u64 {
        match self {
            DataModel::Lp64 => 1 << 36,
            DataModel::Ilp32 => 1 << 10,
        }
    }

    /// Below this address there is nothing, so that small numbers are no valid pointers; nor are masks and powers
    /// of two. It begins a page, so that objects have the alignment that programs ask for.
    pub const fn first_address(self) -> u64 {
        match self {
            DataModel::Lp64 => 0x1357_9246_8000,
            DataModel::Ilp32 => 0x0135_7000,
        }
    }

    /// The size of the largest object: `PTRDIFF_MAX`, or what the largest address spaces of 64-bit machines can hold.
    pub fn largest_object(self) -> u64 {
        match self {
            DataModel::Lp64 => 1 << 56,
            DataModel::Ilp32 => i32::MAX as u64,
        }
    }

    /// The next free address after an object of `size` bytes at `address`: two units further, and more by the
    /// units that the object fills. `None` if that leaves the address space.
    pub fn next_allocation(self, address: u64, size: u64) -> Option<u64> {
        let unit = self.guard_bytes();
        let next = address.checked_add((size / unit + 2).checked_mul(unit)?)?;
        (next >> (self.pointer_bits() - 1) <= 1).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_take_whole_units() {
        let (model, first) = (DataModel::Ilp32, DataModel::Ilp32.first_address());
        let units =
            |size| model.next_allocation(first, size).map(|next| (next - first) / model.guard_bytes());
        assert_eq!(first % ALIGNMENT, 0);
        assert_eq!(model.guard_bytes() % ALIGNMENT, 0);
        assert_eq!(units(0), Some(2));
        assert_eq!(units(1023), Some(2));
        assert_eq!(units(1024), Some(3));
        assert_eq!(units(u64::from(u32::MAX)), None);
        assert_eq!(DataModel::Lp64.next_allocation(first, u64::MAX), None);
        assert_eq!(DataModel::Ilp32.largest_object(), i32::MAX as u64);
    }
}
