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
//! 3. Reals ([`real`]): Loos and Weispfenning's virtual substitution of the greatest lower (or least
//!    upper) bound, with the model saying which one it is.
//! 4. Integers ([`integer`]): Cooper's method, where the model says the bound, the residue of the
//!    eliminated constant modulo the divisors it meets, and the distance of a bound with a
//!    coefficient to the next multiple. `div` and `mod` by numerals become divisibility or fresh
//!    eliminated constants.
//!
//! A constant inside something else (an array index, a product, an argument of a function) is
//! replaced by its value in the model: a correct projection, though no longer one of finitely many.

mod cube;
mod implicant;
mod integer;
mod real;

pub use implicant::implicant;

use craig_base::Set;
use craig_term::{EvalError, Model, TermId, Terms};
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
    let eliminated: Set<TermId> = eliminated.iter().copied().collect();
    let literals = implicant(terms, formula, |t| eliminated.contains(&t), model)?;
    cube::project_cube(terms, literals, &eliminated, model)
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
mod tests;
