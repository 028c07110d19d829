//! Checks that only the front end can state, because they are about C's types: conversions and alignment.

use craig_base::Index;
use craig_program as ir;
use ir::{BinaryOp, CheckKind, ExprId, IntType, Type};

use super::body::Body;
use super::footprint::array_of;
use super::place::Target;
use super::{NamedObject, Storage};
use crate::hir::{self, CastKind, ExprKind, LocalId, PlaceId, PlaceKind};
use crate::library::is_library;
use crate::source::Span;
use crate::types::{ArrayLength, RecordKind, TypeId};

impl Body<'_, '_> {
    /// Whether the kind is checked here: the models of the library are not the program's.
    fn checks(&self, kind: CheckKind) -> bool {
        self.lw.options.checks.contains(kind) && !self.is_in_library()
    }

    pub fn is_in_library(&self) -> bool {
        self.function.is_some_and(|function| is_library(&self.hir().functions[function].name))
    }

    /// Whether the conversion may change the value and no cast was written.
    pub fn may_lose(&self, cast: hir::ExprId) -> bool {
        let hir = self.hir();
        let ExprKind::Cast(kind, inner) = hir.exprs[cast].kind else { return false };
        self.checks(CheckKind::Conversion)
            && self.lw.options.arithmetic != ir::Arithmetic::Ideal
            && matches!(kind, CastKind::IntToInt | CastKind::FloatToInt)
            // One that is written reaches further than its operand.
            && hir.exprs[cast].span == hir.exprs[inner].span
    }

    /// An implicit conversion keeps the value.
    pub fn require_same_value(&mut self, value: ExprId, to: Type, c_type: TypeId, text: String) {
        let Type::Int(target) = to else { return };
        let fits = match self.lw.out.exprs.ty(value) {
            Type::Int(from) => self.in_range(value, from, target),
            Type::Float(_) => {
                let converted = self.lw.convert(value, to);
                let back = self.lw.convert(converted, self.lw.out.exprs.ty(value));
                self.lw.binary(BinaryOp::Eq, back, value)
            }
            Type::Bool | Type::Pointer => return,
        };
        let c_type = self.hir().types.show(c_type);
        let what = format!("`{text}` changes its value when it becomes `{c_type}`");
        self.require(CheckKind::Conversion, fits, what);
    }

    /// What is stored in a bit-field keeps its value.
    pub fn require_fits(&mut self, value: ExprId, field: Type) {
        let (Type::Int(from), Type::Int(field)) = (self.lw.out.exprs.ty(value), field) else { return };
        if !self.checks_conversions() || field.bits >= from.bits {
            return;
        }
        let fits = self.in_range(value, from, field);
        let what = format!("the value changes when it is stored in a bit-field of {} bits", field.bits);
        self.require(CheckKind::Conversion, fits, what);
    }

    pub fn checks_conversions(&self) -> bool {
        self.checks(CheckKind::Conversion) && self.lw.options.arithmetic != ir::Arithmetic::Ideal
    }

    fn in_range(&mut self, value: ExprId, from: IntType, to: IntType) -> ExprId {
        let mut fits = self.lw.out.exprs.bool(true);
        if to.min() > from.min() {
            let least = self.lw.out.exprs.int(from, to.min());
            let above = self.lw.binary(BinaryOp::Le, least, value);
            fits = self.lw.binary(BinaryOp::And, fits, above);
        }
        if to.max() < from.max() {
            let most = self.lw.out.exprs.int(from, to.max() as i128);
            let below = self.lw.binary(BinaryOp::Le, value, most);
            fits = self.lw.binary(BinaryOp::And, fits, below);
        }
        fits
    }

    /// An index stays in the array that it goes out from, or is one past its end. Other arithmetic on pointers is left
    /// to [`ir::instrument`], which knows objects, but not their parts.
    pub fn require_element(&mut self, pointer: hir::ExprId, index: ExprId, negative: bool, span: Span) {
        let hir = self.hir();
        if !self.checks(CheckKind::Pointer) {
            return;
        }
        let length = match hir.exprs[pointer].kind {
            ExprKind::Decay(array) => match hir.types.array(hir.places[array].ty.ty) {
                Some((_, ArrayLength::Known(length))) => i128::from(length),
                _ => return,
            },
            ExprKind::AddressOf(_) => 1,
            _ => return,
        };
        let length = self.lw.constant(Type::Int(self.lw.difference_type()), length);
        let inside = self.lies_within(index, negative, Some(length));
        let text = format!("pointer out of its object in `{}`", self.text_at(span));
        self.require(CheckKind::Pointer, inside, text);
    }

