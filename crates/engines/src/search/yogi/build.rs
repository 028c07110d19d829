//! The graphs of a program, made from its procedures.

use super::graph::{Block, Call, Graph, Point, PointId, Procedure, Procedures};
use super::preimage::with_values;
use crate::view::blocks::conjuncts;
use craig_base::{Budget, IndexVec, Map, OrderedMap, OrderedSet, Set, StopReason};
use craig_program::encode::{BlockEncoding, CallSite, StateNames, in_range, initial_state, type_range};
use craig_program::{
    CallGraph, Decisions, EdgeId, Effect, Liveness, LocId, Proc, ProcId, Program, Ranges, Scope, Segment,
    StateVar, Stmt, effects,
};
use craig_term::{Substitution, TermId, Terms};

/// Which part of the program matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Locations on paths to the error, and the state on which reaching it depends.
    TowardsError,
    /// All that can be reached: a bisimulation knows no irrelevant code, a caller wants to know it all.
    Everything,
}

/// A program whose entry procedure has no calls.
pub fn inlined(
    tm: &mut Terms,
    program: &Program,
    ranges: &Ranges,
    (extent, decisions): (Extent, Decisions),
    budget: &Budget,
) -> Result<Procedures, StopReason> {
    let entry = program.entry;
    let liveness = match extent {
        Extent::TowardsError => Liveness::towards_error(program, &program.procs[entry]),
        Extent::Everything => Liveness::of_every_path(program, &program.procs[entry]),
    };
    let mut builder = Builder {
        tm,
        program,
        ranges,
        extent,
        decisions,
        liveness: [(entry, liveness)].into_iter().collect(),
        effects: IndexVec::new(),
        names: StateNames::default(),
    };
    let mut procedures: Procedures = program.procs.iter().map(|_| None).collect();
    procedures[entry] = Some(builder.procedure(entry, false, budget)?);
    Ok(procedures)
}

/// A program with all procedures that can be called.
pub fn procedures(
    tm: &mut Terms,
    program: &Program,
    decisions: Decisions,
    budget: &Budget,
) -> Result<Procedures, StopReason> {
    let calls = CallGraph::new(program);
    let effects = effects(program, &calls);
    let reachable = || program.procs.indices().filter(|&proc| calls.is_reachable(proc));
    let liveness = reachable().map(|proc| (proc, Liveness::of_procedure(program, proc, &effects))).collect();
    let mut builder = Builder {
        tm,
        program,
        ranges: &Ranges::none(),
        extent: Extent::Everything,
        decisions,
        liveness,
        effects,
        names: StateNames::default(),
    };
    let mut procedures: Procedures = program.procs.iter().map(|_| None).collect();
    for proc in reachable() {
        let is_called = proc != program.entry || calls.is_recursive(proc);
        procedures[proc] = Some(builder.procedure(proc, is_called, budget)?);
    }
    Ok(procedures)
}

struct Builder<'a> {
    tm: &'a mut Terms,
    program: &'a Program,
    ranges: &'a Ranges,
    extent: Extent,
    decisions: Decisions,
    liveness: Map<ProcId, Liveness>,
    /// Nothing if there are no calls.
    effects: IndexVec<ProcId, Effect>,
    names: StateNames,
}

