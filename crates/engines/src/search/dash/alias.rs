//! RefinePred: the weakest precondition under the aliasing that a test met.
//!
//! Behind `*p = e`, a predicate about `*q` speaks of `select(store(M, p, e), q)`. In the state of the
//! test `p` and `q` have values, so it is known whether they are the same address: α collects `p = q`
//! or `p ≠ q`, and the select becomes `e` or `*q`. The predicate for the split is
//! `WPα = ¬(α ∧ ¬WP↓α)`: without it, α holds and the step cannot be made; with it, anything goes.
//!
//! With [`super::Config::disjunctive`], `a[i]` after `a[j] = e` is left as a case analysis: α has the disjuncts
//! `i = j` and `i ≠ j`, which is to say nothing, and WP↓α speaks of both.

use super::Search;
use crate::search::yogi::forest::NodeId;
use crate::search::yogi::graph::Block;
use crate::search::yogi::partition::RegionId;
use crate::search::yogi::preimage::after;
use crate::verdict::Reason;
use crate::view::blocks::conjuncts;
use craig_base::{OrderedSet, Set};
use craig_num::Int;
use craig_term::{Model, Op, Substitution, TermId, Terms, Value};

/// Elements of an array that one select may be compared with in both ways.
const MAX_CASES: usize = 4;

/// The most cases of aliasing that a part of a predicate has.
pub(super) const MOST_CASES: &str = "most cases of aliasing in a predicate";

/// WP of a region across a block, taken apart.
pub(super) struct Precondition {
    /// The conditions of the block.
    guard: Vec<Part>,
    /// The region after it.
    after: Vec<Part>,
    /// α, of all parts.
    pub(super) aliases: Vec<TermId>,
    /// Whether inputs are left, over which it is to be quantified.
    pub(super) is_open: bool,
}

/// The predicate of a split.
pub(super) struct Predicate {
    pub formula: TermId,
    /// Conditions of the block were left out because no state of the region needs them.
    pub is_guess: bool,
}

/// A conjunct, and the part of α that it was resolved with.
#[derive(Clone)]
struct Part {
    formula: TermId,
    aliases: Vec<TermId>,
}