    /// An element that is accessed is one of the array that the index is said of, where that is a part of its object:
    /// there is more before it or after it, so that [`ir::instrument`] sees nothing wrong (6.5.6 p8).
    pub fn require_part(&mut self, pointer: hir::ExprId, index: ExprId, negative: bool, span: Span) {
        if self.is_in_library() {
            return;
        }
        let Some(array) = self.decayed(pointer) else { return };
        let ty = self.lw.difference_type();
        let inside = match bounds_of_part(self.hir(), array) {
            Some(Bounds { most, .. })
                if !negative && self.cannot_exceed(index, most.unwrap_or(ty.max() as i128)) =>
            {
                return;
            }
            Some(Bounds { most, .. }) => {
                let most = most.map(|most| self.lw.constant(Type::Int(ty), most));
                self.lies_within(index, negative, most)
            }
            None => {
                let Some(length) = self.length_of_row(array) else { return };
                let one = self.lw.constant(Type::Int(ty), 1);
                let most = self.lw.binary(BinaryOp::Sub, length, one);
                self.lies_within(index, negative, Some(most))
            }
        };
        let text = format!("index out of its array in `{}`", self.text_at(span));
        self.require(CheckKind::Memory, inside, text);
    }

    /// The same for a sum of several: `*(s.a + i + j)`. The array is one whose address can be had twice.
    pub fn require_sum_in_part(&mut self, mut pointer: hir::ExprId, sum: ExprId, scale: u64, span: Span) {
        let hir = self.hir();
        while let ExprKind::PtrAdd { pointer: inner, .. } = hir.exprs[pointer].kind {
            pointer = inner;
        }
        let ExprKind::Decay(array) = hir.exprs[pointer].kind else { return };
        if self.is_in_library() || !is_plain(hir, array) {
            return;
        }
        let Some(Bounds { most }) = bounds_of_part(hir, array) else { return };
        let Target::Memory(first) = self.place(array) else { return };
        let mut inside = self.lw.binary(BinaryOp::Le, first, sum);
        if let Some(most) = most {
            let last = self.lw.offset(first, most * i128::from(scale));
            let below = self.lw.binary(BinaryOp::Le, sum, last);
            inside = self.lw.binary(BinaryOp::And, inside, below);
        }
        let text = format!("index out of its array in `{}`", self.text_at(span));
        self.require(CheckKind::Memory, inside, text);
    }

    /// The length of a row, where it is variable. An array of variable length that is no row is an object of its own.
    fn length_of_row(&mut self, array: PlaceId) -> Option<ExprId> {
        let hir = self.hir();
        let (_, ArrayLength::Variable(length)) = hir.types.array(hir.places[array].ty.ty)? else {
            return None;
        };
        let PlaceKind::Deref(pointer) = hir.places[array].kind else { return None };
        let is_row = matches!(hir.exprs[pointer].kind, ExprKind::PtrAdd { .. });
        let Some(Storage::Vars(vars)) = self.locals.get(LocalId::from_usize(length as usize)) else {
            return None;
        };
        let &length = vars.first().filter(|_| is_row)?;
        let length = self.var(length);
        Some(self.lw.convert(length, Type::Int(self.lw.difference_type())))
    }

