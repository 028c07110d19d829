//! From programs to terms.
//!
//! [`Encoder`] translates expressions into linear integer arithmetic, exactly where that is
//! possible. All integers and pointers are terms of sort `Int`, together with the interval in which
//! the value is known to lie; truth values are `Bool`; a region is an array from addresses to cells.
//! Floating-point values have no term: whatever depends on one is arbitrary.
//!
//! | operation | term |
//! |---|---|
//! | `+`, `-`, `*` by a constant, `<<` by a constant | the exact result, brought into the type |
//! | `/`, `%` by a constant, `>>` by a constant | Euclidean `div` and `mod`, by the sign of the dividend |
//! | `& \| ^` with a constant | differences of remainders, one for each run of ones in the mask |
//! | `& \| ^` of small values | bit by bit |
//! | `*`, `/`, `%`, shifts by a value among few | case split |
//! | other products | `*` of the term language, with axioms |
//! | others | an auxiliary constant with axioms, and the cases of [`ExactCase`] |
//!
//! *Bringing into the type*: a result whose interval fits needs nothing; a signed one that may not
//! fit becomes a side condition (or wraps, as the program's arithmetic says); wrapping is a case
//! split where few quotients are possible, and a remainder otherwise.
//!
//! **Side conditions** are what the rest of the path may assume: that nothing undefined happened,
//! and what is known about auxiliary constants and loaded values. An `ite` evaluates only the chosen
//! operand, so a side condition of a subexpression that is only evaluated under some condition is
//! guarded by that condition.
//!
//! What has no exact term is recorded in [`Encoder::approximations`]: a model that goes through it
//! need not be an execution.

mod arith;
mod bits;
mod block;
mod builder;
mod call;
mod cutpoints;
mod exact;
mod frames;
mod memory;
mod names;
mod statement;

pub use bits::bitwise_range;
pub use block::{BlockEncoding, Instance, Output};
pub use call::{CallEncoding, CallSite};
pub use cutpoints::{CutpointEncoding, StateConstant, initial_state};
pub use exact::ExactCase;
pub use frames::FramedEncoding;
pub use names::StateNames;
pub use statement::{Effect, Store};

use crate::expr::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::interval::Interval;
use crate::ir::{Arithmetic, Program, RegionId, VarId};
use crate::state::StateVar;
use crate::types::{IntType, Type};
use craig_base::{Map, OrderedMap, OrderedSet};
use craig_term::{SortId, TermId, Terms};

/// A term and the interval in which its value lies (of no meaning for Booleans).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub term: TermId,
    pub range: Interval,
}

/// The state in which an expression is evaluated.
pub trait Environment {
    /// The value of a variable that is not a float.
    fn var(&mut self, encoder: &mut Encoder<'_>, var: VarId) -> Value;
    /// The contents of a region of anything but floats.
    fn region(&mut self, encoder: &mut Encoder<'_>, region: RegionId) -> TermId;

    /// The value of type `ty` at an address of a region of anything but floats.
    fn load(&mut self, encoder: &mut Encoder<'_>, region: RegionId, addr: &Value, ty: Type) -> Value {
        let array = self.region(encoder, region);
        encoder.load(array, region, addr, ty)
    }
}

/// A binary operation on two terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    pub op: BinaryOp,
    pub ty: Type,
    pub operands: [TermId; 2],
}

/// Translates expressions of one program into terms.
pub struct Encoder<'a> {
    pub program: &'a Program,
    pub terms: &'a mut Terms,
    /// Constants that stand for the results of operations, or for arbitrary values.
    pub auxiliaries: Vec<TermId>,
    /// Expressions whose value is only approximated.
    pub approximations: OrderedSet<ExprId>,
    /// The auxiliaries that stand for results, with what they stand for, operands before users. The
    /// same operation on the same terms has the same auxiliary.
    pub results: OrderedMap<Operation, TermId>,
    /// Cases in which results are to be exact.
    pub exact: OrderedSet<ExactCase>,
    /// The expression that is being translated.
    current: ExprId,
    /// Side conditions with the expression they belong to.
    conditions: Vec<(ExprId, TermId)>,
}

