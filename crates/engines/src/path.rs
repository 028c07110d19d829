//! An execution that an engine claims, and its replay.

use crate::horn::contracts::Script;
use craig_base::{OrderedMap, OrderedSet};
use craig_exec::{Detail, Executable, InputSite, Limits, Outcome, Run, Source};
use craig_program::encode::ExactCase;
use craig_program::{EdgeId, ExprId, Program, ScalarCell, StateVar};
use craig_term::{ArrayValue, Value};
use std::sync::Arc;

/// A path of the inlined program to its error, with the values that a model gives to the inputs.
#[derive(Clone, Debug, Default)]
pub struct ProgramPath {
    pub edges: Vec<EdgeId>,
    /// The inputs along the path, in order; no value where it does not matter.
    pub inputs: Vec<(EdgeId, Option<Value>)>,
    /// The state in which the program starts: arguments, and memory that nothing initialises.
    pub initial: OrderedMap<StateVar, Value>,
    /// Expressions on the path that formulas only approximate.
    pub approximations: Vec<(EdgeId, ExprId)>,
    /// Cases in which the model gives a wrong result to an operation.
    pub missed: OrderedSet<ExactCase>,
}

impl From<Script> for ProgramPath {
    /// The path of a program with one procedure.
    fn from(script: Script) -> Self {
        ProgramPath {
            edges: Vec::new(),
            inputs: script.inputs.into_iter().map(|(_, edge, value)| (edge, value)).collect(),
            initial: script.start.into_iter().collect(),
            approximations: script.approximations.into_iter().map(|(_, edge, expr)| (edge, expr)).collect(),
            missed: script.missed,
        }
    }
}

impl ProgramPath {
    /// Puts the initial values of memory cells that were variables in the formulas back into memory.
    pub fn restore_memory(&mut self, cells: &[ScalarCell]) {
        for cell in cells {
            let Some(value) = self.initial.shift_remove(&StateVar::Var(cell.var)) else { continue };
            let empty = || Value::Array(Arc::new(ArrayValue::new(Value::Int(0.into()))));
            let region = self.initial.entry(StateVar::Region(cell.region)).or_insert_with(empty);
            if let Value::Array(contents) = region {
                Arc::make_mut(contents).store(Value::Int(cell.address.into()), value);
            }
        }
    }

    /// Runs the inlined program with the inputs of the path. Those in loops that the path leads around do
    /// not matter.
    pub fn execute(&self, inlined: &Program, is_skipped: &dyn Fn(EdgeId) -> bool, limits: &Limits) -> Run {
        let mut inputs = self.inputs.iter();
        self.execute_with(inlined, limits, |at| {
            if is_skipped(at) {
                return Some(0);
            }
            let (edge, value) = inputs.next()?;
            (*edge == at).then(|| value.as_ref().map_or(0, number))
        })
    }

    /// Runs a program with the same variables from the path's initial state. `input` gives the value
    /// of an input statement.
    pub fn execute_with(
        &self,
        inlined: &Program,
        limits: &Limits,
        mut input: impl FnMut(EdgeId) -> Option<i128>,
    ) -> Run {
        let params = &inlined.procs[inlined.entry].params;
        let mut arguments = params.iter();
        let mut oracle = |at: &InputSite| -> Option<i128> {
            match at.source {
                Source::Statement => input(at.site.edge),
                Source::Argument => {
                    let var = *arguments.next()?;
                    Some(self.initial.get(&StateVar::Var(var)).map_or(0, number))
                }
                Source::Memory { region, address } => {
                    let contents = self.initial.get(&StateVar::Region(region));
                    Some(contents.map_or(0, |contents| cell(contents, address)))
                }
                Source::Local => Some(0),
                Source::Choice { .. } => None,
            }
        };
        Executable::new(inlined, Detail::Outcome).run(&mut oracle, limits)
    }
}

/// Whether a run ended in the error, with memory split as the program says.
pub fn reached_error(run: &Run) -> bool {
    matches!(run.outcome, Outcome::ReachedError { .. }) && run.region_violations.is_empty()
}

/// A value as executions have it.
pub(crate) fn number(value: &Value) -> i128 {
    match value {
        Value::Bool(b) => i128::from(*b),
        Value::Int(n) => n.to_i128().unwrap_or(0),
        _ => 0,
    }
}

pub(crate) fn cell(contents: &Value, address: u64) -> i128 {
    match contents {
        Value::Array(array) => number(array.select(&Value::Int(address.into()))),
        _ => 0,
    }
}
