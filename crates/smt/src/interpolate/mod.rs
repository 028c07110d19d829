//! Craig interpolants of several shapes, all from one refutation.
//!
//! An interpolation problem is a list of *parts* whose conjunction is unsatisfiable. A *cut* names
//! the parts that are `A`; the others are `B`. Its interpolant follows from `A`, contradicts `B`, and
//! mentions only symbols of both. Every shape is a family of cuts of the same proof:
//!
//! | shape | cuts |
//! |---|---|
//! | [`sequence`] | all prefixes of the parts |
//! | [`tree`] | all subtrees |
//! | [`state_transition`] (thesis 001, Definition 6.1) | all prefixes, and each single part |
//! | [`dag`] (thesis 001, chapters 3 and 5) | all prefixes of a linear order of the graph, cleaned |
//!
//! That neighbouring interpolants fit together (`I_k ∧ part_k ⇒ I_{k+1}`, and for trees the children
//! of a node imply it) holds because all come from one proof with one labelling between McMillan's
//! and Pudlák's; see [`cut`]. What a clause, and so a literal, belongs to is explained in
//! [`colour`]; what theory leaves contribute in [`leaf`].

pub mod checked;
mod colour;
mod cut;
mod dag;
mod diagram;
mod generalize;
mod leaf;
mod minimize;
mod rewrite;
mod simplify;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use dag::{Dag, DagEdge, DagInterpolation, DagLabels, Method, dag, restricted_dag};
pub use generalize::{Effort, generalize, separate};
pub use simplify::simplify;
use simplify::{Simplifier, negation};

use crate::native::{NativeSolver, Options as SolverOptions};
use crate::proof::Refutation;
use crate::solver::{Answer, Solver, UnknownReason};
use colour::Occurrences;
use craig_base::Budget;
use craig_term::{Model, TermId, Terms};
use cut::Interpolator;
use std::fmt;

/// Which of the interpolants that a proof offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strength {
    /// The strongest.
    #[default]
    McMillan,
    /// Symmetric, weaker.
    Pudlak,
    /// The weakest: what the strongest one of the other side excludes. Neighbouring interpolants fit
    /// together in sequences only, so trees and state/transition sequences get Pudlák's instead.
    Dual,
}

/// How interpolants are taken from a proof.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which of the interpolants that the proof offers.
    pub strength: Strength,
    /// Drop what local solver calls show unnecessary; sequences only.
    pub minimize: bool,
}

impl Options {
    /// For shapes that need labels from McMillan's to Pudlák's.
    fn without_dual(self) -> Self {
        match self.strength {
            Strength::Dual => Options { strength: Strength::Pudlak, ..self },
            Strength::McMillan | Strength::Pudlak => self,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { strength: Strength::default(), minimize: true }
    }
}

/// What comes of an interpolation problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpolation<T = Vec<TermId>> {
    /// The parts have a common model.
    Sat(Model),
    /// The parts have no common model, and these formulas say why.
    Interpolants(T),
    /// Neither is known.
    Unknown(Failure),
}

impl<T> Interpolation<T> {
    /// The same with something made of what was found.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Interpolation<U> {
        match self {
            Interpolation::Interpolants(found) => Interpolation::Interpolants(make(found)),
            Interpolation::Sat(model) => Interpolation::Sat(model),
            Interpolation::Unknown(failure) => Interpolation::Unknown(failure),
        }
    }
}

/// Why there are no interpolants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The solver has no answer.
    Solver(UnknownReason),
    /// The proof reasons about something that no single part can express.
    MixedReasoning,
    /// The proof is broken. This is a bug of the solver.
    BrokenProof,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Solver(reason) => reason.fmt(f),
            Failure::MixedReasoning => f.write_str("the proof mixes symbols of different parts"),
            Failure::BrokenProof => f.write_str("the proof is broken"),
        }
    }
}

