//! Engines for Horn clauses on the procedural view: procedures as summaries, loops as predicates.
//!
//! A model of the clauses is a set of contracts. With [`Contexts::Any`] a predicate `E` says from
//! which entry states an error can be reached, so a procedure requires `not E`, and whatever its
//! locations satisfy is said under that assumption; with [`Contexts::Reachable`] the predicate at
//! the entry is what is required.
//!
//! A derivation is an execution: the premises of a step are what happened before it, in order, and
//! the premise for a callee's summary is what happened in the call. Reading it from the start of the
//! program gives the values of all inputs in the order in which a run asks for them.

use crate::horn::HornVerdict;
use crate::horn::solve::HornEngine;
use crate::path::{number, reached_error};
use crate::verdict::Reason;
use crate::verify::{Proof, Verdict};
use crate::view::{Knowledge, Prepared};
use craig_base::{Budget, IndexVec, Map, OrderedMap, OrderedSet, Stats, Stopwatch};
use craig_certificate::{Contract, Summaries, check_summaries};
use craig_chc::{
    BackError, Derivation, Interpretation, PredicateId, StepId, WitnessError, complete_derivation,
};
use craig_exec::{Detail, Executable, InputSite, Limits, Run, Source, replay};
use craig_program::encode::{BlockEncoding, ExactCase, StateNames};
use craig_program::horn::{ClauseOrigin, Contexts, HornProgram, procedure_clauses};
use craig_program::{CallGraph, EdgeId, ExprId, Granularity, ProcId, Program, StateVar, Stmt};
use craig_smt::{NativeSolver, Solver};
use craig_term::{Model, Substitution, TermId, Terms, Value};

/// Runs an engine on the clauses of the procedural view, and certifies what it finds.
pub fn verify_clauses(
    prepared: &Prepared<'_>,
    contexts: Contexts,
    engine: &HornEngine,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    let program = prepared.program;
    let encoded = match prepared.procedures(Knowledge::Types, Granularity::Loops, budget) {
        Ok(encoded) => encoded,
        Err(reason) => return Verdict::Unknown(reason),
    };
    let mut terms = encoded.terms.clone();
    let horn = procedure_clauses(program, &encoded.code, contexts, &mut terms);
    let simplified = craig_chc::simplify(&mut terms, &horn.system, budget);
    stats.add("clauses", horn.system.clauses.len() as u64);
    stats.add("simplified clauses", simplified.system.clauses.len() as u64);
    let new_solver = || Box::new(NativeSolver::default()) as Box<dyn Solver>;
    match engine.search(&mut terms, &simplified.system, &new_solver, budget, stats) {
        HornVerdict::Unknown(reason) => Verdict::Unknown(reason),
        HornVerdict::Sat(model) => match simplified.model(&mut terms, &horn.system, model, budget) {
            Ok(model) => {
                let summaries = summaries(&mut terms, program, &horn, &model);
                certify(terms, program, summaries, budget, stats)
            }
            Err(error) => Verdict::Unknown(from_back(error)),
        },
        HornVerdict::Unsat(derivation) => {
            let watch = Stopwatch::start();
            let derivation = simplified.derivation(&mut terms, &horn.system, &derivation, budget);
            let verdict = match derivation {
                Ok(derivation) => run_derivation(&mut terms, program, &horn, derivation, budget),
                Err(error) => Err(from_back(error)),
            };
            stats.add_time("time in certification", watch.elapsed());
            verdict.unwrap_or_else(Verdict::Unknown)
        }
    }
}

fn from_back(error: BackError) -> Reason {
    match error {
        BackError::Unknown(reason) => Reason::from(reason),
        BackError::Wrong(what) => Reason::internal(what),
    }
}

/// Lets the checker look at contracts.
pub fn certify(
    mut terms: Terms,
    program: &Program,
    summaries: Summaries,
    budget: &Budget,
    stats: &mut Stats,
) -> Verdict {
    let watch = Stopwatch::start();
    let checked = check_summaries(&mut terms, program, &summaries, budget);
    stats.add_time("time in certification", watch.elapsed());
    match (checked, budget.check()) {
        (Ok(()), _) => Verdict::Safe(Box::new(Proof::Summaries { terms, summaries })),
        (Err(_), Err(reason)) => Verdict::Unknown(Reason::Stopped(reason)),
        (Err(rejection), Ok(())) => Verdict::Unknown(Reason::Rejected(rejection.to_string())),
    }
}

