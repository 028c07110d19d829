//! One interpolant: partial interpolants of all clauses of a refutation, for one cut.
//!
//! The partial interpolant `I` of a clause `C` satisfies `A ∧ ¬C|a ⇒ I` and `B ∧ ¬C|b ⇒ ¬I`, where
//! `C|a` are the literals of `A` (with Pudlák's labels also the shared ones) and `C|b` the others
//! (with both labellings including the shared ones).
//!
//! | | McMillan | Pudlák |
//! |---|---|---|
//! | clause from `A` alone | its shared literals | false |
//! | clause from `B` alone | true | true |
//! | resolution on a literal of `A` | or | or |
//! | resolution on a shared literal | and | `(I₁ ∨ p) ∧ (I₂ ∨ ¬p)` |
//! | resolution on a literal of `B` | and | and |
//!
//! The first two lines hold for derived clauses as well as for leaves, so whole subproofs that stay
//! on one side are never entered. Theory leaves follow [`leaf`](super::leaf).

use super::colour::{Colour, Colours, Occurrences};
use super::{Failure, Strength, leaf};
use crate::native::{Lit, NativeSolver, Var};
use crate::proof::{Axiom, Certificate, Leaf, Refutation, StepKind};
use craig_base::Map;
use craig_term::{TermId, Terms};

pub(super) struct Interpolator<'a> {
    pub solver: &'a NativeSolver,
    refutation: &'a Refutation,
    occurrences: &'a Occurrences,
    strength: Strength,
    formulas: Map<Var, TermId>,
    /// The cut before.
    previous: Option<Found>,
}

/// Which sides a subproof uses.
const FROM_A: u8 = 1;
const FROM_B: u8 = 2;

/// What was found for one cut. Neighbouring cuts have most of it in common.
struct Found {
    colours: Colours,
    sides: Vec<u8>,
    /// Partial interpolants of the steps that were needed.
    partial: Vec<Option<TermId>>,
}

impl<'a> Interpolator<'a> {
    pub fn new(
        solver: &'a NativeSolver,
        refutation: &'a Refutation,
        occurrences: &'a Occurrences,
        strength: Strength,
    ) -> Self {
        let formulas = Map::default();
        Interpolator { solver, refutation, occurrences, strength, formulas, previous: None }
    }

