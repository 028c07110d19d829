//! Built-in functions of the compiler.

use craig_num::Extended;
use craig_program as ir;
use ir::{BinaryOp, ExprId, IntType, Type};

use super::body::{Body, Value};
use crate::hir::{self, AtomicOp, Builtin};
use crate::types::TypeId;

impl Body<'_, '_> {
    pub fn builtin(&mut self, builtin: Builtin, args: &[hir::ExprId], result_type: TypeId) -> Value {
        let arguments = self.arguments(args);
        let types: Vec<TypeId> = arguments.iter().map(|(_, ty)| *ty).collect();
        let mut values = Vec::new();
        for (value, ty) in arguments {
            let scalar = self.lw.scalar_type(ty).unwrap_or(Type::I32);
            let value = self.scalar_of(value, scalar);
            values.push(self.freeze(value));
        }
        let result = match (builtin, values.as_slice()) {
            (Builtin::Unreachable | Builtin::Trap, _) => {
                if builtin == Builtin::Unreachable {
                    self.undefined("`__builtin_unreachable()` is reached");
                }
                self.halt();
                return self.any_value(result_type, ir::InputSource::Uninitialised);
            }
            (Builtin::VaStart, &[list, ..]) => {
                let first = match self.extra {
                    Some(var) => self.var(var),
                    None => self.lw.zero(Type::Pointer),
                };
                self.store_scalar(list, Type::Pointer, first);
                return Value::Void;
            }
            (Builtin::VaCopy, &[to, from]) => {
                let value = self.load_scalar(from, Type::Pointer);
                self.store_scalar(to, Type::Pointer, value);
                return Value::Void;
            }
            // The list is used no more, unless it begins again.
            (Builtin::VaEnd, &[list]) => {
                let none = self.lw.zero(Type::Pointer);
                self.store_scalar(list, Type::Pointer, none);
                return Value::Void;
            }
            (Builtin::VaEnd | Builtin::Fence | Builtin::Nop, _) => return Value::Void,
            (Builtin::Bswap16, &[x]) => self.swap_bytes(x, 2),
            (Builtin::Bswap32, &[x]) => self.swap_bytes(x, 4),
            (Builtin::Bswap64, &[x]) => self.swap_bytes(x, 8),
            (Builtin::CountLeadingZeros, &[x]) => {
                self.require_a_bit(x);
                self.first_bit(x, |bits, i| (bits - 1 - i, i128::from(i)), None)
            }
            (Builtin::CountTrailingZeros, &[x]) => {
                self.require_a_bit(x);
                self.first_bit(x, |_, i| (i, i128::from(i)), None)
            }
            (Builtin::FindFirstSet, &[x]) => self.first_bit(x, |_, i| (i, i128::from(i) + 1), Some(0)),
            (Builtin::CountOnes, &[x]) => self.count_ones(x),
            (Builtin::Parity, &[x]) => {
                let ones = self.count_ones(x);
                let one = self.lw.out.exprs.int(IntType::I32, 1);
                self.lw.binary(BinaryOp::And, ones, one)
            }
            (Builtin::CountLeadingSignBits, &[x]) => self.leading_sign_bits(x),
            (Builtin::AddOverflow, &[a, b, to]) => self.checked(BinaryOp::Add, a, b, to, types[2]),
            (Builtin::SubOverflow, &[a, b, to]) => self.checked(BinaryOp::Sub, a, b, to, types[2]),
            (Builtin::MulOverflow, &[a, b, to]) => self.checked(BinaryOp::Mul, a, b, to, types[2]),
            (Builtin::FetchAnd(op), &[at, ..]) => self.atomic(op, at, values.get(1), types[0]).0,
            (Builtin::AndFetch(op), &[at, ..]) => self.atomic(op, at, values.get(1), types[0]).1,
            (Builtin::CompareAndSwapBool, &[at, expected, new, ..]) => {
                self.compare_and_swap(at, expected, new, types[0]).1
            }
            (Builtin::CompareAndSwapValue, &[at, expected, new, ..]) => {
                self.compare_and_swap(at, expected, new, types[0]).0
            }
            (Builtin::CompareExchange, &[at, expected, new]) => {
                let pointee = self.hir().types.pointee(types[0]).map_or(TypeId::INT, |to| to.ty);
                let ty = self.lw.scalar_type(pointee).unwrap_or(Type::I32);
                let wanted = self.load_scalar(expected, ty);
                let (old, equal) = self.compare_and_swap(at, wanted, new, types[0]);
                let (other, end) = (self.new_location(), self.new_location());
                self.split(equal, end, other);
                self.here = other;
                self.store_scalar(expected, ty, old);
                self.arrive(end);
                equal
            }
            (Builtin::Alloca, &[size]) => self.alloca(size),
            (Builtin::VariableArray, &[size]) => {
                self.require_size(size);
                self.variable_array(size)
            }
            (Builtin::IsNan, &[x]) => self.lw.binary(BinaryOp::Ne, x, x),
            (Builtin::IsInf, &[x]) => {
                let (positive, negative) = self.infinities(x);
                self.either(positive, negative)
            }
            (Builtin::IsFinite, &[x]) => {
                let (low, high) = self.finite_range(x);
                self.both(low, high)
            }
            (Builtin::IsUnordered, &[x, y]) => {
                let (x, y) = (self.lw.binary(BinaryOp::Ne, x, x), self.lw.binary(BinaryOp::Ne, y, y));
                self.either(x, y)
            }
            (Builtin::IsLess, &[x, y]) => self.lw.binary(BinaryOp::Lt, x, y),
            (Builtin::IsLessEqual, &[x, y]) => self.lw.binary(BinaryOp::Le, x, y),
            (Builtin::IsGreater, &[x, y]) => self.lw.binary(BinaryOp::Lt, y, x),
            (Builtin::IsGreaterEqual, &[x, y]) => self.lw.binary(BinaryOp::Le, y, x),
            (Builtin::IsLessGreater, &[x, y]) => {
                let (less, greater) =
                    (self.lw.binary(BinaryOp::Lt, x, y), self.lw.binary(BinaryOp::Lt, y, x));
                self.either(less, greater)
            }
            _ => return self.unknown_builtin(builtin, result_type),
        };
        match self.lw.scalar_type(result_type) {
            Some(ty) => Value::Scalar(self.lw.convert(result, ty)),
            None => Value::Void,
        }
    }