/// The contracts that a model of the clauses describes.
fn summaries(
    terms: &mut Terms,
    program: &Program,
    horn: &HornProgram<'_>,
    model: &Interpretation,
) -> Summaries {
    let mut names = StateNames::default();
    let mut safe: Map<ProcId, TermId> = Map::default();
    let mut summaries = Summaries::default();
    let calls = CallGraph::new(program);
    for proc in program.procs.indices().filter(|&proc| calls.is_reachable(proc)) {
        // A procedure that never returns has no predicate at its exit.
        summaries.contracts.insert(proc, Contract::new(Terms::TRUE, Terms::FALSE));
    }
    for (id, origin) in horn.predicates.enumerated() {
        let Some(contract) = summaries.contracts.get_mut(&origin.proc) else { continue };
        let proc = &program.procs[origin.proc];
        let formula = at_constants(terms, program, &mut names, horn, id, model.formulas[id]);
        match origin.location {
            None => {
                safe.insert(origin.proc, terms.not(formula));
            }
            Some(location) if location == proc.exit => contract.ensures = formula,
            Some(location) => {
                contract.invariants.insert(location, formula);
            }
        }
    }
    let reachable_contexts = horn.clauses.iter().any(|origin| *origin == ClauseOrigin::Initial);
    for (id, contract) in &mut summaries.contracts {
        let proc = &program.procs[*id];
        if reachable_contexts {
            let Some(entered) = contract.invariants.get(&proc.entry).copied() else { continue };
            contract.requires = now_is_entry(terms, program, &mut names, horn, *id, entered);
        } else if let Some(&safe) = safe.get(id) {
            contract.requires = safe;
            for formula in contract.invariants.values_mut() {
                *formula = terms.and2(safe, *formula);
            }
        }
        let is_loop_head = !proc.locations[proc.entry].incoming.is_empty();
        if !is_loop_head {
            contract.invariants.shift_remove(&proc.entry);
        }
    }
    summaries
}

/// A predicate's formula over the constants of contracts.
fn at_constants(
    terms: &mut Terms,
    program: &Program,
    names: &mut StateNames,
    horn: &HornProgram<'_>,
    predicate: PredicateId,
    formula: TermId,
) -> TermId {
    let origin = &horn.predicates[predicate];
    let mut args: Vec<TermId> = origin.entry.iter().map(|&var| names.entry(program, terms, var)).collect();
    args.extend(origin.state.iter().map(|&var| names.current(program, terms, var)));
    horn.system.predicates[predicate].instantiate(terms, formula, &args)
}

/// What a formula at the entry says of the entry state.
fn now_is_entry(
    terms: &mut Terms,
    program: &Program,
    names: &mut StateNames,
    horn: &HornProgram<'_>,
    proc: ProcId,
    formula: TermId,
) -> TermId {
    let entry = program.procs[proc].entry;
    let at_entry = |origin: &&craig_program::horn::PredicateOrigin| {
        origin.proc == proc && origin.location == Some(entry)
    };
    let vars = horn.predicates.iter().find(at_entry).map_or(&[][..], |origin| &origin.state);
    let pairs: Vec<(TermId, TermId)> = vars
        .iter()
        .map(|&var| (names.current(program, terms, var), names.entry(program, terms, var)))
        .collect();
    Substitution::from_pairs(pairs).apply(terms, formula)
}

/// The values that a derivation gives to what a run asks for.
#[derive(Default)]
pub struct Script {
    /// In the order of the execution; no value where it does not matter.
    pub inputs: Vec<(ProcId, EdgeId, Option<Value>)>,
    /// Arguments and memory at the start of the program.
    pub start: OrderedMap<StateVar, Value>,
    /// Expressions on the way that formulas only approximate.
    pub approximations: Vec<(ProcId, EdgeId, ExprId)>,
    /// Cases in which the model gives a wrong result to an operation.
    pub missed: OrderedSet<ExactCase>,
}

