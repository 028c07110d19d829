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
//! Clauses speak of the constants of [`CutpointEncoding`]; those of different clauses have nothing to do
//! with each other. The way back: [`HornProgram::predicates`] and [`HornProgram::clauses`] say what
//! each predicate and clause stands for.

use crate::callgraph::CallGraph;
use crate::cutpoints::{CutEdgeId, CutId};
use crate::effects::effects;
use crate::encode::{BlockEncoding, CallEncoding, CutpointEncoding, StateNames};
use crate::ir::{EdgeId, LocId, ProcId, Program};
use crate::state::StateVar;
use crate::types::Type;
use craig_base::{IndexVec, Map, OrderedMap};
use craig_chc::{Application, Clause, ClauseId, Predicate, PredicateId, System};
use craig_term::{Substitution, TermId, Terms};

/// A system of Horn clauses with its way back to the program.
#[derive(Clone, Debug)]
pub struct HornProgram<'e> {
    /// What the clauses were derived from.
    encodings: &'e [CutpointEncoding],
    pub system: System,
    pub predicates: IndexVec<PredicateId, PredicateOrigin>,
    pub clauses: IndexVec<ClauseId, ClauseOrigin>,
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
    /// A segment between cutpoints.
    Segment { proc: ProcId, edge: CutEdgeId },
    /// A call that returns.
    Return { proc: ProcId, call: EdgeId },
    /// A call that is entered.
    Enter { proc: ProcId, call: EdgeId },
    /// A call in which an error is reached.
    Error { proc: ProcId, call: EdgeId },
    /// The question.
    Query,
    /// What follows from the others: the number of a shortcut in the order in which they were added.
    Shortcut(usize),
}

/// For which entry states the predicates of a procedure speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contexts {
    Reachable,
    Any,
}

impl<'e> HornProgram<'e> {
    fn new(encodings: &'e [CutpointEncoding]) -> Self {
        HornProgram {
            encodings,
            system: System::default(),
            predicates: IndexVec::new(),
            clauses: IndexVec::new(),
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

    /// Adds a step between cutpoints of an inlined view that follows from the segments. It is over current constants, as
    /// are the values that the state has in the end.
    pub fn add_shortcut(
        &mut self,
        terms: &mut Terms,
        (from, to): (CutId, CutId),
        guard: TermId,
        next: &[TermId],
    ) {
        let [encoding] = self.encodings else { return };
        let at = |cut: CutId| {
            let location = Some(encoding.cuts.location(cut));
            self.predicates.enumerated().find(|(_, origin)| origin.location == location).map(|(id, _)| id)
        };
        let (Some(before), Some(after)) = (at(from), at(to)) else { return };
        let current = encoding.states[from].iter().map(|constant| constant.current).collect();
        let constants: Vec<TermId> = encoding.states[to].iter().map(|constant| constant.next).collect();
        let mut parts = vec![guard];
        parts.extend(constants.iter().zip(next).map(|(&constant, &value)| terms.eq(constant, value)));
        let constraint = terms.and(&parts);
        let number = self.clauses.iter().filter(|origin| matches!(origin, ClauseOrigin::Shortcut(_))).count();
        let body = vec![Application { predicate: before, args: current }];
        let head = Application { predicate: after, args: constants };
        self.clause(ClauseOrigin::Shortcut(number), body, constraint, Some(head));
    }

    /// The formulas of a segment.
    pub fn block(&self, proc: ProcId, edge: CutEdgeId) -> Option<&'e BlockEncoding> {
        let encoding = self.encodings.iter().find(|encoding| encoding.proc == proc)?;
        Some(&encoding.blocks[edge])
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
pub fn inlined_clauses<'e>(
    program: &Program,
    encoding: &'e CutpointEncoding,
    terms: &mut Terms,
) -> HornProgram<'e> {
    let mut horn = HornProgram::new(std::slice::from_ref(encoding));
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
        let origin = ClauseOrigin::Segment { proc, edge: id };
        let body: Vec<Application> = current(edge.from).into_iter().collect();
        let constraint =
            if body.is_empty() { terms.and2(encoding.initial, block.formula) } else { block.formula };
        horn.clause(origin, body, constraint, next(edge.to));
    }
    horn
}

/// The clauses of a program with procedures.
pub fn procedure_clauses<'e>(
    program: &Program,
    encodings: &'e [CutpointEncoding],
    contexts: Contexts,
    terms: &mut Terms,
) -> HornProgram<'e> {
    let effects = effects(program, &CallGraph::new(program));
    let mut builder = ProceduralBuilder {
        program,
        contexts,
        terms,
        names: StateNames::default(),
        procedures: Map::default(),
        horn: HornProgram::new(encodings),
    };
    for encoding in encodings {
        builder.declare(encoding, effects[encoding.proc].fails);
    }
    for encoding in encodings {
        if encoding.proc == program.entry {
            builder.program_start(encoding.initial);
        }
    }
    for encoding in encodings {
        builder.procedure(encoding);
    }
    builder.horn
}

/// The predicates of a procedure.
struct Procedure {
    /// The state at the entry on which the procedure depends.
    entry: Vec<StateVar>,
    predicates: Map<CutId, PredicateId>,
    start: PredicateId,
    exit: Option<PredicateId>,
    /// For [`Contexts::Any`].
    error: Option<PredicateId>,
}

struct ProceduralBuilder<'a, 'e> {
    program: &'a Program,
    contexts: Contexts,
    terms: &'a mut Terms,
    names: StateNames,
    procedures: Map<ProcId, Procedure>,
    horn: HornProgram<'e>,
}

