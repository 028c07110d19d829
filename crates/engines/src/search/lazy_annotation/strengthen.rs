//! Inductive strengthening: the greatest inductive subset of the labels without their bounds, under an
//! invariant from the labels' atoms.
//!
//! The invariant is the strongest that Cartesian predicate abstraction finds: at each location, those of
//! the atoms and their negations that hold in all reachable states, as far as these atoms can tell. A
//! label need only be justified for states that satisfy it. What the invariant says once stays among the
//! predicates, so the invariant only grows, and what was once justified stays so.

use super::Stop;
use super::annotation::{Bounds, Known, Label, QUESTIONS, Question};
use super::search::Search;
use crate::search::inductive::{self, Induction};
use crate::view::{Action, EdgeId};
use craig_base::{IndexVec, OrderedSet};
use craig_smt::{Answer, Solver};
use craig_term::{Op, Substitution, TermId};

/// More predicates would cost more than the search.
const MAX_PREDICATES: usize = 400;

/// A label by its place and formula.
type Reference = (EdgeId, Question, TermId);

/// A label of the unbounded annotation.
struct Candidate {
    formula: TermId,
    alive: bool,
    /// Whether it must be looked at (again): something that its justification used has gone.
    stale: bool,
    /// The labels of edges out of the target, or of the callee, that justify it.
    because: Vec<Reference>,
}

impl Candidate {
    fn new(label: &Label) -> Self {
        // What has no bounds is justified by what has none.
        let stale = !label.bounds.is_unbounded();
        Candidate { formula: label.formula, alive: true, stale, because: Vec::new() }
    }
}

struct Candidates(IndexVec<EdgeId, [Vec<Candidate>; 2]>);

impl Candidates {
    fn alive(&self, edge: EdgeId, question: Question) -> Vec<TermId> {
        let labels = self.0[edge][question as usize].iter();
        labels.filter(|label| label.alive).map(|label| label.formula).collect()
    }
}