    fn unknown_builtin(&mut self, builtin: Builtin, result_type: TypeId) -> Value {
        let at = self.span;
        let what = format!("{builtin:?}");
        self.lw.note(ir::NoteKind::OverApproximation, at, format!("the built-in {what} returns any value"));
        self.any_value(result_type, ir::InputSource::Unmodelled(what.as_str().into()))
    }

    fn both(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.lw.binary(BinaryOp::And, a, b)
    }

    fn either(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.lw.binary(BinaryOp::Or, a, b)
    }

    fn infinities(&mut self, x: ExprId) -> (ExprId, ExprId) {
        let ty = self.lw.out.exprs.ty(x);
        let (plus, minus) =
            (self.lw.float(ty, Extended::INFINITY), self.lw.float(ty, Extended::INFINITY.negate()));
        (self.lw.binary(BinaryOp::Eq, x, plus), self.lw.binary(BinaryOp::Eq, x, minus))
    }

    fn finite_range(&mut self, x: ExprId) -> (ExprId, ExprId) {
        let ty = self.lw.out.exprs.ty(x);
        let (plus, minus) =
            (self.lw.float(ty, Extended::INFINITY), self.lw.float(ty, Extended::INFINITY.negate()));
        (self.lw.binary(BinaryOp::Lt, minus, x), self.lw.binary(BinaryOp::Lt, x, plus))
    }

    /// The value as an unsigned integer of its own width.
    fn unsigned(&mut self, x: ExprId) -> (ExprId, IntType) {
        let bits = self.lw.out.exprs.ty(x).as_int().map_or(32, |int| int.bits);
        let ty = IntType::unsigned(bits);
        (self.lw.convert(x, Type::Int(ty)), ty)
    }

