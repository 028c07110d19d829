//! Places: lvalues as variables or addresses; reading and writing them; copies.

use std::rc::Rc;

use craig_program as ir;
use ir::{BinaryOp, ExprId, IntType, Type, VarId};

use super::Storage;
use super::body::{Body, Value};
use super::layout::{Leaf, Piece, leaf_type};
use super::reach::constant_element;
use crate::hir::{PlaceId, PlaceKind};
use crate::types::{BitField, TypeId};

/// A lowered lvalue.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// The variables of its leaves.
    Vars(Vec<VarId>),
    Memory(ExprId),
    Bits(Bits),
    /// A value that is not in memory.
    Value(Value),
}

/// A bit-field in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits {
    /// Of the storage unit.
    address: ExprId,
    /// The unit's type, unsigned.
    unit: IntType,
    /// The bit-field's own type.
    field: IntType,
    /// The type it is declared with.
    declared: IntType,
    /// The position in the unit.
    shift: u32,
    /// The unit is not wholly inside of the record, or the bit-field not inside of the unit: only the
    /// bytes of the bit-field itself are touched.
    bytewise: bool,
}

impl Body<'_, '_> {
    pub fn place(&mut self, id: PlaceId) -> Target {
        let hir = self.hir();
        if let Some((base, index)) = constant_element(hir, id) {
            let base_target = self.place(base);
            let Some(index) = index else { return base_target };
            let ty = hir.places[id].ty.ty;
            return match base_target {
                Target::Vars(vars) => {
                    let count = self.leaves(ty).len();
                    let first = index as usize * count;
                    Target::Vars(vars.get(first..first + count).unwrap_or_default().to_vec())
                }
                Target::Memory(address) => {
                    let size = hir.types.size_of(ty).unwrap_or(0);
                    Target::Memory(self.lw.offset(address, i128::from(index) * i128::from(size)))
                }
                Target::Value(Value::Leaves(values)) => {
                    let count = self.leaves(ty).len();
                    let first = index as usize * count;
                    self.part_of_value(values, first, ty)
                }
                Target::Value(Value::Memory(address)) => {
                    let size = hir.types.size_of(ty).unwrap_or(0);
                    Target::Memory(self.lw.offset(address, i128::from(index) * i128::from(size)))
                }
                other => other,
            };
        }
        match &hir.places[id].kind {
            PlaceKind::Global(global) => match &self.lw.globals[*global] {
                Some(storage) => target(storage),
                None => Target::Vars(Vec::new()),
            },
            PlaceKind::Local(local) => target(&self.locals[*local]),
            PlaceKind::Deref(pointer) => {
                let address = self.followed(*pointer);
                self.require_alignment(*pointer, address, hir.places[id].ty.ty);
                Target::Memory(address)
            }
            PlaceKind::Field { record, field } => self.field(*record, *field, hir.places[id].ty.ty),
            PlaceKind::Initialized { local, init } => {
                self.begin_written_local(*local);
                self.initialize(*local, init);
                target(&self.locals[*local])
            }
            PlaceKind::Temporary(value) => Target::Value(self.value(*value)),
        }
    }

    fn field(&mut self, record: PlaceId, field: usize, ty: TypeId) -> Target {
        let record_type = self.hir().places[record].ty.ty;
        let base = self.place(record);
        match base {
            Target::Vars(vars) => {
                let first = self.first_leaf(record_type, field);
                let count = self.leaves(ty).len();
                Target::Vars(vars.get(first..first + count).unwrap_or_default().to_vec())
            }
            Target::Value(Value::Leaves(values)) => {
                let first = self.first_leaf(record_type, field);
                self.part_of_value(values, first, ty)
            }
            Target::Memory(address) | Target::Value(Value::Memory(address)) => {
                let types = &self.hir().types;
                let Some(record) = types.as_record(record_type) else { return Target::Memory(address) };
                let Some(member) = types.fields(record).get(field) else { return Target::Memory(address) };
                let address = self.lw.offset(address, i128::from(member.offset));
                match member.bits {
                    None => Target::Memory(address),
                    Some(bits) => {
                        let rest = types.size_of(record_type).unwrap_or(0).saturating_sub(member.offset);
                        Target::Bits(self.bits(address, bits, ty, rest))
                    }
                }
            }
            other => other,
        }
    }

