//! What literals mean in arithmetic.
//!
//! An arithmetic atom is a relation between a linear form, which is one variable of the simplex
//! method, and a number. Atoms are known by these three parts and not by their term, so that
//! definitions such as `t = 5` for `t = ite(c, 5, x)` stay atoms, although the term constructors
//! would turn them into Boolean structure.

use super::lit::{Lit, Var};
use crate::arith::{ArithVar, BoundKind, DeltaRat, Simplex};
use craig_base::{Index, Map};
use craig_num::Rat;
use craig_term::{LinearSum, TermId, Terms};

/// How a linear form compares with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// At most.
    Le,
    /// Less than.
    Lt,
    /// Equal to.
    Eq,
}

/// `form relation bound`; integer forms have no `Lt` and only integer bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArithAtom {
    /// The linear form.
    pub form: ArithVar,
    /// How it compares.
    pub relation: Relation,
    /// With what.
    pub bound: Rat,
}

/// A bound that follows from a literal.
pub(crate) type LiteralBound = (BoundKind, DeltaRat);

impl ArithAtom {
    /// The one or two bounds that a literal of this atom asserts; none for a disequality.
    pub(crate) fn bounds(&self, negated: bool, is_int: bool) -> (Option<LiteralBound>, Option<LiteralBound>) {
        let exact = || DeltaRat::from(self.bound.clone());
        match (self.relation, negated) {
            (Relation::Le, false) => (Some((BoundKind::Upper, exact())), None),
            (Relation::Le, true) => (Some((BoundKind::Lower, self.next_above(is_int))), None),
            (Relation::Lt, false) => (Some((BoundKind::Upper, DeltaRat::below(self.bound.clone()))), None),
            (Relation::Lt, true) => (Some((BoundKind::Lower, exact())), None),
            (Relation::Eq, false) => (Some((BoundKind::Upper, exact())), Some((BoundKind::Lower, exact()))),
            (Relation::Eq, true) => (None, None),
        }
    }

    pub(crate) fn next_above(&self, is_int: bool) -> DeltaRat {
        if is_int { DeltaRat::from(&self.bound + Rat::from(1)) } else { DeltaRat::above(self.bound.clone()) }
    }

    pub(crate) fn next_below(&self, is_int: bool) -> DeltaRat {
        if is_int { DeltaRat::from(&self.bound - Rat::from(1)) } else { DeltaRat::below(self.bound.clone()) }
    }
}

/// The arithmetic meaning of terms and literals.
#[derive(Clone, Default)]
pub struct Atoms {
    /// Per propositional variable.
    meaning: Vec<Option<ArithAtom>>,
    literals: Map<ArithAtom, Var>,
    /// Opaque arithmetic terms (constants, `ite`, ...) and their variables.
    variables: Map<TermId, ArithVar>,
    /// The same, by variable; `None` for forms.
    terms: Vec<Option<TermId>>,
}

impl Atoms {
    /// The atom of a variable, if it is one of arithmetic.
    pub fn get(&self, var: Var) -> Option<&ArithAtom> {
        self.meaning.get(var.index()).and_then(Option::as_ref)
    }

    pub(crate) fn literal(&self, atom: &ArithAtom) -> Option<Var> {
        self.literals.get(atom).copied()
    }

    pub(crate) fn insert(&mut self, var: Var, atom: ArithAtom) {
        if self.meaning.len() <= var.index() {
            self.meaning.resize(var.index() + 1, None);
        }
        self.literals.insert(atom.clone(), var);
        self.meaning[var.index()] = Some(atom);
    }

    /// The variable of an opaque term.
    pub fn variable(&self, t: TermId) -> Option<ArithVar> {
        self.variables.get(&t).copied()
    }

    pub(crate) fn insert_variable(&mut self, t: TermId, var: ArithVar) {
        self.variables.insert(t, var);
        if self.terms.len() <= var.index() {
            self.terms.resize(var.index() + 1, None);
        }
        self.terms[var.index()] = Some(t);
    }

    /// The term of an original variable.
    pub fn term(&self, var: ArithVar) -> Option<TermId> {
        self.terms.get(var.index()).copied().flatten()
    }

    /// All opaque terms with their variables, in order of creation.
    pub fn variables(&self) -> impl Iterator<Item = (TermId, ArithVar)> + '_ {
        let with_index = self.terms.iter().enumerate();
        with_index.filter_map(|(i, t)| t.map(|t| (t, ArithVar::from_usize(i))))
    }

    /// Forgets what was made later than these numbers of variables.
    pub(crate) fn truncate(&mut self, vars: usize, arith_vars: usize) {
        while self.meaning.len() > vars {
            if let Some(Some(atom)) = self.meaning.pop() {
                self.literals.remove(&atom);
            }
        }
        while self.terms.len() > arith_vars {
            if let Some(Some(t)) = self.terms.pop() {
                self.variables.remove(&t);
            }
        }
    }

    /// A form as a sum of terms, and whether all of them are integers.
    pub fn sum(&self, terms: &mut Terms, simplex: &Simplex, form: ArithVar) -> (LinearSum, bool) {
        let summands = simplex.terms_of(form);
        let integer = summands.iter().all(|&(var, _)| simplex.is_int(var));
        let mut sum = LinearSum::default();
        for (var, coefficient) in summands {
            let t = self.term(var).expect("an original variable has a term");
            let t = if integer { t } else { terms.to_real(t) };
            sum.terms.push((t, coefficient));
        }
        (sum, integer)
    }

    /// The formula of an atom.
    pub fn formula(&self, terms: &mut Terms, simplex: &Simplex, atom: &ArithAtom) -> TermId {
        let (mut sum, integer) = self.sum(terms, simplex, atom.form);
        sum.constant = -&atom.bound;
        let sort = if integer { Terms::INT } else { Terms::REAL };
        match atom.relation {
            Relation::Le => terms.linear_le(sum, false, sort),
            Relation::Lt => terms.linear_le(sum, true, sort),
            Relation::Eq => terms.linear_eq(sum, sort),
        }
    }

    pub(crate) fn of_literal(&self, lit: Lit) -> Option<(&ArithAtom, bool)> {
        self.get(lit.var()).map(|atom| (atom, lit.is_negated()))
    }
}
