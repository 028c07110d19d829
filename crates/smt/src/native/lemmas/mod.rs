//! Functions, arrays and uninterpreted sorts: lemmas on demand.
//!
//! Terms of these theories are opaque to the search: an application or a `select` of a number is a
//! variable of arithmetic, one of a truth value is a propositional variable, and an equality of
//! arrays or of elements of an uninterpreted sort is a propositional variable, too. When an
//! assignment is complete and arithmetic agrees, [`snapshot`] gives every term a value; where these
//! values break an axiom, the instance of the axiom becomes a clause ([`axiom`](crate::proof::Axiom)):
//!
//! - equal arguments have equal results ([`functions`]), first where equations make them equal ([`closure`]); equality is
//!   transitive;
//! - arrays are read along the graph of equalities and stores after *Weakly equivalent arrays*
//!   (Christ, Hoenicke, 2014), [`arrays`]: two reads of one index must agree if a path between their
//!   arrays writes nothing there. Departure: the lemma of a path is not one clause but one axiom per
//!   edge, so that each of them speaks of few terms and fits into one part of an interpolation
//!   problem;
//! - different arrays differ somewhere: at a fresh constant, the *witness*. It is introduced only
//!   when the values that the arrays would get are equal;
//! - in interpolation problems, lemmas that no part can express go through terms that several parts
//!   know ([`bridges`]);
//! - two constant arrays that finitely many stores connect have one element, which is seen at a
//!   fresh index that no store on the way writes.
//!
//! Equalities between numbers in these clauses are atoms of arithmetic. That is all that the
//! theories tell each other: values that agree by accident cost a clause at most, and there are
//! finitely many pairs of terms, so the search ends. When nothing is broken, [`model`] writes the
//! values down; the model is evaluated before it is given out.

mod arrays;
mod bridges;
mod closure;
mod encode;
mod functions;
mod model;
mod snapshot;

use super::NativeSolver;
use super::search::Outcome;
use crate::proof::Axiom;
use arrays::ArrayGraph;
use bridges::Bridges;
use craig_base::{Map, Set};
use craig_term::{Sort, SortId, TermId, Terms};
use snapshot::Snapshot;

/// The terms that the theories of this module have to interpret.
#[derive(Clone, Default)]
pub(crate) struct Lemmas {
    known: Set<TermId>,
    /// The same, in order of registration: applications, `select`, everything of array or
    /// uninterpreted sort, and equalities between those.
    log: Vec<TermId>,
    pub skolems: Skolems,
    spans: Spans,
}

/// The first and the last part that mention a constant. Lemmas over constants that many parts know
/// are easier to interpolate.
#[derive(Clone, Default)]
struct Spans {
    constants: Map<TermId, (u32, u32)>,
    last_part: u32,
    /// For how many assertions this was computed.
    assertions: usize,
}

impl Spans {
    fn update(&mut self, terms: &Terms, parts: &[(u32, TermId)]) {
        if self.assertions == parts.len() {
            return;
        }
        self.assertions = parts.len();
        self.constants.clear();
        self.last_part = 0;
        for &(part, formula) in parts {
            self.last_part = self.last_part.max(part);
            for constant in terms.free_consts(formula) {
                let (first, last) = self.constants.entry(constant).or_insert((part, part));
                (*first, *last) = (part.min(*first), part.max(*last));
            }
        }
    }

    /// Whether there is something to interpolate between.
    fn several_parts(&self) -> bool {
        self.last_part > 0
    }

    /// The parts in which all constants of the term live.
    fn interval(&self, terms: &Terms, t: TermId) -> (i64, i64) {
        let known = terms.free_consts(t).into_iter().filter_map(|constant| self.constants.get(&constant));
        known
            .map(|&(first, last)| (i64::from(first), i64::from(last)))
            .fold(bridges::EVERYWHERE, bridges::intersection)
    }

    /// Over how many parts all constants of the term live; negative if there is no such part.
    fn width(&self, terms: &Terms, t: TermId) -> i64 {
        let (first, last) = self.interval(terms, t);
        last - first
    }
}

/// Constants that lemmas made up. They outlive scopes: what they stand for does not change.
#[derive(Clone, Default)]
pub(crate) struct Skolems {
    /// Where two arrays differ, if they do.
    witnesses: Map<(TermId, TermId), TermId>,
    /// An index that is none of these.
    fresh_indices: Map<Vec<TermId>, TermId>,
    all: Set<TermId>,
}

