//! Symbolic execution of whole traces, through the calls on the way, and of single calls.
//!
//! The path of one call from its entry to its exit, executed from an arbitrary entry state, is a *must
//! summary*: whatever entry state satisfies its constraints has an execution with that result, and the
//! inputs that it takes are known. It serves every call of the procedure.

use super::forest::{Forest, Link, Plan};
use super::graph::{Call, Procedure, Procedures};
use crate::blocks::conjuncts;
use crate::yogi::forest::NodeId;
use crate::yogi::graph::{Block, BlockId};
use crate::yogi::symbolic::{Symbolic, definition, number, related};
use craig_base::{Map, Set};
use craig_program::encode::StateNames;
use craig_program::{EdgeId, ProcId, Program, StateVar, Type, VarId};
use craig_term::{Model, Substitution, TermId, Terms, Value};
use std::rc::Rc;

/// Inputs as constants: the same at the same depth of every path.
pub struct SymbolicExecution {
    root: Symbolic,
    /// The arguments of the program, where they are arbitrary.
    arguments: Vec<(VarId, TermId)>,
    fresh: Map<(TermId, usize), TermId>,
}

/// A must summary.
pub struct Fact {
    /// Over the entry constants of the procedure and the inputs of the path.
    pub constraints: Vec<TermId>,
    /// The exit state, over the same.
    pub exit: Vec<(StateVar, TermId)>,
    inputs: Vec<(ProcId, EdgeId, Option<TermId>, Option<i128>)>,
}

/// What crossing a frontier takes.
pub struct Question {
    pub node: NodeId,
    pub path: Vec<TermId>,
    pub goal: Vec<TermId>,
    /// The inputs of the last block.
    inputs: Vec<(ProcId, EdgeId, Option<TermId>)>,
}

/// Where the constants of a block that the state does not determine come from.
trait Inputs {
    fn fresh(&mut self, tm: &mut Terms, constant: TermId, depth: usize) -> TermId;
}

impl Inputs for SymbolicExecution {
    fn fresh(&mut self, tm: &mut Terms, constant: TermId, depth: usize) -> TermId {
        *self.fresh.entry((constant, depth)).or_insert_with(|| anew(tm, constant))
    }
}

/// Constants of a fact's own.
#[derive(Default)]
struct Own;

impl Inputs for Own {
    fn fresh(&mut self, tm: &mut Terms, constant: TermId, _depth: usize) -> TermId {
        anew(tm, constant)
    }
}

fn anew(tm: &mut Terms, constant: TermId) -> TermId {
    let name = tm.const_name(constant).unwrap_or("input").to_string();
    let base = name.split('!').next().unwrap_or("input").to_string();
    let sort = tm.sort(constant);
    tm.fresh_const(&base, sort)
}

impl SymbolicExecution {
    pub fn new(tm: &mut Terms, program: &Program, procedures: &Procedures) -> Self {
        let empty = Symbolic { values: Rc::from([]), constraints: Vec::new(), inputs: Vec::new() };
        let mut execution = SymbolicExecution { root: empty, arguments: Vec::new(), fresh: Map::default() };
        let Some(main) = &procedures[program.entry] else { return execution };
        let state = &main.graph.points[main.graph.entry].state;
        let live = &state[..state.len() - main.rigid.len()];
        let own: Set<TermId> = live.iter().map(|&(_, constant)| constant).collect();
        let mut known: Map<TermId, TermId> = Map::default();
        let mut rest = Vec::new();
        for part in conjuncts(tm, main.graph.initial) {
            match definition(tm, &own, part) {
                Some((constant, value)) if !known.contains_key(&constant) => {
                    known.insert(constant, value);
                }
                _ => rest.push(part),
            }
        }
        let mut values: Vec<TermId> = Vec::new();
        for &(component, constant) in live {
            values.push(known.get(&constant).copied().unwrap_or_else(|| {
                let start = anew(tm, constant);
                if let StateVar::Var(var) = component {
                    execution.arguments.push((var, start));
                }
                start
            }));
        }
        for &(var, _) in &main.rigid {
            let position = live.iter().position(|&(component, _)| component == StateVar::Var(var));
            values.extend(position.map(|position| values[position]));
        }
        rest.extend(conjuncts(tm, main.graph.points[main.graph.entry].facts));
        let pairs: Vec<(TermId, TermId)> =
            state.iter().map(|&(_, constant)| constant).zip(values.iter().copied()).collect();
        let mut map = Substitution::from_pairs(pairs);
        let constraints = rest.into_iter().map(|part| map.apply(tm, part)).filter(|&p| p != Terms::TRUE);
        let constraints = constraints.collect();
        execution.root = Symbolic { values: values.into(), constraints, inputs: Vec::new() };
        execution
    }

