//! The proof checker. It trusts the meaning of literals (which formula, which arithmetic atom) and
//! nothing else: chains are replayed, and theory leaves are recomputed from their certificates.
//!
//! Constants that stand for a witness or a fresh index must be new: no input mentions them, each
//! stands for one thing, and what they stand for was there before them.

use super::axiom::{Axiom, Disjunct};
use super::certificate::{Certificate, DivisibilityTerm, FarkasTerm};
use super::inputs::Inputs;
use super::log::Leaf;
use super::refutation::{Refutation, Resolvent, StepKind};
use crate::arith::{ArithVar, BoundKind};
use crate::native::{Lit, NativeSolver, Relation};
use craig_base::{Map, Set};
use craig_num::Rat;
use craig_term::{Op, Sort, TermId, Terms};
use std::collections::BTreeMap;
use std::fmt;

/// The step that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// No step is the empty clause.
    NotARefutation,
    /// A resolution step does not give its clause.
    Resolution {
        /// Its number.
        step: usize,
    },
    /// A clause is no clause of the formulas.
    Input {
        /// Its number.
        step: usize,
    },
    /// A clause of a theory is not shown by its certificate.
    Theory {
        /// Its number.
        step: usize,
    },
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::NotARefutation => f.write_str("the proof does not end with the empty clause"),
            ProofError::Resolution { step } => write!(f, "step {step} is no resolution of its antecedents"),
            ProofError::Input { step } => write!(f, "step {step} does not follow from the formulas"),
            ProofError::Theory { step } => write!(f, "step {step} does not follow from its certificate"),
        }
    }
}

impl std::error::Error for ProofError {}

/// Verifies a refutation of the formulas: as [`check`], and that leaves called inputs follow from them. The solver must
/// have been given these formulas as they are, without preprocessing, levels and assumptions.
pub fn check_against(
    terms: &mut Terms,
    solver: &NativeSolver,
    formulas: &[TermId],
    refutation: &Refutation,
) -> Result<(), ProofError> {
    check(terms, solver, refutation)?;
    let mut inputs = Inputs::new(terms, solver, formulas);
    for (index, step) in refutation.steps.iter().enumerate() {
        if matches!(step.kind, StepKind::Leaf(Leaf::Input { .. }))
            && inputs.origin(terms, &step.clause).is_none()
        {
            return Err(ProofError::Input { step: index });
        }
    }
    Ok(())
}

