//! Each procedure as a graph of points and blocks, with blocks for calls.
//!
//! The state of a point is the live state there and, behind it, the values that parameters and globals
//! had when the procedure was entered: these never change, and predicates may relate the two. So the
//! predicates at the exit are about what a call does, and those at the entry about when it does it.

use crate::blocks::conjuncts;
use crate::yogi::graph::{Block, BlockId, Extent, Graph, Point, PointId, Shape, facts, simplify};
use craig_base::{Budget, IndexVec, Map, OrderedMap, Set, StopReason};
use craig_program::encode::{BlockEncoding, StateNames, initial_state};
use craig_program::horn::{ClauseOrigin, Contexts, HornProgram, procedure_clauses};
use craig_program::{
    CallGraph, EdgeId, Effect, Liveness, LocId, ProcId, Program, Ranges, Scope, StateVar, Stmt, VarId,
    effects,
};
use craig_term::{Substitution, TermId, Terms};

pub struct Procedure {
    pub graph: Graph,
    pub exit: Option<PointId>,
    /// The blocks that stand for calls.
    pub calls: OrderedMap<BlockId, Call>,
    /// The block for a call that returns.
    pub returning: Map<EdgeId, BlockId>,
    /// The state at the entry, with the constants that contracts have for it.
    pub entry: Vec<(StateVar, TermId)>,
    /// The part of it that the state of every point repeats.
    pub rigid: Vec<(VarId, TermId)>,
}

/// A call, as a block of the caller.
#[derive(Clone, Debug)]
pub struct Call {
    pub callee: ProcId,
    pub edge: EdgeId,
    /// The value of each component of the callee's entry state, over the caller's constants.
    pub args: Vec<(StateVar, TermId)>,
    /// For each component of the callee's exit state the constant that the block has for it.
    pub results: Vec<(StateVar, TermId)>,
    /// What must hold for the call to be made.
    pub conditions: Vec<TermId>,
    /// The call does not return: an error is reached in it.
    pub fails: bool,
}

/// The procedures that can be called, by number.
pub type Procedures = IndexVec<ProcId, Option<Procedure>>;

pub fn procedures(tm: &mut Terms, program: &Program, budget: &Budget) -> Result<Procedures, StopReason> {
    let horn = procedure_clauses(program, Contexts::Any, tm, budget)?;
    let calls = CallGraph::new(program);
    let effects = effects(program, &calls);
    let mut found = IndexVec::new();
    for proc in program.procs.indices() {
        budget.check()?;
        let procedure =
            calls.is_reachable(proc).then(|| Builder { tm, program, horn: &horn, proc }.build(&effects));
        found.push(procedure);
    }
    Ok(found)
}

struct Builder<'a> {
    tm: &'a mut Terms,
    program: &'a Program,
    horn: &'a HornProgram,
    proc: ProcId,
}

