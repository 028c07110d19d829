//! Reads of objects that were never written, for `--check uninitialised`.
//!
//! A variable has a flag beside it. In memory one byte is watched: where an object begins to exist, one of its
//! bytes may be chosen, once in a run, and a global says whether it has been written since. A proof for the
//! arbitrary choice covers all bytes, without quantifiers. What is copied as part of a record or by `memcpy` is
//! not read by that (padding never is written), and counts as written in the copy.

use craig_base::Set;
use craig_program as ir;
use ir::{BinaryOp, CheckKind, ExprId, InputSource, Type, VarId};

use super::body::Body;
use super::layout::scalar_bytes;
use super::overlap::{Root, root};
use super::place::Target;
use super::visit::{self, Node};
use super::{Lowering, Storage};
use crate::hir::{self, FunctionId, LocalId, PlaceId, PlaceKind};
use crate::library::is_library;
use crate::types::TypeId;

/// The globals about the watched byte.
#[derive(Clone, Copy)]
pub(super) struct Watched {
    /// Null if none is.
    address: VarId,
    written: VarId,
}

/// Whether an initialiser reads the variable that it is for: `int x = x + 1`.
pub(super) fn reads(hir: &hir::Program, init: &hir::Initializer, local: LocalId) -> bool {
    let values: Vec<Node> = init.items.iter().filter_map(hir::InitItem::expr).map(Node::Expr).collect();
    let mut found = false;
    visit::walk(hir, &values, &mut |node| {
        if let Node::Expr(expr) = node
            && let hir::ExprKind::Load(place) = hir.exprs[expr].kind
        {
            found |= root(hir, place).0 == Root::Local(local);
        }
        !found
    });
    found
}

impl Lowering<'_> {
    pub fn watches(&self) -> bool {
        self.options.checks.contains(CheckKind::Uninitialised)
    }

    /// Whether the last call left a value.
    fn returned(&mut self) -> VarId {
        if let Some(returned) = self.returned {
            return returned;
        }
        let name = ".tracked.returned".to_string();
        let returned = self.new_global(name, Type::Bool, 1, ir::Span::default());
        *self.returned.insert(returned)
    }

    /// Whether the end of a function may be reached that has a value to return, by the last statement of its body.
    fn may_return_nothing(&self, function: FunctionId) -> bool {
        let function = &self.hir.functions[function];
        let has_value = self.hir.types.as_function(function.ty).is_some_and(|ty| ty.result != TypeId::VOID);
        let Some(body) = function.body.as_ref().filter(|_| self.watches() && has_value) else { return false };
        if function.name == "main" || is_library(&function.name) {
            return false;
        }
        let mut last = body.block;
        loop {
            match &self.hir.stmts[last].kind {
                hir::StmtKind::Block(inner) => match inner.last() {
                    Some(&inner) => last = inner,
                    None => return true,
                },
                hir::StmtKind::Return(_) | hir::StmtKind::Goto(_) => return false,
                _ => return true,
            }
        }
    }

    fn watched(&mut self) -> Watched {
        if let Some(watched) = self.watched {
            return watched;
        }
        let mut global =
            |name: &str, ty, init| self.new_global(format!(".tracked.{name}"), ty, init, ir::Span::default());
        let watched =
            Watched { address: global("byte", Type::Pointer, 0), written: global("written", Type::Bool, 1) };
        self.watched = Some(watched);
        watched
    }
}

impl Body<'_, '_> {
    /// That the watched byte is one of these.
    fn covers(&mut self, address: ExprId, size: ExprId) -> ExprId {
        let byte = self.lw.watched().address;
        let byte = self.var(byte);
        let size = self.lw.convert(size, Type::Int(self.lw.difference_type()));
        let end = self.lw.binary(BinaryOp::Add, address, size);
        let (above, below) =
            (self.lw.binary(BinaryOp::Le, address, byte), self.lw.binary(BinaryOp::Lt, byte, end));
        self.lw.binary(BinaryOp::And, above, below)
    }

    fn set_written(&mut self, condition: ExprId, value: bool) {
        let written = self.lw.watched().written;
        let (before, value) = (self.var(written), self.lw.out.exprs.bool(value));
        let after = self.lw.ite(condition, value, before);
        self.assign(written, after);
    }

