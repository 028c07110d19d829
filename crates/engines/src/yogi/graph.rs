//! The program as a graph of points and blocks, each block with its meaning in terms.

use crate::blocks::conjuncts;
use craig_base::{Budget, IndexVec, Map, OrderedSet, Set, StopReason, index_type};
use craig_program::encode::{BlockEncoding, StateNames, in_range, initial_state, type_range};
use craig_program::{EdgeId, ExprId, Liveness, LocId, Proc, Program, Ranges, Segment, StateVar, Stmt};
use craig_term::{Substitution, TermId, Terms};

index_type!(
    /// A location at which there are regions.
    pub PointId, "p"
);
index_type!(
    /// A piece of straight code between two points.
    pub BlockId, "b"
);

/// Which part of the program matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Locations on paths to the error, and the state on which reaching it depends.
    TowardsError,
    /// All that can be reached: a bisimulation knows no irrelevant code.
    Everything,
}

#[derive(Clone, Debug)]
pub struct Point {
    pub location: LocId,
    /// The live state, with the constants that formulas of this point speak of.
    pub state: Vec<(StateVar, TermId)>,
    /// What is known of every state here: ranges of types, and of the interval analysis.
    pub facts: TermId,
    pub outgoing: Vec<BlockId>,
    pub incoming: Vec<BlockId>,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub from: PointId,
    pub to: PointId,
    pub edges: Vec<EdgeId>,
    /// What must hold for the block to be passed, a conjunction, without what `facts` says anyway.
    pub guard: Vec<TermId>,
    /// For each component of the target's state, its value over the source's constants and `free`.
    pub values: Vec<TermId>,
    /// Constants of guard and values that the source's state does not determine: inputs, and results
    /// that have no exact term.
    pub free: Vec<TermId>,
    /// The inputs of the block in order, with their constants; none if the value does not matter.
    pub inputs: Vec<(EdgeId, Option<TermId>)>,
    pub approximations: Vec<(EdgeId, ExprId)>,
}

#[derive(Clone, Debug)]
pub struct Graph {
    pub points: IndexVec<PointId, Point>,
    pub blocks: IndexVec<BlockId, Block>,
    pub entry: PointId,
    /// Missing if nothing leads there.
    pub error: Option<PointId>,
    /// The initial states, over the constants of the entry.
    pub initial: TermId,
    pub of_location: IndexVec<LocId, Option<PointId>>,
    /// Blocks by their first edge.
    pub of_edge: Map<EdgeId, BlockId>,
}

impl Graph {
    /// The graph of the entry procedure, which must have no calls.
    pub fn new(
        tm: &mut Terms,
        program: &Program,
        ranges: &Ranges,
        extent: Extent,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let proc = &program.procs[program.entry];
        let liveness = match extent {
            Extent::TowardsError => Liveness::towards_error(program, proc),
            Extent::Everything => Liveness::of_every_path(program, proc),
        };
        let shape = Shape::new(program, proc, extent);
        let mut names = StateNames::default();
        let mut points: IndexVec<PointId, Point> = IndexVec::new();
        let mut of_location = IndexVec::from_elem(None, proc.locations.len());
        for location in proc.locations.indices().filter(|&location| shape.is_point(proc, location)) {
            let live = liveness.at(location).into_iter().filter(|&var| program.is_tracked(var));
            let state: Vec<(StateVar, TermId)> =
                live.map(|var| (var, names.current(program, tm, var))).collect();
            let facts = facts(tm, program, ranges, location, &state);
            let point = Point { location, state, facts, outgoing: Vec::new(), incoming: Vec::new() };
            of_location[location] = Some(points.push(point));
        }
        let mut blocks: IndexVec<BlockId, Block> = IndexVec::new();
        let mut of_edge = Map::default();
        for point in points.indices() {
            for &first in &shape.outgoing[points[point].location] {
                budget.check()?;
                let segment = shape.chain(proc, first);
                let encoding =
                    BlockEncoding::with_names(program, proc, &segment, &liveness, ranges, tm, &mut names);
                let to = of_location[segment.target].unwrap_or(point);
                let block = simplify(tm, proc, &points[point], point, to, &segment, &encoding);
                let id = blocks.push(block);
                points[point].outgoing.push(id);
                points[to].incoming.push(id);
                of_edge.insert(first, id);
            }
        }
        let entry = of_location[proc.entry].unwrap_or(PointId(0));
        let live: Vec<StateVar> = points[entry].state.iter().map(|&(var, _)| var).collect();
        let initial = initial_state(program, tm, &mut names, &live);
        let error = of_location[proc.error];
        Ok(Graph { points, blocks, entry, error, initial, of_location, of_edge })
    }
}

