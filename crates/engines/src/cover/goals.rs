//! Goals: what tests should reach, and the program in which reaching one is an error.

use craig_base::{IndexVec, Map, OrderedMap, index_type};
use craig_exec::{Coverage, Site};
use craig_program::{
    CallGraph, Edge, EdgeId, InputSource, LocId, Place, ProcId, Program, Scope, Span, Stmt, Type, Var, VarId,
};

index_type!(
    /// A goal of a [`Goals`].
    pub GoalId, "g"
);

/// What a goal stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Basic blocks.
    Blocks,
    /// Both ways at each condition, each case of a `switch`.
    Branches,
    /// Lines with code on them.
    Lines,
}

/// A goal is reached when one of its edges is taken, or, for a block, when it is entered.
#[derive(Clone, Debug)]
pub struct Goal {
    pub proc: ProcId,
    pub span: Span,
    place: Vec<At>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Location(LocId),
    Behind(EdgeId),
}

impl Goal {
    /// The way out of a branch that it is, if it is one.
    pub fn way(&self) -> Option<EdgeId> {
        match self.place.as_slice() {
            [At::Behind(edge)] => Some(*edge),
            _ => None,
        }
    }
}

pub struct Goals {
    pub goals: IndexVec<GoalId, Goal>,
}

impl Goals {
    /// The goals in the procedures of the files for which `wanted` holds.
    pub fn of(program: &Program, criterion: Criterion, wanted: impl Fn(ProcId) -> bool) -> Self {
        let mut goals = IndexVec::new();
        for proc in program.procs.indices().filter(|&proc| wanted(proc)) {
            match criterion {
                Criterion::Blocks => blocks(program, proc, &mut goals),
                Criterion::Branches => branches(program, proc, &mut goals),
                Criterion::Lines => lines(program, proc, &mut goals),
            }
        }
        Goals { goals }
    }

    /// Where a run ends by itself, or goes round again in a loop or a recursion: whatever is not ended by an assumption
    /// gets to one of these.
    pub fn ends(program: &Program) -> Self {
        let calls = CallGraph::new(program);
        let mut goals = IndexVec::new();
        for (id, proc) in program.procs.enumerated().filter(|(id, _)| calls.is_reachable(*id)) {
            let order = proc.graph().reverse_postorder([proc.entry]);
            let mut number = IndexVec::from_elem(usize::MAX, proc.locations.len());
            order.iter().enumerate().for_each(|(at, &location)| number[location] = at);
            for (edge, data) in proc.edges.enumerated() {
                let ends = match data.to {
                    to if to == proc.exit => id == program.entry,
                    to if to == proc.error || proc.is_cut(to) => false,
                    to => proc.locations[to].outgoing.is_empty(),
                };
                let goes_round = number[data.to] <= number[data.from]
                    || matches!(data.stmt, Stmt::Call { callee, .. } if calls.is_recursive(callee));
                if number[data.from] != usize::MAX && (ends || goes_round) {
                    goals.push(Goal { proc: id, span: data.span, place: vec![At::Behind(edge)] });
                }
            }
        }
        Goals { goals }
    }

