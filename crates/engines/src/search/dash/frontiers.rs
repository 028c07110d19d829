//! Several frontiers in one question.
//!
//! The question is the disjunction of the questions of frontiers that leave different regions. A model is a
//! test for one of them; if there is none, each of the regions is split. Targets have no tests and the
//! regions that are split do, so no split concerns what another one was computed for. Frontiers for which
//! an interpolant is needed are asked about one at a time.

use super::Search;
use super::frontier::{Attempt, Extension};
use crate::verdict::Reason;
use craig_base::Set;
use craig_term::TermId;

impl Search<'_> {
    /// ExtendFrontier for up to `Config::frontiers` frontiers at once.
    pub(super) fn extend_frontiers(&mut self) -> Result<Extension, Reason> {
        let query = &self.yogi.query;
        let given_up = |from, block, to| query.oldest(from, block, to).is_none();
        let edges = query.partition.frontiers(&query.graph, self.config.frontiers, given_up);
        let mut attempts: Vec<Attempt> = Vec::new();
        for (from, block, to) in edges {
            let attempt = self.attempt(from, block, to)?;
            if !attempt.precondition.is_open && attempt.call.is_none() {
                attempts.push(attempt);
            } else if attempts.is_empty() {
                return self.extend(attempt);
            }
        }
        match attempts.pop() {
            Some(attempt) if attempts.is_empty() => self.extend(attempt),
            last => {
                attempts.extend(last);
                self.extend_one_of(attempts)
            }
        }
    }

    fn extend_one_of(&mut self, attempts: Vec<Attempt>) -> Result<Extension, Reason> {
        self.yogi.stats.add("frontiers asked about together", attempts.len() as u64);
        let mut ways: Vec<TermId> = Vec::new();
        for attempt in &attempts {
            let question = &attempt.question;
            ways.push(self.yogi.tm.and(&[&question.path[..], &question.goal].concat()));
        }
        let any = self.yogi.tm.or(&ways);
        match self.yogi.ask(&[any]) {
            Ok(Some(model)) => {
                let taken = ways.iter().position(|&way| self.yogi.tm.eval_bool(way, &model) == Ok(true));
                let attempt = &attempts[taken.unwrap_or(0)];
                self.follow(attempt, &attempt.question, &model, &[])
            }
            Ok(None) => {
                let mut split: Set<_> = Set::default();
                let mut refinements = Vec::new();
                for attempt in attempts {
                    if split.insert(attempt.from) {
                        let predicate =
                            self.refine_pred(attempt.node, attempt.from, &attempt.precondition)?;
                        refinements.push((attempt, predicate));
                    }
                }
                Ok(Extension::Refinements(refinements))
            }
            Err(reason @ Reason::Solver(_)) => {
                for attempt in &attempts {
                    self.yogi.give_up(attempt.step(), reason.clone());
                }
                Ok(Extension::Test)
            }
            Err(reason) => Err(reason),
        }
    }
}
