//! Initialisers: of locals as statements, of globals as initial values.

use craig_num::Extended;
use std::collections::BTreeMap;
use std::rc::Rc;

use craig_program as ir;
use ir::{ExprId, IntType, Type};

use super::body::{Body, Value};
use super::layout::{Leaf, Piece, leaf_type, scalar_bytes};
use super::visit::{self, Node};
use super::{ANY_REGION, Lowering, Storage};
use crate::hir::{
    self, CastKind, ExprKind, GlobalId, InitItem, InitValue, Initializer, LocalId, PlaceId, PlaceKind, Text,
    UnaryOp,
};
use crate::types::{ArrayLength, QualType, TypeId};

/// No scalar is larger.
const MAX_SCALAR_BYTES: u64 = 16;
/// Zeros in arrays with more elements are written by a loop.
const MAX_ZEROS: u64 = 64;

impl Body<'_, '_> {
    /// Gives a local, which exists already, the value of the initialiser.
    pub fn initialize(&mut self, local: LocalId, init: &Initializer) {
        let Some(function) = self.function else { return };
        let Some(body) = &self.hir().functions[function].body else { return };
        let ty = body.locals[local].ty.ty;
        let end = |item: &InitItem| item.offset + self.hir().types.size_of(item.ty).unwrap_or(0);
        let is_record = |item: &InitItem| self.hir().types.as_record(item.ty).is_some();
        let mut pairs = init.items.windows(2);
        if pairs.any(|pair| is_record(&pair[0]) && end(&pair[0]) > pair[1].offset) {
            // C11 6.7.9 p19, as clang has it; for gcc the rest of the record is zero.
            let text = "a designator that replaces part of a record leaves the rest of it";
            let at = self.span;
            self.lw.note(ir::NoteKind::Assumption, at, text.to_string());
        }
        if init.replaced.iter().any(|&value| self.has_effects(value)) {
            let text = "a value that a later one of the same initialiser replaces is not evaluated";
            let at = self.span;
            self.lw.note(ir::NoteKind::Assumption, at, text.to_string());
        }
        self.values_in_either_order(init);
        match self.locals[local].clone() {
            Storage::Vars(vars) => self.initialize_vars(&vars, ty, init),
            Storage::Memory(address) => {
                let sealed = self.seal(address, body.locals[local].ty);
                self.set_sealed(sealed, false);
                self.initialize_memory(address, ty, init);
                self.set_sealed(sealed, true);
            }
        }
    }

    /// For an automatic object that is declared `const`: what says that it is written no more.
    fn seal(&mut self, address: ExprId, ty: QualType) -> Option<ir::VarId> {
        let ir::Expr::Var(object) = self.lw.out.exprs.get(address) else { return None };
        self.lw.is_constant(ty).then(|| self.sealed(object))
    }

    /// What says that the automatic object, by the variable of its address, is written no more.
    pub(super) fn sealed(&mut self, object: ir::VarId) -> ir::VarId {
        if let Some(&sealed) = self.lw.sealed.get(&object) {
            return sealed;
        }
        let name = format!(".sealed{}", self.lw.out.vars[object].name);
        let sealed = self.lw.new_global(name, Type::Bool, 0, self.span);
        self.lw.sealed.insert(object, sealed);
        sealed
    }

    pub(super) fn set_sealed(&mut self, sealed: Option<ir::VarId>, value: bool) {
        let value = self.lw.out.exprs.bool(value);
        if let Some(sealed) = sealed {
            self.assign(sealed, value);
        }
    }

    /// Values of a list are evaluated in any order (C11 6.7.9 p23).
    fn values_in_either_order(&mut self, init: &Initializer) {
        let mut values: Vec<hir::ExprId> = Vec::new();
        for item in &init.items {
            // A range of elements has one value.
            if let InitValue::Expr(value) = item.value
                && values.last() != Some(&value)
            {
                values.push(value);
            }
        }
        let known = self.one_by_one(&values);
        self.initial_values = values.into_iter().zip(known.unwrap_or_default()).collect();
    }

    fn item_value(&mut self, id: hir::ExprId) -> Value {
        match self.initial_values.remove(&id) {
            Some(value) => value,
            None => self.value(id),
        }
    }

