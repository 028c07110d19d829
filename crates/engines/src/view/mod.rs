//! A program as one graph with call edges: the cutpoints of all its procedures, joined by loop-free blocks and calls.
//!
//! An inlined program is the graph of one procedure without calls. A call between two nodes of its caller is two
//! edges: one *enters* the callee, and leads to its entry; the other leads *through* the callee, to the node after
//! the call, and does what the callee's summary says. So whatever can be asked of a node of the callee can be asked
//! of a call, and nothing else about calls needs to be known. An edge that *returns* ends its procedure.
//!
//! The state at a node is the live part of it, by the same constants in all procedures. What a summary says of the
//! state at the exit is said by constants of the procedure, [`Procedure::exit_state`].

pub mod blocks;
mod forget;
pub mod functions;
mod prepared;
mod solvers;

pub use prepared::{Encoded, Knowledge, Prepared, Sight, encode_inlined, encode_procedures};
pub use solvers::Solvers;

use craig_base::{IndexVec, Map, index_type};
use craig_program::encode::{BlockEncoding, CallEncoding, CutpointEncoding, Output, StateConstant};
use craig_program::{CutId, Digraph, LocId, Proc, ProcId, Program, StateVar};
use craig_term::{Substitution, TermId, Terms};

index_type!(
    /// A procedure of a [`Graph`].
    pub ProcedureId, "p"
);
index_type!(
    /// A node of a [`Graph`]: a cutpoint of a procedure.
    pub NodeId, "n"
);
index_type!(
    /// An edge of a [`Graph`].
    pub EdgeId, "e"
);

pub struct Graph<'a> {
    pub program: &'a Program,
    pub procedures: IndexVec<ProcedureId, Procedure<'a>>,
    pub nodes: IndexVec<NodeId, Node<'a>>,
    pub edges: IndexVec<EdgeId, Edge<'a>>,
    /// Where the program begins, and in which states.
    pub entry: NodeId,
    pub initial: TermId,
}

pub struct Procedure<'a> {
    pub encoding: &'a CutpointEncoding,
    pub entry: NodeId,
    /// None if it does not matter how it ends.
    pub exit: Option<NodeId>,
    /// The state at the exit, by constants that are the same wherever it is spoken of.
    pub exit_state: Vec<(StateVar, TermId)>,
    /// The nodes of its cutpoints.
    first: usize,
}

pub struct Node<'a> {
    pub procedure: ProcedureId,
    pub cut: CutId,
    pub state: &'a [StateConstant],
    /// What is known of every state here: the ranges that blocks rely on.
    pub facts: TermId,
    /// The steps that lead here, and those that lead on. Returns lead nowhere.
    pub incoming: Vec<EdgeId>,
    pub outgoing: Vec<EdgeId>,
    /// Whether this is the error of its procedure.
    pub is_error: bool,
}

pub struct Edge<'a> {
    pub from: NodeId,
    pub to: NodeId,
    pub action: Action<'a>,
    /// The procedure that is called.
    pub callee: Option<ProcedureId>,
    /// The step from current to next constants; for a call as a whole, what the callee does is missing.
    pub formula: TermId,
}

