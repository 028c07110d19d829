//! Instances of the axioms of functions, arrays and uninterpreted sorts.
//!
//! An instance is a disjunction of equalities and disequalities between terms. Where a `select` is
//! mentioned, the term constructor may already have read through a store or a constant array; that
//! the constructors respect the meaning of terms is assumed of all formulas.

use craig_term::{Op, TermId, Terms};

/// An instance of an axiom. Each kind says what its terms are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Axiom {
    /// Applications of one function: equal arguments have equal results.
    Congruence { left: TermId, right: TermId },
    /// Neighbours on the path are equal only if its ends are.
    Transitivity { path: Vec<TermId> },
    /// Two pairs of an array and an index: equal arrays have equal elements at equal indices.
    Read { left: (TermId, TermId), right: (TermId, TermId) },
    /// A store changes nothing at other indices.
    Elsewhere { store: TermId, index: TermId },
    /// Arrays are equal or differ at the witness, a constant that stands for such an index.
    Extensionality { left: TermId, right: TermId, witness: TermId },
    /// A constant for an index that differs from finitely many others, of which this is one.
    FreshIndex { index: TermId, other: TermId },
}

/// `left = right` or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disjunct {
    /// Whether it is the equality itself.
    pub positive: bool,
    /// One side.
    pub left: TermId,
    /// The other.
    pub right: TermId,
}

impl Axiom {
    /// The disjunction that holds in every model; for witnesses and fresh indices, in every model
    /// after giving the constant its meaning.
    pub fn disjuncts(&self, terms: &mut Terms) -> Vec<Disjunct> {
        let equal = |left: TermId, right: TermId| Disjunct { positive: true, left, right };
        let different = |left: TermId, right: TermId| Disjunct { positive: false, left, right };
        match *self {
            Axiom::Congruence { left, right } => {
                debug_assert!(matches!(terms.op(left), Op::App(_)) && terms.op(left) == terms.op(right));
                let args = terms.args(left).iter().zip(terms.args(right));
                let mut list: Vec<Disjunct> = args.map(|(&a, &b)| different(a, b)).collect();
                list.push(equal(left, right));
                list
            }
            Axiom::Transitivity { ref path } => {
                let mut list: Vec<Disjunct> =
                    path.windows(2).map(|pair| different(pair[0], pair[1])).collect();
                if let (Some(&first), Some(&last)) = (path.first(), path.last()) {
                    list.push(equal(first, last));
                }
                list
            }
            Axiom::Read { left, right } => {
                let (a, b) = (terms.plain_select(left.0, left.1), terms.plain_select(right.0, right.1));
                vec![different(left.0, right.0), different(left.1, right.1), equal(a, b)]
            }
            Axiom::Elsewhere { store, index } => {
                debug_assert!(terms.op(store) == Op::Store);
                let (base, written) = (terms.arg(store, 0), terms.arg(store, 1));
                let (a, b) = (terms.plain_select(store, index), terms.plain_select(base, index));
                vec![equal(written, index), equal(a, b)]
            }
            Axiom::Extensionality { left, right, witness } => {
                let (a, b) = (terms.plain_select(left, witness), terms.plain_select(right, witness));
                vec![equal(left, right), different(a, b)]
            }
            Axiom::FreshIndex { index, other } => vec![different(index, other)],
        }
    }

    /// What the axiom is called, and the terms that it is about.
    pub fn name_and_terms(&self) -> (&'static str, Vec<TermId>) {
        match *self {
            Axiom::Congruence { left, right } => ("congruence", vec![left, right]),
            Axiom::Transitivity { ref path } => ("transitivity", path.clone()),
            Axiom::Read { left, right } => ("read", vec![left.0, left.1, right.0, right.1]),
            Axiom::Elsewhere { store, index } => ("elsewhere", vec![store, index]),
            Axiom::Extensionality { left, right, witness } => ("extensionality", vec![left, right, witness]),
            Axiom::FreshIndex { index, other } => ("fresh-index", vec![index, other]),
        }
    }
}
