//! May summaries: claims about procedures, proved or assumed.
//!
//! While a claim is being proved, calls of the same procedure may rely on it (Hoare's rule for recursion), as
//! far as the condition goes under which it is assumed: at first everywhere. If the proof needs more of the
//! entry state than was assumed, it begins again with that as the condition. What was proved with the
//! help of a claim that is still open is dropped if that claim turns out to be wrong.

use super::graph::Call;
use super::search::{End, Found, Search};
use crate::verdict::Reason;
use crate::yogi::forest::NodeId;
use crate::yogi::graph::BlockId;
use crate::yogi::search::Stop;
use craig_base::OrderedMap;
use craig_certificate::{Contract, Summaries};
use craig_program::encode::StateNames;
use craig_program::{CallGraph, LocId, ProcId, effects};
use craig_smt::{Answer, NativeSolver, Solver, UnknownReason};
use craig_term::{Substitution, TermId, Terms};

/// Claims that may be open at once.
const MAX_OPEN: usize = 30;
/// How often the condition of a claim may be restricted.
const MAX_ROUNDS: usize = 4;

/// What a procedure does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No error is reached in it.
    NeverFails,
    /// Entry and exit are in this relation, over the constants of contracts.
    Returns(TermId),
}

/// A claim that holds for entry states with the condition.
#[derive(Clone, Debug)]
pub struct Summary {
    pub proc: ProcId,
    pub claim: Claim,
    pub condition: TermId,
    pub invariants: OrderedMap<LocId, TermId>,
    /// The lowest open claim that it rests on.
    rests_on: Option<usize>,
}

impl Summary {
    /// One that rests on nothing.
    pub fn new(proc: ProcId, claim: Claim, condition: TermId, invariants: OrderedMap<LocId, TermId>) -> Self {
        Summary { proc, claim, condition, invariants, rests_on: None }
    }
}

/// A claim that is being proved.
pub struct Open {
    proc: ProcId,
    claim: Claim,
    /// For which entry states it is assumed.
    condition: TermId,
    /// The lowest claim, itself included, that was used.
    used: Option<usize>,
}

