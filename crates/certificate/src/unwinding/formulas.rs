//! Formulas over integers about a state of the unwinding: every number is a signed word that is wide enough for it, so
//! nothing wraps.
//!
//! What memory holds at an address that is no part of an object is anything. An invariant that speaks of it is assumed
//! for one such value and proved for all.

use super::Failure;
use super::copies::Relation;
use super::gates::{FALSE, Gates, Lit, TRUE, Word, number, widened};
use super::machine::{Machine, State};
use super::meaning::{bits, integer};
use craig_base::Map;
use craig_num::Int;
use craig_program::{Cell, RegionId, StateVar, Type};
use craig_term::{Op, TermId, Terms};

/// Numbers with more bits are no part of invariants.
const WIDEST: usize = 300;

#[derive(Clone)]
enum Value {
    Truth(Lit),
    Number(Word),
    Region(RegionId),
}

const UNKNOWN: Failure = Failure::Unsupported("this kind of invariant");

impl Value {
    fn truth(&self) -> Result<Lit, Failure> {
        if let Value::Truth(lit) = self { Ok(*lit) } else { Err(UNKNOWN) }
    }

    fn number(&self) -> Result<&Word, Failure> {
        if let Value::Number(word) = self { Ok(word) } else { Err(UNKNOWN) }
    }
}

impl Machine<'_> {
    /// Whether a formula holds in a state.
    pub fn holds(&mut self, state: &State, terms: &Terms, formula: TermId) -> Result<Lit, Failure> {
        let mut values: Map<TermId, Value> = Map::default();
        for term in terms.postorder(&[formula]) {
            let value = self.meaning(state, terms, term, &values)?;
            if matches!(&value, Value::Number(word) if word.len() > WIDEST) {
                return Err(Failure::TooLarge);
            }
            values.insert(term, value);
        }
        values[&formula].truth()
    }

    fn meaning(
        &mut self,
        state: &State,
        terms: &Terms,
        term: TermId,
        values: &Map<TermId, Value>,
    ) -> Result<Value, Failure> {
        let args: Vec<&Value> = terms.args(term).iter().filter_map(|arg| values.get(arg)).collect();
        let g = &mut self.gates;
        Ok(match (terms.op(term), &args[..]) {
            (Op::True, _) => Value::Truth(TRUE),
            (Op::False, _) => Value::Truth(FALSE),
            (Op::Number(..), _) => {
                Value::Number(constant(&terms.int_value(term).ok_or(UNKNOWN)?).ok_or(UNKNOWN)?)
            }
            (Op::Const(..), _) => match self.cuts.components.get(&term) {
                Some(&StateVar::Var(var)) => {
                    let ty = self.program.vars[var].ty;
                    let word = self.read(state, var);
                    if ty == Type::Bool { Value::Truth(word[0]) } else { self.signed(ty, &word)? }
                }
                Some(&StateVar::Region(region)) => Value::Region(region),
                None => return Err(UNKNOWN),
            },
            (Op::Not, [a]) => Value::Truth(-a.truth()?),
            (op @ (Op::And | Op::Or), args) => {
                let mut all = if op == Op::And { TRUE } else { FALSE };
                for arg in args {
                    let arg = arg.truth()?;
                    all = if op == Op::And { g.and(all, arg) } else { g.or(all, arg) };
                }
                Value::Truth(all)
            }
            (Op::Ite, [c, Value::Truth(a), Value::Truth(b)]) => Value::Truth(g.choose(c.truth()?, *a, *b)),
            (Op::Ite, [c, a, b]) => {
                let (a, b) = same_width(a.number()?, b.number()?, 0);
                Value::Number(g.choose_word(c.truth()?, &a, &b))
            }
            (Op::Eq, [Value::Truth(a), Value::Truth(b)]) => Value::Truth(-g.xor(*a, *b)),
            (Op::Eq, [a, b]) => {
                let (a, b) = same_width(a.number()?, b.number()?, 0);
                Value::Truth(g.related(Relation::Equal, &a, &b))
            }
            (Op::Le, [a, b]) => {
                let (a, b) = same_width(a.number()?, b.number()?, 1);
                Value::Truth(-g.related(Relation::Less { signed: true }, &b, &a))
            }
            (Op::Add, [first, rest @ ..]) => {
                let mut sum = first.number()?.clone();
                for summand in rest {
                    let (a, b) = same_width(&sum, summand.number()?, 1);
                    sum = g.sum(&a, &b, FALSE);
                }
                Value::Number(sum)
            }
            (Op::Scale | Op::Mul, [first, rest @ ..]) => {
                let mut product = first.number()?.clone();
                for factor in rest {
                    let factor = factor.number()?;
                    let width = product.len() + factor.len();
                    let (a, b) = (widened(&product, width, true), widened(factor, width, true));
                    product = g.product(&a, &b, width);
                }
                Value::Number(product)
            }
            (op @ (Op::Div | Op::Mod), [a, _]) => {
                let by = terms.int_value(terms.arg(term, 1)).filter(Int::is_positive).ok_or(UNKNOWN)?;
                let (quotient, rest) = division(g, a.number()?, &by)?;
                Value::Number(if op == Op::Div { quotient } else { rest })
            }
            (Op::Select, [Value::Region(region), _]) => {
                let address = terms.int_value(terms.arg(term, 1)).and_then(|address| address.to_i128());
                let address = address.and_then(|address| u64::try_from(address).ok()).ok_or(UNKNOWN)?;
                self.cell(state, *region, address)?
            }
            _ => return Err(UNKNOWN),
        })
    }

    /// A word of a type as a number. Of a float it is its pattern without the sign, below zero where the sign is set: so numbers
    /// are in the order of the floats, the NaNs lie beyond the infinities, and the zeros are one. No rule of the checker rests on
    /// that; a formula is about patterns, and holds or does not.
    fn signed(&mut self, ty: Type, word: &[Lit]) -> Result<Value, Failure> {
        if let (Type::Float(_), Some((&sign, pattern))) = (ty, word.split_last()) {
            let pattern = widened(pattern, word.len(), false);
            return Ok(Value::Number(self.gates.magnitude(&pattern, sign)));
        }
        let signed = integer(self.program, ty)?.signed;
        Ok(Value::Number(widened(word, word.len() + 1, signed)))
    }

    /// What a region holds at an address.
    fn cell(&mut self, state: &State, region: RegionId, address: u64) -> Result<Value, Failure> {
        let program = self.program;
        let ty = match program.regions[region].cell {
            Cell::Scalar(ty) => ty,
            Cell::Bytes => Type::Int(craig_program::IntType::U8),
        };
        let size = u64::from(program.size_of(ty));
        let address = number(bits(program, Type::Pointer), u128::from(address));
        let under = self.under.at(&self.gates, state.decisions);
        let access = state.memory.access(&mut self.gates, &self.first, under, &address, size, None)?;
        let found = state.memory.load(&mut self.gates, &mut self.first, &access, size);
        let other = self.gates.free_word(found.len());
        let mut word = self.gates.choose_word(access.valid, &found, &other);
        word.truncate(bits(program, ty));
        self.signed(ty, &word)
    }
}