    fn bit(&mut self, x: ExprId, ty: IntType, i: u8) -> ExprId {
        let mask = self.lw.out.exprs.int(ty, 1i128 << i);
        let bit = self.lw.binary(BinaryOp::And, x, mask);
        self.lw.truth(bit)
    }

    fn swap_bytes(&mut self, x: ExprId, bytes: u8) -> ExprId {
        let ty = IntType::unsigned(bytes * 8);
        let x = self.lw.convert(x, Type::Int(ty));
        let mut all = self.lw.out.exprs.int(ty, 0);
        for i in 0..bytes {
            let from = self.lw.out.exprs.int(ty, 8 * i128::from(i));
            let to = self.lw.out.exprs.int(ty, 8 * i128::from(bytes - 1 - i));
            let mask = self.lw.out.exprs.int(ty, 0xff);
            let byte = self.lw.binary(BinaryOp::Shr, x, from);
            let byte = self.lw.binary(BinaryOp::And, byte, mask);
            let byte = self.lw.binary(BinaryOp::Shl, byte, to);
            all = self.lw.binary(BinaryOp::Or, all, byte);
        }
        all
    }

    /// Where the first bit is that is set is undefined if there is none.
    fn require_a_bit(&mut self, x: ExprId) {
        let some = self.lw.truth(x);
        self.require(ir::CheckKind::Memory, some, "zero has no bit that is set");
    }

    /// The value of the first bit that is set, in an order of bits: `order(width, n)` is the n-th bit and its
    /// value. Without any bit: `none`, or undefined.
    fn first_bit(&mut self, x: ExprId, order: fn(u8, u8) -> (u8, i128), none: Option<i128>) -> ExprId {
        let (x, ty) = self.unsigned(x);
        if none.is_none() {
            let (some, nothing) = (self.new_location(), self.new_location());
            let not_zero = self.lw.truth(x);
            self.split(not_zero, some, nothing);
            self.here = some;
        }
        let mut result = self.lw.out.exprs.int(IntType::I32, none.unwrap_or(0));
        for n in (0..ty.bits).rev() {
            let (bit, value) = order(ty.bits, n);
            let is_set = self.bit(x, ty, bit);
            let value = self.lw.out.exprs.int(IntType::I32, value);
            result = self.lw.ite(is_set, value, result);
        }
        result
    }

    fn count_ones(&mut self, x: ExprId) -> ExprId {
        let (x, ty) = self.unsigned(x);
        let mut sum = self.lw.out.exprs.int(IntType::I32, 0);
        for i in 0..ty.bits {
            let bit = self.bit(x, ty, i);
            let bit = self.lw.out.exprs.cast(Type::I32, bit);
            sum = self.lw.binary(BinaryOp::Add, sum, bit);
        }
        sum
    }

    fn leading_sign_bits(&mut self, x: ExprId) -> ExprId {
        let (x, ty) = self.unsigned(x);
        let sign = self.bit(x, ty, ty.bits - 1);
        let mut result = self.lw.out.exprs.int(IntType::I32, i128::from(ty.bits) - 1);
        for i in 0..ty.bits - 1 {
            let bit = self.bit(x, ty, i);
            let differs = self.lw.binary(BinaryOp::Ne, bit, sign);
            let value = self.lw.out.exprs.int(IntType::I32, i128::from(ty.bits) - 2 - i128::from(i));
            result = self.lw.ite(differs, value, result);
        }
        result
    }