impl Builder<'_> {
    fn state(&self, proc: ProcId, location: LocId) -> Vec<StateVar> {
        let live = self.liveness[&proc].at(location).into_iter();
        live.filter(|&var| self.program.is_tracked(var)).collect()
    }

    fn procedure(&mut self, proc: ProcId, is_called: bool, budget: &Budget) -> Result<Procedure, StopReason> {
        let program = self.program;
        let body = &program.procs[proc];
        let shape = Shape::new(program, body, self.extent, self.decisions);
        let entry_state = self.state(proc, body.entry);
        let entry: Vec<(StateVar, TermId)> =
            entry_state.iter().map(|&var| (var, self.names.entry(program, self.tm, var))).collect();
        let passed = |&(var, _): &(StateVar, TermId)| is_called && is_passed(program, body, var);
        let kept: Vec<(StateVar, TermId)> = entry.iter().copied().filter(passed).collect();
        let mut graph = Graph {
            points: IndexVec::new(),
            blocks: IndexVec::new(),
            entry: PointId(0),
            error: None,
            of_location: IndexVec::from_elem(None, body.locations.len()),
            of_edge: Map::default(),
        };
        // The error may be one of a callee.
        let fails = self.effects.get(proc).is_some_and(|effect| effect.fails);
        let is_point = |location| shape.points[location] || (fails && location == body.error);
        for location in body.locations.indices().filter(|&location| is_point(location)) {
            let point = self.point(proc, location, &kept);
            graph.of_location[location] = Some(graph.points.push(point));
        }
        graph.entry = graph.of_location[body.entry].unwrap_or(graph.entry);
        graph.error = graph.of_location[body.error];
        for point in graph.points.indices() {
            for (segment, decisions) in shape.segments(body, graph.points[point].location) {
                budget.check()?;
                let block = self.block(proc, &segment, &graph, point);
                let id = graph.add(block);
                for &edge in &segment.edges[..decisions] {
                    graph.of_edge.entry(edge).or_insert(id);
                }
            }
        }
        let mut calls = OrderedMap::default();
        for &edge in &shape.calls {
            budget.check()?;
            let Some(from) = graph.of_location[body.edges[edge].from] else { continue };
            for (call, block) in self.call(proc, edge, &graph, from) {
                let id = graph.add(block);
                graph.of_edge.entry(edge).or_insert(id);
                calls.insert(id, call);
            }
        }
        let initial = initial_state(program, self.tm, &mut self.names, &entry_state);
        let exit = graph.of_location[body.exit];
        Ok(Procedure { graph, exit, calls, entry, initial })
    }

    fn point(&mut self, proc: ProcId, location: LocId, kept: &[(StateVar, TermId)]) -> Point {
        let program = self.program;
        let mut state: Vec<(StateVar, TermId)> = Vec::new();
        for var in self.state(proc, location) {
            state.push((var, self.names.current(program, self.tm, var)));
        }
        let live = state.len();
        if location != program.procs[proc].error {
            state.extend(kept);
        }
        let facts = facts(self.tm, program, self.ranges, location, &state);
        Point { location, state, live, facts, outgoing: Vec::new(), incoming: Vec::new() }
    }

    /// A block over the source's constants: named terms are put back in their places.
    fn block(&mut self, proc: ProcId, segment: &Segment, graph: &Graph, from: PointId) -> Block {
        let body = &self.program.procs[proc];
        let (liveness, names) = (&self.liveness[&proc], &mut self.names);
        let encoding =
            BlockEncoding::with_names(self.program, body, segment, liveness, self.ranges, self.tm, names);
        let mut names = Substitution::default();
        for &(_, name, value) in &encoding.definitions {
            let value = names.apply(self.tm, value);
            names.insert(name, value);
        }
        let guard = names.apply(self.tm, encoding.guard);
        let guard = with_values(self.tm, guard);
        let values = encoding.outputs.iter().map(|output| names.apply(self.tm, output.value)).collect();
        let to = graph.of_location[segment.target].unwrap_or(from);
        let mut block = self.finish(graph, (from, to), guard, values, &[]);
        block.edges = segment.edges.clone();
        block.inputs = encoding.inputs_along(body, &segment.edges);
        block.approximations = encoding.approximations;
        block
    }

    /// The blocks of a call: one if it returns, one if an error is reached in it.
    fn call(&mut self, proc: ProcId, edge: EdgeId, graph: &Graph, from: PointId) -> Vec<(Call, Block)> {
        let program = self.program;
        let at = &program.procs[proc].edges[edge];
        let nothing = Ranges::none();
        let Some(call) = CallSite::new(program, proc, edge, &nothing) else { return Vec::new() };
        let callee = call.callee;
        let entry = self.state(callee, program.procs[callee].entry);
        let enter = call.enter(&entry, self.tm, &mut self.names);
        let mut found = Vec::new();
        let arguments: Vec<(StateVar, TermId)> =
            enter.outputs.iter().map(|output| (output.var, output.value)).collect();
        let roots: Vec<TermId> = arguments.iter().map(|&(_, argument)| argument).collect();
        let conditions = conjuncts(self.tm, enter.guard);
        if let Some(to) = graph.of_location[at.to] {
            let exit = self.state(callee, program.procs[callee].exit);
            let effect = &self.effects[callee];
            let live = graph.points[to].state[..graph.points[to].live].iter();
            let live: Vec<StateVar> = live.map(|&(var, _)| var).collect();
            let (leave, results) = call.leave((&exit, &nothing), effect, &live, self.tm, &mut self.names);
            let guard = self.tm.and2(enter.guard, leave.guard);
            let values = leave.outputs.iter().map(|output| output.value).collect();
            let mut constants = roots.clone();
            constants.extend(results.iter().map(|&(_, out)| out));
            let mut block = self.finish(graph, (from, to), guard, values, &constants);
            block.edges = vec![edge];
            let (arguments, conditions) = (arguments.clone(), conditions.clone());
            found.push((Call { callee, arguments, results, conditions, fails: false }, block));
        }
        if let Some(error) = graph.error.filter(|_| self.effects[callee].fails) {
            let mut block = self.finish(graph, (from, error), enter.guard, Vec::new(), &roots);
            block.edges = vec![edge];
            let results = Vec::new();
            found.push((Call { callee, arguments, results, conditions, fails: true }, block));
        }
        found
    }

    /// A block that passes on the state at the procedure's entry; `more` are terms that it uses besides.
    fn finish(
        &mut self,
        graph: &Graph,
        (from, to): (PointId, PointId),
        guard: TermId,
        mut values: Vec<TermId>,
        more: &[TermId],
    ) -> Block {
        let (source, target) = (&graph.points[from], &graph.points[to]);
        values.extend(target.state[target.live..].iter().map(|&(_, constant)| constant));
        let known: OrderedSet<TermId> = conjuncts(self.tm, source.facts).into_iter().collect();
        let guard: Vec<TermId> =
            conjuncts(self.tm, guard).into_iter().filter(|part| !known.contains(part)).collect();
        let roots: Vec<TermId> = guard.iter().chain(&values).chain(more).copied().collect();
        let state: Set<TermId> = source.state.iter().map(|&(_, constant)| constant).collect();
        let free: Vec<TermId> =
            self.tm.free_consts_of(&roots).into_iter().filter(|constant| !state.contains(constant)).collect();
        let (edges, inputs, approximations) = (Vec::new(), Vec::new(), Vec::new());
        Block { from, to, edges, guard, values, free, inputs, approximations }
    }
}

