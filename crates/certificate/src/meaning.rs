//! The meaning of expressions as terms: the checker's own translation.
//!
//! It follows the documentation of [`craig_program::Expr`] and is deliberately written without a
//! look at the engines' encoder: a mistake would have to be made twice to go unnoticed. It aims at
//! being obviously right rather than small: no range analysis, no tricks. Every integer is an
//! `Int` term whose value lies in the range of its type. What has no exact meaning in linear
//! arithmetic (floating point, bit operations on two variables) yields an arbitrary value of its
//! type, restricted only by facts that always hold; where these are too few, [`Meaning::facts_at`] adds facts
//! about the operands of a model that is no execution.

use crate::state::State;
use craig_base::{Map, OrderedMap};
use craig_num::Int;
use craig_program::{Arithmetic, BinaryOp, Expr, ExprId, IntType, Program, Type, UnaryOp};
use craig_term::{Model, Op, TermId, Terms, Value};

/// An operation whose result has no term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Inexact {
    Quotient,
    Remainder,
    /// `&`; the other bit operations follow from it.
    Conjunction,
}

/// Translates expressions of one program, collecting what must hold for the path to go on.
pub struct Meaning<'p> {
    pub program: &'p Program,
    /// Facts about fresh constants, and conditions under which no behaviour is undefined.
    pub assumptions: Vec<TermId>,
    /// Results of operations that are not exact, so that equal operands give equal results.
    inexact: OrderedMap<(Inexact, TermId, TermId), TermId>,
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

    /// Signs, and growth, of a product of two terms: what linear reasoning can use of it.
    fn product_facts(&mut self, tm: &mut Terms, a: TermId, b: TermId, product: TermId) {
        if tm.number(a).is_some() || tm.number(b).is_some() {
            return;
        }
        let zero = tm.int(0);
        let (a0, b0) = (tm.ge(a, zero), tm.ge(b, zero));
        let (p0, pn) = (tm.ge(product, zero), tm.le(product, zero));
        let same_sign = tm.iff(a0, b0);
        let (za, zb) = (tm.eq(a, zero), tm.eq(b, zero));
        let null = tm.or2(za, zb);
        let is_null = tm.eq(product, zero);
        let null_iff = tm.iff(null, is_null);
        let sign = tm.ite(same_sign, p0, pn);
        // Otherwise the product is at least as large as either factor.
        let magnitude = |tm: &mut Terms, t: TermId| {
            let (minus_t, natural) = (tm.neg(t), tm.ge(t, zero));
            tm.ite(natural, t, minus_t)
        };
        let [size_a, size_b, size] = [a, b, product].map(|t| magnitude(tm, t));
        let (grows_a, grows_b) = (tm.ge(size, size_a), tm.ge(size, size_b));
        let grows = tm.and2(grows_a, grows_b);
        let large = tm.or2(null, grows);
        self.assumptions.extend([null_iff, sign, large]);
        let one = tm.int(1);
        for (x, y) in [(a, b), (b, a)] {
            let (is_one, is_y) = (tm.eq(x, one), tm.eq(product, y));
            let unit = tm.implies(is_one, is_y);
            self.assumptions.push(unit);
        }
        if a == b {
            let (la, na) = (tm.ge(product, a), tm.neg(a));
            let lna = tm.ge(product, na);
            self.assumptions.extend([la, lna]);
        }
    }

    /// Quotient and remainder, truncated towards zero; a zero divisor ends the path.
    fn divide(&mut self, tm: &mut Terms, a: TermId, b: TermId) -> (TermId, TermId) {
        let zero = tm.int(0);
        let nonnegative = tm.ge(a, zero);
        let minus_a = tm.neg(a);
        let magnitude = tm.ite(nonnegative, a, minus_a);
        if let Some(divisor) = tm.int_value(b) {
            if divisor.is_zero() {
                self.assumptions.push(tm.bool(false));
                return (zero, zero);
            }
            let up = tm.div(a, b);
            let down = tm.div(minus_a, b);
            let down = tm.neg(down);
            let quotient = tm.ite(nonnegative, up, down);
            let back = tm.mul(quotient, b);
            return (quotient, tm.sub(a, back));
        }
        let is_zero = tm.eq(b, zero);
        let nonzero = tm.not(is_zero);
        self.assumptions.push(nonzero);
        let quotient = self.inexact(tm, Inexact::Quotient, a, b);
        let remainder = self.inexact(tm, Inexact::Remainder, a, b);
        let b_nonnegative = tm.ge(b, zero);
        let minus_b = tm.neg(b);
        let b_magnitude = tm.ite(b_nonnegative, b, minus_b);
        let (minus_r, minus_q) = (tm.neg(remainder), tm.neg(quotient));
        let facts = [
            tm.lt(remainder, b_magnitude),
            tm.lt(minus_r, b_magnitude),
            tm.le(quotient, magnitude),
            tm.le(minus_q, magnitude),
            tm.le(remainder, magnitude),
            tm.le(minus_r, magnitude),
        ];
        self.assumptions.extend(facts);
        let (r0, rn) = (tm.ge(remainder, zero), tm.le(remainder, zero));
        let remainder_sign = tm.ite(nonnegative, r0, rn);
        let same_sign = tm.iff(nonnegative, b_nonnegative);
        let (q0, qn) = (tm.ge(quotient, zero), tm.le(quotient, zero));
        let quotient_sign = tm.ite(same_sign, q0, qn);
        self.assumptions.extend([remainder_sign, quotient_sign]);
        // A smaller dividend is the remainder; otherwise the divisor can be taken away at least once.
        let smaller = tm.lt(magnitude, b_magnitude);
        let (none, whole) = (tm.eq(quotient, zero), tm.eq(remainder, a));
        let nothing_taken = tm.and2(none, whole);
        let difference = tm.sub(magnitude, b_magnitude);
        let (r_low, r_high) = (tm.le(minus_r, difference), tm.le(remainder, difference));
        let some = tm.not(none);
        let taken = tm.and(&[some, r_low, r_high]);
        let size = tm.ite(smaller, nothing_taken, taken);
        // The divisors 1 and -1 change the sign at most; all others at least halve.
        let (one, minus_one) = (tm.int(1), tm.int(-1));
        let (is_one, is_minus_one) = (tm.eq(b, one), tm.eq(b, minus_one));
        let (same, negated) = (tm.eq(quotient, a), tm.eq(quotient, minus_a));
        let double = tm.add2(quotient, quotient);
        let minus_double = tm.neg(double);
        let (half, minus_half) = (tm.le(double, magnitude), tm.le(minus_double, magnitude));
        let halved = tm.and2(half, minus_half);
        let others = tm.ite(is_minus_one, negated, halved);
        let by_divisor = tm.ite(is_one, same, others);
        self.assumptions.extend([size, by_divisor]);
        (quotient, remainder)
    }

    fn inexact(&mut self, tm: &mut Terms, what: Inexact, a: TermId, b: TermId) -> TermId {
        *self.inexact.entry((what, a, b)).or_insert_with(|| tm.fresh_const("inexact", Terms::INT))
    }

    /// Facts that exclude a model which gives wrong results to inexact operations: what the result is if one
    /// operand has the value that it has in the model, and how long a result of `|` can be. None if all results
    /// are right.
    pub fn facts_at(&mut self, tm: &mut Terms, model: &Model) -> Vec<TermId> {
        let mut facts = Vec::new();
        for ((what, a, b), result) in self.inexact.clone() {
            let number = |t: TermId| match tm.eval(t, model) {
                Ok(Value::Int(n)) => n.to_i128(),
                _ => None,
            };
            let (Some(x), Some(y), Some(z)) = (number(a), number(b), number(result)) else { continue };
            let right = match what {
                Inexact::Quotient => x.checked_div(y),
                Inexact::Remainder => x.checked_rem(y),
                Inexact::Conjunction => Some(x & y),
            };
            if right.is_none_or(|right| right == z) {
                continue;
            }
            match what {
                Inexact::Conjunction => {
                    facts.push(self.conjunction_at(tm, a, (b, y), result));
                    facts.push(self.conjunction_at(tm, b, (a, x), result));
                    facts.push(length_of_disjunction(tm, a, b, result, x.max(y)));
                }
                Inexact::Quotient | Inexact::Remainder => {
                    let divisor = tm.int(y);
                    let (quotient, remainder) = self.divide(tm, a, divisor);
                    let exact = if what == Inexact::Quotient { quotient } else { remainder };
                    let (here, is_exact) = (tm.eq(b, divisor), tm.eq(result, exact));
                    facts.push(tm.implies(here, is_exact));
                }
            }
        }
        facts
    }

    /// `common` is `a & mask` where `b` is the mask.
    fn conjunction_at(
        &mut self,
        tm: &mut Terms,
        a: TermId,
        (b, mask): (TermId, i128),
        common: TermId,
    ) -> TermId {
        let exact = self.masked(tm, a, Int::from(mask));
        let mask = tm.int(mask);
        let (here, is_exact) = (tm.eq(b, mask), tm.eq(common, exact));
        tm.implies(here, is_exact)
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
    fn masked(&mut self, tm: &mut Terms, value: TermId, mask: Int) -> TermId {
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

    fn conjunction(&mut self, tm: &mut Terms, int: IntType, a: TermId, b: TermId) -> TermId {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return a;
        }
        let common = self.inexact(tm, Inexact::Conjunction, a, b);
        let zero = tm.int(0);
        let (a0, b0, c0) = (tm.ge(a, zero), tm.ge(b, zero), tm.ge(common, zero));
        let (ca, cb) = (tm.le(common, a), tm.le(common, b));
        let either = tm.or2(a0, b0);
        // The sign bit is set iff it is set in both; below a non-negative operand, `&` only clears.
        let sign = tm.iff(c0, either);
        let below_a = tm.implies(a0, ca);
        let below_b = tm.implies(b0, cb);
        let neither = tm.not(either);
        let both_negative = tm.and2(ca, cb);
        let negative = tm.implies(neither, both_negative);
        let in_range = self.in_range(tm, Type::Int(int), common);
        // The result of `|` lies in the type as well.
        let sum = tm.add2(a, b);
        let disjunction = tm.sub(sum, common);
        let or_in_range = self.in_range(tm, Type::Int(int), disjunction);
        let (one, da, db) = (tm.int(1), tm.ge(disjunction, a), tm.ge(disjunction, b));
        let grows_a = tm.implies(b0, da);
        let grows_b = tm.implies(a0, db);
        let (za, zb) = (tm.eq(a, zero), tm.eq(b, zero));
        let (oa, ob, oc) = (tm.eq(a, one), tm.eq(b, one), tm.eq(common, one));
        let ones = tm.and2(oa, ob);
        let bits_a = tm.or2(za, oa);
        let bits_b = tm.or2(zb, ob);
        let bits = tm.and2(bits_a, bits_b);
        let zc = tm.eq(common, zero);
        let bit = tm.ite(ones, oc, zc);
        let single_bits = tm.implies(bits, bit);
        let null = tm.or2(za, zb);
        let null_common = tm.implies(null, zc);
        self.assumptions.extend([sign, below_a, below_b, negative, in_range, or_in_range]);
        let (equal, is_a) = (tm.eq(a, b), tm.eq(common, a));
        let idempotent = tm.implies(equal, is_a);
        self.assumptions.extend([grows_a, grows_b, single_bits, null_common, idempotent]);
        for (low, high) in [(a, b), (b, a)] {
            // Where one number ends before the other begins, as in `low | high << 8`.
            let zeros = zero_bits(tm, high, &mut 100);
            if zeros > 0 {
                let limit = tm.int(power(zeros));
                let (natural, small) = (tm.ge(low, zero), tm.lt(low, limit));
                let below = tm.and2(natural, small);
                let disjoint = tm.implies(below, zc);
                self.assumptions.push(disjoint);
            }
        }
        common
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

/// If neither number is negative or longer than `longest`, `a | b = a + b - common` is not longer either.
fn length_of_disjunction(tm: &mut Terms, a: TermId, b: TermId, common: TermId, longest: i128) -> TermId {
    let bits = 128 - longest.max(0).leading_zeros();
    let (zero, limit) = (tm.int(0), tm.int(power(bits)));
    let sum = tm.add2(a, b);
    let disjunction = tm.sub(sum, common);
    let short = [tm.ge(a, zero), tm.ge(b, zero), tm.lt(a, limit), tm.lt(b, limit)];
    let short = tm.and(&short);
    let still_short = tm.lt(disjunction, limit);
    tm.implies(short, still_short)
}

pub(crate) fn power(n: u32) -> Int {
    Int::pow2(n)
}

/// How many low bits of the number are zero for sure. A sum, a choice and a remainder have at least those
/// that all their operands have; `steps` bounds how much of the term is looked at.
fn zero_bits(tm: &Terms, t: TermId, steps: &mut u32) -> u32 {
    const MOST: u32 = 127;
    if let Some(n) = tm.int_value(t) {
        return n.to_i128().map_or(0, |n| if n == 0 { MOST } else { n.trailing_zeros().min(MOST) });
    }
    if *steps == 0 {
        return 0;
    }
    *steps -= 1;
    let args = tm.args(t);
    let mut least = |args: &[TermId]| args.iter().map(|&arg| zero_bits(tm, arg, steps)).min().unwrap_or(0);
    match tm.op(t) {
        Op::Scale if tm.int_value(args[0]).is_some() => (least(&args[..1]) + least(&args[1..])).min(MOST),
        Op::Add | Op::Mod => least(args),
        Op::Ite => least(&args[1..]),
        _ => 0,
    }
}
