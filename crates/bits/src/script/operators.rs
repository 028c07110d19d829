//! The operators of SMT-LIB's theories of words, arrays and truth values.

use super::Script;
use super::floats::real_operator;
use super::sorts::{Sort, Value, Word};
use crate::{Bit, words};
use craig_term::smtlib::{Result, Sexpr};

impl Script {
    pub(super) fn operate(&mut self, term: Sexpr<'_>, operator: Sexpr<'_>, args: &[Value]) -> Result<Value> {
        let value = match operator.symbol() {
            Some(name) => {
                if let Some(result) = self.call(term, name, args) {
                    return result;
                }
                self.logical(name, args)
                    .or_else(|| self.word_operator(name, args))
                    .or_else(|| self.float_operator(name, args))
                    .or_else(|| real_operator(name, args))
            }
            None => {
                let parts: Vec<&str> = operator.children().map(|part| part.text()).collect();
                match parts[..] {
                    ["_", name, ..] => self.indexed(name, &parts[2..], args),
                    ["as", "const", _] => {
                        let sort = operator.children().nth(2).map(|sort| self.sort(sort)).transpose()?;
                        match (sort, args) {
                            (Some(Sort::Array(indices, element)), [value]) => {
                                let id = self.arrays.constant(indices, element, value.clone());
                                let fits = self.arrays.element_sort(id).1 == self.arrays.sort_of(value);
                                fits.then_some(Value::Array(id))
                            }
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
        };
        value.ok_or_else(|| {
            term.error(format!("`{}` does not take these arguments, or is not known", operator.text()))
        })
    }

    /// Truth values, equality, choice, arrays.
    fn logical(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let bools = || -> Option<Vec<Bit>> {
            let bit = |arg: &Value| if let Value::Bool(bit) = arg { Some(*bit) } else { None };
            args.iter().map(bit).collect()
        };
        let circuit = &mut self.circuit;
        let bit = match (name, args) {
            ("not", [Value::Bool(a)]) => !*a,
            ("and", _) => bools()?.into_iter().fold(Bit::TRUE, |all, bit| circuit.and(all, bit)),
            ("or", _) => bools()?.into_iter().fold(Bit::FALSE, |any, bit| circuit.or(any, bit)),
            ("xor", _) => bools()?.into_iter().fold(Bit::FALSE, |odd, bit| circuit.xor(odd, bit)),
            ("=>", _) => {
                let mut bits = bools()?;
                let last = bits.pop()?;
                bits.into_iter().rev().fold(last, |then, bit| circuit.implies(bit, then))
            }
            ("=", [_, _, ..]) => {
                let mut all = Bit::TRUE;
                for pair in args.windows(2) {
                    let equal = self.equal(&pair[0], &pair[1])?;
                    all = self.circuit.and(all, equal);
                }
                all
            }
            ("distinct", [_, _, ..]) => {
                let mut all = Bit::TRUE;
                for (i, a) in args.iter().enumerate() {
                    for b in &args[i + 1..] {
                        let equal = self.equal(a, b)?;
                        all = self.circuit.and(all, !equal);
                    }
                }
                all
            }
            ("ite", [Value::Bool(condition), a, b]) => {
                return match (a, b) {
                    (Value::Array(x), Value::Array(y))
                        if self.arrays.sort_of(a) == self.arrays.sort_of(b) =>
                    {
                        Some(Value::Array(self.arrays.choice(*condition, *x, *y)))
                    }
                    _ => {
                        let ((sort, x), (other, y)) = (a.scalar()?, b.scalar()?);
                        (sort == other).then(|| sort.value(words::mux(circuit, *condition, &x, &y).into()))
                    }
                };
            }
            ("select", [Value::Array(id), index]) => {
                let (sort, _) = self.arrays.element_sort(*id);
                let (_, index) = index.scalar().filter(|(index, _)| *index == sort)?;
                return Some(self.arrays.select(circuit, *id, &index));
            }
            ("store", [Value::Array(id), index, value]) => {
                let (sort, element) = self.arrays.element_sort(*id);
                let (_, index) = index.scalar().filter(|(index, _)| *index == sort)?;
                let fits = self.arrays.sort_of(value) == element;
                return fits.then(|| Value::Array(self.arrays.store(circuit, *id, &index, value)));
            }
            _ => return None,
        };
        Some(Value::Bool(bit))
    }

    fn equal(&mut self, a: &Value, b: &Value) -> Option<Bit> {
        match (a, b) {
            (Value::Array(x), Value::Array(y)) if self.arrays.sort_of(a) == self.arrays.sort_of(b) => {
                Some(self.arrays.equal(&mut self.circuit, *x, *y))
            }
            (Value::Real(x), Value::Real(y)) => Some(Bit::constant(x == y)),
            _ => {
                let ((sort, x), (other, y)) = (a.scalar()?, b.scalar()?);
                (sort == other).then(|| words::equal(&mut self.circuit, &x, &y))
            }
        }
    }

    fn word_operator(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let all: Option<Vec<Word>> = args
            .iter()
            .map(|arg| if let Value::Word(word) = arg { Some(word.clone()) } else { None })
            .collect();
        let all = all?;
        let first = all.first()?.clone();
        if name == "concat" {
            let bits: Vec<Bit> = all.iter().rev().flat_map(|word| word.iter().copied()).collect();
            return Some(Value::Word(bits.into()));
        }
        if all.iter().any(|word| word.len() != first.len()) {
            return None;
        }
        if let [a] = &all[..] {
            return self.unary(name, a);
        }
        // Of more than two, from the left.
        if matches!(name, "bvand" | "bvor" | "bvxor" | "bvadd" | "bvmul") {
            let mut sum = first;
            for word in &all[1..] {
                sum = self.arithmetic(name, &sum, word)?;
            }
            return Some(Value::Word(sum));
        }
        let [a, b] = &all[..] else { return None };
        match self.comparison(name, a, b) {
            Some(bit) => Some(Value::Bool(bit)),
            None => self.arithmetic(name, a, b).map(Value::Word),
        }
    }

    fn unary(&mut self, name: &str, a: &Word) -> Option<Value> {
        let circuit = &mut self.circuit;
        Some(match name {
            "bvnot" => Value::Word(words::not(a).into()),
            "bvneg" => {
                let zero: Word = words::constant(a.len(), 0).into();
                Value::Word(self.polynomials.apply(circuit, "bvsub", &zero, a, |c| words::negate(c, a)))
            }
            "bvnego" => {
                let (&sign, rest) = a.split_last()?;
                let some = words::any(circuit, rest);
                Value::Bool(circuit.and(sign, !some))
            }
            "bvredor" => Value::Word(vec![words::any(circuit, a)].into()),
            "bvredand" => Value::Word(vec![words::all(circuit, a)].into()),
            "bvredxor" => {
                let odd = a.iter().fold(Bit::FALSE, |odd, &bit| circuit.xor(odd, bit));
                Value::Word(vec![odd].into())
            }
            _ => return None,
        })
    }

    fn comparison(&mut self, name: &str, a: &Word, b: &Word) -> Option<Bit> {
        let c = &mut self.circuit;
        let width = a.len();
        // A result that needs more bits than there are.
        let leaves = |c: &mut crate::Circuit, wide: &[Bit], signed: bool| {
            let kept = words::extend(&wide[..width], wide.len(), signed);
            !words::equal(c, &kept, wide)
        };
        Some(match name {
            "bvult" => words::less(c, a, b, false),
            "bvugt" => words::less(c, b, a, false),
            "bvule" => !words::less(c, b, a, false),
            "bvuge" => !words::less(c, a, b, false),
            "bvslt" => words::less(c, a, b, true),
            "bvsgt" => words::less(c, b, a, true),
            "bvsle" => !words::less(c, b, a, true),
            "bvsge" => !words::less(c, a, b, true),
            "bvuaddo" => words::add(c, a, b, Bit::FALSE).1,
            "bvusubo" => words::less(c, a, b, false),
            "bvsaddo" | "bvssubo" => {
                let (a, b) = (words::extend(a, width + 1, true), words::extend(b, width + 1, true));
                let wide = match name {
                    "bvsaddo" => words::add(c, &a, &b, Bit::FALSE).0,
                    _ => words::sub(c, &a, &b),
                };
                leaves(c, &wide, true)
            }
            "bvumulo" | "bvsmulo" => {
                let signed = name == "bvsmulo";
                let wide = words::multiply(c, a, b, 2 * width, signed);
                leaves(c, &wide, signed)
            }
            "bvsdivo" => {
                let (&sign, rest) = a.split_last()?;
                let some = words::any(c, rest);
                let least = c.and(sign, !some);
                let minus_one = words::all(c, b);
                c.and(least, minus_one)
            }
            _ => return None,
        })
    }

    fn arithmetic(&mut self, name: &str, a: &Word, b: &Word) -> Option<Word> {
        let c = &mut self.circuit;
        let width = a.len();
        Some(match name {
            "bvand" => words::zip(a, b, |a, b| c.and(a, b)).into(),
            "bvor" => words::zip(a, b, |a, b| c.or(a, b)).into(),
            "bvxor" => words::zip(a, b, |a, b| c.xor(a, b)).into(),
            "bvnand" => words::zip(a, b, |a, b| !c.and(a, b)).into(),
            "bvnor" => words::zip(a, b, |a, b| !c.or(a, b)).into(),
            "bvxnor" => words::zip(a, b, |a, b| c.equal(a, b)).into(),
            "bvcomp" => vec![words::equal(c, a, b)].into(),
            "bvadd" => self.polynomials.apply(c, name, a, b, |c| words::add(c, a, b, Bit::FALSE).0),
            "bvsub" => self.polynomials.apply(c, name, a, b, |c| words::sub(c, a, b)),
            "bvmul" => self.polynomials.apply(c, name, a, b, |c| words::multiply(c, a, b, width, false)),
            "bvudiv" => words::divide(c, a, b).0.into(),
            "bvurem" => words::divide(c, a, b).1.into(),
            "bvsdiv" => words::divide_signed(c, a, b).0.into(),
            "bvsrem" => words::divide_signed(c, a, b).1.into(),
            "bvsmod" => {
                // As the remainder, but with the sign of the divisor.
                let remainder = words::divide_signed(c, a, b).1;
                let (sa, sb) = (*a.last()?, *b.last()?);
                let (differ, some) = (c.xor(sa, sb), words::any(c, &remainder));
                let correct = c.and(differ, some);
                let sum = words::add(c, &remainder, b, Bit::FALSE).0;
                words::mux(c, correct, &sum, &remainder).into()
            }
            "bvshl" => words::shift_left(c, a, b).into(),
            "bvlshr" => words::shift_right(c, a, b, Bit::FALSE).into(),
            "bvashr" => words::shift_right(c, a, b, *a.last()?).into(),
            _ => return None,
        })
    }

    fn indexed(&mut self, name: &str, indices: &[&str], args: &[Value]) -> Option<Value> {
        if let (Some(digits), [width], []) = (name.strip_prefix("bv"), indices, args) {
            return Some(Value::Word(decimal(digits, width.parse().ok()?)?.into()));
        }
        let numbers: Option<Vec<usize>> = indices.iter().map(|index| index.parse().ok()).collect();
        let numbers = numbers?;
        if let Some(value) = self.float_indexed(name, &numbers, args) {
            return Some(value);
        }
        let [Value::Word(word)] = args else { return None };
        let width = word.len();
        let bits: Vec<Bit> = match (name, &numbers[..]) {
            ("extract", &[high, low]) if low <= high && high < width => word[low..=high].to_vec(),
            ("zero_extend", &[more]) if more < 1 << 20 => words::extend(word, width + more, false),
            ("sign_extend", &[more]) if more < 1 << 20 => words::extend(word, width + more, true),
            ("repeat", &[times]) if times > 0 && width * times < 1 << 20 => word.repeat(times),
            ("rotate_left", &[by]) => rotated(word, width - by % width),
            ("rotate_right", &[by]) => rotated(word, by % width),
            _ => return None,
        };
        Some(Value::Word(bits.into()))
    }
}

/// To the right.
fn rotated(word: &[Bit], by: usize) -> Vec<Bit> {
    (0..word.len()).map(|i| word[(i + by) % word.len()]).collect()
}

/// A decimal number, modulo 2 to the width.
fn decimal(digits: &str, width: usize) -> Option<Vec<Bit>> {
    if digits.is_empty() || width == 0 || width > 1 << 20 {
        return None;
    }
    let mut bits = vec![false; width];
    for digit in digits.chars() {
        // Ten times as much, and the digit.
        let mut carry = digit.to_digit(10)?;
        for bit in &mut bits {
            let sum = carry + if *bit { 10 } else { 0 };
            *bit = sum & 1 != 0;
            carry = sum >> 1;
        }
    }
    Some(bits.into_iter().map(Bit::constant).collect())
}
