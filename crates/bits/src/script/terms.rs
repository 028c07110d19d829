//! What the terms of a script mean.

use super::floats::rounding_named;
use super::sorts::Value;
use super::{Meaning, Script};
use crate::read;
use craig_base::Map;
use craig_term::smtlib::{Kind, Result, Sexpr};
use std::rc::Rc;

/// Definitions that use definitions.
const MOST_NESTED: usize = 200;
/// Terms of a formula that are noted for interpolants: how long, in bytes, and how many.
const LONGEST_NOTED: usize = 64;
const MOST_NOTED: usize = 48;

impl read::Meaning for Script {
    type Value = Value;

    fn locals(&mut self) -> &mut Map<String, Value> {
        &mut self.locals
    }

    fn leaf(&mut self, term: Sexpr<'_>) -> Result<Value> {
        let text = term.text();
        match term.kind() {
            Kind::Binary => word_literal(text)
                .map(|bits| Value::Word(bits.into()))
                .ok_or_else(|| term.error("a word has at least one digit")),
            Kind::Symbol => match (text, self.names.get(text)) {
                (_, Some(Meaning::Value(value, mentioned))) => {
                    self.mentioned.extend(mentioned.iter());
                    Ok(value.clone())
                }
                ("true", _) => Ok(Value::Bool(crate::Bit::TRUE)),
                ("false", _) => Ok(Value::Bool(crate::Bit::FALSE)),
                _ => rounding_named(text).ok_or_else(|| term.error(format!("`{text}` is not declared"))),
            },
            Kind::Numeral | Kind::Decimal => {
                let value = text.parse().map_err(|_| term.error("this is no number"))?;
                Ok(Value::Real(Rc::new(value)))
            }
            _ => Err(term.error("this is no term over bit-vectors and floating point")),
        }
    }

    fn apply(&mut self, term: Sexpr<'_>, operator: Sexpr<'_>, args: &[Value]) -> Result<Value> {
        let value = self.operate(term, operator, args)?;
        // Bound names mean nothing outside of it.
        let is_short = term.text().len() <= LONGEST_NOTED && self.terms.len() < MOST_NOTED;
        if is_short && self.locals.is_empty() && matches!(value, Value::Word(_) | Value::Bool(_)) {
            self.terms.insert(term.text().to_string());
        }
        Ok(value)
    }
}

impl Script {
    /// A term, and what it speaks of.
    pub(super) fn whole_term(&mut self, root: Sexpr<'_>) -> Result<Value> {
        self.mentioned.clear();
        self.terms.clear();
        self.term(root)
    }

    pub(super) fn term(&mut self, root: Sexpr<'_>) -> Result<Value> {
        read::read(self, root)
    }

    /// A function of the script applied to its arguments.
    pub(super) fn call(&mut self, term: Sexpr<'_>, name: &str, args: &[Value]) -> Option<Result<Value>> {
        if let Some(value) = self.locals.get(name) {
            return args.is_empty().then(|| Ok(value.clone()));
        }
        match self.names.get(name)?.clone() {
            Meaning::Function(parameters, sort, id) => {
                let scalars: Vec<_> = args.iter().filter_map(Value::scalar).collect();
                if args.len() != scalars.len() || !scalars.iter().map(|(sort, _)| sort).eq(parameters.iter())
                {
                    return Some(Err(term.error(format!("`{name}` has other arguments"))));
                }
                let bits: Vec<_> = scalars.iter().flat_map(|(_, word)| word.iter().copied()).collect();
                Some(Ok(sort.value(self.arrays.call(&mut self.circuit, id, &bits, sort))))
            }
            Meaning::Macro(parameters, result, tree) => {
                let fits = args.len() == parameters.len()
                    && args
                        .iter()
                        .zip(parameters.iter())
                        .all(|(arg, (_, sort))| self.arrays.sort_of(arg) == *sort);
                if !fits {
                    return Some(Err(term.error(format!("`{name}` has other arguments"))));
                }
                if self.depth > MOST_NESTED {
                    return Some(Err(term.error("definitions are nested too deeply")));
                }
                let body = tree.root().children().last()?;
                // What is bound where the definition is used is not bound in it.
                let own = parameters.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
                let outer = std::mem::replace(&mut self.locals, own);
                self.depth += 1;
                let value = self.term(body);
                self.depth -= 1;
                self.locals = outer;
                Some(value.and_then(|value| match self.arrays.sort_of(&value) == result {
                    true => Ok(value),
                    false => Err(term.error(format!("the definition of `{name}` has another sort"))),
                }))
            }
            Meaning::Value(value, mentioned) if args.is_empty() => {
                self.mentioned.extend(mentioned.iter());
                Some(Ok(value))
            }
            Meaning::Value(..) | Meaning::Sort(_) => None,
        }
    }
}

/// `#b01` or `#x0f`, the lowest bit first.
fn word_literal(text: &str) -> Option<Vec<crate::Bit>> {
    let digits = text.trim_start_matches('#');
    let (base, digits) = digits.split_at_checked(1)?;
    let bits = if base == "x" { 4 } else { 1 };
    let mut word = Vec::new();
    for digit in digits.chars().rev() {
        let value = digit.to_digit(1 << bits)?;
        word.extend((0..bits).map(|i| crate::Bit::constant(value >> i & 1 != 0)));
    }
    (!word.is_empty()).then_some(word)
}
