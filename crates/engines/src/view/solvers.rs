//! Solvers that know one step of a graph each, or one node.

use super::{EdgeId, Graph, NodeId};
use craig_base::{Budget, Map};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{Substitution, TermId, Terms};

/// What was asked before is translated already, and what was learnt from it stays.
#[derive(Default)]
pub struct Solvers {
    steps: Map<EdgeId, NativeSolver>,
    nodes: Map<NodeId, NativeSolver>,
    /// From the current constants of a node to its next ones.
    next: Map<NodeId, Substitution>,
}

impl Solvers {
    /// A formula over the state of the edge's target, about the state after the step.
    pub fn at_target(&mut self, tm: &mut Terms, graph: &Graph<'_>, edge: EdgeId, formula: TermId) -> TermId {
        let target = graph.edges[edge].to;
        let pairs = || graph.nodes[target].state.iter().map(|constant| (constant.current, constant.next));
        let next = self.next.entry(target).or_insert_with(|| Substitution::from_pairs(pairs()));
        next.apply(tm, formula)
    }

    /// A solver that knows the step, over its own current and next constants.
    pub fn step(&mut self, tm: &mut Terms, graph: &Graph<'_>, edge: EdgeId) -> &mut NativeSolver {
        let Graph { entry, initial, .. } = *graph;
        let step = &graph.edges[edge];
        self.steps.entry(edge).or_insert_with(|| {
            let mut solver = NativeSolver::default();
            solver.assert(tm, step.formula);
            if step.from == entry && graph.nodes[entry].incoming.is_empty() {
                solver.assert(tm, initial);
            }
            solver
        })
    }

    /// Whether one formula implies another at the node.
    pub fn implies(
        &mut self,
        tm: &mut Terms,
        graph: &Graph<'_>,
        node: NodeId,
        (formula, other): (TermId, TermId),
        budget: &Budget,
    ) -> Result<bool, UnknownReason> {
        let solver = self.nodes.entry(node).or_insert_with(|| {
            let mut solver = NativeSolver::default();
            solver.assert(tm, graph.nodes[node].facts);
            solver
        });
        let outside = tm.not(other);
        match solver.check(tm, &[formula, outside], budget) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }
}