    /// The value of an item and of the parts that it sets: (leaf relative to the item, value).
    fn item_values(&mut self, item: &InitItem) -> Vec<(Leaf, ExprId)> {
        let mut parts = Vec::new();
        let leaf = |offset, ty| Leaf { offset, bits: item.bits, ty, path: String::new() };
        match &item.value {
            InitValue::Text(text) => {
                for (offset, ty, value) in text_items(self.hir(), item.ty, text) {
                    let scalar = self.lw.scalar_type(ty).unwrap_or(Type::I32);
                    parts.push((leaf(offset, ty), self.lw.constant(scalar, value)));
                }
            }
            InitValue::Expr(value) => match self.item_value(*value) {
                Value::Scalar(value) => parts.push((leaf(0, item.ty), value)),
                Value::Leaves(values) => {
                    parts.extend(self.leaves(item.ty).iter().cloned().zip(values));
                }
                Value::Void | Value::Memory(_) => {}
            },
        }
        parts
    }

    fn initialize_vars(&mut self, vars: &[ir::VarId], ty: TypeId, init: &Initializer) {
        let leaves = self.leaves(ty);
        let mut values: Vec<Option<ExprId>> = vec![None; leaves.len()];
        let mut repeated: Option<(hir::ExprId, Vec<(Leaf, ExprId)>)> = None;
        for (position, item) in init.items.iter().enumerate() {
            let parts = match (&repeated, &item.value) {
                (Some((known, parts)), InitValue::Expr(value)) if known == value => parts.clone(),
                _ => {
                    let mut parts = self.item_values(item);
                    if position + 1 < init.items.len() {
                        for part in &mut parts {
                            part.1 = self.freeze_unless_sole(part.1, init);
                        }
                    }
                    parts
                }
            };
            if let InitValue::Expr(value) = item.value {
                repeated = Some((value, parts.clone()));
            }
            for (part, value) in parts {
                let offset = item.offset + part.offset;
                if let Some(index) = leaves.iter().position(|l| l.offset == offset && l.bits == part.bits) {
                    values[index] = Some(value);
                }
            }
        }
        for ((&var, value), leaf) in vars.iter().zip(values).zip(leaves.iter()) {
            let ty = leaf_type(&self.hir().types, leaf).unwrap_or(Type::I32);
            let value = value.unwrap_or_else(|| self.lw.zero(ty));
            let declared = self.lw.scalar_type(leaf.ty).unwrap_or(ty);
            let value = if leaf.bits.is_some() { self.lw.narrow(value, ty, declared) } else { value };
            if vars.len() == 1 {
                self.assign_once(var, value);
            } else {
                self.assign(var, value);
            }
        }
    }

    /// Values of earlier items must survive the effects of later ones.
    fn freeze_unless_sole(&mut self, value: ExprId, init: &Initializer) -> ExprId {
        let effects = init.items.iter().any(|item| match item.value {
            InitValue::Expr(value) => self.care(super::visit::Node::Expr(value)).effects,
            InitValue::Text(_) => false,
        });
        if effects { self.freeze(value) } else { value }
    }

    fn initialize_memory(&mut self, address: ExprId, ty: TypeId, init: &Initializer) {
        let address = self.freeze(address);
        let size = self.hir().types.size_of(ty).unwrap_or(0);
        let covered = Covered::new(self.hir(), init);
        let pieces = self.lw.layouts.pieces(&self.hir().types, ty);
        self.zero_uncovered(address, 0, &pieces, &covered);
        let mut repeated: Option<(hir::ExprId, Vec<(Leaf, ExprId)>)> = None;
        for item in &init.items {
            if let InitValue::Expr(value) = item.value
                && self.lw.scalar_type(item.ty).is_none()
                && self.lw.layouts.leaves(&self.hir().types, item.ty).is_none()
            {
                if let Value::Memory(from) = self.item_value(value) {
                    let to = self.lw.offset(address, i128::from(item.offset));
                    self.copy_memory(to, from, item.ty);
                }
                continue;
            }
            let parts = match (&repeated, &item.value) {
                (Some((known, parts)), InitValue::Expr(value)) if known == value => parts.clone(),
                (_, InitValue::Expr(_)) => {
                    let mut parts = self.item_values(item);
                    for part in &mut parts {
                        part.1 = self.freeze_if_repeated(part.1, item, init);
                    }
                    parts
                }
                _ => self.item_values(item),
            };
            if let InitValue::Expr(value) = item.value {
                repeated = Some((value, parts.clone()));
            }
            for (part, value) in parts {
                let leaf = Leaf { offset: item.offset + part.offset, ..part };
                self.store_leaf(address, &leaf, size, value);
            }
        }
    }

