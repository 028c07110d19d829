//! Instances by patterns: applications and reads of a body that occur, up to what is equal in a model, among the ground
//! terms.

use super::ground::{Ground, Quantifier};
use craig_base::{Map, OrderedMap, OrderedSet};
use craig_term::{FunId, Model, Op, SortId, Substitution, TermId, Terms, Value};

/// How many instances of one formula are added after one model.
const MOST_OF_ONE: usize = 40;
/// How many choices are looked at for one formula in one model.
const MOST_CHOICES: usize = 5_000;
/// Larger patterns are not matched.
const LARGEST_PATTERN: usize = 40;
/// How many sets of patterns one formula has.
const MOST_PATTERNS: usize = 6;

/// What a pattern and a ground term have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Head {
    Function(FunId),
    Read(SortId),
}

type Bindings = OrderedMap<TermId, TermId>;

/// Instances that the model violates: the number of the formula, and terms for its bound constants.
pub(super) fn violated(terms: &mut Terms, ground: &Ground, model: &Model) -> Vec<(usize, Vec<TermId>)> {
    let mut index = Index::new(terms, &ground.facts, model);
    let mut found = Vec::new();
    for (at, quantifier) in ground.quantifiers.iter().enumerate() {
        if terms.eval_bool(quantifier.guard, model) != Ok(true) {
            continue;
        }
        let mut chosen: OrderedSet<Vec<TermId>> = OrderedSet::default();
        let mut own = 0;
        for patterns in pattern_sets(terms, quantifier) {
            for bindings in index.matches(terms, &patterns, &quantifier.bound, model) {
                let choice: Option<Vec<TermId>> =
                    quantifier.bound.iter().map(|x| bindings.get(x).copied()).collect();
                let Some(choice) = choice else { continue };
                if own == MOST_OF_ONE || !chosen.insert(choice.clone()) {
                    continue;
                }
                let pairs = quantifier.bound.iter().copied().zip(choice.iter().copied());
                let instance = Substitution::from_pairs(pairs).apply(terms, quantifier.body);
                if terms.eval_bool(instance, model) != Ok(true) {
                    own += 1;
                    found.push((at, choice));
                }
            }
        }
    }
    found
}

fn head(terms: &Terms, t: TermId) -> Option<Head> {
    match terms.op(t) {
        Op::App(function) => Some(Head::Function(function)),
        Op::Select => Some(Head::Read(terms.sort(terms.arg(t, 0)))),
        _ => None,
    }
}

/// Sets of subterms of the body that mention all bound constants together: single ones where there are any.
fn pattern_sets(terms: &Terms, quantifier: &Quantifier) -> Vec<Vec<TermId>> {
    let is_quantifier = |t: TermId| matches!(terms.op(t), Op::Forall | Op::Exists);
    let mut candidates: Vec<(TermId, Vec<TermId>)> = Vec::new();
    for t in terms.postorder_skipping(&[quantifier.body], is_quantifier) {
        if head(terms, t).is_none() || terms.dag_size(t) > LARGEST_PATTERN || is_quantifier(t) {
            continue;
        }
        let own: Vec<TermId> =
            terms.free_consts(t).into_iter().filter(|x| quantifier.bound.contains(x)).collect();
        if !own.is_empty() {
            candidates.push((t, own));
        }
    }
    let all = quantifier.bound.len();
    let mut sets: Vec<Vec<TermId>> =
        candidates.iter().filter(|(_, own)| own.len() == all).map(|&(t, _)| vec![t]).collect();
    // Those at the front are the smallest: others have them as parts.
    sets.truncate(MOST_PATTERNS);
    if !sets.is_empty() {
        return sets;
    }
    for first in 0..candidates.len().min(MOST_PATTERNS) {
        let mut known: OrderedSet<TermId> = OrderedSet::default();
        let mut set = Vec::new();
        for (t, own) in candidates[first..].iter().chain(&candidates[..first]) {
            if own.iter().any(|x| !known.contains(x)) {
                known.extend(own);
                set.push(*t);
            }
        }
        if known.len() == all && !sets.contains(&set) {
            sets.push(set);
        }
    }
    sets
}

/// The ground terms with their values.
struct Index {
    by_head: Map<Head, Vec<TermId>>,
    values: Map<TermId, Value>,
}