    /// What a constant that the state does not determine is called behind a node.
    pub fn input(&mut self, tm: &mut Terms, forest: &Forest, node: NodeId, constant: TermId) -> TermId {
        self.fresh(tm, constant, forest.nodes[node].depth + 1)
    }

    /// Another name for a constant of contracts: the caller may have the same ones.
    pub fn interface(&mut self, tm: &mut Terms, constant: TermId) -> TermId {
        self.fresh(tm, constant, usize::MAX)
    }

    pub fn root(&self) -> &Symbolic {
        &self.root
    }

    /// The symbolic state of a node, and of all before it.
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
            at = forest.before(id);
        }
        for &node in pending.iter().rev() {
            let values = |id: NodeId| {
                let symbolic = forest.nodes[id].symbolic.as_ref();
                symbolic.map_or_else(|| Rc::clone(&self.root.values), |symbolic| Rc::clone(&symbolic.values))
            };
            let state = &forest.nodes[node];
            let symbolic = match state.link {
                Link::Start => self.root.clone(),
                link => {
                    let before = Before {
                        last: values(forest.before(node).unwrap_or(node)),
                        caller: match link {
                            Link::Return { caller, .. } => Some(values(caller)),
                            _ => None,
                        },
                    };
                    step(tm, procedures, forest, node, &before, self)
                }
            };
            forest.nodes[node].symbolic = Some(symbolic);
        }
        forest.nodes[node].symbolic.clone().unwrap_or_else(|| self.root.clone())
    }

    /// The path condition of a node, oldest constraint first.
    fn path_condition(
        &mut self,
        tm: &mut Terms,
        procedures: &Procedures,
        forest: &mut Forest,
        node: NodeId,
    ) -> Vec<TermId> {
        self.execute(tm, procedures, forest, node);
        let path = forest.whole_path(node);
        path.iter()
            .filter_map(|&at| forest.nodes[at].symbolic.as_ref())
            .flat_map(|symbolic| symbolic.constraints.iter().copied())
            .collect()
    }

    /// What a test needs that follows the whole path of `node` and satisfies `goal`, which is over the
    /// constants of the node's point and the free ones of `block`, if there is one.
    pub fn question(
        &mut self,
        tm: &mut Terms,
        procedures: &Procedures,
        forest: &mut Forest,
        node: NodeId,
        block: Option<&Block>,
        goal: &[TermId],
    ) -> Question {
        let here = self.execute(tm, procedures, forest, node);
        let proc = forest.nodes[node].proc;
        let mut map = self.map(tm, procedures, forest, node, &here, block);
        let goal: Vec<TermId> = goal.iter().map(|&part| map.apply(tm, part)).collect();
        let inputs = block.map_or(&[][..], |block| &block.inputs).iter();
        let inputs =
            inputs.map(|&(edge, input)| (proc, edge, input.map(|input| map.apply(tm, input)))).collect();
        let all = self.path_condition(tm, procedures, forest, node);
        let path = related(tm, &all, &goal);
        Question { node, path, goal, inputs }
    }

    /// From the constants of the node's point, and the free ones of a block behind it, to its symbolic
    /// state and the inputs there.
    pub fn map(
        &mut self,
        tm: &mut Terms,
        procedures: &Procedures,
        forest: &Forest,
        node: NodeId,
        here: &Symbolic,
        block: Option<&Block>,
    ) -> Substitution {
        let mut map = Substitution::default();
        if let Some(procedure) = &procedures[forest.nodes[node].proc] {
            let state = &procedure.graph.points[forest.nodes[node].point].state;
            for (&(_, constant), &value) in state.iter().zip(here.values.iter()) {
                map.insert(constant, value);
            }
        }
        let depth = forest.nodes[node].depth + 1;
        for &constant in block.map_or(&[][..], |block| &block.free) {
            let fresh = self.fresh(tm, constant, depth);
            map.insert(constant, fresh);
        }
        map
    }

    /// The test that a model of a question describes, with the inputs of a fact behind it.
    #[expect(clippy::too_many_arguments, reason = "a model of a question, in its context")]
    pub fn plan(
        &self,
        tm: &Terms,
        program: &Program,
        procedures: &Procedures,
        forest: &Forest,
        question: &Question,
        fact: Option<&Fact>,
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
        let path = forest.whole_path(question.node);
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
        for &(proc, edge, term, old) in fact.map_or(&[][..], |fact| &fact.inputs) {
            plan.inputs.push((proc, edge, term.and_then(evaluate).or(old)));
        }
        let test = &forest.tests[forest.nodes[question.node].test];
        plan.arguments = self.planned_arguments(program, &relevant, model, &test.arguments);
        plan.bytes = test.materialised.clone();
        plan
    }

    fn planned_arguments(
        &self,
        program: &Program,
        relevant: &Set<TermId>,
        model: &Model,
        old: &[i128],
    ) -> Vec<Option<i128>> {
        let params = program.procs[program.entry].params.iter();
        params
            .enumerate()
            .map(|(i, &param)| {
                let start = self.arguments.iter().find(|(var, _)| *var == param).map(|&(_, start)| start);
                let zero = Value::Int(0.into());
                match start.filter(|start| relevant.contains(start)) {
                    Some(start) => {
                        let value = number(model.get(start).unwrap_or(&zero)).unwrap_or(0);
                        let is_bool = program.vars[param].ty == Type::Bool;
                        Some(if is_bool { i128::from(value != 0) } else { value })
                    }
                    None => old.get(i).copied(),
                }
            })
            .collect()
    }
}

