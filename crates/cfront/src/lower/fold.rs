//! Constructors of IR expressions that fold constants where the result is exact in every arithmetic.

use craig_num::Extended;
use craig_program as ir;
use ir::{BinaryOp, Expr, ExprId, Type, UnaryOp};

use super::Lowering;

impl Lowering<'_> {
    pub fn constant(&mut self, ty: Type, value: i128) -> ExprId {
        match ty {
            Type::Float(float) => self.out.exprs.float(float, value as u128),
            _ => self.out.exprs.constant(ty, value),
        }
    }

    pub fn zero(&mut self, ty: Type) -> ExprId {
        self.constant(ty, 0)
    }

    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        // Bits that are shifted out are lost.
        let wraps = op == BinaryOp::Shl && self.out.arithmetic != ir::Arithmetic::Ideal;
        let exprs = &mut self.out.exprs;
        if let (Expr::Const(Type::Int(ty), x), Expr::Const(Type::Int(tb), y)) = (exprs.get(a), exprs.get(b)) {
            if let Some(value) =
                fold_int(op, ty, x, y).map(|value| if wraps { ty.wrap(value) } else { value })
                && ty.bits < 128
                && ty.wrap(value) == value
            {
                return exprs.int(ty, value);
            }
            if ty == tb && ty.bits < 128 {
                match op {
                    BinaryOp::Lt => return exprs.bool(x < y),
                    BinaryOp::Le => return exprs.bool(x <= y),
                    _ => {}
                }
            }
        }
        exprs.binary(op, a, b, self.out.data_model)
    }

    pub fn negate(&mut self, a: ExprId) -> ExprId {
        match self.out.exprs.get(a) {
            Expr::Const(Type::Int(ty), x) if ty.bits < 128 && ty.wrap(-x) == -x => self.out.exprs.int(ty, -x),
            _ => self.out.exprs.unary(UnaryOp::Neg, a),
        }
    }

    /// `pointer + offset` for a constant offset; offsets add up.
    pub fn offset(&mut self, pointer: ExprId, offset: i128) -> ExprId {
        if offset == 0 {
            return pointer;
        }
        let ty = self.difference_type();
        match self.out.exprs.get(pointer) {
            Expr::Const(Type::Pointer, address) => {
                if let Some(sum) = address.checked_add(offset).filter(|&sum| self.same_object(address, sum)) {
                    return self.out.exprs.constant(Type::Pointer, sum);
                }
            }
            Expr::Binary(BinaryOp::Add, base, by) => {
                if let Expr::Const(_, known) = self.out.exprs.get(by) {
                    let sum = known + offset;
                    if sum == 0 {
                        return base;
                    }
                    if ty.wrap(sum) == sum {
                        let sum = self.out.exprs.int(ty, sum);
                        return self.binary(BinaryOp::Add, base, sum);
                    }
                }
            }
            _ => {}
        }
        let offset = self.out.exprs.int(ty, offset);
        self.binary(BinaryOp::Add, pointer, offset)
    }

    /// Whether both are addresses within one static object, or the second is right after it.
    fn same_object(&self, inside: i128, other: i128) -> bool {
        let objects = self.out.objects.as_slice();
        let after = objects.partition_point(|object| i128::from(object.address) <= inside);
        let Some(object) = after.checked_sub(1).map(|i| &objects[i]) else { return false };
        let range = i128::from(object.address)..=i128::from(object.address + object.size);
        range.contains(&inside) && range.contains(&other)
    }

    /// Conversion between scalar types as C does it.
    pub fn convert(&mut self, value: ExprId, ty: Type) -> ExprId {
        let from = self.out.exprs.ty(value);
        if from == ty {
            return value;
        }
        let (size, difference) = (self.size_type(), self.difference_type());
        match (from, ty) {
            (_, Type::Bool) => self.truth(value),
            (_, Type::Int(ir::IntType::BOOL)) => {
                let truth = self.truth(value);
                self.out.exprs.cast(ty, truth)
            }
            (Type::Int(int), Type::Pointer) => {
                let word = if int.signed { difference } else { size };
                let word = self.out.exprs.cast(Type::Int(word), value);
                match self.out.exprs.get(word) {
                    Expr::Const(_, address) => self.out.exprs.constant(Type::Pointer, size.wrap(address)),
                    // A pointer that went through an integer of its own width is itself.
                    Expr::Cast(_, inner) if self.out.exprs.ty(inner) == Type::Pointer => inner,
                    _ => self.out.exprs.cast(Type::Pointer, word),
                }
            }
            (Type::Bool, Type::Pointer) => {
                let word = self.out.exprs.cast(Type::Int(size), value);
                self.out.exprs.cast(Type::Pointer, word)
            }
            (Type::Pointer, Type::Int(int)) => match self.out.exprs.get(value) {
                // The address of an object stays visible as one.
                Expr::Const(_, address) if address < i128::from(self.out.data_model.first_address()) => {
                    self.out.exprs.int(int, address)
                }
                _ => {
                    let word = self.out.exprs.cast(Type::Int(size), value);
                    self.out.exprs.cast(ty, word)
                }
            },
            // No conversion in C, but mismatched calls can ask for it: by way of an integer.
            (Type::Pointer, Type::Float(_)) => {
                let word = self.out.exprs.cast(Type::Int(size), value);
                self.out.exprs.cast(ty, word)
            }
            (Type::Float(_), Type::Pointer) => {
                let word = self.out.exprs.cast(Type::Int(size), value);
                self.out.exprs.cast(Type::Pointer, word)
            }
            _ => self.out.exprs.cast(ty, value),
        }
    }

    /// The value of a bit-field of type `field` that is assigned a value, where `declared` is the type it is
    /// declared with. The unsigned type of one bit is also that of `_Bool`, which compares instead of
    /// truncating.
    pub fn narrow(&mut self, value: ExprId, field: Type, declared: Type) -> ExprId {
        let value = self.convert(value, declared);
        match field {
            Type::Int(int) if field != declared => self.lowest_bits(value, int),
            _ => self.convert(value, field),
        }
    }

    /// An integer modulo 2^n, as the type of n bits.
    pub fn lowest_bits(&mut self, value: ExprId, ty: ir::IntType) -> ExprId {
        if ty == ir::IntType::BOOL
            && let from @ Type::Int(_) = self.out.exprs.ty(value)
        {
            let one = self.constant(from, 1);
            let bit = self.binary(BinaryOp::And, value, one);
            return self.out.exprs.cast(Type::Int(ty), bit);
        }
        self.out.exprs.cast(Type::Int(ty), value)
    }

    /// Whether a scalar is not zero.
    pub fn truth(&mut self, value: ExprId) -> ExprId {
        let ty = self.out.exprs.ty(value);
        if ty == Type::Bool {
            return value;
        }
        if let Expr::Cast(Type::Int(_), inner) = self.out.exprs.get(value)
            && self.out.exprs.ty(inner) == Type::Bool
        {
            return inner;
        }
        let zero = self.zero(ty);
        self.binary(BinaryOp::Ne, value, zero)
    }
}