impl Index {
    fn new(terms: &Terms, facts: &[TermId], model: &Model) -> Index {
        let mut by_head: Map<Head, Vec<TermId>> = Map::default();
        for t in terms.postorder(facts) {
            if let Some(head) = head(terms, t) {
                by_head.entry(head).or_default().push(t);
            }
        }
        let values = terms.eval_all(facts, model).unwrap_or_default();
        Index { by_head, values }
    }

    fn value(&mut self, terms: &Terms, t: TermId, model: &Model) -> Option<Value> {
        if let Some(value) = self.values.get(&t) {
            return Some(value.clone());
        }
        let value = terms.eval(t, model).ok()?;
        self.values.insert(t, value.clone());
        Some(value)
    }

    /// All ways to match patterns with ground terms, as many as are affordable.
    fn matches(
        &mut self,
        terms: &mut Terms,
        patterns: &[TermId],
        bound: &[TermId],
        model: &Model,
    ) -> Vec<Bindings> {
        let mut partial = vec![Bindings::default()];
        for &pattern in patterns {
            let Some(head) = head(terms, pattern) else { return Vec::new() };
            let known = self.by_head.get(&head).cloned().unwrap_or_default();
            let mut longer = Vec::new();
            for bindings in &partial {
                for &t in &known {
                    self.unify(terms, vec![(pattern, t)], bindings.clone(), bound, model, &mut longer);
                    if longer.len() > MOST_CHOICES {
                        break;
                    }
                }
            }
            longer.truncate(MOST_CHOICES);
            partial = longer;
        }
        partial
    }

    /// Adds the bindings with which all pairs of patterns and ground terms are equal in the model.
    fn unify(
        &mut self,
        terms: &mut Terms,
        pairs: Vec<(TermId, TermId)>,
        bindings: Bindings,
        bound: &[TermId],
        model: &Model,
        found: &mut Vec<Bindings>,
    ) {
        let mut work = vec![(pairs, bindings)];
        while let Some((mut pairs, mut bindings)) = work.pop() {
            if found.len() > MOST_CHOICES {
                return;
            }
            let Some((pattern, t)) = pairs.pop() else {
                found.push(bindings);
                continue;
            };
            if bound.contains(&pattern) {
                match bindings.get(&pattern) {
                    Some(&other) if self.value(terms, other, model) != self.value(terms, t, model) => {
                        continue;
                    }
                    Some(_) => {}
                    None => {
                        bindings.insert(pattern, t);
                    }
                }
                work.push((pairs, bindings));
                continue;
            }
            let open: Vec<TermId> =
                terms.free_consts(pattern).into_iter().filter(|x| bound.contains(x)).collect();
            if open.is_empty() {
                if self.value(terms, pattern, model) == self.value(terms, t, model) {
                    work.push((pairs, bindings));
                }
                continue;
            }
            if terms.is_arith(pattern) && matches!(terms.op(pattern), Op::Add | Op::Scale) {
                if let Some((x, solution)) = solve(terms, pattern, t, bound, &bindings) {
                    bindings.insert(x, solution);
                    work.push((pairs, bindings));
                }
                continue;
            }
            let Some(head) = head(terms, pattern) else { continue };
            let Some(value) = self.value(terms, t, model) else { continue };
            for other in self.by_head.get(&head).cloned().unwrap_or_default() {
                if other != t && self.value(terms, other, model).as_ref() != Some(&value) {
                    continue;
                }
                let mut longer = pairs.clone();
                let args = terms.args(pattern).iter().copied().zip(terms.args(other).iter().copied());
                longer.extend(args);
                work.push((longer, bindings.clone()));
            }
        }
    }
}

/// The one bound constant of a sum that is still open, and what it has to be.
fn solve(
    terms: &mut Terms,
    pattern: TermId,
    t: TermId,
    bound: &[TermId],
    bindings: &Bindings,
) -> Option<(TermId, TermId)> {
    let pattern = Substitution::from_pairs(bindings.iter().map(|(&x, &t)| (x, t))).apply(terms, pattern);
    let sort = terms.sort(pattern);
    let mut rest = terms.linear(pattern);
    let at = rest.terms.iter().position(|(x, _)| bound.contains(x))?;
    let (x, factor) = rest.terms.remove(at);
    let open =
        |t: TermId| terms.free_consts(t).iter().any(|x| bound.contains(x) && !bindings.contains_key(x));
    if rest.terms.iter().any(|&(t, _)| open(t)) {
        return None;
    }
    let rest = terms.from_linear(rest, sort);
    let difference = terms.sub(t, rest);
    Some((x, terms.exact_quotient(difference, &factor)?))
}