impl ProceduralBuilder<'_, '_> {
    fn declare(&mut self, encoding: &CutpointEncoding, fails: bool) {
        let (proc, cuts) = (encoding.proc, &encoding.cuts);
        let state = |cut: CutId| encoding.states[cut].iter().map(|constant| constant.var).collect();
        let entry: Vec<StateVar> = state(cuts.entry);
        let mut predicates = Map::default();
        for (cut, cutpoint) in cuts.cutpoints.enumerated() {
            if cut == cuts.error {
                continue;
            }
            let location = Some(cutpoint.location);
            let origin = PredicateOrigin { proc, location, entry: entry.clone(), state: state(cut) };
            predicates.insert(cut, self.horn.predicate(self.terms, self.program, origin));
        }
        let error = (self.contexts == Contexts::Any && fails).then(|| {
            let origin = PredicateOrigin { proc, location: None, entry: entry.clone(), state: Vec::new() };
            self.horn.predicate(self.terms, self.program, origin)
        });
        let start = predicates[&cuts.entry];
        let exit = cuts.at(self.program.procs[proc].exit).map(|exit| predicates[&exit]);
        self.procedures.insert(proc, Procedure { entry, predicates, start, exit, error });
    }

    fn entry_constants(&mut self, vars: &[StateVar]) -> Vec<TermId> {
        vars.iter().map(|&var| self.names.entry(self.program, self.terms, var)).collect()
    }

    /// How the program begins, and what is asked of it.
    fn program_start(&mut self, initial: TermId) {
        let main = self.program.entry;
        let entry = self.procedures[&main].entry.clone();
        let args = self.entry_constants(&entry);
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
        Application { predicate: self.procedures[&proc].start, args: [args, args].concat() }
    }

    fn procedure(&mut self, encoding: &CutpointEncoding) {
        let (proc, cuts) = (encoding.proc, &encoding.cuts);
        let entry = self.entry_constants(&self.procedures[&proc].entry.clone());
        if self.contexts == Contexts::Any {
            let head = self.at_entry(proc, &entry);
            self.horn.clause(ClauseOrigin::Start { proc }, Vec::new(), Terms::TRUE, Some(head));
        }
        for (id, edge) in cuts.edges.enumerated() {
            let premise = self.before(encoding, edge.from, &entry);
            let next: Vec<TermId> = encoding.states[edge.to].iter().map(|constant| constant.next).collect();
            let head = self.after(encoding, edge.to, &entry, next);
            let origin = ClauseOrigin::Segment { proc, edge: id };
            self.horn.clause(origin, vec![premise], encoding.blocks[id].formula, head);
        }
        for call in &encoding.calls {
            self.call(encoding, call, &entry);
        }
    }

    /// The predicate at a cutpoint, over the entry constants and the current ones.
    fn before(&self, encoding: &CutpointEncoding, cut: CutId, entry: &[TermId]) -> Application {
        let state = encoding.states[cut].iter().map(|constant| constant.current);
        let args = entry.iter().copied().chain(state).collect();
        Application { predicate: self.procedures[&encoding.proc].predicates[&cut], args }
    }

    /// The predicate where a step ends: of the cutpoint, or of the error.
    fn after(
        &self,
        encoding: &CutpointEncoding,
        cut: CutId,
        entry: &[TermId],
        state: Vec<TermId>,
    ) -> Option<Application> {
        let procedure = &self.procedures[&encoding.proc];
        let predicate = procedure.predicates.get(&cut).copied().or(procedure.error)?;
        Some(Application { predicate, args: entry.iter().copied().chain(state).collect() })
    }

    fn call(&mut self, encoding: &CutpointEncoding, call: &CallEncoding, entry: &[TermId]) {
        let (proc, edge) = (encoding.proc, call.edge);
        let before = self.before(encoding, call.from, entry);
        let passed: Vec<TermId> = call.enter.outputs.iter().map(|output| output.value).collect();
        let callee = &self.procedures[&call.callee];
        match (self.contexts, callee.error) {
            (Contexts::Reachable, _) => {
                let origin = ClauseOrigin::Enter { proc, call: edge };
                let entered = self.at_entry(call.callee, &passed);
                self.horn.clause(origin, vec![before.clone()], call.enter.guard, Some(entered));
            }
            (Contexts::Any, Some(predicate)) => {
                let head = self.procedures[&proc].error;
                let head = head.map(|predicate| Application { predicate, args: entry.to_vec() });
                let body = vec![before.clone(), Application { predicate, args: passed.clone() }];
                self.horn.clause(ClauseOrigin::Error { proc, call: edge }, body, call.enter.guard, head);
            }
            (Contexts::Any, None) => {}
        }
        let Some((to, leave)) = &call.leave else { return };
        let Some(predicate) = self.procedures[&call.callee].exit else { return };
        let returned = call.returned.iter().map(|&(_, constant)| constant);
        let summary = Application { predicate, args: passed.into_iter().chain(returned).collect() };
        let constraint = self.terms.and2(call.enter.guard, leave.guard);
        let state = leave.outputs.iter().map(|output| output.value).collect();
        let head = self.after(encoding, *to, entry, state);
        self.horn.clause(ClauseOrigin::Return { proc, call: edge }, vec![before, summary], constraint, head);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Ranges;
    use crate::cutpoints::Granularity;
    use crate::ir::{Place, Stmt};
    use crate::testing::*;
    use craig_base::Budget;

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
            let nothing = IndexVec::from_elem(Ranges::none(), program.procs.len());
            let (granularity, budget) = (Granularity::Loops, Budget::unlimited());
            let encodings =
                CutpointEncoding::of_procedures(&program, granularity, &nothing, &mut terms, &budget)
                    .expect("no limits");
            let horn = procedure_clauses(&program, &encodings, contexts, &mut terms);
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
