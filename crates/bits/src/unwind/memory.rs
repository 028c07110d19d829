//! Memory: the bytes of each object, as far as they were written.
//!
//! Objects lie at constant addresses: static ones where the program puts them, allocated ones where every
//! possible value of the next free address puts them. An access at an address that is not constant is one
//! access for each address that it can have. Which these are is told by the hint of the address; where
//! that is only a guess, the access also yields the condition under which the guess fails.

use super::Unsupported;
use super::inputs::Inputs;
use super::under::{Known, Under};
use super::word::{Hint, Objects, Word};
use crate::{Bit, Circuit, words};
use craig_program::Program;
use std::collections::BTreeMap;
use std::rc::Rc;

/// At most so many places are told apart in one access.
pub(super) const MOST_PLACES: usize = 4096;

/// A byte of a value that was written.
#[derive(Clone, Debug)]
struct Cell {
    word: Rc<Word>,
    byte: u8,
}

impl Cell {
    fn bits(&self) -> &[Bit] {
        let start = 8 * usize::from(self.byte);
        &self.word.bits[start..start + 8]
    }

    fn same(&self, other: &Cell) -> bool {
        Rc::ptr_eq(&self.word, &other.word) && self.byte == other.byte
    }
}

#[derive(Clone, Debug)]
struct Object {
    start: u64,
    /// In bytes, as wide as an address.
    size: Rc<Word>,
    /// The largest possible size.
    limit: u64,
    live: Bit,
    allocated: bool,
    zeroed: bool,
    /// By offset; a byte that is not here has its first value.
    cells: Rc<BTreeMap<u64, Cell>>,
}

#[derive(Clone, Debug)]
pub(super) struct Memory {
    objects: Rc<BTreeMap<u64, Object>>,
}

/// The places that an access may mean.
pub(super) struct Access {
    /// The object, the offset in it, and the condition under which the access is valid and this one.
    places: Vec<(u64, u64, Bit)>,
    /// The bytes lie in a live object.
    pub valid: Bit,
    /// It may be a place that is not listed.
    pub escape: Bit,
}

/// What all accesses need.
pub(super) struct Context<'a> {
    pub circuit: &'a mut Circuit,
    pub objects: &'a mut Objects,
    pub inputs: &'a mut Inputs,
    pub under: &'a mut Under,
    pub trust_hints: bool,
}

impl Memory {
    pub fn new(program: &Program, objects: &mut Objects) -> Memory {
        let pointer = usize::from(program.data_model.pointer_bits());
        let mut made = BTreeMap::new();
        for object in &program.objects {
            objects.extents.insert(object.address, object.size);
            let mut cells = BTreeMap::new();
            for &(offset, _, ty, value) in &object.init {
                let bytes = program.size_of(ty);
                let word = Rc::new(Word::constant(8 * bytes as usize, value as u128));
                for i in (0..bytes).filter(|&i| offset + u64::from(i) < object.size) {
                    cells.insert(offset + u64::from(i), Cell { word: word.clone(), byte: i as u8 });
                }
            }
            let new = Object {
                start: object.address,
                size: Rc::new(Word::constant(pointer, u128::from(object.size))),
                limit: object.size,
                live: Bit::TRUE,
                allocated: false,
                zeroed: object.zeroed,
                cells: Rc::new(cells),
            };
            made.insert(object.address, new);
        }
        Memory { objects: Rc::new(made) }
    }

