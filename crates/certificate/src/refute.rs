//! Solver questions of the checkers: a contradiction counts only with a proof that was checked.
//!
//! A model counts only if it gives the right results to all operations, and if quantifiers hold in it: otherwise
//! what it gets wrong is added as a fact, and the question is asked again.

use crate::meaning::Meaning;
use crate::quantifiers::Quantifiers;
use craig_base::{Budget, Set};
use craig_smt::aggregates::Aggregates;
use craig_smt::native::Options;
use craig_smt::proof::{Refutation, check_against};
use craig_smt::{Answer, NativeSolver, Solver, products};
use craig_term::{Model, TermId, Terms};
use std::fmt::Display;

/// A question is asked at most so often, with ever more facts.
pub(crate) const MAX_QUESTIONS: usize = 50;

/// Formulas that contradict each other, as a checker has found.
#[derive(Clone, Copy)]
pub struct Refuted<'a> {
    /// What was to be refuted, and what the checker knows of operations that have no exact meaning as terms.
    pub formulas: &'a [TermId],
    /// Facts of arithmetic that made it easier: each is valid by itself.
    pub lemmas: &'a [TermId],
    /// What would be wrong with the proof if the formulas could hold together.
    pub otherwise: &'a dyn Display,
}

/// Is told of every contradiction that an answer rests on.
pub type Observer<'a> = dyn Fn(&mut Terms, Refuted<'_>) + 'a;

/// How a checker asks.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    pub budget: &'a Budget,
    pub observer: Option<&'a Observer<'a>>,
}

impl<'a> From<&'a Budget> for Judge<'a> {
    fn from(budget: &'a Budget) -> Self {
        Judge { budget, observer: None }
    }
}

impl Judge<'_> {
    pub(crate) fn tell(self, tm: &mut Terms, refuted: Refuted<'_>) {
        if let Some(observer) = self.observer {
            observer(tm, refuted);
        }
    }

    /// Whether the formulas contradict each other; the solver's proof of it is checked. `meaning` made the formulas.
    /// If they do not, `otherwise` is the case.
    pub(crate) fn refute(
        self,
        tm: &mut Terms,
        question: &[TermId],
        meaning: &mut Meaning<'_>,
        otherwise: &dyn Display,
    ) -> Result<bool, String> {
        let mut quantifiers = Quantifiers::default();
        let mut formulas: Vec<TermId> = question.iter().map(|&one| quantifiers.remove(tm, one)).collect();
        formulas.extend(quantifiers.differences(tm, &formulas));
        formulas.extend(meaning.cell_facts(tm, &formulas));
        let mut known: Set<TermId> = formulas.iter().copied().collect();
        let (mut results, mut lemmas) = (Vec::new(), Vec::new());
        let mut aggregates = Aggregates::default();
        for _ in 0..MAX_QUESTIONS {
            let mut solver = NativeSolver::new(Options {
                proofs: true,
                preprocess: false,
                products: false,
                ..Options::default()
            });
            for &formula in &formulas {
                solver.assert(tm, formula);
            }
            let refuted = refute_once(tm, &mut solver, &formulas, self.budget);
            if refuted == Ok(true) {
                // Others instantiate quantifiers for themselves.
                let cells = match quantifiers.is_empty() {
                    true => meaning.cell_facts(tm, question),
                    false => meaning.all_cells_facts(tm, question),
                };
                let formulas = [question, &cells, &results].concat();
                self.tell(tm, Refuted { formulas: &formulas, lemmas: &lemmas, otherwise });
                return refuted;
            }
            let mut facts = Vec::new();
            if let Some(model) = solver.model() {
                facts = quantifiers.violated(tm, &formulas, model);
                facts.extend(meaning.cell_facts(tm, &facts));
                let corrected = meaning.facts_at(tm, model);
                results.extend_from_slice(&corrected);
                facts.extend(corrected);
            } else if let Some(model) = solver.candidate() {
                facts = quantifiers.violated(tm, &formulas, model);
                facts.extend(meaning.cell_facts(tm, &facts));
                let corrected = of_products(tm, &formulas, model, &known);
                lemmas.extend_from_slice(&corrected);
                facts.extend(corrected);
            }
            if let Some(model) = solver.model().or(solver.candidate()) {
                // What an aggregate is has to be said to others as well.
                let of_aggregates = aggregates.facts(tm, &formulas);
                let of_aggregates = of_aggregates.wrong_in(tm, model, |fact| known.contains(&fact));
                facts.extend(meaning.cell_facts(tm, &of_aggregates));
                results.extend_from_slice(&of_aggregates);
                facts.extend(of_aggregates);
            }
            let before = formulas.len();
            formulas.extend(facts.into_iter().filter(|&fact| known.insert(fact)));
            if formulas.len() == before {
                return refuted;
            }
        }
        Ok(false)
    }
}

/// What is not known yet of products to which the model gives wrong values, and holds of them in any case.
pub(crate) fn of_products(
    tm: &mut Terms,
    formulas: &[TermId],
    model: &Model,
    known: &Set<TermId>,
) -> Vec<TermId> {
    let mut facts = products::facts(tm, formulas, model, |fact| known.contains(&fact));
    facts.extend(products::comparisons(tm, formulas, model));
    facts.retain(|fact| !known.contains(fact));
    facts
}

fn refute_once(
    tm: &mut Terms,
    solver: &mut NativeSolver,
    formulas: &[TermId],
    budget: &Budget,
) -> Result<bool, String> {
    match solver.check(tm, &[], budget) {
        Answer::Sat => Ok(false),
        Answer::Unknown(reason) => Err(reason.to_string()),
        Answer::Unsat => {
            let root = solver.refutation().ok_or("no refutation was recorded")?;
            let refutation = Refutation::extract(solver.proof(), root).map_err(|e| format!("{e:?}"))?;
            check_against(tm, solver, formulas, &refutation)
                .map_err(|e| format!("the solver's proof is wrong: {e:?}"))?;
            Ok(true)
        }
    }
}
