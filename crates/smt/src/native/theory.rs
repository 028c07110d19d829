//! Linear arithmetic as a theory of the search: literals become bounds, conflicts and implied
//! literals become clauses with certificates.

use super::analyze::Explain;
use super::atoms::{ArithAtom, Atoms, Relation};
use super::clauses::ClauseRef;
use super::lit::{Lit, Var};
use super::sat::Sat;
use super::triangles::Differences;
use crate::arith::{
    BoundKind, Conflict, ExplanationId, FarkasTerm as ArithFarkasTerm, IntegerCheck, Mark, Propagation,
    Simplex,
};
use crate::proof::{Certificate, DivisibilityTerm, FarkasTerm, Leaf};
use craig_base::{Budget, Index, OrderedSet, StopReason};
use craig_num::{Int, Rat};

/// A clause that holds in the theory.
pub(crate) struct Lemma {
    pub lits: Vec<Lit>,
    pub certificate: Certificate,
}

/// What the theory says about a complete assignment.
pub(crate) enum FinalCheck {
    Consistent,
    Conflict(Lemma),
    /// The next decision has to be about this atom, or its negation.
    Split {
        atom: ArithAtom,
        negated: bool,
    },
    /// `form = bound` is false although the form has this value: one of the two has to hold.
    Disequality(Var),
    GiveUp,
}

#[derive(Clone, Default)]
pub(crate) struct ArithTheory {
    pub simplex: Simplex,
    pub atoms: Atoms,
    /// Per propositional variable, why it was implied.
    explanations: Vec<ExplanationId>,
    /// Equalities that were asserted to be false, in order.
    pub disequalities: Vec<Var>,
    disequality_limits: Vec<usize>,
    /// Equalities that some clause needs to be false, in order.
    pub negated_equalities: Vec<Var>,
    /// Equalities whose three cases are a clause already, in order.
    pub split: OrderedSet<Var>,
    pub differences: Differences,
}

impl ArithTheory {
    pub fn push(&mut self) {
        self.simplex.push();
        self.disequality_limits.push(self.disequalities.len());
    }

    pub fn backtrack(&mut self, level: usize) {
        if level < self.disequality_limits.len() {
            self.simplex.backtrack_to(level);
            self.disequalities.truncate(self.disequality_limits[level]);
            self.disequality_limits.truncate(level);
        }
    }

    /// Forgets what was made in a scope that was left.
    pub fn truncate(&mut self, vars: usize, mark: Mark) {
        self.simplex.release(mark);
        self.atoms.truncate(vars, mark.variables());
        self.differences.truncate(vars);
        self.negated_equalities.retain(|var| var.index() < vars);
    }

    pub fn is_equality(&self, var: Var) -> bool {
        self.atoms.get(var).is_some_and(|atom| atom.relation == Relation::Eq)
    }

    /// Makes `var` an atom of this theory.
    pub fn register(&mut self, var: Var, atom: ArithAtom) {
        let is_int = self.simplex.is_int(atom.form);
        let (positive, negative) = (Lit::new(var, false).0, Lit::new(var, true).0);
        match atom.relation {
            Relation::Eq => {
                let (below, above) = (atom.next_below(is_int), atom.next_above(is_int));
                self.simplex.register_atom(atom.form, BoundKind::Upper, below, negative);
                self.simplex.register_atom(atom.form, BoundKind::Lower, above, negative);
                if atom.bound.is_zero()
                    && let [(a, x), (b, y)] = self.simplex.terms_of(atom.form).as_slice()
                    && (x + y).is_zero()
                {
                    self.differences.insert(var, *a, *b);
                }
            }
            Relation::Le | Relation::Lt => {
                for (negated, literal) in [(false, positive), (true, negative)] {
                    if let (Some((kind, value)), _) = atom.bounds(negated, is_int) {
                        self.simplex.register_atom(atom.form, kind, value, literal);
                    }
                }
            }
        }
        self.atoms.insert(var, atom);
    }

    /// Tells the theory that an atom's literal became true.
    pub fn assert(&mut self, lit: Lit) -> Result<(), Lemma> {
        let Some((atom, negated)) = self.atoms.of_literal(lit) else { return Ok(()) };
        if atom.relation == Relation::Eq && negated {
            self.disequalities.push(lit.var());
            return Ok(());
        }
        let form = atom.form;
        let (first, second) = atom.bounds(negated, self.simplex.is_int(form));
        debug_assert!(
            !self.simplex.is_int(form) || atom.relation != Relation::Lt && atom.bound.is_integer(),
            "an integer atom that is not tight: {atom:?} over {:?}",
            self.simplex.terms_of(form)
        );
        for (kind, value) in [first, second].into_iter().flatten() {
            if let Err(conflict) = self.simplex.assert_bound(form, kind, value, lit.0) {
                return Err(conflict_lemma(&conflict));
            }
        }
        Ok(())
    }

    pub fn check(&mut self, budget: &Budget) -> Result<Result<(), Lemma>, StopReason> {
        Ok(self.simplex.check(budget)?.map_err(|conflict| conflict_lemma(&conflict)))
    }

    /// Literals that the bounds imply; some may be known.
    pub fn propagate(&mut self, out: &mut Vec<Propagation>) {
        self.simplex.take_propagations(out);
    }

