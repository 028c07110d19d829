//! Projection: eliminating constants from formulas over Booleans, linear reals and linear integers.
//!
//! [`project`] is model-based: for a model of `φ` it gives a formula without the eliminated
//! constants that is true in the model and implies `∃x φ`. For one `φ` there are only finitely many
//! results, so [`eliminate`] gets an exact `∃x φ` as the disjunction of projections of ever new
//! models.
//!
//! 1. [`implicant`] follows the model through the Boolean structure down to literals, and through
//!    `ite` terms to the branch taken. Parts that do not mention eliminated constants stay whole.
//! 2. Booleans then just disappear: a cube constrains each of them on its own.
//! 3. Arrays ([`arrays`]): equalities, stores and reads are resolved as the model has them.
//! 4. Numbers ([`rows`]): virtual substitution, of the greatest lower (or least upper) bound that the model has;
//!    remainders and quotients by numerals become divisibilities.
//!
//! A constant inside something else (an array index, a product, an argument of a function) is
//! replaced by its value in the model: a correct projection, though no longer one of finitely many.

mod arrays;
mod equality;
mod implicant;
mod rows;

pub use equality::solution;
pub use implicant::implicant;

use craig_base::Set;
use craig_term::{EvalError, Model, TermId, Terms, Value};
use std::fmt;

/// Why there is no projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectError {
    /// The formula is not true in the model.
    NotAModel,
    /// The model does not give a value to everything.
    Eval(EvalError),
    /// The constant, of an uninterpreted sort, has a value for which there is no term.
    NoValue(TermId),
}

impl fmt::Display for ProjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProjectError::NotAModel => f.write_str("the formula to project is not true in the model"),
            ProjectError::Eval(error) => error.fmt(f),
            ProjectError::NoValue(_) => f.write_str("an element of an uninterpreted sort has no term"),
        }
    }
}

impl std::error::Error for ProjectError {}

impl From<EvalError> for ProjectError {
    fn from(error: EvalError) -> Self {
        ProjectError::Eval(error)
    }
}

/// A formula without the constants `eliminated` that is true in `model` and implies that `formula`
/// is true for some values of them.
pub fn project(
    terms: &mut Terms,
    formula: TermId,
    eliminated: &[TermId],
    model: &Model,
) -> Result<TermId, ProjectError> {
    if terms.eval(formula, model)? != Value::Bool(true) {
        return Err(ProjectError::NotAModel);
    }
    let eliminated: Set<TermId> = eliminated.iter().copied().collect();
    let literals = implicant::implicant_about(terms, &[formula], Some(&eliminated), model)?;
    let free = terms.free_consts_of(&literals);
    let keep: Set<TermId> = free.into_iter().filter(|t| !eliminated.contains(t)).collect();
    let literals = project_literals(terms, &literals, model, &keep)?;
    Ok(terms.and(&literals))
}

/// Literals without any constant outside of `keep` that hold in `model`, as the given ones do, and imply that values
/// for those constants exist.
pub fn project_literals(
    terms: &mut Terms,
    literals: &[TermId],
    model: &Model,
    keep: &Set<TermId>,
) -> Result<Vec<TermId>, ProjectError> {
    match arrays::resolve_arrays(terms, literals, model, keep)? {
        Some((literals, model)) => rows::project_numbers(terms, &literals, &model, keep),
        None => rows::project_numbers(terms, literals, model, keep),
    }
}

/// What [`eliminate`] could not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EliminateError<E> {
    /// A model could not be projected.
    Project(ProjectError),
    /// The caller's search for models ended early.
    Oracle(E),
}

/// A formula equivalent to `∃ eliminated. formula`.
///
/// `next_model` adds a formula to what it has been given so far, beginning with `formula` itself,
/// and returns a model of all, or `None` if there is none.
pub fn eliminate<E>(
    terms: &mut Terms,
    formula: TermId,
    eliminated: &[TermId],
    mut next_model: impl FnMut(&mut Terms, TermId) -> Result<Option<Model>, E>,
) -> Result<TermId, EliminateError<E>> {
    let mut cubes = Vec::new();
    let mut added = formula;
    while let Some(model) = next_model(terms, added).map_err(EliminateError::Oracle)? {
        let cube = project(terms, formula, eliminated, &model).map_err(EliminateError::Project)?;
        cubes.push(cube);
        added = terms.not(cube);
    }
    Ok(terms.or(&cubes))
}

#[cfg(test)]
mod literal_tests;
#[cfg(test)]
mod tests;
