//! Several frontiers in one question.
//!
//! The question is the disjunction of the questions of frontiers that leave different regions. A model is a
//! test for one of them; if there is none, each of the regions is split. Targets have no tests and the
//! regions that are split do, so no split concerns what another one was computed for. Frontiers for which
//! an interpolant is needed are asked about one at a time.

use super::{Attempt, Search};
use crate::verdict::Reason;
use crate::yogi::search::Stop;
use craig_base::Set;
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::TermId;

impl Search<'_> {
    /// ExtendFrontier for up to `Config::frontiers` frontiers at once.
    pub(super) fn extend_frontiers(&mut self) -> Result<(), Stop> {
        let yogi = &self.yogi;
        let given_up = |from, block, to| yogi.oldest(from, block, to).is_none();
        let edges = yogi.partition.frontiers(&yogi.graph, self.config.frontiers, given_up);
        let mut attempts: Vec<Attempt> = Vec::new();
        for (from, block, to) in edges {
            let Some(node) = self.yogi.oldest(from, block, to) else { continue };
            let attempt = self.attempt(node, from, block, to)?;
            if attempt.precondition.is_open {
                if attempts.is_empty() {
                    return self.extend(&attempt);
                }
                continue;
            }
            attempts.push(attempt);
        }
        if let [attempt] = &attempts[..] {
            return self.extend(attempt);
        }
        self.extend_one_of(&attempts)
    }

    fn extend_one_of(&mut self, attempts: &[Attempt]) -> Result<(), Stop> {
        self.yogi.stats.add("solver calls", 1);
        self.yogi.stats.add("frontiers asked about together", attempts.len() as u64);
        let mut ways: Vec<TermId> = Vec::new();
        for attempt in attempts {
            let question = &attempt.question;
            let parts: Vec<TermId> = question.path.iter().chain(&question.goal).copied().collect();
            ways.push(self.yogi.tm.and(&parts));
        }
        let any = self.yogi.tm.or(&ways);
        let mut solver = NativeSolver::default();
        solver.assert(self.yogi.tm, any);
        match solver.check(self.yogi.tm, &[], self.yogi.budget) {
            Answer::Sat => {
                let model = solver.model().cloned().unwrap_or_default();
                let taken = ways.iter().position(|&way| self.yogi.tm.eval_bool(way, &model) == Ok(true));
                self.follow(&attempts[taken.unwrap_or(0)], &model)
            }
            Answer::Unsat => {
                let mut split: Set<_> = Set::default();
                for attempt in attempts {
                    if split.insert(attempt.from) {
                        let predicate =
                            self.refine_pred(attempt.node, attempt.from, &attempt.precondition)?;
                        self.split(attempt, predicate)?;
                    }
                }
                Ok(())
            }
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(Stop::Budget(reason)),
            Answer::Unknown(reason) => {
                for attempt in attempts {
                    self.yogi.give_up(attempt.step(), Reason::Solver(reason.clone()));
                }
                Ok(())
            }
        }
    }
}
