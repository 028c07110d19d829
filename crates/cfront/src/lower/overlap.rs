//! Copies between places that overlap: undefined for `memcpy` and its kin (7.24.2.1), and for an assignment unless the
//! overlap is exact (6.5.16.1 p3).
//!
//! Two records of one type overlap in part only where an address was given that type (`(struct s *)(bytes + 1)`), or as
//! members of a union. So an assignment is asked about through pointers to types to which the program converts pointers
//! to other objects. Where both are written as parts of one, they overlap in every run: the
//! value is read before any of it is written, as compilers do, and the answer says so.

use craig_base::Set;
use craig_program as ir;
use ir::{BinaryOp, CheckKind, ExprId, NoteKind, Type};

use super::body::{Body, Value};
use super::place::Target;
use super::reach::constant_int;
use crate::hir::{self, Callee, CastKind, ExprKind, PlaceId, PlaceKind};
use crate::library::is_library;
use crate::types::TypeId;

/// What a place is a part of, by the way in which it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    Local(hir::LocalId),
    Global(hir::GlobalId),
    /// What the pointer in the variable leads to, or something beside that.
    BehindLocal(hir::LocalId),
    BehindGlobal(hir::GlobalId),
    Unknown,
}

impl Root {
    fn is_variable(self) -> bool {
        matches!(self, Root::Local(_) | Root::Global(_))
    }
}

impl Body<'_, '_> {
    /// `memcpy` is given bytes that do not overlap.
    pub fn require_apart(&mut self, to: ExprId, from: ExprId, size: ExprId, function: &str) {
        self.require_ranges_apart([to, size], [from, size], function);
    }

    /// Two ranges of bytes, each with its size, do not overlap.
    pub fn require_ranges_apart(&mut self, to: [ExprId; 2], from: [ExprId; 2], function: &str) {
        let apart = self.are_ranges_apart(to, from);
        self.require(CheckKind::Memory, apart, format!("`{function}` between objects that overlap"));
    }

    fn are_ranges_apart(&mut self, to: [ExprId; 2], from: [ExprId; 2]) -> ExprId {
        // No difference of addresses leaves this type.
        let ty = Type::Int(ir::IntType::signed(128));
        let [to, to_size] = to.map(|value| self.lw.convert(value, ty));
        let [from, from_size] = from.map(|value| self.lw.convert(value, ty));
        let (distance, back) =
            (self.lw.binary(BinaryOp::Sub, to, from), self.lw.binary(BinaryOp::Sub, from, to));
        let is_behind = self.lw.binary(BinaryOp::Le, from_size, distance);
        let is_before = self.lw.binary(BinaryOp::Le, to_size, back);
        let mut apart = self.lw.binary(BinaryOp::Or, is_behind, is_before);
        let zero = self.lw.zero(ty);
        let mut sizes = vec![from_size];
        if to_size != from_size {
            sizes.push(to_size);
        }
        for size in sizes {
            let nothing = self.lw.binary(BinaryOp::Eq, size, zero);
            apart = self.lw.binary(BinaryOp::Or, apart, nothing);
        }
        apart
    }

    /// The place and the value of an assignment of a record, if the value may lie in a place that overlaps it.
    pub(super) fn overlapping_records(
        &mut self,
        place: PlaceId,
        value: hir::ExprId,
    ) -> Option<(Target, Value)> {
        let hir = self.hir();
        let ty = hir.places[place].ty.ty;
        hir.types.as_record(ty)?;
        let ExprKind::Load(source) = hir.exprs[value].kind else { return None };
        let size = i128::from(hir.types.size_of(ty)?);
        if self.is_in_library() {
            return None;
        }
        let ((to, to_offset), (from, from_offset)) = (root(hir, place), root(hir, source));
        let text = format!(
            "the record that is assigned to `{}` overlaps it in part",
            self.text_at(hir.places[place].span)
        );
        if to == from && to != Root::Unknown {
            let distance = (to_offset? - from_offset?).abs();
            if distance == 0 || distance >= size || self.has_effects(value) {
                return None;
            }
            // Members of a union, in every run: compilers read all of the one before they write the other.
            let text = format!("line {}: {text}, and gets what was there before", self.span.line);
            self.lw.note(NoteKind::Assumption, self.span, text);
            let target = self.place(place);
            let value = self.value(value);
            let value = self.freeze_value(value).on_its_own(self, ty);
            return Some((target, value));
        }
        let is_whole =
            |place: PlaceId| matches!(hir.places[place].kind, PlaceKind::Local(_) | PlaceKind::Global(_));
        if to.is_variable() && from.is_variable() || is_whole(place) || is_whole(source) {
            return None;
        }
        let is_reinterpreted =
            |place| followed_type(hir, place).is_some_and(|ty| self.lw.reinterpreted.contains(&ty));
        if !is_reinterpreted(place) && !is_reinterpreted(source) {
            return None;
        }
        let mut target = self.place(place);
        if self.has_effects(value) {
            target = self.freeze_target(target);
        }
        let source = self.place(source);
        if let (Target::Memory(to), Target::Memory(from)) = (&target, &source) {
            let (to, from) = (*to, *from);
            let size = self.lw.constant(Type::Int(self.lw.difference_type()), size);
            let apart = self.are_ranges_apart([to, size], [from, size]);
            let exact = self.lw.binary(BinaryOp::Eq, to, from);
            let allowed = self.lw.binary(BinaryOp::Or, exact, apart);
            self.require(CheckKind::Memory, allowed, text);
        }
        let value = self.load(&source, ty);
        Some((target, value))
    }
}