    /// Where `bytes` bytes at an address may lie in runs with these decisions.
    pub fn locate(
        &self,
        cx: &mut Context<'_>,
        known: Known,
        address: &Word,
        bytes: u64,
    ) -> Result<Access, Unsupported> {
        cx.under.at(cx.circuit, known);
        let mut access = Access { places: Vec::new(), valid: Bit::FALSE, escape: Bit::FALSE };
        if let Some(cases) = address.cases() {
            for &case in cases.iter() {
                self.add_address(cx, &mut access, case, bytes)?;
            }
            return Ok(access);
        }
        if let (Hint::Partly(cases), true) = (&address.hint, cx.trust_hints) {
            let is_known = cases.iter().fold(Bit::FALSE, |known, &(_, here)| cx.circuit.or(known, here));
            access.escape = !is_known;
            for &case in cases.iter() {
                self.add_address(cx, &mut access, case, bytes)?;
            }
            return Ok(access);
        }
        let bases = match cx.objects.bases(address) {
            Some(bases) if cx.trust_hints && !bases.is_empty() => {
                let mut near = Bit::FALSE;
                for &base in bases.iter() {
                    let close = is_near(cx, address, base);
                    near = cx.circuit.or(near, close);
                }
                access.escape = !near;
                bases
            }
            _ => self.objects.keys().copied().collect(),
        };
        for &base in bases.iter() {
            let Some(object) = self.objects.get(&base) else { continue };
            for offset in 0..(object.limit + 1).saturating_sub(bytes) {
                let here = words::constant(address.bits.len(), u128::from(object.start + offset));
                let is_here = words::equal(cx.circuit, &address.bits, &here);
                add_place(cx, &mut access, is_here, object, offset, bytes)?;
            }
        }
        Ok(access)
    }

    fn add_address(
        &self,
        cx: &mut Context<'_>,
        access: &mut Access,
        (value, is_here): (u64, Bit),
        bytes: u64,
    ) -> Result<(), Unsupported> {
        // Objects of different paths may overlap.
        for object in self.objects.range(..=value).map(|(_, object)| object) {
            let offset = value - object.start;
            if offset.checked_add(bytes).is_some_and(|end| end <= object.limit) {
                add_place(cx, access, is_here, object, offset, bytes)?;
            }
        }
        Ok(())
    }

    /// What is at the places of an access; nothing in particular if it is not valid.
    pub fn read(&self, cx: &mut Context<'_>, access: &Access, bytes: u64) -> Option<Word> {
        let mut result: Option<Word> = None;
        for &(start, offset, chosen) in &access.places {
            let word = self.word(cx, start, offset, bytes);
            result = Some(match result {
                None => word,
                Some(rest) => Word::mux(cx.circuit, chosen, &word, &rest, cx.objects),
            });
        }
        result
    }

    fn word(&self, cx: &mut Context<'_>, start: u64, offset: u64, bytes: u64) -> Word {
        let object = &self.objects[&start];
        if let Some(word) = whole(&object.cells, offset)
            && word.bits.len() as u64 == 8 * bytes
        {
            return (**word).clone();
        }
        let mut bits = Vec::with_capacity(8 * bytes as usize);
        for at in offset..offset + bytes {
            match object.cells.get(&at) {
                Some(cell) => bits.extend_from_slice(cell.bits()),
                None if object.zeroed => bits.extend_from_slice(&[Bit::FALSE; 8]),
                None => bits.extend(cx.inputs.byte(cx.circuit, object.start + at)),
            }
        }
        Word::new(bits)
    }

    pub fn write(&mut self, cx: &mut Context<'_>, access: &Access, value: &Rc<Word>) {
        let bytes = value.bits.len() as u64 / 8;
        for &(start, offset, chosen) in &access.places {
            let word = if chosen == Bit::TRUE {
                value.clone()
            } else {
                let old = self.word(cx, start, offset, bytes);
                Rc::new(Word::mux(cx.circuit, chosen, value, &old, cx.objects))
            };
            if let Some(object) = Rc::make_mut(&mut self.objects).get_mut(&start) {
                put(Rc::make_mut(&mut object.cells), offset, word);
            }
        }
    }

    /// The extents of all allocated objects.
    pub fn allocated(&self) -> impl Iterator<Item = (u64, u64)> {
        let allocated = self.objects.values().filter(|object| object.allocated);
        allocated.map(|object| (object.start, object.limit))
    }

