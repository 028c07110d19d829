//! The proof checker. It trusts the meaning of literals (which formula, which arithmetic atom) and
//! nothing else: chains are replayed, and theory leaves are recomputed from their certificates.

use super::certificate::{Certificate, DivisibilityTerm, FarkasTerm};
use super::log::Leaf;
use super::refutation::{Refutation, Resolvent, StepKind};
use crate::arith::{ArithVar, BoundKind};
use crate::native::{Lit, NativeSolver, Relation};
use craig_num::Rat;
use std::collections::BTreeMap;
use std::fmt;

/// The step that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// No step is the empty clause.
    NotARefutation,
    Resolution {
        step: usize,
    },
    Theory {
        step: usize,
    },
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::NotARefutation => f.write_str("the proof does not end with the empty clause"),
            ProofError::Resolution { step } => write!(f, "step {step} is no resolution of its antecedents"),
            ProofError::Theory { step } => write!(f, "step {step} does not follow from its certificate"),
        }
    }
}

impl std::error::Error for ProofError {}

/// Verifies a refutation. That leaves called inputs are clauses of the input is not checked here.
pub fn check(solver: &NativeSolver, refutation: &Refutation) -> Result<(), ProofError> {
    if refutation.steps.last().is_none_or(|step| !step.clause.is_empty()) {
        return Err(ProofError::NotARefutation);
    }
    let mut resolvent = Resolvent::default();
    for (index, step) in refutation.steps.iter().enumerate() {
        match &step.kind {
            StepKind::Leaf(Leaf::Input { .. }) => {}
            StepKind::Leaf(Leaf::Theory(certificate)) => {
                if !holds(solver, &step.clause, certificate) {
                    return Err(ProofError::Theory { step: index });
                }
            }
            StepKind::Chain { first, rest } => {
                let antecedents = rest.iter().map(|(place, _)| place).chain([first]);
                let ordered = antecedents.into_iter().all(|&place| place < index);
                let mut sound = ordered;
                if ordered {
                    resolvent.start(&refutation.steps[*first].clause);
                    for (place, pivot) in rest {
                        sound &= resolvent.resolve(&refutation.steps[*place].clause, *pivot);
                    }
                    let mut clause = step.clause.clone();
                    clause.sort_unstable();
                    sound &= resolvent.finish() == clause;
                }
                if !sound {
                    return Err(ProofError::Resolution { step: index });
                }
            }
        }
    }
    Ok(())
}

fn holds(solver: &NativeSolver, clause: &[Lit], certificate: &Certificate) -> bool {
    match certificate {
        Certificate::Farkas(terms) => {
            terms.iter().all(|term| clause.contains(&!term.lit)) && farkas_holds(solver, terms)
        }
        Certificate::Divisibility(terms) => {
            let known =
                |term: &DivisibilityTerm| clause.contains(&!term.lower) && clause.contains(&!term.upper);
            terms.iter().all(known) && divisibility_holds(solver, terms)
        }
        Certificate::Trichotomy => trichotomy_holds(solver, clause),
    }
}

/// A linear sum over original variables, and a constant: `sum <= constant`.
#[derive(Default)]
struct Inequality {
    sum: BTreeMap<ArithVar, Rat>,
    constant: Rat,
    strict: bool,
}

impl Inequality {
    fn add_form(&mut self, solver: &NativeSolver, form: ArithVar, factor: &Rat) {
        for (var, coefficient) in solver.simplex().terms_of(form) {
            let entry = self.sum.entry(var).or_default();
            *entry += coefficient * factor;
            if entry.is_zero() {
                self.sum.remove(&var);
            }
        }
    }
}

fn farkas_holds(solver: &NativeSolver, terms: &[FarkasTerm]) -> bool {
    let mut total = Inequality::default();
    for term in terms {
        let Some((form, bound, strict)) = solver.literal_bound(term.lit, term.upper) else { return false };
        if !term.coefficient.is_positive() {
            return false;
        }
        let factor = if term.upper { term.coefficient.clone() } else { -&term.coefficient };
        total.add_form(solver, form, &factor);
        total.constant += bound * factor;
        total.strict |= strict;
    }
    total.sum.is_empty() && (total.constant.is_negative() || total.strict && total.constant.is_zero())
}

fn divisibility_holds(solver: &NativeSolver, terms: &[DivisibilityTerm]) -> bool {
    let mut total = Inequality::default();
    for term in terms {
        let lower = solver.literal_bound(term.lower, false);
        let upper = solver.literal_bound(term.upper, true);
        let (Some((form, low, false)), Some((same, high, false))) = (lower, upper) else { return false };
        if form != same || low != high {
            return false;
        }
        total.add_form(solver, form, &term.coefficient);
        total.constant += low * &term.coefficient;
    }
    let integral = |(var, c): (&ArithVar, &Rat)| solver.simplex().is_int(*var) && c.is_integer();
    total.sum.iter().all(integral) && !total.constant.is_integer()
}

/// `form = k`, `form < k` (or `<= k - 1`), `form > k` in any order.
fn trichotomy_holds(solver: &NativeSolver, clause: &[Lit]) -> bool {
    let Some(equality) = clause.iter().find_map(|&lit| {
        let atom = solver.atoms().get(lit.var())?;
        (atom.relation == Relation::Eq && !lit.is_negated()).then_some(atom)
    }) else {
        return false;
    };
    let is_int = solver.simplex().is_int(equality.form);
    let has = |kind: BoundKind, value: crate::arith::DeltaRat| {
        clause.iter().any(|&lit| {
            solver.atoms().get(lit.var()).is_some_and(|atom| {
                atom.form == equality.form
                    && atom.bounds(lit.is_negated(), is_int).0 == Some((kind, value.clone()))
                    && atom.relation != Relation::Eq
            })
        })
    };
    has(BoundKind::Upper, equality.next_below(is_int)) && has(BoundKind::Lower, equality.next_above(is_int))
}