    /// The array that a pointer comes from, or that a variable was made a pointer to and always is. A member that is no
    /// array is one of a single element (6.5.6 p7).
    fn decayed(&mut self, pointer: hir::ExprId) -> Option<PlaceId> {
        let hir = self.hir();
        let element = |pointer: hir::ExprId| hir.types.pointee(hir.exprs[pointer].ty).map(|to| to.ty);
        let decayed = |mut pointer: hir::ExprId| {
            let wanted = element(pointer);
            // A cast to `const`.
            while let ExprKind::Cast(CastKind::PointerToPointer, inner) = hir.exprs[pointer].kind {
                pointer = inner;
            }
            match hir.exprs[pointer].kind {
                ExprKind::Decay(array) if element(pointer) == wanted => Some(array),
                ExprKind::AddressOf(place) if element(pointer) == wanted => {
                    let is_member = matches!(hir.places[place].kind, PlaceKind::Field { .. });
                    (is_member && !hir.types.is_array(hir.places[place].ty.ty)).then_some(place)
                }
                _ => None,
            }
        };
        let ExprKind::Load(variable) = hir.exprs[pointer].kind else { return decayed(pointer) };
        let PlaceKind::Local(local) = hir.places[variable].kind else { return None };
        if let Some(&known) = self.decayed.get(&local) {
            return known;
        }
        let first = self.initial_value(pointer).filter(|&first| element(first) == element(pointer));
        let array = first.and_then(decayed);
        self.decayed.insert(local, array);
        array
    }

    /// Whether no value of the integer is below zero or above `most`, by the type that it had at first.
    fn cannot_exceed(&self, mut index: ExprId, most: i128) -> bool {
        let exprs = &self.lw.out.exprs;
        let is_within = |e| exprs.ty(e).as_int().is_some_and(|int| !int.signed && int.max() <= most as u128);
        while let ir::Expr::Cast(_, inner) = exprs.get(index) {
            if is_within(index) {
                return true;
            }
            index = inner;
        }
        is_within(index)
    }

    /// Whether the index, or what it is the negative of, is between 0 and `most`, if there is a most.
    fn lies_within(&mut self, index: ExprId, negative: bool, most: Option<ExprId>) -> ExprId {
        let ty = Type::Int(self.lw.difference_type());
        let mut index = self.lw.convert(index, ty);
        if negative {
            index = self.lw.negate(index);
        }
        let zero = self.lw.zero(ty);
        let above = self.lw.binary(BinaryOp::Le, zero, index);
        let Some(most) = most else { return above };
        let below = self.lw.binary(BinaryOp::Le, index, most);
        self.lw.binary(BinaryOp::And, above, below)
    }

    /// Whether the pointers evidently point into different objects.
    pub fn are_apart(&self, a: hir::ExprId, b: hir::ExprId) -> bool {
        matches!((self.named_object(a), self.named_object(b)), (Some(a), Some(b)) if a != b)
    }

    /// Whether the object of the first pointer lies before that of the second, if they evidently point into different
    /// ones: C does not say it (6.5.8 p5), so it is an input, the same whenever the two are compared.
    pub fn comes_first(&mut self, a: hir::ExprId, b: hir::ExprId) -> Option<ExprId> {
        let (x, y) = (self.named_object(a)?, self.named_object(b)?);
        if x == y || self.checks(CheckKind::Pointer) || self.has_effects(a) || self.has_effects(b) {
            return None;
        }
        let (first, second) = (x.min(y), x.max(y));
        let [is_known, order] = self.lw.order_of(self.function, first, second);
        let any = self.unmodelled(Type::Bool, "the order of objects in memory");
        let (known, before) = (self.var(is_known), self.var(order));
        let value = self.lw.ite(known, before, any);
        self.assign(order, value);
        let yes = self.lw.out.exprs.bool(true);
        self.assign(is_known, yes);
        let before = self.var(order);
        Some(if x == first { before } else { self.lw.out.exprs.unary(craig_program::UnaryOp::Not, before) })
    }

    /// The variable that a pointer points into, by the way in which it is written.
    fn named_object(&self, mut pointer: hir::ExprId) -> Option<NamedObject> {
        let hir = self.hir();
        while let ExprKind::Cast(CastKind::PointerToPointer, inner) = hir.exprs[pointer].kind {
            pointer = inner;
        }
        let mut place = match hir.exprs[pointer].kind {
            ExprKind::AddressOf(place) => place,
            _ => array_of(hir, pointer)?,
        };
        loop {
            match hir.places[place].kind {
                PlaceKind::Local(local) => return Some((true, local.index())),
                PlaceKind::Global(global) => return Some((false, global.index())),
                PlaceKind::Field { record, .. } => place = record,
                PlaceKind::Deref(pointer) => place = array_of(hir, pointer)?,
                _ => return None,
            }
        }
    }

