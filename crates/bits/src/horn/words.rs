//! Formulas over integers, as models have them, over words: each number is a signed word that is wide enough for its range.

use super::Sort;
use super::dag::{Dag, Id};
use crate::read;
use craig_base::Map;
use craig_num::Int;
use craig_term::quote_symbol;
use craig_term::smtlib::{Kind, Result, Sexpr};

#[derive(Clone, Debug)]
pub(super) struct Number {
    id: Id,
    width: usize,
    least: Int,
    most: Int,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Bool(Id),
    Number(Number),
}

/// Reads formulas over integers and writes them over words.
#[derive(Default)]
pub(super) struct Words {
    dag: Dag,
    locals: Map<String, Value>,
}

/// The bits of a signed word for these numbers.
fn width(least: &Int, most: &Int) -> usize {
    let fits = |width: usize| {
        let half = Int::pow2(width as u32 - 1);
        *most < half && *least >= -&half
    };
    (1..).find(|&width| fits(width)).unwrap_or(1)
}

impl Words {
    /// The definition of a predicate with parameters of these sorts, from one over integers.
    pub fn definition(define: Sexpr<'_>, sorts: &[Sort]) -> Result<String> {
        let parts: Vec<Sexpr<'_>> = define.children().collect();
        let [_, name, parameters, _, body] = &parts[..] else {
            return Err(define.error("expected a definition"));
        };
        let mut words = Words::default();
        let mut shown = Vec::new();
        for (parameter, &sort) in parameters.children().zip(sorts) {
            let Some(name) = parameter.children().next().and_then(|name| name.symbol()) else {
                return Err(parameter.error("expected a name and a sort"));
            };
            let id = words.dag.node(quote_symbol(name), &[]);
            let value = match sort {
                Sort::Bool => Value::Bool(id),
                Sort::Word(width) => {
                    let id = words.dag.node("(_ zero_extend 1)", &[id]);
                    let most = &Int::pow2(width as u32) - &Int::from(1);
                    Value::Number(Number { id, width: width + 1, least: Int::from(0), most })
                }
            };
            words.locals.insert(name.to_string(), value);
            shown.push(format!("({} {sort})", quote_symbol(name)));
        }
        match read::read(&mut words, *body)? {
            Value::Bool(id) => Ok(format!(
                "(define-fun {} ({}) Bool\n  {})\n",
                name.text(),
                shown.join(" "),
                words.dag.write(id)
            )),
            Value::Number(_) => Err(body.error("expected a truth value")),
        }
    }

    fn constant(&mut self, value: &Int) -> Number {
        let width = width(value, value);
        Number { id: self.literal(value, width), width, least: value.clone(), most: value.clone() }
    }

    fn literal(&mut self, value: &Int, width: usize) -> Id {
        let pattern = value.rem_euclid(&Int::pow2(width as u32));
        self.dag.node(format!("(_ bv{pattern} {width})"), &[])
    }

    fn extended(&mut self, number: &Number, width: usize) -> Id {
        match width - number.width {
            0 => number.id,
            _ if number.least == number.most => self.literal(&number.least, width),
            more => self.dag.node(format!("(_ sign_extend {more})"), &[number.id]),
        }
    }

    /// An operation of words on numbers whose result is in this range.
    fn within(&mut self, operator: &str, a: &Number, b: &Number, least: Int, most: Int) -> Number {
        let width = width(&least, &most).max(a.width).max(b.width);
        let (x, y) = (self.extended(a, width), self.extended(b, width));
        let id = self.dag.node(operator, &[x, y]);
        Number { id, width, least, most }
    }

