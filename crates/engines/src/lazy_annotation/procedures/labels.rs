//! What labels say of a state, and LEARN.

use super::{Labelled, QUESTIONS, Question, Search, Stop};
use crate::blocks::conjuncts;
use crate::functions::{BodyEdgeId, Function, FunctionId, NodeId};
use crate::lazy_annotation::annotation::{Bounds, Label, add};
use crate::lazy_annotation::concretise::exact_products;
use craig_base::{Index, Stopwatch};
use craig_smt::interpolate::{self, Interpolation};
use craig_smt::{Answer, Solver};
use craig_term::{Substitution, TermId, Terms};

/// Which labels are looked at.
#[derive(Clone)]
pub(super) enum Known {
    /// Those that apply with these counters.
    Below(Vec<u64>),
    /// Those without bounds.
    Unbounded,
}

/// What labels say together, and what they rely on.
pub(super) struct Claim {
    pub formula: TermId,
    pub bounds: Bounds,
}

impl Search<'_> {
    /// The labels that hold by themselves: an end returns the state that it is in, an error is no end,
    /// and a function that cannot fail has no goals.
    pub(super) fn fixed_labels(&mut self) {
        for (id, function) in self.view.functions.enumerated() {
            for (edge_id, edge) in function.edges.enumerated() {
                let is_end = edge.call.is_none() && edge.segment.is_none();
                let is_error = edge.segment.is_some() && edge.to.is_none();
                let goal = (is_end || function.error.is_none()).then_some(Terms::TRUE);
                let exit = if is_end {
                    let same = ends_as_it_is(self.terms, function, edge.from);
                    Some(self.terms.not(same))
                } else {
                    is_error.then_some(Terms::TRUE)
                };
                for (question, formula) in QUESTIONS.into_iter().zip([goal, exit]) {
                    let labels = formula.map(Label::always).into_iter().collect();
                    self.annotation.insert((id, edge_id, question), labels);
                }
            }
        }
    }

    fn labels(&self, labelled: Labelled, known: &Known) -> impl Iterator<Item = &Label> {
        self.annotation[&labelled].iter().filter(move |label| match known {
            Known::Below(tau) => label.bounds.hold(tau),
            Known::Unbounded => label.bounds.is_unbounded(),
        })
    }

    /// What is known of an edge: one of its labels.
    fn holds_on(&mut self, labelled: Labelled, known: &Known) -> Claim {
        let mut bounds = Bounds::default();
        let mut formulas = Vec::new();
        for label in self.labels(labelled, known) {
            bounds.meet(&label.bounds);
            formulas.push(label.formula);
        }
        Claim { formula: self.terms.or(&formulas), bounds }
    }

    /// What is known of a node: something about each of its edges.
    pub(super) fn holds_at(
        &mut self,
        function: FunctionId,
        node: NodeId,
        question: Question,
        known: &Known,
    ) -> Claim {
        let mut bounds = Bounds::default();
        let mut formulas = Vec::new();
        for edge in self.view.functions[function].nodes[node].outgoing.clone() {
            let claim = self.holds_on((function, edge, question), known);
            bounds.meet(&claim.bounds);
            formulas.push(claim.formula);
        }
        Claim { formula: self.terms.and(&formulas), bounds }
    }

    /// A formula over the constants of a node and of the returns, about a state on the path.
    fn about(
        &mut self,
        function: FunctionId,
        node: NodeId,
        values: &[TermId],
        frame: usize,
        formula: TermId,
    ) -> TermId {
        let function = &self.view.functions[function];
        let state = function.nodes[node].state.iter().copied().zip(values.iter().copied());
        let exit = function.returns.iter().map(|slot| slot.constant).zip(self.frames[frame].exit.clone());
        Substitution::from_pairs(state.chain(exit)).apply(self.terms, formula)
    }

    /// What is false if labels block the state: a goal may be reached before the function ends, or it
    /// ends and a goal may be reached later.
    pub(super) fn unblocked(
        &mut self,
        function: FunctionId,
        node: NodeId,
        values: &[TermId],
        frame: usize,
        known: &Known,
    ) -> TermId {
        let [goal, exit] = QUESTIONS.map(|question| {
            let claim = self.holds_at(function, node, question, known);
            let about = self.about(function, node, values, frame, claim.formula);
            self.terms.not(about)
        });
        let resumption = self.resumption(frame);
        let later = self.terms.and2(exit, resumption);
        self.terms.or2(goal, later)
    }

    /// Whether a goal may be reached after the frame's function has ended, as far as labels know.
    fn resumption(&mut self, frame: usize) -> TermId {
        let mut chain = Vec::new();
        let mut at = Some(frame);
        let mut later = Terms::FALSE;
        while let Some(frame) = at {
            if let Some((version, known)) = self.frames[frame].later
                && version == self.version
            {
                later = known;
                break;
            }
            at = self.frames[frame].resume.as_ref().map(|resume| self.path[resume.caller].frame);
            chain.push(frame);
        }
        for frame in chain.into_iter().rev() {
            let Some(resume) = self.frames[frame].resume.clone() else { continue };
            let caller = &self.path[resume.caller];
            let (function, outer, tau) = (caller.function, caller.frame, caller.tau.clone());
            later = match resume.to {
                None => resume.onward,
                Some(node) => {
                    let [goal, exit] = QUESTIONS.map(|question| {
                        let claim = self.holds_at(function, node, question, &Known::Below(tau.clone()));
                        let about = self.about(function, node, &resume.state, outer, claim.formula);
                        self.terms.not(about)
                    });
                    let exit = self.terms.and2(exit, later);
                    let either = self.terms.or2(goal, exit);
                    self.terms.and2(resume.onward, either)
                }
            };
            self.frames[frame].later = Some((self.version, later));
        }
        later
    }

    /// Under which bounds the labels of the edge block the last query.
    pub(super) fn blocked_by_labels(&mut self, edge: BodyEdgeId) -> Result<Option<Bounds>, Stop> {
        let Some(query) = self.path.last() else { return Ok(None) };
        let Some(node) = query.node else { return Ok(None) };
        let (function, frame, tau, values) =
            (query.function, query.frame, query.tau.clone(), query.values.clone());
        let later = self.resumption(frame);
        for known in [Known::Unbounded, Known::Below(tau)] {
            let mut bounds = Bounds::default();
            let [goal, exit] = QUESTIONS.map(|question| {
                let claim = self.holds_on((function, edge, question), &known);
                if !(question == Question::Exit && self.terms.is_false(later)) {
                    bounds.meet(&claim.bounds);
                }
                let about = self.about(function, node, &values, frame, claim.formula);
                self.terms.not(about)
            });
            if self.terms.is_true(goal) {
                continue;
            }
            let exit = self.terms.and2(exit, later);
            let unblocked = self.terms.or2(goal, exit);
            if self.is_unsat(unblocked)? {
                return Ok(Some(bounds));
            }
        }
        Ok(None)
    }

    /// Whether the formula contradicts the constraint of the last query, as far as the solver knows.
    fn is_unsat(&mut self, formula: TermId) -> Result<bool, Stop> {
        if self.terms.is_false(formula) {
            return Ok(true);
        }
        self.solver.push();
        self.solver.assert(self.terms, formula);
        let answer = self.solver.check(self.terms, &[], self.budget);
        self.solver.pop();
        match answer {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(_) => {
                self.budget.check()?;
                Ok(false)
            }
        }
    }

    /// LEARN from the label ¬W that a call within a component has when its bound is used up.
    pub(super) fn learn_bound(&mut self, edge: BodyEdgeId) {
        let Some(query) = self.path.last() else { return };
        let function = query.function;
        let bounds = Bounds::below(self.component[function], 1);
        for question in QUESTIONS {
            let label = Label::within(Terms::TRUE, bounds.clone());
            self.annotation.entry((function, edge, question)).or_default().push(label);
        }
        self.version += 1;
        self.done(edge, Some(bounds));
    }

    /// What must not happen on an edge, over the function's constants: each formula is a way to a goal,
    /// or to the function's end, as far as labels know. A label is justified if it excludes them all.
    pub(super) fn outcomes(
        &mut self,
        (id, edge_id, question): Labelled,
        known: &Known,
        after_call: &Known,
    ) -> (Vec<TermId>, Bounds) {
        let start = NodeId::from_usize(0);
        let function = &self.view.functions[id];
        let edge = &function.edges[edge_id];
        let (formula, to, error) = (edge.formula, edge.to, function.error);
        let Some(call) = edge.call.as_ref() else {
            let Some(to) = to else {
                let outcome = match (question, edge.segment.is_some()) {
                    (Question::Goal, true) => self.failing(error, formula),
                    (Question::Exit, false) => ends_as_it_is(self.terms, function, edge.from),
                    _ => Terms::FALSE,
                };
                return (vec![outcome], Bounds::default());
            };
            let claim = self.holds_at(id, to, question, known);
            let parts = conjuncts(self.terms, claim.formula);
            let mut ways = Vec::new();
            for part in parts {
                let outside = self.terms.not(part);
                ways.push(self.terms.and2(formula, outside));
            }
            return (ways, claim.bounds);
        };
        let same_component = self.component[id] == self.component[call.callee];
        let callee = call.callee;
        let params = self.view.functions[callee].params.iter().map(|slot| slot.constant);
        let returns = self.view.functions[callee].returns.iter().map(|slot| slot.constant);
        let args = call.args.iter().copied();
        let pairs: Vec<(TermId, TermId)> =
            params.zip(args).chain(returns.zip(call.results.iter().copied())).collect();
        let (is_tail, onward) = (call.is_tail, call.onward);
        let mut bounds = Bounds::default();
        let [fails, ends] = QUESTIONS.map(|question| {
            let claim = self.holds_at(callee, start, question, after_call);
            let about = Substitution::from_pairs(pairs.iter().copied()).apply(self.terms, claim.formula);
            (self.terms.not(about), claim.bounds)
        });
        let use_callee = |bounds: &mut Bounds, mut of_callee: Bounds| {
            if same_component {
                of_callee.before_decrease(self.component[id]);
            }
            bounds.meet(&of_callee);
        };
        if is_tail {
            let (way, of_callee) = if question == Question::Goal { fails } else { ends };
            use_callee(&mut bounds, of_callee);
            return (vec![way], bounds);
        }
        let mut ways = Vec::new();
        if question == Question::Goal {
            use_callee(&mut bounds, fails.1);
            ways.push(self.terms.and2(formula, fails.0));
        }
        if let Some(onward) = onward {
            use_callee(&mut bounds, ends.1);
            let behind = match (to, question) {
                (Some(to), _) => {
                    let claim = self.holds_at(id, to, question, known);
                    bounds.meet(&claim.bounds);
                    self.terms.not(claim.formula)
                }
                (None, Question::Goal) => Terms::TRUE,
                (None, Question::Exit) => Terms::FALSE,
            };
            let onward = self.failing(error, onward);
            ways.push(self.terms.and(&[formula, ends.0, onward, behind]));
        }
        (ways, bounds)
    }

    /// The formula where the function fails.
    fn failing(&mut self, error: Option<TermId>, formula: TermId) -> TermId {
        Substitution::from_pairs(error.map(|error| (error, Terms::TRUE))).apply(self.terms, formula)
    }

    /// LEARN and LEARN-C: labels the edge so that the last query is blocked there.
    pub(super) fn learn(&mut self, edge: BodyEdgeId) -> Result<(), Stop> {
        let Some(query) = self.path.last() else { return Ok(()) };
        let (function, frame, tau) = (query.function, query.frame, query.tau.clone());
        let at = &self.view.functions[function].edges[edge];
        if at.call.is_none() && at.segment.is_none() {
            // What holds at an end is known from the start: how the callers go on is what blocks the query.
            self.done(edge, Some(Bounds::default()));
            return Ok(());
        }
        let callee_tau = self.tau_behind(function, edge, &tau);
        let mut bounds = Bounds::default();
        for question in QUESTIONS {
            let later = match question {
                Question::Goal => Terms::TRUE,
                Question::Exit => self.resumption(frame),
            };
            if self.terms.is_false(later) {
                continue;
            }
            let state = self.state(function, edge, frame, later);
            let labelled = (function, edge, question);
            let unbounded = self.outcomes(labelled, &Known::Unbounded, &Known::Unbounded);
            let mut learnt = match self.exclude(edge, &state, &unbounded.0)? {
                Learnt::Formulas(formulas) => Some((formulas, unbounded.1)),
                Learnt::NotBlocked => None,
                Learnt::Nothing => return Ok(()),
            };
            if learnt.is_none() {
                let known = (Known::Below(tau.clone()), Known::Below(callee_tau.clone()));
                let (ways, needed) = self.outcomes(labelled, &known.0, &known.1);
                learnt = match self.exclude(edge, &state, &ways)? {
                    Learnt::Formulas(formulas) => Some((formulas, needed)),
                    Learnt::NotBlocked => return Err(Stop::Internal("a blocked step has a model")),
                    Learnt::Nothing => return Ok(()),
                };
            }
            let Some((formulas, needed)) = learnt else { continue };
            let formula = self.terms.and(&formulas);
            let formula = interpolate::simplify(self.terms, formula);
            bounds.meet(&needed);
            self.stats.add("labels", 1);
            let labels = self.annotation.entry(labelled).or_default();
            let label = Label::within(formula, needed);
            add(self.terms, labels, label, |terms, old, new| {
                let outside = terms.not(new);
                self.comparing.check(terms, &[old, outside], self.budget) == Answer::Unsat
            });
        }
        self.version += 1;
        self.done(edge, Some(bounds));
        Ok(())
    }

    /// The counters behind a call.
    fn tau_behind(&self, function: FunctionId, edge: BodyEdgeId, tau: &[u64]) -> Vec<u64> {
        let own = self.component[function];
        match &self.view.functions[function].edges[edge].call {
            Some(call) if self.component[call.callee] == own => {
                let mut tau = tau.to_vec();
                tau[own] = tau[own].saturating_sub(1);
                tau
            }
            Some(_) => self.tau.clone(),
            None => tau.to_vec(),
        }
    }

    /// χ of the last query, over the function's constants, with what may happen later.
    fn state(&mut self, function: FunctionId, edge: BodyEdgeId, frame: usize, later: TermId) -> Vec<TermId> {
        let function = &self.view.functions[function];
        let from = &function.nodes[function.edges[edge].from].state;
        let values = self.path.last().map_or(&[][..], |query| &query.values);
        let mut parts = vec![later];
        for (&constant, &value) in from.iter().zip(values) {
            parts.push(self.terms.eq(constant, value));
        }
        if !self.terms.is_true(later) {
            for (slot, &value) in function.returns.iter().zip(&self.frames[frame].exit) {
                parts.push(self.terms.eq(slot.constant, value));
            }
        }
        parts.extend(self.path.iter().flat_map(|query| [&query.constraint].into_iter().chain(&query.facts)));
        parts
    }

    /// Formulas that hold in the state, each of which excludes one of the ways.
    fn exclude(&mut self, edge: BodyEdgeId, state: &[TermId], ways: &[TermId]) -> Result<Learnt, Stop> {
        let state = self.terms.and(state);
        let mut formulas = Vec::new();
        for &way in ways {
            if self.terms.is_false(way) {
                continue;
            }
            let tried = self.path.last().map_or(&[][..], |query| &query.tried);
            let values = tried.iter().filter(|tried| tried.edge == edge).map(|tried| &tried.values);
            let mut parts = exact_products(self.terms, way, values);
            parts.push(way);
            let way = self.terms.and(&parts);
            let watch = Stopwatch::start();
            let options = interpolate::Options::default();
            let answer = interpolate::binary(self.terms, state, way, &options, self.budget);
            self.stats.add_time("time in interpolation", watch.elapsed());
            match answer {
                Interpolation::Interpolants(formula) => formulas.push(formula),
                Interpolation::Sat(_) => return Ok(Learnt::NotBlocked),
                Interpolation::Unknown(failure) => {
                    self.give_up(edge, Stop::Interpolation(failure))?;
                    return Ok(Learnt::Nothing);
                }
            }
        }
        Ok(Learnt::Formulas(formulas))
    }
}

/// A function that ends at the node returns the state there.
fn ends_as_it_is(terms: &mut Terms, function: &Function, node: NodeId) -> TermId {
    let mut same = Vec::new();
    for (slot, &value) in function.returns.iter().zip(&function.nodes[node].state) {
        same.push(terms.eq(slot.constant, value));
    }
    terms.and(&same)
}

enum Learnt {
    Formulas(Vec<TermId>),
    /// The state allows one of the ways.
    NotBlocked,
    /// No interpolant was to be had: the edge is given up.
    Nothing,
}
