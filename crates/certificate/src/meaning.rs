//! The meaning of expressions as terms: the checker's own translation.
//!
//! It follows the documentation of [`craig_program::Expr`] and is deliberately written without a
//! look at the engines' encoder: a mistake would have to be made twice to go unnoticed. It aims at
//! being obviously right rather than small: no range analysis, no tricks. Every integer is an
//! `Int` term whose value lies in the range of its type. What has no exact meaning in linear
//! arithmetic (floating point, bit operations on two variables) yields an arbitrary value of its
//! type, restricted only by facts that always hold; where these are too few, [`Meaning::facts_at`] adds facts
//! about the operands of a model that is no execution.

use crate::inexact::Inexact;
use crate::state::State;
use craig_base::{Map, OrderedMap};
use craig_num::Int;
use craig_program::{Arithmetic, BinaryOp, Expr, ExprId, IntType, Program, Type, UnaryOp};
use craig_term::{TermId, Terms};

/// Translates expressions of one program, collecting what must hold for the path to go on.
pub struct Meaning<'p> {
    pub program: &'p Program,
    /// Facts about fresh constants, and conditions under which no behaviour is undefined.
    pub assumptions: Vec<TermId>,
    /// Results of operations that are not exact, so that equal operands give equal results.
    pub(crate) inexact: OrderedMap<(Inexact, TermId, TermId), TermId>,
}

impl<'p> Meaning<'p> {
    pub fn new(program: &'p Program) -> Self {
        Meaning { program, assumptions: Vec::new(), inexact: OrderedMap::default() }
    }

    /// The value of `root` in `state`; what it needs to be defined joins the assumptions. A
    /// floating-point value has no meaning here: its term is a constant that nothing is known about.
    pub fn value(&mut self, tm: &mut Terms, state: &State, root: ExprId) -> TermId {
        let mut outer = std::mem::take(&mut self.assumptions);
        let mut values: Map<ExprId, TermId> = Map::default();
        let mut defined: Map<ExprId, TermId> = Map::default();
        for id in self.program.exprs.postorder(&[root]) {
            let value = self.node(tm, state, id, &values);
            values.insert(id, value);
            let mut needs = std::mem::take(&mut self.assumptions);
            match self.program.exprs.get(id) {
                // Only the chosen operand is evaluated.
                Expr::Ite(c, a, b) => {
                    needs.push(defined[&c]);
                    needs.push(tm.ite(values[&c], defined[&a], defined[&b]));
                }
                _ => needs.extend(self.program.exprs.operands(id).map(|operand| defined[&operand])),
            }
            defined.insert(id, tm.and(&needs));
        }
        outer.push(defined[&root]);
        self.assumptions = outer;
        values[&root]
    }

    fn node(&mut self, tm: &mut Terms, state: &State, id: ExprId, values: &Map<ExprId, TermId>) -> TermId {
        let exprs = &self.program.exprs;
        let ty = exprs.ty(id);
        match exprs.get(id) {
            Expr::Const(Type::Bool, value) => tm.bool(value != 0),
            Expr::Const(Type::Int(IntType { bits: 128, signed: false }), value) => {
                let unsigned = if value < 0 { Int::from(value) + power(128) } else { Int::from(value) };
                tm.int(unsigned)
            }
            Expr::Const(_, value) => tm.int(value),
            Expr::Float(..) => self.arbitrary(tm, ty),
            Expr::Var(_) if ty.is_float() => self.arbitrary(tm, ty),
            Expr::Var(var) => state.var(tm, self.program, var),
            Expr::Load { region, addr, ty } => self.load(tm, state, region, values[&addr], ty),
            Expr::Unary(op, a) => self.unary(tm, op, ty, values[&a]),
            Expr::Binary(op, a, b) => {
                let operand_ty = exprs.ty(a);
                self.binary(tm, op, operand_ty, exprs.ty(b), ty, values[&a], values[&b])
            }
            Expr::Cast(to, a) => self.cast(tm, exprs.ty(a), to, values[&a]),
            Expr::Ite(c, a, b) => tm.ite(values[&c], values[&a], values[&b]),
        }
    }