    pub fn interpolant(&mut self, terms: &mut Terms, cut: &[bool]) -> Result<TermId, Failure> {
        let colours = self.occurrences.colours(cut);
        let steps = &self.refutation.steps;
        let sides = self.sides(cut, &colours)?;
        // Only what the empty clause reaches without passing through a one-sided subproof.
        let mut needed = vec![false; steps.len()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for index in (0..steps.len()).rev() {
            if needed[index]
                && sides[index] == FROM_A | FROM_B
                && let StepKind::Chain { first, rest } = &steps[index].kind
            {
                needed[*first] = true;
                for (place, _) in rest {
                    needed[*place] = true;
                }
            }
        }
        let mut found = Found { colours, sides, partial: vec![None; steps.len()] };
        for index in (0..steps.len()).filter(|&index| needed[index]) {
            let known = self.known(index, &found);
            found.partial[index] = Some(known.map_or_else(|| self.partial(terms, index, &found), Ok)?);
        }
        let result = found.partial.last().copied().flatten().unwrap_or(Terms::FALSE);
        self.previous = Some(found);
        Ok(result)
    }

    /// The partial interpolant of the cut before, if everything that decides it is the same.
    fn known(&self, index: usize, found: &Found) -> Option<TermId> {
        let previous = self.previous.as_ref()?;
        let known = previous.partial[index]?;
        let step = &self.refutation.steps[index];
        let same_colour = |var: Var| found.colours.agrees(&previous.colours, var);
        let same_partial = |place: usize| found.partial[place] == previous.partial[place];
        let same = found.sides[index] == previous.sides[index]
            && match &step.kind {
                StepKind::Chain { first, rest } if found.sides[index] == FROM_A | FROM_B => {
                    same_partial(*first)
                        && rest.iter().all(|&(place, pivot)| same_partial(place) && same_colour(pivot))
                }
                _ => step.clause.iter().all(|lit| same_colour(lit.var())),
            };
        same.then_some(known)
    }

    fn sides(&self, cut: &[bool], colours: &Colours) -> Result<Vec<u8>, Failure> {
        let in_a = |part: u32| if cut.get(part as usize).copied().unwrap_or(false) { FROM_A } else { FROM_B };
        let mut sides: Vec<u8> = Vec::with_capacity(self.refutation.steps.len());
        for (index, step) in self.refutation.steps.iter().enumerate() {
            let side = match &step.kind {
                StepKind::Leaf(Leaf::Input { part }) => in_a(*part),
                StepKind::Leaf(Leaf::Theory(
                    certificate @ (Certificate::Trichotomy | Certificate::Axiom(_)),
                )) if !self.is_circle(index, certificate) => {
                    in_a(self.occurrences.lemma_part(index).ok_or(Failure::MixedReasoning)?)
                }
                StepKind::Leaf(Leaf::Theory(_)) => {
                    let mut side = 0;
                    for lit in &step.clause {
                        side |= match colours.of(lit.var())? {
                            Colour::A => FROM_A,
                            Colour::B => FROM_B,
                            Colour::Shared => 0,
                        };
                    }
                    side
                }
                StepKind::Chain { first, rest } => {
                    rest.iter().fold(sides[*first], |side, (place, _)| side | sides[*place])
                }
            };
            sides.push(side);
        }
        Ok(sides)
    }

    /// Whether the leaf is a circle of equalities that no single part can express.
    fn is_circle(&self, index: usize, certificate: &Certificate) -> bool {
        matches!(certificate, Certificate::Axiom(Axiom::Transitivity { .. }))
            && self.occurrences.lemma_part(index).is_none()
    }

    fn partial(&mut self, terms: &mut Terms, index: usize, found: &Found) -> Result<TermId, Failure> {
        let Found { colours, sides, .. } = found;
        let side = sides[index];
        let step = &self.refutation.steps[index];
        match &step.kind {
            StepKind::Leaf(Leaf::Theory(certificate))
                if matches!(certificate, Certificate::Farkas(_) | Certificate::Divisibility(_))
                    || self.is_circle(index, certificate) =>
            {
                leaf::interpolant(terms, self.solver, certificate, colours)
            }
            StepKind::Chain { first, rest } if side == FROM_A | FROM_B => {
                self.chain(terms, *first, rest, found)
            }
            _ if side & FROM_A == 0 => Ok(Terms::TRUE),
            _ if self.strength == Strength::Pudlak => Ok(Terms::FALSE),
            _ => {
                let mut shared = Vec::new();
                for &lit in &step.clause {
                    if colours.of(lit.var())? == Colour::Shared {
                        shared.push(self.literal(terms, lit));
                    }
                }
                Ok(terms.or(&shared))
            }
        }
    }

    fn chain(
        &mut self,
        terms: &mut Terms,
        first: usize,
        rest: &[(usize, Var)],
        found: &Found,
    ) -> Result<TermId, Failure> {
        let partial = |place: usize| found.partial[place].ok_or(Failure::BrokenProof);
        // Runs of resolutions with the same connective are joined at once.
        let mut current = vec![partial(first)?];
        let mut joined_by_or = false;
        let join = |terms: &mut Terms, list: &mut Vec<TermId>, by_or: bool| {
            let t = if by_or { terms.or(list) } else { terms.and(list) };
            list.clear();
            list.push(t);
        };
        for &(place, pivot) in rest {
            let colour = found.colours.of(pivot)?;
            let by_or = colour == Colour::A;
            if current.len() > 1 && by_or != joined_by_or {
                join(terms, &mut current, joined_by_or);
            }
            joined_by_or = by_or;
            let side = partial(place)?;
            if colour == Colour::Shared && self.strength == Strength::Pudlak {
                join(terms, &mut current, false);
                let side_clause = &self.refutation.steps[place].clause;
                // The pivot has one sign in the clause at `place` and the other in the chain so far.
                let in_side = Lit::new(pivot, !side_clause.contains(&Lit::new(pivot, false)));
                let side_literal = self.literal(terms, in_side);
                let chain_literal = terms.not(side_literal);
                let left = if current[0] == side {
                    // Both say the same whatever the pivot is.
                    current[0]
                } else {
                    let left = terms.or2(current[0], chain_literal);
                    let right = terms.or2(side, side_literal);
                    terms.and2(left, right)
                };
                current[0] = left;
            } else {
                current.push(side);
            }
        }
        join(terms, &mut current, joined_by_or);
        Ok(current[0])
    }

    fn literal(&mut self, terms: &mut Terms, lit: Lit) -> TermId {
        let solver = self.solver;
        let formula = *self.formulas.entry(lit.var()).or_insert_with(|| solver.formula(terms, lit.var()));
        if lit.is_negated() { terms.not(formula) } else { formula }
    }
}
