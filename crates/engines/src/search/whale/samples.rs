//! Under-approximations from runs of the program.
//!
//! The chapter leaves open which paths of a callee an ARG should begin with, and names the choice as
//! future work (section 6.6). Here the program is run a few times with random inputs, and each call and
//! each visit of a loop head is a *sample*: the values with which a function began and ended, and the
//! samples of what it called. As long as a function has no facts, REFINEARG looks for a sample that
//! violates a specification before it asks the solver; the execution with these values, projected
//! onto parameters and returns, is then a fact like any other, and so are those of the calls below it.
//! They come from states that the program reaches, and there is no need to ask for them level by
//! level. A run that fails is a counterexample at once.

use super::{ArgId, Spec, Whale};
use crate::path::reached_error;
use crate::search::random::seed_of_run;
use crate::verdict::Reason;
use crate::verify::Verdict;
use crate::view::functions::{FunctionId, Slot, View};
use craig_base::{IndexVec, Map, Set, index_type};
use craig_exec::{Detail, Executable, Limits, Observer, Outcome, RandomOracle, Site, StateView, replay};
use craig_program::{LocId, Place, ProcId, Program, Scope, StateVar, Stmt, VarId};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{Model, TermId, Terms, Value};

const RUNS: u64 = 30;
const STEPS: u64 = 3000;
const MAX_SAMPLES: usize = 5000;
/// Visits of loop heads that are remembered in one call.
const MAX_VISITS: usize = 64;

index_type!(
    /// A sample.
    SampleId,
    "s"
);

/// The values of slots; none where they are not known.
type Values = Vec<Option<i128>>;

/// A function ran from these parameters to these returns.
#[derive(Clone)]
struct Sample {
    function: FunctionId,
    params: Values,
    returns: Values,
    failed: bool,
    /// What it called.
    callees: Vec<SampleId>,
}

#[derive(Default)]
pub struct Samples {
    all: IndexVec<SampleId, Sample>,
    by_function: Map<FunctionId, Vec<SampleId>>,
    known: Map<(FunctionId, Values, Values, bool), SampleId>,
    /// Those from which no fact could be made.
    useless: Set<SampleId>,
}

impl Samples {
    /// Adds a sample, unless there is one with the same values.
    fn add(&mut self, sample: Sample) -> SampleId {
        let key = (sample.function, sample.params.clone(), sample.returns.clone(), sample.failed);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let function = sample.function;
        let id = self.all.push(sample);
        self.known.insert(key, id);
        self.by_function.entry(function).or_default().push(id);
        id
    }
}

/// A function that has begun.
struct Begun {
    function: FunctionId,
    params: Values,
    callees: Vec<SampleId>,
}

/// Watches where functions begin and end.
struct Recorder<'a> {
    program: &'a Program,
    view: &'a View<'a>,
    starts: &'a Map<(ProcId, LocId), FunctionId>,
    /// For each active call the functions that have begun in it.
    active: Vec<Vec<Begun>>,
    samples: &'a mut Samples,
}

impl Recorder<'_> {
    /// All functions of a call have ended: the first, and the loops in which it ended.
    fn end(&mut self, call: Vec<Begun>, returns: &[Option<i128>], failed: bool) {
        let mut last = None;
        for begun in call.into_iter().rev() {
            let Begun { function, params, mut callees } = begun;
            callees.extend(last);
            let returns = returns.to_vec();
            last = Some(self.samples.add(Sample { function, params, returns, failed, callees }));
        }
        if let (Some(last), Some(caller)) = (last, self.active.last_mut().and_then(|call| call.last_mut())) {
            caller.callees.push(last);
        }
    }
}

fn values(slots: &[Slot], value: impl Fn(VarId) -> Option<i128>) -> Values {
    slots
        .iter()
        .map(|slot| match slot.var {
            StateVar::Var(var) => value(var),
            StateVar::Region(_) => None,
        })
        .collect()
}

