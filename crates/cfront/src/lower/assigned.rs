//! What a contract's `assigns` allows the function under test to write.
//!
//! The function that calls it ([`crate::contract`]) keeps in globals where the named places lie and how large they are, and
//! an object that it makes right before the call: what lies after that one was made during the call, as addresses are given
//! out in order and only once. Automatic objects with fixed addresses lie between the static ones and those that are
//! allocated. So after each write it is known from its address alone whether it was allowed. The place is tested after the
//! write, which has failed before if nothing was there to be written.
//!
//! What a contract cannot name is left out: objects that are static within functions, and those of the library's models.

use craig_program as ir;
use ir::{BinaryOp, CheckKind, ExprId, NoteKind, Stmt, Type, VarId};

use super::body::Body;
use super::layout::scalar_bytes;
use super::{Lowering, Storage};
use crate::contract::assigns::{FREES, FRESH, OBJECT, PLACE, POINTER, REST, SIZE};
use crate::hir::GlobalOrigin;
use crate::library::is_library;

/// The objects and variables that tell what may be written.
pub(super) struct Assigned {
    /// The object from which on all others are new; null where everything may be written.
    fresh: VarId,
    /// Pointers to places, and the sizes of these.
    places: Vec<(VarId, Size)>,
    /// Pointers into objects that may be written as a whole, or from there on.
    objects: Vec<(VarId, bool)>,
    /// It says nothing of what is freed.
    any_free: bool,
    /// Objects that contracts cannot name.
    unnamed: Vec<(u64, u64)>,
    /// The variables of those that they can.
    named: Vec<VarId>,
    /// Where automatic objects with a fixed address begin.
    automatic: u64,
    /// Where allocated ones begin: known at the end.
    pub allocated: VarId,
}

#[derive(Clone, Copy)]
enum Size {
    Known(u64),
    In(VarId),
}

impl Lowering<'_> {
    /// Whether the program says what may be written; globals have their places.
    pub fn find_assigned(&mut self) {
        let hir = self.hir;
        let named = |name: &str| {
            let (id, global) = hir.globals.enumerated().find(|(_, global)| global.name == name)?;
            match self.globals[id].as_ref() {
                Some(Storage::Vars(vars)) => Some((*vars.first()?, global.ty.ty)),
                _ => None,
            }
        };
        let all = |prefix: &'static str| (1..).map_while(move |number| named(&format!("{prefix}{number}")));
        let vars = |prefix| all(prefix).map(|(var, _)| var);
        let Some((fresh, _)) = named(FRESH) else { return };
        let size_of = |pointer| {
            let pointee = hir.types.pointee(pointer)?;
            hir.types.size_of(pointee.ty)
        };
        let mut places: Vec<(VarId, Size)> =
            all(PLACE).map(|(var, ty)| (var, Size::Known(size_of(ty).unwrap_or(0)))).collect();
        places.extend(vars(POINTER).zip(vars(SIZE).map(Size::In)));
        let mut objects: Vec<(VarId, bool)> = vars(OBJECT).map(|var| (var, true)).collect();
        objects.extend(vars(REST).map(|var| (var, false)));
        let any_free = hir.globals.iter().any(|global| global.name == FREES);
        let (mut unnamed, mut variables) = (Vec::new(), Vec::new());
        for (id, global) in hir.globals.enumerated() {
            let is_own = global.name.starts_with(crate::contract::assigns::PREFIX);
            let is_nameable = global.origin == GlobalOrigin::FileScope && !is_library(&global.name);
            match self.globals[id].as_ref() {
                Some(Storage::Vars(vars)) if is_nameable && !is_own => variables.extend(vars),
                Some(Storage::Memory(address)) if !is_nameable && !self.is_constant_object(id) => {
                    let address = self.out.exprs.as_const(*address).and_then(|at| u64::try_from(at).ok());
                    let object = self.out.objects.iter().find(|object| Some(object.address) == address);
                    unnamed.extend(object.map(|object| (object.address, object.size)));
                }
                _ => {}
            }
        }
        let automatic = self.next_static;
        let allocated =
            self.new_global(".assigned.allocated".to_string(), Type::Pointer, 0, ir::Span::default());
        self.assigned = Some(Assigned {
            fresh,
            places,
            objects,
            any_free,
            unnamed,
            named: variables,
            automatic,
            allocated,
        });
    }
}

impl Body<'_, '_> {
    /// What may be written, where this is not the function that says so.
    fn assigned(&self) -> Option<&Assigned> {
        self.lw.assigned.as_ref().filter(|_| !self.is_start())
    }

    /// Whether writes to memory are tested, so that addresses must be kept.
    pub fn tests_writes(&self, address: ExprId) -> bool {
        self.assigned().is_some() && !self.is_automatic(address)
    }

    /// A known place in an automatic object.
    fn is_automatic(&self, address: ExprId) -> bool {
        let exprs = &self.lw.out.exprs;
        let base = match exprs.get(address) {
            ir::Expr::Binary(BinaryOp::Add, base, by) if exprs.as_const(by).is_some() => base,
            _ => address,
        };
        matches!(exprs.get(base), ir::Expr::Var(var) if self.lw.out.automatic.contains(&var))
    }

