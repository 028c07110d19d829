//! Objects of temporary lifetime (C11 6.2.4 p8): a record that is no object, but has an array of which an element is
//! accessed. It ends with the full expression that it is part of, and may not be written.

use craig_program as ir;
use ir::{ExprId, Type, VarId};

use super::body::Body;
use super::place::Target;
use super::visit::{self, Node};
use crate::hir::{self, ExprKind, PlaceId, PlaceKind, Program};

/// Objects that end with the full expressions around, by the variables that hold their addresses, or null if they were not
/// made.
#[derive(Default)]
pub(super) struct Passing {
    now: Vec<VarId>,
    all: Vec<VarId>,
}

/// Whether a place is a part of a value that is no object.
pub(super) fn is_passing(hir: &Program, mut place: PlaceId) -> bool {
    while let PlaceKind::Field { record, .. } = hir.places[place].kind {
        place = record;
    }
    matches!(hir.places[place].kind, PlaceKind::Temporary(_))
}

/// Whether an expression makes such objects.
pub(super) fn makes_passing(hir: &Program, expr: hir::ExprId) -> bool {
    let mut found = false;
    visit::walk(hir, &[Node::Expr(expr)], &mut |node| {
        let array = match node {
            Node::Expr(expr) => match hir.exprs[expr].kind {
                ExprKind::AddressOf(place) | ExprKind::Decay(place) => Some(place),
                _ => None,
            },
            Node::Stmt(_) | Node::Place(_) => None,
        };
        found |= array.is_some_and(|array| is_passing(hir, array));
        !found
    });
    found
}

impl Body<'_, '_> {
    /// The address of an array in a value that is no object.
    pub fn passing_array(&mut self, place: PlaceId, target: Target) -> ExprId {
        let ty = self.hir().places[place].ty.ty;
        let mut address = self.address(target, ty);
        let var = self.temporary_at(address).unwrap_or_else(|| {
            let value = self.stack_temporary(ty);
            self.copy_memory(value, address, ty);
            address = value;
            self.temporary_at(value).unwrap_or_else(|| self.temporary(Type::Pointer))
        });
        self.passing.now.push(var);
        self.passing.all.push(var);
        self.allow_writes(var, false);
        address
    }

    fn allow_writes(&mut self, object: VarId, value: bool) {
        let sealed = self.sealed(object);
        self.set_sealed(Some(sealed), !value);
    }

    /// The temporary object that an address leads into, if it is plain that it leads into one.
    fn temporary_at(&self, mut address: ExprId) -> Option<VarId> {
        loop {
            match self.lw.out.exprs.get(address) {
                ir::Expr::Binary(ir::BinaryOp::Add, base, _) => address = base,
                ir::Expr::Var(var) => return self.value_objects.contains(&var).then_some(var),
                _ => return None,
            }
        }
    }

    /// Where a full expression begins, for its end.
    pub fn full_expression(&self) -> usize {
        self.passing.now.len()
    }

    /// The objects that full expressions since then have made.
    pub fn passed_since(&mut self, start: usize) -> Vec<VarId> {
        self.passing.now.split_off(start)
    }

    /// These objects end, if they were made.
    pub fn end_passed(&mut self, passed: &[VarId]) {
        let null = self.lw.zero(Type::Pointer);
        for &var in passed {
            let object = self.var(var);
            self.end_storage_at(object);
            self.assign(var, null);
            self.allow_writes(var, true);
        }
    }

    /// A full expression that began there ends here.
    pub fn end_full_expression(&mut self, start: usize) {
        let passed = self.passed_since(start);
        self.end_passed(&passed);
    }

    /// At the entry no such object is there yet.
    pub fn begin_passing(&mut self) {
        let null = self.lw.zero(Type::Pointer);
        for var in std::mem::take(&mut self.passing.all) {
            self.assign(var, null);
            self.allow_writes(var, true);
        }
    }
}
