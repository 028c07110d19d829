//! Labels that say more with less.
//!
//! An interpolant that excludes the error for the next few blocks lists the cases in which nothing happens, as states
//! of a machine that are far from the error, beside the fact that matters. Where that fact holds in all cases,
//! the list is not needed, and without it the label may be inductive. So disjuncts are dropped while the edges into the
//! node imply the rest, from the first node to the last, and each profits from what was dropped before it; then clauses
//! are dropped that the labels after the node do not need any more, from the last node to the first. The thesis has no such
//! step; 002 has the first half for lazy annotation (section 4).

use super::refine::Encoding;
use super::{Reason, Search};
use crate::clauses::clauses;
use craig_base::Set;
use craig_program::CutEdgeId;
use craig_smt::{Answer, Solver, UnknownReason};
use craig_term::{Op, TermId};

/// Clauses with more disjuncts are left as they are.
const LONGEST: usize = 40;
/// A disjunction of conjunctions is distributed into at most this many clauses.
const MOST_CLAUSES: usize = 16;

impl Search<'_> {
    /// Strengthens labels, which hold together with the restrictions.
    pub(super) fn strengthen(
        &mut self,
        encoding: &Encoding,
        restriction: &[TermId],
        labels: &mut [TermId],
    ) -> Result<(), Reason> {
        let mut into: Vec<Vec<(CutEdgeId, usize)>> = vec![Vec::new(); labels.len()];
        for (place, out) in encoding.dag.edges.iter().enumerate() {
            for (edge, copy) in out.iter().zip(&encoding.copies[place]) {
                into[edge.to].push((copy.edge, place));
            }
        }
        let mut parts = vec![Vec::new(); labels.len()];
        for place in 1..labels.len() - 1 {
            for clause in clauses(self.tm, labels[place], MOST_CLAUSES) {
                parts[place].push(self.without_needless(clause, &into[place], restriction, labels)?);
            }
            labels[place] = self.tm.and(&parts[place]);
        }
        for place in (1..labels.len() - 1).rev() {
            let onward = encoding.dag.edges[place].iter().zip(&encoding.copies[place]);
            let onward: Vec<(CutEdgeId, usize)> = onward.map(|(edge, copy)| (copy.edge, edge.to)).collect();
            if let Some(needed) = self.needed(&parts[place], restriction[place], &onward, labels)? {
                labels[place] = self.tm.and(&needed);
            }
        }
        Ok(())
    }

    /// The clauses of a label that the labels after the edges need; nothing if the solver cannot tell.
    fn needed(
        &mut self,
        parts: &[TermId],
        restriction: TermId,
        onward: &[(CutEdgeId, usize)],
        labels: &[TermId],
    ) -> Result<Option<Vec<TermId>>, Reason> {
        let mut needed: Set<TermId> = Set::default();
        for &(edge, to) in onward {
            let after = self.blocks.at_target(self.tm, edge, labels[to]);
            let facts = self.blocks.facts(self.cuts().edges[edge].from);
            let missed = self.tm.not(after);
            let mut known = vec![restriction, facts, missed];
            known.extend(parts);
            let solver = self.blocks.solver(self.tm, edge);
            match solver.check(self.tm, &known, self.budget) {
                Answer::Unsat => needed.extend(solver.core()),
                Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(Reason::Stopped(reason)),
                Answer::Sat | Answer::Unknown(_) => return Ok(None),
            }
        }
        let kept: Vec<TermId> = parts.iter().copied().filter(|part| needed.contains(part)).collect();
        self.stats.add("clauses dropped", (parts.len() - kept.len()) as u64);
        Ok(Some(kept))
    }

    /// A part of a clause that all edges into a node imply, and of which no disjunct can be dropped.
    fn without_needless(
        &mut self,
        clause: TermId,
        into: &[(CutEdgeId, usize)],
        restriction: &[TermId],
        labels: &[TermId],
    ) -> Result<TermId, Reason> {
        if self.tm.op(clause) != Op::Or || self.tm.args(clause).len() > LONGEST {
            return Ok(clause);
        }
        let mut kept = self.tm.args(clause).to_vec();
        // Single values first: what remains is to be general.
        let mut order = kept.clone();
        order.sort_by_key(|&disjunct| self.tm.op(disjunct) != Op::Eq);
        for disjunct in order {
            if kept.len() == 1 {
                break;
            }
            let rest: Vec<TermId> = kept.iter().copied().filter(|&other| other != disjunct).collect();
            let smaller = self.tm.or(&rest);
            if self.arrives_with(smaller, into, restriction, labels)? {
                self.stats.add("disjuncts dropped", 1);
                kept = rest;
            }
        }
        Ok(self.tm.or(&kept))
    }

    /// Whether a formula holds after all edges, from the labels of their sources.
    fn arrives_with(
        &mut self,
        formula: TermId,
        into: &[(CutEdgeId, usize)],
        restriction: &[TermId],
        labels: &[TermId],
    ) -> Result<bool, Reason> {
        for &(edge, from) in into {
            let facts = self.blocks.facts(self.cuts().edges[edge].from);
            let after = self.blocks.at_target(self.tm, edge, formula);
            let missed = self.tm.not(after);
            let known = [labels[from], restriction[from], facts, missed];
            match self.blocks.solver(self.tm, edge).check(self.tm, &known, self.budget) {
                Answer::Unsat => {}
                Answer::Unknown(UnknownReason::Stopped(reason)) => return Err(Reason::Stopped(reason)),
                Answer::Sat | Answer::Unknown(_) => return Ok(false),
            }
        }
        Ok(true)
    }
}
