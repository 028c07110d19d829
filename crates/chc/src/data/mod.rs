//! Data types in Horn clauses: clauses in a simple form ([`flatten`]), and what models say about data ([`Folds`]).

mod flat;
mod folds;
#[cfg(test)]
mod tests;

pub use flat::{Flat, NotFlat, flatten};
pub use folds::{Case, Fact, Fold, Folds};

use crate::system::System;
use craig_term::Terms;

/// Whether a clause speaks of an element of a data type.
pub fn has_data(terms: &Terms, system: &System) -> bool {
    terms.has_data()
        && system
            .clauses
            .iter()
            .any(|clause| terms.postorder(&clause.roots()).into_iter().any(|t| terms.is_data(terms.sort(t))))
}
