//! POST: the label of a node from the labels of its parents (section 4.2.2, definitions in 2.5).
//!
//! Both abstractions ask one incremental solver per segment, which knows the segment and is asked
//! under assumptions. Every model that it returns decides many predicates at once, so most of the
//! 2n questions of the definition are never asked.

use super::arg::NodeId;
use super::expand::Expansion;
use super::{Post, Search, Stop};
use craig_program::CutEdgeId;
use craig_smt::{Answer, Solver};
use craig_term::{TermId, Terms};

/// Beyond this many minterms the Boolean abstraction of a segment becomes Cartesian.
const MAX_MINTERMS: usize = 128;

impl Search<'_> {
    /// The disjunction of the posts along the edges from visited parents.
    pub(super) fn post(&mut self, node: NodeId, expansion: &Expansion) -> Result<TermId, Stop> {
        if self.config.post == Post::None {
            return Ok(Terms::TRUE);
        }
        let watch = craig_base::Stopwatch::start();
        let mut posts = Vec::new();
        for (edge, parent) in self.arg.nodes[node].parents.clone() {
            if !expansion.visited.contains(&parent) || expansion.covered.contains(&parent) {
                continue;
            }
            let post = self.post_along(edge, self.arg.nodes[parent].label)?;
            if self.tm.is_false(post) {
                self.false_edges.insert((parent, edge));
            } else {
                self.false_edges.remove(&(parent, edge));
            }
            posts.push(post);
        }
        self.stats.add_time("time in post", watch.elapsed());
        Ok(self.tm.or(&posts))
    }

    fn post_along(&mut self, edge: CutEdgeId, label: TermId) -> Result<TermId, Stop> {
        if self.tm.is_false(label) {
            return Ok(label);
        }
        let target = self.cuts().edges[edge].to;
        let predicates: Vec<TermId> =
            self.predicates.get(&target).map(|set| set.iter().copied().collect()).unwrap_or_default();
        let next: Vec<TermId> =
            predicates.iter().map(|&predicate| self.blocks.at_target(self.tm, edge, predicate)).collect();
        match self.config.post {
            Post::Boolean => self.boolean_post(edge, label, &predicates, &next),
            _ => self.cartesian_post(edge, label, &predicates, &next),
        }
    }

    /// CPost: the predicates, or their negations, that hold after the segment.
    fn cartesian_post(
        &mut self,
        edge: CutEdgeId,
        label: TermId,
        predicates: &[TermId],
        next: &[TermId],
    ) -> Result<TermId, Stop> {
        let Some(values) = self.successor(edge, &[label], next)? else { return Ok(Terms::FALSE) };
        // A predicate that is true in one successor can only be implied positively.
        let mut candidates: Vec<Option<bool>> = values.into_iter().map(Some).collect();
        let mut literals = Vec::new();
        for i in 0..predicates.len() {
            let Some(positive) = candidates[i] else { continue };
            let violated = if positive { self.tm.not(next[i]) } else { next[i] };
            match self.successor(edge, &[label, violated], next)? {
                None => literals.push(if positive { predicates[i] } else { self.tm.not(predicates[i]) }),
                Some(values) => {
                    for (candidate, value) in candidates.iter_mut().zip(values) {
                        if *candidate != Some(value) {
                            *candidate = None;
                        }
                    }
                }
            }
        }
        Ok(self.tm.and(&literals))
    }

    /// BPost: the minterms of the predicates that some successor satisfies.
    fn boolean_post(
        &mut self,
        edge: CutEdgeId,
        label: TermId,
        predicates: &[TermId],
        next: &[TermId],
    ) -> Result<TermId, Stop> {
        let mut minterms = Vec::new();
        let mut assumptions = vec![label];
        while let Some(values) = self.successor(edge, &assumptions, next)? {
            if minterms.len() == MAX_MINTERMS {
                self.stats.add("posts made Cartesian", 1);
                return self.cartesian_post(edge, label, predicates, next);
            }
            let mut cube = Vec::new();
            let mut next_cube = Vec::new();
            for (i, value) in values.into_iter().enumerate() {
                cube.push(if value { predicates[i] } else { self.tm.not(predicates[i]) });
                next_cube.push(if value { next[i] } else { self.tm.not(next[i]) });
            }
            minterms.push(self.tm.and(&cube));
            let seen = self.tm.and(&next_cube);
            assumptions.push(self.tm.not(seen));
        }
        Ok(self.tm.or(&minterms))
    }

    /// The truth values of `next` in some state behind the segment, under the assumptions.
    fn successor(
        &mut self,
        edge: CutEdgeId,
        assumptions: &[TermId],
        next: &[TermId],
    ) -> Result<Option<Vec<bool>>, Stop> {
        self.stats.add("post queries", 1);
        let solver = self.blocks.solver(self.tm, edge);
        match solver.check(self.tm, assumptions, self.budget) {
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(Stop::Solver(reason)),
            Answer::Sat => {
                let model = solver.model().ok_or(Stop::Internal("sat without a model"))?;
                let values =
                    next.iter().map(|&predicate| self.tm.eval_bool(predicate, model).unwrap_or(false));
                Ok(Some(values.collect()))
            }
        }
    }
}
