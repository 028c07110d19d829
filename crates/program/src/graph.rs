//! Directed graphs over typed indices: reachability, topological order, strongly connected
//! components. Everything is iterative and linear in nodes plus edges.

use crate::ir::{LocId, Proc, Program};
use craig_base::{Index, IndexVec};

/// Adjacency lists. Parallel edges are allowed and harmless.
#[derive(Clone, Debug)]
pub struct Digraph<N: Index> {
    successors: IndexVec<N, Vec<N>>,
}

impl<N: Index> Digraph<N> {
    pub fn new(nodes: usize) -> Self {
        Digraph { successors: IndexVec::from_elem(Vec::new(), nodes) }
    }

    pub fn add_edge(&mut self, from: N, to: N) {
        self.successors[from].push(to);
    }

    pub fn node_count(&self) -> usize {
        self.successors.len()
    }

    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = N> + ExactSizeIterator + use<N> {
        self.successors.indices()
    }

    pub fn successors(&self, node: N) -> &[N] {
        &self.successors[node]
    }

    pub fn reversed(&self) -> Self {
        let mut reversed = Digraph::new(self.node_count());
        for node in self.nodes() {
            for &successor in self.successors(node) {
                reversed.add_edge(successor, node);
            }
        }
        reversed
    }

    /// The nodes that some root reaches, roots included.
    pub fn reachable(&self, roots: impl IntoIterator<Item = N>) -> IndexVec<N, bool> {
        let mut reached = IndexVec::from_elem(false, self.node_count());
        let mut stack: Vec<N> = roots.into_iter().collect();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                stack.extend(self.successors(node).iter().copied().filter(|&next| !reached[next]));
            }
        }
        reached
    }

    /// The nodes reachable from `roots`, each before its successors except along the edges that
    /// close a cycle. Children are taken in the order of the adjacency lists.
    pub fn reverse_postorder(&self, roots: impl IntoIterator<Item = N>) -> Vec<N> {
        let mut seen = IndexVec::from_elem(false, self.node_count());
        let mut order = Vec::new();
        let mut stack: Vec<(N, usize)> = Vec::new();
        let mut roots: Vec<N> = roots.into_iter().collect();
        roots.reverse();
        for root in roots {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            stack.push((root, 0));
            while let Some((node, next)) = stack.pop() {
                // Visiting children backwards makes the first child come first in the result.
                let successors = self.successors(node);
                if next < successors.len() {
                    stack.push((node, next + 1));
                    let child = successors[successors.len() - 1 - next];
                    if !std::mem::replace(&mut seen[child], true) {
                        stack.push((child, 0));
                    }
                } else {
                    order.push(node);
                }
            }
        }
        order.reverse();
        order
    }

    /// Strongly connected components, callees before callers: a component comes after every
    /// component it has an edge to. (Tarjan 1972.)
    pub fn components(&self) -> Vec<Vec<N>> {
        const UNSEEN: u32 = 0;
        let mut number = IndexVec::from_elem(UNSEEN, self.node_count());
        let mut low = IndexVec::from_elem(0u32, self.node_count());
        let mut on_stack = IndexVec::from_elem(false, self.node_count());
        let mut components = Vec::new();
        let mut open: Vec<N> = Vec::new();
        let mut next_number = 1;
        for root in self.nodes() {
            if number[root] != UNSEEN {
                continue;
            }
            let mut calls = vec![(root, 0usize)];
            while let Some((node, next)) = calls.pop() {
                if next == 0 {
                    number[node] = next_number;
                    low[node] = next_number;
                    next_number += 1;
                    open.push(node);
                    on_stack[node] = true;
                }
                if let Some(&child) = self.successors(node).get(next) {
                    calls.push((node, next + 1));
                    if number[child] == UNSEEN {
                        calls.push((child, 0));
                    } else if on_stack[child] {
                        low[node] = low[node].min(number[child]);
                    }
                    continue;
                }
                if low[node] == number[node] {
                    let mut component = Vec::new();
                    while let Some(member) = open.pop() {
                        on_stack[member] = false;
                        component.push(member);
                        if member == node {
                            break;
                        }
                    }
                    component.reverse();
                    components.push(component);
                }
                if let Some(&(parent, _)) = calls.last() {
                    low[parent] = low[parent].min(low[node]);
                }
            }
        }
        components
    }

    /// The components that are cycles: several nodes, or one with an edge to itself.
    pub fn cycles(&self) -> impl Iterator<Item = Vec<N>> {
        let is_cycle = |component: &Vec<N>| component.len() > 1 || self.has_edge(component[0], component[0]);
        self.components().into_iter().filter(is_cycle)
    }

    pub fn has_edge(&self, from: N, to: N) -> bool {
        self.successors(from).contains(&to)
    }
}

impl Proc {
    /// The locations and their successors, in the order of the outgoing edges.
    pub fn graph(&self) -> Digraph<LocId> {
        let mut graph = Digraph::new(self.locations.len());
        for from in self.locations.indices() {
            for &edge in &self.locations[from].outgoing {
                graph.add_edge(from, self.edges[edge].to);
            }
        }
        graph
    }

    /// The same without the edges that assume `false`.
    pub fn open_graph(&self, program: &Program) -> Digraph<LocId> {
        let mut graph = Digraph::new(self.locations.len());
        for from in self.locations.indices() {
            for &edge in &self.locations[from].outgoing {
                let edge = &self.edges[edge];
                if !program.is_closed(&edge.stmt) {
                    graph.add_edge(from, edge.to);
                }
            }
        }
        graph
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn graph(nodes: usize, edges: &[(u32, u32)]) -> Digraph<LocId> {
        let mut graph = Digraph::new(nodes);
        for &(from, to) in edges {
            graph.add_edge(LocId(from), LocId(to));
        }
        graph
    }

    #[test]
    fn components_come_callees_first() {
        let g = graph(5, &[(0, 1), (1, 2), (2, 1), (2, 3), (0, 4)]);
        let components: Vec<Vec<u32>> =
            g.components().iter().map(|c| c.iter().map(|n| n.0).collect()).collect();
        assert_eq!(components, vec![vec![3], vec![1, 2], vec![4], vec![0]]);
    }

    #[test]
    fn reverse_postorder_is_topological_on_a_dag() {
        let g = graph(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (1, 4)]);
        let order: Vec<u32> = g.reverse_postorder([LocId(0)]).iter().map(|n| n.0).collect();
        assert_eq!(order, vec![0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_long_chain_needs_no_call_stack() {
        let edges: Vec<(u32, u32)> = (0..200_000).map(|i| (i, i + 1)).collect();
        let g = graph(200_001, &edges);
        assert_eq!(g.components().len(), 200_001);
        assert!(g.reachable([LocId(0)])[LocId(200_000)]);
    }
}
