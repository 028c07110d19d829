//! REFINE: a counterexample in the graph, or DAG interpolants that label it (chapter 3, Algorithm 5).
//!
//! Every node v of the graph has a Boolean c_v and its own copy of the state. The part of v says
//! that if v is passed, one of its edges is taken: `c_v => OR (c_w and L(v, w))`. The parts in
//! topological order are the paper's DAGCOND. It is satisfiable iff the error node can be reached.
//!
//! The interpolant in front of the part of v speaks of c_v, of the state at v, and possibly of the
//! c_w and states of other nodes that are pending there. CLEAN sets c_v to true and the others to
//! false: they occur positively in everything before the cut, so this is their universal
//! quantification. States of other nodes that remain would need real quantifiers; such a node is
//! instead labelled by an interpolant of its own, between the labelled edges into it and the graph
//! behind it. A label computed that way may be weaker than the sequence promised, so from there on
//! each label that depends on it is checked, and recomputed where it does not follow.

use super::arg::NodeId;
use super::expand::Expansion;
use super::{Search, Stop};
use crate::blocks::BlockCopy;
use crate::path::ProgramPath;
use craig_base::{Map, OrderedMap, OrderedSet, Stopwatch};
use craig_smt::interpolate::{self, Interpolation};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{Model, Substitution, TermId, Terms};

pub(super) enum Refinement {
    /// New labels: the error node is false.
    Labels(OrderedMap<NodeId, TermId>),
    /// An execution through the graph.
    Counterexample(ProgramPath),
}

/// The part of the graph that lies between entry and error, with its encoding.
struct Dag {
    /// In topological order; the last is the error node.
    nodes: Vec<NodeId>,
    /// c_v.
    control: Map<NodeId, TermId>,
    /// The state at v: constants in the order of the cutpoint's state variables.
    state: Map<NodeId, Vec<TermId>>,
    /// L(v, w) of the edges out of v.
    edges: Map<NodeId, Vec<DagEdge>>,
}

struct DagEdge {
    child: NodeId,
    formula: TermId,
    copy: BlockCopy,
}

