//! The additional arguments of variadic functions.
//!
//! They are stored in an object of the caller's, one after the other: what kind an argument is, and its value. The address
//! of the object is the last argument of the call, and a `va_list` is a pointer into it.

use craig_base::{Index, Set};
use craig_program as ir;
use ir::{CheckKind, ExprId, IntType, Type};

use super::body::{Body, Value};
use super::call::Argument;
use super::layout::scalar_bytes;
use super::place::Target;
use crate::hir;
use crate::types::TypeId;

/// The space of an argument is a multiple of this, and so is what comes before its value.
const SLOT_BYTES: u64 = 8;

/// The integers that are passed as additional arguments, and that `va_arg` takes.
#[derive(Default)]
pub(super) struct Signs {
    passed: Set<IntType>,
    taken: Set<IntType>,
}

impl Signs {
    /// Whether some are taken that may have been passed with the other sign.
    pub fn differ(&self) -> bool {
        self.taken.iter().any(|int| self.passed.contains(&IntType { signed: !int.signed, ..*int }))
    }
}

/// What `va_arg` must agree about (C11 7.16.1.1).
#[derive(Clone, Copy)]
struct Slot {
    kind: i128,
    /// Of the value.
    bytes: u64,
}

impl Slot {
    fn bytes(self) -> u64 {
        SLOT_BYTES + self.bytes.next_multiple_of(SLOT_BYTES)
    }
}

impl Body<'_, '_> {
    /// Signedness is no part of the kind: what has the other sign has the same bits, which C leaves open for values that
    /// only one of the types has. Pointers are alike.
    fn scalar_slot(&self, ty: Type) -> Slot {
        let kind = match ty {
            Type::Bool => 1,
            Type::Int(int) => i128::from(int.bits),
            Type::Float(float) => 1000 + 8 * i128::from(float.bytes()),
            Type::Pointer => 2000,
        };
        Slot { kind, bytes: scalar_bytes(ty, self.lw.pointer_bytes()) }
    }

    /// An argument of this type is passed or taken. One that is no constant may have a value that the type of the other
    /// sign does not have.
    fn note_sign(
        &mut self,
        ty: TypeId,
        list: impl Fn(&mut Signs) -> &mut Set<IntType>,
        value: Option<&Value>,
    ) {
        let Some(Type::Int(int)) = self.lw.scalar_type(ty) else { return };
        let known = match value {
            Some(&Value::Scalar(value)) => self.lw.out.exprs.as_const(value),
            _ => None,
        };
        let most = IntType { signed: true, ..int }.max() as i128;
        if !known.is_some_and(|value| (0..=most).contains(&value)) && !self.is_in_library() {
            list(&mut self.lw.signs).insert(int);
        }
    }

    /// A record is of its own kind.
    fn slot(&self, ty: TypeId) -> Slot {
        match self.lw.scalar_type(ty) {
            Some(scalar) => self.scalar_slot(scalar),
            None => {
                let record = self.hir().types.as_record(ty).map_or(0, |record| record.index());
                Slot { kind: 3000 + record as i128, bytes: self.hir().types.size_of(ty).unwrap_or(0) }
            }
        }
    }

    /// Stores the additional arguments and returns where.
    pub(super) fn extra_arguments(&mut self, arguments: &[Argument]) -> ExprId {
        if arguments.is_empty() {
            return self.lw.zero(Type::Pointer);
        }
        let all = arguments.iter().map(|(_, ty)| self.slot(*ty).bytes()).sum();
        let area = self.stack_bytes("arguments", all);
        let mut offset = 0;
        for (value, ty) in arguments {
            self.note_sign(*ty, |signs| &mut signs.passed, Some(value));
            let slot = self.slot(*ty);
            let kind = self.lw.constant(Type::I32, slot.kind);
            let address = self.lw.offset(area, i128::from(offset));
            self.store_scalar(address, Type::I32, kind);
            let address = self.lw.offset(area, i128::from(offset + SLOT_BYTES));
            self.store(&Target::Memory(address), *ty, value.clone());
            offset += slot.bytes();
        }
        area
    }

    /// The additional arguments end with the call, which makes a difference only where a list of them is kept.
    pub(super) fn end_arguments(&mut self, extra: Option<ExprId>) {
        let area = extra.filter(|&area| matches!(self.lw.out.exprs.get(area), ir::Expr::Var(_)));
        if let Some(area) = area.filter(|_| self.lw.keeps_lists) {
            self.end_storage_at(area);
        }
    }

    /// `va_arg`. A record is copied, since the arguments may end before its value is used.
    pub fn next_argument(&mut self, list: hir::PlaceId, ty: TypeId) -> Value {
        self.note_sign(ty, |signs| &mut signs.taken, None);
        let list_type = self.hir().places[list].ty.ty;
        let target = self.place(list);
        let target = self.freeze_target(target);
        let pointer = self.load(&target, list_type);
        let pointer = self.scalar_of(pointer, Type::Pointer);
        let pointer = self.lw.convert(pointer, Type::Pointer);
        let (at, next) = self.slot_at(pointer, self.slot(ty));
        let value = self.load(&Target::Memory(at), ty);
        let value = self.freeze_value(value).on_its_own(self, ty);
        self.store(&target, list_type, Value::Scalar(next));
        value
    }

    /// The additional argument at an address, and where the next one is.
    pub fn argument_at(&mut self, pointer: ExprId, ty: Type) -> (ExprId, ExprId) {
        let (at, next) = self.slot_at(pointer, self.scalar_slot(ty));
        let value = self.load_scalar(at, ty);
        (self.freeze(value), next)
    }

    /// Where the value of an argument is, and where the next argument is.
    fn slot_at(&mut self, pointer: ExprId, slot: Slot) -> (ExprId, ExprId) {
        let pointer = self.freeze(pointer);
        let kind = self.load_scalar(pointer, Type::I32);
        let expected = self.lw.constant(Type::I32, slot.kind);
        let fits = self.lw.binary(ir::BinaryOp::Eq, kind, expected);
        self.require(CheckKind::Memory, fits, "`va_arg` with a type that the argument does not have");
        let at = self.lw.offset(pointer, i128::from(SLOT_BYTES));
        (at, self.lw.offset(pointer, i128::from(slot.bytes())))
    }
}
