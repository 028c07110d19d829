//! ExtendFrontier at a call that the may summaries of the callee do not exclude.

use super::graph::Call;
use super::query::Query;
use super::search::{Edge, End, Search};
use super::summaries::Claim;
use super::symbolic::Question;
use crate::verdict::Reason;
use crate::yogi::preimage::behind;
use craig_program::encode::StateNames;
use craig_smt::UnknownReason;
use craig_smt::interpolate::{self, Failure, Interpolation};
use craig_term::{Model, Substitution, TermId};

/// How often one frontier may ask the callee.
const MAX_ASKED: usize = 60;

impl Search<'_> {
    /// The may summaries do not exclude the step: a must summary makes it, or the callee is asked.
    pub fn ask_callee(&mut self, query: &mut Query, edge: &Edge, call: &Call) -> Result<(), End> {
        let asked = query.asked.entry((edge.node, edge.block)).or_default();
        *asked += 1;
        if *asked > MAX_ASKED {
            query.give_up(edge, Reason::AllPathsTried);
            return Ok(());
        }
        let from = Some((edge.node, edge.block));
        let claim = if call.fails {
            Claim::NeverFails
        } else {
            match self.cross_with_facts(query, edge, call)? {
                Ok((question, model, fact)) => {
                    return self.follow(query, edge, &question, &model, Some((call.callee, fact)));
                }
                Err(Some(relation)) => Claim::Returns(relation),
                Err(None) => {
                    query.give_up(edge, Reason::Interpolation(Failure::MixedReasoning));
                    return Ok(());
                }
            }
        };
        if let Err(reason) = self.question(call.callee, claim, from)? {
            query.give_up(edge, reason);
        }
        Ok(())
    }

    /// A test across a call by a must summary of the callee; or a relation that contains all of them and
    /// excludes the step.
    #[expect(clippy::type_complexity, reason = "a test or a relation")]
    fn cross_with_facts(
        &mut self,
        query: &Query,
        edge: &Edge,
        call: &Call,
    ) -> Result<Result<(Question, Model, usize), Option<TermId>>, End> {
        self.stats.add("iterations", 1);
        self.stats.add("solver calls", 1);
        let code = &query.graph.blocks[edge.block];
        let mut names = StateNames::default();
        let facts = self.facts.remove(&call.callee).unwrap_or_default();
        let formulas: Vec<TermId> = facts.iter().map(|fact| fact.formula(self.tm, self.program)).collect();
        self.facts.insert(call.callee, facts);
        let must = self.tm.or(&formulas);
        let Some(callee) = &self.procedures[call.callee] else { return Ok(Err(None)) };
        // The constants of contracts for what is passed and returned, under names of their own.
        let mut goal: Vec<TermId> = Vec::new();
        for &(var, constant) in &callee.entry {
            if let Some(&(_, arg)) = call.args.iter().find(|(passed, _)| *passed == var) {
                let own = self.symbolic.interface(self.tm, constant);
                goal.push(self.tm.eq(own, arg));
            }
        }
        let mut back: Vec<(TermId, TermId)> = callee
            .entry
            .iter()
            .map(|&(_, constant)| (self.symbolic.interface(self.tm, constant), constant))
            .collect();
        let mut outs: Vec<(TermId, TermId)> = Vec::new();
        for &(var, out) in &call.results {
            let constant = names.current(self.program, self.tm, var);
            let own = self.symbolic.interface(self.tm, constant);
            outs.push((out, own));
            back.push((own, constant));
        }
        let mut outs = Substitution::from_pairs(outs);
        let after = behind(self.tm, &query.graph.points[code.to], code, edge.target);
        let parts: Vec<TermId> = code.guard.iter().copied().chain([after]).collect();
        goal.extend(parts.into_iter().map(|part| outs.apply(self.tm, part)));
        goal.push(query.partition.regions[edge.from].formula);
        let (tm, forest) = (&mut *self.tm, &mut self.forest);
        let question = self.symbolic.question(tm, &self.procedures, forest, edge.node, Some(code), &goal);
        let forth: Vec<(TermId, TermId)> = back.iter().map(|&(own, constant)| (constant, own)).collect();
        let must = Substitution::from_pairs(forth).apply(self.tm, must);
        let step: Vec<TermId> = question.path.iter().chain(&question.goal).copied().collect();
        let step = self.tm.and(&step);
        let options = interpolate::Options::default();
        match interpolate::binary(self.tm, must, step, &options, self.budget) {
            Interpolation::Sat(mut model) => {
                for &(own, constant) in &back {
                    if let Some(value) = model.get(own).cloned() {
                        model.set(constant, value);
                    }
                }
                let taken =
                    formulas.iter().position(|&formula| self.tm.eval_bool(formula, &model) == Ok(true));
                Ok(taken.map(|taken| (question, model, taken)).ok_or(None))
            }
            Interpolation::Interpolants(relation) => {
                Ok(Err(Some(Substitution::from_pairs(back).apply(self.tm, relation))))
            }
            Interpolation::Unknown(Failure::Solver(UnknownReason::Stopped(reason))) => Err(End::from(reason)),
            Interpolation::Unknown(_) => Ok(Err(None)),
        }
    }
}
