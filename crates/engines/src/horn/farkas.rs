//! Weaker cubes by arithmetic reasoning.
//!
//! That a cube cannot be derived follows from its literals by adding up inequalities. Often their sum
//! is all that is needed: where `x >= 3` and `y <= 2` together contradict the rules, `x > y` may do so
//! as well. The weakest interpolant of a refutation between the rules and the cube is the negation of a
//! conjunction of such sums (Farkas), and excludes more than the cube.

use super::{Annotation, Blocked, Reason};
use craig_base::{Budget, Stopwatch};
use craig_chc::PredicateId;
use craig_smt::interpolate::{self, Interpolation, Strength};
use craig_term::{Op, TermId, Terms};

impl Annotation {
    /// A cube that contains the given one and cannot be derived at the level either, if adding up
    /// gives another one.
    pub fn add_up(
        &mut self,
        terms: &mut Terms,
        predicate: PredicateId,
        blocked: &Blocked,
        level: usize,
        budget: &Budget,
    ) -> Result<Option<Blocked>, Reason> {
        let is_bound = |literal: &TermId| {
            let (atom, _) = terms.strip_not(*literal);
            matches!(terms.op(atom), Op::Le | Op::Lt)
                || terms.op(atom) == Op::Eq && terms.is_arith(terms.arg(atom, 0))
        };
        if blocked.core.iter().filter(|literal| is_bound(literal)).count() < 2 {
            return Ok(None);
        }
        let watch = Stopwatch::start();
        let mut cases = Vec::new();
        for &rule in &self.rules.by_head[predicate] {
            let rule = &self.rules.rules[rule];
            let mut parts = vec![rule.transition];
            for atom in &rule.body {
                // At level 1, where nothing is below, there is no lemma but `false`.
                for lemma in self.frames.formulas(atom.predicate, level - 1) {
                    parts.push(atom.instantiate(terms, &self.rules, lemma));
                }
            }
            cases.push(terms.and(&parts));
        }
        let (derivable, cube) = (terms.or(&cases), terms.and(&blocked.core));
        let options = interpolate::Options { strength: Strength::Dual, minimize: false };
        let result = interpolate::binary(terms, derivable, cube, &options, budget);
        self.counts.interpolation_time += watch.elapsed();
        // Without an interpolant, the cube as it is does as well.
        let Interpolation::Interpolants(interpolant) = result else { return Ok(None) };
        let excluded = terms.not(interpolant);
        let sums = match terms.op(excluded) {
            Op::And => terms.args(excluded).to_vec(),
            Op::Or | Op::Ite | Op::True | Op::False => return Ok(None),
            _ => vec![excluded],
        };
        if sums.iter().all(|sum| blocked.core.contains(sum)) {
            return Ok(None);
        }
        self.blocked_at(terms, predicate, &sums, level, budget)
    }
}