impl Observer for Recorder<'_> {
    fn edge(&mut self, site: Site, state: &dyn StateView) {
        // One for each active call, and one for the entry procedure.
        let calls = state.depth() + 1;
        self.active.truncate(calls);
        self.active.resize_with(calls, Vec::new);
        let from = self.program.procs[site.proc].edges[site.edge].from;
        let Some(&function) = self.starts.get(&(site.proc, from)) else { return };
        if let Some(call) = self.active.last_mut() {
            if call.len() > MAX_VISITS {
                call.remove(1);
            }
            let params = values(&self.view.functions[function].params, |var| state.value(var));
            call.push(Begun { function, params, callees: Vec::new() });
        }
    }

    fn returned(&mut self, site: Site, state: &dyn StateView) {
        let calls = state.depth() + 1;
        if self.active.len() <= calls {
            return;
        }
        self.active.truncate(calls + 1);
        let Some(call) = self.active.pop() else { return };
        let Some(begun) = call.first() else { return };
        let Stmt::Call { callee, result, .. } = &self.program.procs[site.proc].edges[site.edge].stmt else {
            return;
        };
        let own = self.program.procs[*callee].result;
        let returns = values(&self.view.functions[begun.function].returns, |var| {
            let is_global = matches!(self.program.vars[var].scope, Scope::Global { .. });
            match *result {
                Some(Place::Var(place)) if Some(var) == own => state.value(place),
                // The global was overwritten by the result.
                Some(Place::Var(place)) if place == var => None,
                _ if is_global => state.value(var),
                _ => None,
            }
        });
        self.end(call, &returns, false);
    }

    fn finished(&mut self, outcome: &Outcome, _state: &dyn StateView) {
        if matches!(outcome, Outcome::ReachedError(_)) {
            while let Some(call) = self.active.pop() {
                let Some(begun) = call.first() else { continue };
                let returns = values(&self.view.functions[begun.function].returns, |_| None);
                self.end(call, &returns, true);
            }
        }
    }
}