    /// Gives any value to these bytes, which lie in one object. An address is still an address, as a guess.
    pub fn forget(&mut self, cx: &mut Context<'_>, address: u64, bytes: u64) {
        let Some((_, object)) = Rc::make_mut(&mut self.objects).range_mut(..=address).next_back() else {
            return;
        };
        let (first, end) = (address - object.start, (address - object.start + bytes).min(object.limit));
        let cells = Rc::make_mut(&mut object.cells);
        let mut offset = first;
        while offset < end {
            let old = whole(cells, offset).filter(|word| offset + word.bits.len() as u64 / 8 <= end).cloned();
            let hint = old.as_ref().map_or(Hint::Nothing, |word| cx.objects.origin(word));
            let bits = words::inputs(cx.circuit, old.map_or(8, |word| word.bits.len()));
            let size = bits.len() as u64 / 8;
            put(cells, offset, Rc::new(Word { bits, hint }));
            offset += size;
        }
    }

    /// A new object with arbitrary contents at `start`, if the condition holds.
    pub fn allocate(&mut self, cx: &mut Context<'_>, start: u64, condition: Bit, size: &Word, limit: u64) {
        let extent = cx.objects.extents.entry(start).or_insert(0);
        *extent = limit.max(*extent);
        let objects = Rc::make_mut(&mut self.objects);
        let Some(old) = objects.get(&start) else {
            let new = Object {
                start,
                size: Rc::new(size.clone()),
                limit,
                live: condition,
                allocated: true,
                zeroed: false,
                cells: Rc::default(),
            };
            objects.insert(start, new);
            return;
        };
        // Another path has put an object here.
        let mut new = old.clone();
        new.size = Rc::new(Word::mux(cx.circuit, condition, size, &old.size, cx.objects));
        new.limit = limit.max(old.limit);
        new.live = cx.circuit.or(condition, old.live);
        let mut cells = BTreeMap::new();
        let mut done = 0;
        for (&offset, cell) in old.cells.iter() {
            if offset < done {
                continue;
            }
            let byte = || Rc::new(Word::new(cell.bits().to_vec()));
            let before = whole(&old.cells, offset).cloned().unwrap_or_else(byte);
            done = offset + before.bits.len() as u64 / 8;
            let first: Vec<Bit> =
                (offset..done).flat_map(|at| cx.inputs.byte(cx.circuit, start + at)).collect();
            let word = Word::mux(cx.circuit, condition, &Word::new(first), &before, cx.objects);
            put(&mut cells, offset, Rc::new(word));
        }
        new.cells = Rc::new(cells);
        objects.insert(start, new);
    }

    /// Ends the life of the allocated object at `address`; returns whether there is one.
    pub fn free(&mut self, cx: &mut Context<'_>, address: &Word) -> Bit {
        let cases = address.cases();
        let mut freed = Bit::FALSE;
        let objects = Rc::make_mut(&mut self.objects);
        for object in objects.values_mut().filter(|object| object.allocated) {
            let is_start = match &cases {
                Some(cases) => match cases.iter().find(|&&(value, _)| value == object.start) {
                    Some(&(_, here)) => here,
                    None => continue,
                },
                None => {
                    let start = words::constant(address.bits.len(), u128::from(object.start));
                    words::equal(cx.circuit, &address.bits, &start)
                }
            };
            let ends = cx.circuit.and(is_start, object.live);
            freed = cx.circuit.or(freed, ends);
            object.live = cx.circuit.and(object.live, !ends);
        }
        freed
    }

    /// One memory for two paths: `a` if the condition holds.
    pub fn merge(cx: &mut Context<'_>, condition: Bit, a: &Memory, b: &Memory) -> Memory {
        if Rc::ptr_eq(&a.objects, &b.objects) {
            return a.clone();
        }
        let mut objects = BTreeMap::new();
        for (&start, object) in a.objects.iter() {
            let merged = match b.objects.get(&start) {
                Some(other) => merge_objects(cx, condition, (a, object), (b, other)),
                None => Object { live: cx.circuit.and(condition, object.live), ..object.clone() },
            };
            objects.insert(start, merged);
        }
        for (&start, object) in b.objects.iter().filter(|(start, _)| !a.objects.contains_key(start)) {
            let live = cx.circuit.and(!condition, object.live);
            objects.insert(start, Object { live, ..object.clone() });
        }
        Memory { objects: Rc::new(objects) }
    }
}