    /// Any value of the type.
    pub fn arbitrary(&mut self, tm: &mut Terms, ty: Type) -> TermId {
        match ty {
            Type::Bool => tm.fresh_const("any", Terms::BOOL),
            Type::Float(_) => tm.fresh_const("any", Terms::REAL),
            Type::Int(_) | Type::Pointer => {
                let value = tm.fresh_const("any", Terms::INT);
                let in_range = self.in_range(tm, ty, value);
                self.assumptions.push(in_range);
                value
            }
        }
    }

    /// That an integer term is a value of the type.
    pub fn in_range(&self, tm: &mut Terms, ty: Type, value: TermId) -> TermId {
        let Some((low, high)) = self.range(ty) else { return tm.bool(true) };
        let (low, high) = (tm.int(low), tm.int(high));
        let (above, below) = (tm.le(low, value), tm.le(value, high));
        tm.and2(above, below)
    }

    /// The smallest and the largest value of the type; none if it is unbounded or not an integer.
    fn range(&self, ty: Type) -> Option<(Int, Int)> {
        match ty {
            Type::Int(IntType::BOOL) => Some((Int::from(0), Int::from(1))),
            Type::Int(_) if self.program.arithmetic == Arithmetic::Ideal => None,
            Type::Int(IntType { bits, signed: true }) => {
                let half = power(u32::from(bits) - 1);
                Some((-half.clone(), half - Int::from(1)))
            }
            Type::Int(IntType { bits, signed: false }) => {
                Some((Int::from(0), power(u32::from(bits)) - Int::from(1)))
            }
            Type::Pointer => Some((Int::from(0), self.pointer_modulus() - Int::from(1))),
            Type::Bool | Type::Float(_) => None,
        }
    }

    fn pointer_modulus(&self) -> Int {
        power(u32::from(self.program.data_model.pointer_bits()))
    }

    /// The result of an arithmetic operation whose exact value is `exact`.
    fn result(&mut self, tm: &mut Terms, ty: Type, exact: TermId) -> TermId {
        match (ty, self.program.arithmetic) {
            (Type::Int(_), Arithmetic::Ideal) => exact,
            (Type::Int(IntType { signed: true, .. }), Arithmetic::AssumeNoOverflow) => {
                let fits = self.in_range(tm, ty, exact);
                self.assumptions.push(fits);
                exact
            }
            (Type::Int(int), _) => self.wrap(tm, int, exact),
            (Type::Pointer, _) => self.wrap(tm, self.address_type(), exact),
            (Type::Bool | Type::Float(_), _) => exact,
        }
    }

    /// The integers that addresses are.
    fn address_type(&self) -> IntType {
        IntType::unsigned(self.program.data_model.pointer_bits())
    }

    /// The value of the type that is congruent to `exact` modulo 2^bits.
    fn wrap(&mut self, tm: &mut Terms, int: IntType, exact: TermId) -> TermId {
        let modulus = tm.int(power(u32::from(int.bits)));
        if int.signed {
            let half = tm.int(power(u32::from(int.bits) - 1));
            let shifted = tm.add2(exact, half);
            let reduced = tm.modulo(shifted, modulus);
            tm.sub(reduced, half)
        } else {
            tm.modulo(exact, modulus)
        }
    }

    /// As [`result`](Self::result), for an exact value that misses the range by less than one
    /// modulus: a case split, which linear reasoning understands better than a remainder.
    fn result_near(&mut self, tm: &mut Terms, ty: Type, exact: TermId) -> TermId {
        let wraps = match (ty, self.program.arithmetic) {
            (Type::Pointer, _) => Some(self.address_type()),
            (_, Arithmetic::Ideal) => None,
            (Type::Int(int), Arithmetic::AssumeNoOverflow) if int.signed => None,
            (Type::Int(int), _) => Some(int),
            _ => None,
        };
        match wraps {
            Some(int) => self.wrap_once(tm, int, ty, exact),
            None => self.result(tm, ty, exact),
        }
    }