    fn freeze_if_repeated(&mut self, value: ExprId, item: &InitItem, init: &Initializer) -> ExprId {
        let InitValue::Expr(expr) = item.value else { return value };
        let uses = init.items.iter().filter(|i| matches!(i.value, InitValue::Expr(e) if e == expr)).take(2);
        if uses.count() > 1 { self.freeze(value) } else { value }
    }

    fn zero_uncovered(&mut self, base: ExprId, offset: u64, pieces: &[Piece], covered: &Covered) {
        let pointer_bytes = self.lw.pointer_bytes();
        for piece in pieces {
            match piece {
                Piece::Scalar { offset: at, ty } => {
                    let start = offset + at;
                    if !covered.contains(start, scalar_bytes(*ty, pointer_bytes)) {
                        let address = self.lw.offset(base, i128::from(start));
                        let zero = self.lw.zero(*ty);
                        self.store_scalar(address, *ty, zero);
                    }
                }
                Piece::Repeat { offset: at, count, stride, pieces } => {
                    let start = offset + at;
                    if covered.contains(start, count * stride) {
                        continue;
                    }
                    if *count <= MAX_ZEROS {
                        for i in 0..*count {
                            self.zero_uncovered(base, start + i * stride, pieces, covered);
                        }
                    } else {
                        let from = self.lw.offset(base, i128::from(start));
                        let whole = Piece::Repeat {
                            offset: 0,
                            count: *count,
                            stride: *stride,
                            pieces: Rc::clone(pieces),
                        };
                        self.fill_pieces(from, &[whole], 0);
                    }
                }
            }
        }
    }
}

/// The bytes that an initialiser sets.
struct Covered {
    /// Disjoint, in order.
    ranges: Vec<(u64, u64)>,
}

impl Covered {
    fn new(hir: &hir::Program, init: &Initializer) -> Covered {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for item in &init.items {
            // Bit-fields share their bytes with zeros, texts may be shorter than their array.
            let size = match (&item.value, item.bits) {
                (_, Some(_)) => continue,
                (InitValue::Text(text), None) => {
                    let element = hir.types.array(item.ty).map(|(element, _)| element.ty);
                    let size = element.and_then(|ty| hir.types.size_of(ty)).unwrap_or(1);
                    size * text_len(text) as u64
                }
                (InitValue::Expr(_), None) => hir.types.size_of(item.ty).unwrap_or(0),
            };
            match ranges.last_mut() {
                Some(last) if last.1 == item.offset => last.1 += size,
                _ => ranges.push((item.offset, item.offset + size)),
            }
        }
        Covered { ranges }
    }

    fn contains(&self, start: u64, size: u64) -> bool {
        let after = self.ranges.partition_point(|range| range.0 <= start);
        after > 0 && self.ranges[after - 1].1 >= start + size
    }
}

fn text_len(text: &Text) -> usize {
    match text {
        Text::Bytes(bytes) => bytes.len(),
        Text::Wide(units) => units.len(),
    }
}

/// The elements of a text: offset, element type, value.
fn text_items(hir: &hir::Program, array: TypeId, text: &Text) -> Vec<(u64, TypeId, i128)> {
    let element = hir.types.array(array).map_or(TypeId::CHAR, |(element, _)| element.ty);
    let size = hir.types.size_of(element).unwrap_or(1);
    let wrap = |value: i128| hir.types.int_info(element).map_or(value, |info| info.wrap(value));
    let item = |(i, value): (usize, i128)| (i as u64 * size, element, wrap(value));
    match text {
        Text::Bytes(bytes) => bytes.iter().map(|&b| i128::from(b)).enumerate().map(item).collect(),
        Text::Wide(units) => units.iter().map(|&u| i128::from(u)).enumerate().map(item).collect(),
    }
}

