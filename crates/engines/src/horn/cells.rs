//! `cells`: invariants about every element, by clauses about single cells.
//!
//! [`craig_chc::cells`] makes clauses without arrays, which are simplified and searched as others are. A model goes
//! back with quantifiers. A derivation does not go back: it may put together cells that no array holds.
//!
//! What a cell is, is tried in order ([`Sharing`]): an element for each object that arguments name, or a cell for each of
//! these; an element of every array at the same number, an element of each array at a number of its own, and two elements
//! of every array. `pdr` and `duality` find different models. Which of these fits is mostly clear at once, so
//! all of them are asked for a moment first, and then for as long as there is time; a derivation ends an attempt. All of
//! this is done with large numbers as parameters first ([`craig_chc::parametric`]), which most programs about arrays do
//! not depend on.

use crate::horn::{HornVerdict, NewSolver};
use crate::search::{duality, pdr};
use crate::verdict::Reason;
use craig_base::{Budget, Stats};
use craig_chc::{
    BackError, Cells, Hints, Interpretation, Sharing, Simplified, System, parametric, prune,
    simplify_for_models,
};
use craig_term::{Sort, Terms};

/// The part of the remaining time for one search: in the first round, and later.
const MOMENT: u32 = 60;
const SHARE: u32 = 3;

/// Whether a predicate has an array.
pub fn applies(terms: &Terms, system: &System) -> bool {
    let mut parameters = system.predicates.iter().flat_map(|predicate| &predicate.parameters);
    parameters.any(|&parameter| matches!(terms.sort_of(terms.sort(parameter)), Sort::Array { .. }))
}

/// Looks for a model with quantifiers.
pub fn solve(
    terms: &mut Terms,
    system: &System,
    hints: &Hints,
    new_solver: NewSolver<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> HornVerdict {
    let mut search = Search { system, new_solver, budget, stats, share: MOMENT };
    let mut attempts = Vec::new();
    let sharings = [Sharing::Named, Sharing::NamedOwn, Sharing::Shared(1), Sharing::Own, Sharing::Shared(2)];
    for sharing in sharings {
        let Some(cells) = craig_chc::cells(terms, system, sharing, hints, budget) else { continue };
        let simplified = simplify_for_models(terms, &cells.system, budget);
        search.stats.add("clauses about cells", simplified.system.clauses.len() as u64);
        let attempt = Attempt { cells, simplified };
        match search.general(terms, &attempt) {
            HornVerdict::Unsat(_) => {}
            HornVerdict::Unknown(_) => attempts.push(attempt),
            found => return found,
        }
    }
    search.share = SHARE;
    for search_for in [Search::general, Search::exact] {
        let mut remaining = Vec::new();
        for attempt in attempts {
            match search_for(&mut search, terms, &attempt) {
                HornVerdict::Unsat(_) => {}
                HornVerdict::Unknown(_) => remaining.push(attempt),
                found => return found,
            }
        }
        attempts = remaining;
    }
    match budget.check() {
        Err(reason) => HornVerdict::Unknown(reason.into()),
        Ok(()) if !applies(terms, system) => HornVerdict::Unknown(Reason::Cells("no predicate has an array")),
        Ok(()) if attempts.is_empty() => {
            HornVerdict::Unknown(Reason::Cells("single cells of arrays do not say enough for a proof"))
        }
        Ok(()) => HornVerdict::Unknown(Reason::Cells("no invariant about single cells of arrays was found")),
    }
}

/// One way to see arrays as cells.
struct Attempt {
    cells: Cells,
    simplified: Simplified,
}

struct Search<'a> {
    system: &'a System,
    new_solver: NewSolver<'a>,
    budget: &'a Budget,
    stats: &'a mut Stats,
    /// Which part of the remaining time one search gets.
    share: u32,
}

impl Search<'_> {
    /// Looks for a model that holds for any number in place of large ones. A derivation is one of the clauses
    /// themselves; where there are large numbers, there is none.
    fn general(&mut self, terms: &mut Terms, attempt: &Attempt) -> HornVerdict {
        let pruned = prune(terms, &attempt.simplified.system);
        let Some(mut searched) = parametric(terms, &pruned) else { return self.exact(terms, attempt) };
        let mut found = self.models(terms, &searched.system);
        if let HornVerdict::Unsat(_) = found
            && pruned.clauses != attempt.simplified.system.clauses
            && let Some(whole) = parametric(terms, &attempt.simplified.system)
        {
            searched = whole;
            found = self.models(terms, &searched.system);
        }
        match found {
            HornVerdict::Sat(model) => {
                let model = searched.model(terms, &model);
                self.back(terms, attempt, model)
            }
            _ => HornVerdict::Unknown(Reason::Cells("the numbers matter")),
        }
    }

    /// Looks for a model of the clauses as they are.
    fn exact(&mut self, terms: &mut Terms, attempt: &Attempt) -> HornVerdict {
        let whole = &attempt.simplified.system;
        let pruned = prune(terms, whole);
        let mut found = self.models(terms, &pruned);
        if matches!(found, HornVerdict::Unsat(_)) && pruned.clauses != whole.clauses {
            found = self.models(terms, whole);
        }
        match found {
            HornVerdict::Sat(model) => self.back(terms, attempt, model),
            found => found,
        }
    }

    /// Asks the engines one after the other; each gets a part of the remaining time.
    fn models(&mut self, terms: &mut Terms, system: &System) -> HornVerdict {
        let found =
            pdr::solve(terms, system, &pdr::Options::default(), self.new_solver, &self.part(), self.stats);
        if !matches!(found, HornVerdict::Unknown(_)) {
            return found;
        }
        let options = duality::Options::default();
        duality::solve(terms, system, &options, self.new_solver, &self.part(), self.stats)
    }

    fn part(&self) -> Budget {
        let own = self.budget.clone();
        match self.budget.remaining() {
            Some(remaining) => own.with_timeout(remaining / self.share),
            None => own,
        }
    }

    /// The model of the original clauses.
    fn back(&self, terms: &mut Terms, attempt: &Attempt, model: Interpretation) -> HornVerdict {
        let Attempt { cells, simplified } = attempt;
        match simplified.model(terms, &cells.system, model, self.budget) {
            Ok(model) => HornVerdict::Sat(cells.model(terms, self.system, &model)),
            Err(BackError::Unknown(reason)) => HornVerdict::Unknown(reason.into()),
            Err(BackError::Wrong(what)) => HornVerdict::Unknown(Reason::internal(what)),
        }
    }
}
