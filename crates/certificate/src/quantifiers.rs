//! Quantifiers in what the checkers ask: named by witnesses, and instantiated as models ask for it.
//!
//! `for all k: φ(k)` is as true as `φ(c)` for some `c`: for one that violates it, if there is one, and for any
//! other one else. So a quantified formula is replaced by its body at a new constant, wherever it occurs, and what
//! remains to be said is that the body holds for all terms if it holds for this constant. That is said for finitely
//! many terms: those that the formulas use as indices. (For Hilbert, `c` is `ε k. ¬φ(k)`.) Everything that is added
//! follows from the formulas, so a contradiction is one of the formulas; a model is none, since other instances may
//! exclude it.
//!
//! An instance is added when a model violates it, which is what model-based instantiation does (Ge and de Moura 2009).

use craig_base::{Map, OrderedMap, OrderedSet};
use craig_term::{Model, Op, Sort, SortId, Substitution, TermId, Terms, Value};

/// How many choices of terms for one quantifier are looked at in one model.
const MOST_CHOICES: usize = 20_000;
/// How many instances of one quantifier are added after one model.
const MOST_INSTANCES: usize = 20;

/// The quantified formulas of one question.
#[derive(Default)]
pub(crate) struct Quantifiers {
    all: Vec<Quantified>,
    /// The body at constants that decide, for each quantified formula.
    removed: Map<TermId, TermId>,
}

struct Quantified {
    bound: Vec<TermId>,
    body: TermId,
    /// The body at the constants that decide; `exists` is a `forall` of the negation.
    decisive: TermId,
    universal: bool,
}

impl Quantifiers {
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Replaces quantified formulas by their bodies at constants that decide.
    pub(crate) fn remove(&mut self, terms: &mut Terms, formula: TermId) -> TermId {
        let mut formula = formula;
        loop {
            let is_quantifier = |t: TermId| matches!(terms.op(t), Op::Forall | Op::Exists);
            // What lies within a quantifier is looked at when that one is gone.
            let inside =
                terms.postorder_skipping(&[formula], |t| matches!(terms.op(t), Op::Forall | Op::Exists));
            let mut outermost: OrderedSet<TermId> = OrderedSet::default();
            outermost
                .extend(inside.iter().flat_map(|&t| terms.args(t)).copied().filter(|&t| is_quantifier(t)));
            if is_quantifier(formula) {
                outermost.insert(formula);
            }
            if outermost.is_empty() {
                return formula;
            }
            let mut pairs = Vec::new();
            for t in outermost {
                if let Some(&decisive) = self.removed.get(&t) {
                    pairs.push((t, decisive));
                    continue;
                }
                let universal = terms.op(t) == Op::Forall;
                let args = terms.args(t).to_vec();
                let Some((&body, bound)) = args.split_last() else { unreachable!("a quantifier has a body") };
                let constants: Vec<(TermId, TermId)> =
                    bound.iter().map(|&k| (k, terms.fresh_const("k", terms.sort(k)))).collect();
                let decisive = Substitution::from_pairs(constants).apply(terms, body);
                self.all.push(Quantified { bound: bound.to_vec(), body, decisive, universal });
                self.removed.insert(t, decisive);
                pairs.push((t, decisive));
            }
            formula = Substitution::from_pairs(pairs).apply(terms, formula);
        }
    }

    /// Arrays that differ do so somewhere: names for these indices, at which quantifiers are instantiated. Nothing is
    /// said where there are no quantifiers.
    pub(crate) fn differences(&self, terms: &mut Terms, formulas: &[TermId]) -> Vec<TermId> {
        let mut facts = Vec::new();
        if self.all.is_empty() {
            return facts;
        }
        for equality in terms.postorder(formulas) {
            if terms.op(equality) != Op::Eq {
                continue;
            }
            let (mut left, mut right) = (terms.arg(equality, 0), terms.arg(equality, 1));
            while let Sort::Array { index, .. } = *terms.sort_of(terms.sort(left)) {
                let index = terms.fresh_const("d", index);
                (left, right) = (terms.select(left, index), terms.select(right, index));
            }
            if left != terms.arg(equality, 0) {
                let same = terms.eq(left, right);
                facts.push(terms.implies(same, equality));
            }
        }
        facts
    }