    fn first_leaf(&mut self, record: TypeId, field: usize) -> usize {
        let types = &self.lw.hir.types;
        self.lw.layouts.first_leaf(types, record, field).unwrap_or(0)
    }

    fn part_of_value(&mut self, values: Vec<ExprId>, first: usize, ty: TypeId) -> Target {
        let count = self.leaves(ty).len();
        let part = values.get(first..first + count).unwrap_or_default();
        Target::Value(match self.lw.scalar_type(ty) {
            Some(scalar) => match part.first() {
                Some(&value) => Value::Scalar(self.lw.convert(value, scalar)),
                None => Value::Scalar(self.lw.zero(scalar)),
            },
            None => Value::Leaves(part.to_vec()),
        })
    }

    /// `rest` is the number of bytes from the unit to the end of the record.
    fn bits(&mut self, address: ExprId, bits: BitField, ty: TypeId, rest: u64) -> Bits {
        let declared = self.lw.scalar_type(ty).and_then(Type::as_int).unwrap_or(IntType::I32);
        let unit = IntType::unsigned((declared.bytes() * 8) as u8);
        let field = IntType { bits: bits.width as u8, signed: declared.signed };
        let crosses = bits.offset + bits.width > u32::from(unit.bits);
        let bytewise = crosses || u64::from(unit.bytes()) > rest;
        Bits { address, unit, field, declared, shift: bits.offset, bytewise }
    }

    pub fn leaves(&mut self, ty: TypeId) -> Rc<[Leaf]> {
        self.lw.layouts.leaves(&self.lw.hir.types, ty).unwrap_or_default()
    }

    /// The address of a place in memory; a value that is not gets a place.
    pub fn address(&mut self, target: Target, ty: TypeId) -> ExprId {
        match target {
            Target::Memory(address) | Target::Value(Value::Memory(address)) => address,
            Target::Bits(bits) => bits.address,
            Target::Value(value) => {
                let address = self.stack_temporary(ty);
                self.store(&Target::Memory(address), ty, value);
                address
            }
            // Only objects that the reachability analysis knows to be in memory have their address taken.
            Target::Vars(_) => self.lw.zero(Type::Pointer),
        }
    }

    /// The place, with its address in the variable if it is in memory.
    pub fn place_into(&mut self, id: PlaceId, var: VarId) -> Target {
        let target = self.place(id);
        let address = match &target {
            Target::Memory(address) => *address,
            Target::Bits(bits) => bits.address,
            Target::Vars(_) | Target::Value(_) => return self.freeze_target(target),
        };
        self.assign(var, address);
        let address = self.var(var);
        match target {
            Target::Bits(bits) => Target::Bits(Bits { address, ..bits }),
            _ => Target::Memory(address),
        }
    }

    /// The place will be used after other side effects.
    pub fn freeze_target(&mut self, target: Target) -> Target {
        match target {
            Target::Vars(vars) => Target::Vars(vars),
            Target::Memory(address) => Target::Memory(self.freeze(address)),
            Target::Bits(bits) => Target::Bits(Bits { address: self.freeze(bits.address), ..bits }),
            Target::Value(value) => Target::Value(self.freeze_value(value)),
        }
    }

    pub fn load(&mut self, target: &Target, ty: TypeId) -> Value {
        if let Some(scalar) = self.lw.scalar_type(ty) {
            let value = match target {
                Target::Vars(vars) => match vars.first() {
                    Some(&var) => self.var(var),
                    None => self.lw.zero(scalar),
                },
                Target::Memory(address) => self.load_scalar(*address, scalar),
                Target::Bits(bits) => self.load_bits(*bits),
                Target::Value(value) => self.scalar_of(value.clone(), scalar),
            };
            return Value::Scalar(self.lw.convert(value, scalar));
        }
        match target {
            Target::Vars(vars) => Value::Leaves(vars.iter().map(|&var| self.var(var)).collect()),
            Target::Value(value) => value.clone(),
            Target::Bits(bits) => Value::Memory(bits.address),
            Target::Memory(address) => {
                if self.hir().types.is_void(ty) {
                    return Value::Void;
                }
                if self.lw.layouts.leaves(&self.lw.hir.types, ty).is_none() {
                    return Value::Memory(*address);
                }
                let address = self.freeze(*address);
                Value::Leaves(self.load_leaves(address, ty))
            }
        }
    }

