//! What functions without a body are given: pointers, and all that can be reached from them, may change.

use craig_program as ir;
use ir::{BinaryOp, ExprId, InputSource, NoteKind, Type, VarId};

use super::Shape;
use super::body::{Body, Value};
use super::layout::Piece;
use super::outside::{is_literal, root};
use crate::hir::{self, CastKind, ExprKind};
use crate::types::{ArrayLength, TypeId, TypeKind};

impl Body<'_, '_> {
    /// What the pointers in a record that is passed by value lead to.
    pub(super) fn given_in_record(&mut self, value: &Value, ty: TypeId) -> Vec<Given> {
        match value {
            Value::Memory(_) => match value.clone().on_its_own(self, ty) {
                Value::Memory(copy) => vec![Given { address: copy, element: ty, count: Some(1) }],
                _ => Vec::new(),
            },
            Value::Leaves(values) => {
                let types = &self.lw.hir.types;
                let leaves = self.leaves(ty);
                let pairs = leaves.iter().zip(values);
                let given = pairs.filter_map(|(leaf, &address)| {
                    let element = types.pointee(leaf.ty)?.ty;
                    let sized = types.size_of(element).is_some_and(|size| size > 0);
                    (sized && !types.is_void(element)).then_some(Given { address, element, count: None })
                });
                let given: Vec<Given> = given.collect();
                given
                    .into_iter()
                    .map(|given| Given { address: self.freeze(given.address), ..given })
                    .collect()
            }
            Value::Void | Value::Scalar(_) => Vec::new(),
        }
    }

    /// What an argument leads to at once.
    pub(super) fn given(&mut self, function: &str, arg: hir::ExprId, value: Value) -> Option<Given> {
        let hir = self.hir();
        let types = &hir.types;
        let mut inner = arg;
        while let ExprKind::Cast(
            CastKind::PointerToPointer | CastKind::PointerToInt | CastKind::IntToInt,
            operand,
        ) = hir.exprs[inner].kind
        {
            inner = operand;
        }
        let element = types.pointee(hir.exprs[inner].ty)?.ty;
        let Value::Scalar(pointer) = value else { return None };
        if types.as_function(element).is_some() || matches!(hir.exprs[inner].kind, ExprKind::Int(_)) {
            return None;
        }
        if let Some(place) = root(hir, inner) {
            let object = hir.places[place].ty;
            if object.quals.is_const() || is_literal(hir, place) {
                return None;
            }
            if types.size_of(object.ty).is_some() {
                let target = self.place(place);
                let address = self.address(target, object.ty);
                let (element, count) = match types.array(object.ty) {
                    Some((element, ArrayLength::Known(count))) => (element.ty, count),
                    _ => (object.ty, 1),
                };
                return Some(Given { address: self.freeze(address), element, count: Some(count) });
            }
        }
        if types.is_void(element) || types.size_of(element).is_none_or(|size| size == 0) {
            let at = self.span;
            let shown = types.show(element);
            let text = format!("'{function}' does not write to the object of type {shown} it is given");
            self.lw.note(NoteKind::Assumption, at, text);
            return None;
        }
        let pointer = self.lw.convert(pointer, Type::Pointer);
        Some(Given { address: self.freeze(pointer), element, count: None })
    }

    /// What the parameters of a procedure for a function without a body lead to.
    pub(super) fn given_to_stub(&mut self, params: &[TypeId], first: usize) -> Vec<Given> {
        let types = &self.hir().types;
        let vars = self.proc.params.clone();
        let mut vars = vars.into_iter().skip(first);
        let mut given = Vec::new();
        for &ty in params {
            let count = match self.lw.shape(ty) {
                Shape::Void => 0,
                Shape::Scalar(_) | Shape::Memory => 1,
                Shape::Leaves(count) => count,
            };
            let own: Vec<VarId> = vars.by_ref().take(count).collect();
            let element = types.pointee(ty).map(|to| to.ty);
            if let (Some(element), [var]) = (element, own.as_slice())
                && types.size_of(element).is_some_and(|size| size > 0)
                && !types.is_void(element)
                && types.as_function(element).is_none()
            {
                given.push(Given { address: self.var(*var), element, count: None });
            }
        }
        given
    }

