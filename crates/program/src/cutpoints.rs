//! The cutpoint graph: locations that every cycle passes, joined by loop-free segments.
//!
//! (Thesis on UFO, section 5.3: "all nodes are cutpoints, and every action is a loop-free program
//! segment between two cutpoints, as in large-block encoding".) Cutpoints are the entry, the heads
//! of the weak topological order of the control-flow graph, and the goals: the error location, or
//! exit and error where a procedure's effect is wanted. Only locations that are reachable from the
//! entry and can reach a goal take part, so the rest of the procedure is sliced away here; edges
//! that assume `false` lead nowhere. The order is that of the whole graph, closed edges included, so
//! that a program and its simplification are cut at the same heads.

use crate::decisions::Decisions;
use crate::effects::{Effect, is_failing_call};
use crate::graph::Digraph;
use crate::ir::{Edge, EdgeId, LocId, Proc, ProcId, Program, Stmt};
use crate::wto::Wto;
use craig_base::{IndexVec, Map, OrderedSet, Set, index_type};

index_type!(
    /// A cutpoint of a [`CutpointGraph`].
    pub CutId, "c"
);
index_type!(
    /// An edge of a [`CutpointGraph`]: a segment between two cutpoints.
    pub CutEdgeId, "s"
);

#[derive(Clone, Debug)]
pub struct CutpointGraph {
    pub cutpoints: IndexVec<CutId, Cutpoint>,
    pub edges: IndexVec<CutEdgeId, CutEdge>,
    pub entry: CutId,
    /// The cutpoint of the error location, also where it cannot be reached.
    pub error: CutId,
    /// A weak topological order of the cutpoints, the entry first, the error last.
    pub wto: Wto<CutId>,
    /// The calls on the way to a goal. They lie between cutpoints and belong to no segment.
    pub calls: Vec<EdgeId>,
    of_location: IndexVec<LocId, Option<CutId>>,
}

#[derive(Clone, Debug)]
pub struct Cutpoint {
    pub location: LocId,
    pub incoming: Vec<CutEdgeId>,
    pub outgoing: Vec<CutEdgeId>,
}

#[derive(Clone, Debug)]
pub struct CutEdge {
    pub from: CutId,
    pub to: CutId,
    pub segment: Segment,
}

/// A loop-free part of a procedure: all paths from `source` to `target` that pass no cutpoint on
/// the way. Where source and target are the same location, it is a loop body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub source: LocId,
    pub target: LocId,
    /// The locations on those paths without the target, each after its predecessors; the source
    /// comes first.
    pub locations: Vec<LocId>,
    /// The edges on those paths, in the order of `locations`.
    pub edges: Vec<EdgeId>,
}

/// Where a graph is cut besides entry, goals and calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Granularity {
    Loops,
    /// Where paths branch or join. All ways from one such location to the next are one segment: a branch that
    /// joins at once is no branch.
    Blocks(Decisions),
    /// After a branch as well, so that no segment has two paths, unless they are single edges.
    Paths,
}

impl CutpointGraph {
    /// The graph for reaching the error location.
    pub fn towards_error(program: &Program, proc: &Proc) -> Self {
        CutpointGraph::new(program, proc, &[proc.error], &IndexVec::new(), Granularity::Loops)
    }

    /// The same at another granularity.
    pub fn towards_error_by(program: &Program, proc: &Proc, granularity: Granularity) -> Self {
        CutpointGraph::new(program, proc, &[proc.error], &IndexVec::new(), granularity)
    }

    /// The graph for reaching the exit and the error location of a procedure, and its calls that may
    /// fail. The ends of calls are cutpoints, but not the end of one after which no goal lies.
    pub fn of_procedure(
        program: &Program,
        proc: &Proc,
        effects: &IndexVec<ProcId, Effect>,
        granularity: Granularity,
    ) -> Self {
        CutpointGraph::new(program, proc, &[proc.exit, proc.error], effects, granularity)
    }

