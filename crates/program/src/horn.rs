//! Programs as constrained Horn clauses.
//!
//! *Inlined view* ([`inlined_clauses`]): one predicate for each cutpoint, over the live state there;
//! one clause for each segment.
//!
//! *Procedural view* ([`procedure_clauses`]): one predicate for each cutpoint of each procedure,
//! over the state at the procedure's entry and the current state. At the exit this is the
//! procedure's summary. The ends of calls are cutpoints; a call is a clause with two premises, the
//! predicate before the call and the callee's summary. The error is treated in one of two ways:
//!
//! - [`Contexts::Reachable`]: the predicate at an entry holds for the states in which the procedure
//!   is really called; an error location then means `false` in itself.
//! - [`Contexts::Any`]: summaries do not depend on the callers; that an error can be reached from an
//!   entry state is a predicate of the procedure (if it may fail at all), which calls pass on, and the
//!   entry procedure asks.
//!
//! Clauses speak of the constants of [`BlockEncoding`]; those of different clauses have nothing to do
//! with each other. The way back: [`HornProgram::predicates`] and [`HornProgram::clauses`] say what
//! each predicate and clause stands for.

use crate::Ranges;
use crate::callgraph::CallGraph;
use crate::cutpoints::{CutId, CutpointGraph};
use crate::effects::{Effect, effects};
use crate::encode::{BlockEncoding, CallEncoding, CutpointEncoding, StateNames, initial_state};
use crate::ir::{EdgeId, LocId, ProcId, Program, Stmt};
use crate::liveness::Liveness;
use crate::state::StateVar;
use crate::types::Type;
use craig_base::{Budget, IndexVec, Map, OrderedMap, StopReason};
use craig_chc::{Application, Clause, ClauseId, Predicate, PredicateId, System};
use craig_term::{Substitution, TermId, Terms};

/// A system of Horn clauses with its way back to the program.
#[derive(Clone, Debug)]
pub struct HornProgram {
    pub system: System,
    pub predicates: IndexVec<PredicateId, PredicateOrigin>,
    pub clauses: IndexVec<ClauseId, ClauseOrigin>,
    pub blocks: Vec<BlockEncoding>,
}

/// What a predicate stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateOrigin {
    pub proc: ProcId,
    /// The location; none for "an error can be reached from this entry state".
    pub location: Option<LocId>,
    /// The first arguments: state at the procedure's entry.
    pub entry: Vec<StateVar>,
    /// The other arguments: state at the location.
    pub state: Vec<StateVar>,
}

/// What a clause stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseOrigin {
    /// The start of the program.
    Initial,
    /// The start of a procedure.
    Start { proc: ProcId },
    /// A segment, as an index into [`HornProgram::blocks`].
    Segment { proc: ProcId, block: usize },
    /// A call that returns.
    Return { proc: ProcId, call: EdgeId },
    /// A call that is entered.
    Enter { proc: ProcId, call: EdgeId },
    /// A call in which an error is reached.
    Error { proc: ProcId, call: EdgeId },
    /// The question.
    Query,
}

/// For which entry states the predicates of a procedure speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contexts {
    Reachable,
    Any,
}

impl HornProgram {
    fn new() -> Self {
        HornProgram {
            system: System::default(),
            predicates: IndexVec::new(),
            clauses: IndexVec::new(),
            blocks: Vec::new(),
        }
    }

    fn predicate(&mut self, terms: &mut Terms, program: &Program, origin: PredicateOrigin) -> PredicateId {
        let proc = &program.procs[origin.proc].name;
        let name = match origin.location {
            Some(location) => format!("{proc}.{location}"),
            None => format!("{proc}.error"),
        };
        let sorts: Vec<_> = origin
            .entry
            .iter()
            .chain(&origin.state)
            .map(|&var| match var {
                StateVar::Var(var) if program.vars[var].ty == Type::Bool => Terms::BOOL,
                StateVar::Var(_) => Terms::INT,
                StateVar::Region(_) => terms.array_sort(Terms::INT, Terms::INT),
            })
            .collect();
        self.predicates.push(origin);
        self.system.predicates.push(Predicate::new(terms, &name, &sorts))
    }