/// The symbolic states on which the next one depends.
struct Before {
    last: Rc<[TermId]>,
    caller: Option<Rc<[TermId]>>,
}

/// The symbolic state of a node from those before it.
fn step(
    tm: &mut Terms,
    procedures: &Procedures,
    forest: &Forest,
    node: NodeId,
    before: &Before,
    inputs: &mut impl Inputs,
) -> Symbolic {
    let state = &forest.nodes[node];
    let nothing = || Symbolic { values: Rc::from([]), constraints: Vec::new(), inputs: Vec::new() };
    let procedure = |node: NodeId| procedures[forest.nodes[node].proc].as_ref();
    match state.link {
        Link::Start => nothing(),
        Link::Block(last, block) => {
            let Some(procedure) = procedure(last) else { return nothing() };
            let code = &procedure.graph.blocks[block];
            let mut map = own(procedure, forest, last, &before.last);
            for &constant in &code.free {
                let fresh = inputs.fresh(tm, constant, state.depth);
                map.insert(constant, fresh);
            }
            finish(tm, &mut map, code)
        }
        Link::Enter(caller, block) => {
            let (Some(procedure), Some(callee)) = (procedure(caller), procedure(node)) else {
                return nothing();
            };
            let Some(call) = procedure.calls.get(&block) else { return nothing() };
            let mut map = own(procedure, forest, caller, &before.last);
            for &constant in &procedure.graph.blocks[block].free {
                let fresh = inputs.fresh(tm, constant, state.depth);
                map.insert(constant, fresh);
            }
            let values = entry_values(tm, callee, call, &mut map, state.depth, inputs);
            let constraints = call.conditions.iter().map(|&part| map.apply(tm, part));
            let constraints = constraints.filter(|&part| part != Terms::TRUE).collect();
            Symbolic { values: values.into(), constraints, inputs: Vec::new() }
        }
        Link::Return { exit, caller, block } => {
            let (Some(procedure), Some(callee), Some(at_call)) =
                (procedure(caller), procedure(exit), &before.caller)
            else {
                return nothing();
            };
            let Some(call) = procedure.calls.get(&block) else { return nothing() };
            let code = &procedure.graph.blocks[block];
            let mut map = own(procedure, forest, caller, at_call);
            let at_exit = &callee.graph.points[forest.nodes[exit].point].state;
            for &constant in &code.free {
                let var = call.results.iter().find(|(_, out)| *out == constant).map(|&(var, _)| var);
                let position = var.and_then(|var| at_exit.iter().position(|&(known, _)| known == var));
                let value = match position {
                    Some(position) => before.last[position],
                    None => inputs.fresh(tm, constant, state.depth),
                };
                map.insert(constant, value);
            }
            finish(tm, &mut map, code)
        }
    }
}

