//! The states that tests have visited, and the value of formulas in them.

use super::graph::{BlockId, Graph, PointId};
use super::partition::{Partition, RegionId};
use super::run::{Step, TestRun};
use super::symbolic::Symbolic;
use craig_base::{IndexVec, Map, Set, index_type};
use craig_exec::{Memory, Run, Source};
use craig_num::Int;
use craig_program::{Cell, IntType, Program, RegionId as MemoryRegionId, StateVar, Type};
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

#[derive(Clone, Debug)]
pub struct Node {
    /// The concrete predecessor and the block between; none at the start of a test.
    pub parent: Option<(NodeId, BlockId)>,
    pub point: PointId,
    pub test: TestId,
    /// How many blocks lie between the start and here.
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
    /// The first node at the error.
    pub error: Option<NodeId>,
    /// States without memory, to find those that come again.
    known: Map<(PointId, Vec<i128>), NodeId>,
}

impl Forest {
    /// `AddTestToForest`: the states of the run, each put into its region. A state that is in the
    /// forest already stays where it is, with its own predecessor.
    pub fn add(
        &mut self,
        tm: &Terms,
        program: &Program,
        graph: &Graph,
        partition: &mut Partition,
        run: TestRun,
    ) -> Result<(), EvalError> {
        let TestRun { steps, record } = run;
        let test = self.tests.push(record);
        let mut last: Option<NodeId> = None;
        for step in steps {
            let parent = last.zip(step.block);
            last = Some(self.push(tm, program, graph, partition, test, parent, step)?);
        }
        Ok(())
    }

    /// Adds one state of the run: the first, or the one behind `parent` and its block, if the run
    /// went there.
    pub fn add_step(
        &mut self,
        tm: &Terms,
        program: &Program,
        graph: &Graph,
        partition: &mut Partition,
        run: TestRun,
        parent: Option<(NodeId, BlockId)>,
    ) -> Result<bool, EvalError> {
        let TestRun { steps, record } = run;
        let position = parent.map_or(0, |(node, _)| self.nodes[node].depth + 1);
        let Some(step) = steps.into_iter().nth(position) else { return Ok(false) };
        if step.block != parent.map(|(_, block)| block) {
            return Ok(false);
        }
        let test = self.tests.push(record);
        self.push(tm, program, graph, partition, test, parent, step)?;
        Ok(true)
    }

    #[expect(clippy::too_many_arguments, reason = "a state, and all that is needed to place it")]
    fn push(
        &mut self,
        tm: &Terms,
        program: &Program,
        graph: &Graph,
        partition: &mut Partition,
        test: TestId,
        parent: Option<(NodeId, BlockId)>,
        step: Step,
    ) -> Result<NodeId, EvalError> {
        let Step { point, values, memory, inputs, .. } = step;
        let depth = parent.map_or(0, |(node, _)| self.nodes[node].depth + 1);
        let values: Vec<i128> = values.into_iter().map(|value| value.unwrap_or(0)).collect();
        if memory.is_none() {
            if let Some(&known) = self.known.get(&(point, values.clone())) {
                return Ok(known);
            }
            self.known.insert((point, values.clone()), self.nodes.next_index());
        }
        let node =
            self.nodes.push(Node { parent, point, test, depth, values, memory, inputs, symbolic: None });
        let region = self.region(tm, program, graph, partition, node)?;
        partition.regions[region].nodes.push(node);
        if Some(point) == graph.error && self.error.is_none() {
            self.error = Some(node);
        }
        Ok(node)
    }

    /// The region in which a state lies.
    fn region(
        &self,
        tm: &Terms,
        program: &Program,
        graph: &Graph,
        partition: &Partition,
        node: NodeId,
    ) -> Result<RegionId, EvalError> {
        let candidates = &partition.at[self.nodes[node].point];
        let Some((&last, others)) = candidates.split_last() else { unreachable!("every point has a region") };
        for &region in others {
            if self.holds(tm, program, graph, node, partition.regions[region].formula)? {
                return Ok(region);
            }
        }
        // The regions of a point cover all states.
        Ok(last)
    }

    /// The states from the start of the test to `node`.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = vec![node];
        let mut at = node;
        while let Some((parent, _)) = self.nodes[at].parent {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The nodes among `nodes` in which the formula holds.
    pub fn satisfying(
        &self,
        tm: &Terms,
        program: &Program,
        graph: &Graph,
        nodes: &[NodeId],
        formula: TermId,
    ) -> Result<Set<NodeId>, EvalError> {
        let mut satisfying = Set::default();
        for &node in nodes {
            if self.holds(tm, program, graph, node, formula)? {
                satisfying.insert(node);
            }
        }
        Ok(satisfying)
    }

    /// Whether a formula over the constants of the node's point holds in its state.
    pub fn holds(
        &self,
        tm: &Terms,
        program: &Program,
        graph: &Graph,
        node: NodeId,
        formula: TermId,
    ) -> Result<bool, EvalError> {
        if tm.is_true(formula) || tm.is_false(formula) {
            return Ok(tm.is_true(formula));
        }
        let model = self.model(tm, program, graph, node, formula)?;
        tm.eval_bool(formula, &model)
    }

    /// The state as a model of the constants in `formula`. Of memory, only the cells that the formula
    /// reads.
    pub fn model(
        &self,
        tm: &Terms,
        program: &Program,
        graph: &Graph,
        node: NodeId,
        formula: TermId,
    ) -> Result<Model, EvalError> {
        let state = &self.nodes[node];
        let components = graph.points[state.point].state.iter().zip(state.values.iter().copied());
        let components = components.map(|(&(component, constant), value)| (component, constant, value));
        state_model(tm, program, components, formula, |region, address| {
            self.cell(program, node, region, address)
        })
    }

    /// A cell of memory as formulas see it.
    pub fn cell(&self, program: &Program, node: NodeId, region: MemoryRegionId, address: u64) -> i128 {
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
/// a function that gives the cells of memory.
pub fn state_model(
    tm: &Terms,
    program: &Program,
    components: impl Iterator<Item = (StateVar, TermId, i128)>,
    formula: TermId,
    cell: impl Fn(MemoryRegionId, u64) -> i128,
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
            let value = cell(region, address);
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
