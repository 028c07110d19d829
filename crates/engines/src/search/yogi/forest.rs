//! The states that tests have visited, and the value of formulas in them.
//!
//! The states of all calls are here, linked where calls begin and end, so that every state knows the whole
//! way to it from the start of the program (`GetWholeAbstractTrace`).

use super::graph::{BlockId, Graph, PointId, Procedures};
use super::run::{Step, TestRun};
use super::symbolic::Symbolic;
use crate::path::reached_error;
use craig_base::{IndexVec, Map, Set, index_type};
use craig_exec::{Memory, Run, Source};
use craig_num::Int;
use craig_program::{Cell, IntType, ProcId, Program, RegionId as MemoryRegionId, StateVar, Type};
use craig_term::{ArrayValue, EvalError, Model, Op, TermId, Terms, Value};
use std::sync::Arc;

index_type!(
    /// A concrete state in the forest.
    pub NodeId, "n"
);
index_type!(
    /// A test that was run.
    pub TestId, "t"
);

/// How a state was reached, from states of which `I` are the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Link<I> {
    Start,
    Block(I, BlockId),
    /// By the call that the block stands for, from the state before it.
    Enter(I, BlockId),
    /// Behind the call: the last state of the callee, the state before the call, and its block.
    Return {
        exit: I,
        caller: I,
        block: BlockId,
    },
}

impl<I: Copy> Link<I> {
    /// The state before, in the callee if a call has returned.
    pub fn before(self) -> Option<I> {
        match self {
            Link::Start => None,
            Link::Block(last, _) | Link::Enter(last, _) | Link::Return { exit: last, .. } => Some(last),
        }
    }