    /// As many bytes as an object can have.
    pub fn require_size(&mut self, size: ExprId) {
        let ty = self.lw.difference_type();
        let mut known = size;
        while let ir::Expr::Cast(_, inner) = self.lw.out.exprs.get(known) {
            known = inner;
        }
        let is_small = |e| {
            let exprs = &self.lw.out.exprs;
            exprs.ty(e).as_int().is_some_and(|int| !int.signed && int.bits < ty.bits)
        };
        if is_small(size) || is_small(known) {
            return;
        }
        let (zero, size) = (self.lw.zero(Type::Int(ty)), self.lw.convert(size, Type::Int(ty)));
        let is_possible = match self.lw.out.exprs.as_const(size) {
            Some(size) => self.lw.out.exprs.bool(size >= 0),
            None => self.lw.binary(BinaryOp::Le, zero, size),
        };
        self.require(CheckKind::Memory, is_possible, "more bytes than any object has");
    }

    /// A pointer that is followed is aligned as the type asks.
    pub fn require_alignment(&mut self, pointer: hir::ExprId, address: ExprId, ty: TypeId) {
        // Elements of an array are aligned as the array is.
        if !self.checks(CheckKind::Alignment) || array_of(self.hir(), pointer).is_some() {
            return;
        }
        let align = self.hir().types.align_of(ty);
        if align < 2 {
            return;
        }
        let word = Type::Int(self.lw.size_type());
        let number = self.lw.convert(address, word);
        let (align_value, zero) = (self.lw.constant(word, i128::from(align)), self.lw.zero(word));
        let rest = self.lw.binary(BinaryOp::Rem, number, align_value);
        let aligned = self.lw.binary(BinaryOp::Eq, rest, zero);
        let text = format!("`{}` is not aligned to {align} bytes", self.source_text(pointer));
        self.require(CheckKind::Alignment, aligned, text);
    }
}

/// What indices of an array must keep to that is not all of its object: a member with others around it, or a row.
struct Bounds {
    /// None for the last member of a record that a pointer leads to, which may be as long as its memory: flexible ones, and
    /// others by an old custom that compilers keep.
    most: Option<i128>,
}

/// The bounds of an array of known length; none where [`ir::instrument`] sees every access beyond it.
fn bounds_of_part(hir: &hir::Program, array: PlaceId) -> Option<Bounds> {
    let types = &hir.types;
    let ty = hir.places[array].ty.ty;
    let (length, size) = match types.array(ty) {
        None => (1, types.size_of(ty)?),
        Some((_, ArrayLength::Known(length))) => (length, types.size_of(ty)?),
        Some((_, ArrayLength::Unknown)) => (0, 0),
        Some((_, ArrayLength::Variable(_))) => return None,
    };
    let mut begin = 0;
    let mut place = array;
    let mut is_last = true;
    let goes_on = loop {
        match hir.places[place].kind {
            PlaceKind::Field { record: outer, field } => {
                let record = types.as_record(hir.places[outer].ty.ty)?;
                let fields = types.fields(record);
                begin += fields.get(field)?.offset;
                is_last &= types.record(record).kind == RecordKind::Union || field + 1 == fields.len();
                place = outer;
            }
            // A row, or a member of an element: there are others.
            PlaceKind::Deref(pointer) => {
                break !is_last || place == array || array_of(hir, pointer).is_some();
            }
            PlaceKind::Local(_) | PlaceKind::Global(_) => {
                break begin + size < types.size_of(hir.places[place].ty.ty)?;
            }
            _ => break !is_last,
        }
    };
    // One without a length is as long as its memory.
    let most = (goes_on && length > 0).then(|| i128::from(length) - 1);
    (most.is_some() || begin > 0).then_some(Bounds { most })
}

/// Whether the place is a variable, what one points to, or a member of these: it is found twice with no effect.
fn is_plain(hir: &hir::Program, mut place: PlaceId) -> bool {
    while let PlaceKind::Field { record, .. } = hir.places[place].kind {
        place = record;
    }
    match hir.places[place].kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => true,
        PlaceKind::Deref(pointer) => matches!(hir.exprs[pointer].kind, ExprKind::Load(variable)
            if matches!(hir.places[variable].kind, PlaceKind::Local(_) | PlaceKind::Global(_))),
        _ => false,
    }
}
