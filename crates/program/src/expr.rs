//! Expressions: without side effects, hash-consed, typed.

use crate::ir::{DataModel, RegionId, VarId};
use crate::types::{FloatType, IntType, Type};
use craig_base::{IndexVec, Map, index_type};

index_type!(
    /// An expression in the arena of its program.
    pub ExprId, "e"
);

/// An expression. Its meaning is that of C for operands that already have the common type:
///
/// - Integer operations have operands and result of one [`IntType`]; shifts take the type of the
///   left operand. Unsigned results are taken modulo 2^n. Where a signed result does not fit, the
///   program's [`Arithmetic`](crate::Arithmetic) decides: the path ends (C's undefined behaviour,
///   assumed away), the result wraps, or integers are unbounded. A shift to the left loses the bits
///   that leave the type in any case, as gcc defines it (`1 << 31` is `INT_MIN`), unless integers are
///   unbounded.
/// - Division and remainder truncate towards zero; a zero divisor ends the path, as does a shift
///   by less than zero or at least the width, and `INT_MIN / -1`.
/// - Comparisons, and the logical operators on [`Type::Bool`], yield [`Type::Bool`].
///   [`BinaryOp::And`], [`BinaryOp::Or`] and [`BinaryOp::Xor`] are bitwise on integers and logical
///   on Booleans; both operands are evaluated.
/// - `Pointer + integer` and `Pointer - integer` move by bytes; `Pointer - Pointer` is the distance
///   in bytes, as a signed integer of pointer width. Pointers compare like unsigned addresses.
/// - [`Expr::Cast`] converts between any two types: to integers modulo 2^n (a Boolean is 0 or 1),
///   to `Bool` and to `_Bool` by comparison with zero, between pointers and integers by address.
///   A Boolean is never cast to a type without 1 (a signed bit-field of one bit) but by way of one
///   that has it, so that the cast of a Boolean is 0 or 1 for everybody.
/// - [`Expr::Load`] reads the value of type `ty` at the address in the region. A read outside of a
///   live object yields an arbitrary value.
/// - [`Expr::Ite`] evaluates only the operand that it chooses: what would end the path in the
///   other one does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant of integer, pointer or Boolean type. `unsigned __int128` holds the bit pattern.
    Const(Type, i128),
    /// The bits of a floating-point constant.
    Float(FloatType, u128),
    Var(VarId),
    Load {
        region: RegionId,
        addr: ExprId,
        ty: Type,
    },
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    Cast(Type, ExprId),
    Ite(ExprId, ExprId, ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Neg,
    /// Bitwise complement of an integer, negation of a Boolean.
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
}

impl BinaryOp {
    /// Every operator.
    pub const ALL: [BinaryOp; 14] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
    ];

    pub fn is_comparison(self) -> bool {
        matches!(self, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le)
    }

    pub fn is_bitwise(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
    }
}

/// The arena of a program's expressions. Equal expressions have equal ids.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: IndexVec<ExprId, (Expr, Type)>,
    ids: Map<Expr, ExprId>,
}

impl Exprs {
    pub fn get(&self, id: ExprId) -> Expr {
        self.nodes[id].0
    }

