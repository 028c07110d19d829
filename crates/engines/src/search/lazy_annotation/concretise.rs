//! Sound concretisation: where a step multiplies unknowns, factors are fixed to values, as a decision.
//!
//! The symbolic interpreter of the paper may be nondeterministic: it may replace parameters by values, if its
//! successors together are all there are. Here the successors of a step that the solver cannot decide are one for
//! each value that a factor can have. DECIDE takes one of them, with the values that a model of the linear part
//! suggests, and so that the product is linear ([`products`]). When that successor is blocked, the step is looked
//! at again, and the remaining values are explored; what is known of the values that have been tried, namely what
//! the product is then, stays. As soon as the step contradicts the labels after it with that knowledge, LEARN
//! applies to the whole step: often after one value, by a label that generalises, otherwise when all values were
//! tried. A step with too many values is given up, and the proof with it.

use super::query::Query;
use super::search::Search;
use crate::view::{Action, EdgeId};
use craig_base::{Budget, OrderedSet};
use craig_program::encode::BlockEncoding;
use craig_smt::products;
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason, Unsupported};
use craig_term::{Model, TermId, Terms};

/// So many values of a step are tried.
const MAX_VALUES: usize = 64;

/// A value that was tried on an edge: what constants of the step were, as it is written in the program.
pub(super) struct Tried {
    pub edge: EdgeId,
    pub values: Model,
}

/// What came of fixing factors of a step.
pub(super) struct Explored {
    pub answer: Answer,
    pub model: Option<Model>,
    /// The step, with the values that were fixed if the answer is about them.
    pub constraint: TermId,
    /// What products are for the values that were tried.
    pub facts: Vec<TermId>,
    /// Where the values came from.
    pub candidates: Vec<Model>,
}

/// Checks a step from the state that the solver knows to states that are not blocked. If the solver cannot decide
/// it, factors are fixed until it can; `tried` were before. These are factors of the step, and, where the step has
/// none or they are not enough, of products in the constraint of the state, `before`: a model may have decided
/// those by chance, and one step later it fits no more. The facts are asserted.
pub(super) fn explore_values(
    tm: &mut Terms,
    solver: &mut NativeSolver,
    (step, unblocked): (TermId, TermId),
    before: impl Iterator<Item = TermId>,
    tried: usize,
    budget: &Budget,
) -> Explored {
    const NONLINEAR: Answer = Answer::Unknown(UnknownReason::Unsupported(Unsupported::Nonlinear));
    let mut facts = Vec::new();
    let mut candidates: Vec<Model> = Vec::new();
    let check = |tm: &mut Terms, solver: &mut NativeSolver, constraint: TermId| {
        solver.push();
        solver.assert(tm, constraint);
        solver.assert(tm, unblocked);
        let answer = solver.check(tm, &[], budget);
        let model = solver.model().or(solver.candidate()).cloned();
        solver.pop();
        (answer, model)
    };
    let mut constraint = step;
    let mut formulas = vec![step, unblocked];
    let mut before: Vec<TermId> = before.collect();
    let (answer, model) = loop {
        let (answer, model) = check(tm, solver, step);
        let Some(candidate) = model.clone().filter(|_| answer == NONLINEAR) else { break (answer, model) };
        let mut cases = products::cases(tm, &formulas, &candidate);
        if cases.is_empty() {
            formulas.append(&mut before);
            cases = products::cases(tm, &formulas, &candidate);
        }
        if cases.is_empty() || tried + candidates.len() >= MAX_VALUES {
            break (answer, None);
        }
        let mut parts = vec![step];
        for case in &cases {
            parts.push(case.condition(tm));
            for fact in case.facts(tm) {
                solver.assert(tm, fact);
                facts.push(fact);
            }
        }
        candidates.push(candidate);
        let fixed = tm.and(&parts);
        let (answer, model) = check(tm, solver, fixed);
        if answer == NONLINEAR && !before.is_empty() {
            formulas.append(&mut before);
        } else if answer != Answer::Unsat {
            constraint = fixed;
            break (answer, model);
        }
    };
    Explored { answer, model, constraint, facts, candidates }
}

/// What products of a formula are for values that were tried.
pub(super) fn exact_products<'t>(
    tm: &mut Terms,
    formula: TermId,
    tried: impl Iterator<Item = &'t Model>,
) -> Vec<TermId> {
    let mut facts: OrderedSet<TermId> = OrderedSet::default();
    for values in tried {
        for case in products::cases(tm, &[formula], values) {
            facts.extend(case.facts(tm));
        }
    }
    facts.into_iter().collect()
}

impl<'a> Search<'a> {
    /// Decides the step to a query. Its constraint says which values were fixed.
    pub(super) fn concretise(
        &mut self,
        edge: EdgeId,
        next: &mut Query,
        unblocked: TermId,
    ) -> (Answer, Option<Model>) {
        let step = self.with_tried_values(edge, next);
        let tried = self.path.last().map_or(0, |query| query.tried.len());
        let before = self.path.iter().map(|query| query.constraint);
        let explored =
            explore_values(self.tm, &mut self.solver, (step, unblocked), before, tried, self.budget);
        next.constraint = explored.constraint;
        self.stats.add("values fixed", explored.candidates.len() as u64);
        for candidate in explored.candidates {
            let values = self.values_in_block(edge, next, &candidate);
            if let Some(query) = self.path.last_mut() {
                query.tried.push(Tried { edge, values });
            }
        }
        if let Some(query) = self.path.last_mut() {
            query.facts.extend(explored.facts);
        }
        (explored.answer, explored.model)
    }

    /// The constraint of the step, with what products of the block are for the values that were tried.
    fn with_tried_values(&mut self, edge: EdgeId, next: &mut Query) -> TermId {
        let Some(block) = self.block(edge) else { return next.constraint };
        let facts = self.exact_products(edge, block.guard);
        match &mut next.step {
            Some(step) if !facts.is_empty() => {
                let facts = self.tm.and(&facts);
                let facts = step.term(self.tm, facts);
                self.tm.and2(next.constraint, facts)
            }
            _ => next.constraint,
        }
    }

    /// What the constants of the block, and those of the state after it, are in a model of the step.
    fn values_in_block(&mut self, edge: EdgeId, next: &mut Query, model: &Model) -> Model {
        let mut values = Model::new();
        let Some(block) = self.block(edge) else { return values };
        if let Some(step) = &mut next.step {
            for &constant in block.inputs.values().chain(&block.auxiliaries) {
                let term = step.term(self.tm, constant);
                if let Ok(value) = self.tm.eval(term, model) {
                    values.set(constant, value);
                }
            }
        }
        for output in &block.outputs {
            if let Ok(value) = self.tm.eval(output.value, &values) {
                values.set(output.next, value);
            }
        }
        values
    }

    /// What is executed on an edge before anything else.
    fn block(&self, edge: EdgeId) -> Option<&'a BlockEncoding> {
        match self.graph.edges[edge].action {
            Action::Block(block) => Some(block),
            Action::Enter(call) | Action::Through(call) => Some(&call.enter),
            Action::Return => None,
        }
    }

    /// What products of the formula are for the values that the last query has tried on the edge.
    pub(super) fn exact_products(&mut self, edge: EdgeId, formula: TermId) -> Vec<TermId> {
        let tried = self.path.last().map_or(&[][..], |query| &query.tried);
        let values = tried.iter().filter(|tried| tried.edge == edge).map(|tried| &tried.values);
        exact_products(self.tm, formula, values)
    }
}