    fn unary(&mut self, tm: &mut Terms, op: UnaryOp, ty: Type, a: TermId) -> TermId {
        match (op, ty) {
            (UnaryOp::Not, Type::Bool) => tm.not(a),
            (_, Type::Float(_)) => self.arbitrary(tm, ty),
            (UnaryOp::Neg, _) => {
                let negated = tm.neg(a);
                self.result_near(tm, ty, negated)
            }
            (UnaryOp::Not, Type::Int(int)) => {
                let ones = if int.signed || self.program.arithmetic == Arithmetic::Ideal {
                    tm.int(-1)
                } else {
                    tm.int(power(u32::from(int.bits)) - Int::from(1))
                };
                tm.sub(ones, a)
            }
            (UnaryOp::Not, Type::Pointer) => self.arbitrary(tm, ty),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "operation, three types and two values")]
    fn binary(
        &mut self,
        tm: &mut Terms,
        op: BinaryOp,
        ta: Type,
        tb: Type,
        ty: Type,
        a: TermId,
        b: TermId,
    ) -> TermId {
        if ta.is_float() {
            return self.arbitrary(tm, ty);
        }
        match (op, ta) {
            (BinaryOp::Eq, _) => tm.eq(a, b),
            (BinaryOp::Ne, _) => {
                let equal = tm.eq(a, b);
                tm.not(equal)
            }
            (BinaryOp::Lt, _) => tm.lt(a, b),
            (BinaryOp::Le, _) => tm.le(a, b),
            (BinaryOp::And, Type::Bool) => tm.and2(a, b),
            (BinaryOp::Or, Type::Bool) => tm.or2(a, b),
            (BinaryOp::Xor, Type::Bool) => tm.xor(a, b),
            (BinaryOp::Add, _) => {
                let sum = tm.add2(a, b);
                self.result_near(tm, ty, sum)
            }
            (BinaryOp::Sub, Type::Pointer) if tb == Type::Pointer => {
                let distance = tm.sub(a, b);
                let int = IntType::signed(self.program.data_model.pointer_bits());
                self.wrap_once(tm, int, Type::Int(int), distance)
            }
            (BinaryOp::Sub, _) => {
                let difference = tm.sub(a, b);
                self.result_near(tm, ty, difference)
            }
            (BinaryOp::Mul, _) => {
                let product = tm.mul(a, b);
                self.product_facts(tm, a, b, product);
                self.result(tm, ty, product)
            }
            (BinaryOp::Div, _) => {
                let (quotient, _) = self.divide(tm, a, b);
                self.result(tm, ty, quotient)
            }
            (BinaryOp::Rem, _) => {
                // INT_MIN % -1 is undefined because its quotient is.
                let (quotient, remainder) = self.divide(tm, a, b);
                self.result(tm, ty, quotient);
                remainder
            }
            (BinaryOp::Shl | BinaryOp::Shr, Type::Int(int)) => self.shift(tm, op, int, a, b),
            (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, Type::Int(int)) => self.bitwise(tm, op, int, a, b),
            _ => self.arbitrary(tm, ty),
        }
    }

    /// A shift by less than zero or at least the width ends the path.
    fn shift(&mut self, tm: &mut Terms, op: BinaryOp, int: IntType, a: TermId, b: TermId) -> TermId {
        let (zero, width) = (tm.int(0), tm.int(i64::from(int.bits)));
        let (low, high) = (tm.le(zero, b), tm.lt(b, width));
        self.assumptions.extend([low, high]);
        let amounts = match tm.int_value(b).and_then(|n| n.to_i64()) {
            Some(n) => n..n + 1,
            None => 0..i64::from(int.bits),
        };
        let mut shifted = zero;
        for n in amounts.rev().filter(|&n| (0..i64::from(int.bits)).contains(&n)) {
            let factor = tm.int(power(n as u32));
            let exact = if op == BinaryOp::Shl { tm.mul(a, factor) } else { tm.div(a, factor) };
            let amount = tm.int(n);
            let is_amount = tm.eq(b, amount);
            shifted = tm.ite(is_amount, exact, shifted);
        }
        // Bits that leave the type are lost, also those of signed values.
        if op == BinaryOp::Shl && self.program.arithmetic != Arithmetic::Ideal {
            self.wrap(tm, int, shifted)
        } else {
            shifted
        }
    }

