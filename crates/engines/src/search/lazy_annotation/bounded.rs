//! Loops that are bounded statically, and need no τ (end of section 2.2).
//!
//! A loop is bounded if a variable with few values in it only ever grows (or only ever shrinks) around it: steps on
//! which it really changes can be taken as often as it has values, and without these steps what is left of the loop
//! must be bounded in turn, by another variable, or be no loop at all. So nested loops are bounded by
//! lexicographically ordered counters, and a bounded loop within an unbounded one is found as well. The values come
//! from the interval analysis. A loop with many rounds keeps its τ: what interpolants say of its first rounds is
//! more likely to be an invariant than what they say of all of them.

use super::search::Search;
use crate::view::{Edge, EdgeId, Graph, NodeId};
use craig_base::OrderedSet;
use craig_program::{Digraph, StateVar, VarId};
use craig_smt::{Answer, Solver};

/// The most rounds of a loop without τ, those of inner loops included.
const MAX_ROUNDS: u64 = 64;

/// How a variable changes on the edges of a loop.
struct Counter {
    /// How many values it has.
    values: u64,
    /// The edges on which it is never the same afterwards.
    strict: Vec<EdgeId>,
}

impl Search<'_> {
    /// Takes the counters from the edges that lead back to heads of bounded loops.
    pub(super) fn free_bounded_loops(&mut self) {
        let graph = self.graph;
        for (head, node) in graph.nodes.enumerated() {
            let wto = &graph.procedure(head).encoding.cuts.wto;
            if !wto.is_head(node.cut) {
                continue;
            }
            let inside = |other: NodeId| {
                let other = &graph.nodes[other];
                other.procedure == node.procedure && wto.heads(other.cut).any(|outer| outer == node.cut)
            };
            let around = |edge: &Edge<'_>| inside(edge.from) && inside(edge.to);
            let within = |id: &EdgeId| graph.is_within(*id) && around(&graph.edges[*id]);
            let edges: Vec<EdgeId> = graph.edges.indices().filter(within).collect();
            if self.rounds(&edges, MAX_ROUNDS).is_some() {
                self.stats.add("bounded loops", 1);
                self.tau.free(graph, head);
            }
        }
    }

    /// How many rounds there can be on these edges, if that is known and not more than `most`.
    fn rounds(&mut self, edges: &[EdgeId], most: u64) -> Option<u64> {
        let graph = self.graph;
        let mut steps: Digraph<NodeId> = Digraph::new(graph.nodes.len());
        for &edge in edges {
            steps.add_edge(graph.edges[edge].from, graph.edges[edge].to);
        }
        let mut longest = 1;
        for component in steps.components() {
            let inside = |node: NodeId| component.contains(&node);
            let around = |edge: &EdgeId| inside(graph.edges[*edge].from) && inside(graph.edges[*edge].to);
            let cycle: Vec<EdgeId> = edges.iter().copied().filter(around).collect();
            if cycle.is_empty() {
                continue;
            }
            let rounds = self.counters(&component, &cycle).into_iter().find_map(|counter| {
                let rest: Vec<EdgeId> =
                    cycle.iter().copied().filter(|edge| !counter.strict.contains(edge)).collect();
                // A counter has two values at least, so that this ends.
                let inner = self.rounds(&rest, most / counter.values)?;
                Some(counter.values * inner)
            })?;
            longest = longest.max(rounds);
        }
        (longest <= most).then_some(longest)
    }

    /// The variables with few values that change in one direction only on these edges.
    fn counters(&mut self, component: &[NodeId], cycle: &[EdgeId]) -> Vec<Counter> {
        let graph = self.graph;
        let ranges = |node: NodeId| &graph.procedure(node).encoding.ranges;
        let at = |node: NodeId, var| ranges(node).at(graph.location(node), var);
        let known_at = |&node: &NodeId| ranges(node).all_at(graph.location(node));
        let vars: OrderedSet<VarId> = component.iter().flat_map(known_at).map(|(var, _)| var).collect();
        let mut counters = Vec::new();
        for var in vars {
            // Where its range is not known, the variable need only pass on its way to where it is.
            let unknown = |node: NodeId| at(node, var).is_none();
            let between = cycle.iter().map(|&edge| &graph.edges[edge]);
            if has_cycle(graph, between.filter(|edge| unknown(edge.from) && unknown(edge.to))) {
                continue;
            }
            let known = component.iter().filter_map(|&node| at(node, var));
            let range = known.cloned().reduce(|all, range| all.join(&range));
            let Some(values) = range.and_then(|range| range.count_up_to(MAX_ROUNDS as i64)) else { continue };
            for grows in [true, false] {
                if values > 1
                    && let Some(strict) = self.strict_edges(var, grows, cycle)
                {
                    counters.push(Counter { values: values as u64, strict });
                }
            }
        }
        counters
    }

    /// Where the variable changes in the direction; none if it may change in the other one, or nowhere changes.
    fn strict_edges(&mut self, var: VarId, grows: bool, cycle: &[EdgeId]) -> Option<Vec<EdgeId>> {
        let mut strict = Vec::new();
        let mut unclear = Vec::new();
        for &edge in cycle {
            let step = &self.graph.edges[edge];
            let output = step.outputs().iter().find(|output| output.var == StateVar::Var(var))?;
            let current = step.input(StateVar::Var(var))?;
            if !self.tm.is_int(current) {
                return None;
            }
            if output.value == current {
                continue;
            }
            let change = self.tm.sub(output.value, current);
            match self.tm.int_value(change) {
                Some(change) if change.is_negative() == grows => return None,
                Some(_) => strict.push(edge),
                None => unclear.push((edge, current, output.next)),
            }
        }
        for (edge, current, next) in unclear {
            let (less, more) = if grows { (current, next) } else { (next, current) };
            let wrong = self.tm.lt(more, less);
            let same = self.tm.eq(more, less);
            let solver = self.solvers.step(self.tm, self.graph, edge);
            if solver.check(self.tm, &[wrong], self.budget) != Answer::Unsat {
                return None;
            }
            if solver.check(self.tm, &[same], self.budget) == Answer::Unsat {
                strict.push(edge);
            }
        }
        (!strict.is_empty()).then_some(strict)
    }
}

fn has_cycle<'e>(graph: &Graph<'_>, edges: impl Iterator<Item = &'e Edge<'e>>) -> bool {
    let mut steps: Digraph<NodeId> = Digraph::new(graph.nodes.len());
    edges.for_each(|edge| steps.add_edge(edge.from, edge.to));
    steps.cycles().next().is_some()
}