/// The access may mean these bytes of an object.
fn add_place(
    cx: &mut Context<'_>,
    access: &mut Access,
    is_here: Bit,
    object: &Object,
    offset: u64,
    bytes: u64,
) -> Result<(), Unsupported> {
    if is_here == Bit::FALSE || object.live == Bit::FALSE {
        return Ok(());
    }
    let end = words::constant(object.size.bits.len(), u128::from(offset + bytes));
    let fits = !words::less(cx.circuit, &object.size.bits, &end, false);
    let valid = cx.circuit.and(object.live, fits);
    let chosen = cx.circuit.and(is_here, valid);
    let chosen = cx.under.simplified(cx.circuit, chosen);
    if chosen == Bit::FALSE {
        return Ok(());
    }
    if access.places.len() == MOST_PLACES {
        return Err(Unsupported::ManyPlaces);
    }
    access.valid = cx.circuit.or(access.valid, chosen);
    access.places.push((object.start, offset, chosen));
    Ok(())
}

/// Between the object before and the one after.
fn is_near(cx: &mut Context<'_>, address: &Word, base: u64) -> Bit {
    let (from, to) = cx.objects.surroundings(base);
    let width = address.bits.len();
    let from = words::constant(width, u128::from(from));
    let above = !words::less(cx.circuit, &address.bits, &from, false);
    let Some(to) = to else { return above };
    let to = words::constant(width, u128::from(to));
    let below = words::less(cx.circuit, &address.bits, &to, false);
    cx.circuit.and(above, below)
}

/// The value whose first byte is here and whose other bytes follow.
fn whole(cells: &BTreeMap<u64, Cell>, offset: u64) -> Option<&Rc<Word>> {
    let first = cells.get(&offset).filter(|cell| cell.byte == 0)?;
    let bytes = first.word.bits.len() as u64 / 8;
    let follows = |i: u64| {
        let cell = cells.get(&(offset + i));
        cell.is_some_and(|cell| Rc::ptr_eq(&cell.word, &first.word) && u64::from(cell.byte) == i)
    };
    (1..bytes).all(follows).then_some(&first.word)
}

fn put(cells: &mut BTreeMap<u64, Cell>, offset: u64, word: Rc<Word>) {
    for byte in 0..word.bits.len() / 8 {
        cells.insert(offset + byte as u64, Cell { word: word.clone(), byte: byte as u8 });
    }
}

fn merge_objects(
    cx: &mut Context<'_>,
    condition: Bit,
    (memory_a, a): (&Memory, &Object),
    (memory_b, b): (&Memory, &Object),
) -> Object {
    let mut merged = a.clone();
    merged.live = cx.circuit.mux(condition, a.live, b.live);
    merged.limit = a.limit.max(b.limit);
    if !Rc::ptr_eq(&a.size, &b.size) {
        merged.size = Rc::new(Word::mux(cx.circuit, condition, &a.size, &b.size, cx.objects));
    }
    if Rc::ptr_eq(&a.cells, &b.cells) {
        return merged;
    }
    let mut offsets: Vec<u64> = a.cells.keys().chain(b.cells.keys()).copied().collect();
    offsets.sort_unstable();
    offsets.dedup();
    let mut cells = (*a.cells).clone();
    let mut done = 0;
    for offset in offsets {
        let (x, y) = (a.cells.get(&offset), b.cells.get(&offset));
        if offset < done || matches!((x, y), (Some(x), Some(y)) if x.same(y)) {
            continue;
        }
        let length = |cells| whole(cells, offset).map_or(1, |word| word.bits.len() as u64 / 8);
        let bytes = length(&a.cells).max(length(&b.cells));
        let x = memory_a.word(cx, a.start, offset, bytes);
        let y = memory_b.word(cx, b.start, offset, bytes);
        put(&mut cells, offset, Rc::new(Word::mux(cx.circuit, condition, &x, &y, cx.objects)));
        done = offset + bytes;
    }
    merged.cells = Rc::new(cells);
    merged
}
