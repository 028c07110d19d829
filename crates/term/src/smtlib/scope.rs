//! What symbols and sort names mean, level by level.

use super::sort::{Part, Shape};
use crate::{FunId, SortId, TermId};
use craig_base::Map;

/// What a symbol stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Declared(FunId),
    /// A macro: by `define-fun`, or a term that got a name.
    Defined {
        parameters: Vec<TermId>,
        body: TermId,
    },
}

#[derive(Clone, Debug)]
enum Undo {
    Symbol(String, Option<Meaning>),
    Sort(String, Option<Shape>),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    symbols: Map<String, Meaning>,
    sorts: Map<String, Shape>,
    undo: Vec<Undo>,
    levels: Vec<usize>,
}

impl Scope {
    pub fn symbol(&self, name: &str) -> Option<&Meaning> {
        self.symbols.get(name)
    }

    /// What a name of sorts means, with or without parameters.
    pub fn shape(&self, name: &str) -> Option<&Shape> {
        self.sorts.get(name)
    }

    /// The sort of that name, if it is one without parameters.
    pub fn sort(&self, name: &str) -> Option<SortId> {
        let shape = self.sorts.get(name)?;
        match shape.parts[..] {
            [Part::Sort(sort)] if shape.parameters == 0 => Some(sort),
            _ => None,
        }
    }

    pub fn bind_symbol(&mut self, name: &str, meaning: Meaning) {
        let before = self.symbols.insert(name.to_string(), meaning);
        if !self.levels.is_empty() {
            self.undo.push(Undo::Symbol(name.to_string(), before));
        }
    }

    pub fn bind_sort(&mut self, name: &str, sort: impl Into<Shape>) {
        let before = self.sorts.insert(name.to_string(), sort.into());
        if !self.levels.is_empty() {
            self.undo.push(Undo::Sort(name.to_string(), before));
        }
    }

    pub fn push(&mut self, levels: usize) {
        for _ in 0..levels {
            self.levels.push(self.undo.len());
        }
    }

    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Forgets what the last `levels` levels declared; there must be as many.
    pub fn pop(&mut self, levels: usize) {
        if levels == 0 {
            return;
        }
        let keep = self.levels.len() - levels;
        let length = self.levels[keep];
        self.levels.truncate(keep);
        for undo in self.undo.drain(length..).rev() {
            match undo {
                Undo::Symbol(name, Some(meaning)) => drop(self.symbols.insert(name, meaning)),
                Undo::Symbol(name, None) => drop(self.symbols.remove(&name)),
                Undo::Sort(name, Some(sort)) => drop(self.sorts.insert(name, sort)),
                Undo::Sort(name, None) => drop(self.sorts.remove(&name)),
            }
        }
    }
}
