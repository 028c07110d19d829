//! Must summaries: what calls in tests have shown.
//!
//! The path of one call from its entry to its exit, executed from an arbitrary entry state, is a must
//! summary: whatever entry state satisfies its constraints has an execution with that result, and the
//! inputs that it takes are known. It serves every call of the procedure.

use super::Search;
use crate::search::yogi::forest::{Forest, Link, NodeId};
use crate::search::yogi::graph::{BlockId, Procedures};
use crate::search::yogi::symbolic::{Input, Inputs, fresh_copy, step};
use craig_base::{Map, Set};
use craig_program::encode::StateNames;
use craig_program::{ProcId, Program, StateVar, Type};
use craig_term::{TermId, Terms};
use std::rc::Rc;

/// Must summaries of one procedure, and states on the path of one.
const MAX_SUMMARIES: usize = 40;
const MAX_STATES: usize = 150;

#[derive(Default)]
pub(super) struct MustSummaries {
    of_procedure: Map<ProcId, Vec<MustSummary>>,
    origins: Set<(ProcId, Origin)>,
    /// Nodes of the forest that were looked at.
    looked_at: usize,
}

pub(super) struct MustSummary {
    /// Over the entry constants of the procedure and the inputs of the path.
    constraints: Vec<TermId>,
    /// The exit state, over the same.
    exit: Vec<(StateVar, TermId)>,
    pub inputs: Vec<Input>,
}

/// By what a must summary is known: its path, or its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Origin {
    Path(Vec<(ProcId, BlockId)>),
    Values(Vec<i128>, Vec<i128>),
}

impl MustSummaries {
    pub fn of(&self, proc: ProcId) -> &[MustSummary] {
        self.of_procedure.get(&proc).map_or(&[], Vec::as_slice)
    }
}

impl MustSummary {
    /// The summary as a formula over the entry and exit constants of contracts.
    pub fn formula(&self, tm: &mut Terms, program: &Program, names: &mut StateNames) -> TermId {
        let mut parts = self.constraints.clone();
        for &(var, value) in &self.exit {
            let constant = names.current(program, tm, var);
            parts.push(tm.eq(constant, value));
        }
        tm.and(&parts)
    }
}

impl Search<'_> {
    /// Looks at the calls of new tests.
    pub(super) fn learn_must_summaries(&mut self) {
        let yogi = &mut self.yogi;
        let (from, to) = (self.must.looked_at, yogi.forest.nodes.len());
        self.must.looked_at = to;
        for index in from..to {
            let node = NodeId(index as u32);
            let state = &yogi.forest.nodes[node];
            let exit = yogi.procedures[state.proc].as_ref().and_then(|procedure| procedure.exit);
            let summaries = self.must.of_procedure.entry(state.proc).or_default();
            if exit != Some(state.point) || summaries.len() >= MAX_SUMMARIES {
                continue;
            }
            let found = must_summary(yogi.tm, yogi.program, &yogi.procedures, &yogi.forest, node);
            if let Some((origin, summary)) = found
                && self.must.origins.insert((state.proc, origin))
            {
                summaries.push(summary);
                yogi.stats.add("must summaries", 1);
            }
        }
    }
}

/// Constants of a summary's own.
struct Own;

impl Inputs for Own {
    fn fresh(&mut self, tm: &mut Terms, constant: TermId, _depth: usize) -> TermId {
        fresh_copy(tm, constant)
    }
}

/// The must summary of the call that ended in `exit`. One with too many states on its path is only about the
/// values that it had.
fn must_summary(
    tm: &mut Terms,
    program: &Program,
    procedures: &Procedures,
    forest: &Forest,
    exit: NodeId,
) -> Option<(Origin, MustSummary)> {
    let entry = forest.nodes[exit].entry;
    let mut path = vec![exit];
    while let Some(&at) = path.last().filter(|&&at| at != entry) {
        path.push(forest.nodes[at].link.before()?);
    }
    path.reverse();
    if path.len() > MAX_STATES {
        return summary_of_values(tm, program, procedures, forest, &path);
    }
    let procedure = procedures[forest.nodes[exit].proc].as_ref()?;
    let state = &procedure.graph.points[procedure.graph.entry].state;
    let constants = state.iter().map(|&(var, constant)| {
        let at_entry = procedure.entry.iter().find(|(component, _)| *component == var);
        at_entry.map_or(constant, |&(_, at)| at)
    });
    let mut values: Map<NodeId, Rc<[TermId]>> = Map::default();
    values.insert(entry, constants.collect());
    let (mut constraints, mut inputs, mut key) = (Vec::new(), Vec::new(), Vec::new());
    for &node in &path[1..] {
        let state = &forest.nodes[node];
        let last = values.get(&state.link.before()?)?;
        let caller = match state.link {
            Link::Return { caller, .. } => values.get(&caller)?,
            _ => last,
        };
        let symbolic = step(tm, procedures, forest, node, (last, caller), &mut Own);
        match state.link {
            Link::Block(_, block) => {
                key.push((state.proc, block));
                let code = &procedures[state.proc].as_ref()?.graph.blocks[block];
                for (i, &(edge, _)) in code.inputs.iter().enumerate() {
                    let (term, value) =
                        (symbolic.inputs.get(i).copied().flatten(), state.inputs.get(i).copied());
                    inputs.push(Input { proc: state.proc, edge, term, value });
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
    let point = &procedure.graph.points[forest.nodes[exit].point];
    let last = values.get(&exit)?;
    let exit = point.state[..point.live].iter().map(|&(var, _)| var).zip(last.iter().copied()).collect();
    Some((Origin::Path(key), MustSummary { constraints, exit, inputs }))
}

/// The values of one call, if memory has no part in it.
fn summary_of_values(
    tm: &mut Terms,
    program: &Program,
    procedures: &Procedures,
    forest: &Forest,
    path: &[NodeId],
) -> Option<(Origin, MustSummary)> {
    let (&entry, &exit) = (path.first()?, path.last()?);
    let procedure = procedures[forest.nodes[exit].proc].as_ref()?;
    let mut values = |node: NodeId| -> Option<Vec<(StateVar, TermId)>> {
        let point = &procedure.graph.points[forest.nodes[node].point];
        point.state[..point.live]
            .iter()
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
            for (&(edge, _), &value) in code.inputs.iter().zip(&state.inputs) {
                inputs.push(Input { proc: state.proc, edge, term: None, value: Some(value) });
            }
        }
    }
    let key = Origin::Values(forest.nodes[entry].values.clone(), forest.nodes[exit].values.clone());
    Some((key, MustSummary { constraints, exit: exit_values, inputs }))
}
