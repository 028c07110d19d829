//! Invariants and tests that members of a portfolio leave for each other, and for later runs.
//!
//! The labels of a complete expansion of a graph are an inductive invariant of the program (thesis, Theorem 2.1),
//! whether they exclude the error or not. What an abstract domain finds in its first expansion is cheap and true;
//! another member may restrict its DAG interpolants by it (section 5.5), and so need not find it again.
//!
//! Members have stores of terms of their own, so invariants pass in a store that none of them owns. They speak of the
//! simplified program without calls, which is the same for all members. A wrong one would only lead to a proof that is
//! rejected.
//!
//! Tests are lists of inputs, and mean something to any program: `dash` begins with those of earlier runs, and
//! leaves the ones that it had to ask the solver for.

use craig_certificate::Invariant;
use craig_exec::Test;
use craig_term::{DeclareError, TermId, Terms};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Debug, Default)]
pub struct Shared {
    newest: Mutex<Option<Arc<(Terms, Invariant)>>>,
    /// Tests to begin with.
    pub seeds: Vec<Test>,
    found: Mutex<Vec<Test>>,
}

impl Shared {
    pub fn with_seeds(seeds: Vec<Test>) -> Self {
        Shared { seeds, ..Shared::default() }
    }

    pub(crate) fn leave_tests(&self, tests: impl IntoIterator<Item = Test>) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).extend(tests);
    }

    /// The tests that members left.
    pub fn into_tests(self) -> Vec<Test> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn leave(&self, terms: &Terms, invariant: &Invariant) {
        let mut own = Terms::new();
        if let Ok(invariant) = imported(&mut own, terms, invariant) {
            let newest = Some(Arc::new((own, invariant)));
            *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = newest;
        }
    }

    /// What was left last.
    pub(crate) fn take(&self, terms: &mut Terms) -> Option<Invariant> {
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        imported(terms, &newest.0, &newest.1).ok()
    }
}

fn imported(terms: &mut Terms, from: &Terms, invariant: &Invariant) -> Result<Invariant, DeclareError> {
    let formulas: Vec<TermId> = invariant.formulas.values().copied().collect();
    let formulas = terms.import(from, &formulas)?;
    let formulas = invariant.formulas.keys().copied().zip(formulas).collect();
    Ok(Invariant { formulas, frames: invariant.frames })
}