/// Which edges can be taken, and where chains begin.
pub(crate) struct Shape {
    pub outgoing: IndexVec<LocId, Vec<EdgeId>>,
    incoming: IndexVec<LocId, usize>,
    relevant: IndexVec<LocId, bool>,
    assumes: Set<LocId>,
    /// Calls, which are in no chain, and the locations around them.
    pub calls: Vec<EdgeId>,
    around_calls: Set<LocId>,
}

impl Shape {
    pub fn new(program: &Program, proc: &Proc, extent: Extent) -> Self {
        let open = proc.open_graph(program);
        let mut relevant = open.reachable([proc.entry]);
        if extent == Extent::TowardsError {
            let backward = open.reversed().reachable([proc.error]);
            relevant = proc.locations.indices().map(|at| relevant[at] && backward[at]).collect();
        }
        let mut outgoing: IndexVec<LocId, Vec<EdgeId>> =
            IndexVec::from_elem(Vec::new(), proc.locations.len());
        let mut incoming = IndexVec::from_elem(0, proc.locations.len());
        let (mut assumes, mut around_calls, mut calls) = (Set::default(), Set::default(), Vec::new());
        for (id, edge) in proc.edges.enumerated() {
            if relevant[edge.from] && relevant[edge.to] && !program.is_closed(&edge.stmt) {
                if matches!(edge.stmt, Stmt::Call { .. }) {
                    calls.push(id);
                    around_calls.extend([edge.from, edge.to]);
                    continue;
                }
                outgoing[edge.from].push(id);
                incoming[edge.to] += 1;
                if matches!(edge.stmt, Stmt::Assume(_)) {
                    assumes.insert(edge.from);
                }
            }
        }
        Shape { outgoing, incoming, relevant, assumes, calls, around_calls }
    }

    pub fn is_point(&self, proc: &Proc, location: LocId) -> bool {
        location == proc.entry
            || (self.relevant[location]
                && (location == proc.error
                    || self.around_calls.contains(&location)
                    || self.incoming[location] != 1
                    || self.outgoing[location].len() != 1
                    || self.assumes.contains(&location)))
    }

    pub fn chain(&self, proc: &Proc, first: EdgeId) -> Segment {
        let source = proc.edges[first].from;
        let (mut locations, mut edges) = (vec![source], vec![first]);
        let mut at = proc.edges[first].to;
        while !self.is_point(proc, at) {
            let next = self.outgoing[at][0];
            locations.push(at);
            edges.push(next);
            at = proc.edges[next].to;
        }
        Segment { source, target: at, locations, edges }
    }
}

pub(crate) fn facts(
    tm: &mut Terms,
    program: &Program,
    ranges: &Ranges,
    location: LocId,
    state: &[(StateVar, TermId)],
) -> TermId {
    let mut facts = Vec::new();
    for &(component, constant) in state {
        let StateVar::Var(var) = component else { continue };
        if tm.is_bool(constant) {
            continue;
        }
        let by_type = type_range(program, program.vars[var].ty);
        let range = ranges.at(location, var).and_then(|known| known.meet(&by_type)).unwrap_or(by_type);
        facts.push(in_range(tm, constant, &range));
    }
    tm.and(&facts)
}

/// A block over the source's constants: named terms are put back in their places.
pub(crate) fn simplify(
    tm: &mut Terms,
    proc: &Proc,
    source: &Point,
    from: PointId,
    to: PointId,
    segment: &Segment,
    encoding: &BlockEncoding,
) -> Block {
    let mut names = Substitution::default();
    for &(_, name, value) in &encoding.definitions {
        let value = names.apply(tm, value);
        names.insert(name, value);
    }
    let guard = names.apply(tm, encoding.guard);
    let known: OrderedSet<TermId> = conjuncts(tm, source.facts).into_iter().collect();
    let guard: Vec<TermId> = conjuncts(tm, guard).into_iter().filter(|part| !known.contains(part)).collect();
    let values: Vec<TermId> = encoding.outputs.iter().map(|output| names.apply(tm, output.value)).collect();
    let roots: Vec<TermId> = guard.iter().chain(&values).copied().collect();
    let state: Set<TermId> = source.state.iter().map(|&(_, constant)| constant).collect();
    let free: Vec<TermId> =
        tm.free_consts_of(&roots).into_iter().filter(|constant| !state.contains(constant)).collect();
    Block {
        from,
        to,
        edges: segment.edges.clone(),
        guard,
        values,
        free,
        inputs: encoding.inputs_along(proc, &segment.edges),
        approximations: encoding.approximations.clone(),
    }
}
