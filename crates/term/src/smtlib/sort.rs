//! Sorts from s-expressions, with a work list in place of recursion, and what names of sorts stand for.

use super::scope::Scope;
use super::{Result, Sexpr};
use crate::{SortId, Terms};
use craig_base::Map;

/// The text of a sort may have that many symbols, after definitions were replaced by what they stand for.
const LARGEST: u32 = 10_000;

/// What the name of a sort stands for.
#[derive(Clone, Debug)]
pub(super) enum SortMeaning {
    /// By `declare-sort`, with so many parameters.
    Declared { parameters: usize },
    /// By `define-sort`, over placeholders for the parameters.
    Defined { parameters: Vec<SortId>, body: SortId },
}

impl SortMeaning {
    pub fn parameters(&self) -> usize {
        match self {
            SortMeaning::Declared { parameters } => *parameters,
            SortMeaning::Defined { parameters, .. } => parameters.len(),
        }
    }

    /// The sort for these arguments, of which there must be enough.
    fn apply(&self, terms: &mut Terms, name: &str, arguments: &[SortId]) -> SortId {
        match self {
            SortMeaning::Declared { .. } => terms.applied_sort(name, arguments),
            SortMeaning::Defined { parameters, body } => replace(terms, *body, parameters, arguments),
        }
    }
}

/// Stands for a parameter in a definition: no symbol of SMT-LIB has such a name.
fn placeholder(terms: &mut Terms, index: usize) -> SortId {
    terms.uninterpreted_sort(&format!("\\{index}"))
}

/// `sort` with arguments in place of parameters.
fn replace(terms: &mut Terms, sort: SortId, parameters: &[SortId], arguments: &[SortId]) -> SortId {
    let mut results: Map<SortId, SortId> =
        parameters.iter().copied().zip(arguments.iter().copied()).collect();
    let mut todo = vec![sort];
    while let Some(&next) = todo.last() {
        let parts = terms.sort_of(next).parts();
        let open: Vec<SortId> = parts.iter().copied().filter(|part| !results.contains_key(part)).collect();
        if results.contains_key(&next) || open.is_empty() {
            todo.pop();
            let replaced: Vec<SortId> = parts.iter().map(|part| results[part]).collect();
            let made = terms.with_parts(next, &replaced);
            results.entry(next).or_insert(made);
        } else {
            todo.extend(open);
        }
    }
    results[&sort]
}

/// The meaning of a name by `define-sort`.
pub(super) fn define_sort(
    terms: &mut Terms,
    scope: &Scope,
    parameters: Sexpr<'_>,
    body: Sexpr<'_>,
) -> Result<SortMeaning> {
    let mut bound = Map::default();
    let mut placeholders = Vec::new();
    for (index, parameter) in parameters.children().enumerate() {
        let name = parameter.symbol().ok_or_else(|| parameter.error("expected a parameter"))?;
        placeholders.push(placeholder(terms, index));
        bound.insert(name, placeholders[index]);
    }
    let body = read_within(terms, scope, &bound, body)?;
    Ok(SortMeaning::Defined { parameters: placeholders, body })
}

/// The sort that an s-expression names.
pub(super) fn read_sort(terms: &mut Terms, scope: &Scope, sexpr: Sexpr<'_>) -> Result<SortId> {
    read_within(terms, scope, &Map::default(), sexpr)
}

/// The same where some names are bound to sorts.
fn read_within(
    terms: &mut Terms,
    scope: &Scope,
    bound: &Map<&str, SortId>,
    sexpr: Sexpr<'_>,
) -> Result<SortId> {
    enum Step<'t> {
        Visit(Sexpr<'t>),
        /// The last sorts are the arguments.
        Apply(Sexpr<'t>, usize),
    }
    if sexpr.symbol().is_some() {
        return apply(terms, scope, bound, sexpr, &[]);
    }
    let mut steps = vec![Step::Visit(sexpr)];
    let mut sorts: Vec<SortId> = Vec::new();
    while let Some(step) = steps.pop() {
        match step {
            Step::Visit(sexpr) if sexpr.symbol().is_some() => steps.push(Step::Apply(sexpr, 0)),
            Step::Visit(sexpr) => {
                let parts: Vec<Sexpr<'_>> = sexpr.children().collect();
                match parts[..] {
                    [head, ref arguments @ ..] if head.symbol().is_some() && !arguments.is_empty() => {
                        steps.push(Step::Apply(head, arguments.len()));
                        steps.extend(arguments.iter().rev().map(|&argument| Step::Visit(argument)));
                    }
                    _ => return Err(sexpr.error(format!("unsupported sort `{}`", sexpr.text()))),
                }
            }
            Step::Apply(head, count) => {
                let arguments = sorts.split_off(sorts.len() - count);
                sorts.push(apply(terms, scope, bound, head, &arguments)?);
            }
        }
    }
    Ok(sorts[0])
}

fn apply(
    terms: &mut Terms,
    scope: &Scope,
    bound: &Map<&str, SortId>,
    head: Sexpr<'_>,
    arguments: &[SortId],
) -> Result<SortId> {
    let name = head.symbol().unwrap_or_default();
    let unknown = || head.error(format!("unknown sort `{name}`"));
    let sort = match (name, arguments) {
        (_, []) if bound.contains_key(name) => bound[name],
        ("Bool", []) => Terms::BOOL,
        ("Int", []) => Terms::INT,
        ("Real", []) => Terms::REAL,
        ("Array", &[index, element]) => terms.array_sort(index, element),
        _ => {
            let meaning = scope.sort(name).ok_or_else(unknown)?;
            if meaning.parameters() != arguments.len() {
                let message =
                    format!("`{name}` takes {} sorts, not {}", meaning.parameters(), arguments.len());
                return Err(head.error(message));
            }
            meaning.apply(terms, name, arguments)
        }
    };
    if terms.sort_size(sort) > LARGEST {
        return Err(head.error("the sort is too large"));
    }
    Ok(sort)
}
