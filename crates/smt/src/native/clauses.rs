//! The clause arena: headers and literals in one vector.
//!
//! A clause is `[length | flags, activity, proof step, literals...]`. Deleting marks it; compaction
//! moves the others and leaves a forwarding address in the old arena until all references are
//! updated.

use super::lit::Lit;
use crate::proof::StepId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ClauseRef(u32);

const HEADER: usize = 4;
const LEARNT: u32 = 1;
const DELETED: u32 = 2;
const MOVED: u32 = 4;
const USED: u32 = 8;

#[derive(Clone, Default)]
pub(crate) struct Clauses {
    data: Vec<u32>,
    wasted: usize,
}

impl Clauses {
    /// `lbd` is 0 for clauses that are kept.
    pub fn add(&mut self, lits: &[Lit], learnt: bool, lbd: u32, step: StepId) -> ClauseRef {
        let reference = ClauseRef(self.data.len() as u32);
        self.data.push(lits.len() as u32);
        self.data.push(if learnt { LEARNT } else { 0 } | lbd << 8);
        self.data.push(0f32.to_bits());
        self.data.push(step.0);
        self.data.extend(lits.iter().map(|lit| lit.0));
        reference
    }

    #[inline]
    pub fn len(&self, c: ClauseRef) -> usize {
        self.data[c.0 as usize] as usize
    }

    #[inline]
    pub fn lit(&self, c: ClauseRef, i: usize) -> Lit {
        Lit(self.data[c.0 as usize + HEADER + i])
    }

    /// The literals as raw numbers, for the inner loop of propagation.
    #[inline]
    pub fn raw_lits(&mut self, c: ClauseRef) -> &mut [u32] {
        let start = c.0 as usize;
        let len = self.data[start] as usize;
        &mut self.data[start + HEADER..start + HEADER + len]
    }

    pub fn lits(&self, c: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        let start = c.0 as usize + HEADER;
        self.data[start..start + self.len(c)].iter().map(|&raw| Lit(raw))
    }

    pub fn step(&self, c: ClauseRef) -> StepId {
        StepId(self.data[c.0 as usize + 3])
    }

    fn flags(&self, c: ClauseRef) -> u32 {
        self.data[c.0 as usize + 1]
    }

    pub fn is_learnt(&self, c: ClauseRef) -> bool {
        self.flags(c) & LEARNT != 0
    }

    pub fn is_deleted(&self, c: ClauseRef) -> bool {
        self.flags(c) & DELETED != 0
    }

    pub fn lbd(&self, c: ClauseRef) -> u32 {
        self.flags(c) >> 8
    }

    /// Whether the clause took part in a conflict since this was last asked.
    pub fn take_used(&mut self, c: ClauseRef) -> bool {
        let flags = &mut self.data[c.0 as usize + 1];
        let used = *flags & USED != 0;
        *flags &= !USED;
        used
    }

    pub fn set_used(&mut self, c: ClauseRef) {
        self.data[c.0 as usize + 1] |= USED;
    }

    pub fn activity(&self, c: ClauseRef) -> f32 {
        f32::from_bits(self.data[c.0 as usize + 2])
    }

    pub fn set_activity(&mut self, c: ClauseRef, activity: f32) {
        self.data[c.0 as usize + 2] = activity.to_bits();
    }

    pub fn delete(&mut self, c: ClauseRef) {
        debug_assert!(!self.is_deleted(c));
        self.data[c.0 as usize + 1] |= DELETED;
        self.wasted += HEADER + self.len(c);
    }

    /// The address that the next clause will have; those made before have smaller ones, until clauses
    /// are moved.
    pub fn end(&self) -> ClauseRef {
        ClauseRef(self.data.len() as u32)
    }

    pub fn should_compact(&self) -> bool {
        self.wasted * 4 > self.data.len() + 4096
    }

    /// Moves all clauses that are not deleted; ask [`Relocation::new_address`] afterwards.
    pub fn compact(&mut self) -> Relocation {
        let mut old = std::mem::take(&mut self.data);
        self.data.reserve(old.len() - self.wasted);
        let mut at = 0;
        while at < old.len() {
            let size = HEADER + old[at] as usize;
            if old[at + 1] & DELETED == 0 {
                let target = self.data.len() as u32;
                self.data.extend_from_slice(&old[at..at + size]);
                old[at + 1] |= MOVED;
                old[at + 2] = target;
            }
            at += size;
        }
        self.wasted = 0;
        Relocation(old)
    }
}

pub(crate) struct Relocation(Vec<u32>);

impl Relocation {
    /// `None` for deleted clauses.
    pub fn new_address(&self, c: ClauseRef) -> Option<ClauseRef> {
        let at = c.0 as usize;
        (self.0[at + 1] & MOVED != 0).then(|| ClauseRef(self.0[at + 2]))
    }
}