    /// That a pointer is not null, and that its object is no constant: those are never written.
    fn is_writable(&mut self, pointer: ExprId) -> ExprId {
        let not_null = self.lw.truth(pointer);
        if self.lw.constants_end == self.lw.out.data_model.first_address() {
            return not_null;
        }
        let number = Type::Int(self.lw.size_type());
        let pointer = self.lw.convert(pointer, number);
        let end = self.lw.constant(number, i128::from(self.lw.constants_end));
        self.lw.binary(BinaryOp::Le, end, pointer)
    }

    /// Changes what a function can reach; pointers that it knows then, with what they point to.
    pub(super) fn change_all(&mut self, function: &str, given: &[Given]) -> Vec<(TypeId, ExprId)> {
        let source = InputSource::Call(function.into());
        let mut reached: Vec<(TypeId, ExprId)> =
            given.iter().map(|given| (given.element, given.address)).collect();
        let followed = self.follow(given, &source);
        for &(ty, var) in &followed {
            let pointer = self.var(var);
            reached.push((ty, pointer));
        }
        for given in given {
            self.change(given, &source, &followed);
        }
        reached
    }

    /// Changes what pointers in the objects lead to. For each type there is one pointer, which moves on any
    /// number of times; the objects that are given stay as they are meanwhile.
    fn follow(&mut self, given: &[Given], source: &InputSource) -> Vec<(TypeId, VarId)> {
        let mut types: Vec<TypeId> = Vec::new();
        let mut pending: Vec<TypeId> = given.iter().map(|given| given.element).collect();
        while let Some(ty) = pending.pop() {
            for field in self.pointer_fields(ty) {
                if !types.contains(&field.target) && types.len() < MAX_TYPES {
                    types.push(field.target);
                    pending.push(field.target);
                }
            }
        }
        if types.is_empty() {
            return Vec::new();
        }
        let null = self.lw.zero(Type::Pointer);
        let mut followed = Vec::new();
        for ty in types {
            let var = self.new_var(format!(".reached.{}", self.proc.locals.len()), Type::Pointer);
            self.assign(var, null);
            followed.push((ty, var));
        }
        self.any_times(source, |body, head| {
            for given in given {
                body.step(given, source, &followed, head);
            }
            for &(ty, var) in &followed {
                let pointer = body.var(var);
                let from = Given { address: pointer, element: ty, count: None };
                let (some, next) = (body.new_location(), body.new_location());
                let not_null = body.lw.truth(pointer);
                body.split(not_null, some, next);
                body.here = some;
                body.step(&from, source, &followed, head);
                let (yes, no) = (body.new_location(), body.new_location());
                let now = body.input(Type::Bool, source.clone());
                let is_writable = body.is_writable(pointer);
                let now = body.lw.binary(BinaryOp::And, now, is_writable);
                body.split(now, yes, no);
                body.here = yes;
                let at = body.element(&from, source);
                body.write_some(at, ty, source, &followed);
                body.goto(head);
                body.here = no;
                body.arrive(next);
            }
        });
        followed
    }

    /// Moves one of the pointers to what a field of an element points to, and goes on at `head`.
    fn step(&mut self, from: &Given, source: &InputSource, followed: &[(TypeId, VarId)], head: ir::LocId) {
        for field in self.pointer_fields(from.element) {
            let Some(&(_, var)) = followed.iter().find(|(ty, _)| *ty == field.target) else { continue };
            let (yes, no) = (self.new_location(), self.new_location());
            let now = self.input(Type::Bool, source.clone());
            self.split(now, yes, no);
            self.here = yes;
            let at = self.element(from, source);
            let mut at = self.lw.offset(at, i128::from(field.offset));
            if field.more > 0 {
                let stride = self.lw.pointer_bytes();
                at = self.indexed(at, 0, i128::from(field.more), stride, source);
            }
            self.blaming_nobody(|body| {
                let value = body.load_scalar(at, Type::Pointer);
                body.assign(var, value);
            });
            self.goto(head);
            self.here = no;
        }
    }

    /// Goes to `end`, or on.
    pub fn maybe(&mut self, source: &InputSource, end: ir::LocId) {
        let more = self.new_location();
        let stops = self.input(Type::Bool, source.clone());
        self.split(stops, end, more);
        self.here = more;
    }

