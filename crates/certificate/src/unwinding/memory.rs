//! Memory, byte by byte at the addresses of the program model.

use super::gates::{FALSE, Gates, Lit, TRUE, Word, number};
use super::under::Under;
use super::{Failure, LIMITS};
use craig_base::Map;
use craig_program::Program;
use std::collections::BTreeMap;
use std::rc::Rc;

type Byte = [Lit; 8];

/// The bytes of the longest value that is joined as one; pointers are not longer.
const WORD: u64 = 8;

/// Start and size.
type Extent = (u64, u64);

/// The part of memory that changes.
#[derive(Clone)]
pub(super) struct Memory {
    /// Bytes that were written.
    bytes: Rc<BTreeMap<u64, Byte>>,
    /// Allocated objects.
    heap: Rc<BTreeMap<Extent, Block>>,
}

#[derive(Clone)]
struct Block {
    live: Lit,
    /// The size, where it is not always that of the extent but can be less.
    size: Option<Word>,
}

/// What was there before the program ran, made as it is asked for.
pub(super) struct First {
    statics: Vec<Extent>,
    bytes: Map<u64, Byte>,
    zeroed: Vec<Extent>,
}

/// The places that an access may mean, each with its condition.
pub(super) struct Access {
    places: Vec<(u64, Lit)>,
    pub valid: Lit,
    /// The place is none of these, and yet it may be in an object.
    pub astray: Lit,
}

impl First {
    pub fn new(program: &Program) -> First {
        let mut bytes = Map::default();
        for object in &program.objects {
            for &(offset, _, ty, value) in &object.init {
                for i in 0..u64::from(program.size_of(ty)) {
                    if offset + i < object.size {
                        let byte = (value >> (8 * i)) as u8;
                        bytes.insert(object.address + offset + i, constant(byte));
                    }
                }
            }
        }
        let extent = |object: &craig_program::MemoryObject| (object.address, object.size);
        let zeroed = program.objects.iter().filter(|object| object.zeroed).map(extent).collect();
        First { statics: program.objects.iter().map(extent).collect(), bytes, zeroed }
    }

    fn byte(&mut self, g: &mut Gates, address: u64) -> Byte {
        let inside = |&(start, size): &Extent| start <= address && address - start < size;
        let zero = self.zeroed.iter().any(inside);
        *self
            .bytes
            .entry(address)
            .or_insert_with(|| if zero { constant(0) } else { std::array::from_fn(|_| g.free()) })
    }
}

fn constant(byte: u8) -> Byte {
    std::array::from_fn(|i| if byte >> i & 1 != 0 { TRUE } else { FALSE })
}

impl Memory {
    pub fn new() -> Memory {
        Memory { bytes: Rc::default(), heap: Rc::default() }
    }

    /// Where `size` bytes at an address may lie. If the address was calculated from the constant address `origin`,
    /// they are looked for in its object only, and going astray is a condition of its own. Places to which no run comes
    /// that is here are left out.
    pub fn access(
        &self,
        g: &mut Gates,
        first: &First,
        under: &Under,
        address: &[Lit],
        size: u64,
        origin: Option<u64>,
    ) -> Result<Access, Failure> {
        let statics = first.statics.iter().map(|&extent| (extent, TRUE, None));
        let heap = self.heap.iter().map(|(&extent, block)| (extent, block.live, block.size.as_deref()));
        let objects: Vec<(Extent, Lit, Option<&[Lit]>)> =
            statics.chain(heap).filter(|&(_, live, _)| live != FALSE).collect();
        let (known, is_exact) = g.known_cases(address);
        let cases = (is_exact || !known.is_empty()).then_some(known);
        let mut astray = FALSE;
        if let Some(cases) = cases.as_ref().filter(|_| !is_exact) {
            let is_known = cases.iter().fold(FALSE, |known, &(_, here)| g.or(known, here));
            astray = -is_known;
        }
        let mut near: Option<(u64, u64)> = None;
        if cases.is_none()
            && let Some(origin) = origin
            && let Some(&((start, length), ..)) =
                objects.iter().find(|((start, length), ..)| *start <= origin && origin - start <= *length)
        {
            // Up to the next objects on both sides.
            let ends = objects.iter().filter(|((other, _), ..)| *other < start).map(|((s, l), ..)| s + l);
            let low = ends.max().unwrap_or(0);
            let starts = objects.iter().filter(|((other, _), ..)| *other > start).map(|((s, _), ..)| *s);
            let high = starts.min();
            let above = -below_constant(g, address, low);
            let below = high.map_or(TRUE, |high| below_constant(g, address, high));
            astray = -g.and(above, below);
            near = Some((start, length));
        }
        let mut access = Access { places: Vec::new(), valid: FALSE, astray };
        for ((start, length), live, variable) in objects {
            if near.is_some_and(|near| near.0 != start) || length < size {
                continue;
            }
            let last = start + length - size;
            let places: Box<dyn Iterator<Item = u64>> = match &cases {
                Some(cases) => {
                    let addresses = cases.iter().filter_map(|&(value, _)| u64::try_from(value).ok());
                    Box::new(addresses.filter(move |address| (start..=last).contains(address)))
                }
                None => Box::new(start..=last),
            };
            for place in places {
                let here = match &cases {
                    Some(cases) => cases
                        .iter()
                        .find(|&&(value, _)| value == u128::from(place))
                        .map_or(FALSE, |&(_, here)| here),
                    None => g.is_number(address, place),
                };
                let mut chosen = g.and(here, live);
                if let Some(length) = variable {
                    let ends = below_constant(g, length, place - start + size);
                    chosen = g.and(chosen, -ends);
                }
                chosen = under.simplified(g, chosen);
                if chosen == FALSE {
                    continue;
                }
                if access.places.len() >= LIMITS.places {
                    return Err(Failure::TooLarge);
                }
                access.valid = g.or(access.valid, chosen);
                access.places.push((place, chosen));
            }
        }
        Ok(access)
    }

