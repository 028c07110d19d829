//! Symbolic execution of the path of a test, through the calls on the way, and the question for a test
//! that goes one block further.
//!
//! The symbolic state of a node gives each component of its state as a term over the inputs of the
//! test and the arbitrary part of the initial state. It is kept in the node: the next question about
//! the same path costs one block.

use super::forest::{Forest, Link, Node, NodeId};
use super::graph::{Block, BlockId, Call, Procedure, Procedures};
use super::run::Plan;
use crate::view::blocks::conjuncts;
use craig_base::{Map, OrderedSet, Set};
use craig_program::{EdgeId, ProcId, Program, StateVar, Type};
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
    /// What is asked for after the path, in the symbolic state of the node.
    pub goal: Vec<TermId>,
    /// The inputs of the block.
    inputs: Vec<(ProcId, EdgeId, Option<TermId>)>,
}

/// An input of a path: where it is read, what it is called, and its value in the test.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    pub proc: ProcId,
    pub edge: EdgeId,
    pub term: Option<TermId>,
    pub value: Option<i128>,
}

/// Where the constants of a block that the state does not determine come from.
pub trait Inputs {
    fn fresh(&mut self, tm: &mut Terms, constant: TermId, depth: usize) -> TermId;
}

impl Inputs for SymbolicExecution {
    fn fresh(&mut self, tm: &mut Terms, constant: TermId, depth: usize) -> TermId {
        *self.fresh.entry((constant, depth)).or_insert_with(|| fresh_copy(tm, constant))
    }
}

/// A new constant like the given one.
pub fn fresh_copy(tm: &mut Terms, constant: TermId) -> TermId {
    let name = tm.const_name(constant).unwrap_or("input").to_string();
    let base = name.split('!').next().unwrap_or("input").to_string();
    let sort = tm.sort(constant);
    tm.fresh_const(&base, sort)
}

impl SymbolicExecution {
    pub fn new(tm: &mut Terms, main: &Procedure) -> Self {
        let entry = &main.graph.points[main.graph.entry];
        let live = &entry.state[..entry.live];
        let own: Set<TermId> = live.iter().map(|&(_, constant)| constant).collect();
        let mut known: Map<TermId, TermId> = Map::default();
        let mut rest = Vec::new();
        for part in conjuncts(tm, main.initial) {
            match definition(tm, &own, part) {
                Some((constant, value)) if !known.contains_key(&constant) => {
                    known.insert(constant, value);
                }
                _ => rest.push(part),
            }
        }
        let mut initial = Vec::new();
        let mut values: Vec<TermId> = Vec::new();
        for &(component, constant) in live {
            values.push(known.get(&constant).copied().unwrap_or_else(|| {
                let start = fresh_copy(tm, constant);
                initial.push((component, start));
                start
            }));
        }
        repeat_entry(main, &mut values);
        rest.extend(conjuncts(tm, entry.facts));
        let mut map = entry.map(&values);
        let constraints =
            rest.into_iter().map(|part| map.apply(tm, part)).filter(|&part| part != Terms::TRUE);
        let root = Symbolic { values: values.into(), constraints: constraints.collect(), inputs: Vec::new() };
        SymbolicExecution { root, initial, fresh: Map::default() }
    }

    /// The symbolic state at the start of every test.
    pub fn root(&self) -> &Symbolic {
        &self.root
    }

    /// Another name for a constant of contracts: the caller may have the same ones.
    pub fn interface(&mut self, tm: &mut Terms, constant: TermId) -> TermId {
        self.fresh(tm, constant, usize::MAX)
    }

    /// `ExecuteSymbolic`: the symbolic state of a node, and of all before it.
    pub fn execute(
        &mut self,
        tm: &mut Terms,
        procedures: &Procedures,
        forest: &mut Forest,
        node: NodeId,
    ) -> Symbolic {
        let mut pending = Vec::new();
        let mut at = Some(node);
        while let Some(id) = at.filter(|&id| forest.nodes[id].symbolic.is_none()) {
            pending.push(id);
            at = forest.nodes[id].link.before();
        }
        for &node in pending.iter().rev() {
            let values = |id: NodeId| {
                let symbolic = forest.nodes[id].symbolic.as_ref();
                symbolic.map_or_else(|| Rc::clone(&self.root.values), |symbolic| Rc::clone(&symbolic.values))
            };
            let link = forest.nodes[node].link;
            let symbolic = match link.before() {
                None => self.root.clone(),
                Some(before) => {
                    let last = values(before);
                    let caller = match link {
                        Link::Return { caller, .. } => values(caller),
                        _ => Rc::clone(&last),
                    };
                    step(tm, procedures, forest, node, (&last, &caller), self)
                }
            };
            forest.nodes[node].symbolic = Some(symbolic);
        }
        forest.nodes[node].symbolic.clone().unwrap_or_else(|| self.root.clone())
    }