/// For parts `L_0 ... L_n`: `I_1 ... I_n` with `L_0 ⇒ I_1`, `I_i ∧ L_i ⇒ I_{i+1}`, `I_n ∧ L_n ⇒ false`.
pub fn sequence(terms: &mut Terms, parts: &[TermId], options: &Options, budget: &Budget) -> Interpolation {
    let cuts: Vec<Vec<bool>> =
        (1..parts.len()).map(|k| (0..parts.len()).map(|part| part < k).collect()).collect();
    interpolate(terms, parts, &cuts, options, budget)
}

/// The interpolant of two formulas.
pub fn binary(
    terms: &mut Terms,
    a: TermId,
    b: TermId,
    options: &Options,
    budget: &Budget,
) -> Interpolation<TermId> {
    match sequence(terms, &[a, b], options, budget) {
        Interpolation::Sat(model) => Interpolation::Sat(model),
        Interpolation::Interpolants(list) => match list.first() {
            Some(&interpolant) => Interpolation::Interpolants(interpolant),
            None => Interpolation::Unknown(Failure::BrokenProof),
        },
        Interpolation::Unknown(failure) => Interpolation::Unknown(failure),
    }
}

/// For a tree of parts, `parents[i]` being the parent of part `i` (greater than `i`; the last part
/// is the root and has none): one formula per part other than the root, such that a part and the
/// formulas of its children imply its own, and contradict the root.
pub fn tree(
    terms: &mut Terms,
    parts: &[TermId],
    parents: &[usize],
    options: &Options,
    budget: &Budget,
) -> Interpolation {
    interpolate(terms, parts, &subtrees(parents, parts.len()), &options.without_dual(), budget)
}

/// As [`tree`], and where one proof for all mixes symbols of different parts, by one proof for each formula: a subtree
/// whose formula is found stands for it from then on, so that those that follow fit.
pub fn tree_by_steps(
    terms: &mut Terms,
    parts: &[TermId],
    parents: &[usize],
    options: &Options,
    budget: &Budget,
) -> Interpolation {
    let together = tree(terms, parts, parents, options, budget);
    if !matches!(together, Interpolation::Unknown(Failure::MixedReasoning)) {
        return together;
    }
    let mut standing: Vec<TermId> = parts.to_vec();
    let mut found = Vec::new();
    for node in 0..parts.len().saturating_sub(1) {
        let inside = subtree(parents, parts.len(), node);
        let mut side = |in_a: bool| {
            let formulas = standing.iter().zip(&inside).filter(|&(_, &inside)| inside == in_a);
            let formulas: Vec<TermId> = formulas.map(|(&formula, _)| formula).collect();
            terms.and(&formulas)
        };
        let (a, b) = (side(true), side(false));
        match binary(terms, a, b, &options.without_dual(), budget) {
            Interpolation::Interpolants(interpolant) => {
                for (formula, _) in standing.iter_mut().zip(&inside).filter(|&(_, &inside)| inside) {
                    *formula = Terms::TRUE;
                }
                standing[node] = interpolant;
                found.push(interpolant);
            }
            Interpolation::Sat(model) => return Interpolation::Sat(model),
            Interpolation::Unknown(failure) => return Interpolation::Unknown(failure),
        }
    }
    Interpolation::Interpolants(found)
}

/// The cuts of a tree: the subtree of each part but the root.
pub(crate) fn subtrees(parents: &[usize], parts: usize) -> Vec<Vec<bool>> {
    (0..parts.saturating_sub(1)).map(|node| subtree(parents, parts, node)).collect()
}

fn subtree(parents: &[usize], parts: usize, root: usize) -> Vec<bool> {
    let mut inside = vec![false; parts];
    inside[root] = true;
    for part in (0..root).rev() {
        inside[part] = parents.get(part).is_some_and(|&parent| inside[parent]);
    }
    inside
}

/// A state/transition interpolant sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateTransition {
    /// `g_0 ... g_n`
    pub states: Vec<TermId>,
    /// `s_0 ... s_{n-1}`
    pub transitions: Vec<TermId>,
}

