//! The values of expressions in a state of the unwinding.

use super::Unsupported;
use super::arithmetic::{binary, cast, unary, width};
use super::state::State;
use super::unwinder::Unwinder;
use super::word::Word;
use crate::Bit;
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
                let a = &values[&a];
                let (bits, defined) = unary(program, &mut self.circuit, op, exprs.ty(id), &a.word.bits)?;
                let defined = self.circuit.and(a.defined, defined);
                Value { word: Rc::new(Word::new(bits)), defined, escape: a.escape }
            }
            Expr::Binary(op, a, b) => {
                let types = (exprs.ty(a), exprs.ty(b));
                let (a, b) = (&values[&a], &values[&b]);
                let circuit = &mut self.circuit;
                let (bits, defined) = binary(program, circuit, op, types, &a.word.bits, &b.word.bits)?;
                let both = circuit.and(a.defined, b.defined);
                let defined = circuit.and(both, defined);
                let escape = circuit.or(a.escape, b.escape);
                let mut word = Word::new(bits);
                if word.bits.len() <= 64 && word.as_constant().is_none() && !op.is_comparison() {
                    let mask = u64::MAX >> (64 - word.bits.len());
                    // An offset may be narrower than the address, and signed.
                    let same_width = a.word.bits.len() == b.word.bits.len();
                    let add = |x: u64, y: u64| x.wrapping_add(y) & mask;
                    let sub = |x: u64, y: u64| x.wrapping_sub(y) & mask;
                    let mul = |x: u64, y: u64| x.wrapping_mul(y) & mask;
                    let operation: Option<&dyn Fn(u64, u64) -> u64> = match op {
                        BinaryOp::Add if same_width => Some(&add),
                        BinaryOp::Sub if same_width => Some(&sub),
                        BinaryOp::Mul if same_width => Some(&mul),
                        _ => None,
                    };
                    word.hint = Word::derived(&a.word, &b.word, operation, &self.objects);
                }
                Value { word: Rc::new(word), defined, escape }
            }
            Expr::Cast(to, a) => {
                let from = exprs.ty(a);
                let a = &values[&a];
                let (bits, defined) = cast(program, &mut self.circuit, from, to, &a.word.bits)?;
                let defined = self.circuit.and(a.defined, defined);
                let mut word = Word::new(bits);
                if word.bits.len() == a.word.bits.len() {
                    word.hint = a.word.hint.clone();
                } else if let (Type::Int(source), Type::Int(_) | Type::Pointer) = (from, to)
                    && (2..=64).contains(&word.bits.len())
                {
                    word.hint = a.word.extended(word.bits.len(), source.signed);
                }
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

    fn load(&mut self, state: &State, address: &Value, ty: Type) -> Result<Value, Unsupported> {
        let bytes = u64::from(self.program.size_of(ty));
        let mut cx = self.memory_context();
        let access = state.memory.locate(&mut cx, &address.word, bytes)?;
        let found = state.memory.read(&mut cx, &access, bytes);
        let width = width(self.program, ty);
        let word = match found {
            // What is known is known of the whole bytes.
            Some(word) if word.bits.len() > width => Word::new(word.bits[..width].to_vec()),
            Some(word) => word,
            None => Word::new(vec![Bit::FALSE; width]),
        };
        let allowed = self.circuit.or(access.valid, access.escape);
        let defined = self.circuit.and(address.defined, allowed);
        let escape = self.circuit.or(address.escape, access.escape);
        Ok(Value { word: Rc::new(word), defined, escape })
    }
}
