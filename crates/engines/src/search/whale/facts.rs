//! Under-approximations: executions of functions, seen from outside; and tests made of them.

use super::Whale;
use crate::horn::contracts::{Script, replay_script};
use crate::verdict::Reason;
use crate::verify::Verdict;
use crate::view::functions::{BodyEdgeId, FunctionId};
use craig_base::{Index, IndexVec, Map, index_type};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Model, TermId, Value};

index_type!(
    /// A fact.
    pub FactId,
    "u"
);

/// The facts of the call-edges on a path.
pub type Callees = Vec<(BodyEdgeId, FactId)>;

/// Each point of the formula is an execution along the path, where the calls are points of facts.
#[derive(Clone, Debug)]
pub struct Fact {
    pub function: FunctionId,
    /// Over parameters, returns and error.
    pub formula: TermId,
    pub path: Vec<BodyEdgeId>,
    /// The facts of the calls on the path, in order.
    pub callees: Callees,
    /// What the path does, and that its calls lie in their facts.
    pub execution: Vec<TermId>,
}

#[derive(Default)]
pub struct Facts {
    all: IndexVec<FactId, Fact>,
    by_function: Map<FunctionId, Vec<FactId>>,
}

impl Facts {
    pub fn add(&mut self, fact: Fact) -> FactId {
        let function = fact.function;
        let id = self.all.push(fact);
        self.by_function.entry(function).or_default().push(id);
        id
    }

    pub fn of(&self, function: FunctionId) -> impl Iterator<Item = &Fact> {
        self.ids(function).iter().map(|&id| &self.all[id])
    }

    fn ids(&self, function: FunctionId) -> &[FactId] {
        self.by_function.get(&function).map_or(&[], Vec::as_slice)
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }
}

impl std::ops::Index<FactId> for Facts {
    type Output = Fact;

    fn index(&self, id: FactId) -> &Fact {
        &self.all[id]
    }
}

impl Whale<'_> {
    /// The path that a model of an ARG's condition takes, and the facts of its calls.
    pub(super) fn path(
        &mut self,
        function: FunctionId,
        graph: &IndexVec<BodyEdgeId, bool>,
        model: &Model,
    ) -> Result<(Vec<BodyEdgeId>, Callees), Reason> {
        let no_path = || Reason::internal("a model without a path");
        let function = &self.view.functions[function];
        let (mut path, mut callees) = (Vec::new(), Vec::new());
        let mut at = Some(crate::view::functions::NodeId::from_usize(0));
        while let Some(node) = at {
            let outgoing = function.nodes[node].outgoing.iter().copied();
            let holds = |formula: TermId| self.terms.eval_bool(formula, model) == Ok(true);
            let edge = outgoing.filter(|&edge| graph[edge]).find(|&edge| holds(function.edges[edge].taken));
            let edge = edge.ok_or_else(no_path)?;
            path.push(edge);
            at = function.edges[edge].to;
            if let Some(call) = &function.edges[edge].call {
                let mut found = None;
                for &fact in self.facts.ids(call.callee) {
                    let formula = call.instantiate(self.terms, &self.view, self.facts[fact].formula);
                    if self.terms.eval_bool(formula, model) == Ok(true) {
                        found = Some(fact);
                        break;
                    }
                }
                callees.push((edge, found.ok_or_else(no_path)?));
                let failed = call.error.is_some_and(|error| self.terms.eval_bool(error, model) == Ok(true));
                if failed && !call.is_tail {
                    at = None;
                }
            }
        }
        Ok((path, callees))
    }

    /// What happens along a path, where each call fails or returns as the model says.
    pub(super) fn path_formula(
        &mut self,
        function: FunctionId,
        path: &[BodyEdgeId],
        model: &Model,
    ) -> Vec<TermId> {
        let function = &self.view.functions[function];
        let mut parts = Vec::new();
        for &edge in path {
            let edge = &function.edges[edge];
            parts.push(edge.formula);
            if let Some(call) = edge.call.as_ref().filter(|call| !call.is_tail) {
                let failed = call.error.filter(|&error| self.terms.eval_bool(error, model) == Ok(true));
                match failed {
                    Some(failed) => parts.extend([failed].into_iter().chain(function.error)),
                    None => {
                        parts.extend(call.error.map(|error| self.terms.not(error)));
                        parts.extend(call.onward);
                    }
                }
            }
        }
        parts
    }

    /// The test that a fact of the entry function describes, replayed. Values are chosen from the
    /// outside to the inside: those of a call before those within it.
    pub(super) fn counterexample(&mut self, fact: FactId, model: &Model) -> Result<Verdict, Reason> {
        enum Visit {
            Fact(FactId, Vec<Value>),
            Segment(Script),
        }
        let evaluation = |error| Reason::Evaluation(error);
        let mut script = Script::default();
        let main = &self.view.functions[self.view.main];
        for slot in &main.params {
            script.start.insert(slot.var, self.terms.eval(slot.constant, model).map_err(evaluation)?);
        }
        let mut values = Vec::new();
        for constant in main.interface() {
            values.push(self.terms.eval(constant, model).map_err(evaluation)?);
        }
        let mut stack = vec![Visit::Fact(fact, values)];
        while let Some(visit) = stack.pop() {
            self.budget.check().map_err(Reason::Stopped)?;
            let (id, values) = match visit {
                Visit::Segment(part) => {
                    script.extend(part);
                    continue;
                }
                Visit::Fact(id, values) => (id, values),
            };
            let fact = self.facts[id].clone();
            let model = self.point(&fact, &values)?;
            let function = fact.function;
            let proc = self.view.functions[function].proc;
            let mut visits = Vec::new();
            let mut calls = fact.callees.into_iter();
            for &edge in &fact.path {
                let edge = &mut self.view.functions[function].edges[edge];
                if let Some((encoded, copy)) = &mut edge.segment {
                    let mut part = Script::default();
                    let terms = &mut *self.terms;
                    let evaluate = |term: TermId| {
                        let term = copy.term(terms, term);
                        terms.eval(term, &model).ok()
                    };
                    part.segment(self.program, proc, encoded, evaluate)
                        .ok_or_else(|| Reason::internal("a fact without an execution"))?;
                    visits.push(Visit::Segment(part));
                } else if let Some(call) = &edge.call {
                    let Some((_, callee)) = calls.next() else { break };
                    let mut values = Vec::new();
                    for &constant in call.args.iter().chain(&call.results).chain(&call.error) {
                        values.push(self.terms.eval(constant, &model).map_err(evaluation)?);
                    }
                    visits.push(Visit::Fact(callee, values));
                }
            }
            stack.extend(visits.into_iter().rev());
        }
        replay_script(self.program, &script, self.budget)
    }

    /// A model of a fact's execution with the given values outside.
    fn point(&mut self, fact: &Fact, values: &[Value]) -> Result<Model, Reason> {
        let mut solver = NativeSolver::default();
        for (constant, value) in self.view.functions[fact.function].interface().into_iter().zip(values) {
            if let Some(value) = self.terms.value_term(value, self.terms.sort(constant)) {
                let chosen = self.terms.eq(constant, value);
                solver.assert(self.terms, chosen);
            }
        }
        for &part in &fact.execution {
            solver.assert(self.terms, part);
        }
        match solver.check(self.terms, &[], self.budget) {
            Answer::Sat => {
                solver.model().cloned().ok_or_else(|| Reason::internal("an answer without a model"))
            }
            Answer::Unsat => Err(Reason::internal("a fact has a point without execution")),
            Answer::Unknown(reason) => Err(Reason::from(reason)),
        }
    }
}
