//! Interpolants from prime implicants of the prefix (002, section 4).
//!
//! Proofs split cases where the prefix has them, and their interpolants show it. A prime implicant of the prefix is
//! a conjunction, and so is most of the suffix, so that the two are told apart by little; the disjunction of what tells
//! the suffix from one implicant after the other is an interpolant of the whole.

use super::Duality;
use crate::verdict::Reason;
use craig_smt::interpolate::{self, Interpolation};
use craig_smt::project::implicant;
use craig_smt::{Answer, UnknownReason};
use craig_term::{Op, TermId, Terms};

/// With more implicants than this the interpolant of the proof is kept.
const MOST_SAMPLES: usize = 8;

impl Duality<'_> {
    /// An interpolant of prefix and suffix that is made of samples, where the given one is no clause and the new one
    /// is smaller.
    pub(super) fn by_samples(
        &mut self,
        prefix: TermId,
        suffix: TermId,
        known: TermId,
    ) -> Result<TermId, Reason> {
        if is_clause(self.terms, known) {
            return Ok(known);
        }
        let mut inside = (self.new_solver)();
        inside.assert(self.terms, prefix);
        let mut outside = (self.new_solver)();
        let negated = self.terms.not(prefix);
        outside.assert(self.terms, negated);
        let options = interpolate::Options { minimize: false, ..interpolate::Options::default() };
        let mut cases = Vec::new();
        while cases.len() <= MOST_SAMPLES {
            match inside.check(self.terms, &[], self.budget) {
                Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(Reason::Stopped(reason)),
                Answer::Unknown(_) => return Ok(known),
                Answer::Unsat => {
                    let sampled = self.terms.or(&cases);
                    if self.terms.dag_size(sampled) >= self.terms.dag_size(known) {
                        return Ok(known);
                    }
                    self.counts.sampled += 1;
                    return Ok(sampled);
                }
                Answer::Sat => {}
            }
            let Some(model) = inside.model().cloned() else { return Ok(known) };
            let mut literals = implicant(self.terms, &[prefix], &model)?;
            if outside.check(self.terms, &literals, self.budget) == Answer::Unsat {
                literals = outside.core().to_vec();
            }
            let sample = self.terms.and(&literals);
            let Interpolation::Interpolants(case) =
                interpolate::binary(self.terms, sample, suffix, &options, self.budget)
            else {
                return Ok(known);
            };
            let excluded = self.terms.not(case);
            inside.assert(self.terms, excluded);
            cases.push(case);
        }
        Ok(known)
    }
}

/// Whether a formula is a literal or a disjunction of some.
fn is_clause(terms: &Terms, formula: TermId) -> bool {
    let is_literal = |t: TermId| {
        let (atom, _) = terms.strip_not(t);
        let is_equivalence = terms.op(atom) == Op::Eq && terms.is_bool(terms.arg(atom, 0));
        !is_equivalence && !matches!(terms.op(atom), Op::And | Op::Or | Op::Ite)
    };
    match terms.op(formula) {
        Op::Or => terms.args(formula).iter().all(|&part| is_literal(part)),
        _ => is_literal(formula),
    }
}
