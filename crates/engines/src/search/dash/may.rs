//! May summaries: claims about procedures, proved or assumed.
//!
//! While a claim is being proved, calls of the same procedure may rely on it (Hoare's rule for recursion), as
//! far as the condition goes under which it is assumed: at first everywhere. If the proof needs more of the
//! entry state than was assumed, it begins again with that as the condition. What was proved with the
//! help of a claim that is still open is dropped if that claim turns out to be wrong.

use super::{Found, Search};
use crate::search::yogi::forest::NodeId;
use crate::search::yogi::graph::{BlockId, Call};
use crate::search::yogi::query::Query;
use crate::verdict::Reason;
use craig_base::OrderedMap;
use craig_certificate::{Contract, Summaries};
use craig_program::{CallGraph, LocId, ProcId, Program, Wto, effects};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{TermId, Terms};

/// Claims that may be open at once.
const MAX_OPEN: usize = 30;
/// How often the condition of a claim may be restricted.
const MAX_ROUNDS: usize = 4;

/// What a procedure does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// No error is reached in it.
    NeverFails,
    /// Entry and exit are in this relation, over the constants of contracts.
    Returns(TermId),
}

/// A claim that holds for entry states with the condition.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    proc: ProcId,
    claim: Claim,
    condition: TermId,
    invariants: OrderedMap<LocId, TermId>,
    /// The lowest open claim that it rests on.
    rests_on: Option<usize>,
}

/// A claim that is being proved.
pub(super) struct Open {
    proc: ProcId,
    claim: Claim,
    /// For which entry states it is assumed.
    condition: TermId,
    /// The lowest claim, itself included, that was used.
    used: Option<usize>,
}

