//! Queries: symbolic states on the path that is being executed, and the calls that they are in.

use super::annotation::{Bounds, Question};
use super::concretise::Tried;
use crate::view::{Action, EdgeId, Graph, NodeId};
use craig_base::{Map, OrderedSet};
use craig_program::encode::{BlockEncoding, Instance};
use craig_program::{EdgeId as EdgeOfProgram, StateVar};
use craig_term::{Model, Substitution, TermId, Terms};
use std::rc::Rc;

/// A symbolic state (l, s). The constraint C of s is what the queries up to this one have asserted.
pub(super) struct Query {
    pub at: NodeId,
    /// E: the live state, over parameters.
    pub values: Vec<TermId>,
    /// The same, from the current constants; and from those of the exit to what the frame calls it.
    renaming: Substitution,
    /// What this step added to C.
    pub constraint: TermId,
    /// The call that it is in, and whether that begins here.
    pub frame: usize,
    pub enters: bool,
    /// The step that led here.
    pub step: Option<Step>,
    /// How many more times a cycle of the component may be closed.
    pub tau: u64,
    /// The outgoing edges that are done with: blocked under bounds, or with nothing learnt.
    pub done: Vec<(EdgeId, Option<Bounds>)>,
    /// A state of the query, over the current constants.
    pub sample: Rc<Model>,
    /// Values that were fixed on outgoing edges, and what products of parameters are with them (see
    /// [`super::concretise`]).
    pub tried: Vec<Tried>,
    pub facts: Vec<TermId>,
}

/// A step on the path: an edge, and what its constants are there (for a call, those on the way in).
pub(super) struct Step {
    pub edge: EdgeId,
    instance: Option<Instance>,
    /// What is known of the copy's own constants since one way was chosen.
    chosen: Substitution,
}

impl Step {
    pub fn new(edge: EdgeId, instance: Option<Instance>) -> Self {
        Step { edge, instance, chosen: Substitution::default() }
    }

    /// A term of the edge as it is here.
    pub fn term(&mut self, tm: &mut Terms, term: TermId) -> TermId {
        match &mut self.instance {
            Some(instance) => {
                let term = instance.term(tm, term);
                self.chosen.apply(tm, term)
            }
            None => term,
        }
    }
}

/// A call that has been entered, or the program.
pub(super) struct Frame {
    pub question: Question,
    /// If the question is about the exit: the state there.
    pub exit: Vec<TermId>,
    /// How the caller goes on then.
    pub resume: Option<Resume>,
    /// What that comes to, as it was found when the annotation had this version.
    pub later: Option<(u64, TermId)>,
}

/// What a caller does after a call, over the state at the callee's exit.
#[derive(Clone)]
pub(super) struct Resume {
    /// The caller's query on the path.
    pub caller: usize,
    pub to: NodeId,
    pub constraint: TermId,
    pub values: Vec<TermId>,
    pub tau: u64,
}

impl Query {
    /// A state in which nothing has been tried.
    pub fn new(
        graph: &Graph<'_>,
        at: NodeId,
        (values, constraint): (Vec<TermId>, TermId),
        (frame, exit): (usize, &[TermId]),
        tau: u64,
    ) -> Self {
        Query {
            at,
            renaming: renaming(graph, at, &values, exit),
            values,
            constraint,
            frame,
            enters: false,
            step: None,
            tau,
            done: Vec::new(),
            sample: Rc::default(),
            tried: Vec::new(),
            facts: Vec::new(),
        }
    }

    /// A formula over the current constants, and those of the exit, evaluated symbolically.
    pub fn eval(&mut self, tm: &mut Terms, formula: TermId) -> TermId {
        self.renaming.apply(tm, formula)
    }

    /// χ(s) without C: equations for those of the constants that matter.
    pub fn equations(&mut self, tm: &mut Terms, constants: &[TermId]) -> TermId {
        let mut equations = Vec::new();
        for &constant in constants {
            let value = self.eval(tm, constant);
            if value != constant {
                equations.push(tm.eq(constant, value));
            }
        }
        tm.and(&equations)
    }

