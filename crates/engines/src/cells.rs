//! `cells`: invariants about every element, by clauses about single cells.
//!
//! [`craig_chc::cells`] makes clauses without arrays, which are simplified and searched as others are. A model goes
//! back with quantifiers. A derivation does not go back: it may put together cells that no array holds.

use crate::horn::{HornVerdict, NewSolver};
use crate::verdict::Reason;
use crate::{duality, pdr};
use craig_base::{Budget, Stats};
use craig_chc::{BackError, Hints, Sharing, System, parametric, prune, simplify};
use craig_term::{Sort, Terms};

/// Who searches the clauses about cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Searcher {
    #[default]
    Pdr,
    Duality,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which cells a formula speaks of.
    pub sharing: Sharing,
    pub engine: Searcher,
}

impl Default for Options {
    fn default() -> Self {
        Options { sharing: Sharing::Shared(1), engine: Searcher::default() }
    }
}

impl Options {
    /// Looks for a model that holds for any number in place of large ones; if there is none, for one that need not.
    fn search_general(
        &self,
        terms: &mut Terms,
        system: &System,
        new_solver: NewSolver<'_>,
        budget: &Budget,
        stats: &mut Stats,
    ) -> HornVerdict {
        if let Some(general) = parametric(terms, system) {
            let share = budget.remaining().map(|remaining| remaining / 2);
            let part = share.map_or_else(|| budget.clone(), |share| budget.clone().with_timeout(share));
            if let HornVerdict::Sat(model) = self.search(terms, &general.system, new_solver, &part, stats) {
                return HornVerdict::Sat(general.model(terms, &model));
            }
        }
        self.search(terms, system, new_solver, budget, stats)
    }

    fn search(
        &self,
        terms: &mut Terms,
        system: &System,
        new_solver: NewSolver<'_>,
        budget: &Budget,
        stats: &mut Stats,
    ) -> HornVerdict {
        match self.engine {
            Searcher::Pdr => pdr::solve(terms, system, &pdr::Options::default(), new_solver, budget, stats),
            Searcher::Duality => {
                duality::solve(terms, system, &duality::Options::default(), new_solver, budget, stats)
            }
        }
    }
}

/// Whether a predicate has an array.
pub fn applies(terms: &Terms, system: &System) -> bool {
    let mut parameters = system.predicates.iter().flat_map(|predicate| &predicate.parameters);
    parameters.any(|&parameter| matches!(terms.sort_of(terms.sort(parameter)), Sort::Array { .. }))
}

/// Looks for a model with quantifiers.
pub fn solve(
    terms: &mut Terms,
    system: &System,
    options: &Options,
    hints: &Hints,
    new_solver: NewSolver<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> HornVerdict {
    let Some(cells) = craig_chc::cells(terms, system, options.sharing, hints, budget) else {
        return HornVerdict::Unknown(Reason::Cells("no predicate has an array"));
    };
    let simplified = simplify(terms, &cells.system, budget);
    stats.add("clauses about cells", simplified.system.clauses.len() as u64);
    let pruned = prune(terms, &simplified.system);
    let mut found = options.search_general(terms, &pruned, new_solver, budget, stats);
    if matches!(found, HornVerdict::Unsat(_)) && pruned.clauses != simplified.system.clauses {
        found = options.search_general(terms, &simplified.system, new_solver, budget, stats);
    }
    match found {
        HornVerdict::Unknown(reason) => HornVerdict::Unknown(reason),
        HornVerdict::Unsat(_) => {
            HornVerdict::Unknown(Reason::Cells("single cells of arrays do not say enough for a proof"))
        }
        HornVerdict::Sat(model) => match simplified.model(terms, &cells.system, model, budget) {
            Ok(model) => HornVerdict::Sat(cells.model(terms, system, &model)),
            Err(BackError::Unknown(reason)) => HornVerdict::Unknown(reason.into()),
            Err(BackError::Wrong(what)) => HornVerdict::Unknown(Reason::internal(what)),
        },
    }
}