impl Lowering<'_> {
    /// The size of a global, and of what its initialiser puts into a flexible array member.
    pub fn size_with_initializer(&self, global: &hir::Global) -> Option<u64> {
        let types = &self.hir.types;
        let size = types.size_of(global.ty.ty)?;
        let last = types.as_record(global.ty.ty).and_then(|record| types.fields(record).last());
        let flexible = last.and_then(|field| match types.array(field.ty.ty)? {
            (element, ArrayLength::Unknown) => Some((field.offset, types.size_of(element.ty)?)),
            _ => None,
        });
        let (Some((start, element)), Some(init)) = (flexible, &global.init) else { return Some(size) };
        let end = init.items.iter().map(|item| {
            let set = match &item.value {
                // And the terminating zero.
                InitValue::Text(text) => (text_items(self.hir, item.ty, text).len() as u64 + 1) * element,
                InitValue::Expr(_) => types.size_of(item.ty).unwrap_or(0),
            };
            item.offset + set
        });
        let beyond = end.max().unwrap_or(0).saturating_sub(start);
        Some(size.max(start + beyond.next_multiple_of(element.max(1))))
    }

    /// Sets the initial values of the variables of a global.
    pub fn init_global_vars(&mut self, id: GlobalId) {
        let global = &self.hir.globals[id];
        let Some(Storage::Vars(vars)) = self.globals[id].clone() else { return };
        let Some(init) = &global.init else { return };
        let leaves = self.layouts.leaves(&self.hir.types, global.ty.ty).unwrap_or_default();
        for (offset, bits, ty, value) in self.constant_items(init) {
            let found = leaves.iter().position(|leaf| leaf.offset == offset && leaf.bits == bits);
            let Some(index) = found else { continue };
            let var = vars[index];
            let value = match self.out.vars[var].ty {
                Type::Int(int) => int.wrap(value),
                _ => value,
            };
            debug_assert!(self.scalar_type(ty).is_some());
            self.out.vars[var].scope = ir::Scope::Global { init: value };
        }
    }

    /// The initial contents of a global in memory.
    pub fn init_global_memory(&mut self, id: GlobalId) -> Vec<(u64, ir::RegionId, Type, i128)> {
        let Some(init) = &self.hir.globals[id].init else { return Vec::new() };
        let mut contents: Vec<(u64, ir::RegionId, Type, i128)> = Vec::new();
        // Bytes of bit-fields, and the storage units that accesses will use.
        let mut bytes: BTreeMap<u64, i128> = BTreeMap::new();
        let mut units: Vec<(u64, u64)> = Vec::new();
        for (offset, bits, ty, value) in self.constant_items(init) {
            let Some(scalar) = self.scalar_type(ty) else { continue };
            let Some(bits) = bits else {
                contents.push((offset, ANY_REGION, scalar, value));
                continue;
            };
            let pattern = (IntType::unsigned(bits.width as u8).wrap(value) as u128) << bits.offset;
            for byte in bits.offset / 8..(bits.offset + bits.width).div_ceil(8) {
                let part = ((pattern >> (8 * byte)) & 0xff) as i128;
                *bytes.entry(offset + u64::from(byte)).or_default() |= part;
            }
            let unit = scalar_bytes(scalar, self.pointer_bytes());
            if units.last() != Some(&(offset, unit)) {
                units.push((offset, unit));
            }
        }
        // A unit is one value unless it shares bytes with anything else, or reaches out of the object.
        let end = self.hir.types.size_of(self.hir.globals[id].ty.ty).unwrap_or(0);
        units.sort_unstable();
        units.dedup();
        let mut ranges: Vec<(u64, u64)> =
            contents.iter().map(|e| (e.0, scalar_bytes(e.2, self.pointer_bytes()))).collect();
        ranges.extend(&units);
        ranges.sort_unstable();
        for (start, size) in units {
            let first = ranges.partition_point(|range| range.0 + MAX_SCALAR_BYTES <= start);
            let near = ranges[first..].iter().take_while(|range| range.0 < start + size);
            let shared = near.filter(|range| range.0 + range.1 > start).count() > 1;
            if !shared && start + size <= end {
                let word =
                    (0..size).rev().fold(0, |word, i| word << 8 | bytes.remove(&(start + i)).unwrap_or(0));
                let ty = IntType::unsigned((size * 8).min(128) as u8);
                contents.push((start, ANY_REGION, Type::Int(ty), word));
            }
        }
        let byte = Type::Int(IntType::U8);
        contents.extend(bytes.into_iter().map(|(at, value)| (at, ANY_REGION, byte, value)));
        contents
    }

    /// The scalar parts of a constant initialiser: offset, bits, C type, value (floats as bits).
    fn constant_items(
        &mut self,
        init: &Initializer,
    ) -> Vec<(u64, Option<crate::types::BitField>, TypeId, i128)> {
        let mut parts = Vec::new();
        for item in &init.items {
            match &item.value {
                InitValue::Text(text) => {
                    for (offset, ty, value) in text_items(self.hir, item.ty, text) {
                        parts.push((item.offset + offset, None, ty, value));
                    }
                }
                InitValue::Expr(expr) => match self.static_value(*expr) {
                    Some(value) => parts.push((item.offset, item.bits, item.ty, value)),
                    None => {
                        let span = self.hir.exprs[*expr].span;
                        self.unsupported(span, "an initialiser of static storage that is no simple constant");
                    }
                },
            }
        }
        parts
    }

    /// The value of a constant expression: a number, an address, the bits of a float.
    fn static_value(&mut self, id: hir::ExprId) -> Option<i128> {
        let hir = self.hir;
        visit::walk(hir, &[Node::Expr(id)], &mut |node| {
            if let Node::Expr(expr) = node {
                self.uses_addresses |=
                    matches!(hir.exprs[expr].kind, ExprKind::Cast(CastKind::PointerToInt, _));
            }
            true
        });
        self.constant_value(id)
    }

    fn constant_value(&self, id: hir::ExprId) -> Option<i128> {
        let hir = self.hir;
        let expr = &hir.exprs[id];
        let info = hir.types.int_info(expr.ty);
        let wrap = |value: i128| info.map_or(value, |info| info.wrap(value));
        // A signed number that does not fit is no constant (6.6 p4).
        let in_range = |value: i128| {
            let wraps = self.out.arithmetic != ir::Arithmetic::AssumeNoOverflow;
            let fits = info.is_none_or(|info| !info.signed || info.contains(value) || wraps);
            fits.then(|| wrap(value))
        };
        Some(match &expr.kind {
            ExprKind::Int(value) => *value,
            ExprKind::Float(value) => float_bits(hir, expr.ty, *value)?,
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.constant_address(*place)?,
            ExprKind::FunctionAddress(function) => i128::from(self.function_addresses[*function]?),
            ExprKind::PtrAdd { pointer, index, negative, scale } => {
                let distance = self.constant_value(*index)?.checked_mul(i128::from(*scale))?;
                let pointer = self.constant_value(*pointer)?;
                if *negative { pointer.checked_sub(distance)? } else { pointer.checked_add(distance)? }
            }
            ExprKind::PtrDiff { left, right, scale } => {
                let distance = self.constant_value(*left)?.checked_sub(self.constant_value(*right)?)?;
                distance.checked_div(i128::from(*scale))?
            }
            ExprKind::Unary(UnaryOp::Neg, a) if !hir.types.is_float(expr.ty) => {
                in_range(self.constant_value(*a)?.checked_neg()?)?
            }
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let value = float_value(hir, expr.ty, self.constant_value(*a)?)?;
                float_bits(hir, expr.ty, value.negate())?
            }
            ExprKind::Unary(UnaryOp::BitNot, a) => wrap(!self.constant_value(*a)?),
            ExprKind::Unary(UnaryOp::LogicalNot, a) if !hir.types.is_float(hir.exprs[*a].ty) => {
                i128::from(self.constant_value(*a)? == 0)
            }
            ExprKind::Binary(op, a, b) if !hir.types.is_float(hir.exprs[*a].ty) => {
                use hir::BinaryOp::*;
                let (a, b) = (self.constant_value(*a)?, self.constant_value(*b)?);
                let bits = hir.types.int_info(expr.ty).map_or(64, |info| info.bits);
                let shift = || u32::try_from(b).ok().filter(|&by| by < bits);
                wrap(match op {
                    Add => in_range(a.checked_add(b)?)?,
                    Sub => in_range(a.checked_sub(b)?)?,
                    Mul => in_range(a.checked_mul(b)?)?,
                    Div => in_range(a.checked_div(b)?)?,
                    Rem => a.checked_rem(b)?,
                    Shl => a.checked_shl(shift()?)?,
                    Shr => a.checked_shr(shift()?)?,
                    BitAnd => a & b,
                    BitOr => a | b,
                    BitXor => a ^ b,
                    Eq => i128::from(a == b),
                    Ne => i128::from(a != b),
                    Lt => i128::from(a < b),
                    Le => i128::from(a <= b),
                    Gt => i128::from(a > b),
                    Ge => i128::from(a >= b),
                })
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let branch = if self.constant_value(*condition)? != 0 { then } else { otherwise };
                self.constant_value(*branch)?
            }
            ExprKind::Cast(kind, a) => {
                let value = self.constant_value(*a)?;
                let from = hir.exprs[*a].ty;
                match kind {
                    CastKind::IntToInt | CastKind::PointerToInt => wrap(value),
                    CastKind::IntToPointer => self.size_type().wrap(value),
                    CastKind::PointerToPointer => value,
                    CastKind::ToBool => i128::from(if hir.types.is_float(from) {
                        !float_value(hir, from, value)?.is_zero()
                    } else {
                        value != 0
                    }),
                    // Rounded once, whatever the type.
                    CastKind::IntToFloat => {
                        let is_wide = from == TypeId::UNSIGNED_INT128;
                        let number = match (expr.ty, is_wide) {
                            (TypeId::FLOAT, true) => Extended::from(value as u128 as f32),
                            (TypeId::FLOAT, false) => Extended::from(value as f32),
                            (TypeId::DOUBLE, true) => Extended::from(value as u128 as f64),
                            (TypeId::DOUBLE, false) => Extended::from(value as f64),
                            (_, true) => Extended::from_int(false, value as u128),
                            (_, false) => Extended::from_int(value < 0, value.unsigned_abs()),
                        };
                        float_bits(hir, expr.ty, number)?
                    }
                    CastKind::FloatToFloat => float_bits(hir, expr.ty, float_value(hir, from, value)?)?,
                    CastKind::FloatToInt => {
                        let (negative, magnitude) = float_value(hir, from, value)?.to_int()?;
                        wrap(if negative { (magnitude as i128).wrapping_neg() } else { magnitude as i128 })
                    }
                    CastKind::ToVoid => return None,
                }
            }
            _ => return None,
        })
    }

    fn constant_address(&self, place: PlaceId) -> Option<i128> {
        let hir = self.hir;
        match &hir.places[place].kind {
            PlaceKind::Global(global) => match self.globals[*global].as_ref()? {
                Storage::Memory(address) => self.out.exprs.as_const(*address),
                Storage::Vars(_) => None,
            },
            PlaceKind::Deref(pointer) => self.constant_value(*pointer),
            PlaceKind::Field { record, field } => {
                let id = hir.types.as_record(hir.places[*record].ty.ty)?;
                let offset = hir.types.fields(id).get(*field)?.offset;
                Some(self.constant_address(*record)? + i128::from(offset))
            }
            PlaceKind::Local(_) | PlaceKind::Initialized { .. } | PlaceKind::Temporary(_) => None,
        }
    }
}

fn float_type(hir: &hir::Program, ty: TypeId) -> Option<ir::FloatType> {
    match super::layout::scalar_type(&hir.types, ty)? {
        ir::Type::Float(float) => Some(float),
        _ => None,
    }
}

fn float_bits(hir: &hir::Program, ty: TypeId, value: Extended) -> Option<i128> {
    Some(float_type(hir, ty)?.nearest(value) as i128)
}

fn float_value(hir: &hir::Program, ty: TypeId, bits: i128) -> Option<Extended> {
    Some(float_type(hir, ty)?.number(bits as u128))
}
