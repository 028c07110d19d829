//! Formulas over integers about a state of the unwinding: every number is a signed word that is wide enough for it.

use super::arithmetic::{int_type, width};
use super::state::State;
use super::unwinder::Unwinder;
use super::word::Word;
use crate::copies::{self, Relation};
use crate::{Bit, words};
use craig_base::Map;
use craig_program::{Cell, IntType, RegionId, StateVar, Type};
use craig_term::{Op, TermId, Terms};

/// A signed word.
type Number = Vec<Bit>;

#[derive(Clone)]
enum Value {
    Truth(Bit),
    Number(Number),
    Region(RegionId),
}

/// Numbers with more bits are not worth it.
const WIDEST: usize = 300;

impl Value {
    fn truth(&self) -> Option<Bit> {
        if let Value::Truth(bit) = self { Some(*bit) } else { None }
    }

    fn number(&self) -> Option<&Number> {
        if let Value::Number(number) = self { Some(number) } else { None }
    }
}

impl Unwinder<'_> {
    /// Whether a formula holds in a state; nothing where it has operators that words do not know. Constants stand for
    /// these components of the state.
    pub fn holds(
        &mut self,
        state: &State,
        terms: &Terms,
        components: &Map<TermId, StateVar>,
        formula: TermId,
    ) -> Option<Bit> {
        let mut values: Map<TermId, Value> = Map::default();
        for term in terms.postorder(&[formula]) {
            let value = self.meaning(state, terms, components, term, &values)?;
            if matches!(&value, Value::Number(number) if number.len() > WIDEST) {
                return None;
            }
            values.insert(term, value);
        }
        values[&formula].truth()
    }

    fn meaning(
        &mut self,
        state: &State,
        terms: &Terms,
        components: &Map<TermId, StateVar>,
        term: TermId,
        values: &Map<TermId, Value>,
    ) -> Option<Value> {
        let args: Vec<&Value> = terms.args(term).iter().filter_map(|arg| values.get(arg)).collect();
        let circuit = &mut self.circuit;
        Some(match (terms.op(term), &args[..]) {
            (Op::True, _) => Value::Truth(Bit::TRUE),
            (Op::False, _) => Value::Truth(Bit::FALSE),
            (Op::Number(..), _) => Value::Number(numeral(terms.int_value(term)?.to_i128()?)),
            (Op::Const(..), _) => match *components.get(&term)? {
                StateVar::Var(var) => {
                    let word = self.read(state, var);
                    match self.program.vars[var].ty {
                        Type::Bool => Value::Truth(word.bits[0]),
                        ty => self.extended(ty, &word.bits)?,
                    }
                }
                StateVar::Region(region) => Value::Region(region),
            },
            (Op::Not, [a]) => Value::Truth(!a.truth()?),
            (Op::And, args) => {
                let args: Option<Vec<Bit>> = args.iter().map(|arg| arg.truth()).collect();
                Value::Truth(words::all(circuit, &args?))
            }
            (Op::Or, args) => {
                let args: Option<Vec<Bit>> = args.iter().map(|arg| arg.truth()).collect();
                Value::Truth(words::any(circuit, &args?))
            }
            (Op::Eq, [Value::Truth(a), Value::Truth(b)]) => Value::Truth(circuit.equal(*a, *b)),
            (Op::Ite, [c, Value::Truth(a), Value::Truth(b)]) => Value::Truth(circuit.mux(c.truth()?, *a, *b)),
            (Op::Ite, [c, a, b]) => {
                let (a, b) = aligned(a.number()?, b.number()?, 0);
                Value::Number(words::mux(circuit, c.truth()?, &a, &b))
            }
            (Op::Eq, [a, b]) => {
                let (a, b) = aligned(a.number()?, b.number()?, 0);
                Value::Truth(copies::compare(circuit, Relation::Equal, &a, &b))
            }
            (Op::Le, [a, b]) => {
                let (a, b) = aligned(a.number()?, b.number()?, 0);
                Value::Truth(!copies::compare(circuit, Relation::Less { signed: true }, &b, &a))
            }
            (Op::Add, [first, rest @ ..]) => {
                let mut sum = first.number()?.clone();
                for summand in rest {
                    let (a, b) = aligned(&sum, summand.number()?, 1);
                    sum = words::add(circuit, &a, &b, Bit::FALSE).0;
                }
                Value::Number(sum)
            }
            (Op::Scale | Op::Mul, [first, rest @ ..]) => {
                let mut product = first.number()?.clone();
                for factor in rest {
                    let factor = factor.number()?;
                    let width = product.len() + factor.len();
                    product = words::multiply(circuit, &product, factor, width, true);
                }
                Value::Number(product)
            }
            (op @ (Op::Div | Op::Mod), [a, _]) => {
                let by = terms.int_value(terms.arg(term, 1))?.to_i128().filter(|&by| by > 0)?;
                let (quotient, rest) = self.division(a.number()?, by)?;
                Value::Number(if op == Op::Div { quotient } else { rest })
            }
            (Op::Select, [Value::Region(region), _]) => {
                let address = terms.int_value(terms.arg(term, 1))?.to_i128()?;
                self.cell(state, *region, u64::try_from(address).ok()?)?
            }
            _ => return None,
        })
    }

    /// A word of a type as a number: of a float, one in the order of floats, beyond those of infinities for NaNs.
    fn extended(&mut self, ty: Type, bits: &[Bit]) -> Option<Value> {
        if let (Type::Float(_), Some((&sign, pattern))) = (ty, bits.split_last()) {
            let pattern = words::zero_extend(pattern, bits.len());
            return Some(Value::Number(words::negate_if(&mut self.circuit, sign, &pattern)));
        }
        let signed = int_type(self.program, ty)?.signed;
        Some(Value::Number(words::extend(bits, bits.len() + 1, signed)))
    }

    /// Quotient and remainder by a positive number; the remainder is not negative.
    fn division(&mut self, a: &[Bit], by: i128) -> Option<(Number, Number)> {
        if by & (by - 1) == 0 {
            let shift = by.trailing_zeros() as usize;
            let wide = words::extend(a, a.len().max(shift + 1), true);
            return Some((wide[shift..].to_vec(), words::extend(&wide[..shift], shift + 1, false)));
        }
        // The divisor is not negative, so quotient and remainder are those of truncation, or one off.
        let width = a.len().max(129 - by.leading_zeros() as usize) + 1;
        let (a, by) = (words::extend(a, width, true), words::constant(width, by as u128));
        let (quotient, rest) = words::divide_signed(&mut self.circuit, &a, &by);
        let off = rest[width - 1];
        let more = words::add(&mut self.circuit, &rest, &by, Bit::FALSE).0;
        let one = words::constant(width, 1);
        let less = words::sub(&mut self.circuit, &quotient, &one);
        let rest = words::mux(&mut self.circuit, off, &more, &rest);
        Some((words::mux(&mut self.circuit, off, &less, &quotient), rest))
    }

    fn cell(&mut self, state: &State, region: RegionId, address: u64) -> Option<Value> {
        let program = self.program;
        let ty = match program.regions[region].cell {
            Cell::Scalar(ty) => ty,
            Cell::Bytes => Type::Int(IntType::U8),
        };
        let bytes = u64::from(program.size_of(ty));
        let address = Word::constant(usize::from(program.data_model.pointer_bits()), u128::from(address));
        let mut cx = self.memory_context();
        let access = state.memory.locate(&mut cx, state.known, &address, bytes).ok()?;
        let word = state.memory.read(&mut cx, &access, bytes)?;
        // Of an object that may be gone nothing is said.
        let bits = &word.bits[..width(program, ty)];
        (access.valid == Bit::TRUE).then_some(())?;
        self.extended(ty, bits)
    }
}

fn aligned(a: &Number, b: &Number, more: usize) -> (Number, Number) {
    let width = a.len().max(b.len()) + more;
    (words::extend(a, width, true), words::extend(b, width, true))
}

fn numeral(value: i128) -> Number {
    let magnitude = if value < 0 { !value } else { value };
    words::constant(129 - magnitude.leading_zeros() as usize, value as u128)
}