impl<'a> Encoder<'a> {
    pub fn new(program: &'a Program, terms: &'a mut Terms) -> Self {
        Encoder {
            program,
            terms,
            auxiliaries: Vec::new(),
            approximations: OrderedSet::default(),
            results: OrderedMap::default(),
            exact: OrderedSet::default(),
            current: ExprId(0),
            conditions: Vec::new(),
        }
    }

    /// The values of `roots`, all evaluated in `env`, and their side conditions. A root of type
    /// float has no value.
    pub fn exprs(
        &mut self,
        roots: &[ExprId],
        env: &mut dyn Environment,
    ) -> (Vec<Option<Value>>, Vec<TermId>) {
        self.conditions.clear();
        let order = self.program.exprs.postorder(roots);
        let mut values: Map<ExprId, Value> = Map::default();
        for &id in &order {
            self.current = id;
            if let Some(value) = self.node(id, &values, env) {
                values.insert(id, value);
            }
        }
        let conditions = self.guarded_conditions(&order, roots, &values);
        (roots.iter().map(|root| values.get(root).cloned()).collect(), conditions)
    }

    /// A single expression; `None` for a float.
    pub fn expr(&mut self, root: ExprId, env: &mut dyn Environment) -> (Option<Value>, Vec<TermId>) {
        let (values, conditions) = self.exprs(&[root], env);
        (values.into_iter().next().flatten(), conditions)
    }

    /// Each side condition under the condition that its expression is evaluated at all.
    fn guarded_conditions(
        &mut self,
        order: &[ExprId],
        roots: &[ExprId],
        values: &Map<ExprId, Value>,
    ) -> Vec<TermId> {
        let conditions = std::mem::take(&mut self.conditions);
        let has_ite = order.iter().any(|&id| matches!(self.program.exprs.get(id), Expr::Ite(..)));
        if !has_ite || conditions.is_empty() {
            return conditions.into_iter().map(|(_, condition)| condition).collect();
        }
        let mut guards: Map<ExprId, TermId> = roots.iter().map(|&root| (root, Terms::TRUE)).collect();
        for &id in order.iter().rev() {
            let guard = guards.get(&id).copied().unwrap_or(Terms::FALSE);
            let operands: Vec<ExprId> = self.program.exprs.operands(id).collect();
            let condition = match self.program.exprs.get(id) {
                Expr::Ite(condition, ..) => values.get(&condition).map(|value| value.term),
                _ => None,
            };
            for (i, operand) in operands.into_iter().enumerate() {
                let evaluated = match (condition, i) {
                    (Some(condition), 1) => self.terms.and2(guard, condition),
                    (Some(condition), 2) => {
                        let otherwise = self.terms.not(condition);
                        self.terms.and2(guard, otherwise)
                    }
                    _ => guard,
                };
                let before = guards.get(&operand).copied().unwrap_or(Terms::FALSE);
                guards.insert(operand, self.terms.or2(before, evaluated));
            }
        }
        conditions
            .into_iter()
            .map(|(id, condition)| {
                let not_evaluated = self.terms.not(guards[&id]);
                self.terms.or2(not_evaluated, condition)
            })
            .collect()
    }

    fn node(&mut self, id: ExprId, values: &Map<ExprId, Value>, env: &mut dyn Environment) -> Option<Value> {
        let exprs = &self.program.exprs;
        let ty = exprs.ty(id);
        if ty.is_float() {
            return None;
        }
        Some(match exprs.get(id) {
            Expr::Const(ty, value) => self.constant(ty, value),
            Expr::Float(..) => return None,
            Expr::Var(var) => env.var(self, var),
            Expr::Load { region, ty, .. } if !self.program.is_tracked(StateVar::Region(region)) => {
                self.arbitrary("load", ty)
            }
            Expr::Load { region, addr, ty } => env.load(self, region, &values[&addr], ty),
            Expr::Unary(op, a) => self.unary(op, ty, &values[&a]),
            Expr::Binary(op, a, _) if exprs.ty(a).is_float() => {
                debug_assert!(op.is_comparison());
                self.arbitrary("float", Type::Bool)
            }
            Expr::Binary(op, a, b) => self.binary(op, exprs.ty(a), exprs.ty(b), ty, &values[&a], &values[&b]),
            Expr::Cast(ty, a) => match values.get(&a) {
                Some(value) => self.cast(exprs.ty(a), ty, value),
                None => self.arbitrary("float", ty),
            },
            Expr::Ite(c, a, b) => {
                let (a, b) = (&values[&a], &values[&b]);
                Value { term: self.terms.ite(values[&c].term, a.term, b.term), range: a.range.join(&b.range) }
            }
        })
    }