impl Search<'_> {
    /// The weakest precondition under the aliasing in the state of `node`, without the inputs that any
    /// state can pass.
    pub(super) fn precondition(
        &mut self,
        node: NodeId,
        code: &Block,
        target: TermId,
    ) -> Result<Precondition, Reason> {
        let yogi = &mut self.yogi;
        let region = after(yogi.tm, &yogi.query.graph.points[code.to], code, target);
        let free: Set<TermId> = code.free.iter().copied().collect();
        let mut guard = self.resolve_all(node, &code.guard, &free)?;
        let conditions = conjuncts(self.yogi.tm, region);
        let mut after = self.resolve_all(node, &conditions, &free)?;
        let tm = &mut *self.yogi.tm;
        drop_inputs(tm, &mut guard, &mut after, &free);
        let mentions = |part: &Part| tm.free_consts(part.formula).iter().any(|c| free.contains(c));
        let is_open = guard.iter().chain(&after).any(mentions);
        let aliases: OrderedSet<TermId> =
            guard.iter().chain(&after).flat_map(|part| part.aliases.iter().copied()).collect();
        Ok(Precondition { guard, after, aliases: aliases.into_iter().collect(), is_open })
    }

    /// The predicate of the split: WPα without conditions of the block that no state of the region
    /// needs.
    pub(super) fn refine_pred(
        &mut self,
        node: NodeId,
        from: RegionId,
        precondition: &Precondition,
    ) -> Result<Predicate, Reason> {
        let after: Vec<TermId> = precondition.after.iter().map(|part| self.under_aliases(part)).collect();
        let guard: Vec<TermId> = precondition.guard.iter().map(|part| self.under_aliases(part)).collect();
        let (needed, is_guess) = match self.config.weaken {
            true => self.yogi.needed((from, node), &after, &guard)?,
            false => (guard, false),
        };
        let formula = self.yogi.tm.and(&[after, needed].concat());
        Ok(Predicate { formula, is_guess })
    }

    /// The predicate that the states of an interpolant do not satisfy, as far as α goes.
    pub(super) fn not_under_aliases(
        &mut self,
        precondition: &Precondition,
        interpolant: TermId,
    ) -> Predicate {
        let tm = &mut *self.yogi.tm;
        let aliases = tm.and(&precondition.aliases);
        let both = tm.and2(interpolant, aliases);
        Predicate { formula: tm.not(both), is_guess: false }
    }

    /// WPα in full.
    pub(super) fn whole(&mut self, precondition: &Precondition) -> TermId {
        let parts = precondition.after.iter().chain(&precondition.guard);
        let parts: Vec<TermId> = parts.map(|part| self.under_aliases(part)).collect();
        self.yogi.tm.and(&parts)
    }

    fn under_aliases(&mut self, part: &Part) -> TermId {
        let tm = &mut *self.yogi.tm;
        let aliases = tm.and(&part.aliases);
        tm.implies(aliases, part.formula)
    }

    /// The parts of a conjunction, each resolved for itself: a comparison of addresses restricts only
    /// what depends on it.
    fn resolve_all(
        &mut self,
        node: NodeId,
        parts: &[TermId],
        free: &Set<TermId>,
    ) -> Result<Vec<Part>, Reason> {
        let mut resolved = Vec::new();
        for &part in parts {
            let mut aliases: OrderedSet<TermId> = OrderedSet::default();
            if !self.config.aliasing {
                let formula = self.all_cases(part)?;
                let formulas = conjuncts(self.yogi.tm, formula).into_iter();
                resolved.extend(formulas.map(|formula| Part { formula, aliases: Vec::new() }));
                continue;
            }
            let formula = self.resolve(node, part, free, &mut aliases)?;
            self.yogi.stats.max(MOST_CASES, 1);
            if formula == Terms::TRUE {
                continue;
            }
            let aliases: Vec<TermId> = aliases.into_iter().filter(|&part| part != Terms::TRUE).collect();
            let formulas = conjuncts(self.yogi.tm, formula).into_iter();
            resolved.extend(formulas.map(|formula| Part { formula, aliases: aliases.clone() }));
        }
        Ok(resolved)
    }

    /// WP in full: one case for each way in which the addresses of selects and stores can be the same or not.
    fn all_cases(&mut self, part: TermId) -> Result<TermId, Reason> {
        let mut open: Vec<(TermId, Vec<TermId>)> = vec![(part, Vec::new())];
        let mut cases = Vec::new();
        while let Some((formula, aliases)) = open.pop() {
            self.yogi.budget.check()?;
            let tm = &mut *self.yogi.tm;
            let is_open = |&term: &TermId| tm.op(term) == Op::Select && tm.op(tm.arg(term, 0)) == Op::Store;
            let Some(select) = tm.postorder(&[formula]).into_iter().find(is_open) else {
                let case = [&aliases[..], &[formula]].concat();
                cases.push(tm.and(&case));
                continue;
            };
            let (store, index) = (tm.arg(select, 0), tm.arg(select, 1));
            let (array, at, value) = (tm.arg(store, 0), tm.arg(store, 1), tm.arg(store, 2));
            let before = tm.select(array, index);
            let same = tm.eq(at, index);
            let other = tm.not(same);
            for (comparison, opposite, result) in [(same, other, value), (other, same, before)] {
                if tm.is_false(comparison) || aliases.contains(&opposite) {
                    continue;
                }
                let mut aliases = aliases.clone();
                if !tm.is_true(comparison) && !aliases.contains(&comparison) {
                    aliases.push(comparison);
                }
                open.push((Substitution::from_pairs([(select, result)]).apply(tm, formula), aliases));
            }
        }
        self.yogi.stats.max(MOST_CASES, cases.len() as u64);
        Ok(self.yogi.tm.or(&cases))
    }

    /// A formula before the block in which each select from a store is decided as in the state of the
    /// test; the comparisons go to `aliases`. Selects that depend on inputs stay.
    fn resolve(
        &mut self,
        node: NodeId,
        formula: TermId,
        free: &Set<TermId>,
        aliases: &mut OrderedSet<TermId>,
    ) -> Result<TermId, Reason> {
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
            let Some(decided) = self.decide(node, select, free, aliases)? else {
                left.insert(select);
                continue;
            };
            let tm = &mut *self.yogi.tm;
            formula = Substitution::from_pairs([(select, decided)]).apply(tm, formula);
        }
    }

    /// What a select from stores yields in the state of the test. No comparison is needed for a store
    /// that would yield the same term, and none with the store that does yield it if it comes after others
    /// that would not matter there is one with the very index.
    fn decide(
        &mut self,
        node: NodeId,
        select: TermId,
        free: &Set<TermId>,
        aliases: &mut OrderedSet<TermId>,
    ) -> Result<Option<TermId>, Reason> {
        let (mut array, index) = (self.yogi.tm.arg(select, 0), self.yogi.tm.arg(select, 1));
        let Some(address) = self.address(node, index, free)? else { return Ok(None) };
        let mut hit: Option<Hit> = None;
        let mut passed = Vec::new();
        // Stores to elements of the same array: each may be the one or not.
        let mut cases: Vec<(TermId, TermId)> = Vec::new();
        while self.yogi.tm.op(array) == Op::Store {
            let tm = &self.yogi.tm;
            let (at, value) = (tm.arg(array, 1), tm.arg(array, 2));
            array = tm.arg(array, 0);
            if self.config.disjunctive
                && hit.is_none()
                && passed.is_empty()
                && cases.len() < MAX_CASES
                && self.in_one_array(node, at, index, free)?
            {
                cases.push((at, value));
                continue;
            }
            let Some(stored) = self.address(node, at, free)? else {
                if hit.is_some() {
                    break;
                }
                return Ok(None);
            };
            match &mut hit {
                None if stored == address => hit = Some(Hit { at, value, passed: passed.len() }),
                Some(hit) if at == index && value == hit.value => {
                    *hit = Hit { at, value, passed: passed.len() };
                    break;
                }
                Some(hit) if stored == address && value != hit.value => break,
                _ => passed.push((at, value)),
            }
            if hit.as_ref().is_some_and(|hit| hit.at == index) {
                break;
            }
        }
        let tm = &mut *self.yogi.tm;
        let decided = match hit {
            Some(hit) => {
                aliases.insert(tm.eq(hit.at, index));
                passed.truncate(hit.passed);
                hit.value
            }
            None => tm.select(array, index),
        };
        for (at, value) in passed {
            if value != decided {
                let same = tm.eq(at, index);
                aliases.insert(tm.not(same));
            }
        }
        let mut decided = decided;
        for (at, value) in cases.into_iter().rev() {
            let same = tm.eq(at, index);
            decided = tm.ite(same, value, decided);
        }
        Ok(Some(decided))
    }

    /// Whether two addresses that are not variables lie in one object in the state of the test: elements
    /// of an array, whose indices the path may leave open.
    fn in_one_array(&self, node: NodeId, a: TermId, b: TermId, free: &Set<TermId>) -> Result<bool, Reason> {
        let tm = &self.yogi.tm;
        let is_element = |term: TermId| {
            tm.op(term) == Op::Add && tm.args(term).iter().any(|&part| tm.int_value(part).is_some())
        };
        if !is_element(a) || !is_element(b) {
            return Ok(false);
        }
        let (Some(a), Some(b)) = (self.address(node, a, free)?, self.address(node, b, free)?) else {
            return Ok(false);
        };
        let object = |address: Int| {
            let memory = self.yogi.forest.nodes[node].memory.as_ref()?;
            let address = u64::try_from(address.to_i128()?).ok()?;
            memory.object_at(address).map(|object| object.address)
        };
        let (a, b) = (object(a), object(b));
        Ok(a.is_some() && a == b)
    }

    /// The value of an address in the state of the test, unless it depends on inputs.
    fn address(&self, node: NodeId, term: TermId, free: &Set<TermId>) -> Result<Option<Int>, Reason> {
        let tm = &self.yogi.tm;
        if tm.free_consts(term).iter().any(|constant| free.contains(constant)) {
            return Ok(None);
        }
        let yogi = &self.yogi;
        let model = yogi.forest.model(tm, yogi.program, &yogi.procedures, node, term)?;
        Ok(match tm.eval(term, &model)? {
            Value::Int(value) => Some(value),
            _ => None,
        })
    }
}