/// What the caller decides: parameters, globals, memory.
fn is_passed(program: &Program, body: &Proc, var: StateVar) -> bool {
    match var {
        StateVar::Var(var) => {
            body.params.contains(&var) || matches!(program.vars[var].scope, Scope::Global { .. })
        }
        StateVar::Region(_) => true,
    }
}

fn facts(
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

/// Which edges can be taken, and where blocks begin.
struct Shape {
    outgoing: IndexVec<LocId, Vec<EdgeId>>,
    points: IndexVec<LocId, bool>,
    /// Calls, which are in no block.
    calls: Vec<EdgeId>,
}

impl Shape {
    fn new(program: &Program, proc: &Proc, extent: Extent, decisions: Decisions) -> Self {
        let open = proc.open_graph(program);
        let mut relevant = open.reachable([proc.entry]);
        if extent == Extent::TowardsError {
            let backward = open.reversed().reachable([proc.error]);
            relevant = proc.locations.indices().map(|at| relevant[at] && backward[at]).collect();
        }
        let mut outgoing: IndexVec<LocId, Vec<EdgeId>> =
            IndexVec::from_elem(Vec::new(), proc.locations.len());
        let mut incoming = IndexVec::from_elem(0, proc.locations.len());
        let (mut around_calls, mut calls) = (Set::default(), Vec::new());
        for (id, edge) in proc.edges.enumerated() {
            if relevant[edge.from] && relevant[edge.to] && !program.is_closed(&edge.stmt) {
                if matches!(edge.stmt, Stmt::Call { .. }) {
                    calls.push(id);
                    around_calls.extend([edge.from, edge.to]);
                    continue;
                }
                outgoing[edge.from].push(id);
                incoming[edge.to] += 1;
            }
        }
        // Where ways join or end there is always a point.
        let mut points: IndexVec<LocId, bool> = proc
            .locations
            .indices()
            .map(|at| {
                let joins = incoming[at] != 1 || outgoing[at].is_empty() || around_calls.contains(&at);
                at == proc.entry || (relevant[at] && (at == proc.error || joins))
            })
            .collect();
        let assumes = |&edge: &EdgeId| matches!(proc.edges[edge].stmt, Stmt::Assume(_));
        let branches = |at: LocId| outgoing[at].len() > 1 || outgoing[at].iter().any(assumes);
        decisions.cut_at_branches(program, proc, &outgoing, branches, &mut points);
        Shape { outgoing, points, calls }
    }

    /// The blocks from a point, each with the number of its edges up to the last that decides which one it is.
    fn segments(&self, proc: &Proc, source: LocId) -> Vec<(Segment, usize)> {
        let mut open =
            vec![(Segment { source, target: source, locations: Vec::new(), edges: Vec::new() }, 0)];
        let mut found = Vec::new();
        while let Some((segment, decisions)) = open.pop() {
            let at = segment.target;
            if !segment.edges.is_empty() && self.points[at] {
                found.push((segment, decisions));
                continue;
            }
            let next = &self.outgoing[at];
            let decides = next.len() > 1 || segment.edges.is_empty();
            for &edge in next.iter().rev() {
                let mut longer = segment.clone();
                longer.locations.push(at);
                longer.edges.push(edge);
                longer.target = proc.edges[edge].to;
                let decisions = if decides { longer.edges.len() } else { decisions };
                open.push((longer, decisions));
            }
        }
        found
    }
}