    fn new(
        program: &Program,
        proc: &Proc,
        goals: &[LocId],
        effects: &IndexVec<ProcId, Effect>,
        granularity: Granularity,
    ) -> Self {
        let heads = Wto::new(&proc.graph(), proc.entry);
        let open = proc.open_graph(program);
        let forward = open.reachable([proc.entry]);
        let fails = |edge: &Edge| is_failing_call(&edge.stmt, effects);
        let failing = proc.edges.iter().filter(|edge| fails(edge)).map(|edge| edge.from);
        let backward = open.reversed().reachable(goals.iter().copied().chain(failing));
        let relevant: IndexVec<LocId, bool> =
            open.nodes().map(|location| forward[location] && backward[location]).collect();
        let mut sliced = Digraph::new(open.node_count());
        let mut calls = Vec::new();
        let mut outgoing: IndexVec<LocId, Vec<EdgeId>> = IndexVec::from_elem(Vec::new(), open.node_count());
        for from in open.nodes().filter(|&from| relevant[from]) {
            for &id in &proc.locations[from].outgoing {
                let edge = &proc.edges[id];
                if (!relevant[edge.to] && !fails(edge)) || program.is_closed(&edge.stmt) {
                    continue;
                }
                match edge.stmt {
                    Stmt::Call { .. } => calls.push(id),
                    _ => {
                        sliced.add_edge(from, edge.to);
                        outgoing[from].push(id);
                    }
                }
            }
        }
        let mut places = vec![proc.entry];
        let heads = heads.components.iter().map(|component| component.head);
        places.extend(heads.filter(|&head| relevant[head]));
        for &call in &calls {
            let Edge { from, to, .. } = proc.edges[call];
            places.push(from);
            places.extend(Some(to).filter(|&to| relevant[to]));
        }
        if granularity != Granularity::Loops {
            let incoming = sliced.reversed();
            let before = |location: LocId| incoming.successors(location);
            let branches = |location: LocId| sliced.successors(location).len() > 1;
            // Different ways to the error are different goals.
            let error = Some(proc.error).filter(|&error| relevant[error] && before(error).len() > 1);
            let before_error = error.map_or(&[][..], before);
            let mut cut: IndexVec<LocId, bool> = relevant.iter().map(|_| false).collect();
            if let Granularity::Blocks(decisions) = granularity {
                let joins = open.nodes().filter(|&at| relevant[at] && before(at).len() > 1);
                for at in places.iter().chain(goals).chain(before_error).copied().chain(joins) {
                    cut[at] = true;
                }
                decisions.cut_at_branches(program, proc, &outgoing, branches, &mut cut);
            }
            for location in open.nodes().filter(|&location| relevant[location]) {
                let is_cut = match granularity {
                    Granularity::Paths => {
                        branches(location) || before(location).iter().any(|&at| branches(at))
                    }
                    _ => branches(location) && cut[location],
                };
                if is_cut || before(location).len() > 1 {
                    places.push(location);
                }
            }
            places.extend(before_error);
        }
        let mut cutpoints = IndexVec::new();
        let mut of_location = IndexVec::from_elem(None, proc.locations.len());
        let mut add = |location: LocId| {
            *of_location[location].get_or_insert_with(|| {
                cutpoints.push(Cutpoint { location, incoming: Vec::new(), outgoing: Vec::new() })
            })
        };
        let entry = add(proc.entry);
        places.into_iter().for_each(|location| {
            add(location);
        });
        goals.iter().filter(|&&goal| relevant[goal]).for_each(|&goal| {
            add(goal);
        });
        let error = add(proc.error);

        let finder = SegmentFinder { program, proc, sliced: &sliced, relevant: &relevant, cut: &of_location };
        let mut edges: IndexVec<CutEdgeId, CutEdge> = IndexVec::new();
        let mut cut_graph = Digraph::new(cutpoints.len());
        for from in cutpoints.indices() {
            let source = cutpoints[from].location;
            if !relevant[source] {
                continue;
            }
            for (to, segment) in finder.from(source) {
                cut_graph.add_edge(from, to);
                let edge = edges.push(CutEdge { from, to, segment });
                cutpoints[from].outgoing.push(edge);
                cutpoints[to].incoming.push(edge);
            }
        }
        for &call in &calls {
            let Edge { from, to, .. } = proc.edges[call];
            if let (Some(from), Some(to)) = (of_location[from], of_location[to]) {
                cut_graph.add_edge(from, to);
            }
        }
        let wto = Wto::with_last(&cut_graph, entry, error);
        CutpointGraph { cutpoints, edges, entry, error, wto, calls, of_location }
    }

    pub fn at(&self, location: LocId) -> Option<CutId> {
        self.of_location[location]
    }

    pub fn location(&self, cutpoint: CutId) -> LocId {
        self.cutpoints[cutpoint].location
    }

    pub fn graph(&self) -> Digraph<CutId> {
        let mut graph = Digraph::new(self.cutpoints.len());
        for edge in &self.edges {
            graph.add_edge(edge.from, edge.to);
        }
        graph
    }

    /// The edge between two cutpoints; there is at most one.
    pub fn edge_between(&self, from: CutId, to: CutId) -> Option<CutEdgeId> {
        self.cutpoints[from].outgoing.iter().copied().find(|&edge| self.edges[edge].to == to)
    }
}

struct SegmentFinder<'a> {
    program: &'a Program,
    proc: &'a Proc,
    sliced: &'a Digraph<LocId>,
    relevant: &'a IndexVec<LocId, bool>,
    cut: &'a IndexVec<LocId, Option<CutId>>,
}

