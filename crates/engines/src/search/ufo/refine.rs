//! REFINE: a counterexample in the graph, or DAG interpolants that label it (chapter 3, Algorithm 5),
//! restricted by the labels that are there if asked for (chapter 5, Algorithm 6).
//!
//! ENCODEBMC: every node of the graph has its own copy of the state, and an edge relates two of them.
//! The labels are DAG interpolants ([`interpolate::dag`]) over the copies, which are renamed back.

use super::arg::NodeId;
use super::expand::Expansion;
use super::{Reason, Refine, Search};
use crate::path::ProgramPath;
use crate::view::blocks::BlockCopy;
use craig_base::{Map, OrderedMap, OrderedSet, Stopwatch};
use craig_program::CutId;
use craig_smt::interpolate::{self, Dag, DagEdge, DagInterpolation, Method};
use craig_term::{Model, Substitution, TermId, Terms};

pub(super) enum Refinement {
    /// New labels: the error node is false.
    Labels(OrderedMap<NodeId, TermId>),
    /// An execution through the graph.
    Counterexample(ProgramPath),
}

/// The part of the graph that lies between entry and error, with its encoding.
pub(super) struct Encoding {
    /// In topological order; the last is the error node.
    pub nodes: Vec<NodeId>,
    /// The state at each node: constants in the order of the cutpoint's state variables.
    states: Vec<Vec<TermId>>,
    pub dag: Dag,
    /// What the edges of the graph execute.
    pub copies: Vec<Vec<BlockCopy>>,
}