fn run_derivation(
    terms: &mut Terms,
    program: &Program,
    horn: &HornProgram<'_>,
    mut derivation: Derivation,
    budget: &Budget,
) -> Result<Verdict, Reason> {
    complete_derivation(terms, &horn.system, &mut derivation, budget).map_err(|error| match error {
        WitnessError::NoInstance => Reason::internal("a derivation has a step without instance"),
        WitnessError::Unknown(reason) => Reason::from(reason),
    })?;
    let script = script(terms, program, horn, &derivation)
        .ok_or_else(|| Reason::internal("a derivation without an execution"))?;
    replay_script(program, &script, budget)
}

/// Runs the program by a script; the verdict is `unsafe` if the error is reached.
pub fn replay_script(program: &Program, script: &Script, budget: &Budget) -> Result<Verdict, Reason> {
    let limits = Limits { budget: budget.clone(), ..Limits::default() };
    let run = script.execute(program, &limits);
    let test = run.test(program);
    let replayed = replay(program, &test, &limits);
    if reached_error(&replayed) {
        return Ok(Verdict::Unsafe(replayed.test(program)));
    }
    let why = match script.approximations.first() {
        Some(&(proc, edge, expr)) => {
            let line = program.procs[proc].edges[edge].span.line;
            format!("line {line}: `{}` is only approximated in formulas", program.show_expr(expr))
        }
        None => run.outcome.describe(program),
    };
    Err(Reason::NotReplayed(why))
}

/// Reads the execution off a derivation, whose steps know the values of their clauses' variables.
fn script(
    terms: &mut Terms,
    program: &Program,
    horn: &HornProgram<'_>,
    derivation: &Derivation,
) -> Option<Script> {
    enum Visit {
        /// What happened up to the conclusion of a step, within the current call or before it.
        Step { step: StepId, in_summary: bool },
        /// The inputs of a segment.
        Segment(StepId),
    }
    let silent = silent_steps(program, horn, derivation);
    let mut script = Script::default();
    let mut names = StateNames::default();
    let mut stack = vec![Visit::Step { step: derivation.steps.indices().last()?, in_summary: false }];
    while let Some(visit) = stack.pop() {
        let (Visit::Step { step: id, .. } | Visit::Segment(id)) = visit;
        let step = &derivation.steps[id];
        let mut witness = Model::new();
        for (variable, value) in &step.witness {
            witness.set(*variable, value.clone());
        }
        match (visit, horn.clauses[step.clause]) {
            (Visit::Segment(_), ClauseOrigin::Segment { proc, edge }) => {
                script.segment(program, proc, horn.block(proc, edge)?, |term| {
                    terms.eval(term, &witness).ok()
                })?;
            }
            (Visit::Segment(_), _) => return None,
            (Visit::Step { in_summary, .. }, origin) => {
                match origin {
                    // The program starts here, unless a call of the entry procedure does.
                    ClauseOrigin::Initial | ClauseOrigin::Query => {
                        for predicate in horn.predicates.iter().filter(|p| p.proc == program.entry).take(1) {
                            for &var in &predicate.entry {
                                let constant = names.entry(program, terms, var);
                                if let Ok(value) = terms.eval(constant, &witness) {
                                    script.start.entry(var).or_insert(value);
                                }
                            }
                        }
                    }
                    ClauseOrigin::Segment { .. } => stack.push(Visit::Segment(id)),
                    ClauseOrigin::Start { .. }
                    | ClauseOrigin::Return { .. }
                    | ClauseOrigin::Enter { .. }
                    | ClauseOrigin::Error { .. } => {}
                    // Of inlined views only.
                    ClauseOrigin::Shortcut(_) => return None,
                }
                // The last premise happened last. A summary begins where its procedure is entered.
                if !(in_summary && matches!(origin, ClauseOrigin::Enter { .. })) {
                    let is_summary = |position: usize| {
                        in_summary || (position == 1 && matches!(origin, ClauseOrigin::Return { .. }))
                    };
                    for (position, &premise) in step.premises.iter().enumerate().rev() {
                        let in_summary = is_summary(position);
                        if !(in_summary && silent[premise]) {
                            stack.push(Visit::Step { step: premise, in_summary });
                        }
                    }
                }
            }
        }
    }
    Some(script)
}