impl SegmentFinder<'_> {
    /// One segment for each cutpoint that `from` reaches without passing another.
    fn from(&self, source: LocId) -> Vec<(CutId, Segment)> {
        let (order, targets) = self.explore(source);
        let places: Map<LocId, usize> = order.iter().enumerate().map(|(place, &at)| (at, place)).collect();
        targets
            .into_iter()
            .map(|(to, target)| {
                let mut locations = self.backward(source, target, &places);
                let on_path: Set<LocId> = locations.iter().copied().collect();
                locations.sort_unstable_by_key(|location| places[location]);
                let edges = locations
                    .iter()
                    .flat_map(|&location| &self.proc.locations[location].outgoing)
                    .copied()
                    .filter(|&edge| {
                        let Edge { to, ref stmt, .. } = self.proc.edges[edge];
                        let leads_on = to == target || (on_path.contains(&to) && self.cut[to].is_none());
                        leads_on && !self.program.is_closed(stmt) && !matches!(stmt, Stmt::Call { .. })
                    })
                    .collect();
                (to, Segment { source, target, locations, edges })
            })
            .collect()
    }

    /// The locations between `source` and the next cutpoints in topological order, the source
    /// first, and those cutpoints.
    fn explore(&self, source: LocId) -> (Vec<LocId>, Vec<(CutId, LocId)>) {
        let mut seen = Set::default();
        let mut targets = OrderedSet::default();
        let mut postorder = Vec::new();
        let mut stack = vec![(source, 0usize)];
        seen.insert(source);
        while let Some((location, next)) = stack.pop() {
            let Some(&to) = self.sliced.successors(location).get(next) else {
                postorder.push(location);
                continue;
            };
            stack.push((location, next + 1));
            match self.cut[to] {
                Some(cut) => {
                    targets.insert((cut, to));
                }
                None if seen.insert(to) => stack.push((to, 0)),
                None => {}
            }
        }
        postorder.reverse();
        let mut targets: Vec<(CutId, LocId)> = targets.into_iter().collect();
        targets.sort_unstable();
        (postorder, targets)
    }

    /// Those that have a place from which `target` is reached without passing a cutpoint.
    fn backward(&self, source: LocId, target: LocId, places: &Map<LocId, usize>) -> Vec<LocId> {
        let (mut found, mut seen) = (Vec::new(), Set::default());
        let mut stack = vec![target];
        while let Some(location) = stack.pop() {
            for &edge in &self.proc.locations[location].incoming {
                let Edge { from, ref stmt, .. } = self.proc.edges[edge];
                if self.program.is_closed(stmt) || matches!(stmt, Stmt::Call { .. }) {
                    continue;
                }
                if self.relevant[from] && places.contains_key(&from) && seen.insert(from) {
                    found.push(from);
                    stack.extend(Some(from).filter(|&from| from != source));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn a_loop_has_three_segments() {
        let program = counting_loop();
        let cuts = CutpointGraph::towards_error(&program, &program.procs[program.entry]);
        let edges: Vec<(u32, u32, usize)> =
            cuts.edges.iter().map(|e| (e.from.0, e.to.0, e.segment.edges.len())).collect();
        // entry, head, error; entry to head, around the loop, head to error.
        assert_eq!(edges, vec![(0, 1, 2), (1, 1, 2), (1, 2, 2)]);
        assert_eq!((cuts.entry, cuts.error), (CutId(0), CutId(2)));
        assert_eq!(cuts.wto.order, vec![CutId(0), CutId(1), CutId(2)]);
        assert!(cuts.wto.is_head(CutId(1)));
        let main = &program.procs[program.entry];
        let both = CutpointGraph::of_procedure(&program, main, &IndexVec::new(), Granularity::Loops);
        assert_eq!(both.edges.len(), 4);
    }

    #[test]
    fn an_unreachable_error_leaves_no_edges() {
        let mut b = Builder::new();
        b.edge(ENTRY, EXIT, Stmt::Skip);
        let cuts = CutpointGraph::towards_error(&b.program, &b.program.procs[b.program.entry]);
        assert_eq!((cuts.edges.len(), cuts.cutpoints.len()), (0, 2));
    }

    #[test]
    fn branches_share_a_segment_and_dead_ends_are_sliced() {
        let mut b = Builder::new();
        let x = b.int("x");
        let (left, right, join, dead) = (b.loc(), b.loc(), b.loc(), b.loc());
        let (get_x, one) = (b.get(x), b.lit(1));
        let cond = b.lt(get_x, one);
        b.branch(ENTRY, left, right, cond);
        b.assign(left, join, x, one);
        b.assign(right, join, x, one);
        b.assign(right, dead, x, one);
        b.assume(join, ERROR, cond);
        let cuts = CutpointGraph::towards_error(&b.program, &b.program.procs[b.program.entry]);
        assert_eq!(cuts.edges.len(), 1);
        let segment = &cuts.edges[CutEdgeId(0)].segment;
        assert_eq!(segment.locations, vec![ENTRY, right, left, join]);
        assert_eq!(segment.edges.len(), 5);
    }
}