/// Verifies a refutation. That leaves called inputs are clauses of the input is not checked here.
pub fn check(terms: &mut Terms, solver: &NativeSolver, refutation: &Refutation) -> Result<(), ProofError> {
    if refutation.steps.last().is_none_or(|step| !step.clause.is_empty()) {
        return Err(ProofError::NotARefutation);
    }
    let mut resolvent = Resolvent::default();
    let mut skolems = Skolems::default();
    for (index, step) in refutation.steps.iter().enumerate() {
        match &step.kind {
            StepKind::Leaf(Leaf::Input { .. }) => {}
            StepKind::Leaf(Leaf::Theory(certificate)) => {
                if !holds(terms, solver, &step.clause, certificate, &mut skolems) {
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

fn holds(
    terms: &mut Terms,
    solver: &NativeSolver,
    clause: &[Lit],
    certificate: &Certificate,
    skolems: &mut Skolems,
) -> bool {
    match certificate {
        Certificate::Axiom(axiom) => {
            skolems.admit(terms, solver, axiom) && axiom_holds(terms, solver, clause, axiom)
        }
        Certificate::Farkas(list) => {
            list.iter().all(|term| clause.contains(&!term.lit)) && farkas_holds(solver, list)
        }
        Certificate::Divisibility(list) => {
            let known =
                |term: &DivisibilityTerm| clause.contains(&!term.lower) && clause.contains(&!term.upper);
            list.iter().all(known) && divisibility_holds(solver, list)
        }
        Certificate::Trichotomy => trichotomy_holds(solver, clause),
    }
}

/// A linear sum over original variables, and a constant: `sum <= constant`.
#[derive(Default)]
pub(super) struct Inequality {
    pub sum: BTreeMap<ArithVar, Rat>,
    pub constant: Rat,
    pub strict: bool,
}

impl Inequality {
    pub fn add_form(&mut self, solver: &NativeSolver, form: ArithVar, factor: &Rat) {
        for (var, coefficient) in solver.simplex().terms_of(form) {
            let entry = self.sum.entry(var).or_default();
            *entry += coefficient * factor;
            if entry.is_zero() {
                self.sum.remove(&var);
            }
        }
    }
}

impl Inequality {
    /// Whether both, as equalities, say the same.
    pub fn is_multiple_of(&self, other: &Inequality) -> bool {
        let Some((var, coefficient)) = self.sum.iter().next() else { return false };
        let Some(factor) = other.sum.get(var).map(|c| coefficient / c) else { return false };
        self.sum.len() == other.sum.len()
            && self.constant == &other.constant * &factor
            && self.sum.iter().all(|(var, c)| other.sum.get(var).is_some_and(|o| *c == o * &factor))
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

/// What the constants of witnesses and fresh indices stand for.
#[derive(Default)]
struct Skolems {
    meaning: Map<TermId, Meaning>,
    inputs: Option<Set<TermId>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Difference(TermId, TermId),
    Fresh,
}

impl Skolems {
    /// Whether the constant that the axiom introduces, if any, is new and used consistently.
    fn admit(&mut self, terms: &Terms, solver: &NativeSolver, axiom: &Axiom) -> bool {
        let (constant, meaning, older) = match *axiom {
            Axiom::Extensionality { left, right, witness } => {
                (witness, Meaning::Difference(left.min(right), left.max(right)), [left, right])
            }
            Axiom::FreshIndex { index, other } => (index, Meaning::Fresh, [other, other]),
            _ => return true,
        };
        // A term is older than what mentions it, so these cannot depend on the constant.
        let new = matches!(terms.op(constant), Op::Const(_)) && older.iter().all(|&t| t < constant);
        let infinite = meaning != Meaning::Fresh || matches!(terms.sort(constant), Terms::INT | Terms::REAL);
        let inputs = self.inputs.get_or_insert_with(|| {
            let inputs: Vec<TermId> = solver.assertions().collect();
            terms.free_consts_of(&inputs).into_iter().collect()
        });
        let known = *self.meaning.entry(constant).or_insert(meaning);
        new && infinite && known == meaning && !inputs.contains(&constant)
    }
}

fn axiom_holds(terms: &mut Terms, solver: &NativeSolver, clause: &[Lit], axiom: &Axiom) -> bool {
    well_formed(terms, axiom)
        && axiom.disjuncts(terms).into_iter().all(|disjunct| is_contained(terms, solver, clause, disjunct))
}

fn well_formed(terms: &Terms, axiom: &Axiom) -> bool {
    let is_array = |t: TermId| matches!(terms.sort_of(terms.sort(t)), Sort::Array { .. });
    match *axiom {
        Axiom::Congruence { left, right } => {
            matches!(terms.op(left), Op::App(_)) && terms.op(left) == terms.op(right)
        }
        Axiom::Transitivity { ref path } => path.len() > 1,
        Axiom::Read { left, right } => is_array(left.0) && terms.sort(left.0) == terms.sort(right.0),
        Axiom::Elsewhere { store, .. } => terms.op(store) == Op::Store,
        Axiom::Extensionality { left, right, .. } => is_array(left) && terms.sort(left) == terms.sort(right),
        Axiom::FreshIndex { index, other } => terms.sort(index) == terms.sort(other),
    }
}

/// Whether the disjunct implies the clause.
fn is_contained(terms: &mut Terms, solver: &NativeSolver, clause: &[Lit], disjunct: Disjunct) -> bool {
    let Disjunct { positive, left, right } = disjunct;
    if left == right {
        return !positive;
    }
    if terms.is_bool(left) {
        // One of the two clauses that say `left = right`, or that say the contrary: it excludes that
        // the left one has a truth value and the right one the other (or the same).
        let has = |t: TermId, truth: bool| match t {
            Terms::TRUE => truth,
            Terms::FALSE => !truth,
            _ => clause.iter().any(|&lit| {
                let (inner, negated) = terms.strip_not(t);
                solver.literal_of(inner) == Some(lit.var()) && (lit.is_negated() == negated) != truth
            }),
        };
        return [true, false].into_iter().any(|truth| has(left, truth) && has(right, truth != positive));
    }
    if !terms.is_arith(left) {
        let equality = terms.eq(left, right);
        return clause
            .iter()
            .any(|lit| solver.literal_of(equality) == Some(lit.var()) && lit.is_negated() != positive);
    }
    let difference = terms.sub(left, right);
    let sum = terms.linear(difference);
    if sum.terms.is_empty() {
        return sum.constant.is_zero() != positive;
    }
    let mut wanted = Inequality { constant: -sum.constant, ..Inequality::default() };
    for (t, coefficient) in sum.terms {
        let opaque = if terms.op(t) == Op::ToReal { terms.arg(t, 0) } else { t };
        let Some(var) = solver.atoms().variable(opaque) else { return false };
        wanted.sum.insert(var, coefficient);
    }
    if positive && never_integral(solver, &wanted) {
        return true;
    }
    clause.iter().filter(|lit| lit.is_negated() != positive).any(|lit| {
        let Some(atom) = solver.atoms().get(lit.var()) else { return false };
        let mut form = Inequality { constant: atom.bound.clone(), ..Inequality::default() };
        form.add_form(solver, atom.form, &Rat::from(1));
        atom.relation == Relation::Eq && form.is_multiple_of(&wanted)
    })
}

/// Whether `sum = constant` has no integer solution because of its coefficients' common divisor.
fn never_integral(solver: &NativeSolver, equality: &Inequality) -> bool {
    let mut divisor = craig_num::Int::from(0);
    let mut scale = craig_num::Int::from(1);
    for coefficient in equality.sum.values() {
        scale = scale.lcm(&coefficient.denom());
    }
    let scale = Rat::from(scale);
    for coefficient in equality.sum.values() {
        divisor = divisor.gcd(&(coefficient * &scale).numer());
    }
    equality.sum.keys().all(|&var| solver.simplex().is_int(var))
        && !(&equality.constant * &scale / Rat::from(divisor)).is_integer()
}