    fn arithmetic(&mut self, name: &str, a: &Number, b: &Number) -> Option<Number> {
        Some(match name {
            "+" => self.within("bvadd", a, b, &a.least + &b.least, &a.most + &b.most),
            "-" => self.within("bvsub", a, b, &a.least - &b.most, &a.most - &b.least),
            "*" => {
                let ends = [&a.least * &b.least, &a.least * &b.most, &a.most * &b.least, &a.most * &b.most];
                let (least, most) = (ends.iter().min()?.clone(), ends.iter().max()?.clone());
                self.within("bvmul", a, b, least, most)
            }
            // By a positive constant the remainder has its sign.
            "mod" if b.least == b.most && b.least.is_positive() => {
                self.within("bvsmod", a, b, Int::from(0), &b.most - &Int::from(1))
            }
            "div" if b.least == b.most && b.least.is_positive() => {
                let rest = self.arithmetic("mod", a, b)?;
                let multiple = self.arithmetic("-", a, &rest)?;
                let (least, most) = (a.least.div_floor(&b.least), a.most.div_floor(&b.least));
                self.within("bvsdiv", &multiple, b, least, most)
            }
            _ => return None,
        })
    }

    fn compare(&mut self, operator: &str, a: &Number, b: &Number) -> Id {
        let width = a.width.max(b.width);
        let (x, y) = (self.extended(a, width), self.extended(b, width));
        self.dag.node(operator, &[x, y])
    }

    fn operate(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let numbers: Option<Vec<Number>> = args
            .iter()
            .map(|arg| if let Value::Number(number) = arg { Some(number.clone()) } else { None })
            .collect();
        let bools: Option<Vec<Id>> =
            args.iter().map(|arg| if let Value::Bool(id) = arg { Some(*id) } else { None }).collect();
        if let ("ite", [Value::Bool(condition), Value::Number(a), Value::Number(b)]) = (name, args) {
            let (least, most) = ((&a.least).min(&b.least).clone(), (&a.most).max(&b.most).clone());
            let width = a.width.max(b.width);
            let (x, y) = (self.extended(a, width), self.extended(b, width));
            let id = self.dag.node("ite", &[*condition, x, y]);
            return Some(Value::Number(Number { id, width, least, most }));
        }
        if let Some(bools) = bools {
            let known = matches!(name, "and" | "or" | "not" | "=>" | "xor" | "=" | "distinct" | "ite");
            return known.then(|| Value::Bool(self.dag.node(name, &bools)));
        }
        let numbers = numbers?;
        let (first, rest) = numbers.split_first()?;
        let comparison = match name {
            "<=" => "bvsle",
            "<" => "bvslt",
            ">=" => "bvsge",
            ">" => "bvsgt",
            "=" => "=",
            "distinct" if rest.len() == 1 => "distinct",
            "-" if rest.is_empty() => {
                let zero = self.constant(&Int::from(0));
                return self.arithmetic("-", &zero, first).map(Value::Number);
            }
            _ => {
                let mut sum = first.clone();
                for number in rest {
                    sum = self.arithmetic(name, &sum, number)?;
                }
                return Some(Value::Number(sum));
            }
        };
        let holds: Vec<Id> =
            numbers.windows(2).map(|pair| self.compare(comparison, &pair[0], &pair[1])).collect();
        Some(Value::Bool(if let [one] = holds[..] { one } else { self.dag.node("and", &holds) }))
    }
}

impl read::Meaning for Words {
    type Value = Value;

    fn locals(&mut self) -> &mut Map<String, Value> {
        &mut self.locals
    }

    fn leaf(&mut self, term: Sexpr<'_>) -> Result<Value> {
        match (term.kind(), term.text()) {
            (Kind::Symbol, text @ ("true" | "false")) => Ok(Value::Bool(self.dag.node(text, &[]))),
            (Kind::Numeral, text) => {
                let value = text.parse().map_err(|_| term.error("this is no number"))?;
                Ok(Value::Number(self.constant(&value)))
            }
            (_, text) => Err(term.error(format!("`{text}` is not known over words"))),
        }
    }

    fn apply(&mut self, term: Sexpr<'_>, operator: Sexpr<'_>, args: &[Value]) -> Result<Value> {
        let value = operator.symbol().and_then(|name| self.operate(name, args));
        value.ok_or_else(|| term.error(format!("`{}` is not known over words", operator.text())))
    }
}
