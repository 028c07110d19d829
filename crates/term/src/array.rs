//! Constructors for arrays.

use crate::store::{Op, Sort, SortId, TermId, Terms};

/// How far a `select` looks through stores at other numerals.
const LOOK_THROUGH: usize = 1000;

impl Terms {
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let element = self.element_of(array, index);
        match self.passing_distinct(array, index) {
            Ok(element) => element,
            Err(base) if self.op(base) == Op::Store => self.select_between(base, index, element),
            Err(base) => self.intern(Op::Select, element, &[base, index]),
        }
    }

    /// A `select` that mentions no term which the array and the index do not.
    pub fn plain_select(&mut self, array: TermId, index: TermId) -> TermId {
        let element = self.element_of(array, index);
        match self.passing_distinct(array, index) {
            Ok(element) => element,
            Err(base) => self.intern(Op::Select, element, &[base, index]),
        }
    }

    fn element_of(&self, array: TermId, index: TermId) -> SortId {
        let Sort::Array { index: index_sort, element } = *self.sort_of(self.sort(array)) else {
            unreachable!("select from something that is no array")
        };
        debug_assert!(self.sort(index) == index_sort);
        element
    }

    /// The element, or the array that remains after stores at other indices.
    fn passing_distinct(&mut self, array: TermId, index: TermId) -> Result<TermId, TermId> {
        let mut base = array;
        for _ in 0..LOOK_THROUGH {
            match self.op(base) {
                Op::Store => {
                    let &[inner, at, value] = self.args(base) else {
                        unreachable!("store has three arguments")
                    };
                    if at == index {
                        return Ok(value);
                    }
                    if !self.are_distinct(at, index) {
                        break;
                    }
                    base = inner;
                }
                Op::ConstArray => return Ok(self.arg(base, 0)),
                _ => break,
            }
        }
        Err(base)
    }

    /// A select from stores the first of which may matter. If a store with the very index lies after
    /// others, those that would yield the same value do not matter, nor does what lies further behind.
    fn select_between(&mut self, array: TermId, index: TermId, element: SortId) -> TermId {
        let mut passed: Vec<(TermId, TermId)> = Vec::new();
        let (mut base, mut found) = (array, None);
        for _ in 0..LOOK_THROUGH {
            if self.op(base) != Op::Store {
                break;
            }
            let &[inner, at, value] = self.args(base) else { unreachable!("store has three arguments") };
            if found.is_none() && at == index {
                found = Some(value);
            } else if found.is_none() {
                passed.push((at, value));
            }
            base = inner;
        }
        let Some(value) = found else { return self.intern(Op::Select, element, &[array, index]) };
        while passed.last().is_some_and(|&(_, other)| other == value) {
            passed.pop();
        }
        match passed.as_slice() {
            [] => value,
            &[(at, other)] => {
                let same = self.eq(at, index);
                self.ite(same, other, value)
            }
            _ => {
                let mut array = self.store(base, index, value);
                for (at, value) in passed.into_iter().rev() {
                    array = self.store(array, at, value);
                }
                self.intern(Op::Select, element, &[array, index])
            }
        }
    }

    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let sort = self.sort(array);
        let mut base = array;
        if self.op(base) == Op::Store && self.arg(base, 1) == index {
            base = self.arg(base, 0);
        }
        if self.op(value) == Op::Select && self.args(value) == [base, index] {
            return base;
        }
        self.intern(Op::Store, sort, &[base, index, value])
    }

    pub fn const_array(&mut self, sort: SortId, element: TermId) -> TermId {
        self.intern(Op::ConstArray, sort, &[element])
    }

    /// Whether two terms differ in every model, as far as one look tells.
    pub fn are_distinct(&mut self, a: TermId, b: TermId) -> bool {
        self.is_arith(a) && self.is_arith(b) && self.eq(a, b) == Self::FALSE
    }
}
