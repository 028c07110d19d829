//! Conversions (C11 6.3): decay, promotion, the usual arithmetic conversions, casts and assignment.

use super::compatible::{Quals, compatible};
use super::{Checked, Checker, Operand, error};
use crate::hir::{
    CastKind, ExprId, ExprKind, InitItem, InitValue, Initializer, LocalOrigin, PlaceId, PlaceKind,
};
use crate::source::Span;
use crate::types::{BitField, FloatKind, IntKind, QualType, TypeId, TypeKind};

impl Checker<'_> {
    /// The value of an operand: places are read, arrays and functions become pointers.
    pub(super) fn value(&mut self, operand: Operand) -> Checked<ExprId> {
        match operand {
            Operand::Value(expr) | Operand::Function(expr) => Ok(expr),
            Operand::Place(place) => {
                let span = self.program.places[place].span;
                let ty = self.program.places[place].ty;
                if let Some((element, _)) = self.program.types.array(ty.ty) {
                    let pointer = self.types().pointer_to(element);
                    return Ok(self.expr(ExprKind::Decay(place), pointer, span));
                }
                if ty.ty == TypeId::VOID {
                    // `*p` of a `void *`, for its effects.
                    let PlaceKind::Deref(pointer) = self.program.places[place].kind else {
                        return error(span, "an object of type `void` has no value");
                    };
                    return Ok(self.cast_node(CastKind::ToVoid, pointer, TypeId::VOID, span));
                }
                if !self.program.types.is_complete(ty.ty) {
                    return error(span, format!("the type `{}` is incomplete here", self.show(ty)));
                }
                let value = self.expr(ExprKind::Load(place), ty.ty, span);
                self.widened(value)
            }
        }
    }

    /// The bits that a place has in a record, if it is a bit-field.
    pub(super) fn bit_field(&self, place: PlaceId) -> Option<BitField> {
        let PlaceKind::Field { record, field } = self.program.places[place].kind else { return None };
        let record = self.program.types.as_record(self.program.places[record].ty.ty)?;
        self.program.types.fields(record).get(field)?.bits
    }

    /// The width of the bit-field that an expression reads, or whose new or old value it is.
    pub(super) fn bit_field_value(&self, expr: ExprId) -> Option<u32> {
        let mut expr = expr;
        loop {
            if let Some(&width) = self.state.widths.get(&expr) {
                return Some(width);
            }
            match &self.program.exprs[expr].kind {
                ExprKind::Load(place) | ExprKind::Assign { place, .. } | ExprKind::Update { place, .. } => {
                    return self.bit_field(*place).map(|bits| bits.width);
                }
                ExprKind::Comma(_, right) => expr = *right,
                ExprKind::Statement { value: Some(value), .. } => expr = *value,
                _ => return None,
            }
        }
    }

    /// The type of an integer after promotion (6.3.1.1); `width` is that of a bit-field.
    pub(super) fn promoted(&self, ty: TypeId, width: Option<u32>) -> TypeId {
        let types = &self.program.types;
        let Some(info) = types.int_info(ty) else { return ty };
        match width {
            Some(width) if width < 32 || (width == 32 && info.signed) => return TypeId::INT,
            Some(32) => return TypeId::UNSIGNED_INT,
            _ => {}
        }
        let kind = match types.kind(ty) {
            TypeKind::Int(kind) => *kind,
            TypeKind::Enum(id) => types.enumeration(*id).underlying.unwrap_or(IntKind::UnsignedInt),
            _ => IntKind::Char,
        };
        if rank(kind) < rank(IntKind::Int) { TypeId::INT } else { types.int(kind) }
    }

    pub(super) fn promote(&mut self, expr: ExprId) -> Checked<ExprId> {
        let width = self.bit_field_value(expr);
        let ty = self.promoted(self.type_of(expr), width);
        self.convert(expr, ty)
    }

    /// What an argument without a parameter becomes (6.5.2.2 p6).
    pub(super) fn promote_argument(&mut self, expr: ExprId) -> Checked<ExprId> {
        if self.type_of(expr) == TypeId::FLOAT {
            return self.convert(expr, TypeId::DOUBLE);
        }
        self.promote(expr)
    }

    /// The common type of two promoted arithmetic types (6.3.1.8).
    pub(super) fn common_type(&self, a: TypeId, b: TypeId) -> TypeId {
        let types = &self.program.types;
        let float_rank = |ty: TypeId| match types.kind(ty) {
            TypeKind::Float(FloatKind::Float) => 1,
            TypeKind::Float(FloatKind::Double) => 2,
            TypeKind::Float(FloatKind::LongDouble) => 3,
            TypeKind::Float(FloatKind::Float128) => 4,
            _ => 0,
        };
        if float_rank(a).max(float_rank(b)) > 0 {
            return if float_rank(a) >= float_rank(b) { a } else { b };
        }
        let (TypeKind::Int(a_kind), TypeKind::Int(b_kind)) = (types.kind(a), types.kind(b)) else { return a };
        let (a_info, b_info) = (types.int_kind_info(*a_kind), types.int_kind_info(*b_kind));
        let (a_rank, b_rank) = (rank(*a_kind), rank(*b_kind));
        if a_info.signed == b_info.signed {
            return if a_rank >= b_rank { a } else { b };
        }
        let (signed, signed_rank, signed_bits, unsigned, unsigned_rank, unsigned_bits) = if a_info.signed {
            (*a_kind, a_rank, a_info.bits, b, b_rank, b_info.bits)
        } else {
            (*b_kind, b_rank, b_info.bits, a, a_rank, a_info.bits)
        };
        if unsigned_rank >= signed_rank {
            unsigned
        } else if signed_bits > unsigned_bits {
            types.int(signed)
        } else {
            types.int(to_unsigned(signed))
        }
    }

    /// Converts two arithmetic operands to their common type, which is returned too.
    pub(super) fn usual(&mut self, a: ExprId, b: ExprId) -> Checked<(ExprId, ExprId, TypeId)> {
        if let Some((width, ty)) = self.wide_computation(a, b) {
            let (a, b) = (self.fitted(a, width, ty)?, self.fitted(b, width, ty)?);
            return Ok((a, b, ty));
        }
        let (a, b) = (self.promote(a)?, self.promote(b)?);
        let ty = self.common_type(self.type_of(a), self.type_of(b));
        Ok((self.convert(a, ty)?, self.convert(b, ty)?, ty))
    }

    /// Converts a value to a type to which any value of its type can be cast.
    pub(super) fn convert(&mut self, expr: ExprId, to: TypeId) -> Checked<ExprId> {
        let from = self.type_of(expr);
        let span = self.span_of(expr);
        if from == to {
            return Ok(expr);
        }
        if to != TypeId::VOID && self.complex_parts(from).or(self.complex_parts(to)).is_some() {
            return self.complex_conversion(expr, to);
        }
        if to != TypeId::VOID && self.vector_lanes(from).or(self.vector_lanes(to)).is_some() {
            return self.vector_conversion(expr, to);
        }
        if to == TypeId::FLOAT16 {
            return self.narrowed(expr);
        }
        let expr = if to == TypeId::VOID { expr } else { self.widened(expr)? };
        let from = self.type_of(expr);
        if from == to {
            return Ok(expr);
        }
        let types = &self.program.types;
        let kind = if to == TypeId::VOID {
            CastKind::ToVoid
        } else if to == TypeId::BOOL && types.is_scalar(from) {
            CastKind::ToBool
        } else {
            match (Shape::of(types, from), Shape::of(types, to)) {
                (Shape::Int, Shape::Int) => CastKind::IntToInt,
                (Shape::Int, Shape::Float) => CastKind::IntToFloat,
                (Shape::Int, Shape::Pointer) => CastKind::IntToPointer,
                (Shape::Float, Shape::Int) => CastKind::FloatToInt,
                (Shape::Float, Shape::Float) => CastKind::FloatToFloat,
                (Shape::Pointer, Shape::Int) => CastKind::PointerToInt,
                (Shape::Pointer, Shape::Pointer) => CastKind::PointerToPointer,
                _ => {
                    let (from, to) = (self.show(from), self.show(to));
                    return error(span, format!("a value of type `{from}` cannot become one of type `{to}`"));
                }
            }
        };
        Ok(self.cast_node(kind, expr, to, span))
    }

    /// An explicit cast.
    pub(super) fn explicit_cast(&mut self, expr: ExprId, to: TypeId, span: Span) -> Checked<ExprId> {
        let from = self.type_of(expr);
        if from == to && self.program.types.as_record(to).is_some() {
            return Ok(expr);
        }
        if to != TypeId::VOID && self.complex_parts(from).or(self.complex_parts(to)).is_some() {
            return self.complex_conversion(expr, to);
        }
        if let Some(record) = self.program.types.as_record(to) {
            // GNU: a value of a member's type becomes the union.
            if self.program.types.record(record).kind == crate::types::RecordKind::Union
                && let Some(value) = self.union_of(expr, to, span)
            {
                return Ok(value);
            }
        }
        let mut result = self.convert(expr, to)?;
        if result == expr && to != TypeId::BOOL && self.bit_field_value(expr).is_some() {
            // The cast makes a value of the full type, even if that is the declared one.
            result = self.expr(ExprKind::Cast(CastKind::IntToInt, expr), to, span);
        }
        // The whole cast is what a reader wants to see of it.
        self.program.exprs[result].span = span;
        self.widened(result)
    }

    /// A union made from the value of one of its members, in a temporary.
    fn union_of(&mut self, expr: ExprId, union: TypeId, span: Span) -> Option<ExprId> {
        let record = self.program.types.as_record(union)?;
        let from = self.type_of(expr);
        let types = &self.program.types;
        let fits = |ty: TypeId| {
            compatible(types, ty, from, Quals::Ignore)
                || (types.is_pointer(ty) && (types.is_pointer(from) || self.is_null_constant(expr)))
        };
        let field = types.fields(record).iter().find(|field| fits(field.ty.ty))?.ty.ty;
        let value = self.convert(expr, field).ok()?;
        let function = self.function.as_mut()?;
        let local = function.add_local("".to_string(), union.into(), LocalOrigin::CompoundLiteral, span);
        let item = InitItem { offset: 0, ty: field, bits: None, value: InitValue::Expr(value) };
        let init = Initializer { items: vec![item], replaced: Vec::new() };
        let place = self.place(PlaceKind::Initialized { local, init }, union, span);
        Some(self.expr(ExprKind::Load(place), union, span))
    }

    /// An integer constant 0, or such a one cast to `void *` (6.3.2.3 p3).
    pub(super) fn is_null_constant(&self, expr: ExprId) -> bool {
        match self.program.exprs[expr].kind {
            ExprKind::Int(0) => true,
            ExprKind::Cast(CastKind::IntToPointer, operand) => {
                let to = self.program.types.pointee(self.type_of(expr));
                to.is_some_and(|to| to.ty == TypeId::VOID) && self.int_value(operand) == Some(0)
            }
            _ => false,
        }
    }

    /// Converts as if by assignment (6.5.16.1); `what` names the receiver in messages.
    pub(super) fn assign_convert(&mut self, expr: ExprId, to: TypeId, what: &str) -> Checked<ExprId> {
        let from = self.type_of(expr);
        if from == to {
            return Ok(expr);
        }
        let span = self.span_of(expr);
        let types = &self.program.types;
        let mismatch = |checker: &Self| {
            let (from, to) = (checker.show(from), checker.show(to));
            format!("{what} has type `{to}`, which a value of type `{from}` cannot become")
        };
        if from == TypeId::VOID || to == TypeId::VOID {
            return error(span, mismatch(self));
        }
        if self.complex_parts(from).or(self.complex_parts(to)).is_some() {
            return self.complex_conversion(expr, to);
        }
        if self.vector_lanes(from).is_some() && self.vector_lanes(to).is_some() {
            return self.vector_conversion(expr, to);
        }
        match (Shape::of(types, from), Shape::of(types, to)) {
            (Shape::Int | Shape::Float, Shape::Int | Shape::Float) => self.convert(expr, to),
            (Shape::Pointer, Shape::Pointer) => {
                self.check_pointers(expr, to, what);
                self.convert(expr, to)
            }
            (Shape::Int, Shape::Pointer) => {
                if !self.is_null_constant(expr) {
                    let message = format!("{what} is a pointer, but the value is an integer");
                    self.warn(span, message);
                }
                self.convert(expr, to)
            }
            (Shape::Pointer, Shape::Int) => {
                if to != TypeId::BOOL {
                    let message = format!("{what} is an integer, but the value is a pointer");
                    self.warn(span, message);
                }
                self.convert(expr, to)
            }
            (_, Shape::Record(record)) => {
                let transparent = types.record(record).body.as_ref().is_some_and(|body| body.transparent);
                if transparent && let Some(value) = self.union_of(expr, to, span) {
                    return Ok(value);
                }
                error(span, mismatch(self))
            }
            _ => error(span, mismatch(self)),
        }
    }

    fn check_pointers(&mut self, expr: ExprId, to: TypeId, what: &str) {
        let types = &self.program.types;
        let (Some(from_to), Some(to_to)) = (types.pointee(self.type_of(expr)), types.pointee(to)) else {
            return;
        };
        let to_void = from_to.ty == TypeId::VOID || to_to.ty == TypeId::VOID;
        let same_width = match (types.int_info(from_to.ty), types.int_info(to_to.ty)) {
            (Some(a), Some(b)) => a.bits == b.bits,
            _ => false,
        };
        if to_void || same_width || compatible(types, from_to.ty, to_to.ty, Quals::Ignore) {
            return;
        }
        let (from, to) = (self.show(self.type_of(expr)), self.show(to));
        let message = format!("{what} has type `{to}`, but the value is a different pointer, `{from}`");
        self.warn(self.span_of(expr), message);
    }

    /// The value of an expression used as a condition: any scalar.
    pub(super) fn condition(&mut self, expr: &crate::ast::Expr) -> Checked<ExprId> {
        let operand = self.expression(expr)?;
        let value = self.value(operand)?;
        self.require_scalar(value, "a condition")?;
        Ok(value)
    }

    pub(super) fn require_scalar(&mut self, expr: ExprId, what: &str) -> Checked<()> {
        if self.program.types.is_scalar(self.type_of(expr)) {
            return Ok(());
        }
        let shown = self.show(self.type_of(expr));
        error(self.span_of(expr), format!("{what} must be a number or a pointer, but this is `{shown}`"))
    }

    /// `void *` with the qualifiers of what both pointers point to.
    pub(super) fn merge_pointees(&mut self, a: QualType, b: QualType) -> TypeId {
        let quals = a.quals.union(b.quals);
        let void = a.ty == TypeId::VOID || b.ty == TypeId::VOID;
        let ty = if void {
            TypeId::VOID
        } else if compatible(&self.program.types, a.ty, b.ty, Quals::Ignore) {
            self.composite(a.ty, b.ty)
        } else {
            TypeId::VOID
        };
        self.types().pointer_to(QualType { ty, quals })
    }
}

/// How a type takes part in conversions.
enum Shape {
    Int,
    Float,
    Pointer,
    Record(crate::types::RecordId),
    Other,
}

impl Shape {
    fn of(types: &crate::types::Types, ty: TypeId) -> Shape {
        match types.kind(ty) {
            TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_) => Shape::Int,
            TypeKind::Float(_) => Shape::Float,
            TypeKind::Pointer(_) => Shape::Pointer,
            TypeKind::Record(record) => Shape::Record(*record),
            _ => Shape::Other,
        }
    }
}

fn rank(kind: IntKind) -> u8 {
    use IntKind::*;
    match kind {
        Char | SignedChar | UnsignedChar => 1,
        Short | UnsignedShort => 2,
        Int | UnsignedInt => 3,
        Long | UnsignedLong => 4,
        LongLong | UnsignedLongLong => 5,
        Int128 | UnsignedInt128 => 6,
    }
}

fn to_unsigned(kind: IntKind) -> IntKind {
    use IntKind::*;
    match kind {
        Char | SignedChar => UnsignedChar,
        Short => UnsignedShort,
        Int => UnsignedInt,
        Long => UnsignedLong,
        LongLong => UnsignedLongLong,
        Int128 => UnsignedInt128,
        other => other,
    }
}