    fn load_leaves(&mut self, address: ExprId, ty: TypeId) -> Vec<ExprId> {
        let size = self.hir().types.size_of(ty).unwrap_or(0);
        let mut values = Vec::new();
        for leaf in self.leaves(ty).iter() {
            let at = self.lw.offset(address, i128::from(leaf.offset));
            values.push(match leaf.bits {
                Some(bits) => {
                    let bits = self.bits(at, bits, leaf.ty, size - leaf.offset);
                    self.load_bits(bits)
                }
                None => {
                    let ty = leaf_type(&self.hir().types, leaf).unwrap_or(Type::I32);
                    self.load_scalar(at, ty)
                }
            });
        }
        values
    }

    pub fn store_leaves(&mut self, address: ExprId, ty: TypeId, values: &[ExprId]) {
        let size = self.hir().types.size_of(ty).unwrap_or(0);
        for (leaf, &value) in self.leaves(ty).iter().zip(values) {
            self.store_leaf(address, leaf, size, value);
        }
    }

    /// `size` is that of the whole object.
    pub fn store_leaf(&mut self, address: ExprId, leaf: &Leaf, size: u64, value: ExprId) {
        let at = self.lw.offset(address, i128::from(leaf.offset));
        match leaf.bits {
            Some(bits) => {
                let bits = self.bits(at, bits, leaf.ty, size.saturating_sub(leaf.offset));
                self.store_bits(bits, value);
            }
            None => {
                let ty = leaf_type(&self.hir().types, leaf).unwrap_or(Type::I32);
                self.store_scalar(at, ty, value);
            }
        }
    }

    pub fn store(&mut self, target: &Target, ty: TypeId, value: Value) {
        match (target, value) {
            (Target::Vars(vars), Value::Scalar(value)) => {
                if let Some(&var) = vars.first() {
                    let declared = self.lw.scalar_type(ty).unwrap_or(Type::I32);
                    self.require_fits(value, self.lw.out.vars[var].ty);
                    let value = self.lw.narrow(value, self.lw.out.vars[var].ty, declared);
                    self.assign(var, value);
                }
            }
            (Target::Vars(vars), Value::Leaves(values)) => {
                // A later leaf may read what an earlier one writes.
                let values: Vec<ExprId> = match vars.len() {
                    1 => values,
                    _ => self.independent(values, vars),
                };
                for (&var, value) in vars.iter().zip(values) {
                    self.assign(var, value);
                }
            }
            (Target::Memory(address), Value::Scalar(value)) => {
                if let Some(scalar) = self.lw.scalar_type(ty) {
                    self.store_scalar(*address, scalar, value);
                }
            }
            (Target::Memory(address), Value::Leaves(values)) => {
                let address = self.freeze(*address);
                self.store_leaves(address, ty, &values);
            }
            (Target::Memory(address), Value::Memory(from)) => self.copy_memory(*address, from, ty),
            (Target::Bits(bits), Value::Scalar(value)) => self.store_bits(*bits, value),
            // An element of an array in a returned record (6.2.4 p8).
            (Target::Value(_), _) => self.undefined("what is no object is written"),
            // Values of `void` and of mismatched calls go nowhere.
            _ => {}
        }
    }

    /// The values, with those that read one of the variables frozen.
    fn independent(&mut self, values: Vec<ExprId>, vars: &[VarId]) -> Vec<ExprId> {
        let reads_itself = values.iter().zip(vars).any(|(&value, &var)| {
            self.lw.out.exprs.postorder(&[value]).iter().any(|&e| {
                matches!(self.lw.out.exprs.get(e), ir::Expr::Var(read) if read != var && vars.contains(&read))
            })
        });
        if reads_itself { values.into_iter().map(|value| self.freeze(value)).collect() } else { values }
    }

    fn load_bits(&mut self, bits: Bits) -> ExprId {
        let unit = self.load_unit(bits);
        let unit_type = self.lw.out.exprs.ty(unit);
        let shift = self.bit_shift(bits);
        let shift = self.lw.constant(unit_type, i128::from(shift));
        let shifted = self.shift(BinaryOp::Shr, unit, shift);
        self.lw.lowest_bits(shifted, bits.field)
    }

