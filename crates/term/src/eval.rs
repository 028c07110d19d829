//! Values, models, and the value of a term in a model.
//!
//! A model need not mention everything: what it leaves out has the default value of its sort.
//! Division by zero, which SMT-LIB leaves open, is a function of the dividend; where the model does not say more, the
//! quotient is 0 and the remainder the dividend.

use crate::store::{FunId, Op, Sort, SortId, TermId, Terms};
use craig_base::{Map, OrderedMap};
use craig_num::{Int, Rat};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Bool(bool),
    Int(Int),
    Real(Rat),
    Array(Arc<ArrayValue>),
    /// One element of an uninterpreted sort.
    Uninterpreted(SortId, u32),
    /// An element of a data type: a term of constructors and values. Equal elements are one term.
    Data(TermId),
}

/// Finitely many exceptions to a default. Entries that equal the default are left out, so that
/// equal arrays (over an infinite index sort) are equal values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayValue {
    entries: BTreeMap<Value, Value>,
    default: Value,
}

impl ArrayValue {
    pub fn new(default: Value) -> Self {
        ArrayValue { entries: BTreeMap::new(), default }
    }

    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    pub fn store(&mut self, index: Value, element: Value) {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }

    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    pub fn default_element(&self) -> &Value {
        &self.default
    }
}

/// The graph of a function: finitely many exceptions to a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionValue {
    pub entries: OrderedMap<Vec<Value>, Value>,
    pub default: Value,
}

/// Values of constants and functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    consts: OrderedMap<TermId, Value>,
    functions: OrderedMap<FunId, FunctionValue>,
    /// What division by zero gives, by operator and dividend.
    by_zero: OrderedMap<(Op, Value), Value>,
}

impl Model {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn set(&mut self, constant: TermId, value: Value) {
        self.consts.insert(constant, value);
    }

    pub fn get(&self, constant: TermId) -> Option<&Value> {
        self.consts.get(&constant)
    }

    /// Forgets the constants for which `keep` is false.
    pub fn retain(&mut self, keep: impl Fn(TermId) -> bool) {
        self.consts.retain(|&t, _| keep(t));
    }

    pub fn set_function(&mut self, function: FunId, value: FunctionValue) {
        self.functions.insert(function, value);
    }

    pub fn function(&self, function: FunId) -> Option<&FunctionValue> {
        self.functions.get(&function)
    }

    /// Chooses what an operator of division makes of a dividend and zero, unless that is chosen already.
    pub fn choose_by_zero(&mut self, op: Op, dividend: Value, value: Value) {
        self.by_zero.entry((op, dividend)).or_insert(value);
    }

    pub fn consts(&self) -> impl Iterator<Item = (TermId, &Value)> {
        self.consts.iter().map(|(&t, value)| (t, value))
    }

    pub fn functions(&self) -> impl Iterator<Item = (FunId, &FunctionValue)> {
        self.functions.iter().map(|(&f, value)| (f, value))
    }
}

/// A term that has no value that could be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalError {
    Quantifier(TermId),
    /// The model gives a value of another sort.
    WrongSort(TermId),
    /// A selector of another constructor, whose value SMT-LIB leaves open; or an element that is no term yet.
    Unspecified(TermId),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Quantifier(_) => f.write_str("a quantifier cannot be evaluated"),
            EvalError::WrongSort(_) => f.write_str("the model has a value of the wrong sort"),
            EvalError::Unspecified(_) => f.write_str("a selector is applied to another constructor"),
        }
    }
}

impl std::error::Error for EvalError {}

impl Terms {
    /// The value that a constant of this sort has when a model does not mention it.
    pub fn default_value(&self, sort: SortId) -> Value {
        // Arrays of arrays nest; the depth is that of a sort, walked from the outside in.
        let mut depth = 0;
        let mut element = sort;
        while let Sort::Array { element: inner, .. } = *self.sort_of(element) {
            depth += 1;
            element = inner;
        }
        let mut value = match self.sort_of(element) {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(Int::from(0)),
            Sort::Real => Value::Real(Rat::from(0)),
            Sort::Uninterpreted { .. } | Sort::Array { .. } => match self.smallest(element) {
                Some(smallest) => Value::Data(smallest),
                None => Value::Uninterpreted(element, 0),
            },
        };
        for _ in 0..depth {
            value = Value::Array(Arc::new(ArrayValue::new(value)));
        }
        value
    }

    pub fn eval(&self, t: TermId, model: &Model) -> Result<Value, EvalError> {
        let mut values = self.eval_all(&[t], model)?;
        values.remove(&t).ok_or(EvalError::WrongSort(t))
    }

