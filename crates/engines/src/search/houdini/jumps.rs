//! States that runs reach only after very many rounds of a loop.
//!
//! A run is continued block by block with the solver. Where the numbers at a cutpoint have changed by the same steps, or
//! by steps that themselves change by the same amounts, they are a polynomial in the number of rounds: so the run goes
//! on from where some condition of the program is about to change. What happens then shows the next phase of the loop,
//! or what comes after it.
//!
//! Nothing depends on such a state but guesses: if the run would have left its way in between, a guess is lost.

use super::guesses::Words;
use super::samples::State;
use crate::path::number;
use crate::view::blocks::{Blocks, InlinedView};
use craig_base::{Budget, IndexVec, Map, Set};
use craig_program::{CutEdgeId, CutId, StateVar, VarId};
use craig_smt::{Answer, Solver};
use craig_term::{Model, Op, TermId, Terms, Value};

/// Blocks that one run executes.
const MAX_STEPS: usize = 60;
/// Runs from states at one cutpoint.
const MAX_RUNS: usize = 3;
/// Fewer rounds are not worth a jump.
const MIN_ROUNDS: i128 = 8;
const MAX_ROUNDS: i128 = 1 << 32;
/// A condition may be about what a round computes first, so that it changes some rounds before its variables say so.
const MARGIN: i128 = 3;

/// Adds states that jumping runs reach from the last ones that are known at each cutpoint.
pub(super) fn extend(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    words: &Words,
    states: &mut IndexVec<CutId, Vec<State>>,
    budget: &Budget,
) {
    let is_scalar =
        |constant: &craig_program::encode::StateConstant| matches!(constant.var, StateVar::Var(_));
    if !view.encoding.states.iter().flatten().all(is_scalar) {
        return;
    }
    let mut starts = Vec::new();
    for cut in states.indices() {
        let known = &states[cut];
        let step = (known.len() / MAX_RUNS).max(1);
        starts
            .extend(known.iter().rev().step_by(step).take(MAX_RUNS).map(|state| (cut, state.values.clone())));
    }
    let mut jumper = Jumper { tm, view, words, blocks: None, found: Vec::new(), budget };
    for (cut, values) in starts {
        jumper.run(cut, values);
    }
    for (cut, values) in jumper.found {
        if !states[cut].iter().any(|state| state.values == values) {
            states[cut].push(State::of_values(values));
        }
    }
}

type Values = Map<VarId, i128>;

struct Jumper<'a> {
    tm: &'a mut Terms,
    view: &'a InlinedView<'a>,
    words: &'a Words,
    blocks: Option<Blocks<'a>>,
    found: Vec<(CutId, Values)>,
    budget: &'a Budget,
}

