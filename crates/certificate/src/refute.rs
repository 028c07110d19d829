//! Solver questions of the checkers: a contradiction counts only with a proof that was checked.
//!
//! A model counts only if it gives the right results to all operations, and if quantifiers hold in it: otherwise
//! what it gets wrong is added as a fact, and the question is asked again.

use crate::meaning::Meaning;
use crate::quantifiers::Quantifiers;
use craig_base::{Budget, Set};
use craig_smt::native::Options;
use craig_smt::proof::{Refutation, check};
use craig_smt::{Answer, NativeSolver, Solver, products};
use craig_term::{TermId, Terms};

/// A question is asked at most so often, with ever more facts.
const MAX_QUESTIONS: usize = 50;

/// Whether the formulas contradict each other; the solver's proof of it is checked. `meaning` made the formulas.
pub(crate) fn refute(
    tm: &mut Terms,
    formulas: &[TermId],
    meaning: &mut Meaning<'_>,
    budget: &Budget,
) -> Result<bool, String> {
    let mut quantifiers = Quantifiers::default();
    let mut formulas: Vec<TermId> = formulas.iter().map(|&formula| quantifiers.remove(tm, formula)).collect();
    formulas.extend(quantifiers.differences(tm, &formulas));
    formulas.extend(meaning.cell_facts(tm, &formulas));
    let mut known: Set<TermId> = formulas.iter().copied().collect();
    for _ in 0..MAX_QUESTIONS {
        let mut solver = NativeSolver::new(Options { proofs: true, preprocess: false, ..Options::default() });
        for &formula in &formulas {
            solver.assert(tm, formula);
        }
        let refuted = refute_once(tm, &mut solver, budget);
        if refuted == Ok(true) {
            return refuted;
        }
        let mut facts = Vec::new();
        if let Some(model) = solver.model() {
            facts = quantifiers.violated(tm, &formulas, model);
            facts.extend(meaning.cell_facts(tm, &facts));
            facts.extend(meaning.facts_at(tm, model));
        } else if let Some(model) = solver.candidate() {
            facts = quantifiers.violated(tm, &formulas, model);
            facts.extend(meaning.cell_facts(tm, &facts));
            for case in products::cases(tm, &formulas, model) {
                facts.extend(case.facts(tm));
            }
        }
        let before = formulas.len();
        formulas.extend(facts.into_iter().filter(|&fact| known.insert(fact)));
        if formulas.len() == before {
            return refuted;
        }
    }
    Ok(false)
}

fn refute_once(tm: &mut Terms, solver: &mut NativeSolver, budget: &Budget) -> Result<bool, String> {
    match solver.check(tm, &[], budget) {
        Answer::Sat => Ok(false),
        Answer::Unknown(reason) => Err(reason.to_string()),
        Answer::Unsat => {
            let root = solver.refutation().ok_or("no refutation was recorded")?;
            let refutation = Refutation::extract(solver.proof(), root).map_err(|e| format!("{e:?}"))?;
            check(tm, solver, &refutation).map_err(|e| format!("the solver's proof is wrong: {e:?}"))?;
            Ok(true)
        }
    }
}
