//! The commands for interpolants, in the dialects of the solvers that have them.
//!
//! | command | solvers | for |
//! |---|---|---|
//! | `(get-interpolants A (B C) D)` | SMTInterpol, OpenSMT, Princess | named parts: sequences and trees |
//! | `(get-interpolant (g1 g2))` | MathSAT | groups, as `:interpolation-group` names them, against all others |
//! | `(get-interpolant A B C)`, `(compute-interpolant A B C)` | Z3 4.7 and before | a sequence of formulas or names |
//! | `(get-interpolant I F)` | cvc5 | all assertions, which imply `F` |

use super::command::{Reader, symbol};
use super::{Result, Sexpr};
use crate::{TermId, Terms};

/// The parts of `(get-interpolants ...)`: in each the names that are conjoined, in post-order of
/// the tree. `first_of_subtree[i]` is the first part of the subtree whose root is `i`; for a
/// sequence all are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    pub parts: Vec<Vec<String>>,
    pub first_of_subtree: Vec<usize>,
}

impl Partition {
    pub fn is_sequence(&self) -> bool {
        self.first_of_subtree.iter().all(|&first| first == 0)
    }

    /// The part above `part`; the root, which comes last, has none.
    pub fn parent(&self, part: usize) -> Option<usize> {
        (part + 1..self.parts.len()).find(|&above| self.first_of_subtree[above] <= part)
    }
}

/// What `get-interpolant` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterpolantRequest {
    /// Of the assertions in these groups and all others.
    Groups(Vec<String>),
    /// Sequence interpolants of formulas.
    Formulas(Vec<TermId>),
    /// Of all assertions and a formula that follows from them; with the name for the answer.
    Conjecture { name: String, formula: TermId },
}

/// The arguments of `get-interpolant`.
pub(super) fn request(
    reader: &mut Reader,
    terms: &mut Terms,
    args: &[Sexpr<'_>],
) -> Result<InterpolantRequest> {
    let symbols = |list: Sexpr<'_>| -> Option<Vec<String>> {
        list.children().map(|child| child.symbol().map(str::to_string)).collect()
    };
    match args {
        [groups] if groups.is_list() && symbols(*groups).is_some() => {
            Ok(InterpolantRequest::Groups(symbols(*groups).unwrap_or_default()))
        }
        // A name that is new is one for the answer.
        [name, formula, ..] if name.symbol().is_some_and(|name| !reader.knows(name)) => {
            let formula = reader.boolean(terms, *formula)?;
            let name = name.symbol().unwrap_or_default().to_string();
            Ok(InterpolantRequest::Conjecture { name, formula })
        }
        _ => formulas(reader, terms, args).map(InterpolantRequest::Formulas),
    }
}

/// Two formulas or more; keywords after them are options of other solvers.
pub(super) fn formulas(reader: &mut Reader, terms: &mut Terms, args: &[Sexpr<'_>]) -> Result<Vec<TermId>> {
    let formulas = args.iter().take_while(|arg| arg.keyword().is_none());
    formulas.map(|&formula| reader.boolean(terms, formula)).collect()
}

/// The group of an assertion `(! FORMULA :interpolation-group g)`.
pub fn group(assertion: Sexpr<'_>) -> Option<String> {
    let mut parts = assertion.children();
    if parts.next().and_then(Sexpr::symbol) != Some("!") {
        return None;
    }
    parts.find(|part| part.keyword() == Some(":interpolation-group"))?;
    parts.next().and_then(Sexpr::symbol).map(str::to_string)
}

/// Reads `A (and B C) (D E) F`: parentheses that do not start with `and` open a subtree.
pub fn partition(command: Sexpr<'_>, args: &[Sexpr<'_>]) -> Result<Partition> {
    enum Step<'t> {
        Part(Sexpr<'t>),
        Close,
    }
    let mut partition = Partition::default();
    let mut starts = vec![0];
    let mut steps: Vec<Step<'_>> = args.iter().rev().map(|&part| Step::Part(part)).collect();
    while let Some(step) = steps.pop() {
        let part = match step {
            Step::Close => {
                starts.pop();
                continue;
            }
            Step::Part(part) => part,
        };
        let names = if part.is_list() {
            let mut names = part.children();
            if names.next().and_then(Sexpr::symbol) != Some("and") {
                starts.push(partition.parts.len());
                steps.push(Step::Close);
                let first = steps.len();
                steps.extend(part.children().map(Step::Part));
                steps[first..].reverse();
                continue;
            }
            names.map(|name| symbol(name).map(str::to_string)).collect::<Result<_>>()?
        } else {
            vec![symbol(part)?.to_string()]
        };
        partition.parts.push(names);
        partition.first_of_subtree.push(*starts.last().expect("the outermost level stays"));
    }
    if partition.first_of_subtree.last() != Some(&0) {
        return Err(command.error("the last part is the root of the tree and stands outside of parentheses"));
    }
    Ok(partition)
}
