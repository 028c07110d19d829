//! Programs as WHALE sees them: functions without loops.
//!
//! Every procedure is a function that begins at its entry, and every loop head of it is one that
//! begins there; reaching the head is a call of that function as the last thing (tail recursion).
//! Parameters are the live state where the function begins, globals and memory regions included;
//! returns are the live state at the procedure's exit. A function that may fail returns one more
//! value, `error`; what else it returns then is arbitrary. So "no error is reached" is a summary like
//! any other.
//!
//! A body is a graph without cycles: its nodes are the ends of calls, its edges loop-free segments
//! and calls, taken from the Horn clauses of the procedural view. Each function has one set of
//! constants; a call has constants of its own for what is passed and returned.

use craig_base::{Budget, IndexVec, Map, OrderedSet, StopReason, index_type};
use craig_certificate::{Contract, Summaries, Triple};
use craig_chc::{Application, Clause};
use craig_program::encode::{StateNames, initial_state};
use craig_program::horn::{ClauseOrigin, Contexts, HornProgram, PredicateOrigin, procedure_clauses};
use craig_program::{CallGraph, EdgeId, LocId, ProcId, Program, StateVar, Stmt, Type, Wto, effects};
use craig_term::{Substitution, TermId, Terms};

index_type!(
    /// A function: a procedure from its entry, or from one of its loop heads.
    pub FunctionId,
    "f"
);
index_type!(
    /// A node of a function's body.
    pub NodeId,
    "n"
);
index_type!(
    /// An edge of a function's body.
    pub BodyEdgeId,
    "e"
);

pub struct View {
    pub functions: IndexVec<FunctionId, Function>,
    pub main: FunctionId,
    /// What holds when the program starts, over the parameters of `main`.
    pub initial: TermId,
    pub horn: HornProgram,
}

pub struct Function {
    pub proc: ProcId,
    pub start: LocId,
    pub params: Vec<Slot>,
    pub returns: Vec<Slot>,
    /// Present if the function may fail.
    pub error: Option<TermId>,
    /// The first node is where the function begins.
    pub nodes: IndexVec<NodeId, Node>,
    pub edges: IndexVec<BodyEdgeId, BodyEdge>,
}

#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub var: StateVar,
    pub constant: TermId,
}

pub struct Node {
    /// The control variable.
    pub reached: TermId,
    pub state: Vec<TermId>,
    pub outgoing: Vec<BodyEdgeId>,
}

pub struct BodyEdge {
    pub from: NodeId,
    /// Where it leads; nothing if the function ends there.
    pub to: Option<NodeId>,
    /// The control variable.
    pub taken: TermId,
    /// What the edge does; for a call, what is passed.
    pub formula: TermId,
    pub call: Option<CallEdge>,
    /// The segment, with the clause's constants renamed to those of the function.
    pub segment: Option<(usize, Substitution)>,
}

pub struct CallEdge {
    pub callee: FunctionId,
    pub args: Vec<TermId>,
    pub results: Vec<TermId>,
    /// Whether the call fails, if it may.
    pub error: Option<TermId>,
    /// What holds behind the call; none if it is a tail call, or nothing that matters follows.
    pub onward: Option<TermId>,
    /// The function ends with the call, and returns what it returns.
    pub is_tail: bool,
}

impl CallEdge {
    /// A formula over the callee's parameters, returns and error, about this call.
    pub fn instantiate(&self, terms: &mut Terms, view: &View, formula: TermId) -> TermId {
        Substitution::from_pairs(self.pairs(&view.functions[self.callee])).apply(terms, formula)
    }

    /// A formula about this call, over the callee's parameters, returns and error.
    pub fn generalise(&self, terms: &mut Terms, view: &View, formula: TermId) -> TermId {
        let pairs = self.pairs(&view.functions[self.callee]).into_iter().map(|(a, b)| (b, a));
        Substitution::from_pairs(pairs).apply(terms, formula)
    }

    fn pairs(&self, callee: &Function) -> Vec<(TermId, TermId)> {
        let slots = callee.params.iter().chain(&callee.returns).map(|slot| slot.constant);
        let mut pairs: Vec<(TermId, TermId)> =
            slots.zip(self.args.iter().chain(&self.results).copied()).collect();
        pairs.extend(callee.error.zip(self.error));
        pairs
    }
}

impl Function {
    /// Parameters, returns and error.
    pub fn interface(&self) -> Vec<TermId> {
        let slots = self.params.iter().chain(&self.returns).map(|slot| slot.constant);
        slots.chain(self.error).collect()
    }
}

