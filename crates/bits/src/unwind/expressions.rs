//! The values of expressions in a state of the unwinding.

use super::Unsupported;
use super::arithmetic::{binary, cast, unary, width};
use super::state::State;
use super::unwinder::Unwinder;
use super::word::Word;
use crate::{Bit, Circuit};
use craig_base::Map;
use craig_program::{BinaryOp, Expr, ExprId, Type};
use std::rc::Rc;

/// A value, and what it rests on.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub word: Rc<Word>,
    /// Nothing on the way to it is undefined.
    pub defined: Bit,
    /// A guess about an address may be wrong.
    pub escape: Bit,
}

impl Unwinder<'_> {
    pub fn value(&mut self, state: &State, root: ExprId) -> Result<Value, Unsupported> {
        let order = match self.orders.get(&root) {
            Some(order) => order.clone(),
            None => {
                let order: Rc<[ExprId]> = self.program.exprs.postorder(&[root]).into();
                self.orders.insert(root, order.clone());
                order
            }
        };
        let mut values: Map<ExprId, Value> = Map::default();
        for &id in order.iter() {
            let value = self.node(state, id, &values)?;
            values.insert(id, value);
        }
        Ok(values[&root].clone())
    }

    fn node(&mut self, state: &State, id: ExprId, values: &Map<ExprId, Value>) -> Result<Value, Unsupported> {
        let program = self.program;
        let exprs = &program.exprs;
        let plain = |word: Rc<Word>| Value { word, defined: Bit::TRUE, escape: Bit::FALSE };
        Ok(match exprs.get(id) {
            Expr::Const(ty, value) => plain(Rc::new(Word::constant(width(program, ty), value as u128))),
            Expr::Float(ty, bits) => plain(Rc::new(Word::constant(width(program, Type::Float(ty)), bits))),
            Expr::Var(var) => plain(self.read(state, var)),
            Expr::Load { addr, ty, .. } => self.load(state, &values[&addr], ty)?,
            Expr::Unary(op, a) => {
                let (a, ty) = (&values[&a], exprs.ty(id));
                let apply = |c: &mut Circuit, a: &[Bit], _: &[Bit]| unary(program, c, op, ty, a);
                let (word, defined) =
                    self.operate(!ty.is_float(), [&a.word, &Word::new(Vec::new())], apply)?;
                let defined = self.circuit.and(a.defined, defined);
                Value { word: Rc::new(word), defined, escape: a.escape }
            }
            Expr::Binary(op, a, b) => {
                let types = (exprs.ty(a), exprs.ty(b));
                let (a, b) = (&values[&a], &values[&b]);
                let apply = |c: &mut Circuit, a: &[Bit], b: &[Bit]| binary(program, c, op, types, a, b);
                let (mut word, defined) = self.operate(!types.0.is_float(), [&a.word, &b.word], apply)?;
                let circuit = &mut self.circuit;
                let both = circuit.and(a.defined, b.defined);
                let defined = circuit.and(both, defined);
                let escape = circuit.or(a.escape, b.escape);
                if word.bits.len() <= 64 && word.cases().is_none() && !op.is_comparison() {
                    let moved = match op {
                        BinaryOp::Add => a.word.moved(&b.word, u64::wrapping_add),
                        BinaryOp::Sub => a.word.moved(&b.word, u64::wrapping_sub),
                        _ => None,
                    };
                    word.hint = moved.unwrap_or_else(|| self.objects.either(&a.word, &b.word));
                }
                Value { word: Rc::new(word), defined, escape }
            }
            Expr::Cast(to, a) => {
                let from = exprs.ty(a);
                let a = &values[&a];
                let (word, defined) = if from == to {
                    ((*a.word).clone(), Bit::TRUE)
                } else {
                    let apply = |c: &mut Circuit, a: &[Bit], _: &[Bit]| cast(program, c, from, to, a);
                    let whole = !from.is_float() && !to.is_float();
                    let (mut word, defined) =
                        self.operate(whole, [&a.word, &Word::new(Vec::new())], apply)?;
                    if word.cases().is_none() && word.bits.len() == a.word.bits.len() && whole {
                        word.hint = a.word.hint.clone();
                    }
                    (word, defined)
                };
                let defined = self.circuit.and(a.defined, defined);
                Value { word: Rc::new(word), defined, escape: a.escape }
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (&values[&c], &values[&a], &values[&b]);
                let condition = c.word.bits[0];
                let word = Word::mux(&mut self.circuit, condition, &a.word, &b.word, &self.objects);
                // Only the operand that is chosen is evaluated.
                let chosen = self.circuit.mux(condition, a.defined, b.defined);
                let defined = self.circuit.and(c.defined, chosen);
                let chosen = self.circuit.mux(condition, a.escape, b.escape);
                let escape = self.circuit.or(c.escape, chosen);
                Value { word: Rc::new(word), defined, escape }
            }
        })
    }

    /// An operation, by cases if it is on integers and they are few.
    fn operate(
        &mut self,
        on_integers: bool,
        operands: [&Word; 2],
        operation: impl Fn(&mut Circuit, &[Bit], &[Bit]) -> Result<(Vec<Bit>, Bit), Unsupported>,
    ) -> Result<(Word, Bit), Unsupported> {
        if on_integers && let Some(known) = Word::by_cases(&mut self.circuit, operands, &operation)? {
            return Ok(known);
        }
        let (bits, defined) = operation(&mut self.circuit, &operands[0].bits, &operands[1].bits)?;
        Ok((Word::new(bits), defined))
    }

    fn load(&mut self, state: &State, address: &Value, ty: Type) -> Result<Value, Unsupported> {
        let bytes = u64::from(self.program.size_of(ty));
        let mut cx = self.memory_context();
        let access = state.memory.locate(&mut cx, state.known, &address.word, bytes)?;
        let found = state.memory.read(&mut cx, &access, bytes);
        let width = width(self.program, ty);
        let word = match found {
            // What is known is known of the whole bytes.
            Some(word) if word.bits.len() > width => Word::new(word.bits[..width].to_vec()),
            Some(word) => word,
            None => Word::new(vec![Bit::FALSE; width]),
        };
        let under = self.under.at(&self.circuit, state.known);
        let word = Rc::new(word).narrowed(&mut self.circuit, under);
        let allowed = self.circuit.or(access.valid, access.escape);
        let defined = self.circuit.and(address.defined, allowed);
        let escape = self.circuit.or(address.escape, access.escape);
        Ok(Value { word, defined, escape })
    }
}
