//! The effect of a single statement on a symbolic state.
//!
//! Blocks and symbolic execution share this: both give a [`Store`] that says what variables and
//! regions hold, and get back what must be true for the statement to be passed.

use super::{Encoder, Environment, Value};
use crate::expr::{BinaryOp, Expr, ExprId};
use crate::interval::Interval;
use crate::ir::{Place, RegionId, Stmt, VarId};
use crate::types::Type;
use craig_num::Int;
use craig_term::TermId;

/// A state that statements change.
pub trait Store: Environment {
    /// A variable that is not a float gets a value, or what is known of its value becomes more precise.
    fn set_var(&mut self, var: VarId, value: Value);

    /// A region of anything but floats gets new contents.
    fn set_region(&mut self, region: RegionId, array: TermId);

    /// Writes a value of type `ty`, missing for a float, at an address of a region.
    fn store(
        &mut self,
        encoder: &mut Encoder<'_>,
        region: RegionId,
        addr: &Value,
        ty: Type,
        value: Option<&Value>,
    ) {
        let array = self.region(encoder, region);
        let array = encoder.store(array, region, addr, ty, value);
        self.set_region(region, array);
    }
}

/// What a statement asks for beside its effect on the state.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// What must hold for the statement to be passed, and facts about the new constants.
    pub conditions: Vec<TermId>,
    /// The constant that stands for the value of an input.
    pub input: Option<TermId>,
}

impl Encoder<'_> {
    /// The effect of a statement other than a call.
    pub fn statement(&mut self, stmt: &Stmt, state: &mut dyn Store) -> Effect {
        let conditions = match *stmt {
            Stmt::Skip | Stmt::Free(_) => Vec::new(),
            Stmt::Assume(cond) => self.assume(cond, state),
            Stmt::Assign(place, value) => {
                let (value, conditions) = self.expr(value, state);
                return Effect { conditions: self.assign(place, value, conditions, state), input: None };
            }
            Stmt::Input(place, _) => return self.input(place, state),
            Stmt::Alloc { var, size } => self.allocate(var, size, state),
            Stmt::Call { .. } => unreachable!("calls are between statements of two procedures"),
        };
        Effect { conditions, input: None }
    }

    fn assume(&mut self, cond: ExprId, state: &mut dyn Store) -> Vec<TermId> {
        let (value, mut conditions) = self.expr(cond, state);
        conditions.extend(value.map(|value| value.term));
        self.narrow(state, cond);
        conditions
    }

    /// Writes a value, missing for a float, whose evaluation asked for `conditions`, to a place.
    pub fn assign(
        &mut self,
        place: Place,
        value: Option<Value>,
        mut conditions: Vec<TermId>,
        state: &mut dyn Store,
    ) -> Vec<TermId> {
        match place {
            Place::Var(var) => {
                if let Some(value) = value {
                    state.set_var(var, value);
                }
            }
            Place::Memory { region, addr, ty } => {
                let (addr, about_addr) = self.expr(addr, state);
                conditions.extend(about_addr);
                let addr = addr.expect("an address is no float");
                state.store(self, region, &addr, ty, value.as_ref());
                conditions.extend(self.take_conditions());
            }
        }
        conditions
    }

    pub(super) fn input(&mut self, place: Place, state: &mut dyn Store) -> Effect {
        let ty = self.program.place_type(place);
        if ty.is_float() {
            return Effect { conditions: self.assign(place, None, Vec::new(), state), input: None };
        }
        let name = match place {
            Place::Var(var) => self.program.vars[var].name.to_string(),
            Place::Memory { .. } => "input".to_string(),
        };
        let value = self.any_value(&name, ty);
        let input = Some(value.term);
        let fact = self.in_type(&value, ty);
        Effect { conditions: self.assign(place, Some(value), vec![fact], state), input }
    }

    fn allocate(&mut self, var: VarId, size: ExprId, state: &mut dyn Store) -> Vec<TermId> {
        let Some(next) = self.program.next_address else {
            let value = self.any_value("alloc", Type::Pointer);
            let fact = self.in_type(&value, Type::Pointer);
            state.set_var(var, value);
            return vec![fact];
        };
        let (size, mut conditions) = self.expr(size, state);
        let size = size.expect("a size is no float");
        let address = state.var(self, next);
        let after = self.next_address(&address, &size);
        conditions.extend(self.take_conditions());
        state.set_var(var, address);
        state.set_var(next, after);
        conditions
    }

    /// The next free address after an object: two units further, and more by the units that it fills. That it
    /// is one is a side condition.
    pub fn next_address(&mut self, address: &Value, size: &Value) -> Value {
        let unit = self.program.data_model.guard_bytes() as i64;
        let numeral = self.terms.int(unit);
        let range = size.range.div_floor(&Int::from(unit));
        let filled = match range.as_constant() {
            Some(units) => self.terms.int(units.clone()),
            None => self.terms.div(size.term, numeral),
        };
        let filled = self.scaled(&Int::from(unit), &Value { term: filled, range });
        let apart = self.terms.int(2 * unit);
        let term = self.terms.add(&[address.term, filled.term, apart]);
        let range = address.range.add(&filled.range).add(&Interval::constant(2 * unit));
        let space = self.type_range(Type::Pointer);
        if !range.is_within(&space) {
            let fits = self.in_range(term, &space);
            self.require(fits);
        }
        Value { term, range: range.meet(&space).unwrap_or(space) }
    }

    /// Learns from an assumption: comparisons of a variable with a constant, and conjunctions of them.
    fn narrow(&mut self, state: &mut dyn Store, cond: ExprId) {
        let mut stack = vec![cond];
        while let Some(cond) = stack.pop() {
            let exprs = &self.program.exprs;
            let Expr::Binary(op, a, b) = exprs.get(cond) else { continue };
            match op {
                BinaryOp::And if exprs.ty(a) == Type::Bool => stack.extend([a, b]),
                BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Le => {
                    for (variable, other, is_left) in [(a, b, true), (b, a, false)] {
                        let (Expr::Var(var), Expr::Const(ty, value)) =
                            (exprs.get(variable), exprs.get(other))
                        else {
                            continue;
                        };
                        if matches!(ty, Type::Bool | Type::Float(_)) || value < 0 && !is_signed(ty) {
                            continue;
                        }
                        let bound = Int::from(value);
                        let known = match (op, is_left) {
                            (BinaryOp::Eq, _) => Interval::constant(bound),
                            (BinaryOp::Lt, true) => Interval { lo: None, hi: Some(bound - Int::ONE) },
                            (BinaryOp::Lt, false) => Interval { lo: Some(bound + Int::ONE), hi: None },
                            (_, true) => Interval { lo: None, hi: Some(bound) },
                            (_, false) => Interval { lo: Some(bound), hi: None },
                        };
                        let value = state.var(self, var);
                        if let Some(range) = value.range.meet(&known) {
                            state.set_var(var, Value { term: value.term, range });
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::Int(int) if int.signed)
}