impl Search<'_> {
    /// Asks the callee: a reason if neither a test nor a proof was found.
    pub fn question(
        &mut self,
        proc: ProcId,
        claim: Claim,
        from: Option<(NodeId, BlockId)>,
    ) -> Result<Result<(), Reason>, End> {
        let is_open = self.stack.iter().any(|open| open.proc == proc && open.claim == claim);
        if is_open || self.stack.len() >= MAX_OPEN {
            return Ok(Err(Reason::AllPathsTried));
        }
        self.stats.add("questions to procedures", 1);
        let mut condition = Terms::TRUE;
        for _ in 0..MAX_ROUNDS {
            let (level, first) = (self.stack.len(), self.summaries.len());
            self.stack.push(Open { proc, claim, condition, used: None });
            let found = self.dash(proc, claim, from);
            let used = self.stack.pop().and_then(|open| open.used);
            let (needed, abstraction) = match found? {
                Found::Proof { condition, abstraction } => (condition, abstraction),
                Found::Test => {
                    self.drop_unproved(first);
                    return Ok(Ok(()));
                }
                Found::Unknown(reason) => {
                    self.drop_unproved(first);
                    return Ok(Err(reason));
                }
            };
            let relied = used.is_some_and(|used| used <= level);
            if relied && !self.implies(condition, needed)? {
                self.drop_unproved(first);
                condition = self.tm.and2(condition, needed);
                continue;
            }
            let rests_on = used.filter(|&used| used < level);
            if rests_on.is_none() {
                for summary in &mut self.summaries[first..] {
                    summary.rests_on = None;
                }
            }
            self.stats.add("may summaries", 1);
            // What was assumed nowhere else is proved where it is needed.
            let condition = if relied { condition } else { needed };
            let invariants = self.invariants(proc, &abstraction);
            self.summaries.push(Summary { proc, claim, condition, invariants, rests_on });
            return Ok(Ok(()));
        }
        Ok(Err(Reason::AllPathsTried))
    }

    fn drop_unproved(&mut self, first: usize) {
        let mut index = 0;
        self.summaries.retain(|summary| {
            index += 1;
            index <= first || summary.rests_on.is_none()
        });
    }

    fn implies(&mut self, a: TermId, b: TermId) -> Result<bool, Stop> {
        if a == b || b == Terms::TRUE {
            return Ok(true);
        }
        let opposite = self.tm.not(b);
        let mut solver = NativeSolver::default();
        solver.assert(self.tm, a);
        solver.assert(self.tm, opposite);
        self.stats.add("conditions compared", 1);
        match solver.check(self.tm, &[], self.budget) {
            Answer::Unsat => Ok(true),
            Answer::Unknown(UnknownReason::Stopped(reason)) => Err(Stop::Budget(reason)),
            _ => Ok(false),
        }
    }

    /// What is known of a call, over the constants of its block: if it returns, the relations of all
    /// claims whose conditions hold; if it fails, that none of them excludes it.
    pub fn may(&mut self, call: &Call) -> TermId {
        let mut parts: Vec<(TermId, Claim)> = Vec::new();
        let mut used = None;
        let lower =
            |used: Option<usize>, level: usize| Some(used.map_or(level, |used: usize| used.min(level)));
        for summary in self.summaries.iter().filter(|summary| summary.proc == call.callee) {
            parts.push((summary.condition, summary.claim));
            if let (true, Some(level)) = (summary.claim.concerns(call), summary.rests_on) {
                used = lower(used, level);
            }
        }
        for (level, open) in self.stack.iter().enumerate().filter(|(_, open)| open.proc == call.callee) {
            parts.push((open.condition, open.claim));
            if open.claim.concerns(call) {
                used = lower(used, level);
            }
        }
        if let (Some(level), Some(open)) = (used, self.stack.last_mut()) {
            open.used = lower(open.used, level);
        }
        let parts: Vec<TermId> = parts
            .into_iter()
            .filter(|(_, claim)| claim.concerns(call))
            .map(|(condition, claim)| match claim {
                Claim::NeverFails => self.tm.not(condition),
                Claim::Returns(relation) => self.tm.implies(condition, relation),
            })
            .collect();
        let known = self.tm.and(&parts);
        match &self.procedures[call.callee] {
            Some(callee) => call.instantiate(self.tm, self.program, callee, known),
            None => known,
        }
    }

    /// The claims as contracts; those of the entry procedure come last.
    pub fn contracts(&mut self) -> Summaries {
        let mut summaries = Summaries::default();
        let calls = CallGraph::new(self.program);
        let effects = effects(self.program, &calls);
        for proc in self.program.procs.indices().filter(|&proc| calls.is_reachable(proc)) {
            let own: Vec<Summary> =
                self.summaries.iter().filter(|summary| summary.proc == proc).cloned().collect();
            let safe: Vec<TermId> = own
                .iter()
                .filter(|summary| summary.claim == Claim::NeverFails)
                .map(|summary| summary.condition)
                .collect();
            let requires = if effects[proc].fails { self.tm.or(&safe) } else { Terms::TRUE };
            let mut ensures = Vec::new();
            for summary in &own {
                if let Claim::Returns(relation) = summary.claim {
                    ensures.push(self.tm.implies(summary.condition, relation));
                }
            }
            let mut contract = Contract::new(requires, self.tm.and(&ensures));
            let body = &self.program.procs[proc];
            for component in craig_program::Wto::new(&body.graph(), body.entry).components {
                let mut parts = vec![requires];
                for summary in &own {
                    if let Some(&formula) = summary.invariants.get(&component.head) {
                        parts.push(self.tm.implies(summary.condition, formula));
                    }
                }
                contract.invariants.insert(component.head, self.tm.and(&parts));
            }
            summaries.contracts.insert(proc, contract);
        }
        summaries
    }

    /// What holds at the start of the program, over the entry constants.
    pub fn initial(&mut self) -> TermId {
        let mut names = StateNames::default();
        let Some(main) = &self.procedures[self.program.entry] else { return Terms::TRUE };
        let mut pairs = Vec::new();
        for &(var, constant) in &main.entry {
            pairs.push((names.current(self.program, self.tm, var), constant));
        }
        Substitution::from_pairs(pairs).apply(self.tm, main.graph.initial)
    }
}

impl Claim {
    /// Whether the claim says something about such a call.
    fn concerns(self, call: &Call) -> bool {
        call.fails == (self == Claim::NeverFails)
    }
}
