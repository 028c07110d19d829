//! The states that tests visit, in all calls: one forest for each procedure, linked where calls begin
//! and end, so that every state knows the whole way to it from the start of the program
//! (`GetWholeAbstractTrace`).

use super::graph::{Procedure, Procedures};
use crate::path::reached_error;
use crate::yogi::forest::{NodeId, TestId, TestRecord, read_cell, state_model};
use crate::yogi::graph::{BlockId, PointId};
use crate::yogi::symbolic::Symbolic;
use craig_base::{IndexVec, Map};
use craig_exec::{
    Detail, Executable, InputOracle, InputSite, Limits, Memory, Observer, Outcome, RandomOracle, Run, Site,
    Source, StateView,
};
use craig_program::{Cell, EdgeId, LocId, ProcId, Program, Scope, StateVar, Stmt, Type, VarId};
use craig_term::{EvalError, TermId, Terms};
use std::sync::Arc;

/// Statements after which a test is cut off.
const MAX_STEPS: u64 = 50_000;
/// States that are recorded of one test.
const MAX_STATES: usize = 20_000;
/// The same, where each state has a copy of the memory.
const MAX_STATES_WITH_MEMORY: usize = 1_500;

/// How a state was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Link {
    Start,
    Block(NodeId, BlockId),
    /// By the call that the block stands for, from the state before it.
    Enter(NodeId, BlockId),
    /// Behind the call: the last state of the callee, the state before the call, and its block.
    Return {
        exit: NodeId,
        caller: NodeId,
        block: BlockId,
    },
}

#[derive(Clone, Debug)]
pub struct Node {
    pub proc: ProcId,
    pub point: PointId,
    pub link: Link,
    /// The state in which the procedure was called.
    pub caller: Option<NodeId>,
    /// The first state of this call of the procedure.
    pub entry: NodeId,
    pub test: TestId,
    pub depth: usize,
    pub values: Vec<i128>,
    pub memory: Option<Arc<Memory>>,
    /// The inputs that the block before consumed.
    pub inputs: Vec<i128>,
    pub symbolic: Option<Symbolic>,
}

#[derive(Default)]
pub struct Forest {
    pub nodes: IndexVec<NodeId, Node>,
    pub tests: IndexVec<TestId, TestRecord>,
    known: Map<(ProcId, PointId, Option<NodeId>, Vec<i128>), NodeId>,
    /// The test that reached the error.
    pub failed: Option<TestId>,
}

/// What a test is told to do. Where it says nothing, inputs are random.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Inputs of statements in order.
    pub inputs: Vec<(ProcId, EdgeId, Option<i128>)>,
    pub arguments: Vec<Option<i128>>,
    pub bytes: Map<u64, u8>,
    /// All inputs in order: a test from elsewhere.
    pub values: Vec<i128>,
    /// Inputs that the plan does not mention are zero, not random.
    pub calm: bool,
}

pub struct Tester<'a> {
    program: &'a Program,
    executable: Executable<'a>,
    random: RandomOracle,
    needs_memory: bool,
}

impl<'a> Tester<'a> {
    pub fn new(program: &'a Program, procedures: &Procedures, seed: u64) -> Self {
        let needs_memory = procedures.iter().flatten().any(|procedure| {
            let mut components = procedure.graph.points.iter().flat_map(|point| &point.state);
            components.any(|(component, _)| matches!(component, StateVar::Region(_)))
        });
        Tester {
            program,
            executable: Executable::new(program, Detail::Edges),
            random: RandomOracle::new(program, seed),
            needs_memory,
        }
    }

