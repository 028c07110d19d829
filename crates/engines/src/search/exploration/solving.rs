//! Inputs that a solver finds, where random ones do not get on.
//!
//! The state at a loop head is known, so a question is about one block only, and most of it is numbers. At the start it is
//! how to get to a loop at all, with inputs that differ each time; later, how to take an edge that no run has taken.

use super::compared::Compared;
use super::{Clock, Heads, Way};
use crate::path::number;
use crate::view::blocks::{Blocks, InlinedView};
use craig_base::{Budget, Map, Set};
use craig_exec::{InputOracle, InputSite, RandomOracle, Source};
use craig_program::{CutEdgeId, CutId, EdgeId, StateVar, VarId};
use craig_smt::{Answer, Solver};
use craig_term::{ArrayValue, Model, TermId, Terms, Value};

/// How often wishes that contradict each other are given up one by one.
const MAX_RETRIES: usize = 12;

pub(super) struct Asking<'a> {
    terms: Terms,
    blocks: Blocks<'a>,
    compared: &'a Compared,
    /// The state in which each block was asked for what, and in vain.
    asked: Set<(usize, CutEdgeId)>,
    budget: &'a Budget,
}

/// Inputs for one block.
pub(super) struct Solution {
    /// The values of input statements, in their order.
    inputs: Vec<(EdgeId, i128)>,
    /// The state at the start.
    initial: Map<StateVar, Value>,
}

impl<'a> Asking<'a> {
    pub fn new(
        mut terms: Terms,
        view: &'a InlinedView<'a>,
        compared: &'a Compared,
        budget: &'a Budget,
    ) -> Self {
        let blocks = Blocks::new(&mut terms, view);
        Asking { terms, blocks, compared, asked: Set::default(), budget }
    }

    /// Ways from the start to loops, with inputs by chance where they may be anything.
    pub fn beginnings(&mut self, random: &mut RandomOracle) -> Vec<Solution> {
        let cuts = &self.blocks.encoding.cuts;
        let leaving: Vec<CutEdgeId> = cuts.cutpoints[cuts.entry].outgoing.clone();
        let mut found = Vec::new();
        for edge in leaving.into_iter().filter(|&edge| cuts.edges[edge].to != cuts.error) {
            let wishes = self.wishes(edge, random);
            found.extend(self.solve(edge, Vec::new(), wishes));
        }
        found
    }

    /// Inputs with which a run goes on from a state along an edge that no run has taken.
    pub fn onwards(&mut self, way: usize, ways: &[Way], heads: &Heads<'_>) -> Option<Solution> {
        let (cut, values) = ways[way].end.as_ref()?;
        let cuts = &self.blocks.encoding.cuts;
        let leaving: Vec<CutEdgeId> = cuts.cutpoints[*cut].outgoing.clone();
        for edge in leaving {
            if self.asked.contains(&(way, edge)) {
                continue;
            }
            let block = &self.blocks.encoding.blocks[edge];
            let taken = |edge: &EdgeId| heads.taken[*edge];
            let new: Vec<TermId> =
                block.edges.iter().filter(|(edge, _)| !taken(edge)).map(|(_, &literal)| literal).collect();
            if new.is_empty() {
                continue;
            }
            let mut fixed = self.in_state(*cut, values);
            fixed.push(self.terms.or(&new));
            self.asked.insert((way, edge));
            if let Some(solution) = self.solve(edge, fixed, Vec::new()) {
                return Some(solution);
            }
        }
        None
    }

    fn in_state(&mut self, cut: CutId, values: &[(VarId, i128)]) -> Vec<TermId> {
        let values: Map<VarId, i128> = values.iter().copied().collect();
        let mut fixed = vec![self.blocks.facts(cut)];
        for constant in &self.blocks.encoding.states[cut] {
            let StateVar::Var(var) = constant.var else { continue };
            let Some(&value) = values.get(&var) else { continue };
            fixed.push(if self.terms.is_bool(constant.current) {
                if value != 0 { constant.current } else { self.terms.not(constant.current) }
            } else {
                let value = self.terms.int(value);
                self.terms.eq(constant.current, value)
            });
        }
        fixed
    }

