//! Terms of SMT-LIB as they are read: from the leaves up, with a stack of their own.

use craig_base::Map;
use craig_term::smtlib::{Result, Sexpr};

/// What terms mean to a reader.
pub(crate) trait Meaning {
    type Value: Clone;

    /// What is bound by `let`.
    fn locals(&mut self) -> &mut Map<String, Self::Value>;

    /// A symbol or literal.
    fn leaf(&mut self, term: Sexpr<'_>) -> Result<Self::Value>;

    /// An application; of `(_ bv5 8)` to nothing, if that is the whole term.
    fn apply(&mut self, term: Sexpr<'_>, operator: Sexpr<'_>, args: &[Self::Value]) -> Result<Self::Value>;
}

/// What is still to be done.
enum Step<'t, V> {
    Read(Sexpr<'t>),
    /// With so many values from the top of the stack.
    Apply(Sexpr<'t>, Sexpr<'t>, usize),
    /// Names for as many values; then the body.
    Bind(Vec<String>, Sexpr<'t>),
    Unbind(Vec<(String, Option<V>)>),
}

pub(crate) fn read<M: Meaning>(meaning: &mut M, root: Sexpr<'_>) -> Result<M::Value> {
    let mut steps = vec![Step::Read(root)];
    let mut values: Vec<M::Value> = Vec::new();
    let result = run(meaning, &mut steps, &mut values);
    // What a mistake left bound is unbound.
    while let Some(step) = steps.pop() {
        if let Step::Unbind(before) = step {
            unbind(meaning, before);
        }
    }
    result?;
    values.pop().ok_or_else(|| root.error("expected a term"))
}

fn run<'t, M: Meaning>(
    meaning: &mut M,
    steps: &mut Vec<Step<'t, M::Value>>,
    values: &mut Vec<M::Value>,
) -> Result<()> {
    while let Some(step) = steps.pop() {
        match step {
            Step::Read(term) if !term.is_list() => {
                let local = term.symbol().and_then(|name| meaning.locals().get(name).cloned());
                values.push(match local {
                    Some(value) => value,
                    None => meaning.leaf(term)?,
                });
            }
            Step::Read(term) => open(term, steps)?,
            Step::Apply(term, operator, count) => {
                let args = values.split_off(values.len() - count);
                let value = meaning.apply(term, operator, &args)?;
                values.push(value);
            }
            Step::Bind(names, body) => {
                let bound = values.split_off(values.len() - names.len());
                let mut before = Vec::new();
                for (name, value) in names.into_iter().zip(bound) {
                    before.push((name.clone(), meaning.locals().insert(name, value)));
                }
                steps.push(Step::Unbind(before));
                steps.push(Step::Read(body));
            }
            Step::Unbind(before) => unbind(meaning, before),
        }
    }
    Ok(())
}

fn unbind<M: Meaning>(meaning: &mut M, before: Vec<(String, Option<M::Value>)>) {
    let locals = meaning.locals();
    for (name, value) in before.into_iter().rev() {
        match value {
            Some(value) => drop(locals.insert(name, value)),
            None => drop(locals.remove(&name)),
        }
    }
}

/// A list: what it consists of comes first.
fn open<'t, V>(term: Sexpr<'t>, steps: &mut Vec<Step<'t, V>>) -> Result<()> {
    let parts: Vec<Sexpr<'t>> = term.children().collect();
    let Some(&head) = parts.first() else { return Err(term.error("expected a term")) };
    match head.symbol() {
        Some("let") if parts.len() == 3 => {
            let mut names = Vec::new();
            let mut bound = Vec::new();
            for binding in parts[1].children() {
                match binding.children().collect::<Vec<_>>()[..] {
                    [name, value] if name.symbol().is_some() => {
                        names.push(name.symbol().unwrap_or_default().to_string());
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