impl Lemmas {
    pub fn is_empty(&self) -> bool {
        self.log.is_empty()
    }

    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// Whether the term is new.
    pub fn register(&mut self, t: TermId) -> bool {
        let new = self.known.insert(t);
        if new {
            self.log.push(t);
        }
        new
    }

    pub fn knows(&self, t: TermId) -> bool {
        self.known.contains(&t)
    }

    /// Forgets the terms that were registered after the first `len`.
    pub fn truncate(&mut self, len: usize) {
        for t in self.log.split_off(len) {
            self.known.remove(&t);
        }
    }
}

impl Skolems {
    /// Whether only lemmas mention this constant.
    pub fn contains(&self, t: TermId) -> bool {
        self.all.contains(&t)
    }

    fn witness(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.witnesses.get(&key) {
            return known;
        }
        let sort = index_sort(terms, a);
        let witness = terms.fresh_const("diff", sort);
        self.witnesses.insert(key, witness);
        self.all.insert(witness);
        witness
    }

    /// A constant that differs from all of `indices`, which are sorted and not empty.
    fn fresh_index(&mut self, terms: &mut Terms, indices: &[TermId]) -> TermId {
        if let Some(&known) = self.fresh_indices.get(indices) {
            return known;
        }
        let sort = terms.sort(indices[0]);
        let index = terms.fresh_const("other", sort);
        self.fresh_indices.insert(indices.to_vec(), index);
        self.all.insert(index);
        index
    }
}

/// The sort of the indices of an array.
fn index_sort(terms: &Terms, array: TermId) -> SortId {
    match *terms.sort_of(terms.sort(array)) {
        Sort::Array { index, .. } => index,
        _ => unreachable!("an index of something that is no array"),
    }
}

/// Whether the sort is interpreted here, and not by arithmetic or the propositional core.
pub(crate) fn is_structured(terms: &Terms, sort: SortId) -> bool {
    matches!(terms.sort_of(sort), Sort::Array { .. } | Sort::Uninterpreted { .. })
}

impl NativeSolver {
    /// Looks at a complete assignment with which arithmetic agrees: adds the axioms that it breaks, or
    /// accepts it.
    pub(super) fn check_structures(&mut self, terms: &mut Terms) -> Option<Outcome> {
        if self.lemmas.is_empty() {
            return Some(Outcome::Sat);
        }
        let broken = self.broken_axioms(terms);
        if broken.is_empty() {
            return Some(Outcome::Sat);
        }
        // What is known of the truth of Boolean terms decides which cases of a lemma are written.
        let instances: Vec<_> = {
            let snapshot = Snapshot::new(self, terms);
            broken.into_iter().map(|axiom| encode::Instance::new(terms, &snapshot, axiom)).collect()
        };
        self.backtrack(0);
        for instance in instances {
            self.add_instance(terms, &instance);
        }
        self.split_equalities();
        None
    }

    fn broken_axioms(&mut self, terms: &mut Terms) -> Vec<Axiom> {
        let mut skolems = std::mem::take(&mut self.lemmas.skolems);
        if self.options.proofs {
            let parts: Vec<(u32, TermId)> = self.parts().collect();
            self.lemmas.spans.update(terms, &parts);
        }
        let mut broken = Vec::new();
        let snapshot = Snapshot::new(self, terms);
        functions::transitivity(terms, &snapshot, &mut broken);
        functions::constructors(terms, &snapshot, &mut broken);
        functions::congruence(terms, &snapshot, &mut broken);
        let bridges = self.lemmas.spans.several_parts().then(|| Bridges::new(terms, &snapshot));
        let graph = ArrayGraph::new(terms, &snapshot);
        graph.broken_reads(terms, &snapshot, bridges.as_ref(), &mut broken);
        graph.constants(terms, &snapshot, &mut skolems, &mut broken);
        if let Some(bridges) = &bridges {
            broken = bridges.build(terms, broken);
        }
        if broken.is_empty() {
            model::undistinguished(terms, &snapshot, &graph, &mut skolems, &mut broken);
        }
        functions::implied_premises(terms, &snapshot, &mut broken);
        self.lemmas.skolems = skolems;
        broken
    }
}
