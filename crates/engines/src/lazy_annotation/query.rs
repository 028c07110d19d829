//! Queries: symbolic states on the path that is being executed.

use super::annotation::Label;
use super::concretise::Tried;
use crate::blocks::BlockCopy;
use craig_base::Map;
use craig_program::encode::{CutpointEncoding, Instance};
use craig_program::{CutEdgeId, CutId, StateVar};
use craig_term::{Model, Substitution, TermId, Terms};
use std::rc::Rc;

/// A symbolic state (l, s). The constraint C of s is what the queries up to this one have asserted.
pub(super) struct Query {
    pub at: CutId,
    /// E: the live state, over parameters.
    pub values: Map<StateVar, TermId>,
    /// The same, from the current constants.
    renaming: Substitution,
    /// What this step added to C.
    pub constraint: TermId,
    /// The step that led here.
    pub step: Option<BlockCopy>,
    /// For each loop nest, how many more times an edge back to a head may be taken.
    pub tau: Vec<u64>,
    /// The outgoing edges that are done with: by a label that blocks them, or with nothing learnt.
    pub done: Vec<(CutEdgeId, Option<Label>)>,
    /// A state of the query, over the current constants.
    pub sample: Rc<Model>,
    /// Values that were fixed on outgoing edges, and what products of parameters are with them (see
    /// [`super::concretise`]).
    pub tried: Vec<Tried<CutEdgeId>>,
    pub facts: Vec<TermId>,
}

impl Query {
    /// A state in which nothing has been tried.
    pub fn new(encoding: &CutpointEncoding, at: CutId, values: Map<StateVar, TermId>, tau: Vec<u64>) -> Self {
        let states = encoding.states[at].iter();
        let pairs = states.filter_map(|constant| Some((constant.current, *values.get(&constant.var)?)));
        Query {
            at,
            renaming: Substitution::from_pairs(pairs),
            values,
            constraint: Terms::TRUE,
            step: None,
            tau,
            done: Vec::new(),
            sample: Rc::default(),
            tried: Vec::new(),
            facts: Vec::new(),
        }
    }

    /// A formula over the current constants, evaluated symbolically.
    pub fn eval(&mut self, tm: &mut Terms, formula: TermId) -> TermId {
        self.renaming.apply(tm, formula)
    }

    /// χ(s) without C: equations for those of the constants that matter.
    pub fn equations(&self, tm: &mut Terms, encoding: &CutpointEncoding, constants: &[TermId]) -> TermId {
        let mut equations = Vec::new();
        for constant in &encoding.states[self.at] {
            if let Some(&value) = self.values.get(&constant.var)
                && constants.contains(&constant.current)
            {
                equations.push(tm.eq(constant.current, value));
            }
        }
        tm.and(&equations)
    }

    /// Takes a model of C as the sample.
    pub fn sample_from(&mut self, tm: &Terms, encoding: &CutpointEncoding, model: &Model) {
        let states = encoding.states[self.at].iter();
        let roots: Vec<TermId> = states.filter_map(|c| self.values.get(&c.var).copied()).collect();
        let Ok(values) = tm.eval_all(&roots, model) else { return };
        let mut sample = Model::new();
        for constant in &encoding.states[self.at] {
            let value = self.values.get(&constant.var).and_then(|term| values.get(term));
            if let Some(value) = value {
                sample.set(constant.current, value.clone());
            }
        }
        self.sample = Rc::new(sample);
    }
}

/// The symbolic state behind an edge.
pub(super) struct Step {
    pub guard: TermId,
    pub values: Map<StateVar, TermId>,
    pub instance: Instance,
}

/// Executes a block symbolically. Where the block passes a component on that the query has no value
/// for, the value is arbitrary.
pub(super) fn step(tm: &mut Terms, encoding: &CutpointEncoding, query: &Query, edge: CutEdgeId) -> Step {
    let block = &encoding.blocks[edge];
    let mut inputs: Map<StateVar, TermId> = Map::default();
    for (&var, &constant) in &block.inputs {
        let value = match query.values.get(&var) {
            Some(&value) => value,
            None => {
                let sort = tm.sort(constant);
                tm.fresh_const("p", sort)
            }
        };
        inputs.insert(var, value);
    }
    let next: Map<StateVar, TermId> = block.outputs.iter().map(|output| (output.var, output.next)).collect();
    let mut instance = block.instantiate(tm, &mut |_, var| inputs[&var], &mut |_, var| next[&var]);
    let guard = instance.term(tm, block.guard);
    let values = block.outputs.iter().map(|output| (output.var, instance.term(tm, output.value))).collect();
    Step { guard, values, instance }
}
