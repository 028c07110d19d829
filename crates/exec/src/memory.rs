//! Memory: one flat address space of byte-addressed objects.
//!
//! Static objects lie at the addresses that the program gives them; allocated ones are appended at
//! ever larger addresses, so the list of objects stays sorted. Each byte knows whether it has a
//! value; what to do about one that has none is decided by the caller, as is an access outside of
//! every live object.

use craig_base::Map;
use craig_program::Program;

/// Objects up to this size are stored as one array; larger ones page by page as they are written.
const DENSE_LIMIT: u64 = 1 << 20;
const PAGE: u64 = 4096;

#[derive(Clone, Debug)]
pub struct Memory {
    objects: Vec<Object>,
    /// The object of the last access: most accesses hit it again.
    last: usize,
    /// Address and size of the last write, for traces.
    last_write: Option<(u64, u32)>,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub address: u64,
    pub size: u64,
    pub live: bool,
    /// Nothing may be written here.
    constant: bool,
    /// Of an object that was made in the run.
    lifetime: Option<Lifetime>,
    contents: Contents,
}

/// What ends an object that was made in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lifetime {
    /// The end of its block or call.
    Automatic,
    /// `free`.
    Heap,
}

#[derive(Clone, Debug)]
enum Contents {
    Dense {
        bytes: Vec<u8>,
        /// 1 for each byte that has a value; empty if all have.
        known: Vec<u8>,
    },
    Sparse {
        pages: Map<u64, Page>,
        zeroed: bool,
    },
}

#[derive(Clone, Debug)]
struct Page {
    bytes: Vec<u8>,
    known: Vec<u8>,
}

/// What is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// Little endian, zero-extended.
    Value(u64),
    /// Inside of a live object, but some bytes have no value yet.
    Unknown,
    /// Not inside of a live object.
    Invalid,
}

impl Memory {
    /// The memory at the start of `program`.
    pub fn new(program: &Program) -> Self {
        let mut objects: Vec<Object> = Vec::with_capacity(program.objects.len());
        for object in &program.objects {
            let mut made = Object::new(object.address, object.size, object.zeroed, None);
            for &(offset, _, ty, value) in &object.init {
                let size = u64::from(program.size_of(ty));
                for i in (0..size).take_while(|i| offset + i < object.size) {
                    made.write_byte(offset + i, (value >> (8 * i)) as u8);
                }
            }
            made.constant = object.constant;
            objects.push(made);
        }
        objects.sort_by_key(|object| object.address);
        Memory { objects, last: 0, last_write: None }
    }

    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The object that starts at or before `address`, if `address` to `address + size` lies in it.
    #[inline(always)]
    fn locate(&mut self, address: u64, size: u32) -> Option<usize> {
        if let Some(object) = self.objects.get(self.last)
            && object.contains(address, size)
        {
            return Some(self.last);
        }
        let after = self.objects.partition_point(|object| object.address <= address);
        let index = after.checked_sub(1)?;
        if !self.objects[index].contains(address, size) {
            return None;
        }
        self.last = index;
        Some(index)
    }

    /// Whether all these bytes lie in one live object.
    pub fn contains(&mut self, address: u64, size: u32) -> bool {
        self.locate(address, size).is_some()
    }

    /// Reads up to 8 bytes.
    #[inline(always)]
    pub fn read(&mut self, address: u64, size: u32) -> Read {
        match self.locate(address, size) {
            Some(index) => self.objects[index].read(address, size),
            None => Read::Invalid,
        }
    }

    /// Writes the low `size` (up to 8) bytes of `value`. False if they do not lie in a live object that may be
    /// written.
    #[inline(always)]
    #[must_use]
    pub fn write(&mut self, address: u64, size: u32, value: u64) -> bool {
        let Some(index) = self.locate(address, size).filter(|&i| !self.objects[i].constant) else {
            return false;
        };
        self.objects[index].write(address, size, value);
        self.last_write = Some((address, size));
        true
    }

    pub fn last_write(&self) -> Option<(u64, u32)> {
        self.last_write
    }

    /// The object that contains `address`, live or not.
    pub fn object_at(&self, address: u64) -> Option<&Object> {
        let after = self.objects.partition_point(|object| object.address <= address);
        let object = self.objects.get(after.checked_sub(1)?)?;
        (address - object.address < object.size).then_some(object)
    }