    fn at(&self, g: &mut Gates, first: &mut First, place: u64, size: u64) -> Word {
        let mut word = Vec::with_capacity(8 * size as usize);
        for address in place..place + size {
            match self.bytes.get(&address) {
                Some(byte) => word.extend(byte),
                None => word.extend(first.byte(g, address)),
            }
        }
        word
    }

    /// The bytes of an access; those of some place where it is not valid.
    pub fn load(&self, g: &mut Gates, first: &mut First, access: &Access, size: u64) -> Word {
        let mut places = access.places.iter();
        let Some(&(place, _)) = places.next() else { return g.free_word(8 * size as usize) };
        let mut word = self.at(g, first, place, size);
        for &(place, chosen) in places {
            let found = self.at(g, first, place, size);
            word = g.select(chosen, &found, &word);
        }
        word
    }

    pub fn store(&mut self, g: &mut Gates, first: &mut First, access: &Access, value: &[Lit]) {
        for &(place, chosen) in &access.places {
            let old = self.at(g, first, place, value.len() as u64 / 8);
            let new = g.select(chosen, value, &old);
            self.put(place, &new);
        }
    }

    fn put(&mut self, place: u64, word: &[Lit]) {
        let bytes = Rc::make_mut(&mut self.bytes);
        for (i, byte) in word.chunks(8).enumerate() {
            bytes.insert(place + i as u64, std::array::from_fn(|bit| byte[bit]));
        }
    }

    /// The extents of all allocated objects.
    pub fn allocated(&self) -> impl Iterator<Item = Extent> {
        self.heap.keys().copied()
    }

    /// Gives any value to these bytes.
    pub fn forget(&mut self, g: &mut Gates, start: u64, size: u64) {
        let bytes = Rc::make_mut(&mut self.bytes);
        for address in start..start + size {
            bytes.insert(address, std::array::from_fn(|_| g.free()));
        }
    }

    /// Ends the life of any allocated objects.
    pub fn free_some(&mut self, g: &mut Gates) {
        for block in Rc::make_mut(&mut self.heap).values_mut() {
            let kept = g.free();
            block.live = g.and(block.live, kept);
        }
    }

    /// Whether some of these bytes can be part of an object.
    fn has_any(&self, first: &First, at: u64, size: u64) -> bool {
        let overlaps = |&(start, length): &Extent| start < at + size && at < start + length;
        first.statics.iter().any(overlaps) || self.heap.keys().any(overlaps)
    }

