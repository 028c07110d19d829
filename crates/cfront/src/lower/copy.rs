//! Filling and copying memory: by the elements that it consists of, as far as types tell.

use craig_program as ir;
use ir::{BinaryOp, ExprId, NoteKind, Type};

use super::body::Body;
use super::layout::Piece;
use super::library::Actual;
use crate::hir::{self, CastKind, ExprKind};
use crate::types::TypeId;

impl Body<'_, '_> {
    /// The pieces and size of the type that an array of elements of this size is known to have, and how many of
    /// them an element is; bytes, and as many as the size, where that is not known.
    pub(super) fn element_pieces(
        &mut self,
        array: hir::ExprId,
        size: hir::ExprId,
    ) -> (std::rc::Rc<[Piece]>, u64, Option<i128>) {
        let size = match self.actual(size) {
            Actual::Constant(size) => Some(size),
            _ => super::reach::constant_int(self.hir(), size),
        };
        if let Some(ty) = self.element_type(&[self.pointer_type(array)])
            && let Some(size) = size
            && let Some(stride) = self.hir().types.size_of(ty)
            && size % i128::from(stride) == 0
        {
            let pieces = self.lw.layouts.pieces(&self.lw.hir.types, ty);
            return (pieces, stride, Some(size / i128::from(stride)));
        }
        let byte = Piece::Scalar { offset: 0, ty: Type::Int(ir::IntType::U8) };
        (std::rc::Rc::new([byte]), 1, None)
    }

    /// The type of an argument before its conversion to `void *`.
    pub(super) fn pointer_type(&self, mut arg: hir::ExprId) -> Option<TypeId> {
        let hir = self.hir();
        while let ExprKind::Cast(CastKind::PointerToPointer, inner) = hir.exprs[arg].kind {
            arg = inner;
        }
        if let Actual::Pointer(ty) = self.actual(arg) {
            return Some(ty);
        }
        // All of an array, where that is what the pointer points to.
        Some(hir.exprs[arg].ty)
    }

    /// The first known type that the pointers point to.
    pub(super) fn element_type(&self, pointers: &[Option<TypeId>]) -> Option<TypeId> {
        let types = &self.hir().types;
        pointers.iter().flatten().filter_map(|&pointer| types.pointee(pointer)).map(|to| to.ty).find(|&ty| {
            !types.is_void(ty) && types.as_function(ty).is_none() && types.size_of(ty).is_some_and(|s| s > 0)
        })
    }

    /// How `size` bytes are divided: pieces of an element, its size, and how many there are.
    pub(super) fn elements(
        &mut self,
        size: ExprId,
        element: Option<TypeId>,
    ) -> (std::rc::Rc<[Piece]>, u64, ExprId) {
        let types = &self.lw.hir.types;
        let count_type = Type::Int(self.lw.difference_type());
        self.require_size(size);
        let size = self.lw.convert(size, count_type);
        if let Some(ty) = element {
            let stride = types.size_of(ty).unwrap_or(1);
            let pieces = self.lw.all_pieces(ty);
            if let Some(bytes) = self.lw.out.exprs.as_const(size)
                && bytes >= 0
                && bytes % i128::from(stride) == 0
            {
                let count = self.lw.constant(count_type, bytes / i128::from(stride));
                return (pieces, stride, count);
            }
            if let Some(count) = self.count_of(size, stride) {
                return (pieces, stride, count);
            }
        }
        let byte = Piece::Scalar { offset: 0, ty: Type::Int(ir::IntType::U8) };
        (std::rc::Rc::new([byte]), 1, size)
    }

    /// How many elements a size is that is visibly a product with `stride`: the other factor `n` where the
    /// product did not wrap around, else what is left of it.
    fn count_of(&mut self, size: ExprId, stride: u64) -> Option<ExprId> {
        let ty = Type::Int(self.lw.difference_type());
        if stride == 1 {
            return Some(size);
        }
        let exprs = &self.lw.out.exprs;
        let (mut product, mut bits) = (size, u8::MAX);
        while let ir::Expr::Cast(Type::Int(to), inner) = exprs.get(product) {
            (product, bits) = (inner, bits.min(to.bits));
        }
        let ir::Expr::Binary(BinaryOp::Mul, a, b) = exprs.get(product) else { return None };
        let is_stride = |e| exprs.as_const(e) == Some(i128::from(stride));
        let count = if is_stride(b) {
            a
        } else if is_stride(a) {
            b
        } else {
            return None;
        };
        let int = exprs.ty(product).as_int()?;
        let narrowed = bits < int.bits;
        let largest = int.max() as i128 / i128::from(stride);
        // What the factor was before it became as wide as the product.
        let mut own = int;
        if let ir::Expr::Cast(_, inner) = exprs.get(count)
            && let Some(inner) = exprs.ty(inner).as_int().filter(|inner| inner.bits < int.bits)
        {
            own = inner;
        }
        let wraps = !int.signed && (own.signed || own.max() as i128 > largest);
        if !narrowed && !wraps {
            return Some(self.lw.convert(count, ty));
        }
        let large = int.bits >= self.lw.difference_type().bits;
        if !stride.is_power_of_two() && (narrowed || !large) {
            return None;
        }
        let stride_value = self.lw.constant(ty, i128::from(stride));
        let size = self.lw.convert(size, Type::Int(self.lw.size_type()));
        let stride_of_size = self.lw.convert(stride_value, Type::Int(self.lw.size_type()));
        let quotient = self.lw.binary(BinaryOp::Div, size, stride_of_size);
        let quotient = self.lw.convert(quotient, ty);
        if narrowed {
            return Some(quotient);
        }
        if !stride.is_power_of_two() && own == int {
            let at = self.span;
            let text =
                format!("line {}: the size of a copy, a multiple of {stride}, does not wrap around", at.line);
            self.lw.note(NoteKind::Assumption, at, text);
        }
        let largest = self.lw.constant(Type::Int(int), largest);
        let exact = self.lw.binary(BinaryOp::Le, count, largest);
        let count = self.lw.convert(count, ty);
        Some(self.lw.ite(exact, count, quotient))
    }