    fn clause(
        &mut self,
        origin: ClauseOrigin,
        body: Vec<Application>,
        constraint: TermId,
        head: Option<Application>,
    ) {
        self.clauses.push(origin);
        self.system.clauses.push(Clause { body, constraint, head });
    }

    /// The formula at each location of the entry procedure that an interpretation of an inlined
    /// view gives, over the current constants.
    pub fn invariants(
        &self,
        program: &Program,
        terms: &mut Terms,
        formulas: &IndexVec<PredicateId, TermId>,
    ) -> OrderedMap<LocId, TermId> {
        let mut names = StateNames::default();
        let mut invariants = OrderedMap::default();
        for (id, origin) in self.predicates.enumerated() {
            let Some(location) = origin.location else { continue };
            let state: Vec<TermId> =
                origin.state.iter().map(|&var| names.current(program, terms, var)).collect();
            let formula = self.system.predicates[id].instantiate(terms, formulas[id], &state);
            invariants.insert(location, formula);
        }
        invariants
    }
}

/// The clauses of a program without calls.
pub fn inlined_clauses(program: &Program, encoding: &CutpointEncoding, terms: &mut Terms) -> HornProgram {
    let mut horn = HornProgram::new();
    let cuts = &encoding.cuts;
    let proc = program.entry;
    let entry_is_loop = !cuts.cutpoints[cuts.entry].incoming.is_empty();
    let mut predicates: Map<CutId, PredicateId> = Map::default();
    for (cut, cutpoint) in cuts.cutpoints.enumerated() {
        if cut == cuts.error || (cut == cuts.entry && !entry_is_loop) {
            continue;
        }
        let state = encoding.states[cut].iter().map(|constant| constant.var).collect();
        let origin = PredicateOrigin { proc, location: Some(cutpoint.location), entry: Vec::new(), state };
        predicates.insert(cut, horn.predicate(terms, program, origin));
    }
    let current = |cut| {
        let args = encoding.states[cut].iter().map(|constant| constant.current).collect();
        predicates.get(&cut).map(|&predicate| Application { predicate, args })
    };
    let next = |cut| {
        let args = encoding.states[cut].iter().map(|constant| constant.next).collect();
        predicates.get(&cut).map(|&predicate| Application { predicate, args })
    };
    if let Some(head) = current(cuts.entry) {
        horn.clause(ClauseOrigin::Initial, Vec::new(), encoding.initial, Some(head));
    }
    for (id, edge) in cuts.edges.enumerated() {
        let block = &encoding.blocks[id];
        let origin = ClauseOrigin::Segment { proc, block: horn.blocks.len() };
        let body: Vec<Application> = current(edge.from).into_iter().collect();
        let constraint =
            if body.is_empty() { terms.and2(encoding.initial, block.formula) } else { block.formula };
        horn.clause(origin, body, constraint, next(edge.to));
        horn.blocks.push(block.clone());
    }
    horn
}

