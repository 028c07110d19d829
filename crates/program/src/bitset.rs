//! Sets of small numbers, for the data-flow analyses.

/// A set of numbers below a bound.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    pub fn new(size: usize) -> Self {
        BitSet { words: vec![0; size.div_ceil(64)] }
    }

    pub fn contains(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 != 0
    }

    pub fn insert(&mut self, i: usize) {
        self.words[i / 64] |= 1 << (i % 64);
    }

    pub fn remove(&mut self, i: usize) {
        self.words[i / 64] &= !(1 << (i % 64));
    }

    /// Whether anything was new.
    pub fn union_with(&mut self, other: &BitSet) -> bool {
        let mut changed = false;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(w, &word)| {
            std::iter::successors((word != 0).then_some(word), |&rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| w * 64 + rest.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_sets_iterate_in_order() {
        let mut set = BitSet::new(200);
        for i in [199, 0, 63, 64, 70] {
            set.insert(i);
        }
        set.remove(70);
        assert_eq!(set.iter().collect::<Vec<_>>(), vec![0, 63, 64, 199]);
    }
}