    /// What a test needs that follows the path of `node` and satisfies `goal`, which is over the
    /// constants of the node's point and the free ones of the block.
    pub fn question(
        &mut self,
        tm: &mut Terms,
        procedures: &Procedures,
        forest: &mut Forest,
        node: NodeId,
        (block, code): (BlockId, &Block),
        goal: &[TermId],
    ) -> Question {
        let here = self.execute(tm, procedures, forest, node);
        let Node { proc, point, depth, .. } = forest.nodes[node];
        let mut map = procedures[proc]
            .as_ref()
            .map_or_else(Substitution::default, |procedure| procedure.graph.points[point].map(&here.values));
        self.name_inputs(tm, &mut map, code, depth + 1);
        let goal: Vec<TermId> = goal.iter().map(|&part| map.apply(tm, part)).collect();
        let inputs = code.inputs.iter();
        let inputs =
            inputs.map(|&(edge, input)| (proc, edge, input.map(|input| map.apply(tm, input)))).collect();
        let path = forest.path(node);
        let constraints = path.iter().filter_map(|&at| forest.nodes[at].symbolic.as_ref());
        let constraints: Vec<TermId> =
            constraints.flat_map(|symbolic| symbolic.constraints.iter().copied()).collect();
        let path = related(tm, &constraints, &goal);
        Question { node, block, path, goal, inputs }
    }

    /// The inputs of a block, as they are called on a path of that depth.
    pub fn name_inputs(&mut self, tm: &mut Terms, map: &mut Substitution, code: &Block, depth: usize) {
        for &constant in &code.free {
            let input = self.fresh(tm, constant, depth);
            map.insert(constant, input);
        }
    }

