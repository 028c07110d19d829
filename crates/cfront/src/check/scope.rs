//! Scopes of ordinary names and of tags (C11 6.2.1, 6.2.3).

use craig_base::Map;

use crate::hir::{FunctionId, GlobalId, LocalId};
use crate::lex::Symbol;
use crate::types::{EnumId, QualType, RecordId, TypeId};

/// What an ordinary name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    /// With the alignment that the typedef asks for.
    Typedef(QualType, Option<u64>),
    Constant(i128, TypeId),
    Global(GlobalId),
    Local(LocalId),
    /// An array of variable length: a pointer to its memory, and its type.
    VariableArray {
        pointer: LocalId,
        ty: TypeId,
    },
    Function(FunctionId),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Record(RecordId, TypeId),
    Enum(EnumId, TypeId),
}

#[derive(Clone, Copy)]
struct Entry {
    binding: Binding,
    depth: u32,
    /// What attributes of the declarations ask for.
    align: Option<u64>,
}

pub(super) struct Scopes {
    names: Vec<Option<Entry>>,
    tags: Map<Symbol, (Tag, u32)>,
    /// What to restore when scopes end, newest last.
    undo: Vec<Undo>,
    marks: Vec<usize>,
    /// The marks while declaring at file scope in between.
    suspended: Vec<usize>,
}

enum Undo {
    Name(Symbol, Option<Entry>),
    Tag(Symbol, Option<(Tag, u32)>),
}

impl Scopes {
    pub(super) fn new(names: usize) -> Scopes {
        Scopes {
            names: vec![None; names],
            tags: Map::default(),
            undo: Vec::new(),
            marks: Vec::new(),
            suspended: Vec::new(),
        }
    }

    /// Zero at file scope.
    pub(super) fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub(super) fn enter(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Name(name, entry)) => self.names[name.0 as usize] = entry,
                Some(Undo::Tag(tag, Some(old))) => {
                    self.tags.insert(tag, old);
                }
                Some(Undo::Tag(tag, None)) => {
                    self.tags.remove(&tag);
                }
                None => {}
            }
        }
    }

    /// Until [`Self::resume`], names are bound at file scope, as long as no inner scope has bound them.
    pub(super) fn suspend_to_file_scope(&mut self) {
        self.suspended = std::mem::take(&mut self.marks);
    }

    pub(super) fn resume(&mut self) {
        self.marks = std::mem::take(&mut self.suspended);
    }

    pub(super) fn leave_to_file_scope(&mut self) {
        while !self.marks.is_empty() {
            self.leave();
        }
    }

    /// How deep the scope is that the name was declared in.
    pub(super) fn depth_of(&self, name: Symbol) -> Option<u32> {
        self.names[name.0 as usize].map(|entry| entry.depth)
    }

    pub(super) fn lookup(&self, name: Symbol) -> Option<Binding> {
        self.names[name.0 as usize].map(|entry| entry.binding)
    }

    /// What the name means if it was declared in the innermost scope.
    pub(super) fn lookup_here(&self, name: Symbol) -> Option<Binding> {
        self.names[name.0 as usize].filter(|entry| entry.depth == self.depth()).map(|entry| entry.binding)
    }

    pub(super) fn bind(&mut self, name: Symbol, binding: Binding) {
        let depth = self.depth();
        let same = self.names[name.0 as usize].filter(|entry| entry.depth == depth);
        let entry = Entry { binding, depth, align: same.and_then(|entry| entry.align) };
        let old = self.names[name.0 as usize].replace(entry);
        if !self.marks.is_empty() {
            self.undo.push(Undo::Name(name, old));
        }
    }

    /// What was just declared is aligned so.
    pub(super) fn align(&mut self, name: Symbol, align: Option<u64>) {
        if let Some(entry) = &mut self.names[name.0 as usize] {
            entry.align = entry.align.max(align);
        }
    }

    pub(super) fn align_of(&self, name: Symbol) -> Option<u64> {
        self.names[name.0 as usize].and_then(|entry| entry.align)
    }

    /// Binds at file scope while in a function, where nothing hides the name (implicit declarations).
    pub(super) fn bind_at_file_scope(&mut self, name: Symbol, binding: Binding) {
        self.names[name.0 as usize] = Some(Entry { binding, depth: 0, align: None });
    }

    pub(super) fn lookup_tag(&self, tag: Symbol) -> Option<Tag> {
        self.tags.get(&tag).map(|(tag, _)| *tag)
    }

    pub(super) fn lookup_tag_here(&self, tag: Symbol) -> Option<Tag> {
        self.tags.get(&tag).filter(|(_, depth)| *depth == self.depth()).map(|(tag, _)| *tag)
    }

    pub(super) fn bind_tag(&mut self, name: Symbol, tag: Tag) {
        let old = self.tags.insert(name, (tag, self.depth()));
        if !self.marks.is_empty() {
            self.undo.push(Undo::Tag(name, old));
        }
    }
}
