//! Running tests, and what is recorded of them.

use super::forest::{Link, TestRecord, read_cell};
use super::graph::{BlockId, PointId, Procedure, Procedures};
use craig_base::{Budget, Map, OrderedMap};
use craig_exec::{
    Detail, Executable, InputOracle, InputSite, Limits, Memory, Observer, Outcome, RandomOracle, Site,
    Source, StateView,
};
use craig_program::{
    Cell, EdgeId, LocId, ProcId, Program, RegionId, ScalarCell, Scope, StateVar, Stmt, Type, VarId,
};
use std::sync::Arc;

/// Statements after which a test is cut off; what it did until then is used.
const MAX_STEPS: u64 = 200_000;
/// States that are recorded of one test.
const MAX_STATES: usize = 20_000;
/// The same, where each state has a copy of the memory.
const MAX_STATES_WITH_MEMORY: usize = 2_000;

/// A state of a run at a program point.
#[derive(Clone, Debug)]
pub struct Step {
    pub proc: ProcId,
    pub point: PointId,
    /// From earlier steps, by their position.
    pub link: Link<usize>,
    /// Missing where nothing has a value yet.
    pub values: Vec<Option<i128>>,
    pub memory: Option<Arc<Memory>>,
    pub inputs: Vec<i128>,
}

#[derive(Clone, Debug)]
pub struct TestRun {
    pub steps: Vec<Step>,
    pub record: TestRecord,
}

/// What a test is told to do. Where it says nothing, inputs are random.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Inputs of statements in order.
    pub inputs: Vec<(ProcId, EdgeId, Option<i128>)>,
    pub initial: OrderedMap<StateVar, i128>,
    /// Cells of memory at the start.
    pub memory: Map<(RegionId, u64), i128>,
    /// For each region whose start matters, the value of all cells that `memory` does not mention.
    pub elsewhere: OrderedMap<RegionId, i128>,
    /// Bytes that an earlier test had.
    pub bytes: Map<u64, u8>,
    /// The values of all inputs in order, of whatever kind: a test from elsewhere.
    pub values: Vec<i128>,
    /// Inputs of statements that the plan does not mention are zero, not random.
    pub calm: bool,
}

/// Runs tests of the program as it was before simplification, and records states of the simplified one.
pub struct Tester<'a> {
    original: &'a Program,
    simplified: &'a Program,
    executable: Executable<'a>,
    random: RandomOracle,
    scalars: Map<VarId, ScalarCell>,
    cells: Map<(RegionId, u64), VarId>,
    needs_memory: bool,
    /// How many states of a test are recorded.
    pub max_states: usize,
}

impl<'a> Tester<'a> {
    pub fn new(
        original: &'a Program,
        simplified: &'a Program,
        scalars: &[ScalarCell],
        procedures: &Procedures,
        seed: u64,
    ) -> Self {
        let points = procedures.iter().flatten().flat_map(|procedure| &procedure.graph.points);
        let needs_memory = points
            .flat_map(|point| &point.state)
            .any(|(component, _)| matches!(component, StateVar::Region(_)));
        Tester {
            original,
            simplified,
            executable: Executable::new(original, Detail::Edges),
            random: RandomOracle::new(original, seed),
            scalars: scalars.iter().map(|cell| (cell.var, *cell)).collect(),
            cells: scalars.iter().map(|cell| ((cell.region, cell.address), cell.var)).collect(),
            needs_memory,
            max_states: if needs_memory { MAX_STATES_WITH_MEMORY } else { MAX_STATES },
        }
    }

    /// Runs one test to its end, or until it is cut off.
    pub fn run(&mut self, procedures: &Procedures, plan: &Plan, budget: &Budget) -> TestRun {
        let entry = self.original.entry;
        let mut recorder = Recorder {
            original: self.original,
            simplified: self.simplified,
            procedures,
            scalars: &self.scalars,
            needs_memory: self.needs_memory,
            max_states: self.max_states,
            steps: Vec::new(),
            frames: vec![Frame::new(entry, None)],
            called: false,
            over: false,
        };
        let limits = Limits { steps: MAX_STEPS, budget: budget.clone(), ..Limits::default() };
        let mut statements = plan.inputs.iter();
        let mut values = plan.values.iter();
        let mut params = self.original.procs[entry].params.iter();
        let random = &mut self.random;
        let (program, cells) = (self.original, &self.cells);
        let mut oracle = |at: &InputSite| -> Option<i128> {
            if let Some(&value) = values.next() {
                return Some(value);
            }
            let planned = match at.source {
                Source::Statement => match statements.next() {
                    Some(&(proc, edge, value)) if (proc, edge) == (at.site.proc, at.site.edge) => value,
                    // The run has left the planned path: the rest of the plan means nothing.
                    Some(_) => {
                        statements = [].iter();
                        None
                    }
                    None => None,
                },
                Source::Argument => {
                    params.next().and_then(|&var| plan.initial.get(&StateVar::Var(var)).copied())
                }
                Source::Memory { region, address } => plan.cell(program, cells, region, at.ty, address),
                Source::Local => Some(0),
                Source::Choice { .. } => None,
            };
            let calm = plan.calm && matches!(at.source, Source::Statement);
            planned.or_else(|| if calm { Some(0) } else { random.next(at) })
        };
        let run = self.executable.observe(&mut oracle, &limits, &mut recorder);
        let mut steps = recorder.steps;
        let record = TestRecord::new(self.original, run);
        self.complete(procedures, &mut steps, &record);
        TestRun { steps, record }
    }