/// What a place is a part of, and where it begins in there, if that is constant.
pub(super) fn root(hir: &hir::Program, mut place: PlaceId) -> (Root, Option<i128>) {
    let mut offset = Some(0);
    loop {
        match hir.places[place].kind {
            PlaceKind::Local(local) => return (Root::Local(local), offset),
            PlaceKind::Global(global) => return (Root::Global(global), offset),
            PlaceKind::Field { record, field } => {
                let fields = hir.types.as_record(hir.places[record].ty.ty).map(|id| hir.types.fields(id));
                let at = fields.and_then(|fields| fields.get(field)).map(|field| i128::from(field.offset));
                offset = offset.zip(at).map(|(offset, at)| offset + at);
                place = record;
            }
            PlaceKind::Deref(pointer) => {
                let (base, distance) = base_and_distance(hir, pointer);
                offset = offset.zip(distance).map(|(offset, distance)| offset + distance);
                let variable = match hir.exprs[base].kind {
                    ExprKind::Decay(inner) | ExprKind::AddressOf(inner) => {
                        place = inner;
                        continue;
                    }
                    ExprKind::Load(variable) => variable,
                    _ => return (Root::Unknown, None),
                };
                let root = match hir.places[variable].kind {
                    PlaceKind::Local(local) => Root::BehindLocal(local),
                    PlaceKind::Global(global) => Root::BehindGlobal(global),
                    _ => Root::Unknown,
                };
                return (root, offset);
            }
            _ => return (Root::Unknown, None),
        }
    }
}

/// A pointer as one to which a constant is added, or something else.
fn base_and_distance(hir: &hir::Program, pointer: hir::ExprId) -> (hir::ExprId, Option<i128>) {
    let ExprKind::PtrAdd { pointer: base, index, negative, scale } = hir.exprs[pointer].kind else {
        return (pointer, Some(0));
    };
    let distance = constant_int(hir, index).and_then(|index| index.checked_mul(i128::from(scale)));
    (base, distance.map(|distance| if negative { -distance } else { distance }))
}

/// The type that a pointer gives what the place is a part of.
fn followed_type(hir: &hir::Program, mut place: PlaceId) -> Option<TypeId> {
    loop {
        match hir.places[place].kind {
            PlaceKind::Field { record, .. } => place = record,
            PlaceKind::Deref(pointer) => match hir.exprs[base_and_distance(hir, pointer).0].kind {
                ExprKind::Decay(inner) | ExprKind::AddressOf(inner) => place = inner,
                _ => return Some(hir.places[place].ty.ty),
            },
            _ => return None,
        }
    }
}

/// The records that pointers to something else, or numbers, are said to point to; also by way of `void *`, if other
/// pointers than those to the record become such pointers.
pub(super) fn reinterpreted(hir: &hir::Program) -> Set<TypeId> {
    let mut found = Set::default();
    let hidden = behind_void(hir);
    for cast in hir.exprs.iter() {
        let ExprKind::Cast(kind, mut inner) = cast.kind else { continue };
        let Some(record) = hir.types.pointee(cast.ty).map(|to| to.ty) else { continue };
        if hir.types.as_record(record).is_none() {
            continue;
        }
        while let ExprKind::Cast(CastKind::PointerToPointer, from) = hir.exprs[inner].kind {
            inner = from;
        }
        let is_other = |ty| hir.types.pointee(ty).is_some_and(|to| to.ty != record && to.ty != TypeId::VOID);
        let is_void = hir.types.pointee(hir.exprs[inner].ty).is_some_and(|to| to.ty == TypeId::VOID);
        let is_reinterpreted = match kind {
            CastKind::IntToPointer => !matches!(hir.exprs[inner].kind, ExprKind::Int(_)),
            // What a call returns is new memory, or was put in somewhere else.
            _ if is_void && !matches!(hir.exprs[inner].kind, ExprKind::Call { .. }) => {
                hidden.iter().any(|&ty| ty != record)
            }
            _ => is_other(hir.exprs[inner].ty),
        };
        if is_reinterpreted {
            found.insert(record);
        }
    }
    found
}

/// What pointers that become `void *` point to, other than as arguments of functions without a body, which do not hand them
/// on.
fn behind_void(hir: &hir::Program) -> Set<TypeId> {
    let mut handed = Set::default();
    for call in hir.exprs.iter() {
        let ExprKind::Call { callee: Callee::Function(function), args } = &call.kind else { continue };
        let function = &hir.functions[*function];
        if function.body.is_none() || is_library(&function.name) {
            handed.extend(args.iter().copied());
        }
    }
    let casts = hir.exprs.enumerated().filter(|(id, _)| !handed.contains(id));
    casts
        .filter_map(|(_, cast)| {
            let ExprKind::Cast(CastKind::PointerToPointer, inner) = cast.kind else { return None };
            let is_void = hir.types.pointee(cast.ty)?.ty == TypeId::VOID;
            let from = hir.types.pointee(hir.exprs[inner].ty)?.ty;
            (is_void && from != TypeId::VOID).then_some(from)
        })
        .collect()
}
