//! Vectors of GNU C: records of one array, whose operators are those of the elements, one after the other.
//!
//! Lanes narrower than `int` are computed with as `int`, or as `unsigned` if they have no sign, and lose the bits that do
//! not fit. A shift of such a lane by its width or more is a shift by 32, so that it is undefined.

use super::{Checked, Checker, Operand, error, unsupported};
use crate::ast::{Expr, UnaryOp};
use crate::hir::{
    BinaryOp, CastKind, ExprId, ExprKind, InitItem, InitValue, Initializer, LocalId, LocalOrigin, PlaceId,
    PlaceKind,
};
use crate::source::Span;
use crate::types::{
    ArrayLength, FieldSpec, IntKind, QualType, RecordAttributes, RecordKind, TypeId, TypeKind,
};

/// The largest vectors, in bytes.
const MAX_SIZE: u64 = 1024;

/// An operand that was evaluated: a vector, or a number that stands for each lane.
#[derive(Clone, Copy)]
struct Kept {
    local: LocalId,
    ty: TypeId,
}

impl Checker<'_> {
    /// `vector_size(size)` of a type, or of what it is an array of or points to.
    pub(super) fn vectors_of(&mut self, ty: QualType, size: &Expr) -> Checked<QualType> {
        let bytes = self.constant(size, "the size of a vector")?;
        let mut around = Vec::new();
        let mut lane = ty;
        loop {
            let inner = match *self.program.types.kind(lane.ty) {
                TypeKind::Pointer(to) => to,
                TypeKind::Array { element, .. } => element,
                _ => break,
            };
            around.push(lane);
            lane = inner;
        }
        let number = self.program.types.is_arithmetic(lane.ty) && lane.ty != TypeId::BOOL;
        let width = self.program.types.size_of(lane.ty).filter(|_| number);
        let Some(width) = width else {
            return error(size.span, format!("a vector of elements of type `{}`", self.show(lane)));
        };
        let bytes = u64::try_from(bytes).ok();
        let bytes = bytes.filter(|n| n.is_power_of_two() && (width..=MAX_SIZE).contains(n) && n % width == 0);
        let Some(bytes) = bytes else {
            let message = format!(
                "the size of a vector must be a power of two up to {MAX_SIZE} that holds whole elements"
            );
            return error(size.span, message);
        };
        let mut result = QualType { ty: self.vector_type(lane.ty, bytes / width), quals: lane.quals };
        for outer in around.into_iter().rev() {
            let ty = match *self.program.types.kind(outer.ty) {
                TypeKind::Array { length, .. } => self.types().array_of(result, length),
                _ => self.types().pointer_to(result),
            };
            result = QualType { ty, quals: outer.quals };
        }
        Ok(result)
    }

    fn vector_type(&mut self, lane: TypeId, lanes: u64) -> TypeId {
        let lane = match self.program.types.kind(lane) {
            TypeKind::Enum(id) => {
                let kind = self.program.types.enumeration(*id).underlying;
                self.program.types.int(kind.unwrap_or(IntKind::UnsignedInt))
            }
            _ => lane,
        };
        let mut known = self.state.vectors.iter();
        if let Some(&(_, _, vector)) = known.find(|(of, number, _)| (*of, *number) == (lane, lanes)) {
            return vector;
        }
        let tag = Some(format!("vector of {lanes} {}", self.show(lane)));
        let (record, ty) = self.types().new_record(RecordKind::Struct, tag, Span::NONE);
        let array = self.types().array_of(lane, ArrayLength::Known(lanes));
        let size = self.program.types.size_of(array).unwrap_or(1);
        let field = FieldSpec {
            name: None,
            ty: array.into(),
            width: None,
            align: Some(size),
            type_align: None,
            packed: false,
        };
        let completed = self.types().complete_record(record, vec![field], RecordAttributes::default());
        completed.expect("the size is small");
        self.state.vectors.push((lane, lanes, ty));
        ty
    }

    /// What a vector consists of, and how many of it.
    pub(super) fn vector_lanes(&self, ty: TypeId) -> Option<(TypeId, u64)> {
        let found = self.state.vectors.iter().find(|(_, _, vector)| *vector == ty);
        found.map(|(lane, lanes, _)| (*lane, *lanes))
    }

    /// The array in a vector.
    pub(super) fn lanes_of(&mut self, vector: Operand, span: Span) -> PlaceId {
        let record = match vector {
            Operand::Place(place) => place,
            Operand::Value(value) | Operand::Function(value) => {
                let ty = self.type_of(value);
                self.place(PlaceKind::Temporary(value), ty, span)
            }
        };
        let whole = self.program.places[record].ty;
        let (lane, lanes) = self.vector_lanes(whole.ty).unwrap_or((TypeId::CHAR, 0));
        let array = self.types().array_of(lane, ArrayLength::Known(lanes));
        let ty = self.qualify(array.into(), whole.quals);
        self.place(PlaceKind::Field { record, field: 0 }, ty, span)
    }

    fn keep(&mut self, value: ExprId, span: Span, before: &mut Vec<ExprId>) -> Checked<Kept> {
        let ty = self.type_of(value);
        Ok(Kept { local: self.kept(value, span, before)?, ty })
    }

    /// Evaluates two operands, in an order that is as open as that of the operands of `+`.
    fn keep_both(&mut self, [a, b]: [ExprId; 2], span: Span, before: &mut Vec<ExprId>) -> Checked<[Kept; 2]> {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let kept = [self.keep(a, span, &mut first)?, self.keep(b, span, &mut second)?];
        let [first, second] = [first, second].map(|before| {
            let zero = self.int(0, TypeId::INT, span);
            self.after(before, zero, span)
        });
        before.push(self.expr(ExprKind::Binary(BinaryOp::Add, first, second), TypeId::INT, span));
        Ok(kept)
    }

    /// An element at an index, or the number that stands for all of them.
    fn lane_at(&mut self, kept: Kept, index: ExprId, span: Span) -> Checked<ExprId> {
        let place = self.local_place(kept.local, kept.ty.into(), span);
        let Some((lane, _)) = self.vector_lanes(kept.ty) else {
            return self.value(Operand::Place(place));
        };
        let array = self.lanes_of(Operand::Place(place), span);
        let pointer = self.value(Operand::Place(array))?;
        let sum = self.pointer_add(pointer, index, false, span)?;
        let element = self.place(PlaceKind::Deref(sum), lane, span);
        self.value(Operand::Place(element))
    }

    fn lane(&mut self, kept: Kept, number: u64, span: Span) -> Checked<ExprId> {
        let size_type = self.program.types.size_type();
        let index = self.int(number.into(), size_type, span);
        self.lane_at(kept, index, span)
    }

    /// The vector whose lanes are these values, once all that comes before them was evaluated.
    fn vector_of(
        &mut self,
        lane: TypeId,
        values: Vec<ExprId>,
        before: Vec<ExprId>,
        span: Span,
    ) -> Checked<ExprId> {
        let width = self.program.types.size_of(lane).unwrap_or(1);
        let ty = self.vector_type(lane, values.len() as u64);
        let mut items = Vec::new();
        for (number, value) in values.into_iter().enumerate() {
            let value = InitValue::Expr(self.convert(value, lane)?);
            items.push(InitItem { offset: number as u64 * width, ty: lane, bits: None, value });
        }
        let Some(function) = &mut self.function else {
            return unsupported(span, "vectors that are computed outside of functions are not modelled");
        };
        let name = format!(".literal.{}", function.locals.len());
        let local = function.add_local(name, ty.into(), LocalOrigin::CompoundLiteral, span);
        let init = Initializer { items, replaced: Vec::new() };
        let place = self.place(PlaceKind::Initialized { local, init }, ty, span);
        let value = self.expr(ExprKind::Load(place), ty, span);
        Ok(self.after(before, value, span))
    }

    /// The type that lanes are computed in.
    fn lane_computation(&self, lane: TypeId) -> TypeId {
        match self.program.types.int_info(lane) {
            Some(info) if info.bits < 32 && info.signed => TypeId::INT,
            Some(info) if info.bits < 32 => TypeId::UNSIGNED_INT,
            _ => lane,
        }
    }

    pub(super) fn vector_binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        let shapes = [left, right].map(|operand| self.vector_lanes(self.type_of(operand)));
        let (lane, lanes) = match shapes {
            [Some(a), Some(b)] if !self.are_alike(a, b) => {
                let shown = [left, right].map(|operand| self.show(self.type_of(operand)));
                return error(span, format!("this operator does not apply to {} and {}", shown[0], shown[1]));
            }
            [Some(shape), _] | [None, Some(shape)] => shape,
            [None, None] => return self.binary(op, left, right, span),
        };
        let computation = self.lane_computation(lane);
        let mut operands = [left, right];
        for (operand, shape) in operands.iter_mut().zip(shapes) {
            if shape.is_none() {
                *operand = self.assign_convert(*operand, lane, "the element")?;
            }
        }
        let mut before = Vec::new();
        let kept = self.keep_both(operands, span, &mut before)?;
        let mut values = Vec::new();
        for number in 0..lanes {
            let [mut a, mut b] = [self.lane(kept[0], number, span)?, self.lane(kept[1], number, span)?];
            // The other one has the same width, but perhaps another sign.
            (a, b) = (self.convert(a, lane)?, self.convert(b, lane)?);
            (a, b) = (self.convert(a, computation)?, self.convert(b, computation)?);
            if op.is_shift() {
                b = self.narrow_amount(b, kept[1], number, lane, span)?;
            }
            let value = self.binary(op, a, b, span)?;
            values.push(match op.is_comparison() {
                true => self.unary_arithmetic(UnaryOp::Neg, value, span)?,
                false => value,
            });
        }
        let lane = if op.is_comparison() { self.truth_lane(lane) } else { lane };
        self.vector_of(lane, values, before, span)
    }

    /// The amount of a shift: what is too much for the lane is too much for the type that it is computed in.
    fn narrow_amount(
        &mut self,
        amount: ExprId,
        kept: Kept,
        number: u64,
        lane: TypeId,
        span: Span,
    ) -> Checked<ExprId> {
        let Some(info) = self.program.types.int_info(lane).filter(|info| info.bits < 32) else {
            return Ok(amount);
        };
        let again = self.lane(kept, number, span)?;
        let width = self.int(info.bits.into(), TypeId::INT, span);
        let fits = self.binary(BinaryOp::Lt, again, width, span)?;
        let ty = self.type_of(amount);
        let most = self.int(32, ty, span);
        Ok(self.expr(ExprKind::Conditional { condition: fits, then: amount, otherwise: most }, ty, span))
    }

    /// Whether vectors have lanes of the same kind, but for the sign.
    fn are_alike(&self, a: (TypeId, u64), b: (TypeId, u64)) -> bool {
        let types = &self.program.types;
        let bits = |ty| types.int_info(ty).map(|info| info.bits);
        a.1 == b.1 && (a.0 == b.0 || (bits(a.0).is_some() && bits(a.0) == bits(b.0)))
    }

    /// What comparisons of lanes yield: -1 or 0, in as many bits.
    fn truth_lane(&self, lane: TypeId) -> TypeId {
        match self.program.types.size_of(lane) {
            Some(1) => TypeId::SIGNED_CHAR,
            Some(2) => TypeId::SHORT,
            Some(4) => TypeId::INT,
            Some(8) => TypeId::LONG_LONG,
            _ => TypeId::INT128,
        }
    }

    pub(super) fn vector_unary(
        &mut self,
        op: UnaryOp,
        value: ExprId,
        (lane, lanes): (TypeId, u64),
        span: Span,
    ) -> Checked<ExprId> {
        if op == UnaryOp::Not {
            let zero = self.int(0, TypeId::INT, span);
            return self.vector_binary(BinaryOp::Eq, value, zero, span);
        }
        let mut before = Vec::new();
        let kept = self.keep(value, span, &mut before)?;
        let mut values = Vec::new();
        for number in 0..lanes {
            let value = self.lane(kept, number, span)?;
            values.push(self.unary_arithmetic(op, value, span)?);
        }
        self.vector_of(lane, values, before, span)
    }

    /// Between vectors, or vectors and integers, of one size: the same bits.
    pub(super) fn vector_conversion(&mut self, expr: ExprId, to: TypeId) -> Checked<ExprId> {
        let (from, span) = (self.type_of(expr), self.span_of(expr));
        let shapes = (self.vector_lanes(from), self.vector_lanes(to));
        let types = &self.program.types;
        let is_number = |ty| types.is_integer(ty) || self.vector_lanes(ty).is_some();
        if types.size_of(from) != types.size_of(to) || !is_number(from) || !is_number(to) {
            let (from, to) = (self.show(from), self.show(to));
            return error(span, format!("a value of type `{from}` cannot become one of type `{to}`"));
        }
        if let (Some(a), Some(b)) = shapes
            && self.are_alike(a, b)
        {
            return self.convert_lanes(expr, to, span);
        }
        let mut before = Vec::new();
        let local = self.kept(expr, span, &mut before)?;
        let place = self.local_place(local, from.into(), span);
        let (pointer, wanted) = (self.types().pointer_to(from), self.types().pointer_to(to));
        let address = self.expr(ExprKind::AddressOf(place), pointer, span);
        let address = self.cast_node(CastKind::PointerToPointer, address, wanted, span);
        let place = self.place(PlaceKind::Deref(address), to, span);
        let value = self.expr(ExprKind::Load(place), to, span);
        Ok(self.after(before, value, span))
    }

    /// `__builtin_convertvector`: each lane becomes one of the other type.
    pub(super) fn convert_lanes(&mut self, vector: ExprId, to: TypeId, span: Span) -> Checked<ExprId> {
        let (Some((_, lanes)), Some((lane, wanted))) =
            (self.vector_lanes(self.type_of(vector)), self.vector_lanes(to))
        else {
            return error(span, "a vector becomes a vector");
        };
        if lanes != wanted {
            return error(span, "the vectors differ in how many elements they have");
        }
        let mut before = Vec::new();
        let kept = self.keep(vector, span, &mut before)?;
        let values = (0..lanes).map(|number| self.lane(kept, number, span)).collect::<Checked<_>>()?;
        self.vector_of(lane, values, before, span)
    }

    /// `__builtin_shuffle(a, b, mask)`, perhaps without `b`: of the elements of both, those that the mask says.
    pub(super) fn shuffle(&mut self, args: &[Expr], span: Span) -> Checked<ExprId> {
        let mut before = Vec::new();
        let mut kept = Vec::new();
        for arg in args {
            let value = self.operand_value(arg)?;
            kept.push(self.keep(value, span, &mut before)?);
        }
        let shapes: Option<Vec<_>> = kept.iter().map(|kept| self.vector_lanes(kept.ty)).collect();
        let (Some(shapes), Some(mask)) = (shapes, kept.pop()) else {
            return error(span, "vectors are needed");
        };
        let (lane, lanes) = shapes[0];
        let is_mask = self.program.types.is_integer(shapes[kept.len()].0);
        if !is_mask
            || shapes.iter().any(|shape| shape.1 != lanes)
            || shapes[..kept.len()].iter().any(|s| s.0 != lane)
        {
            return error(span, "these vectors do not fit each other");
        }
        let mut values = Vec::new();
        for number in 0..lanes {
            let mut choice = None;
            for (i, &vector) in kept.iter().enumerate().rev() {
                let wanted = self.lane(mask, number, span)?;
                let wanted = self.convert(wanted, TypeId::UNSIGNED_LONG_LONG)?;
                let last = self.int((lanes - 1).into(), TypeId::UNSIGNED_LONG_LONG, span);
                let index = self.binary(BinaryOp::BitAnd, wanted, last, span)?;
                let value = self.lane_at(vector, index, span)?;
                choice = Some(match choice {
                    None => value,
                    Some(otherwise) => {
                        let wanted = self.lane(mask, number, span)?;
                        let wanted = self.convert(wanted, TypeId::UNSIGNED_LONG_LONG)?;
                        let bit = self.int((lanes << i).into(), TypeId::UNSIGNED_LONG_LONG, span);
                        let from_other = self.binary(BinaryOp::BitAnd, wanted, bit, span)?;
                        let zero = self.int(0, TypeId::UNSIGNED_LONG_LONG, span);
                        let condition = self.binary(BinaryOp::Eq, from_other, zero, span)?;
                        let ty = self.type_of(value);
                        self.expr(ExprKind::Conditional { condition, then: value, otherwise }, ty, span)
                    }
                });
            }
            values.extend(choice);
        }
        self.vector_of(lane, values, before, span)
    }

    /// `__builtin_shufflevector(a, b, 0, 4, ...)`: -1 leaves an element open.
    pub(super) fn shuffle_constants(&mut self, args: &[Expr], span: Span) -> Checked<ExprId> {
        let [a, b, numbers @ ..] = args else { return error(span, "two vectors are needed") };
        let mut before = Vec::new();
        let (a, b) = (self.operand_value(a)?, self.operand_value(b)?);
        let kept = self.keep_both([a, b], span, &mut before)?;
        let (Some((lane, first)), Some((other, second))) =
            (self.vector_lanes(kept[0].ty), self.vector_lanes(kept[1].ty))
        else {
            return error(span, "two vectors are needed");
        };
        if lane != other || !numbers.len().is_power_of_two() {
            return error(span, "these vectors do not fit each other");
        }
        let mut values = Vec::new();
        for number in numbers {
            let wanted = self.constant(number, "the number of an element")?;
            values.push(match u64::try_from(wanted) {
                Ok(wanted) if wanted < first => self.lane(kept[0], wanted, span)?,
                Ok(wanted) if wanted - first < second => self.lane(kept[1], wanted - first, span)?,
                _ if wanted == -1 => return unsupported(number.span, "an element that is left open"),
                _ => return error(number.span, "there is no such element"),
            });
        }
        self.vector_of(lane, values, before, span)
    }
}