fn own(procedure: &Procedure, forest: &Forest, node: NodeId, values: &[TermId]) -> Substitution {
    let state = &procedure.graph.points[forest.nodes[node].point].state;
    Substitution::from_pairs(
        state.iter().map(|&(_, constant)| constant).zip(values.iter().copied()).collect::<Vec<_>>(),
    )
}

fn finish(tm: &mut Terms, map: &mut Substitution, code: &Block) -> Symbolic {
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

/// The state of the callee's entry point.
fn entry_values(
    tm: &mut Terms,
    callee: &Procedure,
    call: &Call,
    map: &mut Substitution,
    depth: usize,
    inputs: &mut impl Inputs,
) -> Vec<TermId> {
    let state = &callee.graph.points[callee.graph.entry].state;
    let live = &state[..state.len() - callee.rigid.len()];
    let mut values: Vec<TermId> = Vec::new();
    for &(component, constant) in live {
        let arg = call.args.iter().find(|(var, _)| *var == component).map(|&(_, arg)| arg);
        values.push(match arg {
            Some(arg) => map.apply(tm, arg),
            None => inputs.fresh(tm, constant, depth),
        });
    }
    for &(var, _) in &callee.rigid {
        let position = live.iter().position(|&(component, _)| component == StateVar::Var(var));
        values.extend(position.map(|position| values[position]));
    }
    values
}

/// By what a must summary is known: its path, or its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    Path(Vec<(ProcId, BlockId)>),
    Values(Vec<i128>, Vec<i128>),
}

