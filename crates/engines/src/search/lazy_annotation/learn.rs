//! LEARN and LEARN-C: a label for an edge whose every step leads to a blocked state.
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
//! Where the edge leads through a call, the complement of the callee's annotation is the action. Where the question is
//! about the exit, the state is one at the exit as well, from which the callers may go on.
//!
//! Of the labels of an outgoing edge only those count that the refutation of the step has used. With all of them the
//! label would be weaker, and a search needs a tenth fewer backtracks; but each label would repeat all that are after
//! it, and the search is slower by half and more where labels are many.

use super::annotation::{Bounds, Known, Label, Question};
use super::query::Query;
use super::search::Search;
use super::{Learning, Stop};
use crate::verdict::Reason;
use crate::view::blocks::conjuncts;
use crate::view::{Action, EdgeId};
use craig_base::Stopwatch;
use craig_smt::interpolate::checked::is_excluded;
use craig_smt::interpolate::{self, Interpolation};
use craig_smt::project::{EliminateError, eliminate};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Substitution, TermId, Terms};

/// A step that fails, as formulas.
struct Failure {
    edge: EdgeId,
    question: Question,
    /// What the edge does, over current and next constants.
    formula: TermId,
    /// What the callers need of the state at the exit.
    later: TermId,
}

/// Labels that block a state.
struct Sufficient {
    labels: Vec<Label>,
    /// Whether they do so only together with the guard of the step to the state.
    by_guard: bool,
}