    pub fn ty(&self, id: ExprId) -> Type {
        self.nodes[id].1
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn intern(&mut self, expr: Expr, ty: Type) -> ExprId {
        *self.ids.entry(expr).or_insert_with(|| self.nodes.push((expr, ty)))
    }

    pub fn constant(&mut self, ty: Type, value: i128) -> ExprId {
        let value = match ty {
            Type::Int(int) => int.wrap(value),
            Type::Bool => i128::from(value != 0),
            Type::Pointer | Type::Float(_) => value,
        };
        self.intern(Expr::Const(ty, value), ty)
    }

    pub fn int(&mut self, ty: IntType, value: i128) -> ExprId {
        self.constant(Type::Int(ty), value)
    }

    pub fn bool(&mut self, value: bool) -> ExprId {
        self.constant(Type::Bool, i128::from(value))
    }

    pub fn float(&mut self, ty: FloatType, bits: u128) -> ExprId {
        self.intern(Expr::Float(ty, bits), Type::Float(ty))
    }

    /// `ty` must be the declared type of the variable.
    pub fn var(&mut self, var: VarId, ty: Type) -> ExprId {
        self.intern(Expr::Var(var), ty)
    }

    pub fn load(&mut self, region: RegionId, addr: ExprId, ty: Type) -> ExprId {
        debug_assert_eq!(self.ty(addr), Type::Pointer);
        self.intern(Expr::Load { region, addr, ty }, ty)
    }

    /// What is converted, however often.
    pub fn without_casts(&self, mut id: ExprId) -> ExprId {
        while let Expr::Cast(_, inner) = self.get(id) {
            id = inner;
        }
        id
    }

    pub fn as_const(&self, id: ExprId) -> Option<i128> {
        match self.get(id) {
            Expr::Const(_, value) => Some(value),
            _ => None,
        }
    }

    /// Negation of a condition, pushed into comparisons of anything but floats (`!(a < b)` is not
    /// `b <= a` for a NaN).
    pub fn not(&mut self, cond: ExprId) -> ExprId {
        debug_assert_eq!(self.ty(cond), Type::Bool);
        match self.get(cond) {
            Expr::Const(_, value) => self.bool(value == 0),
            Expr::Unary(UnaryOp::Not, inner) => inner,
            Expr::Binary(BinaryOp::Eq, a, b) => self.binary(BinaryOp::Ne, a, b, DataModel::Lp64),
            Expr::Binary(BinaryOp::Ne, a, b) => self.binary(BinaryOp::Eq, a, b, DataModel::Lp64),
            Expr::Binary(op @ (BinaryOp::Lt | BinaryOp::Le), a, b) if !self.ty(a).is_float() => {
                let flipped = if op == BinaryOp::Lt { BinaryOp::Le } else { BinaryOp::Lt };
                self.intern(Expr::Binary(flipped, b, a), Type::Bool)
            }
            _ => self.intern(Expr::Unary(UnaryOp::Not, cond), Type::Bool),
        }
    }

    pub fn unary(&mut self, op: UnaryOp, a: ExprId) -> ExprId {
        let ty = self.ty(a);
        match (op, ty) {
            (UnaryOp::Not, Type::Bool) => self.not(a),
            _ => self.intern(Expr::Unary(op, a), ty),
        }
    }

    /// `model` gives the width of a pointer difference.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, model: DataModel) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let ty = match op {
            _ if op.is_comparison() => Type::Bool,
            BinaryOp::Sub if (ta, tb) == (Type::Pointer, Type::Pointer) => {
                Type::Int(IntType::signed(model.pointer_bits()))
            }
            _ => ta,
        };
        debug_assert!(
            ta == tb || matches!(op, BinaryOp::Shl | BinaryOp::Shr) || ta == Type::Pointer,
            "operands of {op:?} have types {ta} and {tb}"
        );
        if ty == Type::Bool
            && let Some(folded) = self.fold_condition(op, a, b)
        {
            return folded;
        }
        self.intern(Expr::Binary(op, a, b), ty)
    }

    /// Whether evaluating it cannot fail. What can must stay in the program, though its value does not matter: there is
    /// something to be checked.
    fn is_total(&self, id: ExprId) -> bool {
        self.postorder(&[id]).into_iter().all(|part| match self.get(part) {
            Expr::Const(..) | Expr::Float(..) | Expr::Var(_) | Expr::Ite(..) => true,
            Expr::Load { .. } => false,
            Expr::Unary(op, _) => op == UnaryOp::Not,
            Expr::Binary(op, ..) => {
                op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
            }
            Expr::Cast(_, inner) => !self.ty(inner).is_float(),
        })
    }

    /// Collapses the chains `(x == y ? 1 : 0) != 0` that C programs are full of.
    fn fold_condition(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                if a == b && !self.ty(a).is_float() && self.is_total(a) {
                    return Some(self.bool(op == BinaryOp::Eq));
                }
                let (cond, value) = match (self.get(a), self.get(b)) {
                    (Expr::Const(ta, x), Expr::Const(tb, y)) if ta == tb => {
                        return Some(self.bool((x == y) == (op == BinaryOp::Eq)));
                    }
                    (Expr::Cast(_, c), Expr::Const(_, v)) | (Expr::Const(_, v), Expr::Cast(_, c))
                        if self.ty(c) == Type::Bool =>
                    {
                        (c, v)
                    }
                    _ => return None,
                };
                Some(match (value, op == BinaryOp::Eq) {
                    (0, true) | (1, false) => self.not(cond),
                    (1, true) | (0, false) => cond,
                    _ if !self.is_total(cond) => return None,
                    (_, equal) => self.bool(!equal),
                })
            }
            BinaryOp::And | BinaryOp::Or => {
                let absorbing = i128::from(op == BinaryOp::Or);
                match (self.as_const(a), self.as_const(b)) {
                    (Some(v), _) if v == absorbing => Some(self.bool(v != 0)),
                    (_, Some(v)) if v == absorbing => self.is_total(a).then(|| self.bool(v != 0)),
                    (Some(_), _) => Some(b),
                    (_, Some(_)) => Some(a),
                    _ => (a == b).then_some(a),
                }
            }
            _ => None,
        }
    }

    pub fn cast(&mut self, ty: Type, a: ExprId) -> ExprId {
        let from = self.ty(a);
        if from == ty {
            return a;
        }
        match (self.get(a), ty) {
            (Expr::Const(Type::Int(_) | Type::Bool, value), Type::Int(IntType::BOOL)) => {
                self.constant(ty, i128::from(value != 0))
            }
            (Expr::Const(Type::Int(_) | Type::Bool, value), Type::Int(_)) => self.constant(ty, value),
            (Expr::Const(_, value), Type::Bool) => self.bool(value != 0),
            // A truth value survives every conversion to an integer and back.
            (Expr::Cast(Type::Int(_), inner), _)
                if self.ty(inner) == Type::Bool && matches!(ty, Type::Int(_) | Type::Bool) =>
            {
                self.cast(ty, inner)
            }
            (_, Type::Int(int)) if from == Type::Bool && int.max() == 0 => {
                let number = self.cast(Type::Int(IntType::U8), a);
                self.intern(Expr::Cast(ty, number), ty)
            }
            _ => self.intern(Expr::Cast(ty, a), ty),
        }
    }

    pub fn ite(&mut self, cond: ExprId, a: ExprId, b: ExprId) -> ExprId {
        debug_assert_eq!(self.ty(cond), Type::Bool);
        debug_assert_eq!(self.ty(a), self.ty(b));
        match self.get(cond) {
            Expr::Const(_, value) => {
                if value != 0 {
                    a
                } else {
                    b
                }
            }
            _ if a == b && self.is_total(cond) => a,
            _ => {
                let ty = self.ty(a);
                self.intern(Expr::Ite(cond, a, b), ty)
            }
        }
    }

    /// The operands, outermost first from left to right.
    pub fn operands(&self, id: ExprId) -> impl Iterator<Item = ExprId> + use<> {
        let slots = match self.get(id) {
            Expr::Const(..) | Expr::Float(..) | Expr::Var(_) => [None; 3],
            Expr::Load { addr: a, .. } | Expr::Unary(_, a) | Expr::Cast(_, a) => [Some(a), None, None],
            Expr::Binary(_, a, b) => [Some(a), Some(b), None],
            Expr::Ite(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        slots.into_iter().flatten()
    }

    /// Every distinct subexpression of `roots`, operands before their users.
    pub fn postorder(&self, roots: &[ExprId]) -> Vec<ExprId> {
        let mut order = Vec::new();
        let mut seen = craig_base::Set::default();
        let mut stack: Vec<(ExprId, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((id, operands_done)) = stack.pop() {
            if operands_done {
                order.push(id);
            } else if seen.insert(id) {
                stack.push((id, true));
                let operands: Vec<ExprId> = self.operands(id).collect();
                stack.extend(operands.into_iter().rev().map(|operand| (operand, false)));
            }
        }
        order
    }

    /// `root` with every node rebuilt by `leaf` where it returns something, and from its rewritten
    /// operands otherwise. Memoised in `memo`, which must only be reused with the same `leaf`.
    pub fn rewrite(
        &mut self,
        root: ExprId,
        model: DataModel,
        memo: &mut Map<ExprId, ExprId>,
        leaf: &mut dyn FnMut(&mut Exprs, ExprId) -> Option<ExprId>,
    ) -> ExprId {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if memo.contains_key(&id) {
                stack.pop();
                continue;
            }
            if let Some(replacement) = leaf(self, id) {
                memo.insert(id, replacement);
                stack.pop();
                continue;
            }
            let pending: Vec<ExprId> =
                self.operands(id).filter(|operand| !memo.contains_key(operand)).collect();
            if !pending.is_empty() {
                stack.extend(pending);
                continue;
            }
            let rebuilt = match self.get(id) {
                Expr::Const(..) | Expr::Float(..) | Expr::Var(_) => id,
                Expr::Load { region, addr, ty } => self.load(region, memo[&addr], ty),
                Expr::Unary(op, a) => self.unary(op, memo[&a]),
                Expr::Binary(op, a, b) => self.binary(op, memo[&a], memo[&b], model),
                Expr::Cast(ty, a) => self.cast(ty, memo[&a]),
                Expr::Ite(c, a, b) => self.ite(memo[&c], memo[&a], memo[&b]),
            };
            memo.insert(id, rebuilt);
            stack.pop();
        }
        memo[&root]
    }
}
