//! Unsatisfiable cores before interpolation (section 7.3).
//!
//! Every conjunct of an edge gets an assumption, and those that no refutation of the graph needs are left out. What
//! remains says less than the program does, so that labels for it are labels for the program, too.

use super::{Reason, Search};
use crate::view::blocks::conjuncts;
use craig_base::Set;
use craig_smt::interpolate::{Dag, DagEdge};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{TermId, Terms};

/// How often the core of a core is asked for.
const ROUNDS: usize = 3;

impl Search<'_> {
    /// Leaves out of the edges what a refutation of the graph, restricted as it is, does not need. Where there is a
    /// path, nothing is left out.
    pub(super) fn keep_core(&mut self, dag: &mut Dag, restrictions: &[TermId]) -> Result<(), Reason> {
        let mut solver = NativeSolver::default();
        let mut assumed: Vec<TermId> = Vec::new();
        let control: Vec<TermId> = dag.edges.iter().map(|_| self.tm.fresh_const("c", Terms::BOOL)).collect();
        let mut parts: Vec<Vec<Vec<(TermId, TermId)>>> = Vec::with_capacity(dag.edges.len());
        for (node, out) in dag.edges.iter().enumerate() {
            let mut ways = Vec::new();
            let mut of_node = Vec::new();
            for edge in out {
                let mut named = Vec::new();
                let mut taken = vec![control[edge.to]];
                for part in conjuncts(self.tm, edge.formula) {
                    let name = self.tm.fresh_const("needed", Terms::BOOL);
                    taken.push(self.tm.implies(name, part));
                    assumed.push(name);
                    named.push((name, part));
                }
                ways.push(self.tm.and(&taken));
                of_node.push(named);
            }
            parts.push(of_node);
            if node + 1 < control.len() {
                let onward = self.tm.or(&ways);
                let restricted = self.tm.and2(restrictions[node], onward);
                let here = if node == 0 { restricted } else { self.tm.implies(control[node], restricted) };
                solver.assert(self.tm, here);
            }
        }
        let all = assumed.len();
        for _ in 0..ROUNDS {
            match solver.check(self.tm, &assumed, self.budget) {
                Answer::Unsat => {}
                Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(Reason::Stopped(reason)),
                _ => return Ok(()),
            }
            let before = assumed.len();
            assumed = solver.core().to_vec();
            if assumed.len() == before {
                break;
            }
        }
        self.stats.add("conjuncts outside of cores", (all - assumed.len()) as u64);
        let needed: Set<TermId> = assumed.into_iter().collect();
        for (out, of_node) in dag.edges.iter_mut().zip(parts) {
            for (edge, named) in out.iter_mut().zip(of_node) {
                let kept: Vec<TermId> = named
                    .into_iter()
                    .filter(|(name, _)| needed.contains(name))
                    .map(|(_, part)| part)
                    .collect();
                *edge = DagEdge { to: edge.to, formula: self.tm.and(&kept) };
            }
        }
        Ok(())
    }
}
