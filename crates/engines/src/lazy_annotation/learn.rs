//! LEARN: a label for an edge whose every step leads to a blocked state.
//!
//! The label must hold in the current query and be justified: after the step, A of the target holds.
//! If the step is impossible, an interpolant between the state and the guard says why. Otherwise A of
//! the target is a conjunction, over the target's outgoing edges and within their labels, and each
//! conjunct is treated by itself: where the step only copies and resets what the conjunct speaks of, its precondition is
//! found by substitution (if it holds in the state without the guard); for the others it is an
//! interpolant between the state and the step into the conjunct's complement. Interpolants in the
//! first case would replace what is known of all states that came here by what is true of this one,
//! and learn a label for each of exponentially many combinations; substitution in the second case
//! would follow loops around without an end.
//!
//! Of the labels of an outgoing edge only those count that the refutation of the step has used. With all of them the
//! label would be weaker, and a search needs a tenth fewer backtracks; but each label would repeat all that are behind
//! it, and the search is slower by half and more where labels are many.

use super::annotation::{Bounds, Label};
use super::query::Query;
use super::search::Search;
use super::{Learning, Stop};
use crate::blocks::conjuncts;
use craig_base::Stopwatch;
use craig_program::CutEdgeId;
use craig_smt::interpolate::{self, Interpolation};
use craig_smt::project::{EliminateError, eliminate};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Substitution, TermId, Terms};

/// Labels that block a state.
struct Sufficient {
    labels: Vec<Label>,
    /// Whether they do so only together with the guard of the step to the state.
    by_guard: bool,
}