    /// Sets `size` bytes to the value of type `unsigned char`.
    pub(super) fn fill(&mut self, to: ExprId, byte: ExprId, size: ExprId, element: Option<TypeId>) {
        let constant = self.lw.out.exprs.as_const(byte);
        let byte = self.freeze(byte);
        // The words of a variable byte would need multiplications: such fills go byte by byte.
        let element = element.filter(|_| constant.is_some());
        let (pieces, stride, count) = self.elements(size, element);
        self.each_element(&[to], count, stride, &pieces, &mut |body, at, ty| {
            let value = match constant {
                Some(byte) => body.lw.repeated_byte(ty, byte as u8),
                None => byte,
            };
            body.store_scalar(at[0], ty, value);
        });
    }

    /// Copies `size` bytes; `overlapping` regions too.
    pub(super) fn copy(
        &mut self,
        to: ExprId,
        from: ExprId,
        size: ExprId,
        element: Option<TypeId>,
        overlapping: bool,
    ) {
        let (to, from) = (self.freeze(to), self.freeze(from));
        let (pieces, stride, count) = self.elements(size, element);
        let single = self.lw.out.exprs.as_const(count).is_some_and(|n| n <= 1);
        if !overlapping || (single && matches!(*pieces, [Piece::Scalar { .. }])) {
            self.copy_elements(to, from, count, stride, &pieces);
            return;
        }
        let copy_one = &mut copy_scalar;
        let (forward, backward, end) = (self.new_location(), self.new_location(), self.new_location());
        // As numbers: they need not point into one object.
        let number = Type::Int(self.lw.size_type());
        let [low, high] = [to, from].map(|address| self.lw.convert(address, number));
        let below = self.lw.binary(BinaryOp::Le, low, high);
        self.split(below, forward, backward);
        self.here = forward;
        self.repeat(&[to, from], count, stride, &pieces, copy_one);
        self.goto(end);
        self.here = backward;
        self.repeat_backwards(&[to, from], count, stride, &pieces, copy_one);
        self.arrive(end);
    }

    fn copy_elements(&mut self, to: ExprId, from: ExprId, count: ExprId, stride: u64, pieces: &[Piece]) {
        self.each_element(&[to, from], count, stride, pieces, &mut copy_scalar);
    }

    /// Copies `size` bytes: whole elements, and of what remains the scalars that are there as a whole.
    pub(super) fn copy_prefix(
        &mut self,
        to: ExprId,
        from: ExprId,
        size: ExprId,
        stride: u64,
        pieces: &[Piece],
    ) {
        let ty = Type::Int(self.lw.difference_type());
        let size = self.lw.convert(size, ty);
        let width = self.lw.constant(ty, i128::from(stride));
        let count = self.lw.binary(BinaryOp::Div, size, width);
        let count = self.freeze(count);
        self.copy_elements(to, from, count, stride, pieces);
        if stride == 1 {
            return;
        }
        let copied = self.lw.binary(BinaryOp::Mul, count, width);
        let rest = self.lw.binary(BinaryOp::Sub, size, copied);
        let (copied, rest) = (self.freeze(copied), self.freeze(rest));
        let (to, from) =
            (self.lw.binary(BinaryOp::Add, to, copied), self.lw.binary(BinaryOp::Add, from, copied));
        for piece in pieces {
            let &Piece::Scalar { offset, ty: scalar } = piece else { continue };
            let end = offset + super::layout::scalar_bytes(scalar, self.lw.pointer_bytes());
            let end = self.lw.constant(ty, i128::from(end));
            let (whole, next) = (self.new_location(), self.new_location());
            let fits = self.lw.binary(BinaryOp::Le, end, rest);
            self.split(fits, whole, next);
            self.here = whole;
            let at = [to, from].map(|base| self.lw.offset(base, i128::from(offset)));
            copy_scalar(self, &at, scalar);
            self.arrive(next);
        }
    }

    pub(super) fn each_element(
        &mut self,
        bases: &[ExprId],
        count: ExprId,
        stride: u64,
        pieces: &[Piece],
        f: &mut dyn FnMut(&mut Self, &[ExprId], Type),
    ) {
        match self.lw.out.exprs.as_const(count) {
            Some(n) if n * pieces.len() as i128 <= i128::from(MAX_UNROLLED) || n == 1 => {
                for i in 0..n {
                    let at: Vec<ExprId> =
                        bases.iter().map(|&base| self.lw.offset(base, i * i128::from(stride))).collect();
                    self.each_piece(&at, pieces, f);
                }
            }
            _ => self.repeat(bases, count, stride, pieces, f),
        }
    }
}

/// Copies from the second address to the first.
fn copy_scalar(body: &mut Body<'_, '_>, at: &[ExprId], ty: Type) {
    let value = body.load_scalar(at[1], ty);
    body.store_scalar(at[0], ty, value);
}

/// Longer fills and copies are loops.
const MAX_UNROLLED: u64 = 16;
