//! RefinePred: the weakest precondition under the aliasing that a test met.
//!
//! Behind `*p = e`, a predicate about `*q` speaks of `select(store(M, p, e), q)`. In the state of the
//! test `p` and `q` have values, so it is known whether they are the same address: α collects `p = q`
//! or `p ≠ q`, and the select becomes `e` or `*q`. The predicate for the split is
//! `WPα = ¬(α ∧ ¬WP↓α)`: without it, α holds and the step cannot be made; with it, anything goes.

use super::Search;
use crate::yogi::forest::NodeId;
use crate::yogi::graph::{BlockId, conjuncts};
use crate::yogi::preimage::behind;
use crate::yogi::search::Stop;
use craig_base::{OrderedSet, Set};
use craig_num::Int;
use craig_term::{Model, Op, Substitution, TermId, Terms, Value};

/// WP of a region across a block, taken apart.
pub(super) struct Precondition {
    /// The conditions of the block.
    guard: Vec<TermId>,
    /// The region behind it.
    behind: Vec<TermId>,
    /// α.
    pub(super) aliases: Vec<TermId>,
    /// Whether inputs are left, over which it is to be quantified.
    pub(super) is_open: bool,
}

impl Search<'_> {
    /// The weakest precondition under the aliasing in the state of `node`, without the inputs that any
    /// state can pass.
    pub(super) fn precondition(
        &mut self,
        node: NodeId,
        block: BlockId,
        target: TermId,
    ) -> Result<Precondition, Stop> {
        let yogi = &mut self.yogi;
        let code = &yogi.graph.blocks[block];
        let region = behind(yogi.tm, &yogi.graph.points[code.to], code, target);
        let free: Set<TermId> = code.free.iter().copied().collect();
        let mut aliases: OrderedSet<TermId> = OrderedSet::default();
        let guard = code.guard.clone();
        let mut guard_parts = Vec::new();
        for part in guard {
            guard_parts.push(self.resolve(node, part, &free, &mut aliases)?);
        }
        let region = self.resolve(node, region, &free, &mut aliases)?;
        let tm = &mut *self.yogi.tm;
        let mut guard: Vec<TermId> = guard_parts.iter().flat_map(|&part| conjuncts(tm, part)).collect();
        let mut behind = conjuncts(tm, region);
        drop_inputs(tm, &mut guard, &mut behind, &free);
        let mentions = |tm: &Terms, part: TermId| tm.free_consts(part).iter().any(|c| free.contains(c));
        let is_open = guard.iter().chain(&behind).any(|&part| mentions(tm, part));
        let aliases: Vec<TermId> = aliases.into_iter().filter(|&part| part != Terms::TRUE).collect();
        Ok(Precondition { guard, behind, aliases, is_open })
    }

    /// The predicate of the split: WPα, weakened where the state of the test allows it.
    pub(super) fn refine_pred(&mut self, node: NodeId, precondition: &Precondition) -> Result<TermId, Stop> {
        let behind = self.yogi.tm.and(&precondition.behind);
        let mut parts = vec![behind];
        if self.yogi.holds(node, behind)? {
            for &part in &precondition.guard {
                if !self.yogi.holds(node, part)? {
                    parts.push(part);
                }
            }
        }
        let tm = &mut *self.yogi.tm;
        let wp = tm.and(&parts);
        let aliases = tm.and(&precondition.aliases);
        let without = tm.not(wp);
        let both = tm.and2(aliases, without);
        Ok(tm.not(both))
    }

    /// A formula before the block in which each select from a store is decided as in the state of the
    /// test; the comparisons go to `aliases`. Selects that depend on inputs stay.
    fn resolve(
        &mut self,
        node: NodeId,
        formula: TermId,
        free: &Set<TermId>,
        aliases: &mut OrderedSet<TermId>,
    ) -> Result<TermId, Stop> {
        let mut formula = formula;
        let mut left: Set<TermId> = Set::default();
        loop {
            let is_open = |term: TermId| {
                let tm = &self.yogi.tm;
                tm.op(term) == Op::Select && tm.op(tm.arg(term, 0)) == Op::Store && !left.contains(&term)
            };
            // The innermost first: the others may depend on it.
            let Some(select) = self.yogi.tm.postorder(&[formula]).into_iter().find(|&term| is_open(term))
            else {
                return Ok(formula);
            };
            let (store, index) = (self.yogi.tm.arg(select, 0), self.yogi.tm.arg(select, 1));
            let (inner, at, value) =
                (self.yogi.tm.arg(store, 0), self.yogi.tm.arg(store, 1), self.yogi.tm.arg(store, 2));
            let (Some(a), Some(b)) = (self.address(node, at, free)?, self.address(node, index, free)?) else {
                left.insert(select);
                continue;
            };
            let tm = &mut *self.yogi.tm;
            let same = tm.eq(at, index);
            let decided = if a == b {
                aliases.insert(same);
                value
            } else {
                aliases.insert(tm.not(same));
                tm.select(inner, index)
            };
            formula = Substitution::from_pairs([(select, decided)]).apply(tm, formula);
        }
    }

    /// The value of an address in the state of the test, unless it depends on inputs.
    fn address(&self, node: NodeId, term: TermId, free: &Set<TermId>) -> Result<Option<Int>, Stop> {
        let tm = &self.yogi.tm;
        if tm.free_consts(term).iter().any(|constant| free.contains(constant)) {
            return Ok(None);
        }
        let yogi = &self.yogi;
        let model = yogi.forest.model(tm, yogi.program(), &yogi.graph, node, term)?;
        Ok(match tm.eval(term, &model)? {
            Value::Int(value) => Some(value),
            _ => None,
        })
    }
}

/// Leaves out what is said about an input alone, if some value of it satisfies all of that.
fn drop_inputs(tm: &Terms, guard: &mut Vec<TermId>, behind: &mut Vec<TermId>, free: &Set<TermId>) {
    let mut inputs: OrderedSet<TermId> = OrderedSet::default();
    for &part in guard.iter().chain(behind.iter()) {
        inputs.extend(tm.free_consts(part).into_iter().filter(|constant| free.contains(constant)));
    }
    for input in inputs {
        let about: Vec<TermId> = guard
            .iter()
            .chain(behind.iter())
            .copied()
            .filter(|&part| tm.free_consts(part).contains(&input))
            .collect();
        let alone = about.iter().all(|&part| tm.free_consts(part).iter().all(|&constant| constant == input));
        if alone && candidates(tm, input, &about).into_iter().any(|value| satisfies(tm, input, value, &about))
        {
            guard.retain(|part| !about.contains(part));
            behind.retain(|part| !about.contains(part));
        }
    }
}

/// Values near which the truth of the formulas can change.
fn candidates(tm: &Terms, input: TermId, about: &[TermId]) -> Vec<Value> {
    if tm.is_bool(input) {
        return vec![Value::Bool(false), Value::Bool(true)];
    }
    let mut numbers: OrderedSet<Int> = [0, 1].into_iter().map(Int::from).collect();
    for term in tm.postorder(about) {
        if let Some(number) = tm.int_value(term) {
            for near in [-1, 0, 1] {
                numbers.insert(number.clone() + Int::from(near));
                numbers.insert(-number.clone() + Int::from(near));
            }
        }
    }
    numbers.into_iter().map(Value::Int).collect()
}

fn satisfies(tm: &Terms, input: TermId, value: Value, about: &[TermId]) -> bool {
    let mut model = Model::new();
    model.set(input, value);
    about.iter().all(|&part| tm.eval_bool(part, &model) == Ok(true))
}
