//! Terms as they are read: from the leaves up, with a stack of their own.

use super::floats::rounding_named;
use super::sorts::Value;
use super::{Meaning, Script, symbol};
use craig_term::smtlib::{Kind, Result, Sexpr};
use std::rc::Rc;

/// What is still to be done.
enum Step<'t> {
    Read(Sexpr<'t>),
    /// With so many values from the top of the stack.
    Apply(Sexpr<'t>, Sexpr<'t>, usize),
    /// Names for as many values; then the body.
    Bind(Vec<String>, Sexpr<'t>),
    Unbind(Vec<(String, Option<Value>)>),
}

/// Definitions that use definitions.
const MOST_NESTED: usize = 200;

impl Script {
    pub(super) fn term(&mut self, root: Sexpr<'_>) -> Result<Value> {
        self.term_within(root, 0)
    }

    pub(super) fn term_within(&mut self, root: Sexpr<'_>, depth: usize) -> Result<Value> {
        let mut steps = vec![Step::Read(root)];
        let mut values: Vec<Value> = Vec::new();
        let result = self.run(&mut steps, &mut values, depth);
        // What a mistake left bound is unbound.
        while let Some(step) = steps.pop() {
            if let Step::Unbind(before) = step {
                self.unbind(before);
            }
        }
        result?;
        values.pop().ok_or_else(|| root.error("expected a term"))
    }

    fn run<'t>(&mut self, steps: &mut Vec<Step<'t>>, values: &mut Vec<Value>, depth: usize) -> Result<()> {
        while let Some(step) = steps.pop() {
            match step {
                Step::Read(term) if !term.is_list() => values.push(self.leaf(term)?),
                Step::Read(term) => self.read(term, steps)?,
                Step::Apply(term, operator, count) => {
                    let args = values.split_off(values.len() - count);
                    let value = self.apply(term, operator, &args, depth)?;
                    values.push(value);
                }
                Step::Bind(names, body) => {
                    let bound = values.split_off(values.len() - names.len());
                    let mut before = Vec::new();
                    for (name, value) in names.into_iter().zip(bound) {
                        before.push((name.clone(), self.locals.insert(name, value)));
                    }
                    steps.push(Step::Unbind(before));
                    steps.push(Step::Read(body));
                }
                Step::Unbind(before) => self.unbind(before),
            }
        }
        Ok(())
    }

    fn unbind(&mut self, before: Vec<(String, Option<Value>)>) {
        for (name, value) in before.into_iter().rev() {
            match value {
                Some(value) => drop(self.locals.insert(name, value)),
                None => drop(self.locals.remove(&name)),
            }
        }
    }

    /// A list: what it consists of comes first.
    fn read<'t>(&mut self, term: Sexpr<'t>, steps: &mut Vec<Step<'t>>) -> Result<()> {
        let parts: Vec<Sexpr<'t>> = term.children().collect();
        let Some(&head) = parts.first() else { return Err(term.error("expected a term")) };
        match head.symbol() {
            Some("let") if parts.len() == 3 => {
                let mut names = Vec::new();
                let mut bound = Vec::new();
                for binding in parts[1].children() {
                    match binding.children().collect::<Vec<_>>()[..] {
                        [name, value] => {
                            names.push(symbol(name)?);
                            bound.push(Step::Read(value));
                        }
                        _ => return Err(binding.error("expected a name and a term")),
                    }
                }
                steps.push(Step::Bind(names, parts[2]));
                steps.extend(bound.into_iter().rev());
            }
            Some("!") if parts.len() > 1 => steps.push(Step::Read(parts[1])),
            // `(_ bv5 8)`.
            Some("_") => steps.push(Step::Apply(term, term, 0)),
            _ => {
                steps.push(Step::Apply(term, head, parts.len() - 1));
                steps.extend(parts[1..].iter().rev().map(|&part| Step::Read(part)));
            }
        }
        Ok(())
    }

    fn leaf(&mut self, term: Sexpr<'_>) -> Result<Value> {
        let text = term.text();
        match term.kind() {
            Kind::Binary => word_literal(text)
                .map(|bits| Value::Word(bits.into()))
                .ok_or_else(|| term.error("a word has at least one digit")),
            Kind::Symbol if self.locals.contains_key(text) => Ok(self.locals[text].clone()),
            Kind::Symbol => match (text, self.names.get(text)) {
                (_, Some(Meaning::Value(value))) => Ok(value.clone()),
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

    /// A function of the script applied to its arguments.
    pub(super) fn call(
        &mut self,
        term: Sexpr<'_>,
        name: &str,
        args: &[Value],
        depth: usize,
    ) -> Option<Result<Value>> {
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
                if depth > MOST_NESTED {
                    return Some(Err(term.error("definitions are nested too deeply")));
                }
                let body = tree.root().children().last()?;
                // What is bound where the definition is used is not bound in it.
                let own = parameters.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
                let outer = std::mem::replace(&mut self.locals, own);
                let value = self.term_within(body, depth + 1);
                self.locals = outer;
                Some(value.and_then(|value| match self.arrays.sort_of(&value) == result {
                    true => Ok(value),
                    false => Err(term.error(format!("the definition of `{name}` has another sort"))),
                }))
            }
            Meaning::Value(value) if args.is_empty() => Some(Ok(value)),
            Meaning::Value(_) | Meaning::Sort(_) => None,
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