/// For parts `φ_0 ... φ_{n+1}`: `φ_0 ⇒ g_0`, `φ_{i+1} ⇒ s_i`, `g_i ∧ s_i ⇒ g_{i+1}`, and `g_n`
/// contradicts `φ_{n+1}`.
pub fn state_transition(
    terms: &mut Terms,
    parts: &[TermId],
    options: &Options,
    budget: &Budget,
) -> Interpolation<StateTransition> {
    let n = parts.len();
    let mut cuts: Vec<Vec<bool>> = (1..n).map(|k| (0..n).map(|part| part < k).collect()).collect();
    cuts.extend((1..n.saturating_sub(1)).map(|single| (0..n).map(|part| part == single).collect()));
    match interpolate(terms, parts, &cuts, &options.without_dual(), budget) {
        Interpolation::Sat(model) => Interpolation::Sat(model),
        Interpolation::Interpolants(mut states) => {
            let transitions = states.split_off(n.saturating_sub(1).min(states.len()));
            Interpolation::Interpolants(StateTransition { states, transitions })
        }
        Interpolation::Unknown(failure) => Interpolation::Unknown(failure),
    }
}

/// One interpolant per cut; a cut says of each part whether it is in `A`.
pub fn interpolate(
    terms: &mut Terms,
    parts: &[TermId],
    cuts: &[Vec<bool>],
    options: &Options,
    budget: &Budget,
) -> Interpolation {
    let mut solver = NativeSolver::new(SolverOptions { proofs: true, ..SolverOptions::default() });
    for (part, &formula) in parts.iter().enumerate() {
        solver.assert_in_part(terms, formula, part as u32);
    }
    match solver.check(terms, &[], budget) {
        Answer::Sat => Interpolation::Sat(solver.model().cloned().unwrap_or_default()),
        Answer::Unknown(reason) => Interpolation::Unknown(Failure::Solver(reason)),
        Answer::Unsat => match from_proof(terms, &solver, cuts, options, budget) {
            Ok(interpolants) => {
                debug_assert!(
                    checked::all_separate(terms, parts, cuts, &interpolants, budget),
                    "a formula that is no interpolant"
                );
                Interpolation::Interpolants(interpolants)
            }
            Err(failure) => Interpolation::Unknown(failure),
        },
    }
}

/// Interpolants from the last refutation of a solver that records proofs.
pub fn from_proof(
    terms: &mut Terms,
    solver: &NativeSolver,
    cuts: &[Vec<bool>],
    options: &Options,
    budget: &Budget,
) -> Result<Vec<TermId>, Failure> {
    let root = solver.refutation().ok_or(Failure::BrokenProof)?;
    let refutation = Refutation::extract(solver.proof(), root).map_err(|_| Failure::BrokenProof)?;
    debug_assert_eq!(crate::proof::check(terms, solver, &refutation), Ok(()));
    let dual = options.strength == Strength::Dual;
    let strength = if dual { Strength::McMillan } else { options.strength };
    let sides: Vec<Vec<bool>> =
        cuts.iter().map(|cut| cut.iter().map(|&in_a| in_a != dual).collect()).collect();
    let occurrences = Occurrences::new(terms, solver, &refutation, &sides);
    let mut interpolator = Interpolator::new(solver, &refutation, &occurrences, strength);
    let mut simplifier = Simplifier::default();
    let mut interpolants = Vec::with_capacity(cuts.len());
    for cut in &sides {
        budget.check().map_err(|reason| Failure::Solver(UnknownReason::Stopped(reason)))?;
        let raw = interpolator.interpolant(terms, cut)?;
        let raw = if dual { negation(terms, raw) } else { raw };
        interpolants.push(simplifier.simplify(terms, raw));
    }
    if options.minimize && is_sequence(cuts) {
        minimize::sequence(terms, solver, &refutation, cuts, &mut interpolants, budget);
    }
    Ok(interpolants)
}

fn is_sequence(cuts: &[Vec<bool>]) -> bool {
    let within = |a: &[bool], b: &[bool]| a.iter().zip(b).all(|(a, b)| a <= b);
    cuts.windows(2).all(|pair| within(&pair[0], &pair[1]))
}