/// The clauses of a program with procedures.
pub fn procedure_clauses(
    program: &Program,
    contexts: Contexts,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<HornProgram, StopReason> {
    let calls = CallGraph::new(program);
    let mut builder = ProceduralBuilder {
        program,
        contexts,
        terms,
        names: StateNames::default(),
        effects: effects(program, &calls),
        procedures: Map::default(),
        horn: HornProgram::new(),
    };
    let procs: Vec<ProcId> = program.procs.indices().filter(|&proc| calls.is_reachable(proc)).collect();
    for &proc in &procs {
        builder.declare(proc);
    }
    builder.program_start();
    for &proc in &procs {
        budget.check()?;
        builder.procedure(proc);
    }
    Ok(builder.horn)
}

/// The predicates of a procedure.
struct Procedure {
    cuts: CutpointGraph,
    liveness: Liveness,
    /// The state at the entry on which the procedure depends.
    entry: Vec<StateVar>,
    predicates: Map<CutId, PredicateId>,
    /// For [`Contexts::Any`].
    error: Option<PredicateId>,
}

struct ProceduralBuilder<'a> {
    program: &'a Program,
    contexts: Contexts,
    terms: &'a mut Terms,
    names: StateNames,
    effects: IndexVec<ProcId, Effect>,
    procedures: Map<ProcId, Procedure>,
    horn: HornProgram,
}