impl Search<'_> {
    /// Labels the edge so that the last query is blocked there. `next` is the state after it.
    pub(super) fn learn(&mut self, edge: EdgeId, mut next: Query) -> Result<(), Stop> {
        let question = self.question();
        if self.config.learn == Learning::Nothing {
            self.done(edge, None);
        } else if let Action::Return = self.graph.edges[edge].action {
            // What holds at an exit is known from the start: how the callers go on is what blocks the query.
            self.done(edge, Some(Bounds::default()));
        } else if let Some(label) = self.lesson(edge, question, &mut next)? {
            self.stats.add("labels", 1);
            self.done(edge, Some(label.bounds.clone()));
            self.add_label(edge, question, label);
        }
        self.drop_frame(&next);
        Ok(())
    }

    /// The label; none if there is none to be had, and then the edge is given up.
    fn lesson(&mut self, edge: EdgeId, question: Question, next: &mut Query) -> Result<Option<Label>, Stop> {
        let frame = self.path.last().map_or(0, |query| query.frame);
        let later = self.later(frame);
        let mut failure = Failure { edge, question, formula: self.graph.edges[edge].formula, later };
        let mut bounds = Bounds::default();
        let mut through = None;
        if let Action::Through(_) = self.graph.edges[edge].action {
            let (after, summary, needed) = self.through_summary(edge, next, later)?;
            failure.formula = self.tm.and2(failure.formula, summary);
            bounds = self.tau.before_call(self.graph, edge, needed);
            through = Some(after);
        }
        let next = through.as_mut().unwrap_or(next);
        let Some((formulas, needed)) = self.preconditions(&failure, next)? else { return Ok(None) };
        bounds.meet(&self.tau.before(self.graph, edge, needed));
        let conjunction = self.tm.and(&formulas);
        let formula = interpolate::simplify(self.tm, conjunction);
        debug_assert!(self.is_justified(&failure, formula, next), "a label without a justification");
        let example = self.path.last().map(|query| query.sample.clone());
        Ok(Some(Label { formula, bounds, example }))
    }

    /// Whether the step leads from the label's states to blocked ones only; for debug builds.
    fn is_justified(&mut self, failure: &Failure, label: TermId, next: &Query) -> bool {
        let blocked = self.holds_at(next.at, failure.question, Known::Below(next.tau));
        let after = self.solvers.at_target(self.tm, self.graph, failure.edge, blocked);
        let open = self.tm.not(after);
        let step = self.tm.and2(failure.formula, open);
        let mut parts = self.exact_products(failure.edge, step);
        parts.extend([label, step]);
        is_excluded(self.tm, &parts, self.budget)
    }

    /// The state after a call, as far as the callee's labels know: without bounds if that is enough. Also what these say
    /// of the call, and under which bounds.
    fn through_summary(
        &mut self,
        edge: EdgeId,
        callee: &mut Query,
        later: TermId,
    ) -> Result<(Query, TermId, Bounds), Stop> {
        let missing = Stop::internal("a call without a return");
        let resume = self.frames[callee.frame].resume.clone().ok_or(missing)?;
        let frame = self.path[resume.caller].frame;
        let mut found = None;
        for known in [Known::Unbounded, Known::Below(callee.tau)] {
            let summary = self.holds_at(callee.at, Question::Exit, known);
            let excluded = callee.eval(self.tm, summary);
            let ends = self.tm.not(excluded);
            let constraint = self.tm.and(&[callee.constraint, ends, resume.constraint]);
            let exit = (frame, &self.frames[frame].exit[..]);
            let state = (resume.values.clone(), constraint);
            let mut after = Query::new(self.graph, resume.to, state, exit, resume.tau);
            let unblocked = self.unblocked(&mut after);
            let ends = self.tm.not(summary);
            let bounds = self.bounds_at(callee.at, Question::Exit, known);
            found = Some((after, self.graph.at_call(self.tm, edge, ends), bounds));
            if matches!(known, Known::Unbounded) && self.is_unsat(&[constraint, unblocked, later])? {
                break;
            }
        }
        found.ok_or(Stop::internal("a call without labels"))
    }

    /// Conditions that hold in the last query and together justify a label, and under which bounds they do.
    fn preconditions(
        &mut self,
        failure: &Failure,
        next: &mut Query,
    ) -> Result<Option<(Vec<TermId>, Bounds)>, Stop> {
        let mut formulas = Vec::new();
        let mut bounds = Bounds::default();
        if self.is_infeasible(failure, next)? {
            let formula = self.precondition(failure, Terms::FALSE)?;
            return Ok(formula.map(|formula| (vec![formula], bounds)));
        }
        for &clause in &self.graph.nodes[next.at].outgoing {
            let Sufficient { labels, by_guard } = self.sufficient_labels(failure, clause, next)?;
            for label in &labels {
                bounds.meet(&label.bounds);
            }
            let either: Vec<TermId> = labels.iter().map(|label| label.formula).collect();
            let either = self.tm.or(&either);
            let substitute = self.config.learn == Learning::Interpolants && self.config.substitute;
            if substitute && let Some(formula) = self.substituted(failure, either, !by_guard)? {
                formulas.push(formula);
                continue;
            }
            for conjunct in conjuncts(self.tm, either) {
                let known = if substitute { self.substituted(failure, conjunct, false)? } else { None };
                let formula = if known.is_some() { known } else { self.precondition(failure, conjunct)? };
                let Some(formula) = formula else { return Ok(None) };
                formulas.push(formula);
            }
        }
        Ok(Some((formulas, bounds)))
    }

    /// Whether it is known that the step has no successor at all.
    fn is_infeasible(&mut self, failure: &Failure, next: &Query) -> Result<bool, Stop> {
        if self.graph.nodes[next.at].is_error || self.graph.nodes[next.at].outgoing.is_empty() {
            return Ok(true);
        }
        // One state of the query that can take the step is enough.
        let guard = match self.graph.edges[failure.edge].action {
            Action::Block(block) => block.guard,
            Action::Enter(call) => call.enter.guard,
            Action::Through(_) | Action::Return => next.constraint,
        };
        let can_take = |query: &Query| self.tm.eval_bool(guard, &query.sample) == Ok(true);
        if self.tm.is_true(guard) || self.path.last().is_some_and(can_take) {
            return Ok(false);
        }
        self.is_unsat(&[next.constraint, failure.later])
    }

    /// Labels of an edge out of the target that together block the state there, not more than the solver needs:
    /// without bounds if that is enough.
    fn sufficient_labels(
        &mut self,
        failure: &Failure,
        edge: EdgeId,
        next: &mut Query,
    ) -> Result<Sufficient, Stop> {
        let mut applicable = Vec::new();
        for known in [Known::Unbounded, Known::Below(next.tau)] {
            applicable = self.known_labels(edge, failure.question, known).cloned().collect();
            if let Some(needed) = self.needed_labels(failure, &applicable, next)? {
                return Ok(needed);
            }
        }
        Ok(Sufficient { labels: applicable, by_guard: true })
    }

    fn needed_labels(
        &mut self,
        failure: &Failure,
        labels: &[Label],
        next: &mut Query,
    ) -> Result<Option<Sufficient>, Stop> {
        let mut assumptions = vec![next.constraint];
        for label in labels {
            let inside = next.eval(self.tm, label.formula);
            if self.tm.is_true(inside) {
                return Ok(Some(Sufficient { labels: vec![label.clone()], by_guard: false }));
            }
            assumptions.push(self.tm.not(inside));
        }
        self.solver.push();
        self.solver.assert(self.tm, failure.later);
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
    fn substituted(
        &mut self,
        failure: &Failure,
        formula: TermId,
        holds: bool,
    ) -> Result<Option<TermId>, Stop> {
        let edge = &self.graph.edges[failure.edge];
        let after = self.graph.nodes[edge.to].state.iter().zip(edge.outputs());
        let values: Vec<(TermId, TermId)> =
            after.map(|(constant, output)| (constant.current, output.value)).collect();
        for constant in self.tm.free_consts(formula) {
            // What is said of the exit is the same before.
            let Some(&(_, value)) = values.iter().find(|(known, _)| *known == constant) else { continue };
            let is_state = self.graph.nodes[edge.from].state.iter().any(|known| known.current == value);
            if !is_state && !self.tm.free_consts(value).is_empty() {
                return Ok(None);
            }
        }
        let before = Substitution::from_pairs(values).apply(self.tm, formula);
        if holds || self.tm.is_true(before) {
            return Ok(Some(before));
        }
        let Some(query) = self.path.last_mut() else { return Ok(None) };
        let holds = query.eval(self.tm, before);
        let fails = self.tm.not(holds);
        Ok(self.is_unsat(&[fails, failure.later])?.then_some(before))
    }

    /// A condition that holds in the last query, and after which the step ends in the formula. None
    /// if there is none to be had; then the edge is given up.
    fn precondition(&mut self, failure: &Failure, formula: TermId) -> Result<Option<TermId>, Stop> {
        let edge = failure.edge;
        let after = self.solvers.at_target(self.tm, self.graph, edge, formula);
        let outside = self.tm.not(after);
        let step = self.tm.and2(failure.formula, outside);
        if self.config.learn == Learning::WeakestPreconditions {
            return self.weakest_precondition(edge, step);
        }
        let mut parts = self.exact_products(edge, step);
        parts.push(step);
        let step = self.tm.and(&parts);
        let needed = self.tm.free_consts(step);
        let Some(query) = self.path.last_mut() else { return Ok(None) };
        let mut state = vec![query.equations(self.tm, &needed), failure.later];
        state.extend(self.path.iter().flat_map(|query| [&query.constraint].into_iter().chain(&query.facts)));
        let state = self.tm.and(&state);
        let watch = Stopwatch::start();
        let answer = interpolate::binary(self.tm, state, step, &interpolate::Options::default(), self.budget);
        self.stats.add_time("time in interpolation", watch.elapsed());
        match answer {
            Interpolation::Interpolants(formula) => Ok(Some(formula)),
            Interpolation::Sat(_) => Err(Stop::internal("a blocked step has a model")),
            Interpolation::Unknown(failure) => {
                self.give_up(edge, failure.into())?;
                Ok(None)
            }
        }
    }

    /// All states after which the step is impossible. The quantifier over inputs is eliminated.
    fn weakest_precondition(&mut self, edge: EdgeId, step: TermId) -> Result<Option<TermId>, Stop> {
        let from = self.graph.edges[edge].from;
        let state = self.graph.nodes[from].state.iter().map(|constant| constant.current);
        let exit = self.graph.procedure(from).exit_state.iter().map(|&(_, constant)| constant);
        let kept: Vec<TermId> = state.chain(exit).collect();
        let constants = self.tm.free_consts(step).into_iter();
        let eliminated: Vec<TermId> = constants.filter(|constant| !kept.contains(constant)).collect();
        let mut solver = NativeSolver::default();
        let found = eliminate(self.tm, step, &eliminated, |tm, formula| {
            solver.assert(tm, formula);
            match solver.check(tm, &[], self.budget) {
                Answer::Sat => Ok(solver.model().cloned()),
                Answer::Unsat => Ok(None),
                Answer::Unknown(reason) => Err(Stop::from(Reason::from(reason))),
            }
        });
        match found {
            Ok(bad) => Ok(Some(self.tm.not(bad))),
            Err(EliminateError::Oracle(stop)) => Err(stop),
            Err(EliminateError::Project(_)) => {
                self.give_up(edge, Reason::internal("a quantifier that cannot be eliminated"))?;
                Ok(None)
            }
        }
    }
}
