//! Symbolic execution of the path of a test, and the question for a test that goes one block further.
//!
//! The symbolic state of a node gives each component of its state as a term over the inputs of the
//! test and the arbitrary part of the initial state. It is kept in the node: the next question about
//! the same path costs one block.

use super::forest::{Forest, NodeId};
use super::graph::{BlockId, Graph};
use super::preimage::open_preimage;
use super::run::Plan;
use crate::blocks::conjuncts;
use craig_base::{Budget, Map, OrderedSet, Set};
use craig_program::{EdgeId, Program, StateVar, Type};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{Model, Op, Substitution, TermId, Terms, Value};
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Symbolic {
    /// The state of the node's point.
    pub values: Rc<[TermId]>,
    /// What the last block added to the path condition.
    pub constraints: Vec<TermId>,
    /// The inputs of the last block.
    pub inputs: Vec<Option<TermId>>,
}

/// Inputs as constants: the same at the same depth of every path.
#[derive(Clone, Debug)]
pub struct SymbolicExecution {
    root: Symbolic,
    /// The arbitrary part of the initial state.
    initial: Vec<(StateVar, TermId)>,
    fresh: Map<(TermId, usize), TermId>,
}

/// What crossing a frontier takes.
#[derive(Clone, Debug)]
pub struct Question {
    pub node: NodeId,
    pub block: BlockId,
    /// The path condition, as far as it matters for the rest.
    pub path: Vec<TermId>,
    /// The guard of the block and the region behind it, in the symbolic state of the node.
    pub goal: Vec<TermId>,
    /// The inputs of the block.
    inputs: Vec<Option<TermId>>,
}

impl SymbolicExecution {
    pub fn new(tm: &mut Terms, graph: &Graph) -> Self {
        let state = &graph.points[graph.entry].state;
        let mut known: Map<TermId, TermId> = Map::default();
        let own: Set<TermId> = state.iter().map(|&(_, constant)| constant).collect();
        let mut rest = Vec::new();
        for part in conjuncts(tm, graph.initial) {
            match definition(tm, &own, part) {
                Some((constant, value)) if !known.contains_key(&constant) => {
                    known.insert(constant, value);
                }
                _ => rest.push(part),
            }
        }
        let mut initial = Vec::new();
        let mut values = Vec::new();
        for &(component, constant) in state {
            let value = known.get(&constant).copied().unwrap_or_else(|| {
                let name = tm.const_name(constant).unwrap_or("x").to_string();
                let sort = tm.sort(constant);
                let start = tm.fresh_const(&format!("{name}@start"), sort);
                initial.push((component, start));
                start
            });
            values.push(value);
        }
        rest.extend(conjuncts(tm, graph.points[graph.entry].facts));
        let mut map = Substitution::from_pairs(own_pairs(state, &values));
        let constraints =
            rest.into_iter().map(|part| map.apply(tm, part)).filter(|&part| part != Terms::TRUE).collect();
        let root = Symbolic { values: values.into(), constraints, inputs: Vec::new() };
        SymbolicExecution { root, initial, fresh: Map::default() }
    }

    /// The symbolic state at the start of every test.
    pub fn root(&self) -> &Symbolic {
        &self.root
    }

    /// The symbolic state of a node, and of all before it.
    pub fn execute(&mut self, tm: &mut Terms, graph: &Graph, forest: &mut Forest, node: NodeId) -> Symbolic {
        let mut pending = Vec::new();
        let mut at = node;
        while forest.nodes[at].symbolic.is_none() {
            pending.push(at);
            match forest.nodes[at].parent {
                Some((parent, _)) => at = parent,
                None => break,
            }
        }
        for &node in pending.iter().rev() {
            let symbolic = match forest.nodes[node].parent {
                None => self.root.clone(),
                Some((parent, block)) => {
                    let before = forest.nodes[parent].symbolic.as_ref().map(|s| Rc::clone(&s.values));
                    let before = before.unwrap_or_else(|| Rc::clone(&self.root.values));
                    self.block(tm, graph, block, &before, forest.nodes[node].depth)
                }
            };
            forest.nodes[node].symbolic = Some(symbolic);
        }
        forest.nodes[node].symbolic.clone().unwrap_or_else(|| self.root.clone())
    }

    /// A block executed from a symbolic state; `depth` is that of the state behind it.
    fn block(
        &mut self,
        tm: &mut Terms,
        graph: &Graph,
        block: BlockId,
        before: &[TermId],
        depth: usize,
    ) -> Symbolic {
        let code = &graph.blocks[block];
        let mut map = Substitution::from_pairs(own_pairs(&graph.points[code.from].state, before));
        for &constant in &code.free {
            map.insert(constant, self.fresh(tm, constant, depth));
        }
        Symbolic {
            values: code.values.iter().map(|&value| map.apply(tm, value)).collect(),
            constraints: code
                .guard
                .iter()
                .map(|&part| map.apply(tm, part))
                .filter(|&part| part != Terms::TRUE)
                .collect(),
            inputs: code.inputs.iter().map(|(_, input)| input.map(|input| map.apply(tm, input))).collect(),
        }
    }