impl View {
    /// The contracts of the program's procedures, by what holds of each function.
    pub fn contracts(&self, program: &Program, triples: &IndexVec<FunctionId, Triple>) -> Summaries {
        let mut summaries = Summaries::default();
        let calls = CallGraph::new(program);
        for proc in program.procs.indices().filter(|&proc| calls.is_reachable(proc)) {
            summaries.contracts.insert(proc, Contract::new(Terms::TRUE, Terms::TRUE));
        }
        for (function, &triple) in self.functions.iter().zip(triples) {
            let Some(contract) = summaries.contracts.get_mut(&function.proc) else { continue };
            let proc = &program.procs[function.proc];
            if function.start == proc.entry {
                (contract.requires, contract.ensures) = (triple.requires, triple.ensures);
            }
            let is_loop = !proc.locations[function.start].incoming.is_empty();
            if is_loop {
                contract.loops.insert(function.start, triple);
            }
        }
        summaries
    }

    pub fn new(program: &Program, terms: &mut Terms, budget: &Budget) -> Result<Self, StopReason> {
        let horn = procedure_clauses(program, Contexts::Any, terms, budget)?;
        let mut predicates = Map::default();
        for origin in &horn.predicates {
            if let Some(location) = origin.location {
                predicates.insert((origin.proc, location), origin);
            }
        }
        let mut builder =
            Builder { program, terms, predicates, ids: Map::default(), functions: IndexVec::new() };
        let calls = CallGraph::new(program);
        let effects = effects(program, &calls);
        for proc in program.procs.indices().filter(|&proc| calls.is_reachable(proc)) {
            let body = &program.procs[proc];
            let heads = Wto::new(&body.graph(), body.entry).components;
            let mut starts = OrderedSet::from_iter([body.entry]);
            starts.extend(heads.iter().map(|component| component.head));
            for &start in &starts {
                builder.declare(proc, start, effects[proc].fails);
            }
        }
        let mut clauses: Map<(ProcId, LocId), Vec<Step<'_>>> = Map::default();
        let mut by_call: Map<(ProcId, EdgeId), (ProcId, LocId, usize)> = Map::default();
        for (id, clause) in horn.system.clauses.enumerated() {
            let from = clause.body.first().map(|atom| &horn.predicates[atom.predicate]);
            let Some((proc, Some(from))) = from.map(|origin| (origin.proc, origin.location)) else {
                continue;
            };
            let steps = clauses.entry((proc, from)).or_default();
            match horn.clauses[id] {
                ClauseOrigin::Segment { block, .. } => steps.push(Step::Segment(block, clause)),
                ClauseOrigin::Return { call, .. } | ClauseOrigin::Error { call, .. } => {
                    let at = *by_call.entry((proc, call)).or_insert_with(|| {
                        steps.push(Step::Call { call, returning: None, failing: None });
                        (proc, from, steps.len() - 1)
                    });
                    if let Step::Call { returning, failing, .. } = &mut steps[at.2] {
                        match horn.clauses[id] {
                            ClauseOrigin::Return { .. } => *returning = Some(clause),
                            _ => *failing = Some(clause),
                        }
                    }
                }
                _ => {}
            }
        }
        for id in builder.functions.indices() {
            budget.check()?;
            builder.body(&horn, id, &clauses);
        }
        let Builder { functions, ids, .. } = builder;
        let main = ids[&(program.entry, program.procs[program.entry].entry)];
        let initial = start_condition(program, terms, &functions[main]);
        Ok(View { functions, main, initial, horn })
    }
}

/// The initial states, over the parameters of the entry procedure.
fn start_condition(program: &Program, terms: &mut Terms, main: &Function) -> TermId {
    let mut names = StateNames::default();
    let vars: Vec<StateVar> = main.params.iter().map(|slot| slot.var).collect();
    let initial = initial_state(program, terms, &mut names, &vars);
    let pairs: Vec<(TermId, TermId)> =
        main.params.iter().map(|slot| (names.current(program, terms, slot.var), slot.constant)).collect();
    Substitution::from_pairs(pairs).apply(terms, initial)
}

/// What can be done at a location, as clauses say it.
enum Step<'h> {
    Segment(usize, &'h Clause),
    Call { call: EdgeId, returning: Option<&'h Clause>, failing: Option<&'h Clause> },
}

struct Builder<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    predicates: Map<(ProcId, LocId), &'a PredicateOrigin>,
    ids: Map<(ProcId, LocId), FunctionId>,
    functions: IndexVec<FunctionId, Function>,
}