impl Search<'_> {
    /// Takes the bounds off all labels that justify each other without them.
    pub(super) fn strengthen(&mut self) -> Result<(), Stop> {
        if self.config.predicates {
            self.abstract_states()?;
        }
        let graph = self.graph;
        let candidates = |edge| {
            QUESTIONS.map(|question| self.annotation.of(edge, question).iter().map(Candidate::new).collect())
        };
        let mut candidates = Candidates(graph.edges.indices().map(candidates).collect());
        let mut waiting: Vec<(EdgeId, Question)> = Vec::new();
        for edge in graph.edges.indices() {
            waiting.extend(QUESTIONS.map(|question| (edge, question)));
        }
        while let Some((edge, question)) = waiting.pop() {
            for i in 0..candidates.0[edge][question as usize].len() {
                let Candidate { formula, alive, stale, .. } = candidates.0[edge][question as usize][i];
                if !alive || !stale {
                    continue;
                }
                self.budget.check()?;
                let because = self.justify(edge, question, formula, &candidates)?;
                let candidate = &mut candidates.0[edge][question as usize][i];
                match because {
                    Some(because) => (candidate.because, candidate.stale) = (because, false),
                    None => {
                        candidate.alive = false;
                        let lost = (edge, question, formula);
                        for (user, asks) in self.users(edge, question) {
                            for other in &mut candidates.0[user][asks as usize] {
                                other.stale |= other.because.contains(&lost);
                            }
                            waiting.push((user, asks));
                        }
                    }
                }
            }
        }
        for edge in graph.edges.indices() {
            for question in QUESTIONS {
                let labels = self.annotation.of_mut(edge, question).iter_mut();
                for (label, candidate) in labels.zip(&candidates.0[edge][question as usize]) {
                    if candidate.alive {
                        label.bounds = Bounds::default();
                    }
                }
            }
        }
        Ok(())
    }

    /// Where labels of an edge may have been used to justify others.
    fn users(&self, edge: EdgeId, question: Question) -> Vec<(EdgeId, Question)> {
        let node = self.graph.edges[edge].from;
        let before = self.graph.nodes[node].incoming.iter();
        let mut users: Vec<(EdgeId, Question)> = before.map(|&before| (before, question)).collect();
        if question == Question::Exit && node == self.graph.procedure(node).entry {
            let callee = Some(self.graph.nodes[node].procedure);
            let calls = self.graph.edges.enumerated().filter(|(_, edge)| edge.callee == callee);
            let through = calls.filter(|(_, edge)| matches!(edge.action, Action::Through(_)));
            users.extend(through.flat_map(|(call, _)| QUESTIONS.map(|question| (call, question))));
        }
        users
    }

    /// Labels that are left at the edges out of the target, and of the callee, by which the target's labels hold after a
    /// step from the formula.
    fn justify(
        &mut self,
        edge: EdgeId,
        question: Question,
        formula: TermId,
        candidates: &Candidates,
    ) -> Result<Option<Vec<Reference>>, Stop> {
        let graph = self.graph;
        let mut because: Vec<Reference> = Vec::new();
        let mut known = vec![formula];
        if let (Action::Through(_), Some(callee)) = (graph.edges[edge].action, graph.callee(edge)) {
            let mut clauses = Vec::new();
            for &begin in &graph.nodes[callee.entry].outgoing {
                let labels = candidates.alive(begin, Question::Exit);
                clauses.push(self.tm.or(&labels));
                because.extend(labels.into_iter().map(|label| (begin, Question::Exit, label)));
            }
            let excluded = self.tm.and(&clauses);
            let ends = self.tm.not(excluded);
            known.push(graph.at_call(self.tm, edge, ends));
        }
        let target = graph.edges[edge].to;
        if graph.nodes[target].is_error {
            return Ok(self.follows(edge, &known, &[])?.map(|_| because));
        }
        for &next in &graph.nodes[target].outgoing {
            match self.follows(edge, &known, &candidates.alive(next, question))? {
                Some(used) => because.extend(used.into_iter().map(|label| (next, question, label))),
                None => return Ok(None),
            }
        }
        Ok(Some(because))
    }

    /// Which of the labels are needed so that one of them holds after every step from what is known;
    /// none if they do not suffice, or the solver cannot tell.
    fn follows(
        &mut self,
        edge: EdgeId,
        known: &[TermId],
        labels: &[TermId],
    ) -> Result<Option<Vec<TermId>>, Stop> {
        if let Some(&always) = labels.iter().find(|&&label| self.tm.is_true(label)) {
            return Ok(Some(vec![always]));
        }
        let mut assumptions = known.to_vec();
        assumptions.extend(&self.invariants[self.graph.edges[edge].from]);
        let first = assumptions.len();
        for &label in labels {
            let after = self.solvers.at_target(self.tm, self.graph, edge, label);
            assumptions.push(self.tm.not(after));
        }
        let solver = self.solvers.step(self.tm, self.graph, edge);
        match solver.check(self.tm, &assumptions, self.budget) {
            Answer::Unsat => {
                let core = solver.core();
                let outside = assumptions[first..].iter();
                let used = labels.iter().zip(outside).filter(|(_, outside)| core.contains(outside));
                Ok(Some(used.map(|(&label, _)| label).collect()))
            }
            Answer::Sat => Ok(None),
            Answer::Unknown(_) => {
                self.budget.check()?;
                Ok(None)
            }
        }
    }

    /// What may be assumed of a step: the invariant before it, and for a call what its callee's labels say.
    pub(super) fn assumed(&mut self, edge: EdgeId) -> Vec<TermId> {
        let graph = self.graph;
        let mut known = self.invariants[graph.edges[edge].from].clone();
        if let (Action::Through(call), Some(callee)) = (graph.edges[edge].action, graph.callee(edge)) {
            let excluded = self.holds_at(callee.entry, Question::Exit, Known::Unbounded);
            let ends = self.tm.not(excluded);
            known.push(graph.at_call(self.tm, edge, ends));
            if let Some(exit) = callee.exit {
                let state = graph.nodes[exit].state.iter().map(|constant| constant.current);
                let returned = call.returned.iter().map(|&(_, constant)| constant);
                let mut returned = Substitution::from_pairs(state.zip(returned));
                let at_exit = self.invariants[exit].iter();
                known.extend(at_exit.map(|&atom| returned.apply(self.tm, atom)).collect::<Vec<_>>());
            }
        }
        known
    }

    /// The predicates that hold at each location whenever it is reached.
    fn abstract_states(&mut self) -> Result<(), Stop> {
        let predicates = self.predicates();
        let graph = self.graph;
        for (id, node) in graph.nodes.enumerated() {
            let is_start = node.incoming.is_empty() || id == graph.entry;
            let state: Vec<TermId> = node.state.iter().map(|constant| constant.current).collect();
            let speaks_of_state =
                |&atom: &TermId| self.tm.free_consts(atom).iter().all(|constant| state.contains(constant));
            if !is_start {
                self.invariants[id] = predicates.iter().copied().filter(speaks_of_state).collect();
            }
        }
        inductive::reduce(self)
    }

    /// The atoms of all labels, and their negations.
    fn predicates(&mut self) -> Vec<TermId> {
        let formulas: Vec<TermId> = self.annotation.formulas().map(|(_, formula)| formula).collect();
        let mut predicates: OrderedSet<TermId> = self.invariants.iter().flatten().copied().collect();
        for term in self.tm.postorder(&formulas) {
            if predicates.len() >= MAX_PREDICATES {
                break;
            }
            let is_atom = match self.tm.op(term) {
                Op::Le | Op::Const(_) => true,
                Op::Eq => !self.tm.is_bool(self.tm.arg(term, 0)),
                _ => false,
            };
            if is_atom && self.tm.is_bool(term) {
                predicates.insert(term);
                predicates.insert(self.tm.not(term));
            }
        }
        predicates.into_iter().collect()
    }
}