impl Jumper<'_> {
    fn run(&mut self, cut: CutId, values: Values) {
        let (mut cut, mut values) = (cut, values);
        let mut visits: Map<CutId, Vec<Values>> = Map::default();
        for _ in 0..MAX_STEPS {
            if self.budget.check().is_err() {
                return;
            }
            let seen = visits.entry(cut).or_default();
            seen.push(values.clone());
            if let Some(further) = self.jump(cut, seen) {
                // What comes after the jump is another phase.
                seen.clear();
                self.found.push((cut, further.clone()));
                values = further;
            }
            let Some(next) = self.step(cut, &values) else { return };
            (cut, values) = next;
            self.found.push((cut, values.clone()));
        }
    }

    /// The state after one of the blocks that can be executed.
    fn step(&mut self, cut: CutId, values: &Values) -> Option<(CutId, Values)> {
        let encoding = &self.view.encoding;
        let blocks = self.blocks.get_or_insert_with(|| Blocks::new(self.tm, self.view));
        let mut assumptions = vec![blocks.facts(cut)];
        for constant in &encoding.states[cut] {
            let StateVar::Var(var) = constant.var else { return None };
            let Some(&value) = values.get(&var) else { continue };
            assumptions.push(if self.tm.is_int(constant.current) {
                let value = self.tm.int(value);
                self.tm.eq(constant.current, value)
            } else if value != 0 {
                constant.current
            } else {
                self.tm.not(constant.current)
            });
        }
        let leaving: Vec<CutEdgeId> =
            encoding.cuts.edges.indices().filter(|&edge| encoding.cuts.edges[edge].from == cut).collect();
        for edge in leaving {
            let to = encoding.cuts.edges[edge].to;
            if to == encoding.cuts.error {
                continue;
            }
            let solver = blocks.solver(self.tm, edge);
            if solver.check(self.tm, &assumptions, self.budget) != Answer::Sat {
                continue;
            }
            let model = solver.model()?.clone();
            let mut next = Values::default();
            for constant in &encoding.states[to] {
                let StateVar::Var(var) = constant.var else { return None };
                next.insert(var, number(&self.tm.eval(constant.next, &model).ok()?));
            }
            return Some((to, next));
        }
        None
    }

    /// The state shortly before a condition changes, if the visits of the cutpoint say how the numbers go on.
    fn jump(&self, cut: CutId, visits: &[Values]) -> Option<Values> {
        let [.., a, b, c, d] = visits else { return None };
        let mut changes = Vec::new();
        for constant in &self.view.encoding.states[cut] {
            let StateVar::Var(var) = constant.var else { return None };
            let (a, b, c, d) = (a.get(&var)?, b.get(&var)?, c.get(&var)?, d.get(&var)?);
            let growth = (d - c) - (c - b);
            if growth != (c - b) - (b - a) {
                return None;
            }
            changes.push((var, *d, d - c, growth));
        }
        let after = |rounds: i128| -> Values {
            let value = |&(var, last, step, growth): &(VarId, i128, i128, i128)| {
                (var, last + rounds * step + rounds * (rounds + 1) / 2 * growth)
            };
            changes.iter().map(value).collect()
        };
        let known: Set<TermId> =
            self.view.encoding.states[cut].iter().map(|constant| constant.current).collect();
        let conditions: Vec<TermId> = self
            .words
            .atoms
            .iter()
            .copied()
            .filter(|&atom| {
                self.tm.free_consts(atom).iter().all(|c| known.contains(c)) && self.is_linear(atom)
            })
            .collect();
        let now = self.phase(cut, &conditions, d)?;
        if [a, b, c].iter().any(|values| self.phase(cut, &conditions, values).as_ref() != Some(&now)) {
            return None;
        }
        let goes_on =
            |rounds: i128| self.phase(cut, &conditions, &after(rounds)).is_some_and(|phase| phase == now);
        let mut end = 1;
        while end < MAX_ROUNDS && goes_on(end) {
            end *= 2;
        }
        if end >= MAX_ROUNDS {
            return None;
        }
        let mut begin = end / 2;
        while begin + 1 < end {
            let middle = begin + (end - begin) / 2;
            if goes_on(middle) { begin = middle } else { end = middle }
        }
        let rounds = begin - MARGIN;
        (rounds >= MIN_ROUNDS).then(|| after(rounds))
    }

    /// Remainders change all the time.
    fn is_linear(&self, atom: TermId) -> bool {
        !self.tm.postorder(&[atom]).iter().any(|&t| matches!(self.tm.op(t), Op::Mul | Op::Div | Op::Mod))
    }

    /// Which conditions hold; `None` for numbers that are out of the ranges of their types.
    fn phase(&self, cut: CutId, conditions: &[TermId], values: &Values) -> Option<Vec<bool>> {
        let mut model = Model::new();
        for constant in &self.view.encoding.states[cut] {
            let StateVar::Var(var) = constant.var else { return None };
            let value = *values.get(&var)?;
            let is_int = self.tm.is_int(constant.current);
            if let Some(ty) = self.view.program.vars[var].ty.as_int()
                && ty.wrap(value) != value
            {
                return None;
            }
            model.set(
                constant.current,
                if is_int { Value::Int(value.into()) } else { Value::Bool(value != 0) },
            );
        }
        Some(conditions.iter().map(|&condition| self.tm.eval_bool(condition, &model) == Ok(true)).collect())
    }
}
