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
//! and calls. Each function has one set of
//! constants; a call has constants of its own for what is passed and returned.

use super::fresh;
use craig_base::{Budget, IndexVec, Map, OrderedSet, StopReason, index_type};
use craig_certificate::{Contract, Summaries, Triple};
use craig_program::encode::{BlockEncoding, CallEncoding, CutpointEncoding, Instance, StateConstant};
use craig_program::{CallGraph, CutEdgeId, CutId, LocId, ProcId, Program, StateVar, Wto, effects};
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

pub struct View<'e> {
    pub functions: IndexVec<FunctionId, Function<'e>>,
    pub main: FunctionId,
    /// What holds when the program starts, over the parameters of `main`.
    pub initial: TermId,
}

pub struct Function<'e> {
    pub proc: ProcId,
    pub start: LocId,
    pub params: Vec<Slot>,
    pub returns: Vec<Slot>,
    /// Present if the function may fail.
    pub error: Option<TermId>,
    /// The first node is where the function begins.
    pub nodes: IndexVec<NodeId, Node>,
    pub edges: IndexVec<BodyEdgeId, BodyEdge<'e>>,
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

pub struct BodyEdge<'e> {
    pub from: NodeId,
    /// Where it leads; nothing if the function ends there.
    pub to: Option<NodeId>,
    /// The control variable.
    pub taken: TermId,
    /// What the edge does; for a call, what is passed.
    pub formula: TermId,
    pub call: Option<CallEdge>,
    /// The segment, and its copy over the constants of the function.
    pub segment: Option<(&'e BlockEncoding, Instance)>,
}

pub struct CallEdge {
    pub callee: FunctionId,
    pub args: Vec<TermId>,
    pub results: Vec<TermId>,
    /// Whether the call fails, if it may.
    pub error: Option<TermId>,
    /// What holds after the call; none if it is a tail call, or nothing that matters follows.
    pub onward: Option<TermId>,
    /// The function ends with the call, and returns what it returns.
    pub is_tail: bool,
}

impl CallEdge {
    /// A formula over the callee's parameters, returns and error, about this call.
    pub fn instantiate(&self, terms: &mut Terms, view: &View<'_>, formula: TermId) -> TermId {
        Substitution::from_pairs(self.interface(view)).apply(terms, formula)
    }

    /// A formula about this call, over the callee's parameters, returns and error.
    pub fn generalise(&self, terms: &mut Terms, view: &View<'_>, formula: TermId) -> TermId {
        let pairs = self.interface(view).into_iter().map(|(a, b)| (b, a));
        Substitution::from_pairs(pairs).apply(terms, formula)
    }

    /// The callee's parameters, returns and error, each with what it is in this call.
    pub fn interface(&self, view: &View<'_>) -> Vec<(TermId, TermId)> {
        self.pairs(&view.functions[self.callee])
    }

    fn pairs(&self, callee: &Function<'_>) -> Vec<(TermId, TermId)> {
        let slots = callee.params.iter().chain(&callee.returns).map(|slot| slot.constant);
        let mut pairs: Vec<(TermId, TermId)> =
            slots.zip(self.args.iter().chain(&self.results).copied()).collect();
        pairs.extend(callee.error.zip(self.error));
        pairs
    }
}

impl Function<'_> {
    /// Parameters, returns and error.
    pub fn interface(&self) -> Vec<TermId> {
        let slots = self.params.iter().chain(&self.returns).map(|slot| slot.constant);
        slots.chain(self.error).collect()
    }
}

impl<'e> View<'e> {
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

    pub fn new(
        program: &'e Program,
        encodings: &'e [CutpointEncoding],
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let encodings: Map<ProcId, &CutpointEncoding> =
            encodings.iter().map(|encoding| (encoding.proc, encoding)).collect();
        let mut builder =
            Builder { program, terms, encodings, ids: Map::default(), functions: IndexVec::new() };
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
        for id in builder.functions.indices() {
            budget.check()?;
            builder.body(id);
        }
        let entry = builder.encodings[&program.entry];
        let main = builder.ids[&(program.entry, entry.cuts.entry)];
        let params = builder.functions[main].params.iter().map(|slot| slot.constant);
        let pairs = builder
            .state(program.entry, Some(entry.cuts.entry))
            .iter()
            .map(|constant| constant.current)
            .zip(params);
        let initial = Substitution::from_pairs(pairs).apply(builder.terms, entry.initial);
        Ok(View { functions: builder.functions, main, initial })
    }
}