    pub fn constant(&mut self, ty: Type, value: i128) -> Value {
        if ty == Type::Bool {
            return Value { term: self.terms.bool(value != 0), range: Interval::ALL };
        }
        let mut value = craig_num::Int::from(value);
        let unsigned_128 = matches!(ty, Type::Int(IntType { bits: 128, signed: false }));
        if value.is_negative() && unsigned_128 && self.program.arithmetic != Arithmetic::Ideal {
            value += craig_num::Int::pow2(128);
        }
        Value { term: self.terms.int(value.clone()), range: Interval::constant(value) }
    }

    /// What is known of any value of the type.
    pub fn type_range(&self, ty: Type) -> Interval {
        type_range(self.program, ty)
    }

    pub fn sort(&self, ty: Type) -> SortId {
        if ty == Type::Bool { Terms::BOOL } else { Terms::INT }
    }

    /// `term` lies in `range`.
    pub fn in_range(&mut self, term: TermId, range: &Interval) -> TermId {
        in_range(self.terms, term, range)
    }

    /// An arbitrary value of the type, which stands for something that is approximated.
    fn arbitrary(&mut self, name: &str, ty: Type) -> Value {
        self.approximations.insert(self.current);
        let value = self.any_value(name, ty);
        let fact = self.in_type(&value, ty);
        self.require(fact);
        value
    }

    /// A new constant with the range of the type; that it lies there is for the caller to say.
    pub fn any_value(&mut self, name: &str, ty: Type) -> Value {
        let sort = self.sort(ty);
        let term = self.auxiliary(name, sort);
        Value { term, range: self.type_range(ty) }
    }

    /// That a value lies in the range of its type.
    pub fn in_type(&mut self, value: &Value, ty: Type) -> TermId {
        match ty {
            Type::Bool | Type::Float(_) => Terms::TRUE,
            _ => self.in_range(value.term, &self.type_range(ty)),
        }
    }

    pub fn auxiliary(&mut self, name: &str, sort: SortId) -> TermId {
        let term = self.terms.fresh_const(name, sort);
        self.auxiliaries.push(term);
        term
    }

    /// Adds a side condition of the current expression.
    fn require(&mut self, condition: TermId) {
        if condition != Terms::TRUE {
            self.conditions.push((self.current, condition));
        }
    }

    /// An operation on a value of integer, pointer or Boolean type `ty`.
    pub fn unary(&mut self, op: UnaryOp, ty: Type, a: &Value) -> Value {
        match (op, ty) {
            (_, Type::Bool) => Value { term: self.terms.not(a.term), range: Interval::ALL },
            (UnaryOp::Neg, _) => {
                let term = self.terms.neg(a.term);
                self.fit(Value { term, range: a.range.neg() }, ty)
            }
            (UnaryOp::Not, _) => self.complement(a, ty),
        }
    }

    /// An operation with a result of type `ty` on values of types `ta` and `tb`, none of them a float.
    pub fn binary(&mut self, op: BinaryOp, ta: Type, tb: Type, ty: Type, a: &Value, b: &Value) -> Value {
        use BinaryOp::*;
        match op {
            Eq | Ne | Lt | Le => Value { term: self.compare(op, a, b), range: Interval::ALL },
            And | Or | Xor if ty == Type::Bool => {
                let term = match op {
                    And => self.terms.and2(a.term, b.term),
                    Or => self.terms.or2(a.term, b.term),
                    _ => self.terms.xor(a.term, b.term),
                };
                Value { term, range: Interval::ALL }
            }
            Add | Sub => {
                let exact = match op {
                    Add => Value { term: self.terms.add2(a.term, b.term), range: a.range.add(&b.range) },
                    _ => Value { term: self.terms.sub(a.term, b.term), range: a.range.sub(&b.range) },
                };
                if ta == Type::Pointer || tb == Type::Pointer {
                    // Addresses wrap; so does the distance between two of them.
                    self.wrap(exact, self.integer_of(ty))
                } else {
                    self.fit(exact, ty)
                }
            }
            Mul => self.product(a, b, ty),
            Div => self.quotient(a, b, ty),
            Rem => self.remainder(a, b, ty),
            Shl => self.shift_left(a, b, ty),
            Shr => self.shift_right(a, b, ty),
            And | Or | Xor => self.bitwise(op, a, b, ty),
        }
    }