impl Whale<'_> {
    /// Samples a few runs; one that fails is the answer.
    pub(super) fn run_tests(&mut self) -> Result<Option<Verdict>, Reason> {
        let executable = Executable::new(self.program, Detail::Edges);
        let limits = Limits { steps: STEPS, budget: self.budget.clone(), ..Limits::default() };
        let starts: Map<(ProcId, LocId), FunctionId> =
            self.view.functions.enumerated().map(|(id, f)| ((f.proc, f.start), id)).collect();
        for number in 0..RUNS {
            self.budget.check().map_err(Reason::Stopped)?;
            let mut recorder = Recorder {
                program: self.program,
                view: &self.view,
                starts: &starts,
                active: Vec::new(),
                samples: &mut self.samples,
            };
            self.counts.tests += 1;
            let seed = seed_of_run(self.config.seed, RUNS, number);
            let run = executable.observe(&mut RandomOracle::new(self.program, seed), &limits, &mut recorder);
            if reached_error(&run) {
                let test = run.test(self.program);
                if reached_error(&replay(self.program, &test, &limits)) {
                    return Ok(Some(Verdict::Unsafe(test)));
                }
            }
            if self.samples.all.len() > MAX_SAMPLES {
                break;
            }
        }
        Ok(None)
    }

    /// A model of the function's condition from a sample that violates a specification of the ARG; none
    /// if the function has facts already.
    pub(super) fn violating_sample(&mut self, arg: ArgId) -> Result<Option<Model>, Reason> {
        let function = self.args[arg].function;
        if self.facts.of(function).next().is_some() {
            return Ok(None);
        }
        let specs = self.args[arg].specs.clone();
        let candidates = self.samples.by_function.get(&function).cloned().unwrap_or_default();
        for id in candidates {
            if self.samples.useless.contains(&id) {
                continue;
            }
            let model = self.values(id);
            for &spec in &specs {
                let violated = self.terms.not(spec.summary);
                let violated = self.terms.and2(spec.guard, violated);
                if self.terms.eval_bool(violated, &model) != Ok(true) {
                    continue;
                }
                match self.execution(id, Some(spec))? {
                    Some(model) => return Ok(Some(model)),
                    None => {
                        self.samples.useless.insert(id);
                        break;
                    }
                }
            }
        }
        Ok(None)
    }

    /// The values of a sample.
    fn values(&self, id: SampleId) -> Model {
        let sample = &self.samples.all[id];
        let function = &self.view.functions[sample.function];
        let mut model = Model::new();
        let slots = function.params.iter().zip(&sample.params);
        for (slot, value) in slots.chain(function.returns.iter().zip(&sample.returns)) {
            let Some(value) = *value else { continue };
            let value = match self.terms.sort(slot.constant) == Terms::BOOL {
                true => Value::Bool(value != 0),
                false => Value::Int(value.into()),
            };
            model.set(slot.constant, value);
        }
        if let Some(error) = function.error {
            model.set(error, Value::Bool(sample.failed));
        }
        model
    }

    /// An execution with the values of a sample, where the calls are facts; those that are missing are
    /// made of the samples of the calls.
    fn execution(&mut self, id: SampleId, spec: Option<Spec>) -> Result<Option<Model>, Reason> {
        let mut stack = vec![(id, false)];
        let mut seen: Set<SampleId> = Set::default();
        while let Some((at, is_ready)) = stack.pop() {
            self.budget.check().map_err(Reason::Stopped)?;
            if is_ready {
                if self.is_fact(at) {
                    continue;
                }
                let graph =
                    IndexVec::from_elem(true, self.view.functions[self.samples.all[at].function].edges.len());
                match self.model(at, None)? {
                    Some(model) => {
                        self.counts.sampled += 1;
                        self.fact_of(self.samples.all[at].function, &graph, &model)?;
                    }
                    None => return Ok(None),
                }
                continue;
            }
            if !seen.insert(at) || (at != id && self.is_fact(at)) {
                continue;
            }
            if at != id {
                stack.push((at, true));
            }
            stack.extend(self.samples.all[at].callees.iter().rev().map(|&callee| (callee, false)));
        }
        self.model(id, spec)
    }

    /// Whether a fact has the sample's values.
    fn is_fact(&self, id: SampleId) -> bool {
        let model = self.values(id);
        let function = self.samples.all[id].function;
        self.facts.of(function).any(|fact| self.terms.eval_bool(fact.formula, &model) == Ok(true))
    }

    /// A model of the function's condition with the values of a sample, which violates the specification.
    fn model(&mut self, id: SampleId, spec: Option<Spec>) -> Result<Option<Model>, Reason> {
        let sample = self.samples.all[id].clone();
        let values = self.formula(&sample);
        let (guard, mut summary) = (spec.map_or(Terms::TRUE, |spec| spec.guard), self.terms.not(values));
        if let Some(spec) = spec {
            summary = self.terms.or2(summary, spec.summary);
        }
        let graph = IndexVec::from_elem(true, self.view.functions[sample.function].edges.len());
        let condition = self.condition(sample.function, &graph, &[Spec { from: None, guard, summary }]);
        let mut solver = NativeSolver::default();
        for &part in &condition.parts {
            solver.assert(self.terms, part);
        }
        match solver.check(self.terms, &[], self.budget) {
            Answer::Sat => Ok(solver.model().cloned()),
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(Reason::Stopped(reason)),
            _ => Ok(None),
        }
    }

    /// What a sample says, over the constants of its function.
    fn formula(&mut self, sample: &Sample) -> TermId {
        let function = &self.view.functions[sample.function];
        let mut parts = Vec::new();
        let slots = function.params.iter().zip(&sample.params);
        for (slot, value) in slots.chain(function.returns.iter().zip(&sample.returns)) {
            let Some(value) = *value else { continue };
            let is_float = |var: VarId| self.program.vars[var].ty.is_float();
            if matches!(slot.var, StateVar::Var(var) if is_float(var)) {
                continue;
            }
            if self.terms.sort(slot.constant) == Terms::BOOL {
                parts.push(if value == 0 { self.terms.not(slot.constant) } else { slot.constant });
            } else {
                let value = self.terms.int(value);
                parts.push(self.terms.eq(slot.constant, value));
            }
        }
        if let Some(error) = function.error {
            parts.push(if sample.failed { error } else { self.terms.not(error) });
        }
        self.terms.and(&parts)
    }
}
