//! What labels say of a state: which edges are blocked, and how callers could go on.

use super::Stop;
use super::annotation::{Bounds, Known, Label, Question};
use super::query::Query;
use super::search::Search;
use crate::view::{EdgeId, NodeId};
use craig_smt::{Answer, Solver};
use craig_term::{TermId, Terms};

impl Search<'_> {
    /// The labels of an edge that are looked at.
    pub(super) fn known_labels(
        &self,
        edge: EdgeId,
        question: Question,
        known: Known,
    ) -> impl Iterator<Item = &Label> {
        let from = self.graph.edges[edge].from;
        self.annotation.of(edge, question).iter().filter(move |label| match known {
            Known::Below(tau) => self.tau.hold(&label.bounds, from, tau),
            Known::Unbounded => label.bounds.is_unbounded(),
        })
    }

    /// A(l).
    pub(super) fn holds_at(&mut self, at: NodeId, question: Question, known: Known) -> TermId {
        if self.graph.nodes[at].is_error {
            return self.tm.bool(question == Question::Exit);
        }
        let mut clauses = Vec::new();
        for &edge in &self.graph.nodes[at].outgoing {
            let labels = self.known_labels(edge, question, known);
            let formulas: Vec<TermId> = labels.map(|label| label.formula).collect();
            clauses.push(self.tm.or(&formulas));
        }
        self.tm.and(&clauses)
    }

    /// Under which bounds it says so.
    pub(super) fn bounds_at(&self, at: NodeId, question: Question, known: Known) -> Bounds {
        let mut bounds = Bounds::default();
        for &edge in &self.graph.nodes[at].outgoing {
            self.known_labels(edge, question, known).for_each(|label| bounds.meet(&label.bounds));
        }
        bounds
    }

    /// What is false if labels block the query: there may be a way to a goal, or to the exit and then on to a goal.
    pub(super) fn unblocked(&mut self, query: &mut Query) -> TermId {
        let question = self.frames[query.frame].question;
        let blocked = self.holds_at(query.at, question, Known::Below(query.tau));
        let blocked = query.eval(self.tm, blocked);
        let open = self.tm.not(blocked);
        let later = self.later(query.frame);
        self.tm.and2(open, later)
    }

    /// ¬ψ, the complement of the frame's post-condition, over the state at its exit: that the callers may go on to a
    /// goal from there, as far as labels know. Where the frame asks for a goal itself, it is true.
    pub(super) fn later(&mut self, frame: usize) -> TermId {
        let mut inner = Vec::new();
        let mut at = frame;
        let mut later = Terms::TRUE;
        while let Some(resume) = &self.frames[at].resume {
            match self.frames[at].later {
                Some((version, known)) if version == self.annotation.version => {
                    later = known;
                    break;
                }
                _ => inner.push(at),
            }
            at = self.path[resume.caller].frame;
        }
        for frame in inner.into_iter().rev() {
            let Some(resume) = self.frames[frame].resume.clone() else { continue };
            let outer = self.path[resume.caller].frame;
            let question = self.frames[outer].question;
            let blocked = self.holds_at(resume.to, question, Known::Below(resume.tau));
            let exit = (outer, &self.frames[outer].exit[..]);
            let state = (resume.values, Terms::TRUE);
            let mut onward = Query::new(self.graph, resume.to, state, exit, resume.tau);
            let blocked = onward.eval(self.tm, blocked);
            let open = self.tm.not(blocked);
            later = self.tm.and(&[resume.constraint, open, later]);
            self.frames[frame].later = Some((self.annotation.version, later));
        }
        later
    }

    /// The bounds of a label of the edge that blocks the last query.
    pub(super) fn blocking_label(&mut self, edge: EdgeId) -> Result<Option<Bounds>, Stop> {
        let (Some(query), question) = (self.path.last(), self.question()) else { return Ok(None) };
        let (from, frame) = (query.at, query.frame);
        for i in 0..self.annotation.of(edge, question).len() {
            let label = &self.annotation.of(edge, question)[i];
            let Some(query) = self.path.last_mut() else { return Ok(None) };
            // A label that is false in one state of the query does not block it.
            if !self.tau.hold(&label.bounds, from, query.tau)
                || self.tm.eval_bool(label.formula, &query.sample) == Ok(false)
            {
                continue;
            }
            let inside = query.eval(self.tm, label.formula);
            let outside = self.tm.not(inside);
            let later = self.later(frame);
            if self.is_unsat(&[outside, later])? {
                return Ok(Some(self.annotation.of(edge, question)[i].bounds.clone()));
            }
        }
        Ok(None)
    }

    /// Whether the formulas contradict the constraint of the last query, as far as the solver knows.
    pub(super) fn is_unsat(&mut self, formulas: &[TermId]) -> Result<bool, Stop> {
        if formulas.iter().any(|&formula| self.tm.is_false(formula)) {
            return Ok(true);
        }
        self.solver.push();
        for &formula in formulas {
            self.solver.assert(self.tm, formula);
        }
        let answer = self.solver.check(self.tm, &[], self.budget);
        self.solver.pop();
        self.budget.check()?;
        Ok(answer == Answer::Unsat)
    }

    /// Adds a label, unless the edge has a better one.
    pub(super) fn add_label(&mut self, edge: EdgeId, question: Question, label: Label) {
        let (graph, from) = (self.graph, self.graph.edges[edge].from);
        self.annotation.add(self.tm, (edge, question), label, |tm, old, new| {
            self.solvers.implies(tm, graph, from, (old, new), self.budget) == Ok(true)
        });
    }
}
