//! Words as integers from zero on: every operator exactly, by cases where that is enough, by remainders elsewhere.

use super::Sort;
use super::dag::{Dag, Id};
use crate::read;
use craig_base::{Map, Set};
use craig_num::Int;
use craig_term::quote_symbol;
use craig_term::smtlib::{Kind, Result, Sexpr};

#[derive(Clone, Debug)]
pub(super) enum Value {
    Bool(Id),
    /// With the greatest value that it can have, as far as is known.
    Word(Id, usize, Int),
}

impl Value {
    fn id(&self) -> Id {
        match self {
            Value::Bool(id) | Value::Word(id, ..) => *id,
        }
    }
}

/// Reads terms over words and writes them over integers.
#[derive(Default)]
pub(super) struct Integers {
    pub dag: Dag,
    locals: Map<String, Value>,
    pub predicates: Set<String>,
}

fn power(exponent: usize) -> Int {
    Int::pow2(exponent as u32)
}

impl Integers {
    /// Makes a variable known, and says what values it has.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Option<Id> {
        let id = self.dag.node(quote_symbol(name), &[]);
        let (value, range) = match sort {
            Sort::Bool => (Value::Bool(id), None),
            Sort::Word(width) => {
                let (zero, end) = (self.dag.number(&Int::from(0)), self.dag.number(&power(width)));
                let (low, high) = (self.dag.node("<=", &[zero, id]), self.dag.less(id, end));
                let range = self.dag.node("and", &[low, high]);
                (Value::Word(id, width, &power(width) - &Int::from(1)), Some(range))
            }
        };
        self.locals.insert(name.to_string(), value);
        range
    }

    pub fn truth(&mut self, term: Sexpr<'_>) -> Result<Id> {
        match read::read(self, term)? {
            Value::Bool(id) => Ok(id),
            Value::Word(..) => Err(term.error("expected a truth value")),
        }
    }

    fn constant(&mut self, value: &Int, width: usize) -> Value {
        let value = value.rem_euclid(&power(width));
        Value::Word(self.dag.number(&value), width, value)
    }

    fn word(&mut self, id: Id, width: usize) -> Value {
        let most = self.dag.as_number(id).cloned().unwrap_or_else(|| &power(width) - &Int::from(1));
        Value::Word(id, width, most)
    }

    /// From minus half to half of all values.
    fn signed(&mut self, (id, width, most): (Id, usize, &Int)) -> Id {
        if *most < power(width - 1) {
            return id;
        }
        let (half, whole) = (self.dag.number(&power(width - 1)), self.dag.number(&power(width)));
        let (below, negative) = (self.dag.less(id, half), self.dag.sub(id, whole));
        self.dag.ite(below, id, negative)
    }

    /// A number from minus all values to all values, modulo their number.
    fn wrapped(&mut self, id: Id, width: usize) -> Id {
        let (zero, whole) = (self.dag.number(&Int::from(0)), self.dag.number(&power(width)));
        let (below, more) = (self.dag.less(id, zero), self.dag.add(id, whole));
        self.dag.ite(below, more, id)
    }

    /// Bits from `low` on.
    fn part(&mut self, id: Id, low: usize, width: usize) -> Id {
        let (shift, modulus) = (self.dag.number(&power(low)), self.dag.number(&power(width)));
        let high = self.dag.div(id, shift);
        self.dag.rem(high, modulus)
    }

    fn and(&mut self, a: Id, b: Id, width: usize) -> Id {
        let (a, b) = if self.dag.as_number(a).is_some() { (b, a) } else { (a, b) };
        let mut sum = self.dag.number(&Int::from(0));
        let mut low = 0;
        if let Some(mask) = self.dag.as_number(b).cloned() {
            let bit = |i: usize| !mask.div_euclid(&power(i)).is_even();
            while low < width {
                let length = (low..width).take_while(|&i| bit(i)).count();
                if length > 0 {
                    let (part, shift) = (self.part(a, low, length), self.dag.number(&power(low)));
                    let placed = self.dag.mul(shift, part);
                    sum = self.dag.add(sum, placed);
                }
                low += length.max(1);
            }
            return sum;
        }
        let (zero, one) = (self.dag.number(&Int::from(0)), self.dag.number(&Int::from(1)));
        for i in 0..width {
            let (x, y) = (self.part(a, i, 1), self.part(b, i, 1));
            let (x, y) = (self.dag.equal(x, one), self.dag.equal(y, one));
            let both = self.dag.node("and", &[x, y]);
            let value = self.dag.number(&power(i));
            let bit = self.dag.ite(both, value, zero);
            sum = self.dag.add(sum, bit);
        }
        sum
    }

    fn shifted(&mut self, name: &str, a: (Id, usize, &Int), by: usize) -> Id {
        let (id, width, _) = a;
        let amount = self.dag.number(&power(by));
        match name {
            "bvshl" if by >= width => self.dag.number(&Int::from(0)),
            "bvshl" => {
                let low = self.part(id, 0, width - by);
                self.dag.mul(amount, low)
            }
            "bvlshr" => self.dag.div(id, amount),
            _ => {
                let signed = self.signed(a);
                let shifted = self.dag.div(signed, amount);
                self.wrapped(shifted, width)
            }
        }
    }

    /// A product, which is linear digit by digit.
    fn product(&mut self, a: Id, b: Id, width: usize) -> Id {
        if self.dag.as_number(a).is_some() || self.dag.as_number(b).is_some() {
            return self.dag.mul(a, b);
        }
        let (zero, one) = (self.dag.number(&Int::from(0)), self.dag.number(&Int::from(1)));
        let mut sum = zero;
        for i in 0..width {
            let digit = self.part(b, i, 1);
            let (set, place) = (self.dag.equal(digit, one), self.dag.number(&power(i)));
            // Digits that the result does not have are left out.
            let low = if i == 0 { a } else { self.part(a, 0, width - i) };
            let row = self.dag.mul(place, low);
            let row = self.dag.ite(set, row, zero);
            sum = self.dag.add(sum, row);
        }
        sum
    }

    /// Quotient and remainder of numbers that are not negative, by long division where the divisor is not constant.
    fn quotient(&mut self, a: Id, b: Id, width: usize) -> (Id, Id) {
        if self.dag.as_number(b).is_some() {
            return (self.dag.div(a, b), self.dag.rem(a, b));
        }
        let zero = self.dag.number(&Int::from(0));
        let two = self.dag.number(&Int::from(2));
        let (mut quotient, mut rest) = (zero, zero);
        for i in (0..width).rev() {
            let (digit, twice) = (self.part(a, i, 1), self.dag.mul(two, rest));
            let longer = self.dag.add(twice, digit);
            let (less, shorter) = (self.dag.less(longer, b), self.dag.sub(longer, b));
            rest = self.dag.ite(less, longer, shorter);
            let place = self.dag.number(&power(i));
            let place = self.dag.ite(less, zero, place);
            quotient = self.dag.add(quotient, place);
        }
        (quotient, rest)
    }

    fn divided(&mut self, name: &str, a: (Id, usize, &Int), b: (Id, usize, &Int)) -> Id {
        let width = a.1;
        let (zero, one) = (self.dag.number(&Int::from(0)), self.dag.number(&Int::from(1)));
        let none = self.dag.equal(b.0, zero);
        let ones = self.dag.number(&(&power(width) - &Int::from(1)));
        if matches!(name, "bvudiv" | "bvurem") {
            let (quotient, rest) = self.quotient(a.0, b.0, width);
            let (result, otherwise) = if name == "bvudiv" { (quotient, ones) } else { (rest, a.0) };
            return self.dag.ite(none, otherwise, result);
        }
        let (x, y) = (self.signed(a), self.signed(b));
        let mut absolute = |id: Id| {
            let (below, negated) = (self.dag.less(id, zero), self.dag.sub(zero, id));
            (below, self.dag.ite(below, negated, id))
        };
        let ((minus_x, x), (minus_y, y)) = (absolute(x), absolute(y));
        let (quotient, rest) = self.quotient(x, y, width);
        let result = if name == "bvsdiv" {
            let (negated, same) = (self.dag.sub(zero, quotient), self.dag.equal(minus_x, minus_y));
            let result = self.dag.ite(same, quotient, negated);
            let otherwise = self.dag.ite(minus_x, one, ones);
            let result = self.wrapped(result, width);
            return self.dag.ite(none, otherwise, result);
        } else {
            let negated = self.dag.sub(zero, rest);
            self.dag.ite(minus_x, negated, rest)
        };
        let result = if name == "bvsmod" {
            // The sign of the divisor.
            let signed_b = self.signed(b);
            let same = self.dag.equal(minus_x, minus_y);
            let moved = self.dag.add(result, signed_b);
            let is_zero = self.dag.equal(result, zero);
            let keep = self.dag.node("or", &[same, is_zero]);
            self.dag.ite(keep, result, moved)
        } else {
            result
        };
        let result = self.wrapped(result, width);
        self.dag.ite(none, a.0, result)
    }

    fn binary(&mut self, name: &str, a: (Id, usize, &Int), b: (Id, usize, &Int)) -> Option<Value> {
        let width = a.1;
        let whole = power(width);
        let modulus = self.dag.number(&whole);
        let negate = |integers: &mut Self, id: Id| integers.dag.node("not", &[id]);
        let id = match name {
            "bvult" => return Some(Value::Bool(self.dag.less(a.0, b.0))),
            "bvugt" => return Some(Value::Bool(self.dag.less(b.0, a.0))),
            "bvule" | "bvuge" => {
                let less = if name == "bvule" { self.dag.less(b.0, a.0) } else { self.dag.less(a.0, b.0) };
                return Some(Value::Bool(negate(self, less)));
            }
            "bvslt" | "bvsgt" | "bvsle" | "bvsge" => {
                let (x, y) = (self.signed(a), self.signed(b));
                let (x, y) = if matches!(name, "bvslt" | "bvsge") { (x, y) } else { (y, x) };
                let less = self.dag.less(x, y);
                return Some(Value::Bool(match name {
                    "bvslt" | "bvsgt" => less,
                    _ => negate(self, less),
                }));
            }
            "bvadd" => {
                let (sum, most) = (self.dag.add(a.0, b.0), a.2 + b.2);
                if most < whole {
                    return Some(Value::Word(sum, width, most));
                }
                let (fits, less) = (self.dag.less(sum, modulus), self.dag.sub(sum, modulus));
                self.dag.ite(fits, sum, less)
            }
            "bvsub" => {
                let difference = self.dag.sub(a.0, b.0);
                self.wrapped(difference, width)
            }
            "bvmul" => {
                let most = a.2 * b.2;
                if most < whole {
                    return Some(Value::Word(self.product(a.0, b.0, width), width, most));
                }
                // A constant as the number nearest to zero.
                let mut factor = |id: Id| match self.dag.as_number(id) {
                    Some(value) if *value >= power(width - 1) => {
                        let negative = value - &whole;
                        self.dag.number(&negative)
                    }
                    _ => id,
                };
                let (x, y) = (factor(a.0), factor(b.0));
                let product = self.product(x, y, width);
                self.dag.rem(product, modulus)
            }
            "bvudiv" | "bvurem" | "bvsdiv" | "bvsrem" | "bvsmod" => self.divided(name, a, b),
            "bvshl" | "bvlshr" | "bvashr" => match self.dag.as_number(b.0).cloned() {
                Some(by) => {
                    let by = by.to_i64().map_or(width, |by| (by as usize).min(width));
                    self.shifted(name, a, by)
                }
                None => {
                    let mut result = self.shifted(name, a, width);
                    for by in (0..width).rev() {
                        let amount = self.dag.number(&Int::from(by as i64));
                        let (here, value) = (self.dag.equal(b.0, amount), self.shifted(name, a, by));
                        result = self.dag.ite(here, value, result);
                    }
                    result
                }
            },
            "bvand" | "bvor" | "bvxor" | "bvnand" | "bvnor" | "bvxnor" => {
                let both = self.and(a.0, b.0, width);
                let sum = self.dag.add(a.0, b.0);
                let result = match name {
                    "bvand" | "bvnand" => both,
                    "bvor" | "bvnor" => self.dag.sub(sum, both),
                    _ => {
                        let or = self.dag.sub(sum, both);
                        self.dag.sub(or, both)
                    }
                };
                match name {
                    "bvand" | "bvor" | "bvxor" => result,
                    _ => {
                        let ones = self.dag.number(&(&whole - &Int::from(1)));
                        self.dag.sub(ones, result)
                    }
                }
            }
            "bvcomp" => {
                let (one, zero) = (self.dag.number(&Int::from(1)), self.dag.number(&Int::from(0)));
                let equal = self.dag.equal(a.0, b.0);
                let id = self.dag.ite(equal, one, zero);
                return Some(self.word(id, 1));
            }
            _ => return None,
        };
        Some(self.word(id, width))
    }

    fn indexed(&mut self, name: &str, indices: &[usize], a: (Id, usize, &Int)) -> Option<Value> {
        let (id, width, most) = a;
        match (name, indices) {
            ("extract", &[high, low]) if low <= high && high < width => {
                let id = self.part(id, low, high - low + 1);
                Some(self.word(id, high - low + 1))
            }
            ("zero_extend", &[more]) if more < 1 << 12 => Some(Value::Word(id, width + more, most.clone())),
            ("sign_extend", &[more]) if more < 1 << 12 => {
                let signed = self.signed(a);
                let id = self.wrapped(signed, width + more);
                Some(self.word(id, width + more))
            }
            ("rotate_left", &[by]) => self.rotated(id, width, by % width),
            ("rotate_right", &[by]) => self.rotated(id, width, (width - by % width) % width),
            _ => None,
        }
    }

    fn rotated(&mut self, id: Id, width: usize, by: usize) -> Option<Value> {
        let (high, low) = (self.part(id, width - by, by), self.part(id, 0, width - by));
        let shift = self.dag.number(&power(by));
        let moved = self.dag.mul(shift, low);
        let id = self.dag.add(moved, high);
        Some(self.word(id, width))
    }

    fn operate(&mut self, operator: Sexpr<'_>, args: &[Value]) -> Option<Value> {
        let Some(name) = operator.symbol() else {
            let parts: Vec<&str> = operator.children().map(|part| part.text()).collect();
            let ["_", name, indices @ ..] = &parts[..] else { return None };
            if let (Some(digits), [width], []) = (name.strip_prefix("bv"), indices, args) {
                let width = width.parse().ok().filter(|width| (1..1 << 12).contains(width))?;
                return Some(self.constant(&digits.parse().ok()?, width));
            }
            let [Value::Word(id, width, most)] = args else { return None };
            let indices: Option<Vec<usize>> = indices.iter().map(|index| index.parse().ok()).collect();
            return self.indexed(name, &indices?, (*id, *width, most));
        };
        let ids: Vec<Id> = args.iter().map(Value::id).collect();
        let width = |value: &Value| if let Value::Word(_, width, _) = value { Some(*width) } else { None };
        let alike = |args: &[Value]| args.windows(2).all(|pair| width(&pair[0]) == width(&pair[1]));
        match (name, args) {
            ("and" | "or" | "xor" | "=>" | "not", _) if args.iter().all(|arg| width(arg).is_none()) => {
                Some(Value::Bool(self.dag.node(name, &ids)))
            }
            ("=" | "distinct", [_, _, ..]) if alike(args) => Some(Value::Bool(self.dag.node(name, &ids))),
            ("ite", [Value::Bool(condition), Value::Bool(a), Value::Bool(b)]) => {
                Some(Value::Bool(self.dag.ite(*condition, *a, *b)))
            }
            ("ite", [Value::Bool(condition), Value::Word(a, n, x), Value::Word(b, m, y)]) if n == m => {
                Some(Value::Word(self.dag.ite(*condition, *a, *b), *n, x.max(y).clone()))
            }
            ("bvnot", [Value::Word(a, width, _)]) => {
                let ones = self.dag.number(&(&power(*width) - &Int::from(1)));
                let id = self.dag.sub(ones, *a);
                Some(self.word(id, *width))
            }
            ("bvneg", [Value::Word(a, width, _)]) => {
                let zero = self.dag.number(&Int::from(0));
                let negated = self.dag.sub(zero, *a);
                let id = self.wrapped(negated, *width);
                Some(self.word(id, *width))
            }
            ("concat", [first, rest @ ..]) => {
                let mut sum = first.clone();
                for part in rest {
                    let (Value::Word(a, n, _), Value::Word(b, m, _)) = (&sum, part) else { return None };
                    let shift = self.dag.number(&power(*m));
                    let moved = self.dag.mul(shift, *a);
                    let id = self.dag.add(moved, *b);
                    sum = self.word(id, n + m);
                }
                Some(sum)
            }
            (_, [first, rest @ ..]) if !rest.is_empty() && alike(args) => {
                let chained = matches!(name, "bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor");
                let mut sum = first.clone();
                for next in rest {
                    let (Value::Word(a, n, x), Value::Word(b, m, y)) = (&sum, next) else { return None };
                    let (a, b) = ((*a, *n, x), (*b, *m, y));
                    sum = self.binary(name, a, b).filter(|_| chained || rest.len() == 1)?;
                }
                Some(sum)
            }
            _ => None,
        }
    }
}