fn is_negative(word: &[Lit]) -> Lit {
    word.last().copied().unwrap_or(FALSE)
}

/// As signed words of one width, with some bits to spare.
fn same_width(a: &Word, b: &Word, more: usize) -> (Word, Word) {
    let width = a.len().max(b.len()) + more;
    (widened(a, width, true), widened(b, width, true))
}

/// The shortest signed word.
fn constant(value: &Int) -> Option<Word> {
    let value = value.to_i128()?;
    let magnitude = if value < 0 { !value } else { value };
    let width = 129 - magnitude.leading_zeros() as usize;
    Some((0..width).map(|i| if value >> i.min(127) & 1 != 0 { TRUE } else { FALSE }).collect())
}

/// Quotient and remainder by a positive number; the remainder is not negative.
fn division(g: &mut Gates, a: &Word, by: &Int) -> Result<(Word, Word), Failure> {
    let by = by.to_i128().filter(|&by| by < 1 << 100).ok_or(UNKNOWN)?;
    if by & (by - 1) == 0 {
        let shift = by.trailing_zeros() as usize;
        let wide = widened(a, a.len().max(shift + 1), true);
        return Ok((wide[shift..].to_vec(), [&wide[..shift], &[FALSE]].concat()));
    }
    let width = a.len().max(129 - by.leading_zeros() as usize) + 1;
    let negative = is_negative(a);
    let a = widened(a, width, true);
    let by = number(width, by as u128);
    let magnitude = g.magnitude(&a, negative);
    let (quotient, rest) = g.quotient(&magnitude, &by);
    // Below zero the remainder is what the magnitude lacks to the next multiple.
    let exact = -g.any(&rest);
    let up = g.and(negative, -exact);
    let lacks = g.difference_of(&by, &rest);
    let rest = g.choose_word(up, &lacks, &rest);
    let more = widened(&[up, FALSE], width, false);
    let quotient = g.sum(&quotient, &more, FALSE);
    Ok((g.magnitude(&quotient, negative), rest))
}