/// The store that a select finds.
struct Hit {
    at: TermId,
    value: TermId,
    /// How many stores before it matter.
    passed: usize,
}

/// Leaves out what is said about an input alone, if some value of it satisfies all of that.
fn drop_inputs(tm: &Terms, guard: &mut Vec<Part>, after: &mut Vec<Part>, free: &Set<TermId>) {
    let formulas: Vec<TermId> = guard.iter().chain(after.iter()).map(|part| part.formula).collect();
    let satisfied = satisfied_by_inputs(tm, &formulas, free);
    guard.retain(|part| !satisfied.contains(&part.formula));
    after.retain(|part| !satisfied.contains(&part.formula));
}

/// The formulas that are about one input alone, where some value of it satisfies all of them.
fn satisfied_by_inputs(tm: &Terms, formulas: &[TermId], free: &Set<TermId>) -> Set<TermId> {
    let mut satisfied = Set::default();
    let mut inputs: OrderedSet<TermId> = OrderedSet::default();
    for &formula in formulas {
        inputs.extend(tm.free_consts(formula).into_iter().filter(|constant| free.contains(constant)));
    }
    for input in inputs {
        let about: Vec<TermId> =
            formulas.iter().copied().filter(|&part| tm.free_consts(part).contains(&input)).collect();
        let alone = about.iter().all(|&part| tm.free_consts(part).iter().all(|&constant| constant == input));
        if alone && candidates(tm, input, &about).into_iter().any(|value| satisfies(tm, input, value, &about))
        {
            satisfied.extend(about);
        }
    }
    satisfied
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