/// The must summary of the call that ended in `exit`. One with more than `limit` states on its path is only
/// about the values that it had.
pub fn fact(
    tm: &mut Terms,
    program: &Program,
    procedures: &Procedures,
    forest: &Forest,
    exit: NodeId,
    limit: usize,
) -> Option<(Origin, Fact)> {
    let entry = forest.nodes[exit].entry;
    let mut path = vec![exit];
    while let Some(&at) = path.last().filter(|&&at| at != entry) {
        path.push(forest.before(at)?);
    }
    path.reverse();
    if path.len() > limit {
        return fact_of_values(tm, program, procedures, forest, &path);
    }
    let procedure = procedures[forest.nodes[exit].proc].as_ref()?;
    let state = &procedure.graph.points[procedure.graph.entry].state;
    let constants = state.iter().enumerate().map(|(i, &(var, constant))| {
        let known = procedure.entry.iter().find(|(component, _)| *component == var);
        if i < state.len() - procedure.rigid.len() { known.map_or(constant, |&(_, at)| at) } else { constant }
    });
    let mut values: Map<NodeId, Rc<[TermId]>> = Map::default();
    values.insert(entry, constants.collect());
    let (mut constraints, mut inputs, mut key) = (Vec::new(), Vec::new(), Vec::new());
    for &node in &path[1..] {
        let state = &forest.nodes[node];
        let before = Before {
            last: Rc::clone(values.get(&forest.before(node)?)?),
            caller: match state.link {
                Link::Return { caller, .. } => Some(Rc::clone(values.get(&caller)?)),
                _ => None,
            },
        };
        let symbolic = step(tm, procedures, forest, node, &before, &mut Own);
        match state.link {
            Link::Block(_, block) => {
                key.push((state.proc, block));
                let code = &procedures[state.proc].as_ref()?.graph.blocks[block];
                for (i, &(edge, _)) in code.inputs.iter().enumerate() {
                    let term = symbolic.inputs.get(i).copied().flatten();
                    inputs.push((state.proc, edge, term, state.inputs.get(i).copied()));
                }
            }
            Link::Enter(caller, block) | Link::Return { caller, block, .. } => {
                key.push((forest.nodes[caller].proc, block));
            }
            Link::Start => {}
        }
        constraints.extend(symbolic.constraints);
        values.insert(node, symbolic.values);
    }
    let state = &procedure.graph.points[forest.nodes[exit].point].state;
    let last = values.get(&exit)?;
    let live = state.len() - procedure.rigid.len();
    let exit = state[..live].iter().map(|&(var, _)| var).zip(last.iter().copied()).collect();
    Some((Origin::Path(key), Fact { constraints, exit, inputs }))
}

/// The values of one call, if memory has no part in it.
fn fact_of_values(
    tm: &mut Terms,
    program: &Program,
    procedures: &Procedures,
    forest: &Forest,
    path: &[NodeId],
) -> Option<(Origin, Fact)> {
    let (&entry, &exit) = (path.first()?, path.last()?);
    let procedure = procedures[forest.nodes[exit].proc].as_ref()?;
    let mut values = |node: NodeId| -> Option<Vec<(StateVar, TermId)>> {
        let state = &procedure.graph.points[forest.nodes[node].point].state;
        let live = &state[..state.len() - procedure.rigid.len()];
        live.iter()
            .zip(&forest.nodes[node].values)
            .map(|(&(component, _), &value)| match component {
                StateVar::Var(var) if program.vars[var].ty == Type::Bool => {
                    Some((component, if value == 0 { Terms::FALSE } else { Terms::TRUE }))
                }
                StateVar::Var(_) => Some((component, tm.int(value))),
                StateVar::Region(_) => None,
            })
            .collect()
    };
    let (before, exit_values) = (values(entry)?, values(exit)?);
    let mut constraints = Vec::new();
    for (var, value) in before {
        let (_, constant) = procedure.entry.iter().find(|(component, _)| *component == var)?;
        constraints.push(tm.eq(*constant, value));
    }
    let mut inputs = Vec::new();
    for &node in &path[1..] {
        let state = &forest.nodes[node];
        if let Link::Block(_, block) = state.link {
            let code = &procedures[state.proc].as_ref()?.graph.blocks[block];
            let values = state.inputs.iter().map(|&value| Some(value));
            let read = code.inputs.iter().zip(values);
            inputs.extend(read.map(|(&(edge, _), value)| (state.proc, edge, None, value)));
        }
    }
    let key = Origin::Values(forest.nodes[entry].values.clone(), forest.nodes[exit].values.clone());
    Some((key, Fact { constraints, exit: exit_values, inputs }))
}

impl Fact {
    /// The summary as a formula over the entry and exit constants of contracts.
    pub fn formula(&self, tm: &mut Terms, program: &Program) -> TermId {
        let mut names = StateNames::default();
        let mut parts = self.constraints.clone();
        for &(var, value) in &self.exit {
            let constant = names.current(program, tm, var);
            parts.push(tm.eq(constant, value));
        }
        tm.and(&parts)
    }
}