    /// Runs one test, and adds its states to the forest.
    pub fn run(
        &mut self,
        procedures: &Procedures,
        forest: &mut Forest,
        plan: &Plan,
        budget: &craig_base::Budget,
    ) {
        let program = self.program;
        let mut recorder = Recorder {
            program,
            procedures,
            needs_memory: self.needs_memory,
            steps: Vec::new(),
            frames: vec![Frame::new(program.entry, None)],
            called: false,
            over: false,
        };
        let limits = Limits { steps: MAX_STEPS, budget: budget.clone(), ..Limits::default() };
        let (mut statements, mut values) = (plan.inputs.iter(), plan.values.iter());
        let mut arguments = plan.arguments.iter();
        let random = &mut self.random;
        let mut oracle = |at: &InputSite| -> Option<i128> {
            if let Some(&value) = values.next() {
                return Some(value);
            }
            let planned = match at.source {
                Source::Statement => match statements.next() {
                    Some(&(proc, edge, value)) if (proc, edge) == (at.site.proc, at.site.edge) => value,
                    Some(_) => {
                        statements = [].iter();
                        None
                    }
                    None => None,
                },
                Source::Argument => arguments.next().copied().flatten(),
                Source::Memory { address, .. } => {
                    let byte = |i: u64| plan.bytes.get(&address.wrapping_add(i)).map(|&b| i128::from(b));
                    let size = u64::from(program.size_of(at.ty));
                    (0..size).rev().try_fold(0i128, |value, i| Some(value << 8 | byte(i)?))
                }
                Source::Local => Some(0),
                Source::Choice { .. } => None,
            };
            let calm = plan.calm && matches!(at.source, Source::Statement);
            planned.or_else(|| if calm { Some(0) } else { random.next(at) })
        };
        let run = self.executable.observe(&mut oracle, &limits, &mut recorder);
        let steps = recorder.steps;
        forest.add(procedures, program, steps, run);
    }
}

/// A state of a run; links are positions in the list of states.
struct Step {
    proc: ProcId,
    point: PointId,
    link: StepLink,
    values: Vec<i128>,
    memory: Option<Arc<Memory>>,
}

#[derive(Clone, Copy)]
enum StepLink {
    Start,
    Block(usize, BlockId),
    Enter(usize, BlockId),
    Return { exit: usize, caller: usize, block: BlockId },
}

/// An active call.
struct Frame {
    proc: ProcId,
    /// The state before the call, and its block.
    called: Option<(usize, BlockId)>,
    last: Option<usize>,
    path: Vec<EdgeId>,
    block: Option<BlockId>,
    rigid: Vec<i128>,
}

impl Frame {
    fn new(proc: ProcId, called: Option<(usize, BlockId)>) -> Self {
        Frame { proc, called, last: None, path: Vec::new(), block: None, rigid: Vec::new() }
    }
}

struct Recorder<'r> {
    program: &'r Program,
    procedures: &'r Procedures,
    needs_memory: bool,
    steps: Vec<Step>,
    frames: Vec<Frame>,
    /// The last edge was a call, whose callee has not done anything yet.
    called: bool,
    /// What follows is not recorded.
    over: bool,
}

