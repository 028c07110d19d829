//! Typed indices: a `LocId` cannot be used where a `VarId` is meant.

use std::fmt;
use std::marker::PhantomData;
use std::ops;

/// An index type made by [`index_type!`](crate::index_type).
pub trait Index: Copy + Eq + Ord + fmt::Debug {
    fn from_usize(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Defines a 32-bit index type: `index_type!(pub LocId, "l")` prints as `l7`.
#[macro_export]
macro_rules! index_type {
    ($(#[$meta:meta])* $vis:vis $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(pub u32);

        impl $crate::Index for $name {
            #[inline]
            fn from_usize(index: usize) -> Self {
                $name(u32::try_from(index).expect("more than 2^32 items of one kind"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self, f)
            }
        }
    };
}

/// A vector that is indexed by a typed index.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    index: PhantomData<fn(I) -> I>,
}

impl<I: Index, T> IndexVec<I, T> {
    pub const fn new() -> Self {
        IndexVec { items: Vec::new(), index: PhantomData }
    }

    pub fn from_elem(item: T, len: usize) -> Self
    where
        T: Clone,
    {
        IndexVec { items: vec![item; len], index: PhantomData }
    }

    pub fn push(&mut self, item: T) -> I {
        let index = self.next_index();
        self.items.push(item);
        index
    }

    /// The index that the next [`push`](Self::push) will return.
    pub fn next_index(&self) -> I {
        I::from_usize(self.items.len())
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn get(&self, index: I) -> Option<&T> {
        self.items.get(index.index())
    }

    pub fn get_mut(&mut self, index: I) -> Option<&mut T> {
        self.items.get_mut(index.index())
    }

    pub fn indices(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_usize)
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    pub fn enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, item)| (I::from_usize(i), item))
    }

    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// Grows with `fill` until `index` is valid.
    pub fn grow_to(&mut self, index: I, fill: T)
    where
        T: Clone,
    {
        if index.index() >= self.items.len() {
            self.items.resize(index.index() + 1, fill);
        }
    }
}

impl<I: Index, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Index, T: fmt::Debug> fmt::Debug for IndexVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.enumerated()).finish()
    }
}

impl<I: Index, T> ops::Index<I> for IndexVec<I, T> {
    type Output = T;
    fn index(&self, index: I) -> &T {
        &self.items[index.index()]
    }
}

impl<I: Index, T> ops::IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.items[index.index()]
    }
}

impl<I: Index, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        IndexVec { items: iter.into_iter().collect(), index: PhantomData }
    }
}

impl<'a, I: Index, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    index_type!(Id, "i");

    #[test]
    fn push_returns_the_index_of_the_item() {
        let mut items = IndexVec::<Id, &str>::new();
        let a = items.push("a");
        let b = items.push("b");
        assert_eq!((items[a], items[b], format!("{b}")), ("a", "b", "i1".to_string()));
        assert_eq!(items.indices().collect::<Vec<_>>(), vec![a, b]);
    }
}