impl ProceduralBuilder<'_> {
    fn declare(&mut self, proc: ProcId) {
        let program = self.program;
        let body = &program.procs[proc];
        let cuts = CutpointGraph::of_procedure(program, body, &self.effects);
        let liveness = Liveness::of_procedure(program, proc, &self.effects);
        let tracked = |location| -> Vec<StateVar> {
            liveness.at(location).into_iter().filter(|&var| program.is_tracked(var)).collect()
        };
        let entry = tracked(body.entry);
        let mut predicates = Map::default();
        for (cut, cutpoint) in cuts.cutpoints.enumerated() {
            if cut == cuts.error {
                continue;
            }
            let state = tracked(cutpoint.location);
            let origin =
                PredicateOrigin { proc, location: Some(cutpoint.location), entry: entry.clone(), state };
            predicates.insert(cut, self.horn.predicate(self.terms, program, origin));
        }
        let error = (self.contexts == Contexts::Any && self.effects[proc].fails).then(|| {
            let origin = PredicateOrigin { proc, location: None, entry: entry.clone(), state: Vec::new() };
            self.horn.predicate(self.terms, program, origin)
        });
        self.procedures.insert(proc, Procedure { cuts, liveness, entry, predicates, error });
    }

    fn entry_constants(&mut self, vars: &[StateVar]) -> Vec<TermId> {
        vars.iter().map(|&var| self.names.entry(self.program, self.terms, var)).collect()
    }

    /// How the program begins, and what is asked of it.
    fn program_start(&mut self) {
        let main = self.program.entry;
        let entry = self.procedures[&main].entry.clone();
        let args = self.entry_constants(&entry);
        let initial = initial_state(self.program, self.terms, &mut self.names, &entry);
        let pairs: Vec<(TermId, TermId)> = entry
            .iter()
            .zip(&args)
            .map(|(&var, &arg)| (self.names.current(self.program, self.terms, var), arg))
            .collect();
        let initial = Substitution::from_pairs(pairs).apply(self.terms, initial);
        match (self.contexts, self.procedures[&main].error) {
            (Contexts::Reachable, _) => {
                let head = self.at_entry(main, &args);
                self.horn.clause(ClauseOrigin::Initial, Vec::new(), initial, Some(head));
            }
            (Contexts::Any, Some(predicate)) => {
                let body = vec![Application { predicate, args }];
                self.horn.clause(ClauseOrigin::Query, body, initial, None);
            }
            (Contexts::Any, None) => {}
        }
    }

    /// The predicate at a procedure's entry, where entry state and current state are the same.
    fn at_entry(&self, proc: ProcId, args: &[TermId]) -> Application {
        let procedure = &self.procedures[&proc];
        let predicate = procedure.predicates[&procedure.cuts.entry];
        Application { predicate, args: [args, args].concat() }
    }

    fn procedure(&mut self, proc: ProcId) {
        let body = &self.program.procs[proc];
        let procedure = self.procedures.remove(&proc).expect("declared");
        let entry = self.entry_constants(&procedure.entry);
        if self.contexts == Contexts::Any {
            let predicate = procedure.predicates[&procedure.cuts.entry];
            let head = Application { predicate, args: [&entry[..], &entry[..]].concat() };
            self.horn.clause(ClauseOrigin::Start { proc }, Vec::new(), Terms::TRUE, Some(head));
        }
        for edge in &procedure.cuts.edges {
            let block = BlockEncoding::with_names(
                self.program,
                body,
                &edge.segment,
                &procedure.liveness,
                &Ranges::none(),
                self.terms,
                &mut self.names,
            );
            let premise = self.at(&procedure, edge.from, &entry, false);
            let head = if edge.to == procedure.cuts.error {
                procedure.error.map(|predicate| Application { predicate, args: entry.clone() })
            } else {
                Some(self.at(&procedure, edge.to, &entry, true))
            };
            let origin = ClauseOrigin::Segment { proc, block: self.horn.blocks.len() };
            self.horn.clause(origin, vec![premise], block.formula, head);
            self.horn.blocks.push(block);
        }
        self.procedures.insert(proc, procedure);
        for call in self.procedures[&proc].cuts.calls.clone() {
            self.call(proc, call, &entry);
        }
    }

    /// The predicate at a cutpoint, over the entry constants and the current or next ones.
    fn at(&mut self, procedure: &Procedure, cut: CutId, entry: &[TermId], next: bool) -> Application {
        let predicate = procedure.predicates[&cut];
        let mut args = entry.to_vec();
        for &var in &self.horn.predicates[predicate].state {
            args.push(if next {
                self.names.next(self.program, self.terms, var)
            } else {
                self.names.current(self.program, self.terms, var)
            });
        }
        Application { predicate, args }
    }

    fn call(&mut self, proc: ProcId, call: EdgeId, entry: &[TermId]) {
        let program = self.program;
        let edge = &program.procs[proc].edges[call];
        let Stmt::Call { callee, .. } = &edge.stmt else { return };
        let caller = self.procedures.remove(&proc).expect("declared");
        let (from, to) = (caller.cuts.at(edge.from), caller.cuts.at(edge.to));
        let Some(from) = from else { unreachable!("a call starts at a cutpoint") };
        let before = self.at(&caller, from, entry, false);
        // For a recursive call, the callee is the caller.
        self.procedures.insert(proc, caller);

        let callee_entry = self.procedures[callee].entry.clone();
        let encoding = CallEncoding::new(program, edge, &callee_entry, self.terms, &mut self.names);
        let Some(encoding) = encoding else { return };
        let inputs: Vec<TermId> = encoding.arguments.iter().map(|&(_, passed)| passed).collect();
        let constraint = encoding.condition;
        let entered = self.at_entry(*callee, &inputs);
        match (self.contexts, self.procedures[callee].error) {
            (Contexts::Reachable, _) => {
                let origin = ClauseOrigin::Enter { proc, call };
                self.horn.clause(origin, vec![before.clone()], constraint, Some(entered));
            }
            (Contexts::Any, Some(predicate)) => {
                let head = self.procedures[&proc].error;
                let head = head.map(|predicate| Application { predicate, args: entry.to_vec() });
                let body = vec![before.clone(), Application { predicate, args: inputs.clone() }];
                self.horn.clause(ClauseOrigin::Error { proc, call }, body, constraint, head);
            }
            (Contexts::Any, None) => {}
        }
        if let Some(to) = to {
            self.return_clause(proc, call, entry, (before, to), &encoding);
        }
    }

    fn return_clause(
        &mut self,
        proc: ProcId,
        call: EdgeId,
        entry: &[TermId],
        (before, to): (Application, CutId),
        encoding: &CallEncoding,
    ) {
        let program = self.program;
        let callee = encoding.callee;
        let summary = &self.procedures[&callee];
        let Some(exit) = summary.cuts.at(program.procs[callee].exit) else { return };
        let Some(&predicate) = summary.predicates.get(&exit) else { return };
        let exit = &self.horn.predicates[predicate].state;
        let effect = &self.effects[callee];
        let returned = encoding.returns(program, exit, effect, self.terms, &mut self.names);
        let passed = encoding.arguments.iter().chain(&returned.results).map(|&(_, term)| term);
        let summary = Application { predicate, args: passed.collect() };
        let caller = &self.procedures[&proc];
        let head = caller.predicates.get(&to).map(|&predicate| {
            let mut args = entry.to_vec();
            for &var in &self.horn.predicates[predicate].state {
                args.push(returned.value(program, self.terms, &mut self.names, var));
            }
            Application { predicate, args }
        });
        // A call that leads straight to the error has no state behind it.
        let head =
            head.or_else(|| caller.error.map(|predicate| Application { predicate, args: entry.to_vec() }));
        self.horn.clause(ClauseOrigin::Return { proc, call }, vec![before, summary], returned.guard, head);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Place;
    use crate::testing::*;

    #[test]
    fn a_loop_is_three_clauses() {
        let program = counting_loop();
        let mut terms = Terms::new();
        let encoding = CutpointEncoding::new(&program, &Ranges::none(), &mut terms, &Budget::unlimited())
            .expect("no limits");
        let horn = inlined_clauses(&program, &encoding, &mut terms);
        assert_eq!((horn.system.predicates.len(), horn.system.clauses.len()), (1, 3));
        let shapes: Vec<(usize, bool)> =
            horn.system.clauses.iter().map(|clause| (clause.body.len(), clause.head.is_some())).collect();
        assert_eq!(shapes, vec![(0, true), (1, true), (1, false)]);
    }

    /// `f(n) { if (n < 1) r = 0; else r = f(n - 1); }` and `x = f(n); if (x < 0) error;`
    fn recursive() -> Program {
        let mut b = Builder::new();
        let main = b.proc;
        let f = b.start_proc("f");
        let n = b.param("n");
        let r = b.int("r");
        b.proc().result = Some(r);
        let (base, step, get_n) = (b.loc(), b.loc(), b.get(n));
        let (zero, one) = (b.lit(0), b.lit(1));
        let cond = b.lt(get_n, one);
        b.branch(ENTRY, base, step, cond);
        b.assign(base, EXIT, r, zero);
        let smaller = b.op(crate::expr::BinaryOp::Sub, get_n, one);
        b.edge(step, EXIT, Stmt::Call { callee: f, args: vec![smaller], result: Some(Place::Var(r)) });
        b.proc = main;
        let (x, y) = (b.int("x"), b.param("y"));
        let after = b.loc();
        let (get_x, get_y) = (b.get(x), b.get(y));
        b.edge(ENTRY, after, Stmt::Call { callee: f, args: vec![get_y], result: Some(Place::Var(x)) });
        let bad = b.lt(get_x, zero);
        b.branch(after, ERROR, EXIT, bad);
        b.program
    }

    #[test]
    fn a_call_has_two_premises() {
        let program = recursive();
        for contexts in [Contexts::Reachable, Contexts::Any] {
            let mut terms = Terms::new();
            let horn =
                procedure_clauses(&program, contexts, &mut terms, &Budget::unlimited()).expect("no limits");
            let returns = horn
                .clauses
                .enumerated()
                .filter(|(_, origin)| matches!(origin, ClauseOrigin::Return { .. }))
                .map(|(id, _)| horn.system.clauses[id].body.len())
                .collect::<Vec<_>>();
            assert_eq!(returns, vec![2, 2]);
            for clause in &horn.system.clauses {
                for application in clause.body.iter().chain(&clause.head) {
                    let parameters = &horn.system.predicates[application.predicate].parameters;
                    assert_eq!(parameters.len(), application.args.len());
                }
            }
            let queries = horn.system.clauses.iter().filter(|clause| clause.head.is_none()).count();
            assert_eq!(queries, 1, "{contexts:?}");
        }
    }
}
