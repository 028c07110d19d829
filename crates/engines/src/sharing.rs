//! Invariants that members of a portfolio leave for each other.
//!
//! The labels of a complete expansion of a graph are an inductive invariant of the program (thesis, Theorem 2.1),
//! whether they exclude the error or not. What an abstract domain finds in its first expansion is cheap and true;
//! another member may restrict its DAG interpolants by it (section 5.5), and so need not find it again.
//!
//! Members have stores of terms of their own, so invariants pass as text, in the language of proofs. They speak
//! of the simplified program without calls, which is the same for all members. A wrong one would only lead to a
//! proof that is rejected.

use craig_certificate::{Invariant, read_invariant, write_invariant};
use craig_program::Program;
use craig_term::Terms;
use std::sync::{Mutex, PoisonError};

#[derive(Debug, Default)]
pub struct Shared {
    newest: Mutex<Option<String>>,
}

impl Shared {
    pub(crate) fn leave(&self, terms: &Terms, program: &Program, invariant: &Invariant) {
        let text = write_invariant(terms, program, invariant);
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    /// What was left last.
    pub(crate) fn take(&self, terms: &mut Terms, program: &Program) -> Option<Invariant> {
        let text = self.newest.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        read_invariant(terms, program, &text).ok()
    }
}