    /// Instances that the model violates.
    pub(crate) fn violated(&mut self, terms: &mut Terms, formulas: &[TermId], model: &Model) -> Vec<TermId> {
        if self.all.is_empty() {
            return Vec::new();
        }
        let indices = indices(terms, formulas);
        let mut facts = Vec::new();
        for at in 0..self.all.len() {
            let Quantified { bound, body, decisive, universal } = &self.all[at];
            let (bound, body, decisive, universal) = (bound.clone(), *body, *decisive, *universal);
            let decisive = self.remove(terms, decisive);
            if terms.eval_bool(decisive, model) != Ok(universal) {
                continue;
            }
            let candidates: Vec<OrderedMap<Value, TermId>> =
                bound.iter().map(|&k| candidates(terms, k, body, &bound, &indices, model)).collect();
            let mut chosen: Vec<Vec<(&Value, TermId)>> = vec![Vec::new()];
            for values in &candidates {
                let mut longer = Vec::new();
                for before in &chosen {
                    let all = values.iter().map(|(value, &t)| (value, t));
                    longer.extend(all.map(|one| before.iter().copied().chain([one]).collect()));
                }
                longer.truncate(MOST_CHOICES);
                chosen = longer;
            }
            let mut own = model.clone();
            let mut added = 0;
            for choice in chosen {
                for (&k, &(value, _)) in bound.iter().zip(&choice) {
                    own.set(k, value.clone());
                }
                if terms.eval_bool(body, &own) == Ok(universal) || added == MOST_INSTANCES {
                    continue;
                }
                added += 1;
                let pairs = bound.iter().copied().zip(choice.iter().map(|&(_, t)| t));
                let instance = Substitution::from_pairs(pairs).apply(terms, body);
                let instance = self.remove(terms, instance);
                facts.push(if universal {
                    terms.implies(decisive, instance)
                } else {
                    terms.implies(instance, decisive)
                });
            }
        }
        facts
    }
}

/// The constants that a formula must not use as it does: free ones other than those that it may speak of, and bound
/// ones that are part of the state.
pub(crate) fn foreign_symbols(
    terms: &Terms,
    formula: TermId,
    free: &OrderedSet<TermId>,
    state: &OrderedSet<TermId>,
) -> Vec<TermId> {
    let mut foreign = Vec::new();
    let mut work: Vec<(TermId, Vec<TermId>)> = vec![(formula, Vec::new())];
    while let Some((root, bound)) = work.pop() {
        let mut quantified: OrderedSet<TermId> = OrderedSet::default();
        let is_quantifier = |t: TermId| matches!(terms.op(t), Op::Forall | Op::Exists);
        for t in terms.postorder_skipping(&[root], is_quantifier) {
            quantified.extend(terms.args(t).iter().copied().filter(|&arg| is_quantifier(arg)));
            if matches!(terms.op(t), Op::Const(_)) && !free.contains(&t) && !bound.contains(&t) {
                foreign.push(t);
            }
        }
        if is_quantifier(root) {
            quantified.insert(root);
        }
        for t in quantified {
            let Some((&body, own)) = terms.args(t).split_last() else { continue };
            foreign.extend(own.iter().filter(|k| state.contains(*k)));
            work.push((body, [&bound[..], own].concat()));
        }
    }
    foreign
}

/// The indices with which arrays of each sort are read and written.
fn indices(terms: &Terms, formulas: &[TermId]) -> OrderedMap<SortId, OrderedSet<TermId>> {
    let mut indices: OrderedMap<SortId, OrderedSet<TermId>> = OrderedMap::default();
    for t in terms.postorder(formulas) {
        if matches!(terms.op(t), Op::Select | Op::Store) {
            indices.entry(terms.sort(terms.arg(t, 0))).or_default().insert(terms.arg(t, 1));
        }
    }
    indices
}

/// Terms for a bound constant: those for which an index in the body becomes one that the formulas use, and those at
/// which a comparison in the body changes, one for each value in the model.
fn candidates(
    terms: &mut Terms,
    k: TermId,
    body: TermId,
    bound: &[TermId],
    indices: &OrderedMap<SortId, OrderedSet<TermId>>,
    model: &Model,
) -> OrderedMap<Value, TermId> {
    let mut found: OrderedMap<Value, TermId> = OrderedMap::default();
    let sort = terms.sort(k);
    for t in terms.postorder(&[body]) {
        if terms.op(t) != Op::Select {
            continue;
        }
        let Some(known) = indices.get(&terms.sort(terms.arg(t, 0))) else { continue };
        let pattern = terms.arg(t, 1);
        for &index in known {
            let solution = match pattern == k {
                true => Some(index),
                false => solve(terms, pattern, k, bound, index),
            };
            if let Some(solution) = solution
                && let Ok(value) = terms.eval(solution, model)
            {
                found.entry(value).or_insert(solution);
            }
        }
    }
    for bound in borders(terms, k, body, bound) {
        if let Ok(value) = terms.eval(bound, model) {
            found.entry(value).or_insert(bound);
        }
    }
    if found.is_empty() {
        for &index in indices.values().flatten() {
            if terms.sort(index) == sort
                && let Ok(value) = terms.eval(index, model)
            {
                found.entry(value).or_insert(index);
            }
        }
    }
    let default = terms.default_value(sort);
    if let Some(term) = terms.value_term(&default, sort) {
        found.entry(default).or_insert(term);
    }
    found
}

