//! Axioms as clauses.

use super::is_structured;
use super::snapshot::Snapshot;
use crate::native::NativeSolver;
use crate::native::lit::Lit;
use crate::proof::{Axiom, Certificate, Disjunct, Leaf};
use craig_term::Terms;

/// An axiom with what is to be written of it.
pub(super) struct Instance {
    axiom: Axiom,
    /// Where truth values are compared, the truth of the left one, if the other is known, too: only
    /// that case is written.
    disjuncts: Vec<(Disjunct, Option<bool>)>,
}

/// A disjunct as literals.
enum Literals {
    True,
    False,
    /// Each of them belongs in a clause of its own.
    Cases(Vec<Vec<Lit>>),
}

impl Instance {
    pub fn new(terms: &mut Terms, snapshot: &Snapshot, axiom: Axiom) -> Self {
        let disjuncts = axiom.disjuncts(terms);
        let with_cases = disjuncts.into_iter().map(|disjunct| {
            let case = if terms.is_bool(disjunct.left) {
                let (left, right) =
                    (snapshot.truth(terms, disjunct.left), snapshot.truth(terms, disjunct.right));
                // The lemma has to exclude this assignment.
                left.zip(right).filter(|(l, r)| (l == r) != disjunct.positive).map(|(left, _)| left)
            } else {
                None
            };
            (disjunct, case)
        });
        Instance { disjuncts: with_cases.collect(), axiom }
    }
}

impl NativeSolver {
    /// Adds an axiom on level 0.
    pub(super) fn add_instance(&mut self, terms: &mut Terms, instance: &Instance) {
        let mut clauses: Vec<Vec<Lit>> = vec![Vec::new()];
        // That arrays are different, or elements of an uninterpreted sort, is no reason to use the
        // axiom, and need not be respected for its sake: it holds anyway.
        let mut premises: Vec<Lit> = Vec::new();
        for &(disjunct, case) in &instance.disjuncts {
            let literals = self.disjunct(terms, disjunct, case);
            if let Literals::Cases(cases) = &literals
                && !disjunct.positive
                && is_structured(terms, terms.sort(disjunct.left))
                && !matches!(instance.axiom, Axiom::Extensionality { .. })
            {
                premises.extend(cases.iter().flatten());
            }
            match literals {
                Literals::True => return,
                Literals::False => {}
                Literals::Cases(cases) => {
                    clauses = clauses
                        .iter()
                        .flat_map(|clause| cases.iter().map(move |more| [&clause[..], &more[..]].concat()))
                        .collect();
                }
            }
        }
        for clause in clauses {
            for &lit in clause.iter().filter(|lit| !premises.contains(lit)) {
                self.needs(lit);
            }
            let axiom = || Leaf::Theory(Certificate::Axiom(instance.axiom.clone()));
            self.sat.add_clause(&clause, axiom);
        }
    }

    fn disjunct(&mut self, terms: &mut Terms, disjunct: Disjunct, case: Option<bool>) -> Literals {
        let Disjunct { positive, left, right } = disjunct;
        if left == right {
            return if positive { Literals::True } else { Literals::False };
        }
        if terms.is_bool(left) {
            return self.truth_disjunct(terms, disjunct, case);
        }
        let equality = if terms.is_arith(left) {
            match self.number_equality(terms, left, right) {
                Ok(lit) => lit,
                Err(holds) => return if holds == positive { Literals::True } else { Literals::False },
            }
        } else {
            let equality = terms.eq(left, right);
            self.opaque_literal(terms, equality)
        };
        Literals::Cases(vec![vec![if positive { equality } else { !equality }]])
    }

    fn truth_disjunct(&mut self, terms: &mut Terms, disjunct: Disjunct, case: Option<bool>) -> Literals {
        let mut cases = Vec::new();
        for left_holds in [true, false] {
            if case.is_some_and(|case| case != left_holds) {
                continue;
            }
            // Excludes that the left one has this truth and the right one the same (or another).
            let right_holds = left_holds != disjunct.positive;
            let mut clause = Vec::new();
            let mut holds = false;
            for (t, truth) in [(disjunct.left, left_holds), (disjunct.right, right_holds)] {
                match t {
                    Terms::TRUE => holds |= !truth,
                    Terms::FALSE => holds |= truth,
                    _ => {
                        let lit = self.opaque_literal(terms, t);
                        clause.push(if truth { !lit } else { lit });
                    }
                }
            }
            if !holds {
                cases.push(clause);
            }
        }
        if cases.is_empty() { Literals::True } else { Literals::Cases(cases) }
    }
}