struct Builder<'e, 't> {
    program: &'e Program,
    terms: &'t mut Terms,
    encodings: Map<ProcId, &'e CutpointEncoding>,
    ids: Map<(ProcId, CutId), FunctionId>,
    functions: IndexVec<FunctionId, Function<'e>>,
}

impl<'e> Builder<'e, '_> {
    /// The state at a cutpoint, or at none.
    fn state(&self, proc: ProcId, cut: Option<CutId>) -> &'e [StateConstant] {
        cut.map_or(&[], |cut| &self.encodings[&proc].states[cut])
    }

    fn constants(&mut self, state: &[StateConstant]) -> Vec<TermId> {
        state.iter().map(|constant| fresh(self.terms, constant.current)).collect()
    }

    fn slots(&mut self, state: &[StateConstant]) -> Vec<Slot> {
        let constants = self.constants(state);
        state.iter().zip(constants).map(|(known, constant)| Slot { var: known.var, constant }).collect()
    }

    /// A function, if anything that matters can happen from its start on.
    fn declare(&mut self, proc: ProcId, start: LocId, fails: bool) {
        let cuts = &self.encodings[&proc].cuts;
        let Some(cut) = cuts.at(start).filter(|&cut| cut != cuts.error) else { return };
        let params = self.slots(self.state(proc, Some(cut)));
        let returns = self.slots(self.state(proc, cuts.at(self.program.procs[proc].exit)));
        let error = fails.then(|| self.terms.fresh_const("error", Terms::BOOL));
        let (nodes, edges) = (IndexVec::new(), IndexVec::new());
        let id = self.functions.push(Function { proc, start, params, returns, error, nodes, edges });
        self.ids.insert((proc, cut), id);
    }

    fn body(&mut self, id: FunctionId) {
        let (proc, start) = (self.functions[id].proc, self.functions[id].start);
        let encoding = self.encodings[&proc];
        let cuts = &encoding.cuts;
        let exit = cuts.at(self.program.procs[proc].exit);
        let state = self.functions[id].params.iter().map(|slot| slot.constant).collect();
        let mut body =
            Body { id, encoding, cuts: cuts.at(start).into_iter().collect(), nodes: IndexVec::new() };
        body.nodes.push(Node { reached: Terms::TRUE, state, outgoing: Vec::new() });
        let mut edges = IndexVec::new();
        let mut next = 0;
        while let Some(&cut) = body.cuts.get(next) {
            let from = NodeId(next as u32);
            next += 1;
            if Some(cut) == exit {
                let edge = self.end(&body, from);
                body.nodes[from].outgoing.push(edges.push(edge));
                continue;
            }
            if let Some(&callee) = self.ids.get(&(proc, cut)).filter(|_| from != NodeId(0)) {
                let edge = self.tail_call(&body, from, callee);
                body.nodes[from].outgoing.push(edges.push(edge));
                continue;
            }
            for &edge in &cuts.cutpoints[cut].outgoing {
                let edge = self.segment(&mut body, from, edge);
                body.nodes[from].outgoing.push(edges.push(edge));
            }
            for call in encoding.calls.iter().filter(|call| call.from == cut) {
                if let Some(edge) = self.call(&mut body, from, call) {
                    body.nodes[from].outgoing.push(edges.push(edge));
                }
            }
        }
        self.functions[id].nodes = body.nodes;
        self.functions[id].edges = edges;
    }

    /// The function ends at the exit, and returns the state there.
    fn end(&mut self, body: &Body<'e>, from: NodeId) -> BodyEdge<'e> {
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
    fn tail_call(&mut self, body: &Body<'e>, from: NodeId, callee: FunctionId) -> BodyEdge<'e> {
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

    /// The node of a cutpoint after the start; none for the error.
    fn node(&mut self, body: &mut Body<'e>, cut: CutId) -> Option<NodeId> {
        if cut == body.encoding.cuts.error {
            return None;
        }
        if let Some(known) = body.cuts.iter().skip(1).position(|&known| known == cut) {
            return Some(NodeId(known as u32 + 1));
        }
        let state = self.constants(&body.encoding.states[cut]);
        let reached = self.terms.fresh_const("at", Terms::BOOL);
        body.cuts.push(cut);
        Some(body.nodes.push(Node { reached, state, outgoing: Vec::new() }))
    }

    /// A copy of a step between two states. What the first does not know has any value, and is known from then on.
    fn copy(
        &mut self,
        before: &mut Map<StateVar, TermId>,
        block: &BlockEncoding,
        after: &Map<StateVar, TermId>,
    ) -> Instance {
        let mut current =
            |terms: &mut Terms, var| *before.entry(var).or_insert_with(|| fresh(terms, block.inputs[&var]));
        block.instantiate(self.terms, &mut current, &mut |_, var| after[&var])
    }

    fn segment(&mut self, body: &mut Body<'e>, from: NodeId, edge: CutEdgeId) -> BodyEdge<'e> {
        let taken = self.terms.fresh_const("taken", Terms::BOOL);
        let block = &body.encoding.blocks[edge];
        let to = self.node(body, body.encoding.cuts.edges[edge].to);
        let instance = self.copy(&mut body.state_at(Some(from)), block, &body.state_at(to));
        let failed = self.functions[body.id].error.filter(|_| to.is_none());
        let formula = self.terms.and2(instance.formula, failed.unwrap_or(Terms::TRUE));
        BodyEdge { from, to, taken, formula, call: None, segment: Some((block, instance)) }
    }

    /// A call, if it can return or fail.
    fn call(&mut self, body: &mut Body<'e>, from: NodeId, call: &'e CallEncoding) -> Option<BodyEdge<'e>> {
        let entry = self.encodings[&call.callee].cuts.entry;
        let callee = self.ids[&(call.callee, entry)];
        if call.leave.is_none() && self.functions[callee].error.is_none() {
            return None;
        }
        let taken = self.terms.fresh_const("taken", Terms::BOOL);
        let args = self.constants(self.state(call.callee, Some(entry)));
        let error = self.functions[callee].error.map(|_| self.terms.fresh_const("failed", Terms::BOOL));
        let entered = self.state(call.callee, Some(entry)).iter().map(|constant| constant.var);
        let entered = entered.zip(args.iter().copied()).collect();
        let mut before = body.state_at(Some(from));
        let formula = self.copy(&mut before, &call.enter, &entered).formula;
        let (mut to, mut onward) = (None, None);
        let mut results = Vec::new();
        match &call.leave {
            Some((after, leave)) => {
                to = self.node(body, *after);
                let mut instance = self.copy(&mut before, leave, &body.state_at(to));
                let returned = call.returned.iter().map(|&(_, constant)| instance.term(self.terms, constant));
                results.extend(returned);
                let failed = self.functions[body.id].error.filter(|_| to.is_none());
                onward = Some(self.terms.and2(instance.formula, failed.unwrap_or(Terms::TRUE)));
            }
            None => {
                let exit = self.encodings[&call.callee].cuts.at(self.program.procs[call.callee].exit);
                results = self.constants(self.state(call.callee, exit));
            }
        }
        let call = CallEdge { callee, args, results, error, onward, is_tail: false };
        Some(BodyEdge { from, to, taken, formula, call: Some(call), segment: None })
    }
}

/// The body of a function while it is built.
struct Body<'e> {
    id: FunctionId,
    encoding: &'e CutpointEncoding,
    /// The cutpoints of the nodes.
    cuts: Vec<CutId>,
    nodes: IndexVec<NodeId, Node>,
}

impl Body<'_> {
    /// The state at a node; at the error there is none.
    fn state_at(&self, node: Option<NodeId>) -> Map<StateVar, TermId> {
        let Some(node) = node else { return Map::default() };
        let state = self.encoding.states[self.cuts[node.0 as usize]].iter().map(|constant| constant.var);
        state.zip(self.nodes[node].state.iter().copied()).collect()
    }
}
