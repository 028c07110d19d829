//! Sorts from s-expressions, and sorts with parameters, with a work list in place of recursion.
//!
//! What `define-sort` defines is kept as its parts in postfix order, in which parameters are numbers. An application
//! puts the parts of its arguments in their place; what has no parameters left is a sort of the store at once, so that
//! only definitions within definitions grow.

use super::scope::Scope;
use super::{Result, Sexpr};
use crate::{SortId, Terms};

/// Longer definitions are refused: each may use its parameters often, and definitions use each other.
const MAX_PARTS: usize = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Sort(SortId),
    Parameter(usize),
    /// Of the index and the element before it.
    Array,
}

/// A sort, or what becomes one with sorts for its parameters.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub parameters: usize,
    pub parts: Vec<Part>,
}

impl From<SortId> for Shape {
    fn from(sort: SortId) -> Shape {
        Shape { parameters: 0, parts: vec![Part::Sort(sort)] }
    }
}

/// The sort that an s-expression names.
pub(super) fn read_sort(terms: &mut Terms, scope: &Scope, sexpr: Sexpr<'_>) -> Result<SortId> {
    match read_shape(terms, scope, sexpr, &[])?[..] {
        [Part::Sort(sort)] => Ok(sort),
        _ => unreachable!("without parameters it is a sort"),
    }
}

/// The parts of a sort in which there are parameters.
pub(super) fn read_shape(
    terms: &mut Terms,
    scope: &Scope,
    sexpr: Sexpr<'_>,
    parameters: &[&str],
) -> Result<Vec<Part>> {
    enum Step<'t> {
        Visit(Sexpr<'t>),
        Apply(Sexpr<'t>, Shape),
    }
    let mut steps = vec![Step::Visit(sexpr)];
    let mut read: Vec<Vec<Part>> = Vec::new();
    while let Some(step) = steps.pop() {
        match step {
            Step::Apply(sexpr, shape) => {
                let arguments = read.split_off(read.len() - shape.parameters);
                let Some(parts) = applied(terms, &shape, &arguments) else {
                    return Err(sexpr.error("this sort is too large"));
                };
                read.push(parts);
            }
            Step::Visit(sexpr) => {
                let mut parts = sexpr.children();
                let head = if sexpr.is_list() { parts.next() } else { Some(sexpr) };
                let arguments: Vec<Sexpr<'_>> = if sexpr.is_list() { parts.collect() } else { Vec::new() };
                let unsupported = || sexpr.error(format!("unsupported sort `{}`", sexpr.text()));
                let name = head.and_then(Sexpr::symbol).ok_or_else(unsupported)?;
                let shape = match parameters.iter().position(|&parameter| parameter == name) {
                    Some(at) => Shape { parameters: 0, parts: vec![Part::Parameter(at)] },
                    None if sexpr.is_list() => shape_of(scope, name).ok_or_else(unsupported)?,
                    None => {
                        shape_of(scope, name).ok_or_else(|| sexpr.error(format!("unknown sort `{name}`")))?
                    }
                };
                if shape.parameters != arguments.len() || sexpr.is_list() && arguments.is_empty() {
                    return Err(unsupported());
                }
                steps.push(Step::Apply(sexpr, shape));
                steps.extend(arguments.into_iter().rev().map(Step::Visit));
            }
        }
    }
    Ok(read.pop().unwrap_or_default())
}

fn shape_of(scope: &Scope, name: &str) -> Option<Shape> {
    Some(match name {
        "Bool" => Terms::BOOL.into(),
        "Int" => Terms::INT.into(),
        "Real" => Terms::REAL.into(),
        "Array" => Shape { parameters: 2, parts: vec![Part::Parameter(0), Part::Parameter(1), Part::Array] },
        _ => scope.shape(name)?.clone(),
    })
}

/// A shape with the parts of its arguments; none if these are too many.
fn applied(terms: &mut Terms, shape: &Shape, arguments: &[Vec<Part>]) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for part in &shape.parts {
        match part {
            Part::Parameter(at) if shape.parameters > 0 => parts.extend(&arguments[*at]),
            part => parts.push(*part),
        }
        // An array of two sorts is a sort.
        if let [.., Part::Sort(index), Part::Sort(element), Part::Array] = parts[..] {
            parts.truncate(parts.len() - 3);
            parts.push(Part::Sort(terms.array_sort(index, element)));
        }
        if parts.len() > MAX_PARTS {
            return None;
        }
    }
    Some(parts)
}