impl Recorder<'_> {
    fn procedure(&self, proc: ProcId) -> Option<&Procedure> {
        self.procedures[proc].as_ref()
    }

    /// The innermost call is at a location; `returned` is how it came there if not by its own edges.
    fn arrive(
        &mut self,
        location: LocId,
        returned: Option<StepLink>,
        value: impl Fn(VarId) -> Option<i128>,
        memory: Option<&Memory>,
    ) {
        let Some(frame) = self.frames.last() else { return };
        let Some(procedure) = self.procedure(frame.proc) else {
            self.over = true;
            return;
        };
        let Some(point) = procedure.graph.of_location[location] else {
            self.over |= frame.block.is_none();
            return;
        };
        let link = match (returned, frame.block, frame.last) {
            (Some(link), _, _) => link,
            (None, Some(block), Some(last)) => {
                let code = &procedure.graph.blocks[block];
                if code.edges != frame.path || code.to != point {
                    self.over = true;
                    return;
                }
                StepLink::Block(last, block)
            }
            (None, None, None) => match frame.called {
                Some((caller, block)) => StepLink::Enter(caller, block),
                None => StepLink::Start,
            },
            // The state behind a call is there already.
            (None, None, Some(last)) if self.steps[last].point == point => return,
            _ => {
                self.over = true;
                return;
            }
        };
        let limit = if self.needs_memory { MAX_STATES_WITH_MEMORY } else { MAX_STATES };
        if self.steps.len() >= limit {
            self.over = true;
            return;
        }
        let state = &procedure.graph.points[point].state;
        let own = state.len() - if state.len() >= procedure.rigid.len() { procedure.rigid.len() } else { 0 };
        let is_error = Some(point) == procedure.graph.error;
        let own = if is_error { state.len() } else { own };
        let mut values = Vec::with_capacity(state.len());
        for &(component, _) in &state[..own] {
            values.push(match component {
                StateVar::Var(var) => match value(var) {
                    Some(value) => value,
                    None => {
                        self.over = true;
                        return;
                    }
                },
                StateVar::Region(_) => 0,
            });
        }
        let rigid: Vec<i128> = match frame.last {
            Some(_) => frame.rigid.clone(),
            None => procedure.rigid.iter().map(|&(var, _)| value(var).unwrap_or(0)).collect(),
        };
        if !is_error {
            values.extend(&rigid);
        }
        let memory = if self.needs_memory { memory.cloned().map(Arc::new) } else { None };
        let proc = frame.proc;
        self.steps.push(Step { proc, point, link, values, memory });
        let last = Some(self.steps.len() - 1);
        if let Some(frame) = self.frames.last_mut() {
            (frame.last, frame.block, frame.rigid) = (last, None, rigid);
            frame.path.clear();
        }
    }

    /// The callee of the call that was made last.
    fn enter(&mut self, callee: ProcId) {
        let Some(frame) = self.frames.last() else { return };
        let edge = frame.path.last().copied();
        let block = self.procedure(frame.proc).and_then(|caller| {
            let edge = edge?;
            let failing = caller.calls.iter().find(|(_, call)| call.edge == edge).map(|(&id, _)| id);
            caller.returning.get(&edge).copied().or(failing)
        });
        match frame.last.zip(block) {
            Some(called) => self.frames.push(Frame::new(callee, Some(called))),
            None => self.over = true,
        }
    }
}

impl Observer for Recorder<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        if self.over {
            return;
        }
        if std::mem::take(&mut self.called) {
            self.enter(site.proc);
        }
        let edge = &self.program.procs[site.proc].edges[site.edge];
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
        if frame.path.is_empty() {
            frame.block = block;
            self.over = block.is_none();
        }
        frame.path.push(site.edge);
    }

    fn returned(&mut self, site: Site, state: &dyn StateView) {
        if self.over || std::mem::take(&mut self.called) {
            self.over = true;
            return;
        }
        let edge = &self.program.procs[site.proc].edges[site.edge];
        let Stmt::Call { callee, .. } = edge.stmt else { return };
        let body = &self.program.procs[callee];
        let at_exit = |var: VarId| match () {
            () if Some(var) == body.result => state.returned(),
            () if matches!(self.program.vars[var].scope, Scope::Global { .. }) => state.value(var),
            () => None,
        };
        self.arrive(body.exit, None, at_exit, state.memory());
        let Some(frame) = self.frames.pop() else { return };
        let link = match (frame.called, frame.last) {
            (Some((caller, block)), Some(exit)) if !self.over => StepLink::Return { exit, caller, block },
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
        let body = &self.program.procs[frame.proc];
        let location = frame.path.last().map_or(body.entry, |&edge| body.edges[edge].to);
        if frame.block.is_some() || frame.last.is_none() {
            self.arrive(location, None, |var| state.value(var), state.memory());
        }
    }
}