    /// Shifts by zero disappear.
    fn shift(&mut self, op: BinaryOp, value: ExprId, by: ExprId) -> ExprId {
        if self.lw.out.exprs.as_const(by) == Some(0) { value } else { self.lw.binary(op, value, by) }
    }

    /// The position of the bit-field within what [`Self::load_unit`] returns.
    fn bit_shift(&self, bits: Bits) -> u32 {
        if bits.bytewise { bits.shift % 8 } else { bits.shift }
    }

    /// Addresses of the bytes that hold the bit-field.
    fn bit_bytes(&mut self, bits: Bits) -> Vec<ExprId> {
        let first = bits.shift / 8;
        let end = (bits.shift + u32::from(bits.field.bits)).div_ceil(8);
        (first..end).map(|i| self.lw.offset(bits.address, i128::from(i))).collect()
    }

    /// The storage unit, or the bytes of the bit-field put together.
    fn load_unit(&mut self, bits: Bits) -> ExprId {
        if !bits.bytewise {
            return self.load_scalar(bits.address, Type::Int(bits.unit));
        }
        let bytes = self.bit_bytes(bits);
        let wide = Type::Int(IntType::unsigned(if bytes.len() <= 8 { 64 } else { 128 }));
        let mut all = self.lw.zero(wide);
        for (i, address) in bytes.into_iter().enumerate() {
            let byte = self.load_scalar(address, Type::Int(IntType::U8));
            let byte = self.lw.out.exprs.cast(wide, byte);
            let by = self.lw.constant(wide, 8 * i as i128);
            let byte = self.shift(BinaryOp::Shl, byte, by);
            all = if i == 0 { byte } else { self.lw.binary(BinaryOp::Or, all, byte) };
        }
        all
    }

    fn store_bits(&mut self, bits: Bits, value: ExprId) {
        self.require_fits(value, Type::Int(bits.field));
        let value = self.lw.narrow(value, Type::Int(bits.field), Type::Int(bits.declared));
        let unit = self.load_unit(bits);
        let ty = self.lw.out.exprs.ty(unit);
        let shift = self.bit_shift(bits);
        let mask = (IntType::unsigned(bits.field.bits).max() as i128) << shift;
        // By way of the unsigned type of the same width, so that no sign bits get in.
        let value = self.lw.out.exprs.cast(Type::Int(IntType::unsigned(bits.field.bits)), value);
        let value = self.lw.out.exprs.cast(ty, value);
        let by = self.lw.constant(ty, i128::from(shift));
        let value = self.shift(BinaryOp::Shl, value, by);
        let others = self.lw.constant(ty, !mask);
        let others = self.lw.binary(BinaryOp::And, unit, others);
        let new = self.lw.binary(BinaryOp::Or, others, value);
        if !bits.bytewise {
            self.store_scalar(bits.address, ty, new);
            return;
        }
        let new = self.freeze(new);
        for (i, address) in self.bit_bytes(bits).into_iter().enumerate() {
            let by = self.lw.constant(ty, 8 * i as i128);
            let byte = self.shift(BinaryOp::Shr, new, by);
            self.store_scalar(address, Type::Int(IntType::U8), byte);
        }
    }

    /// Copies an object of the type.
    pub fn copy_memory(&mut self, to: ExprId, from: ExprId, ty: TypeId) {
        if to == from {
            return;
        }
        let (to, from) = (self.freeze(to), self.freeze(from));
        let pieces = self.lw.layouts.pieces(&self.lw.hir.types, ty);
        self.copy_pieces(to, from, &pieces);
    }

    pub fn copy_pieces(&mut self, to: ExprId, from: ExprId, pieces: &[Piece]) {
        self.each_piece(&[to, from], pieces, &mut |body, at, ty| {
            let value = body.load_scalar(at[1], ty);
            body.store_scalar(at[0], ty, value);
        });
    }

    /// Sets every byte to `byte`.
    pub fn fill_pieces(&mut self, to: ExprId, pieces: &[Piece], byte: u8) {
        self.each_piece(&[to], pieces, &mut |body, at, ty| {
            let value = body.lw.repeated_byte(ty, byte);
            body.store_scalar(at[0], ty, value);
        });
    }