    /// The address of some element.
    fn element(&mut self, of: &Given, source: &InputSource) -> ExprId {
        let stride = self.hir().types.size_of(of.element).unwrap_or(1).max(1);
        // Objects lie farther apart than this, so that no index leads from one into another.
        let most = i128::from(if self.lw.pointer_bytes() == 8 { 1u64 << 32 } else { 1000 } / stride);
        match of.count {
            Some(1) => of.address,
            Some(count) => self.indexed(of.address, 0, i128::from(count) - 1, stride, source),
            None => self.indexed(of.address, -most, most, stride, source),
        }
    }

    /// The address of an element with an index in the range.
    fn indexed(
        &mut self,
        base: ExprId,
        least: i128,
        most: i128,
        stride: u64,
        source: &InputSource,
    ) -> ExprId {
        let ty = Type::Int(self.lw.difference_type());
        let index = self.input(ty, source.clone());
        let (least, most) = (self.lw.constant(ty, least), self.lw.constant(ty, most));
        for (low, high) in [(least, index), (index, most)] {
            let within = self.lw.binary(BinaryOp::Le, low, high);
            self.emit(ir::Stmt::Assume(within));
        }
        let stride = self.lw.constant(ty, i128::from(stride));
        let distance = self.lw.binary(BinaryOp::Mul, index, stride);
        let address = self.lw.binary(BinaryOp::Add, base, distance);
        self.blaming_nobody(|body| body.freeze(address))
    }

    /// Gives any elements any values.
    pub fn change(&mut self, given: &Given, source: &InputSource, followed: &[(TypeId, VarId)]) {
        let pieces = self.lw.layouts.pieces(&self.lw.hir.types, given.element);
        let scalars = count_scalars(&pieces);
        let end = self.new_location();
        if given.count.is_none() {
            let some = self.new_location();
            let is_writable = self.is_writable(given.address);
            self.split(is_writable, some, end);
            self.here = some;
        }
        match given.count {
            Some(count) if scalars.saturating_mul(count as usize) <= MAX_UNROLLED || count == 1 => {
                let stride = self.hir().types.size_of(given.element).unwrap_or(1);
                for i in 0..count {
                    let at = self.lw.offset(given.address, i128::from(i * stride));
                    self.write(at, given.element, source, followed);
                }
            }
            _ => {
                self.any_times(source, |body, _| {
                    let at = body.element(given, source);
                    body.write_some(at, given.element, source, followed);
                });
            }
        }
        self.arrive(end);
    }

    /// Gives an object any value. A pointer is one that was reached, or one from outside.
    fn write(&mut self, at: ExprId, ty: TypeId, source: &InputSource, followed: &[(TypeId, VarId)]) {
        let pieces = self.lw.layouts.pieces(&self.lw.hir.types, ty);
        let pointers = self.pointers_in(ty);
        let known = (pointers.as_slice(), followed);
        self.write_scalars((at, 0), &pieces, source, known);
        if pieces.iter().any(|piece| matches!(piece, Piece::Repeat { .. })) {
            self.any_times(source, |body, _| body.write_elements((at, 0), &pieces, source, known));
        }
    }

    /// The same, but for some elements of its arrays only: it is done any number of times.
    fn write_some(&mut self, at: ExprId, ty: TypeId, source: &InputSource, followed: &[(TypeId, VarId)]) {
        let pieces = self.lw.layouts.pieces(&self.lw.hir.types, ty);
        let pointers = self.pointers_in(ty);
        let known = (pointers.as_slice(), followed);
        self.write_scalars((at, 0), &pieces, source, known);
        self.write_elements((at, 0), &pieces, source, known);
    }

    /// What is no array, at the place so many bytes into the object whose pointers these are.
    fn write_scalars(
        &mut self,
        (at, inside): (ExprId, u64),
        pieces: &[Piece],
        source: &InputSource,
        known: Known<'_>,
    ) {
        for piece in pieces {
            let Piece::Scalar { offset, ty } = piece else { continue };
            let address = self.lw.offset(at, i128::from(*offset));
            let (pointers, followed) = known;
            let pointer = pointers.iter().find(|field| field.offset == inside + offset);
            let value = match pointer.filter(|_| *ty == Type::Pointer) {
                Some(field) => self.any_pointer(field.target, source, followed),
                None => self.input(*ty, source.clone()),
            };
            self.blaming_nobody(|body| body.store_scalar(address, *ty, value));
        }
    }