    /// Computes exactly in 128 bits, stores the wrapped result where `to` is a pointer, returns whether it differs.
    fn checked(&mut self, op: BinaryOp, a: ExprId, b: ExprId, to: ExprId, pointer: TypeId) -> ExprId {
        let int = |ty: Type| ty.as_int().unwrap_or(IntType::I32);
        let (ta, tb) = (int(self.lw.out.exprs.ty(a)), int(self.lw.out.exprs.ty(b)));
        let pointee = self.hir().types.pointee(pointer).map(|to| to.ty);
        let target = self.lw.scalar_type(pointee.unwrap_or(pointer)).unwrap_or(Type::I32);
        // Only the product of two unsigned numbers can exceed 127 bits.
        let wide = if op == BinaryOp::Mul && !ta.signed && !tb.signed {
            Type::Int(IntType::unsigned(128))
        } else {
            Type::Int(IntType::signed(128))
        };
        let (a, b) = (self.lw.convert(a, wide), self.lw.convert(b, wide));
        let exact = self.lw.binary(op, a, b);
        let exact = self.freeze(exact);
        let wrapped = self.lw.convert(exact, target);
        if pointee.is_some() {
            self.store_scalar(to, target, wrapped);
        }
        let back = self.lw.convert(wrapped, wide);
        self.lw.binary(BinaryOp::Ne, back, exact)
    }

    /// Reads, computes, writes; the old and the new value.
    fn atomic(
        &mut self,
        op: AtomicOp,
        at: ExprId,
        value: Option<&ExprId>,
        pointer: TypeId,
    ) -> (ExprId, ExprId) {
        let pointee = self.hir().types.pointee(pointer).map_or(TypeId::INT, |to| to.ty);
        let ty = self.lw.scalar_type(pointee).unwrap_or(Type::I32);
        let old = self.load_scalar(at, ty);
        let old = self.freeze(old);
        let zero = self.lw.zero(ty);
        let value = value.map_or(zero, |&value| self.lw.convert(value, ty));
        // Atomic arithmetic wraps, signed or not.
        let (wrapping, int) = match ty {
            Type::Int(int) => (Type::Int(IntType::unsigned(int.bits)), true),
            _ => (Type::Int(self.lw.size_type()), false),
        };
        let (x, y) = (self.lw.convert(old, wrapping), self.lw.convert(value, wrapping));
        let new = match op {
            AtomicOp::Exchange => value,
            AtomicOp::Add | AtomicOp::Sub if !int => {
                let distance = self.lw.convert(value, Type::Int(self.lw.difference_type()));
                let op = if op == AtomicOp::Add { BinaryOp::Add } else { BinaryOp::Sub };
                self.lw.binary(op, old, distance)
            }
            AtomicOp::Add => self.lw.binary(BinaryOp::Add, x, y),
            AtomicOp::Sub => self.lw.binary(BinaryOp::Sub, x, y),
            AtomicOp::And => self.lw.binary(BinaryOp::And, x, y),
            AtomicOp::Or => self.lw.binary(BinaryOp::Or, x, y),
            AtomicOp::Xor => self.lw.binary(BinaryOp::Xor, x, y),
            AtomicOp::Nand => {
                let and = self.lw.binary(BinaryOp::And, x, y);
                self.lw.out.exprs.unary(ir::UnaryOp::Not, and)
            }
        };
        let new = self.lw.convert(new, ty);
        let new = self.freeze(new);
        self.store_scalar(at, ty, new);
        (old, new)
    }

    /// The old value and whether it was swapped.
    fn compare_and_swap(
        &mut self,
        at: ExprId,
        expected: ExprId,
        new: ExprId,
        pointer: TypeId,
    ) -> (ExprId, ExprId) {
        let pointee = self.hir().types.pointee(pointer).map_or(TypeId::INT, |to| to.ty);
        let ty = self.lw.scalar_type(pointee).unwrap_or(Type::I32);
        let old = self.load_scalar(at, ty);
        let old = self.freeze(old);
        let expected = self.lw.convert(expected, ty);
        self.lw.compares_addresses |= self.lw.out.exprs.ty(old) == Type::Pointer;
        let equal = self.lw.binary(BinaryOp::Eq, old, expected);
        let equal = self.freeze(equal);
        let (swap, end) = (self.new_location(), self.new_location());
        self.split(equal, swap, end);
        self.here = swap;
        self.store_scalar(at, ty, new);
        self.arrive(end);
        (old, equal)
    }
}