    fn map<J>(self, number: impl Fn(I) -> J) -> Link<J> {
        match self {
            Link::Start => Link::Start,
            Link::Block(last, block) => Link::Block(number(last), block),
            Link::Enter(caller, block) => Link::Enter(number(caller), block),
            Link::Return { exit, caller, block } => {
                Link::Return { exit: number(exit), caller: number(caller), block }
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Node {
    pub proc: ProcId,
    pub point: PointId,
    pub link: Link<NodeId>,
    /// The state in which the procedure was called.
    caller: Option<NodeId>,
    /// The first state of this call of the procedure.
    pub entry: NodeId,
    pub test: TestId,
    /// How many states lie between the start and here.
    pub depth: usize,
    /// The values of the point's state; of no meaning for memory regions.
    pub values: Vec<i128>,
    pub memory: Option<Arc<Memory>>,
    /// The inputs that the block before consumed.
    pub inputs: Vec<i128>,
    /// Computed when a frontier first needs it.
    pub symbolic: Option<Symbolic>,
}

/// A test and what is common to its states.
#[derive(Clone, Debug)]
pub struct TestRecord {
    pub arguments: Vec<i128>,
    /// Bytes that had no value until they were read.
    pub materialised: Map<u64, u8>,
    pub run: Run,
}

impl TestRecord {
    pub fn new(program: &Program, run: Run) -> Self {
        TestRecord { arguments: run.values(Source::Argument), materialised: run.materialised(program), run }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Forest {
    pub nodes: IndexVec<NodeId, Node>,
    pub tests: IndexVec<TestId, TestRecord>,
    /// The first test that reached the error.
    pub failed: Option<TestId>,
    /// States without memory, to find those that come again.
    known: Map<(ProcId, PointId, Option<NodeId>, Vec<i128>), NodeId>,
}

impl Forest {
    /// `AddTestToForest`. A state that is in the forest already stays where it is, with its own
    /// predecessor.
    pub fn add(&mut self, run: TestRun) {
        let TestRun { steps, record } = run;
        let failed = reached_error(&record.run);
        let test = self.tests.push(record);
        if failed {
            self.failed.get_or_insert(test);
        }
        let mut nodes: Vec<NodeId> = Vec::new();
        for step in steps {
            let link = step.link.map(|position| nodes[position]);
            nodes.push(self.push(test, link, step));
        }
    }

    /// Adds one state of the run: the first, or the one after `parent` and its block, if the run
    /// went there.
    pub fn add_step(&mut self, graph: &Graph, run: TestRun, parent: Option<(NodeId, BlockId)>) -> bool {
        let TestRun { steps, record } = run;
        let position = parent.map_or(0, |(node, _)| self.nodes[node].depth + 1);
        let Some(step) = steps.into_iter().nth(position) else { return false };
        let link = match (step.link, parent) {
            (Link::Start, None) => Link::Start,
            (Link::Block(_, block), Some((node, asked))) if block == asked => Link::Block(node, block),
            _ => return false,
        };
        let failed = Some(step.point) == graph.error && reached_error(&record.run);
        let test = self.tests.push(record);
        if failed {
            self.failed.get_or_insert(test);
        }
        self.push(test, link, step);
        true
    }

    fn push(&mut self, test: TestId, link: Link<NodeId>, step: Step) -> NodeId {
        let Step { proc, point, values, memory, inputs, .. } = step;
        let caller = match link {
            Link::Start => None,
            Link::Block(last, _) => self.nodes[last].caller,
            Link::Enter(caller, _) => Some(caller),
            Link::Return { caller, .. } => self.nodes[caller].caller,
        };
        let values: Vec<i128> = values.into_iter().map(|value| value.unwrap_or(0)).collect();
        let id = self.nodes.next_index();
        if memory.is_none() {
            let known = *self.known.entry((proc, point, caller, values.clone())).or_insert(id);
            if known != id {
                return known;
            }
        }
        let entry = match link {
            Link::Start | Link::Enter(..) => id,
            Link::Block(last, _) => self.nodes[last].entry,
            Link::Return { caller, .. } => self.nodes[caller].entry,
        };
        let depth = link.before().map_or(0, |before| self.nodes[before].depth + 1);
        let symbolic = None;
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
            symbolic,
        })
    }

    /// The states from the start of the test to `node`, with those inside of the calls between.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = vec![node];
        let mut at = node;
        while let Some(before) = self.nodes[at].link.before() {
            path.push(before);
            at = before;
        }
        path.reverse();
        path
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
        let model = self.model(tm, program, procedures, node, formula)?;
        tm.eval_bool(formula, &model)
    }

    /// The state as a model of the constants in `formula`. Of memory, only the cells that the formula
    /// reads.
    pub fn model(
        &self,
        tm: &Terms,
        program: &Program,
        procedures: &Procedures,
        node: NodeId,
        formula: TermId,
    ) -> Result<Model, EvalError> {
        let state = &self.nodes[node];
        let Some(procedure) = &procedures[state.proc] else { return Ok(Model::new()) };
        let point = &procedure.graph.points[state.point];
        let components = point.state.iter().zip(state.values.iter().copied());
        let components = components.map(|(&(component, constant), value)| (component, constant, value));
        state_model(tm, program, components, formula, |constant, region, address| {
            let is_live = point.state[..point.live].iter().any(|&(_, live)| live == constant);
            self.cell(program, if is_live { node } else { state.entry }, region, address)
        })
    }

    /// A cell of memory as formulas see it.
    fn cell(&self, program: &Program, node: NodeId, region: MemoryRegionId, address: u64) -> i128 {
        let state = &self.nodes[node];
        let ty = match program.regions[region].cell {
            Cell::Scalar(ty) => ty,
            Cell::Bytes => Type::Int(IntType::U8),
        };
        let materialised = &self.tests[state.test].materialised;
        match &state.memory {
            Some(memory) => read_cell(program, memory, materialised, ty, address),
            None => 0,
        }
    }
}

/// A state as a model of the constants in `formula`: its components with their constants and values, and
/// a function that gives the cells of memory for which a constant stands.
fn state_model(
    tm: &Terms,
    program: &Program,
    components: impl Iterator<Item = (StateVar, TermId, i128)>,
    formula: TermId,
    cell: impl Fn(TermId, MemoryRegionId, u64) -> i128,
) -> Result<Model, EvalError> {
    let mut model = Model::new();
    let mut arrays: Map<TermId, MemoryRegionId> = Map::default();
    let order = tm.postorder(&[formula]);
    let mentioned: Set<TermId> =
        order.iter().copied().filter(|&term| matches!(tm.op(term), Op::Const(_))).collect();
    for (component, constant, value) in components {
        match component {
            _ if !mentioned.contains(&constant) => {}
            StateVar::Var(var) => model.set(constant, to_value(program.vars[var].ty, value)),
            StateVar::Region(region) => {
                arrays.insert(constant, region);
            }
        }
    }
    if arrays.is_empty() {
        return Ok(model);
    }
    let mut contents: Map<TermId, ArrayValue> =
        arrays.keys().map(|&constant| (constant, ArrayValue::new(Value::Int(Int::from(0))))).collect();
    // An index is evaluated when all the cells that it depends on are known.
    for &term in order.iter().filter(|&&term| tm.op(term) == Op::Select) {
        let index = tm.eval(tm.arg(term, 1), &model)?;
        let Value::Int(address) = &index else { continue };
        let Some(address) = address.to_i128().and_then(|address| u64::try_from(address).ok()) else {
            continue;
        };
        for base in bases(tm, tm.arg(term, 0)) {
            let Some(&region) = arrays.get(&base) else { continue };
            let value = cell(base, region, address);
            if let Some(array) = contents.get_mut(&base) {
                array.store(index.clone(), Value::Int(Int::from(value)));
                model.set(base, Value::Array(Arc::new(array.clone())));
            }
        }
    }
    Ok(model)
}

/// The value of a type in memory; bytes without a value are those that the run asked for later, or
/// zero.
pub fn read_cell(
    program: &Program,
    memory: &Memory,
    materialised: &Map<u64, u8>,
    ty: Type,
    address: u64,
) -> i128 {
    let mut bits = 0u128;
    for i in (0..u64::from(program.size_of(ty))).rev() {
        let at = address.wrapping_add(i);
        let known = memory.object_at(at).and_then(|object| object.byte(at - object.address));
        let byte = known.or_else(|| materialised.get(&at).copied()).unwrap_or(0);
        bits = bits << 8 | u128::from(byte);
    }
    match ty {
        Type::Int(int) => int.wrap(bits as i128),
        _ => bits as i128,
    }
}

/// A number of a run as a value of formulas.
pub fn to_value(ty: Type, value: i128) -> Value {
    match ty {
        Type::Bool => Value::Bool(value != 0),
        Type::Int(IntType { bits: 128, signed: false }) if value < 0 => {
            Value::Int(Int::from(value) + Int::pow2(128))
        }
        _ => Value::Int(Int::from(value)),
    }
}

/// The array constants that a term of array sort is made of.
fn bases(tm: &Terms, array: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut stack = vec![array];
    let mut seen: Set<TermId> = Set::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match tm.op(term) {
            Op::Const(_) => found.push(term),
            Op::Store => stack.push(tm.arg(term, 0)),
            Op::Ite => stack.extend(&tm.args(term)[1..]),
            _ => {}
        }
    }
    found
}