/// The exact result; the caller checks that it fits.
fn fold_int(op: BinaryOp, ty: ir::IntType, x: i128, y: i128) -> Option<i128> {
    let shift = || u32::try_from(y).ok().filter(|&n| n < u32::from(ty.bits));
    match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::Div => x.checked_div(y),
        BinaryOp::Rem => x.checked_rem(y),
        BinaryOp::And => Some(x & y),
        BinaryOp::Or => Some(x | y),
        BinaryOp::Xor => Some(x ^ y),
        BinaryOp::Shl => shift().and_then(|n| x.checked_mul(1i128.checked_shl(n)?)),
        BinaryOp::Shr => shift().map(|n| x >> n),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => None,
    }
}

impl Lowering<'_> {
    /// The scalar all of whose bytes in memory are `byte`.
    pub fn repeated_byte(&mut self, ty: Type, byte: u8) -> ExprId {
        let pattern = i128::from_le_bytes([byte; 16]);
        match ty {
            Type::Int(_) => self.constant(ty, pattern),
            Type::Pointer => {
                let address = self.size_type().wrap(pattern);
                self.constant(ty, address)
            }
            Type::Float(float) => self.constant(ty, pattern & !(-1 << (8 * float.bytes()))),
            Type::Bool => self.constant(ty, i128::from(byte != 0)),
        }
    }
}

impl Lowering<'_> {
    pub fn float(&mut self, ty: Type, value: Extended) -> ExprId {
        let float = match ty {
            Type::Float(float) => float,
            _ => ir::FloatType::F64,
        };
        self.out.exprs.float(float, float.nearest(value))
    }

    pub fn ite(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        // `c ? 1 : 0` is the truth value itself.
        if let Type::Int(_) = self.out.exprs.ty(then)
            && let (Some(a), Some(b)) = (self.out.exprs.as_const(then), self.out.exprs.as_const(otherwise))
        {
            let ty = self.out.exprs.ty(then);
            if (a, b) == (1, 0) {
                return self.out.exprs.cast(ty, condition);
            }
            if (a, b) == (0, 1) {
                let not = self.out.exprs.not(condition);
                return self.out.exprs.cast(ty, not);
            }
        }
        self.out.exprs.ite(condition, then, otherwise)
    }
}
