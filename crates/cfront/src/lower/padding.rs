//! Padding: the bytes of a struct that belong to no member.
//!
//! Copies of bytes copy padding too, and fills fill it. That is lowered only where the program may look at
//! the bytes of a struct: where it makes a pointer to characters or to anything of one to a struct, but
//! for the functions that copy and fill. What assignments do with padding is unspecified (C11 6.2.6.1 p6);
//! here it keeps its value, and the answer says so.

use std::rc::Rc;

use craig_base::Set;
use craig_program as ir;
use ir::NoteKind;

use super::Lowering;
use super::layout::{Piece, bytes, scalar_bytes};
use crate::hir::{Callee, CastKind, ExprId, ExprKind, Program};
use crate::types::{TypeId, Types};

impl Lowering<'_> {
    /// What a copy of the bytes of an object copies: its pieces, and its padding where that matters.
    pub fn all_pieces(&mut self, ty: TypeId) -> Rc<[Piece]> {
        let types = &self.hir.types;
        let pieces = self.layouts.pieces(types, ty);
        let pointer_bytes = types.pointer_size();
        let padded = fill_gaps(&pieces, types.size_of(ty).unwrap_or(0), pointer_bytes);
        if padded.len() == pieces.len() && !pieces.iter().any(|piece| matches!(piece, Piece::Repeat { .. })) {
            return pieces;
        }
        if !*self.sees_padding.get_or_insert_with(|| sees_padding(self.hir)) {
            return pieces;
        }
        let text = "padding keeps its value when a struct or a member of it is assigned";
        self.note(NoteKind::Assumption, ir::Span::default(), text.to_string());
        padded.into()
    }
}

/// The pieces in order, with single bytes where they leave some out.
fn fill_gaps(pieces: &[Piece], size: u64, pointer_bytes: u64) -> Vec<Piece> {
    let mut sorted: Vec<&Piece> = pieces.iter().collect();
    sorted.sort_by_key(|piece| piece.offset());
    let (mut all, mut end) = (Vec::new(), 0);
    for piece in sorted {
        if piece.offset() > end {
            all.extend(bytes(end, piece.offset() - end));
        }
        let length = match piece {
            Piece::Scalar { ty, .. } => {
                all.push(piece.clone());
                scalar_bytes(*ty, pointer_bytes)
            }
            Piece::Repeat { offset, count, stride, pieces } => {
                let pieces = fill_gaps(pieces, *stride, pointer_bytes).into();
                all.push(Piece::Repeat { offset: *offset, count: *count, stride: *stride, pieces });
                count * stride
            }
        };
        end = end.max(piece.offset() + length);
    }
    if size > end {
        all.extend(bytes(end, size - end));
    }
    all
}

/// Whether the program may look at the bytes of a struct.
fn sees_padding(hir: &Program) -> bool {
    let mut harmless: Set<ExprId> = Set::default();
    for expr in &hir.exprs {
        if let ExprKind::Call { callee: Callee::Function(function), args } = &expr.kind
            && matches!(
                hir.functions[*function].name.as_str(),
                "memcpy" | "memmove" | "mempcpy" | "memset" | "bzero" | "free" | "realloc"
            )
        {
            harmless.extend(args);
        }
    }
    hir.exprs.enumerated().any(|(id, expr)| match expr.kind {
        ExprKind::Cast(CastKind::PointerToPointer, inner) if !harmless.contains(&id) => {
            let types = &hir.types;
            let to_bytes =
                types.pointee(expr.ty).is_some_and(|to| types.is_void(to.ty) || is_byte(types, to.ty));
            let from = types.pointee(hir.exprs[inner].ty);
            to_bytes && from.is_some_and(|from| types.as_record(from.ty).is_some() || types.is_array(from.ty))
        }
        _ => false,
    })
}

fn is_byte(types: &Types, ty: TypeId) -> bool {
    types.int_info(ty).is_some_and(|info| info.bits == 8)
}
