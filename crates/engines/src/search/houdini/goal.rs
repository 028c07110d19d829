//! The search for a proof that asks only about what it needs: from the error backwards.
//!
//! Houdini refutes every candidate that is not inductive before it looks at the error. Where candidates are many, most of
//! them matter to no proof. So: what excludes the error, if all candidates hold, is needed; what is needed has to hold
//! after each block if all candidates hold before it, and what that uses is needed, too. A model refutes candidates
//! as it does in the full search, so that the answer is the same; where the error is not excluded any more, it comes at
//! once.

use super::search::Search;
use crate::search::inductive;
use crate::verdict::{Finding, Reason};
use craig_base::{IndexVec, OrderedSet, Set};
use craig_program::{CutEdgeId, CutId};
use craig_smt::UnknownReason;
use craig_term::{Model, TermId};
use std::collections::VecDeque;

/// How often a refutation is looked for with only what the last one used.
const ROUNDS: usize = 2;

/// What a proof needs so far.
type Needed = IndexVec<CutId, OrderedSet<TermId>>;

/// Blocks that have to be asked about.
#[derive(Default)]
struct Queue {
    order: VecDeque<CutEdgeId>,
    waiting: Set<CutEdgeId>,
}

impl Queue {
    fn soon(&mut self, edge: CutEdgeId) {
        if self.waiting.insert(edge) {
            self.order.push_front(edge);
        }
    }

    fn later(&mut self, edge: CutEdgeId) {
        if self.waiting.insert(edge) {
            self.order.push_back(edge);
        }
    }

    fn pop(&mut self) -> Option<CutEdgeId> {
        let edge = self.order.pop_front()?;
        self.waiting.remove(&edge);
        Some(edge)
    }
}

/// Why what is needed holds after a block.
enum Justified {
    /// By these candidates; and whether some that were to hold after the block do not.
    By(Vec<TermId>, bool),
    /// The error is not excluded.
    Not,
    /// The solver could not tell.
    Undecided,
}

impl Search<'_> {
    /// A proof from the candidates, if there is one; what it does not need may be left unrefuted.
    pub(super) fn prove(&mut self) -> Result<Finding, Reason> {
        let cuts = &self.blocks.encoding.cuts;
        let error = cuts.error;
        let ends: IndexVec<CutEdgeId, (CutId, CutId)> =
            cuts.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let mut needed: Needed = IndexVec::from_elem(OrderedSet::default(), self.candidates.len());
        let mut queue = Queue::default();
        let mut is_undecided = false;
        ends.enumerated().filter(|(_, ends)| ends.1 == error).for_each(|(edge, _)| queue.later(edge));
        while let Some(edge) = queue.pop() {
            self.budget.check()?;
            let (from, to) = ends[edge];
            let (used, is_refuted) =
                match self.justify(edge, from, (to != error).then_some(&mut needed[to]))? {
                    Justified::By(used, is_refuted) => (used, is_refuted),
                    Justified::Not => return Ok(Finding::Unknown(Reason::NoCandidate)),
                    // With fewer candidates the question may be easier.
                    Justified::Undecided => {
                        is_undecided = true;
                        inductive::reduce(self)?;
                        break;
                    }
                };
            let count = needed[from].len();
            needed[from].extend(used);
            if needed[from].len() > count {
                ends.enumerated().filter(|(_, ends)| ends.1 == from).for_each(|(edge, _)| queue.later(edge));
            }
            if is_refuted {
                let relies = |to: CutId| to == error || !needed[to].is_empty();
                for (edge, _) in ends.enumerated().filter(|(_, ends)| ends.0 == to && relies(ends.1)) {
                    queue.soon(edge);
                }
            }
        }
        if !is_undecided {
            for (cut, needed) in needed.enumerated() {
                self.candidates[cut].retain(|candidate| needed.contains(candidate));
            }
        }
        self.conclude()
    }

    /// What candidates before a block show that those which are needed hold after it, or that it leads nowhere;
    /// those of which they do not show it are refuted.
    fn justify(
        &mut self,
        edge: CutEdgeId,
        from: CutId,
        mut needed: Option<&mut OrderedSet<TermId>>,
    ) -> Result<Justified, Reason> {
        let to = self.blocks.encoding.cuts.edges[edge].to;
        let mut is_refuted = false;
        loop {
            let mut also = Vec::new();
            if let Some(needed) = &mut needed {
                let holding: Set<TermId> = self.candidates[to].iter().copied().collect();
                needed.retain(|candidate| holding.contains(candidate));
                if needed.is_empty() {
                    return Ok(Justified::By(Vec::new(), is_refuted));
                }
                let all: Vec<TermId> = needed.iter().copied().collect();
                let all = self.tm.and(&all);
                let after = self.blocks.at_target(self.tm, edge, all);
                also.push(self.tm.not(after));
            }
            let candidates = self.candidates[from].clone();
            match self.model(edge, from, &candidates, &also) {
                Ok(None) => {
                    return Ok(Justified::By(self.used(edge, from, candidates, &also)?, is_refuted));
                }
                Ok(Some(model)) => {
                    let Some(needed) = &needed else { return Ok(Justified::Not) };
                    self.refute(edge, to, needed, &model);
                    is_refuted = true;
                }
                Err(UnknownReason::Stopped(reason)) => return Err(reason.into()),
                Err(_) => return Ok(Justified::Undecided),
            }
        }
    }

    /// Removes the candidates after a block that are false in a model; if that tells nothing of those that are needed,
    /// these.
    fn refute(&mut self, edge: CutEdgeId, to: CutId, needed: &OrderedSet<TermId>, model: &Model) {
        let left = self.holding_after(edge, to, model);
        let is_same = needed.iter().all(|candidate| left.contains(candidate));
        self.candidates[to] = left;
        if is_same {
            self.candidates[to].retain(|candidate| !needed.contains(candidate));
        }
    }

    /// The candidates that the refutation uses which was found last, or one that uses fewer of them.
    fn used(
        &mut self,
        edge: CutEdgeId,
        from: CutId,
        mut candidates: Vec<TermId>,
        also: &[TermId],
    ) -> Result<Vec<TermId>, Reason> {
        for round in 0..ROUNDS {
            if round > 0 {
                match self.model(edge, from, &candidates, also) {
                    Ok(None) => {}
                    Err(UnknownReason::Stopped(reason)) => return Err(reason.into()),
                    // The solver knew more the last time.
                    Ok(Some(_)) | Err(_) => break,
                }
            }
            self.retain_used(edge, &mut candidates);
            candidates.reverse();
        }
        Ok(candidates)
    }
}
