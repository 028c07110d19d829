//! Walks over terms without recursion: post-order, symbols, size, substitution.

use crate::store::{DeclareError, Op, Sort, SortId, TermId, Terms};
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
            while let Some((t, next)) = stack.last_mut() {
                let Some(&arg) = self.args(*t).get(*next) else {
                    order.push(*t);
                    stack.pop();
                    continue;
                };
                *next += 1;
                if skip(arg) || !seen.insert(arg) {
                    continue;
                }
                if self.args(arg).is_empty() {
                    order.push(arg);
                } else {
                    stack.push((arg, 0));
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

    /// Terms of another store in this one. Symbols are the same if they have the same name, so no name may have
    /// another sort here.
    pub fn import(&mut self, from: &Terms, roots: &[TermId]) -> Result<Vec<TermId>, DeclareError> {
        let mut results: Map<TermId, TermId> = Map::default();
        for t in from.postorder(roots) {
            let sort = self.import_sort(from, from.sort(t));
            let args: Vec<TermId> = from.args(t).iter().map(|arg| results[arg]).collect();
            let result = match from.op(t) {
                Op::Number(number) => self.numeral(from.numeral_of(number).clone(), sort),
                Op::Const(symbol) => self.declare_const(from.symbol_name(symbol), sort)?,
                Op::App(symbol) => {
                    let sorts: Vec<SortId> = args.iter().map(|&arg| self.sort(arg)).collect();
                    let symbol = self.declare_fun(from.symbol_name(symbol), &sorts, sort)?;
                    self.app(symbol, &args)
                }
                op => self.rebuild(op, sort, &args),
            };
            results.insert(t, result);
        }
        Ok(roots.iter().map(|root| results[root]).collect())
    }

    fn import_sort(&mut self, from: &Terms, sort: SortId) -> SortId {
        match from.sort_of(sort) {
            Sort::Bool => Terms::BOOL,
            Sort::Int => Terms::INT,
            Sort::Real => Terms::REAL,
            // As deep as the text of the sort is.
            Sort::Uninterpreted { name, arguments } => {
                let arguments: Vec<SortId> =
                    arguments.iter().map(|&sort| self.import_sort(from, sort)).collect();
                self.applied_sort(name, &arguments)
            }
            &Sort::Array { index, element } => {
                let (index, element) = (self.import_sort(from, index), self.import_sort(from, element));
                self.array_sort(index, element)
            }
        }
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
        // A term comes twice: before its arguments, and when they are done.
        let mut stack = vec![(t, false)];
        let mut new_args = Vec::new();
        while let Some((current, arguments_done)) = stack.pop() {
            if self.results.contains_key(&current) {
                continue;
            }
            if !arguments_done {
                stack.push((current, true));
                let args = terms.args(current).iter().filter(|&&arg| self.is_open(terms, arg));
                stack.extend(args.map(|&arg| (arg, false)));
                continue;
            }
            new_args.clear();
            new_args.extend(terms.args(current).iter().map(|&arg| self.result(arg)));
            let result = if new_args == terms.args(current) {
                current
            } else {
                terms.rebuild(terms.op(current), terms.sort(current), &new_args)
            };
            self.results.insert(current, result);
        }
        self.result(t)
    }

    /// Whether the result has to be computed: not what is known, and not atoms, which stay as they are.
    fn is_open(&self, terms: &Terms, t: TermId) -> bool {
        !terms.args(t).is_empty() && !self.results.contains_key(&t)
    }

    fn result(&self, t: TermId) -> TermId {
        self.results.get(&t).copied().unwrap_or(t)
    }
}