    fn fresh(&mut self, tm: &mut Terms, constant: TermId, depth: usize) -> TermId {
        *self.fresh.entry((constant, depth)).or_insert_with(|| {
            let name = tm.const_name(constant).unwrap_or("input").to_string();
            let base = name.split('!').next().unwrap_or("input").to_string();
            let sort = tm.sort(constant);
            tm.fresh_const(&format!("{base}@{depth}"), sort)
        })
    }

    /// The path condition of a node, oldest constraint first.
    pub fn path_condition(
        &mut self,
        tm: &mut Terms,
        graph: &Graph,
        forest: &mut Forest,
        node: NodeId,
    ) -> Vec<TermId> {
        self.execute(tm, graph, forest, node);
        let path = forest.path(node);
        path.iter()
            .filter_map(|&at| forest.nodes[at].symbolic.as_ref())
            .flat_map(|symbolic| symbolic.constraints.iter().copied())
            .collect()
    }

    /// What a test needs that follows the path of `node` and then `block` into `target`; `more` is
    /// asked for as well, over the inputs.
    #[expect(clippy::too_many_arguments, reason = "a question about a path, in its context")]
    pub fn question(
        &mut self,
        tm: &mut Terms,
        graph: &Graph,
        forest: &mut Forest,
        node: NodeId,
        block: BlockId,
        target: TermId,
        more: TermId,
    ) -> Question {
        let here = self.execute(tm, graph, forest, node);
        let depth = forest.nodes[node].depth + 1;
        let after = self.block(tm, graph, block, &here.values, depth);
        let state = &graph.points[graph.blocks[block].to].state;
        let mut map = Substitution::from_pairs(own_pairs(state, &after.values));
        let mut goal = after.constraints.clone();
        goal.push(map.apply(tm, target));
        goal.push(more);
        let all = self.path_condition(tm, graph, forest, node);
        let path = related(tm, &all, &goal);
        Question { node, block, path, goal, inputs: after.inputs }
    }

    /// The guard of a block and the region behind it, over the constants of the source; inputs are
    /// those of a path of that depth.
    pub fn step(
        &mut self,
        tm: &mut Terms,
        graph: &Graph,
        block: BlockId,
        target: TermId,
        depth: usize,
    ) -> Vec<TermId> {
        let code = &graph.blocks[block];
        let inputs = code.free.iter().map(|&constant| (constant, self.fresh(tm, constant, depth)));
        let mut map = Substitution::from_pairs(inputs.collect::<Vec<_>>());
        let mut parts = vec![graph.points[code.from].facts];
        parts.extend(open_preimage(tm, graph, code, target));
        parts.into_iter().map(|part| map.apply(tm, part)).collect()
    }

    /// Turns a model into the test that it describes; what it leaves open stays as it was in the test
    /// of the node. In a calm one, inputs that do not matter to formulas are zero: code that does not
    /// matter either can still overflow, and end the run.
    #[expect(clippy::too_many_arguments, reason = "a model of a question, in its context")]
    pub fn plan(
        &self,
        tm: &Terms,
        program: &Program,
        graph: &Graph,
        forest: &Forest,
        question: &Question,
        model: &Model,
        calm: bool,
    ) -> Plan {
        let mut plan = Plan { calm, ..Plan::default() };
        let relevant: Set<TermId> =
            tm.free_consts_of(&[&question.path[..], &question.goal].concat()).into_iter().collect();
        let decided = |term: TermId| -> Option<i128> {
            let consts = tm.free_consts(term);
            let decided = consts.is_empty() || consts.iter().any(|constant| relevant.contains(constant));
            decided.then(|| tm.eval(term, model).ok().as_ref().and_then(number)).flatten()
        };
        let path = forest.path(question.node);
        for &node in &path {
            let Some((_, block)) = forest.nodes[node].parent else { continue };
            let inputs: &[Option<TermId>] =
                forest.nodes[node].symbolic.as_ref().map_or(&[], |symbolic| &symbolic.inputs);
            for (i, &(edge, _)) in graph.blocks[block].inputs.iter().enumerate() {
                let old = forest.nodes[node].inputs.get(i).copied();
                let term = inputs.get(i).copied().flatten();
                let old = if calm && term.is_none() { Some(0) } else { old };
                plan.inputs.push((edge, term.and_then(decided).or(old)));
            }
        }
        plan.inputs
            .extend(self.last_inputs(graph, question).map(|(edge, term)| (edge, term.and_then(decided))));
        let test = &forest.tests[forest.nodes[path[0]].test];
        let params = &program.procs[program.entry].params;
        for (&param, &value) in params.iter().zip(&test.arguments) {
            plan.initial.insert(StateVar::Var(param), value);
        }
        plan.bytes = test.materialised.clone();
        self.plan_start(program, &relevant, model, &mut plan);
        plan
    }