    /// The truth of a Boolean term. Operands of junctions after one that decides are not looked at.
    pub fn eval_bool(&self, t: TermId, model: &Model) -> Result<bool, EvalError> {
        let mut known: Map<TermId, bool> = Map::default();
        // Each connective with the number of its operands that have been seen; `last` is the truth of the latest.
        let mut stack: Vec<(TermId, usize)> = vec![(t, 0)];
        let mut last = false;
        while let Some((node, seen)) = stack.last_mut() {
            let args = self.args(*node);
            let decided = match self.op(*node) {
                op @ (Op::And | Op::Or) => {
                    let decisive = op == Op::Or;
                    let end = *seen > 0 && last == decisive || *seen == args.len();
                    end.then_some(if *seen > 0 { last } else { !decisive })
                }
                Op::Not => (*seen > 0).then_some(!last),
                // As a whole, which meets shared parts once; where the branch that is not chosen has no value, the
                // condition, then the branch that it chooses.
                Op::Ite => match *seen {
                    0 => match self.eval_atom(*node, model) {
                        Err(EvalError::Unspecified(_)) => None,
                        truth => Some(truth?),
                    },
                    1 => {
                        *seen = if last { 1 } else { 2 };
                        None
                    }
                    _ => Some(last),
                },
                _ => Some(self.eval_atom(*node, model)?),
            };
            match decided {
                Some(truth) => {
                    known.insert(*node, truth);
                    last = truth;
                    stack.pop();
                }
                None => {
                    let next = args[*seen];
                    *seen += 1;
                    match known.get(&next) {
                        Some(&truth) => last = truth,
                        None => stack.push((next, 0)),
                    }
                }
            }
        }
        Ok(last)
    }

    fn eval_atom(&self, t: TermId, model: &Model) -> Result<bool, EvalError> {
        // Most atoms compare a constant with a number.
        if let (Op::Le | Op::Lt | Op::Eq, &[left, right]) = (self.op(t), self.args(t))
            && let (Some(Value::Int(value)), Some(number)) = (model.get(left), self.int_value(right))
        {
            return Ok(match self.op(t) {
                Op::Le => *value <= number,
                Op::Lt => *value < number,
                _ => *value == number,
            });
        }
        match self.eval(t, model)? {
            Value::Bool(value) => Ok(value),
            _ => Err(EvalError::WrongSort(t)),
        }
    }

    /// The values of the roots and all their subterms.
    pub fn eval_all(&self, roots: &[TermId], model: &Model) -> Result<Map<TermId, Value>, EvalError> {
        let mut values: Map<TermId, Value> = Map::default();
        for t in self.postorder(roots) {
            let args = self.args(t);
            let value = self.eval_node(t, model, |i| &values[&args[i]])?;
            values.insert(t, value);
        }
        Ok(values)
    }