    /// Of each array, at most one element.
    fn write_elements(
        &mut self,
        (at, inside): (ExprId, u64),
        pieces: &[Piece],
        source: &InputSource,
        known: Known<'_>,
    ) {
        for piece in pieces {
            let Piece::Repeat { offset, count, stride, pieces } = piece else { continue };
            let base = self.lw.offset(at, i128::from(*offset));
            let next = self.new_location();
            self.maybe(source, next);
            let element = self.indexed(base, 0, i128::from(*count) - 1, *stride, source);
            self.write_scalars((element, inside + offset), pieces, source, known);
            self.write_elements((element, inside + offset), pieces, source, known);
            self.arrive(next);
        }
    }

    /// A pointer that a function without a body stores.
    fn any_pointer(&mut self, pointee: TypeId, source: &InputSource, followed: &[(TypeId, VarId)]) -> ExprId {
        let foreign = self.pointer_from_outside(pointee, source);
        let Some(&(_, var)) = followed.iter().find(|(ty, _)| *ty == pointee) else { return foreign };
        let is_known = self.input(Type::Bool, source.clone());
        let known = self.var(var);
        self.lw.ite(is_known, known, foreign)
    }

    /// The pointers to objects of known types in a type: those that can be followed.
    fn pointer_fields(&self, ty: TypeId) -> Vec<PointerField> {
        let types = &self.hir().types;
        let is_object = |ty: TypeId| types.size_of(ty).is_some_and(|size| size > 0) && !types.is_void(ty);
        let mut fields = self.pointers_in(ty);
        fields.retain(|field| is_object(field.target));
        fields
    }

    /// Whether objects of the type hold pointers, other than to functions.
    pub(super) fn holds_pointers(&self, ty: TypeId) -> bool {
        !self.pointers_in(ty).is_empty()
    }

    /// The pointers in a type, but for those to functions.
    fn pointers_in(&self, ty: TypeId) -> Vec<PointerField> {
        let types = &self.hir().types;
        let mut found: Vec<PointerField> = Vec::new();
        // Offset, type, and how many more of it follow.
        let mut pending = vec![(0, ty, 0)];
        while let Some((offset, ty, more)) = pending.pop() {
            match types.kind(ty) {
                TypeKind::Pointer(to) if types.as_function(to.ty).is_none() => {
                    found.push(PointerField { offset, more, target: to.ty });
                }
                TypeKind::Record(id) => {
                    for field in types.fields(*id).iter().filter(|field| field.bits.is_none()) {
                        pending.push((offset + field.offset, field.ty.ty, more));
                    }
                }
                TypeKind::Array { element, length: ArrayLength::Known(length) } if *length > 0 => {
                    let is_pointer = types.is_pointer(element.ty);
                    pending.push((offset, element.ty, if is_pointer { length - 1 } else { more }));
                }
                _ => {}
            }
        }
        found.sort_by_key(|field| field.offset);
        found
    }
}

/// What a function is given a pointer to.
#[derive(Clone, Copy)]
pub(super) struct Given {
    /// The first element that is known.
    pub address: ExprId,
    pub element: TypeId,
    /// How many there are, where the whole object is known.
    pub count: Option<u64>,
}

/// The pointers in an object, and those that were reached.
type Known<'k> = (&'k [PointerField], &'k [(TypeId, VarId)]);

/// A pointer within an object.
struct PointerField {
    offset: u64,
    /// For an array of pointers: how many more there are.
    more: u64,
    target: TypeId,
}

fn count_scalars(pieces: &[Piece]) -> usize {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Scalar { .. } => 1,
            // These are loops of their own.
            Piece::Repeat { pieces, .. } => count_scalars(pieces),
        })
        .fold(0, usize::saturating_add)
}

/// Up to this many scalars are written one by one.
const MAX_UNROLLED: usize = 16;

/// Types that are followed from one argument.
const MAX_TYPES: usize = 16;
