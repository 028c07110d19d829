//! Compatible and composite types (C11 6.2.7), tolerant where gcc is.

use super::Checker;
use crate::types::{ArrayLength, FunctionType, TypeId, TypeKind, Types};

/// Types nested deeper than this are taken as different.
const MAX_DEPTH: usize = 100;

/// Whether qualifiers of what pointers point to count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quals {
    Compare,
    Ignore,
}

pub(super) fn compatible(types: &Types, a: TypeId, b: TypeId, quals: Quals) -> bool {
    compatible_at(types, a, b, quals, 0)
}

fn compatible_at(types: &Types, a: TypeId, b: TypeId, quals: Quals, depth: usize) -> bool {
    if a == b {
        return true;
    }
    if depth > MAX_DEPTH {
        return false;
    }
    let deeper = |a, b| compatible_at(types, a, b, quals, depth + 1);
    match (types.kind(a), types.kind(b)) {
        (TypeKind::Enum(_), TypeKind::Int(_)) | (TypeKind::Int(_), TypeKind::Enum(_)) => {
            types.int_info(a) == types.int_info(b)
        }
        // Enumerations of different files may be the same one.
        (TypeKind::Enum(left), TypeKind::Enum(right)) => {
            let (left, right) = (types.enumeration(*left), types.enumeration(*right));
            left.tag == right.tag && left.constants == right.constants
        }
        (TypeKind::Pointer(a), TypeKind::Pointer(b)) => {
            (quals == Quals::Ignore || a.quals == b.quals) && deeper(a.ty, b.ty)
        }
        (
            TypeKind::Array { element: a, length: a_length },
            TypeKind::Array { element: b, length: b_length },
        ) => {
            let known = |length: &ArrayLength| matches!(length, ArrayLength::Known(_));
            let lengths = a_length == b_length || !known(a_length) || !known(b_length);
            lengths && (quals == Quals::Ignore || a.quals == b.quals) && deeper(a.ty, b.ty)
        }
        (TypeKind::Function(a), TypeKind::Function(b)) => {
            let params = match (a.prototyped, b.prototyped) {
                (true, true) => {
                    a.params.len() == b.params.len()
                        && a.variadic == b.variadic
                        && a.params.iter().zip(&b.params).all(|(&a, &b)| deeper(a, b))
                }
                _ => true,
            };
            params && deeper(a.result, b.result)
        }
        _ => false,
    }
}

/// Whether objects of the types have the same scalars, up to their signs and to what pointers point to, at the same places.
pub(super) fn are_laid_out_alike(types: &Types, a: TypeId, b: TypeId, depth: usize) -> bool {
    if a == b {
        return true;
    }
    if depth > MAX_DEPTH || types.size_of(a) != types.size_of(b) {
        return false;
    }
    let deeper = |a, b| are_laid_out_alike(types, a, b, depth + 1);
    match (types.kind(a), types.kind(b)) {
        (TypeKind::Record(left), TypeKind::Record(right)) => {
            let (left, right) = (types.fields(*left), types.fields(*right));
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(a, b)| a.offset == b.offset && a.bits == b.bits && deeper(a.ty.ty, b.ty.ty))
        }
        (
            TypeKind::Array { element: a, length: a_length },
            TypeKind::Array { element: b, length: b_length },
        ) => a_length == b_length && deeper(a.ty, b.ty),
        (TypeKind::Pointer(_), TypeKind::Pointer(_)) => true,
        // Of one size.
        _ => types.int_info(a).is_some() && types.int_info(b).is_some(),
    }
}

impl Checker<'_> {
    /// The more complete of two compatible types.
    pub(super) fn composite(&mut self, old: TypeId, new: TypeId) -> TypeId {
        let types = &self.program.types;
        match (types.kind(old), types.kind(new)) {
            (TypeKind::Array { length: ArrayLength::Known(_), .. }, TypeKind::Array { .. }) => old,
            (TypeKind::Function(FunctionType { prototyped: true, .. }), TypeKind::Function(_)) => old,
            _ => new,
        }
    }
}