impl Builder<'_> {
    fn build(mut self, effects: &IndexVec<ProcId, Effect>) -> Procedure {
        let program = self.program;
        let body = &program.procs[self.proc];
        let liveness = Liveness::of_procedure(program, self.proc, effects);
        let shape = Shape::new(program, body, Extent::Everything);
        let mut names = StateNames::default();
        let tracked = |location: LocId| -> Vec<StateVar> {
            liveness.at(location).into_iter().filter(|&var| program.is_tracked(var)).collect()
        };
        let entry: Vec<(StateVar, TermId)> =
            tracked(body.entry).into_iter().map(|var| (var, names.entry(program, self.tm, var))).collect();
        let rigid: Vec<(VarId, TermId)> = entry
            .iter()
            .filter_map(|&(component, constant)| match component {
                StateVar::Var(var) if self.is_passed(var) => Some((var, constant)),
                _ => None,
            })
            .collect();
        let ranges = Ranges::none();
        let mut points: IndexVec<PointId, Point> = IndexVec::new();
        let mut of_location = IndexVec::from_elem(None, body.locations.len());
        // The error may be one of a callee.
        let fails = effects[self.proc].fails;
        let is_point = |location| shape.is_point(body, location) || (fails && location == body.error);
        for location in body.locations.indices().filter(|&location| is_point(location)) {
            let live = tracked(location).into_iter();
            let mut state: Vec<(StateVar, TermId)> =
                live.map(|var| (var, names.current(program, self.tm, var))).collect();
            if location != body.error {
                state.extend(rigid.iter().map(|&(var, constant)| (StateVar::Var(var), constant)));
            }
            let facts = facts(self.tm, program, &ranges, location, &state);
            let point = Point { location, state, facts, outgoing: Vec::new(), incoming: Vec::new() };
            of_location[location] = Some(points.push(point));
        }
        let error = of_location[body.error];
        let mut blocks: IndexVec<BlockId, Block> = IndexVec::new();
        let mut of_edge = Map::default();
        let passed: Vec<TermId> = rigid.iter().map(|&(_, constant)| constant).collect();
        for point in points.indices() {
            for &first in &shape.outgoing[points[point].location] {
                let segment = shape.chain(body, first);
                let encoding = BlockEncoding::with_names(
                    program, body, &segment, &liveness, &ranges, self.tm, &mut names,
                );
                let to = of_location[segment.target].unwrap_or(point);
                let mut block = simplify(self.tm, body, &points[point], point, to, &segment, &encoding);
                if Some(to) != error {
                    block.values.extend(&passed);
                }
                of_edge.insert(first, add(&mut points, &mut blocks, block));
            }
        }
        let (mut calls, mut returning) = (OrderedMap::default(), Map::default());
        for &edge in &shape.calls {
            let Some(from) = of_location[body.edges[edge].from] else { continue };
            for fails in [false, true] {
                let to = if fails { error } else { of_location[body.edges[edge].to] };
                let Some(to) = to else { continue };
                let to_error = Some(to) == error;
                let Some((call, mut block)) = self.call(edge, &points[from], (from, to), fails) else {
                    continue;
                };
                if !to_error {
                    block.values.extend(&passed);
                }
                let id = add(&mut points, &mut blocks, block);
                if !fails {
                    returning.insert(edge, id);
                }
                calls.insert(id, call);
            }
        }
        let start = of_location[body.entry].unwrap_or(PointId(0));
        let live: Vec<StateVar> = tracked(body.entry);
        let initial = initial_state(program, self.tm, &mut names, &live);
        let exit = of_location[body.exit];
        let graph = Graph { points, blocks, entry: start, error, initial, of_location, of_edge };
        Procedure { graph, exit, calls, returning, entry, rigid }
    }

    /// Parameters and globals: what the caller decides.
    fn is_passed(&self, var: VarId) -> bool {
        let scope = &self.program.vars[var].scope;
        self.program.procs[self.proc].params.contains(&var) || matches!(scope, Scope::Global { .. })
    }

    /// The block of a call: its clause, over the constants of the point before it.
    fn call(
        &mut self,
        edge: EdgeId,
        source: &Point,
        (from, to): (PointId, PointId),
        fails: bool,
    ) -> Option<(Call, Block)> {
        let origin = match fails {
            false => ClauseOrigin::Return { proc: self.proc, call: edge },
            true => ClauseOrigin::Error { proc: self.proc, call: edge },
        };
        let (id, _) = self.horn.clauses.enumerated().find(|(_, known)| **known == origin)?;
        let clause = &self.horn.system.clauses[id];
        let Stmt::Call { callee, .. } = self.program.procs[self.proc].edges[edge].stmt else { return None };
        let premise = clause.body.get(1)?;
        let summary = &self.horn.predicates[premise.predicate];
        let args: Vec<(StateVar, TermId)> =
            summary.entry.iter().copied().zip(premise.args.iter().copied()).collect();
        let outs = premise.args.iter().copied().skip(args.len());
        let results: Vec<(StateVar, TermId)> = summary.state.iter().copied().zip(outs).collect();
        let head = clause.head.as_ref().map(|head| (head, &self.horn.predicates[head.predicate]));
        let values: Vec<TermId> = match head {
            Some((head, origin)) if origin.location.is_some() => head.args[origin.entry.len()..].to_vec(),
            _ => Vec::new(),
        };
        let known: Set<TermId> = conjuncts(self.tm, source.facts).into_iter().collect();
        let guard: Vec<TermId> =
            conjuncts(self.tm, clause.constraint).into_iter().filter(|part| !known.contains(part)).collect();
        let outs: Set<TermId> = results.iter().map(|&(_, out)| out).collect();
        let before = |&part: &TermId| self.tm.free_consts(part).iter().all(|symbol| !outs.contains(symbol));
        let conditions = guard.iter().copied().filter(before).collect();
        let roots: Vec<TermId> =
            guard.iter().chain(&values).copied().chain(args.iter().map(|&(_, arg)| arg)).collect();
        let state: Set<TermId> = source.state.iter().map(|&(_, constant)| constant).collect();
        let mut free: Vec<TermId> =
            self.tm.free_consts_of(&roots).into_iter().filter(|symbol| !state.contains(symbol)).collect();
        free.extend(
            results.iter().map(|&(_, out)| out).filter(|out| !free.contains(out)).collect::<Vec<_>>(),
        );
        let edges = vec![edge];
        let block =
            Block { from, to, edges, guard, values, free, inputs: Vec::new(), approximations: Vec::new() };
        Some((Call { callee, edge, args, results, conditions, fails }, block))
    }
}

fn add(
    points: &mut IndexVec<PointId, Point>,
    blocks: &mut IndexVec<BlockId, Block>,
    block: Block,
) -> BlockId {
    let (from, to) = (block.from, block.to);
    let id = blocks.push(block);
    points[from].outgoing.push(id);
    points[to].incoming.push(id);
    id
}

impl Procedure {
    /// The graph with a point behind the exit that exactly the states with `post` reach.
    pub fn towards(&self, tm: &Terms, post: TermId) -> Option<(Graph, PointId)> {
        let exit = self.exit?;
        let mut graph = self.graph.clone();
        let location = graph.points[exit].location;
        let facts = Terms::TRUE;
        let (incoming, outgoing) = (Vec::new(), Vec::new());
        let target = graph.points.push(Point { location, state: Vec::new(), facts, outgoing, incoming });
        let block = Block {
            from: exit,
            to: target,
            edges: Vec::new(),
            guard: conjuncts(tm, post),
            values: Vec::new(),
            free: Vec::new(),
            inputs: Vec::new(),
            approximations: Vec::new(),
        };
        add(&mut graph.points, &mut graph.blocks, block);
        graph.error = Some(target);
        Some((graph, target))
    }
}

impl Call {
    /// A formula over the callee's entry and exit, as contracts have it, at this call.
    pub fn instantiate(
        &self,
        tm: &mut Terms,
        program: &Program,
        callee: &Procedure,
        formula: TermId,
    ) -> TermId {
        let mut names = StateNames::default();
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        for &(var, constant) in &callee.entry {
            if let Some(&(_, arg)) = self.args.iter().find(|(passed, _)| *passed == var) {
                pairs.push((constant, arg));
            }
        }
        for &(var, out) in &self.results {
            pairs.push((names.current(program, tm, var), out));
        }
        Substitution::from_pairs(pairs).apply(tm, formula)
    }
}