/// The steps whose derivations ask for no input. Derivations share steps: without this, a summary
/// that is used often would be read as often.
fn silent_steps(
    program: &Program,
    horn: &HornProgram<'_>,
    derivation: &Derivation,
) -> IndexVec<StepId, bool> {
    let mut silent: IndexVec<StepId, bool> = IndexVec::new();
    for step in &derivation.steps {
        let own = match horn.clauses[step.clause] {
            ClauseOrigin::Segment { proc, edge } => {
                let edges = &program.procs[proc].edges;
                let asks = |edge: &EdgeId| matches!(edges[*edge].stmt, Stmt::Input(..));
                !horn.block(proc, edge).is_some_and(|block| block.edges.keys().any(asks))
            }
            _ => true,
        };
        let quiet = own && step.premises.iter().all(|&premise| silent[premise]);
        silent.push(quiet);
    }
    silent
}

impl Script {
    /// Adds what happens in a segment, whose terms have the values that `evaluate` gives. Returns its edges.
    pub fn segment(
        &mut self,
        program: &Program,
        proc: ProcId,
        block: &BlockEncoding,
        mut evaluate: impl FnMut(TermId) -> Option<Value>,
    ) -> Option<Vec<EdgeId>> {
        let body = &program.procs[proc];
        let edges = block.path(body, |literal| evaluate(literal) == Some(Value::Bool(true)))?;
        for (edge, value) in block.inputs_along(body, &edges) {
            self.inputs.push((proc, edge, value.and_then(&mut evaluate)));
        }
        let used = block.approximations.iter().filter(|(edge, _)| edges.contains(edge));
        self.approximations.extend(used.map(|&(edge, expr)| (proc, edge, expr)));
        self.miss(block, evaluate);
        Some(edges)
    }

    /// Adds what happens where a call is entered.
    pub fn call(
        &mut self,
        proc: ProcId,
        enter: &BlockEncoding,
        evaluate: impl FnMut(TermId) -> Option<Value>,
    ) {
        self.approximations.extend(enter.approximations.iter().map(|&(edge, expr)| (proc, edge, expr)));
        self.miss(enter, evaluate);
    }

    /// Records which operations have wrong results.
    fn miss(&mut self, block: &BlockEncoding, mut evaluate: impl FnMut(TermId) -> Option<Value>) {
        for (operation, &result) in &block.results {
            let [a, b] = operation.operands;
            let mut number = |term: TermId| evaluate(term).map(|value| number(&value));
            if let (Some(a), Some(b), Some(result)) = (number(a), number(b), number(result)) {
                self.missed.extend(operation.missed_cases(a, b, result));
            }
        }
    }

    /// Adds what another script says, after what this one says.
    pub fn extend(&mut self, other: Script) {
        self.inputs.extend(other.inputs);
        self.approximations.extend(other.approximations);
        self.missed.extend(other.missed);
    }

    fn execute(&self, program: &Program, limits: &Limits) -> Run {
        let mut inputs = self.inputs.iter();
        let mut arguments = program.procs[program.entry].params.iter();
        let mut oracle = |at: &InputSite| -> Option<i128> {
            match at.source {
                Source::Statement => {
                    let (proc, edge, value) = inputs.next()?;
                    let same = (*proc, *edge) == (at.site.proc, at.site.edge);
                    same.then(|| value.as_ref().map_or(0, number))
                }
                Source::Argument => {
                    let var = *arguments.next()?;
                    Some(self.start.get(&StateVar::Var(var)).map_or(0, number))
                }
                Source::Memory { region, address } => {
                    let contents = self.start.get(&StateVar::Region(region));
                    Some(contents.map_or(0, |contents| crate::path::cell(contents, address)))
                }
                Source::Local => Some(0),
                Source::Choice { .. } => None,
            }
        };
        Executable::new(program, Detail::Outcome).run(&mut oracle, limits)
    }
}
