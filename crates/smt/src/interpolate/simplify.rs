//! Smaller formulas without a solver: half-spaces over the same sum are merged, a conjunct (or
//! disjunct) that others decide is dropped, and large formulas are rewritten
//! ([`rewrite`]).

use super::rewrite::rewrite;
use craig_base::{Map, OrderedMap, Set};
use craig_num::Rat;
use craig_term::{Op, TermId, Terms};

/// An equivalent formula, usually smaller.
pub fn simplify(terms: &mut Terms, formula: TermId) -> TermId {
    Simplifier::default().simplify(terms, formula)
}

/// Simplifies formulas that have much in common.
#[derive(Default)]
pub(super) struct Simplifier {
    results: Map<TermId, TermId>,
}

impl Simplifier {
    pub fn simplify(&mut self, terms: &mut Terms, formula: TermId) -> TermId {
        let results = &mut self.results;
        for t in structure_but(terms, formula, |t| results.contains_key(&t)) {
            let op = terms.op(t);
            let args: Vec<TermId> = match op {
                Op::And | Op::Or | Op::Not => terms.args(t).iter().map(|arg| results[arg]).collect(),
                // Atoms are normal already.
                _ => {
                    results.insert(t, t);
                    continue;
                }
            };
            let result = match op {
                Op::Not => terms.not(args[0]),
                _ => junction(terms, op, &args),
            };
            results.insert(t, result);
        }
        rewrite(terms, results[&formula])
    }
}

pub(super) fn is_connective(terms: &Terms, t: TermId) -> bool {
    matches!(terms.op(t), Op::And | Op::Or | Op::Not)
}

/// What a conjunction (or disjunction) joins; the formula itself if it is none.
pub(super) fn arguments(terms: &Terms, op: Op, t: TermId) -> Vec<TermId> {
    if terms.op(t) == op { terms.args(t).to_vec() } else { vec![t] }
}

/// The nodes of the Boolean structure, operands first.
pub(super) fn structure(terms: &Terms, formula: TermId) -> Vec<TermId> {
    structure_but(terms, formula, |_| false)
}

/// As [`structure`], but nothing from a known node on.
fn structure_but(terms: &Terms, formula: TermId, known: impl Fn(TermId) -> bool) -> Vec<TermId> {
    let mut order = Vec::new();
    let mut seen: Set<TermId> = Set::default();
    let mut stack = vec![(formula, false)];
    while let Some((t, done)) = stack.pop() {
        if done {
            order.push(t);
        } else if !known(t) && seen.insert(t) {
            stack.push((t, true));
            if is_connective(terms, t) {
                stack.extend(terms.args(t).iter().map(|&arg| (arg, false)));
            }
        }
    }
    order
}

/// The negation with `and` and `or` on top of literals, so that both can be simplified.
pub(super) fn negation(terms: &mut Terms, formula: TermId) -> TermId {
    let mut results: Map<TermId, TermId> = Map::default();
    let mut stack = vec![formula];
    while let Some(&t) = stack.last() {
        let junction = matches!(terms.op(t), Op::And | Op::Or);
        let open: Vec<TermId> = match junction {
            true => terms.args(t).iter().copied().filter(|arg| !results.contains_key(arg)).collect(),
            false => Vec::new(),
        };
        if !open.is_empty() {
            stack.extend(open);
            continue;
        }
        stack.pop();
        let result = if junction {
            let args: Vec<TermId> = terms.args(t).iter().map(|arg| results[arg]).collect();
            if terms.op(t) == Op::And { terms.or(&args) } else { terms.and(&args) }
        } else {
            terms.not(t)
        };
        results.insert(t, result);
    }
    results[&formula]
}

fn junction(terms: &mut Terms, op: Op, args: &[TermId]) -> TermId {
    let joined = if op == Op::And { terms.and(args) } else { terms.or(args) };
    if terms.op(joined) != op {
        return joined;
    }
    let args = terms.args(joined).to_vec();
    let merged = merge_bounds(terms, op, &args);
    let absorbed = absorb(terms, op, &merged);
    if op == Op::And { terms.and(&absorbed) } else { terms.or(&absorbed) }
}

