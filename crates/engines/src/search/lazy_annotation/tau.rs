//! τ: how many more times a cycle may be closed.
//!
//! There is a counter for each strongly connected component of the graph: a loop nest, or procedures that call each
//! other, with the loops from which they do. It begins where the component is entered, decreases on each edge back to
//! a head and on each call within the component, and is again what it was after a return. Outside of the component it
//! counts as it begins; so a query has one number, for the component that it is in.

use super::annotation::Bounds;
use crate::view::{EdgeId, Graph, NodeId};
use craig_base::{IndexVec, Set};

pub(super) struct Tau {
    /// The component of each node.
    component: IndexVec<NodeId, usize>,
    /// The edges on which the counter decreases.
    decreasing: Set<EdgeId>,
    /// What each counter begins with.
    begin: Vec<u64>,
}

impl Tau {
    pub fn new(graph: &Graph<'_>) -> Self {
        let mut component = IndexVec::from_elem(0, graph.nodes.len());
        let components = graph.steps().components();
        let begin = vec![0; components.len()];
        for (number, members) in components.into_iter().enumerate() {
            members.into_iter().for_each(|member| component[member] = number);
        }
        let mut decreasing = Set::default();
        for (id, edge) in graph.edges.enumerated() {
            let same = component[edge.from] == component[edge.to];
            let closes = || {
                let wto = &graph.procedure(edge.from).encoding.cuts.wto;
                wto.is_back_edge(graph.nodes[edge.from].cut, graph.nodes[edge.to].cut)
            };
            if same && (if graph.is_within(id) { closes() } else { edge.callee.is_some() }) {
                decreasing.insert(id);
            }
        }
        Tau { component, decreasing, begin }
    }

    /// The loop that begins at a head has bounds of its own.
    pub fn free(&mut self, graph: &Graph<'_>, head: NodeId) {
        self.decreasing.retain(|&edge| !graph.is_within(edge) || graph.edges[edge].to != head);
    }

    pub fn component(&self, node: NodeId) -> usize {
        self.component[node]
    }

    /// The counter of a component that is entered at the node.
    pub fn begin(&self, node: NodeId) -> u64 {
        self.begin[self.component[node]]
    }

    pub fn largest(&self) -> u64 {
        self.begin.iter().copied().max().unwrap_or(0)
    }

    pub fn grow(&mut self, component: usize) {
        self.begin[component] = (2 * self.begin[component]).max(1);
    }

    /// Whether bounds hold at a node for the counter there.
    pub fn hold(&self, bounds: &Bounds, node: NodeId, tau: u64) -> bool {
        bounds.hold(|component| if component == self.component[node] { tau } else { self.begin[component] })
    }

    /// The counter after an edge; none if it is used up.
    pub fn after(&self, graph: &Graph<'_>, edge: EdgeId, tau: u64) -> Option<u64> {
        let to = graph.edges[edge].to;
        if self.component[graph.edges[edge].from] != self.component[to] {
            Some(self.begin(to))
        } else if self.decreasing.contains(&edge) {
            tau.checked_sub(1)
        } else {
            Some(tau)
        }
    }

    /// Bounds at the end of an edge, as seen from its beginning.
    pub fn before(&self, graph: &Graph<'_>, edge: EdgeId, mut bounds: Bounds) -> Bounds {
        if self.decreasing.contains(&edge) {
            bounds.before_decrease(self.component[graph.edges[edge].from]);
        }
        bounds
    }

    /// The counter at the entry of the callee; none if it is used up.
    pub fn in_callee(&self, graph: &Graph<'_>, edge: EdgeId, tau: u64) -> Option<u64> {
        let entry = graph.callee(edge)?.entry;
        match self.component[graph.edges[edge].from] == self.component[entry] {
            true => tau.checked_sub(1),
            false => Some(self.begin(entry)),
        }
    }

    /// Bounds at the entry of the callee, as seen from the call.
    pub fn before_call(&self, graph: &Graph<'_>, edge: EdgeId, mut bounds: Bounds) -> Bounds {
        let component = self.component[graph.edges[edge].from];
        if graph.callee(edge).is_some_and(|callee| self.component[callee.entry] == component) {
            bounds.before_decrease(component);
        }
        bounds
    }
}