    /// An object begins to exist, with nothing written to it. Arguments have values already.
    pub fn begin_unwritten(&mut self, address: ExprId, size: ExprId) {
        if !self.lw.watches() || self.is_start() {
            return;
        }
        let watched = self.lw.watched();
        let word = Type::Int(self.lw.size_type());
        let size = self.lw.convert(size, word);
        let choice = InputSource::Unmodelled(ir::TRACKED.into());
        let (chosen, offset) = (self.input(Type::Bool, choice.clone()), self.input(word, choice));
        let (byte, null) = (self.var(watched.address), self.lw.zero(Type::Pointer));
        let none_yet = self.lw.binary(BinaryOp::Eq, byte, null);
        let take = self.lw.binary(BinaryOp::And, chosen, none_yet);
        let (zero, inside) = (self.lw.zero(word), self.lw.binary(BinaryOp::Lt, offset, size));
        let offset = self.lw.ite(inside, offset, zero);
        let offset = self.lw.convert(offset, Type::Int(self.lw.difference_type()));
        let new = self.lw.binary(BinaryOp::Add, address, offset);
        let new = self.lw.ite(take, new, byte);
        self.assign(watched.address, new);
        let covered = self.covers(address, size);
        self.set_written(covered, false);
    }

    pub fn begin_unwritten_object(&mut self, address: ExprId, ty: TypeId) {
        let size = self.hir().types.size_of(ty).unwrap_or(0);
        let size = self.lw.constant(Type::Int(self.lw.size_type()), i128::from(size));
        self.begin_unwritten(address, size);
    }

    /// Something was stored at the address, which the store has not changed.
    pub fn note_written(&mut self, address: ExprId, ty: Type) {
        let bytes = scalar_bytes(ty, self.lw.pointer_bytes());
        let size = self.lw.constant(Type::Int(self.lw.difference_type()), i128::from(bytes));
        let covered = self.covers(address, size);
        self.set_written(covered, true);
    }

    /// The locals that some way leads to without writing them first: all, where labels are jumped to.
    pub fn declared_unwritten(&self, body: &hir::Body) -> Set<LocalId> {
        let hir = self.hir();
        let mut found = Set::default();
        if !self.lw.watches() {
            return found;
        }
        let jumps = body.labels.indices().next().is_some();
        visit::walk(hir, &[Node::Stmt(body.block)], &mut |node| {
            if let Node::Stmt(stmt) = node
                && let hir::StmtKind::Declare { local, init, .. } = &hir.stmts[stmt].kind
                && (jumps || init.as_ref().is_none_or(|init| reads(hir, init, *local)))
            {
                found.insert(*local);
            }
            true
        });
        found
    }

    /// A variable begins to exist, or was written.
    pub fn flag(&mut self, var: VarId, written: bool) {
        if let Some(&flag) = self.flags.get(&var) {
            let value = self.lw.out.exprs.bool(written);
            self.emit(ir::Stmt::Assign(ir::Place::Var(flag), value));
        }
    }

    /// A scalar is read that must have been written.
    pub fn require_written(&mut self, place: PlaceId, target: &Target, ty: Type) {
        if !self.lw.watches() {
            return;
        }
        let written = match target {
            Target::Vars(vars) => match vars.first().and_then(|var| self.flags.get(var)) {
                Some(&flag) => self.var(flag),
                None => return,
            },
            Target::Memory(address) => {
                let bytes = scalar_bytes(ty, self.lw.pointer_bytes());
                let size = self.lw.constant(Type::Int(self.lw.difference_type()), i128::from(bytes));
                let covered = self.covers(*address, size);
                let other = self.lw.out.exprs.not(covered);
                let written = self.lw.watched().written;
                let written = self.var(written);
                self.lw.binary(BinaryOp::Or, other, written)
            }
            Target::Bits(_) | Target::Value(_) => return,
        };
        let text = match self.is_in_library() {
            true => "read of what was never written".to_string(),
            false => {
                format!("`{}` is read and was never written", self.text_at(self.hir().places[place].span))
            }
        };
        self.require(CheckKind::Uninitialised, written, text);
    }

    /// The function ends without a value, which its caller must not use (6.9.1 p12).
    pub fn returns_nothing(&mut self, function: FunctionId) {
        if self.lw.may_return_nothing(function) {
            let flag = self.lw.returned();
            let no = self.lw.out.exprs.bool(false);
            self.assign(flag, no);
        }
    }

    /// After a call of the function, whose value is used or not.
    pub fn require_returned(&mut self, function: FunctionId, discarded: bool) {
        if !self.lw.may_return_nothing(function) {
            return;
        }
        let flag = self.lw.returned();
        if !discarded {
            let returned = self.var(flag);
            let name = &self.hir().functions[function].name;
            let text = format!("the value of `{name}` is used, which ends without `return`");
            self.require(CheckKind::Uninitialised, returned, text);
        }
        let yes = self.lw.out.exprs.bool(true);
        self.assign(flag, yes);
    }

    /// Whether reading the place may be one of something never written.
    pub fn may_be_unwritten(&self, place: PlaceId) -> bool {
        match self.hir().places[place].kind {
            PlaceKind::Local(local) => match &self.locals[local] {
                Storage::Vars(vars) => vars.iter().any(|var| self.flags.contains_key(var)),
                Storage::Memory(_) => self.lw.watches(),
            },
            _ => false,
        }
    }
}