impl Forest {
    /// `AddTestToForest`.
    fn add(&mut self, procedures: &Procedures, program: &Program, steps: Vec<Step>, run: Run) {
        let mut read = run.values(Source::Statement).into_iter();
        let failed = reached_error(&run);
        let test = self.tests.push(TestRecord::new(program, run));
        if failed && self.failed.is_none() {
            self.failed = Some(test);
        }
        let mut nodes: Vec<NodeId> = Vec::new();
        for step in steps {
            let (link, caller, depth) = match step.link {
                StepLink::Start => (Link::Start, None, 0),
                StepLink::Block(last, block) => {
                    let last = nodes[last];
                    (Link::Block(last, block), self.nodes[last].caller, self.nodes[last].depth + 1)
                }
                StepLink::Enter(caller, block) => {
                    let caller = nodes[caller];
                    (Link::Enter(caller, block), Some(caller), self.nodes[caller].depth + 1)
                }
                StepLink::Return { exit, caller, block } => {
                    let (exit, caller) = (nodes[exit], nodes[caller]);
                    let depth = self.nodes[exit].depth + 1;
                    (Link::Return { exit, caller, block }, self.nodes[caller].caller, depth)
                }
            };
            let inputs: Vec<i128> = match link {
                Link::Block(_, block) => {
                    let blocks = procedures[step.proc].as_ref().map(|p| &p.graph.blocks);
                    let count = blocks.map_or(0, |blocks| blocks[block].inputs.len());
                    read.by_ref().take(count).collect()
                }
                _ => Vec::new(),
            };
            let key = (step.proc, step.point, caller, step.values.clone());
            if step.memory.is_none()
                && let Some(&known) = self.known.get(&key)
            {
                nodes.push(known);
                continue;
            }
            let id = self.nodes.next_index();
            let entry = match link {
                Link::Start | Link::Enter(..) => id,
                Link::Block(last, _) => self.nodes[last].entry,
                Link::Return { caller, .. } => self.nodes[caller].entry,
            };
            if step.memory.is_none() {
                self.known.insert(key, id);
            }
            let Step { proc, point, values, memory, .. } = step;
            self.nodes.push(Node {
                proc,
                point,
                link,
                caller,
                entry,
                test,
                depth,
                values,
                memory,
                inputs,
                symbolic: None,
            });
            nodes.push(id);
        }
    }

    /// The states from the start of the program to the node, with those inside of the calls between.
    pub fn whole_path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = vec![node];
        let mut at = node;
        while let Some(before) = self.before(at) {
            path.push(before);
            at = before;
        }
        path.reverse();
        path
    }

    pub fn before(&self, node: NodeId) -> Option<NodeId> {
        match self.nodes[node].link {
            Link::Start => None,
            Link::Block(last, _) => Some(last),
            Link::Enter(caller, _) => Some(caller),
            Link::Return { exit, .. } => Some(exit),
        }
    }

    /// Whether a formula over the constants of the node's point holds in its state.
    pub fn holds(
        &self,
        tm: &Terms,
        program: &Program,
        procedures: &Procedures,
        node: NodeId,
        formula: TermId,
    ) -> Result<bool, EvalError> {
        if tm.is_true(formula) || tm.is_false(formula) {
            return Ok(tm.is_true(formula));
        }
        let state = &self.nodes[node];
        let Some(procedure) = &procedures[state.proc] else { return Ok(false) };
        let components = procedure.graph.points[state.point].state.iter().zip(state.values.iter().copied());
        let components = components.map(|(&(component, constant), value)| (component, constant, value));
        let model = state_model(tm, program, components, formula, |region, address| {
            let ty = match program.regions[region].cell {
                Cell::Scalar(ty) => ty,
                Cell::Bytes => Type::Int(craig_program::IntType::U8),
            };
            let materialised = &self.tests[state.test].materialised;
            state.memory.as_ref().map_or(0, |memory| read_cell(program, memory, materialised, ty, address))
        })?;
        tm.eval_bool(formula, &model)
    }
}
