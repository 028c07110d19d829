//! Formulas without quantifiers, and what has to be said about those that are gone.
//!
//! A quantified formula becomes a Boolean constant. Where it occurs such that it can be needed as false (`forall`) or true
//! (`exists`), there is a witness: new constants for which the body decides. Where it can be needed as a statement about
//! everything, it is kept as one, under the literal that says that it holds.

use craig_base::{Map, OrderedMap, OrderedSet};
use craig_term::{Op, Substitution, TermId, Terms};
use std::collections::VecDeque;

/// For all values of the bound constants the body holds, if the guard does.
#[derive(Clone, Debug)]
pub(super) struct Quantifier {
    pub guard: TermId,
    pub bound: Vec<TermId>,
    pub body: TermId,
}

#[derive(Default)]
pub(super) struct Ground {
    /// Formulas without quantifiers.
    pub facts: Vec<TermId>,
    pub quantifiers: Vec<Quantifier>,
    /// The constants for quantified formulas.
    proxies: Map<TermId, TermId>,
    /// Quantified formulas of which it is said that they hold for all, and those with a witness.
    general: OrderedSet<TermId>,
    witnessed: OrderedSet<TermId>,
    waiting: VecDeque<TermId>,
}

fn is_quantifier(terms: &Terms, t: TermId) -> bool {
    matches!(terms.op(t), Op::Forall | Op::Exists)
}

/// The outermost quantified formulas below one that holds, and whether they are needed as true, as false, or both.
fn outermost(terms: &Terms, formula: TermId) -> OrderedMap<TermId, (bool, bool)> {
    let mut seen: OrderedSet<(TermId, bool)> = OrderedSet::default();
    let mut found: OrderedMap<TermId, (bool, bool)> = OrderedMap::default();
    let mut stack = vec![(formula, true)];
    while let Some((t, positive)) = stack.pop() {
        if !seen.insert((t, positive)) {
            continue;
        }
        if is_quantifier(terms, t) {
            let (needed, unwanted) = found.entry(t).or_default();
            *needed |= positive;
            *unwanted |= !positive;
            continue;
        }
        let args = terms.args(t);
        match terms.op(t) {
            Op::Not => stack.push((args[0], !positive)),
            Op::And | Op::Or => stack.extend(args.iter().map(|&arg| (arg, positive))),
            _ => stack.extend(args.iter().flat_map(|&arg| [(arg, true), (arg, false)])),
        }
    }
    found
}

impl Ground {
    /// Adds a formula; [`settle`](Self::settle) makes a fact of it.
    pub fn add(&mut self, formula: TermId) {
        self.waiting.push_back(formula);
    }

    /// Makes facts of all that was added, in order, and of what witnesses add after it.
    pub fn settle(&mut self, terms: &mut Terms) {
        while let Some(formula) = self.waiting.pop_front() {
            let mut pairs = Vec::new();
            for (t, (needed, unwanted)) in outermost(terms, formula) {
                let proxy =
                    *self.proxies.entry(t).or_insert_with(|| terms.fresh_const("quantified", Terms::BOOL));
                pairs.push((t, proxy));
                let universal = terms.op(t) == Op::Forall;
                let (for_all, for_one) = if universal { (needed, unwanted) } else { (unwanted, needed) };
                if for_all && self.general.insert(t) {
                    self.quantifiers.push(general(terms, t, proxy, universal));
                }
                if for_one && self.witnessed.insert(t) {
                    self.waiting.push_back(witness(terms, t, proxy, universal));
                }
            }
            self.facts.push(Substitution::from_pairs(pairs).apply(terms, formula));
        }
    }
}

fn parts(terms: &Terms, quantified: TermId) -> (Vec<TermId>, TermId) {
    match terms.args(quantified).split_last() {
        Some((&body, bound)) => (bound.to_vec(), body),
        None => (Vec::new(), quantified),
    }
}

/// The body at new constants, which are all the same unless they decide.
fn witness(terms: &mut Terms, quantified: TermId, proxy: TermId, universal: bool) -> TermId {
    let (bound, body) = parts(terms, quantified);
    let pairs: Vec<(TermId, TermId)> =
        bound.into_iter().map(|x| (x, terms.fresh_const("witness", terms.sort(x)))).collect();
    let body = Substitution::from_pairs(pairs).apply(terms, body);
    if universal { terms.implies(body, proxy) } else { terms.implies(proxy, body) }
}

/// What a quantified formula says of everything. Quantifiers of the same kind within it come to the front.
fn general(terms: &mut Terms, quantified: TermId, proxy: TermId, universal: bool) -> Quantifier {
    let (mut bound, body) = parts(terms, quantified);
    let (guard, mut body) = if universal { (proxy, body) } else { (terms.not(proxy), terms.not(body)) };
    loop {
        let mut pairs = Vec::new();
        for (t, (needed, unwanted)) in outermost(terms, body) {
            let for_all = terms.op(t) == Op::Forall;
            if needed == unwanted || needed != for_all {
                continue;
            }
            let (inner, inside) = parts(terms, t);
            let own: Vec<(TermId, TermId)> =
                inner.into_iter().map(|x| (x, terms.fresh_const("bound", terms.sort(x)))).collect();
            bound.extend(own.iter().map(|&(_, x)| x));
            pairs.push((t, Substitution::from_pairs(own).apply(terms, inside)));
        }
        if pairs.is_empty() {
            return Quantifier { guard, bound, body };
        }
        body = Substitution::from_pairs(pairs).apply(terms, body);
    }
}