    /// Adds what is known only when the run is over: inputs, and cells that were read later.
    fn complete(&self, procedures: &Procedures, steps: &mut [Step], record: &TestRecord) {
        let mut read = record.run.values(Source::Statement).into_iter();
        let empty = Memory::new(self.original);
        for step in steps {
            let Some(procedure) = &procedures[step.proc] else { continue };
            if let Link::Block(_, block) = step.link {
                let count = procedure.graph.blocks[block].inputs.len();
                step.inputs = read.by_ref().take(count).collect();
            }
            let state = &procedure.graph.points[step.point].state;
            for (value, &(component, _)) in step.values.iter_mut().zip(state) {
                if let (None, StateVar::Var(var)) = (&value, component)
                    && let Some(cell) = self.scalars.get(&var)
                {
                    let ty = self.simplified.vars[var].ty;
                    *value = Some(read_cell(self.original, &empty, &record.materialised, ty, cell.address));
                }
            }
        }
    }
}

impl Plan {
    fn cell(
        &self,
        program: &Program,
        cells: &Map<(RegionId, u64), VarId>,
        region: RegionId,
        ty: Type,
        address: u64,
    ) -> Option<i128> {
        if let Some(var) = cells.get(&(region, address))
            && let Some(&value) = self.initial.get(&StateVar::Var(*var))
        {
            return Some(value);
        }
        let planned = |address: u64| {
            let cell = self.memory.get(&(region, address)).copied();
            cell.or_else(|| self.elsewhere.get(&region).copied())
        };
        let bytes = match program.regions[region].cell {
            Cell::Scalar(_) => match planned(address) {
                Some(value) => return Some(value),
                None => false,
            },
            Cell::Bytes => true,
        };
        let mut value = 0i128;
        for i in (0..u64::from(program.size_of(ty))).rev() {
            let at = address.wrapping_add(i);
            let byte = planned(at).filter(|_| bytes).or_else(|| self.bytes.get(&at).map(|&b| i128::from(b)));
            value = value << 8 | (byte? & 0xff);
        }
        Some(value)
    }
}

/// An active call.
struct Frame {
    proc: ProcId,
    /// The state before the call, and its block.
    called: Option<(usize, BlockId)>,
    last: Option<usize>,
    /// Edges since the last point.
    path: Vec<EdgeId>,
    block: Option<BlockId>,
    /// The values at the entry of what every state repeats.
    kept: Vec<Option<i128>>,
}

impl Frame {
    fn new(proc: ProcId, called: Option<(usize, BlockId)>) -> Self {
        Frame { proc, called, last: None, path: Vec::new(), block: None, kept: Vec::new() }
    }
}

struct Recorder<'r> {
    original: &'r Program,
    simplified: &'r Program,
    procedures: &'r Procedures,
    scalars: &'r Map<VarId, ScalarCell>,
    needs_memory: bool,
    max_states: usize,
    steps: Vec<Step>,
    /// Innermost last.
    frames: Vec<Frame>,
    /// The last edge was a call, whose callee has not done anything yet.
    called: bool,
    /// The run has left the graph, or enough is recorded.
    over: bool,
}