    /// Executes a block symbolically: the guard, the values after it, and the copy. Where the block passes a
    /// component on that the query has no value for, the value is arbitrary.
    pub fn execute(
        &self,
        tm: &mut Terms,
        graph: &Graph<'_>,
        block: &BlockEncoding,
    ) -> (TermId, Vec<TermId>, Instance) {
        let vars = graph.nodes[self.at].state.iter().map(|constant| constant.var);
        let known: Map<StateVar, TermId> = vars.zip(self.values.iter().copied()).collect();
        let mut inputs: Map<StateVar, TermId> = Map::default();
        for (&var, &constant) in &block.inputs {
            let value = known.get(&var).copied().unwrap_or_else(|| {
                let sort = tm.sort(constant);
                tm.fresh_const("p", sort)
            });
            inputs.insert(var, value);
        }
        let next: Map<StateVar, TermId> =
            block.outputs.iter().map(|output| (output.var, output.next)).collect();
        let mut instance = block.instantiate(tm, &mut |_, var| inputs[&var], &mut |_, var| next[&var]);
        let guard = instance.term(tm, block.guard);
        let values = block.outputs.iter().map(|output| instance.term(tm, output.value)).collect();
        (guard, values, instance)
    }

    /// Keeps only the way through the block that a model takes: a path without cases is easier to reason about, and
    /// other ways are tried when this one is blocked. What is learnt then is learnt for all of them.
    pub fn follow(&mut self, tm: &mut Terms, graph: &Graph<'_>, exit: &[TermId], model: &Model) {
        let Some(step) = &mut self.step else { return };
        let edge = &graph.edges[step.edge];
        let Action::Block(block) = edge.action else { return };
        let literals: OrderedSet<TermId> =
            block.edges.values().chain(block.locations.values()).copied().collect();
        if literals.iter().all(|&literal| tm.is_true(literal)) {
            return;
        }
        let proc = graph.proc(edge.from);
        let holds = |literal| {
            let literal = step.term(tm, literal);
            tm.eval_bool(literal, model) == Ok(true)
        };
        let Some(way) = block.path(proc, holds) else { return };
        let on_way = |id: &EdgeOfProgram| [block.edges.get(id), block.locations.get(&proc.edges[*id].from)];
        let taken: Vec<TermId> = way.iter().flat_map(on_way).flatten().copied().collect();
        let mut chosen: Map<TermId, TermId> = Map::default();
        for literal in literals {
            let constant = step.term(tm, literal);
            chosen.insert(constant, tm.bool(taken.contains(&literal)));
        }
        chosen.remove(&Terms::TRUE);
        for &(_, constant, value) in block.definitions.iter().filter(|(id, ..)| way.contains(id)) {
            let (constant, value) = (step.term(tm, constant), step.term(tm, value));
            let value = tm.substitute(value, &chosen);
            chosen.insert(constant, value);
        }
        step.chosen = Substitution::new(chosen);
        self.constraint = step.chosen.apply(tm, self.constraint);
        for value in &mut self.values {
            *value = step.chosen.apply(tm, *value);
        }
        self.renaming = renaming(graph, self.at, &self.values, exit);
    }

    /// Takes a model of C as the sample.
    pub fn sample_from(&mut self, tm: &Terms, graph: &Graph<'_>, model: &Model) {
        let Ok(values) = tm.eval_all(&self.values, model) else { return };
        let mut sample = Model::new();
        for (constant, term) in graph.nodes[self.at].state.iter().zip(&self.values) {
            if let Some(value) = values.get(term) {
                sample.set(constant.current, value.clone());
            }
        }
        self.sample = Rc::new(sample);
    }
}

/// From the current constants of a node to values, and from the constants of the exit to the given ones.
fn renaming(graph: &Graph<'_>, at: NodeId, values: &[TermId], exit: &[TermId]) -> Substitution {
    let state = graph.nodes[at].state.iter().map(|constant| constant.current);
    let at_exit = graph.procedure(at).exit_state.iter().map(|&(_, constant)| constant);
    Substitution::from_pairs(state.zip(values.iter().copied()).chain(at_exit.zip(exit.iter().copied())))
}