impl<'h> Builder<'h> {
    fn state(&self, proc: ProcId, location: LocId) -> &'h [StateVar] {
        self.predicates.get(&(proc, location)).map_or(&[], |origin| &origin.state)
    }

    fn constants(&mut self, vars: &[StateVar]) -> Vec<TermId> {
        vars.iter()
            .map(|&var| {
                let sort = match var {
                    StateVar::Var(id) if self.program.vars[id].ty == Type::Bool => Terms::BOOL,
                    StateVar::Var(_) => Terms::INT,
                    StateVar::Region(_) => self.terms.array_sort(Terms::INT, Terms::INT),
                };
                let name = match var {
                    StateVar::Var(id) => &self.program.vars[id].name,
                    StateVar::Region(id) => &self.program.regions[id].name,
                };
                self.terms.fresh_const(name, sort)
            })
            .collect()
    }

    fn slots(&mut self, vars: &[StateVar]) -> Vec<Slot> {
        let constants = self.constants(vars);
        vars.iter().zip(constants).map(|(&var, constant)| Slot { var, constant }).collect()
    }

    /// A function, if anything that matters can happen from its start on.
    fn declare(&mut self, proc: ProcId, start: LocId, fails: bool) {
        let is_entry = start == self.program.procs[proc].entry;
        if !is_entry && !self.predicates.contains_key(&(proc, start)) {
            return;
        }
        let params = self.slots(self.state(proc, start));
        let returns = self.slots(self.state(proc, self.program.procs[proc].exit));
        let error = fails.then(|| self.terms.fresh_const("error", Terms::BOOL));
        let id = self.functions.push(Function {
            proc,
            start,
            params,
            returns,
            error,
            nodes: IndexVec::new(),
            edges: IndexVec::new(),
        });
        self.ids.insert((proc, start), id);
    }

    fn body(&mut self, horn: &HornProgram, id: FunctionId, clauses: &Map<(ProcId, LocId), Vec<Step<'h>>>) {
        let proc = self.functions[id].proc;
        let state = self.functions[id].params.iter().map(|slot| slot.constant).collect();
        let mut body = Body { id, locations: vec![self.functions[id].start], nodes: IndexVec::new() };
        body.nodes.push(Node { reached: Terms::TRUE, state, outgoing: Vec::new() });
        let mut edges = IndexVec::new();
        let mut next = 0;
        while let Some(&location) = body.locations.get(next) {
            let from = NodeId(next as u32);
            next += 1;
            if location == self.program.procs[proc].exit {
                let edge = self.end(&body, from);
                body.nodes[from].outgoing.push(edges.push(edge));
                continue;
            }
            if let Some(&callee) = self.ids.get(&(proc, location)).filter(|_| from != NodeId(0)) {
                let edge = self.tail_call(&body, from, callee);
                body.nodes[from].outgoing.push(edges.push(edge));
                continue;
            }
            for step in clauses.get(&(proc, location)).map_or(&[][..], Vec::as_slice) {
                let edge = match step {
                    Step::Segment(block, clause) => self.segment(horn, &mut body, from, *block, clause),
                    Step::Call { call, returning, failing } => {
                        self.call(horn, &mut body, from, *call, (*returning, *failing))
                    }
                };
                body.nodes[from].outgoing.push(edges.push(edge));
            }
        }
        self.functions[id].nodes = body.nodes;
        self.functions[id].edges = edges;
    }

    /// The function ends at the exit, and returns the state there.
    fn end(&mut self, body: &Body, from: NodeId) -> BodyEdge {
        let taken = self.terms.fresh_const("taken", Terms::BOOL);
        let function = &self.functions[body.id];
        let mut parts: Vec<TermId> = function.error.map(|error| self.terms.not(error)).into_iter().collect();
        for (slot, &value) in function.returns.iter().zip(&body.nodes[from].state) {
            parts.push(self.terms.eq(slot.constant, value));
        }
        let formula = self.terms.and(&parts);
        BodyEdge { from, to: None, taken, formula, call: None, segment: None }
    }

    /// The function ends at a loop head, and returns what the loop returns.
    fn tail_call(&mut self, body: &Body, from: NodeId, callee: FunctionId) -> BodyEdge {
        let function = &self.functions[body.id];
        let call = CallEdge {
            callee,
            args: body.nodes[from].state.clone(),
            results: function.returns.iter().map(|slot| slot.constant).collect(),
            error: function.error,
            onward: None,
            is_tail: true,
        };
        let taken = self.terms.fresh_const("taken", Terms::BOOL);
        BodyEdge { from, to: None, taken, formula: Terms::TRUE, call: Some(call), segment: None }
    }

    /// The node of a location behind the start.
    fn node(&mut self, body: &mut Body, location: LocId) -> NodeId {
        let proc = self.functions[body.id].proc;
        if let Some(known) = body.locations.iter().skip(1).position(|&known| known == location) {
            return NodeId(known as u32 + 1);
        }
        let state = self.constants(self.state(proc, location));
        let reached = self.terms.fresh_const("at", Terms::BOOL);
        body.locations.push(location);
        body.nodes.push(Node { reached, state, outgoing: Vec::new() })
    }

    /// The clauses' constants renamed: the given ones as said, all others anew.
    fn renaming(&mut self, clauses: &[&Clause], known: &[(TermId, TermId)]) -> Substitution {
        let mut map: Map<TermId, TermId> = known.iter().copied().collect();
        for clause in clauses {
            for variable in clause.variables(self.terms) {
                map.entry(variable).or_insert_with(|| {
                    let sort = self.terms.sort(variable);
                    self.terms.fresh_const("aux", sort)
                });
            }
        }
        Substitution::new(map)
    }

    fn segment(
        &mut self,
        horn: &HornProgram,
        body: &mut Body,
        from: NodeId,
        block: usize,
        clause: &Clause,
    ) -> BodyEdge {
        let proc = self.functions[body.id].proc;
        let taken = self.terms.fresh_const("taken", Terms::BOOL);
        let target = horn.blocks[block].target;
        let mut known: Vec<(TermId, TermId)> =
            pairs(state_args(horn, &clause.body[0]), &body.nodes[from].state);
        let mut to = None;
        if target != self.program.procs[proc].error
            && let Some(head) = &clause.head
        {
            let node = self.node(body, target);
            known.extend(pairs(state_args(horn, head), &body.nodes[node].state));
            to = Some(node);
        }
        let mut substitution = self.renaming(&[clause], &known);
        let mut formula = substitution.apply(self.terms, clause.constraint);
        if to.is_none()
            && let Some(error) = self.functions[body.id].error
        {
            formula = self.terms.and2(formula, error);
        }
        BodyEdge { from, to, taken, formula, call: None, segment: Some((block, substitution)) }
    }

    fn call(
        &mut self,
        horn: &HornProgram,
        body: &mut Body,
        from: NodeId,
        call: EdgeId,
        (returning, failing): (Option<&Clause>, Option<&Clause>),
    ) -> BodyEdge {
        let proc = self.functions[body.id].proc;
        let taken = self.terms.fresh_const("taken", Terms::BOOL);
        let Stmt::Call { callee, .. } = &self.program.procs[proc].edges[call].stmt else {
            unreachable!("a call clause comes from a call")
        };
        let callee = self.ids[&(*callee, self.program.procs[*callee].entry)];
        let vars = |slots: &[Slot]| slots.iter().map(|slot| slot.var).collect::<Vec<StateVar>>();
        let (params, returns) = (vars(&self.functions[callee].params), vars(&self.functions[callee].returns));
        let (args, results) = (self.constants(&params), self.constants(&returns));
        let error = self.functions[callee].error.map(|_| self.terms.fresh_const("failed", Terms::BOOL));
        // The clauses of one call speak of the same constants before it.
        let clauses: Vec<&Clause> = returning.into_iter().chain(failing).collect();
        let clause = clauses[0];
        let mut known = pairs(state_args(horn, &clause.body[0]), &body.nodes[from].state);
        if let Some(clause) = returning {
            known.extend(pairs(&clause.body[1].args[args.len()..], &results));
        }
        let mut substitution = self.renaming(&clauses, &known);
        let mut parts: Vec<TermId> = failing.map(|clause| clause.constraint).into_iter().collect();
        for (&arg, &passed) in args.iter().zip(&clause.body[1].args) {
            let passed = substitution.apply(self.terms, passed);
            parts.push(self.terms.eq(arg, passed));
        }
        let formula = self.terms.and(&parts);
        let formula = substitution.apply(self.terms, formula);
        let (mut to, mut onward) = (None, None);
        if let Some(clause) = returning {
            let mut parts = vec![substitution.apply(self.terms, clause.constraint)];
            let head = clause.head.as_ref();
            match head.and_then(|head| Some((head, horn.predicates[head.predicate].location?))) {
                // Straight to the error location.
                None => parts.extend(self.functions[body.id].error),
                Some((head, target)) => {
                    let node = self.node(body, target);
                    let state = body.nodes[node].state.clone();
                    for (&arg, constant) in state_args(horn, head).iter().zip(state) {
                        let value = substitution.apply(self.terms, arg);
                        parts.push(self.terms.eq(constant, value));
                    }
                    to = Some(node);
                }
            }
            onward = Some(self.terms.and(&parts));
        }
        let call = CallEdge { callee, args, results, error, onward, is_tail: false };
        BodyEdge { from, to, taken, formula, call: Some(call), segment: None }
    }
}

/// The body of a function while it is built.
struct Body {
    id: FunctionId,
    locations: Vec<LocId>,
    nodes: IndexVec<NodeId, Node>,
}

/// The arguments of an atom that are not about the entry state.
fn state_args<'c>(horn: &HornProgram, atom: &'c Application) -> &'c [TermId] {
    &atom.args[horn.predicates[atom.predicate].entry.len()..]
}

fn pairs(from: &[TermId], to: &[TermId]) -> Vec<(TermId, TermId)> {
    from.iter().copied().zip(to.iter().copied()).collect()
}
