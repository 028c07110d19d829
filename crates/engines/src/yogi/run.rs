//! Running tests, and what is recorded of them.

use super::forest::{TestRecord, read_cell};
use super::graph::{BlockId, Graph, PointId};
use craig_base::{Map, OrderedMap};
use craig_exec::{
    Detail, Executable, InputOracle, InputSite, Limits, Memory, Observer, Outcome, RandomOracle, Site,
    Source, StateView,
};
use craig_program::{Cell, EdgeId, LocId, Proc, Program, RegionId, ScalarCell, StateVar, Type, VarId};
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
    pub point: PointId,
    /// The block that led here.
    pub block: Option<BlockId>,
    /// Missing where a cell of memory had no value.
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
    pub inputs: Vec<(EdgeId, Option<i128>)>,
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
        graph: &Graph,
        seed: u64,
    ) -> Self {
        let needs_memory = graph
            .points
            .iter()
            .any(|point| point.state.iter().any(|(component, _)| matches!(component, StateVar::Region(_))));
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
    pub fn run(&mut self, graph: &Graph, plan: &Plan, budget: &craig_base::Budget) -> TestRun {
        let proc = &self.original.procs[self.original.entry];
        let mut recorder = Recorder {
            graph,
            proc,
            simplified: self.simplified,
            scalars: &self.scalars,
            needs_memory: self.needs_memory,
            max_states: self.max_states,
            steps: Vec::new(),
            path: Vec::new(),
            block: None,
            last: None,
            over: false,
        };
        let limits = Limits { steps: MAX_STEPS, budget: budget.clone(), ..Limits::default() };
        let mut statements = plan.inputs.iter();
        let mut values = plan.values.iter();
        let mut params = proc.params.iter();
        let random = &mut self.random;
        let (program, cells) = (self.original, &self.cells);
        let mut oracle = |at: &InputSite| -> Option<i128> {
            if let Some(&value) = values.next() {
                return Some(value);
            }
            let planned = match at.source {
                Source::Statement => match statements.next() {
                    Some(&(edge, value)) if edge == at.site.edge => value,
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
        let mut read = record.run.values(Source::Statement).into_iter();
        for step in &mut steps {
            let Some(block) = step.block else { continue };
            let count = graph.blocks[block].inputs.len();
            step.inputs = read.by_ref().take(count).collect();
        }
        for step in &mut steps {
            for (value, &(component, _)) in step.values.iter_mut().zip(&graph.points[step.point].state) {
                if let (None, StateVar::Var(var)) = (&value, component)
                    && let Some(cell) = self.scalars.get(&var)
                {
                    let ty = self.simplified.vars[var].ty;
                    let empty = Memory::new(self.original);
                    *value = Some(read_cell(self.original, &empty, &record.materialised, ty, cell.address));
                }
            }
        }
        TestRun { steps, record }
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

struct Recorder<'r> {
    graph: &'r Graph,
    proc: &'r Proc,
    simplified: &'r Program,
    scalars: &'r Map<VarId, ScalarCell>,
    needs_memory: bool,
    max_states: usize,
    steps: Vec<Step>,
    /// Edges since the last point.
    path: Vec<EdgeId>,
    block: Option<BlockId>,
    last: Option<EdgeId>,
    /// The run has left the graph, or enough is recorded.
    over: bool,
}

impl Recorder<'_> {
    /// The run is at a location, with the edges of `path` behind it.
    fn arrive(&mut self, location: LocId, state: &dyn StateView) {
        let Some(point) = self.graph.of_location[location] else {
            // Inside of a block, or outside of the graph.
            self.over |= self.block.is_none();
            return;
        };
        if let Some(block) = self.block
            && (self.graph.blocks[block].edges != self.path || self.graph.blocks[block].to != point)
        {
            self.over = true;
            return;
        }
        if self.block.is_none() && !self.steps.is_empty() || self.steps.len() >= self.max_states {
            self.over = true;
            return;
        }
        let values = self.graph.points[point]
            .state
            .iter()
            .map(|&(component, _)| match component {
                StateVar::Var(var) => match self.scalars.get(&var) {
                    Some(cell) => known_cell(self.simplified, var, cell, state),
                    None => state.value(var),
                },
                StateVar::Region(_) => Some(0),
            })
            .collect();
        let memory = if self.needs_memory { state.memory().cloned().map(Arc::new) } else { None };
        self.steps.push(Step { point, block: self.block.take(), values, memory, inputs: Vec::new() });
        self.path.clear();
    }
}

/// The cell that a variable stands for, if it has a value.
fn known_cell(program: &Program, var: VarId, cell: &ScalarCell, state: &dyn StateView) -> Option<i128> {
    let memory = state.memory()?;
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
        self.last = Some(site.edge);
        self.arrive(self.proc.edges[site.edge].from, state);
        if self.over {
            return;
        }
        if self.path.is_empty() {
            self.block = self.graph.of_edge.get(&site.edge).copied();
            self.over = self.block.is_none();
        }
        self.path.push(site.edge);
    }

    fn finished(&mut self, outcome: &Outcome, state: &dyn StateView) {
        if outcome.is_end() && !self.over {
            let location = self.last.map_or(self.proc.entry, |edge| self.proc.edges[edge].to);
            self.arrive(location, state);
        }
    }
}