    /// Remembers why a literal is assigned.
    pub fn set_explanation(&mut self, propagation: Propagation) {
        let var = Lit(propagation.literal).var().index();
        if self.explanations.len() <= var {
            self.explanations.resize(var + 1, ExplanationId(0));
        }
        self.explanations[var] = propagation.explanation;
    }

    /// The clause that implied `lit`, with `lit` in front.
    pub fn explanation(&self, lit: Lit) -> Lemma {
        let explanation = self.simplex.explain(self.explanations[lit.var().index()]);
        let mut terms: Vec<FarkasTerm> = explanation.terms.iter().map(farkas_term).collect();
        let mut lits = vec![lit];
        for term in &terms {
            if !lits.contains(&!term.lit) {
                lits.push(!term.lit);
            }
        }
        let upper = self.negation_is_upper(lit, &explanation.terms);
        terms.push(FarkasTerm { lit: !lit, upper, coefficient: explanation.coefficient });
        Lemma { lits, certificate: Certificate::Farkas(terms) }
    }

    /// Which bound the negation of an implied literal gives: for an equality that was implied to be
    /// false, the one that the terms contradict.
    fn negation_is_upper(&self, lit: Lit, terms: &[ArithFarkasTerm]) -> bool {
        let Some((atom, negated)) = self.atoms.of_literal(lit) else { return true };
        if atom.relation == Relation::Eq {
            return self.sum_pushes_up(atom, terms);
        }
        // The literal is an upper bound iff it is positive, and then its negation is a lower one.
        negated
    }

    /// Whether the terms bound the form of the atom from below.
    fn sum_pushes_up(&self, atom: &ArithAtom, terms: &[ArithFarkasTerm]) -> bool {
        let form = self.simplex.terms_of(atom.form);
        let Some((leading, coefficient)) = form.first() else { return true };
        let mut total = Rat::from(0);
        for term in terms {
            for (var, c) in self.simplex.terms_of(term.var) {
                if var == *leading {
                    let signed = &c * &term.coefficient;
                    total += if term.kind == BoundKind::Upper { signed } else { -signed };
                }
            }
        }
        // As `sum <= constant` the terms cancel the negated literal, so they have the other sign.
        total.is_negative() == coefficient.is_positive()
    }

    /// Looks for integer values, and for equalities that hold although they should not.
    pub fn final_check(&mut self, budget: &Budget) -> Result<FinalCheck, StopReason> {
        match self.simplex.check_integers(budget)? {
            IntegerCheck::Solved => {}
            IntegerCheck::Conflict(conflict) => return Ok(FinalCheck::Conflict(conflict_lemma(&conflict))),
            IntegerCheck::Split { var, floor, first } => {
                let atom = ArithAtom { form: var, relation: Relation::Le, bound: Rat::from(floor) };
                return Ok(FinalCheck::Split { atom, negated: first == BoundKind::Lower });
            }
            IntegerCheck::GiveUp => return Ok(FinalCheck::GiveUp),
        }
        for &var in &self.disequalities {
            let Some(atom) = self.atoms.get(var) else { continue };
            let value = self.simplex.value(atom.form);
            if !self.split.contains(&var) && value.delta.is_zero() && value.value == atom.bound {
                return Ok(FinalCheck::Disequality(var));
            }
        }
        Ok(FinalCheck::Consistent)
    }

    /// A concrete number for the infinitely small one, with which the model is one of the formula.
    pub fn concrete_delta(&self) -> Rat {
        let mut delta = self.simplex.concrete_delta(&[]);
        let half = Rat::new(Int::from(1), Int::from(2));
        let clashes = |delta: &Rat| {
            self.disequalities.iter().filter_map(|&var| self.atoms.get(var)).any(|atom| {
                let value = self.simplex.value(atom.form);
                !value.delta.is_zero() && value.at(delta) == atom.bound
            })
        };
        while clashes(&delta) {
            delta *= &half;
        }
        delta
    }
}

impl Explain for ArithTheory {
    fn explain(&mut self, sat: &mut Sat, lit: Lit) -> ClauseRef {
        let Lemma { lits, certificate } = self.explanation(lit);
        add_explanation(sat, &lits, certificate)
    }
}

/// Stores a lemma as a clause that is a reason or a conflict, but is not watched.
pub(crate) fn add_explanation(sat: &mut Sat, lits: &[Lit], certificate: Certificate) -> ClauseRef {
    let step = sat.proof.leaf(lits, || Leaf::Theory(certificate));
    let clause = sat.clauses.add(lits, false, 0, step);
    sat.explanations.push(clause);
    clause
}

fn farkas_term(term: &ArithFarkasTerm) -> FarkasTerm {
    FarkasTerm {
        lit: Lit(term.reason),
        upper: term.kind == BoundKind::Upper,
        coefficient: term.coefficient.clone(),
    }
}

fn conflict_lemma(conflict: &Conflict) -> Lemma {
    let mut lits: Vec<Lit> = conflict.reasons().into_iter().map(|reason| !Lit(reason)).collect();
    lits.sort_unstable();
    lits.dedup();
    let certificate = match conflict {
        Conflict::Farkas(terms) => Certificate::Farkas(terms.iter().map(farkas_term).collect()),
        Conflict::Diophantine(terms) => Certificate::Divisibility(
            terms
                .iter()
                .map(|term| DivisibilityTerm {
                    lower: Lit(term.lower),
                    upper: Lit(term.upper),
                    coefficient: term.coefficient.clone(),
                })
                .collect(),
        ),
    };
    Lemma { lits, certificate }
}
