//! Applications of functions, and equality over uninterpreted sorts.

use super::closure::{Closure, Root};
use super::is_structured;
use super::snapshot::{Key, Snapshot};
use crate::proof::{Axiom, Disjunct};
use craig_base::{Map, OrderedSet, Set};
use craig_term::{FunId, Op, Sort, TermId, Terms};

/// Applications with equal arguments and different results: those that follow from equations, and only if there are
/// none of these, others; of results that equations make the same, one.
pub(super) fn congruence(terms: &Terms, snapshot: &Snapshot, broken: &mut Vec<Axiom>) {
    let (mut closure, forced) = Closure::new(terms, snapshot);
    if !forced.is_empty() {
        broken.extend(forced);
        return;
    }
    let mut met: Set<(TermId, Root)> = Set::default();
    let mut first: Map<(FunId, Vec<Key>), (TermId, Key)> = Map::default();
    for &t in &snapshot.solver.lemmas.log {
        let Op::App(function) = terms.op(t) else { continue };
        let (Some(keys), Some(result)) = (snapshot.arg_keys(terms, t), snapshot.key(terms, t)) else {
            continue;
        };
        let (known, value) = first.entry((function, keys)).or_insert_with(|| (t, result.clone()));
        if *value != result && met.insert((*known, closure.root(terms, snapshot, t))) {
            broken.push(Axiom::Congruence { left: *known, right: t });
        }
    }
}

/// Elements of uninterpreted sorts that are different, but connected by equalities.
pub(super) fn transitivity(terms: &Terms, snapshot: &Snapshot, broken: &mut Vec<Axiom>) {
    let is_element = |t: TermId| matches!(terms.sort_of(terms.sort(t)), Sort::Uninterpreted { .. });
    let pairs: Vec<(TermId, TermId)> = snapshot
        .different
        .iter()
        .filter(|e| is_element(e.left) && snapshot.agree(terms, e.left, e.right))
        .map(|e| (e.left, e.right))
        .collect();
    broken.extend(paths(snapshot, &pairs));
}

/// Terms of constructors that are equal although these differ, or their arguments do.
pub(super) fn constructors(terms: &Terms, snapshot: &Snapshot, broken: &mut Vec<Axiom>) {
    if !terms.has_data() {
        return;
    }
    let mut made: Map<Key, (TermId, FunId, Vec<Key>)> = Map::default();
    let mut pairs = Vec::new();
    for &t in &snapshot.nodes {
        let Some(constructor) = terms.constructor_of(t) else { continue };
        let (Some(keys), Some(class)) = (snapshot.arg_keys(terms, t), snapshot.key(terms, t)) else {
            continue;
        };
        let (known, by, of) = made.entry(class).or_insert_with(|| (t, constructor, keys.clone()));
        if *by != constructor || *of != keys {
            pairs.push((*known, t));
        }
    }
    broken.extend(paths(snapshot, &pairs));
}

/// The premises of the axioms that hold only because several equalities together imply them.
pub(super) fn implied_premises(terms: &mut Terms, snapshot: &Snapshot, broken: &mut Vec<Axiom>) {
    let mut pairs: OrderedSet<(TermId, TermId)> = OrderedSet::default();
    for axiom in broken.iter() {
        if matches!(axiom, Axiom::Extensionality { .. } | Axiom::Transitivity { .. }) {
            continue;
        }
        for Disjunct { positive, left, right } in axiom.disjuncts(terms) {
            if !positive {
                add_premises(terms, left, right, &mut pairs);
            }
        }
    }
    for equality in &snapshot.equal {
        pairs.shift_remove(&(equality.left, equality.right));
    }
    let pairs: Vec<(TermId, TermId)> = pairs.into_iter().collect();
    broken.extend(paths(snapshot, &pairs));
}

/// The equations that an equation is in normal form: of terms of one constructor, those of their arguments.
fn add_premises(terms: &Terms, left: TermId, right: TermId, pairs: &mut OrderedSet<(TermId, TermId)>) {
    let mut open = vec![(left, right)];
    while let Some((left, right)) = open.pop() {
        let constructor = terms.constructor_of(left);
        if constructor.is_some() && constructor == terms.constructor_of(right) {
            open.extend(terms.args(left).iter().copied().zip(terms.args(right).iter().copied()));
        } else if left != right && is_structured(terms, terms.sort(left)) {
            pairs.insert((left.min(right), left.max(right)));
        }
    }
}

fn paths(snapshot: &Snapshot, pairs: &[(TermId, TermId)]) -> Vec<Axiom> {
    if pairs.is_empty() {
        return Vec::new();
    }
    let mut neighbours: Map<TermId, Vec<TermId>> = Map::default();
    for equality in snapshot.equal.iter().chain(&snapshot.made_alike) {
        neighbours.entry(equality.left).or_default().push(equality.right);
        neighbours.entry(equality.right).or_default().push(equality.left);
    }
    let next = |t: TermId| neighbours.get(&t).cloned().unwrap_or_default();
    let paths = pairs.iter().map(|&(a, b)| shortest_path(a, b, next));
    paths.filter(|path| path.len() > 2).map(|path| Axiom::Transitivity { path }).collect()
}

/// The nodes from `start` to `goal`, both included; empty if there is no way.
pub(super) fn shortest_path<N: Copy + Eq + std::hash::Hash>(
    start: N,
    goal: N,
    neighbours: impl Fn(N) -> Vec<N>,
) -> Vec<N> {
    let mut before: Map<N, N> = Map::default();
    before.insert(start, start);
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        if node == goal {
            let mut path = vec![goal];
            let mut current = goal;
            while current != start {
                current = before[&current];
                path.push(current);
            }
            path.reverse();
            return path;
        }
        for next in neighbours(node) {
            before.entry(next).or_insert_with(|| {
                queue.push_back(next);
                node
            });
        }
    }
    Vec::new()
}
