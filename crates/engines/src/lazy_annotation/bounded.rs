//! Loops that are bounded statically, and need no τ (end of section 2.2).
//!
//! A loop is bounded if a variable with few values in it only ever grows (or only ever shrinks) around it: steps on
//! which it really changes can be taken as often as it has values, and without these steps what is left of the loop
//! must be bounded in turn, by another variable, or be no loop at all. So nested loops are bounded by
//! lexicographically ordered counters, and a bounded loop within an unbounded one is found as well. The values come
//! from the interval analysis. A loop with many rounds keeps its τ: what interpolants say of its first rounds is
//! more likely to be an invariant than what they say of all of them.

use super::search::Search;
use craig_base::OrderedSet;
use craig_program::{CutEdge, CutEdgeId, CutId, CutpointGraph, Digraph, Ranges, StateVar, VarId};
use craig_smt::{Answer, Solver};

/// The most rounds of a loop without τ, those of inner loops included.
const MAX_ROUNDS: u64 = 64;

/// How a variable changes on the edges of a loop.
struct Counter {
    /// How many values it has.
    values: u64,
    /// The edges on which it is never the same afterwards.
    strict: Vec<CutEdgeId>,
}

impl Search<'_> {
    /// Takes the counters from the edges that lead back to heads of bounded loops.
    pub(super) fn free_bounded_loops(&mut self, ranges: &Ranges) {
        let cuts = &self.encoding.cuts;
        for head in cuts.cutpoints.indices().filter(|&cut| cuts.wto.is_head(cut)) {
            let inside = |cut: CutId| cuts.wto.heads(cut).any(|outer| outer == head);
            let edges = cuts.edges.enumerated().filter(|(_, edge)| inside(edge.from) && inside(edge.to));
            let edges: Vec<CutEdgeId> = edges.map(|(id, _)| id).collect();
            if self.rounds(&edges, MAX_ROUNDS, ranges).is_some() {
                self.stats.add("bounded loops", 1);
                self.back_edges.retain(|&edge, _| cuts.edges[edge].to != head);
            }
        }
    }

    /// How many rounds there can be on these edges, if that is known and not more than `most`.
    fn rounds(&mut self, edges: &[CutEdgeId], most: u64, ranges: &Ranges) -> Option<u64> {
        let cuts = &self.encoding.cuts;
        let mut graph: Digraph<CutId> = Digraph::new(cuts.cutpoints.len());
        for &edge in edges {
            graph.add_edge(cuts.edges[edge].from, cuts.edges[edge].to);
        }
        let mut longest = 1;
        for component in graph.components() {
            let inside = |cut: CutId| component.contains(&cut);
            let around = |edge: &CutEdgeId| inside(cuts.edges[*edge].from) && inside(cuts.edges[*edge].to);
            let cycle: Vec<CutEdgeId> = edges.iter().copied().filter(around).collect();
            if cycle.is_empty() {
                continue;
            }
            let rounds = self.counters(&component, &cycle, ranges).into_iter().find_map(|counter| {
                let rest: Vec<CutEdgeId> =
                    cycle.iter().copied().filter(|edge| !counter.strict.contains(edge)).collect();
                // A counter has two values at least, so that this ends.
                let inner = self.rounds(&rest, most / counter.values, ranges)?;
                Some(counter.values * inner)
            })?;
            longest = longest.max(rounds);
        }
        (longest <= most).then_some(longest)
    }

    /// The variables with few values that change in one direction only on these edges.
    fn counters(&mut self, component: &[CutId], cycle: &[CutEdgeId], ranges: &Ranges) -> Vec<Counter> {
        let cuts = &self.encoding.cuts;
        let at = |cut: CutId, var| ranges.at(cuts.location(cut), var);
        let vars: OrderedSet<VarId> =
            component.iter().flat_map(|&cut| ranges.all_at(cuts.location(cut))).map(|(var, _)| var).collect();
        let mut counters = Vec::new();
        for var in vars {
            // Where its range is not known, the variable need only pass on its way to where it is.
            let unknown = |cut: CutId| at(cut, var).is_none();
            let between = cycle.iter().map(|&edge| &cuts.edges[edge]);
            if has_cycle(between.filter(|edge| unknown(edge.from) && unknown(edge.to)), cuts) {
                continue;
            }
            let known = component.iter().filter_map(|&cut| at(cut, var));
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
    fn strict_edges(&mut self, var: VarId, grows: bool, cycle: &[CutEdgeId]) -> Option<Vec<CutEdgeId>> {
        let mut strict = Vec::new();
        let mut unclear = Vec::new();
        for &edge in cycle {
            let block = &self.encoding.blocks[edge];
            let output = block.outputs.iter().find(|output| output.var == StateVar::Var(var))?;
            let &current = block.inputs.get(&StateVar::Var(var))?;
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
            let solver = self.blocks.solver(self.tm, edge);
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

fn has_cycle<'e>(edges: impl Iterator<Item = &'e CutEdge>, cuts: &CutpointGraph) -> bool {
    let mut graph: Digraph<CutId> = Digraph::new(cuts.cutpoints.len());
    edges.for_each(|edge| graph.add_edge(edge.from, edge.to));
    graph.cycles().next().is_some()
}
