//! Facts: what was derived once need not be derived again.
//!
//! 002 resolves every subgoal with the rules of the system, so that a derivation is a tree, which has exponentially
//! many steps where clauses have two atoms in their body. But a subgoal whose whole derivation was found gives a unit clause, and
//! that can be resolved with as any other clause can. (Must summaries are the same in PDR for procedures: Komuravelli, Gurfinkel
//! and Chaki, *SMT-based model checking for recursive programs*, CAV 2014.) A subgoal must be closed before another one
//! can profit, so the subgoals of the last expansion come first. Facts take no part in learning: the rules imply them, and what
//! bounds all rules bounds them, too. [`Options::facts`](super::Options::facts) turns them off.

use super::Duality;
use super::eliminate::eliminate;
use super::goal::{Goal, Sources};
use crate::horn::FactId;
use crate::verdict::Reason;
use craig_smt::Answer;

impl Duality<'_> {
    /// Resolves the subgoal of the topmost frame with a fact, if one agrees with the rest of the goal.
    pub(super) fn resolve_with_fact(&mut self) -> Result<Option<(FactId, Goal)>, Reason> {
        let Some(frame) = self.stack.last() else { return Ok(None) };
        let predicate = frame.subgoal.predicate;
        if self.facts.of[predicate].is_empty() {
            return Ok(None);
        }
        let suffix: Vec<_> = self.suffix().into_keys().collect();
        for index in (0..self.facts.of[predicate].len()).rev() {
            let id = self.facts.of[predicate][index];
            let mut both = suffix.clone();
            both.extend_from_slice(&self.facts.all[id].cube);
            self.annotation.counts.checks += 1;
            match self.annotation.contexts[predicate].satisfiable(self.terms, &both, self.budget) {
                Answer::Unsat => continue,
                Answer::Unknown(reason) => return Err(reason.into()),
                Answer::Sat => {}
            }
            self.counts.resolutions += 1;
            let height = self.stack.len() - 1;
            let frame = &mut self.stack[height];
            frame.fact = Some(id);
            let mut goal = frame.suffix.clone();
            let predicate = &self.annotation.rules.predicates[predicate];
            let constraint =
                predicate.instantiate(self.terms, self.facts.all[id].formula, &frame.subgoal.args);
            goal.add_constraint(self.terms, constraint, &Sources::from([height]));
            eliminate(self.terms, &mut goal);
            return Ok(Some((id, goal)));
        }
        Ok(None)
    }

    /// All atoms of the rule with which a frame is resolved are facts: so is its subgoal. What was opened after it is
    /// not needed any more.
    pub(super) fn conclude(&mut self, height: usize) -> Result<(), Reason> {
        let Some(rule) = self.stack[height].rule else {
            return Err(Reason::internal("a fact without a rule"));
        };
        let atoms = self.annotation.rules.rules[rule].body.clone();
        let mut premises = vec![None; atoms.len()];
        for frame in self.stack.drain(height + 1..) {
            if let Some((parent, position)) = frame.subgoal.parent
                && parent == height
            {
                premises[position] = frame.fact;
            }
        }
        let premises: Option<Vec<FactId>> = premises.into_iter().collect();
        let premises = premises.ok_or_else(|| Reason::internal("a premise was not derived"))?;
        let mut question: Vec<_> = self.suffix().into_keys().collect();
        question.push(self.annotation.rules.rules[rule].transition);
        for (atom, &premise) in atoms.iter().zip(&premises) {
            let formula = self.facts.all[premise].formula;
            question.push(atom.instantiate(self.terms, &self.annotation.rules, formula));
        }
        let question = self.terms.and(&question);
        let context = &mut self.annotation.contexts[self.stack[height].subgoal.predicate];
        let model = match context.model_of(self.terms, question, self.budget) {
            (Answer::Unknown(reason), _) => return Err(reason.into()),
            (_, Some(model)) => model,
            (_, None) => return Err(Reason::internal("what was derived does not agree with the goal")),
        };
        self.facts.conclude(self.terms, &self.annotation.rules, rule, premises, &model)?;
        Ok(())
    }
}
