//! Sets of numbers that have much in common: what is live at one location of a large program is nearly what is live at
//! the next.
//!
//! A set is a list of blocks. A set that is made of others has their blocks, wherever these do not change.

use std::sync::Arc;

const WORDS: usize = 8;
const BITS: u32 = 64 * WORDS as u32;

type Block = [u64; WORDS];

/// A set of numbers, cheap to copy and to change a little.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedSet {
    /// Those that are not empty, by their number.
    blocks: Arc<[(u32, Arc<Block>)]>,
}

impl Default for SharedSet {
    fn default() -> Self {
        SharedSet { blocks: Arc::from([]) }
    }
}

/// The block of a number, the word in there, and the bit in that.
fn place(i: u32) -> (u32, usize, u64) {
    (i / BITS, (i % BITS / 64) as usize, 1 << (i % 64))
}

impl SharedSet {
    fn find(&self, block: u32) -> Option<&Arc<Block>> {
        let index = self.blocks.binary_search_by_key(&block, |&(number, _)| number).ok()?;
        Some(&self.blocks[index].1)
    }

    pub fn contains(&self, i: u32) -> bool {
        let (block, word, bit) = place(i);
        self.find(block).is_some_and(|block| block[word] & bit != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn intersects(&self, other: &SharedSet) -> bool {
        let meets = |a: &Block, b: &Block| a.iter().zip(b).any(|(a, b)| a & b != 0);
        other.blocks.iter().any(|(number, block)| self.find(*number).is_some_and(|own| meets(own, block)))
    }

    /// Ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().flat_map(|(number, block)| {
            let bits = (0..BITS).filter(|&i| block[(i / 64) as usize] >> (i % 64) & 1 != 0);
            bits.map(move |i| number * BITS + i)
        })
    }

    /// Without the one, and then with the others.
    #[must_use]
    pub fn changed(&self, removed: Option<u32>, added: impl Iterator<Item = u32> + Clone) -> SharedSet {
        let mut of_added = added.clone();
        let removed = removed.filter(|&i| self.contains(i) && !of_added.any(|other| other == i));
        let mut added = added.filter(|&i| !self.contains(i)).peekable();
        if removed.is_none() && added.peek().is_none() {
            return self.clone();
        }
        let mut blocks = self.blocks.to_vec();
        let find = |blocks: &[(u32, Arc<Block>)], block: u32| {
            blocks.binary_search_by_key(&block, |&(number, _)| number)
        };
        if let Some(i) = removed {
            let (block, word, bit) = place(i);
            if let Ok(index) = find(&blocks, block) {
                let words = Arc::make_mut(&mut blocks[index].1);
                words[word] &= !bit;
                if *words == [0; WORDS] {
                    blocks.remove(index);
                }
            }
        }
        for i in added {
            let (block, word, bit) = place(i);
            let index = find(&blocks, block).unwrap_or_else(|index| {
                blocks.insert(index, (block, Arc::new([0; WORDS])));
                index
            });
            Arc::make_mut(&mut blocks[index].1)[word] |= bit;
        }
        SharedSet { blocks: blocks.into() }
    }

    #[must_use]
    pub fn union(&self, other: &SharedSet) -> SharedSet {
        if Arc::ptr_eq(&self.blocks, &other.blocks) || other.is_empty() {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        let (mut a, mut b) = (self.blocks.iter().peekable(), other.blocks.iter().peekable());
        let mut blocks = Vec::with_capacity(self.blocks.len().max(other.blocks.len()));
        // Whether nothing was found that only the other one has.
        let (mut is_self, mut is_other) = (true, true);
        loop {
            match (a.peek(), b.peek()) {
                (Some((x, _)), Some((y, _))) if x == y => {}
                (Some((x, _)), y) if y.is_none_or(|(y, _)| x < y) => {
                    is_other = false;
                    blocks.extend(a.next().cloned());
                    continue;
                }
                (_, Some(_)) => {
                    is_self = false;
                    blocks.extend(b.next().cloned());
                    continue;
                }
                (_, None) => break,
            }
            let (Some((number, x)), Some((_, y))) = (a.next(), b.next()) else { break };
            let mut both: Block = **x;
            both.iter_mut().zip(y.iter()).for_each(|(word, more)| *word |= more);
            let block = if both == **x {
                is_other &= both == **y;
                x.clone()
            } else if both == **y {
                is_self = false;
                y.clone()
            } else {
                (is_self, is_other) = (false, false);
                Arc::new(both)
            };
            blocks.push((*number, block));
        }
        match (is_self, is_other) {
            (true, _) => self.clone(),
            (_, true) => other.clone(),
            _ => SharedSet { blocks: blocks.into() },
        }
    }
}

impl FromIterator<u32> for SharedSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let numbers: Vec<u32> = numbers.into_iter().collect();
        SharedSet::default().changed(None, numbers.into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[u32]) -> SharedSet {
        numbers.iter().copied().collect()
    }

    #[test]
    fn sets_are_equal_if_they_have_the_same_numbers() {
        let small = set(&[600, 3, 5000]);
        assert_eq!(small.iter().collect::<Vec<_>>(), [3, 600, 5000]);
        let changed = small.changed(Some(600), [4, 3].into_iter());
        assert_eq!(changed, set(&[3, 4, 5000]));
        assert_eq!(changed.changed(Some(4), [600].into_iter()), small);
        assert_eq!(small.changed(Some(3), [3].into_iter()), small);
        assert!(changed.contains(4) && !changed.contains(600) && !changed.contains(4999));
    }

    #[test]
    fn a_union_has_the_numbers_of_both() {
        let lists: [&[u32]; 6] = [&[], &[1], &[1, 2, 700], &[700, 9000], &[0, 9000, 9001], &[5000]];
        for a in lists {
            for b in lists {
                let both: Vec<u32> = a.iter().chain(b).copied().collect();
                let (a, b) = (set(a), set(b));
                assert_eq!(a.union(&b), set(&both));
                assert_eq!(a.intersects(&b), a.iter().any(|i| b.contains(i)));
            }
        }
    }

    #[test]
    fn a_union_with_a_part_is_the_same_list() {
        let (all, part) = (set(&[1, 2, 700]), set(&[2]));
        assert!(Arc::ptr_eq(&all.union(&part).blocks, &all.blocks));
        assert!(Arc::ptr_eq(&part.union(&all).blocks, &all.blocks));
    }
}
