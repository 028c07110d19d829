//! Solver questions of the checkers: a contradiction counts only with a proof that was checked.

use craig_base::Budget;
use craig_smt::native::Options;
use craig_smt::proof::{Refutation, check};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{TermId, Terms};

/// Whether the formulas contradict each other; the solver's proof of it is checked.
pub(crate) fn refute(tm: &mut Terms, formulas: &[TermId], budget: &Budget) -> Result<bool, String> {
    let mut solver = NativeSolver::new(Options { proofs: true, preprocess: false, ..Options::default() });
    for &formula in formulas {
        solver.assert(tm, formula);
    }
    match solver.check(tm, &[], budget) {
        Answer::Sat => Ok(false),
        Answer::Unknown(reason) => Err(reason.to_string()),
        Answer::Unsat => {
            let root = solver.refutation().ok_or("no refutation was recorded")?;
            let refutation = Refutation::extract(solver.proof(), root).map_err(|e| format!("{e:?}"))?;
            check(tm, &solver, &refutation).map_err(|e| format!("the solver's proof is wrong: {e:?}"))?;
            Ok(true)
        }
    }
}
