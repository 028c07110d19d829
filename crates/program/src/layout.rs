//! Where allocated objects lie. The executor and the encoders share this rule, so that an address
//! in a model is the address in the replayed run.

/// The least distance between two objects. An index slightly out of bounds hits no other object.
pub const GUARD_BYTES: u64 = 64;
/// Every object starts at a multiple of this.
pub const ALIGNMENT: u64 = 16;

/// The next free address after an object of `size` bytes at `address`: the size rounded up to the
/// alignment, and the guard gap. `None` if that leaves the 64-bit address space; the executor also
/// ends a path that leaves the addresses of the data model.
pub fn next_allocation(address: u64, size: u64) -> Option<u64> {
    address.checked_add(size.checked_next_multiple_of(ALIGNMENT)?)?.checked_add(GUARD_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_aligned_and_apart() {
        assert_eq!(next_allocation(0x1000, 1), Some(0x1050));
        assert_eq!(next_allocation(0x1000, 16), Some(0x1050));
        assert_eq!(next_allocation(0x1000, 0), Some(0x1040));
        assert_eq!(next_allocation(0x1000, u64::MAX), None);
    }
}
