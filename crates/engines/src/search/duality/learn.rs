//! From interpolants to lemmas.

use super::Duality;
use crate::clauses::clauses;
use crate::horn::Blocked;
use crate::verdict::Reason;
use craig_chc::PredicateId;
use craig_term::{Op, TermId, Terms};

/// A disjunction of conjunctions is distributed into at most this many clauses.
const MOST_CLAUSES: usize = 16;
/// Longer clauses are generalised by one core only.
const LONGEST_CLAUSE: usize = 30;

impl Duality<'_> {
    /// Strengthens the annotation of a predicate by the disjunction of its rules' bounds.
    pub(super) fn learn(
        &mut self,
        predicate: PredicateId,
        level: usize,
        bounds: &[TermId],
    ) -> Result<(), Reason> {
        let disjunction = self.terms.or(bounds);
        for clause in clauses(self.terms, disjunction, MOST_CLAUSES) {
            if clause == Terms::TRUE {
                continue;
            }
            // The negated disjuncts: what must not be derivable.
            let mut cube: Vec<TermId> = match self.terms.op(clause) {
                Op::Or => self.terms.args(clause).to_vec(),
                _ => vec![clause],
            };
            for literal in &mut cube {
                *literal = self.terms.not(*literal);
            }
            let mut level = Some(level);
            if self.options.generalisation {
                (cube, level) = self.generalise(predicate, cube, level)?;
            }
            let conjunction = self.terms.and(&cube);
            let lemma = self.terms.not(conjunction);
            self.annotation.add_lemma(self.terms, predicate, cube, lemma, level, self.budget);
        }
        Ok(())
    }

    /// Drops disjuncts of a lemma (literals of the cube that it negates) as long as the rules imply
    /// the rest. Returns also the level at which it holds.
    fn generalise(
        &mut self,
        predicate: PredicateId,
        cube: Vec<TermId>,
        level: Option<usize>,
    ) -> Result<(Vec<TermId>, Option<usize>), Reason> {
        let Some(at) = level else { return Ok((cube, level)) };
        let blocked = self.annotation.blocked_at(self.terms, predicate, &cube, at, self.budget)?;
        let Some(Blocked { core, at_every_level }) = blocked else {
            return Err(Reason::internal("an interpolant does not follow"));
        };
        if core.len() > LONGEST_CLAUSE {
            return Ok((core, if at_every_level { None } else { level }));
        }
        if self.options.inductive_generalisation {
            return self.annotation.generalise(self.terms, predicate, core, at, at_every_level, self.budget);
        }
        let (mut cube, mut at_every_level) = (core, at_every_level);
        let mut index = 0;
        while index < cube.len() && cube.len() > 1 {
            let mut smaller = cube.clone();
            smaller.remove(index);
            match self.annotation.blocked_at(self.terms, predicate, &smaller, at, self.budget)? {
                Some(blocked) => {
                    self.annotation.counts.dropped_literals += 1;
                    // What was kept so far stays before the index.
                    index = blocked.core.iter().filter(|literal| cube[..index].contains(literal)).count();
                    (cube, at_every_level) = (blocked.core, blocked.at_every_level);
                }
                None => index += 1,
            }
        }
        Ok((cube, if at_every_level { None } else { level }))
    }
}