    /// A new object; its address lies above all others.
    pub fn allocate(&mut self, address: u64, size: u64, lifetime: Lifetime) {
        debug_assert!(self.objects.last().is_none_or(|last| last.address < address));
        self.objects.push(Object::new(address, size, false, Some(lifetime)));
    }

    /// Ends the life of an object of this kind. False if none starts there.
    #[must_use]
    pub fn free(&mut self, address: u64, lifetime: Lifetime) -> bool {
        let after = self.objects.partition_point(|object| object.address <= address);
        let Some(object) = after.checked_sub(1).and_then(|index| self.objects.get_mut(index)) else {
            return false;
        };
        let valid = object.address == address && object.live && object.lifetime == Some(lifetime);
        if valid {
            object.live = false;
            object.contents = Contents::Sparse { pages: Map::default(), zeroed: false };
        }
        valid
    }
}

impl Object {
    /// Whether it was made in the run.
    pub fn is_allocated(&self) -> bool {
        self.lifetime.is_some()
    }

    fn new(address: u64, size: u64, zeroed: bool, lifetime: Option<Lifetime>) -> Self {
        let contents = if size <= DENSE_LIMIT {
            let bytes = vec![0; size as usize];
            let known = if zeroed { Vec::new() } else { vec![0; size as usize] };
            Contents::Dense { bytes, known }
        } else {
            Contents::Sparse { pages: Map::default(), zeroed }
        };
        Object { address, size, live: true, constant: false, lifetime, contents }
    }

    #[inline(always)]
    fn contains(&self, address: u64, size: u32) -> bool {
        let offset = address.wrapping_sub(self.address);
        self.live && offset < self.size && u64::from(size) <= self.size - offset
    }

    #[inline(always)]
    fn read(&self, address: u64, size: u32) -> Read {
        let (offset, size) = ((address - self.address) as usize, size as usize);
        if let Contents::Dense { bytes, known } = &self.contents {
            if !known.is_empty() && known[offset..offset + size].contains(&0) {
                return Read::Unknown;
            }
            return Read::Value(match (size, &bytes[offset..offset + size]) {
                (4, &[a, b, c, d]) => u64::from(u32::from_le_bytes([a, b, c, d])),
                (8, &[a, b, c, d, e, f, g, h]) => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
                (_, rest) => rest.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)),
            });
        }
        let mut value = 0;
        for i in (0..size).rev() {
            match self.byte((offset + i) as u64) {
                Some(byte) => value = value << 8 | u64::from(byte),
                None => return Read::Unknown,
            }
        }
        Read::Value(value)
    }

    #[inline(always)]
    fn write(&mut self, address: u64, size: u32, value: u64) {
        let (offset, size) = ((address - self.address) as usize, size as usize);
        if let Contents::Dense { bytes, known } = &mut self.contents {
            bytes[offset..offset + size].copy_from_slice(&value.to_le_bytes()[..size]);
            if !known.is_empty() {
                known[offset..offset + size].fill(1);
            }
        } else {
            for (i, &byte) in value.to_le_bytes()[..size].iter().enumerate() {
                self.write_byte((offset + i) as u64, byte);
            }
        }
    }

    /// The byte at an offset inside of the object, if it has a value.
    pub fn byte(&self, offset: u64) -> Option<u8> {
        match &self.contents {
            Contents::Dense { bytes, known } => {
                let known = known.is_empty() || known[offset as usize] != 0;
                known.then(|| bytes[offset as usize])
            }
            Contents::Sparse { pages, zeroed } => {
                let page = pages.get(&(offset / PAGE));
                let known = page.is_some_and(|page| page.known[(offset % PAGE) as usize] != 0);
                match page {
                    Some(page) if known => Some(page.bytes[(offset % PAGE) as usize]),
                    _ => zeroed.then_some(0),
                }
            }
        }
    }

    fn write_byte(&mut self, offset: u64, byte: u8) {
        match &mut self.contents {
            Contents::Dense { bytes, known } => {
                bytes[offset as usize] = byte;
                if !known.is_empty() {
                    known[offset as usize] = 1;
                }
            }
            Contents::Sparse { pages, .. } => {
                let page = pages
                    .entry(offset / PAGE)
                    .or_insert_with(|| Page { bytes: vec![0; PAGE as usize], known: vec![0; PAGE as usize] });
                page.bytes[(offset % PAGE) as usize] = byte;
                page.known[(offset % PAGE) as usize] = 1;
            }
        }
    }
}