    /// Addresses are never used again in a run, so the bytes of a new object have their first values. What other runs
    /// have written there, to objects of theirs, is none of them.
    pub fn allocate(
        &mut self,
        g: &mut Gates,
        first: &mut First,
        extent: Extent,
        size: Option<&[Lit]>,
        condition: Lit,
    ) {
        let end = extent.0 + extent.1;
        let pointer = g.pointer as u64 / 8;
        let mut at = extent.0;
        while at < end {
            let size = pointer.min(end - at);
            if self.bytes.range(at..at + size).next().is_some() {
                let fresh: Word = (at..at + size).flat_map(|at| first.byte(g, at)).collect();
                let old = self.at(g, first, at, size);
                let word = g.select(condition, &fresh, &old);
                self.put(at, &word);
            }
            at += size;
        }
        let new = Block { live: condition, size: size.map(<[Lit]>::to_vec) };
        let heap = Rc::make_mut(&mut self.heap);
        let block = match heap.get(&extent) {
            Some(old) => choose_block(g, extent, condition, &new, old),
            None => new,
        };
        heap.insert(extent, block);
    }

    /// Whether an allocated object that lives begins at the address; it ends.
    pub fn free(&mut self, g: &mut Gates, address: &[Lit]) -> Lit {
        let mut found = FALSE;
        for (&(start, _), Block { live, .. }) in Rc::make_mut(&mut self.heap).iter_mut() {
            let is_start = g.is_number(address, start);
            let ends = g.and(is_start, *live);
            found = g.or(found, ends);
            *live = g.and(*live, -is_start);
        }
        found
    }

    /// `a` if the condition holds, else `b`.
    pub fn join(g: &mut Gates, first: &mut First, condition: Lit, a: &Memory, b: &Memory) -> Memory {
        let mut joined = a.clone();
        if !Rc::ptr_eq(&a.bytes, &b.bytes) {
            let mut words: Vec<u64> = a.bytes.keys().chain(b.bytes.keys()).map(|at| at - at % WORD).collect();
            words.sort_unstable();
            words.dedup();
            let mut pieces: Vec<(u64, u64)> = Vec::new();
            for start in words {
                pieces.push((start, WORD));
                while let Some((at, size)) = pieces.pop() {
                    let (x, y) = (a.at(g, first, at, size), b.at(g, first, at, size));
                    if x == y {
                        continue;
                    }
                    // Where only one side has objects, nothing reads what the other has there.
                    match (a.has_any(first, at, size), b.has_any(first, at, size)) {
                        (true, false) => continue,
                        (false, true) => {
                            joined.put(at, &y);
                            continue;
                        }
                        _ => {}
                    }
                    // Values that were stored as one keep their cases.
                    let has_cases = |word: &[Lit]| g.cases(word).is_some() || g.partly.contains_key(word);
                    let is_address = 8 * size as usize == g.pointer && (has_cases(&x) || has_cases(&y));
                    if size == 1 || is_address || (g.cases(&x).is_some() && g.cases(&y).is_some()) {
                        let word = g.select(condition, &x, &y);
                        joined.put(at, &word);
                    } else {
                        pieces.extend([(at, size / 2), (at + size / 2, size / 2)]);
                    }
                }
            }
        }
        if !Rc::ptr_eq(&a.heap, &b.heap) {
            let heap = Rc::make_mut(&mut joined.heap);
            let extents: Vec<Extent> = a.heap.keys().chain(b.heap.keys()).copied().collect();
            for extent in extents {
                let block = match (a.heap.get(&extent), b.heap.get(&extent)) {
                    (Some(x), Some(y)) => choose_block(g, extent, condition, x, y),
                    (Some(x), None) => Block { live: g.and(condition, x.live), ..x.clone() },
                    (None, Some(y)) => Block { live: g.and(-condition, y.live), ..y.clone() },
                    (None, None) => continue,
                };
                heap.insert(extent, block);
            }
        }
        joined
    }
}

/// `a` if the condition holds, else `b`.
fn choose_block(g: &mut Gates, (_, most): Extent, condition: Lit, a: &Block, b: &Block) -> Block {
    let live = g.choose(condition, a.live, b.live);
    let size = match (&a.size, &b.size) {
        (None, None) => None,
        (Some(x), Some(y)) => Some(g.choose_word(condition, x, y)),
        (Some(x), None) => Some(g.choose_word(condition, x, &number(x.len(), u128::from(most)))),
        (None, Some(y)) => Some(g.choose_word(condition, &number(y.len(), u128::from(most)), y)),
    };
    Block { live, size }
}

fn below_constant(g: &mut Gates, word: &[Lit], limit: u64) -> Lit {
    g.below(word, &number(word.len(), u128::from(limit)))
}
