//! The greatest inductive subset of candidates: Houdini (Flanagan and Leino), for every search that has candidates.
//!
//! Candidates belong to places, and steps lead from place to place. Where a step has a model in which all candidates
//! hold before it and one fails after it, those that fail are removed, and the steps that relied on them are asked
//! again. What is left in the end is inductive, and everything inductive is left.

use craig_base::OrderedSet;
use craig_term::{Model, TermId, Terms};
use std::collections::VecDeque;
use std::hash::Hash;

/// Candidates, and the steps after which they must hold.
pub trait Induction {
    type Step: Copy + Eq + Hash;
    /// Why there is no end.
    type Stop;

    fn steps(&self) -> Vec<Self::Step>;

    /// The steps that rely on what holds after the given one.
    fn relying_on(&self, step: Self::Step) -> Vec<Self::Step>;

    /// Removes the candidates after the step that one more model contradicts. Returns whether there were any.
    fn refute(&mut self, step: Self::Step) -> Result<bool, Self::Stop>;
}

/// Removes candidates until the rest is inductive.
pub fn reduce<I: Induction>(induction: &mut I) -> Result<(), I::Stop> {
    let mut queue: VecDeque<I::Step> = induction.steps().into();
    let mut waiting: OrderedSet<I::Step> = queue.iter().copied().collect();
    while let Some(step) = queue.pop_front() {
        waiting.swap_remove(&step);
        let mut is_weaker = false;
        while induction.refute(step)? {
            is_weaker = true;
        }
        if is_weaker {
            queue.extend(induction.relying_on(step).into_iter().filter(|&step| waiting.insert(step)));
        }
    }
    Ok(())
}

/// Removes what fails in a model, where `after` says each candidate of the state after a step. A model that does not
/// say which one fails refutes all.
pub fn retain(terms: &Terms, candidates: &mut Vec<TermId>, after: &[TermId], model: Option<&Model>) {
    let count = candidates.len();
    let holds = |formula| model.is_some_and(|model| terms.eval_bool(formula, model) == Ok(true));
    let mut formulas = after.iter();
    candidates.retain(|_| formulas.next().is_some_and(|&formula| holds(formula)));
    if candidates.len() == count {
        candidates.clear();
    }
}
