//! REFINEARG: the condition of an ARG, and guards and summaries of its callees from interpolants.
//!
//! The condition is `G and ArgCond and mu_1 ... mu_m and not S`. In ArgCond every control variable of
//! a node implies that one of its outgoing edges is taken, and a taken edge implies what it does and
//! the control variable after it. `mu_k` says that, if call-edge `k` is taken, its arguments and
//! results lie in a fact of the callee. All of `mu_k` is over the constants of the call and one control
//! variable, so the transition interpolant becomes a summary by setting that variable to true, and
//! the state interpolant before it becomes a guard by eliminating everything but the arguments.

use super::facts::{Fact, FactId};
use super::{ArgId, Callees, Interpolants, Spec, Whale};
use crate::verdict::Reason;
use crate::verify::Verdict;
use crate::view::functions::{BodyEdgeId, FunctionId};
use craig_base::{IndexVec, Map, OrderedSet, Set};
use craig_smt::interpolate::{self, Failure, Interpolation, StateTransition};
use craig_smt::project::{EliminateError, eliminate, implicant, project_literals};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{Model, Substitution, TermId, Terms};

/// How REFINEARG ended.
pub(super) enum Refinement {
    /// The specifications hold if the callees satisfy theirs.
    Safe,
    /// An execution violates a specification: it is a fact now, and whoever asked was reset.
    Fact,
    Counterexample(Verdict),
}

/// A guard with more cases than this is given up.
const MAX_GUARD_CASES: usize = 24;
/// A guard larger than this is given up.
const MAX_GUARD_NODES: usize = 400;

/// The parts of an ARG's condition.
pub(super) struct Condition {
    /// Guard, ArgCond, one for each call, and the negated summary.
    pub(super) parts: Vec<TermId>,
    pub(super) calls: Vec<BodyEdgeId>,
}