    /// The value of a term, given those of its arguments.
    pub(crate) fn eval_node<'v>(
        &self,
        t: TermId,
        model: &Model,
        arg: impl Fn(usize) -> &'v Value,
    ) -> Result<Value, EvalError> {
        let count = self.args(t).len();
        let wrong = || EvalError::WrongSort(t);
        let truth = |i: usize| match arg(i) {
            Value::Bool(value) => Ok(*value),
            _ => Err(wrong()),
        };
        let rational = |i: usize| match arg(i) {
            Value::Int(value) => Ok(Rat::from(value.clone())),
            Value::Real(value) => Ok(value.clone()),
            _ => Err(wrong()),
        };
        let integer = |i: usize| match arg(i) {
            Value::Int(value) => Ok(value.clone()),
            _ => Err(wrong()),
        };
        let array = |i: usize| match arg(i) {
            Value::Array(value) => Ok(value.clone()),
            _ => Err(wrong()),
        };
        let numeric = |value: Rat| {
            if self.sort(t) == Terms::REAL {
                Ok(Value::Real(value))
            } else {
                value.to_int().map(Value::Int).ok_or_else(wrong)
            }
        };
        let by_zero = || model.by_zero.get(&(self.op(t), arg(0).clone())).cloned();
        match self.op(t) {
            Op::True => Ok(Value::Bool(true)),
            Op::False => Ok(Value::Bool(false)),
            Op::Const(_) => {
                let value = model.get(t).cloned().unwrap_or_else(|| self.default_value(self.sort(t)));
                if self.has_sort(&value, self.sort(t)) { Ok(value) } else { Err(wrong()) }
            }
            Op::App(f) if self.role(f).is_some() => {
                let args: Vec<&Value> = (0..count).map(&arg).collect();
                let value = self.role(f).and_then(|role| self.eval_data(f, role, &args));
                value.ok_or(EvalError::Unspecified(t))
            }
            Op::App(f) => Ok(match model.function(f) {
                Some(function) => {
                    let key: Vec<Value> = (0..count).map(|i| arg(i).clone()).collect();
                    function.entries.get(&key).unwrap_or(&function.default).clone()
                }
                None => self.default_value(self.sort(t)),
            }),
            Op::Number(_) => numeric(self.number(t).cloned().unwrap_or_default()),
            Op::Not => Ok(Value::Bool(!truth(0)?)),
            Op::And => (0..count).try_fold(true, |all, i| Ok(truth(i)? && all)).map(Value::Bool),
            Op::Or => (0..count).try_fold(false, |any, i| Ok(truth(i)? || any)).map(Value::Bool),
            Op::Eq => Ok(Value::Bool(arg(0) == arg(1))),
            Op::Ite => Ok(arg(if truth(0)? { 1 } else { 2 }).clone()),
            Op::Le => Ok(Value::Bool(match (arg(0), arg(1)) {
                (Value::Int(a), Value::Int(b)) => a <= b,
                _ => rational(0)? <= rational(1)?,
            })),
            Op::Lt => Ok(Value::Bool(match (arg(0), arg(1)) {
                (Value::Int(a), Value::Int(b)) => a < b,
                _ => rational(0)? < rational(1)?,
            })),
            Op::Add => {
                let mut sum = Rat::from(0);
                for i in 0..count {
                    sum += rational(i)?;
                }
                numeric(sum)
            }
            Op::Scale | Op::Mul => {
                let mut product = Rat::from(1);
                for i in 0..count {
                    product *= rational(i)?;
                }
                numeric(product)
            }
            Op::Div => {
                let (dividend, divisor) = (integer(0)?, integer(1)?);
                Ok(if divisor.is_zero() {
                    by_zero().unwrap_or_else(|| Value::Int(Int::from(0)))
                } else {
                    Value::Int(dividend.div_euclid(&divisor))
                })
            }
            Op::Mod => {
                let (dividend, divisor) = (integer(0)?, integer(1)?);
                Ok(if divisor.is_zero() {
                    by_zero().unwrap_or(Value::Int(dividend))
                } else {
                    Value::Int(dividend.rem_euclid(&divisor))
                })
            }
            Op::RealDiv => {
                let (dividend, divisor) = (rational(0)?, rational(1)?);
                Ok(if divisor.is_zero() {
                    by_zero().unwrap_or_else(|| Value::Real(Rat::from(0)))
                } else {
                    Value::Real(dividend / divisor)
                })
            }
            Op::ToReal => Ok(Value::Real(rational(0)?)),
            Op::ToInt => Ok(Value::Int(rational(0)?.floor())),
            Op::Select => Ok(array(0)?.select(arg(1)).clone()),
            Op::Store => {
                let mut result = array(0)?;
                Arc::make_mut(&mut result).store(arg(1).clone(), arg(2).clone());
                Ok(Value::Array(result))
            }
            Op::ConstArray => Ok(Value::Array(Arc::new(ArrayValue::new(arg(0).clone())))),
            Op::Forall | Op::Exists => Err(EvalError::Quantifier(t)),
        }
    }

    fn has_sort(&self, value: &Value, sort: SortId) -> bool {
        match (value, self.sort_of(sort)) {
            (Value::Bool(_), Sort::Bool)
            | (Value::Int(_), Sort::Int)
            | (Value::Real(_), Sort::Real)
            | (Value::Array(_), Sort::Array { .. }) => true,
            (Value::Uninterpreted(of, _), Sort::Uninterpreted { .. }) => *of == sort && !self.is_data(sort),
            (Value::Data(t), Sort::Uninterpreted { .. }) => self.sort(*t) == sort,
            _ => false,
        }
    }

    /// The numeral, truth constant or chain of stores that denotes a value; `None` where an
    /// uninterpreted element is involved, as SMT-LIB has no name for those.
    pub fn value_term(&mut self, value: &Value, sort: SortId) -> Option<TermId> {
        match value {
            Value::Bool(value) => Some(self.bool(*value)),
            Value::Int(value) => Some(self.int(value.clone())),
            Value::Real(value) => Some(self.real(value.clone())),
            Value::Uninterpreted(..) => None,
            Value::Data(t) => Some(*t),
            Value::Array(array) => {
                let Sort::Array { index, element } = *self.sort_of(sort) else { return None };
                // Recursion goes as deep as the array sort nests, which the input wrote down.
                let default = self.value_term(array.default_element(), element)?;
                let mut term = self.const_array(sort, default);
                for (at, value) in array.entries() {
                    let at = self.value_term(at, index)?;
                    let value = self.value_term(value, element)?;
                    term = self.store(term, at, value);
                }
                Some(term)
            }
        }
    }
}