#[derive(Clone, Copy)]
pub enum Action<'a> {
    Block(&'a BlockEncoding),
    /// From the call to the entry of the callee.
    Enter(&'a CallEncoding),
    /// From the call to the node after it.
    Through(&'a CallEncoding),
    /// The procedure ends here.
    Return,
}

impl<'a> Graph<'a> {
    /// The graph of procedures that call no others.
    pub fn new(tm: &mut Terms, program: &'a Program, encodings: &'a [CutpointEncoding]) -> Self {
        let mut graph = Graph {
            program,
            procedures: IndexVec::new(),
            nodes: IndexVec::new(),
            edges: IndexVec::new(),
            entry: NodeId(0),
            initial: Terms::TRUE,
        };
        let mut of_proc: Map<ProcId, ProcedureId> = Map::default();
        for encoding in encodings {
            let id = graph.add_procedure(tm, encoding);
            of_proc.insert(encoding.proc, id);
            if encoding.proc == program.entry {
                graph.entry = graph.procedures[id].entry;
                graph.initial = encoding.initial;
            }
        }
        for id in graph.procedures.indices() {
            let encoding = graph.procedures[id].encoding;
            for (edge, block) in encoding.cuts.edges.iter().zip(&encoding.blocks) {
                let ends = (graph.node(id, edge.from), graph.node(id, edge.to));
                graph.add_edge(ends, Action::Block(block), None, block.formula);
            }
            for call in &encoding.calls {
                let from = graph.node(id, call.from);
                let callee = of_proc[&call.callee];
                let entry = graph.procedures[callee].entry;
                graph.add_edge((from, entry), Action::Enter(call), Some(callee), call.enter.formula);
                if let Some((to, leave)) = &call.leave {
                    let formula = tm.and2(call.enter.guard, leave.formula);
                    graph.add_edge((from, graph.node(id, *to)), Action::Through(call), Some(callee), formula);
                }
            }
            if let Some(exit) = graph.procedures[id].exit {
                let (action, formula) = (Action::Return, Terms::FALSE);
                let edge = graph.edges.push(Edge { from: exit, to: exit, action, callee: None, formula });
                graph.nodes[exit].outgoing.push(edge);
            }
        }
        graph
    }

    fn add_procedure(&mut self, tm: &mut Terms, encoding: &'a CutpointEncoding) -> ProcedureId {
        let cuts = &encoding.cuts;
        let id = self.procedures.next_index();
        let first = self.nodes.len();
        for cut in cuts.cutpoints.indices() {
            self.nodes.push(Node {
                procedure: id,
                cut,
                state: &encoding.states[cut],
                facts: encoding.range_facts(self.program, tm, cut),
                incoming: Vec::new(),
                outgoing: Vec::new(),
                is_error: cut == cuts.error,
            });
        }
        let exit = cuts.at(encoding.proc(self.program).exit);
        let state = exit.map_or(&[][..], |exit| &encoding.states[exit]);
        let exit_state = state.iter().map(|constant| (constant.var, fresh(tm, constant.current))).collect();
        let node = |cut: CutId| NodeId((first + cut.0 as usize) as u32);
        let (entry, exit) = (node(cuts.entry), exit.map(node));
        self.procedures.push(Procedure { encoding, entry, exit, exit_state, first })
    }

    fn add_edge(
        &mut self,
        (from, to): (NodeId, NodeId),
        action: Action<'a>,
        callee: Option<ProcedureId>,
        formula: TermId,
    ) {
        let edge = self.edges.push(Edge { from, to, action, callee, formula });
        self.nodes[from].outgoing.push(edge);
        self.nodes[to].incoming.push(edge);
    }

    /// The node of a cutpoint.
    pub fn node(&self, procedure: ProcedureId, cut: CutId) -> NodeId {
        NodeId((self.procedures[procedure].first + cut.0 as usize) as u32)
    }

    /// The procedure of a node.
    pub fn procedure(&self, node: NodeId) -> &Procedure<'a> {
        &self.procedures[self.nodes[node].procedure]
    }

    pub fn proc(&self, node: NodeId) -> &'a Proc {
        self.procedure(node).encoding.proc(self.program)
    }

    pub fn location(&self, node: NodeId) -> LocId {
        self.procedure(node).encoding.cuts.location(self.nodes[node].cut)
    }

    /// The procedure that is called on an edge.
    pub fn callee(&self, edge: EdgeId) -> Option<&Procedure<'a>> {
        self.edges[edge].callee.map(|callee| &self.procedures[callee])
    }

    /// Whether the edge lies between nodes of one procedure.
    pub fn is_within(&self, edge: EdgeId) -> bool {
        matches!(self.edges[edge].action, Action::Block(_) | Action::Through(_))
    }

    /// Whether the edge leads from node to node: a return leads nowhere.
    pub fn is_step(&self, edge: EdgeId) -> bool {
        !matches!(self.edges[edge].action, Action::Return)
    }

    /// Nodes, and how one comes from one to the next.
    pub fn steps(&self) -> Digraph<NodeId> {
        let mut graph = Digraph::new(self.nodes.len());
        for edge in self.edges.indices().filter(|&edge| self.is_step(edge)).map(|edge| &self.edges[edge]) {
            graph.add_edge(edge.from, edge.to);
        }
        graph
    }

    /// A formula over the state at the entry and the exit of the callee, about the call on an edge, as it is over
    /// the constants of the caller.
    pub fn at_call(&self, tm: &mut Terms, edge: EdgeId, formula: TermId) -> TermId {
        let (Action::Enter(call) | Action::Through(call)) = self.edges[edge].action else { return formula };
        let Some(callee) = self.callee(edge) else { return formula };
        let entry = self.nodes[callee.entry].state.iter().map(|constant| constant.current);
        let passed = call.enter.outputs.iter().map(|output| output.value);
        let exit = callee.exit_state.iter().map(|&(_, constant)| constant);
        let returned = call.returned.iter().map(|&(_, constant)| constant);
        Substitution::from_pairs(entry.zip(passed).chain(exit.zip(returned))).apply(tm, formula)
    }
}

impl<'a> Edge<'a> {
    /// The state after the step.
    pub fn outputs(&self) -> &'a [Output] {
        match self.action {
            Action::Block(block) => &block.outputs,
            Action::Enter(call) => &call.enter.outputs,
            Action::Through(call) => call.leave.as_ref().map_or(&[], |(_, leave)| &leave.outputs),
            Action::Return => &[],
        }
    }

    /// The constant of a component before the step, if the step reads it or passes it on.
    pub fn input(&self, var: StateVar) -> Option<TermId> {
        let block = match self.action {
            Action::Block(block) => block,
            Action::Enter(call) => &call.enter,
            Action::Through(call) => &call.leave.as_ref()?.1,
            Action::Return => return None,
        };
        block.inputs.get(&var).copied()
    }
}

/// A new constant of the same name and sort.
pub fn fresh(tm: &mut Terms, constant: TermId) -> TermId {
    let name = tm.const_name(constant).unwrap_or("x").to_string();
    let base = name.split('!').next().unwrap_or("x").to_string();
    let sort = tm.sort(constant);
    tm.fresh_const(&base, sort)
}