    /// Calls `f` with the addresses of each scalar piece in several objects of one layout.
    pub fn each_piece(
        &mut self,
        bases: &[ExprId],
        pieces: &[Piece],
        f: &mut dyn FnMut(&mut Self, &[ExprId], Type),
    ) {
        self.pieces_in_order(bases, pieces, false, f);
    }

    fn pieces_in_order(
        &mut self,
        bases: &[ExprId],
        pieces: &[Piece],
        backwards: bool,
        f: &mut dyn FnMut(&mut Self, &[ExprId], Type),
    ) {
        for i in 0..pieces.len() {
            match &pieces[if backwards { pieces.len() - 1 - i } else { i }] {
                Piece::Scalar { offset, ty } => {
                    let at: Vec<ExprId> =
                        bases.iter().map(|&base| self.lw.offset(base, i128::from(*offset))).collect();
                    f(self, &at, *ty);
                }
                Piece::Repeat { offset, count, stride, pieces } => {
                    let at: Vec<ExprId> =
                        bases.iter().map(|&base| self.lw.offset(base, i128::from(*offset))).collect();
                    let count = self.lw.constant(Type::Int(self.lw.difference_type()), i128::from(*count));
                    self.counted_loop(&at, count, *stride, pieces, backwards, f);
                }
            }
        }
    }

    /// A loop over `count` elements (of type `ptrdiff_t`) of `stride` bytes.
    pub fn repeat(
        &mut self,
        bases: &[ExprId],
        count: ExprId,
        stride: u64,
        pieces: &[Piece],
        f: &mut dyn FnMut(&mut Self, &[ExprId], Type),
    ) {
        self.counted_loop(bases, count, stride, pieces, false, f);
    }

    /// As [`Self::repeat`], the last element first, and its last part.
    pub fn repeat_backwards(
        &mut self,
        bases: &[ExprId],
        count: ExprId,
        stride: u64,
        pieces: &[Piece],
        f: &mut dyn FnMut(&mut Self, &[ExprId], Type),
    ) {
        self.counted_loop(bases, count, stride, pieces, true, f);
    }

    fn counted_loop(
        &mut self,
        bases: &[ExprId],
        count: ExprId,
        stride: u64,
        pieces: &[Piece],
        backwards: bool,
        f: &mut dyn FnMut(&mut Self, &[ExprId], Type),
    ) {
        let ty = self.lw.difference_type();
        let (zero, one) = (self.lw.out.exprs.int(ty, 0), self.lw.out.exprs.int(ty, 1));
        let bases: Vec<ExprId> = bases.iter().map(|&base| self.freeze(base)).collect();
        let count = self.freeze(count);
        let index = self.new_var(format!(".i.{}", self.proc.locals.len()), Type::Int(ty));
        self.assign(index, if backwards { count } else { zero });
        let (head, inside, after) = (self.new_location(), self.new_location(), self.new_location());
        self.arrive(head);
        let index_value = self.var(index);
        let more = if backwards {
            self.lw.binary(BinaryOp::Lt, zero, index_value)
        } else {
            self.lw.binary(BinaryOp::Lt, index_value, count)
        };
        self.split(more, inside, after);
        self.here = inside;
        if backwards {
            let next = self.lw.binary(BinaryOp::Sub, index_value, one);
            self.assign(index, next);
        }
        let stride = self.lw.out.exprs.int(ty, i128::from(stride));
        let distance = self.lw.binary(BinaryOp::Mul, index_value, stride);
        let at: Vec<ExprId> =
            bases.iter().map(|&base| self.lw.binary(BinaryOp::Add, base, distance)).collect();
        self.pieces_in_order(&at, pieces, backwards, f);
        if !backwards {
            let next = self.lw.binary(BinaryOp::Add, index_value, one);
            self.assign(index, next);
        }
        self.goto(head);
        self.here = after;
    }
}

fn target(storage: &Storage) -> Target {
    match storage {
        Storage::Vars(vars) => Target::Vars(vars.clone()),
        Storage::Memory(address) => Target::Memory(*address),
    }
}
