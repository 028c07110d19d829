//! What symbols and sort names mean, level by level.

use super::sort::SortMeaning;
use crate::{FunId, TermId};
use craig_base::Map;

/// What a symbol stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Declared(FunId),
    /// A macro: by `define-fun`, or a term that got a name.
    Defined {
        parameters: Box<[TermId]>,
        body: TermId,
    },
}

#[derive(Clone, Debug)]
enum Undo {
    Symbol(Box<str>, Option<Meaning>),
    Sort(String, Option<SortMeaning>),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    symbols: Map<Box<str>, Meaning>,
    sorts: Map<String, SortMeaning>,
    undo: Vec<Undo>,
    levels: Vec<usize>,
    /// The names that `:named` gave, in order, and at how many levels, if these are still open.
    named: Vec<(String, Option<usize>)>,
    /// Whether what is declared outlives its level (`:global-declarations`).
    global: bool,
}

impl Scope {
    pub fn symbol(&self, name: &str) -> Option<&Meaning> {
        self.symbols.get(name)
    }

    pub fn sort(&self, name: &str) -> Option<&SortMeaning> {
        self.sorts.get(name)
    }

    pub fn bind_symbol(&mut self, name: &str, meaning: Meaning) {
        let before = self.symbols.insert(name.into(), meaning);
        if !self.levels.is_empty() && !self.global {
            self.undo.push(Undo::Symbol(name.into(), before));
        }
    }

    /// Makes the name of a term known.
    pub fn name_term(&mut self, name: &str, body: TermId) {
        if self.symbols.contains_key(name) {
            self.named.retain(|(known, _)| known != name);
        }
        self.bind_symbol(name, Meaning::Defined { parameters: [].into(), body });
        self.named.push((name.to_string(), Some(self.levels.len())));
    }

    /// Whether a term may get this name: nothing has it, or a term of a level that was left.
    pub fn is_free(&self, name: &str) -> bool {
        let is_left = |(known, level): &(String, Option<usize>)| known == name && level.is_none();
        !self.symbols.contains_key(name) || self.named.iter().any(is_left)
    }

    /// The terms that have names, with them.
    pub fn named_terms(&self) -> impl Iterator<Item = (&str, TermId)> {
        self.named.iter().filter_map(|(name, _)| match self.symbols.get(name.as_str()) {
            Some(Meaning::Defined { body, .. }) => Some((name.as_str(), *body)),
            _ => None,
        })
    }

    /// Whether declarations from now on stay when their level is left.
    pub fn set_global(&mut self, global: bool) {
        self.global = global;
    }

    pub fn bind_sort(&mut self, name: &str, sort: SortMeaning) {
        let before = self.sorts.insert(name.to_string(), sort);
        if !self.levels.is_empty() && !self.global {
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
        // Those of open levels are in the order of the levels.
        let is_open = |(_, level): &(String, Option<usize>)| level.is_some_and(|level| level <= keep);
        let open = self.named.iter().rposition(is_open).map_or(0, |last| last + 1);
        let left = self.named.split_off(open);
        let known = left.into_iter().filter(|(name, _)| self.symbols.contains_key(name.as_str()));
        self.named.extend(known.map(|(name, _)| (name, None)));
    }
}
