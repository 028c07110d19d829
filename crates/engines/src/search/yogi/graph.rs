//! Programs as graphs of points and blocks, each block with its meaning in terms; calls are blocks too.
//!
//! The state of a point is the live state there and, where a procedure can be called, after it the state in
//! which it was entered: this never changes, and predicates may relate the two. So the predicates at
//! the exit are about what a call does, and those at the entry about when it does it. An inlined program
//! is a single procedure without calls; it is never called, so its points have their live state only.

use crate::view::blocks::conjuncts;
use craig_base::{IndexVec, Map, OrderedMap, index_type};
use craig_program::encode::StateNames;
use craig_program::{EdgeId, ExprId, LocId, ProcId, Program, StateVar};
use craig_term::{Substitution, TermId, Terms};

index_type!(
    /// A location at which there are regions.
    pub PointId, "p"
);
index_type!(
    /// A piece of straight code between two points, or a call.
    pub BlockId, "b"
);

#[derive(Clone, Debug)]
pub struct Point {
    pub location: LocId,
    /// The state, with the constants that formulas of this point speak of.
    pub state: Vec<(StateVar, TermId)>,
    /// How many of them are live here; the others are the state at the procedure's entry.
    pub live: usize,
    /// What is known of every state here: ranges of types, and of the interval analysis.
    pub facts: TermId,
    pub outgoing: Vec<BlockId>,
    pub incoming: Vec<BlockId>,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub from: PointId,
    pub to: PointId,
    pub edges: Vec<EdgeId>,
    /// What must hold for the block to be passed, a conjunction, without what `facts` says anyway.
    pub guard: Vec<TermId>,
    /// For each component of the target's state, its value over the source's constants and `free`.
    pub values: Vec<TermId>,
    /// Constants of guard and values that the source's state does not determine: inputs, results
    /// that have no exact term, and what a callee returns.
    pub free: Vec<TermId>,
    /// The inputs of the block in order, with their constants; none if the value does not matter.
    pub inputs: Vec<(EdgeId, Option<TermId>)>,
    pub approximations: Vec<(EdgeId, ExprId)>,
}

#[derive(Clone, Debug)]
pub struct Graph {
    pub points: IndexVec<PointId, Point>,
    pub blocks: IndexVec<BlockId, Block>,
    pub entry: PointId,
    /// Missing if nothing leads there.
    pub error: Option<PointId>,
    pub of_location: IndexVec<LocId, Option<PointId>>,
    /// Blocks by the edges that decide between them: the last of these has one block of its own, the others one of
    /// theirs. A call that may fail has a second block.
    pub of_edge: Map<EdgeId, BlockId>,
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub graph: Graph,
    pub exit: Option<PointId>,
    /// The blocks that stand for calls.
    pub calls: OrderedMap<BlockId, Call>,
    /// The state at the entry, with the constants that contracts have for it.
    pub entry: Vec<(StateVar, TermId)>,
    /// How a run of the program starts, over the constants of the entry point.
    pub initial: TermId,
}

/// A call, as a block of the caller.
#[derive(Clone, Debug)]
pub struct Call {
    pub callee: ProcId,
    /// The value of each component of the callee's entry state, over the caller's constants.
    pub arguments: Vec<(StateVar, TermId)>,
    /// For each component of the callee's exit state the constant that the block has for it.
    pub results: Vec<(StateVar, TermId)>,
    /// What must hold for the call to be made.
    pub conditions: Vec<TermId>,
    /// The call does not return: an error is reached in it.
    pub fails: bool,
}

/// The procedures that can be called, by number.
pub type Procedures = IndexVec<ProcId, Option<Procedure>>;

impl Point {
    /// From the constants of the state to values of it.
    pub fn map(&self, values: &[TermId]) -> Substitution {
        let constants = self.state.iter().map(|&(_, constant)| constant);
        Substitution::from_pairs(constants.zip(values.iter().copied()).collect::<Vec<_>>())
    }
}

impl Graph {
    /// The graph with a point after the exit that exactly the states with `post` reach.
    pub fn towards(&self, tm: &Terms, exit: PointId, post: TermId) -> Graph {
        let mut graph = self.clone();
        let location = graph.points[exit].location;
        let target = Point {
            location,
            state: Vec::new(),
            live: 0,
            facts: Terms::TRUE,
            outgoing: Vec::new(),
            incoming: Vec::new(),
        };
        let target = graph.points.push(target);
        graph.add(Block {
            from: exit,
            to: target,
            edges: Vec::new(),
            guard: conjuncts(tm, post),
            values: Vec::new(),
            free: Vec::new(),
            inputs: Vec::new(),
            approximations: Vec::new(),
        });
        graph.error = Some(target);
        graph
    }

    pub(super) fn add(&mut self, block: Block) -> BlockId {
        let (from, to) = (block.from, block.to);
        let id = self.blocks.push(block);
        self.points[from].outgoing.push(id);
        self.points[to].incoming.push(id);
        id
    }
}

impl Procedure {
    /// A formula of the entry point, over the constants that contracts have for the entry.
    pub fn at_entry(&self, tm: &mut Terms, formula: TermId) -> TermId {
        let state = &self.graph.points[self.graph.entry].state;
        let pairs = state.iter().filter_map(|&(var, constant)| {
            self.entry.iter().find(|(known, _)| *known == var).map(|&(_, entry)| (constant, entry))
        });
        Substitution::from_pairs(pairs.collect::<Vec<_>>()).apply(tm, formula)
    }
}

impl Call {
    pub fn argument(&self, var: StateVar) -> Option<TermId> {
        self.arguments.iter().find(|(passed, _)| *passed == var).map(|&(_, argument)| argument)
    }

    /// A formula over the callee's entry and exit, as contracts have it, at this call.
    pub fn instantiate(
        &self,
        tm: &mut Terms,
        program: &Program,
        callee: &Procedure,
        formula: TermId,
    ) -> TermId {
        let mut names = StateNames::default();
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        for &(var, constant) in &callee.entry {
            pairs.extend(self.argument(var).map(|argument| (constant, argument)));
        }
        for &(var, out) in &self.results {
            pairs.push((names.current(program, tm, var), out));
        }
        Substitution::from_pairs(pairs).apply(tm, formula)
    }
}