    /// A scalar was written to this address, which the write has not changed.
    pub fn require_assigned(&mut self, address: ExprId, ty: Type) {
        let bytes = i128::from(scalar_bytes(ty, self.lw.pointer_bytes()));
        let allowed = self.may_be_written(address, bytes);
        let text = match &self.writing {
            Some(text) => format!("`{text}` is written, which the contract's `assigns` does not name"),
            None => "what is written here is not named in the contract's `assigns`".to_string(),
        };
        self.require(CheckKind::Error, allowed, text);
    }

    fn may_be_written(&mut self, address: ExprId, bytes: i128) -> ExprId {
        let Some(assigned) = self.lw.assigned.as_ref() else { return self.lw.out.exprs.bool(true) };
        let (fresh, automatic, allocated) = (assigned.fresh, assigned.automatic, assigned.allocated);
        let (places, objects, unnamed) =
            (assigned.places.clone(), assigned.objects.clone(), assigned.unnamed.clone());
        if !unnamed.is_empty() {
            self.note_unnamed();
        }
        let difference = Type::Int(self.lw.difference_type());
        let end = self.lw.offset(address, bytes);
        let fresh = self.var(fresh);
        let mut allowed = self.lw.binary(BinaryOp::Le, fresh, address);
        let mut ranges = Vec::new();
        let (from, to) = (self.pointer(i128::from(automatic)), self.var(allocated));
        ranges.push((from, to));
        for (pointer, size) in places {
            let from = self.var(pointer);
            let to = match size {
                Size::Known(size) => self.lw.offset(from, i128::from(size)),
                Size::In(size) => {
                    let size = self.var(size);
                    let size = self.lw.convert(size, difference);
                    self.lw.binary(BinaryOp::Add, from, size)
                }
            };
            ranges.push((from, to));
        }
        for (at, size) in unnamed {
            let (from, to) = (self.pointer(i128::from(at)), self.pointer(i128::from(at + size)));
            ranges.push((from, to));
        }
        let unit = i128::from(self.lw.out.data_model.guard_bytes());
        for (pointer, is_whole) in objects {
            // Nothing else is less than a unit away.
            let pointer = self.var(pointer);
            let from = if is_whole { self.lw.offset(pointer, -unit) } else { pointer };
            ranges.push((from, self.lw.offset(pointer, unit)));
        }
        for (from, to) in ranges {
            let above = self.lw.binary(BinaryOp::Le, from, address);
            let below = self.lw.binary(BinaryOp::Le, end, to);
            let within = self.lw.binary(BinaryOp::And, above, below);
            allowed = self.lw.binary(BinaryOp::Or, allowed, within);
        }
        allowed
    }

    fn pointer(&mut self, address: i128) -> ExprId {
        self.lw.out.exprs.constant(Type::Pointer, address)
    }

    /// What is freed was allocated during the call.
    pub fn require_freeable(&mut self, object: ExprId, text: &str) {
        let Some((fresh, false)) = self.assigned().map(|assigned| (assigned.fresh, assigned.any_free)) else {
            return;
        };
        let (fresh, null) = (self.var(fresh), self.lw.zero(Type::Pointer));
        let is_new = self.lw.binary(BinaryOp::Le, fresh, object);
        let is_null = self.lw.binary(BinaryOp::Le, object, null);
        let allowed = self.lw.binary(BinaryOp::Or, is_new, is_null);
        let text = match text {
            "" => "what is freed here was not allocated by this function".to_string(),
            text => format!("`{text}` is freed, which the contract does not say"),
        };
        self.require(CheckKind::Error, allowed, text);
    }

    fn note_unnamed(&mut self) {
        let text = "what functions keep in `static` objects of their own, and the library in its, is not asked of `assigns`";
        self.lw.note(NoteKind::OfProofs, ir::Span::default(), text.to_string());
    }

    /// Tests that no global in variables is written, which `assigns` would have put into memory.
    pub fn require_unassigned_globals(&mut self) {
        let Some(assigned) = self.assigned() else { return };
        let (fresh, named) = (assigned.fresh, assigned.named.clone());
        for edge in self.proc.edges.indices() {
            let (Stmt::Assign(ir::Place::Var(var), _)
            | Stmt::Input(ir::Place::Var(var), _)
            | Stmt::Call { result: Some(ir::Place::Var(var)), .. }
            | Stmt::Alloc { var, .. }) = self.proc.edges[edge].stmt
            else {
                continue;
            };
            if !named.contains(&var) {
                continue;
            }
            let (fresh, null) = (self.var(fresh), self.lw.zero(Type::Pointer));
            let is_free = self.lw.binary(BinaryOp::Le, fresh, null);
            let span = self.proc.edges[edge].span;
            let (tested, broken) = (self.proc.add_location(span), self.proc.add_location(span));
            let goes_on = std::mem::replace(&mut self.proc.edges[edge].to, tested);
            let is_not = self.lw.out.exprs.not(is_free);
            self.proc.add_edge(tested, goes_on, Stmt::Assume(is_free), span);
            self.proc.add_edge(tested, broken, Stmt::Assume(is_not), span);
            let name = &self.lw.out.vars[var].name;
            let text = format!("`{name}` is written, which the contract's `assigns` does not name");
            self.proc.obligations.push(ir::Obligation { broken, kind: CheckKind::Error, text: text.into() });
        }
        self.proc.rebuild_adjacency();
    }
}