impl<'r> Recorder<'r> {
    fn procedure(&self, proc: ProcId) -> Option<&'r Procedure> {
        self.procedures[proc].as_ref()
    }

    /// The innermost call is at a location; `returned` is how it came there if not by its own edges.
    fn arrive(
        &mut self,
        location: LocId,
        returned: Option<Link<usize>>,
        value: impl Fn(VarId) -> Option<i128>,
        memory: Option<&Memory>,
    ) {
        let Some(frame) = self.frames.last() else { return };
        let Some(procedure) = self.procedure(frame.proc) else {
            self.over = true;
            return;
        };
        let Some(point) = procedure.graph.of_location[location] else {
            // Inside of a block, or outside of the graph.
            self.over |= frame.block.is_none();
            return;
        };
        // The state after a call is there already.
        if let (None, None, Some(last)) = (returned, frame.block, frame.last)
            && self.steps[last].point == point
        {
            return;
        }
        let link = returned.or_else(|| self.link(procedure, frame, point));
        let Some(link) = link.filter(|_| self.steps.len() < self.max_states) else {
            self.over = true;
            return;
        };
        let at = &procedure.graph.points[point];
        let component = |&(component, _): &(StateVar, _)| match component {
            StateVar::Var(var) => match self.scalars.get(&var) {
                Some(cell) => known_cell(self.simplified, var, cell, memory),
                None => value(var),
            },
            StateVar::Region(_) => Some(0),
        };
        let mut values: Vec<Option<i128>> = at.state[..at.live].iter().map(component).collect();
        let kept: Vec<Option<i128>> = match frame.last {
            Some(_) => frame.kept.clone(),
            None => at.state[at.live..].iter().map(component).collect(),
        };
        values.extend(&kept[..at.state.len() - at.live]);
        let memory = if self.needs_memory { memory.cloned().map(Arc::new) } else { None };
        let proc = frame.proc;
        self.steps.push(Step { proc, point, link, values, memory, inputs: Vec::new() });
        let last = Some(self.steps.len() - 1);
        if let Some(frame) = self.frames.last_mut() {
            (frame.last, frame.block, frame.kept) = (last, None, kept);
            frame.path.clear();
        }
    }

    /// How the innermost call has come to a point by its own edges.
    fn link(&self, procedure: &Procedure, frame: &Frame, point: PointId) -> Option<Link<usize>> {
        match (frame.block, frame.last) {
            (Some(block), Some(last)) => {
                let code = &procedure.graph.blocks[block];
                (code.edges == frame.path && code.to == point).then_some(Link::Block(last, block))
            }
            (None, None) => Some(match frame.called {
                Some((caller, block)) => Link::Enter(caller, block),
                None => Link::Start,
            }),
            _ => None,
        }
    }

    /// The callee of the call that was made last.
    fn enter(&mut self, callee: ProcId) {
        let Some(frame) = self.frames.last() else { return };
        let edge = frame.path.last().copied();
        let block = self.procedure(frame.proc).and_then(|caller| caller.graph.of_edge.get(&edge?).copied());
        match frame.last.zip(block) {
            Some(called) => self.frames.push(Frame::new(callee, Some(called))),
            None => self.over = true,
        }
    }
}

/// The cell that a variable stands for, if it has a value.
fn known_cell(program: &Program, var: VarId, cell: &ScalarCell, memory: Option<&Memory>) -> Option<i128> {
    let memory = memory?;
    let ty = program.vars[var].ty;
    let object = memory.object_at(cell.address)?;
    for i in 0..u64::from(program.size_of(ty)) {
        object.byte(cell.address + i - object.address)?;
    }
    Some(read_cell(program, memory, &Map::default(), ty, cell.address))
}

impl Observer for Recorder<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        if self.over {
            return;
        }
        if std::mem::take(&mut self.called) {
            self.enter(site.proc);
        }
        let edge = &self.original.procs[site.proc].edges[site.edge];
        self.arrive(edge.from, None, |var| state.value(var), state.memory());
        if self.over {
            return;
        }
        let block = self.procedure(site.proc).and_then(|p| p.graph.of_edge.get(&site.edge).copied());
        let Some(frame) = self.frames.last_mut() else { return };
        if matches!(edge.stmt, Stmt::Call { .. }) {
            frame.path = vec![site.edge];
            self.called = true;
            return;
        }
        // Each of the conditions that a block begins with may lead to another block.
        frame.block = block.or(frame.block);
        let code =
            self.procedures[site.proc].as_ref().zip(frame.block).map(|(p, block)| &p.graph.blocks[block]);
        self.over = code.is_none_or(|code| code.edges.get(frame.path.len()) != Some(&site.edge));
        frame.path.push(site.edge);
    }

    fn returned(&mut self, site: Site, state: &dyn StateView) {
        if self.over || std::mem::take(&mut self.called) {
            self.over = true;
            return;
        }
        let edge = &self.original.procs[site.proc].edges[site.edge];
        let Stmt::Call { callee, .. } = edge.stmt else { return };
        let body = &self.original.procs[callee];
        let at_exit = |var: VarId| match () {
            () if Some(var) == body.result => state.returned(),
            () if matches!(self.original.vars[var].scope, Scope::Global { .. }) => state.value(var),
            () => None,
        };
        self.arrive(body.exit, None, at_exit, state.memory());
        let Some(frame) = self.frames.pop() else { return };
        let link = match (frame.called, frame.last) {
            (Some((caller, block)), Some(exit)) if !self.over => Link::Return { exit, caller, block },
            _ => {
                self.over = true;
                return;
            }
        };
        if let Some(caller) = self.frames.last_mut() {
            caller.path.clear();
        }
        self.arrive(edge.to, Some(link), |var| state.value(var), state.memory());
    }

    fn finished(&mut self, outcome: &Outcome, state: &dyn StateView) {
        if !outcome.is_end() || self.over || self.called {
            return;
        }
        let Some(frame) = self.frames.last() else { return };
        let body = &self.original.procs[frame.proc];
        let location = frame.path.last().map_or(body.entry, |&edge| body.edges[edge].to);
        if frame.block.is_some() || frame.last.is_none() {
            self.arrive(location, None, |var| state.value(var), state.memory());
        }
    }
}