impl Search<'_> {
    /// Labels the edge so that the last query is blocked there. `next` is the state behind it.
    pub(super) fn learn(&mut self, edge: CutEdgeId, next: &mut Query) -> Result<(), Stop> {
        let target = self.encoding.cuts.edges[edge].to;
        let clauses = if self.is_infeasible(edge, next)? {
            Vec::new()
        } else {
            self.encoding.cuts.cutpoints[target].outgoing.clone()
        };
        let mut formulas = Vec::new();
        let mut bounds = Bounds::default();
        if clauses.is_empty() {
            match self.precondition(edge, Terms::FALSE)? {
                Some(formula) => formulas.push(formula),
                None => return Ok(()),
            }
        }
        for clause in clauses {
            let Sufficient { labels, by_guard } = self.sufficient_labels(clause, next)?;
            for label in &labels {
                bounds.meet(&label.bounds);
            }
            let either: Vec<TermId> = labels.iter().map(|label| label.formula).collect();
            let either = self.tm.or(&either);
            if self.config.learn == Learning::Interpolants
                && let Some(formula) = self.substituted(edge, either, !by_guard)?
            {
                formulas.push(formula);
                continue;
            }
            for conjunct in conjuncts(self.tm, either) {
                let formula = match self.config.learn {
                    Learning::WeakestPreconditions => self.precondition(edge, conjunct)?,
                    _ => match self.substituted(edge, conjunct, false)? {
                        Some(formula) => Some(formula),
                        None => self.precondition(edge, conjunct)?,
                    },
                };
                match formula {
                    Some(formula) => formulas.push(formula),
                    None => return Ok(()),
                }
            }
        }
        if let Some(&nest) = self.back_edges.get(&edge) {
            bounds.before_decrease(nest);
        }
        let conjunction = self.tm.and(&formulas);
        let formula = interpolate::simplify(self.tm, conjunction);
        let example = self.path.last().map(|query| query.sample.clone());
        let label = Label { formula, bounds, example };
        self.stats.add("labels", 1);
        self.done(edge, Some(label.clone()));
        self.add_label(edge, label);
        Ok(())
    }

    /// Whether it is known that the step has no successor at all.
    fn is_infeasible(&mut self, edge: CutEdgeId, next: &Query) -> Result<bool, Stop> {
        if next.at == self.encoding.cuts.error {
            return Ok(true);
        }
        // One state of the query that can take the step is enough.
        let guard = self.encoding.blocks[edge].guard;
        let can_take = |query: &Query| self.tm.eval_bool(guard, &query.sample) == Ok(true);
        if self.tm.is_true(guard) || self.path.last().is_some_and(can_take) {
            return Ok(false);
        }
        self.solver_says_unsat(&[next.constraint])
    }

    /// Whether the formulas contradict the constraint of the last query, as far as the solver knows.
    fn solver_says_unsat(&mut self, formulas: &[TermId]) -> Result<bool, Stop> {
        self.solver.push();
        for &formula in formulas {
            self.solver.assert(self.tm, formula);
        }
        let answer = self.solver.check(self.tm, &[], self.budget);
        self.solver.pop();
        self.budget.check()?;
        Ok(answer == Answer::Unsat)
    }

    /// Labels of an edge out of the target that together block the state there, not more than the solver needs:
    /// without bounds if that is enough.
    fn sufficient_labels(&mut self, edge: CutEdgeId, next: &mut Query) -> Result<Sufficient, Stop> {
        let applicable: Vec<Label> =
            self.annotation[edge].iter().filter(|label| label.bounds.hold(&next.tau)).cloned().collect();
        let unbounded: Vec<Label> =
            applicable.iter().filter(|label| label.bounds.is_unbounded()).cloned().collect();
        for labels in [&unbounded, &applicable] {
            if let Some(needed) = self.needed_labels(labels, next)? {
                return Ok(needed);
            }
        }
        Ok(Sufficient { labels: applicable, by_guard: true })
    }

    fn needed_labels(&mut self, labels: &[Label], next: &mut Query) -> Result<Option<Sufficient>, Stop> {
        let mut assumptions = vec![next.constraint];
        for label in labels {
            let inside = next.eval(self.tm, label.formula);
            if self.tm.is_true(inside) {
                return Ok(Some(Sufficient { labels: vec![label.clone()], by_guard: false }));
            }
            assumptions.push(self.tm.not(inside));
        }
        self.solver.push();
        let answer = self.solver.check(self.tm, &assumptions, self.budget);
        let core: Vec<TermId> = self.solver.core().to_vec();
        self.solver.pop();
        self.budget.check()?;
        if answer != Answer::Unsat {
            return Ok(None);
        }
        let needed = labels.iter().zip(&assumptions[1..]).filter(|(_, outside)| core.contains(outside));
        let labels = needed.map(|(label, _)| label.clone()).collect();
        Ok(Some(Sufficient { labels, by_guard: core.contains(&next.constraint) }))
    }

    /// The formula before the step, if the step only copies and resets what it speaks of, and if it
    /// holds in the last query, which may be known.
    fn substituted(&mut self, edge: CutEdgeId, formula: TermId, holds: bool) -> Result<Option<TermId>, Stop> {
        let block = &self.encoding.blocks[edge];
        let state = &self.encoding.states[self.encoding.cuts.edges[edge].to];
        let mut values = Vec::new();
        for constant in self.tm.free_consts(formula) {
            let var = state.iter().find(|known| known.current == constant).map(|known| known.var);
            let output = block.outputs.iter().find(|output| Some(output.var) == var);
            let Some(value) = output.map(|output| output.value) else { return Ok(None) };
            let is_state = block.inputs.values().any(|&input| input == value);
            if !is_state && !self.tm.free_consts(value).is_empty() {
                return Ok(None);
            }
            values.push((constant, value));
        }
        let before = Substitution::from_pairs(values).apply(self.tm, formula);
        if holds || self.tm.is_true(before) {
            return Ok(Some(before));
        }
        let Some(query) = self.path.last_mut() else { return Ok(None) };
        let holds = query.eval(self.tm, before);
        let fails = self.tm.not(holds);
        Ok(self.solver_says_unsat(&[fails])?.then_some(before))
    }

    /// A condition that holds in the last query, and after which the step ends in the formula. None
    /// if there is none to be had; then the edge is given up.
    fn precondition(&mut self, edge: CutEdgeId, formula: TermId) -> Result<Option<TermId>, Stop> {
        if self.config.learn == Learning::WeakestPreconditions {
            return self.weakest_precondition(edge, formula);
        }
        let after = self.blocks.at_target(self.tm, edge, formula);
        let outside = self.tm.not(after);
        let step = self.tm.and2(self.encoding.blocks[edge].formula, outside);
        let mut parts = self.exact_products(edge, step);
        parts.push(step);
        let step = self.tm.and(&parts);
        let needed = self.tm.free_consts(step);
        let Some(query) = self.path.last() else { return Ok(None) };
        let mut state = vec![query.equations(self.tm, self.encoding, &needed)];
        state.extend(self.path.iter().flat_map(|query| [&query.constraint].into_iter().chain(&query.facts)));
        let state = self.tm.and(&state);
        let watch = Stopwatch::start();
        let answer = interpolate::binary(self.tm, state, step, &interpolate::Options::default(), self.budget);
        self.stats.add_time("time in interpolation", watch.elapsed());
        match answer {
            Interpolation::Interpolants(formula) => Ok(Some(formula)),
            Interpolation::Sat(_) => Err(Stop::Internal("a blocked step has a model")),
            Interpolation::Unknown(failure) => {
                self.give_up(edge, Stop::Interpolation(failure))?;
                Ok(None)
            }
        }
    }

    /// All states after which the step ends in the formula. The quantifier over inputs is eliminated.
    fn weakest_precondition(&mut self, edge: CutEdgeId, formula: TermId) -> Result<Option<TermId>, Stop> {
        let after = self.blocks.at_target(self.tm, edge, formula);
        let outside = self.tm.not(after);
        let step = self.tm.and2(self.encoding.blocks[edge].formula, outside);
        let from = self.blocks.state(self.encoding.cuts.edges[edge].from);
        let constants = self.tm.free_consts(step).into_iter();
        let eliminated: Vec<TermId> = constants.filter(|constant| !from.contains(constant)).collect();
        let mut solver = NativeSolver::default();
        let found = eliminate(self.tm, step, &eliminated, |tm, formula| {
            solver.assert(tm, formula);
            match solver.check(tm, &[], self.budget) {
                Answer::Sat => Ok(solver.model().cloned()),
                Answer::Unsat => Ok(None),
                Answer::Unknown(reason) => Err(Stop::from(reason)),
            }
        });
        match found {
            Ok(bad) => Ok(Some(self.tm.not(bad))),
            Err(EliminateError::Oracle(stop)) => Err(stop),
            Err(EliminateError::Project(_)) => {
                self.give_up(edge, Stop::Internal("a quantifier that cannot be eliminated"))?;
                Ok(None)
            }
        }
    }
}