/// The bounds on one sum: the tightest for a conjunction, the loosest for a disjunction.
#[derive(Default)]
struct Bounds {
    /// `sum <= value`, or `sum < value` if strict.
    upper: Option<(Rat, bool)>,
    /// `sum >= value`, or `sum > value` if strict.
    lower: Option<(Rat, bool)>,
}

fn merge_bounds(terms: &mut Terms, op: Op, args: &[TermId]) -> Vec<TermId> {
    let mut bounds: OrderedMap<TermId, Bounds> = OrderedMap::default();
    let mut others = Vec::new();
    let conjunction = op == Op::And;
    for &arg in args {
        let (atom, negated) = terms.strip_not(arg);
        let strict_atom = match terms.op(atom) {
            Op::Le => false,
            Op::Lt => true,
            _ => {
                others.push(arg);
                continue;
            }
        };
        let sum = terms.arg(atom, 0);
        let value = terms.number(terms.arg(atom, 1)).cloned().unwrap_or_default();
        let strict = strict_atom != negated;
        let entry = bounds.entry(sum).or_default();
        let slot = if negated { &mut entry.lower } else { &mut entry.upper };
        let replace = match slot {
            None => true,
            Some((known, known_strict)) => {
                // Is the new one tighter?
                let tighter = if negated { value > *known } else { value < *known }
                    || value == *known && strict && !*known_strict;
                tighter == conjunction
            }
        };
        if replace {
            *slot = Some((value, strict));
        }
    }
    for (sum, found) in bounds {
        let sort = terms.sort(sum);
        if let (Some((low, low_strict)), Some((high, high_strict))) = (&found.lower, &found.upper) {
            // Over the integers a strict lower bound is one above.
            let integer = sort == Terms::INT;
            let least = if integer && *low_strict { low + Rat::from(1) } else { low.clone() };
            let open = !integer && (*low_strict || *high_strict);
            if conjunction && (least > *high || least == *high && open) {
                return vec![Terms::FALSE];
            }
            if conjunction && least == *high {
                let number = if integer { terms.int(high.numer()) } else { terms.real(high.clone()) };
                others.push(terms.eq(sum, number));
                continue;
            }
            let gap = if integer {
                least > high + Rat::from(1)
            } else {
                low > high || low == high && *low_strict && *high_strict
            };
            if !conjunction && !gap {
                return vec![Terms::TRUE];
            }
        }
        for (bound, is_upper) in [(found.lower, false), (found.upper, true)] {
            if let Some((value, strict)) = bound {
                let number = if sort == Terms::INT { terms.int(value.numer()) } else { terms.real(value) };
                let (left, right) = if is_upper { (sum, number) } else { (number, sum) };
                others.push(if strict { terms.lt(left, right) } else { terms.le(left, right) });
            }
        }
    }
    others
}

/// `a ∧ (a ∨ b)` is `a`, `a ∧ c ∧ ((a ∧ c) ∨ b)` is `a ∧ c`, and `a ∧ (¬a ∨ b)` is `a ∧ b`; likewise for
/// disjunctions. What is dropped follows from parts of it, so nothing is dropped for the sake of itself.
fn absorb(terms: &mut Terms, op: Op, args: &[TermId]) -> Vec<TermId> {
    let dual = if op == Op::And { Op::Or } else { Op::And };
    let present: Set<TermId> = args.iter().copied().collect();
    let mut result = Vec::with_capacity(args.len());
    for &arg in args {
        if terms.op(arg) != dual {
            result.push(arg);
            continue;
        }
        let inner = terms.args(arg).to_vec();
        let holds = |&t: &TermId| {
            present.contains(&t) || terms.op(t) == op && terms.args(t).iter().all(|t| present.contains(t))
        };
        if inner.iter().any(holds) {
            continue;
        }
        let mut kept = Vec::with_capacity(inner.len());
        for t in inner {
            let negation = terms.not(t);
            if !present.contains(&negation) {
                kept.push(t);
            }
        }
        result.push(if dual == Op::Or { terms.or(&kept) } else { terms.and(&kept) });
    }
    result
}