/// The values of `k` at which a comparison with a sum that has no bound constant changes, and their neighbours on
/// either side: in the array property fragment these decide.
fn borders(terms: &mut Terms, k: TermId, body: TermId, bound: &[TermId]) -> OrderedSet<TermId> {
    let mut found = OrderedSet::default();
    let atoms = terms.postorder(&[body]).into_iter().filter(|&t| {
        matches!(terms.op(t), Op::Le | Op::Lt | Op::Eq) && terms.sort(terms.arg(t, 0)) == Terms::INT
    });
    for atom in atoms.collect::<Vec<_>>() {
        let difference = terms.sub(terms.arg(atom, 0), terms.arg(atom, 1));
        let zero = terms.int(0);
        let Some(border) = solve(terms, difference, k, bound, zero) else { continue };
        for distance in [0, -1, 1] {
            let distance = terms.int(distance);
            found.insert(terms.add2(border, distance));
        }
    }
    found
}

/// The `k` for which a sum with no other bound constant is the index, or close to it if there is none.
fn solve(terms: &mut Terms, pattern: TermId, k: TermId, bound: &[TermId], index: TermId) -> Option<TermId> {
    if terms.sort(pattern) != Terms::INT {
        return None;
    }
    let mut rest = terms.linear(pattern);
    let at = rest.terms.iter().position(|(t, _)| *t == k)?;
    let (_, factor) = rest.terms.remove(at);
    let is_bound = |t: TermId| terms.free_consts(t).iter().any(|x| bound.contains(x));
    if rest.terms.iter().any(|&(t, _)| is_bound(t)) {
        return None;
    }
    let rest = terms.from_linear(rest, Terms::INT);
    let difference = terms.sub(index, rest);
    let exact = terms.exact_quotient(difference, &factor);
    let factor = terms.int(factor.to_int()?);
    Some(exact.unwrap_or_else(|| terms.div(difference, factor)))
}

#[cfg(test)]
mod tests {
    use crate::{HornRejection, check_model};
    use craig_base::{Budget, IndexVec};
    use craig_chc::{Interpretation, System, read_system};
    use craig_term::{TermId, Terms};

    /// `for (i = 0; i < n; i++) a[i] = 7;` and then every element below `n` is 7.
    const FILL: &str = "(declare-fun inv (Int Int (Array Int Int)) Bool)
        (assert (forall ((n Int) (a (Array Int Int))) (inv 0 n a)))
        (assert (forall ((i Int) (n Int) (a (Array Int Int)))
            (=> (and (inv i n a) (< i n)) (inv (+ i 1) n (store a i 7)))))
        (assert (forall ((i Int) (j Int) (n Int) (a (Array Int Int)))
            (=> (and (inv i n a) (>= i n) (<= 0 j) (< j n) (not (= (select a j) 7))) false)))";

    /// `for all k: low <= k < i + more implies a[k] = value`.
    fn model(terms: &mut Terms, system: &System, low: i64, more: i64, value: i64) -> Interpretation {
        let &[i, _, a] = &system.predicates.iter().next().expect("inv").parameters[..] else {
            unreachable!("three parameters")
        };
        let k = terms.fresh_const("k", Terms::INT);
        let (low, more, value) = (terms.int(low), terms.int(more), terms.int(value));
        let end = terms.add2(i, more);
        let element = terms.select(a, k);
        let parts: Vec<TermId> = vec![terms.le(low, k), terms.lt(k, end)];
        let inside = terms.and(&parts);
        let holds = terms.eq(element, value);
        let body = terms.implies(inside, holds);
        Interpretation::new(IndexVec::from_elem(terms.forall(&[k], body), 1))
    }

    #[test]
    fn a_model_with_quantifiers_is_accepted_and_its_mutants_are_not() {
        let mut terms = Terms::new();
        let system = read_system(&mut terms, FILL.as_bytes()).expect("clauses");
        let budget = Budget::unlimited();
        let right = model(&mut terms, &system, 0, 0, 7);
        assert_eq!(check_model(&mut terms, &system, &right, &budget), Ok(()));
        for (low, more, value) in [(0, 0, 8), (0, 1, 7), (-1, 0, 7), (1, 0, 7), (0, -1, 7)] {
            let wrong = model(&mut terms, &system, low, more, value);
            let judgement = check_model(&mut terms, &system, &wrong, &budget);
            assert!(
                matches!(judgement, Err(HornRejection::Undecided(..))),
                "{low} {more} {value}: {judgement:?}"
            );
        }
    }

    #[test]
    fn what_differs_does_so_somewhere() {
        let text = "(declare-fun p ((Array Int Int) (Array Int Int)) Bool)
            (assert (forall ((a (Array Int Int))) (p a a)))
            (assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a b) (not (= a b))) false)))";
        let mut terms = Terms::new();
        let system = read_system(&mut terms, text.as_bytes()).expect("clauses");
        let &[a, b] = &system.predicates.iter().next().expect("p").parameters[..] else {
            unreachable!("two parameters")
        };
        let k = terms.fresh_const("k", Terms::INT);
        let (x, y) = (terms.select(a, k), terms.select(b, k));
        let same = terms.eq(x, y);
        let model = Interpretation::new(IndexVec::from_elem(terms.forall(&[k], same), 1));
        assert_eq!(check_model(&mut terms, &system, &model, &Budget::unlimited()), Ok(()));
    }
}