impl Search<'_> {
    pub(super) fn refine(&mut self, expansion: &Expansion, error: NodeId) -> Result<Refinement, Reason> {
        let mut encoding = self.encode(expansion, error);
        self.stats.max("nodes refined", encoding.nodes.len() as u64);
        let (method, options) = (Method::Linearised, self.interpolation);
        let restriction = match self.config.refine {
            Refine::Dag => vec![Terms::TRUE; encoding.nodes.len()],
            Refine::Restricted => self.restriction(expansion, &encoding.nodes),
        };
        let there: Vec<TermId> = (0..restriction.len())
            .map(|place| {
                let known = self.restricted_by(encoding.nodes[place], restriction[place]);
                self.at_state(&encoding, place, known)
            })
            .collect();
        let watch = Stopwatch::start();
        if self.config.cores {
            self.keep_core(&mut encoding.dag, &there)?;
        }
        let answer =
            interpolate::restricted_dag(self.tm, &encoding.dag, &there, method, &options, self.budget);
        self.stats.add_time("time in interpolation", watch.elapsed());
        match answer {
            DagInterpolation::Path { model, edges } => {
                let path = self.path(encoding, &edges, &model);
                path.map(Refinement::Counterexample).ok_or_else(|| Reason::internal("a model without a path"))
            }
            DagInterpolation::Labels(result) => {
                self.stats.add("labels by a query of their own", result.by_query);
                let mut own = self.rename(&encoding, &result.labels);
                if self.config.strengthen {
                    self.strengthen(&encoding, &restriction, &mut own)?;
                }
                let own = own.into_iter().zip(&restriction);
                let labels: Vec<TermId> = own.map(|(own, &known)| self.tm.and2(own, known)).collect();
                Ok(Refinement::Labels(encoding.nodes.into_iter().zip(labels).collect()))
            }
            DagInterpolation::Unknown(failure) => Err(Reason::from(failure)),
        }
    }

    /// What refined labels keep: the labels that are there, which must be a well-labelling. Where a domain labels nodes
    /// with frontiers alone, they are none; then it is the invariant that the graph stands for, which the thesis names as a
    /// good candidate (section 5.4.3): what is stronger than it stays within what the domain has found to be closed.
    fn restriction(&mut self, expansion: &Expansion, nodes: &[NodeId]) -> Vec<TermId> {
        let mut unions: Map<CutId, TermId> = Map::default();
        let mut restriction = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let cutpoint = self.arg.nodes[node].cutpoint;
            let label = self.label(node);
            restriction.push(match &mut self.widening {
                Some(widening) if widening.domain.is_frontier() && Some(node) != expansion.error => {
                    *unions.entry(cutpoint).or_insert_with(|| {
                        let at = expansion.at[&cutpoint].iter();
                        let labels: Vec<TermId> = at.map(|&node| self.arg.nodes[node].label).collect();
                        widening.domain.union(self.tm, &labels)
                    })
                }
                _ => label,
            });
        }
        restriction
    }

    /// A restriction with the ranges that labels of a domain leave out.
    fn restricted_by(&mut self, node: NodeId, restriction: TermId) -> TermId {
        if self.widening.is_none() || self.config.refine == Refine::Dag {
            return restriction;
        }
        let facts = self.blocks.facts(self.arg.nodes[node].cutpoint);
        self.tm.and2(restriction, facts)
    }

    /// A formula over the symbols of a node's cutpoint, about the copy of the state there.
    fn at_state(&mut self, encoding: &Encoding, place: usize, formula: TermId) -> TermId {
        let symbols = self.blocks.state(self.arg.nodes[encoding.nodes[place]].cutpoint);
        let there = symbols.into_iter().zip(encoding.states[place].iter().copied());
        Substitution::from_pairs(there).apply(self.tm, formula)
    }

    /// The nodes on paths from entry to error, each with fresh constants for its state.
    fn encode(&mut self, expansion: &Expansion, error: NodeId) -> Encoding {
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
        let places: Map<NodeId, usize> =
            nodes.iter().enumerate().map(|(place, &node)| (node, place)).collect();
        let states: Vec<Vec<TermId>> = nodes
            .iter()
            .map(|&node| self.blocks.fresh_state(self.tm, self.arg.nodes[node].cutpoint))
            .collect();
        self.refined_edges.clear();
        // An edge that cannot be taken from a label cannot be taken from a stronger one (section 7.3).
        let keeps_labels = self.keeps_labels();
        let (mut edges, mut copies) = (Vec::new(), Vec::new());
        for (place, &node) in nodes.iter().enumerate() {
            let (mut out, mut executed) = (Vec::new(), Vec::new());
            for (edge, child) in self.arg.nodes[node].children.clone() {
                if keeps_labels && self.false_edges.contains(&(node, edge)) {
                    self.refined_edges.insert((node, edge, child));
                    continue;
                }
                if let Some(&to) = places.get(&child).filter(|_| !expansion.covered.contains(&node)) {
                    let (formula, copy) = self.blocks.copy(self.tm, edge, &states[place], &states[to]);
                    out.push(DagEdge { to, formula });
                    self.refined_edges.insert((node, edge, child));
                    executed.push(copy);
                }
            }
            edges.push(out);
            copies.push(executed);
        }
        Encoding { nodes, states, dag: Dag { edges }, copies }
    }

    /// The execution of the edges that a model takes.
    fn path(
        &mut self,
        mut encoding: Encoding,
        edges: &[(usize, usize)],
        model: &Model,
    ) -> Option<ProgramPath> {
        let mut copies: Vec<BlockCopy> =
            edges.iter().map(|&(node, taken)| encoding.copies[node].swap_remove(taken)).collect();
        self.blocks.program_path(self.tm, &mut copies, &encoding.states[0], model)
    }

    /// The labels over the state symbols of the cutpoints.
    fn rename(&mut self, encoding: &Encoding, labels: &[TermId]) -> Vec<TermId> {
        let mut renamed = Vec::with_capacity(labels.len());
        for (place, &node) in encoding.nodes.iter().enumerate() {
            let symbols = self.blocks.state(self.arg.nodes[node].cutpoint);
            let back = encoding.states[place].iter().copied().zip(symbols);
            renamed.push(Substitution::from_pairs(back).apply(self.tm, labels[place]));
        }
        renamed
    }
}