impl Search<'_> {
    pub(super) fn refine(&mut self, expansion: &Expansion, error: NodeId) -> Result<Refinement, Stop> {
        let dag = self.encode(expansion, error);
        self.stats.max("nodes refined", dag.nodes.len() as u64);
        let parts: Vec<TermId> =
            dag.nodes[..dag.nodes.len() - 1].iter().map(|&v| self.part(&dag, v)).collect();
        let watch = Stopwatch::start();
        let answer = interpolate::sequence(self.tm, &parts, &self.interpolation, self.budget);
        self.stats.add_time("time in interpolation", watch.elapsed());
        match answer {
            Interpolation::Sat(model) => {
                let path = self.path(dag, &model, error);
                path.map(Refinement::Counterexample).ok_or(Stop::Internal("a model without a path"))
            }
            Interpolation::Interpolants(sequence) => {
                Ok(Refinement::Labels(self.labels_from(&dag, &sequence, error)?))
            }
            Interpolation::Unknown(failure) => Err(Stop::Interpolation(failure)),
        }
    }

    /// The nodes on paths from entry to error, each with fresh constants for its state.
    fn encode(&mut self, expansion: &Expansion, error: NodeId) -> Dag {
        let mut reaches_error: OrderedSet<NodeId> = OrderedSet::from_iter([error]);
        for &node in expansion.visited.iter().rev() {
            let leads_on = !expansion.covered.contains(&node)
                && self.arg.nodes[node].children.iter().any(|(edge, child)| {
                    reaches_error.contains(child) && !self.false_edges.contains(&(node, *edge))
                });
            if leads_on {
                reaches_error.insert(node);
            }
        }
        let nodes: Vec<NodeId> =
            expansion.visited.iter().copied().filter(|node| reaches_error.contains(node)).collect();
        let mut dag = Dag { nodes, control: Map::default(), state: Map::default(), edges: Map::default() };
        for &node in &dag.nodes {
            let cutpoint = self.arg.nodes[node].cutpoint;
            let control = self.tm.fresh_const("c", Terms::BOOL);
            let state = self.blocks.fresh_state(self.tm, cutpoint);
            dag.control.insert(node, control);
            dag.state.insert(node, state);
        }
        for &node in &dag.nodes {
            let mut out = Vec::new();
            for (edge, child) in self.arg.nodes[node].children.clone() {
                if dag.control.contains_key(&child) && !expansion.covered.contains(&node) {
                    let (formula, copy) =
                        self.blocks.copy(self.tm, edge, &dag.state[&node], &dag.state[&child]);
                    out.push(DagEdge { child, formula, copy });
                }
            }
            dag.edges.insert(node, out);
        }
        dag
    }

    /// `c_v => OR (c_w and L(v, w))`, and for the entry c_v itself.
    fn part(&mut self, dag: &Dag, node: NodeId) -> TermId {
        let taken: Vec<TermId> = dag.edges[&node]
            .iter()
            .map(|edge| self.tm.and2(dag.control[&edge.child], edge.formula))
            .collect();
        let onward = self.tm.or(&taken);
        if node == self.arg.entry { onward } else { self.tm.implies(dag.control[&node], onward) }
    }

    /// Follows the model from the entry to the error.
    fn path(&mut self, mut dag: Dag, model: &Model, error: NodeId) -> Option<ProgramPath> {
        let mut copies = Vec::new();
        let mut node = self.arg.entry;
        while node != error {
            let edges = dag.edges.remove(&node)?;
            let taken = edges.into_iter().find(|edge| {
                let control = dag.control[&edge.child];
                self.tm.eval_bool(control, model) == Ok(true)
                    && self.tm.eval_bool(edge.formula, model) == Ok(true)
            })?;
            node = taken.child;
            copies.push(taken.copy);
        }
        self.blocks.program_path(self.tm, &mut copies, &dag.state[&self.arg.entry], model)
    }

    /// DAG interpolants over the state constants of the cutpoints.
    fn labels_from(
        &mut self,
        dag: &Dag,
        sequence: &[TermId],
        error: NodeId,
    ) -> Result<OrderedMap<NodeId, TermId>, Stop> {
        // Over the copies of the state; renamed at the end.
        let mut labels: OrderedMap<NodeId, TermId> = OrderedMap::default();
        labels.insert(self.arg.entry, Terms::TRUE);
        let mut weakened: OrderedSet<NodeId> = OrderedSet::default();
        for (position, &node) in dag.nodes.iter().enumerate().skip(1) {
            if node == error {
                labels.insert(node, Terms::FALSE);
                continue;
            }
            let cleaned = self.clean(dag, node, sequence[position - 1]);
            let fits = match cleaned {
                None => None,
                Some(label) if self.follows(dag, &labels, &weakened, node, label)? => Some(label),
                Some(_) => None,
            };
            let label = match fits {
                Some(label) => label,
                None => {
                    weakened.insert(node);
                    self.stats.add("labels by a query of their own", 1);
                    self.label_by_query(dag, &labels, node, position)?
                }
            };
            labels.insert(node, label);
        }
        for (&node, label) in &mut labels {
            let symbols = self.blocks.state(self.arg.nodes[node].cutpoint);
            let back = dag.state[&node].iter().copied().zip(symbols);
            *label = Substitution::from_pairs(back).apply(self.tm, *label);
        }
        Ok(labels)
    }

    /// CLEAN, without quantifiers; none if the result speaks of the state of another node.
    fn clean(&mut self, dag: &Dag, node: NodeId, interpolant: TermId) -> Option<TermId> {
        let values = dag.nodes.iter().map(|v| (dag.control[v], self.tm.bool(*v == node)));
        let mut values = Substitution::from_pairs(values.collect::<Vec<_>>());
        let label = values.apply(self.tm, interpolant);
        let own = &dag.state[&node];
        self.tm.free_consts(label).iter().all(|symbol| own.contains(symbol)).then_some(label)
    }

    /// Whether the label still follows where a predecessor has another label than its sequence.
    fn follows(
        &mut self,
        dag: &Dag,
        labels: &OrderedMap<NodeId, TermId>,
        weakened: &OrderedSet<NodeId>,
        node: NodeId,
        label: TermId,
    ) -> Result<bool, Stop> {
        let from_weakened: Vec<TermId> = self.labelled_edges(dag, labels, node, |v| weakened.contains(&v));
        if from_weakened.is_empty() {
            return Ok(true);
        }
        let mut solver = NativeSolver::default();
        let violated = self.tm.not(label);
        let arrives = self.tm.or(&from_weakened);
        solver.assert(self.tm, arrives);
        solver.assert(self.tm, violated);
        match solver.check(self.tm, &[], self.budget) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => Err(Stop::Solver(reason)),
        }
    }

    /// `label(u) and L(u, node)` for the predecessors u that are asked for.
    fn labelled_edges(
        &mut self,
        dag: &Dag,
        labels: &OrderedMap<NodeId, TermId>,
        node: NodeId,
        which: impl Fn(NodeId) -> bool,
    ) -> Vec<TermId> {
        let mut found = Vec::new();
        for (&u, &label) in labels {
            for edge in dag.edges[&u].iter().filter(|edge| edge.child == node && which(u)) {
                found.push(self.tm.and2(label, edge.formula));
            }
        }
        found
    }

    /// An interpolant between the labelled edges into the node and the graph behind it.
    fn label_by_query(
        &mut self,
        dag: &Dag,
        labels: &OrderedMap<NodeId, TermId>,
        node: NodeId,
        position: usize,
    ) -> Result<TermId, Stop> {
        let arriving = self.labelled_edges(dag, labels, node, |_| true);
        let before = self.tm.or(&arriving);
        let mut behind = vec![dag.control[&node]];
        for &later in &dag.nodes[position..dag.nodes.len() - 1] {
            behind.push(self.part(dag, later));
        }
        let behind = self.tm.and(&behind);
        match interpolate::sequence(self.tm, &[before, behind], &self.interpolation, self.budget) {
            Interpolation::Interpolants(sequence) => Ok(sequence[0]),
            Interpolation::Sat(_) => Err(Stop::Internal("a label does not exclude the error")),
            Interpolation::Unknown(failure) => Err(Stop::Interpolation(failure)),
        }
    }
}