    /// The test that starts in a state of the model.
    pub fn plan_of_start(&self, tm: &Terms, program: &Program, goal: &[TermId], model: &Model) -> Plan {
        let mut plan = Plan::default();
        let relevant: Set<TermId> = tm.free_consts_of(goal).into_iter().collect();
        self.plan_start(program, &relevant, model, &mut plan);
        plan
    }

    fn plan_start(&self, program: &Program, relevant: &Set<TermId>, model: &Model, plan: &mut Plan) {
        for &(component, constant) in self.initial.iter().filter(|(_, constant)| relevant.contains(constant))
        {
            match (component, model.get(constant)) {
                (StateVar::Var(var), value) => {
                    let default = Value::Int(0.into());
                    let value = number(value.unwrap_or(&default)).unwrap_or(0);
                    let value =
                        if program.vars[var].ty == Type::Bool { i128::from(value != 0) } else { value };
                    plan.initial.insert(component, value);
                }
                (StateVar::Region(region), Some(Value::Array(contents))) => {
                    for (index, value) in contents.entries() {
                        if let (Some(address), Some(value)) = (number(index), number(value))
                            && let Ok(address) = u64::try_from(address)
                        {
                            plan.memory.insert((region, address), value);
                        }
                    }
                    plan.elsewhere.insert(region, number(contents.default_element()).unwrap_or(0));
                }
                (StateVar::Region(region), _) => {
                    plan.elsewhere.insert(region, 0);
                }
            }
        }
    }

    fn last_inputs<'q>(
        &self,
        graph: &'q Graph,
        question: &'q Question,
    ) -> impl Iterator<Item = (EdgeId, Option<TermId>)> + 'q {
        let inputs = graph.blocks[question.block].inputs.iter();
        inputs.zip(&question.inputs).map(|(&(edge, _), &term)| (edge, term))
    }
}

impl Question {
    /// `IsSAT`.
    pub fn ask(&self, tm: &mut Terms, budget: &Budget) -> Result<Option<Model>, UnknownReason> {
        let mut solver = NativeSolver::default();
        for &part in self.path.iter().chain(&self.goal) {
            if tm.is_false(part) {
                return Ok(None);
            }
            solver.assert(tm, part);
        }
        match solver.check(tm, &[], budget) {
            Answer::Sat => Ok(Some(solver.model().cloned().unwrap_or_default())),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(reason),
        }
    }
}

/// The constraints that share a constant with the goal, directly or through each other, in order.
pub fn related(tm: &Terms, constraints: &[TermId], goal: &[TermId]) -> Vec<TermId> {
    let symbols: Vec<Vec<TermId>> = constraints.iter().map(|&part| tm.free_consts(part)).collect();
    let mut users: Map<TermId, Vec<usize>> = Map::default();
    for (i, symbols) in symbols.iter().enumerate() {
        for &symbol in symbols {
            users.entry(symbol).or_default().push(i);
        }
    }
    let mut reached: OrderedSet<TermId> = tm.free_consts_of(goal).into_iter().collect();
    // A constraint without constants is false or true; a false one decides everything.
    let mut chosen: Vec<bool> = symbols.iter().map(Vec::is_empty).collect();
    let mut next = 0;
    while let Some(&symbol) = reached.get_index(next) {
        next += 1;
        for &user in users.get(&symbol).map_or(&[][..], Vec::as_slice) {
            if !std::mem::replace(&mut chosen[user], true) {
                reached.extend(symbols[user].iter().copied());
            }
        }
    }
    constraints.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(&part, _)| part).collect()
}

/// `constant = value`, if the conjunct is that and the value has no constants of the state.
pub fn definition(tm: &mut Terms, own: &Set<TermId>, part: TermId) -> Option<(TermId, TermId)> {
    if own.contains(&part) {
        return Some((part, Terms::TRUE));
    }
    if tm.op(part) == Op::Not && own.contains(&tm.arg(part, 0)) {
        return Some((tm.arg(part, 0), Terms::FALSE));
    }
    if tm.op(part) != Op::Eq {
        return None;
    }
    let (a, b) = (tm.arg(part, 0), tm.arg(part, 1));
    for (constant, value) in [(a, b), (b, a)] {
        if own.contains(&constant) && tm.free_consts(value).iter().all(|symbol| !own.contains(symbol)) {
            return Some((constant, value));
        }
    }
    None
}

fn own_pairs(state: &[(StateVar, TermId)], values: &[TermId]) -> Vec<(TermId, TermId)> {
    state.iter().map(|&(_, constant)| constant).zip(values.iter().copied()).collect()
}

pub fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(b) => Some(i128::from(*b)),
        Value::Int(n) => n.to_i128(),
        _ => None,
    }
}