    fn compare(&mut self, op: BinaryOp, a: &Value, b: &Value) -> TermId {
        if self.terms.is_bool(a.term) {
            return match op {
                BinaryOp::Eq => self.terms.iff(a.term, b.term),
                BinaryOp::Ne => self.terms.xor(a.term, b.term),
                BinaryOp::Lt => {
                    let not_a = self.terms.not(a.term);
                    self.terms.and2(not_a, b.term)
                }
                _ => self.terms.implies(a.term, b.term),
            };
        }
        let below = |a: &Interval, b: &Interval, strictly: bool| match (&a.hi, &b.lo) {
            (Some(hi), Some(lo)) => hi < lo || (!strictly && hi == lo),
            _ => false,
        };
        let (ra, rb) = (&a.range, &b.range);
        match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let apart = below(ra, rb, true) || below(rb, ra, true);
                let equal = if apart { Terms::FALSE } else { self.terms.eq(a.term, b.term) };
                if op == BinaryOp::Eq { equal } else { self.terms.not(equal) }
            }
            BinaryOp::Lt if below(ra, rb, true) => Terms::TRUE,
            BinaryOp::Lt if below(rb, ra, false) => Terms::FALSE,
            BinaryOp::Lt => self.terms.lt(a.term, b.term),
            _ if below(ra, rb, false) => Terms::TRUE,
            _ if below(rb, ra, true) => Terms::FALSE,
            _ => self.terms.le(a.term, b.term),
        }
    }

    /// The conversion of a value between types other than floats.
    pub fn cast(&mut self, from: Type, to: Type, a: &Value) -> Value {
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let bit = Interval::new(0, 1);
        match (from, to) {
            (Type::Bool, Type::Bool) => a.clone(),
            (Type::Bool, _) => Value { term: self.terms.ite(a.term, one, zero), range: bit },
            (_, Type::Bool) => Value { term: self.nonzero(a), range: Interval::ALL },
            (_, Type::Int(IntType::BOOL)) if a.range.is_within(&bit) => a.clone(),
            (_, Type::Int(IntType::BOOL)) => {
                let nonzero = self.nonzero(a);
                Value { term: self.terms.ite(nonzero, one, zero), range: bit }
            }
            (_, Type::Int(_)) if self.program.arithmetic == Arithmetic::Ideal => a.clone(),
            (_, to) => self.wrap(a.clone(), self.integer_of(to)),
        }
    }

    fn nonzero(&mut self, a: &Value) -> TermId {
        if !a.range.contains(&craig_num::Int::ZERO) {
            return Terms::TRUE;
        }
        let zero = self.terms.int(0);
        let equal = self.terms.eq(a.term, zero);
        self.terms.not(equal)
    }

    /// The integer type with the values of an integer or pointer type.
    fn integer_of(&self, ty: Type) -> IntType {
        match ty {
            Type::Int(int) => int,
            _ => IntType::unsigned(self.program.data_model.pointer_bits()),
        }
    }
}

/// What is known of any value of the type: everything, for integers without bounds.
pub fn type_range(program: &Program, ty: Type) -> Interval {
    match ty {
        Type::Int(IntType::BOOL) => Interval::new(0, 1),
        Type::Int(_) if program.arithmetic == Arithmetic::Ideal => Interval::ALL,
        Type::Int(int) => Interval::of_type(int),
        Type::Pointer => Interval::of_type(IntType::unsigned(program.data_model.pointer_bits())),
        Type::Bool | Type::Float(_) => Interval::ALL,
    }
}

/// `term` lies in `range`.
pub fn in_range(terms: &mut Terms, term: TermId, range: &Interval) -> TermId {
    let mut parts = Vec::with_capacity(2);
    if let Some(lo) = &range.lo {
        let lo = terms.int(lo.clone());
        parts.push(terms.ge(term, lo));
    }
    if let Some(hi) = &range.hi {
        let hi = terms.int(hi.clone());
        parts.push(terms.le(term, hi));
    }
    terms.and(&parts)
}

#[cfg(test)]
mod tests;
