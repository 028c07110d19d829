//! Walks over terms without recursion: post-order, symbols, size, substitution.

use crate::store::{Op, TermId, Terms};
use craig_base::{Map, Set};

impl Terms {
    /// Every distinct subterm of `roots`, arguments before the nodes that use them.
    pub fn postorder(&self, roots: &[TermId]) -> Vec<TermId> {
        self.postorder_skipping(roots, |_| false)
    }

    /// As [`postorder`](Self::postorder), without the terms for which `skip` holds and what only
    /// they contain.
    pub fn postorder_skipping(&self, roots: &[TermId], skip: impl Fn(TermId) -> bool) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut seen = Set::default();
        let mut stack: Vec<(TermId, usize)> = Vec::new();
        for &root in roots {
            if skip(root) || !seen.insert(root) {
                continue;
            }
            stack.push((root, 0));
            while let Some((t, next)) = stack.pop() {
                if let Some(&arg) = self.args(t).get(next) {
                    stack.push((t, next + 1));
                    if !skip(arg) && seen.insert(arg) {
                        stack.push((arg, 0));
                    }
                } else {
                    order.push(t);
                }
            }
        }
        order
    }

    /// The declared constants in `t`, in order of creation. Bound ones are included.
    pub fn free_consts(&self, t: TermId) -> Vec<TermId> {
        self.free_consts_of(&[t])
    }

    pub fn free_consts_of(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut consts: Vec<TermId> =
            self.postorder(roots).into_iter().filter(|&t| matches!(self.op(t), Op::Const(_))).collect();
        consts.sort_unstable();
        consts
    }

    /// The number of distinct subterms.
    pub fn dag_size(&self, t: TermId) -> usize {
        self.postorder(&[t]).len()
    }

    /// `t` with terms replaced, all at once. For several terms under one map, keep a
    /// [`Substitution`].
    pub fn substitute(&mut self, t: TermId, map: &Map<TermId, TermId>) -> TermId {
        Substitution::new(map.clone()).apply(self, t)
    }
}

/// A simultaneous replacement of terms that remembers its results.
///
/// Bound constants are assumed to occur only under their quantifier, so nothing is captured.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    results: Map<TermId, TermId>,
}

impl Substitution {
    pub fn new(map: Map<TermId, TermId>) -> Self {
        Substitution { results: map }
    }

    pub fn from_pairs(pairs: impl IntoIterator<Item = (TermId, TermId)>) -> Self {
        Substitution { results: pairs.into_iter().collect() }
    }

    /// Replaces `from` too. Nothing that contains it may have been replaced before.
    pub fn insert(&mut self, from: TermId, to: TermId) {
        self.results.insert(from, to);
    }

    pub fn apply(&mut self, terms: &mut Terms, t: TermId) -> TermId {
        let mut stack = vec![t];
        let mut new_args = Vec::new();
        while let Some(&current) = stack.last() {
            if self.results.contains_key(&current) {
                stack.pop();
                continue;
            }
            let pending = stack.len();
            stack.extend(terms.args(current).iter().filter(|arg| !self.results.contains_key(arg)));
            if stack.len() > pending {
                continue;
            }
            stack.pop();
            let args = terms.args(current);
            let result = if args.iter().all(|arg| self.results[arg] == *arg) {
                current
            } else {
                new_args.clear();
                new_args.extend(args.iter().map(|arg| self.results[arg]));
                terms.rebuild(terms.op(current), terms.sort(current), &new_args)
            };
            self.results.insert(current, result);
        }
        self.results[&t]
    }
}