    /// With `a & b` all three are known: `a | b = a + b - (a & b)`, `a ^ b = a + b - 2 (a & b)`.
    fn bitwise(&mut self, tm: &mut Terms, op: BinaryOp, int: IntType, a: TermId, b: TermId) -> TermId {
        let common = match (tm.int_value(a), tm.int_value(b)) {
            (_, Some(mask)) => self.masked(tm, a, mask),
            (Some(mask), None) => self.masked(tm, b, mask),
            (None, None) => self.conjunction(tm, int, a, b),
        };
        let sum = tm.add2(a, b);
        match op {
            BinaryOp::And => common,
            BinaryOp::Or => tm.sub(sum, common),
            _ => {
                let rest = tm.sub(sum, common);
                tm.sub(rest, common)
            }
        }
    }

    /// `value & mask` for a constant mask: the runs of ones in the mask, each cut out by division
    /// and remainder. Euclidean division sees negative numbers as two's complement does.
    pub(crate) fn masked(&mut self, tm: &mut Terms, value: TermId, mask: Int) -> TermId {
        if mask.is_negative() {
            let complement = Int::from(-1) - mask;
            let cleared = self.masked(tm, value, complement);
            return tm.sub(value, cleared);
        }
        let two = Int::from(2);
        let mut parts = Vec::new();
        let (mut rest, mut low) = (mask, 0u32);
        while !rest.is_zero() {
            while rest.rem_euclid(&two).is_zero() {
                rest = rest.div_euclid(&two);
                low += 1;
            }
            let mut ones = 0u32;
            while !rest.rem_euclid(&two).is_zero() {
                rest = rest.div_euclid(&two);
                ones += 1;
            }
            let (weight, length) = (tm.int(power(low)), tm.int(power(ones)));
            let shifted = tm.div(value, weight);
            let run = tm.modulo(shifted, length);
            parts.push(tm.mul(run, weight));
            low += ones;
        }
        match parts.as_slice() {
            [] => tm.int(0),
            [one] => *one,
            _ => tm.add(&parts),
        }
    }

    pub fn cast(&mut self, tm: &mut Terms, from: Type, to: Type, a: TermId) -> TermId {
        let truth = |tm: &mut Terms| {
            if from == Type::Bool {
                a
            } else {
                let zero = tm.int(0);
                let is_zero = tm.eq(a, zero);
                tm.not(is_zero)
            }
        };
        match (from, to) {
            _ if from == to => a,
            (Type::Float(_), _) | (_, Type::Float(_)) => self.arbitrary(tm, to),
            (_, Type::Bool) => truth(tm),
            (_, Type::Int(IntType::BOOL)) | (Type::Bool, _) => {
                let (one, zero) = (tm.int(1), tm.int(0));
                let truth = truth(tm);
                tm.ite(truth, one, zero)
            }
            (Type::Int(_), Type::Int(_)) if self.program.arithmetic == Arithmetic::Ideal => a,
            (Type::Int(_) | Type::Pointer, Type::Int(int)) => {
                let (source, target) = (self.range(from), self.range(to));
                match (source, target) {
                    (Some((fl, fh)), Some((tl, th))) if tl <= fl && fh <= th => a,
                    _ if self.program.arithmetic == Arithmetic::Ideal => a,
                    // Between the signed and the unsigned type of one width, at most one wrap.
                    _ if from.as_int().is_some_and(|f| f.bits == int.bits) => self.wrap_once(tm, int, to, a),
                    _ => self.wrap(tm, int, a),
                }
            }
            (Type::Int(_), Type::Pointer) => {
                let modulus = tm.int(self.pointer_modulus());
                match self.range(from) {
                    Some((low, high)) if !low.is_negative() && high < self.pointer_modulus() => a,
                    _ => tm.modulo(a, modulus),
                }
            }
            (Type::Pointer, Type::Pointer) => a,
        }
    }

    /// [`wrap`](Self::wrap) for a value that misses the range of the type by less than one modulus.
    fn wrap_once(&mut self, tm: &mut Terms, int: IntType, to: Type, a: TermId) -> TermId {
        let Some((low, high)) = self.range(to) else { return a };
        let modulus = tm.int(power(u32::from(int.bits)));
        let (low, high) = (tm.int(low), tm.int(high));
        let (too_low, too_high) = (tm.lt(a, low), tm.gt(a, high));
        let (up, down) = (tm.add2(a, modulus), tm.sub(a, modulus));
        let upper = tm.ite(too_high, down, a);
        tm.ite(too_low, up, upper)
    }
}

pub(crate) fn power(n: u32) -> Int {
    Int::pow2(n)
}
