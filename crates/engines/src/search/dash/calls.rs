//! ExtendFrontier at a call that the may summaries of the callee do not exclude.

use super::Search;
use super::frontier::{Attempt, Extension};
use super::may::Claim;
use crate::search::yogi::graph::Call;
use crate::search::yogi::preimage::open_preimage;
use crate::search::yogi::symbolic::Question;
use crate::verdict::Reason;
use craig_program::encode::StateNames;
use craig_smt::interpolate::{self, Interpolation};
use craig_term::{Model, Substitution, TermId};

/// How often one frontier may ask the callee.
const MAX_ASKED: usize = 60;

/// What must summaries say about a call.
enum Crossing {
    /// One of them crosses the frontier.
    Test(Question, Box<Model>, usize),
    /// All of them are in this relation, which excludes the step.
    Relation(TermId),
    Unknown(Reason),
}

impl Search<'_> {
    /// Lines 5 to 15 of Figure 14, where the may summaries do not exclude the step: a must summary makes
    /// it, or the callee is asked.
    pub(super) fn ask_callee(&mut self, attempt: &Attempt) -> Result<Extension, Reason> {
        let Some(call) = &attempt.call else { return Ok(Extension::Summary) };
        let asked = self.yogi.query.asked.entry((attempt.node, attempt.block)).or_default();
        *asked += 1;
        if *asked > MAX_ASKED {
            return Ok(Extension::Unknown(attempt.step(), Reason::AllPathsTried));
        }
        let claim = if call.fails {
            Claim::NeverFails
        } else {
            match self.cross_with_must_summaries(attempt, call)? {
                Crossing::Test(question, model, taken) => {
                    let inputs = self.must.of(call.callee)[taken].inputs.clone();
                    return self.follow(attempt, &question, &model, &inputs);
                }
                Crossing::Relation(relation) => Claim::Returns(relation),
                Crossing::Unknown(reason) => return Ok(Extension::Unknown(attempt.step(), reason)),
            }
        };
        Ok(match self.prove(call.callee, claim, (attempt.node, attempt.block))? {
            None => Extension::Summary,
            Some(reason) => Extension::Unknown(attempt.step(), reason),
        })
    }

    /// A test across a call by a must summary of the callee; or a relation that contains all of them and
    /// excludes the step.
    fn cross_with_must_summaries(&mut self, attempt: &Attempt, call: &Call) -> Result<Crossing, Reason> {
        self.next_iteration()?;
        self.learn_must_summaries();
        let yogi = &mut self.yogi;
        yogi.stats.add("solver calls", 1);
        let Some(callee) = &yogi.procedures[call.callee] else { unreachable!("a callee has a graph") };
        let mut names = StateNames::default();
        let summaries = self.must.of(call.callee).iter();
        let formulas: Vec<TermId> =
            summaries.map(|summary| summary.formula(yogi.tm, yogi.program, &mut names)).collect();
        // The constants of contracts for what is passed and returned, under names of their own.
        let (mut own, mut goal, mut results) = (Vec::new(), Vec::new(), Vec::new());
        for &(var, constant) in &callee.entry {
            let name = yogi.symbolic.interface(yogi.tm, constant);
            own.push((constant, name));
            goal.extend(call.argument(var).map(|argument| yogi.tm.eq(name, argument)));
        }
        for &(var, out) in &call.results {
            let constant = names.current(yogi.program, yogi.tm, var);
            let name = yogi.symbolic.interface(yogi.tm, constant);
            own.push((constant, name));
            results.push((out, name));
        }
        let mut results = Substitution::from_pairs(results);
        let code = &yogi.query.graph.blocks[attempt.block];
        let parts = open_preimage(yogi.tm, &yogi.query.graph, code, attempt.target);
        goal.extend(parts.into_iter().map(|part| results.apply(yogi.tm, part)));
        goal.push(yogi.query.partition.regions[attempt.from].formula);
        let block = (attempt.block, code);
        let (tm, forest) = (&mut *yogi.tm, &mut yogi.forest);
        let question = yogi.symbolic.question(tm, &yogi.procedures, forest, attempt.node, block, &goal);
        let must = yogi.tm.or(&formulas);
        let must = Substitution::from_pairs(own.clone()).apply(yogi.tm, must);
        let step = yogi.tm.and(&[&question.path[..], &question.goal].concat());
        let options = interpolate::Options::default();
        Ok(match interpolate::binary(yogi.tm, must, step, &options, yogi.budget) {
            Interpolation::Sat(mut model) => {
                for &(constant, name) in &own {
                    if let Some(value) = model.get(name).cloned() {
                        model.set(constant, value);
                    }
                }
                let holds = |&formula: &TermId| yogi.tm.eval_bool(formula, &model) == Ok(true);
                match formulas.iter().position(holds) {
                    Some(taken) => Crossing::Test(question, Box::new(model), taken),
                    None => Crossing::Unknown(Reason::internal("a model of no must summary")),
                }
            }
            Interpolation::Interpolants(relation) => {
                let back = own.into_iter().map(|(constant, name)| (name, constant));
                let mut back = Substitution::from_pairs(back.collect::<Vec<_>>());
                Crossing::Relation(back.apply(yogi.tm, relation))
            }
            Interpolation::Unknown(failure) => match Reason::from(failure) {
                stopped @ Reason::Stopped(_) => return Err(stopped),
                reason => Crossing::Unknown(reason),
            },
        })
    }
}