impl Search<'_> {
    /// DASH on the callee of a call: a reason if neither a test nor a proof was found.
    pub(super) fn prove(
        &mut self,
        proc: ProcId,
        claim: Claim,
        from: (NodeId, BlockId),
    ) -> Result<Option<Reason>, Reason> {
        let is_open = self.open.iter().any(|open| open.proc == proc && open.claim == claim);
        if is_open || self.open.len() >= MAX_OPEN {
            return Ok(Some(Reason::AllPathsTried));
        }
        self.yogi.stats.add("questions to procedures", 1);
        let mut condition = Terms::TRUE;
        for _ in 0..MAX_ROUNDS {
            let (level, first) = (self.open.len(), self.may.len());
            let query = self.query(proc, claim, from);
            self.open.push(Open { proc, claim, condition, used: None });
            let found = self.dash_on(query);
            let used = self.open.pop().and_then(|open| open.used);
            let (needed, query) = match found? {
                (Found::Proof { condition }, query) => (condition, query),
                (Found::Test, _) => {
                    self.drop_unproved(first);
                    return Ok(None);
                }
                (Found::Unknown(reason), _) => {
                    self.drop_unproved(first);
                    return Ok(Some(reason));
                }
            };
            let relied = used.is_some_and(|used| used <= level);
            if relied && !self.implies(condition, needed)? {
                self.drop_unproved(first);
                condition = self.yogi.tm.and2(condition, needed);
                continue;
            }
            let rests_on = used.filter(|&used| used < level);
            if rests_on.is_none() {
                for summary in &mut self.may[first..] {
                    summary.rests_on = None;
                }
            }
            self.yogi.stats.add("may summaries", 1);
            // What was assumed nowhere else is proved where it is needed.
            let condition = if relied { condition } else { needed };
            let asking = std::mem::replace(&mut self.yogi.query, query);
            let invariants = self.yogi.formulas(&loop_heads(self.yogi.program, proc));
            self.yogi.query = asking;
            self.may.push(Summary { proc, claim, condition, invariants, rests_on });
            return Ok(None);
        }
        Ok(Some(Reason::AllPathsTried))
    }

    /// Whether the procedure can do what the claim says that it does not.
    fn query(&mut self, proc: ProcId, claim: Claim, from: (NodeId, BlockId)) -> Query {
        let tm = &mut *self.yogi.tm;
        let post = match claim {
            Claim::NeverFails => None,
            Claim::Returns(relation) => Some(tm.not(relation)),
        };
        let Some(procedure) = &self.yogi.procedures[proc] else { unreachable!("a callee has a graph") };
        Query::new(tm, proc, procedure, post, Some(from))
    }

    /// The proof of the entry procedure, for the states in which the program starts.
    pub(super) fn keep_proof_of_main(&mut self) {
        let yogi = &mut self.yogi;
        let proc = yogi.program.entry;
        let condition = match &yogi.procedures[proc] {
            Some(main) => main.at_entry(yogi.tm, main.initial),
            None => Terms::TRUE,
        };
        let invariants = yogi.formulas(&loop_heads(yogi.program, proc));
        let claim = Claim::NeverFails;
        self.may.push(Summary { proc, claim, condition, invariants, rests_on: None });
    }

    fn drop_unproved(&mut self, first: usize) {
        let mut index = 0;
        self.may.retain(|summary| {
            index += 1;
            index <= first || summary.rests_on.is_none()
        });
    }

    fn implies(&mut self, a: TermId, b: TermId) -> Result<bool, Reason> {
        if a == b || b == Terms::TRUE {
            return Ok(true);
        }
        let opposite = self.yogi.tm.not(b);
        let mut solver = NativeSolver::default();
        solver.assert(self.yogi.tm, a);
        solver.assert(self.yogi.tm, opposite);
        self.yogi.stats.add("conditions compared", 1);
        match solver.check(self.yogi.tm, &[], self.yogi.budget) {
            Answer::Unsat => Ok(true),
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(Reason::Stopped(reason)),
            _ => Ok(false),
        }
    }

    /// What is known of a call, over the constants of its block: if it returns, the relations of all
    /// claims whose conditions hold; if it fails, that none of them excludes it.
    pub(super) fn may(&mut self, call: &Call) -> TermId {
        let mut parts: Vec<(TermId, Claim)> = Vec::new();
        let mut used = None;
        let lower =
            |used: Option<usize>, level: usize| Some(used.map_or(level, |used: usize| used.min(level)));
        for summary in self.may.iter().filter(|summary| summary.proc == call.callee) {
            parts.push((summary.condition, summary.claim));
            if let (true, Some(level)) = (summary.claim.concerns(call), summary.rests_on) {
                used = lower(used, level);
            }
        }
        for (level, open) in self.open.iter().enumerate().filter(|(_, open)| open.proc == call.callee) {
            parts.push((open.condition, open.claim));
            if open.claim.concerns(call) {
                used = lower(used, level);
            }
        }
        if let (Some(level), Some(open)) = (used, self.open.last_mut()) {
            open.used = lower(open.used, level);
        }
        let parts: Vec<TermId> = parts
            .into_iter()
            .filter(|(_, claim)| claim.concerns(call))
            .map(|(condition, claim)| match claim {
                Claim::NeverFails => self.yogi.tm.not(condition),
                Claim::Returns(relation) => self.yogi.tm.implies(condition, relation),
            })
            .collect();
        let known = self.yogi.tm.and(&parts);
        match &self.yogi.procedures[call.callee] {
            Some(callee) => call.instantiate(self.yogi.tm, self.yogi.program, callee, known),
            None => known,
        }
    }

    /// The claims as contracts; those of the entry procedure come last.
    pub(super) fn contracts(&mut self) -> Summaries {
        let mut summaries = Summaries::default();
        let calls = CallGraph::new(self.yogi.program);
        let effects = effects(self.yogi.program, &calls);
        for proc in self.yogi.program.procs.indices().filter(|&proc| calls.is_reachable(proc)) {
            let own: Vec<Summary> = self.may.iter().filter(|summary| summary.proc == proc).cloned().collect();
            let safe: Vec<TermId> = own
                .iter()
                .filter(|summary| summary.claim == Claim::NeverFails)
                .map(|summary| summary.condition)
                .collect();
            let requires = if effects[proc].fails { self.yogi.tm.or(&safe) } else { Terms::TRUE };
            let mut ensures = Vec::new();
            for summary in &own {
                if let Claim::Returns(relation) = summary.claim {
                    ensures.push(self.yogi.tm.implies(summary.condition, relation));
                }
            }
            let mut contract = Contract::new(requires, self.yogi.tm.and(&ensures));
            for head in loop_heads(self.yogi.program, proc) {
                let mut parts = vec![requires];
                for summary in &own {
                    if let Some(&formula) = summary.invariants.get(&head) {
                        parts.push(self.yogi.tm.implies(summary.condition, formula));
                    }
                }
                contract.invariants.insert(head, self.yogi.tm.and(&parts));
            }
            summaries.contracts.insert(proc, contract);
        }
        summaries
    }
}

fn loop_heads(program: &Program, proc: ProcId) -> Vec<LocId> {
    let body = &program.procs[proc];
    Wto::new(&body.graph(), body.entry).components.into_iter().map(|component| component.head).collect()
}

impl Claim {
    /// Whether the claim says something about such a call.
    fn concerns(self, call: &Call) -> bool {
        call.fails == (self == Claim::NeverFails)
    }
}