    /// Values of some inputs of a block.
    fn wishes(&mut self, edge: CutEdgeId, random: &mut RandomOracle) -> Vec<TermId> {
        let block = &self.blocks.encoding.blocks[edge];
        let mut wishes = Vec::new();
        for (&at, &value) in &block.input_values {
            if random.below(4) == 0 {
                continue;
            }
            if self.terms.is_bool(value) {
                wishes.push(if random.below(2) == 0 { value } else { self.terms.not(value) });
            } else {
                let numbers = self.compared.inputs(at);
                let wish = match numbers.len() as u64 {
                    0 => i128::from(random.below(8)),
                    count => numbers[random.below(count) as usize],
                };
                let wish = self.terms.int(wish);
                wishes.push(self.terms.eq(value, wish));
            }
        }
        wishes
    }

    /// Inputs of a block, with as many wishes fulfilled as come easily.
    fn solve(&mut self, edge: CutEdgeId, fixed: Vec<TermId>, mut wishes: Vec<TermId>) -> Option<Solution> {
        let encoding = self.blocks.encoding;
        let program = self.blocks.program;
        let solver = self.blocks.solver(&mut self.terms, edge);
        let mut model = None;
        for retry in 0..=MAX_RETRIES {
            if retry == MAX_RETRIES {
                wishes.clear();
            }
            let assumptions: Vec<TermId> = fixed.iter().chain(&wishes).copied().collect();
            match solver.check(&mut self.terms, &assumptions, self.budget) {
                Answer::Sat => {
                    model = solver.model().cloned();
                    break;
                }
                Answer::Unsat if wishes.is_empty() => return None,
                Answer::Unsat => {
                    let core = solver.core();
                    let blamed = wishes.iter().position(|wish| core.contains(wish))?;
                    wishes.remove(blamed);
                }
                Answer::Unknown(_) => return None,
            }
        }
        let model: Model = model?;
        let (proc, block) = (encoding.proc(program), &encoding.blocks[edge]);
        let path = block.path(proc, |literal| self.terms.eval_bool(literal, &model).unwrap_or(false))?;
        let value = |t: TermId| self.terms.eval(t, &model).ok();
        let inputs = block.inputs_along(proc, &path).into_iter();
        let inputs = inputs.map(|(edge, t)| (edge, t.and_then(value).as_ref().map_or(0, number))).collect();
        let start = &encoding.states[encoding.cuts.edges[edge].from];
        let initial = start.iter().filter_map(|constant| Some((constant.var, value(constant.current)?)));
        Some(Solution { inputs, initial: initial.collect() })
    }
}

/// The inputs of a known way, then those of a solution, then none.
pub(super) struct Following<'a> {
    pub before: &'a [i128],
    pub solution: &'a Solution,
    pub params: &'a [VarId],
    pub clock: &'a Clock,
    /// How many of them were asked for.
    pub arguments: usize,
    pub next: usize,
}

impl InputOracle for Following<'_> {
    fn next(&mut self, at: &InputSite) -> Option<i128> {
        let consumed = self.clock.consumed.get();
        self.clock.consumed.set(consumed + 1);
        self.clock.passed.set(0);
        if let Some(&known) = self.before.get(consumed) {
            return Some(known);
        }
        let initial = |var: StateVar| self.solution.initial.get(&var);
        match at.source {
            Source::Statement => {
                let (edge, value) = *self.solution.inputs.get(self.next)?;
                self.next += 1;
                (edge == at.site.edge).then_some(value)
            }
            Source::Argument => {
                let var = *self.params.get(self.arguments)?;
                self.arguments += 1;
                Some(initial(StateVar::Var(var)).map_or(0, number))
            }
            Source::Memory { region, address } => match initial(StateVar::Region(region)) {
                Some(Value::Array(contents)) => Some(element(contents, address)),
                _ => Some(0),
            },
            Source::Local => Some(0),
            Source::Choice { .. } => None,
        }
    }
}

fn element(contents: &ArrayValue, address: u64) -> i128 {
    number(contents.select(&Value::Int(address.into())))
}
