//! All clauses in one array, so that a clause is an offset.

use crate::literal::Lit;

/// Where a clause begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClauseRef(pub u32);

impl ClauseRef {
    pub const NONE: ClauseRef = ClauseRef(u32::MAX);
}

/// Identifier in the proof, number of literals, glue and flags, activity; then the literals.
const HEADER: usize = 4;
const LEARNED: u32 = 1 << 31;
const DELETED: u32 = 1 << 30;
const USED_SHIFT: u32 = 28;
const USED: u32 = 3 << USED_SHIFT;
const GLUE: u32 = (1 << USED_SHIFT) - 1;

#[derive(Debug, Default)]
pub(crate) struct Clauses {
    words: Vec<u32>,
    pub wasted: usize,
}

impl Clauses {
    pub fn push(&mut self, id: u32, lits: &[Lit], learned: bool, glue: u32) -> ClauseRef {
        let at = ClauseRef(self.words.len() as u32);
        let flags = if learned { LEARNED } else { 0 };
        self.words.extend([id, lits.len() as u32, flags | glue.min(GLUE), 0]);
        self.words.extend(lits.iter().map(|lit| lit.code()));
        at
    }

    pub fn words(&self) -> usize {
        self.words.len()
    }

    pub fn id(&self, at: ClauseRef) -> u32 {
        self.words[at.0 as usize]
    }

    pub fn len(&self, at: ClauseRef) -> usize {
        self.words[at.0 as usize + 1] as usize
    }

    pub fn lit(&self, at: ClauseRef, i: usize) -> Lit {
        Lit::from_code(self.words[at.0 as usize + HEADER + i])
    }

    /// The literals as their codes.
    pub fn codes(&self, at: ClauseRef) -> &[u32] {
        let start = at.0 as usize + HEADER;
        &self.words[start..start + self.len(at)]
    }

    pub fn codes_mut(&mut self, at: ClauseRef) -> &mut [u32] {
        let start = at.0 as usize + HEADER;
        let end = start + self.len(at);
        &mut self.words[start..end]
    }

    pub fn lits(&self, at: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        self.codes(at).iter().map(|&code| Lit::from_code(code))
    }

    pub fn is_learned(&self, at: ClauseRef) -> bool {
        self.words[at.0 as usize + 2] & LEARNED != 0
    }

    pub fn is_deleted(&self, at: ClauseRef) -> bool {
        self.words[at.0 as usize + 2] & DELETED != 0
    }

    pub fn delete(&mut self, at: ClauseRef) {
        self.wasted += HEADER + self.len(at);
        self.words[at.0 as usize + 2] |= DELETED;
    }

    pub fn glue(&self, at: ClauseRef) -> u32 {
        self.words[at.0 as usize + 2] & GLUE
    }

    pub fn set_glue(&mut self, at: ClauseRef, glue: u32) {
        let word = &mut self.words[at.0 as usize + 2];
        *word = *word & !GLUE | glue.min(GLUE);
    }

    /// How many reductions the clause survives because it took part in a conflict.
    pub fn used(&self, at: ClauseRef) -> u32 {
        (self.words[at.0 as usize + 2] & USED) >> USED_SHIFT
    }

    pub fn set_used(&mut self, at: ClauseRef, used: u32) {
        let word = &mut self.words[at.0 as usize + 2];
        *word = *word & !USED | used << USED_SHIFT;
    }

    pub fn activity(&self, at: ClauseRef) -> f32 {
        f32::from_bits(self.words[at.0 as usize + 3])
    }

    pub fn set_activity(&mut self, at: ClauseRef, activity: f32) {
        self.words[at.0 as usize + 3] = activity.to_bits();
    }

    /// Moves the clauses together; each one's new place stands where its identifier was in the old array,
    /// which is returned.
    pub fn collect(&mut self) -> Vec<u32> {
        let mut old = std::mem::take(&mut self.words);
        let mut new = Vec::with_capacity(old.len() - self.wasted);
        let mut at = 0;
        while at < old.len() {
            let length = HEADER + old[at + 1] as usize;
            let moved = if old[at + 2] & DELETED != 0 {
                ClauseRef::NONE.0
            } else {
                let moved = new.len() as u32;
                new.extend_from_slice(&old[at..at + length]);
                moved
            };
            old[at] = moved;
            at += length;
        }
        self.words = new;
        self.wasted = 0;
        old
    }
}
