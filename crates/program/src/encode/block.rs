//! Large-block encoding: a loop-free segment as one formula, linear in the size of the code.
//!
//! The formula says that some path of the segment leads from a state at the source (the *current*
//! constants) to a state at the target (the *next* constants). It works backwards: every edge that
//! is taken has its source reached, and every location that is reached and joins paths has an
//! incoming edge that is taken. So a model gives a path by walking back from the target
//! ([`BlockEncoding::path`]).
//!
//! - One Boolean for each location that branches and for each edge into a join; a straight piece of
//!   code shares the Boolean of its end, and a segment without branches has none.
//! - Values are terms over the current constants. A new constant is introduced only where paths with
//!   different values join, for inputs, and for terms that have grown large.
//! - Only live variables are joined, and assignments to dead ones are left out.
//! - The ranges of values are followed along the paths: assumptions `x < 10` narrow them, joins
//!   unite them. So a case split for wrapping around is only there if the code before did not
//!   exclude it.

use super::Operation;
use super::builder::BlockBuilder;
use super::names::StateNames;
use crate::analysis::Ranges;
use crate::cutpoints::Segment;
use crate::expr::ExprId;
use crate::ir::{EdgeId, LocId, Proc, Program, Stmt};
use crate::liveness::Liveness;
use crate::state::StateVar;
use craig_base::{Map, OrderedMap};
use craig_term::{Substitution, TermId, Terms};

/// The formula of a segment.
#[derive(Clone, Debug)]
pub struct BlockEncoding {
    pub source: LocId,
    pub target: LocId,
    /// The transition, over the current constants, the next constants and the auxiliaries.
    pub formula: TermId,
    /// The transition without the equations for the next constants.
    pub guard: TermId,
    /// The components of the state that the segment reads or passes on, with their current constants.
    pub inputs: OrderedMap<StateVar, TermId>,
    /// The live state at the target.
    pub outputs: Vec<Output>,
    /// All constants of the formula that are neither current nor next.
    pub auxiliaries: Vec<TermId>,
    /// For each location of the segment a literal that holds if the path passes it.
    pub locations: OrderedMap<LocId, TermId>,
    /// For each edge of the segment a literal: if it holds and the formula does, the edge can be
    /// taken on the way to the target.
    pub edges: OrderedMap<EdgeId, TermId>,
    /// For each edge with an input that matters, its value.
    pub input_values: OrderedMap<EdgeId, TermId>,
    /// Auxiliaries that stand for results of operations without a linear term.
    pub results: OrderedMap<Operation, TermId>,
    /// Auxiliaries that were introduced for joins and large terms, with the edge that defines them
    /// and their value there.
    pub definitions: Vec<(EdgeId, TermId, TermId)>,
    /// Expressions that are only approximated.
    pub approximations: Vec<(EdgeId, ExprId)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    pub var: StateVar,
    /// The next constant.
    pub next: TermId,
    /// Its value, over current constants and auxiliaries.
    pub value: TermId,
}

/// A copy of a block for one place in an unwinding.
#[derive(Clone, Debug)]
pub struct Instance {
    pub formula: TermId,
    substitution: Substitution,
}

impl Instance {
    /// A term of the block (an edge literal, an input value, ...) as it is in this copy.
    pub fn term(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        self.substitution.apply(terms, term)
    }
}

impl BlockEncoding {
    pub fn new(
        program: &Program,
        proc: &Proc,
        segment: &Segment,
        liveness: &Liveness,
        ranges: &Ranges,
        terms: &mut Terms,
    ) -> Self {
        let mut names = StateNames::default();
        Self::with_names(program, proc, segment, liveness, ranges, terms, &mut names)
    }

    /// As [`new`](Self::new), for several segments of one program.
    pub fn with_names(
        program: &Program,
        proc: &Proc,
        segment: &Segment,
        liveness: &Liveness,
        ranges: &Ranges,
        terms: &mut Terms,
        names: &mut StateNames,
    ) -> Self {
        BlockBuilder::new(program, proc, segment, liveness, ranges, terms, names).run()
    }

    /// A copy with the given state constants and fresh auxiliaries.
    pub fn instantiate(
        &self,
        terms: &mut Terms,
        current: &mut dyn FnMut(&mut Terms, StateVar) -> TermId,
        next: &mut dyn FnMut(&mut Terms, StateVar) -> TermId,
    ) -> Instance {
        let mut map = Map::default();
        for (&var, &constant) in &self.inputs {
            map.insert(constant, current(terms, var));
        }
        for output in &self.outputs {
            map.insert(output.next, next(terms, output.var));
        }
        for &auxiliary in &self.auxiliaries {
            let sort = terms.sort(auxiliary);
            let name = terms.const_name(auxiliary).unwrap_or("aux").to_string();
            let base = name.split('!').next().unwrap_or("aux");
            map.insert(auxiliary, terms.fresh_const(base, sort));
        }
        let mut substitution = Substitution::new(map);
        let formula = substitution.apply(terms, self.formula);
        Instance { formula, substitution }
    }

    /// The edges of a path in a model, given the truth of edge literals, in execution order.
    pub fn path(&self, proc: &Proc, mut holds: impl FnMut(TermId) -> bool) -> Option<Vec<EdgeId>> {
        let mut path = Vec::new();
        let mut at = self.target;
        loop {
            let incoming = &proc.locations[at].incoming;
            let &edge =
                incoming.iter().find(|edge| self.edges.get(*edge).is_some_and(|&literal| holds(literal)))?;
            path.push(edge);
            at = proc.edges[edge].from;
            if at == self.source {
                path.reverse();
                return Some(path);
            }
        }
    }

    /// The inputs along a path in execution order. `None` stands for an input whose value does not
    /// matter.
    pub fn inputs_along(&self, proc: &Proc, path: &[EdgeId]) -> Vec<(EdgeId, Option<TermId>)> {
        path.iter()
            .filter(|&&edge| matches!(proc.edges[edge].stmt, Stmt::Input(..)))
            .map(|&edge| (edge, self.input_values.get(&edge).copied()))
            .collect()
    }
}