    /// The goals that runs have reached.
    pub fn reached<'a>(
        &'a self,
        program: &'a Program,
        coverage: &'a Coverage,
    ) -> impl Iterator<Item = GoalId> + 'a {
        let at = |proc: ProcId, at: &At| match *at {
            At::Location(location) => coverage.covers_location(program, proc, location),
            At::Behind(edge) => coverage.covers(Site { proc, edge }),
        };
        let goals = self.goals.enumerated();
        goals.filter(move |(_, goal)| goal.place.iter().any(|place| at(goal.proc, place))).map(|(id, _)| id)
    }

    /// The program in which the error is to reach one of these goals, where the run ends. Its inputs are
    /// those of the program.
    pub fn ending_at(&self, program: &Program, goals: &[GoalId]) -> Program {
        let mut result = without_errors(program);
        for &id in goals {
            let Goal { proc, span, place } = &self.goals[id];
            let proc = &mut result.procs[*proc];
            for place in place {
                match *place {
                    At::Behind(edge) => proc.edges[edge].to = proc.error,
                    At::Location(at) => {
                        let nowhere = proc.add_location(*span);
                        for edge in proc.edges.iter_mut().filter(|edge| edge.from == at) {
                            edge.from = nowhere;
                        }
                        proc.edges.push(Edge { from: at, to: proc.error, stmt: Stmt::Skip, span: *span });
                    }
                }
            }
        }
        result.procs.iter_mut().for_each(|proc| proc.rebuild_adjacency());
        result
    }

    /// The program in which the error is to reach one of the goals for which `open` holds.
    ///
    /// In front of each of them an input decides whether the run ends there. The edges of the program
    /// keep their ids, so that its inputs are those at sites that it has; what was an error only ends
    /// the run. Locations and edges are the same whatever is open.
    pub fn instrument(&self, program: &Program, open: impl Fn(GoalId) -> bool) -> Instrumented {
        let mut result = without_errors(program);
        let mut edges = Map::default();
        let mut guards: Map<ProcId, VarId> = Map::default();
        for (id, goal) in self.goals.enumerated() {
            let guard = *guards.entry(goal.proc).or_insert_with(|| guard(&mut result, goal.proc));
            let source = InputSource::Unmodelled("goal".into());
            let ends = result.var_expr(guard);
            let goes_on = result.exprs.not(ends);
            let closed = result.exprs.bool(false);
            let (ask, goes_on, ends) = match open(id) {
                true => (Stmt::Input(Place::Var(guard), source), Stmt::Assume(goes_on), Stmt::Assume(ends)),
                false => (Stmt::Skip, Stmt::Skip, Stmt::Assume(closed)),
            };
            let proc = &mut result.procs[goal.proc];
            for place in &goal.place {
                let at = match *place {
                    At::Location(location) => location,
                    At::Behind(edge) => {
                        let middle = proc.add_location(goal.span);
                        let to = std::mem::replace(&mut proc.edges[edge].to, middle);
                        proc.edges.push(Edge { from: middle, to, stmt: Stmt::Skip, span: goal.span });
                        middle
                    }
                };
                let asked = proc.add_location(goal.span);
                let onward = proc.add_location(goal.span);
                for edge in proc.edges.iter_mut().filter(|edge| edge.from == at) {
                    edge.from = onward;
                }
                let mut add = |from, to, stmt| proc.edges.push(Edge { from, to, stmt, span: goal.span });
                add(at, asked, ask.clone());
                add(asked, onward, goes_on.clone());
                edges.insert((goal.proc, add(asked, proc.error, ends.clone())), id);
            }
        }
        result.procs.iter_mut().for_each(|proc| proc.rebuild_adjacency());
        Instrumented { program: result, edges }
    }
}

pub struct Instrumented {
    pub program: Program,
    /// The edges that lead to the error, and which goal that means.
    pub edges: Map<(ProcId, EdgeId), GoalId>,
}

/// The program in which what was an error only ends the run.
fn without_errors(program: &Program) -> Program {
    let mut result = program.clone();
    for proc in result.procs.indices() {
        let error = result.procs[proc].error;
        let end = result.procs[proc].add_location(Span::default());
        for edge in result.procs[proc].edges.iter_mut().filter(|edge| edge.to == error) {
            edge.to = end;
        }
    }
    result
}

/// The variable that decides where a run ends.
fn guard(program: &mut Program, proc: ProcId) -> VarId {
    let var = program.vars.push(Var {
        name: "goal".into(),
        ty: Type::Bool,
        scope: Scope::Local(proc),
        span: Span::default(),
        origin: None,
    });
    program.procs[proc].locals.push(var);
    var
}

fn blocks(program: &Program, proc: ProcId, goals: &mut IndexVec<GoalId, Goal>) {
    let procedure = &program.procs[proc];
    for (location, data) in procedure.locations.enumerated() {
        let starts = location == procedure.entry
            || data.incoming.len() > 1
            || data.incoming.iter().any(|&edge| {
                let from = &procedure.locations[procedure.edges[edge].from];
                from.outgoing.len() > 1
            });
        // A block without a statement has nothing to reach.
        if starts && !data.outgoing.is_empty() && location != procedure.exit {
            let span = procedure.edges[data.outgoing[0]].span;
            goals.push(Goal { proc, span, place: vec![At::Location(location)] });
        }
    }
}

fn branches(program: &Program, proc: ProcId, goals: &mut IndexVec<GoalId, Goal>) {
    let procedure = &program.procs[proc];
    for location in procedure.locations.iter().filter(|location| location.outgoing.len() > 1) {
        for &edge in &location.outgoing {
            goals.push(Goal { proc, span: procedure.edges[edge].span, place: vec![At::Behind(edge)] });
        }
    }
}

fn lines(program: &Program, proc: ProcId, goals: &mut IndexVec<GoalId, Goal>) {
    let mut of_line: OrderedMap<(u32, u32), Goal> = OrderedMap::default();
    for (id, edge) in program.procs[proc].edges.enumerated() {
        if edge.span.line > 0 && edge.stmt != Stmt::Skip {
            let line = of_line.entry((edge.span.file, edge.span.line));
            let goal = line.or_insert_with(|| Goal { proc, span: edge.span, place: Vec::new() });
            goal.place.push(At::Behind(id));
        }
    }
    of_line.sort_keys();
    for (_, goal) in of_line {
        goals.push(goal);
    }
}