impl Whale<'_> {
    /// Looks for an execution in the ARG that violates its specification; if there is none, guesses
    /// what the callees must satisfy.
    pub(super) fn refine_arg(&mut self, arg: ArgId) -> Result<Refinement, Reason> {
        if let Some(model) = self.violating_sample(arg)? {
            // A run need not keep to the paths that are there.
            let all = IndexVec::from_elem(true, self.args[arg].graph.len());
            return self.learn_fact(arg, &all, &model);
        }
        let specs = self.args[arg].specs.clone();
        let graph = self.args[arg].graph.clone();
        let mut condition = self.condition(self.args[arg].function, &graph, &specs);
        if self.config.callees == Callees::Labels
            && self.put_labels(arg, &mut condition)
            && let Interpolation::Interpolants(interpolants) = self.interpolate(&condition.parts)
        {
            self.counts.local += 1;
            let interpolants = self.weaken(&condition, interpolants)?;
            self.guess(arg, &condition, Some(&interpolants))?;
            return Ok(Refinement::Safe);
        }
        self.counts.refinements += 1;
        let mut instances = Vec::new();
        if self.config.callees != Callees::Facts {
            instances = self.instantiate_callees(arg, &mut condition)?;
        }
        let labels = self.config.callees == Callees::Labels;
        let execution = if labels { self.label(&instances, &mut condition)? } else { None };
        let found = match execution {
            Some(model) => Interpolation::Sat(model),
            None => self.interpolate(&condition.parts),
        };
        match found {
            Interpolation::Sat(model) => {
                self.record(&instances, &model)?;
                self.learn_fact(arg, &graph, &model)
            }
            Interpolation::Interpolants(interpolants) => {
                let interpolants = self.weaken(&condition, interpolants)?;
                self.guess(arg, &condition, Some(&interpolants))?;
                Ok(Refinement::Safe)
            }
            Interpolation::Unknown(Failure::Solver(reason)) => Err(Reason::from(reason)),
            Interpolation::Unknown(_) => {
                self.counts.fallbacks += 1;
                self.guess(arg, &condition, None)?;
                Ok(Refinement::Safe)
            }
        }
    }

    /// The interpolants of a condition.
    fn interpolate(&mut self, parts: &[TermId]) -> Interpolation<StateTransition> {
        let options = interpolate::Options::default();
        if self.config.interpolants == Interpolants::StateTransition {
            return interpolate::state_transition(self.terms, parts, &options, self.budget);
        }
        let calls = parts.len() - 3;
        let mut leaves = parts[2..2 + calls].to_vec();
        let rest = [parts[0], parts[1], parts[parts.len() - 1]];
        leaves.push(self.terms.and(&rest));
        let parents = vec![calls; calls];
        match interpolate::tree(self.terms, &leaves, &parents, &options, self.budget) {
            Interpolation::Sat(model) => Interpolation::Sat(model),
            Interpolation::Unknown(failure) => Interpolation::Unknown(failure),
            Interpolation::Interpolants(summaries) => {
                let transitions = [parts[1]].into_iter().chain(summaries).collect();
                Interpolation::Interpolants(StateTransition {
                    states: vec![Terms::TRUE; calls + 2],
                    transitions,
                })
            }
        }
    }

    /// IARGCOND with guard and negated summary.
    pub(super) fn condition(
        &mut self,
        function: FunctionId,
        graph: &IndexVec<BodyEdgeId, bool>,
        specs: &[Spec],
    ) -> Condition {
        let (guard, violation) = self.asked(specs);
        let (paths, calls) = self.paths(function, graph);
        let function = &self.view.functions[function];
        let terms = &mut *self.terms;
        let mut parts = vec![guard, paths];
        for &id in &calls {
            let edge = &function.edges[id];
            let call = edge.call.as_ref().expect("a call-edge");
            if let Some(&relation) = self.given.get(&call.callee) {
                let assumed = call.instantiate(terms, &self.view, relation);
                parts.push(terms.implies(edge.taken, assumed));
                continue;
            }
            let mut under = Vec::new();
            for fact in self.facts.of(call.callee) {
                under.push(call.instantiate(terms, &self.view, fact.formula));
            }
            let under = terms.or(&under);
            parts.push(terms.implies(edge.taken, under));
        }
        parts.push(violation);
        Condition { parts, calls }
    }

    /// ARGCOND: the paths through the edges that are there, with their call-edges.
    pub(super) fn paths(
        &mut self,
        function: FunctionId,
        graph: &IndexVec<BodyEdgeId, bool>,
    ) -> (TermId, Vec<BodyEdgeId>) {
        let own = self.known_range(function);
        let of_callees: Map<FunctionId, TermId> =
            self.callees(function).into_iter().map(|callee| (callee, self.known_range(callee))).collect();
        let function = &self.view.functions[function];
        let terms = &mut *self.terms;
        let mut paths = vec![own];
        let mut calls = Vec::new();
        for node in &function.nodes {
            let mut ways = vec![terms.not(node.reached)];
            for &id in node.outgoing.iter().filter(|&&edge| graph[edge]) {
                let edge = &function.edges[id];
                ways.push(edge.taken);
                let mut consequences = vec![edge.formula];
                if let Some(call) = &edge.call {
                    consequences.push(call.instantiate(terms, &self.view, of_callees[&call.callee]));
                }
                let mut onward: Vec<TermId> =
                    edge.to.map(|to| function.nodes[to].reached).into_iter().collect();
                if let Some(call) = &edge.call {
                    calls.push(id);
                    onward.extend(call.onward);
                    if call.onward.is_none() && !call.is_tail {
                        onward.push(Terms::FALSE);
                    }
                }
                let onward = terms.and(&onward);
                let failed = edge.call.as_ref().filter(|call| !call.is_tail).and_then(|call| call.error);
                consequences.push(match (failed, function.error) {
                    (Some(failed), Some(error)) => terms.ite(failed, error, onward),
                    _ => onward,
                });
                let consequence = terms.and(&consequences);
                paths.push(terms.implies(edge.taken, consequence));
            }
            paths.push(terms.or(&ways));
        }
        (terms.and(&paths), calls)
    }

    fn callees(&self, function: FunctionId) -> OrderedSet<FunctionId> {
        let edges = &self.view.functions[function].edges;
        edges.iter().filter_map(|edge| Some(edge.call.as_ref()?.callee)).collect()
    }

    /// The guard and the violation of the summary. Where there are several specifications, a selector
    /// for each says which one is meant.
    fn asked(&mut self, specs: &[Spec]) -> (TermId, TermId) {
        let terms = &mut *self.terms;
        if let [spec] = specs {
            return (spec.guard, terms.not(spec.summary));
        }
        let (mut guards, mut violations) = (Vec::new(), Vec::new());
        for spec in specs {
            let selector = terms.fresh_const("spec", Terms::BOOL);
            guards.push(terms.and2(selector, spec.guard));
            let violated = terms.not(spec.summary);
            violations.push(terms.implies(selector, violated));
        }
        (terms.or(&guards), terms.and(&violations))
    }

    /// Interpolants that ask for less. The transition interpolants stand for the calls from now on: those
    /// that a core shows unnecessary are dropped, and the others are interpolated once more, which is
    /// cheap, since they are small, and forgets what only the facts had to say.
    fn weaken(
        &mut self,
        condition: &Condition,
        interpolants: StateTransition,
    ) -> Result<StateTransition, Reason> {
        let terms = &mut *self.terms;
        let (first, last) = (condition.parts[0], condition.parts[condition.parts.len() - 1]);
        let mut solver = NativeSolver::default();
        for part in [first, condition.parts[1], last] {
            solver.assert(terms, part);
        }
        let mut selectors = Vec::new();
        for &summary in &interpolants.transitions[1..] {
            let selector = terms.fresh_const("call", Terms::BOOL);
            let guarded = terms.implies(selector, summary);
            solver.assert(terms, guarded);
            selectors.push(selector);
        }
        match solver.check(terms, &selectors, self.budget) {
            Answer::Unsat => {}
            Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(Reason::Stopped(reason)),
            _ => return Ok(interpolants),
        }
        let core = solver.core();
        let mut parts = vec![first, condition.parts[1]];
        for (selector, &summary) in selectors.iter().zip(&interpolants.transitions[1..]) {
            parts.push(if core.contains(selector) { summary } else { Terms::TRUE });
        }
        parts.push(last);
        match self.interpolate(&parts) {
            Interpolation::Interpolants(weaker) => Ok(weaker),
            _ => Ok(interpolants),
        }
    }

    /// Sets guards and summaries of the ARGs that justify the call-edges. Without interpolants, the
    /// summary is what is known of the callee.
    fn guess(
        &mut self,
        arg: ArgId,
        condition: &Condition,
        interpolants: Option<&StateTransition>,
    ) -> Result<(), Reason> {
        self.args[arg].safe = true;
        for (k, &id) in condition.calls.iter().enumerate() {
            let (guard, summary) = match interpolants {
                Some(interpolants) => {
                    (self.guard(arg, id, interpolants.states[k + 1])?, interpolants.transitions[k + 1])
                }
                None => (Terms::TRUE, condition.parts[k + 2]),
            };
            let summary = self.summary(arg, id, summary);
            // A function of which something is given has no ARG.
            let Some(&child) = self.args[arg].children.get(&id) else { continue };
            self.withdraw(child, (arg, id));
            if summary == Terms::TRUE || guard == Terms::FALSE {
                continue;
            }
            self.update(child, Spec { from: Some((arg, id)), guard, summary })?;
        }
        // UPDATEGUARD.
        if let (Some(interpolants), [spec]) = (interpolants, &mut self.args[arg].specs[..])
            && spec.from.is_some()
            && self.config.interpolants == Interpolants::StateTransition
        {
            spec.guard = interpolants.states[0];
        }
        Ok(())
    }

    /// SUM: the transition interpolant of a call-edge that is taken.
    fn summary(&mut self, arg: ArgId, id: BodyEdgeId, interpolant: TermId) -> TermId {
        let edge = &self.view.functions[self.args[arg].function].edges[id];
        let call = edge.call.as_ref().expect("a call-edge");
        let taken = Substitution::from_pairs([(edge.taken, Terms::TRUE)]).apply(self.terms, interpolant);
        call.generalise(self.terms, &self.view, taken)
    }

    /// GUARD: what the state interpolant before a call-edge that is taken says of its arguments.
    fn guard(&mut self, arg: ArgId, id: BodyEdgeId, interpolant: TermId) -> Result<TermId, Reason> {
        let edge = &self.view.functions[self.args[arg].function].edges[id];
        let call = edge.call.as_ref().expect("a call-edge");
        let taken = Substitution::from_pairs([(edge.taken, Terms::TRUE)]).apply(self.terms, interpolant);
        let args: Set<TermId> = call.args.iter().copied().collect();
        let symbols = self.terms.free_consts(taken);
        let eliminated: Vec<TermId> =
            symbols.iter().copied().filter(|symbol| !args.contains(symbol)).collect();
        if eliminated.len() == symbols.len() && taken != Terms::FALSE {
            return Ok(Terms::TRUE);
        }
        let guard = if eliminated.is_empty() {
            taken
        } else {
            let mut solver = NativeSolver::default();
            let mut cases = 0;
            let budget = self.budget;
            let found = eliminate(self.terms, taken, &eliminated, |terms, formula| {
                cases += 1;
                if cases > MAX_GUARD_CASES {
                    return Err(None);
                }
                solver.assert(terms, formula);
                match solver.check(terms, &[], budget) {
                    Answer::Unsat => Ok(None),
                    Answer::Sat => Ok(solver.model().cloned()),
                    Answer::Unknown(UnknownReason::Stopped(reason)) => Err(Some(reason)),
                    Answer::Unknown(_) => Err(None),
                }
            });
            match found {
                Ok(guard) => guard,
                Err(EliminateError::Oracle(Some(reason))) => return Err(Reason::Stopped(reason)),
                Err(_) => Terms::TRUE,
            }
        };
        if self.terms.postorder(&[guard]).len() > MAX_GUARD_NODES {
            return Ok(Terms::TRUE);
        }
        let edge = &self.view.functions[self.args[arg].function].edges[id];
        let call = edge.call.as_ref().expect("a call-edge");
        Ok(call.generalise(self.terms, &self.view, guard))
    }

    /// The execution of a model of a function's condition becomes a fact.
    pub(super) fn fact_of(
        &mut self,
        function: FunctionId,
        graph: &IndexVec<BodyEdgeId, bool>,
        model: &Model,
    ) -> Result<FactId, Reason> {
        let (path, callees) = self.path(function, graph, model)?;
        let mut roots = self.path_formula(function, &path, model);
        for &(id, fact) in &callees {
            let range = self.known_range(self.facts[fact].function);
            let formula = self.terms.and2(range, self.facts[fact].formula);
            let call = self.view.functions[function].edges[id].call.as_ref().expect("a call-edge");
            roots.push(call.instantiate(self.terms, &self.view, formula));
        }
        let keep: Set<TermId> = self.view.functions[function].interface().into_iter().collect();
        let literals = implicant(self.terms, &roots, model)?;
        let mut cube = project_literals(self.terms, &literals, model, &keep)?;
        cube.retain(|literal| !self.ranges[function].bounds.contains(literal));
        let formula = self.terms.and(&cube);
        Ok(self.facts.add(Fact { function, formula, path, callees, execution: roots }))
    }

    /// The execution of a model becomes a fact. Whoever asked for a specification that it violates is
    /// reset; if that is the property, the execution is a counterexample.
    fn learn_fact(
        &mut self,
        arg: ArgId,
        graph: &IndexVec<BodyEdgeId, bool>,
        model: &Model,
    ) -> Result<Refinement, Reason> {
        let function = self.args[arg].function;
        let fact = self.fact_of(function, graph, model)?;
        let mut asking: OrderedSet<ArgId> = OrderedSet::default();
        for other in self.args.indices().collect::<Vec<_>>() {
            if self.args[other].function != function {
                continue;
            }
            for spec in std::mem::take(&mut self.args[other].specs) {
                let violated = self.terms.not(spec.summary);
                let violated = self.terms.and2(spec.guard, violated);
                if self.terms.eval_bool(violated, model) != Ok(true) {
                    self.args[other].specs.push(spec);
                    continue;
                }
                match spec.from {
                    None => return self.counterexample(fact, model).map(Refinement::Counterexample),
                    Some((from, _)) => asking.extend([from, other]),
                }
            }
        }
        if asking.is_empty() {
            return Err(Reason::internal("an execution violates nothing"));
        }
        for from in asking {
            self.reset(from);
        }
        Ok(Refinement::Fact)
    }
}
