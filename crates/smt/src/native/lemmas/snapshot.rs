//! What a complete assignment says about terms.
//!
//! Only literals that some clause needs count: an equality that is true although no clause wants it
//! to be need not be respected, as in the rest of the search.

use super::is_structured;
use crate::arith::ArithVar;
use crate::native::NativeSolver;
use crate::native::lit::Lit;
use craig_base::Map;
use craig_num::Rat;
use craig_term::{FunId, Op, TermId, Terms};

/// Terms of one sort are equal iff their keys are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key {
    Truth(bool),
    Number(Rat),
    /// Terms of an array or an uninterpreted sort that true equalities connect.
    Class(u32),
}

/// An equality between arrays or elements of an uninterpreted sort.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equality {
    pub left: TermId,
    pub right: TermId,
}

pub(super) struct Snapshot<'a> {
    pub solver: &'a NativeSolver,
    delta: Rat,
    /// Terms of array and uninterpreted sorts, in order of registration.
    pub nodes: Vec<TermId>,
    classes: Map<TermId, u32>,
    pub equal: Vec<Equality>,
    pub different: Vec<Equality>,
    /// Terms of one constructor with equal arguments: no literal says that they are equal, as the equation of
    /// them is, in normal form, that of the arguments.
    pub made_alike: Vec<Equality>,
}

impl<'a> Snapshot<'a> {
    pub fn new(solver: &'a NativeSolver, terms: &Terms) -> Self {
        let mut nodes = Vec::new();
        let (mut equal, mut different) = (Vec::new(), Vec::new());
        for &t in &solver.lemmas.log {
            if is_structured(terms, terms.sort(t)) {
                nodes.push(t);
            } else if terms.op(t) == Op::Eq
                && let Some(lit) = solver.encoding.literal(t)
            {
                let equality = Equality { left: terms.arg(t, 0), right: terms.arg(t, 1) };
                if is_relevant(solver, lit) {
                    equal.push(equality);
                } else if is_relevant(solver, !lit) {
                    different.push(equality);
                }
            }
        }
        let (classes, made_alike) = (Map::default(), Vec::new());
        let delta = solver.arith.concrete_delta();
        let mut snapshot = Snapshot { solver, delta, nodes, classes, equal, different, made_alike };
        snapshot.join();
        while terms.has_data() && snapshot.find_made_alike(terms) {
            snapshot.join();
        }
        snapshot
    }

    fn join(&mut self) {
        let places: Map<TermId, u32> = self.nodes.iter().enumerate().map(|(i, &t)| (t, i as u32)).collect();
        let mut classes = Partition::new(self.nodes.len());
        for equality in self.equal.iter().chain(&self.made_alike) {
            classes.join(places[&equality.left], places[&equality.right]);
        }
        self.classes = places.into_iter().map(|(t, place)| (t, classes.find(place))).collect();
    }

    /// Whether there are more terms of one constructor with equal arguments.
    fn find_made_alike(&mut self, terms: &Terms) -> bool {
        let before = self.made_alike.len();
        let mut first: Map<(FunId, Vec<Key>), TermId> = Map::default();
        for &t in &self.nodes {
            let Some(constructor) = terms.constructor_of(t) else { continue };
            let Some(keys) = self.arg_keys(terms, t) else { continue };
            let known = *first.entry((constructor, keys)).or_insert(t);
            if self.classes[&known] != self.classes[&t] {
                self.made_alike.push(Equality { left: known, right: t });
            }
        }
        self.made_alike.len() > before
    }

    /// The values of the arguments.
    pub fn arg_keys(&self, terms: &Terms, t: TermId) -> Option<Vec<Key>> {
        terms.args(t).iter().map(|&arg| self.key(terms, arg)).collect()
    }

    /// The value of a term; `None` if the search does not know the term.
    pub fn key(&self, terms: &Terms, t: TermId) -> Option<Key> {
        if terms.is_bool(t) {
            return self.truth(terms, t).map(Key::Truth);
        }
        if !terms.is_arith(t) {
            return self.classes.get(&t).map(|&class| Key::Class(class));
        }
        let sum = terms.linear(t);
        let mut value = sum.constant;
        for (summand, coefficient) in sum.terms {
            let var = self.variable(terms, summand)?;
            value += self.solver.arith.simplex.value(var).at(&self.delta) * coefficient;
        }
        Some(Key::Number(value))
    }

    /// The variable of a summand.
    pub fn variable(&self, terms: &Terms, summand: TermId) -> Option<ArithVar> {
        let opaque = if terms.op(summand) == Op::ToReal { terms.arg(summand, 0) } else { summand };
        self.solver.arith.atoms.variable(opaque)
    }

    /// The truth of a formula, where some clause needs it.
    pub fn truth(&self, terms: &Terms, t: TermId) -> Option<bool> {
        match t {
            Terms::TRUE => return Some(true),
            Terms::FALSE => return Some(false),
            _ => {}
        }
        let (inner, negated) = terms.strip_not(t);
        let lit = self.solver.encoding.literal(inner)?;
        let lit = if negated { !lit } else { lit };
        if is_relevant(self.solver, lit) {
            Some(true)
        } else if is_relevant(self.solver, !lit) {
            Some(false)
        } else {
            None
        }
    }

    /// Whether a literal is true, and some clause needs it.
    pub fn is_relevant(&self, lit: Lit) -> bool {
        is_relevant(self.solver, lit)
    }

    /// Whether both terms are known and equal.
    pub fn agree(&self, terms: &Terms, a: TermId, b: TermId) -> bool {
        a == b || self.key(terms, a).is_some_and(|key| Some(key) == self.key(terms, b))
    }
}

fn is_relevant(solver: &NativeSolver, lit: Lit) -> bool {
    use craig_base::Index;
    solver.sat.is_true(lit) && solver.needed[lit.index()]
}

/// Disjoint sets of small numbers.
pub(super) struct Partition {
    parents: Vec<u32>,
}

impl Partition {
    pub fn new(len: usize) -> Self {
        Partition { parents: (0..len as u32).collect() }
    }

    pub fn find(&mut self, mut place: u32) -> u32 {
        while self.parents[place as usize] != place {
            let above = self.parents[self.parents[place as usize] as usize];
            self.parents[place as usize] = above;
            place = above;
        }
        place
    }

    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller number leads, so that the result does not depend on the order of the joins.
        self.parents[a.max(b) as usize] = a.min(b);
    }
}