impl read::Meaning for Integers {
    type Value = Value;

    fn locals(&mut self) -> &mut Map<String, Value> {
        &mut self.locals
    }

    fn leaf(&mut self, term: Sexpr<'_>) -> Result<Value> {
        let text = term.text();
        match (term.kind(), text) {
            (Kind::Symbol, "true" | "false") => Ok(Value::Bool(self.dag.node(text, &[]))),
            (Kind::Symbol, _) => match term.symbol().filter(|name| self.predicates.contains(*name)) {
                Some(name) => Ok(Value::Bool(self.dag.node(quote_symbol(name), &[]))),
                None => Err(term.error(format!("`{text}` is not declared"))),
            },
            (Kind::Binary, _) => {
                let (radix, bits) = if text.starts_with("#x") { (16, 4) } else { (2, 1) };
                let digits = text.chars().skip(2).filter_map(|digit| digit.to_digit(radix));
                let value = digits.fold(Int::from(0), |value, digit| {
                    &(&value * &Int::from(i64::from(radix))) + &Int::from(i64::from(digit))
                });
                Ok(self.constant(&value, bits * (text.len() - 2)))
            }
            _ => Err(term.error("this is no term over bit-vectors")),
        }
    }

    fn apply(&mut self, term: Sexpr<'_>, operator: Sexpr<'_>, args: &[Value]) -> Result<Value> {
        if let Some(name) = operator.symbol().filter(|name| self.predicates.contains(*name)) {
            let ids: Vec<Id> = args.iter().map(Value::id).collect();
            return Ok(Value::Bool(self.dag.node(quote_symbol(name), &ids)));
        }
        self.operate(operator, args).ok_or_else(|| {
            term.error(format!("`{}` is not known in clauses over bit-vectors", operator.text()))
        })
    }
}
