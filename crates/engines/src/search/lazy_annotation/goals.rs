//! Goals: how far away they are, and what is done when one is reached.

use super::Stop;
use super::annotation::{Bounds, Label, QUESTIONS, Question};
use super::search::Search;
use crate::horn::contracts::Script;
use crate::verdict::Reason;
use crate::view::{Action, EdgeId, Graph, NodeId};
use craig_base::IndexVec;
use craig_term::{Model, TermId, Terms};
use std::collections::VecDeque;

impl Search<'_> {
    /// Whether the search should go on.
    pub(super) fn poll(&mut self) -> Result<(), Stop> {
        self.budget.check()?;
        let closed = self.goals.waiting(self.stats).ok_or(Stop::Wanted)?;
        self.close(closed);
        Ok(())
    }

    /// The path leads to a goal: it is reported, and closed with all others that count as reached.
    pub(super) fn reach(&mut self, edge: EdgeId, model: &Model) -> Result<(), Stop> {
        self.stats.add("goals reached", 1);
        let script = self.script(model).ok_or(Stop::internal("a model without a path"))?;
        let closed = self.goals.reached(edge, script, self.stats).ok_or(Stop::Wanted)?;
        // Back to the query before the goal, whose edge is blocked now.
        self.backtrack(Some(Bounds::default()));
        match closed.contains(&edge) {
            true => self.close(closed),
            false => self.give_up(edge, Reason::internal("a goal that cannot be closed"))?,
        }
        Ok(())
    }

    /// The execution that a model of the path describes.
    fn script(&mut self, model: &Model) -> Option<Script> {
        let mut script = Script::default();
        let (tm, graph) = (&mut *self.tm, self.graph);
        for (constant, &value) in graph.nodes[graph.entry].state.iter().zip(&self.start) {
            if let Ok(value) = tm.eval(value, model) {
                script.start.insert(constant.var, value);
            }
        }
        for query in &mut self.path {
            let Some(step) = &mut query.step else { continue };
            let edge = &graph.edges[step.edge];
            let proc = graph.procedure(edge.from).encoding.proc;
            let evaluate = |term: TermId| {
                let term = step.term(tm, term);
                tm.eval(term, model).ok()
            };
            match edge.action {
                Action::Block(block) => {
                    script.segment(graph.program, proc, block, evaluate)?;
                }
                Action::Enter(call) | Action::Through(call) => script.call(proc, &call.enter, evaluate),
                Action::Return => {}
            }
        }
        Some(script)
    }

    fn close(&mut self, goals: Vec<EdgeId>) {
        if !goals.is_empty() {
            for goal in goals {
                *self.annotation.of_mut(goal, Question::Goal) = vec![Label::always(Terms::TRUE)];
            }
            self.measure_distances();
            self.label_what_leads_nowhere();
        }
    }

    /// Where no way leads to what is asked for, everything is excluded.
    pub(super) fn label_what_leads_nowhere(&mut self) {
        let graph = self.graph;
        let is_closed = |label: &Label| self.tm.is_true(label.formula) && label.bounds.is_unbounded();
        let is_open = |edge: &EdgeId| !self.annotation.of(*edge, Question::Goal).iter().any(is_closed);
        let errors = graph.nodes.iter().filter(|node| node.is_error);
        let goals = errors.flat_map(|node| node.incoming.iter().filter(|edge| is_open(edge)));
        let before_goals: Vec<NodeId> = goals.map(|&edge| graph.edges[edge].from).collect();
        let to_goal = distances(graph, before_goals, |_| true);
        for (id, edge) in graph.edges.enumerated() {
            for question in QUESTIONS {
                let leads_nowhere = match (edge.action, question) {
                    (Action::Return, _) => false,
                    (_, Question::Goal) => to_goal[edge.to].is_none() && !graph.nodes[edge.to].is_error,
                    (Action::Enter(_), Question::Exit) => true,
                    (_, Question::Exit) => self.distance[question as usize][edge.to].is_none(),
                };
                if leads_nowhere {
                    *self.annotation.of_mut(id, question) = vec![Label::always(Terms::TRUE)];
                }
            }
        }
    }

    pub(super) fn measure_distances(&mut self) {
        let graph = self.graph;
        let is_open = |edge: &EdgeId| self.annotation.of(*edge, Question::Goal).is_empty();
        let errors = graph.nodes.enumerated().filter(|(_, node)| node.is_error);
        let goals = errors.flat_map(|(_, node)| node.incoming.iter().filter(|edge| is_open(edge)));
        let before_goals: Vec<NodeId> = goals.map(|&edge| graph.edges[edge].from).collect();
        let mut to_goal = distances(graph, before_goals, |_| true);
        for (node, distance) in graph.nodes.iter().zip(to_goal.iter_mut()) {
            if node.is_error {
                *distance = Some(0);
            }
        }
        let exits: Vec<NodeId> = graph.procedures.iter().filter_map(|procedure| procedure.exit).collect();
        let to_exit = distances(graph, exits, |edge| graph.is_within(edge));
        self.distance = [to_goal, to_exit];
    }
}

/// How many edges of a kind lead from each node to the nearest of the given ones; these are one edge away from what is
/// looked for.
fn distances(
    graph: &Graph<'_>,
    from: Vec<NodeId>,
    is_step: impl Fn(EdgeId) -> bool,
) -> IndexVec<NodeId, Option<u32>> {
    let mut distance: IndexVec<NodeId, Option<u32>> = IndexVec::from_elem(None, graph.nodes.len());
    let mut queue = VecDeque::new();
    for node in from {
        if distance[node].is_none() {
            distance[node] = Some(1);
            queue.push_back(node);
        }
    }
    while let Some(at) = queue.pop_front() {
        let next = distance[at].map(|distance| distance + 1);
        for &edge in graph.nodes[at].incoming.iter().filter(|&&edge| is_step(edge)) {
            let from = graph.edges[edge].from;
            if distance[from].is_none() {
                distance[from] = next;
                queue.push_back(from);
            }
        }
    }
    distance
}