/// Predicates that hold at each location whenever it is reached.
impl Induction for Search<'_> {
    type Step = EdgeId;
    type Stop = Stop;

    fn steps(&self) -> Vec<EdgeId> {
        self.graph.edges.indices().filter(|&edge| self.graph.is_step(edge)).collect()
    }

    fn relying_on(&self, step: EdgeId) -> Vec<EdgeId> {
        let graph = self.graph;
        let target = graph.edges[step].to;
        let mut relying: Vec<EdgeId> =
            graph.nodes[target].outgoing.iter().copied().filter(|&edge| graph.is_step(edge)).collect();
        let procedure = graph.nodes[target].procedure;
        if graph.procedures[procedure].exit == Some(target) {
            let calls = graph.edges.enumerated().filter(|(_, edge)| edge.callee == Some(procedure));
            relying.extend(calls.map(|(call, _)| call));
        }
        relying
    }

    fn refute(&mut self, step: EdgeId) -> Result<bool, Stop> {
        self.budget.check()?;
        let target = self.graph.edges[step].to;
        if self.invariants[target].is_empty() {
            return Ok(false);
        }
        let mut assumptions = self.assumed(step);
        let mut kept = std::mem::take(&mut self.invariants[target]);
        let after: Vec<TermId> =
            kept.iter().map(|&atom| self.solvers.at_target(self.tm, self.graph, step, atom)).collect();
        let all = self.tm.and(&after);
        assumptions.push(self.tm.not(all));
        let solver = self.solvers.step(self.tm, self.graph, step);
        let answer = solver.check(self.tm, &assumptions, self.budget);
        let is_refuted = answer != Answer::Unsat;
        if is_refuted {
            let model = if answer == Answer::Sat { solver.model().cloned() } else { None };
            inductive::retain(self.tm, &mut kept, &after, model.as_ref());
        }
        self.invariants[target] = kept;
        Ok(is_refuted)
    }
}