    /// Turns a model into the test that it describes, with the inputs that are read after it; what it leaves
    /// open stays as it was in the test of the node. In a calm one, inputs that do not matter to
    /// formulas are zero: code that does not matter either can still overflow, and end the run.
    #[expect(clippy::too_many_arguments, reason = "a model of a question, in its context")]
    pub fn plan(
        &self,
        tm: &Terms,
        program: &Program,
        procedures: &Procedures,
        forest: &Forest,
        question: &Question,
        after: &[Input],
        (model, calm): (&Model, bool),
    ) -> Plan {
        let mut plan = Plan { calm, ..Plan::default() };
        let relevant: Set<TermId> =
            tm.free_consts_of(&[&question.path[..], &question.goal].concat()).into_iter().collect();
        let evaluate = |term: TermId| tm.eval(term, model).ok().as_ref().and_then(number);
        let decided = |term: TermId| -> Option<i128> {
            let consts = tm.free_consts(term);
            let decided = consts.is_empty() || consts.iter().any(|constant| relevant.contains(constant));
            decided.then(|| evaluate(term)).flatten()
        };
        let path = forest.path(question.node);
        for &node in &path {
            let state = &forest.nodes[node];
            let (Link::Block(_, block), Some(procedure)) = (state.link, &procedures[state.proc]) else {
                continue;
            };
            let terms: &[Option<TermId>] = state.symbolic.as_ref().map_or(&[], |symbolic| &symbolic.inputs);
            for (i, &(edge, _)) in procedure.graph.blocks[block].inputs.iter().enumerate() {
                let term = terms.get(i).copied().flatten();
                let old = state.inputs.get(i).copied();
                let old = if calm && term.is_none() { Some(0) } else { old };
                plan.inputs.push((state.proc, edge, term.and_then(decided).or(old)));
            }
        }
        for &(proc, edge, term) in &question.inputs {
            plan.inputs.push((proc, edge, term.and_then(decided)));
        }
        for &Input { proc, edge, term, value } in after {
            plan.inputs.push((proc, edge, term.and_then(evaluate).or(value)));
        }
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
}

/// The symbolic state of a node from those of the state before it, and of the caller after a call.
pub fn step(
    tm: &mut Terms,
    procedures: &Procedures,
    forest: &Forest,
    node: NodeId,
    (last, caller): (&[TermId], &[TermId]),
    inputs: &mut impl Inputs,
) -> Symbolic {
    let Node { link, depth, .. } = forest.nodes[node];
    let nothing = Symbolic { values: Rc::from([]), constraints: Vec::new(), inputs: Vec::new() };
    let (from, block) = match link {
        Link::Start => return nothing,
        Link::Block(from, block) | Link::Enter(from, block) | Link::Return { caller: from, block, .. } => {
            (from, block)
        }
    };
    let procedure = |node: NodeId| procedures[forest.nodes[node].proc].as_ref();
    let Some(procedure_of_block) = procedure(from) else { return nothing };
    let graph = &procedure_of_block.graph;
    let (code, call) = (&graph.blocks[block], procedure_of_block.calls.get(&block));
    let mut map = graph.points[forest.nodes[from].point].map(caller);
    for &constant in &code.free {
        let value = inputs.fresh(tm, constant, depth);
        map.insert(constant, value);
    }
    match (link, call) {
        (Link::Enter(..), Some(call)) => {
            let Some(callee) = procedure(node) else { return nothing };
            let values = entry_values(tm, callee, call, &mut map, depth, inputs);
            let constraints = substitute(tm, &mut map, &call.conditions);
            Symbolic { values: values.into(), constraints, inputs: Vec::new() }
        }
        (Link::Return { exit, .. }, Some(call)) => {
            let Some(callee) = procedure(exit) else { return nothing };
            let at_exit = &callee.graph.points[forest.nodes[exit].point].state;
            for &(var, out) in &call.results {
                if let Some(position) = at_exit.iter().position(|&(known, _)| known == var) {
                    map.insert(out, last[position]);
                }
            }
            finish(tm, &mut map, code)
        }
        _ => finish(tm, &mut map, code),
    }
}

fn finish(tm: &mut Terms, map: &mut Substitution, code: &Block) -> Symbolic {
    Symbolic {
        values: code.values.iter().map(|&value| map.apply(tm, value)).collect(),
        constraints: substitute(tm, map, &code.guard),
        inputs: code.inputs.iter().map(|(_, input)| input.map(|input| map.apply(tm, input))).collect(),
    }
}

fn substitute(tm: &mut Terms, map: &mut Substitution, parts: &[TermId]) -> Vec<TermId> {
    parts.iter().map(|&part| map.apply(tm, part)).filter(|&part| part != Terms::TRUE).collect()
}

/// The state of the callee's entry point.
fn entry_values(
    tm: &mut Terms,
    callee: &Procedure,
    call: &Call,
    map: &mut Substitution,
    depth: usize,
    inputs: &mut impl Inputs,
) -> Vec<TermId> {
    let entry = &callee.graph.points[callee.graph.entry];
    let mut values: Vec<TermId> = Vec::new();
    for &(component, constant) in &entry.state[..entry.live] {
        values.push(match call.argument(component) {
            Some(argument) => map.apply(tm, argument),
            None => inputs.fresh(tm, constant, depth),
        });
    }
    repeat_entry(callee, &mut values);
    values
}

/// Adds to the live state at the entry the part of it that all points repeat.
fn repeat_entry(procedure: &Procedure, values: &mut Vec<TermId>) {
    let entry = &procedure.graph.points[procedure.graph.entry];
    for &(var, _) in &entry.state[entry.live..] {
        let position = entry.state.iter().position(|&(live, _)| live == var);
        values.extend(position.map(|position| values[position]));
    }
}

/// The constraints that share a constant with the goal, directly or through each other, in order.
fn related(tm: &Terms, constraints: &[TermId], goal: &[TermId]) -> Vec<TermId> {
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
fn definition(tm: &mut Terms, own: &Set<TermId>, part: TermId) -> Option<(TermId, TermId)> {
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

pub fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(b) => Some(i128::from(*b)),
        Value::Int(n) => n.to_i128(),
        _ => None,
    }
}
